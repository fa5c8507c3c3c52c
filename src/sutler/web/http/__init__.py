"""Middleware, slow clients, metrics, the language of a request."""

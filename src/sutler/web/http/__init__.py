"""Middleware, slow clients, metrics, log lines, cookies, caching, and the language of a request."""

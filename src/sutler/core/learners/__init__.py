"""Observations of a game for learning programs, their encodings, and returns."""

"""A shelf with one game on it."""

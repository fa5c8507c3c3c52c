"""Benchmarks: speed of games and of tables, and their history."""

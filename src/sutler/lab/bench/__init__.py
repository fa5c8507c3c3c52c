"""Benchmarks: the speed of games and of their queries, and comparisons with stored figures."""

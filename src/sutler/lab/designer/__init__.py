"""The questions that a designer asks of a game, asked in order and answered in words."""

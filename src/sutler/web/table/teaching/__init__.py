"""Help beside a game: lessons, puzzles, hints, and turning points of finished games."""

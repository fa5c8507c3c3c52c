"""Help beside a game: lessons, puzzles, hints, and turning points afterwards."""

"""The lobby: new tables, seats open to anybody, uploaded files, lessons and puzzles, the Learn page."""

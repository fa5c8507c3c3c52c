"""A game on paper: its printed pieces, laid out on sheets as HTML or PDF, and as pictures for virtual tabletops."""

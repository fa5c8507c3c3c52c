"""A game on paper: what is printed, how it lies on sheets, how it is drawn, and as pictures for tables on a screen."""

"""Commands for those who design games: each asks the lab and prints its answer."""

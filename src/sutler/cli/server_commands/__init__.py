"""Commands for those who run a server (a house)."""

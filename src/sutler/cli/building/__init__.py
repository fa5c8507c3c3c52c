"""Commands for those who build: bots, games, speed, what is missing."""

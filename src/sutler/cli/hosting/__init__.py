"""Commands for those who keep a house."""

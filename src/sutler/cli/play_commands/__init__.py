"""Commands for players."""

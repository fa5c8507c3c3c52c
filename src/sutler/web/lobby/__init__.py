"""The lobby: new tables, uploads, game files, the page to learn from, sheets to print, rematches."""

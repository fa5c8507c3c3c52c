"""The game in words and print: labels, prompts, sheets to print, the table in a terminal."""

"""Six Winters in words and in print: button labels, prompts, sheets to print, the table in a terminal."""

"""Three Years of War in words and print: labels and prompts, sheets to print, the table in a terminal."""

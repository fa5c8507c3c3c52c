"""A designer's questions: those a game declares, those asked from the page, and their answers."""

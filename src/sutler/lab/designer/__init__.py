"""Questions of a designer about a game, and their answers: those that the game's files declare, and those asked on the web page."""

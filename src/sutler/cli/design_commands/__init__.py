"""Commands for game designers: each asks the lab a question and prints the answer."""

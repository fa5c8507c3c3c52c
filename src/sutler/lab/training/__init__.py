"""Training: the league that bots train in, and fitting a network."""

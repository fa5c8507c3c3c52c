"""A game being played: the game with its box, a position, what a seat sees of it, standing orders, sealed luck."""

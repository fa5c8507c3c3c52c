"""How bots judge a position of this game, and the reasons that the coach gives."""

"""Training of bots: the league in which a judge learns, the games in which a policy learns, and the fitting of their networks."""

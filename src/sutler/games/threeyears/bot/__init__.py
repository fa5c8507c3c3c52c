"""Bots for Three Years of War: the evaluation of a position, forecasts, the pruning of actions, and the reasons that the coach gives."""

"""Bots for WARFARM: the evaluation of a position, threats, the pruning of actions, and the reasons that the coach gives."""

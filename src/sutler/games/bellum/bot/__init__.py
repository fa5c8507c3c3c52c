"""Evaluation and pruning for the bots of Bellum, and the reasons that the coach gives."""

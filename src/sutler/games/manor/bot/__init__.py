"""Bots for Medieval Manor: the evaluation of a position, the pruning of actions, the deals, and the reasons that the coach gives."""

"""Evaluation and pruning for the bots of Six Winters, and the reasons and dangers that the coach shows to people."""

"""Playing many games: simulation, recording, event logs, headline figures, and files of results."""

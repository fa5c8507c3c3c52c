"""Playing many games: simulation, recording, figures, files of results."""

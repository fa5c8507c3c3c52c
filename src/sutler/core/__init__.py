"""What all games share, naming none: records, chance, sets, actions, events, boxes, playing, game files."""

"""What all games share and no game is named in: records, luck, bit sets, actions, events, boxes, positions, game files."""

"""The parts that all games share, in which no game is named: records, luck, bit sets, actions, events, boxes, positions, game files."""

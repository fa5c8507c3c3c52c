"""Files that people bring and take: boxes, positions, games, records of play. Reading them costs little, whatever is in them."""

"""Files that people bring and take: boxes, positions, games, records of play; read with their cost bounded, refused in words."""

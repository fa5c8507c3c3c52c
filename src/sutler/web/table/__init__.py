"""A table, one game being played online: the room, moves, clocks, undo, bots, and the registry of all tables."""

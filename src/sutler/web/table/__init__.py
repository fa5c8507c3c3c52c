"""A table: the room, seats, moves, clocks, chat, undo, bots, lessons, and the registry of all tables."""

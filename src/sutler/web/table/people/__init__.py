"""The people at a table: joining and seating them, chat, feedback, who is told of what."""

"""The people at a table: joining and seating them, chat, feedback, waiting pages, and notices of turns."""

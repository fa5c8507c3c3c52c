"""Files that users write and read: boxes, positions, saved games. What reading a file may cost is limited."""

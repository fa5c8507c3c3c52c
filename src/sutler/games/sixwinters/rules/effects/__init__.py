"""What cards do, one module for each kind of operation."""

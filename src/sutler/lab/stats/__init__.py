"""Statistics: estimates with their intervals, and intervals that stay valid when the data are inspected repeatedly."""

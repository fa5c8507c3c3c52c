"""Statistics: estimates with intervals, and intervals that hold at every look."""

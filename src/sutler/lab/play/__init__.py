"""Games played for the lab."""

"""The database: its tables, the store of events, group commit, jobs shared by processes, backup."""

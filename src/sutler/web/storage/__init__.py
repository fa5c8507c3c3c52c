"""The database: schema, stored tables, group commit, jobs shared by processes, backup."""

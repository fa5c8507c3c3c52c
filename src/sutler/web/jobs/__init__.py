"""Background jobs, the order in which requests run, and the lock that says which thread may run Python now."""

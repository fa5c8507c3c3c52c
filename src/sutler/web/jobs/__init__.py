"""Background jobs, the order of requests, who may run Python now."""

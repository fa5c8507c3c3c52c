"""Studies: comparisons, sweeps, sensitivity, goals, values of cards and decisions, tournaments, playtests."""

"""Studies: comparisons, tournaments, sweeps, sensitivity, hidden information, playtests."""

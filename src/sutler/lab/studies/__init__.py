"""Studies: comparisons, sweeps, sensitivity, searches for goals, values of cards and decisions, tournaments, playtests and others."""

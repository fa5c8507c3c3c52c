"""Commands for programmers: bots, new games, benchmarks, compiling, checks of the machine."""

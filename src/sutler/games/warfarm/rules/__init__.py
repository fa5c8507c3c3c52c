"""What may be done in WARFARM, what it does and why not: a file for some chapters of the guide each."""

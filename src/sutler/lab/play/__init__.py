"""Playing many games between bots for the lab, and reading and writing what was recorded of them."""

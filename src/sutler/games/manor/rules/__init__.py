"""What you may do in Medieval Manor and what it does: a file a chapter of the guide, and `turn` for how they follow."""

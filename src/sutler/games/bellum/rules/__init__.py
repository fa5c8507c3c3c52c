"""What you may do in Bellum and what it does: a file a chapter of the guide."""

"""What may be done in Three Years of War, why not, and what it does: a file a chapter, in the order of the guide."""

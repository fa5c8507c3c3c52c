"""The cards of Six Winters as data: the entries of `box.toml`, their checks, their texts, and how they are packed into numbers."""

"""What a person sees of a table: fragments of the page, buttons, log, charts, scores."""

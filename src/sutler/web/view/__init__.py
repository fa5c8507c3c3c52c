"""The page of a table as one person sees it: fragments of the page, buttons, log, charts, scores."""

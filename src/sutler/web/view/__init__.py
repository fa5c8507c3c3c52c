"""The page of a table as one person sees it: its fragments, the board, buttons, log, charts, scores."""

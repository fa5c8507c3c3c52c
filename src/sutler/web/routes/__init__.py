"""HTTP routes, a module for each group of pages."""

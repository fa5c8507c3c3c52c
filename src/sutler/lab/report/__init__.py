"""Reports and pages of the lab as HTML files: tables, charts and sentences."""

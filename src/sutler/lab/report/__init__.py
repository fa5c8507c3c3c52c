"""Reports as web pages: chapters, charts, pages for cards, decisions and designs."""

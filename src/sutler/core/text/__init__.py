"""Everything that is put into words: sentences with marked parts, languages, guides, lessons, the table drawn as text."""

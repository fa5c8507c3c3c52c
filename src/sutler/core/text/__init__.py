"""Everything that is put into words: sentences with parts that mean something, languages, guides, lessons, the table in letters."""

"""Card games without programming: one TOML file becomes a game like any other.

`declaration` reads the file and tells every fault with its line; `operations_of_cards` and `amounts` are its two small languages;
`box_source`, `rule_source` and `paragraphs` write the game's folder (tables, rules, guide), which is compiled, played and tested as a
game written by hand; `sheet_of_cards` and `table_view` are what such a folder imports: its box, and its table in words. `card_shelf`
puts the folder where commands find it, `trial` plays it and says what nobody can ever do.
"""

"""Card games without programming: one TOML file becomes a game folder like that of any other game.

`declaration` reads the file and reports every fault with its line; `operations_of_cards` and `amounts` are the file's two small
languages. `game_source`, `game_rules` and `paragraphs` write the game's folder (tables, rules, guide), which is compiled, played and tested
like a game written by hand. Such a folder imports `sheet_of_cards` for its box and `table_view` for its view and texts. `card_shelf` puts
the folder where commands find it; `trial` plays the game and reports what can never be done in it.
"""

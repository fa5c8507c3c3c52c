"""Card games without programming: one TOML file becomes a game folder like that of any other game.

`game_file_reader` reads the file and reports every fault with its line; `operation_types` and `amounts` are the file's two small
languages. `game_folder_source`, `rules_module_source` and `guide_paragraphs` write the game's folder (tables, rules, guide), which is
compiled, played and tested like a game written by hand. Such a folder imports `box_model` for its box and `table_view` for its view and
texts. `installed_card_games` puts the folder where commands find it; `trial_games` plays the game and reports what can never be done in
it.
"""

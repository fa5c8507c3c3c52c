"""Faults of a card game's file: each is told with its line, its entry and field, and the nearest right word."""

from __future__ import annotations

from pathlib import Path

import pytest

from sutler.cardkit.amounts import AmountError, parse_amount, parse_condition
from sutler.cardkit.game_file_reader import parse_card_game
from sutler.cardkit.installed_card_games import derive_game_name
from sutler.cardkit.trial_games import install_and_try_card_game
from sutler.core.files.box import BoxError

FIRST = (Path(__file__).parents[2] / "src" / "sutler" / "cardkit" / "first_game.toml").read_text(encoding="utf-8")
DO = 'do = [{ op = "gain", coins = 1 }]'
PLANTED = {
    "a section misspelt": ("[tokens]", "[tokes]", "there is no section [tokes]; did you mean 'tokens'?"),
    "a field misspelt": (
        "seats = [2, 4]",
        "saets = [2, 4]",
        "[game], field saets: nothing here is called 'saets'; did you mean 'seats'?",
    ),
    "an op misspelt": (DO, DO.replace("gain", "gian"), "there is no op called 'gian'; did you mean 'gain'?"),
    "a token misspelt": (
        "pay = { coins",
        "pay = { coin",
        "field pay.coin: there is no kind of tokens called 'coin'; did you mean 'coins'?",
    ),
    "a place misspelt": ('to = "street"', 'to = "stret"', "there is no place called 'stret'; did you mean 'street'?"),
    "a source misspelt": ('from = "row"', 'from = "rows"', "did you mean 'row'?"),
    "a kind misspelt": (
        'of = "workshop", limit',
        'of = "workship", limit',
        "there is no kind of card called 'workship'; did you mean 'workshop'?",
    ),
    "a word of a field misspelt": (
        'trade = "food", cost = 5',
        'trade = "fod", cost = 5',
        "field workshop.Butcher.trade: there is no trade called 'fod'; did you mean 'food'?",
    ),
    "a card's field misspelt": (
        "points = 4 }",
        "pionts = 4 }",
        "nothing here is called 'pionts'; did you mean 'points'?",
    ),
    "an amount misspelt": (
        'coins = "cost"',
        'coins = "costs"',
        "there is no amount called 'costs'; did you mean 'cost'?",
    ),
    "a function misspelt": ("sum(street", "sim(street", "there is no sim(…); did you mean 'sum'?"),
    "a place in an amount": (
        "sum(street, points)",
        "sum(steet, points)",
        "there is no place called 'steet'; did you mean 'street'?",
    ),
    "a field in an amount": (
        "sum(street, points)",
        "sum(street, point)",
        "there is no number on cards in street called 'point'; did you mean 'points'?",
    ),
    "a product": (
        "sum(street, points)",
        "2 * sum(street, points)",
        "'*' means nothing in an amount; there are + and - alone",
    ),
    "a bracket missing in an amount": ("sum(street, points)", "sum(street, points", "')' is missing"),
    "a value in an amount": (
        "trade = cloth)",
        "trade = clothes)",
        "there is no trade called 'clothes'; did you mean 'cloth'?",
    ),
    "words for a number": (
        "cost = 7",
        'cost = "seven"',
        "field workshop.Bell founder.cost: a whole number is expected, not 'seven'",
    ),
    "no name": ('name = "Nailer", ', "", "name is missing"),
    "two cards of a name": (
        'name = "Tailor"',
        'name = "Hatter"',
        "two cards are called 'Hatter'; for several alike write copies = 2",
    ),
    "no quotation marks": (
        'title = "TITLE"',
        "title = Harvest",
        "line 7: 'title = Harvest' cannot be read: invalid value (words stand in quotation marks)",
    ),
    "a quotation mark missing": ('{ name = "Dyer"', '{ name = "Dyer', "(a quotation mark is missing)"),
    "a comma missing": ("copies = 2 },", "copies = 2 }", "(a comma is missing at the end of the line before)"),
    "seats without brackets": (
        "seats = [2, 4]",
        "seats = 2-4",
        "(two numbers stand in square brackets with a comma: [2, 4])",
    ),
    "a number in quotation marks": (
        "rounds = 8",
        'rounds = "8"',
        "a whole number is expected (without quotation marks), not '8'",
    ),
    "an action in words": (
        DO,
        'do = "take a coin"',
        """a list in square brackets is expected, such as [{ op = "gain", coins = 2 }]""",
    ),
    "a name in capitals": (
        "coins = { start",
        "Coins = { start",
        "'Coins' will not do as a name: small letters, digits and _, such as 'coins'",
    ),
    "single brackets first": ("[[action]]", "[action]", "each stands in double brackets"),
    "seats the wrong way round": ("[2, 4]", "[4, 2]", "the fewer first"),
    "no end": ("[[end]]\nrounds = 8", "", "the game never ends: write [[end]] with rounds = 10"),
    "an end of two": ("rounds = 8", 'rounds = 8\nempty = "deck"', "an end says one thing"),
    "no points": ('[[score]]\ncount = "sum(street, points)"\ntext', "[nothing]\ntext", "there is no section [nothing]"),
    "nowhere to begin": ("all = true", "all = false", "the cards of kind 'workshop' begin nowhere"),
    "no card in the name": ("buy {card}", "buy", "an action about {card} says where from"),
    "a strange part of a name": (
        "buy {card}",
        "buy {thing}",
        "{thing} means nothing: an action is about {card} or {seat}",
    ),
    "a row without a size": ("limit = 4, refill", "refill", "how many cards are laid out?"),
    "an owner of the table's place": (
        "limit = 4, refill",
        'seen_by = "owner", limit = 4, refill',
        "only a place of each seat has an owner",
    ),
    "a choice without options": (DO, 'do = [{ op = "choose", from = [] }]', "a choice has two options or more"),
    "a choice too early": (
        "[[phase]]",
        '[setup]\ntable = [{ op = "pick", from = "row", to = "street" }]\n\n[[phase]]',
        "op pick asks somebody to choose, which is too early here",
    ),
    "nobody was chosen": (
        DO,
        'do = [{ op = "steal", coins = 1 }]',
        "op steal is about a seat that was chosen, and none was",
    ),
    "no card is meant": (DO, 'do = [{ op = "move", to = "street" }]', "op move is about a card, and nothing here is"),
    "an end of a game that is not played together": (
        "rounds = 8",
        "rounds = 8\nwon = true",
        "only a game with together = true is won or lost by all",
    ),
    "a word of the kit": ("coins = { start", "round = { start", "'round' is a word of the kit itself"),
    "two things of a name": ("street = { of", "coins = { of", "two things are called 'coins'"),
    "a phase that there is not": (
        'name = "work"',
        'name = "work"\nphases = ["My turn"]',
        "there is no phase 'My turn'; did you mean 'Your turn'?",
    ),
    "a picture that there is not": ('icon = "two-coins"', 'icon = "two-coin"', "did you mean 'two-coins'?"),
    "a place that nothing reaches": (
        "street = { of",
        'attic = { of = "workshop" }\nstreet = { of',
        "no card ever comes to 'attic'",
    ),
    "a condition that compares nothing": (
        'name = "work"',
        'name = "work"\nneeds = "coins"',
        "compares nothing: a condition is two amounts",
    ),
    "more to begin with than the limit": (
        "start = 3",
        "start = 3, limit = 2",
        "3 to begin with is more than the limit of 2",
    ),
    "a name of two words": (
        "street = {",
        "my street = {",
        "(a name is one word: my_street = …)",
    ),
    "idle where nothing works": (
        'deck = { of = "workshop", all = true',
        'deck = { of = "workshop", all = true, idle = true',
        "field deck.idle: cards do something by themselves only where each player has a place that all see",
    ),
    "single brackets": ("[[end]]", "[end]", "[[end]] stands in double brackets"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_told(name: str) -> None:
    """In words, with the line on which it stands and what is written there."""
    old, new, words = PLANTED[name]
    assert old in FIRST, "the first game has changed"
    with pytest.raises(BoxError) as told:
        parse_card_game(FIRST.replace(old, new, 1), "harvest.toml")
    fault = next((line for line in str(told.value).splitlines() if words in line), "")
    assert fault, told.value
    assert fault.startswith("harvest.toml")


@pytest.mark.parametrize(
    "name",
    [
        "a field misspelt",
        "an op misspelt",
        "a word of a field misspelt",
        "a card's field misspelt",
        "words for a number",
    ],
)
def test_the_line_is_the_right_one(name: str) -> None:
    """The first line that differs from the file without the fault; of a card in a list its own line, not the list's."""
    old, new, words = PLANTED[name]
    faulty = FIRST.replace(old, new, 1)
    first = next(i for i, (a, b) in enumerate(zip(FIRST.splitlines(), faulty.splitlines(), strict=False), 1) if a != b)
    with pytest.raises(BoxError) as told:
        parse_card_game(faulty, "harvest.toml")
    assert f"line {first}:" in str(told.value)
    assert words in str(told.value)


def test_all_faults_are_told_at_once_in_order() -> None:
    """Three faults, three lines, the first in the file first."""
    text = FIRST
    for name in ("an amount misspelt", "words for a number", "a field misspelt"):
        old, new, _ = PLANTED[name]
        text = text.replace(old, new, 1)
    with pytest.raises(BoxError) as told:
        parse_card_game(text)
    lines = str(told.value).splitlines()
    assert len(lines) == 3
    assert [word in line for word, line in zip(("saets", "costs", "seven"), lines, strict=True)] == [True] * 3


NEVER = {
    "a card too dear": (
        'name = "Bell founder", trade = "iron", cost = 7',
        'name = "Bell founder", trade = "iron", cost = 90',
        '"Bell founder": nobody could ever',
    ),
    "an action too dear": (
        "# The end, and",
        '[[action]]\nname = "retire"\npay = { coins = 500 }\ndo = [{ op = "gain", coins = 1 }]\n\n# The end, and',
        '[[action]] "retire": nobody could ever take it',
    ),
    "an action that needs what is never": (
        "# The end, and",
        '[[action]]\nname = "sing"\nneeds = "round > 30"\ndo = [{ op = "gain", coins = 1 }]\n\n# The end, and',
        '(mostly: "That is done only if the round\'s number is more than 30.")',
    ),
}


@pytest.mark.parametrize("name", NEVER)
def test_what_can_never_be_done_is_found_by_trial(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said with the reason that stood against it; the game as it was has nothing of the kind."""
    monkeypatch.setenv("SUTLER_GAMES", "")
    old, new, words = NEVER[name]
    file = tmp_path / "never.toml"
    file.write_text(FIRST.replace(old, new, 1), encoding="utf-8")
    _, notes = install_and_try_card_game(file)
    assert [note for note in notes if words in note], notes
    assert install_and_try_card_game(file)[1] == notes
    sound = tmp_path / "sound.toml"
    sound.write_text(FIRST, encoding="utf-8")
    assert install_and_try_card_game(sound) == ("sound", [])


def test_a_game_that_does_not_end_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by playing it: an end that is never reached, or an action that is free for ever."""
    monkeypatch.setenv("SUTLER_GAMES", "")
    endless = tmp_path / "endless.toml"
    endless.write_text(FIRST.replace("rounds = 8", 'when = "coins >= 9000"'), encoding="utf-8")
    with pytest.raises(BoxError, match=r"endless.toml: the game does not end: after 1500 decisions .* rounds = 20"):
        install_and_try_card_game(endless)


def test_the_file_gives_the_game_its_name() -> None:
    """In small letters and digits, as modules are called."""
    assert derive_game_name(Path("My Own-Game 2.toml")) == "myowngame2"
    with pytest.raises(BoxError, match="give the file a name with letters"):
        derive_game_name(Path("12.toml"))


@pytest.mark.parametrize(
    "text", ["", "coins +", "count()", "count(hand", "3 4", "coins; import", "a.b.c", "most(coins, 2)", "(coins)"]
)
def test_nothing_else_is_an_amount(text: str) -> None:
    """No other expressions: what is none is told, and nothing is carried out."""
    with pytest.raises(AmountError):
        parse_amount(text)


def test_conditions_compare() -> None:
    """By six signs; one within an amount's brackets is none."""
    assert parse_condition("count(hand, sort = 2) = 3").sign == "=="
    assert parse_condition("coins!=3").sign == "!="
    with pytest.raises(AmountError, match="compares nothing"):
        parse_condition("count(hand, sort = 2)")

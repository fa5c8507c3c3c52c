"""Contract tests of blanks, cards that do nothing: they can be packed and drawn, and games with them are played to their end."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from sutler.contract.cases import GAMES, load_game
from sutler.core.files.box import BoxError
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.query import Query
from sutler.lab.play.rollouts import MAX_DECISIONS_SCANNED, Blank, RolloutTable
from sutler.lab.studies.card_value import estimate_card_impact, find_cards_asked_about

CHECK_INTERVAL = 40  # one in so many states of a game is checked
MAX_TWICE_BLANKED = 5  # the number of blanks of a kind that are blanked a second time
DRAWS = 12


def list_blankable_kinds(name: str) -> list[str]:
    """The kinds of card that a game can turn into blanks."""
    game = load_game(name)
    blanked = getattr(game.sheet, "blanked", lambda kind, i: None)
    found = []
    for kind, names in game.names.items():
        try:
            found += [kind] if len(names) and ":" not in kind and blanked(kind, 0) is not None else []
        except BoxError:
            found.append(kind)
    return found


BLANKS = [(name, kind) for name in GAMES for kind in list_blankable_kinds(name)]


@cache
def load_random_bot_table(name: str) -> RolloutTable:
    """A table of random bots for a game, cached."""
    return RolloutTable(load_game(name), ["random"], None)


def play_whole_game(table: RolloutTable, box: Any, seed: int) -> tuple[Any, Any]:
    """(result, states) of a game played at random with this packed box: its row of results, and the state at every decision."""
    states = np.zeros(1, table.game.definition.state.dtype)
    states["n_seats"] = table.n
    kept = np.zeros(MAX_DECISIONS_SCANNED, states.dtype)
    results, n = table.play_to_end(box, states, seed, True, kept)
    return results[0], kept[:n]


def list_blanks(name: str, kind: str, max_count: int = 1000) -> list[tuple[int, Blank]]:
    """(index, blank) for the cards of a kind, about `max_count` at most; asserts that each card without a blank has a reason in words."""
    table, names, found = load_random_bot_table(name), load_game(name).names[kind], list[tuple[int, Blank]]()
    for i in range(0, len(names), 1 + len(names) // max_count):
        blank = table.find_blank(kind, i)
        if blank is not None:
            found.append((i, blank))
        else:
            assert any(names[i] in words for words in table.refused), f"{names[i]}: without a blank, and not a word"
    return found


@pytest.mark.parametrize(("name", "kind"), BLANKS)
def test_a_blank_changes_nothing_but_what_the_card_does(name: str, kind: str) -> None:
    """The box with a blank has the same layout and names; blanking the card again changes nothing."""
    game = load_game(name)
    for i, blank in list_blanks(name, kind, MAX_TWICE_BLANKED):
        assert blank.box.dtype == game.box.dtype
        sheet = game.sheet.blanked(kind, i)
        assert list(sheet.names()[kind])[: len(game.names[kind])] == list(game.names[kind])
        again = sheet.blanked(kind, blank.thing)
        assert game.pack_sheet(again).tobytes() == blank.box.tobytes()


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of whole games want compiled rules")
@pytest.mark.parametrize(("name", "kind"), BLANKS)
def test_games_with_a_blank_are_played_to_their_end(name: str, kind: str) -> None:
    """One game of random bots with each blank ends, its states pass the game's check, and every seat has a place and points."""
    table = load_random_bot_table(name)
    definition = table.game.definition
    for i, blank in list_blanks(name, kind):
        result, states = play_whole_game(table, blank.box, 40 + i)
        assert 0 < int(result["decisions"]) < int(result["most"]), table.game.names[kind][i]
        assert (result["places"][: table.n] >= 1).all()
        assert np.isfinite(result["points"][: table.n]).all()
        for state in states[::CHECK_INTERVAL]:
            fault = int(definition.check(blank.box, state))
            assert fault == 0, (table.game.names[kind][i], definition.FAULTS[fault])


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of whole games want compiled rules")
@pytest.mark.parametrize("name", sorted({name for name, _ in BLANKS}))
def test_a_drawn_card_may_be_a_blank(name: str) -> None:
    """In games with draws, a game can be played on from each draw with a blank in the place of the drawn card."""
    game = load_game(name)
    try:
        places, _ = find_cards_asked_about(game)
    except ValueError:
        pytest.skip(f"{game.title} has no draws")
    assert (name, places.kind) in BLANKS
    found = estimate_card_impact(Query(game, ["random"], None, DRAWS, threads=1))
    tried = [one for one in found.cards if one.is_known]
    assert not found.about["refused"]
    assert all(not np.isnan(one.lead_blank[0]) for one in tried)

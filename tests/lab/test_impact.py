"""Impact by intervention: who drew what, cards that change places, and a planted card that is found."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sutler.contract.helpers import given
from sutler.core.bits import members
from sutler.core.game import load
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.impact import impact
from sutler.lab.pages import impact_page
from sutler.lab.places import Cards, Draw
from sutler.lab.playing_on import said
from sutler.lab.series import Series


def manor(**settings: Any) -> Any:
    return load("manor", None, {"offers": 0, "victory": 5, **settings})


def card(game: Any, name: str) -> int:
    return list(game.names["card"]).index(name)


def states(*positions: Any) -> Any:
    """Positions as kept states."""
    return np.array([np.frombuffer(pos.to_bytes(), positions[0].state.dtype)[0] for pos in positions])


# --- Places -------------------------------------------------------------------------


def test_places_are_found_in_the_record() -> None:
    """Manor: the hand is the first set at the seats; deck and discards lie in common; cards are also told by number."""
    found = Cards(manor().definition)
    assert found.kind == "card"
    assert found.hand.name == "seats.hand"
    assert {"seats.hand", "seats.upgrades"} == {one.name for one in found.held}
    assert {"deck", "discards"} <= {one.name for one in found.shared}
    assert {"card", "other"} <= {one.name for one in found.numbers}
    with pytest.raises(ValueError, match=r"--hand pocket: there are seats.hand"):
        Cards(manor().definition, "pocket")


def test_a_draw_is_what_comes_from_what_lay_in_common() -> None:
    """Wheat comes from the deck; Sheep changes hands and is no draw."""
    game = manor()
    before = given(game, seats=[{"hand": ["Sheep"]}, {"hand": []}])
    after = given(game, seats=[{"hand": []}, {"hand": ["Sheep", "Wheat"]}])
    found = Cards(game.definition).draws(states(before, after), 2)
    assert [(one.at, one.thing, one.seat, one.source.name) for one in found] == [(1, card(game, "Wheat"), 1, "deck")]


def test_two_cards_change_places() -> None:
    """Hand and deck, and what a decision says of them; nothing else changes, and twice is as it was."""
    game = manor()
    cards, wheat, sheep = Cards(game.definition), card(game, "Wheat"), card(game, "Sheep")
    table = states(given(game, seats=[{"hand": ["Wheat"]}, {}]))
    table["card"] = wheat
    was = table.tobytes()
    cards.exchange(table, wheat, sheep)
    assert members(table[0]["seats"][0]["hand"]) == [sheep]
    assert wheat in members(table[0]["deck"])
    assert table[0]["card"] == sheep
    cards.exchange(table, wheat, sheep)
    assert table.tobytes() == was


def test_a_draw_is_put_back() -> None:
    """One card less in the hand, one more where it came from."""
    game = manor()
    cards, wheat = Cards(game.definition), card(game, "Wheat")
    table = states(given(game, seats=[{"hand": ["Wheat", "Sheep"]}, {}]))
    deck = next(one for one in cards.shared if one.name == "deck")
    cards.put_back(table, Draw(1, wheat, 0, deck))
    assert members(table[0]["seats"][0]["hand"]) == [card(game, "Sheep")]
    assert wheat in members(table[0]["deck"])
    assert int(game.definition.check(game.box, table[0])) == 0


def test_a_blank_does_nothing() -> None:
    """Of each kind: it keeps its name, its type and its place; what it gave or did is gone, and nothing else."""
    game = manor()
    for name, gone in (("Tournament", "gain"), ("Abbey", "convert"), ("Fallow Field", "draw_next")):
        one = card(game, name)
        assert any(game.box.card[one][gone].tobytes()), name
        blank = game.packed(game.sheet.blanked("card", one))
        assert not any(blank.card[one][gone].tobytes())
        assert blank.card[one].type == game.box.card[one].type
        assert all(blank.card[i] == game.box.card[i] for i in range(len(game.sheet.card)) if i != one)
        assert (blank.deck == game.box.deck).all()
    assert game.sheet.blanked("land", 0) is None


# --- Played -------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of games of manor want compiled rules")
def test_a_planted_card_is_found(tmp_path: Path) -> None:
    """Tournament made worth 20 tokens: drawing it wins, and puts one far ahead of what another card or none would."""
    rich = manor(**{"card.Tournament.gain.victory": 20})
    series = Series(["greedy"], 2, 120, threads=1)
    found = impact(rich, series, ["tournament"])
    assert [one.name for one in found.cards] == ["Tournament"]
    worth = found.cards[0]
    assert worth.draws >= 10
    for mean, half in (worth.lead_other, worth.lead_blank, worth.lead_none, worth.won_other, worth.won_blank):
        assert mean - half > 0
    found.write(tmp_path / "cards.parquet")
    assert pl.read_parquet(tmp_path / "cards.parquet")["draws"].to_list() == [worth.draws]
    assert "Tournament" in impact_page(found)
    assert impact(rich, replace(series, threads=3), ["tournament"]).cards == found.cards


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="games of manor want compiled rules")
def test_what_is_interrupted_keeps_what_it_had() -> None:
    """Ctrl-C after the third draw: three are counted."""

    def stop(done: int, _: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    found = impact(manor(), Series(["random"], games=4, threads=1, progress=stop))
    assert sum(one.draws for one in found.cards) == 3


def test_what_cannot_be_asked() -> None:
    """Unknown cards, bots that are no compiled ones, searches by the clock."""
    for cards, series, message in (
        (["Gryphon"], Series(games=1), "no card 'Gryphon'"),
        (["Wheet"], Series(games=1), "did you mean Wheat or Sheep"),
        ([], Series(["hard"], games=1), "a number of rounds"),
        ([], Series(["greedy", "greedy"], 3, 1), "2 bots do not fill 3 seats"),
    ):
        with pytest.raises(ValueError, match=message):
            impact(manor(), series, cards)


def test_how_worth_is_said() -> None:
    """With a real minus; a question mark where too little is known."""
    assert said((-0.5, 0.25)) == "−0.50 ± 0.25"
    assert said((0.031, 0.02), share=True) == "+3.1 ± 2.0 pp"
    assert said((math.nan, math.nan)) == "?"

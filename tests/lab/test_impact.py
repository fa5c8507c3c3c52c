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
from sutler.core.files.box import BoxError
from sutler.core.play.game import load
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play.card_locations import CardSets, Draw, find_card_fields
from sutler.lab.play.query import Query
from sutler.lab.play.rollouts import are_beyond_chance, format_mean_with_half_width
from sutler.lab.play.simulate import concatenate_states
from sutler.lab.report.study_pages import describe_impact, render_impact_page
from sutler.lab.studies.card_value import CardValue, Impact, estimate_card_impact


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
    found = CardSets(manor().definition)
    assert found.kind == "card"
    assert found.hand.name == "seats.hand"
    assert {"seats.hand", "seats.upgrades"} == {one.name for one in found.held}
    assert {"deck", "discards"} <= {one.name for one in found.shared}
    assert {"card", "other"} <= {one.name for one in found.numbers}
    with pytest.raises(ValueError, match=r"--hand pocket: there are seats.hand"):
        CardSets(manor().definition, "pocket")


def test_a_draw_is_what_comes_from_what_lay_in_common() -> None:
    """Wheat comes from the deck; Sheep changes hands and is no draw."""
    game = manor()
    before = given(game, seats=[{"hand": ["Sheep"]}, {"hand": []}])
    after = given(game, seats=[{"hand": []}, {"hand": ["Sheep", "Wheat"]}])
    found = CardSets(game.definition).find_draws(states(before, after), 2)
    assert [(one.at, one.thing, one.seat, one.source.name) for one in found] == [(1, card(game, "Wheat"), 1, "deck")]


def test_two_cards_change_places() -> None:
    """Hand and deck, and what a decision says of them; nothing else changes, and twice is as it was."""
    game = manor()
    cards, wheat, sheep = CardSets(game.definition), card(game, "Wheat"), card(game, "Sheep")
    table = states(given(game, seats=[{"hand": ["Wheat"]}, {}]))
    table["card"] = wheat
    was = table.tobytes()
    cards.swap_cards(table, wheat, sheep)
    assert members(table[0]["seats"][0]["hand"]) == [sheep]
    assert wheat in members(table[0]["deck"])
    assert table[0]["card"] == sheep
    cards.swap_cards(table, wheat, sheep)
    assert table.tobytes() == was


def test_a_draw_is_put_back() -> None:
    """One card less in the hand, one more where it came from."""
    game = manor()
    cards, wheat = CardSets(game.definition), card(game, "Wheat")
    table = states(given(game, seats=[{"hand": ["Wheat", "Sheep"]}, {}]))
    deck = next(one for one in cards.shared if one.name == "deck")
    cards.undo_draw(table, Draw(1, wheat, 0, deck))
    assert members(table[0]["seats"][0]["hand"]) == [card(game, "Sheep")]
    assert wheat in members(table[0]["deck"])
    assert int(game.definition.check(game.box, table[0])) == 0


def test_a_blank_does_nothing() -> None:
    """Of each kind: it keeps its name, its type and its place; what it gave or did is gone, and nothing else."""
    game = manor()
    for name, gone in (("Tournament", "gain"), ("Abbey", "convert"), ("Fallow Field", "draw_next")):
        one = card(game, name)
        assert any(game.box.card[one][gone].tobytes()), name
        blank = game.pack_sheet(game.sheet.blanked("card", one))
        assert not any(blank.card[one][gone].tobytes())
        assert blank.card[one].type == game.box.card[one].type
        assert all(blank.card[i] == game.box.card[i] for i in range(len(game.sheet.card)) if i != one)
        assert (blank.deck == game.box.deck).all()
    assert game.sheet.blanked("land", 0) is None


def test_copies_are_counted_where_a_game_counts_them() -> None:
    """WARFARM: so many of each design in the hand and in the decks; a draw is one more here and one less there."""
    game = load("warfarm")
    cards = find_card_fields(game.definition)
    assert (cards.kind, cards.hand.name, [one.name for one in cards.shared]) == (
        "card",
        "seats.hand",
        ["deck", "discards"],
    )
    steel, wild, blank = card(game, "Steel"), card(game, "Wild"), len(game.names["card"])
    table = concatenate_states(*(game.new(3, seed=1).state for _ in range(2)))
    table["deck"][1, steel] -= 1
    table["seats"][1, 2]["hand"][steel] += 1
    (draw,) = cards.find_draws(table, 3)
    assert (draw.at, draw.thing, draw.seat, draw.source.name) == (1, steel, 2, "deck")
    after = table[1:].copy()
    assert cards.list_source_cards(after[0], draw).count(wild) == 8
    cards.replace_drawn_card(after, draw, wild)
    assert [int(after[0]["seats"][2]["hand"][one]) for one in (steel, wild)] == [0, 1]
    assert [int(after[0]["deck"][one]) for one in (steel, wild)] == [10, 7]
    none = table[1:].copy()
    cards.undo_draw(none, draw)
    assert str(none[0]) == str(table[0])
    assert cards.make_blank(table[1:], 2, steel, blank)
    assert not cards.make_blank(table[1:], 2, steel, blank), "there was one"
    assert int(table[1]["seats"][2]["hand"][blank]) == 1
    game.definition.recount(blanked := game.pack_sheet(game.sheet.blanked("card", steel)), table[1])
    assert int(game.definition.check(blanked, table[1])) == 0
    with pytest.raises(ValueError, match=r"--hand pocket: there are seats.hand"):
        find_card_fields(game.definition, "pocket")


def test_a_blank_among_copies_is_a_design_of_its_own() -> None:
    """One copy less, and one of the same deck that does nothing; of what does nothing as it is, the box itself; full is full."""
    game = load("warfarm")
    for name, type_ in (("Steel", "resource"), ("Mine", "table"), ("Guard", "trap"), ("The Great Fire", "once")):
        one = card(game, name)
        sheet = game.sheet.blanked("card", one)
        blank = sheet.card[-1]
        assert sheet.card[one].copies == game.sheet.card[one].copies - 1
        assert (blank.deck, blank.type, blank.copies) == (game.sheet.card[one].deck, type_, 1)
        assert not any((*blank.gain.row(), *blank.pay.row(), blank.count, *blank.draws.values()))
    idle = load("warfarm", None, {"card.Steel.gain.steel": 0})
    assert idle.sheet.blanked("card", card(idle, "Steel")) is idle.sheet
    assert game.sheet.blanked("deck", 0) is None
    full = load("warfarm", {"card": [game.sheet.card[0].model_dump() | {"name": f"Farmer {i}"} for i in range(11)]})
    with pytest.raises(BoxError, match="Steel: 48 designs are in the box"):
        full.sheet.blanked("card", card(full, "Steel"))
    gone = load("warfarm", None, {"card.Steel.copies": 0})
    with pytest.raises(BoxError, match="Steel: no copy is in the box"):
        gone.sheet.blanked("card", card(gone, "Steel"))


def test_a_hardship_has_a_blank_too() -> None:
    """Who suffers it, and nothing to suffer."""
    game = manor()
    blight = card(game, "Blight")
    blank = game.sheet.blanked("card", blight).card[blight]
    assert blank.harm is not None
    assert blank.harm == type(blank.harm)(who=game.sheet.card[blight].harm.who)
    assert game.pack_sheet(game.sheet.blanked("card", blight)) is not None


# --- Played -------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="hundreds of games of manor want compiled rules")
def test_a_planted_card_is_found(tmp_path: Path) -> None:
    """Tournament made worth 20 tokens: drawing it wins, and puts one far ahead of what another card or none would."""
    rich = manor(**{"card.Tournament.gain.victory": 20})
    query = Query(rich, ["greedy"], 2, 120, threads=1)
    found = estimate_card_impact(query, ["tournament"])
    assert [one.name for one in found.cards] == ["Tournament"]
    worth = found.cards[0]
    assert worth.draws >= 10
    for mean, half in (worth.lead_other, worth.lead_blank, worth.lead_none, worth.won_other, worth.won_blank):
        assert mean - half > 0
    found.write(tmp_path / "cards.parquet")
    assert pl.read_parquet(tmp_path / "cards.parquet")["draws"].to_list() == [worth.draws]
    assert "Tournament" in render_impact_page(found)
    assert estimate_card_impact(replace(query, threads=3), ["tournament"]).cards == found.cards


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="games of WARFARM and of Three Years of War want compiled rules")
def test_what_does_nothing_is_exactly_zero_against_its_blank() -> None:
    """Steel that brings none; an Almoner without symbols, three cards of one name. A Farmland that is a whole farm is seen."""
    idle = load("warfarm", None, {"card.Steel.gain.steel": 0})
    (steel,) = estimate_card_impact(Query(idle, ["greedy"], 3, 20, threads=1), ["Steel"]).cards
    assert steel.draws >= 10
    assert steel.lead_blank == steel.won_blank == (0.0, 0.0)
    (almoner,) = estimate_card_impact(Query(load("threeyears"), ["greedy"], 4, 20, threads=1), ["Parish Almoner"]).cards
    assert 10 <= almoner.draws <= 20
    assert almoner.lead_blank == (0.0, 0.0)
    whole = {"gain.farmland": 60, "gain.farmer": 60, "copies": 1}
    rich = load("warfarm", None, {f"card.Farmland.{key}": value for key, value in whole.items()})
    (found,) = estimate_card_impact(Query(rich, ["greedy"], 3, 60, threads=1), ["Farmland"]).cards
    for mean, half in (found.won_blank, found.won_other, found.won_none):
        assert mean - half > 0.2


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="games of manor want compiled rules")
def test_what_is_interrupted_keeps_what_it_had() -> None:
    """Ctrl-C after the third draw: three are counted."""

    def stop(done: int, _: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    found = estimate_card_impact(Query(manor(), ["random"], games=4, threads=1, progress=stop))
    assert sum(one.draws for one in found.cards) == 3


def test_what_cannot_be_asked() -> None:
    """Unknown cards, bots that are no compiled ones, searches by the clock."""
    for cards, query, message in (
        (["Gryphon"], Query(manor(), games=1), "no card 'Gryphon'"),
        (["Wheet"], Query(manor(), games=1), "did you mean Wheat or Sheep"),
        ([], Query(manor(), ["hard"], games=1), "a number of rounds"),
        ([], Query(manor(), ["greedy", "greedy"], 3, 1), "2 bots do not fill 3 seats"),
    ):
        with pytest.raises(ValueError, match=message):
            estimate_card_impact(query, cards)


def test_how_worth_is_said() -> None:
    """With a real minus; a question mark where too little is known."""
    assert format_mean_with_half_width((-0.5, 0.25)) == "−0.50 ± 0.25"
    assert format_mean_with_half_width((0.031, 0.02), share=True) == "+3.1 ± 2.0 pp"
    assert format_mean_with_half_width((math.nan, math.nan)) == "?"


def test_what_stands_out_is_said_first() -> None:
    """Of a card that does much and one that does nothing: which is told from another, which from a blank; and of what nothing is known."""
    none, little = (math.nan, math.nan), (0.1, 1.0)
    pairs = [(0.0, 0.1)] * 5
    much = CardValue("Wheat", 900, little, (3.0, 0.5), little, (-2.0, 0.5), *pairs[:3], stands=(True, True))
    idle = CardValue("Weed", 900, little, little, little, (0.0, 0.0), *pairs[:3])
    few = CardValue("Rye", 3, none, none, none, none, none, none, none)
    about = {"kind": "card"}
    assert describe_impact(Impact((much, idle, few), about)) == (
        "Worth more than another, in lead: Wheat (+3.00 ± 0.50). Worth less than a blank: Wheat (−2.00 ± 0.50)."
    )
    assert describe_impact(Impact((idle,), about)) == (
        "No card is measurably better or worse than another, so far. No card is measurably better or worse than a blank, so far."
    )
    assert describe_impact(Impact((few,), about)) == "Too few draws to say anything."
    assert are_beyond_chance([(3.0, 0.5), little, (0.0, 0.0), none], [40, 40, 40, 2]) == [True, False, False, False]

"""A push-your-luck game of 20 cards, as a newcomer wrote it (tests/cardkit/ferry.toml): what its table shows and its rulebook says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sutler.core.play.game import Game

FERRY = Path(__file__).with_name("ferry.toml")


@pytest.fixture
def ferry(loaded: Callable[[Path], Game]) -> Game:
    """The game."""
    return loaded(FERRY)


def own_places(game: Game, seed: int, decisions: list[str], seat: int) -> dict[str, dict[str, object]]:
    """The places of a seat after some decisions, as its table shows them, by name."""
    pos = game.new(2, seed)
    for name in decisions:
        pos.play(name)
    return {place["name"]: place for place in pos.view(seat)["seats"][seat]["places"]}


def test_what_the_rules_add_up_stands_at_the_place(ferry: Game) -> None:
    """A boat sinks by the weight of all aboard and earns their fares, so both sums are shown; nothing is added up on the far shore."""
    first = ferry.new(2, 3).actions()[0].name
    card = next(one for one in ferry.new(2, 3).view(0)["places"] if one["name"] == "bank")["cards"]
    facts = {fact["name"]: fact["value"] for one in card if one["name"] in first for fact in one["facts"]}
    before, after = own_places(ferry, 3, [], 0), own_places(ferry, 3, [first], 0)
    assert before["boat"]["sums"] == [{"name": "weight", "n": 0}, {"name": "fare", "n": 0}]
    assert after["boat"]["sums"] == [{"name": "weight", "n": facts["weight"]}, {"name": "fare", "n": facts["fare"]}]
    assert after["far shore"]["sums"] == []


@pytest.mark.parametrize(("idle", "coins"), [(True, 2), (False, 3)])
def test_cards_in_an_idle_place_do_nothing_by_themselves(
    loaded: Callable[[Path], Game], tmp_path: Path, idle: bool, coins: int
) -> None:
    """The aunt brings a coin each turn while she is aboard; on the far shore only where that is not idle."""
    file = tmp_path / f"shore{idle}.toml"
    text = FERRY.read_text(encoding="utf-8")
    assert ", idle = true" in text
    file.write_text(text if idle else text.replace(", idle = true", ""), encoding="utf-8")
    game = loaded(file)
    pos = game.new(2, next(seed for seed in range(50) if "Ferryman's aunt" in offered(game, seed)))
    pos.play(next(action.name for action in pos.actions() if "aunt" in action.name))
    pos.play(next(action.name for action in pos.actions() if "Goose" in action.name or "Pilgrim" in action.name))
    assert coins_of(pos) == 3, "she is aboard"
    pos.play("row across")
    assert coins_of(pos) == 3, "she pays no fare"
    pos.play(pos.actions()[0].name)
    assert coins_of(pos) - 3 == coins - 2


def offered(game: Game, seed: int) -> str:
    """The names of what may be done first, in a deal that also offers a passenger who does nothing."""
    names = " ".join(action.name for action in game.new(2, seed).actions())
    return names if "Goose" in names or "Pilgrim" in names else ""


def coins_of(pos: object) -> int:
    """The coins of the first seat."""
    return int(pos.state.coins[0])  # type: ignore[attr-defined]


def test_the_rulebook_reads_as_one_would_write_it(ferry: Game) -> None:
    """Where tokens are reckoned, their number stands after their name; an idle place says so."""
    text = "\n".join(paragraph.text for paragraph in ferry.guide.paragraphs)
    assert "Gain coins (the fare of all cards in boat); all of boat goes to far shore." in text
    assert "Cards there do nothing by themselves." in text

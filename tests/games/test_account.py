"""Numbers that explain themselves: the parts that people are told add up to what the rules say, position after position."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import sutler
from sutler.core.events import new_event_buffer
from sutler.core.files.scenario import read_game_scenarios
from sutler.core.play.position import Position
from sutler.core.text.sentences import Line, to_plain_text
from sutler.games.manor.box import BAN_CROPS, BOUNTY, CROPS, LANDS, TOKENS, UPGRADE
from sutler.games.manor.rules.work import cost_of, yield_of
from sutler.games.manor.text.labels import cost_lines, yield_lines
from sutler.games.sixwinters.cards.vocabulary import RESOURCES
from sutler.games.sixwinters.rules.land import difficulty
from sutler.games.sixwinters.rules.overcome import worth_of
from sutler.games.sixwinters.rules.turn import step_threats
from sutler.games.warfarm.box import GOOD_NAMES, GUARD_FARMERS, GUARD_SOLDIERS, LAND_FARMER, LAND_SOLDIER
from sutler.games.warfarm.rules.common import is_at_peace
from sutler.games.warfarm.rules.targets import is_card_open, is_land_open, is_trap_open
from sutler.games.warfarm.rules.upkeep import collect, harvest, produce

TOKEN_NAMES = ("farmland", "water", "steel", "religion", "fire")


def course(name: str, seed: int, most: int = 400, seats: int = 0) -> Iterator[Position]:
    """The positions of a game at random."""
    game, luck = sutler.load(name), random.Random(seed)
    pos = game.new(seats or max(game.min_seats, min(3, game.max_seats)), seed=seed)
    for _ in range(most):
        if pos.over:
            return
        pos.play(luck.choice(pos.legal_ids()))
        yield pos


def total(lines: list[Line]) -> float:
    return sum(line.points for line in lines)


@pytest.mark.parametrize("name", ["manor", "threeyears", "bellum", "sixwinters"])
def test_a_score_is_the_sum_of_what_it_is_made_of(name: str) -> None:
    seen = 0
    for seed in (1, 2):
        for pos in course(name, seed):
            for seat, score in enumerate(pos.scores()):
                assert total(pos.account(f"score:{seat}")) == score
                seen += 1
    assert seen > 400
    assert pos.account(f"score:{pos.n_seats}") == pos.account("score:x") == pos.account("nonsense:1") == []


def test_a_yield_is_the_sum_of_its_parts() -> None:
    seen, kinds = 0, set[str]()
    for seed in (1, 2, 3):
        for number, pos in enumerate(course("manor", seed)):
            for card, land in one_in(number, pos, 23):
                seen += checked(pos, card, land, kinds)
    assert seen > 5000
    assert kinds == {"3.3", "5.3", "help", "bonus"}, "every way a yield can come about in the printed box was seen"


def one_in(number: int, pos: Position, step: int) -> Iterator[tuple[int, int]]:
    """Some of all cards and lands, others in every position."""
    pairs = [(card, land) for card in range(len(pos.game.names["card"])) for land in range(LANDS)]
    return iter(pairs[number % step :: step])


def checked(pos: Position, card: int, land: int, kinds: set[str]) -> int:
    box, state, speaker = pos.game.box, pos.state, pos.speaker
    if box.card[card].type != BOUNTY:
        return 0
    for token in range(TOKENS):
        lines = yield_lines(box, state, speaker, card, land, token)
        rule = int(yield_of(box, state, card, land, token))
        assert total(lines) == (0 if token == CROPS and state.ban & BAN_CROPS else rule)
        for line in lines:
            kinds |= {line.rule}
            kinds |= {"help"} if " on " in to_plain_text(line.label) else set()
        kinds |= {"bonus"} if len(lines) > 1 and int(box.land[land].bonus[token]) else set()
    return 1


def test_a_cost_is_the_sum_of_its_parts() -> None:
    seen = 0
    for seed in (1, 2, 3):
        for pos in course("manor", seed):
            box = pos.game.box
            for card in range(len(pos.game.names["card"])):
                if box.card[card].type == UPGRADE:
                    for seat in range(pos.n_seats):
                        lines = cost_lines(box, pos.state, pos.speaker, seat, card)
                        assert total(lines) == int(cost_of(box, pos.state, seat, card))
                        seen += 1
    assert seen > 5000


def test_supply_is_the_sum_of_its_places() -> None:
    seen = 0
    for seed in (1, 2):
        for pos in course("bellum", seed):
            view: dict[str, Any] = pos.view(None)
            for power in view["powers"]:
                lines = pos.account(f"supply:{power}")
                assert total(lines) == view["powers"][power]["supply"]
                seen += len(lines)
    assert seen > 1000


def test_supply_is_told_wherever_it_reaches() -> None:
    """Ranges are words of 64 areas: that the last of one is in range is no number too large, as it was where rules are compiled."""
    pos, bot = sutler.load("bellum").new(seats=4, seed=1), sutler.bot("greedy")
    last = {pos.game.names["code"][i] for i in (63, 127)}
    while not (reaching := [power for power, codes in pos.view(None)["ranges"].items() if last & set(codes)]):
        pos.play(bot.choose(pos.for_seat(pos.seat)))
    for power in reaching:
        assert total(pos.account(f"supply:{power}")) == pos.view(None)["powers"][power]["supply"]


def test_strength_is_what_battles_and_fields_have_brought() -> None:
    """8.2, 11.2: in every position of a war, of a moment of it, and after a taking back; nothing of what is committed in secret."""
    seen, rules = 0, set[str]()
    for seed in (1, 2, 3):
        last = None
        for pos in course("bellum", seed, 700):
            last = pos
            for power, told in pos.view(None)["powers"].items():
                lines = pos.account(f"strength:{power}")
                assert total(lines) == told["strength"]
                rules |= {line.rule for line in lines}
                seen += len(lines) > 2
        assert last is not None
        for back in (len(last.decisions) // 2, len(last.decisions) // 3):
            then = last.at(back)
            for power, told in then.view(None)["powers"].items():
                assert total(then.account(f"strength:{power}")) == told["strength"]
        last.undo()
        for power, told in last.view(None)["powers"].items():
            assert total(last.account(f"strength:{power}")) == told["strength"]
    assert seen > 300
    assert rules == {"2.3", "8.2", "11.2"}
    assert pos.account("strength:Nowhere") == []


def test_a_farms_guards_are_those_who_must_fall_before_it_can_be_hit() -> None:
    """7.8: for every target of every farm the rules call it open when the parts add up to nothing, and after so many guards are gone."""
    game = sutler.load("warfarm")
    laid = [game.new(3, seed=1, position=Path(name)) for name in read_game_scenarios(game.folder)]
    seen, rules = 0, set[str]()
    for pos in chain(laid, *(course("warfarm", seed) for seed in range(1, 9))):
        for seat in range(pos.n_seats):
            me = pos.state.seats[seat]
            if not me.is_alive:
                assert pos.account(f"defence:{seat}:land") == []
                continue
            for row in pos.view(None)["seats"][seat]["defence"]:
                lines = pos.account(f"defence:{seat}:{row['at']}")
                state, falls = pos.state.copy(), int(total(lines))
                for _ in range(falls):
                    assert not is_open(state, seat, row["at"])
                    first_guard_falls(state, seat, row["at"])
                assert is_open(state, seat, row["at"])
                peace = {other for other in range(pos.n_seats) if is_at_peace(pos.state, other, seat)}
                living = {other for other in peace if pos.state.seats[other].is_alive}
                assert sum(line.rule == "11.7" for line in lines) == len(living)
                rules |= {line.rule for line in lines}
                seen += falls > 0
    assert seen > 100
    assert rules >= {"6.2", "7.8"}
    assert pos.account("defence:7:land") == pos.account("defence:0:moat") == pos.account("defence:0:card:99") == []


def test_surprise_and_reform_stand_among_the_guards() -> None:
    """11.3, 12.9: Farmers guard where the Reform lets them, and a Surprise Attack passes all of them by."""
    pos = next(iter(course("warfarm", 1, 1)))
    me = pos.state.seats[0]
    me.spots[LAND_SOLDIER], me.spots[LAND_FARMER] = 2, 1
    lines = pos.account("defence:0:land")
    assert [(line.points, line.rule) for line in lines] == [(2, "6.2"), (1, "11.3")]
    pos.state.is_surprise = 1
    assert total(pos.account("defence:0:land")) == 0
    assert is_land_open(pos.state, 0)
    assert "12.9" in {line.rule for line in pos.account("defence:0:land")}


def is_open(state: Any, seat: int, at: str) -> bool:
    """The rules' own word for a target."""
    kind, _, place = at.partition(":")
    if kind == "land":
        return bool(is_land_open(state, seat))
    return bool((is_card_open if kind == "card" else is_trap_open)(state, seat, int(place)))


def first_guard_falls(state: Any, seat: int, at: str) -> None:
    """Soldiers before Farmers."""
    me, (kind, _, place) = state.seats[seat], at.partition(":")
    if kind == "land":
        me.spots[LAND_SOLDIER if me.spots[LAND_SOLDIER] else LAND_FARMER] -= 1
    elif kind == "card":
        me.posts[GUARD_SOLDIERS if me.posts[GUARD_SOLDIERS, int(place)] else GUARD_FARMERS, int(place)] -= 1
    else:
        me.trap_guards[int(place)] -= 1


def test_a_farm_tells_its_farmland() -> None:
    for pos in course("warfarm", 1, 60):
        for seat in range(pos.n_seats):
            farmland = pos.view(None)["seats"][seat]["tokens"]["farmland"]
            assert [(line.points, line.rule) for line in pos.account(f"score:{seat}")] == [(farmland, "14.1")]


def test_what_a_farm_will_have_is_what_the_rules_bring_in() -> None:
    """Every token of every farm, position after position: the parts, and the yield of the rules on a copy (3.5 to 3.7, 11.4)."""
    game = sutler.load("warfarm")
    laid = [game.new(3, seed=1, position=Path(name)) for name in read_game_scenarios(game.folder)]
    seen, rules = 0, set[str]()
    for pos in chain(laid, *(course("warfarm", seed) for seed in range(1, 7))):
        for seat in range(pos.n_seats):
            if not pos.state.seats[seat].is_alive:
                assert pos.account(f"tokens:water:{seat}") == []
                continue
            state, events = pos.state.copy(), new_event_buffer()
            for step in (collect, produce, harvest):
                step(pos.game.box, state, events, seat)
            for good in TOKEN_NAMES:
                lines = pos.account(f"tokens:{good}:{seat}")
                assert total(lines) == int(state.seats[seat].goods[GOOD_NAMES.index(good)])
                rules |= {line.rule for line in lines}
                seen += len(lines) > 1
    assert seen > 300
    assert rules >= {"1.2", "3.5", "3.6", "3.7", "6.3", "11.4"}
    assert pos.account("tokens:water:7") == pos.account("tokens:gold:0") == []


def test_six_winters_tracks_tell_what_each_year_brought() -> None:
    """2.1, 11.6: over a campaign by chance the years' parts are the steps that were told in them, and add up to the marker's space."""
    pos, luck = sutler.load("sixwinters").new(2, seed=4), random.Random(4)
    moved: dict[tuple[str, str, int], int] = {}
    while not pos.over and int(pos.state.year) < 4:
        year, before = int(pos.state.year), {one: steps_of(pos, one) for one in ("progress", "threat")}
        pos.play(luck.choice(pos.legal_ids()))
        for kind, spaces in before.items():
            for res, was, now in zip(RESOURCES, spaces, steps_of(pos, kind), strict=True):
                moved[kind, res, year] = moved.get((kind, res, year), 0) + now - was
                lines = pos.account(f"{kind}:{res}")
                assert not lines or total(lines) == now
    told = {
        (kind, res, to_plain_text(line.label)): line.points
        for kind in ("progress", "threat")
        for res in RESOURCES
        for line in pos.account(f"{kind}:{res}")
    }
    seen = 0
    for (kind, res, year), n in moved.items():
        if year < int(pos.state.year) and (kind, res) != ("threat", "technology"):
            assert told.get((kind, res, f"year {year}"), 0) == n
            seen += n != 0
    assert seen > 5
    assert pos.account("threat:technology") == pos.account("progress:gold") == []


def steps_of(pos: Position, kind: str) -> list[int]:
    return [int(space) for space in getattr(pos.state, kind)]


def test_what_a_threat_is_about_to_rise_by_is_what_the_rules_raise_it_by() -> None:
    """8.6: the tags of the obstacles in play less two, and the threats step on a copy."""
    seen = 0
    for number, pos in enumerate(course("sixwinters", 5, 500, seats=2)):
        if number % 5 == 0 and int(pos.state.turn_no) > 0:
            state = pos.state.copy()
            state.threat[:] = 1
            step_threats(pos.game.box, state, new_event_buffer())
            for r, res in enumerate(RESOURCES):
                lines = pos.account(f"rise:{res}")
                assert min(11, total(lines)) == int(state.threat[r]) - 1, "from the first space to the last"
                seen += len(lines) > 2
    assert seen > 50


@pytest.mark.parametrize("seats", [1, 3])
def test_an_overcome_tells_its_difficulty_and_what_the_dice_bring(seats: int) -> None:
    """7.6, 12.1: every part of both, and the rules' own sums; two characters of one player share their dice."""
    seen = 0
    for seed in (1, 2, 3):
        for pos in course("sixwinters", seed, 500, seats):
            over = pos.state.over
            if over.obstacle < 0:
                assert pos.account("overcome:now") == []
                continue
            card, box = int(over.obstacle), pos.game.box
            assert total(pos.account(f"difficulty:{card}")) == int(difficulty(box, pos.state, card))
            first = int(over.at) if over.hits else 0
            worth = sum(int(worth_of(box, pos.state, v)) for v in range(first, 6))
            assert total(pos.account("overcome:now")) == int(over.total) + worth
            seen += 1
    assert seen > 20
    assert pos.account("difficulty:125") == pos.account("difficulty:x") == []

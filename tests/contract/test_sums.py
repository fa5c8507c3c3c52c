"""The log adds up: events in a row that differ in nothing but a quantity are one line, which tells their sum ("gives up 2 crops")."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from contract.options import OPTION_SETS, seats_for
from sutler.contract.cases import GAMES
from sutler.core.events import Event, EventTable, Told
from sutler.core.play.game import load
from sutler.core.text.sentences import to_plain_text

QUANTITY = re.compile(r"\{(n|count)\} (\{|[a-z])")
"""Where a sentence names a quantity of something: "{n} {token}", "{count} {count:#unit|units}"."""
STEPS = 300
APART: dict[str, str] = {
    "manor": "bought fed grew end_value reached offered_token wanted_token",
    "warfarm": "",
    "bellum": "won drawn fed",
    "threeyears": "scouted bonus bonus_cards final looked_event",
    "sixwinters": "event relief absorbed given_up seat_done round_begun rolled tallied rearranged base_raised pile_seen experience "
    "ways_dearer ways_cheaper",
}
"""By game: events whose number is a total, a place in an order, or one of several that belong together, told once: not to be added up."""


@pytest.mark.parametrize("name", [name for name in GAMES if name in APART])
def test_a_sentence_that_names_a_quantity_is_summed_or_counted(name: str) -> None:
    """A new event with an amount is marked `summed` (or says `{count}`), or stands in APART."""
    events = load(name).definition.events.events
    quantities = {kind for kind, one in events.items() if QUANTITY.search(one.text) and not one.heading}
    added = {kind for kind, one in events.items() if one.summed or one.is_counted or one.listed}
    assert quantities - added <= set(APART.get(name, "").split()), "added up, or named above"
    alone = {kind for kind, one in events.items() if re.search(r"\b1 [{a-z]", one.text)} - {"sold"}
    assert not alone, "a 1 that is written out cannot be added up: {count}, or a part n"


@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name in GAMES for options in OPTION_SETS.get(name, [{}])],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_no_two_lines_in_a_row_could_have_been_one(name: str, options: dict[str, object]) -> None:
    """Random games under all options: one decision's lines never differ in an amount alone, and no event is lost by adding up."""
    game, luck = load(name, **options), random.Random(7)
    pos = game.new(seats_for(game), seed=7)
    for _ in range(STEPS):
        if pos.over:
            break
        pos.play(luck.choice(pos.legal_ids()))
    log = pos.log(None)
    for before, line in itertools.pairwise(log):
        if before.decision == line.decision and before.kind == line.kind and QUANTITY.search(line.told[0].event.text):
            said = [to_plain_text(one.sentence) for one in (before, line)]
            assert line.kind in APART.get(name, "").split() or rest_of(before.told[0]) != rest_of(line.told[0]), said
    assert [told for line in log for told in line.told] == [told for _, told in pos.told() if told.is_for(None)]


def rest_of(told: Told) -> list[tuple[str, int]]:
    """What an event names besides its amount."""
    return [(name, value) for (name, _), value in zip(told.event.parts, told.args, strict=True) if name != "n"]


def test_a_line_tells_the_sum_and_the_count() -> None:
    """Two crops, then one: "gives up 3 crops". Another token, another seat or another reader begins a new line."""
    pos = load("manor").new(2, seed=1)
    events, crops, gold = (
        pos.game.definition.events.events,
        *(pos.game.names["token"].index(one) for one in ("crops", "gold")),
    )

    def told(kind: str, *args: int, audience: int = -1) -> Told:
        return Told(kind, events[kind], audience, args)

    def said(*run: Told) -> str:
        return to_plain_text(pos.speaker.tell(*run))

    assert said(told("gave_up", 0, crops)) == "Seat 1 gives up 1 crop"
    assert said(*[told("gave_up", 0, crops)] * 3) == "Seat 1 gives up 3 crops"
    assert said(told("gained", 1, 2, crops), told("gained", 1, 1, crops)) == "Seat 2 gains 3 crops"
    first = told("gained", 1, 2, crops)
    assert first.shares_log_line_with(told("gained", 1, 5, crops))
    for other in (
        told("gained", 1, 2, gold),
        told("gained", 0, 2, crops),
        told("gained", 1, 2, crops, audience=1),
        told("paid", 1, 2, crops),
    ):
        assert not first.shares_log_line_with(other)
        assert not first.adds_up_with(other)


def test_an_event_without_an_amount_cannot_be_summed() -> None:
    with pytest.raises(ValueError, match="no part n to sum"):
        EventTable(slept=Event("1.1", "{seat} sleeps", summed=True))

"""Contract tests of standing orders: each fits the game's tables, answers only what it names, and ends by the events it names."""

import pytest

from sutler.contract.cases import GAMES, TABLE_SIZES, Case, load_game
from sutler.contract.helpers import walk
from sutler.core.play.standing_order_answers import find_ended_orders, find_first_answer, find_possible_answers
from sutler.core.play.standing_orders import NO_END
from sutler.core.rule import PLAIN_ONLY

STEPS = 60 if PLAIN_ONLY else 400


@pytest.mark.parametrize("name", GAMES)
def test_every_row_fits_the_tables(name: str) -> None:
    """An order's paragraph exists, its block is legal in its phase and not decided by a team, and its end is an event and put in words."""
    game = load_game(name)
    d = game.definition
    for order in d.orders.values():
        assert game.guide.find_paragraph(order.rule), order
        assert order.text
        assert (order.bound is not None) == ("{n}" in order.text)
        assert order.bound is None or order.number in order.bound.numbers
        assert order.answers
        for phase, block in order.answers.items():
            assert phase in d.actions.phases(block), order
            assert phase not in d.actions.team_phases(block), "what the team decides nobody orders by himself"
            assert not d.actions.blocks[block].aside
        assert (order.ends == NO_END) == (not order.until), order
        for until in order.until:
            parts = dict(d.events.events[until.event].parts)
            assert not until.part or parts[until.part] == "seat" or d.whose is not None, until


@pytest.mark.parametrize("case", TABLE_SIZES, ids=str)
def test_an_order_answers_what_it_names_and_nothing_else(case: Case) -> None:
    """With every order given, an answer is legal and of the block that its order names for the open phase; else there is none."""
    pos = case.new_position()
    d = pos.game.definition
    phases = list(d.phases.phases)
    for here in walk(pos, seed=5, most=STEPS):
        found = find_first_answer(here, d.orders)
        assert find_first_answer(here, ()) is None
        if here.over:
            assert found is None
            break
        phase = phases[int(here.state.phase)]
        named = {order.answers[phase] for order in d.orders.values() if phase in order.answers}
        assert {action.block for action in find_possible_answers(here).values()} <= named
        if found is not None:
            name, action = found
            assert here.why_not(action) is None
            assert action.block == d.orders[name].answers[phase]
            assert find_first_answer(here, [one for one in d.orders if phase not in d.orders[one].answers]) is None


@pytest.mark.parametrize("case", TABLE_SIZES, ids=str)
def test_a_number_that_an_order_goes_by_is_seen_by_everybody(case: Case) -> None:
    """An order's measure is equal in all states that a seat cannot tell apart; the orders that answer are those whose number holds."""
    rows = [one for one in case.load().definition.orders.values() if one.bound is not None]
    for here in walk(case.new_position(), seed=7, most=STEPS if rows else 0):
        for seat in range(here.n_seats) if not here.over and len(here.decisions) % 10 == 0 else ():
            world = here.for_seat(seat, seed=1).redeal()
            for bound in {order.bound for order in rows if order.bound is not None}:
                assert bound.measure(here.game.box, world) == bound.measure(here.game.box, here.state)
        answers = find_possible_answers(here)
        for order in rows:
            alike = [
                one.number
                for name, one in here.game.definition.orders.items()
                if one.text == order.text and name in answers
            ]
            assert (
                not alike
                or order.bound is None
                or set(alike)
                == {
                    n
                    for n in order.bound.numbers
                    if (order.bound.measure(here.game.box, here.state) >= n) == (order.bound.holds == "from")
                }
            )


@pytest.mark.parametrize("case", TABLE_SIZES, ids=str)
def test_an_order_ends_by_what_its_seat_hears(case: Case) -> None:
    """An order ends only by an event that it names or by its number, and always by an event that it names for any seat."""
    rows = case.load().definition.orders
    pos = case.new_position()
    for here in walk(pos, seed=6, most=STEPS):
        told = here.decisions[-1].told if here.decisions else ()
        kinds = {one.kind for one in told}
        for seat in range(here.n_seats):
            for name in find_ended_orders(here, seat, rows, told):
                bound = rows[name].bound
                at_its_number = bound is not None and bound.measure(here.game.box, here.state) >= rows[name].number
                assert at_its_number or kinds & {until.event for until in rows[name].until}
            for name, order in rows.items():
                if any(not until.part and until.event in kinds for until in order.until):
                    assert name in find_ended_orders(here, seat, rows, told)

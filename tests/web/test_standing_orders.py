"""Standing orders at a table: they answer what they name and nothing else, end as they say, are kept, and nobody else hears of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sutler.web.errors import Refused
from sutler.web.events import ClockPlan, Created, Ordered, StoodIn
from sutler.web.game_shelf import Shelf
from sutler.web.lobby import new_table
from sutler.web.storage.store import Store
from sutler.web.table import clocks, moves, standing_orders, undo
from sutler.web.table.people import subscribers
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.table_as_seen import build_look
from sutler.web.table.teaching import lessons
from sutler.web.view.standing_orders import build_orders_panel
from sutler.web.view.viewer import Viewer

from .test_company import AGNES, PERRIN, Time, Waiting, act_as, do, house, table, time  # noqa: F401  (two are fixtures)
from .test_shared import until
from .test_shared_settings import OpenHouse, open_house, ring  # noqa: F401  (a fixture)

ME, OTHER = (0,), (1,)


def asked_to_buy(room: Room) -> None:
    """Agnes is asked whether she buys cards."""
    while room.game.definition.phases.words[int(room.pos.state.phase)] != "buy" or room.pos.seat != 0:
        moves.play_action(room, (room.pos.seat or 0,), room.decision, room.pos.actions()[-1].name)


def page(room: Room, seats: tuple[int, ...]) -> str:
    """What the page of these seats holds, without its own address."""
    return Viewer(room, seats, "/seat").render_page(theme="")


# --- What it does -----------------------------------------------------------------------------------------


def test_an_order_answers_what_it_names_and_nothing_else(house: House) -> None:  # noqa: F811
    """3.4: "Buy no cards" declines to buy, in every turn; any other question is asked."""
    room = table(house)
    asked_to_buy(room)
    before = room.decision
    standing_orders.set_order(room, ME, 0, "no_buying", True)
    assert room.decision == before, "not at once: that would tell"
    do(room)
    assert room.actions[before] == (0, "done")
    do(room)
    turns = 0
    while turns < 3:
        do(room)
        answered = room.pos.choices(room.pos.seat)
        assert room.pos.seat != 0 or not {one.block for one in answered} & {"buy"}, "this was ordered"
        moves.play_action(room, (room.pos.seat or 0,), room.decision, room.pos.actions()[-1].name)
        turns = int(room.pos.view(None)["turn"])
    assert room.orders == {0: ["no_buying"]}, "nothing ended it"


def test_an_order_ends_when_what_it_names_happens(house: House) -> None:  # noqa: F811
    """ "Make no offers" ends when somebody makes its seat an offer, and with the turn; "Decline every offer" with the turn."""
    room = table(house)
    standing_orders.set_order(room, ME, 0, "no_offers", True)
    standing_orders.set_order(room, ME, 0, "decline", True)
    turn = int(room.pos.view(None)["turn"])
    while not any(one.block == "offer" for one in room.pos.choices(1)):
        do(room)
        if room.pos.seat is not None and standing_orders.find_order_answer(room) is None and room.pos.seat == 1:
            if any(one.block == "offer" for one in room.pos.choices(1)):
                break
        if standing_orders.find_order_answer(room) is None:
            moves.play_action(room, (room.pos.seat or 0,), room.decision, room.pos.actions()[-1].name)
    for action in ("offer Agnes", "give 1 peasants", "send"):
        named = next(one for one in room.pos.actions() if one.block == action.split(" ")[0])
        moves.play_action(room, OTHER, room.decision, named.name)
    assert room.orders[0] == ["decline"], "an offer reached Agnes"
    assert room.pos.seat == 0
    do(room)
    assert room.pos.seat == 1, "and was declined"
    while int(room.pos.view(None)["turn"]) == turn:
        do(room)
        if standing_orders.find_order_answer(room) is None:
            moves.play_action(room, (room.pos.seat or 0,), room.decision, room.pos.actions()[-1].name)
    assert room.orders[0] == []
    kept = [one.event for one in house.store.load_events(room.id) if isinstance(one.event, Ordered)]
    assert [(one.order, one.stands) for one in kept] == [
        ("no_offers", True),
        ("decline", True),
        ("no_offers", False),
        ("decline", False),
    ]


def test_it_is_taken_back_before_it_is_carried_out(house: House) -> None:  # noqa: F811
    room = table(house)
    asked_to_buy(room)
    standing_orders.set_order(room, ME, 0, "no_buying", True)
    standing_orders.set_order(room, ME, 0, "no_buying", False)
    before = room.decision
    do(room)
    assert room.decision == before
    assert room.orders == {0: []}


def test_whoever_takes_back_decides_again(house: House) -> None:  # noqa: F811
    """What an order did can be taken back like anything else; the order is gone then, or it would be done again."""
    room = table(house)
    asked_to_buy(room)
    standing_orders.set_order(room, ME, 0, "no_buying", True)
    do(room)
    decided = room.decision
    assert room.actions[-1] == (0, "done")
    undo.undo_decision(room, ME, decided)
    do(room)
    assert room.decision == decided - 1
    assert not room.orders.get(0)


def test_a_bot_that_stands_in_decides_by_itself(house: House, time: Time) -> None:  # noqa: F811
    """The order waits until its person is back."""
    room = table(house, clock=ClockPlan(per="move", seconds=60, then="bot"))
    asked_to_buy(room)
    room.commit_events(StoodIn(seat=0, level=clocks.STAND_IN, why="agreed", asked=True))
    standing_orders.set_order(room, ME, 0, "no_buying", True)
    assert standing_orders.find_order_answer(room) is None
    clocks.take_back_seats(room, ME)
    assert standing_orders.find_order_answer(room) is not None


def test_what_nobody_may_order(house: House) -> None:  # noqa: F811
    """Another's seat, an order there is not, and anything in a lesson."""
    room = table(house)
    with pytest.raises(Refused, match="Only who plays a seat"):
        standing_orders.set_order(room, OTHER, 0, "decline", True)
    with pytest.raises(Refused, match="Only who plays a seat"):
        standing_orders.set_order(room, (), 0, "decline", True)
    with pytest.raises(Refused, match="no such automatic answer"):
        standing_orders.set_order(room, ME, 0, "surrender", True)
    name = next(iter(lessons.load_lessons(house.shelf.find_game_folder("manor"))))
    taught, seat = new_table.open_lesson_table(house, "somebody", "manor", name)
    with pytest.raises(Refused):
        standing_orders.set_order(taught, (seat,), seat, "decline", True)
    assert not room.orders


def test_at_one_screen_nobody_hands_it_over_for_what_is_ordered(house: House) -> None:  # noqa: F811
    """All behind one screen, hands hidden: the curtain does not fall for a question that is answered unasked."""
    seats = tuple(AGNES.model_copy(update={"name": name}) for name in ("Agnes", "Perrin", "Ebba"))
    room = house.open_table(Created(game="threeyears", seed=4, seats=seats))
    seat = room.pos.seat
    assert seat is not None
    assert "give_up" in {one.block for one in room.pos.choices(seat)}
    all_three, other = (0, 1, 2), (seat + 1) % 3
    assert "Hand the screen over" in Viewer(room, all_three, "/seat").render_page(eyes=other, theme="")
    standing_orders.set_order(room, all_three, seat, "pass", True)
    assert "Hand the screen over" not in Viewer(room, all_three, "/seat").render_page(eyes=other, theme="")


def test_straight_to_work_says_no_to_all_before_it(house: House) -> None:  # noqa: F811
    """1.6: "No to all: straight to work" answers the questions of one turn before the work, and ends with the turn."""
    room = table(house)
    asked_to_buy(room)
    standing_orders.set_order(room, ME, 0, "to_work", True)
    turn, asked = int(room.pos.view(None)["turn"]), set()
    while int(room.pos.view(None)["turn"]) == turn:
        do(room)
        if room.pos.seat == 0:
            asked |= {one.block for one in room.pos.choices(0)}
        moves.play_action(room, (room.pos.seat or 0,), room.decision, room.pos.actions()[-1].name)
    assert "place" in asked
    assert not asked & {"buy", "swap", "offer"}
    assert room.orders[0] == []


def offered_orders(room: Room, seat: int) -> list[str]:
    """The names of the orders that the page of a seat offers beside the choices."""
    panel = build_orders_panel(room, (seat,), build_look(room, (seat,), seat))
    assert panel is not None
    return [row.name for row in panel.offered]


def test_an_order_for_several_questions_is_offered_where_it_spares_one(house: House) -> None:  # noqa: F811
    """At the last of them it would answer no more than the choice beside it; in the panel it stands all the same."""
    room, offered = table(house), {}
    asked_to_buy(room)
    while "offer" not in offered:
        if room.pos.seat == 0:
            offered[room.game.definition.phases.words[int(room.pos.state.phase)]] = "to_work" in offered_orders(room, 0)
        moves.play_action(room, (room.pos.seat or 0,), room.decision, room.pos.actions()[-1].name)
    assert offered == {"buy": True, "swap": True, "offer": False}


def test_what_is_forced_can_be_left_to_the_table(house: House) -> None:  # noqa: F811
    """5.9: who has no bid left can only pass and is told so; "Pass by itself" does it, and never for a seat that could bid."""
    room = house.open_table(
        Created(game="threeyears", seed=4, seats=(AGNES, AGNES.model_copy(update={"name": "Perrin"})))
    )
    while len(room.pos.legal_ids()) > 1:
        seat = room.pos.seat or 0
        could = standing_orders.find_order_answer(room)
        assert could is None
        if any(one.block == "play" for one in room.pos.actions()):
            assert "pass_forced" not in offered_orders(room, seat)
            standing_orders.set_order(room, (seat,), seat, "pass_forced", True)
        bids = [one.name for one in room.pos.actions() if one.block == "play"]
        moves.play_action(room, (seat,), room.decision, (bids or [room.pos.actions()[0].name])[-1])
        for one in ME + OTHER:
            standing_orders.set_order(room, (one,), one, "pass_forced", False)
    seat = room.pos.seat
    assert seat is not None
    assert [one.name for one in room.pos.actions()] == ["pass"]
    assert offered_orders(room, seat) == ["pass_forced"], "no other: to give it would be to pass"
    assert "you can only pass" in page(room, (seat,))
    assert "you can only pass" not in page(room, (1 - seat,)), "the others learn nothing"
    standing_orders.set_order(room, (seat,), seat, "pass_forced", True)
    before = room.decision
    do(room)
    assert room.actions[before] == (seat, "pass")
    assert room.orders[seat] == ["pass_forced"], "until it is taken back"


def test_an_order_with_a_number_waits_for_it(house: House) -> None:  # noqa: F811
    """5.9: "Pass once influence has reached 2" lets its seat decide below; of orders that differ by their number one stands."""
    room = house.open_table(
        Created(game="threeyears", seed=4, seats=(AGNES, AGNES.model_copy(update={"name": "Perrin"})))
    )
    first, below = room.pos.seat, 0
    assert first is not None
    standing_orders.set_order(room, (first,), first, "pass_from 7", True)
    standing_orders.set_order(room, (first,), first, "pass_from 2", True)
    assert room.orders == {first: ["pass_from 2"]}, "a seat has one number in mind"
    while room.pos.seat != first or int(room.pos.view(None)["total"]) < 2:
        assert standing_orders.find_order_answer(room) is None
        below += room.pos.seat == first
        bids = [one.name for one in room.pos.actions() if one.block == "play"]
        moves.play_action(room, (room.pos.seat or 0,), room.decision, bids[0])  # the deal lets both bid so far
    assert below == 1, "asked to open"
    do(room)
    assert room.actions[-1] == (first, "pass")
    assert room.orders[first] == [], "once, in this season"


def test_an_order_up_to_a_number_ends_there(house: House) -> None:  # noqa: F811
    """14.1: "Attack nobody until somebody has 8 Farmland" ends with the eighth, and not before."""
    seats = tuple(AGNES.model_copy(update={"name": name}) for name in ("Agnes", "Perrin", "Ebba"))
    room = house.open_table(Created(game="warfarm", seed=2, seats=seats))
    standing_orders.set_order(room, ME, 0, "no_attack_until 8", True)
    most = 0
    while most < 8:
        assert room.orders[0] == ["no_attack_until 8"], most
        names = [one.name for one in room.pos.actions() if one.name != "surrender"]
        gains = [name for name in names if name in ("play Farmland", "build Explorer", "explore Resource")]
        moves.play_action(room, (room.pos.seat or 0,), room.decision, (gains or names[-1:])[0])
        most = max(int(one["tokens"]["farmland"]) for one in room.pos.view(None)["seats"])
        assert room.decision < 900
    assert room.orders[0] == []


# --- Who hears of it ----------------------------------------------------------------------------------------


def test_nobody_else_hears_of_an_order(house: House) -> None:  # noqa: F811
    """Another's page, a watcher's, what the lobby says and what is sent while the game goes on are the same with and without it."""
    room = table(house)
    act_as(room, 1)
    house.write_listings([room.id])
    before = {seats: (subscribers.compute_page_version(room, seats), page(room, seats)) for seats in (OTHER, ())}
    mine = subscribers.compute_page_version(room, ME)
    line = house.store.load_standings([room.id])
    standing_orders.set_order(room, ME, 0, "decline", True)
    house.write_listings([room.id])
    assert subscribers.compute_page_version(room, ME) != mine
    assert "Stop answering automatically: Decline every offer" in page(room, ME)
    for seats, (version, shown) in before.items():
        assert subscribers.compute_page_version(room, seats) == version
        assert page(room, seats) == shown
    assert house.store.load_standings([room.id]) == line, "nor does the lobby say that something happened just now"
    standing_orders.set_order(room, ME, 0, "decline", False)
    assert {seats: page(room, seats) for seats in before} == {seats: shown for seats, (_, shown) in before.items()}


def test_it_is_carried_out_at_nobodys_pace_but_its_own(house: House) -> None:  # noqa: F811
    """Between twice and eight times what bots wait; never twice the same."""
    room = table(house)
    house.services.bot_pause = 1.0
    waits = [standing_orders.draw_order_answer_delay(room) for _ in range(200)]
    assert min(waits) >= 2.0
    assert max(waits) <= 8.0
    assert len(set(waits)) > 50


# --- Where it is kept ----------------------------------------------------------------------------------------


def test_it_is_there_after_a_restart_and_goes_on(tmp_path: Path) -> None:
    """The house closes while an order waits to be carried out; the next one does it."""
    now, url = Time(), f"sqlite:///{tmp_path / 'house.sqlite'}"
    first = House(Store(url, now), Shelf(), bot_pause=0.0, job_queue=Waiting(now))
    room = table(first)
    asked_to_buy(room)
    before = room.decision
    standing_orders.set_order(room, ME, 0, "no_buying", True)
    first.close()
    second = House(Store(url, now), Shelf(), bot_pause=0.0, job_queue=Waiting(now))
    again = second.get_room(room.id)
    assert again.orders == {0: ["no_buying"]}
    assert (
        subscribers.compute_page_version(again, OTHER).split(".")[1]
        == subscribers.compute_page_version(room, OTHER).split(".")[1]
    )
    do(again)
    assert again.actions[before] == (0, "done")
    second.close()


def test_another_process_carries_it_out(open_house: OpenHouse) -> None:  # noqa: F811
    """Given in one process, done by another that decides, heard of by both."""
    here, there = open_house(), open_house()
    room = table(here)
    asked_to_buy(room)
    before = room.decision
    standing_orders.set_order(room, ME, 0, "no_buying", True)
    far = there.get_room(room.id)
    assert far.orders == {0: ["no_buying"]}
    due = there.store.due
    assert due is not None
    from sutler.web.jobs.job_queue import LANES
    from sutler.web.table import bot_turns

    with due.claim_decision(LANES) as claim:
        assert claim is not None
        bot_turns.decide_claimed(there.get_room, there.closing, due, claim)
    until(lambda: room.decision > before)
    assert room.actions[before] == far.actions[before] == (0, "done")
    ring(here)

"""Complete a WARFARM position from a scenario file: what the file leaves out follows from the rest; contradictions are refused by name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from sutler.core.files.box import BoxError
from sutler.core.record import NOBODY
from sutler.games.warfarm import box as b
from sutler.games.warfarm import state as s
from sutler.games.warfarm.phases_actions_events import PHASES, P

Written = Collection[str]


def complete(box: Any, state: Any, written: Written) -> None:
    """Fill in the fields that a scenario file leaves out: counts of cards, units and decks, and the point that the turn has reached.

    `written` names the fields that the file sets, here and in the functions below. BoxError names a field that contradicts the rest.
    """
    for seat in range(b.SEATS):
        _count_cards(box, state.seats[seat], seat, written)
        _check_farm_out(state.seats[seat], seat, written)
    for seat in range(b.SEATS):
        if state.seats[seat].is_alive:
            _check_cards(box, state.seats[seat], seat, written)
            _check_units(box, state, seat, written)
    _place_remaining_copies(box, state, written)
    if "phase" in written:
        _set_turn_progress(box, state, written)


def _set_derived_field(record: Any, name: str, value: int, written: Written, path: str = "") -> None:
    """Set a field to the value that follows from others; BoxError if the file sets the field to another value."""
    if path + name in written and int(getattr(record, name)) != value:
        raise BoxError(
            f"{path}{name}: {int(getattr(record, name))} is written, but the rest of the file makes it {value}"
        )
    setattr(record, name, value)


# --- Cards and Farmland of a seat (guide 1.4, 1.5) ---------------------------------------------


def _count_cards(box: Any, me: Any, seat: int, written: Written) -> None:
    """Count a seat's cards by what they do; BoxError where there is an empty place between two cards, or a card at a wrong place."""
    path = f"seats[{seat}]."
    for name, places, kind in (("table", me.table, b.TABLE), ("traps", me.traps, b.TRAP)):
        cards = [int(card) for card in places if card != NOBODY]
        if any(card == NOBODY for card in places[: len(cards)]):
            raise BoxError(f"{path}{name}: an empty place between two cards")
        for card in cards:
            if box.card[card].type != kind:
                raise BoxError(f"{path}{name}: card number {card} is a {b.TYPE_NAMES[box.card[card].type]} card")
        _set_derived_field(me, f"n_{name}", len(cards), written, path)
    _set_derived_field(me, "n_hand", int(me.hand.sum()), written, path)
    works = [0] * b.N_DOES
    for card in me.table[: me.n_table]:
        works[box.card[card].does] += 1
    for does in range(b.N_DOES):
        if f"{path}works[{does}]" in written and int(me.works[does]) != works[does]:
            raise BoxError(f"{path}works[{b.DOES_NAMES[does]}]: the Table cards make it {works[does]}")


def _check_farm_out(me: Any, seat: int, written: Written) -> None:
    """Set whether a farm is still in the game, which needs Farmland, and empty one that is out (14.5).

    BoxError where the file gives such a farm anything.
    """
    path = f"seats[{seat}]."
    _set_derived_field(me, "is_alive", int(me.goods[b.FARMLAND] > 0), written, path)
    if me.is_alive:
        return
    owned = [f"goods[{b.GOOD_WORDS[i]}]" for i in range(1, b.GOODS) if f"{path}goods[{i}]" in written and me.goods[i]]
    owned += [f"spots[{i}]" for i in range(b.PLAIN_SPOTS) if f"{path}spots[{i}]" in written and me.spots[i]]
    owned += [name for name, n in (("hand", me.n_hand), ("table", me.n_table), ("traps", me.n_traps)) if n]
    owned += [name for name in ("shown",) if me.shown.any()]
    if owned:
        raise BoxError(f"{path}{owned[0]}: a farm without Farmland is out and owns nothing (14.5)")
    me.goods[:] = 0
    me.spots[:] = 0


def _check_cards(box: Any, me: Any, seat: int, written: Written) -> None:
    """Count the Miracles shown as played (14.4); BoxError where a seat with Life or Death has another card (12.11)."""
    path = f"seats[{seat}]."
    played = sum(1 << card for card in range(box.n_cards) if me.shown[card] and box.card[card].type == b.MIRACLE)
    if path + "miracles" in written and int(me.miracles) & played != played:
        raise BoxError(f"{path}miracles: the Miracles shown are missing in it")
    me.miracles = int(me.miracles) | played
    for card in range(box.n_cards):
        if me.shown[card] and box.card[card].type not in (b.MIRACLE, b.PERMANENT):
            raise BoxError(f"{path}shown: card number {card} is a {b.TYPE_NAMES[box.card[card].type]} card")
    bound = any(me.shown[card] and box.card[card].does == b.LIFE for card in range(box.n_cards))
    _set_derived_field(me, "is_bound", int(bound), written, path)
    if bound and me.n_hand + me.n_table + me.n_traps:
        raise BoxError(f"{path}shown: Life or Death leaves no other card, and no new one is drawn (12.11)")


# --- Where units stand (guide 1.4, 6) -----------------------------------------------------


def _check_units(box: Any, state: Any, seat: int, written: Written) -> None:
    """Count the units of a seat; BoxError where units stand where the rules do not let them, or the file gives another number."""
    me, path = state.seats[seat], f"seats[{seat}]."
    if me.spots.min() < 0 or me.goods.min() < 0:
        raise BoxError(f"{path}spots: nobody has less than nothing")
    for host in range(b.SEATS):
        if me.spots[b.VISITING + host] and (host == seat or not state.seats[host].is_alive):
            raise BoxError(f"{path}spots[{b.VISITING + host}]: nobody visits seat {host} (7.5)")
    _check_posts(box, me, path)
    for unit in range(b.FARMER, b.GOODS):
        n = int(s.count_units(box, state, seat, unit))
        if f"{path}goods[{unit}]" in written and int(me.goods[unit]) != n:
            raise BoxError(
                f"{path}goods[{b.GOOD_WORDS[unit]}]: {int(me.goods[unit])}, but {n} stand somewhere; see spots"
            )
        me.goods[unit] = n
    for name, spot in (("farming", b.FIELD), ("praying", b.HOME)):
        if not 0 <= getattr(me, name) <= me.spots[spot]:
            raise BoxError(f"{path}{name}: more than stand there (3.5, 3.6)")
    if int(me.peace) >> seat & 1 or int(me.peace) >> b.SEATS:
        raise BoxError(f"{path}peace: a Peace Contract binds opponents (11.7)")


def _check_posts(box: Any, me: Any, path: str) -> None:
    """Raise BoxError where guards or workers stand at a card that is not there, or that does not take them (6.3, 6.4)."""
    reform = any(box.card[card].does == b.CONSCRIPTION for card in me.table[: me.n_table])
    if (me.spots[b.LAND_FARMER] or me.posts[b.GUARD_FARMERS].any()) and not reform:
        raise BoxError(f"{path}posts: Farmers guard only with Conscription Reform (6.4)")
    for slot in range(b.SLOTS):
        if me.posts[:, slot].any() and slot >= me.n_table:
            raise BoxError(f"{path}posts: there is no Table card at place {slot + 1}")
        if slot < me.n_table and me.posts[b.WORKERS, slot] > box.card[me.table[slot]].n_workers:
            raise BoxError(f"{path}posts: the card at place {slot + 1} does not take so many workers (6.3)")
    if me.trap_guards[int(me.n_traps) :].any():
        raise BoxError(f"{path}trap_guards: there is no Trap at place {int(me.n_traps) + 1}")


# --- Decks (guide 1.6, 1.7) ---------------------------------------------------------------


def _place_remaining_copies(box: Any, state: Any, written: Written) -> None:
    """Put the copies of cards that lie nowhere into their decks; where the file gives the size of a deck, the rest into its discards."""
    for card in range(box.n_cards):
        lying = sum(int(me.hand[card]) + int(me.shown[card]) for me in state.seats)
        lying += sum(1 for me in state.seats for kind in (*me.table, *me.traps) if kind == card)
        rest = int(box.card[card].copies) - lying
        in_deck, in_discards = f"deck[{card}]" in written, f"discards[{card}]" in written
        if in_deck and not in_discards:
            state.discards[card] = rest - int(state.deck[card])
        elif not in_deck:
            state.deck[card] = rest - int(state.discards[card])
        if min(state.deck[card], state.discards[card]) < 0 or state.deck[card] + state.discards[card] != rest:
            raise BoxError(
                f"card number {card}: the box has {int(box.card[card].copies)}, the file places another number"
            )


# --- The point that the turn has reached (guide 1.8) ---------------------------------------------

STEP_OF = PHASES.list_stage_indexes(b.STEP_NAMES)
PART_OF = {P.raid: 1, P.torch: 2, P.post: 1, P.strike_back: 1}

# For each phase that carries out the effect of a card: the job, and what the card must do.
JOB_OF_PHASE = {
    P.choose_thing: (s.THING_JOB, (b.WILD, b.MARKET)),
    P.make_peace: (s.PEACE_JOB, (b.PEACE,)),
    P.seize: (s.SEIZE_JOB, (b.FACILITY,)),
    P.choose_deck: (s.DECK_JOB, (b.STUDY,)),
    P.offering: (s.OFFER_JOB, (b.OFFERING,)),
    P.call: (s.CALL_JOB, (b.CALL,)),
    P.lose: (s.PLAGUE_JOB, (b.PLAGUE,)),
    P.strike_back: (s.KARMA_JOB, (b.KARMA,)),
}


def _set_turn_progress(box: Any, state: Any, written: Written) -> None:
    """Set whose turn it is and the step it has reached, from the decision that the file begins with."""
    phase, to_act = int(state.phase), int(state.to_act)
    name = PHASES.words[phase]
    if phase != P.begin and STEP_OF[phase] == NOBODY:
        raise BoxError(f"phase: no file begins with {name!r}; begin with a decision before it")
    if "first" not in written:
        state.first = 0
    if phase == P.begin:
        _set_derived_field(state, "round_no", 0, written)
        _set_derived_field(state, "turn_k", (to_act - int(state.first)) % b.SEATS, written)
        return
    if phase not in (P.lose, P.strike_back):
        _set_derived_field(state, "active", to_act, written)
    elif int(state.active) == to_act:
        raise BoxError(f"active: {name!r} is asked of an opponent; say whose turn it is")
    for what in ("to_act", "active"):
        if not state.seats[int(getattr(state, what))].is_alive:
            raise BoxError(f"{what}: seat {int(getattr(state, what))} is out of the game (14.5)")
    _set_derived_field(state, "step", STEP_OF[phase], written)
    _set_derived_field(state, "part", PART_OF.get(phase, 0), written)
    if "round_no" not in written:
        state.round_no = 2
    if phase in JOB_OF_PHASE:
        _set_card_in_progress(box, state, written)
    if phase in SETTLE_BY_PHASE:
        SETTLE_BY_PHASE[phase](box, state, written)


def _set_card_in_progress(box: Any, state: Any, written: Written) -> None:
    """Set the fields about the card whose effect is being carried out; BoxError where the file does not name it (4, 11 to 13)."""
    phase, name = int(state.phase), PHASES.words[state.phase]
    job, kinds = JOB_OF_PHASE[phase]
    if "card" not in written or box.card[state.card].does not in kinds:
        raise BoxError(
            f"card: {name!r} needs the card at work, one that does {' or '.join(b.DOES_NAMES[k] for k in kinds)}"
        )
    _set_derived_field(state, "job", job, written)
    if "left" not in written:
        state.left = int(box.card[state.card].count)
    if "times" not in written:
        state.times = 1
    on_table = box.card[state.card].type == b.TABLE
    if on_table and state.card not in state.seats[state.to_act].table[: state.seats[state.to_act].n_table]:
        raise BoxError("card: it does not lie on the table of the seat to act")


def _set_raided_board(box: Any, state: Any, written: Written) -> None:
    """Set which seat's board the next Disciple raids."""
    me = state.seats[state.to_act]
    hosts = [s.nth_seat_after(state.to_act, k) for k in range(1, b.SEATS)]
    hosts = [int(host) for host in hosts if me.spots[b.VISITING + host] > 0]
    if not hosts:
        raise BoxError("phase: nobody raids; no Disciple of the seat to act visits a board (3.2)")
    _set_derived_field(state, "victim", hosts[0], written)


def _set_asked_table_card(box: Any, state: Any, written: Written) -> None:
    """Set the Table card whose optional gain the player is asked about."""
    me = state.seats[state.to_act]
    slots = [i for i in range(me.n_table) if box.card[me.table[i]].optional]
    if not slots:
        raise BoxError("phase: no Table card brings anything that may be refused (12.8)")
    if "torch" not in written:
        state.torch = slots[0]
    _set_derived_field(state, "card", int(me.table[state.torch]), written)


def _set_losing_opponent(box: Any, state: Any, written: Written) -> None:
    """Set the opponent that loses units."""
    _set_derived_field(state, "turn_k", (int(state.to_act) - int(state.active)) % b.SEATS, written)


def _check_karma_target(box: Any, state: Any, written: Written) -> None:
    """Raise BoxError where there is no seat that Defenseless Karma could strike."""
    _set_derived_field(state, "victim", int(state.to_act), written)
    robber = int(state.robber[state.to_act])
    if robber in (NOBODY, int(state.to_act)) or not state.seats[robber].is_alive:
        raise BoxError("robber: say whom Defenseless Karma strikes (12.10)")


def _check_weapon(box: Any, state: Any, written: Written) -> None:
    """Raise BoxError where the seat does not have the weapon it attacks with (7.1).

    Attacks by Life or Death and by guards cannot be written in a file.
    """
    me, weapon = state.seats[state.to_act], int(state.weapon)
    there = (me.spots[b.RESERVE] > 0, me.spots[b.PARK] > 0 and me.spots[b.FIELD] > 0, False)
    hired = any(box.card[card].does == b.MERCENARIES for card in me.table[: me.n_table])
    if weapon not in range(3) or not (there[weapon] or (weapon == b.MERCENARY_WEAPON and hired)):
        raise BoxError("weapon: the seat to act has nothing of the kind to attack with (7.1)")


def _check_explorer_at_home(box: Any, state: Any, written: Written) -> None:
    """Raise BoxError where the seat has no Explorer at home."""
    if state.seats[state.to_act].spots[b.CAMP] == 0:
        raise BoxError("phase: nobody explores; the seat to act has no Explorer at home (8.1)")


def _check_over_limit(box: Any, state: Any, written: Written) -> None:
    """Raise BoxError where the seat is not over its limit of units or cards."""
    me, is_units = state.seats[state.to_act], int(state.phase) == P.trim_units
    n = s.n_units(state, state.to_act)
    if not is_units:
        n = me.n_hand if box.options.hand_limit_only else s.n_cards(state, state.to_act)
    if n <= me.goods[b.FARMLAND]:
        raise BoxError(
            f"phase: seat {int(state.to_act)} has no more {'units' if is_units else 'cards'} than Farmland (9)"
        )


SETTLE_BY_PHASE: dict[int, Callable[[Any, Any, Written], None]] = {
    P.raid: _set_raided_board,
    P.torch: _set_asked_table_card,
    P.lose: _set_losing_opponent,
    P.strike_back: _check_karma_target,
    P.target: _check_weapon,
    P.explore: _check_explorer_at_home,
    P.trim_units: _check_over_limit,
    P.trim_cards: _check_over_limit,
}

"""The records that compiled bots and game loops work on: a bot's settings, its scratch memory, a game's result and statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from sutler.core.definition import Definition
from sutler.core.events import EVENTS, N_PARTS, EventTable
from sutler.core.record import Record, field, record

SCALE = 5.0  # the lead, by `evaluate`, that makes one side e times as likely to win; a game may say otherwise

QUIET_RELUCTANCE = 1e-6  # between equal actions, the one the game calls quiet

DEPTH = 6  # steps of one compound move that the greedy bot looks through
PATH = 96  # actions from the root of a search to its deepest node
NODES = 1 << 15  # nodes of a search tree
KNOTS = 5  # times of a game at which a curve from leads to chances is known
MOMENTS = 32  # states kept of each recorded game

RANDOM, GREEDY, SEARCH, OWN = range(4)
"""The kinds of bots that compiled code knows; OWN: one with a rule of its own, which is called by its address (`core.calls_by_address`)."""

Numbers = np.ndarray[Any, np.dtype[Any]]

BOT = record(
    "Bot",
    ("kind", "i1"),
    ("redeals", "i2"),
    ("nodes", "i4"),
    ("noise", "f8"),
    ("blunders", "f8"),
    ("rounds", "i4"),
    ("horizon", "i4"),
    ("playout_nodes", "i4"),
    ("wander", "f8"),
    ("curiosity", "f8"),
    ("warmth", "f8"),
    ("open_mind", "f8"),
    ("doubt", "f8"),
    ("candidates", "i4"),
    ("trust", "f8"),
    ("differ", "f8"),
    ("error", "f8"),
    ("clear", "f8"),
    ("chances", "i1"),
    field("own", "f8", 8),
    ("code", "i8"),
    ("number", "i4"),
    ("row", "i8"),
)
"""The settings of a bot as compiled code reads them; `bots.greedy` and `bots.search` say what they mean. `own`: those of a bot
in a file of one's own, in the order of its fields. `code`, `number`, `row`: where its rule and its whole record are, in a game loop."""

LABEL = record(
    "Label",
    ("seat", "i1"),
    ("amount", "i1"),
    ("ending", "u4"),
    field("first", "i4", N_PARTS),
    field("names", "i4", N_PARTS),
)
"""How the events of one kind are counted: which part names the seat, which the amount (-1: none), its bit among the endings
(0: it is none), and, in a game's statistics, for each part that names a thing, its first place among the uses and how many such things
there are (-1: it names none)."""

NO_NOTES = record("Notes", ("nothing", "i1"))
"""Notes of games whose `evaluate` keeps none."""

LUCK = record("Luck", ("rng", "u4", 4))

NODE = record(
    "Node",
    ("action", "i4"),
    ("seat", "i1"),
    ("child", "i4"),
    ("sibling", "i4"),
    ("visits", "i4"),
    ("possible", "i4"),
    ("total", "f8"),
    ("prior", "f8"),
    ("estimate", "f8"),
)


def build_scratch_record(definition: Definition) -> Record:
    """The scratch record of a game: all the memory that a bot works in, since compiled code allocates none. One for each thread."""
    state, ids = definition.state, definition.actions.ids_record
    return record(
        "Scratch",
        ("cooperative", "i1"),  # do all seats win or lose together?
        field("reluctance", "f8", (definition.actions.n,)),  # how much better than its alternatives an action must be
        field("asked", ids),  # actions that are never taken unasked
        field("silent", EVENTS),  # where what a bot imagines is told
        field("told", EVENTS),  # and what happens
        field("lucks", LUCK, definition.info.seats[1]),  # the generators of the bots, by seat
        field("out", ids),  # what is legal at the decision at hand
        field("world", state),  # and the redeal of it that the bot may see
        field(
            "curves", "f8", (definition.info.seats[1] + 1, 3, KNOTS)
        ),  # from leads to chances, by the number of seats
        field("recorder", _build_recorder_record(definition)),
        field("greedy", _build_greedy_record(definition)),
        field("search", _build_search_record(definition)),
    )


def _build_recorder_record(definition: Definition) -> Record:
    """The counters of a game loop over all its games, beside their results."""
    seats, kinds = definition.info.seats[1], len(definition.events.names)
    return record(
        "Recorder",
        field("labels", LABEL, kinds),  # how events are entered
        field("counts", "i8", (kinds, seats + 1)),  # events by kind and seat; the last column: of no seat
        ("notes_choices", "i1"),  # are choices entered?
        field("choices", "i8", (definition.actions.n, seats, 3)),  # offered, taken, taken unasked
        ("n_kept", "i8"),  # states kept, one game after the other
    )


def _build_greedy_record(definition: Definition) -> Record:
    """The record that the greedy bot works in, for the sizes of this game."""
    state, ids = definition.state, definition.actions.ids_record
    return record(
        "Greedy",
        field("options", ids),
        field("value", "f8", (definition.actions.n,)),
        field("world", state),
        field("states", state, DEPTH + 1),
        field("outs", ids, DEPTH + 1),
        field("cursor", "i4", DEPTH + 1),
        field("toll", "f8", DEPTH + 1),
        field("notes", definition.NOTES or NO_NOTES),  # of what `evaluate` reckoned in this decision
        field("no_notes", definition.NOTES or NO_NOTES),
    )


def _build_search_record(definition: Definition) -> Record:
    """The record that the searching bot works in, for the sizes of this game."""
    state, ids, seats = definition.state, definition.actions.ids_record, definition.info.seats[1]
    return record(
        "Search",
        ("n_nodes", "i4"),
        ("depth", "i4"),
        ("settled", "i1"),
        ("squares", "f8"),  # of the root's payoffs
        ("most", "f8"),  # what the action found last promises
        ("unsure", "f8"),  # by so much more or less
        field("luck", LUCK),
        field("rivals", ids),
        field("state", state),
        field("out", ids),
        field("allowed", ids),
        field("fresh", ids),
        field("path", "i4", PATH),
        field("payoff", "f8", (seats,)),
        field("rank", "f8", (seats,)),
        field("points", "f8", (seats,)),
        field("tree", NODE, NODES),
    )


def build_result_record(definition: Definition) -> Record:
    """The row of a game: who sits where, and how it ended."""
    seats = definition.info.seats[1]
    return record(
        "Result",
        ("seed", "i8"),
        field("bots", "i2", (seats,)),
        ("decisions", "i4"),
        ("most", "i4"),  # decisions, then the game is cut
        ("finished", "i1"),
        ("stuck", "i1"),  # rules forced one action after another without end
        field("points", "f8", (seats,)),
        field("places", "f8", (seats,)),
        ("endings", "u4"),  # which of the events that say how a game ends were told, a bit each
    )


def build_stats_record(definition: Definition) -> Record:
    """The statistics of one game, kept while it is played: leads, events by kind and seat, some of its states."""
    seats, kinds = definition.info.seats[1], len(definition.events.names)
    return record(
        "GameStats",
        ("lead_changes", "i4"),
        ("leader", "i1"),  # who was ahead alone last
        ("n_moments", "i4"),
        ("stride", "i4"),  # decisions from one kept moment to the next
        field("points", "f8", (seats,)),
        field("behind", "f8", (seats,)),  # at worst, behind the best seat
        field("not_ahead", "i4", (seats,)),  # the last decision after which the seat was not ahead alone
        field("counts", "i4", (kinds, seats + 1)),  # the last column: events of no seat
        field("amounts", "i4", (kinds, seats + 1)),
        field("scores", "f8", (MOMENTS, seats)),
        field("moments", definition.state, MOMENTS),
    )


def build_moment_record(definition: Definition) -> Record:
    """The record of a logged decision: the state, the action taken in it, and the number of events before it."""
    return record("Moment", ("at", "i4"), ("action", "i4"), field("state", definition.state))


def build_event_labels(events: EventTable) -> Numbers:
    """A label for each kind of event; the caller fills in which things are named in it."""
    labels = np.zeros(len(events.names), LABEL.dtype)
    labels["first"] = -1
    for label, name in zip(labels, events.names, strict=True):
        event = events.events[name]
        spelled, kinds = [spec for spec, _ in event.parts], [kind for _, kind in event.parts]
        label["seat"] = spelled.index("seat") if "seat" in spelled else -1
        label["amount"] = kinds.index("n") if "n" in kinds else -1
        label["ending"] = 1 << events.endings.index(name) if event.ending else 0
    return labels


def find_scale(definition: Definition) -> float:
    """The lead that counts as clear in a game (its SCALE), in the unit of the game's `evaluate`."""
    return float(definition.SCALE or SCALE)


def build_reluctance(definition: Definition) -> Numbers:
    """The reluctance for each action: how much better than its alternatives it must be before a bot takes it, shape (actions,).

    The game says so by block (RELUCTANCE = {"accept": 0.3}); everything that is not quiet costs next to nothing.
    """
    table = definition.actions
    out = np.zeros(table.n)
    for name, block in table.blocks.items():
        ids = table.ids(name)
        out[ids.start : ids.stop] = 0.0 if block.tone == "quiet" else QUIET_RELUCTANCE
    for name, much in (definition.RELUCTANCE or {}).items():
        ids = table.ids(name)
        out[ids.start : ids.stop] += much
    return out

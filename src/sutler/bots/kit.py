"""What the compiled bots need from Python: their settings and scratch space as records, and their templates made per game."""

from __future__ import annotations

import threading
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from sutler.core.actions import Action, ActionTable
from sutler.core.bits import add
from sutler.core.chance import GAME_STREAM
from sutler.core.definition import Definition
from sutler.core.events import N_PARTS, EventTable, new_buffer
from sutler.core.game import Game
from sutler.core.record import Record, field, record
from sutler.core.rule import rule
from sutler.core.seat import SeatView

HERE = Path(__file__).parent
DEPTH = 6  # steps of one compound move that the greedy bot looks through
PATH = 96  # actions from the root of a search to its deepest node
NODES = 1 << 15  # nodes of a search tree
MOMENTS = 32  # states kept of each recorded game
NODES_IN_MATCH = 1 << 12  # and in simulations, where searches are short
SCALE = 5.0  # a lead of so much, by `evaluate`, makes one side e times as likely to win; a game may say otherwise
QUIET = 1e-6  # between equal actions, the one the game calls quiet

RANDOM, GREEDY, SEARCH = range(3)

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
)
"""The settings of a bot as compiled code reads them; `bots.greedy` and `bots.search` say what they mean."""

LABEL = record(
    "Label",
    ("seat", "i1"),
    ("amount", "i1"),
    ("ending", "u4"),
    field("first", "i4", N_PARTS),
    field("names", "i4", N_PARTS),
)
"""How the events of one kind are entered: which part names the seat, which the amount (-1: none), its bit among the endings
(0: it is none), and, in a book, for each part that names a thing, its first place among the uses and how many such things
there are (-1: it names none)."""

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


@rule
def prune_nothing(box: Any, state: Any, out: Any) -> Any:
    """For games without a `prune` of their own: every legal action is worth a thought."""
    return


@dataclass(frozen=True)
class Settings:
    """Settings that fit a BOT record; the subclass's fields are those it has."""

    kind = RANDOM

    def packed(self, game: Game) -> Any:
        """The record. What is measured in `evaluate`'s unit is given in parts of the game's SCALE."""
        bot = BOT.new()
        bot.kind = self.kind
        scale = scale_of(game.definition)
        for one in fields(self):
            if one.name in bot.dtype.names:
                bot[one.name] = getattr(self, one.name) * (scale if one.name in ("noise", "warmth") else 1)
        return bot


def scale_of(definition: Definition) -> float:
    """What lead, by the game's `evaluate`, counts as clear."""
    return float(definition.SCALE or SCALE)


def is_cooperative(definition: Definition) -> bool:
    """Do all seats win or lose together?"""
    return bool(definition.COOPERATIVE)


def reluctance_of(definition: Definition) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Per action: how much better than its alternatives it must be before a bot takes it.

    The game says so by block (RELUCTANCE = {"accept": 0.3}); everything that is not quiet costs next to nothing.
    """
    table: ActionTable = definition.actions
    out = np.zeros(table.n)
    for name, block in table.blocks.items():
        ids = table.ids(name)
        out[ids.start : ids.stop] = 0.0 if block.tone == "quiet" else QUIET
    for name, much in (definition.RELUCTANCE or {}).items():
        ids = table.ids(name)
        out[ids.start : ids.stop] += much
    return out


def labels_of(events: EventTable) -> np.ndarray[Any, np.dtype[Any]]:
    """A label for each kind of event; which things are named in it is left for whoever keeps a book."""
    labels = np.zeros(len(events.names), LABEL.dtype)
    labels["first"] = -1
    for label, (name, event) in zip(labels, events.events.items(), strict=True):
        spelled, kinds = [spec for spec, _ in event.parts], [kind for _, kind in event.parts]
        label["seat"] = spelled.index("seat") if "seat" in spelled else -1
        label["amount"] = kinds.index("n") if "n" in kinds else -1
        label["ending"] = 1 << events.endings.index(name) if event.ending else 0
    return labels


class Kit:
    """The bots of one game: its templates, and the layouts of their scratch space."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.scale = scale_of(definition)
        self.cooperative = is_cooperative(definition)
        self.reluctance = reluctance_of(definition)
        self.asked = definition.asked
        self.silent = new_buffer(on=False)
        seats = definition.info.seats[1]
        state, ids, n = definition.state, definition.actions.ids_record, definition.actions.n
        self.greedy_work: Record = record(
            "GreedyWork",
            field("world", state),
            field("states", state, DEPTH + 1),
            field("outs", ids, DEPTH + 1),
            field("cursor", "i4", DEPTH + 1),
            field("toll", "f8", DEPTH + 1),
            field("options", ids),
            field("value", "f8", (n,)),
        )
        self.search_work: Record = record(
            "SearchWork",
            field("world", state),
            field("state", state),
            field("played", ids),
            field("out", ids),
            field("allowed", ids),
            field("fresh", ids),
            field("path", "i4", PATH),
            field("payoff", "f8", (seats,)),
            field("rank", "f8", (seats,)),
            field("points", "f8", (seats,)),
            field("lucks", LUCK, seats),
            ("n_nodes", "i4"),
        )
        self.result: Record = record(
            "Result",
            ("seed", "i8"),
            field("bots", "i2", (seats,)),
            ("decisions", "i4"),
            ("finished", "i1"),
            field("points", "f8", (seats,)),
            field("places", "f8", (seats,)),
            ("endings", "u4"),  # which of the events that say how a game ends were told, a bit each
        )
        kinds = len(definition.events.names)
        self.book: Record = record(
            "Book",
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
            field("moments", state, MOMENTS),
        )
        self._lock = threading.Lock()
        self._made: dict[str, Any] = {}

    def _template(self, name: str, **more: Any) -> Any:
        return self.definition.template(HERE / f"{name}.py", **more)

    @property
    def greedy(self) -> Any:
        """The greedy bot's template for this game."""
        prune = self.definition.prune or prune_nothing
        return self._template("_greedy", advance=self.definition.engine.advance, prune=prune, DEPTH=DEPTH)

    @property
    def search(self) -> Any:
        """The searching bot's template for this game."""
        greedy = self.greedy
        names = ("greedy_values", "best_of", "imagine", "keep_sensible", "reset_values", "weigh")
        given = {name: getattr(greedy, name) for name in names}
        return self._template("_search", advance=self.definition.engine.advance, PATH=PATH, **given)

    @property
    def match(self) -> Any:
        """The template that plays whole games."""
        engine = self.definition.engine
        return self._template(
            "_match",
            advance=engine.advance,
            begin=engine.begin,
            imagine=self.greedy.imagine,
            greedy_choice=self.greedy.greedy_choice,
            search_choice=self.search.search_choice,
            GAME_STREAM=GAME_STREAM,
            GREEDY=GREEDY,
            RANDOM=RANDOM,
            SEARCH=SEARCH,
        )

    @property
    def recorder(self) -> Any:
        """The template that plays whole games and keeps a book of each."""
        return self._template("_record", decide=self.match.decide, GAME_STREAM=GAME_STREAM, MOMENTS=MOMENTS)


_kits: dict[str, Kit] = {}
_lock = threading.Lock()


def kit_of(game: Game | Definition) -> Kit:
    """The kit of a game, made once."""
    definition = game.definition if isinstance(game, Game) else game
    with _lock:
        if definition.package not in _kits:
            _kits[definition.package] = Kit(definition)
        return _kits[definition.package]


def only_choice(view: SeatView) -> Action | None:
    """The one legal action, if there is but one. ValueError when it is not this seat's decision."""
    if not view.legal:
        raise ValueError(f"seat {view.seat} has nothing to decide now")
    return view.game.action_names[view.legal[0]] if len(view.legal) == 1 else None


def legal_ids(game: Game, legal: list[int]) -> Any:
    """A list of action ids as the set that rules use."""
    out = game.definition.actions.new_ids()
    for action in legal:
        add(out.ids, action)
    return out


def warm(game: Game) -> None:
    """Make every call that the bots make from Python once, on the first decision of a game."""
    kit, view = kit_of(game), game.new(seed=1)
    seat = view.seat
    if seat is None:
        return
    sees, bot = view.for_seat(seat), BOT.new()
    bot.redeals, bot.nodes, bot.playout_nodes, bot.horizon, bot.warmth = 1, 1, 1, 1, 1.0
    work, greedy = kit.search_work.new(), kit.greedy_work.new()
    out, tree = legal_ids(game, sees.legal), np.zeros(16, NODE.dtype)
    desk = (greedy, kit.silent, kit.asked, kit.reluctance, bot)
    kit.greedy.greedy_values(game.box, sees.redeal(), *desk, seat, out, sees.luck)
    kit.greedy.greedy_choice(game.box, sees.redeal(), *desk, seat, out, sees.luck)
    kit.search.plant(tree, work)
    kit.search.search_on(
        game.box, sees.redeal(), out, seat, tree, work, *desk, sees.luck, 1, kit.scale, kit.cooperative
    )

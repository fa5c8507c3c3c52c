"""Learned judges: the inputs of their network, the record of its weights, and the files that keep them.

A judge is a game's own `evaluate` corrected by a small network with one hidden layer. Its inputs are the parts of `evaluate` (`reckon` in
`bot/reasons.py`) and the plain numbers of the state: of each number that every seat has, its own, the mean of the other seats' and the
largest of theirs. So every game whose `bot/reasons.py` names the parts can have a judge without any code for it.
"""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from sutler.bots.kit.records import BOT, Numbers, find_scale
from sutler.core.definition import Definition
from sutler.core.per_game_modules import build_module_from_source
from sutler.core.play.game import Game
from sutler.core.record import Field, Record, field, record

# A bot's record with a net begins like one without, so what is made for the short one takes the long one too. That is meant.
warnings.filterwarnings("ignore", message="(?s).*has been considered a subtype of Record")

W = TypeVar("W")
FILE = "judge.json"
VERSION = 1
HIDDEN = 16
MAX_INPUTS = 96
MAX_PHASES = 96
MAX_PARTS = 24
MAX_ROW_NUMBERS = 6  # each number of an array up to this long is an input; longer arrays are left out
WARMTH, CERTAIN = 0.15, 1.0
"""The values of a judge's two temperatures before training: those of the search."""
MAX_SPREADS = 4.0
"""Inputs are clipped at this many standard deviations from their mean."""
INTO_THE_OTHERS = ("the others' mean", "the most of theirs")

NET = record(
    "Net",
    ("scale", "f8"),
    ("notes", "i1"),  # are the inputs of the best position kept, for a lesson?
    ("best", "f8"),
    ("best_phase", "i4"),
    field("best_inputs", "f8", MAX_INPUTS),
    field("inputs", "f8", MAX_INPUTS),  # room to reckon in, as the next
    field("hidden", "f8", HIDDEN),
    field("factor", "f8", MAX_PARTS),
    field("middle", "f8", MAX_INPUTS),
    field("per", "f8", MAX_INPUTS),
    field("first", "f8", (MAX_INPUTS, HIDDEN)),
    field("phase", "f8", (MAX_PHASES, HIDDEN)),
    field("bias", "f8", HIDDEN),
    field("second", "f8", HIDDEN),
)
JUDGE = record("Judge", *BOT.fields, field("net", NET))
"""A BOT record followed by a network."""


# --- What a judge looks at ----------------------------------------------------


@dataclass(frozen=True)
class Input:
    """An input taken from the state.

    name: in words. expr: the Python expression for it in generated source. of_seats: True if every seat has one; `row` in the
    expression then stands for the seat.
    """

    name: str
    expr: str
    of_seats: bool = False


def list_state_inputs(definition: Definition) -> list[Input]:
    """The inputs that a judge's network takes from a game's state, in order of the fields.

    These are counts and levels that somebody may see, no ids of cards or places.
    """
    found = [Input("is it one's own decision", "(1.0 if state.to_act == seat else 0.0)")]
    for one in definition.state.fields:
        if one.name in ("phase", "to_act", "n_seats", "rng"):
            continue
        if isinstance(one.type, Record):
            if one.by == "seat" and len(one.shape) == 1:
                for inner in one.type.fields:
                    found += _iter_field_inputs(
                        inner, f"state.{one.name}[row].{inner.name}", f"{one.name}.{inner.name}", True
                    )
        elif one.by == "seat" and not one.is_set:
            inner = Field(one.name, one.type, one.shape[1:], one.of, None, one.seen_by)
            found += _iter_field_inputs(inner, f"state.{one.name}[row]", one.name, True)
        else:
            found += _iter_field_inputs(one, f"state.{one.name}", one.name, False)
    return found


def _iter_field_inputs(field: Field, expression: str, name: str, of_seats: bool) -> Iterator[Input]:
    """The inputs that one field gives: its number, each number of a short array, or the size of a set. `expression` as in Input."""
    if field.seen_by in ("nobody", "derived") or isinstance(field.type, Record):
        return
    if field.is_set:
        if len(field.shape) == 1:
            yield Input(f"how many {name}", f"1.0 * count({expression})", of_seats)
    elif field.of is None and field.type != "u8":
        if not field.shape:
            yield Input(name, f"1.0 * {expression}", of_seats)
        elif len(field.shape) == 1 and field.shape[0] <= MAX_ROW_NUMBERS:
            yield from (Input(f"{name} {i}", f"1.0 * {expression}[{i}]", of_seats) for i in range(field.shape[0]))


@dataclass(frozen=True)
class NetworkInputs:
    """All inputs of a game's judge.

    parts: number of parts of `evaluate`, which come first. names: of all inputs. phases: names of the game's phases.
    look_at: the generated rule that writes the other inputs.
    """

    parts: int
    names: tuple[str, ...]
    phases: tuple[str, ...]
    look_at: Any


@functools.cache
def build_network_inputs(definition: Definition) -> NetworkInputs:
    """The inputs of a game's judge. ValueError where the game names no parts of its `evaluate`."""
    known = definition.reasons
    if known is None:
        raise ValueError(
            f"{definition.info.title} has no learned judge: its bot/reasons.py names no parts of `evaluate`"
        )
    parts = len(known.REASONS)
    names = [f"{gain}" for gain, _ in known.REASONS]
    every, own, others = [], [], []
    for one in list_state_inputs(definition):
        at = len(names)
        if at + (3 if one.of_seats else 1) > MAX_INPUTS:
            break
        if not one.of_seats:
            names.append(one.name)
            every.append(f"    out[{at}] = {one.expr}")
            continue
        names += [one.name, *(f"{one.name}, {more}" for more in INTO_THE_OTHERS)]
        own += [f"    out[{at}] = {one.expr}", f"    out[{at + 1}] = 0.0", f"    out[{at + 2}] = -1000.0"]
        others += [f"            x = {one.expr}", f"            out[{at + 1}] += x / (n - 1)"]
        others.append(f"            out[{at + 2}] = max(out[{at + 2}], x)")
    lines = ["from sutler.core.bits import count", "from sutler.core.rule import rule", "@rule"]
    lines += ["def look_at(box, state, seat, out):", "    n = int(state.n_seats)", "    row = seat", *every, *own]
    if others:
        lines += ["    for row in range(n):", "        if row != seat:", *others]
    home, source = definition.home, "\n".join(lines) + "\n"
    made = build_module_from_source(f"{definition.package}._looks", Path(f"{definition.name}-looks.py"), source, home)
    return NetworkInputs(parts, tuple(names), definition.phases.words, made.look_at)


# --- Weights ------------------------------------------------------------------


@dataclass
class Weights:
    """The learned weights of a network. arrays: by name, as in NET; made: how they were trained.

    The array `temper` holds the logarithms of two temperatures, in units of SCALE: the difference in value that makes an action, or a
    seat's win, e times as likely.
    """

    arrays: dict[str, Numbers]
    made: dict[str, Any]

    @classmethod
    def untrained(cls, game: Game) -> Weights:
        """The weights before training, with which a judge gives the values of the game's `evaluate`."""
        looks = build_network_inputs(game.definition)
        n = len(looks.names)
        arrays = {
            "factor": np.ones(looks.parts),
            "middle": np.zeros(n),
            "per": np.zeros(n),
            "first": np.zeros((n, HIDDEN)),
            "phase": np.zeros((len(looks.phases), HIDDEN)),
            "bias": np.zeros(HIDDEN),
            "second": np.zeros(HIDDEN),
            "temper": np.log([WARMTH, CERTAIN]),
        }
        return cls(arrays, {})

    def write_into(self, game: Game, net: Any) -> Any:
        """Write the weights into a NET record and return it."""
        net.scale = find_scale(game.definition)
        for name, array in self.arrays.items():
            if name == "temper":
                continue
            net[name][tuple(slice(0, size) for size in array.shape)] = array
        return net

    def to_json_text(self, game: Game) -> str:
        """The content of a weights file, which `Weights.read` reads: JSON, with six digits a number."""
        looks = build_network_inputs(game.definition)
        told: dict[str, Any] = {"version": VERSION, "game": game.name, "box": game.box_hash}
        told |= {"made": self.made, "inputs": looks.names, "phases": looks.phases}
        told["weights"] = {
            name: [float(f"{x:.6g}") for x in array.ravel()] for name, array in sorted(self.arrays.items())
        }
        lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in told.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def read(cls, path: Path, game: Game, any_box: bool = False) -> Weights:
        """The weights in a file. ValueError where they belong to another game, version or box; `any_box` accepts every box."""
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            kept, version = told["weights"], told["version"]
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}: these are no judge's weights") from None
        looks, again = build_network_inputs(game.definition), f"`sutler train {game.name}` makes others"
        if told["game"] != game.name:
            raise ValueError(f"{path}: weights for {told['game']}, not for {game.name}; {again}")
        # the parts of `evaluate` are told by number: their names are sentences for people, and may be said better one day
        same = (VERSION, len(looks.names), list(looks.names[looks.parts :]), list(looks.phases))
        if (version, len(told["inputs"]), told["inputs"][looks.parts :], told["phases"]) != same:
            raise ValueError(
                f"{path}: learned on another version of {game.title}, whose state or judgement has changed; {again}"
            )
        if told["box"] != game.box_hash and not any_box:
            raise ValueError(
                f"{path}: learned with another box ({told['box']}, here {game.box_hash}); "
                f"`sutler train {game.name} --box FILE` learns this one, from these"
            )
        shapes = {name: array.shape for name, array in cls.untrained(game).arrays.items()}
        return cls({name: np.array(kept[name]).reshape(shape) for name, shape in shapes.items()}, told["made"])


def find_shipped_weights_file(definition: Definition) -> Path:
    """The path of the weights that come with a game, whether the file exists or not."""
    return definition.folder / FILE


def read_cached_weights(path: Path, game: Game, any_box: bool = False) -> Weights:
    """The weights in a file, kept in memory until the file changes. Arguments as of `Weights.read`."""
    return read_cached(Weights.read, path, game, any_box)


def read_cached(read: Callable[[Path, Game, bool], W], path: Path, game: Game, any_box: bool) -> W:
    """The result of `read(path, game, any_box)`, kept in memory until the file changes."""
    return cast("W", _read_version(read, path, path.stat().st_mtime_ns, game, any_box))


@functools.lru_cache(maxsize=16)
def _read_version(read: Callable[..., Any], path: Path, _written_ns: int, game: Game, any_box: bool) -> Any:
    """Read a network's file by `read`; cached until the file is written again (`_written_ns`)."""
    return read(path, game, any_box)

"""The network of a learned policy: the record that compiled code reads, its inputs, and the files that keep its weights.

Its inputs are the whole observation of a seat, encoded as "onehot" for the largest table of the game (`core.learners.encoding`): all
that the seat may know, and nothing else. One hidden layer gives two outputs: for each action, a correction to the greedy bot's value; and
each seat's win chance, counted from the seat that looks. A game needs no code for it.
"""

from __future__ import annotations

import functools
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots.kit.records import BOT, Numbers, scale_of
from sutler.core.definition import Definition
from sutler.core.files.box import hash_of
from sutler.core.learners.encoding import NUMBER, Encoding
from sutler.core.play.game import Game
from sutler.core.record import Record, record
from sutler.core.record import field as column

FILE = "policy.npz"
VERSION = 1
HIDDEN = 64
"""Units of the hidden layer."""
JUDGEMENT_WEIGHT = 60.0
"""How much the game's own judgement counts in a policy that has learned nothing: so small a part of its scale makes e times as likely."""
INITIAL_SPREAD = 0.1
"""The standard deviation of the first layer's weights before training."""


@functools.cache
def encoding_of(game: Game) -> Encoding:
    """The encoding of the inputs: the same for every number of seats."""
    return Encoding(game, game.max_seats, "onehot")


@functools.cache
def network_record(definition: Definition, inputs: int, planned: int) -> Record:
    """The record of the settings of a bot with a network of so many inputs, made from so many observed numbers."""
    actions, phases = definition.actions.n, len(definition.phases.words)
    seats = max(2, definition.info.seats[1])  # one seat alone wins or loses: two ends as well
    net = record(
        "PolicyNet",
        ("scale", "f4"),
        ("seats", "i4"),  # at a table of another number of seats it has learned nothing
        column("raw", "f4", definition.N_OBSERVED),  # room to reckon in, as the next
        ("n", "i4"),
        column("at", "i4", inputs),
        column("much", "f4", inputs),
        column("hidden", "f4", HIDDEN),
        column("chance", "f4", seats),
        column("worth", "f4", actions),
        column("plan", NUMBER, planned),
        column("first", "f4", (inputs, HIDDEN)),
        column("bias", "f4", HIDDEN),
        column("sure", "f4", phases),
        column("action", "f4", (actions, HIDDEN)),
        column("lean", "f4", actions),
        column("win", "f4", (seats, HIDDEN)),
        column("seat", "f4", seats),
    )
    return record("Policy", *BOT.fields, column("net", net))


def record_of(game: Game) -> Record:
    """The record of a bot with a policy of this game."""
    coded = encoding_of(game)
    return network_record(game.definition, coded.n, len(coded.plan))


def shapes_of(game: Game) -> dict[str, tuple[int, ...]]:
    """The shape of each array of weights."""
    net = record_of(game).new().net
    return {name: net[name].shape for name in ("first", "bias", "sure", "action", "lean", "win", "seat")}


@dataclass
class PolicyWeights:
    """The weights of a policy, one float32 array a name as in the record, for a number of seats, and how they were made.

    first, bias: of the hidden layer; sure: by phase, how much the game's own judgement counts; action, lean: what each action
    adds to it; win, seat: the logarithms of how likely each seat is to win, from the seat that looks on.
    """

    arrays: dict[str, Numbers]
    seats: int
    made: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def blank(cls, game: Game, seats: int, rng: np.random.Generator, sure: float = JUDGEMENT_WEIGHT) -> PolicyWeights:
        """The weights of a policy that has learned nothing: it decides as the greedy bot does, and holds all chances for equal."""
        arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes_of(game).items()}
        arrays["first"] = (INITIAL_SPREAD * rng.standard_normal(arrays["first"].shape)).astype(np.float32)
        arrays["sure"][:] = sure
        return cls(arrays, seats)

    def write_into(self, game: Game, net: Any) -> Any:
        """Write the weights into a network's record."""
        net.scale, net.seats = scale_of(game.definition), self.seats
        net.plan[:] = encoding_of(game).plan
        for name, array in self.arrays.items():
            net[name][...] = array
        return net

    def file(self, game: Game) -> bytes:
        """The bytes of the file that `PolicyWeights.read` reads; every number in sixteen bits."""
        about = {"version": VERSION, "game": game.name, "box": game.box_hash, "inputs": inputs_hash(game)}
        about |= {"seats": self.seats, "made": self.made}
        packed = {name: array.astype(np.float16) for name, array in self.arrays.items()}
        out = io.BytesIO()
        np.savez_compressed(out, about=np.array(json.dumps(about)), **packed)  # type: ignore[arg-type]
        return out.getvalue()

    @classmethod
    def read(cls, path: Path, game: Game, any_box: bool = False) -> PolicyWeights:
        """The weights in a file. ValueError when they are of another game, version or box (`any_box`: the box is not asked)."""
        try:
            with np.load(path, allow_pickle=False) as kept:
                about = json.loads(str(kept["about"]))
                arrays = {name: kept[name].astype(np.float32) for name in kept.files if name != "about"}
        except (ValueError, KeyError, OSError):
            raise ValueError(f"{path}: these are no policy's weights") from None
        again = f"`sutler train {game.name} --policy` makes others"
        if about["game"] != game.name:
            raise ValueError(f"{path}: weights for {about['game']}, not for {game.name}; {again}")
        if (about["version"], about["inputs"]) != (VERSION, inputs_hash(game)):
            raise ValueError(f"{path}: learned on another version of {game.title}, whose state has changed; {again}")
        if about["box"] != game.box_hash and not any_box:
            raise ValueError(
                f"{path}: learned with another box ({about['box']}, here {game.box_hash}); "
                f"`sutler train {game.name} --policy --box FILE` learns this one, from these"
            )
        return cls(arrays, about["seats"], about["made"])


def inputs_hash(game: Game) -> str:
    """A short digest of the inputs, phases and actions: weights fit where it is the same."""
    table = game.definition.actions
    blocks = {name: [table.ids(name).start, table.ids(name).stop] for name in table.blocks}
    return hash_of(json.dumps([encoding_of(game).names, game.definition.phases.words, blocks, HIDDEN]))


def shipped_policy_file(definition: Definition) -> Path:
    """The path of the policy that comes with a game, whether the file exists or not."""
    return definition.folder / FILE


def cached_policy(path: Path, game: Game, any_box: bool = False) -> PolicyWeights:
    """The weights in a file, read once as long as nobody writes another file there."""
    return _read_once(path, path.stat().st_mtime_ns, game, any_box)


@functools.lru_cache(maxsize=16)
def _read_once(path: Path, _written: int, game: Game, any_box: bool) -> PolicyWeights:
    return PolicyWeights.read(path, game, any_box)

"""The network of a learned policy: its inputs, the record that compiled code reads, and the files of its weights.

Its inputs are the whole observation of a seat, encoded as "onehot" for the largest table of the game (`core.learners.encoding`): all
that the seat may know, and nothing else. One hidden layer gives two outputs: for each action, a correction to the greedy bot's value; and
for each seat, counted from the observer's own, its win probability. Games need no code for it.
"""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots.kit.judge_network import read_cached
from sutler.bots.kit.records import BOT, Numbers, find_scale
from sutler.core.definition import Definition
from sutler.core.files.box import hash_data
from sutler.core.learners.encoding import NUMBER, Encoding
from sutler.core.play.game import Game
from sutler.core.record import Record, record
from sutler.core.record import field as column

FILE = "policy.npz"
VERSION = 1
HIDDEN = 64
"""Units of the hidden layer."""
JUDGEMENT_WEIGHT = 60.0
"""The initial weight of the game's own evaluation: an action better by 1/60 of the evaluation's scale is chosen e times as often."""
INITIAL_SPREAD = 0.1
"""The standard deviation of the first layer's weights before training."""


@functools.cache
def build_encoding(game: Game) -> Encoding:
    """The encoding of a game's observations as inputs; for the largest table, so that it serves every number of seats."""
    return Encoding(game, game.max_seats, "onehot")


@functools.cache
def build_network_record(definition: Definition, n_inputs: int, n_observed: int) -> Record:
    """The record of a policy's settings and network.

    `n_inputs`: the number of inputs; `n_observed`: the observed numbers they are made from.
    """
    actions, phases = definition.actions.n, len(definition.phases.words)
    seats = max(2, definition.info.seats[1])  # one seat alone wins or loses: two ends as well
    net = record(
        "PolicyNet",
        ("scale", "f4"),
        ("tables", "i4"),  # bit n: it was trained at tables of n seats; at others the network is not used
        column("raw", "f4", definition.N_OBSERVED),  # working memory, like the fields down to "worth"
        ("n", "i4"),
        column("at", "i4", n_inputs),
        column("much", "f4", n_inputs),
        column("hidden", "f4", HIDDEN),
        column("chance", "f4", seats),
        column("worth", "f4", actions),
        column("plan", NUMBER, n_observed),
        column("first", "f4", (n_inputs, HIDDEN)),
        column("bias", "f4", HIDDEN),
        column("sure", "f4", phases),
        column("action", "f4", (actions, HIDDEN)),
        column("lean", "f4", actions),
        column("win", "f4", (seats, HIDDEN)),
        column("seat", "f4", seats),
    )
    return record("Policy", *BOT.fields, column("elsewhere", BOT), column("net", net))


def build_policy_record(game: Game) -> Record:
    """The record of a policy's settings and network for a game."""
    coded = build_encoding(game)
    return build_network_record(game.definition, coded.n, len(coded.plan))


def list_weight_shapes(game: Game) -> dict[str, tuple[int, ...]]:
    """{name: shape} of each array of weights for a game."""
    net = build_policy_record(game).new().net
    return {name: net[name].shape for name in ("first", "bias", "sure", "action", "lean", "win", "seat")}


@dataclass
class PolicyWeights:
    """The weights of a policy: float32 arrays by their names in the record, the numbers of seats trained with, and how they were made.

    first, bias: the hidden layer. sure: by phase, the weight of the game's own evaluation. action, lean: weights and bias of the
    correction for each action. win, seat: weights and bias of the logarithm of each seat's win probability, from the observer's seat on.
    """

    arrays: dict[str, Numbers]
    seats: tuple[int, ...]
    made: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def untrained(
        cls,
        game: Game,
        seats: int | Sequence[int],
        rng: np.random.Generator,
        judgement_weight: float = JUDGEMENT_WEIGHT,
    ) -> PolicyWeights:
        """The weights of an untrained policy: it decides as the greedy bot does, and gives all seats the same win probability.

        `seats`: the number of seats it is for, or several. `rng`: for the hidden layer's first weights. `judgement_weight`: the weight
        of the game's own evaluation.
        """
        arrays = {name: np.zeros(shape, np.float32) for name, shape in list_weight_shapes(game).items()}
        arrays["first"] = (INITIAL_SPREAD * rng.standard_normal(arrays["first"].shape)).astype(np.float32)
        arrays["sure"][:] = judgement_weight
        return cls(arrays, (seats,) if isinstance(seats, int) else tuple(seats))

    def write_into(self, game: Game, net: Any) -> Any:
        """Write the weights into a network's record."""
        net.scale, net.tables = find_scale(game.definition), sum(1 << n for n in self.seats)
        net.plan[:] = build_encoding(game).plan
        for name, array in self.arrays.items():
            net[name][...] = array
        return net

    def file(self, game: Game) -> bytes:
        """The bytes of a file that `PolicyWeights.read` reads; weights are stored as float16."""
        about = {"version": VERSION, "game": game.name, "box": game.box_hash, "inputs": hash_inputs(game)}
        about |= {"seats": pack_seats(self.seats), "made": self.made}
        packed = {name: array.astype(np.float16) for name, array in self.arrays.items()}
        out = io.BytesIO()
        np.savez_compressed(out, about=np.array(json.dumps(about)), **packed)  # type: ignore[arg-type]
        return out.getvalue()

    @classmethod
    def read(cls, path: Path, game: Game, any_box: bool = False) -> PolicyWeights:
        """The weights in a file. ValueError when they belong to another game, version or box; `any_box`: of any box of the game."""
        try:
            with np.load(path, allow_pickle=False) as kept:
                about = json.loads(str(kept["about"]))
                arrays = {name: kept[name].astype(np.float32) for name in kept.files if name != "about"}
        except (ValueError, KeyError, OSError):
            raise ValueError(f"{path}: these are no policy's weights") from None
        again = f"`sutler train {game.name} --policy` makes others"
        if about["game"] != game.name:
            raise ValueError(f"{path}: weights for {about['game']}, not for {game.name}; {again}")
        if (about["version"], about["inputs"]) != (VERSION, hash_inputs(game)):
            raise ValueError(f"{path}: learned on another version of {game.title}, whose state has changed; {again}")
        if about["box"] != game.box_hash and not any_box:
            raise ValueError(
                f"{path}: learned with another box ({about['box']}, here {game.box_hash}); "
                f"`sutler train {game.name} --policy --box FILE` learns this one, from these"
            )
        seats = about["seats"]
        return cls(arrays, (seats,) if isinstance(seats, int) else tuple(seats), about["made"])


def pack_seats(seats: Sequence[int]) -> int | list[int]:
    """Numbers of seats as plain data: the number itself if there is one, as files of older policies have it; else a list."""
    return seats[0] if len(seats) == 1 else list(seats)


def hash_inputs(game: Game) -> str:
    """A fingerprint of a game's inputs, phases and actions; weights can be used only where it is equal."""
    table = game.definition.actions
    blocks = {name: [table.ids(name).start, table.ids(name).stop] for name in table.blocks}
    return hash_data(json.dumps([build_encoding(game).names, game.definition.phases.words, blocks, HIDDEN]))


def find_shipped_policy_file(definition: Definition) -> Path:
    """The path of the policy's file that comes with a game, whether it exists or not."""
    return definition.folder / FILE


def read_cached_policy(path: Path, game: Game, any_box: bool = False) -> PolicyWeights:
    """The weights in a file, kept in memory until the file changes. Arguments as of `PolicyWeights.read`."""
    return read_cached(PolicyWeights.read, path, game, any_box)

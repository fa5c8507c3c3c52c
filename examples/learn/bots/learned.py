"""Learned: plays by the weights that ppo.py wrote beside this file, GAME.npz. It needs NumPy only."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sutler import SeatView
from sutler.core.actions import Action
from sutler.core.chance import below

HERE = Path(__file__).resolve().parent
FINE = 1 << 30  # into so many parts a chance is divided


@functools.cache
def weights_of(game: str) -> dict[str, Any]:
    """The weights for a game; ValueError when there are none."""
    path = HERE / f"{game}.npz"
    if not path.exists():
        raise ValueError(f"{path}: this bot has not learned {game} yet: python {HERE.parent / 'ppo.py'} {game}")
    with np.load(path) as kept:
        return dict(kept)


def chances(weights: dict[str, Any], seen: Any, legal: Any) -> Any:
    """How likely it is to take each of the legal actions: the same sums as `think` in ppo.py, for one observation."""
    acts, x = weights["acts"], seen[weights["reads"]]
    x = np.sign(x) * np.log1p(np.abs(x))
    for layer in ("first", "second"):
        x = np.maximum(x @ weights[layer] + weights[f"{layer}_bias"], 0)
    at = np.searchsorted(acts, legal)
    at[acts[np.minimum(at, len(acts) - 1)] != legal] = len(
        acts
    )  # never met in training: the last choice is for the first of them
    logits = x @ weights["policy"][:, at] + weights["policy_bias"][at]
    strange = np.flatnonzero(at == len(acts))
    logits[strange[1:]] = -np.inf
    likely = np.exp(logits - logits.max())
    return likely / likely.sum()


@dataclass(frozen=True)
class Learned:
    """Takes an action as often as its policy says."""

    name = "learned"

    def choose(self, view: SeatView) -> Action:
        """One of the legal actions, drawn with the bot's own luck. ValueError without weights for this game."""
        legal = np.asarray(view.legal)
        heap = np.cumsum(chances(weights_of(view.game.name), view.observation(), legal))
        drawn = (1 + int(below(view.luck, FINE))) / FINE * heap[-1]
        return view.game.action_names[int(legal[int((heap >= drawn).argmax())])]

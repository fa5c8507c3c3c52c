"""Luck that anyone can check: a seal over it from the start, the players' own numbers mixed in, all of it told at the end.

Whoever keeps a table draws a seed and shows its *seal* before anybody has given a number. Each number given makes a new
*bond* from the one before; seed and last bond together are the seed of the deal. Whoever gave a number and noted the bond
before it knows that nothing before it was chosen after it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.game import Game


def sealed_text(game: Game, seats: int, seed: int, nonce: str) -> str:
    """What a seal is made of: what is played, the seed, and a nonce without which nobody can try seeds."""
    said = [game.name, game.box_hash, sorted(game.changed_options().items()), seats, seed, nonce]
    return json.dumps(said)


def seal_of(game: Game, seats: int, seed: int, nonce: str) -> str:
    """What binds a table to its luck before the first move: it tells nothing, and fits one seed and nonce only."""
    return _sha256(sealed_text(game, seats, seed, nonce))


def bond_of(seal: str, numbers: Iterable[str]) -> str:
    """What binds seal and numbers, in the order in which they were given."""
    bond = seal
    for number in numbers:
        bond = _sha256(f"{bond} {number}")
    return bond


def mixed(seed: int, seal: str, numbers: Iterable[str]) -> int:
    """The seed of the deal: the sealed one where nobody gave a number, else what it and the last bond make (56 bits)."""
    bond = bond_of(seal, numbers)
    return seed if bond == seal else int(_sha256(f"{seed} {bond}")[:14], 16)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

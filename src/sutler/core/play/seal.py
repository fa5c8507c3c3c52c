"""Luck that anyone can check: it is sealed before the game, mixed with the players' own numbers, and published at the end.

The server draws a seed and shows its *seal* before anybody has given a number. Each number given makes a new *bond* from the one
before; seed and last bond together give the seed of the deal. A player who gave a number and noted the bond before it knows that
nothing before it was chosen after it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.play.game import Game


def sealed_text(game: Game, seats: int, seed: int, nonce: str) -> str:
    """The text that is sealed: game, box, options, seats, the seed, and a nonce without which nobody can try seeds."""
    said = [game.name, game.box_hash, sorted(game.changed_options().items()), seats, seed, nonce]
    return json.dumps(said)


def seal_of(game: Game, seats: int, seed: int, nonce: str) -> str:
    """The seal, a SHA-256 hash that commits the server to its luck before the first move and reveals nothing of it."""
    return _sha256(sealed_text(game, seats, seed, nonce))


def hash_of_numbers(seal: str, numbers: Iterable[str]) -> str:
    """The hash that commits to the seal and the numbers, in the order in which they were given."""
    bond = seal
    for number in numbers:
        bond = _sha256(f"{bond} {number}")
    return bond


def mixed_seed(seed: int, seal: str, numbers: Iterable[str]) -> int:
    """The seed of the deal: the sealed one if nobody gave a number, else a hash of it and the last bond (56 bits)."""
    bond = hash_of_numbers(seal, numbers)
    return seed if bond == seal else int(_sha256(f"{seed} {bond}")[:14], 16)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

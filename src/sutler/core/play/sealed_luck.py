"""A verifiable shuffle: the seed is committed to by a hash before the game, mixed with players' numbers, published afterwards.

The server draws a seed and shows its *seal*, a hash, before any player has given a number. Each number that a player gives is hashed
together with the hash so far (the first time the seal) into a new hash, the *bond*; the seed and the last bond together give the seed
of the deal. A player who noted the bond before giving a number knows that neither the seed nor an earlier number was chosen later.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sutler.core.play.game import Game


def build_sealed_text(game: Game, seats: int, seed: int, nonce: str) -> str:
    """The text whose hash is the seal, as JSON: game, box, options, seats, seed, and a nonce, so that nobody finds the seed by trying."""
    said = [game.name, game.box_hash, sorted(game.changed_options().items()), seats, seed, nonce]
    return json.dumps(said)


def compute_seal(game: Game, seats: int, seed: int, nonce: str) -> str:
    """The seal, a SHA-256 hash that commits the server to its luck before the first move and reveals nothing of it."""
    return _sha256(build_sealed_text(game, seats, seed, nonce))


def hash_numbers(seal: str, numbers: Iterable[str]) -> str:
    """The hash that commits to the seal and the numbers, in the order in which they were given."""
    bond = seal
    for number in numbers:
        bond = _sha256(f"{bond} {number}")
    return bond


def mix_seed(seed: int, seal: str, numbers: Iterable[str]) -> int:
    """The seed of the deal: the sealed `seed` if `numbers` is empty, else 56 bits of a hash of the seed and the last bond."""
    bond = hash_numbers(seal, numbers)
    return seed if bond == seal else int(_sha256(f"{seed} {bond}")[:14], 16)


def _sha256(text: str) -> str:
    """The SHA-256 hash of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()

"""The only source of luck: xoshiro128++ (Blackman and Vigna, 2019), its four 32-bit words kept in `state.rng`.

Every sum and product below fits in 63 bits, so nothing wraps, and plain Python draws the same numbers as compiled code.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from sutler.core.rule import rule

_MASK32 = 0xFFFFFFFF
GAME_STREAM, REDEAL_STREAM = 0, 1
SEAT_STREAMS = 1000  # one for the bot of each seat


@rule
def _rotate_left(word: Any, k: Any) -> Any:
    """A 32-bit word rotated left by k bits."""
    return ((word << k) & _MASK32) | (word >> (32 - k))


@rule
def draw32(rng: Any) -> Any:
    """The next 32 random bits of a generator (four words), as an int64."""
    s0 = np.int64(rng[0])
    s1 = np.int64(rng[1])
    s2 = np.int64(rng[2])
    s3 = np.int64(rng[3])
    result = (_rotate_left((s0 + s3) & _MASK32, 7) + s0) & _MASK32
    t = (s1 << 9) & _MASK32
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = _rotate_left(s3, 11)
    rng[0] = s0
    rng[1] = s1
    rng[2] = s2
    rng[3] = s3
    return result


@rule
def below(luck: Any, n: Any) -> int:
    """A number from 0 to n - 1, each equally likely to within n / 2**32; n from 1 to 2**31 - 1.

    `luck` is any record with a generator in its field `rng`: a state, or a bot's own `Luck`.
    """
    return (draw32(luck.rng) * n) >> 32  # type: ignore[no-any-return]


@rule
def die(state: Any, sides: Any) -> int:
    """The roll of one die: 1 to `sides`."""
    return below(state, sides) + 1


@rule
def shuffle(state: Any, items: Any, n: Any) -> Any:
    """Put the first n items of an array into random order (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(state, i + 1)
        held = items[i]
        items[i] = items[j]
        items[j] = held


@rule
def _multiply_mod_2_32(a: Any, b: Any) -> Any:
    """The product a * b modulo 2**32 of two 32-bit numbers, computed in parts that fit in 63 bits."""
    return ((a & 0xFFFF) * b + ((((a >> 16) * b) & 0xFFFF) << 16)) & _MASK32


@rule
def seed_luck(luck: Any, seed: Any, stream: Any) -> Any:
    """Fill a record's random generator from a seed (0 to 2**62 - 1) and the number of a stream.

    Streams do not overlap in practice. Each word is mixed from its parts by a 32-bit finaliser (Wellons, `lowbias32`).
    """
    rng = luck.rng
    low = seed & _MASK32
    high = (seed >> 32) & _MASK32
    for i in range(4):
        word = (low + i * 0x9E3779B9 + _multiply_mod_2_32(stream & _MASK32, 0x85EBCA6B)) & _MASK32
        for _ in range(2):
            word ^= word >> 16
            word = _multiply_mod_2_32(word, 0x7FEB352D)
            word ^= word >> 15
            word = _multiply_mod_2_32(word, 0x846CA68B)
            word ^= word >> 16
            word = (word + high + (stream >> 32)) & _MASK32
        rng[i] = word
    if rng[0] == 0 and rng[1] == 0 and rng[2] == 0 and rng[3] == 0:
        rng[0] = 1  # the one state the generator never leaves
    for _ in range(8):
        draw32(rng)


@rule
def seed_seat(luck: Any, seed: Any, seat: Any) -> Any:
    """Fill the random generator of the bot in a seat; each seat of a game with this seed has a stream of its own."""
    seed_luck(luck, seed, SEAT_STREAMS + seat)


@rule
def reseed(luck: Any, source: Any) -> Any:
    """Seed a record's generator with four words drawn from another record's."""
    for i in range(4):
        luck.rng[i] = draw32(source.rng)


def derive_seed_after_undo(seed: int, number: int) -> int:
    """The seed for all random numbers after the `number`-th undo of a game.

    It follows from the game's seed, and is as secret.
    """
    said = hashlib.sha256(f"{seed} taken back {number}".encode()).digest()
    return int.from_bytes(said[:7], "big")


def new_luck(seed: int, stream: int = 0) -> Any:
    """A new `Luck` record: a generator of this seed and stream."""
    from sutler.core.record import record

    luck = record("Luck", ("rng", "u4", 4)).new()
    seed_luck(luck, seed, stream)
    return luck

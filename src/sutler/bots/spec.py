"""Bots as one writes them on a command line: `greedy`, `search:rounds=40`, `greedy:noise=0.1:blunders=0.05`."""

from __future__ import annotations

from sutler.bots import Bot, bot


def bot_from(spec: str) -> Bot:
    """A bot by name and settings, separated by colons; ValueError says what is wrong with it."""
    name, *pairs = spec.strip().split(":")
    settings: dict[str, float | int] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        try:
            number = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise ValueError(f"{spec}: write settings as {name}:KEY=NUMBER, not {pair!r}")
        settings[key] = int(number) if number == int(number) else number
    return bot(name, **settings)


def bots_from(specs: str) -> list[Bot]:
    """Several, separated by commas; ValueError when there is none."""
    found = [bot_from(one) for one in specs.split(",") if one.strip()]
    if not found:
        raise ValueError("no bots are named; write them with commas between, such as greedy,random")
    return found

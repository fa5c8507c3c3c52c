"""`sutler play`: a game at the keyboard, against bots or several at one screen."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sutler.terminal.draw import console
from sutler.terminal.errors import Trouble, known_game, settings_from, told
from sutler.terminal.sitting import Left, Sitting
from sutler.terminal.warm import show_warming

if TYPE_CHECKING:
    from sutler.bots import Bot
    from sutler.core.game import Game
    from sutler.core.position import Position

NAMES = ("Agnes", "Perrin", "Osric", "Maud", "Wat", "Sybil")


@dataclass(frozen=True)
class Laid:
    """How a new table is laid."""

    seats: int | None
    seed: int | None
    settings: list[str]
    box: Path | None
    position: Path | None
    before: str | None = None


def play_in_terminal(game: str, laid: Laid, bots: str, me: str, names: str | None, save: Path | None) -> None:
    """Set the table, or take up a saved game, and play to the end."""
    with told():
        from sutler.core.warm import ensure_warm_in_background

        if Path(game).is_file():
            name = _game_in(Path(game))
            background = ensure_warm_in_background([name])
            pos = _resumed(Path(game))
            save = save or Path(game)
        else:
            name = known_game(game)
            dealt = None if laid.before is None else _begun_later(name, laid, laid.before)
            background = ensure_warm_in_background([name])
            pos = dealt or _new(name, laid)
            if save is not None and save.exists():
                raise Trouble(f"{save} exists already; to go on with that game: sutler play {save}")
        people = _people(me, pos.n_seats)
        players, levels = _players(bots, people, pos.n_seats)
        _name_seats(pos, names)
        table = Sitting(console(), pos, people, players, save, levels)
        try:
            table.play()
        except (Left, EOFError, KeyboardInterrupt):
            table.leave()
        finally:
            background.stop()


def _new(name: str, laid: Laid) -> Position:
    from sutler.bots import bot

    loaded, seats = _loaded(name, laid)
    return loaded.new(seats=seats, seed=_seed(laid), position=laid.position, bots=bot)


def _loaded(name: str, laid: Laid) -> tuple[Game, int | None]:
    """The game, and how many sit down; a position says that itself."""
    from sutler.core.game import load

    loaded, seats = load(name, laid.box, settings_from(laid.settings)), laid.seats
    if seats is None and laid.position is None:
        seats = min(max(3, loaded.min_seats), loaded.max_seats, loaded.best_seats)
    return loaded, seats


def _seed(laid: Laid) -> int:
    return secrets.randbelow(1 << 31) if laid.seed is None else laid.seed


def _begun_later(name: str, laid: Laid, spec: str) -> Position:
    """What a bot leaves that has played what lies before. By compiled rules: plain ones take minutes for it, and bots look less far."""
    from sutler.bots import bot_from, decided

    if laid.position is not None:
        raise Trouble("--before: a position begins where it stands; say --set start_year=4 instead, or the like")
    player = bot_from(spec)
    if getattr(player, "budget", 0) and not getattr(player, "rounds", 0):
        raise Trouble(
            f"--before {spec}: this bot goes by the clock and never does the same twice; search:rounds=40 does"
        )
    loaded, seats = _loaded(name, laid)
    show_warming(name)
    with console().status("bots play what lies before …"):
        return loaded.new(seats=seats, seed=_seed(laid), before=partial(decided, player))


def _game_in(file: Path) -> str:
    try:
        return known_game(str(json.loads(file.read_text(encoding="utf-8"))["game"]))
    except (OSError, ValueError, TypeError, KeyError):
        raise Trouble(f"{file} is no game file, and there is no game of that name") from None


def _resumed(file: Path) -> Position:
    from sutler.core.replay import read_game_file

    return read_game_file(file)


def _people(me: str, n_seats: int) -> list[int]:
    """`1,3` as seat indexes."""
    if me.strip().casefold() in ("none", "0", ""):
        return []
    people = []
    for part in me.split(","):
        if not part.strip().isdigit() or not 1 <= int(part) <= n_seats:
            raise Trouble(f"--me {me}: name seats from 1 to {n_seats}, such as 1 or 1,2; or `none` to watch")
        people.append(int(part) - 1)
    return people


def _players(bots: str, people: Sequence[int], n_seats: int) -> tuple[dict[int, Bot], dict[int, str]]:
    """A bot, and its level, for every seat that nobody takes; with `--bots none` everybody sits at this keyboard."""
    from sutler.bots import bot_from

    wanted = [one.strip() for one in bots.split(",") if one.strip()]
    if not wanted or wanted == ["none"]:
        if not people:
            raise Trouble("--me none wants bots in all seats: --bots normal")
        return {}, {}
    made = [bot_from(one) for one in wanted]
    free = [seat for seat in range(n_seats) if seat not in people]
    players = {seat: made[i % len(made)] for i, seat in enumerate(free)}
    return players, {seat: wanted[i % len(made)] for i, seat in enumerate(free)}


def _name_seats(pos: Position, names: str | None) -> None:
    if names:
        given = [one.strip() for one in names.split(",")]
        if len(given) != pos.n_seats or not all(given):
            raise Trouble(f"--names: {pos.n_seats} seats want {pos.n_seats} names, separated by commas")
        pos.names = given
    elif pos.names == [f"Seat {i + 1}" for i in range(pos.n_seats)]:
        pos.names = list(NAMES[: pos.n_seats])

"""`sutler play`: a game at the keyboard, against bots or several at one screen."""

from __future__ import annotations

import contextlib
import json
import secrets
import signal
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, parse_settings, require_game_name
from sutler.cli.options import Box, Seats, Seed, Settings, command
from sutler.cli.progress import compile_with_progress

if TYPE_CHECKING:
    from sutler.bots import Bot
    from sutler.core.play.game import Game
    from sutler.core.play.position import Position


SEAT_NAMES = ("Agnes", "Perrin", "Osric", "Maud", "Wat", "Sybil")


@dataclass(frozen=True)
class Start:
    """The options for how a new game begins."""

    set_: Settings = None
    box: Box = None
    position: Annotated[Path | None, typer.Option(metavar="FILE", help="Begin from this position (TOML).")] = None
    first_game: Annotated[
        bool, typer.Option("--first-game", help="A smaller game to begin with, as the page Learn has it.")
    ] = False
    before: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="A game that begins later (--set start_year=4): this bot has played what lies before.",
            show_default=False,
        ),
    ] = None


@command
def play_command(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game, a card game's file, or a saved game file to go on with.")
    ],
    seats: Seats = None,
    seed: Seed = None,
    bots: Annotated[
        str, typer.Option(help="Who takes the other seats: a level (easy, normal, hard), a list, or none.")
    ] = "normal",
    me: Annotated[str, typer.Option(help="Your seat or seats, from 1; `none` to watch.")] = "1",
    *,
    start: Start,
    names: Annotated[str | None, typer.Option(help="Names for the seats, separated by commas.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the game in this file, move by move.")] = None,
) -> None:
    """Play in the terminal: alone against bots, or several at one keyboard."""
    from sutler.cli.play_commands.game_loop import Left, Sitting
    from sutler.core.compilation.warm import ensure_warm_in_background

    if Path(game).is_file() and not game.endswith(".toml"):
        name = _read_game_name(Path(game))
        background = ensure_warm_in_background([name])
        pos = _load_saved_game(Path(game))
        save = save or Path(game)
    else:
        name = require_game_name(game)
        dealt = secrets.randbelow(1 << 31) if seed is None else seed
        if start.before is not None:
            pos = _begin_game_later(name, seats, dealt, start, start.before)
            background = ensure_warm_in_background([name])
        else:
            background = ensure_warm_in_background([name])
            pos = _begin_game(name, seats, dealt, start)
        if save is not None and save.exists():
            raise CommandError(f"{save} exists already; to go on with that game: sutler play {save}")
    people = _parse_own_seats(me, pos.n_seats)
    players, levels = _build_bots(bots, people, pos.n_seats)
    _name_seats(pos, names)
    table = Sitting(make_console(), pos, people, players, save, levels)
    try:
        with _stop_on_signals():
            table.play()
    except (Left, EOFError, KeyboardInterrupt):
        with contextlib.suppress(OSError):  # the terminal may be gone
            table.save_and_leave()
    finally:
        background.stop_compiling()


@contextlib.contextmanager
def _stop_on_signals() -> Iterator[None]:
    """Make a closed terminal (SIGHUP) and SIGTERM end the `with` block as Ctrl-C does, so that the game is kept."""
    ends = [number for name in ("SIGHUP", "SIGTERM") if (number := getattr(signal, name, None)) is not None]

    def raise_interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = {
        number: signal.signal(number, raise_interrupt)
        for number in ends
        if threading.current_thread() is threading.main_thread()
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _begin_game(name: str, seats: int | None, seed: int, start: Start) -> Position:
    """The first position of a new game with these options."""
    from sutler.bots import bot

    loaded, n_seats = _load_game_and_seats(name, seats, start)
    return loaded.new(seats=n_seats, seed=seed, position=start.position, bots=bot)


def _load_game_and_seats(name: str, seats: int | None, start: Start) -> tuple[Game, int | None]:
    """(the game, the number of seats); the number is None if a position says it."""
    from sutler.core.play.game import load
    from sutler.core.play.registry import find_game_folder
    from sutler.core.text.coaching import FirstGame, read_coaching
    from sutler.core.text.language import _
    from sutler.core.text.lesson import read_lessons

    first = read_coaching(find_game_folder(name)).first_game if start.first_game else FirstGame()
    loaded = load(name, start.box, {**first.options, **parse_settings(start.set_ or [])})
    if first.text:
        make_console().print(_("A first game: {what}.", what=loaded.tongue(first.text)), soft_wrap=True)
    if seats is None and start.position is None:
        seats = min(max(3, loaded.min_seats), loaded.max_seats, loaded.best_seats)
        taught = read_lessons(loaded.folder).get("first") if start.first_game else None
        seats = max(seats, taught.seats if taught else 0)  # with fewer one might lead two powers
    return loaded, seats


def _begin_game_later(name: str, seats: int | None, seed: int, start: Start, bot_spec: str) -> Position:
    """The first position of a game that begins later than printed: the bot `bot_spec` plays the part before. Compiles the rules first."""
    from sutler.bots import bot_from, choose_checked_action

    if start.position is not None:
        raise CommandError("--before: a position begins where it stands; say --set start_year=4 instead, or the like")
    player = bot_from(bot_spec)
    if getattr(player, "budget", 0) and not getattr(player, "rounds", 0):
        raise CommandError(
            f"--before {bot_spec}: this bot goes by the clock and never does the same twice; search:rounds=40 does"
        )
    loaded, n_seats = _load_game_and_seats(name, seats, start)
    compile_with_progress(name)
    with make_console().status("bots play what lies before …"):
        return loaded.new(seats=n_seats, seed=seed, before=partial(choose_checked_action, player))


def _read_game_name(file: Path) -> str:
    """The name of the game in a saved game file; CommandError if the file is none."""
    try:
        return require_game_name(str(json.loads(file.read_text(encoding="utf-8"))["game"]))
    except (OSError, ValueError, TypeError, KeyError):
        raise CommandError(f"{file} is no game file, and there is no game of that name") from None


def _load_saved_game(file: Path) -> Position:
    """The last position of a saved game."""
    from sutler.core.files.replay import read_game_file

    return read_game_file(file)


def _parse_own_seats(me_option: str, n_seats: int) -> list[int]:
    """The indexes of the seats named in the option --me, such as `1,3`, where seats count from 1; CommandError for a wrong number."""
    if me_option.strip().casefold() in ("none", "0", ""):
        return []
    people = []
    for part in me_option.split(","):
        if not part.strip().isdigit() or not 1 <= int(part) <= n_seats:
            raise CommandError(
                f"--me {me_option}: name seats from 1 to {n_seats}, such as 1 or 1,2; or `none` to watch"
            )
        people.append(int(part) - 1)
    return people


def _build_bots(bots: str, people: Sequence[int], n_seats: int) -> tuple[dict[int, Bot], dict[int, str]]:
    """({seat: bot}, {seat: its name}) for every seat not in `people`; both empty with `--bots none`, when all sit at this keyboard."""
    from sutler.bots import bot_from

    wanted = [one.strip() for one in bots.split(",") if one.strip()]
    if not wanted or wanted == ["none"]:
        if not people:
            raise CommandError("--me none wants bots in all seats: --bots normal")
        return {}, {}
    made = [bot_from(one) for one in wanted]
    free = [seat for seat in range(n_seats) if seat not in people]
    players = {seat: made[i % len(made)] for i, seat in enumerate(free)}
    return players, {seat: wanted[i % len(made)] for i, seat in enumerate(free)}


def _name_seats(pos: Position, names: str | None) -> None:
    """Give the seats the names of the option --names, or SEAT_NAMES if they have none of their own."""
    if names:
        given = [one.strip() for one in names.split(",")]
        if len(given) != pos.n_seats or not all(given):
            raise CommandError(f"--names: {pos.n_seats} seats want {pos.n_seats} names, separated by commas")
        pos.names = given
    elif pos.names == [f"Seat {i + 1}" for i in range(pos.n_seats)]:
        pos.names = list(SEAT_NAMES[: pos.n_seats])

"""`sutler bot`: copy a learning bot to begin from, or check that a bot plays every game by its rules."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer

import sutler
from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, require_game_name
from sutler.cli.options import Seed, command

if TYPE_CHECKING:
    from sutler.bots import Bot
    from sutler.core.actions import Action
    from sutler.core.play.game import Game
    from sutler.core.play.position import SeatView

bot_app = typer.Typer(no_args_is_help=True, help="Begin bots of one's own, and look at them.")

INSTALLED = Path(sutler.__file__).parent / "learner"
CHECKOUT = Path(sutler.__file__).parents[2] / "examples" / "learn"
NOT_COPIED = (
    "__pycache__",
    "*.npz",
    "*.csv",
    "*.svg",
)  # what the examples wrote if they were run in the project's tree


MAX_DECISIONS = 400
"""The number of decisions after which a trial game is stopped: against random bots some last for thousands."""


@bot_app.command("new")
@command
def bot_new_command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to: a folder that is not there yet.")],
) -> None:
    """Begin a bot that learns by playing: a program that trains it and the bot that plays by what was learned, yours to change."""
    if folder.exists():
        raise CommandError(f"{folder} is there already; choose another name")
    shutil.copytree(INSTALLED if INSTALLED.is_dir() else CHECKOUT, folder, ignore=shutil.ignore_patterns(*NOT_COPIED))
    shown = folder if folder.is_absolute() else f"./{folder}"
    for said in (
        f"{folder}: a program that learns, and a bot that plays by what it learned. Next:",
        f"  python {shown}/ppo.py manor --set offers=0 --minutes 10",
        f"  sutler simulate manor --bots {shown}/bots/learned.py,random --seats 2 --set offers=0 --games 20",
        f"  SUTLER_BOTS={shown}/bots sutler serve --open",
        'It needs JAX: pip install "sutler[train]". What the files do stands in each, and in Sutler\'s docs/learn.md.',
    ):
        make_console().print(said, soft_wrap=True)


@bot_app.command("check")
@command
def bot_check_command(
    spec: Annotated[
        str, typer.Argument(metavar="BOT", help="A program (./mybot), a file (./mine.py:Thrifty) or a name.")
    ],
    game: Annotated[list[str] | None, typer.Option("--game", help="Only this game (again for more).")] = None,
    games_: Annotated[int, typer.Option("--games", min=1, help="Games of each.")] = 2,
    seed: Seed = None,
) -> None:
    """Check that a bot keeps to the rules: it plays every game against random bots, and its faults are listed."""
    from sutler.bots import bot_from
    from sutler.core.play.game import load
    from sutler.core.play.registry import games

    bot = bot_from(_to_bot_spec(spec))
    chance = bot_from("random")
    out, wrong = make_console(), 0
    for name in [require_game_name(one) for one in game or []] or games():
        played = load(name)
        found = Findings()
        for i in range(games_):
            seats = played.min_seats + i % (played.max_seats - played.min_seats + 1)
            play_trial_game(played, [bot, *[chance] * (seats - 1)], i % seats, (seed or 0) + i, found)
        wrong += len(found.wrong)
        slow = f"{1e3 * median(found.seconds):.1f} ms, at most {1e3 * max(found.seconds):.0f}" if found.seconds else "-"
        out.print(f"{played.title}: {found.decisions:,} decisions in {games_} games, {slow}")
        for one in dict.fromkeys(found.wrong):
            out.print(f"  {one}", style="red")
    if hasattr(bot, "close"):
        bot.close()
    if wrong:
        out.print(f"{wrong} decisions were not the bot's own.", style="bold")
        raise typer.Exit(1)
    out.print("Every decision was legal and in time.", style="bold")


@dataclass
class Findings:
    """The results of a bot's trial games of one game: the number of decisions, the seconds that each took, and faults in words."""

    decisions: int = 0
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def _to_bot_spec(spec: str) -> str:
    """The name of the bot in the form that `bot_from` reads: an executable file other than a Python file gets `cmd:` before it."""
    runs = Path(spec).is_file() and not spec.endswith(".py") and os.access(spec, os.X_OK)
    return f"cmd:{Path(spec).resolve()}" if runs else spec


def _choose_action_or_fault(bot: Bot, view: SeatView) -> tuple[Action, str]:
    """(the bot's action, ""), or (the first legal action, the bot's fault in words)."""
    from sutler.bots import BotFault, choose_checked_action

    try:
        return choose_checked_action(bot, view), ""
    except BotFault as fault:
        return view.actions()[0], str(fault)


def play_trial_game(game: Game, bots: list[Bot], first_seat: int, seed: int, findings: Findings) -> None:
    """Play one game and add to `findings`; the bot on trial is the first of `bots`, which sit from seat `first_seat` on."""
    from sutler.bots import notify_finish

    bot = bots[0]
    pos = game.new(len(bots), seed)
    while not pos.over and len(pos.decisions) < MAX_DECISIONS:
        seat = pos.seat
        assert seat is not None
        player = bots[(seat - first_seat) % len(bots)]
        view = pos.for_seat(seat)
        faults, begun = len(getattr(bot, "faults", ())), time.perf_counter()
        action, fault = _choose_action_or_fault(player, view)
        if player is bot:
            findings.seconds.append(time.perf_counter() - begun)
            findings.decisions += 1
            findings.wrong += getattr(bot, "faults", [])[faults:]
            findings.wrong += [fault] if fault else []
        pos.play(action)
    notify_finish({first_seat: bot}, pos)

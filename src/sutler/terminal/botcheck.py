"""`sutler bot check`: a bot of one's own plays every game, and what it does wrong is told."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import typer

from sutler.bots import Bot, BotFault, bot_from, decided, finish
from sutler.core.actions import Action
from sutler.core.game import Game, load
from sutler.core.registry import games
from sutler.core.seat import SeatView
from sutler.terminal.draw import console
from sutler.terminal.errors import known_game, told

MOST_DECISIONS = 400
"""A game against chance may go on for thousands: so many say enough."""


@dataclass
class Findings:
    """What came of one game's trials."""

    decisions: int = 0
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def check_bot(spec: str, only: list[str], n_games: int, seed: int) -> None:
    """A line a game: decisions, how long they took, what was wrong; exit code 1 when anything was."""
    with told():
        bot = bot_from(_spec(spec))
        chance = bot_from("random")
        out, wrong = console(), 0
        for name in [known_game(one) for one in only] or games():
            game = load(name)
            found = Findings()
            for i in range(n_games):
                seats = game.min_seats + i % (game.max_seats - game.min_seats + 1)
                try_out(game, [bot, *[chance] * (seats - 1)], i % seats, seed + i, found)
            wrong += len(found.wrong)
            slow = (
                f"{1e3 * median(found.seconds):.1f} ms, at most {1e3 * max(found.seconds):.0f}"
                if found.seconds
                else "-"
            )
            out.print(f"{game.title}: {found.decisions:,} decisions in {n_games} games, {slow}")
            for one in dict.fromkeys(found.wrong):
                out.print(f"  {one}", style="red", markup=False, highlight=False)
        if hasattr(bot, "close"):
            bot.close()
        if wrong:
            out.print(f"{wrong} decisions were not the bot's own.", style="bold")
            raise typer.Exit(1)
        out.print("Every decision was legal and in time.", style="bold")


def _spec(spec: str) -> str:
    """A path to a program that is no Python file goes by itself, without `cmd:`."""
    runs = Path(spec).is_file() and not spec.endswith(".py") and os.access(spec, os.X_OK)
    return f"cmd:{Path(spec).resolve()}" if runs else spec


def _chosen(player: Bot, view: SeatView) -> tuple[Action, str]:
    """What a bot chooses and no fault; or the first legal action, and what is wrong with the bot."""
    try:
        return decided(player, view), ""
    except BotFault as fault:
        return view.actions()[0], str(fault)


def try_out(game: Game, players: list[Bot], first: int, seed: int, found: Findings) -> None:
    """One game; the bot on trial is the first of the players and sits at seat `first`."""
    bot = players[0]
    pos = game.new(len(players), seed)
    while not pos.over and len(pos.decisions) < MOST_DECISIONS:
        seat = pos.seat
        assert seat is not None
        player = players[(seat - first) % len(players)]
        view = pos.for_seat(seat)
        faults, begun = len(getattr(bot, "faults", ())), time.perf_counter()
        action, fault = _chosen(player, view)
        if player is bot:
            found.seconds.append(time.perf_counter() - begun)
            found.decisions += 1
            found.wrong += getattr(bot, "faults", [])[faults:]
            found.wrong += [fault] if fault else []
        pos.play(action)
    finish({first: bot}, pos)

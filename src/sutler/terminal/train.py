"""`sutler train`: a judge that learns from play, round by round."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.terminal.draw import console
from sutler.terminal.errors import known_game, settings_from, told
from sutler.terminal.keeping import check_out
from sutler.terminal.progress import Bar
from sutler.terminal.warm import show_warming

if TYPE_CHECKING:
    from sutler.core.game import Game
    from sutler.lab.training.league import Training


@dataclass(frozen=True)
class Wanted:
    """As it was typed. course: what `lab.training.league.TrainingSettings` is told; start: weights to begin from."""

    game: str
    course: dict[str, Any]
    box: Path | None
    settings: list[str]
    out: Path | None
    keep: Path | None
    start: Path | None = None

    @property
    def called(self) -> str:
        """What its files are called: by the game, and by the box if it is one's own."""
        return self.game if self.box is None else f"{self.game}-{self.box.stem}"


def train_in_terminal(wanted: Wanted, hours: float, rounds: int | None, test: int) -> None:
    """Rounds until there are so many or the time is up; the judge is written after each. Ctrl-C keeps the rounds that are done."""
    with told():
        name = known_game(wanted.game)
        wanted = replace(wanted, game=name)
        out = wanted.out or Path(f"{wanted.called}-judge.json")
        check_out(out, (".json",))
        from sutler.core.game import load
        from sutler.lab.play.files import write_atomically

        game = load(name, wanted.box, settings_from(wanted.settings))
        training = begun(game, wanted, wanted.keep or Path(f"{wanted.called}-training"))
        show_warming(name)
        end = time.monotonic() + 3600 * hours
        try:
            while training.done < rounds if rounds is not None else time.monotonic() < end:
                learn(training)
                write_atomically(out, training.judge().text(game))
        except KeyboardInterrupt:
            console().print(f"Stopped after {training.done} rounds; the same command goes on.", style="dim")
        if training.done:
            write_atomically(out, training.judge().text(game))
            if not training.kept:
                console().print("No round was kept: it judges as it began.", style="dim")
            box = "" if wanted.box is None else f" --box {wanted.box}"
            console().print(
                f"Kept in {out}: sutler simulate {name}{box} --bots judge:weights={out},greedy", style="dim"
            )
        if test and training.done:
            show_test(training, test)


def begun(game: Game, wanted: Wanted, folder: Path) -> Training:
    """The training in the folder, or a new one; for a box of one's own it begins from the judge of the printed one, if there is one.

    That is the one named, or the one in this folder, or the one that comes with the game.
    """
    from sutler.bots.kit.network import Weights, shipped
    from sutler.lab.training.league import Training, TrainingSettings

    there = [wanted.start] if wanted.start else []
    if wanted.box is not None and not there:
        printed = (Path(f"{wanted.game}-judge.json"), shipped(game.definition))
        there = [path for path in printed if path.exists() and path != wanted.out]
    start = Weights.read(there[0], game, any_box=True) if there else None
    if there:
        console().print(f"It begins from {there[0]}", style="dim")
    return Training.at(game, TrainingSettings(**wanted.course), folder, start)


def learn(training: Training) -> None:
    """One round, and what came of it."""
    with Bar(training.course.games) as bar:
        score = training.go(bar.to)
    winning = f"; who wins: loss {score.winning:.4f}" if score.winning else ""
    console().print(
        f"round {training.done}: does as the search in {score.agrees:.1%} of decisions held back "
        f"(loss {score.doing:.4f}){winning}; {fate(training)}"
    )


def fate(training: Training) -> str:
    """Whether the last round was kept."""
    from sutler.lab.training.league import passing_share

    gate = training.course.gate
    if not gate:
        return "kept without a match"
    kept = "kept" if training.won >= passing_share(gate) else "thrown away"
    return f"wins {training.won:.1%} against the one kept last: {kept}"


def show_test(training: Training, games: int) -> None:
    """One judge among greedy bots, one greedy bot among judges: what each wins, in games that nobody learned from."""
    from sutler.bots.kit.network import Weights
    from sutler.lab.stats.measures import wilson
    from sutler.lab.training.league import judge_row, play_duel, play_match

    game, seats = training.game, training.seats
    judge, greedy = judge_row(game, training.weights), judge_row(game, Weights.blank(game).arrays)
    if game.definition.COOPERATIVE:
        share, deals = play_duel(game, judge, greedy, seats, 2 * games, seed=1), games
        low, high = wilson(share * deals, deals)
        console().print(
            f"judges come out better than greedy bots in {share:.1%} of {deals:,} deals ({low:.1%} to {high:.1%})"
        )
        return
    for said, one, others in (("judge among greedy bots", judge, greedy), ("greedy bot among judges", greedy, judge)):
        share = play_match(game, one, others, seats, games, seed=1)
        low, high = wilson(share * games, games)
        console().print(
            f"one {said}: {share:.1%} of {games:,} games ({low:.1%} to {high:.1%}); even is {1 / seats:.1%}"
        )

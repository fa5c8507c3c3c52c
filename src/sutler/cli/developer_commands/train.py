"""`sutler train`: a judge or a policy that learns from play, round by round."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, parse_settings, require_game_name
from sutler.cli.options import Box, GameName, Settings, command
from sutler.cli.output_file import require_writable_out
from sutler.cli.progress import Bar, compile_with_progress

if TYPE_CHECKING:
    from sutler.core.play.game import Game
    from sutler.lab.training.league import Training
    from sutler.lab.training.policy_training import PolicyTraining


@dataclass(frozen=True)
class TrainingOptions:
    """The options of a training; for a judge they become `lab.training.league.TrainingSettings`, for a policy `PolicySettings`."""

    games: Annotated[
        int | None, typer.Option("--games", min=1, help="A round: 200, of a policy 500.", show_default=False)
    ] = None
    asked: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="The share of decisions at which a search is asked.")
    ] = 0.015
    search: Annotated[int, typer.Option(min=2, help="Rounds of such a search.")] = 100
    gate: Annotated[
        int,
        typer.Option(
            min=0,
            help="Games against the judge kept last, by which a round is kept or not; 0 keeps all. Of a policy: of an exam.",
        ),
    ] = 800
    seed: Annotated[int, typer.Option(min=0, help="Same seed and rounds, same judge.")] = 1
    seats: Annotated[
        str | None,
        typer.Option(
            help="How many sit at the table; of a policy several numbers, with commas; the game's best number if left out.",
            show_default=False,
        ),
    ] = None
    policy: Annotated[bool, typer.Option("--policy", help="Train a policy, not a judge (docs/train.md).")] = False
    among: Annotated[str, typer.Option(help="The bots among which a policy learns and has its exams, with commas.")] = (
        "greedy"
    )
    sure: Annotated[
        float,
        typer.Option(
            min=0.001, help="How much a policy goes by the game's own judgement at first; little: it tries out more."
        ),
    ] = 60.0
    pace: Annotated[float, typer.Option(min=0.0, help="The length of a policy's first steps.")] = 0.004
    epochs: Annotated[int, typer.Option(min=1, help="How often a policy goes through a round's decisions.")] = 3
    moved: Annotated[
        float,
        typer.Option(
            min=0.0, help="A round of a policy ends where it has changed by so much (nats a decision); 0: no limit."
        ),
    ] = 0.0
    fading: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=1.0,
            help="How much each later decision of a seat counts for an earlier one of a policy, beside the one before it.",
        ),
    ] = 0.97
    lead: Annotated[
        float,
        typer.Option(
            min=0.0,
            help="Learn from points too: a lead of so many counts as e times as likely a win; 0: only who won counts.",
        ),
    ] = 0.0


@dataclass(frozen=True)
class JudgeFiles:
    """The options for files: the one to begin from, the one to write, and the folder of the training."""

    start: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="What to begin from, of whichever box; with --box GAME-judge.json."
        ),
    ] = None
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="GAME-judge.json or GAME-policy.npz unless told.")
    ] = None
    keep: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="What is needed to go on: GAME-training unless told.")
    ] = None


@command
def train_command(
    game: GameName,
    hours: Annotated[float, typer.Option(min=0.0, help="Begin rounds for so long.")] = 0.5,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="So many, all told, in place of hours.", show_default=False)
    ] = None,
    *,
    lessons: TrainingOptions,
    shelf: JudgeFiles,
    box: Box = None,
    set_: Settings = None,
    test: Annotated[
        int,
        typer.Option(min=0, help="Then so many games, one judge among greedy bots and one greedy bot among judges."),
    ] = 0,
) -> None:
    """Train a judge of a game by play, from where it left off; with --box it starts from the printed box's judge."""
    name = require_game_name(game)
    called = name if box is None else f"{name}-{box.stem}"
    out = shelf.out or Path(f"{called}-policy.npz" if lessons.policy else f"{called}-judge.json")
    require_writable_out(out, (".npz",) if lessons.policy else (".json",))
    from sutler.core.play.game import load
    from sutler.lab.play.atomic_files import write_atomically

    version = load(name, box, parse_settings(set_ or []))
    if lessons.policy:
        train_policy(open_policy_training(version, lessons, shelf, box), out, hours, rounds, test)
        return
    training = open_training(version, lessons, shelf, box)
    compile_with_progress(name)
    end = time.monotonic() + 3600 * hours
    try:
        while training.done < rounds if rounds is not None else time.monotonic() < end:
            train_round(training)
            write_atomically(out, training.judge().to_json_text(version))
    except KeyboardInterrupt:
        make_console().print(f"Stopped after {training.done} rounds; the same command goes on.", style="dim")
    if training.done:
        write_atomically(out, training.judge().to_json_text(version))
        if not training.kept:
            make_console().print("No round was kept: it judges as it began.", style="dim")
        with_box = "" if box is None else f" --box {box}"
        make_console().print(
            f"Kept in {out}: sutler simulate {name}{with_box} --bots judge:weights={out},greedy", style="dim"
        )
    if test and training.done:
        run_and_print_test(training, test)


def open_training(game: Game, options: TrainingOptions, files: JudgeFiles, box: Path | None) -> Training:
    """The training of a judge kept in the folder, or a new one.

    A new training for an edited `box` begins from a judge of the printed box: that of --from, else the file in the current folder, else
    the one that comes with the game; from zero if there is none.
    """
    from sutler.bots.kit.judge_network import Weights, find_shipped_weights_file
    from sutler.lab.training.league import Training, TrainingSettings

    called = game.name if box is None else f"{game.name}-{box.stem}"
    first = find_starting_file(files, box, Path(f"{game.name}-judge.json"), find_shipped_weights_file(game.definition))
    start = Weights.read(first, game, any_box=True) if first else None
    tables = parse_seats(options.seats, game)
    if len(tables) > 1:
        raise CommandError(f"a judge learns at tables of one number of seats, not of {options.seats}")
    course = TrainingSettings(
        seed=options.seed,
        games=options.games or TrainingSettings.games,
        asked=options.asked,
        rounds_of_search=options.search,
        seats=tables[0] if tables else 0,
        gate=options.gate,
    )
    return Training.at(game, course, files.keep or Path(f"{called}-training"), start)


def parse_seats(text: str | None, game: Game) -> tuple[int, ...]:
    """The numbers of seats in a text like "2,3,4", sorted; none where it is None. CommandError where the game has no such table."""
    try:
        seats = sorted({int(one) for one in (text or "").split(",") if one.strip()})
    except ValueError:
        raise CommandError(f"--seats takes numbers with commas between them, not {text!r}") from None
    few, many = game.definition.info.seats
    if seats and not few <= seats[0] <= seats[-1] <= many:
        raise CommandError(f"{game.title} has tables of {few} to {many} seats, not of {text}")
    return tuple(seats)


def find_starting_file(files: JudgeFiles, box: Path | None, *printed_box_files: Path) -> Path | None:
    """Find and print the file that a new training starts from; None to start from zero.

    It is the file of --from; else, for an edited box, the first of `printed_box_files` that exists.
    """
    printed = printed_box_files if box is not None else ()
    found = files.start or next((path for path in printed if path.exists() and path != files.out), None)
    if found:
        make_console().print(f"It begins from {found}", style="dim")
    return found


def open_policy_training(game: Game, options: TrainingOptions, files: JudgeFiles, box: Path | None) -> PolicyTraining:
    """The training of a policy kept in the folder, or a new one; for an edited `box` it begins like a judge's (`open_training`)."""
    from sutler.bots.kit.policy_network import PolicyWeights, find_shipped_policy_file
    from sutler.lab.training.policy_fit import FitSettings
    from sutler.lab.training.policy_training import PolicySettings, PolicyTraining

    called = game.name if box is None else f"{game.name}-{box.stem}"
    first = find_starting_file(files, box, Path(f"{game.name}-policy.npz"), find_shipped_policy_file(game.definition))
    start = PolicyWeights.read(first, game, any_box=True) if first else None
    course = PolicySettings(
        seed=options.seed,
        games=options.games or PolicySettings.games,
        seats=parse_seats(options.seats, game),
        among=options.among,
        exam=options.gate or PolicySettings.exam,
        sure=options.sure,
        fading=options.fading,
        lead=options.lead,
        fit=FitSettings(epochs=options.epochs, pace=options.pace, most_moved=options.moved),
    )
    return PolicyTraining.at(game, course, files.keep or Path(f"{called}-policy-training"), start)


def train_policy(training: PolicyTraining, out: Path, hours: float, rounds: int | None, test_games: int) -> None:
    """Train rounds of a policy, print the result of each, and write to `out` the policy with the best exam.

    Stops after `rounds` in all, or if that is None when `hours` have passed. Then plays `test_games` games on new seeds, if any.
    """
    from sutler.lab.stats.estimates import compute_wilson_interval
    from sutler.lab.training.policy_training import TEST_SEED

    compile_with_progress(training.game.name)
    end, even, among = time.monotonic() + 3600 * hours, training.even, describe_opponents(training.course.among)
    try:
        while training.done < rounds if rounds is not None else time.monotonic() < end:
            told = training.run_round()
            make_console().print(
                f"round {training.done}: wins {training.part:.2f} of its even share, trying things out; "
                f"who wins: error {training.foreseen:.2f} of saying the mean; changed by {told.moved:.4f}"
            )
            if training.done % training.course.exam_every == 0 or training.done == rounds:
                make_console().print(f"  exam: {training.play_exam():.1%} of games among {among}; even is {even:.1%}")
                out.write_bytes((training.folder / "best.npz").read_bytes())
    except KeyboardInterrupt:
        make_console().print(f"Stopped after {training.done} rounds; the same command goes on.", style="dim")
    if out.exists():
        make_console().print(
            f"Kept in {out}: sutler simulate {training.game.name} --bots policy:weights={out},greedy", style="dim"
        )
    if test_games and training.exams:
        share = training.play_exam(test_games, TEST_SEED)
        low, high = compute_wilson_interval(share * test_games, test_games)
        make_console().print(
            f"one policy among {among}: {share:.1%} of {test_games:,} games ({low:.1%} to {high:.1%}); even is {even:.1%}"
        )


def describe_opponents(among: str) -> str:
    """The bots of an exam in words: "greedy bots" where there are no others, else their names."""
    return "greedy bots" if among == "greedy" else among.replace(",", ", ")


def train_round(training: Training) -> None:
    """Train one round and print its result."""
    with Bar(training.course.games) as bar:
        score = training.run_round(bar.update_count)
    winning = f"; who wins: loss {score.winning:.4f}" if score.winning else ""
    make_console().print(
        f"round {training.done}: does as the search in {score.agrees:.1%} of decisions held back "
        f"(loss {score.doing:.4f}){winning}; {format_last_round(training)}"
    )


def format_last_round(training: Training) -> str:
    """A phrase that says whether the last round of a judge's training was kept, and the share of its test match that it won."""
    from sutler.lab.training.league import compute_passing_share

    gate = training.course.gate
    if not gate:
        return "kept without a match"
    kept = "kept" if training.won >= compute_passing_share(gate) else "thrown away"
    return f"wins {training.won:.1%} against the one kept last: {kept}"


def run_and_print_test(training: Training, games: int) -> None:
    """Play new games of one judge among greedy bots and of one greedy bot among judges, and print the share that each wins."""
    from sutler.bots.kit.judge_network import Weights
    from sutler.lab.stats.estimates import compute_wilson_interval
    from sutler.lab.training.league import pack_judge, play_duel, play_match

    game, seats = training.game, training.seats
    judge, greedy = pack_judge(game, training.weights), pack_judge(game, Weights.untrained(game).arrays)
    if game.definition.COOPERATIVE:
        share, deals = play_duel(game, judge, greedy, seats, 2 * games, seed=1), games
        low, high = compute_wilson_interval(share * deals, deals)
        make_console().print(
            f"judges come out better than greedy bots in {share:.1%} of {deals:,} deals ({low:.1%} to {high:.1%})"
        )
        return
    for said, one, others in (("judge among greedy bots", judge, greedy), ("greedy bot among judges", greedy, judge)):
        share = play_match(game, one, others, seats, games, seed=1)
        low, high = compute_wilson_interval(share * games, games)
        make_console().print(
            f"one {said}: {share:.1%} of {games:,} games ({low:.1%} to {high:.1%}); even is {1 / seats:.1%}"
        )

"""`sutler replay`: a saved game played again, reviewed, or checked against its sealed luck."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError
from sutler.cli.options import command

if TYPE_CHECKING:
    from sutler.core.play.position import Position


@command
def replay_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game file, or the record of an experiment.")],
    seed: Annotated[
        int | None, typer.Option(metavar="SEED", help="Which game of a record.", show_default=False)
    ] = None,
    at: Annotated[
        int | None, typer.Option(metavar="N", help="The table after N decisions.", show_default=False)
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Decision by decision; Enter goes on.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check that its luck is the one that was sealed at the table's start.")
    ] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Which decisions cost their seats most? Plays on from them; takes seconds.")
    ] = False,
    seal: Annotated[
        str | None, typer.Option(metavar="SEAL", help="With --verify: the seal you noted when the game began.")
    ] = None,
) -> None:
    """Replay a saved game: its log and its end, the table at one decision, or step by step."""
    if verify or seal:
        verify_luck(file, seal)
    elif review:
        show_review(file, seed)
    else:
        show_replay(file, at, step, seed)


def show_review(file: Path, seed: int | None = None) -> None:
    """Print the decisions of a finished game that cost their seats most. CommandError where it is not over."""
    from sutler.core.files.replay import read_game_file
    from sutler.core.text.sentences import to_plain_text
    from sutler.lab.studies.costly_decisions import find_costly_decisions

    pos = replay_game_of_record(file, seed) if file.suffix == ".parquet" else read_game_file(file)
    if not pos.over:
        raise CommandError(f"{file}: this game is not over; there is nothing to look back on yet")
    out, found = make_console(), find_costly_decisions(pos, frozenset(range(pos.n_seats)))
    if not found:
        out.print("No single decision cost anybody much: nothing else was clearly better.")
    for one in found:
        question, (taken, instead) = to_plain_text(pos.at(one.decision).prompt(one.seat).text), one.format_choices(pos)
        out.print(f"Decision {one.decision}, {pos.names[one.seat]}: {question}", style="bold")
        out.print(f"  {pos.names[one.seat]} chose {taken}. {instead} wins more often from there:")
        more, less, half = (f"{100 * share:.0f}" for share in (one.won_instead, one.won, one.half))
        out.print(
            f"  {more} games in 100, not {less} (± {half} on the difference; normal bots, {one.pairs} games each way)."
        )
    if found:
        out.print(f"See one: sutler replay {file} --at {found[0].decision}", style="dim")


def show_replay(file: Path, at: int | None, step: bool, seed: int | None = None) -> None:
    """Print a saved game: its log and end, the table after `at` decisions, or every decision in turn (`step`).

    `seed`: which game, if the file is the record of an experiment.
    """
    from sutler.cli.terminal_text import render_log, render_prompt, render_results
    from sutler.core.text.drawing import draw_table

    if file.suffix == ".parquet":
        pos = replay_game_of_record(file, seed)
    else:
        from sutler.core.files.replay import read_game_file

        prefer_plain_rules(file)
        pos = read_game_file(file)
    last, out = len(pos.decisions), make_console()
    if at is not None and not 0 <= at <= last:
        raise CommandError(f"{file}: the game has {last} decisions; there is no decision {at}")
    out.print(f"{pos.game.title}, {pos.n_seats} seats, seed {pos.seed}, {last} decisions", style="bold")
    if step:
        for number in range(at or 0, last + 1):
            moment = pos.at(number)
            out.rule(f"after decision {number} of {last}")
            out.print(render_log([line for line in moment.log(None, number) if line.decision == number]))
            out.print(draw_table(moment, None), render_prompt(moment, None))
            if number < last and not wait_for_enter():
                return
    elif at is not None:
        moment = pos.at(at)
        out.print(draw_table(moment, None), render_prompt(moment, None))
    else:
        out.print(render_log(pos.log(None)))
    if pos.over and (at is None or step):
        out.print(render_results(pos))


def replay_game_of_record(file: Path, seed: int | None) -> Position:
    """The game of this seed in the record of an experiment, played again by its bots. CommandError if the record has no such seed."""
    from sutler.lab.play.cycles import replay_game
    from sutler.lab.play.experiment_file import read

    sample = read(file)
    seeds = sample.table["seed"].to_list()
    if seed not in seeds:
        raise CommandError(f"{file} holds the games of seeds {seeds[0]} to {seeds[-1]}; say which with --seed")
    return replay_game(sample.about, seeds.index(seed))


def verify_luck(file: Path, noted_seal: str | None) -> None:
    """Check that a game file replays exactly with the luck that was committed to in its seal; print the result.

    `noted_seal`: the seal that a player noted when the game began, None if none did. CommandError says what does not fit.
    """
    from sutler.core.files.gamefile import parse_game_file
    from sutler.core.files.replay import replay
    from sutler.core.play.sealed_luck import compute_seal

    prefer_plain_rules(file)
    kept = parse_game_file(file.read_text(encoding="utf-8"), str(file))
    if not kept.seal:
        raise CommandError(f"{file}: no seal is in it; it was not played at a table that seals its luck")
    pos = replay(kept, str(file))
    drawn = kept.seed if kept.drawn is None else kept.drawn
    if compute_seal(pos.game, kept.seats, drawn, kept.nonce) != kept.seal:
        raise CommandError(f"{file}: the seal does not fit the seed: it is not the luck that was sealed")
    if noted_seal is not None and noted_seal.strip().casefold() != kept.seal:
        raise CommandError(f"{file}: this is not the seal you noted; that table had {kept.seal}")
    out = make_console()
    out.print(f"{pos.game.title}: {len(kept.actions)} decisions play again to the byte.")
    out.print(f"The luck is the one that was sealed: {kept.seal}")
    for seat, number in kept.numbers:
        out.print(f"Mixed into it, in this order: {number}, from seat {seat + 1}")
    for decision, _ in kept.again:
        out.print(f"Drawn anew from it after decision {decision}, where something was taken back.")
    if noted_seal is None:
        out.print("Compare this seal with the one the table showed at its start.", style="dim")


def prefer_plain_rules(file: Path) -> None:
    """Make a game file's rules run as plain Python if they are not compiled yet: a replay takes less time than compiling."""
    from sutler.core.play.registry import games, load_definition

    try:
        name = json.loads(file.read_text(encoding="utf-8"))["game"]
    except (OSError, ValueError, TypeError, KeyError):
        return  # the reader proper says what is wrong
    if name in games() and not load_definition(name).home.is_warm:
        load_definition(name).home.interpreted = True


def wait_for_enter() -> bool:
    """Wait for a line of input; False if it is q, or the input has ended."""
    try:
        return input("Enter: on · q: leave  ").strip().casefold() not in ("q", "quit")
    except EOFError:
        return False

"""Find puzzles in games between bots, and check those that come with the games.

    python tools/puzzles.py mine GAME --goal points --want 6 --seconds 300
    python tools/puzzles.py check [GAME]

Mining plays games between normal bots and looks for turns in which one line clearly beats all others. Goals "points" and "win": every
line of the rest of the turn is tried (`core.play.puzzle.search_turn`); the line must hang on no luck, at most two orders of doing the
same may come to its end, and an easy bot must miss it. Goal "choice": normal bots play on from every choice of one decision, in pairs with
the same cards and dice; the best must win clearly more often than the second best, also in fresh games that nothing was picked by,
and the bot that looks one move ahead must choose another.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from sutler.bots import bot
from sutler.core.fast_record_reading import list_set_members
from sutler.core.files.box import BoxError
from sutler.core.files.scenario_writer import build_scenario, format_scenario
from sutler.core.play.game import Game, load
from sutler.core.play.position import Position
from sutler.core.play.puzzle import (
    DEALS,
    End,
    Proof,
    Puzzle,
    TurnOutcomes,
    build_proof,
    build_puzzle_position,
    find_puzzle_fault,
    read_puzzles,
    search_turn,
)
from sutler.core.play.registry import games
from sutler.lab.play.rollouts import RolloutTable, mean_and_half_width, play_seat_outcomes
from sutler.lab.play.simulate import concatenate_states

MAX_POSITIONS = 400
"""The most positions that a puzzle's turn may have; more would be too many for a person, and for a test in plain Python."""
MIN_POSITIONS, MIN_LINE, MAX_LINE = 20, 2, 8
MAX_BEST_ENDS = 2
"""The most ends that may be as good as the line's, since the same actions can be taken in another order."""
PLAYER, QUICK_GAMES = "normal", 8
SCREENING_GAMES, GAMES = 24, 240
"""The number of games played on from each choice to select, and then from the best two to prove."""
MIN_MARGIN, MIN_POINTS = 0.10, 0.5
"""The smallest difference between the best choice and the second best, beyond half its interval: in win probability, or in points for
games that all win together."""
MAX_CHOICES, MAX_OF_A_GAME = 12, 3
MAX_SCREENED = 40
"""The most decisions of a game that are tried as puzzles."""
SEAT_NAMES = ("Agnes", "Perrin", "Osric", "Hilde", "Wulf", "Tamsin")


def main(asked: Sequence[str] | None = None) -> int:
    """Run the command line: find puzzles, or check them; returns 1 where a puzzle does not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("mine", "check"))
    parser.add_argument("game", nargs="?", choices=games())
    parser.add_argument("--goal", choices=("points", "win", "choice"), default="points")
    parser.add_argument("--want", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=300.0, help="processor time")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=N", help="an option of the game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, help="the folder to write to; the game's own otherwise")
    given = parser.parse_args(asked)
    if given.do == "check":
        return check([given.game] if given.game else games())
    options = dict(one.split("=", 1) for one in given.option)
    game = load(given.game or parser.error("which game?"), **{name: int(value) for name, value in options.items()})
    folder = given.to or game.folder / "puzzles"
    folder.mkdir(parents=True, exist_ok=True)
    number = max((int(path.stem) for path in folder.glob("*.toml")), default=0)
    for puzzle in mined(game, given.goal, given.want, given.seconds, given.seed):
        number += 1
        path = folder / f"{number:02}.toml"
        path.write_text(text_of_puzzle(puzzle))
        print(f"{path.name}: {puzzle.goal}, {puzzle.line}, {puzzle.proof}", flush=True)
    return 0


# --- Mining --------------------------------------------------------------------------------------------


def mined(game: Game, goal: str, want: int, seconds: float, seed: int) -> Iterator[Puzzle]:
    """Yield puzzles of a goal, at most MAX_OF_A_GAME from each game between bots, until `want` are found or the time is over.

    `seconds`: of processor time; `seed`: of the first game.
    """
    until, begun = time.process_time() + seconds, set[str]()
    table = RolloutTable(game, [PLAYER], game.best_seats)
    while len(begun) < want and time.process_time() < until:
        pos = _played(game, seed)
        found = _choices_in(table, pos, seed) if goal == "choice" else _turns_in(game, pos, goal, seed)
        of_this_game = 0
        for puzzle in found:
            if (
                puzzle.line[0] not in begun and of_this_game < MAX_OF_A_GAME and len(begun) < want
            ):  # no two that begin alike
                begun.add(puzzle.line[0])
                of_this_game += 1
                yield puzzle
        seed += 1


def _played(game: Game, seed: int) -> Position:
    """A whole game between normal bots."""
    pos = game.new(seats=game.best_seats, seed=seed, names=SEAT_NAMES[: game.best_seats])
    player = bot(PLAYER)
    while not pos.over:
        assert pos.seat is not None
        pos.play(player.choose(pos.for_seat(pos.seat, seed)))
    return pos


def _turns_in(game: Game, pos: Position, goal: str, seed: int) -> list[Puzzle]:
    """The puzzles among the turns of a game: first those with the largest gain, then those with the longest line."""
    found: list[tuple[tuple[float, int, int], Puzzle]] = []
    first = max(0, len(pos.decisions) - 40) if goal == "win" else 0
    known = -1
    """The seat whose present turn has been tried completely and depends on no luck, so that its later decisions need no trial."""
    for number in range(first, len(pos.decisions)):
        made = pos.decisions[number]
        if made.n_legal < 2 or made.seat == known:
            continue
        here, known = pos.at(number), -1
        turn = search_turn(here, max_positions=MAX_POSITIONS)
        if turn is None:
            continue
        if not any(end.luck for end in turn.ends):
            known = made.seat
        if turn.positions < MIN_POSITIONS:
            continue
        end = _one_best(turn, goal)
        if end is None or _misses_nothing(here, turn, seed):
            continue
        proof = build_proof(turn, DEALS)
        rank = (min(2.0, turn.find_best_ends()[0] - turn.find_second_best_value()), len(end.line), turn.positions)
        found.append((rank, _puzzle(game, here, goal, end.line, proof)))
    return [puzzle for _, puzzle in sorted(found, key=lambda one: one[0], reverse=True)]


def _one_best(turn: TurnOutcomes, goal: str) -> End | None:
    """The end of a turn that clearly beats all others and depends on no luck; None where there is none."""
    if not turn.ends:
        return None
    value, ends = turn.find_best_ends()
    gain = value - turn.find_second_best_value()
    if gain <= 0 or any(end.luck for end in ends) or ends[0].won != (goal == "win"):
        return None
    if goal == "points" and (len(ends) > MAX_BEST_ENDS or gain < 1):
        return None
    if goal == "win" and len(ends) > max(MAX_BEST_ENDS, len(turn.ends) // 10):
        return None
    shortest = min(ends, key=lambda end: len(end.line))
    return shortest if MIN_LINE <= len(shortest.line) <= MAX_LINE else None


def _misses_nothing(here: Position, turn: TurnOutcomes, seed: int) -> bool:
    """Does an easy bot find a best line by itself?"""
    pos, seat, player = here.copy(), here.seat, bot("easy")
    while not pos.over and pos.seat == seat:
        assert seat is not None
        pos.play(player.choose(pos.for_seat(seat, seed)))
    value, _ = turn.find_best_ends()
    if np.isinf(value):
        return pos.over and pos.places()[seat or 0] == 1
    return pos.scores()[seat or 0] >= value


def _choices_in(table: RolloutTable, pos: Position, seed: int) -> Iterator[Puzzle]:
    """Yield puzzles from the decisions of a game in which one choice clearly wins more often, and the greedy bot prefers another."""
    together = bool(pos.game.definition.COOPERATIVE)
    least = MIN_POINTS if together else MIN_MARGIN
    half = len(pos.decisions) // 2  # from there on a game is soon played to its end, and its winner not yet known
    order = np.random.default_rng(seed).permutation(len(pos.decisions) - half) + half
    for number in [int(one) for one in order[:MAX_SCREENED]]:
        made = pos.decisions[number]
        if not 3 <= made.n_legal <= MAX_CHOICES:
            continue
        here = pos.at(number)
        legal = list(list_set_members(here._out.ids))
        quick = _shares(table, here, legal, QUICK_GAMES, seed)
        next_best, best = np.sort(quick.mean(axis=1))[-2:]
        if best - next_best < least or (not together and not 0.1 < quick.mean() < 0.9):
            continue
        shares = _shares(table, here, legal, SCREENING_GAMES, seed + 1).mean(axis=1)
        first, second = (int(one) for one in np.argsort(-shares, kind="stable")[:2])
        if shares[first] - shares[second] < least:
            continue
        if int(bot("greedy").choose(here.for_seat(made.seat, seed))) == legal[first]:
            continue
        proof = _proof_of_choice(table, here, legal, first, seed)
        if proof.best - proof.second - proof.half >= least:
            yield _puzzle(table.game, here, "choice", (legal[first],), proof)


def _shares(table: RolloutTable, here: Position, actions: Sequence[int], games: int, seed: int) -> np.ndarray:
    """The seat to act's share of the win after each action, in games with the same cards and dice: shape (actions, games).

    In games that all win together its points instead.
    """
    assert here.seat is not None
    view, together = here.for_seat(here.seat, seed=seed), bool(here.game.definition.COOPERATIVE)
    found = []
    for k in range(games):
        world = view.redeal()
        states = concatenate_states(*(table.copy_after_action(world, action) for action in actions))
        outcomes = play_seat_outcomes(table, table.game.box, states, seed * GAMES + k, view.seat)
        found.append([points if together else won for won, points in outcomes])
    return np.array(found).T


def _proof_of_choice(table: RolloutTable, here: Position, actions: Sequence[int], first: int, seed: int) -> Proof:
    """The figures of a choice (`first`, an index of `actions`) and of the best other one, in new games.

    All choices are played in a sixth of GAMES to find the best other one, then the two in GAMES.
    """
    some = _shares(table, here, actions, GAMES // 6, seed + 2).mean(axis=1)
    second = next(int(one) for one in np.argsort(-some, kind="stable") if int(one) != first)
    both = _shares(table, here, [actions[first], actions[second]], GAMES, seed + 3)
    _, half = mean_and_half_width((both[0] - both[1]).tolist())
    best, rival = both.mean(axis=1).round(3).tolist()
    by_points = bool(here.game.definition.COOPERATIVE)
    return Proof(games=GAMES, by_points=by_points, best=best, second=rival, half=round(half, 3))


# --- Files ---------------------------------------------------------------------------------------------


def _puzzle(game: Game, here: Position, goal: str, line: Sequence[int], proof: Proof) -> Puzzle:
    """The puzzle of a position, with its line of actions by name and its proof."""
    scenario = build_scenario(here)
    return Puzzle(
        **scenario.model_dump(),
        you=int(here.seat or 0),
        names=list(here.names),
        goal=goal,
        line=[game.action_names[action].name for action in line],
        proof=proof,
    )


def text_of_puzzle(puzzle: Puzzle) -> str:
    """The text of a puzzle's file."""
    head, _, rest = format_scenario(puzzle).partition("\n[")
    own = [f"you = {puzzle.you}", f"names = {_listed(puzzle.names)}", f'goal = "{puzzle.goal}"']
    proof = [f"{key} = {str(value).lower()}" for key, value in puzzle.proof.model_dump().items() if value]
    return "\n".join([head.rstrip(), *own, f"line = {_listed(puzzle.line)}", "", "[proof]", *proof, "", f"[{rest}"])


def _listed(words: Sequence[str]) -> str:
    """A list of words as TOML."""
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


# --- Checking ------------------------------------------------------------------------------------------


def check(chosen: Sequence[str]) -> int:
    """Prove the puzzles of these games again, and print the result of each; returns 1 if one does not hold."""
    wrong = 0
    for name in chosen:
        game = load(name)
        for number, puzzle in enumerate(read_puzzles(game.folder), 1):
            fault = fault_of(puzzle, game)
            wrong += bool(fault)
            print(f"{name} {number}: {fault or 'holds'}", flush=True)
    return 1 if wrong else 0


def fault_of(puzzle: Puzzle, game: Game) -> str:
    """The reason why a puzzle does not hold, in words, or ""."""
    try:
        pos = build_puzzle_position(puzzle, game.with_options(puzzle.options))
    except BoxError as error:
        return str(error)
    return find_puzzle_fault(puzzle, pos) or (_fault_of_choice(puzzle, pos) if puzzle.goal == "choice" else "")


def _fault_of_choice(puzzle: Puzzle, pos: Position) -> str:
    """The reason why a puzzle's choice does not win clearly more often in new games, or ""."""
    table = RolloutTable(pos.game, [PLAYER], pos.n_seats)
    legal = list(list_set_members(pos._out.ids))
    proof = _proof_of_choice(table, pos, legal, legal.index(pos.game.action(puzzle.line[0]).id), seed=7)
    return "" if proof.best - proof.second > proof.half else f"no clear difference: {proof}"


if __name__ == "__main__":
    sys.exit(main())

"""Contract tests of reasons: an action is legal exactly when there is no reason against it, and equal knowledge gives equal choices."""

import ast
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

import sutler
from sutler.contract.cases import EVERY_CASE, GAMES, SMALLEST_TABLES, Case, load_game
from sutler.contract.helpers import walk
from sutler.core.play.game import Game
from sutler.core.play.position import Position, SeatView
from sutler.core.rule import PLAIN_ONLY

STEPS = 30 if PLAIN_ONLY else 120


@pytest.mark.parametrize("case", SMALLEST_TABLES if PLAIN_ONLY else EVERY_CASE, ids=str)
def test_legal_is_what_has_no_reason_against_it(case: Case) -> None:
    """At every step an action is legal exactly if `why_not` has no reason, and each reason has words and a paragraph of the guide."""
    pos = case.new_position()
    rules, d = pos.game, pos.game.definition
    worded: set[tuple[int, int, int]] = set()  # reason, action and phase: what is said follows from these
    for here in walk(pos, seed=12, most=STEPS // 3 if case.options else STEPS):
        if here.over:
            break
        open_ids = set(here.legal_ids()) | {action.id for action in here.asides()}
        for action in range(len(rules.action_names)):
            reason = int(d.why_not(rules.box, here.state, action))
            assert (reason == 0) == (action in open_ids), (rules.action_names[action].name, d.REFUSALS[reason])
            if reason and (said := (reason, action, int(here.state.phase))) not in worded:
                worded.add(said)
                refusal = d.build_refusal(reason, rules.action_names[action], said[2])
                assert refusal.text
                assert rules.guide.find_paragraph(refusal.rule), refusal


def collect_random_positions(case: Case, games: int, max_decisions: int) -> list[Position]:
    """Copies of the positions in `games` random games of at most `max_decisions` decisions each."""
    out = []
    for seed in range(games):
        for here in walk(case.new_position(seed), seed=seed, most=max_decisions):
            if not here.over:
                out.append(here.copy())
    return out


@pytest.mark.parametrize("case", EVERY_CASE, ids=str)
def test_equal_observations_have_equal_choices(case: Case) -> None:
    """Decisions with equal observations have equal legal actions and equal views."""
    if PLAIN_ONLY and case.options:
        pytest.skip("compiled only: thousands of decisions")
    known: dict[bytes, list[Position]] = {}
    for here in collect_random_positions(case, *((1, 60) if PLAIN_ONLY else (2, 150) if case.options else (4, 400))):
        known.setdefault(view_of_seat_to_act(here).observation().tobytes(), []).append(here)
    for first, *others in known.values():  # most are alone: a view that nothing is compared with need not be drawn
        for other in others:
            assert other.legal_ids() == first.legal_ids()
            assert repr(view_of_seat_to_act(other).view()) == repr(view_of_seat_to_act(first).view())


def view_of_seat_to_act(here: Position) -> SeatView:
    """The `SeatView` of the seat to act."""
    return here.for_seat(int(here.state.to_act), len(here.decisions))


@pytest.mark.parametrize("game", GAMES)
def test_the_observation_is_documented(game: str) -> None:
    """Each number of the observation belongs to exactly one field of `observation_spec`, and a field can be read by itself."""
    rules = load_game(game)
    places = np.arange(rules.definition.N_OBSERVED, dtype=np.float32)
    described = [int(place) for row in rules.observation_spec() for place in row.slice_observation(places).flatten()]
    assert sorted(described) == list(range(rules.definition.N_OBSERVED))
    assert all(row.meaning for row in rules.observation_spec())
    sees = rules.new(seed=4).for_seat(1)
    for row in rules.observation_spec():
        if row.name in ("n_seats", "phase"):
            assert row.slice_observation(sees.observation()).sum() == (rules.min_seats if row.name == "n_seats" else 1)


# --- Order means nothing --------------------------------------------------------------------

TABLES = {"PhaseTable", "ActionTable", "EventTable", "RefusalTable", "FaultTable"}


def copy_with_reversed_tables(game: str, target_folder: Path) -> str:
    """Copy a game into `target_folder` under another name, with the rows of all its tables in reverse order; return the name."""
    name = f"{game}_turned"
    folder = target_folder / name
    shutil.copytree(load_game(game).folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8").replace(f"sutler.games.{game}", f"sutler.games.{name}"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TABLES:
                node.keywords.reverse()
        path.write_text(ast.unparse(tree), encoding="utf-8")
    return name


def play_by_action_names(game: Game, seed: int, max_decisions: int) -> list[tuple[int, str, list[str], list[str]]]:
    """(seat, chosen action, legal actions, log) at each decision of a game in which all choose at random by the actions' names."""
    pos, luck, out = game.new(seed=seed), random.Random(seed), []
    for _ in range(max_decisions):
        if pos.over:
            break
        names = sorted(action.name for action in pos.actions())
        seat, chosen = int(pos.state.to_act), luck.choice(names)
        pos.play(chosen)
        out.append((seat, chosen, names, [repr(line.sentence) for line in pos.log(None, len(pos.decisions))]))
    return out


@pytest.mark.parametrize("game", GAMES)
def test_order_of_table_rows_means_nothing(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose tables have their rows in reverse order plays the same, though its actions have other ids."""
    monkeypatch.setenv("SUTLER_GAMES", str(tmp_path))
    name = copy_with_reversed_tables(game, tmp_path)
    turned = sutler.load(name)
    home = turned.definition.home
    home.interpreted = True
    many = len(turned.definition.actions.blocks) > 1
    assert (turned.action_names[0].name != load_game(game).action_names[0].name) == many
    assert play_by_action_names(turned, 3, 60) == play_by_action_names(load_game(game), 3, 60)

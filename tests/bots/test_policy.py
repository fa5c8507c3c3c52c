"""The learned policy: it sees all that its seat may know, it is the greedy bot until it has learned, and its network is NumPy's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sutler
from sutler.bots import bot, parse_bots
from sutler.bots import policy as policy_module
from sutler.bots.kit import get_kit, is_compiled, pack_bots
from sutler.bots.kit.policy_network import (
    HIDDEN,
    PolicyWeights,
    build_encoding,
    find_shipped_policy_file,
    list_weight_shapes,
)
from sutler.bots.policy import Policy
from sutler.core.learners import encoding
from sutler.core.play.game import Game
from sutler.core.record import Record

GAMES = ("bellum", "manor", "sixwinters", "threeyears", "warfarm")
UNSEEN = {"nobody": "it is hidden from all", "derived": "it follows from fields that are inputs"}
"""The fields that are no inputs of the network, by who sees them, and why."""


def fields_of(layout: Record, path: str = "") -> dict[str, str]:
    """Every field of a record that holds numbers, with who sees it; how many a hidden set holds is seen by all."""
    found = {}
    for one in layout.fields:
        here = f"{path}{one.name}"
        if isinstance(one.type, Record):
            found |= fields_of(one.type, f"{here}.")
        else:
            found[here] = "everybody" if one.counted else one.seen_by
    return found


def random_weights(game: Game, seats: int, much: float = 0.3) -> PolicyWeights:
    """Weights that say something, drawn at random, in numbers that a file keeps as they are."""
    rng = np.random.default_rng(4)
    weights = PolicyWeights.untrained(game, seats, rng)
    for name, array in weights.arrays.items():
        weights.arrays[name] = (array + much * rng.standard_normal(array.shape)).astype(np.float16).astype(np.float32)
    return weights


def kept(weights: PolicyWeights, game: Game, path: Path) -> str:
    """The file of these weights."""
    path.write_bytes(weights.file(game))
    return str(path)


@pytest.mark.parametrize("name", GAMES)
def test_all_that_a_seat_may_know_is_an_input(name: str) -> None:
    """Each field of the state is observed, or stands among the exceptions; each observed number goes into the network."""
    game = sutler.load(name)
    spec, plan = game.observation_spec(), build_encoding(game).plan
    seen = {one.name for one in spec}
    left_out = {path for path, who in fields_of(game.definition.state).items() if who in UNSEEN}
    assert seen >= set(fields_of(game.definition.state)) - left_out
    assert sorted(plan["source"]) == list(range(game.definition.N_OBSERVED))
    assert build_encoding(game).n == list_weight_shapes(game)["first"][0]


def test_numbers_are_encoded_as_for_learners() -> None:
    """The ways of encoding that compiled code knows are those of `core.learners.encoding`."""
    for how in ("COPY", "SCALE", "RANK", "SPREAD", "SPLIT"):
        assert getattr(policy_module, how) == getattr(encoding, how)


@pytest.mark.parametrize("name", GAMES)
def test_the_network_says_what_numpy_says(name: str, tmp_path: Path) -> None:
    """Of a position in the middle of a game, for the seat that decides: inputs, hidden layer, chances."""
    game = sutler.load(name)
    game.definition.home.interpreted = True
    seats, pos = game.best_seats, game.new(game.best_seats, seed=3)
    for step in range(25):
        legal = pos.legal_ids()
        pos.play(legal[step % len(legal)])
    weights, asked = random_weights(game, seats), pos.seat
    assert asked is not None
    row = Policy(kept(weights, game, tmp_path / "policy.npz")).packed(game)
    made = get_kit(game).compile_own_template(Policy.file())
    made.write_inputs_and_hidden_layer(game.box, pos.state, asked, row.net)
    made.write_win_probabilities(row.net, seats)
    raw = np.zeros(game.definition.N_OBSERVED, np.float32)
    game.definition.observe(game.box, pos.state, asked, raw)
    inputs = np.zeros(build_encoding(game).n, np.float32)
    n = int(row.net.n)
    inputs[row.net.at[:n]] = row.net.much[:n]
    assert (inputs == build_encoding(game).encode(raw)).all()
    hidden = np.maximum(0, inputs @ weights.arrays["first"] + weights.arrays["bias"])
    assert row.net.hidden == pytest.approx(hidden, abs=1e-3)
    chance = np.exp(hidden @ weights.arrays["win"][:seats].T + weights.arrays["seat"][:seats])
    assert row.net.chance[:seats] == pytest.approx(chance / chance.sum(), abs=1e-3)


def played(game: Game, one: Any, steps: int = 14, seats: int = 2) -> list[str]:
    """The actions that a bot takes in all seats of a game."""
    pos, done = game.new(seats, seed=3), []
    for _ in range(steps):
        assert pos.seat is not None
        done.append(one.choose(pos.for_seat(pos.seat, seed=5)))
        pos.play(done[-1])
    return [action.name for action in done]


def test_a_policy_that_has_learned_nothing_is_the_greedy_bot(plain_manor: Game, tmp_path: Path) -> None:
    """So is one at a table of another number of seats than it learned at; one that has learned decides otherwise somewhere."""
    greedy = played(plain_manor, bot("greedy", nodes=200))
    blank = PolicyWeights.untrained(plain_manor, 2, np.random.default_rng(1))
    assert played(plain_manor, Policy(kept(blank, plain_manor, tmp_path / "blank.npz"))) == greedy
    learned, elsewhere = (random_weights(plain_manor, seats, much=2.0) for seats in (2, 3))
    assert played(plain_manor, Policy(kept(elsewhere, plain_manor, tmp_path / "three.npz"))) == greedy
    other = played(plain_manor, Policy(kept(learned, plain_manor, tmp_path / "two.npz")))
    assert other != greedy
    assert other == played(plain_manor, Policy(str(tmp_path / "two.npz")))


def test_what_an_action_is_worth_is_told(plain_manor: Game, tmp_path: Path) -> None:
    """The network's part is in the values that a hint shows: the action it decides for has the highest."""
    one = Policy(kept(random_weights(plain_manor, 2, much=2.0), plain_manor, tmp_path / "policy.npz"))
    pos = plain_manor.new(2, seed=3)
    assert pos.seat is not None
    view = pos.for_seat(pos.seat, seed=5)
    rows = one.explain(view)
    assert rows[0][0] == one.choose(view)
    row = one.packed(plain_manor)
    scratch, made = (
        get_kit(plain_manor).scratch_for_view(view),
        get_kit(plain_manor).compile_own_template(Policy.file()),
    )
    made.decide(plain_manor.box, scratch, row, view.luck)
    sure, before = row.net.sure[int(view.world.phase)] / row.net.scale, _greedy_values(plain_manor, view)
    weights = one.learned(plain_manor).arrays
    for action, _, _ in rows:
        more = weights["action"][action.id] @ row.net.hidden + weights["lean"][action.id]
        expected = sure * (before[action.id] - max(before[other.id] for other, _, _ in rows)) + more
        assert row.net.worth[action.id] == pytest.approx(expected, rel=1e-3, abs=1e-2)
        assert scratch.greedy.value[action.id] == pytest.approx(before[action.id] + more / sure, rel=1e-3, abs=1e-2)


def _greedy_values(game: Game, view: Any) -> dict[int, float]:
    """The values of the greedy bot, by action."""
    kit = get_kit(game)
    scratch = kit.scratch_for_view(view, new=True)
    kit.greedy.greedy_choice(game.box, scratch, bot("greedy").packed(game), view.luck)  # type: ignore[attr-defined]
    return {action: float(scratch.greedy.value[action]) for action in view.legal}


def test_it_sits_at_tables_of_ours(plain_manor: Game, tmp_path: Path) -> None:
    """Named with its weights on a command line, by those alone who may name files."""
    path = kept(random_weights(plain_manor, 4), plain_manor, tmp_path / "policy.npz")
    policy, greedy = parse_bots(f"policy:weights={path},greedy")
    assert policy == bot("policy", weights=path)
    assert is_compiled([policy, greedy])
    assert pack_bots([greedy, policy], plain_manor)[1]["row"] > 0
    with pytest.raises(ValueError, match="no file is read"):
        parse_bots(f"policy:weights={path}", files=False)


def test_weights_come_back_from_their_file(plain_manor: Game, tmp_path: Path) -> None:
    """Number by number, with the seats they are for; a file is small."""
    weights = random_weights(plain_manor, 3)
    weights.made = {"seed": 7}
    path = Path(kept(weights, plain_manor, tmp_path / "policy.npz"))
    again = PolicyWeights.read(path, plain_manor)
    assert (again.seats, again.made) == (3, {"seed": 7})
    assert all((again.arrays[name] == array).all() for name, array in weights.arrays.items())
    assert Policy(str(path)).learned(plain_manor).seats == 3
    kept(replace(weights, seats=4), plain_manor, path)
    assert Policy(str(path)).learned(plain_manor).seats == 4  # not what was read before
    assert path.stat().st_size < 1_000_000
    assert weights.arrays["bias"].shape == (HIDDEN,)


def test_weights_of_another_box_or_game_are_refused(plain_manor: Game, tmp_path: Path) -> None:
    """In words that say what to do; of another box they are taken on demand."""
    path = kept(random_weights(plain_manor, 2), plain_manor, tmp_path / "policy.npz")
    edit = tmp_path / "edit.toml"
    edit.write_text("[rules]\nbig_map_seats = 5\n", encoding="utf-8")
    edited = sutler.load("manor", edit)
    with pytest.raises(ValueError, match=r"learned with another box .* `sutler train manor --policy --box FILE`"):
        Policy(path).learned(edited)
    assert Policy(path, any_box=1).learned(edited).seats == 2
    with pytest.raises(ValueError, match="weights for manor, not for warfarm"):
        Policy(path).learned(sutler.load("warfarm"))
    (tmp_path / "none.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="these are no policy's weights"):
        Policy(str(tmp_path / "none.npz")).learned(plain_manor)
    with pytest.raises(ValueError, match="there is no such file; `sutler train manor --policy` makes one"):
        Policy(str(tmp_path / "missing.npz")).learned(plain_manor)


def test_policies_that_come_with_games_fit_and_are_small() -> None:
    """Each is for the printed box, was measured at the game's best number of seats, and says how it was made; others have none."""
    found = [name for name in GAMES if find_shipped_policy_file(sutler.load(name).definition).exists()]
    assert found == ["bellum", "manor", "warfarm"]
    for name in found:
        game = sutler.load(name)
        weights = Policy().learned(game)
        assert weights.seats == game.best_seats
        assert weights.made["trained"] > 0
        assert find_shipped_policy_file(game.definition).stat().st_size < 1_000_000
    with pytest.raises(
        ValueError, match="no policy comes with Three Years of War; `sutler train threeyears --policy` makes one"
    ):
        Policy().learned(sutler.load("threeyears"))

"""The learned policy: it sees all that its seat may know, it is the greedy bot until it has learned, and its network is NumPy's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sutler
from sutler.bots import bot, bot_from, parse_bots
from sutler.bots.kit import _policy_network, get_kit, is_compiled, is_search, is_search_by_time, pack_bots
from sutler.bots.kit.policy_network import (
    HIDDEN,
    PolicyWeights,
    build_encoding,
    find_shipped_policy_file,
    list_weight_shapes,
)
from sutler.bots.kit.repeatable_bots import ROUNDS, build_repeatable_bots
from sutler.bots.policy import BY_NETWORK, NETWORK_SHARE, Policy
from sutler.bots.search import SearchBot, _Tree, list_root_children
from sutler.core.chance import new_luck
from sutler.core.fast_record_reading import run_rules_plainly
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
        assert getattr(_policy_network, how) == getattr(encoding, how)


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
    made = get_kit(game).policy_network
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


def test_a_policy_of_several_tables_plays_at_each_of_them(plain_manor: Game, tmp_path: Path) -> None:
    """As one of that table alone would; at another it is the greedy bot."""
    weights = random_weights(plain_manor, 2, much=2.0)
    both = Policy(kept(replace(weights, seats=(2, 4)), plain_manor, tmp_path / "both.npz"))
    for seats in (2, 4):
        alone = Policy(kept(replace(weights, seats=(seats,)), plain_manor, tmp_path / f"{seats}.npz"))
        assert played(plain_manor, both, seats=seats) == played(plain_manor, alone, seats=seats)
        assert played(plain_manor, both, seats=seats) != played(plain_manor, bot("greedy", nodes=200), seats=seats)
    assert played(plain_manor, both, seats=3) == played(plain_manor, bot("greedy", nodes=200), seats=3)


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
    assert (again.seats, again.made) == ((3,), {"seed": 7})
    assert all((again.arrays[name] == array).all() for name, array in weights.arrays.items())
    assert Policy(str(path)).learned(plain_manor).seats == (3,)
    kept(replace(weights, seats=(2, 4)), plain_manor, path)
    assert Policy(str(path)).learned(plain_manor).seats == (2, 4)  # not what was read before
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
    assert Policy(path, any_box=1).learned(edited).seats == (2,)
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
        assert game.best_seats in weights.seats
        assert weights.made["trained"] > 0
        assert find_shipped_policy_file(game.definition).stat().st_size < 1_000_000
    with pytest.raises(
        ValueError, match="no policy comes with Three Years of War; `sutler train threeyears --policy` makes one"
    ):
        Policy().learned(sutler.load("threeyears"))


# --- A search that goes by the policy ---------------------------------------------------------------------------------


def searched(game: Game, one: Policy, view: Any, rounds: int) -> _Tree:
    """The tree of a decision after so many rounds, in plain Python."""
    tree = _Tree(get_kit(game), one, view, 0, rounds)
    with run_rules_plainly():
        tree.search_rounds(rounds)
    return tree


def several_decisions(game: Game, seats: int, steps: int) -> list[Any]:
    """The views of a game's decisions among several actions, of the seat that decides."""
    pos, luck, found = game.new(seats, seed=9), np.random.default_rng(5), []
    for _ in range(steps):
        assert pos.seat is not None
        if len(pos.legal_ids()) > 1:
            found.append(pos.for_seat(pos.seat, seed=5))
        pos.play(int(luck.choice(pos.legal_ids())))
    return found


def test_priors_are_the_policys_probabilities(plain_manor: Game, tmp_path: Path) -> None:
    """Of each decision they sum to 1 over the sensible actions, and but for what is spread evenly they are the policy's own."""
    one = Policy(kept(random_weights(plain_manor, 2), plain_manor, tmp_path / "policy.npz"), nodes=60, rounds=1)
    compared = 0
    for view in several_decisions(plain_manor, 2, 90):
        tree = searched(plain_manor, one, view, 1)
        prior = {action: share for action, _, _, share in list_root_children(tree.scratch)}
        assert set(prior) <= set(view.legal)
        if len(prior) < 2:
            continue
        assert sum(prior.values()) == pytest.approx(1)
        assert min(prior.values()) > 0
        row, scratch = replace(one, rounds=0).packed(plain_manor), get_kit(plain_manor).scratch_for_view(view)
        get_kit(plain_manor).compile_own_template(Policy.file()).decide(plain_manor.box, scratch, row, view.luck)
        worth = np.array([row.net.worth[action] for action in prior], float)
        share = np.exp(worth - worth.max()) / np.exp(worth - worth.max()).sum()
        spread = tree.bot.open_mind
        assert list(prior.values()) == pytest.approx((1 - spread) * share + spread / len(prior), abs=1e-4)
        compared += 1
    assert compared > 10


def test_a_search_is_paid_what_the_network_foresees_too(plain_manor: Game, tmp_path: Path) -> None:
    """A game cut short pays each seat the mean of what `evaluate` says and the network, counted from the seat to act."""
    one = Policy(kept(random_weights(plain_manor, 2), plain_manor, tmp_path / "policy.npz"), rounds=1)
    view = several_decisions(plain_manor, 2, 12)[-1]
    tree = searched(plain_manor, one, view, 1)
    work, search, net = tree.scratch.search, get_kit(plain_manor).policy_search, get_kit(plain_manor).policy_network
    with run_rules_plainly():
        search.write_cut_payoffs(plain_manor.box, work.state, tree.scratch, tree.bot)
        by_values = work.payoff[:2].copy()
        net.correct_payoffs(plain_manor.box, work.state, tree.scratch, tree.bot)
        paid = work.payoff[:2].copy()
        net.write_inputs_and_hidden_layer(plain_manor.box, work.state, int(work.state.to_act), tree.bot.net)
        net.write_win_probabilities(tree.bot.net, 2)
    foreseen = np.roll(np.array(tree.bot.net.chance[:2], float), int(work.state.to_act))
    assert paid == pytest.approx((1 - NETWORK_SHARE) * by_values + NETWORK_SHARE * foreseen)
    assert paid.sum() == pytest.approx(1)
    assert paid != pytest.approx(by_values)


def test_rounds_of_a_policy_are_the_same_again_and_blind_to_what_is_hidden(plain_manor: Game, tmp_path: Path) -> None:
    """One seed gives one tree, to the last bit; so do two worlds that differ only in what the seat cannot know."""
    one = Policy(kept(random_weights(plain_manor, 2), plain_manor, tmp_path / "policy.npz"), rounds=4)
    pos, luck, differed = plain_manor.new(2, seed=11), np.random.default_rng(2), 0
    for step in range(8):
        seat = pos.seat
        assert seat is not None
        if len(pos.legal_ids()) > 1:
            twin = pos.copy()
            plain_manor.definition.redeal(plain_manor.box, twin.state, seat, new_luck(step))
            twin.state.rng[:] = luck.integers(1, 2**32, 4)
            differed += twin.to_bytes() != pos.to_bytes()
            trees = [searched(plain_manor, one, where.for_seat(seat, seed=4), 4) for where in (pos, pos, twin)]
            assert len({tree.scratch.search.tree.tobytes() for tree in trees}) == 1
        pos.play(int(luck.choice(pos.legal_ids())))
    assert differed > 1


def test_what_searches_and_what_depends_on_the_clock() -> None:
    """The lab gives a policy that searches by time as many rounds as it gives a search; one that does not search stays as it is."""
    rounds, seconds, quick = (bot_from(spec) for spec in ("policy:rounds=9", "policy:budget=2", "policy"))
    assert [is_search(one) for one in (rounds, seconds, quick)] == [True, True, False]
    assert [is_search_by_time(one) for one in (rounds, seconds, quick)] == [False, True, False]
    known = build_repeatable_bots([rounds, seconds, quick], sutler.load("manor"))
    assert known == [rounds, replace(seconds, rounds=ROUNDS), quick]  # type: ignore[type-var]
    with pytest.raises(ValueError, match="rounds, budget and threads are 0 or more"):
        bot("policy", rounds=-1)


def test_settings_of_its_search(plain_manor: Game, tmp_path: Path) -> None:
    """They are those of BY_NETWORK, and for the rest the search's; priors are taken at the policy's own temperature."""
    path = kept(random_weights(plain_manor, 2), plain_manor, tmp_path / "policy.npz")
    row = Policy(path, rounds=50, any_box=1).packed(plain_manor)
    assert (row.rounds, row.warmth) == (50, 1)
    assert (row.candidates, row.trust) == (BY_NETWORK["candidates"], BY_NETWORK["trust"])
    assert row.elsewhere == SearchBot(50).packed(plain_manor)
    assert Policy(path).packed(plain_manor).rounds == 0


def test_a_policy_takes_a_levels_place_only_where_it_has_learned(tmp_path: Path) -> None:
    """Not in another box, nor with other options than print has; as long as a busy server lets the level think, it thinks too."""
    printed, edit = sutler.load("manor"), tmp_path / "edit.toml"
    edit.write_text("[rules]\nbig_map_seats = 5\n", encoding="utf-8")
    assert Policy().has_learned(printed)
    assert not Policy().has_learned(printed.with_options({"offers": 0}))
    assert not Policy().has_learned(sutler.load("manor", edit))
    assert Policy(any_box=1).has_learned(sutler.load("manor", edit))
    assert not Policy().has_learned(sutler.load("threeyears"))

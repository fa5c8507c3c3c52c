"""The judge: what it looks at, whose weights it takes, and that it decides as the greedy bot until it has learned something."""

from __future__ import annotations

import ctypes
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sutler
from sutler.bots import (
    bot,
    bot_from,
    choose_quick_bot,
    load_levels,
    mark_with_level,
    parse_bots,
    replace_level_bot,
    warm_levels,
)
from sutler.bots.judge import Judge
from sutler.bots.kit import copy_packed_bots, get_kit, is_compiled, pack_bots
from sutler.bots.kit.judge_network import (
    INTO_THE_OTHERS,
    JUDGE,
    Weights,
    build_network_inputs,
    find_shipped_weights_file,
)
from sutler.bots.kit.records import find_scale
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.core.play.game import Game
from sutler.lab.play.provenance import list_bot_descriptions

GAMES = ("bellum", "manor", "sixwinters", "threeyears", "warfarm")


@pytest.fixture(scope="module")
def learned(plain_manor: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights that say something, drawn at random."""
    rng, weights = np.random.default_rng(1), Weights.untrained(plain_manor)
    for name, array in weights.arrays.items():
        weights.arrays[name] = array + 0.3 * rng.standard_normal(array.shape)
    path = tmp_path_factory.mktemp("judge") / "judge.json"
    path.write_text(weights.to_json_text(plain_manor), encoding="utf-8")
    return path


def test_weights_written_anew_to_one_file_are_read_anew(plain_manor: Game, tmp_path: Path) -> None:
    """A judge trained again into its file plays by the new weights, in one process."""
    path, weights = tmp_path / "judge.json", Weights.untrained(plain_manor)
    for much, written_ns in ((1.0, 1_000_000_000), (2.0, 2_000_000_000)):
        weights.arrays["bias"][:] = much
        path.write_text(weights.to_json_text(plain_manor), encoding="utf-8")
        os.utime(path, ns=(written_ns, written_ns))
        assert Judge(weights=str(path)).learned(plain_manor).arrays["bias"][0] == much


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_have_one(game: str) -> None:
    """The parts of its judgement come first; then plain numbers, of the seats one's own, the others' mean and the most of theirs."""
    definition = sutler.load(game).definition
    looks = build_network_inputs(definition)
    assert list(looks.names[: looks.parts]) == [gain for gain, _ in definition.reasons.REASONS]
    assert len(set(looks.names)) == len(looks.names)
    assert any(name.endswith(INTO_THE_OTHERS[0]) for name in looks.names) == any(
        one.by == "seat" for one in definition.state.fields
    )


def test_what_it_looks_at_is_counted_from_the_seat(plain_manor: Game) -> None:
    """One's own peasants, the mean of the others', the most of theirs."""
    pos = plain_manor.new(3, seed=1)
    state, looks = pos.state.copy(), build_network_inputs(plain_manor.definition)
    state.seats["tokens"][:3, 0] = [2, 5, 9]
    out = np.zeros(len(looks.names))
    at = looks.names.index("seats.tokens 0")
    for seat, seen in enumerate([(2, 7, 9), (5, 5.5, 9), (9, 3.5, 5)]):
        looks.look_at(plain_manor.box, state, seat, out)
        assert tuple(out[at : at + 3]) == seen


def test_what_nobody_may_see_is_not_looked_at() -> None:
    """No input of Three Years is a face of a token that lies hidden."""
    assert not [name for name in build_network_inputs(sutler.load("threeyears").definition).names if "face" in name]


def played(game: Game, one: Any, steps: int = 14) -> list[str]:
    """What a bot does in both seats of a game."""
    pos, done = game.new(2, seed=3), []
    for _ in range(steps):
        assert pos.seat is not None
        done.append(one.choose(pos.for_seat(pos.seat, seed=5)))
        pos.play(done[-1])
    return [action.name for action in done]


def test_a_judge_that_has_learned_nothing_is_the_greedy_bot(plain_manor: Game, tmp_path: Path, learned: Path) -> None:
    """The same decisions, to the last; one that has learned something decides otherwise somewhere."""
    blank = tmp_path / "blank.json"
    blank.write_text(Weights.untrained(plain_manor).to_json_text(plain_manor), encoding="utf-8")
    greedy = played(plain_manor, bot("greedy", nodes=200))
    assert played(plain_manor, Judge(str(blank))) == greedy
    other = played(plain_manor, Judge(str(learned)))
    assert other != greedy
    assert other == played(plain_manor, Judge(str(learned)))


@pytest.mark.parametrize("name", GAMES)
def test_in_every_game_it_does_what_is_legal(name: str, tmp_path: Path) -> None:
    """With weights that say something, in plain Python; the view it is handed is left as it is."""
    game, rng = sutler.load(name), np.random.default_rng(2)
    game.definition.home.interpreted = True
    weights = Weights.untrained(game)
    weights.arrays.update({key: one + 0.1 * rng.standard_normal(one.shape) for key, one in weights.arrays.items()})
    path = tmp_path / "judge.json"
    path.write_text(weights.to_json_text(game), encoding="utf-8")
    judge, pos = Judge(str(path), nodes=8), game.new(game.best_seats, seed=6)
    for _ in range(4):
        assert pos.seat is not None
        view = pos.for_seat(pos.seat, seed=1)
        world = view.world.tobytes()
        action = judge.choose(view)
        assert action.id in view.legal
        assert view.world.tobytes() == world
        pos.play(action)


def test_the_network_says_what_numpy_says(plain_manor: Game, learned: Path) -> None:
    """Of any position, for every seat."""
    kit, pos = get_kit(plain_manor), plain_manor.new(2, seed=3)
    for _ in range(20):
        pos.play(pos.legal_ids()[0])
    row = Judge(str(learned)).packed(plain_manor)
    given, looks = Weights.read(learned, plain_manor).arrays, build_network_inputs(plain_manor.definition)
    for seat in range(2):
        said = kit.network_value.judge((plain_manor.box, row.net), pos.state, seat)
        inputs = np.array(row.net.inputs[: len(looks.names)])
        hidden = np.clip((inputs - given["middle"]) * given["per"], -4, 4) @ given["first"]
        hidden = np.maximum(0, hidden + given["phase"][int(pos.state.phase)] + given["bias"])
        expected = (
            inputs[: looks.parts] @ given["factor"] + find_scale(plain_manor.definition) * hidden @ given["second"]
        )
        assert said == pytest.approx(expected)


def _record_at(address: int, dtype: np.dtype[Any]) -> Any:
    return np.frombuffer((ctypes.c_char * dtype.itemsize).from_address(address), dtype)[0]


def test_it_sits_at_tables_of_ours(learned: Path) -> None:
    """Named with its weights on a command line, by those alone who may name files; its row says where its network lies."""
    judge, greedy = parse_bots(f"judge:weights={learned}:noise=0.1, greedy")
    assert judge == bot("judge", weights=str(learned), noise=0.1)
    assert is_compiled([judge, greedy])
    game = sutler.load("manor")
    rows = pack_bots([greedy, judge], game)
    assert (rows[0]["nodes"], rows[0]["row"]) == (200, 0)
    beside = copy_packed_bots(rows)
    networks = [_record_at(int(one[1]["row"]), JUDGE.dtype).net for one in (rows, beside)]
    assert [float(one.scale) for one in networks] == [find_scale(game.definition)] * 2
    networks[0].inputs[0] = 5.0
    assert networks[1].inputs[0] != 5.0  # two threads compute in two networks
    with pytest.raises(ValueError, match="no file is read"):
        bot_from(f"judge:weights={learned}", files=False)


def test_a_house_offers_one_under_a_name_of_its_own(
    learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a `levels.toml`, as any other bot."""
    monkeypatch.setenv("SUTLER_BOTS", str(tmp_path))
    (tmp_path / "levels.toml").write_text(f'[learned]\nbot = "judge"\nweights = "{learned}"\n', encoding="utf-8")
    assert "learned" in load_levels()
    assert bot("learned") == Judge(str(learned))
    thought: list[str] = []
    monkeypatch.setattr(Judge, "choose", lambda self, view: thought.append(view.game.name))
    warm_levels(sutler.load("manor"))
    assert thought == ["manor"]


def test_a_search_by_its_values_is_a_judge_too(learned: Path) -> None:
    """With rounds it has the search's settings, but for what it is paid and how its root shares out the rounds."""
    row = Judge(str(learned), rounds=40).packed(sutler.load("manor"))
    search = bot("search", rounds=40).packed(sutler.load("manor"))  # type: ignore[attr-defined]
    assert (row.rounds, row.horizon, row.open_mind) == (40, search.horizon, search.open_mind)
    assert (row.candidates, row.chances, row.curiosity) == (0, 0, 1.0)


def test_it_explains_by_its_own_values_and_weighs_the_reasons_as_it_does(
    plain_manor: Game, learned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best first, and that is what it chooses; a part that counts nothing with it is no reason of its."""
    pos, judge = plain_manor.new(2, seed=3), Judge(str(learned))
    for _ in range(6):
        assert pos.seat is not None
        view = pos.for_seat(pos.seat, seed=5)
        rows = judge.explain(view)
        assert {action.id for action, _, _ in rows} <= set(view.legal)
        assert [value for _, value, _ in rows] == sorted((value for _, value, _ in rows), reverse=True)
        chosen = judge.choose(pos.for_seat(pos.seat, seed=5))
        assert chosen in [action for action, value, _ in rows if value == rows[0][1]]
        pos.play(chosen)
    while len(judge.explain(pos.for_seat(pos.seat or 0))) < 2:
        pos.play(pos.legal_ids()[0])
    assert pos.seat is not None
    searching = Judge(str(learned), rounds=3)
    assert {tried for _, _, tried in searching.explain(pos.for_seat(pos.seat))} == {0}  # plain Python: nobody waits
    monkeypatch.setattr(Judge, "fitted", Judge.packed)
    assert 0 < sum(tried for _, _, tried in searching.explain(pos.for_seat(pos.seat))) <= 3
    assert (judge.get_part_factors(plain_manor) == Weights.read(learned, plain_manor).arrays["factor"]).all()


def test_a_part_said_in_other_words_keeps_its_judge(plain_manor: Game, learned: Path, tmp_path: Path) -> None:
    """What `evaluate` adds up is told to people in sentences; Bellum's judge was refused since one of them was said better."""
    told = json.loads(learned.read_text(encoding="utf-8"))
    path = tmp_path / "older.json"
    path.write_text(json.dumps({**told, "inputs": ["it was said otherwise", *told["inputs"][1:]]}), encoding="utf-8")
    assert Weights.read(path, plain_manor).arrays.keys() == Weights.read(learned, plain_manor).arrays.keys()


def test_weights_of_something_else_are_refused(plain_manor: Game, learned: Path, tmp_path: Path) -> None:
    """Of another game, another version, another box, or of nothing at all: each in words that say what to do."""
    told = json.loads(learned.read_text(encoding="utf-8"))

    def refused(match: str, changed: dict[str, Any], game: Game = plain_manor) -> None:
        path = tmp_path / "other.json"
        path.write_text(json.dumps({**told, **changed}), encoding="utf-8")
        with pytest.raises(ValueError, match=match):
            Weights.read(path, game)

    refused("weights for warfarm, not for manor; `sutler train manor` makes others", {"game": "warfarm"})
    refused("learned on another version of Medieval Manor", {"inputs": told["inputs"][1:]})
    refused("learned on another version of Medieval Manor", {"inputs": [*told["inputs"][:-1], "another field"]})
    refused("learned on another version of Medieval Manor", {"version": 0})
    other = sutler.load("manor", None, **{"rules.buy_price": 2})
    refused(r"learned with another box .* `sutler train manor --box FILE`", {}, other)
    (tmp_path / "poem.json").write_text("roses", encoding="utf-8")
    with pytest.raises(ValueError, match=r"poem\.json: these are no judge's weights"):
        Weights.read(tmp_path / "poem.json", plain_manor)
    with pytest.raises(ValueError, match=r"nowhere\.json: there is no such file; `sutler train manor` makes one"):
        Judge(str(tmp_path / "nowhere.json")).packed(plain_manor)


ROUNDS = {"manor": 12, "bellum": 26, "sixwinters": 23}
"""How many went before the judges that come with games."""


def test_judges_that_come_with_games_are_of_their_printed_boxes() -> None:
    """They are read without being named, from what `sutler train` wrote with this version; the other games have none and say so."""
    for name, rounds in ROUNDS.items():
        game = sutler.load(name)
        assert find_shipped_weights_file(game.definition).stat().st_size < 1 << 20
        assert Judge().learned(game).made["rounds"] == rounds
    for name in set(GAMES) - set(ROUNDS):
        with pytest.raises(ValueError, match=f"sutler train {name}"):
            Judge().learned(sutler.load(name))


@pytest.mark.parametrize("game", GAMES)
def test_a_level_is_who_the_game_says(game: str) -> None:
    """In the lab, and at a table too once rules run compiled; it plays any box. A level of a game that says nothing is itself."""
    loaded = sutler.load(game)
    named = loaded.definition.LEVELS or {}
    for level in ("easy", "normal", "hard"):
        asked, (player,) = bot(level), build_repeatable_bots([level], loaded)
        if level not in named:
            assert replace_level_bot(asked, loaded) is asked
        else:
            assert replace_level_bot(asked, loaded) == player == bot_from(named[level])
            assert list_bot_descriptions([level], loaded)[0].startswith("judge")
            edited = Game(loaded.definition, {}, {}, {})
            assert len(player.packed(edited).net.inputs)  # type: ignore[attr-defined]
    assert replace_level_bot(bot("greedy"), loaded) == bot("greedy")
    assert replace_level_bot(bot("hard", rounds=3), loaded) == bot("hard", rounds=3)


@pytest.mark.parametrize("game", GAMES)
def test_a_level_of_a_table_is_who_the_game_says(game: str) -> None:
    """A policy, where it has learned the game as it is played: not with an option that print does not have. Easy bots are greedy ones."""
    loaded = sutler.load(game)
    named = loaded.definition.TABLE_LEVELS or {}
    assert set(named) == ({"normal", "hard"} if game in ("bellum", "manor", "warfarm") else set())
    option = next(one for one in loaded.options() if one.kind == "flag")
    other = loaded.with_options({option.name: not option.default})
    for level in ("easy", "normal", "hard"):
        asked = bot(level)
        expected = bot_from(named[level]) if level in named else replace_level_bot(asked, loaded)
        assert replace_level_bot(asked, loaded, at_table=True) == expected
        assert replace_level_bot(asked, other, at_table=True) == replace_level_bot(asked, other)
    assert replace_level_bot(bot("easy"), loaded, at_table=True).name == "greedy"


def test_a_level_decides_and_explains_as_the_judge_does(plain_manor: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a table and in a hint; while the rules run as plain Python it stays what it is elsewhere."""
    pos = plain_manor.new(2, seed=3)
    view, judge = pos.for_seat(pos.seat), Judge()
    monkeypatch.setattr(plain_manor.definition, "LEVELS", {"normal": "judge", "hard": "judge"}, raising=False)
    monkeypatch.setattr(plain_manor.definition, "TABLE_LEVELS", None, raising=False)
    assert choose_quick_bot(bot("normal"), plain_manor) == bot("greedy")
    monkeypatch.setattr(plain_manor.definition.home, "interpreted", False)
    monkeypatch.setattr(Judge, "choose", lambda self, view: view.actions()[-1])
    monkeypatch.setattr(Judge, "explain", lambda self, view: [(view.actions()[-1], 1.0, 0)])
    for level in ("normal", "hard"):
        player: Any = bot(level)
        assert choose_quick_bot(player, plain_manor) == judge
        assert player.choose(view) == view.actions()[-1]
        assert player.explain(view) == [(view.actions()[-1], 1.0, 0)]


def test_a_level_of_tables_leaves_the_lab_alone(plain_manor: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """TABLE_LEVELS say who decides where people play; the lab's bot of that name is what it was, asked in plain Python too."""
    pos = plain_manor.new(2, seed=3)
    view = pos.for_seat(pos.seat)
    monkeypatch.setattr(plain_manor.definition, "TABLE_LEVELS", {"normal": "judge"}, raising=False)
    monkeypatch.setattr(plain_manor.definition.home, "interpreted", False)
    monkeypatch.setattr(Judge, "choose", lambda self, view: "the judge's")
    normal: Any = bot("normal")
    assert choose_quick_bot(normal, plain_manor) == Judge()
    assert normal.choose(view) == "the judge's"
    (player,) = build_repeatable_bots(["normal"], plain_manor)
    assert replace_level_bot(normal, plain_manor) is normal
    assert choose_quick_bot(player, plain_manor) is player
    assert player == bot("greedy")


def test_a_searching_level_keeps_the_time_that_it_was_given(plain_manor: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy server lets a search think for a shorter time: so does the bot that stands in its place."""
    monkeypatch.setattr(plain_manor.definition, "TABLE_LEVELS", {"hard": "policy:budget=1:threads=0"}, raising=False)
    monkeypatch.setattr(plain_manor.definition.home, "interpreted", False)
    hurried = mark_with_level(replace(bot("hard"), budget=0.25), "hard")  # type: ignore[type-var]
    other: Any = choose_quick_bot(hurried, plain_manor)
    assert (other.name, other.budget, other.threads) == ("policy", 0.25, 0)
    assert choose_quick_bot(bot("hard"), plain_manor) == bot_from("policy:budget=1:threads=0")

"""What Hypothesis tries: odd walks, odd boxes, broken files. Either it works or it is refused in words."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as when
from hypothesis import settings
from hypothesis import strategies as st

import sutler
from sutler.contract.helpers import walk
from sutler.core.files.gamefile import GameFileError, format_game_file
from sutler.core.files.replay import replay_from_text
from sutler.core.play.registry import GAMES as FOLDER

GAMES = sutler.games()
LOADED = {name: sutler.load(name) for name in GAMES}
BOX = {name: (FOLDER / name / "box.toml").read_text(encoding="utf-8") for name in GAMES}


def finished(name: str, most: int = 40) -> sutler.Position:
    pos = LOADED[name].new(max(2, LOADED[name].min_seats), seed=3)
    for _ in walk(pos, seed=3, most=most):
        pass
    return pos


FILES = {name: format_game_file(finished(name).build_game_file()) for name in GAMES}
STATES = {name: [pos.to_bytes() for pos in walk(LOADED[name].new(seed=4), seed=4, most=30)] for name in GAMES}


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=12)
@when(choices=st.lists(st.integers(0, 10_000), max_size=150), seed=st.integers(0, 1 << 61), data=st.data())
def test_any_walk_is_sound(game: str, choices: list[int], seed: int, data: st.DataObject) -> None:
    """Whatever is chosen, the state stays sound, and going back restores it."""
    rules = LOADED[game]
    pos = rules.new(data.draw(st.integers(rules.min_seats, rules.max_seats)), seed)
    d = rules.definition
    for choice in choices:
        if pos.over:
            break
        legal = pos.legal_ids()
        pos.play(legal[choice % len(legal)])
        assert int(d.check(rules.box, pos.state)) == 0
    data_now = pos.to_bytes()
    n = len(pos.decisions)
    for _ in range(min(n, 5)):
        pos.undo()
    for decision in finished_actions(pos, rules, choices, n):
        pos.play(decision)
    assert pos.to_bytes() == data_now


def finished_actions(pos: sutler.Position, rules: Any, choices: list[int], n: int) -> Any:
    """The choices that had been taken back, made again."""
    for choice in choices[len(pos.decisions) : n]:
        legal = pos.legal_ids()
        yield legal[choice % len(legal)]


ODD = st.one_of(
    st.integers(-200, 200),
    st.sampled_from(
        [-1, 0, 1, 127, 128, 255, 32767, 32768, 10**12, True, False, "", "x", [], {}, 1.5, "River", ["River"]]
    ),
)


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Any:
    """Every plain value in a box, by path."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from leaves(value, (*path, key))
    elif isinstance(data, list):
        for i, value in enumerate(data):
            yield from leaves(value, (*path, i))
    else:
        yield path


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with one value replaced."""
    if not path:
        return value
    copy = list(data) if isinstance(data, list) else dict(data)
    copy[path[0]] = changed(data[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=30)
@when(data=st.data(), value=ODD)
def test_a_box_with_one_odd_value(game: str, data: st.DataObject, value: Any) -> None:
    """Refused with the place in words, or played without a fault."""
    printed = LOADED[game].definition.printed
    head = data.draw(st.sampled_from([key for key in printed if key != "game"]))
    path = data.draw(st.sampled_from(list(leaves(printed[head], (head,)))))
    edit = changed(printed, path, value)
    try:
        rules = sutler.load(game, box={head: edit[head]})
        pos = rules.new(max(2, rules.min_seats), seed=1)
    except sutler.BoxError as error:
        text = str(error)
        assert head.rstrip("s") in text or any(str(step) in text for step in path), (path, value, text)
        return
    for here in walk(pos, seed=1, most=25):
        assert int(rules.definition.check(rules.box, here.state)) == 0, (path, value)
        here.view(0)


@st.composite
def damages(draw: st.DrawFn, text: str) -> str:
    """A text with a piece cut out, doubled or overwritten."""
    start = draw(st.integers(0, len(text) - 1))
    end = min(len(text), start + draw(st.sampled_from([1, 1, 2, 5, 20, 200])))
    piece = text[start:end]
    instead = draw(
        st.sampled_from(["", piece * 2, "0", "-1", '"', "=", "[", "]", "x", "\n", "9999999999999999999", "é", "\x00"])
    )
    return text[:start] + instead + text[end:]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25)
@when(data=st.data())
def test_a_damaged_box(game: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A damaged file still loads, or BoxError names the file."""
    path = Path(tmp_path_factory.mktemp("box")) / "mine.toml"
    path.write_text(data.draw(damages(BOX[game])), encoding="utf-8")
    try:
        sutler.load(game, box=path)
    except sutler.BoxError as error:
        text = str(error)
        assert text.startswith((str(path), "[[", "option", "box", "field", "card", "land"))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40)
@when(data=st.data())
def test_a_damaged_game_file(game: str, data: st.DataObject) -> None:
    """It plays again, or GameFileError says why not; never anything else."""
    try:
        replay_from_text(data.draw(damages(FILES[game])))
    except GameFileError as error:
        text = str(error)
        assert text.startswith("the file: ")


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40)
@when(data=st.data(), value=st.one_of(ODD, st.none(), st.text(max_size=5), st.lists(ODD, max_size=3)))
def test_a_game_file_with_odd_values(game: str, data: st.DataObject, value: Any) -> None:
    """Well formed, but not what was written."""
    raw = json.loads(FILES[game])
    key = data.draw(st.sampled_from(list(raw)))
    if isinstance(raw[key], list) and raw[key] and data.draw(st.booleans()):
        raw[key][data.draw(st.integers(0, len(raw[key]) - 1))] = value
    elif isinstance(raw[key], dict) and data.draw(st.booleans()):
        raw[key][
            data.draw(st.sampled_from(["victory", "card", "card.Wheat.gain.crops", "x", "map", "options", "land"]))
        ] = value
    else:
        raw[key] = value
    try:
        replay_from_text(json.dumps(raw))
    except GameFileError as error:
        text = str(error)
        assert text.startswith("the file: ")


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=30)
@when(data=st.data())
def test_damaged_bytes(game: str, data: st.DataObject) -> None:
    """Bytes from outside are refused, or are a sound position that can be looked at and played on with."""
    rules = LOADED[game]
    state = bytearray(data.draw(st.sampled_from(STATES[game])))
    for _ in range(data.draw(st.integers(1, 3))):
        state[data.draw(st.integers(0, len(state) - 1))] = data.draw(
            st.sampled_from([0, 1, 2, 5, 17, 100, 127, 128, 255])
        )
    try:
        pos = rules.from_bytes(bytes(state))
    except ValueError as error:
        text = str(error)
        assert text.startswith("these bytes are no position of")
        with pytest.raises(GameFileError):
            replay_from_text(
                json.dumps(
                    json.loads(FILES[game]) | {"opening": base64.b64encode(bytes(state)).decode(), "actions": []}
                )
            )
        return
    for here in walk(pos, seed=2, most=12):
        here.view(0)
        here.prompt(0)
        here.choices(here.seat)


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("box_edit", {"options": None}, "field options: a table is expected"),
        ("box_edit", {"land": [{"name": ["River"]}]}, "field name"),
        ("opening", "%%", "base64"),
        ("opening", "AAAA", "bytes expected"),
        ("actions", ["dance"], "decision 1: 'dance'"),
        ("seed", -1, "a seed is a whole number"),
        ("seats", 17, "not 17"),
        ("digest", "0", "ends elsewhere"),
        ("box_hash", "0", "another box"),
        ("game", "chess", "no game 'chess'"),
        ("sutler", 2, "format 2"),
        ("options", {"victory": 1}, "outside 5 to 40"),
        ("settings", {"card.Nothing.gain": 1}, "no card of that name"),
        ("more", 1, "field more"),
    ],
)
def test_faults_that_were_found(field: str, value: Any, why: str) -> None:
    """Faults of game files, each with its message."""
    raw = json.loads(FILES["manor"]) | {field: value}
    raw.pop("box", None)  # of an older release, without its whole box: with it the box kept is what counts
    with pytest.raises(GameFileError, match=why):
        replay_from_text(json.dumps(raw))


def test_a_list_of_numbers_is_set_whole() -> None:
    """A setting may give all of it, and nothing else: part of it, or what is no such list, is refused in words."""
    assert sutler.load("bellum", **{"rules.city_supply": [0, 1, 2, 3]}).sheet.rules.city_supply == [0, 1, 2, 3]
    for key, value, why in (
        ("rules.city_supply.1", 4, "give all of it"),
        ("rules.city_supply", [1, 2], "at least 4, 2 are there"),
        ("rules.city_supply", 4, "a list in . . is expected"),
    ):
        with pytest.raises(sutler.BoxError, match=why):
            sutler.load("bellum", **{key: value})

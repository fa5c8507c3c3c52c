"""Games as decisions: every column against the game it came from."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import sutler
from sutler.cli import app
from sutler.core.learners.encoding import Encoding
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.play import export as exporting
from sutler.lab.play.decision_files import open_decision_file, spec_in
from sutler.lab.play.export import (
    export,
    export_bots,
    iter_games_between_bots,
    iter_games_from_files,
    list_column_types,
)
from sutler.web.events import Created, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.storage.store import Store
from sutler.web.table import moves
from sutler.web.table.registry import House

KEPT = Path(__file__).parents[1] / "kept" / "0.1.0"


@pytest.mark.parametrize("game", ["threeyears", "manor"])
def test_every_row_is_a_decision(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was seen, allowed and done, in order; small parts come together as one table."""
    monkeypatch.setattr(exporting, "MAX_ROWS_HELD", 7)
    loaded = sutler.load(game, settings={"victory": 5} if game == "manor" else {})
    games = list(iter_games_between_bots(loaded, ["random", "random"], 2, seed=3))
    n_games, n_rows = export(games, tmp_path / "it.parquet")
    table = pl.read_parquet(tmp_path / "it.parquet")
    assert dict(table.schema) == list_column_types(Encoding(loaded, 2))
    assert (n_games, n_rows) == (2, table.height)
    assert list(tmp_path.iterdir()) == [tmp_path / "it.parquet"], "nothing else is left behind"
    rows = table.iter_rows(named=True)
    for name, end, players in games:
        pos = loaded.new(2, end.seed)
        for number, decision in enumerate(end.decisions):
            row = next(rows)
            assert (row["played"], row["decision"], row["seat"]) == (name, number, pos.seat)
            assert row["player"] == players[decision.seat]
            assert row["legal"] == pos.legal_ids()
            assert row["action"] == decision.action
            assert np.array_equal(np.float32(row["observation"]), pos.for_seat(decision.seat).observation())
            assert row["score"] == end.scores()[decision.seat]
            assert row["place"] == end.places()[decision.seat]
            assert row["return"] == pytest.approx(row["returns"][decision.seat])
            assert sum(row["returns"]) == pytest.approx(0.0, abs=1e-6)
            pos.play(row["name"])
        assert row["over"] == end.over


def _read(path: Path) -> pl.DataFrame:
    return pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_ipc(path)


COMPILED = [pytest.mark.compiled, pytest.mark.skipif(PLAIN_ONLY, reason="bots that think want compiled rules")]


@pytest.mark.parametrize(
    ("rows", "compact", "bots", "form"),
    [
        (70, False, ["random", "random"], "parquet"),
        (70, True, ["random", "random"], "arrow"),
        pytest.param(4096, True, ["random", "greedy"], "parquet", marks=COMPILED),
    ],
)
def test_compiled_games_are_written_as_they_are_played(
    rows: int, compact: bool, bots: list[str], form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every row against the game that its actions make: seen, allowed, done, ended; the games are those of `simulate`."""
    monkeypatch.setattr(exporting, "MAX_ROWS_HELD", rows)
    loaded, to = sutler.load("threeyears"), tmp_path / f"it.{form}"
    n_games, n_rows = export_bots(loaded, bots, 3, to, seed=5, compact=compact)
    table, coded = _read(to), Encoding(loaded, 2, compact=compact)
    assert dict(table.schema) == list_column_types(coded)
    assert (n_games, n_rows) == (3, table.height)
    assert list(tmp_path.iterdir()) == [to]
    played = sutler.simulate(loaded, bots, games=3, seed=5, rotate=False, threads=1)
    for i, (name, group) in enumerate(table.group_by("played", maintain_order=True)):
        assert name == (f"seed {5 + i}",)
        pos = loaded.new(2, 5 + i)
        for number, row in enumerate(group.iter_rows(named=True)):
            assert (row["decision"], row["seat"], row["seats"]) == (number, pos.seat, 2)
            assert row["player"] == bots[(pos.seat + i) % 2]
            assert row["legal"] == pos.legal_ids()
            assert row["name"] == loaded.action_names[row["action"]].name
            assert np.array_equal(np.float32(row["observation"]), coded.encode(pos.for_seat(pos.seat).observation()))
            pos.play(row["action"])
        assert pos.over
        assert group["over"].all()
        for row in group.iter_rows(named=True):
            assert row["score"] == pos.scores()[row["seat"]]
            assert row["place"] == pos.places()[row["seat"]]
            assert row["return"] == row["returns"][row["seat"]]
            assert sum(row["returns"]) == 0
        if i == 0:
            assert pos.scores() == [played.row(0, named=True)[f"score_{seat}"] for seat in range(2)]


def test_a_file_says_what_it_is(tmp_path: Path) -> None:
    """The game, its options, a name and bounds for every number, a name for every action: read without Sutler's tables."""
    loaded = sutler.load("threeyears")
    for made, form in (("bots", "parquet"), ("bots", "arrow"), ("games", "parquet"), ("games", "arrow")):
        to = tmp_path / f"{made}.{form}"
        if made == "bots":
            export_bots(loaded, "random", 1, to, encoding="onehot", compact=True)
        else:
            export(iter_games_between_bots(loaded, ["random", "random"], 1, seed=3), to, encoding="onehot")
        table, told = _read(to), spec_in(to)
        n = table.schema["observation"].size
        assert len(told["observation"]) == len(told["low"]) == len(told["high"]) == n
        assert (told["game"], told["encoding"], told["compact"]) == ("threeyears", "onehot", made == "bots")
        row = table.row(-1, named=True)
        assert told["actions"][row["action"]] == row["name"]
        assert told["fields"][0]["name"] == "phase"
        seen = table["observation"].to_numpy()
        assert (np.float32(told["low"]) <= seen).all()
        assert (seen <= np.float32(told["high"])).all()
    with pytest.raises(ValueError, match="no game"):
        export([], tmp_path / "none.parquet")


def test_the_formats_say_the_same(tmp_path: Path) -> None:
    """Parquet and Arrow, row by row; whole numbers stand in the narrowest type that holds them all, others as float32."""
    loaded = sutler.load("threeyears")
    for encoding, kind in (("raw", pl.Int16), ("scaled", pl.Float32)):
        made = []
        for form in ("parquet", "arrow"):
            export_bots(loaded, "random", 2, tmp_path / f"it.{form}", encoding=encoding)
            made.append(_read(tmp_path / f"it.{form}"))
        assert made[0].equals(made[1])
        assert made[0].schema["observation"].inner == kind


def test_nothing_is_left_of_a_file_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the games end in an error, or the thread that writes does, or pyarrow is missing: an error, and an empty folder."""
    loaded = sutler.load("threeyears")

    def told(done: int) -> None:
        raise RuntimeError("enough")

    for form in ("parquet", "arrow"):
        with pytest.raises(RuntimeError, match="enough"):
            export_bots(loaded, "random", 3, tmp_path / f"it.{form}", progress=told)
    wrong = {"decision": pl.String}
    with pytest.raises(pl.exceptions.PolarsError), open_decision_file(tmp_path / "it.parquet", wrong, "{}", 4) as file:
        file.add_rows(pl.DataFrame({"decision": [1]}))
    with (
        pytest.raises(ValueError, match=r"\.parquet or \.arrow"),
        open_decision_file(tmp_path / "it.csv", wrong, "{}", 4),
    ):
        pass
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r"sutler\[arrow\]"):
        export_bots(loaded, "random", 1, tmp_path / "it.arrow")
    assert not list(tmp_path.iterdir())


def test_from_files(tmp_path: Path) -> None:
    """Kept games of one title; two titles are refused, and nothing half written stays."""
    files = sorted(KEPT.glob("bellum-*.json"))
    n_games, n_rows = export(iter_games_from_files(files), tmp_path / "it.parquet")
    assert n_games == len(files)
    assert pl.read_parquet(tmp_path / "it.parquet")["played"].unique().sort().to_list() == [one.stem for one in files]
    with pytest.raises(ValueError, match="one file, one game"):
        export(iter_games_from_files(sorted(KEPT.glob("*.json"))), tmp_path / "both.parquet")
    assert not (tmp_path / "both.parquet").exists()
    assert n_rows > 100


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["it.csv", "--game", "manor"], "ends in .parquet or .arrow"),
        (["it.parquet"], "one of the two"),
        (["it.parquet", "nowhere.json"], "no such file"),
        (["it.parquet", "--game", "chess"], "there is no game"),
        (["it.parquet", "--game", "manor", "--seats", "9"], "2 to 6"),
    ],
)
def test_what_cannot_be_is_told(said: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In words, on the command line."""
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["export", *said])
    assert told.exit_code == 2
    assert message in told.output
    assert not Path("it.parquet").exists()


def test_the_command(tmp_path: Path) -> None:
    """Bots play, and the file is there."""
    to = tmp_path / "it.parquet"
    told = CliRunner().invoke(app, ["export", str(to), "--game", "threeyears", "--bots", "random", "--games", "2"])
    assert told.exit_code == 0, told.output
    assert f"{pl.read_parquet(to).height:,} decisions of 2 games" in " ".join(told.output.split())


def test_games_of_a_house_that_were_opened_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three tables one counts: it is over, and everybody knew. No name is in the file; people and bots are told apart."""
    monkeypatch.setenv("SUTLER_GAMES", str(Path(__file__).parents[2] / "examples"))
    monkeypatch.setenv("COLUMNS", "200")
    data, to = tmp_path / "house.sqlite", tmp_path / "it.parquet"
    house = House(Store(f"sqlite:///{data}"), Shelf(), bot_pause=0.0)
    seats = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="me", name="Perrin"))
    secret, open_one, begun = (
        house.open_table(Created(game="market", seed=4, seats=seats, options={"rounds": 5}, counts=counts))
        for counts in (False, True, True)
    )
    for room in (secret, open_one):
        while room.pos.seat is not None:
            moves.play_action(room, (room.pos.seat,), room.decision, room.pos.actions()[0].name)
    moves.play_action(begun, (0,), 0, begun.pos.actions()[0].name)
    house.close()
    told = CliRunner().invoke(app, ["export", str(to), str(data), "--game", "market"])
    assert told.exit_code == 0, told.output
    found = pl.read_parquet(to)
    assert found["played"].unique().to_list() == [open_one.id]
    assert found.height == 10
    assert found["player"].unique().to_list() == ["person"]
    by_url = CliRunner().invoke(app, ["export", str(to), f"sqlite:///{data}", "--game", "market"])
    assert by_url.exit_code == 0, by_url.output
    assert pl.read_parquet(to).equals(found)
    none = CliRunner().invoke(app, ["export", str(to), str(data), "--game", "manor"])
    assert "opened to be counted in the lab" in " ".join(none.output.split())
    assert "with --game which game" in " ".join(CliRunner().invoke(app, ["export", str(to), str(data)]).output.split())

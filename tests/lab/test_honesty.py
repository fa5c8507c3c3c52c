"""What a designer must not be told: infinite points, a hundred points nobody counted, turn nought, a file that is half there."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import typer

import sutler
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.cli.errors import print_errors_as_sentences
from sutler.cli.output_file import require_writable_out, write_answer
from sutler.core.play.registry import load_definition
from sutler.lab.parameters import list_number_names
from sutler.lab.play import atomic_files
from sutler.lab.play.experiment_file import Sample
from sutler.lab.play.experiment_recording import list_tracks
from sutler.lab.play.headline_figures import (
    compute_table_figures,
    find_seats_by_role,
    label_ending,
    list_role_kinds,
    require_known_figures,
)
from sutler.lab.play.headline_figures import list_figure_names as figures_of
from sutler.lab.play.provenance import describe_bot
from sutler.lab.play.simulate import Run, find_roles
from sutler.lab.report import result_tables, usage_tables
from sutler.lab.report.report import _build_win_claims, render_report
from sutler.lab.stats.estimates import compute_bonferroni_z, compute_wilson_interval
from sutler.lab.studies.sweep import run_sweep
from sutler.lab.studies.tournament import TableGames, Tournament


def table(places: list[list[int]], scores: list[list[float]], **more: Any) -> pl.DataFrame:
    """Games with these places and scores."""
    n = len(places[0])
    columns: dict[str, Any] = {f"bot_{seat}": ["greedy"] * len(places) for seat in range(n)}
    columns |= {f"score_{seat}": [float(row[seat]) for row in scores] for seat in range(n)}
    columns |= {f"place_{seat}": [row[seat] for row in places] for seat in range(n)}
    columns |= {"decisions": [9] * len(places), "finished": [True] * len(places), "ending": [""] * len(places)}
    return pl.DataFrame(columns | more)


def named(found: Any) -> dict[str, Any]:
    """Figures by name."""
    return {figure.name: values for figure, values in found.items()}


def test_nobody_wins() -> None:
    """Where no seat is first, nobody has a part of the win, the best seat's points stand for the winner's, and it is counted."""
    found = named(compute_table_figures(table([[1, 2], [2, 2]], [[5, 3], [-2, -4]])))
    assert found["seat_1"].tolist() == [1.0, 0.0]
    assert found["winner_score"].tolist() == [5.0, -2.0]
    assert found["nobody"].tolist() == [0.0, 1.0]
    assert all(np.isfinite(values).all() for values in found.values())
    played = TableGames((0, 0), np.array([[1.0, 2.0], [2.0, 2.0]]), np.zeros((2, 2)), pl.DataFrame())
    assert played.won.tolist() == [[1.0, 0.0], [0.0, 0.0]]


def test_a_game_without_points_has_no_figures_of_points() -> None:
    """Scores that say no more than who has won are none: no mean, no margin."""
    found = named(compute_table_figures(table([[1, 2], [2, 1], [1, 1]], [[1, 0], [0, 1], [0.5, 0.5]])))
    assert not {"score", "spread", "winner_score", "margin"} & set(found)
    assert {"score", "spread", "winner_score", "margin"} <= set(named(compute_table_figures(table([[1, 2]], [[3, 0]]))))


def test_where_all_win_or_lose_together_no_seat_wins_a_part() -> None:
    """A co-operative game's figures are of the table: half a win a seat, a margin of nothing and a first place shared say nothing."""
    found = named(compute_table_figures(table([[1, 1], [2, 2]], [[7, 7], [3, 3]]), ["won", "lost"], cooperative=True))
    assert not {"seat_1", "seat_2", "spread", "winner_score", "margin", "shared"} & set(found)
    assert found["score"].tolist() == [7.0, 3.0]
    assert found["nobody"].tolist() == [0.0, 1.0]
    six = sutler.load("sixwinters")
    assert set(found) <= set(figures_of(six, 2)) | {"turns"}
    with pytest.raises(ValueError, match="no figure 'seat_1'; there are score"):
        require_known_figures(six, ["greedy"], 2, ["seat_1"])
    with pytest.raises(ValueError, match="no figure 'bot_greedy'"):
        require_known_figures(six, ["greedy", "random"], None, ["bot_greedy"])


def test_turns_count_from_one_and_points_are_what_the_rules_count() -> None:
    """Bellum's first round is 0 in its state and a win by sieges puts 100 on a score: neither is what a designer is told."""
    game = sutler.load("bellum")
    game.definition.home.interpreted = True
    run = Run(game, build_repeatable_bots(["random"] * 4, game), 2, seed=1, rotate=False)
    finals = np.zeros(2, game.definition.state.dtype)
    finals["round_no"], finals["seat_of"] = [0, 4], [[0, 1, 2, 3], [3, 2, 1, 0]]
    run.results["points"] = [[107, 15, -4, 1], [-95, 5, 4, 2]]
    run.record_ends(finals, 0, 2)
    assert run.turns.tolist() == [1, 5]
    assert run.results["points"].tolist() == [[7, 15, -4, 1], [5, 5, 4, 2]]
    assert (
        run.table().select("^power_.$").rows()
        == [
            ("Sweden", "France", "Austria", "Spain"),
            ("Spain", "Austria", "France", "Sweden"),
        ]
        or run.roles["power"][0].tolist() == game.names["power"]
    )


def test_a_seat_may_be_several_powers() -> None:
    """At a table of two each leads an alliance: both its powers win with it."""
    game = sutler.load("bellum")
    states = np.zeros(1, game.definition.state.dtype)
    states["seat_of"] = [[0, 0, 1, 1]]
    powers = list(game.names["power"])
    said = find_roles(game, states, 2)["power"]
    assert said.tolist() == [[" + ".join(powers[:2]), " + ".join(powers[2:])]]
    games = table([[1, 2]], [[4, 3]], power_0=[said[0, 0]], power_1=[said[0, 1]])
    assert list_role_kinds(games) == ["power"]
    assert find_seats_by_role(games, "power")[powers[0]].tolist() == [[True, False]]
    found = named(compute_table_figures(games))
    assert [float(found[f"power_{power}"][0]) for power in powers] == [1.0, 1.0, 0.0, 0.0]


def test_an_uneven_role_is_seen() -> None:
    """Seats even, powers not: Austria wins six of ten games at whatever seat, and its interval leaves out the even share."""
    n = 400
    first = [k % 2 for k in range(n)]
    austria = [seat if k % 10 < 8 else 1 - seat for k, seat in enumerate(first)]
    games = table(
        [[1 if seat == won else 2 for seat in (0, 1)] for won in first],
        [[3.0 if seat == won else 1.0 for seat in (0, 1)] for won in first],
        power_0=["Austria" if seat == 0 else "Spain" for seat in austria],
        power_1=["Austria" if seat == 1 else "Spain" for seat in austria],
    )
    sample = Sample(games, {"seats": 2, "bots": [{"name": "greedy"}] * 2, "cooperative": False})
    rows = {row["power"]: row for row in result_tables.build_wins_by_role_table(sample, "power").to_dicts()}
    assert rows["Austria"]["share"] == 0.8
    assert rows["Austria"]["low"] > rows["Austria"]["even"] == 0.5 > rows["Spain"]["high"]
    assert [row["low"] <= 0.5 <= row["high"] for row in result_tables.build_wins_by_seat_table(sample).to_dicts()] == [
        True,
        True,
    ]


def record(places: list[list[int]], **more: Any) -> Sample:
    """Games of two with these places and a point for each place but the last, as a file would have them."""
    games = table(places, [[2.0 * (place == 1) + 1 for place in row] for row in places], **more)
    return Sample(games, {"seats": len(places[0]), "bots": [{"name": "greedy"}] * len(places[0]), "cooperative": False})


def test_seats_are_even_where_nobody_wins_the_rest() -> None:
    """Of a thousand games six hundred are won, three hundred by either seat: 30 % each, and nobody is favoured."""
    sample = record([[1, 2]] * 300 + [[2, 1]] * 300 + [[2, 2]] * 400)
    head, rest, _ = _build_win_claims(sample)[0]
    assert head == "No seat is seen to be favoured."
    assert "an even share is 30.0\N{NO-BREAK SPACE}%, since nobody wins the rest" in rest
    assert _build_win_claims(sample)[-1][:2] == ("Nobody wins", "40.0\N{NO-BREAK SPACE}% of the games.")
    power = {f"power_{seat}": [name] * 1000 for seat, name in enumerate(("Austria", "Spain"))}
    assert set(
        result_tables.build_wins_by_role_table(
            record([[1, 2]] * 300 + [[2, 1]] * 300 + [[2, 2]] * 400, **power), "power"
        )["even"]
    ) == {0.3}


def test_seats_are_uneven_where_nobody_wins_the_rest() -> None:
    """The same with 400 and 200: both seats stand out of an even 30 %, though neither reaches half of all games."""
    head, rest, _ = _build_win_claims(record([[1, 2]] * 400 + [[2, 1]] * 200 + [[2, 2]] * 400))[0]
    assert head == "The seats are not even."
    assert "Seat 1" in rest
    assert "Seat 2" in rest


@pytest.mark.parametrize("places", [[[2, 2]] * 50, [[1, 1]] * 50, [[1, 2]]])
def test_one_sided_tables_say_no_more_than_they_know(places: list[list[int]]) -> None:
    """Nobody ever wins; everybody always does; a single game: no seat is called favoured, no share is none."""
    said = " ".join(" ".join(one[:2]) for one in _build_win_claims(record(places)))
    assert "not even" not in said
    assert "nan" not in said
    if places[0] == [2, 2]:
        assert said.startswith("Nobody wins. In none of these games was a seat first. These bots never win it")


@pytest.mark.parametrize("games", [1, 4, 40, 200])
def test_so_many_games_are_enough(games: int) -> None:
    """However few were played: as many as are called enough bring a seat's share to five points to either side."""
    sample = record([[1, 2], [2, 1]] * (games // 2) or [[1, 2]])
    wanted = result_tables.estimate_games_needed(result_tables.build_wins_by_seat_table(sample).to_dicts(), 2)
    low, high = compute_wilson_interval(wanted / 2, wanted, compute_bonferroni_z(2))
    assert max(0.5 - low, high - 0.5) <= result_tables.NARROW_HALF_WIDTH
    assert wanted <= 700


def test_the_control_of_a_tournament_where_nobody_wins_the_rest() -> None:
    """Chairs that win 30 % each of a game that nobody wins in 40 of 100 are even; the mirror table is no fault."""
    ranks = np.array([[1.0, 2.0]] * 300 + [[2.0, 1.0]] * 300 + [[2.0, 2.0]] * 400)
    played = TableGames((0, 0), ranks, np.tile([0, 1], (1000, 1)), pl.DataFrame())
    found = Tournament(("greedy",), 2, (played,), 1, {})
    control, seats = found.compute_control(0), found.compute_wins_by_seat(0)
    assert control is not None
    assert control.has_passed()
    assert seats is not None
    assert all(one.even == pytest.approx(0.3) for one in seats)


@pytest.mark.parametrize("name", sutler.games())
def test_words_are_a_designer_s(name: str) -> None:
    """No part of an event in braces, no bare letter for a number; nothing owned that is a set of bits or a count for the rules."""
    game = sutler.load(name)
    events = {key: [event.rule, event.text, event.heading] for key, event in game.definition.events.events.items()}
    sample = Sample(pl.DataFrame(), {"events": events})
    for event in events:
        assert not re.search(r"[{}]|\bn\d?\b", usage_tables.find_event_words(sample, event)), event
    owned = {track.path[-1] for track in list_tracks(game)}
    fields = {
        "bellum": {"held"},
        "warfarm": {"peace", "opened", "miracles"},
        "manor": {"worked"},
        "threeyears": {"marker"},
    }
    assert not owned & fields.get(name, set())


def test_what_gains_says() -> None:
    """Numbers go, what is counted comes in the plural."""
    events = {"gained": ["1", "{seat} gains {n} {token}", False], "lost": ["1", "{seat} burns {n} Farmland", False]}
    events |= {
        "paid": ["1", "{seat} pays {n} {n:#good|goods}", False],
        "rolled": ["1", "{n} {n:#die is|dice are} rolled", False],
        "level": ["1", "{power}: supply {n} → {n2}", False],
        "given": ["1", "{seat} gives up {count} {token}", False],
        "sent": ["1", "{seat} sends {count} {count:#Explorer|Explorers} to {deck}", False],
    }
    sample = Sample(pl.DataFrame(), {"events": events})
    said = [usage_tables.find_event_words(sample, event) for event in events]
    assert said == [
        "gains tokens",
        "burns Farmland",
        "pays goods",
        "dice are rolled",
        "power: supply … → …",
        "gives up tokens",
        "sends Explorers to deck",
    ]


def test_what_played_is_said_exactly() -> None:
    """A bot at its usual settings by its name, any other with what differs."""
    assert describe_bot({"name": "greedy"}) == "greedy"
    assert "noise 0.12" in describe_bot({"name": "greedy", "noise": 0.12, "blunders": 0.0})


def test_a_parameter_that_is_none() -> None:
    """What is near is named, and how many there are."""
    with pytest.raises(
        ValueError, match=r"no parameter 'rules\.buy_prize' .*Did you mean rules\.buy_price.*There are \d+"
    ):
        run_sweep("manor", "rules.buy_prize=1..3")
    with pytest.raises(
        ValueError, match=r"rules\.steps=4: .*from 1 to 3"
    ):  # the value that is none, of those asked for
        run_sweep("bellum", "rules.steps=3..4")
    assert "rules.buy_price" in list_number_names("manor")


class Full:
    """An answer for which there is no room."""

    def write(self, path: Path) -> None:
        path.write_bytes(b"")
        raise OSError(errno.ENOSPC, "No space left on device")


class Elsewhere(Exception):
    """The error of a library that writes files."""


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), Elsewhere("No space left on device (28)")]
)
def test_a_full_disk_is_no_fault_of_ours(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told as what it is and ends with 2."""
    with pytest.raises(typer.Exit) as ended, print_errors_as_sentences():
        raise error
    assert ended.value.exit_code == 2
    assert "disk is full" in capsys.readouterr().err


def test_no_half_file_is_left(tmp_path: Path) -> None:
    """Neither an empty one nor one under another name; what was there before stays."""
    out = tmp_path / "f.csv"
    out.write_text("before", encoding="utf-8")
    with pytest.raises(OSError, match="No space"):
        write_answer(Full(), out, lambda: "")
    assert [path.name for path in tmp_path.iterdir()] == ["f.csv"]
    assert out.read_text(encoding="utf-8") == "before"
    atomic_files.write_atomically(tmp_path / "g.html", "all of it")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.csv", "g.html"]


def test_out_is_tried_before_the_first_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder by that name, or a place where nothing can be written: said at once, nothing left behind."""
    (tmp_path / "d.html").mkdir()
    with pytest.raises(Exception, match="is a folder"):
        require_writable_out(tmp_path / "d.html")
    require_writable_out(tmp_path / "f.html")
    assert not (tmp_path / "f.html").exists()

    def refused(self: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "touch", refused)
    with pytest.raises(Exception, match="nothing can be written there"):
        require_writable_out(tmp_path / "f.html")


def test_chapters_fold_and_the_first_page_answers(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Every chapter folds, one is open; between whom stands beside every claim; pages have numbers."""
    from sutler.lab.play.experiment import Plan, run

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUTLER_GAMES", str(Path(__file__).parents[2] / "examples"))
        market = sutler.load("market", rounds=5)
    market.definition.home.interpreted = True
    run(Plan(market, ["random"] * 2, games=6), tmp_path / "m.parquet")
    page = render_report(tmp_path / "m.parquet")
    assert page.count("<details") == page.count("<section") > 5
    assert page.count("<details open>") == 1
    short = page.partition('aria-label="In short"')[2].partition("</ul>")[0]
    assert short.count("<li>") == short.count("between random bots") >= 4
    assert "counter(page)" in page
    assert load_definition("manor").FIRST_TURN is None


@pytest.mark.parametrize(
    ("name", "text", "label"),
    [
        ("by_ruin", "{power} is ruined", "ending: by ruin"),
        ("ended_2", "Somebody is rich: the street is bought", "ending: Somebody is rich"),
        ("ended_stalled", "Nobody can do anything any more", "ending: stalled"),
    ],
)
def test_an_ending_that_is_a_number_is_called_by_its_text(name: str, text: str, label: str) -> None:
    """A card game's file numbers its ends; "ending: ended 2" tells its author nothing."""
    assert label_ending(name, text) == label

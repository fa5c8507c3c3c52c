"""Groups of options: a record's fields are options of the command, and come to it as the record."""

import re
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from sutler.cli.options import Players, PlayersAndBox, expand_option_groups

app = typer.Typer(add_completion=False)
came: list[object] = []


@dataclass(frozen=True)
class Wagon:
    """What is loaded."""

    sacks: Annotated[int, typer.Option(min=1, help="How many sacks.")]
    horses: Annotated[int, typer.Option(help="How many horses.")] = 2


@app.command()
@expand_option_groups
def load(
    road: Annotated[str, typer.Argument(help="Where to.")],
    wagon: Wagon,
    players: PlayersAndBox,
    slow: Annotated[bool, typer.Option("--slow", help="Not in a hurry.")] = False,
) -> None:
    """Load a wagon."""
    came[:] = [road, wagon, players, slow]


def test_fields_are_options_in_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Help lists them where the group stands, with their own words."""
    monkeypatch.setenv("COLUMNS", "140")
    shown = CliRunner().invoke(app, ["--help"]).output
    assert re.findall(r"--(\w+)", shown) == ["sacks", "horses", "bots", "seats", "set", "box", "slow", "help"]
    assert "How many sacks." in shown
    assert "[required]" in shown
    assert "Load a wagon." in shown


def test_what_is_typed_comes_as_the_record() -> None:
    """With the defaults of what was left out."""
    done = CliRunner().invoke(app, ["Breda", "--sacks", "3", "--set", "a=1", "--set", "b=2", "--slow"])
    assert done.exit_code == 0, done.output
    assert came == ["Breda", Wagon(3), PlayersAndBox(set_=["a=1", "b=2"]), True]


def test_a_field_is_checked_as_any_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds hold, and what has no default must be told."""
    monkeypatch.setenv("COLUMNS", "140")
    assert "greater than or equal to 1" in CliRunner().invoke(app, ["Breda", "--sacks", "0"]).output
    assert "--sacks" in CliRunner().invoke(app, ["Breda"]).output


def test_players_without_a_box_ask_for_the_printed_one() -> None:
    """`query` is the record that studies are asked with."""
    query = Players(bots="random", seats=3).build_query("manor", 20, 7)
    assert ([one.name for one in query.bots], query.seats, query.games, query.seed) == (["random"], 3, 20, 7)  # type: ignore[union-attr]
    assert (query.game, query.box, query.settings) == ("manor", None, {})

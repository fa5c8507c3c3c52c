"""Command line options that several commands share: single ones, and groups of them as dataclasses (see `spread`)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from sutler.cli.errors import parse_settings, print_errors_as_sentences, require_game_name

if TYPE_CHECKING:
    from sutler.lab.play.query import Query

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="One of `sutler games`, or a card game's file (harvest.toml).", show_default=False
    ),
]
Seats = Annotated[
    int | None, typer.Option(help="How many sit at the table; the game's best number if left out.", show_default=False)
]
Ray = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="Play on this Ray cluster: HOST:PORT, auto, or local to start one."),
]
Seed = Annotated[int | None, typer.Option(help="The same seed deals the same game.", show_default=False)]
FirstSeed = Annotated[int, typer.Option(min=0, help="The first game's seed.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="An option (victory=20) or a number of the box (rules.buy_price=2)."
    ),
]
Box = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A TOML file laid over the printed box.", show_default=False)
]
Figures = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Keep it: .html to read, .parquet or .csv the figures.")
]


@dataclass(frozen=True)
class LogOptions:
    """The options for a server's log."""

    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        typer.Option(help="Which lines are written to the standard error; from info on, one for each request."),
    ] = "warning"
    log_json: Annotated[bool, typer.Option("--log-json", help="Write each line of the log as JSON.")] = False

    def configure_logging(self) -> None:
        """Write the log of this process by these options from now on."""
        from sutler.web.http.log_lines import LogSettings

        LogSettings(self.log_level, self.log_json).apply()


@dataclass(frozen=True)
class Players:
    """The options for players: the bots, the number of seats, and the settings of the game."""

    bots: Annotated[str, typer.Option(help="The bots, as for `simulate`.")] = "greedy"
    seats: Seats = None
    set_: Settings = None

    def build_query(self, game: str, games: int, seed: int, by_name: bool = False) -> Query:
        """The lab's query for these options. `by_name`: keep bots as names, for studies that build each bot themselves."""
        from sutler.bots import bots_from
        from sutler.lab.play.query import Query

        name, settings, box = require_game_name(game), parse_settings(self.set_ or []), getattr(self, "box", None)
        typed = [one.strip() for one in self.bots.split(",") if one.strip()]
        bots = typed if by_name else bots_from(self.bots)
        return Query(name, bots, self.seats, games, seed, box=box, settings=settings)


@dataclass(frozen=True)
class TunedPlayers(Players):
    """The options for players, with a help text that says how a bot is given settings of its own."""

    bots: Annotated[str, typer.Option(help="The bots, as for `simulate`; settings as in search:rounds=40.")] = "greedy"


@dataclass(frozen=True)
class PlayersAndBox(TunedPlayers):
    """The options for players, and the edit of the box."""

    box: Box = None


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Decorate a function as a command: its groups of options become single options, its errors sentences and exit codes."""

    @functools.wraps(function)
    def run_command(*args: Any, **options: Any) -> None:
        with print_errors_as_sentences():
            function(*args, **options)

    return expand_option_groups(run_command)


def expand_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """The command with a separate option for each field of those parameters that are dataclasses (groups of options).

    The options stand where the group stood; the command is called with the dataclass, made of the typed values.
    """
    groups: dict[str, Any] = {}
    flat: list[inspect.Parameter] = []
    for name, one in inspect.signature(command, eval_str=True).parameters.items():
        if is_dataclass(one.annotation):
            groups[name] = one.annotation
            flat += _list_parameters(one.annotation)
        else:
            flat.append(one.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    @functools.wraps(command)
    def call_with_options(**values: Any) -> None:
        made = {name: kind(**{one.name: values.pop(one.name) for one in fields(kind)}) for name, kind in groups.items()}
        command(**values, **made)

    call_with_options.__annotations__ = {one.name: one.annotation for one in flat}
    call_with_options.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    return call_with_options


def _list_parameters(option_group: Any) -> list[inspect.Parameter]:
    """A keyword parameter for each field of a dataclass of options."""
    kinds = get_type_hints(option_group, include_extras=True)
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(
            one.name,
            kind,
            default=inspect.Parameter.empty if one.default is MISSING else one.default,
            annotation=kinds[one.name],
        )
        for one in fields(option_group)
    ]

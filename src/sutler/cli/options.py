"""What several commands ask for in the same words: single options, and groups of them as records (see `spread`)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from sutler.cli.query import Asked

GameName = Annotated[str, typer.Argument(metavar="GAME", help="One of `sutler games`.", show_default=False)]
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
class Table:
    """Who plays, at which table, by which settings."""

    bots: Annotated[str, typer.Option(help="The bots, as for `simulate`.")] = "greedy"
    seats: Seats = None
    set_: Settings = None

    def asked(self, game: str, games: int, seed: int, out: Path | None = None, ray: str | None = None) -> Asked:
        """All that a command of the lab is told."""
        from sutler.cli.query import Asked

        return Asked(game, self.bots, self.seats, games, seed, self.set_ or [], getattr(self, "box", None), out, ray)


@dataclass(frozen=True)
class TableOfSearchers(Table):
    """The same, saying how a bot is given settings."""

    bots: Annotated[str, typer.Option(help="The bots, as for `simulate`; settings as in search:rounds=40.")] = "greedy"


@dataclass(frozen=True)
class TableWithBox(TableOfSearchers):
    """The same, with an edited box on it."""

    box: Box = None


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """For a command with groups of options: of a parameter that is a dataclass, each field is an option, in its place.

    What is typed comes to the command as the dataclass again.
    """
    groups: dict[str, Any] = {}
    flat: list[inspect.Parameter] = []
    for name, one in inspect.signature(command, eval_str=True).parameters.items():
        if is_dataclass(one.annotation):
            groups[name] = one.annotation
            flat += _options(one.annotation)
        else:
            flat.append(one.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    @functools.wraps(command)
    def typed(**told: Any) -> None:
        made = {name: kind(**{one.name: told.pop(one.name) for one in fields(kind)}) for name, kind in groups.items()}
        command(**told, **made)

    typed.__annotations__ = {one.name: one.annotation for one in flat}
    typed.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    return typed


def _options(group: Any) -> list[inspect.Parameter]:
    kinds = get_type_hints(group, include_extras=True)
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(
            one.name,
            kind,
            default=inspect.Parameter.empty if one.default is MISSING else one.default,
            annotation=kinds[one.name],
        )
        for one in fields(group)
    ]

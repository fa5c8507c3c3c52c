"""The box of Oware: `box.toml` checked and packed, and what is told in rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from sutler.core.actions import ActionTable, Block, Names
from sutler.core.files.box import Entry, Info, Option
from sutler.core.files.options import Options
from sutler.core.record import field, record
from sutler.core.tables import Phase, PhaseTable

SEATS, ROW = 2, 6
HOUSES = SEATS * ROW
HOUSE_NAMES = tuple(f"{side} {i + 1}" for side in ("South", "North") for i in range(ROW))

PHASES = PhaseTable(
    sow=Phase("2.1", "{seat}, sow a house.", help="Its seeds go one by one into the houses that follow."),
    over=Phase("4.4", over=True),
)
ACTIONS = ActionTable({"house": HOUSES}, sow=Block("2.1", ("house",), label="{house}", when="sow", ask=True))
P, A = PHASES.numbers, ACTIONS.numbers

OPTIONS = Options(Path(__file__).with_name("box.toml"))
BOX = record("Box", ("seeds", "i1"), field("options", OPTIONS))


class Parameters(Entry):
    """Numbers that are no option at the table but may be edited."""

    seeds: Annotated[int, Field(ge=1, le=9)] = 4


class Sheet(Entry):
    """`box.toml`, checked."""

    game: Info
    options: dict[str, Any]
    rules: Parameters

    def names(self) -> Names:
        """What houses and phases are called."""
        return {"house": HOUSE_NAMES, "phase": PHASES.words}


def pack(sheet: Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The sheet and the chosen options as one record."""
    box = BOX.new()
    box.seeds = sheet.rules.seeds
    OPTIONS.write_options(box.options, options)
    return box

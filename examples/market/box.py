"""The box of Market: `box.toml` checked and packed; sizes and the action table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from sutler.core.actions import ActionTable, Block, Names
from sutler.core.bits import add
from sutler.core.files.box import BoxError, Entry, Info, Option
from sutler.core.files.entry_records import record_of, write_entry
from sutler.core.files.options import Options
from sutler.core.record import field, record, set_of
from sutler.core.tables import Phase, PhaseTable

SEATS, WARES = 4, 16  # room for what a designer may add
KIND_NAMES = ("cloth", "food", "drink", "iron")
KINDS = len(KIND_NAMES)

PHASES = PhaseTable(
    choose=Phase("2.1", "{seat}, work or buy.", help="Work brings coins; a ware on the stall costs what it says."),
    over=Phase("3.1", over=True),
)
# `ask`: a seat is asked on every turn, even when it can only work; nobody likes to be passed over.
ACTIONS = ActionTable(
    {"ware": WARES},
    work=Block("2.2", label="Work", when="choose", free=True, ask=True),
    buy=Block("2.3", ("ware",), label="Buy {ware}", when="choose"),
)
P, A = PHASES.numbers, ACTIONS.numbers

OPTIONS = Options(Path(__file__).with_name("box.toml"))
Coins = Annotated[int, Field(ge=0, le=99)]


class WareEntry(Entry):
    """A card of `box.toml`; the record that rules read follows from it."""

    name: str
    kind: Literal["cloth", "food", "drink", "iron"]
    cost: Coins
    worth: Coins


class Parameters(Entry):
    """Numbers that are no option at the table but may be edited."""

    purse: Coins = 5
    wage: Coins = 2
    stall: Coins = 3


BOX = record(
    "Box",
    field("options", OPTIONS),
    field("rules", record_of(Parameters)),
    field("ware", record_of(WareEntry), WARES),
    set_of("ware", "wares", WARES),
)


class Sheet(Entry):
    """`box.toml`, checked."""

    game: Info
    options: dict[str, Any]
    rules: Parameters
    ware: list[WareEntry]

    def names(self) -> Names:
        """What wares, kinds and phases are called."""
        return {"ware": [ware.name for ware in self.ware], "kind": KIND_NAMES, "phase": PHASES.words}


def pack(sheet: Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The sheet and the chosen options as one record."""
    if len(sheet.ware) > WARES:
        raise BoxError(f"box: at most {WARES} wares fit")
    box = BOX.new()
    OPTIONS.write_options(box.options, options)
    write_entry(box.rules, sheet.rules)
    for i, ware in enumerate(sheet.ware):
        write_entry(box.ware[i], ware)
        add(box.wares, i)
    return box

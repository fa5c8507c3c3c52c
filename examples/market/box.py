"""The box of Market: `box.toml` checked and packed; sizes and the action table."""

from __future__ import annotations

from typing import Any, Literal

from sutler.core.actions import ActionTable, Block, Names
from sutler.core.bits import add
from sutler.core.box import BoxError, Entry, Info, Option
from sutler.core.record import field, record, set_of
from sutler.core.tables import Phase, PhaseTable

SEATS, WARES = 4, 16  # room for what a designer may add
KIND_NAMES = ("cloth", "food", "drink", "iron")
KINDS = len(KIND_NAMES)

PHASES = PhaseTable(choose=Phase("2.1", "{seat}, work or buy."), over=Phase("3.1", over=True))
# `ask`: a seat is asked on every turn, even when it can only work; nobody likes to be passed over.
ACTIONS = ActionTable(
    {"ware": WARES},
    work=Block("2.2", label="Work", when="choose", free=True, ask=True),
    buy=Block("2.3", ("ware",), label="Buy {ware}", when="choose"),
)
P, A = PHASES.numbers, ACTIONS.numbers

WARE = record("Ware", ("kind", "i1"), ("cost", "i2"), ("worth", "i2"))
BOX = record(
    "Box",
    ("rounds", "i1"),
    ("purse", "i1"),
    ("wage", "i1"),
    ("stall", "i1"),
    field("ware", WARE, WARES),
    set_of("ware", "wares", WARES),
)


class WareEntry(Entry):
    """A card of `box.toml`."""

    name: str
    kind: Literal["cloth", "food", "drink", "iron"]
    cost: int
    worth: int


class Parameters(Entry):
    """Numbers that are no option at the table but may be edited."""

    purse: int = 5
    wage: int = 2
    stall: int = 3


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
    box.rounds, box.purse = options["rounds"], sheet.rules.purse
    box.wage, box.stall = sheet.rules.wage, sheet.rules.stall
    for i, ware in enumerate(sheet.ware):
        box.ware[i].kind = KIND_NAMES.index(ware.kind)
        box.ware[i].cost, box.ware[i].worth = ware.cost, ware.worth
        add(box.wares, i)
    return box

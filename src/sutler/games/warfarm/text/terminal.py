"""The table of WARFARM in the terminal: the decks, the three farms with their posts and cards, the hand."""

from __future__ import annotations

from typing import Any

from rich import box as boxes
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sutler.core.text.seat_marks import seat_text

LEVELS = ("", "I", "II", "III")
UNIT_NAMES = ("farmer", "explorer", "soldier", "disciple", "cannon")
TOKEN_NAMES = ("farmland", "water", "steel", "religion", "fire")


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table."""
    parts: list[RenderableType] = [_head(view), _decks(view), _goods(view), _farms(view)]
    parts += [_hand(view, seat) for seat in view["seats"] if seat["hand"] is not None]
    return Group(*parts)


def _who(view: dict[str, Any], seat: int) -> Text:
    return seat_text(seat, view["seats"][seat]["name"])


def _head(view: dict[str, Any]) -> Text:
    last = f" of {view['max_rounds']}" if view["max_rounds"] else ""
    head = Text(f"\nRound {view['turn']}{last}  ", "bold")
    for key, label in view["phases"]:
        head.append(f" {label} ", "reverse" if key == view["phase"] else "dim")
    return head


def _decks(view: dict[str, Any]) -> Table:
    """The decks: level, cards left, and what a locked one needs."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 3, 0, 0))
    for branch in ("resource", "farm", "military", "religion"):
        cells = [Text(branch.capitalize(), "bold")]
        for deck in view["decks"]:
            if deck["branch"] == branch:
                needs = "" if deck["open"] else f", needs {deck['needs_text']}"
                label = f"{LEVELS[deck['level']]} {deck['cards']}{needs}".strip()
                cells.append(Text(label, "green" if deck["open"] else "dim"))
        table.add_row(*cells)
    return table


def _goods(view: dict[str, Any]) -> Table:
    """The goods, a column for each seat: how many of each, their limits, and how near each seat is to winning."""
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    for seat in view["seats"]:
        head = Text("→ " if seat["seat"] == view["to_act"] else "").append_text(_who(view, seat["seat"]))
        table.add_column(head if seat["alive"] else head.append(" out", "dim"), justify="right", no_wrap=True)
    for name in TOKEN_NAMES:
        table.add_row(name, *[_count(seat["tokens"][name]) for seat in view["seats"]])
    for name in UNIT_NAMES:
        table.add_row(name, *[_count(seat["units"][name]) for seat in view["seats"]])
    for what in ("units", "cards"):
        limits = [f"{seat['n_' + what]} of {seat['tokens']['farmland']}" for seat in view["seats"]]
        table.add_row(Text(f"{what}, limit", "dim"), *limits)
    for i, goal in enumerate(view["seats"][0]["goals"]):
        nearness = [f"{seat['goals'][i]['n']} of {seat['goals'][i]['of']}" for seat in view["seats"]]
        table.add_row(Text(f"to win: {goal['name']}", "dim"), *nearness)
    return table


def _count(n: int) -> Text:
    return Text(str(n) if n else "·", "" if n else "dim")


def _farms(view: dict[str, Any]) -> Table:
    """The farms: where units stand, and what lies before each seat."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for seat in view["seats"]:
        if seat["alive"]:
            table.add_row(_who(view, seat["seat"]), Text("; ".join(_places(seat)) or "no units", "dim"))
            table.add_row("", _cards_before(view, seat))
    return table


def _places(seat: dict[str, Any]) -> list[str]:
    return [f"{spot['n']} × {spot['words']}" if spot["n"] > 1 else spot["words"] for spot in seat["spots"]]


def _cards_before(view: dict[str, Any], seat: dict[str, Any]) -> Text:
    text = Text()
    for slot in seat["table"]:
        text.append(", " if text else "").append(slot["card"], "bold").append(_standing(slot), "dim")
    for trap in seat["traps"]:
        name = trap["card"] or (f"a Trap from {trap['deck']}" if trap["deck"] else "a face-down Trap")
        text.append(", " if text else "").append(f"[{name}]", "italic").append(_guards(trap["soldiers"], 0), "dim")
    for name in seat["shown"]:
        text.append(", " if text else "").append(name, "italic green")
    if seat["backs"] and seat["hand"] is None:
        backs = ", ".join(f"{n} {deck}" for deck, n in seat["backs"])
        text.append("; holds " if text else "holds ").append(backs)
    if seat["peace_with"]:
        text.append("; at peace with " if text else "at peace with ")
        for other in seat["peace_with"]:
            text.append_text(_who(view, other)).append(" ")
    return text or Text("no cards", "dim")


def _standing(slot: dict[str, Any]) -> str:
    workers = f" ({slot['workers']} of {slot['places']} at work)" if slot["places"] else ""
    return workers + _guards(slot["soldiers"], slot["farmers"])


def _guards(soldiers: int, farmers: int) -> str:
    guards = [f"{n} {name}{'s' if n > 1 else ''}" for n, name in ((soldiers, "Soldier"), (farmers, "Farmer")) if n]
    return f" (guarded by {' and '.join(guards)})" if guards else ""


def _hand(view: dict[str, Any], seat: dict[str, Any]) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for name in dict.fromkeys(seat["hand"]):
        card = view["cards"][name]
        copies = seat["hand"].count(name)
        times = f" × {copies}" if copies > 1 else ""
        table.add_row(Text(f"  {name}{times}", "bold"), Text(card["type"], "dim"), card["text"])
    if not seat["hand"]:
        table.add_row(Text("  no card", "dim"))
    return Group(_who(view, seat["seat"]).append(" holds", "not bold"), table)

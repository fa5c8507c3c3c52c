"""The table of WARFARM in a terminal: the decks, the three farms with their posts and cards, the hand."""

from __future__ import annotations

from typing import Any

from rich import box as boxes
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sutler.core.text.drawing import seat_text_from_view
from sutler.core.text.language import join_with_and
from sutler.games.warfarm.box import FARMER, SOLDIER
from sutler.games.warfarm.text import _
from sutler.games.warfarm.view import amount_in_words

LEVELS = ("", "I", "II", "III")
UNIT_NAMES = ("farmer", "explorer", "soldier", "disciple", "cannon")
TOKEN_NAMES = ("farmland", "water", "steel", "religion", "fire")


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table, as drawn in a terminal, from the plain data of `view`."""
    parts: list[RenderableType] = [_build_heading(view), _decks_table(view), _goods_table(view), _farms_table(view)]
    parts += [_hand_table(view, seat) for seat in view["seats"] if seat["hand"] is not None]
    return Group(*parts)


def _build_heading(view: dict[str, Any]) -> Text:
    last = view["max_rounds"]
    now = _("Round {n} of {most}", n=view["turn"], most=last) if last else _("Round {n}", n=view["turn"])
    head = Text(f"\n{now}  ", "bold")
    for key, label in view["phases"]:
        head.append(f" {label} ", "reverse" if key == view["phase"] else "dim")
    return head


def _decks_table(view: dict[str, Any]) -> Table:
    """A table of the decks: level, cards left, and what a locked deck needs."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 3, 0, 0))
    branches = {"resource": _("Resources"), "farm": _("Farm"), "military": _("Military"), "religion": _("Religion")}
    for branch, called in branches.items():
        cells = [Text(called, "bold")]
        for deck in view["decks"]:
            if deck["branch"] == branch:
                needs = "" if deck["open"] else ", " + _("needs {what}", what=deck["needs_text"])
                label = f"{LEVELS[deck['level']]} {deck['cards']}{needs}".strip()
                cells.append(Text(label, "green" if deck["open"] else "dim"))
        table.add_row(*cells)
    return table


def _goods_table(view: dict[str, Any]) -> Table:
    """A table of the goods, a column for each seat: the number of each good, the limits, and the nearness to each victory."""
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    for seat in view["seats"]:
        head = Text("→ " if seat["seat"] == view["to_act"] else "").append_text(seat_text_from_view(view, seat["seat"]))
        table.add_column(head if seat["alive"] else head.append(" " + _("out"), "dim"), justify="right", no_wrap=True)
    for name in TOKEN_NAMES:
        table.add_row(_display_name(name), *[_build_count_cell(seat["tokens"][name]) for seat in view["seats"]])
    for name in UNIT_NAMES:
        table.add_row(_display_name(name), *[_build_count_cell(seat["units"][name]) for seat in view["seats"]])
    for what, title in (("units", _("units, limit")), ("cards", _("cards, limit"))):
        limits = [_number_with_goal_in_words(seat["n_" + what], seat["tokens"]["farmland"]) for seat in view["seats"]]
        table.add_row(Text(title, "dim"), *limits)
    for i, goal in enumerate(view["seats"][0]["goals"]):
        nearness = [_number_with_goal_in_words(seat["goals"][i]["n"], seat["goals"][i]["of"]) for seat in view["seats"]]
        named = {"farm": _("farm"), "growth": _("growth"), "miracles": _("miracles")}[goal["name"]]
        table.add_row(Text(_("to win: {goal}", goal=named), "dim"), *nearness)
    return table


def _number_with_goal_in_words(n: int, most: int) -> str:
    """A number with its goal or limit, in words: "2 of 5"."""
    return _("{n} of {most}", n=n, most=most)


def _display_name(name: str) -> str:
    """The name of a token or a unit in the reader's language."""
    return _(name.capitalize(), "thing" if name == "farmer" else "token" if name in TOKEN_NAMES else "made")


def _build_count_cell(n: int) -> Text:
    return Text(str(n) if n else "·", "" if n else "dim")


def _farms_table(view: dict[str, Any]) -> Table:
    """A table of the farms: where units stand, and the cards before each seat."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for seat in view["seats"]:
        if seat["alive"]:
            table.add_row(
                seat_text_from_view(view, seat["seat"]), Text("; ".join(_unit_places(seat)) or _("no units"), "dim")
            )
            table.add_row("", _cards_line(view, seat))
    return table


def _unit_places(seat: dict[str, Any]) -> list[str]:
    return [f"{spot['n']} × {spot['words']}" if spot["n"] > 1 else spot["words"] for spot in seat["spots"]]


def _cards_line(view: dict[str, Any], seat: dict[str, Any]) -> Text:
    text = Text()
    for slot in seat["table"]:
        called = slot["card"]
        text.append(", " if text else "").append(_(called, "card"), "bold").append(_posts_in_words(slot), "dim")
    for trap in seat["traps"]:
        deck, card = trap["deck"], trap["card"]
        name = _("a Trap from {deck}", deck=_(deck, "deck")) if deck else _("a face-down Trap")
        name = _(card, "card") if card else name
        text.append(", " if text else "").append(f"[{name}]", "italic").append(
            _guards_in_words(trap["soldiers"], 0), "dim"
        )
    for name in seat["shown"]:
        text.append(", " if text else "").append(_(name, "card"), "italic green")
    if seat["backs"] and seat["hand"] is None:
        backs = ", ".join(f"{n} {_(deck, 'deck')}" for deck, n in seat["backs"])
        text.append("; " if text else "").append(_("holds {cards}", cards=backs))
    if seat["peace_with"]:
        text.append("; " if text else "").append(_("at peace with") + " ")
        for other in seat["peace_with"]:
            text.append_text(seat_text_from_view(view, other)).append(" ")
    return text or Text(_("no cards"), "dim")


def _posts_in_words(slot: dict[str, Any]) -> str:
    workers = _("{n} of {most} at work", n=slot["workers"], most=slot["places"])
    return (f" ({workers})" if slot["places"] else "") + _guards_in_words(slot["soldiers"], slot["farmers"])


def _guards_in_words(soldiers: int, farmers: int) -> str:
    guards = [amount_in_words(good, n) for n, good in ((soldiers, SOLDIER), (farmers, FARMER)) if n]
    return f" ({_('guarded by {whom}', whom=join_with_and(guards))})" if guards else ""


def _hand_table(view: dict[str, Any], seat: dict[str, Any]) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for name in dict.fromkeys(seat["hand"]):
        card = view["cards"][name]
        copies = seat["hand"].count(name)
        times, kind = f" × {copies}" if copies > 1 else "", card["type"]
        table.add_row(Text(f"  {_(name, 'card')}{times}", "bold"), Text(_(kind), "dim"), card["text"])
    if not seat["hand"]:
        table.add_row(Text("  " + _("no card"), "dim"))
    return Group(seat_text_from_view(view, seat["seat"]).append(" " + _("holds"), "not bold"), table)

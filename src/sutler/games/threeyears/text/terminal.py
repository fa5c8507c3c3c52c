"""The table of Three Years of War in the terminal: the year, the claims with their stakes, the interlude, the seats, the hand."""

from __future__ import annotations

from typing import Any

from rich import box as boxes
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sutler.core.text.seat_marks import seat_text
from sutler.games.threeyears.box import EVENT_NAMES, ICON_NAMES, ICON_ONE

SECTIONS = {"green": "green", "grey": "bright_black", "red": "red"}
SEASONS = {"Spring": "green", "Summer": "yellow", "Autumn": "red", "Winter": "cyan"}
TRACKS = ("gold", "soldiers", "food", "holdings")
ONE = dict(zip(ICON_NAMES, ICON_ONE, strict=True))
WIDTH = 29
TABLES = dict(zip(EVENT_NAMES, ("marketplace", "battle", "reaping", "bitter"), strict=True))


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table."""
    parts: list[RenderableType] = [_head(view), *_ours(view), _markers(view)]
    if view["loose"]:
        parts.append(Text("Stakes to be tied: ").append_text(_cards(view["loose"])))
    if view["claims"]:
        parts.append(Columns([_claim(view, claim) for claim in view["claims"]], padding=(0, 1)))
    if view["interlude"]:
        parts.append(_interlude(view, view["interlude"]))
    parts += [_seats(view), *_known(view)]
    if view["seat"] is not None:
        parts.append(_hand(view))
    return Group(*parts)


def _who(view: dict[str, Any], seat: int) -> Text:
    return seat_text(seat, view["seats"][seat]["name"])


def _head(view: dict[str, Any]) -> Text:
    head = Text(f"\nYear {view['year']} of {view['years']}  ", "bold")
    for season in view["seasons"]:
        head.append(f" {season} ", "reverse" if season == view["season"] else "dim")
    supplies = view["supplies"]
    head.append(f"   influence {view['total']}", "bold")
    head.append(f" · deck {supplies['influence']} · discards {supplies['discards']} · lead ", "dim")
    head.append_text(_who(view, view["lead"]))
    return head.append(f" · left: {supplies['despair']} Despair, {supplies['hope']} Hope", "dim")


def _ours(view: dict[str, Any]) -> list[Text]:
    """12.1: the parts of the table that are not printed in the rulebook."""
    if not view["reconstructed"]:
        return []
    return [Text("What says reconstructed is ours, not printed in the rulebook (12.1)", "dim italic")]


def _mark(view: dict[str, Any], table: str) -> str | None:
    """The mark on the edge of a card of this table; None if it has none."""
    return "reconstructed" if table in view["reconstructed"] else None


def _markers(view: dict[str, Any]) -> Text:
    text = Text("Claim markers ")
    for marker in view["markers"]:
        text.append(f" {marker['number']}: ", "bold")
        if marker["holder"] is not None:
            text.append_text(_who(view, marker["holder"]))
            continue
        brings = [_icons(marker["gain"])] if marker["gain"] else []
        brings += ["lead and 1 despair"] if marker["first_pass"] else []
        text.append(" and ".join(brings) or "·", "dim")
    return text


def _icons(icons: dict[str, int]) -> str:
    return ", ".join(f"{n} {ONE[name] if n == 1 else name}" for name, n in icons.items()) or "nothing"


def _sections(one: dict[str, Any]) -> Text:
    parts = [Text(_icons(one[part]), style) for part, style in SECTIONS.items() if one[part]]
    return Text("\n").join(parts)


def _claim(view: dict[str, Any], claim: dict[str, Any]) -> Panel:
    body = Text(f"{claim['claim']}\n", f"bold {SEASONS[claim['season']]}").append_text(_sections(claim))
    for card in claim["stakes"]:
        body.append(f"\n+ {card['name']}\n", "italic").append_text(_sections(card["stakes"]))
    taken = None if claim["taker"] is None else _who(view, claim["taker"])
    return Panel(body, title=_mark(view, "claim"), subtitle=taken, width=WIDTH, box=boxes.SQUARE)


def _cards(cards: list[dict[str, Any]]) -> Text:
    """A set by its icons, those with symbols starred: 2+1*."""
    text = Text()
    for i, card in enumerate(cards):
        text.append("+" if i else "", "dim")
        text.append(f"{card['icons']}{'*' if card['stakes'] else ''}", SEASONS[card["season"]])
    return text


def _interlude(view: dict[str, Any], card: dict[str, Any]) -> Panel:
    lines = Text()
    if "rows" in card:
        for i, row in enumerate(card["rows"], 1):
            lines.append(f"{i}. {row['price']} gold for {_icons(row['gain'])}\n")
    elif "offers" in card:
        lines.append(f"Food against {card['compare']}: less costs a Despair, more may be exchanged\n")
        for offer in card["offers"]:
            lines.append(f"{card['pay_food']} food for {_icons(offer)}\n")
    else:
        lines.append(f"{'Most' if 'first' in card else 'Holdings against'} {card['compare']}\n")
        for key in ("first", "second", "last", "more", "equal", "fewer"):
            if key in card:
                lines.append(f"{key}: ", "bold").append(f"{_icons(card[key])}\n")
    lines.rstrip()
    title, mark = f"{card['event']}: {card['name']}", _mark(view, TABLES[card["event"]])
    return Panel(lines, title=title, title_align="left", subtitle=mark, expand=False, box=boxes.DOUBLE)


def _seats(view: dict[str, Any]) -> Table:
    """The seats, a column each, so that the table fits 80 columns."""
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("", style="dim", no_wrap=True)
    rows: list[list[str | Text]] = []
    for seat in view["seats"]:
        name = Text("→ " if seat["seat"] == view["to_act"] else "").append_text(_who(view, seat["seat"]))
        name.append(" lead" if seat["lead"] else "", "dim")
        table.add_column(name, justify="right")
        tracks = [Text(str(seat[key]), "bold red" if seat[key] == 0 else "") for key in TRACKS]
        tokens = [len(seat["despair"]), len(seat["writs"]), seat["hope"], seat["scouts"], seat["doom"], seat["cards"]]
        played = _cards(seat["shown"])
        if seat["marker"]:
            played = Text(f"marker {seat['marker']}  ", "dim").append_text(played)
        rows.append([*tracks, str(seat["renown"]), str(seat["bonus"]), *[str(n or "·") for n in tokens], played])
    titles = (*TRACKS, "renown", "bonus", "despair", "writs", "hope", "scouts", "doom", "cards", "played")
    for title, *values in zip(titles, *rows, strict=True):
        if title != "played" or any(str(value) for value in values):
            table.add_row(title, *values)
    return table


def _known(view: dict[str, Any]) -> list[Text]:
    """Face-down tokens and interlude cards that this seat has seen, and its own Writs."""
    lines = []
    for seat in view["seats"]:
        shown = [f"Writ: {token['shows']}" for token in seat["writs"] if token["shows"]]
        shown += [f"Despair worth {token['shows']}" for token in seat["despair"] if token["shows"] is not None]
        if shown:
            lines.append(_who(view, seat["seat"]).append(f"  {', '.join(shown)}", "not bold"))
    for deck in view["upcoming"]:
        for place, down in enumerate(deck["down"], 1):
            if down["card"]:
                lines.append(Text(f"{deck['event']}, card {place}: {down['card']['name']}", "italic"))
    return lines


def _hand(view: dict[str, Any]) -> RenderableType:
    title = (
        _who(view, view["seat"])
        .append(" holds", "not bold")
        .append(f"   {_mark(view, 'influence') or ''}", "dim italic")
    )
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for season, style in SEASONS.items():
        for card in view["hand"]:
            if card["season"] == season:
                stakes = _sections(card["stakes"]) if card["stakes"] else Text("")
                pips = Text(f"  {season} {card['icons']}", style)
                table.add_row(pips, Text(card["name"], "bold"), Text(", ").join(stakes.split("\n")))
    if not view["hand"]:
        table.add_row(Text("  no card", "dim"))
    return Group(title, table)

"""The table of Three Years of War in a terminal: the year, the claims with their stakes, the interlude, the seats, the hand."""

from __future__ import annotations

from typing import Any

from rich import box as boxes
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sutler.core.text.drawing import seat_text_from_view
from sutler.core.text.language import join_with_and
from sutler.games.threeyears.box import EVENT_NAMES, ICON_NAMES
from sutler.games.threeyears.text.labels import _, amount_in_words, display_name

SECTIONS = {"green": "green", "grey": "bright_black", "red": "red"}
SEASONS = {"Spring": "green", "Summer": "yellow", "Autumn": "red", "Winter": "cyan"}
TRACKS = ("gold", "soldiers", "food", "holdings")
WIDTH = 29
TABLES = dict(zip(EVENT_NAMES, ("marketplace", "battle", "reaping", "bitter"), strict=True))


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table, as drawn in a terminal, from the plain data of `view`."""
    parts: list[RenderableType] = [_build_heading(view), *_reconstruction_note(view), _markers_line(view)]
    if view["loose"]:
        parts.append(Text(_("Stakes to be tied") + ": ").append_text(_set_in_icons(view["loose"])))
    if view["claims"]:
        parts.append(Columns([_claim_panel(view, claim) for claim in view["claims"]], padding=(0, 1)))
    if view["interlude"]:
        parts.append(_interlude_panel(view, view["interlude"]))
    parts += [_seats_table(view), *_lines_on_seen_cards(view)]
    if view["seat"] is not None:
        parts.append(_hand_table(view))
    return Group(*parts)


def _build_heading(view: dict[str, Any]) -> Text:
    head = Text("\n" + _("Year {n} of {most}", n=view["year"], most=view["years"]) + "  ", "bold")
    for season in view["seasons"]:
        head.append(f" {display_name('season', season)} ", "reverse" if season == view["season"] else "dim")
    supplies = view["supplies"]
    head.append("   " + _("influence {n}", n=view["total"]), "bold")
    piles = _("deck {deck} · discards {discards} · lead", deck=supplies["influence"], discards=supplies["discards"])
    head.append(f" · {piles} ", "dim")
    head.append_text(seat_text_from_view(view, view["lead"]))
    rest = _("left: {despair} Despair, {hope} Hope", despair=supplies["despair"], hope=supplies["hope"])
    return head.append(f" · {rest}", "dim")


def _reconstruction_note(view: dict[str, Any]) -> list[Text]:
    """A line that names the parts of the table that are not printed in the rulebook (12.1); empty if all are printed."""
    if not view["reconstructed"]:
        return []
    return [Text(_("What says reconstructed is ours, not printed in the rulebook (12.1)"), "dim italic")]


def _reconstruction_mark(view: dict[str, Any], table: str) -> str | None:
    """The word on the edge of a card whose values were reconstructed; None if they are printed in the rulebook."""
    return _("reconstructed") if table in view["reconstructed"] else None


def _markers_line(view: dict[str, Any]) -> Text:
    text = Text(_("Claim markers") + " ")
    for marker in view["markers"]:
        text.append(f" {marker['number']}: ", "bold")
        if marker["holder"] is not None:
            text.append_text(seat_text_from_view(view, marker["holder"]))
            continue
        brings = [_icons_in_words(marker["gain"])] if marker["gain"] else []
        brings += [_("lead and 1 despair")] if marker["first_pass"] else []
        text.append(join_with_and(brings) or "·", "dim")
    return text


def _icons_in_words(icons: dict[str, int]) -> str:
    return ", ".join(amount_in_words(n, ICON_NAMES.index(name)) for name, n in icons.items()) or _("nothing")


def _sections_in_words(card: dict[str, Any]) -> Text:
    parts = [Text(_icons_in_words(card[part]), style) for part, style in SECTIONS.items() if card[part]]
    return Text("\n").join(parts)


def _claim_panel(view: dict[str, Any], claim: dict[str, Any]) -> Panel:
    body = Text(display_name("claim", claim["claim"]) + "\n", f"bold {SEASONS[claim['season']]}").append_text(
        _sections_in_words(claim)
    )
    for card in claim["stakes"]:
        body.append("\n+ " + display_name("influence", card["name"]) + "\n", "italic").append_text(
            _sections_in_words(card["stakes"])
        )
    taken = None if claim["taker"] is None else seat_text_from_view(view, claim["taker"])
    return Panel(body, title=_reconstruction_mark(view, "claim"), subtitle=taken, width=WIDTH, box=boxes.SQUARE)


def _set_in_icons(cards: list[dict[str, Any]]) -> Text:
    """A set by the icons on its cards, with a star for cards with symbols: 2+1*."""
    text = Text()
    for i, card in enumerate(cards):
        text.append("+" if i else "", "dim")
        text.append(f"{card['icons']}{'*' if card['stakes'] else ''}", SEASONS[card["season"]])
    return text


def _interlude_panel(view: dict[str, Any], card: dict[str, Any]) -> Panel:
    lines = Text()
    if "rows" in card:
        for i, row in enumerate(card["rows"], 1):
            lines.append(f"{i}. " + _("{n} gold for {what}", n=row["price"], what=_icons_in_words(row["gain"])) + "\n")
    elif "offers" in card:
        against = display_name("resource", card["compare"])
        told = _("Food against {resource}: less costs a Despair, more may be exchanged", resource=against)
        lines.append(f"{told}\n")
        for offer in card["offers"]:
            lines.append(_("{n} food for {what}", n=card["pay_food"], what=_icons_in_words(offer)) + "\n")
    else:
        against = display_name("resource", card["compare"])
        battle = "first" in card
        told = _("Most {resource}", resource=against) if battle else _("Holdings against {resource}", resource=against)
        lines.append(f"{told}\n")
        heads = {"first": _("first"), "second": _("second"), "last": _("last")}
        heads |= {"more": _("more"), "equal": _("equal"), "fewer": _("fewer")}
        for key, head in heads.items():
            if key in card:
                lines.append(f"{head}: ", "bold").append(f"{_icons_in_words(card[key])}\n")
    lines.rstrip()
    title, mark = (
        f"{display_name('event', card['event'])}: {display_name('interlude', card['name'])}",
        _reconstruction_mark(view, TABLES[card["event"]]),
    )
    return Panel(lines, title=title, title_align="left", subtitle=mark, expand=False, box=boxes.DOUBLE)


def _seats_table(view: dict[str, Any]) -> Table:
    """A table of the seats' tracks, tokens and sets: one column for each seat, so that it fits 80 columns."""
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("", style="dim", no_wrap=True)
    rows: list[list[str | Text]] = []
    for seat in view["seats"]:
        name = Text("→ " if seat["seat"] == view["to_act"] else "").append_text(seat_text_from_view(view, seat["seat"]))
        name.append(" " + _("lead") if seat["lead"] else "", "dim")
        table.add_column(name, justify="right")
        tracks = [Text(str(seat[key]), "bold red" if seat[key] == 0 else "") for key in TRACKS]
        tokens = [len(seat["despair"]), len(seat["writs"]), seat["hope"], seat["scouts"], seat["doom"], seat["cards"]]
        played = _set_in_icons(seat["shown"])
        if seat["marker"]:
            played = Text(_("marker {n}", n=seat["marker"]) + "  ", "dim").append_text(played)
        rows.append([*tracks, str(seat["renown"]), str(seat["bonus"]), *[str(n or "·") for n in tokens], played])
    counted = (_("despair"), _("writs"), _("hope"), _("scouts"), _("doom"), _("cards"))
    titles = (*(display_name("resource", key) for key in TRACKS), _("renown"), _("bonus"), *counted, _("played"))
    for title, *values in zip(titles, *rows, strict=True):
        if title != titles[-1] or any(str(value) for value in values):
            table.add_row(title, *values)
    return table


def _lines_on_seen_cards(view: dict[str, Any]) -> list[Text]:
    """Lines that list the face-down tokens and interlude cards that the reader's seat has seen, and its own Writs."""
    lines = []
    for seat in view["seats"]:
        shown = [
            _("Writ: {what}", what=display_name("writ", token["shows"])) for token in seat["writs"] if token["shows"]
        ]
        shown += [_("Despair worth {n}", n=token["shows"]) for token in seat["despair"] if token["shows"] is not None]
        if shown:
            lines.append(seat_text_from_view(view, seat["seat"]).append(f"  {', '.join(shown)}", "not bold"))
    for deck in view["upcoming"]:
        for place, down in enumerate(deck["down"], 1):
            if down["card"]:
                named = {
                    "event": display_name("event", deck["event"]),
                    "card": display_name("interlude", down["card"]["name"]),
                }
                lines.append(Text(_("{event}, card {n}: {card}", n=place, **named), "italic"))
    return lines


def _hand_table(view: dict[str, Any]) -> RenderableType:
    title = (
        seat_text_from_view(view, view["seat"])
        .append(" " + _("holds"), "not bold")
        .append(f"   {_reconstruction_mark(view, 'influence') or ''}", "dim italic")
    )
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for season, style in SEASONS.items():
        for card in view["hand"]:
            if card["season"] == season:
                stakes = _sections_in_words(card["stakes"]) if card["stakes"] else Text("")
                pips = Text(f"  {display_name('season', season)} {card['icons']}", style)
                table.add_row(
                    pips, Text(display_name("influence", card["name"]), "bold"), Text(", ").join(stakes.split("\n"))
                )
    if not view["hand"]:
        table.add_row(Text("  " + _("no card"), "dim"))
    return Group(title, table)

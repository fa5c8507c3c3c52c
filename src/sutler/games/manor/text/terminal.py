"""The table of Medieval Manor in the terminal: the map with its cards and owners, the seats, their hands."""

from __future__ import annotations

from typing import Any

from rich import box as boxes
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sutler.core.text.drawing import seat_text, seat_text_from_view
from sutler.games.manor.card_texts import _


def _display_name(kind: str, name: str) -> str:
    """The name of a thing of the box in the reader's language; `kind` is "card", "land", "token" and the like."""
    return _(name, kind)


def _short_token_name(name: str) -> str:
    """The name of a token in few letters, in the reader's language."""
    called = {"crops": _("crop"), "animals": _("animal"), "gold": _("gold"), "resources": _("res")}
    return {**called, "victory": _("VP"), "peasants": _("peasant")}.get(name, name)


WIDTH = 19


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table, as drawn in a terminal, from the plain data of `view`."""
    parts: list[RenderableType] = [_build_heading(view)]
    if view["spaces"]:
        parts.append(_map_table(view))
    parts.append(_seats_table(view))
    parts += [_hand_table(view, seat) for seat in view["seats"]][: 1 if view["common_hand"] else None]
    if view["aside"]:
        parts.append(_cards_table(view, _("Drawn aside"), view["aside"]))
    if view["offer"]:
        parts.append(_render_deal_offer(view))
    return Group(*parts)


def _build_heading(view: dict[str, Any]) -> Text:
    """The lines above the table: the turn, its phases, the piles, the Lord, the victory tokens that end the game, and bans."""
    head = Text("\n" + _("Turn {n}", n=view["turn"]) + "  ", "bold")
    for key, label in view["phases"]:
        head.append(f" {label} ", "reverse" if key == view["phase"] else "dim")
    piles = _("deck {deck} · discards {discards} · Lord", deck=view["deck"], discards=view["discards"])
    head.append(f"   {piles} ", "dim").append_text(seat_text_from_view(view, view["lord"]))
    head.append(" · " + _("{n} victory tokens end it", n=view["target"]), "dim")
    if view["bans"]["crops"]:
        head.append("  " + _("no crops this turn"), "red")
    if view["bans"]["play"]:
        head.append("  " + _("no cards this turn"), "red")
    return head


def _map_table(view: dict[str, Any]) -> Table:
    """The map: a grid of the lands with what lies on them."""
    grid = Table(box=boxes.SQUARE, show_header=False, show_lines=True, padding=(0, 1))
    for _column in range(view["cols"]):
        grid.add_column(width=WIDTH)
    cells = {(space["row"], space["col"]): space for space in view["spaces"]}
    for row in range(view["rows"]):
        grid.add_row(*[_land_cell(view, cells.get((row, col))) for col in range(view["cols"])])
    return grid


def _land_cell(view: dict[str, Any], space: dict[str, Any] | None) -> Text:
    """A land with what lies on it, as a cell of the map."""
    if space is None:
        return Text("")
    cell = Text(_display_name("land", space["land"]), "green")
    if space["land"] != space["kind"]:
        cell.append("\n" + _display_name("kind", space["kind"]), "dim")
    bonus = _tokens_in_words(space["bonus"])
    cell.append(f" {bonus}" if bonus else "", "dim")
    if space["card"] is None:
        return cell.append("\n·", "dim")
    owner = space["owner"]
    return cell.append("\n").append_text(seat_text(owner, _display_name("card", space["card"])))


def _tokens_in_words(amounts: dict[str, int]) -> str:
    """Amounts of tokens with their signs in the reader's language: "+1 crop"."""
    return " ".join(f"{n:+d} {_short_token_name(name)}" for name, n in amounts.items())


def _seats_table(view: dict[str, Any]) -> Table:
    """A table of the seats' tokens, actions, hands and upgrades: one column for each seat, so that it fits 80 columns."""
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("", style="dim", no_wrap=True)
    rows: list[list[str | Text]] = []
    best = max(seat["victory"] for seat in view["seats"])
    for seat in view["seats"]:
        name = Text("→ " if seat["seat"] == view["to_act"] else "").append_text(seat_text_from_view(view, seat["seat"]))
        name.append(" " + _("Lord") if seat["seat"] == view["lord"] else "", "dim")
        victory = Text(str(seat["victory"]), "bold" if seat["victory"] == best else "")
        goods = [str(seat[key]) for key in ("peasants", "crops", "animals", "gold", "resources")]
        actions = _("passed") if seat["passed"] else str(seat["actions_left"])
        hand = f"{len(seat['hand'])}/{seat['hand_limit']}"
        built = [_display_name("card", card) for card in seat["upgrades"]]
        built += [_("{card} (on the map)", card=_display_name("card", card)) for card in seat["played_upgrades"]]
        upgrades = ", ".join(built)
        table.add_column(name, justify="right")
        rows.append([victory, *goods, actions, hand, upgrades])
    tokens = [_display_name("token", name) for name in ("victory", "peasants", "crops", "animals", "gold", "resources")]
    titles = (*tokens, _("actions"), _("hand"), _("upgrades"))
    for title, *values in zip(titles, *rows, strict=True):
        if title != titles[-1] or any(str(value) for value in values):
            table.add_row(title, *values)
    return table


def _hand_table(view: dict[str, Any], seat: dict[str, Any]) -> RenderableType:
    """A table of a seat's hand, or of the hand that all share.

    The seat that looks or decides sees what the cards do, others see names alone.
    """
    title = (
        Text(_("The common hand"))
        if view["common_hand"]
        else seat_text_from_view(view, seat["seat"]).append(" " + _("holds"), "not bold")
    )
    mine = seat["seat"] in (view["seat"], view["to_act"]) or view["common_hand"]
    if mine:
        return _cards_table(view, title, seat["hand"])
    return title.append(f" {', '.join(_display_name('card', card) for card in seat['hand']) or _('no card')}", "none")


def _cards_table(view: dict[str, Any], title: str | Text, cards: list[str]) -> RenderableType:
    """These cards below a title, one a line: name, type, kinds of land, cost, text."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for name in cards:
        card = view["cards"][name]
        on = "/".join(_display_name("kind", kind) for kind in card["on"])
        cost = _("costs {n}", n=card["cost"]) if card["cost"] is not None else ""
        table.add_row(
            Text("  " + _display_name("card", name), "bold"),
            Text(_display_name("type", card["type"]), "dim"),
            Text(on, "green"),
            cost,
            card["text"],
        )
    if not cards:
        table.add_row(Text("  " + _("no card"), "dim"))
    return Group(title if isinstance(title, Text) else Text(title), table)


def _render_deal_offer(view: dict[str, Any]) -> Text:
    """The open offer of a deal in one line: from which seat to which, what is given, what is wanted."""
    offer = view["offer"]

    def format_side(amounts: dict[str, int], cards: list[str]) -> str:
        some = [f"{n} {_display_name('token', name)}" for name, n in amounts.items()]
        return ", ".join([*some, *(_display_name("card", card) for card in cards)]) or _("nothing")

    text = Text(_("Offer") + ": ").append_text(seat_text_from_view(view, offer["from"])).append(" → ")
    text.append_text(seat_text_from_view(view, offer["to"])).append(
        f": {format_side(offer['give'], offer['give_cards'])}"
    )
    return text.append(f" ↔ {format_side(offer['want'], offer['want_cards'])}")

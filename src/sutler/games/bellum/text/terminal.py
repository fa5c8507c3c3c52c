"""The table of Bellum in a terminal: the map in hexes of two lines each, the powers' levels, cities and the present round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich import box as boxes
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.table import Table
from rich.text import Text

from sutler.games.bellum.text import _

TONES = {1: "blue", 2: "red", 3: "yellow", 4: "bright_black", 5: "green", 6: "magenta"}
"""A colour of the terminal for the number of each heraldic colour."""
UPRIGHT = {1: "■", 2: "◆", 3: "▲", 4: "★", 5: "♣", 6: "♠"}
TILTED = {1: "□", 2: "◇", 3: "△", 4: "☆", 5: "♧", 6: "♤"}
"""A shape for each power as well as its colour: filled (UPRIGHT) for an upright token, hollow (TILTED) for a tilted one."""
SIZES = {"ruin": "×", "minor": "▪", "medium": "▪▪", "major": "▪▪▪", None: "?"}
SYMBOLS = {"half": "◐", "full": "●"}
MIN_HEX_COLUMNS, MAX_HEX_COLUMNS = 5, 12
"""The fewest and the most columns of the terminal for a hex; at 80 columns the map still has its shape."""


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table, drawn for a terminal from the plain data of `view`."""
    parts: list[RenderableType] = [
        _build_heading(view),
        Map(view),
        _map_legend(view),
        _powers_table(view),
        _cities_text(view),
    ]
    parts += [_battle_text(view, fight) for fight in ([view["fight"]] if view["fight"] else view["battles"])]
    return Group(*parts)


def _power_colour(view: dict[str, Any], power: str) -> str:
    """The terminal colour of a power."""
    return TONES[view["tinctures"][power]]


def _power_name(view: dict[str, Any], power: str) -> Text:
    """The shape and the name of a power, in its colour."""
    return Text(f"{UPRIGHT[view['tinctures'][power]]} {_(power, 'power')}", f"bold {_power_colour(view, power)}")


def _power_token(view: dict[str, Any], power: str, tilted: bool = False) -> Text:
    """The shape of a power's token in the power's colour; another shape if it is `tilted`."""
    shapes = TILTED if tilted else UPRIGHT
    return Text(shapes[view["tinctures"][power]], _power_colour(view, power))


def _build_heading(view: dict[str, Any]) -> Text:
    """The lines above the map: the year, the phases of the turn, and what is printed for this round."""
    now = view["rounds"][view["round"]]
    head = Text(f"\n{view['year']}  ", "bold")
    for key, label in view["phases"]:
        head.append(f" {label} ", "reverse" if key == view["phase"] else "dim")
    printed = _(
        "siege {symbol} · resistance {n} · an HQ supplies {supply} · order {powers}",
        symbol=SYMBOLS[now["siege"]],
        n=now["resistance"],
        supply=now["hq_supply"],
        powers=", ".join(_(power, "power") for power in view["order"]),
    )
    return head.append(f"   {printed}", "dim")


# --- The map ------------------------------------------------------------------


class Map:
    """The map as hexes in columns, every second column half a hex lower.

    Each hex has two lines: the upper one shows what is there, the lower one the hex's name.
    """

    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        columns = {int(hex["id"][:2]) for hex in self.view["hexes"]}
        width = options.max_width // (max(columns) - min(columns) + 1)
        yield _map_text(self.view, max(MIN_HEX_COLUMNS, min(width, MAX_HEX_COLUMNS)))


def _map_text(view: dict[str, Any], width: int) -> Text:
    """The map with `width` columns of the terminal for each hex; symbols may fill them, a name leaves one of them free."""
    sites = {site["hex"]: site for site in view["sites"]}
    leaders: dict[str, list[dict[str, Any]]] = {}
    for leader in view["leaders"]:
        leaders.setdefault(leader["hex"], []).append(leader)
    columns = [int(hex["id"][:2]) for hex in view["hexes"]]
    left, right = min(columns), max(columns)
    short = _shorten_names([_hex_name(hex, sites) for hex in view["hexes"]], width - 1)
    lines: dict[tuple[int, int], Text] = {}
    for hex in view["hexes"]:
        column, row = int(hex["id"][:2]), int(hex["id"][2:])
        at = 2 * row + 1 - column % 2
        here = leaders.get(hex["id"], [])
        lines[at, column] = _hex_upper_line(view, hex, sites.get(hex["id"]), here)
        lines[at + 1, column] = Text(short[_hex_name(hex, sites)], "bold" if hex["id"] in sites else "dim")
    text = Text(no_wrap=True)
    rows = [line for line, _column in lines]
    for at in range(min(rows), max(rows) + 1):
        for column in range(left, right + 1):
            cell = lines.get((at, column), Text())
            cell.truncate(width)
            text.append_text(cell).append(" " * (width - cell.cell_len))
        text.rstrip()
        text.append("\n")
    return text


def _hex_name(hex: dict[str, Any], sites: dict[str, dict[str, Any]]) -> str:
    """The name shown in a hex: its site's, or its own if it is land; "" otherwise."""
    if hex["id"] in sites:
        return str(sites[hex["id"]]["name"])
    return hex["name"] if hex["terrain"] == "land" else ""


def _shorten_names(names: list[str], width: int) -> dict[str, str]:
    """Each name in at most `width` letters; names that begin alike keep the letters that differ (Oberpfalz and Oberlausitz: Obpf, Obla)."""
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(name[:width], []).append(name)
    short = {}
    for start, those in alike.items():
        differ = (at for at, letters in enumerate(zip(*those, strict=False)) if len(set(letters)) > 1)
        shared = next(differ, min(map(len, those)))
        for name in those:
            short[name] = start if len(set(those)) == 1 else name[: width - 2] + name[shared : shared + 2]
    return short


def _hex_upper_line(
    view: dict[str, Any], hex: dict[str, Any], site: dict[str, Any] | None, here: list[dict[str, Any]]
) -> Text:
    """The upper line of a hex: its leaders, and its site or token or terrain."""
    cell = Text()
    for leader in here:
        cell.append(leader["cypher"], f"bold reverse {_power_colour(view, leader['power'])}")
    if site is not None:
        return cell.append_text(
            _power_token(view, site["power"]) if here else _site_symbols(view, site)
        )  # leaders begin in the HQ
    if hex["owner"]:
        cell.append_text(_power_token(view, hex["owner"], hex["tilted"]))
    elif hex["pillaged"]:
        cell.append("×", "dim")
    elif not here:
        cell.append({"land": "·", "sea": "~", "closed": "#"}[hex["terrain"]], "dim")
    return cell


def _site_symbols(view: dict[str, Any], site: dict[str, Any]) -> Text:
    """The symbols drawn for a site: HQ or city size, and the tokens on it."""
    if site["role"] == "hq":
        return Text("HQ", "bold").append_text(_power_token(view, site["power"]))
    cell = Text(SIZES[site["size"]], "bold")
    if site["holder"]:
        cell.append_text(_power_token(view, site["holder"]))
    if site["besieger"]:
        cell.append_text(_power_token(view, site["besieger"], tilted=True))
    return cell


def _map_legend(view: dict[str, Any]) -> Text:
    """The legend of the map's symbols."""
    text = Text()
    for power in view["powers"]:
        text.append_text(_power_token(view, power)).append_text(_power_token(view, power, tilted=True))
        text.append(f" {_(power, 'power')}  ", "dim")
    text.append(_("filled: upright, held · hollow: tilted, besieged") + "\n", "dim")
    return text.append(_("▪ ▪▪ ▪▪▪ minor, medium, major city   × ruin or pillaged   ~ sea   # closed"), "dim")


# --- Powers, cities, battles --------------------------------------------------


def _powers_table(view: dict[str, Any]) -> Table:
    """A table of the powers with their levels and leaders, which fits 80 columns.

    Under a power's name stands who leads it, under its leaders the tokens it has won.
    """
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    table.add_column(_("power"))
    for title in (_("supply"), _("strength"), _("tokens"), _("score")):
        table.add_column(title, justify="right")
    table.add_column(_("leaders"))
    names = {hex["id"]: hex["name"] for hex in view["hexes"]}
    for power, it in view["powers"].items():
        name = Text("→ " if power == view["power"] else "  ").append_text(_power_name(view, power))
        name.append(f"\n    {view['seats'][it['seat']]['name']}")
        stand = [
            f"{one['name']} {one['cypher']} ({names[one['hex']] if one['hex'] else _('removed')})"
            for one in view["leaders"]
            if one["power"] == power
        ]
        if it["held"]:
            won = ", ".join(_(other, "power") for other in it["held"])
            stand.append(_("tokens won of {powers}", powers=won))
        levels = [str(it[key]) for key in ("supply", "strength", "tokens", "score")]
        table.add_row(name, *levels, "\n".join(stand))
    return table


def _cities_text(view: dict[str, Any]) -> Text:
    """The cities that somebody holds or besieges, with the years in which they revolt or fall."""
    text = Text()
    for site in view["sites"]:
        if site["holder"]:
            text.append(f"{site['name']} {site['supply']}: ").append_text(_power_name(view, site["holder"]))
            when = site["revolts"] or _("after the peace")
            text.append(", " + _("revolts {when}", when=when), "dim")
        if site["besieger"]:
            text.append(", " if site["holder"] else f"{site['name']} {site['supply']}: ")
            text.append(_("besieged by") + " ").append_text(_power_name(view, site["besieger"]))
            text.append(", " + _("falls {when}", when=site["falls"] or _("after the peace")), "dim")
        if site["holder"] or site["besieger"]:
            text.append("   ")
    return text


def _battle_text(view: dict[str, Any], fight: dict[str, Any]) -> Text:
    """The modifiers of both sides of a battle; what the attacker has committed is shown to its own seat only."""
    text = Text("\n")
    for which, power, leaders in (("attack", "attacker", "side"), ("defence", "defender", "foes")):
        fields = {"leaders": ", ".join(fight[leaders]), "n": fight[f"{which}_most"]}
        attacks, defends = _("attacks with {leaders}: 0 to {n}"), _("defends with {leaders}: 0 to {n}")
        text.append_text(_power_name(view, fight[power])).append(" ")
        text.append((attacks if which == "attack" else defends).format(**fields))
        for why, n in fight[which]:
            text.append(f", {n:+d} {why}".replace("-", "−"))
        text.append(".\n")
    if fight["own"] is not None:
        text.append(_("You have committed {n}.", n=fight["own"]), "bold")
    return text

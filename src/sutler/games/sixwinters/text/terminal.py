"""The table of Six Winters in a terminal: the year, pools and tracks, the land, mats, cards, dangers.

It is made for eighty columns; on narrower terminals, things that stand side by side are drawn one below the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich import box as boxes
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from sutler.core.text.drawing import seat_text
from sutler.games.sixwinters.bot.coach import format_percent
from sutler.games.sixwinters.cards.card_texts import _, translate_name

RES = ("support", "technology", "espionage", "military", "diplomacy", "sorcery")
STYLE = {
    "support": "bold yellow",
    "technology": "bold bright_red",
    "espionage": "bold red",
    "military": "bold white",
    "diplomacy": "bold magenta",
    "sorcery": "bold blue",
}
REGIONS = {"empire": "The Empire", "brightdune": "Brightdune", "settled_lands": "Settled Lands"}
CONDITIONS = {"psyche": ("distracted", "angry", "shaken"), "body": ("weary", "bruised", "wounded")}


def draw(view: dict[str, Any]) -> RenderableType:
    """The whole table, drawn for a terminal from the plain data of `view`."""
    parts: list[RenderableType] = [_build_heading(view)]
    if view["journal"] and view["stage"] != "year":
        parts.append(_journal_text(view))
    if view["offers"]:
        parts.append(_offered_missions_table(view))
    parts += [
        ByWidth(_resources_table(view), _resources_text_narrow(view)),
        ByWidth(_regions_table(view), _regions_text_narrow(view)),
        *_location_texts(view),
    ]
    if view["overcome"]:
        parts.append(_overcome_panel(view))
    parts += [_mats_table(view), *(_staged_cards(view) if view["stage"] != "over" else []), _missions_text(view)]
    if view["danger"]["worst"]:
        parts.append(Text(_("Danger: "), "bold red").append(view["danger"]["worst"], "not bold default"))
    return Group(*parts)


def resource_letters(resource: str) -> str:
    """The first two letters of a resource's name, in the reader's language."""
    return translate_name("resource", resource.capitalize())[:2]


WIDE_COLUMNS = 78
"""The columns that three regions side by side need."""


@dataclass(frozen=True)
class ByWidth:
    """A drawing in two versions, wide and narrow; the width of the terminal decides which is shown."""

    wide: RenderableType
    narrow: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the drawing that fits."""
        yield self.wide if options.max_width >= WIDE_COLUMNS else self.narrow


def die_text(resource: str, value: int) -> Text:
    """A die as text: two letters of its resource and its value ("?" for 0); an action die in brackets."""
    if resource == "action":
        return Text(f"[{value}]", "bold")
    return Text(f"{resource_letters(resource)}{value or '?'}", STYLE[resource])


def dice_text(dice_found: list[Any]) -> Text:
    """Dice side by side as text; each is given as [resource, value]."""
    return Text(" ").join(die_text(res, value) for res, value in dice_found)


# --- The year and what the team has ------------------------------------------------------------------


def _build_heading(view: dict[str, Any]) -> Text:
    """The lines above the table: the year, the steps of the present stage, the event, and the turns of the year."""
    head = Text(
        "\n" + _("Year {n}, {season}", n=view["year"], season=translate_name("season", view["season"])) + "  ", "bold"
    )
    for key, label in view["phases"]:
        head.append(f" {label} ", "reverse" if key == view["phase"] else "dim")
    if view["event"]:
        event = view["event"]
        happens = _("{event} ({n} of 3 piles): ", event=translate_name("event", event["name"]), n=event["count"])
        head.append(f"\n{happens}", "bold").append(event["text"])
    year = " ".join(_turn_in_words(one) for one in view["clock"])
    return head.append(f"\n{year}", "dim")


def _turn_in_words(turn: dict[str, Any]) -> str:
    """A turn of the year as text: its season, marked as present, past or skipped."""
    name = f"{translate_name('season', turn['season'])}{'+' if turn['bonus'] else ''}"
    words: dict[str, str] = {"now": f"»{name}«", "past": f"({name})", "missed": _("({season} skipped)", season=name)}
    return words.get(turn["state"], name)


def _resources_table(view: dict[str, Any]) -> Table:
    """The wide table of resources: pool, progress, threat, tags in play; the scheme below."""
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("", _("pool"), _("progress"), _("threat"), _("tags")):
        table.add_column(name)
    for track in view["tracks"]:
        res = track["res"]
        table.add_row(
            Text(f"{resource_letters(res)} {translate_name('resource', res.capitalize())}", STYLE[res]),
            dice_text([[res, value] for value in view["pools"][res]]),
            _marker_space(track, "progress"),
            Text("–", "dim") if track["threat"] is None else _marker_space(track, "threat"),
            _threat_tags_text(track),
        )
    scheme = view["scheme"]
    if scheme:
        level = _("level {n}", n=scheme["level"])
        table.add_row(
            Text(_("Scheme"), "bold"), dice_text(scheme["dice"]), translate_name("scheme", scheme["name"]), level, ""
        )
    return table


def _resources_text_narrow(view: dict[str, Any]) -> Text:
    """The narrow table of resources, a line each: pool, levels of progress and threat, tags in play; the scheme below."""
    text = Text(_("pool; progress / threat, and tags") + "\n", "dim")
    for track in view["tracks"]:
        res = track["res"]
        text.append(f"{resource_letters(res)} ", STYLE[res]).append_text(
            dice_text([[res, value] for value in view["pools"][res]]) or Text("–", "dim")
        )
        levels = [
            str(track["numbers"][track[which] - 1]) for which in ("progress", "threat") if track[which] is not None
        ]
        text.append(f"; {' / '.join(levels)} ").append_text(_threat_tags_text(track)).append("\n")
    scheme = view["scheme"]
    if scheme:
        level = _("level {n}", n=scheme["level"])
        text.append(_("Scheme") + " ", "bold").append_text(dice_text(scheme["dice"]))
        text.append(f" {translate_name('scheme', scheme['name'])}, {level}\n")
    return text


def _marker_space(track: dict[str, Any], which: str) -> Text:
    """The level on which a track's marker stands and the number of its space, as text; `which`: "progress" or "threat"."""
    at = track[which]
    return Text(_("level {n}", n=track["numbers"][at - 1]), "bold").append(f" {at}/{len(track['numbers'])}", "dim")


def _threat_tags_text(track: dict[str, Any]) -> Text:
    """The threat tags of a resource in play, and how far its threat rises next."""
    if track["threat"] is None:
        return Text("")
    rises = track["next"] - track["threat"]
    return Text(str(track["tags"])).append("  " + _("+{n} next", n=rises) if rises else "", "bold red")


# --- The land -------------------------------------------------------------------------------------------


def _region_heading(region: dict[str, Any]) -> str:
    """A region's name, the season that its pile shows and the number of its cards."""
    season = translate_name("season", region["season"]) if region["season"] else _("no card")
    return f"{translate_name('region', REGIONS[region['id']])} ({season}, {region['pile']})"


def _regions_table(view: dict[str, Any]) -> Table:
    """The three regions side by side, three places each, with the assets, obstacles and characters there."""
    table = Table(box=boxes.SQUARE, pad_edge=True, padding=(0, 1), width=80, show_lines=True)
    for region in view["regions"]:
        table.add_column(_region_heading(region), ratio=1, overflow="fold")
    for row in range(3):
        table.add_row(*[_place_text(view, view["slots"][region * 3 + row]) for region in range(3)])
    return table


def _regions_text_narrow(view: dict[str, Any]) -> Text:
    """The three regions one below the other, three places each."""
    text = Text()
    for number, region in enumerate(view["regions"]):
        text.append(_region_heading(region) + "\n", "bold reverse")
        for row in range(3):
            lines = _place_text(view, view["slots"][number * 3 + row]).split("\n")
            text.append_text(Text("\n  ").join(lines)).append("\n")
    return text


def _location_texts(view: dict[str, Any]) -> list[Text]:
    """The texts of the locations in play that do something, each with the location's name."""
    told = []
    for slot in view["slots"]:
        words = [*slot["text"], *([slot["action"]] if slot["action"] and slot["action"] not in slot["text"] else [])]
        if words:
            told.append(
                Text(translate_name("location_called", slot["name"]), "bold").append(
                    ": " + " ".join(words), "not bold default"
                )
            )
    return told


def _place_text(view: dict[str, Any], slot: dict[str, Any]) -> Text:
    """The lines of one place: its location, the way there, and the characters, assets and obstacles there."""
    text = Text(f"{resource_letters(slot['res'])} ", STYLE[slot["res"]]).append(
        translate_name("location_called", slot["name"]), "bold"
    )
    if slot["icon"] in ("port", "magic_gate"):
        text.append(_(" (port)") if slot["icon"] == "port" else _(" (gate)"), "dim")
    is_over = view["stage"] == "over"  # then nothing wakes any more, and nobody goes anywhere
    if slot["wakes"] and not is_over:
        text.append(_(" wakes"), "red")
    go = None if is_over else slot["go"]
    if go is not None and not _is_here(view, slot):
        far = _("no way in") if go["why"] else _.many("{n} die away", "{n} dice away", go["dice"])
        text.append(f"\n{far}", "dim")
    for ch in slot["characters"]:
        one = view["characters"][ch]
        text.append("\n").append_text(seat_text(one["seat"] or 0, one["name"]))
    if slot["assets"]:
        text.append("\n").append_text(dice_text(slot["assets"]))
    for ob in slot["obstacles"]:
        text.append("\n").append_text(_obstacle_text(view["obstacles"][str(ob)]))
    return text


def _is_here(view: dict[str, Any], slot: dict[str, Any]) -> bool:
    """Does the viewer's character stand at this place?"""
    return view["me"] is not None and view["characters"][view["me"]]["slot"] == slot["slot"]


def _obstacle_text(obstacle: dict[str, Any]) -> Text:
    """The line of an obstacle: difficulty, name, skill, stress and threats."""
    text = Text(f"{obstacle['difficulty']:>2} ", "bold reverse" if obstacle["mission"] else "bold").append(
        translate_name("obstacle_called", obstacle["name"])
    )
    stress = "+".join(translate_name("track", track) for track in obstacle["stress"])
    text.append(f" {translate_name('skill', obstacle['skill'].capitalize())}, {stress}", "dim")
    for res in obstacle["threats"]:
        text.append(f" {resource_letters(res)}", STYLE[res])
    return text


# --- People -----------------------------------------------------------------------------------------------


def _mats_table(view: dict[str, Any]) -> Table:
    """The characters in play with their dice, stress, skills and progress cards."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for one in view["characters"]:
        if one["state"] not in ("active", "out"):
            continue
        who = seat_text(one["seat"] or 0, one["name"]).append(f" {view['seats'][one['seat']]['name']}", "dim")
        if one["state"] == "out":
            table.add_row(who, Text(_("knocked out until the year ends"), "dim"))
            continue
        table.add_row(
            who, Text(" ").join(die_text("action", value) for value in one["dice"]) or Text(_("no dice"), "dim")
        )
        table.add_row("", _stress_text(one))
        table.add_row(
            "",
            Text(
                ", ".join(f"{_skill_name(name)} {n}" for name, n in one["skills"].items() if n) or _("no skills"), "dim"
            ),
        )
        if one["card"]:
            table.add_row("", _card_text(view, one["card"]))
    return table


def _skill_name(name: str) -> str:
    """The skill called `name` in the box, in the reader's language and with a capital letter."""
    return translate_name("skill", name.capitalize())


def _stress_text(hero: dict[str, Any]) -> Text:
    """A character's stress dice with their boxes and the marked conditions."""
    text = Text()
    for kind, track in hero["stress"].items():
        boxes = [translate_name("condition", name).capitalize() for name in CONDITIONS[kind]]
        marked = ", ".join(name for name, on in zip(boxes, track["marked"], strict=True) if on)
        text.append(f"{translate_name('track', kind)} {track['value']}", "bold")
        text.append(" " + _("on {box}", box=[_("start"), *boxes][track["at"]]))
        text.append(" " + _("(marked {what})", what=marked) if marked else "", "red").append("   ")
    return text


# --- Cards --------------------------------------------------------------------------------------------------


def _card_text(view: dict[str, Any], card: dict[str, Any]) -> Text:
    """A progress card that is being filled: its name, its reward, its grid with the dice on it."""
    text = Text(translate_name("card", card["name"]), "bold")
    text.append(" " + _("gives {what}", what=_reward_in_short(view["cards"][card["name"]])), "dim")
    return text.append("\n").append_text(_card_grid(card["cells"], card["path"], card["next"]))


CELL = 6
"""The width of a grid's cell, in columns."""
SHORT_REGION = {"empire": "Em", "brightdune": "Br", "settled_lands": "Se"}


def _card_grid(cells: list[dict[str, Any]], path: Sequence[Any] = (), following: Sequence[Any] = ()) -> Text:
    """The grid of a progress card: the dice on it, what empty cells demand, and in brackets the cells that may come next.

    `path`: the dice as (row, column, resource, value); `following`: the cells that may come next as (row, column).
    """
    laid = {(r, c): die_text(res, value) for r, c, res, value in path}
    asked = {(cell["r"], cell["c"]): cell for cell in cells}
    begins = [] if path else [(cell["r"], cell["c"]) for cell in cells if cell["start"]]
    coming = {(r, c) for r, c in following} | set(begins)
    spots = [*laid, *asked]
    rows = []
    for r in range(max(r for r, _c in spots) + 1):
        row = Text()
        for c in range(max(c for _r, c in spots) + 1):
            cell = laid.get((r, c)) or (
                Text(_cell_demand_in_short(asked[r, c], (r, c) in coming)) if (r, c) in asked else Text()
            )
            row.append_text(cell).append(" " * max(1, CELL - len(cell)))
        row.rstrip()
        rows.append(row)
    return Text("\n").join(rows)


def _cell_demand_in_short(cell: dict[str, Any], comes_next: bool) -> str:
    """The demand of a cell in a few characters: resource, value, relation and region, or a dot for any die."""
    res = "" if cell["type"] == "any" else resource_letters(cell["type"])
    asked = f"{res}{cell['value'] or ''}{cell['relation']}{SHORT_REGION.get(cell['region'], '')}" or "·"
    return f"[{asked}]" if comes_next else asked


def _reward_in_short(card: dict[str, Any]) -> str:
    """The reward of a progress card in a few characters."""
    return " ".join(_("+1 any") if res == "any" else f"+1 {resource_letters(res)}" for res in card["reward"])


STAGED_IN_A_ROW = 4


def _staged_cards(view: dict[str, Any]) -> list[RenderableType]:
    """The staged progress cards: the reward and the grid of each."""
    staged = [(name, view["cards"][name]) for name in view["staged"]]
    if not staged:
        return []
    blocks = [
        Text(translate_name("card", name), "bold")
        .append(f"\n{_reward_in_short(card)}\n", "dim")
        .append_text(_card_grid(card["cells"]))
        for name, card in staged
    ]
    legend = Text(_("Staged "), "bold").append(
        _("(· any die; [ ] comes next; Em, Br, Se: a die from that region)"), "dim not bold"
    )
    wide = Table.grid(*[""] * STAGED_IN_A_ROW, padding=(0, 1), expand=False)
    for column in wide.columns:
        column.width = CELL * 3
    wide.add_row(*blocks, *[Text()] * (STAGED_IN_A_ROW - len(blocks)))
    return [legend, ByWidth(wide, Text("\n").join(blocks))]


def _missions_text(view: dict[str, Any]) -> Text:
    """The missions with their goals and obstacles."""
    text = Text()
    for mission in view["missions"]:
        text.append(translate_name("mission", mission["name"]), "bold")
        text.append(_(" (difficult): ") if mission["difficult"] else ": ")
        for goal in mission["goals"]:
            text.append(f"{resource_letters(goal['res'])}{'✓' if goal['met'] else '·'} ", STYLE[goal["res"]])
        for one in mission["then"]:
            state = {"in play": _("in play"), "done": _("done"), "waiting": _("waiting")}[one["state"]]
            what = f"{translate_name('obstacle_title', one['name'])} {one['difficulty']} ({state})"
            text.append(_("then {what}", what=what) + " ")
        text.append(_("done") + "\n" if mission["met"] else "\n", "green")
    return text


# --- Overcoming, and between the years -----------------------------------------------------------------------


def _overcome_panel(view: dict[str, Any]) -> RenderableType:
    """The overcome under way: dice, progress, and the chances of the next roll."""
    over = view["overcome"]
    name = translate_name("obstacle_called", view["obstacles"][str(over["obstacle"])]["name"])
    text = Text(_("Overcoming {name}, {n}", name=name, n=over["difficulty"]), "bold")
    text.append("  " + _("round {n}", n=over["round"]), "dim")
    if over["total"]:
        text.append(", " + _("{n} so far", n=over["total"]))
    for who in over["who"]:
        text.append(f"\n  {view['characters'][who['ch']]['name']}: " + _("reaction") + " ").append_text(
            dice_text(who["reaction"])
        )
        text.append("  " + _("progress (+{n} each)", n=who["rank"]) + " ").append_text(dice_text(who["progress"]))
    if over["rolled"]:
        text.append("\n  " + _("stress dice") + " ")
        for one in over["rolled"]:
            text.append(f" {one['value']}", "dim strike" if one["by"] else "bold red")
    chance = _("chance to overcome it this round {chance}", chance=format_percent(over["odds"]["win"]))
    text.append(f"\n  {chance}", "bold")
    for row in over["odds"]["rows"][:5]:
        ends = _("overcome") if row["won"] else _("not yet")
        text.append(f"\n  {format_percent(row['chance']):>9}  {ends}, {row['harm']}", "dim")
    return text


def _offered_missions_table(view: dict[str, Any]) -> Table:
    """The missions that may be undertaken."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for one in view["offers"]:
        goals = Text(" ").join(Text(resource_letters(res), STYLE[res]) for res in one["goals"])
        more = Text(f"★{resource_letters(one['extra'])}", "dim") if one["extra"] else Text("")
        mark = Text("✓ " if one["chosen"] else "  ", "green").append(translate_name("mission", one["name"]), "bold")
        table.add_row(mark, goals, more, Text(one["why"], "dim"))
    return table


def _journal_text(view: dict[str, Any]) -> Text:
    """The journal, a line for each year."""
    text = Text(_("The journal") + "\n", "bold")
    for gone in view["journal"]:
        results = [(translate_name("mission", one["name"]), one["passed"]) for one in gone["missions"]]
        told = ", ".join(name + (_(" passed") if passed else _(" failed")) for name, passed in results)
        ends = _("{n} points", n=gone["points"]) + ", " + _.many("{n} turn", "{n} turns", gone["turns"])
        text.append("  " + _("year {n}", n=gone["year"]) + f": {told}; {ends}\n")
    return text

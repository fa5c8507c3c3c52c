"""Three Years of War on paper: claims, advisors, interludes, tokens, the year and the tracks, as pieces to print (`core.play.pieces`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.play.pieces import CARD, SMALL_CARD, WIDE_CARD, Kind, Piece, Sheets
from sutler.games.threeyears.box import EVENT_NAMES, SEASON_NAMES
from sutler.games.threeyears.view import icon_counts, interlude_card, printed_cards

if TYPE_CHECKING:
    from sutler.core.play.game import Game

CHIP_SIZE = (18.0, 18.0)
DOOM_COUNT = 12
RENOWN_CHIPS = ((1, 30), (5, 15), (10, 10))
"""The renown chips to print, as (value, count). The rules set no limit to renown and Doom: the counts are this project's choice."""
HERALDIC_COLOURS = ("Azure", "Gules", "Or", "Sable", "Vert")
INTERLUDE_TABLES = ("marketplace", "battle", "reaping", "bitter")
"""The tables of the box with the interlude cards, in the order of the seasons."""
BOARD_SIZE = (190.0, 265.0)
TRACKS_SIZE = (190.0, 160.0)


def sheets(game: Game) -> Sheets:
    """All pieces to print."""
    sheet, seats = game.sheet, range(game.max_seats)
    houses = tuple(Piece(HERALDIC_COLOURS[seat], 5, seat) for seat in seats)
    markers = tuple(Piece(str(number), 1, number) for number in range(1, game.max_seats + 1))
    rules = sheet.rules
    kinds = (
        *_card_kinds(game),
        *_token_kinds(game),
        Kind("house", "Shields", "house", CHIP_SIZE, houses, note="Four on the tracks, one to lie on a claim."),
        Kind("marker", "Claim markers", "marker", CHIP_SIZE, markers, note="As many as seats."),
        Kind("lead", "Lead player", "lead", CHIP_SIZE, (Piece("Lead player"),)),
        Kind("year", "The year", "year", BOARD_SIZE, (Piece("The year", 1, _year_board(game)),)),
        Kind(
            "tracks",
            "The tracks",
            "tracks",
            TRACKS_SIZE,
            (Piece("Tracks", 1, {"most": rules.track_max, "start": rules.track_start}),),
        ),
    )
    return Sheets({"reconstructed": list(game.names["reconstructed"]), "seats": []}, kinds)


def _card_kinds(game: Game) -> list[Kind]:
    box, names, sheet = game.box, game.names, game.sheet
    printed = printed_cards(box, names)
    claims = tuple(Piece(name, 1, {"claim": name, **one}, one["season"]) for name, one in printed["claim"].items())
    advisors = tuple(Piece(one.name, one.copies, printed["influence"][one.name]) for one in sheet.influence)
    found = [
        Kind("claim", "Claim cards", "claim", CARD, claims, back="season_back", note="A deck for each season."),
        Kind("influence", "Influence cards", "influence", SMALL_CARD, advisors, back="influence_back"),
    ]
    for event, table in enumerate(INTERLUDE_TABLES):
        cards = tuple(
            Piece(one.name, 1, interlude_card(box, names, event, card), EVENT_NAMES[event])
            for card, one in enumerate(getattr(sheet, table))
        )
        found.append(Kind(table, EVENT_NAMES[event], "event", WIDE_CARD, cards, back="event_back"))
    return found


def _token_kinds(game: Game) -> list[Kind]:
    sheet = game.sheet
    despair = tuple(Piece(f"Despair {one.value}", one.count, one.value) for one in sheet.despair)
    writs = tuple(
        Piece(one.name, one.count, {key: n for key, n in one.gain.model_dump().items() if n}) for one in sheet.writ
    )
    supply = sheet.supply
    open_ones = [Piece("Hope", supply.hope, _icon_piece("hope")), Piece("Scout", supply.scout, _icon_piece("scout"))]
    open_ones += [Piece("Doom", DOOM_COUNT, _icon_piece("doom", sheet.rules.doom_value))]
    open_ones += [Piece(f"{n} renown", count, _icon_piece("renown", n)) for n, count in RENOWN_CHIPS]
    return [
        Kind("despair", "Despair tokens", "despair", CHIP_SIZE, despair, back="despair_back", note="Kept face down."),
        Kind("writ", "Writs", "writ", CHIP_SIZE, writs, back="writ_back", note="Kept face down."),
        Kind(
            "token",
            "Tokens",
            "token",
            CHIP_SIZE,
            tuple(open_ones),
            note="Renown and Doom without end: print more if you need.",
        ),
    ]


def _icon_piece(icon: str, n: int = 1) -> dict[str, Any]:
    return {"icon": icon, "n": n}


def _year_board(game: Game) -> dict[str, Any]:
    """The board of the year as plain data: the seasons, and the markers' spaces for each number of seats."""
    box = game.box
    gains = bool(box.options.marker_spaces)
    rows = [
        {"seats": seats, "markers": [_marker_space(box, seats, number, gains) for number in range(1, seats + 1)]}
        for seats in range(game.min_seats, game.max_seats + 1)
    ]
    years = int(box.options.years)
    return {"seasons": list(SEASON_NAMES), "season": "", "year": 0, "years": years, "marker_rows": rows}


def _marker_space(box: Any, seats: int, number: int, gains: bool) -> dict[str, Any]:
    """A space of a claim marker as plain data; `gains`: do spaces bring something?"""
    gain = icon_counts(box.space[seats, number].icons) if gains else {}
    return {"number": number, "gain": gain, "first_pass": number == seats}

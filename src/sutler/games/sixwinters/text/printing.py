"""Six Winters on paper: every card of the campaign, mats, the trade board, the land, the journal (`core.play.pieces`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.play.pieces import CARD, WIDE_CARD, Kind, Piece, Sheets
from sutler.games.sixwinters.box import YEARS
from sutler.games.sixwinters.cards.card_texts import sentences_of_card
from sutler.games.sixwinters.cards.vocabulary import ICONS, RESOURCES, SEASONS, SKILLS, TRACKS
from sutler.games.sixwinters.view.land import icon_name
from sutler.games.sixwinters.view.people import ability_price, printed_card

if TYPE_CHECKING:
    from sutler.core.play.game import Game

LARGE_CARD = (88.0, 126.0)
SLIP = (63.0, 44.0)
MAT = (190.0, 134.0)
TRADE = (190.0, 262.0)
REGION = (98.0, 225.0)
CLOCK = (190.0, 88.0)
CHIP = (14.0, 14.0)
FIGURE = (26.0, 38.0)
MARKS, STARS, SHADES = 30, 30, 3
"""How many crosses for conditions and stars for achievements are printed; the mat has boxes to tick for them too."""


def sheets(game: Game) -> Sheets:
    """All pieces to print of a game."""
    return Sheets(
        _sample_view(game), (*_card_kinds(game), *_board_kinds(game), *_chip_kinds(game)), _needed_dice_in_words(game)
    )


def _sample_view(game: Game) -> dict[str, Any]:
    """The parts of a view, beside the piece itself, that the templates need to draw pieces."""
    sheet = game.sheet
    slots = [{"res": slot.resource, "region": region.region} for region in sheet.region for slot in region.slots]
    names = game.names["card"]
    return {
        "cards": {name: printed_card(game.box.card[card]) for card, name in enumerate(names)},
        "missions": [],
        "slots": slots,
        "acting": None,
        "characters": [_printed_character(game, ch) for ch in range(len(sheet.character))],
        "pools": {res: [] for res in RESOURCES},
        "levels": {one.resource: one.numbers[one.start_progress - 1] for one in sheet.track},
        "wheel": _trades_by_pool(sheet.wheel),
    }


def _trades_by_pool(wheel: list[str]) -> dict[str, list[str]]:
    """The resources into which a die of each pool may be traded (5.7)."""
    ways = {res: [wheel[(at + 1) % len(wheel)]] for at, res in enumerate(wheel)}
    return ways | {res: list(wheel) for res in RESOURCES if res not in wheel}


# --- Cards -----------------------------------------------------------------------------------------------


def _card_kinds(game: Game) -> list[Kind]:
    """The kinds of cards, each with its pieces."""
    sheet, names = game.sheet, game.names
    stages = tuple(Piece(one.name, 1, None, one.stage) for one in sheet.card)
    effects = tuple(Piece(one.name, 1, one.text, "Campaign effect") for one in sheet.campaign_effect)
    actions = tuple(Piece(one.name, 1, one.text, "Reserve action") for one in sheet.reserve_action)
    schemes = tuple(Piece(one.name, 1, _printed_scheme(one), "Scheme") for one in sheet.scheme)
    missions = tuple(
        Piece(one.name, 1, _printed_mission(names, m, one), "Mission") for m, one in enumerate(sheet.mission)
    )
    return [
        Kind("obstacle", "Obstacles", "obstacle", CARD, _obstacle_pieces(game), back="obstacle_back", note=DECKS),
        Kind("location", "Locations", "location", WIDE_CARD, _location_pieces(game), back="location_back"),
        Kind("card", "Progress cards", "progress", CARD, stages, back="progress_back", note="A deck for each stage."),
        Kind("mission", "Missions", "mission", LARGE_CARD, missions, back="named_back"),
        Kind("scheme", "Schemes", "scheme", LARGE_CARD, schemes, back="named_back"),
        Kind("campaign_effect", "Campaign effects", "slip", SLIP, effects, back="named_back"),
        Kind("reserve_action", "Reserve actions", "slip", SLIP, actions, back="named_back"),
    ]


DECKS = "Those that say “at the start” make the first decks (2.4); the others are the reserve."


def _obstacle_pieces(game: Game) -> tuple[Piece, ...]:
    """The obstacle cards as pieces."""
    found = []
    for i, one in enumerate(game.sheet.obstacle):
        front = {
            "name": one.title_or_name,
            "difficulty": one.difficulty,
            "skill": one.skill,
            "stress": one.stress,
            "threats": [*one.threats, *one.conditional_threats],
            "faded": one.conditional_threats,
            "tags": one.tags,
            "text": sentences_of_card(game.names, "obstacle_text", i),
        }
        found.append(Piece(one.name, 1, front, {"region": one.region, "season": one.season, "starting": one.starting}))
    return tuple(found)


def _location_pieces(game: Game) -> tuple[Piece, ...]:
    """The location cards as pieces."""
    found = []
    for i, one in enumerate(game.sheet.location):
        printed = game.box.location[i]
        front = {
            "name": one.title_or_name,
            "tags": one.tags,
            "icon": "" if printed.icon == 0 else ICONS[printed.icon],
            "icon_of": icon_name(printed),
            "move": one.move.model_dump(),
            "text": sentences_of_card(game.names, "location_text", i),
        }
        found.append(Piece(one.name, 1, front, one.region))
    return tuple(found)


def _printed_mission(names: Any, number: int, mission: Any) -> dict[str, Any]:
    """The printed data of a mission."""
    extra = list(mission.goal_difficult)
    for res in mission.goal_base:
        if res in extra:
            extra.remove(res)
    lines = sentences_of_card(names, "mission_text", number)
    return {
        "why": _unlock_condition_in_words(mission.unlock),
        "goals": mission.goal_base,
        "extra": extra,
        "special": mission.special_goal,
        "then": [then.obstacle for then in mission.then.obstacles] if mission.then else [],
        "then_word": "Then, in this order" if mission.then and mission.then.ordered else "Then",
        "setup": [(line.at, line.text) for line in mission.setup],
        "text": [line for line in lines if line != mission.special_goal],
    }


def _unlock_condition_in_words(unlock: Any) -> str:
    """The condition under which a mission is unlocked, in words."""
    if unlock.year is not None:
        return f"from year {unlock.year}"
    return f"{unlock.resource.capitalize()} level {unlock.level}"


def _printed_scheme(one: Any) -> dict[str, Any]:
    """The printed data of a scheme."""
    effects = [
        {"value": effect.value, "name": effect.name, "text": effect.text, "lasting": effect.lasts != "instant"}
        for effect in one.effect
    ]
    return {"res": one.resource, "effects": effects}


# --- Mats and boards -------------------------------------------------------------------------------------


def _printed_character(game: Game, character: int) -> dict[str, Any]:
    """A character's sheet at the beginning of a campaign, with the abilities of all achievements."""
    one = game.sheet.character[character]
    abilities = []
    for k, ability in enumerate(one.ability):
        told = ability.ruling or ability
        pay = ability_price(game.box.character[character].ability[k])
        abilities.append(
            {"k": k, "text": told.text, "pay": pay, "used": None, "stash": [], "achievement": ability.achievement}
        )
    base = one.base.model_dump()
    return {
        "ch": character,
        "name": one.name,
        "title": one.title,
        "seat": None,
        "state": "reserve",
        "dice": [],
        "full": 0,
        "stress": {track: {"value": base[track], "at": 0, "marked": [False] * SHADES} for track in TRACKS},
        "skills": {skill: getattr(one.skills, skill) for skill in SKILLS},
        "deed": one.deed.text,
        "achievements": 0,
        "abilities": abilities,
        "reserve_action": one.starting_reserve_action,
    }


def _board_kinds(game: Game) -> list[Kind]:
    """The mats and boards: character sheets, trade board, regions, seasonal events, the year, the journal."""
    sheet = game.sheet
    tracks = [
        {
            "res": one.resource,
            "numbers": one.numbers,
            "progress": one.start_progress,
            "threat": one.start_threat if one.threats else None,
        }
        for one in sheet.track
    ]
    people = tuple(Piece(one.name, 1, ch) for ch, one in enumerate(sheet.character))
    regions = tuple(Piece(one.title, 1, _printed_region(one)) for one in sheet.region)
    clock = {"turns": [one.model_dump() for one in sheet.turn], "stages": [one.model_dump() for one in sheet.stage]}
    seasons = tuple(
        Piece(season.capitalize(), 1, [one.model_dump() for one in sheet.event if one.season == season])
        for season in SEASONS
    )
    return [
        Kind(
            "character",
            "Character sheets",
            "sheet",
            MAT,
            people,
            note="Also the ability of each achievement, by its number.",
        ),
        Kind("trade", "The trade board", "trade", TRADE, (Piece("The trade board", 1, {"tracks": tracks}),)),
        Kind(
            "region",
            "Regions",
            "region",
            REGION,
            regions,
            note="Side by side they are the land; a location on each slot.",
        ),
        Kind("season", "Seasonal events", "season", LARGE_CARD, seasons),
        Kind("clock", "The year", "clock", CLOCK, (Piece("The year", 1, clock),)),
        Kind("journal", "The journal", "journal", MAT, (Piece("The journal", 1, _printed_journal(game)),)),
    ]


def _printed_region(region: Any) -> dict[str, Any]:
    """The printed data of a region board."""
    slots = [{"res": slot.resource, "season": slot.season, "first": slot.starting_location} for slot in region.slots]
    return {"region": region.region, "slots": slots}


def _printed_journal(game: Game) -> dict[str, Any]:
    """The printed data of the journal: its years, and the points that missions bring."""
    points = game.sheet.scoring
    told = [
        f"a mission passed: {points.mission_passed_base}, difficult {points.mission_passed_difficult}",
        f"failed: {points.mission_failed_base}, difficult {points.mission_failed_difficult}",
        *(f"{one.title} from {one.least}" for one in game.sheet.titles if one.least),
    ]
    return {"years": YEARS, "points": told}


def _chip_kinds(game: Game) -> list[Kind]:
    """The figures, track markers and chips."""
    sheet = game.sheet
    figures = tuple(Piece(one.name, 1, ch, ch) for ch, one in enumerate(sheet.character))
    marks = [Piece(f"{one.resource}, progress", 1, {"res": one.resource, "threat": False}) for one in sheet.track]
    marks += [
        Piece(f"{one.resource}, threat", 1, {"res": one.resource, "threat": True}) for one in sheet.track if one.threats
    ]
    signs = (Piece("condition", MARKS, "cancel"), Piece("achievement", STARS, "star"), Piece("now", 2, "winter"))
    return [
        Kind(
            "figure",
            "Figures",
            "figure",
            FIGURE,
            figures,
            back="figure",
            note="For a stand, or glued to a bit of cork.",
        ),
        Kind("marker", "Markers of the tracks", "marker", CHIP, tuple(marks)),
        Kind("sign", "Conditions, achievements, the turn and stage", "sign", CHIP, signs),
    ]


def _needed_dice_in_words(game: Game) -> tuple[str, ...]:
    """The dice that players need, in words."""
    rules = game.sheet.rules
    action = max(seats * each for seats, each in enumerate(rules.action_dice, 1))
    colours = ", ".join(res.capitalize() for res in RESOURCES)
    return (
        f"{rules.dice_each * len(RESOURCES)} dice of six sides in {len(RESOURCES)} colours, {rules.dice_each} each ({colours})",
        f"{max(action, rules.shared_action_dice)} white dice for actions",
        f"{2 * len(game.sheet.character)} dice for stress, psyche and body of each character",
    )

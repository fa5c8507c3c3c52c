"""Options under which random games come to every kind of action and event."""

import sutler
from sutler.core.play.game import Game

RICH_FARMS: dict[str, object] = {
    "rules.start.farmland": 40,
    "rules.start.farmer": 12,
    "rules.start.water": 30,
    "rules.start.steel": 30,
    "rules.start.religion": 30,
    "rules.start.fire": 1,
    "rules.farm_win.farmland": 99,
    "rules.growth_win.disciple": 99,
    "rules.miracles_win": 9,
}
"""WARFARM long enough and with enough in hand for everything to happen."""

ARMED_FARMS: dict[str, object] = {
    "card.Water Wheel.copies": 0,
    "card.Irrigation.copies": 0,
    "card.Pious.copies": 0,
    "card.Fire.copies": 8,
    "card.Cannon.copies": 10,
    "card.Defenseless Karma.copies": 6,
    "deck.Military III.needs": {},
    "deck.Military I.needs": {},
    "rules.start.water": 5,
    "rules.start.religion": 3,
}
"""WARFARM with Fire, Cannons and Karma."""

SMALL_WAR: dict[str, object] = {"box": "examples/maps/small-war.toml", "city_tiles": "random"}
"""Bellum on a map so small that leaders meet, besiege and retreat all the time."""

ADVANCED: dict[str, object] = {"forced_sieges": True, "pillage": True, "out_of_range": True, "city_tiles": "random"}
"""Bellum's chapter 14."""


HELP = [{"op": "campaign_effect", "effect": name} for name in ("The Resistance", "Sunriders", "Speaker for the East")]


def easy_years(progress: int, unlocked: bool = True) -> dict[str, object]:
    """Six Winters with short progress cards, weak obstacles and far progress, so that chance gets somewhere.

    The shared card alone leaves a choice of cells; whoever fails to find friends in high places finds them elsewhere, with
    campaign effects that chance seldom wins. Everybody is unlocked, or those whom the box unlocks.
    """
    printed = sutler.load("sixwinters").definition.printed
    two_ways = {one["name"]: [">any any", "any any<"] for one in printed["card"] if "mission" in one}
    return {
        "box": {
            "card": [
                {"name": one["name"], "picture": two_ways.get(one["name"], [">any any<"])} for one in printed["card"]
            ],
            "character": [
                {"name": one["name"], "unlocked_at_start": unlocked or one.get("unlocked_at_start", False)}
                for one in printed["character"]
            ],
            "obstacle": [{"name": one["name"], "difficulty": 1} for one in printed["obstacle"]],
            "track": [{**one, "start_progress": progress} for one in printed["track"]],
            "location": [
                {"name": "Eastkeep", "icon": {"kind": "port"}},
                {"name": "Loomwood", "icon": {"kind": "port"}},
                {"name": "Parisa's Glen", "icon": {"kind": "stress", "track": "body", "amount": 1}},
            ],
            "mission": [{"name": "Friends in High Places", "fail": [{"text": "Others help.", "ops": [*HELP]}]}],
            "rules": {"action_dice": [9, 9, 9, 9], "shared_action_dice": 12, "achievement": 0},
        }
    }


EASY_YEARS = easy_years(9)
EASY_MISSIONS = easy_years(9, unlocked=False)
EASY_END = {**easy_years(12), "start_year": 6, "start_threats": -3}

OPTION_SETS: dict[str, list[dict[str, object]]] = {
    "manor": [
        {},
        {"hardship_deck": True, "victory": 8},
        {"no_map": True, "victory": 8},
        {"any_moment": True, "deal_first": True, "victory": 8},
    ],
    "bellum": [
        {**ADVANCED, **SMALL_WAR},
        {**ADVANCED, **SMALL_WAR, "three": "cut"},
        {**SMALL_WAR, "city_tiles": "placed"},
        {**SMALL_WAR, "rules.start_strength": 3},
        {**SMALL_WAR, "rules.start_strength": 1, "rules.most_change": 1},
        {**ADVANCED, "rules.start_strength": 3, "rules.most_change": 1, "rules.spoils": 3},
        {**ADVANCED, "rules.start_strength": 1, "rules.most_change": 0, "rules.spoils": 2},
    ],
    "sixwinters": [
        {},
        {**EASY_YEARS, "unreachable": True, "overflow": True},
        {**EASY_END},
        {**EASY_MISSIONS, "sessions": 3},
        {"solo": "passes"},
    ],
    # more games, and one whose tokens run out
    "threeyears": [
        {"rules.tax_spring": 6, "rules.tax_other": 3},  # a deck that runs out
        {},
        {"recycle_claims": True},
        {"marker_spaces": False},
        {"box": {"supply": {"hope": 1, "scout": 2}, "despair": [{"value": 1, "count": 6}]}},
    ],
    "warfarm": [
        {},
        {"hidden_traps": False},
        {"traps_optional": True, "fire_declined": True, **RICH_FARMS},
        {**RICH_FARMS},
        {**RICH_FARMS, **ARMED_FARMS},
        {**RICH_FARMS, "rules.miracles_win": 1},
        {"rules.growth_win.disciple": 1, "rules.growth_win.religion": 1},
        {"rules.farm_win.farmer": 3, "rules.farm_win.farmland": 6},
        {"relief_farmer": True, "rules.start.farmer": 1, "rules.start.water": 0, "rules.start.farmland": 3},
        {"max_rounds": 3},
        {"standstill_rounds": 1},
    ],
}
"""Options that some kinds of action or event need."""


def seats_for(game: Game, fewest: bool = True) -> int:
    """A number of seats that the game's options fit: the fewest with an opponent, or the most; alone where nothing else fits."""
    sizes = range(game.min_seats, game.max_seats + 1)
    with_others = [n for n in sizes if n > 1]
    for n in [*(with_others if fewest else reversed(with_others)), *sizes]:
        try:
            game.blank(n, 0)
        except sutler.BoxError:  # options for tables of another size
            continue
        return n
    raise ValueError(f"{game.title}: no table of any size has these options")

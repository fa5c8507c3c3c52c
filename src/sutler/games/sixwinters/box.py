"""The box of Six Winters: sizes, and the record that `box.toml` is packed into (`entries.py`, `sheet.py`, `packing.py`)."""

from __future__ import annotations

from pathlib import Path

from sutler.core.files.options import Options
from sutler.core.names import Numbers
from sutler.core.record import field, record, set_of

SEATS, HEROES = 4, 4
RES, FACES, SLOTS, N_REGIONS, N_SKILLS, SEASONS_N, SPACES, TURNS = 6, 6, 9, 3, 8, 4, 12, 8
OBSTACLES, LOCATIONS, CARDS, MISSIONS, SCHEMES, EFFECTS, RESERVES, CHARACTERS = 126, 62, 80, 32, 6, 24, 16, 8
"""How many cards of each kind a box may have; the printed box has fewer, so that a designer may add some."""
ABILITIES, GOALS, END_PARTS, CELLS, YEARS, STAGES, STAGED_OBSTACLES = 10, 6, 4, 16, 6, 5, 4
N_OPS, OPTIONS_OF_OP = 640, 4
SIDE = 4  # of a progress card's grid
POOL = FACES + RES * FACES
"""The number of the first pool die among the sources of dice.

A source is an action die (below FACES, by value), an asset (from FACES on, by resource and value) or a pool die (from POOL on).
"""


ANY_RESOURCE = 6  # in place of a resource: any of them
ALL = 99  # in place of a count: all of them
ANY_NUMBER = 98  # as many as the players like
SPY_LEVEL = 97  # as many as the Espionage threat level
CHOICE, SAME_VALUE = 7, 8  # in place of a die's value: chosen by the players, or as the die that was paid
OWN_RANK = 15  # as a skill's limit: the rank of whoever teaches
ADDED_ASSET = 100  # as an amount of stress: the value of the asset just added
NO_MOVE = 0  # as a price: there is no way
NO_END = 99  # as a number of dice to come: there is no way to the end

# The moments at which a card's effects happen.
MOMENT = Numbers("moment", ("standing", "enter", "activation", "overcome", "action", "free", "enter_play"))
MOMENTS = 7
BASE, DIFFICULT = range(2)
PAY = Numbers("price", ("die", "asset", "stress", "slot", "none"))
RELATION = Numbers("relation", ("any_value", "plus_one", "minus_one", "equal"))
MISSION_END = Numbers("end", ("nothing", "goal", "track"))
TO = Numbers(
    "aim", ("nowhere", "slot", "highest", "lowest", "most_assets", "most_obstacles", "choice", "other", "here")
)
SCOPE = Numbers("scope", ("here", "region", "all"))
WHICH = Numbers("order", ("lowest", "highest", "all"))
UNTIL = Numbers("end", ("turn_end", "season_end", "session_end"))

# The names that files use for places of cards and for states of missions, characters and the campaign.
PART_NAMES = (
    *(
        "restore",
        "missions",
        "difficulty",
        "order",
        "setup",
        "scheme",
        "take",
        "reserve",
        "advance",
        "pools",
        "staging",
    ),
    *("place", "event", "actions", "refresh", "activate", "obstacles", "threats", "trigger", "time", "clear"),
    *("result_order", "results", "tidy"),
)
CARD_PLACE_NAMES = ("deck", "stage", "hero", "mission", "discard", "burned", "not_yet", "shared")
OUTCOME_NAMES = ("open", "won", "lost", "ended")
MISSION_STATE_NAMES = ("open", "current", "passed", "failed")
PERSON_STATE_NAMES = ("locked", "unlocked", "dead")
GOAL_STATE_NAMES = ("waiting", "wanted", "overcome")
OVERCOMING_STAGE_NAMES = ("asking", "setting", "rolled", "tally", "count", "round_end", "offered")
FRAME_KIND_NAMES = (
    *("ops", "stress", "move", "", "ability", "complete", "bring"),
    *("overcome", "aftermath", "result", "create", "trade", "settle"),
)

# --- The record ----------------------------------------------------------------

OP = record(
    "Op",
    ("op", "i1"),
    ("who", "i1"),
    ("psyche", "i2"),
    ("body", "i2"),
    ("track", "i1"),
    ("track_to", "i1"),
    ("box_no", "i1"),  # the box of a condition that the operation names; 0: the next unmarked one
    ("count_of", "i2"),
    ("by", "i2"),
    ("value", "i2"),  # the value of a die, or CHOICE, SAME_VALUE
    ("most", "i2"),
    ("resources", "u1"),  # as a bit set
    ("resource", "i1"),
    ("extra_pool", "i1"),
    ("tags", "u2"),
    ("places", "u1"),  # location tags as a bit set
    ("regions", "u1"),
    ("region", "i1"),
    ("region_to", "i1"),
    ("region_from", "i1"),
    ("slots", "u2"),  # the slots that the operation may aim at, as a bit set
    ("threat", "i1"),
    ("skill", "i1"),
    ("skills", "u1"),
    ("below", "i1"),
    ("per_psyche", "i1"),
    ("per_body", "i1"),
    set_of("obstacle", "named", OBSTACLES),
    set_of("location", "lands", LOCATIONS),
    ("to", "i1"),
    ("scope", "i1"),
    ("which", "i1"),
    ("until", "i1"),
    ("optional", "i1"),
    ("not_self", "i1"),
    ("if_tags", "u2"),
    ("if_nobody", "i1"),
    ("from_here", "i1"),
    ("price", "i1"),
    ("change", "i1"),
    ("minimum", "i1"),
    ("extra", "i1"),
    ("faces", "i1", FACES),  # the values of the dice that a die is turned into; 0: none
    ("pools", "u1"),
    ("schemes", "u1"),
    ("character", "i1"),
    ("number", "i1"),  # the number of a reserve action or of a campaign effect
    ("deck", "i1"),
    ("look", "i1"),
    ("gain", "i1"),
    ("gains", "i1"),
    ("stress_mask", "u1"),
    ("first", "i2", OPTIONS_OF_OP),
    ("n", "i1", OPTIONS_OF_OP),
    ("n_options", "i1"),
    ("gains_dice", "i1"),  # tags of the operation's row in OPERATIONS
    ("changes_dice", "i1"),
)

EFFECT = record("Effect", ("first", "i2"), ("n", "i2"))

OBSTACLE = record(
    "Obstacle",
    ("group", "i1"),
    ("region", "i1"),
    ("season", "i1"),
    ("starts", "i1"),
    ("tags", "u2"),
    ("threats", "i1", RES),
    ("skill", "i1"),
    ("difficulty", "i2"),
    ("stress_mask", "u1"),
    field("effect", EFFECT, MOMENTS),
    set_of("op", "words", 128),  # the operations among its standing effects
)

LOCATION = record(
    "Location",
    ("group", "i1"),
    ("region", "i1"),
    ("tags", "u1"),
    ("move", "i1", N_REGIONS),
    ("icon", "i1"),
    ("icon_of", "i1"),
    ("icon_n", "i1"),
    field("effect", EFFECT, MOMENTS),
    set_of("op", "words", 128),
)

CELL = record("Cell", ("there", "i1"), ("kind", "i1"), ("value", "i1"), ("region", "i1"), ("relation", "i1"))

CARD = record(
    "ProgressCard",
    ("stage", "i1"),
    ("slot", "i1"),
    ("reward", "i1", RES + 1),
    ("start", "i1"),
    ("end", "i1"),
    ("mission", "i1"),  # the mission of a shared card
    ("after", "i1"),  # the track that must be completed before a shared card comes into play
    field("cells", CELL, CELLS),
    (
        "need",
        "i1",
        (CELLS, FACES),
    ),  # with a die of this value on this cell: how many dice more complete the card; NO_END: it cannot be completed
)

MISSION = record(
    "Mission",
    ("year", "i1"),
    ("resource", "i1"),
    ("level", "i1"),
    ("goal", "i1", (2, GOALS)),
    ("then", "i1"),
    ("then_track", "i1"),
    ("ordered", "i1"),
    ("severing", "i1"),
    ("n_then", "i1"),
    ("then_group", "i1", END_PARTS),
    ("then_card", "i1", END_PARTS),  # the first obstacle of that group
    ("then_slot", "i1", END_PARTS),
    ("shared", "i1"),
    ("wins", "i1"),
    field("setup", EFFECT, 2),
    field("passed", EFFECT),
    field("failed", EFFECT),
)

SCHEME = record("Scheme", ("resource", "i1"), field("effect", EFFECT, FACES), ("lasts", "u1"))

ABILITY = record(
    "Ability",
    ("there", "i1"),
    ("achievement", "i1"),
    ("pay", "i1"),
    ("value", "i1"),
    ("resource", "i1"),
    ("track", "i1"),
    ("amount", "i1"),
    field("effect", EFFECT),
)

CHARACTER = record(
    "Character",
    ("there", "i1"),
    ("starts", "i1"),
    ("skills", "i1", N_SKILLS),
    ("start", "i1", 2),  # the base values of the stress dice
    ("reserve", "i1"),
    ("also_knows", "u2"),  # reserve actions that no card grants, as a bit set
    ("deeds", "u2"),
    field("ability", ABILITY, ABILITIES),
    ("n_achievements", "i1"),
)

TRACK = record(
    "Track",
    ("levels", "i1", SPACES),
    ("start_progress", "i1"),
    ("start_threat", "i1"),
    ("has_threats", "i1"),
)

PLACE = record("Place", ("region", "i1"), ("resource", "i1"), ("season", "i1"), ("location", "i1"))

OPTIONS = Options(Path(__file__).with_name("box.toml"))
PASSES = OPTIONS.number("solo", "passes")  # one character after the other
DEEDS_ONLY = OPTIONS.number("deeds", "deeds")
XP_ONLY = OPTIONS.number("deeds", "experience")
TRADES_MANY = OPTIONS.number("skill_icon", "both")  # a skill icon serves trading as it serves creating

RULES = record(
    "Parameters",
    ("dice_each", "i1"),
    ("action_dice", "i1", SEATS + 1),
    ("shared_dice", "i1"),
    ("harder", "i1", SEATS + 1),
    ("saved_most", "i1"),
    ("tags_free", "i1"),
    ("port_cost", "i1"),
    ("gate_stress", "i1"),
    ("xp_active", "i2"),
    ("xp_reserve", "i2"),
    ("new_skill", "i2"),
    ("skill_factor", "i2"),
    ("xp_achievement", "i2"),
    ("clear", "i2", 3),
    ("most_skill", "i1"),
    ("burn_per_year", "i1"),
    ("progress_cost", "i1"),
    ("pass_base", "i1"),
    ("pass_difficult", "i1"),
    ("fail_base", "i1"),
    ("fail_difficult", "i1"),
    ("beyond", "i1"),
    ("score_high", "i1"),
    ("score_low", "i1"),
)

BOX = record(
    "Box",
    field("options", OPTIONS),
    field("rules", RULES),
    field("track", TRACK, RES),
    field("place", PLACE, SLOTS, by="slot"),
    ("wheel", "i1", RES),  # where a die goes in trade; Sorcery goes anywhere
    ("season", "i1", TURNS),
    ("bonus", "i1", TURNS),
    ("new_obstacles", "i1", STAGES + 1),
    field("ops", OP, N_OPS),
    ("n_ops", "i2"),
    field("obstacle", OBSTACLE, OBSTACLES),
    ("n_obstacles", "i2"),
    field("location", LOCATION, LOCATIONS),
    ("n_locations", "i2"),
    field("card", CARD, CARDS),
    ("n_cards", "i2"),
    field("mission", MISSION, MISSIONS),
    ("n_missions", "i1"),
    field("scheme", SCHEME, SCHEMES),
    ("n_schemes", "i1"),
    field("event", EFFECT, (SEASONS_N, N_REGIONS + 1)),
    field("effect", EFFECT, EFFECTS),
    ("n_effects", "i1"),
    field("reserve", EFFECT, RESERVES),
    ("n_reserves", "i1"),
    field("character", CHARACTER, CHARACTERS),
    ("n_characters", "i1"),
    set_of("obstacle", "unreachable", OBSTACLES),
)

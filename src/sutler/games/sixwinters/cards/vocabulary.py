"""The words of the card files: what stands on cards, and the operations that a card's effect is made of (guide, chapter 13).

An operation is told here once: its name, the fields it must have and those it may have. Whatever a card says beyond that is
refused with its file, entry and field. A designer's new card needs no code as long as it speaks these words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sutler.core.box import Entry
from sutler.core.numbers import Numbers

RESOURCES = ("support", "technology", "espionage", "military", "diplomacy", "sorcery")
SUPPORT, TECHNOLOGY, ESPIONAGE, MILITARY, DIPLOMACY, SORCERY = range(6)
SKILLS = ("command", "disguise", "lore", "rapport", "combat", "tactics", "thievery", "survival")
SEASONS = ("winter", "spring", "summer", "fall")
WINTER, SPRING, SUMMER, FALL = range(4)
REGIONS = ("empire", "brightdune", "settled_lands")
TRACKS = ("psyche", "body")
PSYCHE, BODY = range(2)
CONDITIONS = ("distracted", "angry", "shaken", "weary", "bruised", "wounded")
"""Psyche from the top, then body from the top: condition 3 * track + box - 1."""
TAGS = (
    *("conspiracy", "development", "diplomat", "drug", "eldritch", "foe"),
    *("guard", "issue", "mob", "spy", "trap", "unit"),
)
LOCATION_TAGS = ("eldritch", "hall", "port", "rural", "urban", "wilderness")
ICONS = ("none", "port", "magic_gate", "resource", "skill", "stress")
NO_ICON, PORT, MAGIC_GATE, RESOURCE_ICON, SKILL_ICON, STRESS_ICON = range(6)
WHO = (
    *("acting", "self", "other", "here", "region", "one_in_region", "one_in_regions", "in_regions", "at_locations"),
    *("all", "mover", "overcomer", "other_reserve", "one_unlocked", "each_player", "any_character"),
)

Resource = Literal["support", "technology", "espionage", "military", "diplomacy", "sorcery"]
Skill = Literal["command", "disguise", "lore", "rapport", "combat", "tactics", "thievery", "survival"]
Season = Literal["winter", "spring", "summer", "fall"]
Region = Literal["empire", "brightdune", "settled_lands"]
Track = Literal["psyche", "body"]
Condition = Literal["distracted", "angry", "shaken", "weary", "bruised", "wounded"]
Tag = Literal[
    "conspiracy", "development", "diplomat", "drug", "eldritch", "foe", "guard", "issue", "mob", "spy", "trap", "unit"
]
LocationTag = Literal["eldritch", "hall", "port", "rural", "urban", "wilderness"]
Who = Literal[
    "acting",
    "self",
    "other",
    "here",
    "region",
    "one_in_region",
    "one_in_regions",
    "in_regions",
    "at_locations",
    "all",
    "mover",
    "overcomer",
    "other_reserve",
    "one_unlocked",
    "each_player",
    "any_character",
]
Small = Annotated[int, Field(ge=0, le=99)]
Change = Annotated[int, Field(ge=-12, le=12)]
Face = Annotated[int, Field(ge=1, le=6)]


class Slot(Entry):
    """One of the nine places for a location, by its region and its resource."""

    region: Region
    resource: Resource


class Where(Entry):
    """A place found by looking: a slot, where somebody stands, where most lie, or a choice among several."""

    slot: Slot | None = None
    character: Literal["highest", "lowest"] | None = None
    skill: Skill | None = None
    most: Literal["assets", "obstacles"] | None = None
    tags: list[Tag] = []
    location_tags: list[LocationTag] = []
    regions: list[Region] = []
    choose: bool = False
    other_slot_of: Resource | None = None
    region: Region | None = None
    slot_resource: Resource | None = None

    @model_validator(mode="after")
    def _one_way_of_looking(self) -> Where:
        ways = [self.slot, self.character, self.most, self.other_slot_of, self.region, self.slot_resource]
        given = sum(one is not None for one in ways) + (self.choose or (bool(self.location_tags) and not any(ways)))
        if given != 1:
            raise ValueError("a place is found in exactly one way")
        if (self.character is None) != (self.skill is None):
            raise ValueError("character and skill belong together")
        return self


class Below(Entry):
    """A rank of a skill that is not enough."""

    skill: Skill
    value: Annotated[int, Field(ge=1, le=9)]


class PerObstacle(Entry):
    """So much stress more for each obstacle in play with one of these tags or names."""

    psyche: Small = 0
    body: Small = 0
    tags: list[Tag] = []
    names: list[str] = []


class Price(Entry):
    """So many dice of a resource."""

    resource: Resource
    count: Annotated[int, Field(ge=1, le=12)]


class Op(Entry):
    """One step of an effect: which operation, and its fields. Fields that the operation does not have are refused."""

    op: str
    who: Who | None = None
    psyche: Small | Literal["value_of_added_asset"] = 0
    body: Small | Literal["value_of_added_asset"] = 0
    if_skill_below: Below | None = None
    plus_per_obstacle: PerObstacle | None = None
    regions: list[Region] = []
    location_tags: list[LocationTag] = []
    track: Track | None = None
    from_track: Track | None = None
    to_track: Track | None = None
    condition: Condition | None = None
    count: Small | Literal["all", "any", "espionage_threat_level"] = 1
    by: Change = 0
    set: Small | None = None
    value: Face | Literal["same", "choice"] | None = None
    until: Literal["turn_end", "season_end", "session_end"] | None = None
    skill: Skill | None = None
    skills: list[Skill] = []
    max: Small | Literal["own_rank"] | None = None
    to: Where | Literal["here", "any", "choice"] | Resource | list[Face] | None = None
    tags: list[Tag] = []
    names: list[str] = []
    threat: Resource | None = None
    stress: Track | None = None
    max_difficulty: Small | None = None
    region: Region | None = None
    not_self: bool = False
    optional: bool = False
    obstacle: str | None = None
    location: str | None = None
    at: Slot | Literal["here", "any", "each_location"] | None = None
    at_location: str | None = None
    any_slot_in: Region | None = None
    choose_slot: list[Slot] = []
    deck: Region | Literal["any"] | None = None
    look: Annotated[int, Field(ge=1, le=6)] = 1
    discard: Annotated[int, Field(ge=1, le=6)] = 1
    resource: Resource | Literal["any"] | None = None
    resources: list[Resource] = []
    scope: Literal["here", "region", "all"] | None = None
    which: Literal["lowest", "highest", "all"] | None = None
    if_obstacle_here: list[Tag] = []
    if_no_character_here: bool = False
    if_region: Region | None = None
    if_location_tags: list[LocationTag] = []
    plus: Literal["value_of_dice_on_card"] | None = None
    extra_action_dice: Small = 0
    extra_pool_die: Resource | None = None
    from_here: bool = False
    to_region: Region | None = None
    from_region: Region | None = None
    change: Change = 0
    minimum: Small = 0
    die: Resource | None = None
    pools: list[Literal["own_action_dice", "assets_here"]] = []
    kind: Literal["same"] | None = None
    pay: Price | None = None
    gain: Price | None = None
    total_above: Literal["target_difficulty"] | None = None
    schemes: list[Resource] = []
    character: str | None = None
    action: str | None = None
    effect: str | None = None
    ops: list[Op] = []
    options: list[list[Op]] = []

    @model_validator(mode="after")
    def _spoken_here(self) -> Op:
        word = OPS.get(self.op)
        if word is None:
            raise ValueError(f"there is no op {self.op!r}")
        given = self.model_fields_set - {"op"}
        if strange := sorted(given - set(word.needs) - set(word.may)):
            raise ValueError(f"op {self.op} has no field {', '.join(strange)}")
        if missing := sorted(set(word.needs) - given):
            raise ValueError(f"op {self.op} needs {', '.join(missing)}")
        return self


@dataclass(frozen=True)
class Word:
    """An operation: the fields it needs, those it may have, and whether it does something or holds while in play."""

    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    holds: bool = False
    ability: bool = False
    """Only a character's ability can do it: it speaks of the die that was paid."""


def _word(needs: str = "", may: str = "", **more: Any) -> Word:
    return Word(tuple(needs.split()), tuple(may.split()), **more)


OPS: dict[str, Word] = {
    # stress, conditions, skills
    "stress": _word("who", "psyche body if_skill_below plus_per_obstacle regions location_tags"),
    "condition": _word("who", "track condition count regions location_tags"),
    "recover_condition": _word("who track", "count regions location_tags"),
    "condition_for_skill": _word("who track skill by", "optional"),
    "set_stress_die": _word("who track value", "optional regions location_tags"),
    "shift_stress": _word("who from_track to_track"),
    "reduce_stress": _word("track by until"),
    "skill_up": _word("who by", "skill skills max"),
    "base_stress_up": _word("who track by", "max"),
    "clear_condition": _word("who", "count"),
    "pay_stress": _word("who", "psyche body"),
    # obstacles
    "move_self": _word("to"),
    "move_obstacle": _word("to", "tags threat skill count"),
    "discard_self": _word(),
    "discard_obstacles": _word("count", "tags threat stress max_difficulty region not_self optional"),
    "place_obstacle": _word("obstacle", "at at_location"),
    "place_new_obstacle": _word("count"),
    "place_obstacle_from_reserve": _word("tags at"),
    "add_to_deck": _word("obstacle deck"),
    "burn_obstacles": _word("names"),
    "burn_from_deck": _word("tags", "count"),
    "peek_and_discard": _word("deck look discard"),
    "discard_deck_top": _word("deck", "count"),
    "discard_top_to_deck_top": _word("deck"),
    # locations
    "place_location": _word("location", "at any_slot_in choose_slot"),
    "place_location_from_reserve": _word("location_tags regions"),
    # dice
    "add_asset": _word("resource at", "count location_tags regions"),
    "remove_assets": _word("scope count", "resource resources which"),
    "reroll_assets": _word("scope"),
    "exchange_assets": _word("pay gain", "who"),
    "pay_asset": _word("resource value"),
    "pay_pool": _word("resource", "count total_above"),
    "pool_remove": _word("resource which", "count if_obstacle_here if_no_character_here"),
    "pool_set": _word("resource value"),
    "pool_add": _word("resource", "count value optional"),
    "pool_to_assets": _word("resource at", "count optional"),
    "pool_to_card": _word("resource which", "count"),
    "card_dice_to_assets": _word("resource at"),
    "gain_action_die": _word("who count"),
    "discard_action_die": _word("who count which"),
    "set_action_die": _word("who", "count optional regions location_tags"),
    # tracks, cards, the campaign
    "threat": _word("resource by"),
    "progress": _word("resource by"),
    "rearrange_staging": _word("", "optional"),
    "free_move": _word("who", "optional"),
    "move_character": _word("who to"),
    "unlock_character": _word("character"),
    "gain_reserve_action": _word("character action"),
    "campaign_effect": _word("effect"),
    "burn_scheme": _word(),
    "burn_character": _word("character"),
    "kill_character": _word("who"),
    "severing_die": _word("", "set by"),
    "each_seasonal_event": _word("ops"),
    "choice": _word("ops", "optional"),
    "choose_one": _word("options"),
    "campaign_won": _word(),
    "campaign_failed": _word(),
    "campaign_lost": _word(),
    # what holds while the card is in play
    "extra_threat": _word("resource count", "if_region if_location_tags", holds=True),
    "difficulty": _word("by scope", "tags threat", holds=True),
    "difficulty_self": _word("plus", holds=True),
    "stress_pool_sum": _word("resources", holds=True),
    "leave_cost": _word("extra_action_dice", holds=True),
    "move_cost": _word("", "from_here to_region set change minimum extra_pool_die extra_action_dice until", holds=True),
    "create_asset_stress": _word("", "psyche body", holds=True),
    "create_asset_all_matching": _word(holds=True),
    "wild_on_progress": _word("resource", holds=True),
    "forbid_overcome": _word("threat", holds=True),
    "forbid_complete": _word("die", holds=True),
    "forbid_create_asset": _word("resource", "region", holds=True),
    "forbid_trade": _word("resource", holds=True),
    "no_teamwork": _word(holds=True),
    "redirect_new_obstacles": _word("deck tags to", holds=True),
    "pool_as_action_dice": _word("resource who", holds=True),
    "pool_pays_movement": _word("resource", "to_region from_region", holds=True),
    "pool_cancels_scheme": _word("resource schemes", holds=True),
    # what only a character's ability or a campaign effect does
    "trade_two_for_one": _word(),
    "reroll": _word("pools", ability=True),
    "explode": _word("value pools", ability=True),
    "convert": _word("to", ability=True),
    "shift": _word("by", ability=True),
    "flip": _word(ability=True),
    "split": _word("kind", ability=True),
    "change_asset": _word("to value", ability=True),
    "stash": _word("resource count", ability=True),
    "absorb_stress": _word("track", ability=True),
    "pool_to_action_die": _word("resource", "value", ability=True),
}
"""Every operation of the card files."""

OP_NUMBERS = {name: number for number, name in enumerate(OPS, 1)}
"""The numbers that the rules know the operations by; 0 is none."""

DO = Numbers("op", OP_NUMBERS)
"""The same by name: `DO.stress`."""

"""The words that card files may use: the features of cards, and the operations that make up a card's effect (guide, chapter 13).

Each operation is declared once: its name, the fields it must have and those it may have. Anything else on a card is refused with its file,
entry and field. A designer's new card needs no code as long as it uses these words.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import Field, model_validator

from sutler.core.files.box import Entry
from sutler.core.names import Numbers
from sutler.core.rule_tables import OperationTable

Resource = Literal["support", "technology", "espionage", "military", "diplomacy", "sorcery"]
Skill = Literal["command", "disguise", "lore", "rapport", "combat", "tactics", "thievery", "survival"]
Season = Literal["winter", "spring", "summer", "fall"]
Region = Literal["empire", "brightdune", "settled_lands"]
Track = Literal["psyche", "body"]
Condition = Literal["distracted", "angry", "shaken", "weary", "bruised", "wounded"]
"""The conditions of psyche, then those of body, from the top: condition number 3 * track + box - 1."""
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


def _words_of_literal(literal: Any) -> tuple[str, ...]:
    """The words of a Literal type, in order."""
    return get_args(literal)


RESOURCES, SKILLS, SEASONS, REGIONS = (
    _words_of_literal(Resource),
    _words_of_literal(Skill),
    _words_of_literal(Season),
    _words_of_literal(Region),
)
TRACKS, CONDITIONS, TAGS, LOCATION_TAGS = (
    _words_of_literal(Track),
    _words_of_literal(Condition),
    _words_of_literal(Tag),
    _words_of_literal(LocationTag),
)
WHO = Numbers("who", _words_of_literal(Who))
ICONS = ("none", "port", "magic_gate", "resource", "skill", "stress")
ICON = Numbers("icon", ICONS)
SUPPORT, TECHNOLOGY, ESPIONAGE, MILITARY, DIPLOMACY, SORCERY = range(6)
WINTER, SPRING, SUMMER, FALL = range(4)
PSYCHE, BODY = range(2)
Small = Annotated[int, Field(ge=0, le=99)]
Change = Annotated[int, Field(ge=-12, le=12)]
Face = Annotated[int, Field(ge=1, le=6)]


class Slot(Entry):
    """One of the nine places for a location, named by its region and its resource."""

    region: Region
    resource: Resource


class Where(Entry):
    """The place at which an operation aims: a slot, the place of a character, the one with the most assets or obstacles, or a choice."""

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
    def _require_one_way_of_looking(self) -> Where:
        """Raise ValueError unless exactly one way of finding the place is given."""
        ways = [self.slot, self.character, self.most, self.other_slot_of, self.region, self.slot_resource]
        given = sum(one is not None for one in ways) + (self.choose or (bool(self.location_tags) and not any(ways)))
        if given != 1:
            raise ValueError("a place is found in exactly one way")
        if (self.character is None) != (self.skill is None):
            raise ValueError("character and skill belong together")
        return self


class Below(Entry):
    """A condition on characters: a skill, and the rank from which on a character is not affected."""

    skill: Skill
    value: Annotated[int, Field(ge=1, le=9)]


class PerObstacle(Entry):
    """Additional stress for each obstacle in play with one of these tags or names."""

    psyche: Small = 0
    body: Small = 0
    tags: list[Tag] = []
    names: list[str] = []


class Price(Entry):
    """A number of dice of a resource."""

    resource: Resource
    count: Annotated[int, Field(ge=1, le=12)]


class Op(Entry):
    """One step of an effect: the name of its operation, and the operation's fields; fields that it does not have are refused."""

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
    def _require_known_operation(self) -> Op:
        """Raise ValueError unless the operation is in the table and has all fields that it must have and no others than it may have."""
        if fault := OPERATIONS.find_fault(self.op, self.model_fields_set - {"op"}):
            raise ValueError(fault)
        return self


OPERATIONS = OperationTable(
    ("box", "state", "events", "f"),
    tags=("ability", "gains_dice", "changes_dice"),
    frame="state.frames[f]",
    op="box.ops[frame.op]",
)
"""Every operation of the card files, each registered above the rule that carries it out.

The tags: `ability`: only a character's ability can have it, because it refers to the die that was paid; `gains_dice`: it brings more dice
than it costs; `changes_dice`: it brings another die for the one it costs.
"""

operation = OPERATIONS.row
DO = OPERATIONS.numbers
"""The numbers of the operations by name, such as `DO.stress`."""

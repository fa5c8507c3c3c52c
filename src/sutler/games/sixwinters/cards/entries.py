"""Models of the printed cards: entries of `box.toml` for obstacles, locations, progress cards, missions, schemes and characters."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from sutler.core.files.box import Entry
from sutler.games.sixwinters.box import ABILITIES, END_PARTS, GOALS, N_REGIONS, SIDE, STAGES, YEARS
from sutler.games.sixwinters.cards.vocabulary import (
    OPERATIONS,
    Face,
    LocationTag,
    Op,
    Region,
    Resource,
    Season,
    Skill,
    Slot,
    Tag,
    Track,
)

Count = Annotated[int, Field(ge=0, le=99)]
Level = Annotated[int, Field(ge=1, le=6)]
When = Literal["passive", "enter", "leave", "activation", "overcome", "action", "free", "enter_play"]


class EffectEntry(Entry):
    """A text on a card: the moment at which it takes effect, and the operations that carry it out."""

    when: When
    text: str
    ops: list[Op]

    @model_validator(mode="after")
    def _require_matching_operations(self) -> EffectEntry:
        """Raise ValueError unless effects that hold while the card is in play have lasting operations, and all others momentary ones."""
        holding = [op.op for op in self.ops if OPERATIONS.rows[op.op].holds]
        if self.when in ("passive", "leave") and len(holding) < len(self.ops):
            raise ValueError(
                f"what holds while the card is in play is no {next(o.op for o in self.ops if o.op not in holding)}"
            )
        if self.when not in ("passive", "leave") and holding:
            raise ValueError(f"op {holding[0]} holds while a card is in play; it is no effect of the moment")
        return self


class ObstacleEntry(Entry):
    """An obstacle card; copies of a card have different names (with a number) and the same title."""

    name: str
    title: str = ""
    region: Region
    starting: bool = False
    season: Season
    tags: list[Tag]
    threats: list[Resource]
    conditional_threats: list[Resource] = []
    skill: Skill
    difficulty: Annotated[int, Field(ge=1, le=99)]
    stress: list[Track]
    effect: list[EffectEntry] = []

    @property
    def title_or_name(self) -> str:
        """The card's title, or its name if it has no title."""
        return self.title or self.name


class Icon(Entry):
    """The icon in a location's corner: its kind, and the resource, skill or stress track that it shows."""

    kind: Literal["port", "magic_gate", "resource", "skill", "stress"]
    resource: Resource | None = None
    skill: Skill | None = None
    track: Track | None = None
    amount: Annotated[int, Field(ge=1, le=6)] = 1

    @model_validator(mode="after")
    def _require_field_of_kind(self) -> Icon:
        """Raise ValueError unless the icon has exactly the field that belongs to its kind."""
        for kind, part in (("resource", self.resource), ("skill", self.skill), ("stress", self.track)):
            if (self.kind == kind) != (part is not None):
                raise ValueError(f"an icon of kind {kind} names what it is of, and no other does")
        return self


class MoveEntry(Entry):
    """The action dice that it costs to go from a location to each region; "no_move": there is no way."""

    empire: Annotated[int, Field(ge=1, le=9)] | Literal["no_move"]
    brightdune: Annotated[int, Field(ge=1, le=9)] | Literal["no_move"]
    settled_lands: Annotated[int, Field(ge=1, le=9)] | Literal["no_move"]


class LocationEntry(Entry):
    """A location card: its region, tags, costs of moving, icon and effects."""

    name: str
    title: str = ""
    region: Region | Literal["none"]
    tags: list[LocationTag]
    move: MoveEntry
    icon: Icon | None = None
    effect: list[EffectEntry] = []

    @property
    def title_or_name(self) -> str:
        """The card's title, or its name if it has no title."""
        return self.title or self.name


class CardEntry(Entry):
    """A progress card. `picture` shows its cells as text, in the notation that the head of box.toml explains."""

    name: str
    stage: Annotated[int, Field(ge=1, le=STAGES)] | None = None
    obstacle_slot: Slot | None = None
    reward: list[Resource | Literal["any"]] = []
    picture: Annotated[list[str], Field(min_length=1, max_length=SIDE)]
    mission: str | None = None
    after: Resource | None = None

    @model_validator(mode="after")
    def _require_staged_or_shared(self) -> CardEntry:
        """Raise ValueError unless a card has a stage and a slot for obstacles (a staged card), or a mission and a track (a shared card)."""
        if (self.stage is None) != (self.mission is not None) or (self.stage is None) != (self.after is not None):
            raise ValueError(
                "a card has a stage, or it is shared: then it names its mission and the track it comes after"
            )
        if (self.stage is None) != (self.obstacle_slot is None):
            raise ValueError("a card of a stage has an obstacle_slot, a shared one has none")
        return self


class Unlock(Entry):
    """When a mission becomes available: from a year on, or once a resource has reached a progress level."""

    year: Annotated[int, Field(ge=1, le=YEARS)] | None = None
    resource: Resource | None = None
    level: Level | None = None

    @model_validator(mode="after")
    def _require_one_condition(self) -> Unlock:
        """Raise ValueError unless there is either a year, or a resource with its level."""
        if (self.year is None) == (self.resource is None) or (self.resource is None) != (self.level is None):
            raise ValueError("a year, or a resource and its level")
        return self


class ThenObstacle(Entry):
    """An obstacle that a mission asks to be overcome, and the slot at which it comes into play."""

    obstacle: str
    at: Slot


class Then(Entry):
    """The obstacles of a mission that come into play once its progress is made, and are then to be overcome."""

    after: Literal["goal_progress", "track_completed"]
    resource: Resource | None = None
    ordered: bool
    obstacles: Annotated[list[ThenObstacle], Field(min_length=1, max_length=END_PARTS)]
    repeat_until: Literal["severing_die_at_least_sorcery_threat_level"] | None = None


class SetupEntry(Entry):
    """A line of a mission's setup: for every difficulty ("base"), or only if it is difficult."""

    at: Literal["base", "difficult"]
    text: str
    ops: list[Op]


class ResultEntry(Entry):
    """A line of a mission's back: what happens when it is passed, or failed."""

    text: str
    ops: list[Op]


class MissionEntry(Entry):
    """A mission card: when it is unlocked, its goals at either difficulty, its obstacles, setup and results."""

    name: str
    unlock: Unlock
    goal_base: Annotated[list[Resource], Field(max_length=GOALS)]
    goal_difficult: Annotated[list[Resource], Field(max_length=GOALS)]
    special_goal: str = ""
    then: Then | None = None
    setup: list[SetupEntry] = []
    passed: list[ResultEntry] = Field(default=[], alias="pass")
    failed: list[ResultEntry] = Field(default=[], alias="fail")


class CampaignEffectEntry(Entry):
    """A campaign effect: a lasting gain that a mission brings."""

    name: str
    text: str
    ops: list[Op]


class SchemeEffect(Entry):
    """The effect of a scheme that a die of this value brings about."""

    value: Face
    name: str
    lasts: Literal["instant", "until_next_trigger"]
    text: str
    ops: list[Op]


class SchemeEntry(Entry):
    """A scheme of the Empire: its resource, and an effect for each value of a die."""

    name: str
    resource: Resource
    effect: list[SchemeEffect]


class EventEntry(Entry):
    """A seasonal event; `symbols`: how many of the three draw piles show the season when it happens."""

    name: str
    season: Season
    symbols: Annotated[int, Field(ge=0, le=N_REGIONS)]
    text: str
    ops: list[Op]


class PayEntry(Entry):
    """The cost of an ability: a die, an asset, stress, a die kept in a slot on the mat, or nothing."""

    kind: Literal["die", "asset", "stress", "slot", "none"]
    value: Face | None = None
    resource: Resource | None = None
    track: Track | None = None
    amount: Annotated[int, Field(ge=1, le=6)] = 1


class Ruling(Entry):
    """The reading of an ability in this edition where the published card contradicts the rulebook; used with the option `stash`."""

    pay: PayEntry
    text: str
    ops: list[Op]


class AbilityEntry(Entry):
    """An ability of a character; `achievement`: the number of the achievement that grants it, None for one known from the start."""

    achievement: Annotated[int, Field(ge=1, le=9)] | None = None
    pay: PayEntry
    text: str
    ops: list[Op]
    ruling: Ruling | None = None


class Skills(Entry):
    """The ranks that a character starts with, by skill."""

    command: Count = 0
    disguise: Count = 0
    lore: Count = 0
    rapport: Count = 0
    combat: Count = 0
    tactics: Count = 0
    thievery: Count = 0
    survival: Count = 0


class Base(Entry):
    """The starting values of a character's stress dice."""

    psyche: Face
    body: Face


class Deed(Entry):
    """The deed that unlocks a character's next achievement: overcoming an obstacle with one of these tags."""

    text: str
    tags: list[Tag]


class CharacterEntry(Entry):
    """A character sheet: skills, base values of stress, reserve action, deed and abilities."""

    name: str
    title: str
    unlocked_at_start: bool = False
    skills: Skills
    base: Base
    starting_reserve_action: str
    deed: Deed
    ability: Annotated[list[AbilityEntry], Field(max_length=ABILITIES)]


class ReserveEntry(Entry):
    """A reserve action; `unreachable_known_to`: the character who knows it from the start with the option `unreachable`."""

    name: str
    text: str
    ops: list[Op]
    unreachable_known_to: str | None = None

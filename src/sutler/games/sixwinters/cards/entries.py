"""The printed cards: the entries of `box.toml` for obstacles, locations, progress cards, missions, schemes and characters."""

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
    """A text of a card and what it does."""

    when: When
    text: str
    ops: list[Op]

    @model_validator(mode="after")
    def _holds_or_happens(self) -> EffectEntry:
        holding = [op.op for op in self.ops if OPERATIONS.rows[op.op].holds]
        if self.when in ("passive", "leave") and len(holding) < len(self.ops):
            raise ValueError(
                f"what holds while the card is in play is no {next(o.op for o in self.ops if o.op not in holding)}"
            )
        if self.when not in ("passive", "leave") and holding:
            raise ValueError(f"op {holding[0]} holds while a card is in play; it is no effect of the moment")
        return self


class ObstacleEntry(Entry):
    """An obstacle card; copies carry a number in their name and share their title."""

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
    def called(self) -> str:
        """The title, or the name where there is none."""
        return self.title or self.name


class Icon(Entry):
    """The icon in a location's corner."""

    kind: Literal["port", "magic_gate", "resource", "skill", "stress"]
    resource: Resource | None = None
    skill: Skill | None = None
    track: Track | None = None
    amount: Annotated[int, Field(ge=1, le=6)] = 1

    @model_validator(mode="after")
    def _complete(self) -> Icon:
        for kind, part in (("resource", self.resource), ("skill", self.skill), ("stress", self.track)):
            if (self.kind == kind) != (part is not None):
                raise ValueError(f"an icon of kind {kind} names what it is of, and no other does")
        return self


class MoveEntry(Entry):
    """The costs of going from a location to each region."""

    empire: Annotated[int, Field(ge=1, le=9)] | Literal["no_move"]
    brightdune: Annotated[int, Field(ge=1, le=9)] | Literal["no_move"]
    settled_lands: Annotated[int, Field(ge=1, le=9)] | Literal["no_move"]


class LocationEntry(Entry):
    """A location card."""

    name: str
    title: str = ""
    region: Region | Literal["none"]
    tags: list[LocationTag]
    move: MoveEntry
    icon: Icon | None = None
    effect: list[EffectEntry] = []

    @property
    def called(self) -> str:
        """The title, or the name where there is none."""
        return self.title or self.name


class CardEntry(Entry):
    """A progress card. `picture` shows its cells, as the head of box.toml explains."""

    name: str
    stage: Annotated[int, Field(ge=1, le=STAGES)] | None = None
    obstacle_slot: Slot | None = None
    reward: list[Resource | Literal["any"]] = []
    picture: Annotated[list[str], Field(min_length=1, max_length=SIDE)]
    mission: str | None = None
    after: Resource | None = None

    @model_validator(mode="after")
    def _staged_or_shared(self) -> CardEntry:
        if (self.stage is None) != (self.mission is not None) or (self.stage is None) != (self.after is not None):
            raise ValueError(
                "a card has a stage, or it is shared: then it names its mission and the track it comes after"
            )
        if (self.stage is None) != (self.obstacle_slot is None):
            raise ValueError("a card of a stage has an obstacle_slot, a shared one has none")
        return self


class Unlock(Entry):
    """When a mission becomes available: from a year on, or once a progress level is reached."""

    year: Annotated[int, Field(ge=1, le=YEARS)] | None = None
    resource: Resource | None = None
    level: Level | None = None

    @model_validator(mode="after")
    def _one(self) -> Unlock:
        if (self.year is None) == (self.resource is None) or (self.resource is None) != (self.level is None):
            raise ValueError("a year, or a resource and its level")
        return self


class ThenObstacle(Entry):
    """An obstacle that a mission asks to be overcome, and where it comes into play."""

    obstacle: str
    at: Slot


class Then(Entry):
    """The obstacle to be overcome when the progress is made."""

    after: Literal["goal_progress", "track_completed"]
    resource: Resource | None = None
    ordered: bool
    obstacles: Annotated[list[ThenObstacle], Field(min_length=1, max_length=END_PARTS)]
    repeat_until: Literal["severing_die_at_least_sorcery_threat_level"] | None = None


class SetupEntry(Entry):
    """A line of a mission's setup."""

    at: Literal["base", "difficult"]
    text: str
    ops: list[Op]


class ResultEntry(Entry):
    """A line of a mission's back."""

    text: str
    ops: list[Op]


class MissionEntry(Entry):
    """A mission card."""

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
    """A lasting gain from a mission."""

    name: str
    text: str
    ops: list[Op]


class SchemeEffect(Entry):
    """The effect of a die of this value."""

    value: Face
    name: str
    lasts: Literal["instant", "until_next_trigger"]
    text: str
    ops: list[Op]


class SchemeEntry(Entry):
    """A scheme of the Empire."""

    name: str
    resource: Resource
    effect: list[SchemeEffect]


class EventEntry(Entry):
    """A seasonal event: how many draw piles show the season."""

    name: str
    season: Season
    symbols: Annotated[int, Field(ge=0, le=N_REGIONS)]
    text: str
    ops: list[Op]


class PayEntry(Entry):
    """The cost of an ability."""

    kind: Literal["die", "asset", "stress", "slot", "none"]
    value: Face | None = None
    resource: Resource | None = None
    track: Track | None = None
    amount: Annotated[int, Field(ge=1, le=6)] = 1


class Ruling(Entry):
    """How an ability is read here, where the published card contradicts the rulebook."""

    pay: PayEntry
    text: str
    ops: list[Op]


class AbilityEntry(Entry):
    """An ability, or an achievement with its number."""

    achievement: Annotated[int, Field(ge=1, le=9)] | None = None
    pay: PayEntry
    text: str
    ops: list[Op]
    ruling: Ruling | None = None


class Skills(Entry):
    """Starting ranks."""

    command: Count = 0
    disguise: Count = 0
    lore: Count = 0
    rapport: Count = 0
    combat: Count = 0
    tactics: Count = 0
    thievery: Count = 0
    survival: Count = 0


class Base(Entry):
    """The boxes of the tracks on which the stress dice begin."""

    psyche: Face
    body: Face


class Deed(Entry):
    """The deed that unlocks the next achievement."""

    text: str
    tags: list[Tag]


class CharacterEntry(Entry):
    """A character."""

    name: str
    title: str
    unlocked_at_start: bool = False
    skills: Skills
    base: Base
    starting_reserve_action: str
    deed: Deed
    ability: Annotated[list[AbilityEntry], Field(max_length=ABILITIES)]


class ReserveEntry(Entry):
    """A reserve action. One that no card grants says who knows it from the start with the option `unreachable`."""

    name: str
    text: str
    ops: list[Op]
    unreachable_known_to: str | None = None

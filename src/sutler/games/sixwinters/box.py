"""The box of Six Winters: the entries of `box.toml` as they are checked, and the record they are packed into (`packing.py`)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sutler.core.actions import Names
from sutler.core.box import Entry, Info
from sutler.core.record import field, record, set_of
from sutler.games.sixwinters.printed import texts
from sutler.games.sixwinters.vocabulary import (
    CONDITIONS,
    LOCATION_TAGS,
    OPS,
    RESOURCES,
    SEASONS,
    SKILLS,
    TAGS,
    TRACKS,
    Face,
    LocationTag,
    Op,
    Region,
    Resource,
    Season,
    Skill,
    Slot,
    Small,
    Tag,
    Track,
)

SEATS, HEROES = 4, 4
RES, FACES, SLOTS, N_REGIONS, N_SKILLS, SEASONS_N, SPACES, TURNS = 6, 6, 9, 3, 8, 4, 12, 8
OBSTACLES, LOCATIONS, CARDS, MISSIONS, SCHEMES, EFFECTS, RESERVES, CHARACTERS = 126, 62, 80, 32, 6, 24, 16, 8
"""Room for cards: the printed box has fewer, a designer may add some."""
ABILITIES, GOALS, THEN, CELLS, YEARS, STAGES, STAGED = 10, 6, 4, 16, 6, 5, 4
N_OPS, OPTIONS_OF_OP = 640, 4
SIDE = 4  # of a progress card's grid
ANY = 6  # in place of a resource: any of them
ALL = 99  # in place of a count: all of them
FREELY = 98  # as many as the players like
SPY_LEVEL = 97  # as many as the Espionage threat level
CHOICE, SAME = 7, 8  # in place of a die's value: chosen by the players, or as the die that was paid
OWN_RANK = 15  # as a skill's limit: the rank of whoever teaches
ADDED_ASSET = 100  # as an amount of stress: the value of the asset just added
NO_MOVE = 0  # as a price: there is no way
NEVER = 99  # as a number of dice to come: there is no way to the end

# Effects of a card, by when they happen.
STANDING, ENTER, ACTIVATION, OVERCOME, ACTION, FREE, ENTER_PLAY = range(7)
MOMENTS = 7
BASE, DIFFICULT = range(2)
PAY_DIE, PAY_ASSET, PAY_STRESS, PAY_SLOT, PAY_NONE = range(5)
PAY_KINDS = ("die", "asset", "stress", "slot", "none")
ANY_VALUE, PLUS_ONE, MINUS_ONE, EQUAL = range(4)
NO_THEN, AFTER_GOAL, AFTER_TRACK = range(3)
TO_NOWHERE, TO_SLOT, TO_HIGHEST, TO_LOWEST, TO_MOST_ASSETS, TO_MOST_OBSTACLES, TO_CHOICE, TO_OTHER, TO_HERE = range(9)
SCOPE_HERE, SCOPE_REGION, SCOPE_ALL = range(3)
LOWEST, HIGHEST, EVERY = range(3)
TURN_END, SEASON_END, SESSION_END = range(3)
PASSES = 1  # the option `solo`: one character after the other

# --- The record ----------------------------------------------------------------

OP = record(
    "Op",
    ("op", "i1"),
    ("who", "i1"),
    ("psyche", "i2"),
    ("body", "i2"),
    ("track", "i1"),
    ("track_to", "i1"),
    ("box_no", "i1"),  # of a condition named outright; 0: the next unmarked one
    ("count_of", "i2"),
    ("by", "i2"),
    ("value", "i2"),  # a die's; CHOICE, SAME
    ("most", "i2"),
    ("resources", "u1"),  # as bits
    ("resource", "i1"),
    ("extra_pool", "i1"),
    ("tags", "u2"),
    ("places", "u1"),  # location tags
    ("regions", "u1"),
    ("region", "i1"),
    ("region_to", "i1"),
    ("region_from", "i1"),
    ("slots", "u2"),  # where it may go, as bits
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
    ("faces", "i1", FACES),  # what a die is turned into; 0: none
    ("pools", "u1"),
    ("schemes", "u1"),
    ("character", "i1"),
    ("number", "i1"),  # of the reserve action or the campaign effect
    ("deck", "i1"),
    ("look", "i1"),
    ("gain", "i1"),
    ("gains", "i1"),
    ("stress_mask", "u1"),
    ("first", "i2", OPTIONS_OF_OP),
    ("n", "i1", OPTIONS_OF_OP),
    ("n_options", "i1"),
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
    ("mission", "i1"),  # of a shared card
    ("after", "i1"),  # the track that must be completed before it comes
    field("cells", CELL, CELLS),
    (
        "need",
        "i1",
        (CELLS, FACES),
    ),  # with a die of a value on a cell: how many dice more complete it; NEVER: it cannot be
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
    ("then_group", "i1", THEN),
    ("then_slot", "i1", THEN),
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
    ("start", "i1", 2),  # of the stress dice
    ("reserve", "i1"),
    ("also_knows", "u2"),  # reserve actions that no card grants, as bits
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

OPTIONS = record(
    "Options",
    ("solo", "i1"),
    ("difficulty", "i1"),
    ("start_year", "i1"),
    ("sessions", "i1"),
    ("overflow", "i1"),
    ("deeds", "i1"),
    ("skill_icon", "i1"),
    ("serve_both", "i1"),
    ("critical", "i1"),
    ("score_tracks", "i1"),
    ("unreachable", "i1"),
    ("start_threats", "i1"),
    ("tracks", "i1"),
    ("stash", "i1"),
)

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

# --- The entries of box.toml ---------------------------------------------------------

Count = Annotated[int, Field(ge=0, le=99)]
Level = Annotated[int, Field(ge=1, le=6)]
When = Literal["passive", "enter", "leave", "activation", "overcome", "action", "free", "enter_play"]


class TrackEntry(Entry):
    """A resource's track: the level printed on each space, and where the markers begin (spaces from 1)."""

    resource: Resource
    numbers: Annotated[list[Level], Field(min_length=SPACES, max_length=SPACES)]
    published_v20: Annotated[list[Level], Field(min_length=SPACES, max_length=SPACES)]
    start_progress: Annotated[int, Field(ge=1, le=SPACES)] = 1
    start_threat: Annotated[int, Field(ge=1, le=SPACES)] = 1
    threats: bool = True


class SlotEntry(Entry):
    """A slot of a region board."""

    resource: Resource
    season: Season
    starting_location: str


class RegionEntry(Entry):
    """A region board: three slots from the top."""

    region: Region
    title: str
    slots: Annotated[list[SlotEntry], Field(min_length=3, max_length=3)]


class TurnEntry(Entry):
    """A space of the wheel of seasons."""

    season: Season
    bonus: bool


class EffectEntry(Entry):
    """A text of a card and what it does."""

    when: When
    text: str
    ops: list[Op]

    @model_validator(mode="after")
    def _holds_or_happens(self) -> EffectEntry:
        holding = [op.op for op in self.ops if OPS[op.op].holds]
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
    """What it costs to go from a location to each region."""

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


class StageEntry(Entry):
    """How many obstacles a stage's backs bring in a turn."""

    stage: Annotated[int, Field(ge=1, le=STAGES)]
    new_obstacles: Annotated[int, Field(ge=0, le=STAGED)]


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
    """What is to be overcome when the progress is made."""

    after: Literal["goal_progress", "track_completed"]
    resource: Resource | None = None
    ordered: bool
    obstacles: Annotated[list[ThenObstacle], Field(min_length=1, max_length=THEN)]
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
    """What a die of this value does."""

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
    """What an ability costs."""

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
    """Where the stress dice begin."""

    psyche: Face
    body: Face


class Deed(Entry):
    """What unlocks the next achievement."""

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


class Clear(Entry):
    """What it costs to clear a condition."""

    distracted: Count = 1
    weary: Count = 1
    angry: Count = 3
    bruised: Count = 3
    shaken: Count = 6
    wounded: Count = 6

    @model_validator(mode="after")
    def _alike(self) -> Clear:
        if (self.distracted, self.angry, self.shaken) != (self.weary, self.bruised, self.wounded):
            raise ValueError("a condition of the body costs what the one of the psyche beside it costs")
        return self


class Parameters(Entry):
    """Numbers of the rulebook."""

    dice_each: Annotated[int, Field(ge=1, le=40)] = 12
    action_dice: Annotated[list[Small], Field(min_length=SEATS, max_length=SEATS)] = [5, 5, 5, 4]
    shared_action_dice: Annotated[int, Field(ge=1, le=20)] = 7
    difficulty_bonus: Annotated[list[Small], Field(min_length=SEATS, max_length=SEATS)] = [0, 0, 5, 5]
    saved_action_dice_max: Annotated[int, Field(ge=0, le=2)] = 2
    threat_tags_free: Count = 2
    port_cost: Annotated[int, Field(ge=1, le=6)] = 1
    gate_stress: Annotated[int, Field(ge=1, le=6)] = 1
    experience_active: Count = 25
    experience_reserve: Count = 20
    new_skill: Count = 10
    skill_rank_factor: Count = 3
    achievement: Count = 10
    clear_condition: Clear = Clear()
    max_skill_rank: Annotated[int, Field(ge=1, le=9)] = 5
    burn_per_year: Count = 2
    progress_cost: Small = 0
    """Assets that completing a card costs on top, from the character's place: for playtests, the printed game has none."""


class Scoring(Entry):
    """What the campaign is worth in the end."""

    mission_passed_base: Count = 1
    mission_passed_difficult: Count = 3
    mission_failed_base: Count = 0
    mission_failed_difficult: Count = 2
    shared_card_completed: Count = 5
    first_track_above: Count = 5
    second_track_above: Count = 3


class TitleEntry(Entry):
    """A title from so many points on."""

    least: Count
    title: str


class Sheet(Entry):
    """`box.toml`, checked."""

    game: Info
    options: dict[str, Any]
    rules: Parameters = Parameters()
    scoring: Scoring = Scoring()
    titles: list[TitleEntry]
    track: Annotated[list[TrackEntry], Field(min_length=RES, max_length=RES)]
    region: Annotated[list[RegionEntry], Field(min_length=N_REGIONS, max_length=N_REGIONS)]
    turn: Annotated[list[TurnEntry], Field(min_length=TURNS, max_length=TURNS)]
    wheel: Annotated[list[Resource], Field(min_length=2, max_length=RES)]
    stage: Annotated[list[StageEntry], Field(min_length=STAGES, max_length=STAGES)]
    obstacle: Annotated[list[ObstacleEntry], Field(max_length=OBSTACLES)]
    location: Annotated[list[LocationEntry], Field(max_length=LOCATIONS)]
    card: Annotated[list[CardEntry], Field(max_length=CARDS)]
    mission: Annotated[list[MissionEntry], Field(max_length=MISSIONS)]
    campaign_effect: Annotated[list[CampaignEffectEntry], Field(max_length=EFFECTS)]
    scheme: Annotated[list[SchemeEntry], Field(max_length=SCHEMES)]
    event: list[EventEntry]
    character: Annotated[list[CharacterEntry], Field(max_length=CHARACTERS)]
    reserve_action: Annotated[list[ReserveEntry], Field(max_length=RESERVES)]

    def unfit(self, box: Any, seats: int) -> str:
        """Why these options do not suit so many seats, or nothing."""
        if box.options.solo == PASSES and seats > 1:
            return f"option solo: one after the other is for one seat, not for {seats} (12.1)"
        return ""

    def names(self) -> Names:
        """What everything is called."""
        places = [f"{region.title} {slot.resource}" for region in self.region for slot in region.slots]
        dice = [f"{value}" for value in range(1, FACES + 1)]
        assets = [f"{name.capitalize()} {value}" for name in RESOURCES for value in range(1, FACES + 1)]
        pools = [f"pool {one}" for one in assets]
        return {
            "resource": [name.capitalize() for name in RESOURCES],
            "into": [name.capitalize() for name in RESOURCES],
            "track": TRACKS,
            "skill": [name.capitalize() for name in SKILLS],
            "season": SEASONS,
            "region": [region.title for region in self.region],
            "condition": CONDITIONS,
            "tag": TAGS,
            "location_tag": LOCATION_TAGS,
            "slot": places,
            "obstacle": [one.name for one in self.obstacle],
            "location": [one.name for one in self.location],
            "card": [one.name for one in self.card],
            "mission": [one.name for one in self.mission],
            "effect": [one.name for one in self.campaign_effect],
            "scheme": [one.name for one in self.scheme],
            "character": [one.name for one in self.character],
            "reserve": [one.name for one in self.reserve_action],
            "value": dice,
            "other": dice,
            "asset": assets,
            "spend": [f"action {v}" for v in dice] + pools,
            "own": [f"action {v}" for v in dice] + assets,
            "source": [f"action {v}" for v in dice] + assets + pools,
            "seat": [f"seat {i}" for i in range(SEATS)],
            "hero": ["first", "second", "third", "fourth"],
            "difficulty": ("easy", "first", "second", "both"),
            "pool": ("action dice", "assets"),
            "ability": [f"{i + 1}" for i in range(ABILITIES)],
            "op": list(OPS),
            "event": self.events(),
            **texts(self),
            "when": WHENS,
        }

    def events(self) -> list[str]:
        """The seasonal events by season and by the number of piles that show it."""
        found = {(SEASONS.index(one.season), one.symbols): one.name for one in self.event}
        return [found.get((s, n), "") for s in range(len(SEASONS)) for n in range(N_REGIONS + 1)]


WHENS = ("passive", "enter", "leave", "activation", "overcome", "action", "free", "enter_play")

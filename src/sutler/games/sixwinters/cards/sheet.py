"""The model of `box.toml`, checked: the board, the rulebook's numbers, every card (`entries.py`), and the names of all things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Annotated, Any, ClassVar, Self, overload

from pydantic import Field, model_validator

from sutler.core.actions import Names
from sutler.core.files.box import Blanking, BoxError, Entry, Info
from sutler.games.sixwinters.box import (
    ABILITIES,
    CARD_PLACE_NAMES,
    CARDS,
    CELLS,
    CHARACTERS,
    EFFECTS,
    FACES,
    FRAME_KIND_NAMES,
    GOAL_STATE_NAMES,
    LOCATIONS,
    MISSION_STATE_NAMES,
    MISSIONS,
    N_REGIONS,
    OBSTACLES,
    OPTIONS_OF_OP,
    OUTCOME_NAMES,
    OVERCOMING_STAGE_NAMES,
    PART_NAMES,
    PASSES,
    PERSON_STATE_NAMES,
    RES,
    RESERVES,
    SCHEMES,
    SEATS,
    SIDE,
    SPACES,
    STAGED_OBSTACLES,
    STAGES,
    TURNS,
)
from sutler.games.sixwinters.cards.box_checks import SOUND
from sutler.games.sixwinters.cards.card_texts import build_card_texts
from sutler.games.sixwinters.cards.entries import (
    CampaignEffectEntry,
    CardEntry,
    CharacterEntry,
    Count,
    EventEntry,
    Level,
    LocationEntry,
    MissionEntry,
    ObstacleEntry,
    ReserveEntry,
    SchemeEntry,
)
from sutler.games.sixwinters.cards.operation_row_names import list_row_names
from sutler.games.sixwinters.cards.vocabulary import (
    CONDITIONS,
    DO,
    LOCATION_TAGS,
    RESOURCES,
    SEASONS,
    SKILLS,
    TAGS,
    TRACKS,
    Region,
    Resource,
    Season,
    Small,
)


class TrackEntry(Entry):
    """The track of a resource: the level printed on each space, and the spaces (from 1) where the markers begin."""

    resource: Resource
    numbers: Annotated[list[Level], Field(min_length=SPACES, max_length=SPACES)]
    published_v20: Annotated[list[Level], Field(min_length=SPACES, max_length=SPACES)]
    start_progress: Annotated[int, Field(ge=1, le=SPACES)] = 1
    start_threat: Annotated[int, Field(ge=1, le=SPACES)] = 1
    threats: bool = True


class SlotEntry(Entry):
    """A slot of a region board: its resource, the season that wakes it, the location that lies there first."""

    resource: Resource
    season: Season
    starting_location: str


class RegionEntry(Entry):
    """A region board with its three slots, from the top."""

    region: Region
    title: str
    slots: Annotated[list[SlotEntry], Field(min_length=3, max_length=3)]


class TurnEntry(Entry):
    """A space of the wheel of seasons: a turn of the year."""

    season: Season
    bonus: bool


class StageEntry(Entry):
    """A stage of the progress cards, and how many obstacles their backs bring into play in a turn."""

    stage: Annotated[int, Field(ge=1, le=STAGES)]
    new_obstacles: Annotated[int, Field(ge=0, le=STAGED_OBSTACLES)]


class Clear(Entry):
    """The experience that it costs to clear each condition."""

    distracted: Count = 1
    weary: Count = 1
    angry: Count = 3
    bruised: Count = 3
    shaken: Count = 6
    wounded: Count = 6

    @model_validator(mode="after")
    def _require_equal_costs(self) -> Clear:
        """Raise ValueError unless the conditions of body and psyche on the same box cost the same."""
        if (self.distracted, self.angry, self.shaken) != (self.weary, self.bruised, self.wounded):
            raise ValueError("a condition of the body costs what the one of the psyche beside it costs")
        return self


class Parameters(Entry):
    """The numbers of the rulebook that a designer may change."""

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
    """Assets at the character's place that completing a card costs besides its dice; for playtests, the printed game has none."""


class Scoring(Entry):
    """The points at the end of the campaign."""

    mission_passed_base: Count = 1
    mission_passed_difficult: Count = 3
    mission_failed_base: Count = 0
    mission_failed_difficult: Count = 2
    shared_card_completed: Count = 5
    first_track_above: Count = 5
    second_track_above: Count = 3


class TitleEntry(Entry):
    """A title that the team earns from `least` points on."""

    least: Count
    title: str


NUMERALS = ("first", "second", "third", "fourth", "fifth", "sixth")
STATE_WORDS: dict[str, Sequence[str]] = {
    "part": PART_NAMES,
    "card_place": CARD_PLACE_NAMES,
    "outcome": OUTCOME_NAMES,
    "mission_state": MISSION_STATE_NAMES,
    "person_state": PERSON_STATE_NAMES,
    "goal_state": GOAL_STATE_NAMES,
    "overcoming_stage": OVERCOMING_STAGE_NAMES,
    "frame_kind": FRAME_KIND_NAMES,
}
"""Words for what the numbers of the state mean, by kind: only files use them."""


class Throws(Sequence[str]):
    """The names of all multisets of dice, made when they are read: "2, 4, 4" for a number whose four-bit groups count each value.

    The log notes rolls as such numbers (`noted` in rules/common.py). There are too many to list, so iterating over this sequence yields
    nothing.
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Throws)

    def __hash__(self) -> int:
        return hash(Throws)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 1 << (4 * FACES)

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        return ", ".join(str(v + 1) for v in range(FACES) for _ in range(at >> (4 * v) & 15))


class Sheet(Blanking):
    """The checked `box.toml`."""

    BLANKS: ClassVar = ("obstacle", "location", "card", "mission", "effect", "scheme", "character", "reserve")
    SOUND: ClassVar = SOUND

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

    def blanked(self, kind: str, i: int) -> Self | None:
        """A copy of the box in which card number `i` of a kind does nothing; BoxError for a mission that only wins the campaign."""
        if kind == "mission":
            mission = self.mission[i]
            if any(op.op == "campaign_won" for line in mission.passed for op in line.ops):
                raise BoxError(f"{mission.name}: it wins the campaign; without that it is no game")
        return super().blanked(kind, i)

    def stands_at(self, state: Any, kind: str, i: int) -> tuple[str, int]:
        """The thing behind an action's spot, as (kind, number): the location in a slot, the progress card in the staged row."""
        if kind == "slot":
            return "location", int(state.location_at[i])
        return ("card", int(state.staged[i])) if kind == "staged" else (kind, i)

    def unfit(self, box: Any, seats: int) -> str:
        """The reason, as a sentence, why these options do not suit this number of seats; "" if they do."""
        if box.options.solo == PASSES and seats > 1:
            return f"option solo: one after the other is for one seat, not for {seats} (12.1)"
        return ""

    def names(self) -> Names:
        """The names of all things of the box, as a list for each kind, indexed by their numbers."""
        places = [f"{region.title} {slot.resource}" for region in self.region for slot in region.slots]
        dice = [f"{value}" for value in range(1, FACES + 1)]
        assets = [f"{name.capitalize()} {value}" for name in RESOURCES for value in range(1, FACES + 1)]
        pools = [f"pool {one}" for one in assets]
        piles = [f"{pile} of {region.title}" for pile in ("draw pile", "discards") for region in self.region]
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
            "obstacle_place": [*places, *piles, "reserve", "burned"],
            **STATE_WORDS,
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
            "asset:die": [one.lower().replace(" ", ":") for one in assets],
            "spend": [f"action {v}" for v in dice] + pools,
            "own": [f"action {v}" for v in dice] + assets,
            "source": [f"action {v}" for v in dice] + assets + pools,
            "die_on_ability": ["none", *(f"action {v}" for v in dice), *assets, *pools],
            "die_in_slot": ["none", *assets],
            "seat": [f"seat {i}" for i in range(SEATS)],
            "hero": NUMERALS[:4],
            "pair": NUMERALS[:2],
            "option": NUMERALS[:OPTIONS_OF_OP],
            "staged": ("top", "second", "third", "bottom"),
            "order": [" ".join(one) for one in permutations("1234")],
            "cell": [f"{cell // SIDE + 1}.{cell % SIDE + 1}" for cell in range(CELLS)],
            "square": [f"row {cell // SIDE + 1}, column {cell % SIDE + 1}" for cell in range(CELLS)],
            "dice": Throws(),
            "difficulty": ("easy", "first", "second", "both"),
            "pool": ("action dice", "assets"),
            "ability": [f"{i + 1}" for i in range(ABILITIES)],
            "op": list(DO),
            "operation": list_row_names(self),
            "event": self.list_event_names(),
            **build_card_texts(self),
            "when": WHENS,
        }

    def list_event_names(self) -> list[str]:
        """The names of the seasonal events, by season and by the number of piles that show it; "" where the box has none."""
        found = {(SEASONS.index(one.season), one.symbols): one.name for one in self.event}
        return [found.get((s, n), "") for s in range(len(SEASONS)) for n in range(N_REGIONS + 1)]


WHENS = ("passive", "enter", "leave", "activation", "overcome", "action", "free", "enter_play")

"""Scenario files: any position of a game, written in TOML by the names of its things and laid over a game just set up.

game = "manor"
seats = 2
[state]
phase = "work"
lies = { "Fertile Fields" = "Wheat" }
[[state.seats]]
hand = ["Apples", "Corn"]
tokens = { crops = 3 }

A thing that the file names is taken away from where the setup had put it; fields that the file leaves out stay as set up. The game's
`complete` then puts the other things where they belong, and its `check` refuses what cannot be. A file that gives every field of the
state lays out exactly that position, even in the middle of a move (`core.files.scenario_writer` writes such files). Without a `phase`
the game begins from the position as it would from its setup. With `until = { year = 4 }` the game is played on until those fields of
the state have reached these values, differently for each seed: at random, or by bots of the level `by`. This layer knows no bots, so
the caller passes `bots`, a function that finds one by its level (`sutler.bots.bot`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from sutler.core.actions import Action, Names
from sutler.core.bits import add, clear, members, remove
from sutler.core.chance import below, new_luck
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.core.files.box import BoxError, Entry, read_toml, validate_sheet
from sutler.core.names import did_you_mean
from sutler.core.play.position import Position
from sutler.core.record import NOBODY, Field, Record

if TYPE_CHECKING:
    from sutler.core.play.game import Game
    from sutler.core.play.seat import SeatView

    Player = Callable[[SeatView], Action]
    """The decision function that plays for every seat until somebody sits down."""

    class Bot(Protocol):
        """The part of a bot that a scenario uses."""

        def choose(self, view: SeatView) -> Action:
            """Return one of the view's legal actions."""
            ...

    Bots = Callable[[str], Bot]
    """A function that finds a bot by the name of its level."""

MAX_DEALS, MAX_DEAL_DECISIONS = 50, 20_000  # tries of random play for `until`, and decisions in each
MAX_BOT_DEALS = 10  # tries of bots, which come further in each and take longer
DEAL_STREAM = 2_000  # the first generator of random play; those of games and seats have lower numbers
FIELDS_NOT_FROM_FILES = {
    "rng": "the dice come from the seed, not from the file",
    "n_seats": "write `seats` at the head of the file instead",
}


class Scenario(Entry):
    """The content of a scenario file. `title` and `text` are for people; `options` are those of the game that the position is of."""

    game: str
    title: str = ""
    text: str = ""
    seats: int
    options: dict[str, Any] = {}
    until: dict[str, int] = {}
    by: Literal["chance", "easy", "normal"] = "chance"
    state: dict[str, Any] = {}


def read_game_scenarios(game: Game) -> dict[str, Scenario]:
    """{name: scenario} of the positions that come with a game, in its folder `scenarios`."""
    folder = game.folder / "scenarios"
    return {path.stem: _read_scenario(path) for path in sorted(folder.glob("*.toml"))}


def load_position(
    game: Game, path: Path, seats: int | None, seed: int, names: Sequence[str], bots: Bots | None = None
) -> Position:
    """The position in a scenario file, or in the one of that name that comes with the game; BoxError names file, entry and field.

    `seats`: the number of seats that is expected, None if any will do. `names`: of the players.
    """
    bundled = game.folder / "scenarios" / f"{path.name}.toml"
    if not path.exists() and bundled.exists():
        path = bundled
    file = _read_scenario(path)
    if file.game != game.name:
        raise BoxError(f"{path}: field game: this is a position of {file.game!r}, not of {game.name!r}")
    if seats is not None and seats != file.seats:
        raise BoxError(f"{path}: field seats: the position is for {file.seats} seats, not {seats}")
    return build_scenario_position(game, file, seed, names, str(path), make_scenario_player(file, bots, str(path)))


def make_scenario_player(file: Scenario, bots: Bots | None, source: str) -> Player | None:
    """The decision function that plays on from a scenario; None for random play, or if nothing is to be played on.

    `bots` finds a bot by its level; BoxError where the file asks for bots and `bots` is None.
    """
    if not file.until or file.by == "chance":
        return None
    if bots is None:
        raise BoxError(f"{source}: field by: a {file.by} bot plays on, and none is handed in; say bots=sutler.bot")
    return bots(file.by).choose


def _read_scenario(path: Path) -> Scenario:
    """The scenario in a file; BoxError names the file and the field."""
    return validate_sheet(Scenario, read_toml(path), str(path))


def build_scenario_position(
    game: Game,
    file: Scenario,
    seed: int = 0,
    names: Sequence[str] = (),
    source: str = "position",
    player: Player | None = None,
) -> Position:
    """The position that a scenario describes. Options that the game was loaded with win over the scenario's.

    `player`, from `make_scenario_player`, plays on as far as the scenario's `until` says (None: random play). `source`: for messages.
    """
    if file.options:
        try:
            game = game.with_options(file.options)
        except BoxError as error:
            raise BoxError(f"{source}: [options]: {error}") from None
    try:
        state = game.blank(file.seats, seed)
    except ValueError as error:
        raise BoxError(f"{source}: field seats: {error}") from None
    buffer = new_event_buffer()
    with run_rules_plainly():
        _set_up_state(game, state, buffer, file, source)
    pos = Position(game, state, seed, names)
    pos.settle()
    pos.opening = (*drain_events(game.definition.events, buffer), *pos.opening)
    return _play_deals_until(pos, file.until, source, player) if file.until else pos


def _set_up_state(game: Game, state: Any, buffer: Any, file: Scenario, source: str) -> None:
    """Set up the state as the file describes it, recount and check it; where the file names no phase, start the game's first one."""
    d = game.definition
    d.setup(game.box, state)
    setter = _Setter(game.names, file.seats, source)
    setter.write_table(d.state, state, file.state, "")
    for of, numbers in setter.named.items():
        _remove_placed_things(d.state, state, of, numbers, setter.written)
    if d.complete is not None and not setter.writes_every_field(d.state):
        try:
            d.complete(game.box, state, setter.written.keys())
        except BoxError as error:
            raise BoxError(f"{source}: [state] {error}") from None
    d.recount(game.box, state)
    if fault := int(d.check(game.box, state)):
        raise BoxError("; ".join([f"{source}: [state]: {d.FAULTS[fault]}", *setter.twice]))
    if "phase" not in setter.written:
        d.start(game.box, state, buffer)


def _play_deals_until(pos: Position, until: Mapping[str, int], source: str, player: Player | None) -> Position:
    """The position that random play, or a player, reaches when the fields in `until` have their values.

    If a game ends before, another is tried; BoxError after MAX_DEALS (with a player MAX_BOT_DEALS) tries.
    """
    d = pos.game.definition
    for name, least in until.items():
        if name not in {one.name for one in d.state.fields if not one.shape and not isinstance(one.type, Record)}:
            raise BoxError(f"{source}: field until: the state has no number called {name!r}")
        if least < int(getattr(pos.state, name)):
            raise BoxError(f"{source}: field until: {name} is beyond {least} already")
    for deal in range(MAX_DEALS if player is None else MAX_BOT_DEALS):
        here = pos.copy()
        if player is None:
            _play_until(here, until, _make_random_chooser(new_luck(pos.seed, DEAL_STREAM + deal)))
        else:
            if deal > 0:  # a bot does the same with the same deal
                here.reseed_after_undo(deal)
            _play_until(here, until, _make_player_chooser(player, pos.seed, deal))
        if not here.over and _has_reached(here, until):
            dealt = Position(pos.game, here.state, pos.seed, pos.names)
            dealt.settle()
            return dealt
    raise BoxError(f"{source}: field until: no game of seed {pos.seed} comes so far")


def _has_reached(pos: Position, until: Mapping[str, int]) -> bool:
    """Have all fields in `until` reached their values?"""
    return all(int(getattr(pos.state, name)) >= least for name, least in until.items())


def _play_until(pos: Position, until: Mapping[str, int], choose: Callable[[Position], int]) -> None:
    """Play until the fields in `until` have their values, the game is over, or it has had MAX_DEAL_DECISIONS decisions."""
    while not pos.over and not _has_reached(pos, until) and len(pos.decisions) < MAX_DEAL_DECISIONS:
        pos.play(choose(pos))


def _make_random_chooser(luck: Any) -> Callable[[Position], int]:
    """A function that chooses a legal action at random. `luck`: the source of random numbers."""

    def choose(pos: Position) -> int:
        legal = pos.legal_ids()
        return legal[int(below(luck, len(legal)))]

    return choose


def _make_player_chooser(player: Player, seed: int, deal: int) -> Callable[[Position], int]:
    """A function that chooses an action's id by showing `player` only what the seat to act may know. `deal`: the number of the try."""

    def choose(pos: Position) -> int:
        assert pos.seat is not None
        return player(pos.for_seat(pos.seat, MAX_DEALS * seed + deal)).id

    return choose


def _remove_placed_things(layout: Record, state: Any, of: str, numbers: set[int], written: Collection[str]) -> None:
    """Remove the things `numbers` (of kind `of`), which the file has placed, from all sets of the state that the file does not write."""
    for path, one, words in layout.iter_values(state):
        if one.is_set and one.of == of and path not in written:
            for number in numbers:
                remove(words, number)


@dataclass
class _Place:
    """A place in a state that a value can be written to: a field of a record, or an element of an array."""

    holder: Any
    key: Any  # a field's name or an index

    def write_value(self, value: Any) -> None:
        """Write a value to this place."""
        if isinstance(self.key, str):
            setattr(self.holder, self.key, value)
        else:
            self.holder[self.key] = value

    def read_value(self) -> Any:
        """The value at this place, or the array or record there."""
        return getattr(self.holder, self.key) if isinstance(self.key, str) else self.holder[self.key]


def add_seat_names(names: Names, seats: int) -> dict[str, Sequence[str]]:
    """A game's lists of names, with a list "seat" of one name for each seat at the table: Seat 1, Seat 2 … where the game has none."""
    called = names.get("seat") or [f"Seat {i + 1}" for i in range(seats)]
    return {**names, "seat": list(called)[:seats]}


class _Setter:
    """Writes a file's values into a state and remembers which fields were written and which things were named."""

    def __init__(self, names: Names, seats: int, source: str) -> None:
        self.names = add_seat_names(names, seats)
        self.seats, self.source = seats, source
        self.written: dict[str, None] = {}  # the paths, in the order of the file
        self.named: dict[str, set[int]] = {}
        self.sets: dict[tuple[str, int], str] = {}
        self.twice: list[str] = []

    def writes_every_field(self, layout: Record, path: str = "") -> bool:
        """Does the file write every field of the layout? Fields that rules derive, and those that no file may hold, do not count."""
        for one in layout.fields:
            if one.seen_by == "derived" or (not path and one.name in FIELDS_NOT_FROM_FILES):
                continue
            for here in self._list_paths(one, f"{path}.{one.name}" if path else one.name):
                inside = isinstance(one.type, Record) and not self.writes_every_field(one.type, here)
                if here not in self.written or inside:
                    return False
        return True

    def _list_paths(self, one: Field, path: str) -> list[str]:
        """The paths of all values of a field, such as "lies[3]": one for each index of an array, but only for seats at the table."""
        places = [path]
        for k, size in enumerate(one.shape[:-1] if one.is_set else one.shape):
            named = self.names.get(one.by or "", ()) if k == 0 else ()
            n = min(size, len(named)) if named else size
            places = [f"{here}[{i}]" for here in places for i in range(n)]
        return places

    def make_error(self, path: str, why: str) -> BoxError:
        """The BoxError for a fault at a path of the file, for the caller to raise."""
        return BoxError(f"{self.source}: [state] {path}: {why}")

    def write_table(self, layout: Record, record: Any, values: Any, path: str) -> None:
        """Write a table of the file into a record of this layout. `path`: where the table stands, for messages."""
        if not isinstance(values, Mapping):
            raise self.make_error(path, f"a table with the fields of {layout.name} is expected, not {values!r}")
        by_name = {one.name: one for one in layout.fields}
        for key, value in values.items():
            here = f"{path}.{key}" if path else key
            if key not in by_name:
                raise self.make_error(here, f"{layout.name} has no such field{did_you_mean(key, by_name)}")
            if not path and key in FIELDS_NOT_FROM_FILES:
                raise self.make_error(here, FIELDS_NOT_FROM_FILES[key])
            one = by_name[key]
            shape = one.shape[:-1] if one.is_set else one.shape
            self.write_field(one, shape, one.by, _Place(record, key), value, here)

    def write_field(
        self, one: Field, shape: tuple[int, ...], by: str | None, spot: _Place, value: Any, path: str, first: int = 0
    ) -> None:
        """Write a value of the file into a field, index by index.

        `shape`, `by`: the dimensions that are left, and the kind of thing that the first one counts. `first`: the index of the name that
        belongs to the lowest bit, for a field whose bits are things.
        """
        self.written[path] = None
        if shape:
            for i, element in self.list_entries(shape[0], by, value, path):
                self.write_field(
                    one, shape[1:], None, _Place(spot.read_value(), i), element, f"{path}[{i}]", i * one.each
                )
        elif isinstance(one.type, Record):
            self.write_table(one.type, spot.read_value(), value, path)
        elif one.is_set:
            self.write_set(one, spot.read_value(), value, path)
        else:
            number = (
                self.parse_bits(one, value, path, first)
                if isinstance(value, list)
                else self.parse_number(one.named, value, path)
            )
            low, high = (int(x) for x in (np.iinfo(one.type).min, np.iinfo(one.type).max))
            if not low <= number <= high:
                raise self.make_error(path, f"{number} is outside {low} to {high}")
            spot.write_value(number)
            if one.of and number != NOBODY:
                self.named.setdefault(one.of, set()).add(number)

    def list_entries(self, size: int, by: str | None, value: Any, path: str) -> list[tuple[int, Any]]:
        """The (index, value) pairs that a list, or a table by names of kind `by`, gives for an array of `size` elements."""
        if isinstance(value, Mapping) and by is not None:
            return [(self.parse_index(by, key, size, path), element) for key, element in value.items()]
        if not isinstance(value, list):
            wanted = f"a list, or a table by {by}," if by else "a list"
            raise self.make_error(path, f"{wanted} is expected, not {value!r}")
        fits = min(size, self.seats) if by == "seat" else size
        if len(value) > fits:
            raise self.make_error(path, f"{len(value)} entries, {fits} fit")
        return list(enumerate(value))

    def write_set(self, one: Field, words: Any, value: Any, path: str) -> None:
        """Write a list of names into a set."""
        if not isinstance(value, list):
            raise self.make_error(path, f"a list is expected, not {value!r}")
        clear(words)
        for element in value:
            number = self.parse_index(str(one.of), element, len(words) * 64, path)
            if number in members(words):
                raise self.make_error(path, f"{element!r} is named twice")
            add(words, number)
            if first := self.sets.setdefault((str(one.of), number), path):
                if first != path:
                    self.twice.append(f"{element!r} stands in {first} and in {path}")
            self.named.setdefault(str(one.of), set()).add(number)

    def parse_bits(self, one: Field, value: list[Any], path: str, first: int) -> int:
        """The bit set, as an int, of the things in a list of names. `first`: the index of the name for the lowest bit."""
        if one.bits is None:
            raise self.make_error(path, f"a whole number is expected, not {value!r}")
        size = 8 * int(np.dtype(one.type).itemsize) if isinstance(one.type, str) else None
        numbers = [self.parse_index(one.bits, element, None if one.each else size, path) - first for element in value]
        for element, number in zip(value, numbers, strict=True):
            if one.each and not 0 <= number < one.each:
                raise self.make_error(path, f"{element!r} belongs elsewhere in the list")
        return sum({1 << number for number in numbers})

    def parse_number(self, of: str | None, value: Any, path: str) -> int:
        """The number that stands for a value of the file: a number, true or false, or a name of kind `of` (None: no names)."""
        if isinstance(value, bool):
            return int(value)
        if of is not None and value != NOBODY:
            return self.parse_index(of, value, None, path)
        if not isinstance(value, int):
            raise self.make_error(path, f"a whole number is expected, not {value!r}")
        return value

    def parse_index(self, of: str, value: Any, size: int | None, path: str) -> int:
        """The index of a thing of kind `of`, given by its name or its index; below `size`, if that is known. Raises BoxError otherwise."""
        listed, kind = self.names.get(of), of.replace("_", " ")
        n = size if listed is None else len(listed) if size is None else min(size, len(listed))
        if isinstance(value, int) and not isinstance(value, bool):
            if value < 0 or (n is not None and value >= n):
                raise self.make_error(path, f"there is no {kind} number {value}")
            return value
        if not isinstance(value, str) or listed is None:
            raise self.make_error(path, f"the name of a {kind} is expected, not {value!r}")
        wanted = " ".join(value.split()).casefold()
        for i, name in enumerate(listed[:n]):
            if name.casefold() == wanted:
                return i
        raise self.make_error(path, f"there is no {kind} {value!r}{did_you_mean(value, listed[:n])}")

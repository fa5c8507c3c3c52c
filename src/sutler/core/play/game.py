"""A `Game` is rules, a box and options: everything needed to play.

game = load("manor", victory=20)
pos = game.new(seats=3, seed=7)
pos.play("place Wheat")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from sutler.core.actions import Action, IllegalAction, Names, to_action_id
from sutler.core.bits import members
from sutler.core.chance import GAME_STREAM, below, new_luck, seed_luck
from sutler.core.definition import Definition
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.core.files.box import (
    BoxError,
    Info,
    Option,
    apply_edit,
    hash_data,
    read_options,
    read_toml,
    validate_sheet,
    with_setting,
)
from sutler.core.files.constraints import Origins, find_broken_constraints
from sutler.core.files.scenario import Scenario, read_scenario, set_up_state
from sutler.core.learners.observation import Observed, add_sizes, count_things
from sutler.core.play.position import Position, SeatView, Stuck
from sutler.core.play.registry import load_definition
from sutler.core.record import NOBODY, Record
from sutler.core.text.guide import Guide
from sutler.core.text.language import Tongue, _

SEED_LIMIT = 1 << 62
MAX_DEALS, MAX_DEAL_DECISIONS = 50, 20_000  # tries of random play for `until`, and decisions in each
MAX_BOT_DEALS = 10  # tries of bots, which come further in each and take longer
DEAL_STREAM = 2_000  # the first generator of random play; those of games and seats have lower numbers

Player = Callable[[SeatView], Action]
"""The decision function that plays for every seat until somebody sits down."""


class Bot(Protocol):
    """The part of a bot that a scenario uses."""

    def choose(self, view: SeatView) -> Action:
        """Return one of the view's legal actions."""
        ...


Bots = Callable[[str], Bot]
"""A function that finds a bot by the name of its level."""


def load(
    name: str,
    box: str | Path | Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    **options: Any,
) -> Game:
    """Load a game: its rules, a box (a TOML file that edits the printed one) and options; BoxError says what is wrong."""
    return Game(load_definition(name), box, options, settings)


def load_if_named(game: str | Game) -> Game:
    """The game itself if `game` is one, else the printed game of that name, loaded."""
    return load(game) if isinstance(game, str) else game


class Game:
    """Rules, a box and options: everything needed to play. Made by `sutler.load`."""

    def __init__(
        self,
        definition: Definition,
        box: str | Path | Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None,
        whole: Mapping[str, Any] | None = None,
    ) -> None:
        """Edit, check and pack the box; BoxError says what is wrong.

        `box`: an edit of the printed box, as a TOML file or as data. `options` and `settings`: values by option name or by a key of the
        box such as "rules.buy_price"; `options` win. `whole`: the complete box that a kept game began with, used in place of both.
        """
        self.definition = definition
        self.name = definition.name
        source = f"{self.name}/box.toml"
        data = definition.printed
        if box is not None:
            self.edit: dict[str, Any] = dict(box) if isinstance(box, Mapping) else read_toml(Path(box))
            origins = Origins(source, "" if isinstance(box, Mapping) else str(box), self.edit)
            source = origins.file
            try:
                data = apply_edit(data, self.edit)
            except BoxError as error:
                raise BoxError(f"{source}: {error}") from None
        else:
            self.edit, origins = {}, Origins(source)
        if whole is not None:
            source, data, self.edit = f"the box of a game of {self.name}", dict(whole), dict(whole)
            origins = Origins(source)
        self._options = read_options(data, source)
        self.chosen = {name: option.default for name, option in self._options.items()}
        self.settings: dict[str, Any] = {}
        data = self._apply_settings(data, {**(settings or {}), **(options or {})}, origins)
        self.data = data
        self.sheet = validate_sheet(definition.Sheet, data, origins)
        as_printed = data is definition.printed
        pack = definition.pack_printed_box if as_printed else definition.pack
        try:
            self.box = pack(self.sheet, self.chosen, self._options)
        except BoxError as error:
            raise BoxError(origins.add_source(str(error))) from None
        if not as_printed and whole is None and (faults := list(find_broken_constraints(self.sheet, self.box))):
            raise BoxError("\n".join(origins.add_source(fault) for fault in faults))
        self.box_hash = hash_data({key: value for key, value in data.items() if key not in ("game", "options")})
        self.names: Names = {**self.sheet.names(), **definition.phase_words}
        try:
            self.action_names = definition.build_action_names(self.names)
        except ValueError as error:
            raise BoxError(f"{source}: {error}") from None

    def _apply_settings(self, data: dict[str, Any], wanted: Mapping[str, Any], origins: Origins) -> dict[str, Any]:
        """The box's data with the settings in `wanted` applied.

        Options among them are chosen for this game; numbers of the box are kept in `settings`. BoxError for an unknown name.
        """
        for key, value in wanted.items():
            key = key.removeprefix("options.")
            if key in self._options:
                try:
                    self.chosen[key] = self._options[key].check(value)
                except ValueError as error:
                    raise BoxError(f"option {error}") from None
            elif "." in key:
                data = with_setting(data, key, value)
                self.settings[key] = value
                origins.settings.append(key)
            else:
                raise BoxError(f"{self.name} has no option {key!r}; it has {', '.join(self._options)}")
        return data

    def pack_sheet(self, sheet: Any) -> Any:
        """The box record made of a checked sheet and this game's chosen options; BoxError when they contradict each other."""
        return self.definition.pack(sheet, self.chosen, self._options)

    def __repr__(self) -> str:
        return f"<Game {self.name}, box {self.box_hash}>"

    @property
    def title(self) -> str:
        """The game's full name."""
        return self.definition.info.title

    @property
    def info(self) -> Info:
        """The facts about the game: title, designer, players, length, source."""
        return self.definition.info

    @property
    def min_seats(self) -> int:
        """The smallest number of seats."""
        return self.info.seats[0]

    @property
    def max_seats(self) -> int:
        """The largest number of seats."""
        return self.info.seats[1]

    @property
    def seats_in_words(self) -> str:
        """The numbers of seats in words: "2 to 6 seats", or "3 seats" where there is one size."""
        return (
            f"{self.min_seats} to {self.max_seats} seats"
            if self.max_seats > self.min_seats
            else f"{self.min_seats} seats"
        )

    @property
    def best_seats(self) -> int:
        """The number of seats to use when nobody names one: the box's `best`, else three, or the nearest number that is allowed."""
        usual = min(max(3, self.min_seats), self.max_seats)
        return usual if self.info.best is None else self.info.best

    @property
    def tongue(self) -> Tongue:
        """The translated texts of the game (`Tongue`), in the reader's language."""
        return self.definition.tongue

    @property
    def guide(self) -> Guide:
        """The guide to the game, by paragraphs, in the reader's language."""
        return self.definition.guide

    @property
    def folder(self) -> Path:
        """The game's folder."""
        return self.definition.folder

    def action(self, what: Action | int | str) -> Action:
        """An action by id or name; IllegalAction when there is none such."""
        if isinstance(what, Action):
            return what
        if isinstance(what, str):
            found = self.action_names.find_action(what)
            if found is None:
                like = self.action_names.list_similar_names(what)
                told = _("{game} has no action called {what}", game=self.title, what=repr(what))
                near = ", ".join(repr(name) for name in like)
                raise IllegalAction(told + "; " + _("did you mean {names}?", names=near) if like else told)
            return found
        number = to_action_id(what)
        if not 0 <= number < len(self.action_names):
            most = len(self.action_names) - 1
            raise IllegalAction(f"{self.title} has no action number {number}: they run from 0 to {most}")
        return self.action_names[number]

    def observation_spec(self) -> list[Observed]:
        """The fields of an observation, each with name, offset, shape, kind, bounds and scale; together they cover every number once."""
        return list(self._observation_spec)

    @cached_property
    def _observation_spec(self) -> list[Observed]:
        """The fields of an observation, cached; `observation_spec` returns a copy."""
        definition = self.definition
        sizes = count_things(definition.state)
        for known in (definition.actions.sizes, {name: len(words) for name, words in self.names.items()}):
            sizes |= {name: max(n, sizes.get(name, 0)) for name, n in known.items()}
        return add_sizes(definition.OBSERVATION, sizes | {"seat": self.max_seats}, self.folder)

    @cached_property
    def at_spot(self) -> dict[str, list[int]] | None:
        """{spot of the table: ids of the actions that aim at it}; None where the spots of actions depend on the position."""
        if self.definition.spot is None:
            return None
        found: dict[str, list[int]] = {}
        for i in range(len(self.action_names)):
            if (at := self.definition.spot(self.names, self.action_names[i])) is not None:
                found.setdefault(at, []).append(i)
        return found

    def options(self) -> list[Option]:
        """The options that can be chosen before a game."""
        return list(self._options.values())

    def changed_options(self) -> dict[str, Any]:
        """The options that differ from the printed game."""
        return {name: value for name, value in self.chosen.items() if value != self._options[name].default}

    def with_options(self, options: Mapping[str, Any]) -> Game:
        """A copy of this game with these options; options that this game already changes win. BoxError says what is wrong with them."""
        return Game(self.definition, self.edit or None, {**options, **self.changed_options()}, self.settings)

    @property
    def box_fingerprint(self) -> str:
        """A fingerprint of everything in the box, texts and options too, by which a kept game finds the box it began with."""
        return hash_data(self.data)

    def new(
        self,
        seats: int | None = None,
        seed: int = 0,
        position: str | Path | None = None,
        names: Sequence[str] = (),
        before: Player | None = None,
        bots: Bots | None = None,
    ) -> Position:
        """A new game, or one from a scenario file. ValueError for a wrong number of seats, BoxError for a bad file.

        `before`: a bot's decision function (`bot("normal").choose`), which plays the part of the game that is skipped where an option
        begins it later than printed; the position's game is then one that began as printed. `bots`: a function that finds a bot by its
        level (`sutler.bot`), for a scenario file that bots play on.
        """
        if position is not None:
            return load_position(self, Path(position), seats, seed, names, bots)
        seats = self.min_seats if seats is None else seats
        if before is not None:
            return self._begin_later(seats, seed, names, before)
        pos = Position(self, self.blank(seats, seed), seed, names)
        pos.begin()
        return pos

    @property
    def option_to_begin_later(self) -> Option | None:
        """The option that lets the game begin later than printed, bots playing what comes before; None where there is none."""
        return next((one for one in self.options() if one.until), None)

    def _begin_later(self, seats: int, seed: int, names: Sequence[str], before: Player) -> Position:
        """A new game, played by `before` up to the point at which the option that begins it later says it begins."""
        if (later := self.option_to_begin_later) is None:
            raise BoxError(f"{self.title} begins as it is set up: nothing lies before that a bot could play")
        wanted = int(self.chosen[later.name])
        if wanted == later.low:
            raise BoxError(f"option {later.name}: nothing lies before {wanted}; say a later one, such as {wanted + 1}")
        fresh = Game(
            self.definition, self.edit or None, {**self.changed_options(), later.name: later.low}, self.settings
        )
        file = Scenario(game=self.name, seats=seats, until={later.until: wanted})
        return build_scenario_position(fresh, file, seed, names, f"option {later.name}", before)

    def blank(self, seats: int, seed: int) -> Any:
        """A blank state with only its number of seats and its random generator (from `seed`) set; ValueError if either is out of range."""
        if not self.min_seats <= seats <= self.max_seats:
            raise ValueError(f"{self.title} is for {self.seats_in_words}, not {seats}")
        if not 0 <= seed < SEED_LIMIT:
            raise ValueError(f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {seed}")
        if fault := getattr(self.sheet, "unfit", lambda box, seats: "")(self.box, seats):
            raise BoxError(fault)
        state = self.definition.state.new()
        state.n_seats = seats
        seed_luck(state, seed, GAME_STREAM)
        return state

    def from_bytes(self, data: bytes, names: Sequence[str] = ()) -> Position:
        """A position from the bytes of `Position.to_bytes`, without the decisions that led to it. ValueError if they are no state."""
        state = self.definition.state.from_bytes(data)
        if fault := self._find_state_fault(state):
            raise ValueError(f"these bytes are no position of {self.title}: {fault}")
        pos = Position(self, state, 0, names)
        try:
            pos.settle()
        except Stuck as error:
            raise ValueError(f"these bytes are no position of {self.title}: nobody can do anything") from error
        return pos

    def _find_state_fault(self, state: Any) -> str:
        """The reason, in words, why a state from outside is not sound; "" if it is. Compiled rules do not check indexes."""
        if not self.min_seats <= state.n_seats <= self.max_seats:
            return f"{state.n_seats} seats"
        for path, one, value in self.definition.state.iter_values(state):
            listed = self.names.get(one.of) if one.of else None
            numbers = members(value)[-1:] if one.is_set else [int(value)] if listed is not None else []
            if listed is not None and any(not NOBODY <= number < len(listed) for number in numbers):
                return f"{path}: there is no {one.of} number {numbers[0]}"
        if fault := int(self.definition.check(self.box, state)):
            return str(self.definition.FAULTS[fault])
        counted = self.definition.state.copy(state)
        self.definition.recount(self.box, counted)
        return "" if counted.tobytes() == state.tobytes() else "what is counted for speed is counted wrongly"


# --- positions from scenario files ---


def load_position(
    game: Game, path: Path, seats: int | None, seed: int, names: Sequence[str], bots: Bots | None = None
) -> Position:
    """The position in a scenario file, or in the one of that name that comes with the game; BoxError names file, entry and field.

    `seats`: the number of seats that is expected, None if any will do. `names`: of the players.
    """
    bundled = game.folder / "scenarios" / f"{path.name}.toml"
    if not path.exists() and bundled.exists():
        path = bundled
    file = read_scenario(path)
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
        set_up_state(game.definition, game.box, game.names, state, buffer, file, source)
    pos = Position(game, state, seed, names)
    pos.settle()
    pos.opening = (*drain_events(game.definition.events, buffer), *pos.opening)
    return _play_deals_until(pos, file.until, source, player) if file.until else pos


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
    """Have all fields named in `until` the values given there?"""
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

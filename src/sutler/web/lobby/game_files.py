"""Game files: written for download; read, replayed and opened as a table after an upload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.files.scenario import read_game_scenarios
from sutler.web.errors import RequestError, Secret
from sutler.web.events import MAX_FILE_BYTES, Acted, AnyEvent, Created, Ended, Event, Message, Mixed, SeatPlan, Undone
from sutler.web.game_shelf import Shelf
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.typed_text import MAX_NAME_CHARS, clean_text

if TYPE_CHECKING:
    from sutler.core.files.gamefile import GameFile
    from sutler.core.play.position import Position


class BadFile(RequestError):
    """An error: an uploaded file cannot be used; the message says why."""

    status = 422


def export_game_file(room: Room) -> bytes:
    """The game file of a table, as JSON. It holds the seed and all actions but no links; raises Secret while the game goes on."""
    if room.is_running:
        raise Secret("The file of a game holds every card and die of it. It is given out when the game is over.")
    from sutler.core.files.gamefile import format_game_file

    with room.lock:
        file = room.pos.build_game_file()
        made = room.created
        sealed: dict[str, Any] = {"nonce": made.nonce, "seal": made.seal}
        if room.numbers:
            sealed |= {"drawn": made.seed, "numbers": [(one.seat, one.number) for one in room.numbers]}
        return format_game_file(file.model_copy(update=sealed)).encode()


class Replayed(Message):
    """An uploaded game that was replayed: the plan of its table, and the events that follow."""

    created: Created
    events: tuple[AnyEvent, ...]
    box: dict[str, Any] = {}
    """The whole box, if it must be stored with the table."""


def replay_game_file(shelf: Shelf, data: bytes) -> Replayed:
    """An uploaded game file, replayed. BadFile where it is not one, or cannot be replayed."""
    from sutler.core.files.gamefile import parse_game_file
    from sutler.core.files.replay import replay_to_break

    if len(data) > MAX_FILE_BYTES:
        raise BadFile("This file is too large to be a game.")
    try:
        file = parse_game_file(data.decode("utf-8-sig"), "The file")
    except (ValueError, RecursionError) as error:
        raise BadFile("This is not a game file. {what}", what=_format_error(error)) from None
    shelf.load_game(file.game)  # RequestError for an unknown game
    try:
        pos, broken = replay_to_break(file, "The file")
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OSError) as error:
        raise BadFile("This game cannot be replayed: {what}", what=_format_error(error)) from None
    if broken is not None:
        raise BadFile("This game cannot be replayed: {what}", rule=broken.rule, what=broken)
    return Replayed(created=_plan_table(pos, file), events=tuple(_build_events(pos, file)), box=dict(pos.game.data))


def replay_playthrough(shelf: Shelf, name: str, data: bytes) -> Replayed:
    """Replay an uploaded playthrough (`.play`). Raises BadFile, with its name and line, where it cannot be replayed."""
    from sutler.bots import bot
    from sutler.core.files.golden import parse_golden_file
    from sutler.core.play.position import IllegalAction

    try:
        play = parse_golden_file(data.decode("utf-8-sig"))
        if play.game not in shelf.list_installed_games():
            raise ValueError(f"line 1, field game: there is no game {play.game!r} here")
        game = shelf.load_unsaved_game(play.game, {}, {}, play.options)
        if play.position and play.position not in read_game_scenarios(game.folder):
            raise ValueError(
                f"field position: {game.title} has no position {play.position!r} of its own; a file beside this one cannot be read here"
            )
        where = game.folder / "scenarios" / f"{play.position}.toml" if play.position else None
        pos = game.new(play.seats, play.seed, position=where, bots=bot)
        for line in play.lines:
            if not line.startswith("#"):
                pos.play(line)
    except IllegalAction as error:
        told = f"{name}: decision {len(pos.decisions) + 1}, {line[:80]!r}: {error.reason}"
        raise BadFile(told, rule=error.rule) from None
    except (ValueError, KeyError, TypeError, IndexError, OverflowError) as error:
        raise BadFile(
            "{name}: {what}", name=name, what=error.args[0] if isinstance(error, KeyError) and error.args else error
        ) from None
    file = pos.build_game_file()
    return Replayed(created=_plan_table(pos, file), events=tuple(_build_events(pos, file)))


def open_replay_table(house: House, file: Replayed) -> Room:
    """A new table that shows a replayed game."""
    if file.box:
        house.store.store_box(file.created.box, file.box)
    return house.open_table_with_events(file.created, file.events)


def _plan_table(pos: Position, file: GameFile) -> Created:
    """The plan of a table that shows this game."""
    names = [clean_text(str(name))[:MAX_NAME_CHARS].strip() or "Seat" for name in pos.names]
    return Created(
        game=file.game,
        options=file.options,
        edit=file.box_edit,
        settings=file.settings,
        opening=file.opening,
        box=pos.game.box_fingerprint,
        seed=file.drawn if file.drawn is not None and file.numbers else file.seed,
        seats=tuple(SeatPlan(kind="file", name=name) for name in names),
        nonce=file.nonce or "unknown",
        seal=file.seal,
    )


def _build_events(pos: Position, file: GameFile) -> list[Event]:
    """The events of a table at which the game of this file was played."""
    again = dict(pos.again)
    events: list[Event] = [Mixed(seat=seat, number=number) for seat, number in file.numbers]
    for i, one in enumerate(pos.decisions):
        if i in again:
            events.append(Undone(seat=one.seat, to=i, again=again[i]))
        events.append(Acted(decision=i, seat=one.seat, action=pos.game.action_names[one.action].name))
    if pos.over:
        events.append(Ended(scores=tuple(pos.scores())))
    return events


def _format_error(error: Exception) -> str:
    """The text of an error, with a capital letter and without the name of the file."""
    text = str(error).removeprefix("The file: ")
    return text[:1].upper() + text[1:]

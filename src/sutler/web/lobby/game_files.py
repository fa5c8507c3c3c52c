"""The whole game as a file: written for download, read from an upload and laid out to be replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.scenario import scenarios
from sutler.web.errors import Secret, Trouble
from sutler.web.events import MAX_FILE, Acted, Created, Ended, Event, Mixed, SeatPlan, Undone
from sutler.web.names import LONGEST_NAME, plain_text
from sutler.web.table.registry import House
from sutler.web.table.room import Room

if TYPE_CHECKING:
    from sutler.core.gamefile import GameFile
    from sutler.core.position import Position


class BadFile(Trouble):
    """A file that is no game."""

    status = 422


def file_for(room: Room) -> bytes:
    """The game file of a room, once nobody plays there any more: the seed and all actions are in it, links are not."""
    if room.running:
        raise Secret("The file of a game holds every card and die of it. It is given out when the game is over.")
    from sutler.core.gamefile import file_of, written

    with room.lock:
        file = file_of(room.pos)
        made = room.created
        sealed: dict[str, Any] = {"nonce": made.nonce, "seal": made.seal}
        if room.numbers:
            sealed |= {"drawn": made.seed, "numbers": [(one.seat, one.number) for one in room.numbers]}
        return written(file.model_copy(update=sealed)).encode()


def laid_out(house: House, data: bytes) -> Room:
    """A table on which an uploaded game lies, to be replayed. It is played through before anything is kept of it."""
    from sutler.core.gamefile import parsed
    from sutler.core.replay import as_far_as_it_goes

    if len(data) > MAX_FILE:
        raise BadFile("This file is too large to be a game.")
    try:
        file = parsed(data.decode("utf-8"), "The file")
    except (ValueError, RecursionError) as error:
        raise BadFile("This is not a game file. {what}", what=_told(error)) from None
    house.shelf.game(file.game)  # a game nobody knows is refused here, in words
    try:
        pos, broken = as_far_as_it_goes(file, "The file")
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OSError) as error:
        raise BadFile("This game cannot be replayed: {what}", what=_told(error)) from None
    if broken is not None:
        raise BadFile("This game cannot be replayed: {what}", rule=broken.rule, what=broken)
    house.store.keep_box(pos.game.box_kept, pos.game.data)
    return house.lay_out(_created(pos, file), _events(pos, file))


def laid_out_play(house: House, name: str, data: bytes) -> Room:
    """A table on which a playthrough (`.play`) lies, to be replayed. It is played before anything is kept of it."""
    from sutler.bots import bot
    from sutler.core.gamefile import file_of
    from sutler.core.golden import parse
    from sutler.core.position import IllegalAction

    try:
        play = parse(data.decode("utf-8"))
        if play.game not in house.shelf.installed():
            raise ValueError(f"line 1, field game: there is no game {play.game!r} here")
        game = house.shelf.made(play.game, {}, {}, play.options)
        if play.position and play.position not in scenarios(game):
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
    file = file_of(pos)
    return house.lay_out(_created(pos, file), _events(pos, file))


def _created(pos: Position, file: GameFile) -> Created:
    names = [plain_text(str(name))[:LONGEST_NAME].strip() or "Seat" for name in pos.names]
    return Created(
        game=file.game,
        options=file.options,
        edit=file.box_edit,
        settings=file.settings,
        opening=file.opening,
        box=pos.game.box_kept,
        seed=file.drawn if file.drawn is not None and file.numbers else file.seed,
        seats=tuple(SeatPlan(kind="file", name=name) for name in names),
        nonce=file.nonce or "unknown",
        seal=file.seal,
    )


def _events(pos: Position, file: GameFile) -> list[Event]:
    again = dict(pos.again)
    events: list[Event] = [Mixed(seat=seat, number=number) for seat, number in file.numbers]
    for i, one in enumerate(pos.decisions):
        if i in again:
            events.append(Undone(seat=one.seat, to=i, again=again[i]))
        events.append(Acted(decision=i, seat=one.seat, action=pos.game.action_names[one.action].name))
    if pos.over:
        events.append(Ended(scores=tuple(pos.scores())))
    return events


def _told(error: Exception) -> str:
    text = str(error).removeprefix("The file: ")
    return text[:1].upper() + text[1:]

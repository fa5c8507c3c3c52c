"""Files of one's own at a new table: a box that is laid over the printed one, a position to begin from.

Nothing is kept of them before the game has begun with them; what is wrong is told by file, entry and field.
"""

from __future__ import annotations

import base64
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.core.box import BoxError
from sutler.web.errors import Trouble
from sutler.web.events import Created
from sutler.web.lobby.game_files import BadFile
from sutler.web.table.lessons import table_of
from sutler.web.table.registry import House

if TYPE_CHECKING:
    from sutler.core.position import Position
    from sutler.core.scenario import Scenario

KINDS = ("box", "settings", "position")
"""What may come with the form for a new table."""
OWN_LESSON = "own"
MOST = 200_000
"""Bytes of such a file."""
FAULTS = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)
"""What a file can do to whoever reads it."""


@dataclass(frozen=True)
class Attached:
    """A file that came with the form."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Opened:
    """A file that was opened at the door: the form for a new table is filled in with it."""

    game: str
    kind: str
    """The field of the form: "box", "settings" or "position"."""
    file: Attached
    seats: int = 0
    title: str = ""

    @property
    def text(self) -> str:
        """What is in it."""
        return self.file.data.decode("utf-8")


def taught(house: House, file: Attached) -> Created | None:
    """The table for a lesson of one's own, rehearsed to its end; None where the file is no lesson."""
    from sutler.bots import bot
    from sutler.core.lesson import lesson_of, rehearse

    data = _read(file)
    if "step" not in data:
        return None
    try:
        lesson = lesson_of(data, file.name)
        if lesson.game not in house.shelf.installed():
            raise BoxError(f"{file.name}: field game: there is no game {lesson.game!r} here")
        for _ in rehearse(lesson, house.shelf.game(lesson.game, lesson.options), file.name, bot):
            pass
        return table_of(house, lesson, OWN_LESSON, data)
    except Trouble as trouble:
        raise BadFile("{file}: {what}", rule=trouble.rule, file=file.name, what=trouble.text) from None
    except FAULTS as error:
        raise BadFile(_told(file, error)) from None


def opened(house: House, file: Attached, chosen: str) -> Opened:
    """What this TOML file is, and for which game: a position says it; a box or settings fit the chosen game or another."""
    data = _read(file)
    if not data:
        raise BadFile("{file}: nothing is in this file.", file=file.name)
    if "state" in data or "seats" in data:
        found = _scenario(data, file)
        if found.game not in {one.name for one in house.shelf.covers() if one.on_the_table}:
            raise BadFile("{file}: field game: there is no game {game!r} here.", file=file.name, game=found.game)
        return Opened(found.game, "position", file, found.seats, found.title)
    if is_settings(data):
        return Opened(_first_that_fits(house, file, chosen, {}, data), "settings", file)
    return Opened(_first_that_fits(house, file, chosen, data, {}), "box", file)


def is_settings(data: Mapping[str, Any]) -> bool:
    """Are these single numbers of a box by their paths (`"card.Wheat.gain.crops" = 3`), and options by their names?"""
    return not any(isinstance(value, dict | list) for value in data.values())


def _first_that_fits(
    house: House, file: Attached, chosen: str, edit: Mapping[str, Any], settings: Mapping[str, Any]
) -> str:
    """The game that a box or settings are for: the one that is chosen if they fit it, else the first that they fit."""
    games = sorted((one.name for one in house.shelf.covers() if one.on_the_table), key=lambda name: name != chosen)
    troubles = []
    for name in games:
        try:
            house.shelf.made(name, {}, edit, settings)
        except FAULTS as error:
            troubles.append(_told(file, error))
        else:
            return name
    what = "settings" if settings else "the box"
    raise BadFile(troubles[0] if chosen in games else f"{file.name}: these are {what} of no game that is here.")


def with_text(form: Mapping[str, str], attached: Mapping[str, Attached]) -> dict[str, Attached]:
    """The files of a form: those that came with it, and those it was filled in with."""
    told = {
        kind: Attached(form.get(f"{kind}_name", "")[-60:] or "the file", form[f"{kind}_text"].encode())
        for kind in KINDS
        if form.get(f"{kind}_text")
    }
    return told | dict(attached)


def with_files(house: House, created: Created, attached: Mapping[str, Attached]) -> Created:
    """The table that was planned, with the box, the settings and the position that came with the form."""
    if "box" in attached:
        created = with_box(house, created, attached["box"])
    if "settings" in attached:
        created = with_settings(house, created, attached["settings"])
    if "position" in attached:
        created = with_position(house, created, attached["position"])
    return created


def with_box(house: House, created: Created, file: Attached) -> Created:
    """This table under a box of one's own: what the file holds is laid over the printed one."""
    edit = _read(file)
    if "state" in edit:
        raise BadFile("{file}: this is a position, not a box; there is another field for that.", file=file.name)
    try:
        game = house.shelf.made(created.game, created.options, edit)
        game.new(len(created.seats), created.seed)
    except FAULTS as error:
        raise BadFile(_told(file, error)) from None
    return created.model_copy(update={"edit": edit, "box_hash": str(game.box_hash)})


def with_settings(house: House, created: Created, file: Attached) -> Created:
    """This table with single numbers of its box, and options, set otherwise."""
    data = _read(file)
    if not data or not is_settings(data):
        raise BadFile(
            '{file}: settings are lines such as "card.Wheat.gain.crops" = 3, and nothing else.', file=file.name
        )
    try:
        game = house.shelf.made(created.game, created.options, created.edit, data)
        game.new(len(created.seats), created.seed)
    except FAULTS as error:
        raise BadFile(_told(file, error)) from None
    options = dict(game.changed_options())
    return created.model_copy(
        update={"settings": dict(game.settings), "options": options, "box_hash": str(game.box_hash)}
    )


def with_position(house: House, created: Created, file: Attached) -> Created:
    """This table from a position of one's own. The seats are the form's; there must be as many as the file says."""
    data = _read(file)
    if "state" not in data and "seats" not in data:
        raise BadFile("{file}: this is no position: `seats` and [state] are missing.", file=file.name)
    try:
        pos = _arranged(house, created, data, file.name)
        opening = base64.b64encode(pos.opening_state).decode()
        options = dict(pos.game.changed_options())
    except FAULTS as error:
        raise BadFile(_told(file, error)) from None
    return created.model_copy(update={"opening": opening, "options": options, "box_hash": str(pos.game.box_hash)})


def _arranged(house: House, created: Created, data: Mapping[str, Any], source: str) -> Position:
    from sutler.bots import bot
    from sutler.core.box import validated
    from sutler.core.scenario import Scenario, arrange, player_of

    file: Scenario = validated(Scenario, data, source)
    if file.game != created.game:
        raise BoxError(f"{source}: field game: this is a position of {file.game!r}, not of {created.game!r}")
    if file.seats != len(created.seats):
        raise BoxError(
            f"{source}: field seats: the position is for {file.seats} seats; {len(created.seats)} are set here"
        )
    game = house.shelf.made(created.game, created.options, created.edit, created.settings)
    names = [plan.name for plan in created.seats]
    return arrange(game, file, created.seed, names, source, player_of(file, bot, source))


def _scenario(data: Mapping[str, Any], file: Attached) -> Scenario:
    from sutler.core.box import validated
    from sutler.core.scenario import Scenario

    try:
        found: Scenario = validated(Scenario, data, file.name)
    except FAULTS as error:
        raise BadFile(_told(file, error)) from None
    return found


def _read(file: Attached) -> dict[str, Any]:
    if len(file.data) > MOST:
        raise BadFile("{file}: this file is too large to be a box, settings, a lesson or a position.", file=file.name)
    try:
        return tomllib.loads(file.data.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadFile("{file}: this is no text in UTF-8.", file=file.name) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadFile("{file}: this is no TOML: {what}", file=file.name, what=error) from None


def _told(file: Attached, error: Exception) -> str:
    """What is wrong, with the file's name in front of it once."""
    text = str(error) or type(error).__name__
    return text if text.startswith(file.name) else f"{file.name}: {text}"

"""Uploaded TOML files for a new table: a box that changes the printed one, settings, a position to begin from, a lesson.

Nothing of them is stored before a game has begun with them. Errors name file, entry and field.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.core.files.box import BoxError
from sutler.core.files.toml import TomlError, parse_toml
from sutler.web.errors import RequestError
from sutler.web.events import Created
from sutler.web.game_shelf import Shelf
from sutler.web.lobby.game_files import BadFile
from sutler.web.lobby.new_table import plan_from_lesson

if TYPE_CHECKING:
    from sutler.core.files.scenario import Scenario
    from sutler.core.play.position import Position

FILE_FIELDS = ("box", "settings", "position")
"""The file fields of the form for a new table."""
OWN_LESSON = "own"
MAX_UPLOAD_BYTES = 200_000
"""The size of the largest TOML file that may be uploaded."""
FILE_ERRORS = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError)
"""Errors that a malformed file can raise in the code that reads it."""


@dataclass(frozen=True)
class AttachedFile:
    """A file that was sent with a form."""

    name: str
    data: bytes

    @property
    def text(self) -> str:
        """The content, without a byte order mark. UnicodeDecodeError where it is not UTF-8."""
        return self.data.decode("utf-8-sig")


def files_to_plain_data(files: Mapping[str, AttachedFile]) -> dict[str, list[str]]:
    """Attached files as plain data: {field of the form: [name, content in base 64]}."""
    return {kind: [one.name, base64.b64encode(one.data).decode()] for kind, one in files.items()}


@dataclass(frozen=True)
class OpenedFile:
    """An uploaded file that fills in the form for a new table."""

    game: str
    kind: str
    """The field of the form that the file belongs to: "box", "settings" or "position"."""
    file: AttachedFile
    seats: int = 0
    title: str = ""

    @property
    def text(self) -> str:
        """The file's content."""
        return self.file.text


def plan_from_lesson_file(shelf: Shelf, file: AttachedFile) -> Created | None:
    """The plan of the table for an uploaded lesson, which is played through as a test; None where the file is not a lesson.

    Raises BadFile where the lesson does not work.
    """
    from sutler.bots import bot
    from sutler.core.text.lesson import parse_lesson, play_lesson

    data = _parse_toml(file)
    if "step" not in data:
        return None
    try:
        lesson = parse_lesson(data, file.name)
        if lesson.game not in shelf.list_installed_games():
            raise BoxError(f"{file.name}: field game: there is no game {lesson.game!r} here")
        for _ in play_lesson(lesson, shelf.load_game(lesson.game, lesson.options), file.name, bot):
            pass
        return plan_from_lesson(shelf, lesson, OWN_LESSON, data)
    except RequestError as trouble:
        raise BadFile("{file}: {what}", rule=trouble.rule, file=file.name, what=trouble.text) from None
    except FILE_ERRORS as error:
        raise BadFile(_format_error(file, error)) from None


def identify_file(shelf: Shelf, file: AttachedFile, chosen_game: str) -> OpenedFile:
    """The kind of an uploaded TOML file, and the game that it fits. Raises BadFile where it fits none.

    A position names its game; a box or settings are tried with each game, first with the game that was `chosen_game` in the form.
    """
    data = _parse_toml(file)
    if not data:
        raise BadFile("{file}: nothing is in this file.", file=file.name)
    if "state" in data or "seats" in data:
        found = _parse_scenario(data, file)
        if found.game not in {one.name for one in shelf.list_covers()}:
            raise BadFile("{file}: field game: there is no game {game!r} here.", file=file.name, game=found.game)
        return OpenedFile(found.game, "position", file, found.seats, found.title)
    if is_settings_file(data):
        return OpenedFile(_find_fitting_game(shelf, file, chosen_game, {}, data), "settings", file)
    return OpenedFile(_find_fitting_game(shelf, file, chosen_game, data, {}), "box", file)


def is_settings_file(data: Mapping[str, Any]) -> bool:
    """Does a file hold only numbers of a box by their paths (`"card.Wheat.gain.crops" = 3`), and options by their names?"""
    return not any(isinstance(value, dict | list) for value in data.values())


def _find_fitting_game(
    shelf: Shelf, file: AttachedFile, chosen_game: str, edit: Mapping[str, Any], settings: Mapping[str, Any]
) -> str:
    """The name of the first game that this box (`edit`) or these settings fit, beginning with the `chosen_game` one.

    Raises BadFile where they fit none.
    """
    games = sorted((one.name for one in shelf.list_covers()), key=lambda name: name != chosen_game)
    troubles = []
    for name in games:
        try:
            shelf.load_unsaved_game(name, {}, edit, settings)
        except FILE_ERRORS as error:
            troubles.append(_format_error(file, error))
        else:
            return name
    what = "settings" if settings else "the box"
    raise BadFile(troubles[0] if chosen_game in games else f"{file.name}: these are {what} of no game that is here.")


def collect_form_files(form: Mapping[str, str], attached: Mapping[str, AttachedFile]) -> dict[str, AttachedFile]:
    """The files of a form, by field: those sent with it now, and those whose text an earlier upload filled in."""
    told = {
        kind: AttachedFile(form.get(f"{kind}_name", "")[-60:] or "the file", form[f"{kind}_text"].encode())
        for kind in FILE_FIELDS
        if form.get(f"{kind}_text")
    }
    return told | dict(attached)


def apply_files(shelf: Shelf, created: Created, attached: Mapping[str, AttachedFile]) -> Created:
    """The plan of a table with the box, the settings and the position that were sent with the form.

    Raises BadFile where one does not fit.
    """
    if "box" in attached:
        created = apply_box(shelf, created, attached["box"])
    if "settings" in attached:
        created = apply_settings(shelf, created, attached["settings"])
    if "position" in attached:
        created = apply_position(shelf, created, attached["position"])
    return created


def apply_box(shelf: Shelf, created: Created, file: AttachedFile) -> Created:
    """The plan of a table under an uploaded box, which changes the printed one. Raises BadFile where it does not fit the game."""
    edit = _parse_toml(file)
    if "state" in edit:
        raise BadFile("{file}: this is a position, not a box; there is another field for that.", file=file.name)
    try:
        game = shelf.load_unsaved_game(created.game, created.options, edit)
        game.new(len(created.seats), created.seed)
    except FILE_ERRORS as error:
        raise BadFile(_format_error(file, error)) from None
    return created.model_copy(update={"edit": edit, "box_hash": str(game.box_hash)})


def apply_settings(shelf: Shelf, created: Created, file: AttachedFile) -> Created:
    """The plan of a table with changed options and numbers of its box. Raises BadFile where they do not fit the game."""
    data = _parse_toml(file)
    if not data or not is_settings_file(data):
        raise BadFile(
            '{file}: settings are lines such as "card.Wheat.gain.crops" = 3, and nothing else.', file=file.name
        )
    try:
        game = shelf.load_unsaved_game(created.game, created.options, created.edit, data)
        game.new(len(created.seats), created.seed)
    except FILE_ERRORS as error:
        raise BadFile(_format_error(file, error)) from None
    options = dict(game.changed_options())
    return created.model_copy(
        update={"settings": dict(game.settings), "options": options, "box_hash": str(game.box_hash)}
    )


def apply_position(shelf: Shelf, created: Created, file: AttachedFile) -> Created:
    """The plan of a table from an uploaded position. Raises BadFile where it does not fit the game, or has another number of seats."""
    data = _parse_toml(file)
    if "state" not in data and "seats" not in data:
        raise BadFile("{file}: this is no position: `seats` and [state] are missing.", file=file.name)
    try:
        pos = _load_position(shelf, created, data, file.name)
        opening = base64.b64encode(pos.opening_state).decode()
        options = dict(pos.game.changed_options())
    except FILE_ERRORS as error:
        raise BadFile(_format_error(file, error)) from None
    return created.model_copy(update={"opening": opening, "options": options, "box_hash": str(pos.game.box_hash)})


def _load_position(shelf: Shelf, created: Created, data: Mapping[str, Any], source: str) -> Position:
    """The position in an uploaded file. Raises BoxError where it is for another game or another number of seats.

    `source`: the file's name.
    """
    from sutler.bots import bot
    from sutler.core.files.box import validate_sheet
    from sutler.core.files.scenario import Scenario
    from sutler.core.play.game import build_scenario_position, make_scenario_player

    file: Scenario = validate_sheet(Scenario, data, source)
    if file.game != created.game:
        raise BoxError(f"{source}: field game: this is a position of {file.game!r}, not of {created.game!r}")
    if file.seats != len(created.seats):
        raise BoxError(
            f"{source}: field seats: the position is for {file.seats} seats; {len(created.seats)} are set here"
        )
    game = shelf.load_unsaved_game(created.game, created.options, created.edit, created.settings)
    names = [plan.name for plan in created.seats]
    return build_scenario_position(game, file, created.seed, names, source, make_scenario_player(file, bot, source))


def _parse_scenario(data: Mapping[str, Any], file: AttachedFile) -> Scenario:
    """The content of an uploaded position. Raises BadFile where it is not valid."""
    from sutler.core.files.box import validate_sheet
    from sutler.core.files.scenario import Scenario

    try:
        found: Scenario = validate_sheet(Scenario, data, file.name)
    except FILE_ERRORS as error:
        raise BadFile(_format_error(file, error)) from None
    return found


def _parse_toml(file: AttachedFile) -> dict[str, Any]:
    """The content of an uploaded TOML file. Raises BadFile where it is too large or not valid."""
    if len(file.data) > MAX_UPLOAD_BYTES:
        raise BadFile("{file}: this file is too large to be a box, settings, a lesson or a position.", file=file.name)
    try:
        return parse_toml(file.text)
    except UnicodeDecodeError:
        raise BadFile("{file}: this is no text in UTF-8.", file=file.name) from None
    except TomlError as error:
        raise BadFile("{file}: this is no TOML: {what}", file=file.name, what=error) from None


def _format_error(file: AttachedFile, error: Exception) -> str:
    """The text of an error, beginning with the file's name."""
    text = str(error) or type(error).__name__
    return text if text.startswith(file.name) else f"{file.name}: {text}"

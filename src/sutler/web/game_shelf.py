"""The games that a server offers: covers for the lobby at once, rules when a table needs them (loading takes a second); bots by level."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.core.files.box import hash_data
from sutler.core.play.registry import find_game_folder, games
from sutler.web.errors import RequestError
from sutler.web.events import OptionValue
from sutler.web.jobs.gil_priority import YieldingRLock

if TYPE_CHECKING:
    from sutler.core.play.game import Game

LOG = logging.getLogger("sutler.web")
WARM_DELAY_S = 1.0
"""Seconds from the server's start until rules are compiled in the background."""

MAX_OWN_BOXES = 50
"""The number of games with changed boxes kept in memory here; each open table keeps a reference to its own."""


@dataclass(frozen=True)
class Cover:
    """A game's cover in the lobby: texts from its box.toml, position and tint from its cover.toml."""

    name: str
    title: str
    mood: str
    blurb: str
    players: str
    minutes: str
    weight: int
    designer: str
    wash: str = "land"
    """The tint of the cover's drawing: one of the washes of static/tokens.css."""
    place: int = 1000
    """The number by which covers are sorted; equal ones by name."""


@dataclass(frozen=True)
class BoxSummary:
    """The part of a game's box that is needed to set up a table, read without loading the rules."""

    title: str
    min_seats: int
    max_seats: int
    best: int | None
    options: tuple[Any, ...]

    @property
    def usual_seats(self) -> int:
        """The number of seats that the form for a new table proposes: three, or as near as the game allows; fewer if that is its best."""
        three = min(self.max_seats, max(self.min_seats, 3))
        return three if self.best is None else min(three, self.best)


class Shelf:
    """The games that a server offers, loaded once for each set of options and changes of the box; and bots by level."""

    def __init__(self) -> None:
        self._lock = YieldingRLock()
        self._loaded: dict[tuple[str, tuple[Any, ...], str], Game] = {}
        self._bots: dict[str, Any] = {}
        self._warming: Any = None
        self._soon: threading.Timer | None = None

    def list_installed_games(self) -> list[str]:
        """The names of all games that are installed."""
        return games()

    def list_covers(self) -> list[Cover]:
        """The covers of all games, in the order of the lobby."""
        found = [_read_cover(name) for name in self.list_installed_games()]
        return sorted(found, key=lambda cover: (cover.place, cover.name))

    def load_box_summary(self, name: str) -> BoxSummary:
        """The summary of a game's box, without loading its rules. Raises RequestError when there is no such game."""
        if name not in self.list_installed_games():
            raise RequestError("This game is not on the table yet.", status=404)
        return _read_box_summary(self.find_game_folder(name) / "box.toml")

    def load_game(
        self,
        name: str,
        options: Mapping[str, OptionValue] | None = None,
        edit: Mapping[str, Any] | None = None,
        settings: Mapping[str, OptionValue] | None = None,
        whole: Mapping[str, Any] | None = None,
    ) -> Game:
        """A game with these options and this box, loaded once and then kept.

        `edit`: entries that differ from the printed box; `settings`: single numbers of the box by path; `whole`: the whole box as it was
        when the game began, where the printed one has changed since. Raises RequestError, with an error message, where there is no such
        game or something does not fit.
        """
        if name not in self.list_installed_games():
            raise RequestError("This game is not on the table yet.", status=404)
        options = options or {}
        others = [dict(one) if one else {} for one in (edit, settings, whole)]
        key = (name, tuple(sorted(options.items())), hash_data(others) if any(others) else "")
        if key in self._loaded:  # looked up without the lock: no player waits while another game is loaded
            return self._loaded[key]
        with self._lock:
            if key not in self._loaded:
                # a game is wanted before the delay is over: start compiling now
                if self._soon is not None and self._soon.is_alive():
                    self._soon.cancel()
                    self._begin_compiling_once()
                try:
                    self._loaded[key] = _build_game(name, options, *others)
                except (ValueError, TypeError, KeyError) as error:
                    raise RequestError("This does not go together: {what}", status=422, what=error) from error
                self._drop_old_boxes()
                if self._warming is not None:
                    self._warming.compile_next(name)
            return self._loaded[key]

    def load_unsaved_game(
        self,
        name: str,
        options: Mapping[str, OptionValue],
        edit: Mapping[str, Any],
        settings: Mapping[str, Any] | None = None,
    ) -> Game:
        """A game with a box or settings that somebody has just written; it is not kept. Errors in the box are raised unchanged.

        `edit`: entries that differ from the printed box; `settings`: single numbers of the box by path.
        """
        self.load_game(name, options)  # RequestError where the game or its options do not exist
        with self._lock:
            return _build_game(name, options, edit, settings or {}, {})

    def _drop_old_boxes(self) -> None:
        """Drop the cached games with changed boxes, except the MAX_OWN_BOXES that were loaded last."""
        own = [key for key in self._loaded if key[2]]
        for key in own[:-MAX_OWN_BOXES]:
            del self._loaded[key]

    def compile_rules_in_background(self) -> None:
        """Run rules as plain Python until they are compiled in the background, so that nobody waits for the compiler.

        Compiling starts after WARM_DELAY_S, so that it does not slow down the first view of the lobby.
        """
        self._soon = threading.Timer(WARM_DELAY_S, self._begin_compiling)
        self._soon.daemon = True
        self._soon.start()

    def _begin_compiling(self) -> None:
        """Begin to compile the rules in the background, under the lock that guards imports of the compiler."""
        with self._lock:  # two threads must not import the compiler at the same time
            self._begin_compiling_once()

    def _begin_compiling_once(self) -> None:
        """Begin to compile the rules of all games in the background, unless that has begun. The caller holds the lock."""
        from sutler.core.compilation.warm import ensure_warm_in_background

        if self._warming is None:
            self._warming = ensure_warm_in_background(
                self.list_installed_games(), on_trouble=lambda name, text: LOG.warning("%s: %s", name, text)
            )

    def import_lab(self) -> None:
        """Import the lab, and with it the compiler, under the lock that guards all such imports."""
        with self._lock:
            import sutler.lab.designer.worker  # noqa: F401

    def close(self) -> None:
        """Stop compiling in the background."""
        if self._soon is not None:
            self._soon.cancel()
        if self._warming is not None:
            self._warming.stop_compiling()

    def get_bot(self, level: str) -> Any:
        """The bot of this level ("easy", "normal", "hard", or a level of the server's own), made once."""
        with self._lock:
            if level not in self._bots:
                self._bots[level] = make_bot(level)
            return self._bots[level]

    def find_game_folder(self, name: str) -> Path:
        """The folder of a game's files (box, board, texts)."""
        return find_game_folder(name)


def _build_game(
    name: str,
    options: Mapping[str, Any],
    edit: Mapping[str, Any],
    settings: Mapping[str, Any],
    whole: Mapping[str, Any],
) -> Game:
    """A newly loaded game with these options, edit and settings; with `whole`, with this box in place of the printed one."""
    from sutler.core.play.game import Game
    from sutler.core.play.registry import load_definition

    if whole:
        return Game(load_definition(name), None, options, None, whole)
    return Game(load_definition(name), edit or None, options, settings)


@functools.cache
def _read_box_summary(path: Path) -> BoxSummary:
    """The summary of the box in this file, cached: reading a large box takes a tenth of a second."""
    from sutler.core.files.box import Info, read_options, read_toml, validate_sheet

    data = read_toml(path)
    info = validate_sheet(Info, data.get("game", {}), str(path))
    return BoxSummary(
        info.title, info.seats[0], info.seats[-1], info.best, tuple(read_options(data, str(path)).values())
    )


@functools.cache
def _read_cover(name: str) -> Cover:
    """The cover of a game; it holds only the name where the game's box cannot be read."""
    from sutler.core.files.box import BoxError, Info, read_toml, validate_sheet

    folder = find_game_folder(name)
    try:
        info = validate_sheet(Info, read_toml(folder / "box.toml").get("game", {}), f"{name}/box.toml [game]")
        more = read_toml(folder / "cover.toml") if (folder / "cover.toml").exists() else {}
    except BoxError as error:
        LOG.warning("%s", error)
        return Cover(name, name.title(), "", "", "", "", 1, "")
    fewest, most = info.seats[0], info.seats[-1]
    players = str(fewest) if fewest == most else f"{fewest}–{most}"
    told = (info.title, info.mood, info.blurb, players, info.minutes, info.weight, info.designer)
    return Cover(name, *told, **more)


def make_bot(level: str) -> Any:
    """A new bot of this level; one that plays at random if no such level exists here."""
    import sutler
    from sutler.bots import bot_from

    try:
        return bot_from(level, files=False)
    except ValueError:
        return sutler.bot("random")

"""The shelf of games: covers for the lobby at once, rules when somebody sits down (loading takes a second), bots by level."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.core.files.box import hash_of
from sutler.core.play.registry import folder_of, games
from sutler.web.errors import RequestError
from sutler.web.events import OptionValue
from sutler.web.jobs.gil_priority import YieldingRLock

if TYPE_CHECKING:
    from sutler.core.play.game import Game

LOG = logging.getLogger("sutler.web")
WARM_DELAY_S = 1.0
"""Seconds before rules are compiled in the background."""

MAX_OWN_BOXES = 50
"""Games under a changed box that the shelf keeps; tables hold on to theirs."""


@dataclass(frozen=True)
class Cover:
    """A game's cover in the lobby: texts from its box.toml, place and tint from its cover.toml."""

    name: str
    title: str
    mood: str
    blurb: str
    players: str
    minutes: str
    weight: int
    designer: str
    wash: str = "land"
    """The tint of its drawing: one of the washes of static/tokens.css."""
    place: int = 1000
    """Covers are sorted by this number, then by name."""


@dataclass(frozen=True)
class BoxSummary:
    """The part of a game's box that is needed to set up a table."""

    title: str
    min_seats: int
    max_seats: int
    best: int | None
    options: tuple[Any, ...]

    @property
    def usual_seats(self) -> int:
        """The number of seats of a new table: three, or as near as the game allows; fewer where it is best with fewer."""
        three = min(self.max_seats, max(self.min_seats, 3))
        return three if self.best is None else min(three, self.best)


class Shelf:
    """Games by name, loaded once for each set of options; bots by level."""

    def __init__(self) -> None:
        self._lock = YieldingRLock()
        self._loaded: dict[tuple[str, tuple[Any, ...], str], Game] = {}
        self._bots: dict[str, Any] = {}
        self._warming: Any = None
        self._soon: threading.Timer | None = None

    def installed(self) -> list[str]:
        """The names of the games that can be played."""
        return games()

    def covers(self) -> list[Cover]:
        """The covers for the lobby, in order."""
        found = [_cover(name) for name in self.installed()]
        return sorted(found, key=lambda cover: (cover.place, cover.name))

    def box_summary(self, name: str) -> BoxSummary:
        """The summary of a game's box, without loading its rules. RequestError when there is no such game."""
        if name not in self.installed():
            raise RequestError("This game is not on the table yet.", status=404)
        return _box_summary(self.folder(name) / "box.toml")

    def game(
        self,
        name: str,
        options: Mapping[str, OptionValue] | None = None,
        edit: Mapping[str, Any] | None = None,
        settings: Mapping[str, OptionValue] | None = None,
        whole: Mapping[str, Any] | None = None,
    ) -> Game:
        """A game with its options and its box.

        RequestError, with a sentence for people, when there is no such game or something does not fit.

        `edit`: entries that differ from the printed box; `settings`: single numbers by path; `whole`: the whole box when the game
        began, where that is not what is printed now.
        """
        if name not in self.installed():
            raise RequestError("This game is not on the table yet.", status=404)
        options = options or {}
        others = [dict(one) if one else {} for one in (edit, settings, whole)]
        key = (name, tuple(sorted(options.items())), hash_of(others) if any(others) else "")
        if key in self._loaded:  # nobody who plays waits while another game is fetched
            return self._loaded[key]
        with self._lock:
            if key not in self._loaded:
                if self._soon is not None and self._soon.is_alive():  # somebody sits down before that: begin now
                    self._soon.cancel()
                    self._ensure_warm()
                try:
                    self._loaded[key] = _game(name, options, *others)
                except (ValueError, TypeError, KeyError) as error:
                    raise RequestError("This does not go together: {what}", status=422, what=error) from error
                self._drop_old_boxes()
                if self._warming is not None:
                    self._warming.hurry(name)
            return self._loaded[key]

    def unsaved_game(
        self,
        name: str,
        options: Mapping[str, OptionValue],
        edit: Mapping[str, Any],
        settings: Mapping[str, Any] | None = None,
    ) -> Game:
        """A game under a box or settings that somebody has just written, not kept. Errors of the box are raised unchanged."""
        self.game(name, options)  # the game itself, with its options, is there
        with self._lock:
            return _game(name, options, edit, settings or {}, {})

    def _drop_old_boxes(self) -> None:
        """Drop all but the newest games under changed boxes."""
        own = [key for key in self._loaded if key[2]]
        for key in own[:-MAX_OWN_BOXES]:
            del self._loaded[key]

    def warm(self) -> None:
        """Run rules as plain Python until they are compiled in the background, so that nobody waits for the compiler.

        It starts WARM_DELAY_S later, so that the first view of the lobby does not wait for it either.
        """
        self._soon = threading.Timer(WARM_DELAY_S, self._warm)
        self._soon.daemon = True
        self._soon.start()

    def _warm(self) -> None:
        with self._lock:  # two threads must not import the compiler at the same time
            self._ensure_warm()

    def _ensure_warm(self) -> None:
        from sutler.core.machine.warm import ensure_warm_in_background

        if self._warming is None:
            self._warming = ensure_warm_in_background(
                self.installed(), on_trouble=lambda name, text: LOG.warning("%s: %s", name, text)
            )

    def open_lab(self) -> None:
        """Import the lab, and with it the compiler, under the lock that guards all such imports."""
        with self._lock:
            import sutler.lab.designer.worker  # noqa: F401

    def close(self) -> None:
        """Stop compiling."""
        if self._soon is not None:
            self._soon.cancel()
        if self._warming is not None:
            self._warming.stop()

    def bot(self, level: str) -> Any:
        """A bot of this level."""
        with self._lock:
            if level not in self._bots:
                self._bots[level] = bot_of(level)
            return self._bots[level]

    def folder(self, name: str) -> Path:
        """The folder of a game, with its board."""
        return folder_of(name)


def _game(
    name: str,
    options: Mapping[str, Any],
    edit: Mapping[str, Any],
    settings: Mapping[str, Any],
    whole: Mapping[str, Any],
) -> Game:
    from sutler.core.play.game import Game
    from sutler.core.play.registry import definition

    if whole:
        return Game(definition(name), None, options, None, whole)
    return Game(definition(name), edit or None, options, settings)


@functools.cache
def _box_summary(path: Path) -> BoxSummary:
    """The summary of a box, cached: reading a large box takes a tenth of a second."""
    from sutler.core.files.box import Info, options_of, read_toml, validated

    data = read_toml(path)
    info = validated(Info, data.get("game", {}), str(path))
    return BoxSummary(info.title, info.seats[0], info.seats[-1], info.best, tuple(options_of(data, str(path)).values()))


@functools.cache
def _cover(name: str) -> Cover:
    """The cover of a game; where its box cannot be read, only the name."""
    from sutler.core.files.box import BoxError, Info, read_toml, validated

    folder = folder_of(name)
    try:
        info = validated(Info, read_toml(folder / "box.toml").get("game", {}), f"{name}/box.toml [game]")
        more = read_toml(folder / "cover.toml") if (folder / "cover.toml").exists() else {}
    except BoxError as error:
        LOG.warning("%s", error)
        return Cover(name, name.title(), "", "", "", "", 1, "")
    fewest, most = info.seats[0], info.seats[-1]
    players = str(fewest) if fewest == most else f"{fewest}–{most}"
    told = (info.title, info.mood, info.blurb, players, info.minutes, info.weight, info.designer)
    return Cover(name, *told, **more)


def bot_of(level: str) -> Any:
    """A bot of this level; one that plays at random where the package has none."""
    import sutler
    from sutler.bots import bot_from

    try:
        return bot_from(level, files=False)
    except ValueError:
        return sutler.bot("random")

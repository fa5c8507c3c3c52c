"""The games on the shelf: covers for the lobby, rules when somebody sits down (they take a second)."""

from __future__ import annotations

import functools
import logging
import threading
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sutler.core.box import hash_of
from sutler.core.registry import folder_of, games
from sutler.web.errors import Trouble
from sutler.web.events import OptionValue
from sutler.web.jobs.gil_priority import Turn

if TYPE_CHECKING:
    from sutler.core.game import Game

LOG = logging.getLogger("sutler.web")
WARM_AFTER = 1.0
"""Seconds."""

OWN_BOXES = 50


@dataclass(frozen=True)
class Cover:
    """What the lobby says about a game."""

    name: str
    title: str
    mood: str
    blurb: str
    players: str
    minutes: str
    weight: int
    designer: str
    wash: str
    on_the_table: bool = False


COVERS = (
    Cover(
        "manor",
        "Medieval Manor",
        "cards on a map, trading",
        "Sow, reap, build and feed your peasants on one shared estate. First come, first sown.",
        "2–6",
        "45–60",
        2,
        "Warpspawn Games",
        "meadow",
    ),
    Cover(
        "threeyears",
        "Three Years of War",
        "cards, bidding, spite",
        "A minor house, three hungry years. Bid your advisers for what the war leaves over.",
        "2–5",
        "60–90",
        3,
        "Jay Little",
        "town",
    ),
    Cover(
        "warfarm",
        "WARFARM",
        "engines, traps, raids",
        "Three farms, three ways to win: the plough, the sword or the altar. Guard your land.",
        "3",
        "45–60",
        2,
        "student design",
        "field",
    ),
    Cover(
        "bellum",
        "Bellum se ipsum alet",
        "map, supply, secret battle",
        "Four powers, eight generals. Take the cities, eat the country, move on before it is bare.",
        "2–4",
        "90–120",
        4,
        "Nicholas Hjelmberg",
        "water",
    ),
    Cover(
        "sixwinters",
        "Six Winters",
        "co-operative campaign",
        "Hold Brightdune together through six winters against an Empire that does not tire.",
        "1–4",
        "90–150",
        4,
        "Phil Lewis",
        "frost",
    ),
)
"""The five, in the lobby's order, the lightest first. A game that is installed speaks for itself through its box."""


@dataclass(frozen=True)
class Leaflet:
    """What lies on top in a game's box: enough to set a table."""

    title: str
    min_seats: int
    max_seats: int
    best: int | None
    options: tuple[Any, ...]

    @property
    def usual_seats(self) -> int:
        """How many places a new table has: three, or as near as the game allows; fewer, where it is best with fewer."""
        three = min(self.max_seats, max(self.min_seats, 3))
        return three if self.best is None else min(three, self.best)


class Shelf:
    """Games by name, loaded once per set of options; bots by level."""

    def __init__(self) -> None:
        self._lock = Turn()
        self._loaded: dict[tuple[str, tuple[Any, ...], str], Game] = {}
        self._bots: dict[str, Any] = {}
        self._warming: Any = None
        self._soon: threading.Timer | None = None

    def installed(self) -> list[str]:
        """Names of the games that can be played."""
        return games()

    def covers(self) -> list[Cover]:
        """The covers in the lobby."""
        installed = set(self.installed())
        known = [_from_box(cover) if cover.name in installed else cover for cover in COVERS]
        others = installed - {cover.name for cover in COVERS}
        return known + [_from_box(Cover(name, name.title(), "", "", "", "", 1, "", "land")) for name in sorted(others)]

    def leaflet(self, name: str) -> Leaflet:
        """What the box says about a game, without its rules. Trouble when there is no such game."""
        if name not in self.installed():
            raise Trouble("This game is not on the table yet.", status=404)
        return _leaflet(self.folder(name) / "box.toml")

    def game(
        self,
        name: str,
        options: Mapping[str, OptionValue] | None = None,
        edit: Mapping[str, Any] | None = None,
        settings: Mapping[str, OptionValue] | None = None,
        whole: Mapping[str, Any] | None = None,
    ) -> Game:
        """A game with its options and its box. Trouble, in words, when there is no such game or something does not fit.

        `whole`: all that was in the box when the game began, where that is not what is printed now.
        """
        if name not in self.installed():
            raise Trouble("This game is not on the table yet.", status=404)
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
                    raise Trouble("This does not go together: {what}", status=422, what=error) from error
                self._forget_some()
                if self._warming is not None:
                    self._warming.hurry(name)
            return self._loaded[key]

    def made(
        self,
        name: str,
        options: Mapping[str, OptionValue],
        edit: Mapping[str, Any],
        settings: Mapping[str, Any] | None = None,
    ) -> Game:
        """A game under a box or settings somebody has just written. What is wrong with them is told as the box tells it."""
        self.game(name, options)  # the game itself, with its options, is there
        with self._lock:
            return _game(name, options, edit, settings or {}, {})

    def _forget_some(self) -> None:
        """Boxes of somebody's own are many: the tables at which they are played hold on to them, the shelf need not."""
        own = [key for key in self._loaded if key[2]]
        for key in own[:-OWN_BOXES]:
            del self._loaded[key]

    def warm(self) -> None:
        """Play in plain Python from now on and compiled as soon as that is possible: nobody waits for the compiler.

        It begins a moment later, so that the first look at the lobby does not wait for it either.
        """
        self._soon = threading.Timer(WARM_AFTER, self._warm)
        self._soon.daemon = True
        self._soon.start()

    def _warm(self) -> None:
        with self._lock:  # two threads must not import the compiler at the same time
            self._ensure_warm()

    def _ensure_warm(self) -> None:
        from sutler.core.warm import ensure_warm_in_background

        if self._warming is None:
            self._warming = ensure_warm_in_background(
                self.installed(), on_trouble=lambda name, text: LOG.warning("%s: %s", name, text)
            )

    def open_lab(self) -> None:
        """Import the lab, which brings the compiler: under the same lock as whatever else does."""
        with self._lock:
            import sutler.lab.designer.worker  # noqa: F401

    def close(self) -> None:
        """Leave off compiling."""
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
        """Where a game keeps its board."""
        return folder_of(name)


def _game(
    name: str,
    options: Mapping[str, Any],
    edit: Mapping[str, Any],
    settings: Mapping[str, Any],
    whole: Mapping[str, Any],
) -> Game:
    from sutler.core.game import Game
    from sutler.core.registry import definition

    if whole:
        return Game(definition(name), None, options, None, whole)
    return Game(definition(name), edit or None, options, settings)


@functools.cache
def _leaflet(path: Path) -> Leaflet:
    """Read once: a large box takes a tenth of a second, and every look at the lobby asks for one."""
    from sutler.core.box import Info, options_of, read_toml, validated

    data = read_toml(path)
    info = validated(Info, data.get("game", {}), str(path))
    return Leaflet(info.title, info.seats[0], info.seats[-1], info.best, tuple(options_of(data, str(path)).values()))


@functools.cache
def _from_box(cover: Cover) -> Cover:
    """A cover with what the game's own box says."""
    path = folder_of(cover.name) / "box.toml"
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8")).get("game", {})
    except (OSError, tomllib.TOMLDecodeError):
        told = {}
    seats = told.get("seats", ())
    players = "" if not seats else str(seats[0]) if seats[0] == seats[-1] else f"{seats[0]}–{seats[-1]}"
    return Cover(
        cover.name,
        told.get("title", cover.title),
        told.get("mood", cover.mood),
        told.get("blurb", cover.blurb),
        players or cover.players,
        str(told.get("minutes", cover.minutes)),
        int(told.get("weight", cover.weight)),
        told.get("designer", cover.designer),
        cover.wash,
        True,
    )


def bot_of(level: str) -> Any:
    """A bot of this level; where the package has none such, one that plays at random."""
    import sutler
    from sutler.bots import bot_from

    try:
        return bot_from(level, files=False)
    except ValueError:
        return sutler.bot("random")

"""A `Definition` is what a game's folder brings: its rules, tables and words, checked against the contract."""

from __future__ import annotations

import threading
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from sutler.core.actions import ActionTable
from sutler.core.box import Info, read_toml, validated
from sutler.core.events import EventTable
from sutler.core.guide import Guide
from sutler.core.record import Record
from sutler.core.rule import Home, home_of
from sutler.core.template import instantiate

ENGINE = Path(__file__).with_name("engine.py")


class Definition:
    """What a game's folder brings: its modules' names, checked against the contract.

    The rules it must have (arguments as in docs/write-a-game.md): setup, recount, check, start, legal, apply, is_over,
    is_midway, why_not, score, rank, evaluate, observe, redeal; the plain functions: pack, view, prompt, choice,
    breakdown; and, if it likes, complete (for scenario files).
    """

    RULES = (
        "setup",
        "recount",
        "check",
        "start",
        "legal",
        "apply",
        "is_over",
        "is_midway",
        "why_not",
        "score",
        "rank",
        "evaluate",
        "observe",
        "redeal",
    )
    TABLES = ("BOX", "STATE", "ACTIONS", "EVENTS", "Sheet", "FAULTS", "REFUSALS", "N_OBSERVED")
    WORDS = ("pack", "view", "prompt", "choice", "breakdown")
    OPTIONAL = ("complete", "prune", "SCALE", "RELUCTANCE", "COOPERATIVE")  # the last four: see docs/bots.md

    def __init__(self, package: str, file: str, *modules: ModuleType) -> None:
        self.package = package
        self.name = package.rpartition(".")[2]
        self.folder = Path(file).parent
        found: dict[str, Any] = {}
        for wanted in (*self.RULES, *self.TABLES, *self.WORDS):
            owners = [module for module in modules if wanted in vars(module)]
            if not owners:
                raise TypeError(f"{package}: the contract asks for {wanted!r}; no module of the game has it")
            found[wanted] = vars(owners[-1])[wanted]
        for wanted in self.OPTIONAL:
            found[wanted] = next((vars(module)[wanted] for module in modules if wanted in vars(module)), None)
        self._found = found
        self.state: Record = found["STATE"]
        self.box: Record = found["BOX"]
        self.actions: ActionTable = found["ACTIONS"]
        self.events: EventTable = found["EVENTS"]
        self.asked = self.actions.always_asked()
        self._templates: dict[Path, ModuleType] = {}
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_found"][name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def home(self) -> Home:
        """Where its rules are compiled and cached."""
        return home_of(self.folder / "box.py")

    @property
    def engine(self) -> ModuleType:
        """The engine, with this game's rules."""
        return self.template(ENGINE)

    def template(self, path: Path, **more: Any) -> ModuleType:
        """A template module with this game's rules among its globals, made once."""
        with self._lock:
            if path not in self._templates:
                given = {name: self._found[name] for name in self.RULES} | more
                self._templates[path] = instantiate(path, f"{self.package}._{path.stem}", self.home, **given)
            return self._templates[path]

    @cached_property
    def guide(self) -> Guide:
        """The guide, by paragraphs."""
        return Guide.load(self.folder / "guide.md")

    @cached_property
    def printed(self) -> dict[str, Any]:
        """`box.toml` as plain data."""
        return read_toml(self.folder / "box.toml")

    @cached_property
    def info(self) -> Info:
        """Title, designer, players, length."""
        return validated(Info, self.printed.get("game", {}), f"{self.name}/box.toml [game]")

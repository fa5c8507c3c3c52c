"""A `Definition` is what a game's folder brings: its rules, tables and words, checked against the contract."""

from __future__ import annotations

import importlib
import inspect
import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from sutler.core import marshalling, protocol
from sutler.core.actions import Action, ActionNames, ActionTable, Names
from sutler.core.box import Info, Option, read_toml, validated
from sutler.core.contract import completed
from sutler.core.events import EventTable
from sutler.core.guide import Guide
from sutler.core.language import ENGLISH, Tongue, language, tongue_of
from sutler.core.orders import Order, rows_of
from sutler.core.record import Record
from sutler.core.rule import Home, home_of
from sutler.core.tables import NOT_NOW, PhaseTable, Refusal
from sutler.core.template import instantiate

ENGINE = Path(__file__).with_name("engine.py")
TAKES = {one.__name__: tuple(inspect.signature(one).parameters) for one in protocol.RULES} | {
    "is_ahead": ("box", "state", "a", "b"),
    "prune": ("box", "state", "out"),
    "narrow": ("box", "state", "out"),
    "two_of": ("box", "state", "out"),
    "evaluate_noting": ("box", "state", "seat", "notes"),
    "is_quiet": ("state",),
    "judge_course": ("box", "state", "seat", "notes"),
}
"""What each rule that is taken from a game by its name is called with."""
PACKED = 64
"""So many sets of options are kept packed."""


def part_in(folder: Path, room: str, name: str) -> Path | None:
    """The file of a part that a game may have: `bot/personas.py`, or `personas.py` in a small game without rooms; None: there is none."""
    return next((path for path in (folder / room / f"{name}.py", folder / f"{name}.py") if path.exists()), None)


class Definition:
    """What a game's folder brings: its modules' names, checked against the contract.

    The rules it must have stand in `core.protocol`, with those of its actions; some are made from its tables (`core.contract`). The
    plain functions: pack, view, breakdown; prompt and choice are made (`core.words`); and, if it likes, complete (for scenario files).
    """

    RULES = tuple(one.__name__ for one in protocol.RULES)
    TABLES = ("BOX", "STATE", "ACTIONS", "EVENTS", "Sheet", "FAULTS", "REFUSALS", "N_OBSERVED")
    WORDS = ("pack", "view", "prompt", "choice", "breakdown")
    OPTIONAL = (
        "complete",
        "prune",
        "narrow",
        "two_of",
        "NOTES",
        "evaluate_noting",
        "is_quiet",
        "judge_course",
        "SCALE",
        "RELUCTANCE",
        "SEARCH",
        "SHORT_SEARCH",
        "LEVELS",
        "COOPERATIVE",
        "spot",
        "ROLES",
        "OWNED",
        "FIRST_TURN",
        "BEYOND_SCORES",
        "ORDERS",
        "whose",
        "account",
        "account_past",
        "LEANINGS",
    )  # bots: docs/bots.md; `spot`: core.words; four for the lab: docs/write-a-game.md; core.orders, core.words; what plans lean to

    def __init__(self, package: str, file: str, *modules: ModuleType) -> None:
        self.package = package
        self.name = package.rpartition(".")[2]
        self.folder = Path(file).parent
        found = completed(package, self.folder, self.home, modules)
        for wanted in (*self.RULES, *self.TABLES, *self.WORDS):
            if wanted not in found:
                made = "; it is made of 'is_ahead', if there is one" if wanted == "rank" else ""
                raise TypeError(f"{package}: the contract asks for {wanted!r}; no module of the game has it{made}")
        for name, takes in TAKES.items():
            if name in found and (given := tuple(inspect.signature(found[name]).parameters)) != takes:
                says = f"{package}: {name!r} takes ({', '.join(given)}), the contract's takes ({', '.join(takes)})"
                raise TypeError(f"{says}; a rule of the game's own wants another name")
        for wanted in self.OPTIONAL:
            found.setdefault(wanted, None)
        self._found = found
        self.state: Record = found["STATE"]
        self.box: Record = found["BOX"]
        marshalling.quickly(self.state, self.box)
        self.phases: PhaseTable = found["PHASES"]
        self.actions: ActionTable = found["ACTIONS"]
        self.events: EventTable = found["EVENTS"]
        self.asked = self.actions.always_asked()
        self.phase_words: dict[str, Sequence[str]] = {"phase": found["PHASES"].words}
        self._templates: dict[tuple[Path, str], ModuleType] = {}
        self._guides: dict[str, Guide] = {}
        self._packed: dict[tuple[tuple[str, Any], ...], bytes] = {}
        self._named: tuple[Names, ActionNames] | None = None
        self._lock = threading.Lock()

    def refusal(self, reason: int, action: Action, phase: int) -> Refusal:
        """A number that `why_not` gave, in words; "not now" says what to do first."""
        found: Refusal = self.REFUSALS[reason]
        if reason == NOT_NOW:
            block, asked = self.actions.blocks[action.block], self.phases.rows[phase]
            by_phase, by_block = (asked.now, asked.rule), (block.first, block.rule)
            for text, rule in (by_phase, by_block) if asked.midway else (by_block, by_phase):
                if text:
                    return Refusal(self.tongue(text), rule)
            return Refusal(self.tongue(found.text), asked.rule)
        return Refusal(self.tongue(found.text), found.rule or action.rule)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_found"][name]
        except KeyError:
            raise AttributeError(name) from None

    def packed_as_printed(self, sheet: Any, options: dict[str, Any], declared: dict[str, Option]) -> Any:
        """The printed box with these options, as a record of one's own: packed once, in a tenth of a second, then copied."""
        key = tuple(options.items())
        packed = self._packed.get(key) or self.pack(sheet, options, declared).tobytes()
        if key not in self._packed and len(self._packed) < PACKED:
            self._packed[key] = packed
        return self.box.from_bytes(packed)

    def named(self, names: Names) -> ActionNames:
        """Its actions with the names of a box; those of the box before, where both call all alike."""
        known = self._named
        if known is None or known[0] != names:
            known = self._named = names, ActionNames(self.actions, names)
        return known[1]

    @cached_property
    def orders(self) -> dict[str, Order]:
        """The standing orders that a seat may give, by name."""
        return rows_of(self._found["ORDERS"] or {})

    @cached_property
    def home(self) -> Home:
        """Where its rules are compiled and cached."""
        return home_of(self.folder / "box.py")

    @property
    def engine(self) -> ModuleType:
        """The engine, with this game's rules."""
        return self.template(ENGINE)

    def template(self, path: Path, variant: str = "", **more: Any) -> ModuleType:
        """A template module with this game's rules among its globals, made once; `variant`: one that is given others."""
        with self._lock:
            if (path, variant) not in self._templates:
                given = {name: self._found[name] for name in self.RULES} | more
                name = f"{self.package}._{path.stem}{variant}"
                self._templates[path, variant] = instantiate(path, name, self.home, **given)
            return self._templates[path, variant]

    @cached_property
    def ended(self) -> Callable[[Any], bool]:
        """Has the game with this state ended? As plain Python: a page asks it dozens of times, and calling compiled code costs more."""
        found = self._found["is_over"]
        plain: Callable[[Any], bool] = getattr(found, "plain", found)
        return plain

    @cached_property
    def classic(self) -> ModuleType | None:
        """The judgement of the game's first bots, where it has another one now: `evaluate` and `prune` in its `classic.py`."""
        if not (self.folder / "classic.py").exists():
            return None
        return importlib.import_module(f"{self.package}.classic")

    def part_module(self, room: str, name: str) -> ModuleType | None:
        """The module of a part that the game may have (`part_in`), imported; None where it has none."""
        path = part_in(self.folder, room, name)
        if path is None:
            return None
        inside = "" if path.parent == self.folder else f"{room}."
        return importlib.import_module(f"{self.package}.{inside}{name}")

    @cached_property
    def reasons(self) -> ModuleType | None:
        """Why bots prefer one position to another: the parts of `evaluate` by name (`bots._reasons`), a template as its personas."""
        path = part_in(self.folder, "bot", "reasons")
        return self.template(path) if path else None

    @cached_property
    def printing(self) -> ModuleType | None:
        """What of the game is made of paper (`core.pieces`): its `text/printing.py`, with `sheets(game)`."""
        return self.part_module("text", "printing")

    @cached_property
    def personas(self) -> ModuleType | None:
        """The plans of its personas (`bots.persona`), a template: editing one compiles no rule of the game."""
        path = part_in(self.folder, "bot", "personas")
        return self.template(path) if path else None

    @property
    def plans(self) -> tuple[str, ...]:
        """What they are called."""
        return tuple(self.personas.PLANS) if self.personas else ()

    def leaning(self, plan: str) -> str:
        """What a bot leans to that holds this plan dearer than others do, in the reader's language: "prayer" for the monk."""
        return self.tongue((self.LEANINGS or {}).get(plan, plan), "leaning")

    @property
    def guide(self) -> Guide:
        """The guide, by paragraphs, in the reader's language."""
        if language() not in self._guides:
            guide = Guide.load(self.folder / "guide.md")
            self._guides[language()] = guide if language() == ENGLISH else guide.told(self.tongue)
        return self._guides[language()]

    @property
    def tongue(self) -> Tongue:
        """Its texts in the reader's language."""
        return tongue_of(self.folder)

    @cached_property
    def printed(self) -> dict[str, Any]:
        """`box.toml` as plain data."""
        return read_toml(self.folder / "box.toml")

    @cached_property
    def info(self) -> Info:
        """Title, designer, players, length."""
        return validated(Info, self.printed.get("game", {}), f"{self.name}/box.toml [game]")

"""A `Definition` is what a game's folder provides: its rules, tables and words, checked against the contract."""

from __future__ import annotations

import importlib
import inspect
import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from sutler.core import fast_record_reading, protocol
from sutler.core.actions import Action, ActionNames, ActionTable, Names
from sutler.core.events import EventTable
from sutler.core.files.box import Info, Option, read_toml, validate_sheet
from sutler.core.generated_rules import add_generated_rules
from sutler.core.per_game_modules import instantiate_template
from sutler.core.play.standing_orders import Order, expand_bounded_orders
from sutler.core.record import Record
from sutler.core.rule import Home, Rule, find_home
from sutler.core.tables import NOT_NOW, PhaseTable, Refusal
from sutler.core.text.guide import Guide
from sutler.core.text.language import ENGLISH, Tongue, get_language, load_tongue

ENGINE = Path(__file__).with_name("engine.py")
RULE_PARAMETERS = {one.__name__: tuple(inspect.signature(one).parameters) for one in protocol.RULES} | {
    "is_ahead": ("box", "state", "a", "b"),
    "prune": ("box", "state", "out"),
    "narrow": ("box", "state", "out"),
    "two_of": ("box", "state", "out"),
    "evaluate_noting": ("box", "state", "seat", "notes"),
    "is_quiet": ("state",),
    "judge_course": ("box", "state", "seat", "notes"),
}
"""The parameters of each rule that a game brings, by the rule's name."""
MAX_PACKED_BOXES = 64
"""The number of packed boxes that are kept for each game."""


def find_part_file(folder: Path, room: str, name: str) -> Path | None:
    """The file of an optional part of a game: ROOM/NAME.py, or NAME.py in a small game without such folders; None if there is neither."""
    return next((path for path in (folder / room / f"{name}.py", folder / f"{name}.py") if path.exists()), None)


class Definition:
    """The modules and tables of a game's folder: the names of its modules, checked against the contract.

    The rules it must have are listed in `core.protocol`, beside those of its actions; some are generated from its tables
    (`core.generated_rules`). Plain functions: `pack`, `view`, `breakdown`; `prompt` and `choice` are generated
    (`core.text.prompts_and_choices`); `complete` (for scenario files) is optional.
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
        "TABLE_LEVELS",
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
        "SUMS",
        "LEANINGS",
        "REPEATED",
    )  # bots: docs/bots.md; `spot`: core.words; four for the lab: docs/write-a-game.md; core.orders, core.words; plans; repeats

    def __init__(self, package: str, file: str, *modules: ModuleType) -> None:
        self.package = package
        self.name = package.rpartition(".")[2]
        self.folder = Path(file).parent
        found = add_generated_rules(package, self.folder, self.home, modules)
        for wanted in (*self.RULES, *self.TABLES, *self.WORDS):
            if wanted not in found:
                made = "; it is made of 'is_ahead', if there is one" if wanted == "rank" else ""
                raise TypeError(f"{package}: the contract asks for {wanted!r}; no module of the game has it{made}")
        for name, takes in RULE_PARAMETERS.items():
            if name in found and (given := tuple(inspect.signature(found[name]).parameters)) != takes:
                says = f"{package}: {name!r} takes ({', '.join(given)}), the contract's takes ({', '.join(takes)})"
                raise TypeError(f"{says}; a rule of the game's own wants another name")
        for wanted in self.OPTIONAL:
            found.setdefault(wanted, None)
        for large in protocol.SHARED:
            if isinstance(found.get(large), Rule):
                found[large].compile_separately()
        self._found = found
        self.state: Record = found["STATE"]
        self.box: Record = found["BOX"]
        fast_record_reading.speed_up_access(self.state, self.box)
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

    def build_refusal(self, reason: int, action: Action, phase: int) -> Refusal:
        """The refusal for `reason`, a number from `why_not`; for "not now" it says what must be done first in this phase."""
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

    def pack_printed_box(self, sheet: Any, options: dict[str, Any], declared: dict[str, Option]) -> Any:
        """A copy of the printed box's record with these options. Each set of options is packed once, which takes 0.1 s, and cached."""
        key = tuple(options.items())
        packed = self._packed.get(key) or self.pack(sheet, options, declared).tobytes()
        if key not in self._packed and len(self._packed) < MAX_PACKED_BOXES:
            self._packed[key] = packed
        return self.box.from_bytes(packed)

    def build_action_names(self, names: Names) -> ActionNames:
        """The table of action names for a box's names. Cached while the names stay equal."""
        known = self._named
        if known is None or known[0] != names:
            known = self._named = names, ActionNames(self.actions, names)
        return known[1]

    @cached_property
    def orders(self) -> dict[str, Order]:
        """The standing orders that a seat may give, {name: order}."""
        return expand_bounded_orders(self._found["ORDERS"] or {})

    @cached_property
    def home(self) -> Home:
        """The home of the game's rules: the folder for which they are compiled and cached."""
        return find_home(self.folder / "box.py")

    @property
    def engine(self) -> ModuleType:
        """The engine module (`core.engine`) made for this game's rules."""
        return self.instantiate_template(ENGINE)

    def instantiate_template(self, path: Path, variant: str = "", **more: Any) -> ModuleType:
        """The module of a template file, run with this game's rules among its globals; cached.

        `variant`: the key of a second copy, which has the globals `more` too.
        """
        with self._lock:
            if (path, variant) not in self._templates:
                given = {name: self._found[name] for name in self.RULES} | more
                name = f"{self.package}._{path.stem}{variant}"
                self._templates[path, variant] = instantiate_template(path, name, self.home, **given)
            return self._templates[path, variant]

    @cached_property
    def has_ended(self) -> Callable[[Any], bool]:
        """A plain Python function that says of a state whether the game has ended, faster than a call of compiled code."""
        found = self._found["is_over"]
        plain: Callable[[Any], bool] = getattr(found, "plain", found)
        return plain

    def import_part(self, room: str, name: str) -> ModuleType | None:
        """The module of an optional part of the game (`find_part_file`), imported; None where it has none."""
        path = find_part_file(self.folder, room, name)
        if path is None:
            return None
        inside = "" if path.parent == self.folder else f"{room}."
        return importlib.import_module(f"{self.package}.{inside}{name}")

    @cached_property
    def reasons(self) -> ModuleType | None:
        """The module `bot/reasons.py` of the game, which names the parts of `evaluate` (see `bots._reasons`); None without that file."""
        path = find_part_file(self.folder, "bot", "reasons")
        return self.instantiate_template(path) if path else None

    @cached_property
    def printing(self) -> ModuleType | None:
        """The module `text/printing.py` of the game, whose `sheets(game)` lists its paper pieces; None without that file."""
        return self.import_part("text", "printing")

    @cached_property
    def personas(self) -> ModuleType | None:
        """The module `bot/personas.py` of the game (see `bots.persona`); None without that file."""
        path = find_part_file(self.folder, "bot", "personas")
        return self.instantiate_template(path) if path else None

    @property
    def plans(self) -> tuple[str, ...]:
        """The names of the personas' plans."""
        return tuple(self.personas.PLANS) if self.personas else ()

    def get_persona_style(self, plan: str) -> str:
        """A persona's style of play in the reader's language, such as "prayer", for the sentence "leans to prayer"."""
        return self.tongue((self.LEANINGS or {}).get(plan, plan), "leaning")

    @property
    def guide(self) -> Guide:
        """The guide by paragraphs, in the reader's language."""
        if get_language() not in self._guides:
            guide = Guide.read_file(self.folder / "guide.md")
            self._guides[get_language()] = guide if get_language() == ENGLISH else guide.translate(self.tongue)
        return self._guides[get_language()]

    @property
    def tongue(self) -> Tongue:
        """The translated texts of the game (`Tongue`), in the reader's language."""
        return load_tongue(self.folder)

    @cached_property
    def printed(self) -> dict[str, Any]:
        """`box.toml` as plain data."""
        return read_toml(self.folder / "box.toml")

    @cached_property
    def info(self) -> Info:
        """The facts about the game: title, designer, players, length."""
        return validate_sheet(Info, self.printed.get("game", {}), f"{self.name}/box.toml [game]")

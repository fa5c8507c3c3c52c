"""The action table: the only place where an action is given its number, its name and its paragraph."""

from __future__ import annotations

import difflib
import operator
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sutler.core.bits import allow
from sutler.core.names import Numbers
from sutler.core.record import record, set_of

Names = Mapping[str, Sequence[str]]
"""The names of each kind's numbers: {"card": ["Pilgrimage", ...], "good": [...]}."""


@dataclass(frozen=True)
class Block:
    """A run of action ids with one verb.

    `kinds` say what each argument counts ("card", "seat"); the table's `sizes` say how many of each there are.

    Three rules belong to a block, found by the block's name: `do_place` carries the action out; `why_not_place` gives the reason
    against it; and, where speed asks for it, `allow_place` marks every action that `why_not_place` does not refuse.
    """

    rule: str
    kinds: tuple[str, ...] = ()
    when: str | tuple[str, ...] = ()
    """The phases in which the action is asked for; in any other the reason against it is "not now"."""
    free: bool = False
    """True if nothing is ever against it while it is asked for: it then has no `why_not` rule."""
    first: str = ""
    """The action that must come before it can be asked for ("Choose a card first.")."""
    ask: bool = False
    """True to ask even when it is the only legal action (taking it unasked would give something away to the others)."""
    verb: str = ""
    """The word that the actions' names begin with; empty: the block's own name."""
    label: str = ""
    """Template of the text shown for it, with the action's parts in braces ("Discard {card}")."""
    tone: str = ""
    """How the page shows the action: "" a plain choice, "quiet" a way round, "commit" ends or binds."""
    team: str | tuple[str, ...] = ()
    """The phases in which it is decided by all who play together: where several people sit at the table, what one of them chooses is
    shown to the others before it holds. Its parts must therefore be known to everybody.
    """
    aside: bool = False
    """True for a way out that people have beside every decision, such as surrender: `legal` never marks it, so no bot is offered it and
    a forced action stays forced; `why_not` says when it may be taken.
    """


@dataclass(frozen=True)
class Action:
    """One action: its id, its name, the paragraph it comes from and its named parts."""

    id: int
    name: str
    rule: str
    block: str
    args: tuple[int, ...] = ()

    def __int__(self) -> int:
        return self.id

    def __str__(self) -> str:
        return self.name


class ActionTable:
    """Blocks of action ids laid end to end.

    `ActionTable(sizes, place=Block("5.2", ("card",)))`: `sizes` gives how many numbers each kind has; the ids of a
    block are counted with the last argument fastest.
    """

    def __init__(self, sizes: Mapping[str, int], **blocks: Block) -> None:
        self.sizes = dict(sizes)
        self.blocks = blocks
        self.first: dict[str, int] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}
        total = 0
        for name, block in blocks.items():
            self.first[name] = total
            shape = tuple(self.sizes[kind] for kind in block.kinds)
            self._shapes[name] = shape
            total += int(np.prod(shape, dtype=np.int64))
        self.n = total
        self.numbers = Numbers("action", self.first)
        self.ids_record = record("ActionIds", set_of("action", "ids", total))

    def verb(self, block: str) -> str:
        """The word that the names of a block's actions begin with."""
        return self.blocks[block].verb or block.replace("_", " ")

    def shape(self, block: str) -> tuple[int, ...]:
        """The number of values of each argument of a block."""
        return self._shapes[block]

    def phases(self, block: str) -> tuple[str, ...]:
        """The names of the phases that ask for a block."""
        when = self.blocks[block].when
        return (when,) if isinstance(when, str) else tuple(when)

    def team_phases(self, block: str) -> tuple[str, ...]:
        """The names of the phases in which all players of a team decide on a block together."""
        team = self.blocks[block].team
        return (team,) if isinstance(team, str) else tuple(team)

    def block_of(self, action: int) -> str:
        """The block that an id belongs to; IndexError when there is none."""
        if not 0 <= action < self.n:
            raise IndexError(f"action {action}: ids run from 0 to {self.n - 1}")
        return next(name for name in reversed(self.first) if self.first[name] <= action)

    def decode(self, action: int) -> tuple[str, tuple[int, ...]]:
        """The block and the arguments of an id."""
        name = self.block_of(action)
        shape = self._shapes[name]
        if not shape:
            return name, ()
        return name, tuple(int(i) for i in np.unravel_index(action - self.first[name], shape))

    def encode(self, block: str, *args: int) -> int:
        """The id of a block's action with these arguments."""
        shape = self._shapes[block]
        return self.first[block] + (int(np.ravel_multi_index(args, shape)) if shape else 0)

    def ids(self, block: str) -> range:
        """The ids of a block."""
        start = self.first[block]
        return range(start, start + int(np.prod(self._shapes[block], dtype=np.int64)))

    def new_ids(self) -> Any:
        """An empty set of action ids: a record with the field `ids`, one bit for each id (see `bits.allow`)."""
        return self.ids_record.new()

    def always_asked(self) -> Any:
        """The set of action ids that are asked for even when they are the only choice."""
        out = self.new_ids()
        for name, block in self.blocks.items():
            if block.ask:
                for action in self.ids(name):
                    allow(out, action)
        return out


class ActionNames:
    """An action table with the names of one box, which turns ids into names and names into ids."""

    def __init__(self, table: ActionTable, names: Names) -> None:
        self.table = table
        self._by_id: list[Action] = list(self._iter_actions(names))
        self._by_name = {action.name.casefold(): action for action in self._by_id}
        if len(self._by_name) < len(self._by_id):
            ((twice, _),) = Counter(action.name.casefold() for action in self._by_id).most_common(1)
            raise ValueError(f"two actions are both called {self._by_name[twice].name!r}")

    def _iter_actions(self, names: Names) -> Iterator[Action]:
        """Yield every action, in the order of the ids."""
        for block_name, block in self.table.blocks.items():
            verb = self.table.verb(block_name)
            for action in self.table.ids(block_name):
                _, args = self.table.decode(action)
                words = [verb]
                for kind, arg in zip(block.kinds, args, strict=True):
                    listed = names.get(kind)
                    words.append(str(arg) if listed is None else listed[arg] if arg < len(listed) else f"{kind} {arg}")
                yield Action(action, " ".join(words), block.rule, block_name, args)

    def __getitem__(self, action: int) -> Action:
        return self._by_id[action]

    def __len__(self) -> int:
        return len(self._by_id)

    def find_action(self, name: str) -> Action | None:
        """The action of this name, compared without regard to case; None when there is none."""
        return self._by_name.get(" ".join(name.split()).casefold())

    def list_similar_names(self, name: str) -> list[str]:
        """Names close to a mistyped one, the closest first."""
        close = difflib.get_close_matches(name.casefold(), self._by_name, n=3, cutoff=0.6)
        return [self._by_name[key].name for key in close]


class IllegalAction(ValueError):
    """An error: an action cannot be taken now. `reason` says why; `rule` is the guide's paragraph that forbids it, or ""."""

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule


def to_action_id(action: Any) -> int:
    """The id of an action as an int, from any type of whole number; IllegalAction for anything else, such as 2.7."""
    try:
        return operator.index(action)
    except TypeError:
        raise IllegalAction(f"an action's id is one whole number, not {action!r}") from None

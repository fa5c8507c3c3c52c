"""The action table: the only place where an action is given its number, its name and its paragraph."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sutler.core.bits import allow
from sutler.core.numbers import Numbers
from sutler.core.record import record, set_of

Names = Mapping[str, Sequence[str]]
"""What the numbers of each kind are called: {"card": ["Pilgrimage", ...], "good": [...]}."""


@dataclass(frozen=True)
class Block:
    """A run of action ids with one verb: `kinds` say what each argument counts ("card", "seat"), `sizes` how many.

    Three rules stand for it, found by its name: `do_place`, what it does; `why_not_place`, the reason against it; and, where
    speed asks for it, `allow_place`, which marks what `why_not_place` has nothing against.
    """

    rule: str
    kinds: tuple[str, ...] = ()
    when: str | tuple[str, ...] = ()
    """The phases that ask for it; in another one the reason is "not now"."""
    free: bool = False
    """Nothing is ever against it while it is asked for, so it has no `why_not` of its own."""
    first: str = ""
    """What to do before it can be asked for: "Choose a card first."."""
    ask: bool = False
    """Ask even when it is the only choice (taking it unasked would tell the others something)."""
    verb: str = ""
    """What names begin with; the block's own name, if nothing else is said."""
    label: str = ""
    """How the table shows it, with its parts in braces: "Discard {card}"."""
    tone: str = ""
    """How the table shows it: "" a plain choice, "quiet" a way round, "commit" ends or binds."""
    team: str | tuple[str, ...] = ()
    """The phases in which it is the decision of all who play together: at a table of several people, what one of them chooses is
    shown to the others before it holds, whoever's seat is asked. So it must be made of what everybody knows."""
    aside: bool = False
    """A way out that people have beside every decision, such as surrender: `legal` never marks it, so no bot is offered it and
    no forced choice becomes a question; `why_not` says when it may be taken."""


@dataclass(frozen=True)
class Action:
    """One legal thing to do: its id, its name, the paragraph it comes from and its named parts."""

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
        """What the names of a block's actions begin with."""
        return self.blocks[block].verb or block.replace("_", " ")

    def shape(self, block: str) -> tuple[int, ...]:
        """How many numbers each argument of a block may be."""
        return self._shapes[block]

    def phases(self, block: str) -> tuple[str, ...]:
        """The names of the phases that ask for a block."""
        when = self.blocks[block].when
        return (when,) if isinstance(when, str) else tuple(when)

    def team_phases(self, block: str) -> tuple[str, ...]:
        """The names of the phases in which all who play together decide on a block."""
        team = self.blocks[block].team
        return (team,) if isinstance(team, str) else tuple(team)

    def block_of(self, action: int) -> str:
        """The block an id lies in; IndexError when there is none."""
        if not 0 <= action < self.n:
            raise IndexError(f"action {action}: ids run from 0 to {self.n - 1}")
        return next(name for name in reversed(self.first) if self.first[name] <= action)

    def decode(self, action: int) -> tuple[str, tuple[int, ...]]:
        """An id as its block and arguments."""
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
        """All ids of a block."""
        start = self.first[block]
        return range(start, start + int(np.prod(self._shapes[block], dtype=np.int64)))

    def new_ids(self) -> Any:
        """An empty set of action ids: a record whose field `ids` has one bit an id (see `bits.allow`)."""
        return self.ids_record.new()

    def always_asked(self) -> Any:
        """The set of ids that are never taken for a seat unasked."""
        out = self.new_ids()
        for name, block in self.blocks.items():
            if block.ask:
                for action in self.ids(name):
                    allow(out, action)
        return out


class ActionNames:
    """An action table with the names of one box: ids to names and back."""

    def __init__(self, table: ActionTable, names: Names) -> None:
        self.table = table
        self._by_id: list[Action] = list(self._all(names))
        self._by_name = {action.name.casefold(): action for action in self._by_id}
        if len(self._by_name) < len(self._by_id):
            ((twice, _),) = Counter(action.name.casefold() for action in self._by_id).most_common(1)
            raise ValueError(f"two actions are both called {self._by_name[twice].name!r}")

    def _all(self, names: Names) -> Iterator[Action]:
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

    def find(self, name: str) -> Action | None:
        """The action of this name, whatever its capitals; None when no action is called so."""
        return self._by_name.get(" ".join(name.split()).casefold())

    def like(self, name: str) -> list[str]:
        """Names that a mistyped one may have meant."""
        close = difflib.get_close_matches(name.casefold(), self._by_name, n=3, cutoff=0.6)
        return [self._by_name[key].name for key in close]

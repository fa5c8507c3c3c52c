"""A rule called by what stands in a record: whoever calls it is compiled once, whatever rule it will be.

`call_address(rule, row, box, scratch, luck)` says how the rule is called: `code` is where its machine code lies (0: it is not
compiled), `number` which rule it is in this process, and the row is handed on by its address, so that it may be of any kind.
Compiled: a jump to that address (`core.machine.words`).
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any, NamedTuple

import numpy as np

from sutler.core.rule import Rule

NOT_COMPILED = -1
"""The answer that compiled code gets of a rule that was named while rules ran as plain Python."""

_lock = threading.Lock()
_numbered: list[tuple[Rule, np.dtype[Any]]] = []


class Address(NamedTuple):
    """Where a rule is found: `code` in memory, or 0; `number` among the rules of this process that were named so."""

    code: int
    number: int


def call_address(rule: Rule, box: Any, scratch: Any, row: Any, luck: Any) -> Address:
    """The address of a rule that takes (box, scratch, row, luck) and returns an int, for arguments of these kinds.

    Where its home runs compiled in this thread it is compiled, or loaded. TypeError: it returns something else than an int.
    """
    with _lock:
        known = rule, row.dtype
        if known not in _numbered:
            _numbered.append(known)
        number = _numbered.index(known)
    return Address(rule.address(box, scratch, row, luck) if rule.runs_compiled() else 0, number)


def call_by_address(code: Any, number: Any, row: Any, box: Any, scratch: Any, luck: Any) -> Any:
    """Call the rule at an `Address` with the record at the address `row`; NOT_COMPILED where compiled code finds none."""
    rule, dtype = _numbered[int(number)]
    memory = memoryview((ctypes.c_char * dtype.itemsize).from_address(int(row)))
    return rule(box, scratch, np.frombuffer(memory, dtype)[0], luck)

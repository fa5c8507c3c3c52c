"""Calls of rules through a function pointer that a record holds, so that the caller is compiled once for all rules it may call.

`find_rule_address(rule, box, scratch, row, luck)` gives the pointer: `code` is the address of the rule's machine code (0 while rules run as
plain Python), `number` the rule's index in this process, by which plain Python finds it. The record `row` is passed by its address too,
so that it may be of any type. In compiled code `call_by_address` is a jump to `code` (`core.compilation.intrinsics`).
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any, NamedTuple

import numpy as np

from sutler.core.rule import Rule

NOT_COMPILED = -1
"""Returned by `call_by_address` in compiled code if `code` is 0: the address was made while rules ran as plain Python."""

_lock = threading.Lock()
_numbered: list[tuple[Rule, np.dtype[Any]]] = []


class Address(NamedTuple):
    """A pointer to a rule: the address of its machine code (`code`, 0 for none) and its index among this process's rules (`number`)."""

    code: int
    number: int


def find_rule_address(rule: Rule, box: Any, scratch: Any, row: Any, luck: Any) -> Address:
    """The pointer to a rule that takes (box, scratch, row, luck) and returns an int, compiled for the types of these arguments.

    The rule is compiled, or loaded from the cache, unless rules run as plain Python here. TypeError where it does not return an int.
    """
    with _lock:
        known = rule, row.dtype
        if known not in _numbered:
            _numbered.append(known)
        number = _numbered.index(known)
    return Address(rule.address(box, scratch, row, luck) if rule.runs_compiled() else 0, number)


def call_by_address(code: Any, number: Any, row: Any, box: Any, scratch: Any, luck: Any) -> Any:
    """Call the rule of the `Address` (code, number) with the record in memory at `row`, and return its int.

    In compiled code NOT_COMPILED is returned if `code` is 0.
    """
    rule, dtype = _numbered[int(number)]
    memory = memoryview((ctypes.c_char * dtype.itemsize).from_address(int(row)))
    return rule(box, scratch, np.frombuffer(memory, dtype)[0], luck)

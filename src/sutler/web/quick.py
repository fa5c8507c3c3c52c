"""Jinja, quicker at what a board does hundreds of times in a picture: to put text in, to call a macro, to draw an icon.

What comes out is the same to the letter (`tests/web/test_quick.py` draws pages both ways).
"""

from __future__ import annotations

import functools
import marshal
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from types import FunctionType
from typing import Any

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

from sutler.core.language import language

DICT_WORDS = frozenset(dir(dict))
_needs_quoting = re.compile("[&<>\"']").search
MOST_ICONS = 4096
MOST_KEPT = 4000
"""Drawings that are kept of each kind."""
_Cached = type(functools.lru_cache(str))


def quoted(value: Any) -> Any:
    """What is safe to put into a page; most words have nothing in them that must be quoted."""
    kind = type(value)
    if kind is Markup:
        return value
    if kind is str and _needs_quoting(value) is None:
        return value
    return str(value) if kind is int else escape(value)


class QuickCode(CodeGenerator):
    """Templates put text in by `quoted`."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
            return
        self.write("environment.quoted(")
        if finalize.src is not None:
            self.write(finalize.src)


class Kept:
    """A macro that depends on nothing but what it is given: what it has drawn of that is kept, for all tables together."""

    __slots__ = ("drawn", "macro")

    def __init__(self, macro: Macro, drawn: dict[Any, Markup]) -> None:
        self.macro, self.drawn = macro, drawn

    def __call__(self, *args: Any, by: Any = None) -> Markup:
        """`by`: what tells one drawing from another, where that cannot be what the macro is given."""
        return _found(self.drawn, args if by is None else by, lambda: self.macro(*args))


def _found(drawn: dict[Any, Markup], key: Any, draw: Callable[[], str]) -> Markup:
    found = drawn.get(key)
    if found is None:
        if len(drawn) >= MOST_KEPT:
            drawn.clear()
        found = drawn[key] = Markup(draw())
    return found


_drawings: defaultdict[str, dict[Any, Markup]] = defaultdict(dict)


def kept(name: str, macro: Macro) -> Kept:
    """The macro, keeping what it draws, in each language. `name` tells it from all others: "bellum hexagon"."""
    return Kept(macro, _drawings[f"{language()} {name}"])


def kept_by(name: str, things: Iterable[Hashable], draw: Callable[[], str]) -> Markup:
    """What is drawn of these things and of nothing else, in each language; `name` tells it from all others."""
    return _found(_drawings[f"{language()} part {name}"], tuple(things), draw)


def kept_drawings() -> list[dict[Any, Markup]]:
    """All that is kept so, a dictionary for each kind and language."""
    return list(_drawings.values())


def same(*things: Any) -> bytes:
    """The same bytes for the same plain data: a key for what is drawn of it."""
    try:
        return marshal.dumps(things, 2)
    except ValueError:  # a text marked as safe is a text of another kind
        return repr(things).encode()


class QuickContext(Context):
    """Calls macros and functions straight away: what they want to be given beside their arguments need not be found out each time.

    A function that is given the context is given the page's own: none here looks at the variables of a loop.
    """

    def call(__self, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        if type(__obj) is FunctionType:
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            wants = __obj.__dict__.get("jinja_pass_arg")
            if wants is None:
                return __obj(*args, **kwargs)
            if wants.name == "context":
                return __obj(__self, *args, **kwargs)
        if type(__obj) is Macro or type(__obj) is _Cached or type(__obj) is Kept:
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            return __obj(__self.eval_ctx, *args, **kwargs) if type(__obj) is Macro else __obj(*args, **kwargs)
        return super().call(__obj, *args, **kwargs)


class Templates(Environment):
    """Jinja's environment; `view.turn` looks into plain dictionaries first, where nearly everything lies."""

    code_generator_class = QuickCode
    context_class = QuickContext
    quoted = staticmethod(quoted)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An attribute or an entry; the words of a dictionary itself (`items`) mean what they always do."""
        if type(obj) is dict and attribute in obj and attribute not in DICT_WORDS:
            return obj[attribute]
        return super().getattr(obj, attribute)


@functools.cache
def icons(symbol: Callable[[str], str]) -> Callable[..., Markup]:
    """`icon("wheat", "crops")` by a game's own symbols: each is drawn once and kept."""

    @functools.lru_cache(maxsize=MOST_ICONS)
    def icon(name: str, label: str = "", cls: str = "") -> Markup:
        kind = f" {cls}" if cls else ""
        told = f' role="img" aria-label="{escape(label)}"' if label else ' aria-hidden="true"'
        return Markup(f'<svg class="icon{escape(kind)}"{told}><use href="#{escape(symbol(name))}"/></svg>')

    return icon

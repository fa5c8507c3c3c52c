"""Jinja, quicker at what a board does hundreds of times in a picture: to put text in, to call a macro, to draw an icon.

What comes out is the same to the letter (`tests/web/test_fast_jinja.py` draws pages both ways).
"""

from __future__ import annotations

import functools
import marshal
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from string import Formatter
from types import FunctionType
from typing import Any

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, Macro, Undefined
from markupsafe import Markup, escape

from sutler.core.language import language

PRINTED = "macros.html"
"""The template of the small printed things, which nearly all others import."""
DICT_WORDS = frozenset(dir(dict))
NOTHING = Undefined("an inline if without else came to nothing")
_needs_quoting = re.compile("[&<>\"']").search
MOST_ICONS = 4096
MOST_TEXTS = 4096
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
    if value is NOTHING:
        return ""
    return str(value) if kind is int else escape(value)


@functools.lru_cache(maxsize=MOST_TEXTS)
def _pieces(text: str) -> list[tuple[str, str | None]] | None:
    """(what stands before a field, its name) for each field of a text; None where more than a name stands in braces."""
    found = list(Formatter().parse(text))
    plain = all(name is None or (name.isidentifier() and not spec and not turned) for _, name, spec, turned in found)
    return [(before, name) for before, name, _, _ in found] if plain else None


def filled(text: str, fields: Mapping[str, Any]) -> Markup:
    """A text that is markup, with these things, quoted, where their names stand in braces."""
    pieces = _pieces(text)
    if pieces is None:
        return Markup(text).format(**fields)
    return Markup("".join(before if name is None else before + quoted(fields[name]) for before, name in pieces))


class QuickCode(CodeGenerator):
    """Templates put text in by `quoted`."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
            return
        self.write("environment.quoted(")
        if finalize.src is not None:
            self.write(finalize.src)

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:
        """`{{ this if that }}` and else nothing: always the same nothing, which need not be made each time."""
        if node.expr2 is not None:
            super().visit_CondExpr(node, frame)
            return
        frame = frame.soft()
        self.write("(")
        self.visit(node.expr1, frame)
        self.write(" if ")
        self.visit(node.test, frame)
        self.write(" else environment.nothing)")


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

    def __init__(
        self, environment: Environment, parent: dict[str, Any], name: str | None, blocks: Any, globals: Any = None
    ) -> None:
        """All templates know the same, so what is imported need not be made anew: it is not counted what this one knows."""
        super().__init__(environment, parent, name, blocks)

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


class Shared(dict[str, Any]):
    """A context that many templates share: all that templates know is in it, and nobody copies it.

    `made`: templates that were made for it, of which one is enough.
    """

    def __init__(self, *things: Mapping[str, Any]) -> None:
        super().__init__(*things)
        self.made: dict[str, TemplateModule] = {}


class QuickTemplate(Template):
    """A template that several import for one page is made once."""

    def make_module(
        self, vars: dict[str, Any] | None = None, shared: bool = False, locals: Mapping[str, Any] | None = None
    ) -> TemplateModule:
        """As in Jinja; the small printed things are the same for all who share a context."""
        if not isinstance(vars, Shared) or locals or self.name != PRINTED:
            return super().make_module(vars, shared, locals)
        if PRINTED not in vars.made:
            vars.made[PRINTED] = super().make_module(vars, shared)
        return vars.made[PRINTED]


class Templates(Environment):
    """Jinja's environment; `view.turn` looks into plain dictionaries first, where nearly everything lies."""

    code_generator_class = QuickCode
    context_class = QuickContext
    template_class = QuickTemplate
    quoted = staticmethod(quoted)
    nothing = NOTHING

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

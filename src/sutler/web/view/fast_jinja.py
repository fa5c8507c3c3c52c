"""A faster Jinja for operations that a board needs hundreds of times per page: insert text, call a macro, draw an icon.

Its output is the same to the byte (`tests/web/test_fast_jinja.py` renders pages both ways).
"""

from __future__ import annotations

import functools
import marshal
import operator
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

from sutler.core.text.language import get_language

MACROS_TEMPLATE = "macros.html"
"""The template with the macros of icons, shields and seals, which nearly all others import."""
DICT_METHODS = frozenset(dir(dict))
NO_TEXT = Undefined("an inline if without else came to nothing")
_needs_escaping = re.compile("[&<>\"']").search
MAX_ICONS = 4096
MAX_TEXTS = 4096
MAX_DRAWINGS = 4000
"""Entries of one cache of macro output; a full cache is emptied."""
MAX_PIECES = 16_000
"""Entries of one cache for pieces that a page shows by the hundred: every area of a map in each of its states."""
_LruCached = type(functools.lru_cache(str))


def escape_value(value: Any) -> Any:
    """A value in the form in which it is inserted into HTML. Most text needs no escaping, which is checked first because it is fast."""
    kind = type(value)
    if kind is Markup:
        return value
    if kind is str and _needs_escaping(value) is None:
        return value
    if value is NO_TEXT:
        return ""
    return str(value) if kind is int else escape(value)


@functools.lru_cache(maxsize=MAX_TEXTS)
def _split_into_fields(text: str) -> list[tuple[str, str | None]] | None:
    """(the text before a field, the field's name) for each field of a text; None where braces hold more than a name."""
    found = list(Formatter().parse(text))
    plain = all(name is None or (name.isidentifier() and not spec and not turned) for _, name, spec, turned in found)
    return [(before, name) for before, name, _, _ in found] if plain else None


def fill_fields(text: str, fields: Mapping[str, Any]) -> Markup:
    """The text as markup, each field in braces replaced by its escaped value."""
    pieces = _split_into_fields(text)
    if pieces is None:
        return Markup(text).format(**fields)
    told: list[str] = []
    for before, name in pieces:  # one list, not sums: a text plus Markup would be escaped itself
        told.append(before)
        if name is not None:
            told.append(escape_value(fields[name]))
    return Markup("".join(told))


class FastCodeGenerator(CodeGenerator):
    """Compiles templates so that they insert text by `escape_value`, and look into dictionaries without a call."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        """Write the call of `escape_value` around an inserted value, where the value is to be escaped."""
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
            return
        self.write("environment.escaped(")
        if finalize.src is not None:
            self.write(finalize.src)

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """Compile `view.turn` to a look-up in a dictionary; what is no entry of a dictionary is left to `getattr`."""
        if node.attr in DICT_METHODS:
            super().visit_Getattr(node, frame)
            return
        self.write(f"(of[{node.attr!r}] if type(of := ")
        self.visit(node.node, frame)
        self.write(f") is dict and {node.attr!r} in of else environment.getattr(of, {node.attr!r}))")

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:
        """Compile `{{ a if b }}` without an else to one shared undefined value, instead of a new one each time."""
        if node.expr2 is not None:
            super().visit_CondExpr(node, frame)
            return
        frame = frame.soft()
        self.write("(")
        self.visit(node.expr1, frame)
        self.write(" if ")
        self.visit(node.test, frame)
        self.write(" else environment.nothing)")


class CachedMacro:
    """A macro whose output depends only on its arguments; the output is cached for all tables together."""

    __slots__ = ("drawn", "macro")

    def __init__(self, macro: Macro, drawn: dict[Any, Markup]) -> None:
        self.macro, self.drawn = macro, drawn

    def __call__(self, *args: Any, by: Any = None) -> Markup:
        """The macro's output for these arguments. `by`: the cache key, where the arguments cannot be hashed."""
        return _get_or_draw(self.drawn, args if by is None else by, lambda: self.macro(*args))


def _get_or_draw(drawn: dict[Any, Markup], key: Any, draw: Callable[[], str]) -> Markup:
    """The cached output for a key; computed by `draw` where there is none."""
    found = drawn.get(key)
    if found is None:
        if len(drawn) >= MAX_DRAWINGS:
            drawn.clear()
        found = drawn[key] = Markup(draw())
    return found


_drawings: defaultdict[str, dict[Any, Markup]] = defaultdict(dict)


def cache_macro(name: str, macro: Macro) -> CachedMacro:
    """The macro with a cache of its output in each language. `name` must differ from that of any other macro: "bellum hexagon"."""
    return CachedMacro(macro, _drawings[f"{get_language()} {name}"])


def draw_each(name: str, macro: Macro, items: Iterable[Any], *given: Any) -> Markup:
    """The output of `macro(item, *given)` for each item, joined; each output is cached by its item and the other arguments.

    For the many small pieces of a map, few of which change in a move. The items are plain data; the output must depend on the arguments
    only. `name` must differ from that of any other macro.
    """
    drawn, beside = _drawings[f"{get_language()} each {name}"], make_cache_key(*given)
    if len(drawn) >= MAX_PIECES:
        drawn.clear()
    pieces = []
    for item in items:
        key = beside + make_cache_key(item)
        piece = drawn.get(key)
        if piece is None:
            piece = drawn[key] = Markup(macro(item, *given))
        pieces.append(piece)
    return Markup("".join(pieces))


def get_or_draw_cached(name: str, values: Iterable[Hashable], draw: Callable[[], str]) -> Markup:
    """The output of `draw`, cached by language, `name` and `values`, the values it is drawn from; it must depend on nothing else."""
    return _get_or_draw(_drawings[f"{get_language()} part {name}"], tuple(values), draw)


def list_all_caches() -> list[dict[Any, Markup]]:
    """All caches of output, a dictionary for each name and language."""
    return list(_drawings.values())


def make_cache_key(*things: Any) -> bytes:
    """A cache key for these values: bytes that are equal for equal plain data."""
    try:
        return marshal.dumps(things, 2)
    except ValueError:  # Markup is a subclass of str, which marshal refuses
        return repr(things).encode()


def make_lit_key(lit: Mapping[str, list[dict[str, Any]]], *prefixes: str) -> list[tuple[str, ...]]:
    """A cache key for the highlighted spots whose names begin with one of `prefixes`, and for the texts of their choices.

    `lit`: the choices by spot (`buttons.group_choices_by_spot`).
    """
    return [(at, *(one["by"] for one in choices)) for at, choices in lit.items() if at.startswith(prefixes)]


# --- Rows: work that a loop in a template would do two hundred times per page -----------------------


def index_rows(rows: Iterable[Mapping[str, Any]], field: str) -> dict[Any, Mapping[str, Any]]:
    """{value of this field: its row}; of several rows with one value, the last."""
    return {row[field]: row for row in rows}


def group_rows(rows: Iterable[Mapping[str, Any]], field: str) -> dict[Any, list[Mapping[str, Any]]]:
    """{value of this field: list of its rows}, in the order of the rows."""
    found: dict[Any, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row[field], []).append(row)
    return found


def select_columns(rows: Iterable[Mapping[str, Any]], *fields: str) -> list[tuple[Any, ...]]:
    """The values of two or more fields of each row, as tuples."""
    return list(map(operator.itemgetter(*fields), rows))


def pair_rows(
    rows: Iterable[Mapping[str, Any]], field: str, others: Mapping[Any, Any]
) -> list[tuple[Mapping[str, Any], Any]]:
    """Each row, paired with the value that `others` has for the row's value of this field; None where `others` has none."""
    return [(row, others.get(row[field])) for row in rows]


class FastContext(Context):
    """A template context that calls macros and functions directly, without Jinja's look-up of extra arguments for each call.

    A function that takes the context gets that of the page; none of ours uses the variables of a loop.
    """

    def __init__(
        self, environment: Environment, parent: dict[str, Any], name: str | None, blocks: Any, globals: Any = None
    ) -> None:
        """Create a context.

        `globals` is ignored: all templates share theirs, so Jinja's record of a template's own names is not needed.
        """
        super().__init__(environment, parent, name, blocks)

    def get_all(self) -> dict[str, Any]:
        """The variables for an imported template: a shared context alone, without those of the importing template."""
        return self.parent if isinstance(self.parent, SharedContext) else super().get_all()

    def call(__self, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a macro or function directly; anything else as Jinja does."""
        if type(__obj) is FunctionType:
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            wants = __obj.__dict__.get("jinja_pass_arg")
            if wants is None:
                return __obj(*args, **kwargs)
            if wants.name == "context":
                return __obj(__self, *args, **kwargs)
        if type(__obj) is Macro or type(__obj) is _LruCached or type(__obj) is CachedMacro:
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            return __obj(__self.eval_ctx, *args, **kwargs) if type(__obj) is Macro else __obj(*args, **kwargs)
        return super().call(__obj, *args, **kwargs)


class SharedContext(dict[str, Any]):
    """A context that many templates share without copying it; it includes the environment's globals.

    `made`: the modules of templates imported under it, each made once.
    """

    def __init__(self, *things: Mapping[str, Any]) -> None:
        super().__init__(*things)
        self.made: dict[str, TemplateModule] = {}


class FastTemplate(Template):
    """A template that becomes a module once for each page, however many templates import it."""

    def make_module(
        self, vars: dict[str, Any] | None = None, shared: bool = False, locals: Mapping[str, Any] | None = None
    ) -> TemplateModule:
        """The template as a module of macros; for a shared context it is made once, and sees only that context."""
        if not isinstance(vars, SharedContext) or self.name is None:
            return super().make_module(vars, shared, locals)
        if self.name not in vars.made:
            vars.made[self.name] = super().make_module(vars, shared=True)
        return vars.made[self.name]


class FastEnvironment(Environment):
    """A Jinja environment in which `view.turn` looks into plain dictionaries first, since nearly all data are in them."""

    code_generator_class = FastCodeGenerator
    context_class = FastContext
    template_class = FastTemplate
    escaped = staticmethod(escape_value)
    nothing = NO_TEXT

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A dictionary's entry or an attribute; names of a dictionary's own methods (`items`) mean the methods."""
        if type(obj) is dict and attribute in obj and attribute not in DICT_METHODS:
            return obj[attribute]
        return super().getattr(obj, attribute)


@functools.cache
def make_icon_function(symbol: Callable[[str], str]) -> Callable[..., Markup]:
    """A cached function `icon("wheat", "crops")` that draws a game's symbol as SVG. `symbol`: gives the id of the drawing for a name."""

    @functools.lru_cache(maxsize=MAX_ICONS)
    def icon(name: str, label: str = "", cls: str = "") -> Markup:
        """The drawing of a name as SVG; `label`: its text for screen readers, "" to hide it from them; `cls`: further classes of CSS."""
        kind = f" {cls}" if cls else ""
        told = f' role="img" aria-label="{escape(label)}"' if label else ' aria-hidden="true"'
        return Markup(f'<svg class="icon{escape(kind)}"{told}><use href="#{escape(symbol(name))}"/></svg>')

    return icon

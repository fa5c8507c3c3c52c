"""From what a seat may see to a page: sentences as markup, symbols by name, templates. Nothing is judged here."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    FunctionLoader,
    StrictUndefined,
    pass_context,
    select_autoescape,
)
from jinja2.runtime import Context
from markupsafe import Markup

from sutler.core.language import ENGLISH, HOUSE, LANGUAGES, _, language
from sutler.core.registry import folder_of
from sutler.web.http.language import words_script
from sutler.web.view.fast_jinja import PRINTED, Shared, Templates, filled, icons, kept, same
from sutler.web.wording import plain, texts_of, tongue_of_template, words

HERE = Path(__file__).parent.parent
STATIC = HERE / "static"
_ID = re.compile(r'<(?:symbol|g)\b[^>]*\bid="([^"]+)"')


# --- Sentences ----------------------------------------------------------------------------------


def ago(at: datetime) -> str:
    """How long ago, in a few letters."""
    seconds = (datetime.now(UTC) - at).total_seconds()
    if seconds < 90:
        return _("now")
    if seconds < 5400:
        return _("{n} min ago", n=f"{seconds / 60:.0f}")
    if seconds < 129600:
        return _("{n} h ago", n=f"{seconds / 3600:.0f}")
    return _("{n} days ago", n=f"{seconds / 86400:.0f}")


def tidy(number: float) -> str:
    """9 for 9.0, 9.5 for 9.5, a real minus."""
    text = f"{number:.1f}".removesuffix(".0")
    return text.replace("-", "−")


def chapters(primer: str) -> Markup:
    """A primer's contents: a line for each of its chapters."""
    found = re.findall(
        r'<section class="chap" id="([^"]+)".*?<span class="no">([^<]+)</span><h2[^>]*>(.*?)</h2>', primer
    )
    return Markup("".join(f'<li><a href="#{at}"><b>{number}</b>{title}</a></li>' for at, number, title in found))


# --- Symbols ------------------------------------------------------------------------------------


@functools.cache
def sprite(game: str = "") -> str:
    """All drawings a page needs, as one SVG: the house's and, at a table, the game's."""
    files = [STATIC / "icons.svg", STATIC / "arms.svg", STATIC / "engravings.svg"]
    if game:
        files += sorted((folder_of(game) / "board").glob("*.svg"))
    seen: set[str] = set()
    body = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        inner = text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")]
        for piece in re.findall(
            r"<(?:symbol|pattern)\b.*?</(?:symbol|pattern)>|<g id=.*?</g>|<!--.*?-->", inner, re.DOTALL
        ):
            named = _ID.match(piece)
            if named and named[1] in seen:
                continue
            if named:
                seen.add(named[1])
            body.append(piece)
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(body) + "\n</svg>\n"


@functools.cache
def symbols(game: str = "") -> frozenset[str]:
    """The ids in a sprite."""
    return frozenset(_ID.findall(sprite(game)))


@functools.cache
def symbol_finder(game: str = "") -> Any:
    """`symbol("wheat")`: the id of the game's own drawing if it has one, else the house's."""
    have = symbols(game)

    def symbol(name: str) -> str:
        for one in (f"i-{name}", name):
            if one in have:
                return one
        return "quill-ink"

    return symbol


@functools.cache
def shields(game: str = "") -> str:
    """How a game's drawings of the seats' shields are called: its own `crest-1` and on, or the house's `arms-1`."""
    return "crest" if "crest-1" in symbols(game) else "arms"


@functools.cache
def charges(game: str = "") -> tuple[str, ...]:
    """What stands on each of these shields, read from the drawing itself."""
    drawn = rf'<symbol id="{shields(game)}-\d".*?class="arms-charge" href="#([^"]+)"'
    return tuple(re.findall(drawn, sprite(game)))


@functools.cache
def fingerprint(path: str) -> str:
    """A few letters that change when a static file does."""
    return hashlib.sha256((STATIC / path).read_bytes()).hexdigest()[:10]


@functools.cache
def sprite_url(game: str = "") -> str:
    """Where the sprite lies; the address changes when a drawing does."""
    mark = hashlib.sha256(sprite(game).encode()).hexdigest()[:10]
    return f"/sprite/{game or 'house'}.svg?v={mark}"


def static(path: str) -> str:
    """The address of a static file."""
    return f"/static/{path}?v={fingerprint(path)}"


@functools.cache
def board_files(game: str) -> dict[str, str]:
    """Addresses of a game's own style and script, where it has them; without a board of its own it gets the plain one's."""
    if not (folder_of(game) / "board" / "board.html").exists():
        return {"css": static("plain-board.css")}
    out = {}
    for name in ("board.css", "board.js"):
        path = folder_of(game) / "board" / name
        if path.exists():
            mark = hashlib.sha256(path.read_bytes()).hexdigest()[:10]
            out[name.removeprefix("board.")] = f"/games/{game}/{name}?v={mark}"
    return out


# --- Languages ----------------------------------------------------------------------------------


_marked_up = functools.lru_cache(maxsize=8192)(Markup)


@pass_context
def said(context: Context, text: str, /, **fields: Any) -> Markup:
    """`_("Send <b>{name}</b> this link:", name=name)` in a template: the text in the reader's language; what stands in braces is
    quoted, the text itself is markup.
    """
    if language() != ENGLISH:
        text = tongue_of_template(context.name or "")(text)
    return filled(text, fields) if fields else _marked_up(text)


@pass_context
def said_many(context: Context, one: str, other: str, n: int, /, **fields: Any) -> Markup:
    """The same of so many things; `n` is a field."""
    found = HOUSE if language() == ENGLISH else tongue_of_template(context.name or "")
    return filled(found.form(one, other, n), {"n": n, **fields})


@pass_context
def named(context: Context, kind: str, name: str) -> str:
    """What a card, a land or whatever else of the box is called in the reader's language: `named("card", "Wheat")`."""
    return name if language() == ENGLISH else tongue_of_template(context.name or "")(name, kind)


def foreign(game: str) -> Markup:
    """The mark of a long text that a game has in English only, where the page is in another language."""
    return Markup("" if tongue_of_template(game).speaks() else ' lang="en"')


def kind_of_rule(kind: str) -> str:
    """What a paragraph's kind is called."""
    if language() == ENGLISH:
        return kind
    called = {"ruling": _("ruling"), "option": _("option"), "reconstruction": _("reconstruction")}
    return called.get(kind, kind)


# --- Templates ----------------------------------------------------------------------------------


def _of_game(path: str) -> str | None:
    """A template that a game's folder brings; the plain board where it brings none."""
    game, _, rest = path.partition("/")
    try:
        own = folder_of(game) / rest
    except KeyError:
        return None
    if not own.exists() and rest == "board/board.html":
        own = HERE / "templates" / "plain_board.html"
    return own.read_text(encoding="utf-8") if own.is_file() else None


_json_of = json.JSONEncoder(sort_keys=True).encode


def _json(thing: Any, **_sorted: Any) -> str:
    """`tojson`'s own; the encoder is not made anew for each button."""
    return _json_of(thing)


@functools.cache
def templates() -> Environment:
    """The house's templates, and each game's board under "<game>/board/board.html": its own, or the plain one."""
    env = Templates(
        loader=ChoiceLoader([FileSystemLoader(HERE / "templates"), FunctionLoader(_of_game)]),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    env.policies["json.dumps_function"] = _json
    env.filters.update(chapters=chapters, words=words, plain=plain, ago=ago, tidy=tidy, bare=str)
    env.globals.update(static=static, sprite_url=sprite_url, icons=icons, kept=kept, same=same)
    env.globals.update(
        _=said, many=said_many, named=named, texts_of=texts_of, foreign=foreign, kind_of_rule=kind_of_rule
    )
    env.globals.update(language=language, languages=LANGUAGES, words_script=words_script)
    return env


def render(template: str, /, **context: Any) -> str:
    """A template with its context."""
    context.setdefault("symbol", symbol_finder())
    return templates().get_template(template).render(**context)


def curve_of(game: str) -> tuple[str, str]:
    """What the curve at a game's end shows: where a seat's view holds it ("": the score), and what it is called."""
    return _curve(game, language())


def render_with(template: str, context: Shared) -> str:
    """A template with a context that many share (`shared`), which is not copied for each."""
    found = templates().get_template(template)
    return "".join(found.root_render_func(found.new_context(context, shared=True)))


def shared(context: dict[str, Any]) -> Shared:
    """This context, for many templates."""
    return Shared({**templates().globals, **context})


@functools.cache
def _curve(game: str, wanted: str) -> tuple[str, str]:
    board = board_module(game, {"lit": {}, "reasons": {}, "before": None, "symbol": str})
    count, word = getattr(board, "CURVE", ("", getattr(board, "score_word", "score")))
    return str(count), str(word)


def printed_things(context: Shared) -> dict[str, Any]:
    """The small things that all parts of a page are printed with, made once for all of them. The context is a `shared` one."""
    made = templates().get_template(PRINTED).make_module(context, shared=True)
    return {name: getattr(made, name) for name in ("icon", "shield", "seal")}


def board_module(game: str, context: dict[str, Any]) -> Any:
    """The macros of a game's board, seeing this context; a `shared` one is not copied."""
    found = templates().get_template(f"{game}/board/board.html")
    return found.make_module(context, shared=isinstance(context, Shared))

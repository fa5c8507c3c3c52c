"""Templates, and functions they use: translated sentences, symbols, addresses of static files. Nothing here knows the rules of a game."""

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

from sutler.core.play.registry import find_game_folder, games
from sutler.core.text.language import ENGLISH, HOUSE, LANGUAGES, _, get_language
from sutler.web.root_path import get_root_path
from sutler.web.sentence_html import (
    find_template_catalogue,
    format_number,
    get_game_texts,
    get_script_words_url,
    render_sentence,
    to_plain_text,
)
from sutler.web.view.fast_jinja import (
    MACROS_TEMPLATE,
    FastEnvironment,
    SharedContext,
    cache_macro,
    draw_each,
    fill_fields,
    group_rows,
    index_rows,
    make_cache_key,
    make_icon_function,
    make_lit_key,
    pair_rows,
    select_columns,
)

HERE = Path(__file__).parent.parent
STATIC = HERE / "static"
COVER_PICTURE, COVER_WIDTH_PX, COVER_HEIGHT_PX = "cover.jpg", 1200, 630
"""The picture of a game's cover in its folder, in the size for previews of links (`tools/pictures.py --covers` makes it)."""
_ID = re.compile(r'<(?:symbol|g)\b[^>]*\bid="([^"]+)"')


# --- Sentences ----------------------------------------------------------------------------------


def format_age(time: datetime) -> str:
    """How long ago a time was, in a few characters: "5 min ago"."""
    seconds = (datetime.now(UTC) - time).total_seconds()
    if seconds < 90:
        return _("now")
    if seconds < 5400:
        return _("{n} min ago", n=f"{seconds / 60:.0f}")
    if seconds < 129600:
        return _("{n} h ago", n=f"{seconds / 3600:.0f}")
    return _("{n} days ago", n=f"{seconds / 86400:.0f}")


def render_contents(primer: str) -> Markup:
    """The table of contents of a primer as HTML, a line for each chapter. `primer`: its HTML."""
    found = re.findall(
        r'<section class="chap" id="([^"]+)".*?<span class="no">([^<]+)</span><h2[^>]*>(.*?)</h2>', primer
    )
    return Markup("".join(f'<li><a href="#{at}"><b>{number}</b>{title}</a></li>' for at, number, title in found))


# --- Symbols ------------------------------------------------------------------------------------


@functools.cache
def build_sprite(game: str = "") -> str:
    """All drawings that a page needs, as one SVG: the site's and, for a game, those of its board."""
    files = [STATIC / "icons.svg", STATIC / "arms.svg", STATIC / "engravings.svg"]
    files += [path for name in games() if (path := find_game_folder(name) / "cover.svg").exists()]
    if game:
        files += sorted((find_game_folder(game) / "board").glob("*.svg"))
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
def list_symbols(game: str = "") -> frozenset[str]:
    """The ids of the drawings in a sprite."""
    return frozenset(_ID.findall(build_sprite(game)))


@functools.cache
def make_symbol_finder(game: str = "") -> Any:
    """A function that gives the id of the drawing for a name: the game's own if it has one, else the site's, else a quill."""
    have = list_symbols(game)

    def find_symbol(name: str) -> str:
        """The id of the drawing for a name."""
        for one in (f"i-{name}", name):
            if one in have:
                return one
        return "quill-ink"

    return find_symbol


@functools.cache
def get_shield_prefix(game: str = "") -> str:
    """The prefix of the ids of seats' shields: "crest" where a game has its own, else "arms" (`arms-1` to `arms-6`)."""
    return "crest" if "crest-1" in list_symbols(game) else "arms"


@functools.cache
def read_shield_charges(game: str = "") -> tuple[str, ...]:
    """The id of the drawing on each seat's shield, read from the sprite."""
    drawn = rf'<symbol id="{get_shield_prefix(game)}-\d".*?class="arms-charge" href="#([^"]+)"'
    return tuple(re.findall(drawn, build_sprite(game)))


@functools.cache
def compute_static_fingerprint(path: str) -> str:
    """Ten characters for a static file's address that change when the file does."""
    return hashlib.sha256((STATIC / path).read_bytes()).hexdigest()[:10]


@functools.cache
def _compute_sprite_fingerprint(game: str) -> str:
    """Ten characters that change when a drawing of the sprite does."""
    return hashlib.sha256(build_sprite(game).encode()).hexdigest()[:10]


def sprite_url(game: str = "") -> str:
    """The address of the sprite, which changes when a drawing does."""
    return f"{get_root_path()}/sprite/{game or 'house'}.svg?v={_compute_sprite_fingerprint(game)}"


@functools.lru_cache(maxsize=512)
def render_qr_code(text: str) -> Markup:
    """A QR code for the text as an SVG, dark on light in every theme, which cameras need."""
    import segno

    made = segno.make_qr(text, error="m")
    drawn = made.svg_inline(border=4, dark="#231505", light="#fffdf6", omitsize=True, svgclass="qr", lineclass=None)
    return Markup(drawn)


def cover_picture_url(game: str) -> str:
    """The address of the picture of a game's cover, for previews of links; "" where it has none."""
    mark = _compute_cover_fingerprint(game)
    return f"{get_root_path()}/games/{game}/{COVER_PICTURE}?v={mark}" if mark else ""


@functools.cache
def _compute_cover_fingerprint(game: str) -> str:
    """Ten characters that change when the picture of the cover does; "" where there is none."""
    path = find_game_folder(game) / COVER_PICTURE
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10] if path.exists() else ""


def static_url(path: str) -> str:
    """The address of a static file, which changes when the file does."""
    return f"{get_root_path()}/static/{path}?v={compute_static_fingerprint(path)}"


def board_file_urls(game: str) -> dict[str, str]:
    """The addresses of a game's own style and script ("css", "js"); of the plain board's style for a game without a board."""
    marks = _compute_board_fingerprints(game)
    if marks is None:
        return {"css": static_url("plain-board.css")}
    return {
        name.removeprefix("board."): f"{get_root_path()}/games/{game}/{name}?v={mark}" for name, mark in marks.items()
    }


@functools.cache
def _compute_board_fingerprints(game: str) -> dict[str, str] | None:
    """The files of a game's board, each with a fingerprint that changes when the file does; None where the game has no board."""
    if not (find_game_folder(game) / "board" / "board.html").exists():
        return None
    out = {}
    for name in ("board.css", "board.js"):
        path = find_game_folder(game) / "board" / name
        if path.exists():
            out[name] = hashlib.sha256(path.read_bytes()).hexdigest()[:10]
    return out


# --- Languages ----------------------------------------------------------------------------------


_marked_up = functools.lru_cache(maxsize=8192)(Markup)


@pass_context
def translate_html(context: Context, text: str, /, **fields: Any) -> Markup:
    """`_("Send <b>{name}</b> this link:", name=name)` in a template: the text, which is HTML, in the reader's language.

    Fields in braces are escaped.
    """
    if get_language() != ENGLISH:
        text = find_template_catalogue(context.name or "")(text)
    return fill_fields(text, fields) if fields else _marked_up(text)


@pass_context
def translate_plural_html(context: Context, one: str, other: str, n: int, /, **fields: Any) -> Markup:
    """`many("{n} card", "{n} cards", n)` in a template: the singular or plural text for `n`, which also fills the field {n}."""
    found = HOUSE if get_language() == ENGLISH else find_template_catalogue(context.name or "")
    return fill_fields(found.plural_form(one, other, n), {"n": n, **fields})


@pass_context
def translate_part_name(context: Context, kind: str, name: str) -> str:
    """The name of a card, a land or another part of the box in the reader's language: `named("card", "Wheat")`."""
    return name if get_language() == ENGLISH else find_template_catalogue(context.name or "")(name, kind)


def render_lang_attribute(game: str) -> Markup:
    """The attribute `lang="en"` if the page is in another language and the game has no texts in it; else empty."""
    return Markup("" if find_template_catalogue(game).has_reader_language() else ' lang="en"')


def translate_rule_kind(kind: str) -> str:
    """The word for the kind of a guide's paragraph in the reader's language."""
    if get_language() == ENGLISH:
        return kind
    called = {"ruling": _("ruling"), "option": _("option"), "reconstruction": _("reconstruction")}
    return called.get(kind, kind)


# --- Templates ----------------------------------------------------------------------------------


def _load_game_template(path: str) -> str | None:
    """The source of a template in a game's folder, or of the plain board if the game has none; None for no game or no such file."""
    game, _, rest = path.partition("/")
    try:
        own = find_game_folder(game) / rest
    except KeyError:
        return None
    if not own.exists() and rest == "board/board.html":
        own = HERE / "templates" / "plain_board.html"
    return own.read_text(encoding="utf-8") if own.is_file() else None


_json_of = json.JSONEncoder(sort_keys=True).encode


def _dump_json(thing: Any, **_sorted: Any) -> str:
    """JSON for the filter `tojson`, by an encoder that is made once."""
    return _json_of(thing)


@functools.cache
def get_environment() -> Environment:
    """The Jinja environment with the site's templates, and each game's board as "<game>/board/board.html": its own, or the plain one."""
    env = FastEnvironment(
        loader=ChoiceLoader([FileSystemLoader(HERE / "templates"), FunctionLoader(_load_game_template)]),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    env.policies["json.dumps_function"] = _dump_json
    env.filters.update(
        chapters=render_contents,
        words=render_sentence,
        plain=to_plain_text,
        ago=format_age,
        tidy=format_number,
        bare=str,
    )
    env.globals.update(
        root=get_root_path,
        qr_code=render_qr_code,
        static=static_url,
        sprite_url=sprite_url,
        icons=make_icon_function,
        kept=cache_macro,
        same=make_cache_key,
        each=draw_each,
        lit_key=make_lit_key,
    )
    env.globals.update(keyed=index_rows, grouped=group_rows, columns=select_columns, paired=pair_rows)
    env.globals.update(
        _=translate_html,
        many=translate_plural_html,
        named=translate_part_name,
        texts_of=get_game_texts,
        foreign=render_lang_attribute,
        kind_of_rule=translate_rule_kind,
    )
    env.globals.update(language=get_language, languages=LANGUAGES, words_script=get_script_words_url)
    return env


def render(template: str, /, **context: Any) -> str:
    """A template rendered with these variables."""
    context.setdefault("symbol", make_symbol_finder())
    return get_environment().get_template(template).render(**context)


def read_score_curve(game: str) -> tuple[str, str]:
    """The curve on a game's end page: the field of a seat's view that holds its values ("": the score), and its name."""
    return _read_score_curve(game, get_language())


def render_with(template: str, context: SharedContext) -> str:
    """A template rendered with a shared context, which is not copied."""
    found = get_environment().get_template(template)
    return "".join(found.root_render_func(found.new_context(context, shared=True)))


def build_shared_context(context: dict[str, Any]) -> SharedContext:
    """These variables with the globals of all templates, as a context that many templates share."""
    return SharedContext({**get_environment().globals, **context})


@functools.cache
def list_blocks_chosen_by_button(game: str) -> dict[str, list[str]]:
    """The blocks of actions that a game's board leaves to their buttons, by step of the view; their spots do not light up or act."""
    board = load_board_macros(game, {"lit": {}, "reasons": {}, "before": None, "symbol": str})
    return dict(getattr(board, "BY_BUTTON", {}))


@functools.cache
def _read_score_curve(game: str, wanted: str) -> tuple[str, str]:
    """The curve of a game's end page (`read_score_curve`). `wanted`: the language, as part of the cache key."""
    board = load_board_macros(game, {"lit": {}, "reasons": {}, "before": None, "symbol": str})
    count, word = getattr(board, "CURVE", ("", getattr(board, "score_word", "score")))
    return str(count), str(word)


def describe_moment(game: str, view: dict[str, Any], has_phase: bool = True) -> Markup:
    """The moment that a view shows, in the words of the game's board, with its phase: "1636, Battle"; "" where the game has neither.

    `has_phase`: False for the turn alone, "1636".
    """
    board = load_board_macros(game, {"lit": {}, "reasons": {}, "before": None, "symbol": str})
    phase = dict(view.get("phases", ())).get(view.get("phase"), "") if has_phase else ""
    return Markup(", ").join(part for part in (board.turn(view).strip(), phase) if part)


def load_shared_macros(context: SharedContext) -> dict[str, Any]:
    """The macros `icon`, `shield` and `seal`, made once for all parts of a page that share this context."""
    made = get_environment().get_template(MACROS_TEMPLATE).make_module(context, shared=True)
    return {name: getattr(made, name) for name in ("icon", "shield", "seal")}


def load_board_macros(game: str, context: dict[str, Any]) -> Any:
    """The macros of a game's board under this context; a shared context is not copied."""
    found = get_environment().get_template(f"{game}/board/board.html")
    return found.make_module(context, shared=isinstance(context, SharedContext))

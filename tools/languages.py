"""Update the catalogues of translations from the sources: `python tools/languages.py`; `--check` only reports what is out of date.

A catalogue lies beside what it translates: `src/sutler/languages/de.po` for the shell, `src/sutler/games/manor/languages/de.po` for a game.
`--new LANGUAGE [GAME]` begins one. Texts are extracted from templates, scripts and Python (Babel), and from the data of a game.
"""

from __future__ import annotations

import argparse
import difflib
import io
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from sutler.core.play.registry import games, load_definition
from sutler.core.text.translatable_texts import iter_messages

ROOT = Path(__file__).parent.parent
SHELL = ROOT / "src" / "sutler"
HEAD = "# The texts of {folder}. `python tools/languages.py` brings this file up to date; see docs/translating.md."
FIXED_DATE = datetime(2026, 1, 1)
"""The date in every catalogue, so that equal texts make equal files."""
HEADERS = (b'"Language:', b'"Plural-Forms', b'"MIME', b'"Content')
ENGLISH_ONLY = (
    *("admin", "lab", "service.py", "print", "validation_messages", "box.html", "experiment", "progress.html"),
    *("_program_bots", "backup", "databases", "moderation", "store", "warm", "worker"),
)
"""Beginnings of the names of files that are not translated: pages for designers and administrators, sheets to print, command lines."""
TROUBLES = ("RequestError", "Refused", "Stale", "Lost", "Used", "Secret", "TooMany", "BadFile")
KEYWORDS = dict.fromkeys(("_", "tongue", "HOUSE", "say", *TROUBLES), (1,)) | {"many": (1, 2)}
"""{function: positions of its arguments that are texts to translate}, as Babel takes them."""
SCRIPT_KEYWORDS = {name: which for name, which in KEYWORDS.items() if name != "say"}
"""KEYWORDS for scripts, without `say`: there it shows a text that is marked already, `sutler.say(sutler._("…"))`."""
ALIKE = 0.6
"""The similarity (0 to 1, difflib's ratio) from which on a new text gets the translation of an old one, marked as fuzzy."""
METHODS = {".html": "jinja2.ext:babel_extract", ".js": "javascript", ".py": "python"}


def main() -> None:
    """Run the command line: update or check all catalogues, or begin a new one; exits with 1 where a check finds faults."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true", help="report what is missing or out of date, and change nothing")
    asked.add_argument("--new", nargs="+", metavar="LANGUAGE [GAME]", help="begin a catalogue")
    told = asked.parse_args()
    if told.new:
        language, game = told.new[0], told.new[1] if len(told.new) > 1 else ""
        path = (load_definition(game).folder if game else SHELL) / "languages" / f"{language}.po"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    trouble = [text for path in catalogues() for text in updated(path, keep=told.check)]
    if trouble:
        print("\n".join(trouble))
        if told.check:
            print(
                "Run `python tools/languages.py`, then write what is missing into the catalogue (docs/translating.md)."
            )
            sys.exit(1)


def catalogues() -> list[Path]:
    """The paths of all catalogues."""
    folders = [SHELL, *(load_definition(game).folder for game in games())]
    return [path for folder in folders for path in sorted((folder / "languages").glob("*.po"))]


def updated(path: Path, keep: bool = False) -> Iterator[str]:
    """Update a catalogue from the sources; yields its faults in words. `keep`: do not write the file, report that it is out of date."""
    had = read(path)
    now = sources(path.parent.parent, path.stem)
    for one in now:
        if one.id and (known := had.get(one.id, one.context)) is not None:
            one.string, one.flags, one.previous_id = known.string, known.flags, known.previous_id
    keep_translations_of_changed_texts(had, now)
    text, here = written(now), path.relative_to(ROOT)
    if text != path.read_bytes():
        if keep:
            yield f"{here}: older than the sources"
        else:
            path.write_bytes(text)
    for one in now:
        if one.id and (not one.string or not all([one.string] if isinstance(one.string, str) else one.string)):
            yield f"{here}: no text for {one.id!r}"
        elif one.id and one.fuzzy:
            yield f"{here}: the text for {one.id!r} is that of an older one: change it, and take out the line `#, fuzzy`"


def keep_translations_of_changed_texts(had: Catalog, now: Catalog) -> None:
    """Give each new text in `now` the translation of the most similar text in `had` that is gone, marked as fuzzy."""
    gone = {
        one.id: one
        for one in had
        if isinstance(one.id, str) and one.id and one.string and now.get(one.id, one.context) is None
    }
    for one in now:
        if isinstance(one.id, str) and one.id and not one.string and (old := _most_alike(one.id, gone)) is not None:
            one.string, one.previous_id = old.string, [str(old.id)]
            one.flags.add("fuzzy")


def _most_alike(text: str, texts: Mapping[str, Message]) -> Message | None:
    """The message of the text most similar to `text`, if its similarity is at least ALIKE; else None."""
    near = difflib.get_close_matches(text, texts, n=1, cutoff=ALIKE)
    return texts[near[0]] if near else None


def written(catalog: Catalog) -> bytes:
    """The bytes of a catalogue's file; equal texts give equal bytes."""
    out = io.BytesIO()
    write_po(
        out, catalog, width=120, include_lineno=False, ignore_obsolete=True, sort_output=False, include_previous=True
    )
    head, _, rest = out.getvalue().partition(b"\n\n")
    kept = [line for line in head.split(b"\n") if not line.startswith(b'"') or line.startswith(HEADERS)]
    return b"\n".join(kept) + b"\n\n" + rest


def read(path: Path) -> Catalog:
    """The catalogue in a .po file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def sources(folder: Path, language: str) -> Catalog:
    """A catalogue without translations of all texts in the sources of the shell (all but the games) or of a game, by its folder."""
    catalog = Catalog(
        locale=language,
        project="Sutler",
        fuzzy=False,
        charset="utf-8",
        header_comment=HEAD.format(folder=folder.name),
    )
    catalog.creation_date = catalog.revision_date = FIXED_DATE
    catalog.mime_headers = [
        one
        for one in catalog.mime_headers
        if one[0] in ("Language", "Plural-Forms", "Content-Type", "MIME-Version", "Content-Transfer-Encoding")
    ]
    told = iter_messages(load_definition(folder.name)) if folder != SHELL else covers(language)
    shelf = f"src/sutler/games/{folder.name}" if folder != SHELL else "src/sutler/games"
    for source, context, text in told:
        catalog.add(text, locations=[(f"{shelf}/{source}", 0)], context=context or None)
    for path in files(folder):
        with path.open("rb") as file:
            keywords = SCRIPT_KEYWORDS if path.suffix == ".js" else KEYWORDS
            found = extract(METHODS[path.suffix], file, keywords, options={"silent": "false"})
            for _line, text, _comments, context in found:
                parts = text if isinstance(text, tuple) else (text,)
                if all(parts) and (len(parts) == 1 or len(parts) == 2):
                    catalog.add(text, locations=[(str(path.relative_to(ROOT)), 0)], context=context)
    return catalog


def covers(language: str) -> Iterator[tuple[str, str, str]]:
    """Yield (file, context, text) of the lobby's texts about games without a catalogue in this language; the shell translates them."""
    for game in games():
        told = load_definition(game)
        if not (told.folder / "languages" / f"{language}.po").exists():
            yield from ((f"{game}/box.toml", "", str(getattr(told.info, one))) for one in ("mood", "blurb"))
            yield from ((f"{game}/text/labels.py", "leaning", text) for text in (told.LEANINGS or {}).values())
            yield from ((f"{game}/text/labels.py", "sum", one.title) for one in (told.SUMS or {}).values())


def files(folder: Path) -> list[Path]:
    """The templates, scripts and Python files of the shell, or of a game, that may contain texts to translate."""
    every = [path for path in sorted(folder.rglob("*")) if path.suffix in METHODS and "vendor" not in path.parts]
    if folder != SHELL:
        return every
    shell = [
        path for path in every if path.relative_to(SHELL).parts[0] in ("core", "bots", "web") or _is_terminal(path)
    ]
    if not any(map(_is_terminal, shell)):
        raise SystemExit(
            "No file of the terminal is where this tool looks for it (_is_terminal): its words would be lost."
        )
    return [path for path in shell if not path.name.startswith(ENGLISH_ONLY)]


def _is_terminal(path: Path) -> bool:
    """Is this a file of the table in the terminal, whose words are for players?"""
    return path.match("cli/play_commands/*.py") or path.match("cli/terminal_text.py")


if __name__ == "__main__":
    main()

"""Hooks of MkDocs: add pages from outside docs/ to the site (README and its neighbours, each game's guide, files that pages link to).

MkDocs calls the functions below (`hooks` in mkdocs.yml); `make site` builds, and a warning is an error.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "src" / "sutler" / "games"
LINK = re.compile(r"(\]\()([^)#\s:]+)(#[^)\s]*)?(\))")
PARAGRAPH = re.compile(r"^\*\*(\d+\.\d+)\*\*", re.MULTILINE)

NUMBER = re.compile(r"\d+\.\d+")
BRACKETS = re.compile(r"(?<!\])\((?:see )?\d+\.\d+(?:(?:, | and | to )\d+\.\d+)*\)")


def pages() -> dict[str, str]:
    """{name in the site: path from the project's root} of the site's pages that lie outside docs/."""
    found = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md", "reporting.md": "SECURITY.md"}
    found["changelog.md"] = "CHANGELOG.md"
    for guide in sorted(GAMES.glob("*/guide.md")):
        name = guide.parent.name
        found[f"games/{name}-guide.md"] = str(guide.relative_to(ROOT))
        found[f"games/{name}-notes.md"] = str((guide.parent / "README.md").relative_to(ROOT))
    return found


def on_config(config: Any) -> Any:
    """Add each game's guide, notes, hints and tables to the navigation, under Play."""
    play = next(one["Play"] for one in config["nav"] if "Play" in one)
    for guide in sorted(GAMES.glob("*/guide.md")):
        name = guide.parent.name
        title = guide.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").partition(":")[0]
        listed = [{"How to play": f"games/{name}-guide.md"}, {"Edition and rulings": f"games/{name}-notes.md"}]
        if (ROOT / "docs" / "strategy" / f"{name}.md").exists():
            listed.append({"Hints for players": f"strategy/{name}.md"})
        if (ROOT / "docs" / "games" / f"{name}.md").exists():
            listed.append({"Tables": f"games/{name}.md"})
        play.append({title: listed})
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages outside docs/, and every file that a page links to."""
    for page, path in pages().items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / path)))
    for file in list(files.documentation_pages()):
        for match in LINK.finditer(Path(str(file.abs_src_path)).read_text(encoding="utf-8")):
            target = _target(_home(file.src_uri), match[2])
            if target and (to := _in_site(target)) and files.get_file_from_path(to) is None:
                files.append(File.generated(config, to, content=(ROOT / target).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Point links to the site's pages and copies; give a guide's paragraphs anchors (guide.html#5.4)."""
    home = _home(page.file.src_uri)

    def put(match: re.Match[str]) -> str:
        target = _target(home, match[2])
        to = _in_site(target) if target else None
        if to is None:
            return match[0]
        return (
            f"{match[1]}{posixpath.relpath(to, posixpath.dirname(page.file.src_uri) or '.')}{match[3] or ''}{match[4]}"
        )

    markdown = LINK.sub(put, markdown)
    if page.file.src_uri.endswith("-guide.md"):
        markdown = _linked(markdown)
    return markdown


def _linked(guide: str) -> str:
    """The text of a guide with anchors at its paragraphs, and links for paragraph numbers in brackets."""
    there = set(PARAGRAPH.findall(guide))

    def point(match: re.Match[str]) -> str:
        return NUMBER.sub(lambda one: f"[{one[0]}](#{one[0]})" if one[0] in there else one[0], match[0])

    return PARAGRAPH.sub(r"**\1**{ #\1 }", BRACKETS.sub(point, guide))


def _home(src_uri: str) -> str:
    """The path, from the project's root, of a page's source. `src_uri`: the page's name in the site."""
    return pages().get(src_uri, f"docs/{src_uri}")


def _target(home: str, link: str) -> str | None:
    """The path, from the project's root, of the file that a link in the page `home` leads to; for a folder its README.

    None if there is no such file.
    """
    path = posixpath.normpath(posixpath.join(posixpath.dirname(home), link))
    if (ROOT / path).is_dir():
        path = posixpath.join(path, "README.md")
    return path if (ROOT / path).is_file() else None


def _in_site(target: str) -> str:
    """The name in the site of a file of the project: its page, or a copy as text."""
    for page, path in pages().items():
        if path == target:
            return page
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    return f"source/{target}.txt"

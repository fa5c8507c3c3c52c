"""Every font, icon and script that is packed has its author and licence told in NOTICE."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import sutler

ROOT = Path(__file__).parents[1]
NOTICE = " ".join((ROOT / "NOTICE").read_text(encoding="utf-8").split())
PACKED = Path(sutler.__file__).parent


def listed(*patterns: str) -> list[Path]:
    """The files of the package with these endings."""
    return sorted(path for pattern in patterns for path in PACKED.rglob(pattern))


def test_fonts_have_their_licence_beside_them() -> None:
    """Each family by name, in NOTICE and as a licence file."""
    fonts = listed("*.woff2", "*.ttf", "*.otf")
    assert fonts
    for font in fonts:
        family = font.stem.split("-latin")[0]
        assert (font.parent / f"LICENSE-{family}.txt").exists(), font.name
        assert family.replace("-", " ").casefold() in NOTICE.casefold(), font.name


def test_icons_name_their_authors() -> None:
    """A sprite tells who drew what is in it; all of them stand in NOTICE."""
    sprites = listed("icons.svg")
    assert sprites
    for sprite in sprites:
        head = sprite.read_text(encoding="utf-8")[:2000]
        told = re.search(r"<!--(.*?)-->", head, re.DOTALL)
        assert told, sprite
        assert "CC BY 3.0" in told[1] or "our own" in told[1].casefold(), sprite


def test_vendored_scripts_have_licences() -> None:
    """Beside each lies its licence, and NOTICE names it."""
    for script in (PACKED / "web" / "static" / "vendor").glob("*.js"):
        name = script.name.split("-")[0].split(".")[0]
        assert (script.parent / f"LICENSE-{name}.txt").exists(), script.name
        assert name in NOTICE, script.name


def test_designers_are_named() -> None:
    """Each game's designer stands in NOTICE, by the name in its box."""
    for name in sutler.games():
        title = sutler.load(name).info.title
        assert title.casefold() in NOTICE.casefold(), name


def test_nothing_unknown_is_packed() -> None:
    """No kind of file whose licence nobody has looked at."""
    known = {
        ".py",
        ".pyi",
        ".toml",
        ".md",
        ".html",
        ".po",
        ".css",
        ".js",
        ".svg",
        ".jpg",
        ".woff2",
        ".ttf",
        ".webmanifest",
        ".txt",
        ".json",
        ".typed",
        ".npz",
        ".mako",
    }
    files = subprocess.run(
        ["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert {Path(name).suffix for name in files} <= known

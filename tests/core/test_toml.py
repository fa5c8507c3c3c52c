"""TOML that people bring: read at a bounded cost, and whatever is wrong with it is told in words."""

from __future__ import annotations

import tomllib
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sutler.core.files.box import BoxError, with_setting
from sutler.core.files.toml import MAX_DEPTH, MAX_DIGITS, MAX_KEY_PARTS, TomlError, parse_toml

DEAR = {
    "a key of 20,000 parts": (".".join(["a"] * 20_000) + " = 1", "parts"),
    "quoted parts": (".".join(['"a"'] * 20_000) + " = 1", "parts"),
    "parts with spaces": (" . ".join(["a"] * 20_000) + " = 1", "parts"),
    "parts in a header": ("[" + ".".join(["a"] * 20_000) + "]", "parts"),
    "parts in an inline table": ("x = { " + ".".join(["a"] * 20_000) + " = 1 }", "parts"),
    "many keys of many parts": ("\n".join(".".join([f"k{i}", *["a"] * 30]) + " = 1" for i in range(3_000)), "dotted"),
    "5,000 digits": ("x = " + "1" * 5_000, "digits"),
    "5,000 hexadecimal digits": ("x = 0x" + "f" * 5_000, "digits"),
    "5,000 binary digits": ("x = 0b" + "1_" * 5_000 + "1", "digits"),
    "5,000 digits in groups": ("x = " + "1_" * 5_000 + "1", "digits"),
    "5,000 brackets": ("x = " + "[" * 5_000, "deep"),
    "5,000 inline tables": ("x = " + "{a=" * 5_000, "deep"),
}


@pytest.mark.parametrize("name", DEAR)
def test_what_would_be_dear_is_refused_before_it_is_parsed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, word = DEAR[name]
    monkeypatch.setattr(tomllib, "loads", lambda text: pytest.fail("it was parsed"))
    tracemalloc.start()
    with pytest.raises(TomlError, match=rf"line \d+: .*{word}"):
        parse_toml(text)
    assert tracemalloc.get_traced_memory()[1] < 4_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        'x = "' + "." * 5_000 + '"',
        "x = '''\n" + "[" * 200 + "\n'''",
        "# " + "." * 5_000 + "\nx = 1",
        'x = """' + "a.b.c\n" * 500 + '"""',
        '"' + "." * 500 + '" = 1',
        "x = [" + "1.5, " * 500 + "]",
        "\n".join(f"card.c{i} = 1.5" for i in range(1_000)),
        "x = " + "[" * MAX_DEPTH + "]" * MAX_DEPTH,
        ".".join(["a"] * MAX_KEY_PARTS) + " = 1",
        "x = " + "1" * MAX_DIGITS,
    ],
)
def test_what_only_looks_dear_is_read_as_ever(text: str) -> None:
    assert parse_toml(text) == tomllib.loads(text)


@given(st.text(alphabet="ab.=[]{}\"'#\n\\ 1_,-", max_size=200))
def test_any_text_is_read_as_ever_or_refused_in_words(text: str) -> None:
    """No other error leaves it, and what it reads is what the parser reads."""
    try:
        found = parse_toml(text)
    except TomlError:
        return
    assert found == tomllib.loads(text)


def test_a_setting_of_a_long_path_is_told_in_words() -> None:
    with pytest.raises(BoxError, match="parts"):
        with_setting({}, ".".join(["a"] * 20_000), 1)

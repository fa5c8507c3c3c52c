"""`tools/words.py`: constants with a noun, docstrings that stand alone, one module name for one thing."""

from pathlib import Path

import pytest

from programs import tool

words = tool("words")


def messages(source: str) -> list[str]:
    return [one.message for one in words.faults_of(source)]


@pytest.mark.parametrize("line", ["MOST = 3", "LASTS: float = 300.0", "FIRM, LONGEST = 2, 7", "_FEW = 4"])
def test_a_constant_of_a_bare_word_is_a_fault(line: str) -> None:
    """A quantity, an adjective or a participle alone says neither of what nor in which unit."""
    assert len(messages(line)) == 1


@pytest.mark.parametrize(
    "line", ["MAX_NAME_CHARS = 3", "Z_95 = 1.96", "OUT, CITY, HQ = range(3)", "FIELD, CAMP, AWAY = 0, 2, 11"]
)
def test_names_with_a_noun_and_values_of_an_enumeration_are_none(line: str) -> None:
    """The values of an enumeration are told apart by each other."""
    assert messages(line) == []


@pytest.mark.parametrize(
    "text",
    [
        "The same again.",
        "As the page shows it.",
        "So many games.",
        "Whoever asks.",
        "What a card costs.",
        "Of one person.",
        "For which a code works.",
        "Those of a file.",
    ],
)
def test_a_docstring_stands_alone(text: str) -> None:
    """An editor shows one docstring at a time: of functions, of classes, and the notes under constants and fields."""
    assert len(messages(f'def f():\n    """{text}"""\n')) == 1
    assert len(messages(f'class A:\n    """A class."""\n    x: int\n    """{text}"""\n')) == 1
    assert messages('def f():\n    """Assets by name; the same table for all."""\n') == []


def test_a_question_may_begin_with_what() -> None:
    """The help of a command asks what its reader asks."""
    assert messages('def f():\n    """What is a card worth? Play on with it and without."""\n') == []
    assert len(messages('def f():\n    """What a card is worth. Is it much?"""\n')) == 1


def test_ordinals_are_written_as_such() -> None:
    """Comments are read too."""
    assert messages("x = 1  # the so-" + "manieth time\n") == ['"so-' + 'manieth": write "the nth", or name the number']


def test_one_module_name_is_one_thing(tmp_path: Path) -> None:
    """Modules of two layers that share a name are named, with both places, unless they are known to be one thing."""
    for name in (
        "core/tables.py",
        "web/tables.py",
        "core/text/language.py",
        "web/http/language.py",
        "web/table/tables.py",
    ):
        path = tmp_path / "src" / "sutler" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('"""A module."""\n', encoding="utf-8")
    found = list(words.faults(tmp_path))
    assert [one.message for one in found] == [
        "two layers have a module `tables` (core/tables.py, web/table/tables.py, web/tables.py): one word for one thing"
    ]

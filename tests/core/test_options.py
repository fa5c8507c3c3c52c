"""What a box declares of its options is the record that rules read."""

from __future__ import annotations

from pathlib import Path

import pytest

from sutler.core.files.box import BoxError
from sutler.core.files.options import Options

ROW = '[options.{name}]\nlabel = "{name}"\ntext = "t"\nrule = "1"\n{rest}\n'
ROWS = (
    ("victory", 'kind = "number"\ndefault = 15\nlow = 5\nhigh = 40'),
    ("ages", 'kind = "number"\ndefault = 0\nlow = 0\nhigh = 40000'),
    ("swaps", 'kind = "flag"\ndefault = true'),
    ("lord", 'kind = "choice"\ndefault = -1\nchoices = [{value = -1, label = "drawn"}, {value = 0, label = "one"}]'),
    (
        "deeds",
        'kind = "choice"\ndefault = "both"\nchoices = [{value = "both", label = "b"}, {value = "few", label = "f"}]',
    ),
    ("map", 'kind = "text"\ndefault = "random"'),
)


def options(folder: Path, *rows: tuple[str, str]) -> Options:
    """The options of a box with these."""
    box = folder / "box.toml"
    box.write_text("".join(ROW.format(name=name, rest=rest) for name, rest in rows))
    return Options(box)


def test_each_has_a_field_as_wide_as_its_bounds_ask(tmp_path: Path) -> None:
    """A text has none: packing makes of it what rules need."""
    found = options(tmp_path, *ROWS)
    held = {one.name: one.type for one in found.fields}
    assert held == {"victory": "i2", "ages": "i4", "swaps": "i1", "lord": "i2", "deeds": "i1"}


def test_what_was_chosen_is_laid_by_name(tmp_path: Path) -> None:
    """A word as the number it has among those printed; what an older box does not declare as it is printed."""
    found = options(tmp_path, *ROWS)
    row = found.new()
    found.write_options(row, {"victory": 20, "ages": 30000, "swaps": False, "lord": 0, "deeds": "few", "map": "A, B"})
    assert [int(row[one.name]) for one in found.fields] == [20, 30000, 0, 0, 1]
    assert found.number("deeds", "few") == 1
    assert found.words("deeds") == ["both", "few"]
    found.write_options(row, {"victory": 6})
    assert [int(row[one.name]) for one in found.fields] == [6, 0, 1, -1, 0]


def test_a_game_kept_before_there_was_the_option_goes_on_as_it_was(tmp_path: Path) -> None:
    """`before`: another default than now, for boxes that do not declare the option."""
    later = ("apart", 'kind = "flag"\ndefault = true\nbefore = false')
    found = options(tmp_path, later)
    row = found.new()
    for chosen, laid in (({}, 0), ({"apart": True}, 1)):
        found.write_options(row, chosen)
        assert int(row["apart"]) == laid


def test_what_no_rule_knows_is_refused_by_name(tmp_path: Path) -> None:
    """An edited box may offer a word that no rule speaks of, or a number that no field holds."""
    found = options(tmp_path, *ROWS)
    with pytest.raises(BoxError, match="option deeds: the rules know both, few, not 'none'"):
        found.write_options(found.new(), {"deeds": "none"})
    with pytest.raises(BoxError, match="option victory: 40000 is outside -32768 to 32767"):
        found.write_options(found.new(), {"victory": 40000})
    with pytest.raises(BoxError, match="option victory: the rules know numbers, not 'many'"):
        found.write_options(found.new(), {"victory": "many"})


def test_a_number_says_its_bounds(tmp_path: Path) -> None:
    """They say how wide its field must be."""
    with pytest.raises(TypeError, match=r"options\.victory: a number says its bounds, low and high"):
        options(tmp_path, ("victory", 'kind = "number"\ndefault = 15'))

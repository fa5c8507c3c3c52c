"""Pieces of many games, each decision checked by all that it does (see `contract.passages`)."""

import pytest

import sutler
from contract.passages import FOLDER, Passage, difference, read, written

PASSAGES = [
    pytest.param(path.stem, one, id=f"{path.stem}-{number}")
    for path in sorted(FOLDER.glob("*.txt"))
    if path.stem in sutler.games()
    for number, one in enumerate(read(path), 1)
]


@pytest.mark.parametrize(("game", "passage"), PASSAGES)
def test_a_passage_goes_as_it_went(game: str, passage: Passage) -> None:
    """If this fails, a rule broke, or it was changed on purpose: then `make golden` prints the passages anew."""
    assert difference(game, passage) == ""


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (0, "it may not be done any more: "),
        (1, "what may be done differs; it is now: "),
        (2, "what is told differs; number 1 is now: "),
        (3, "what changes differs; number 1 is now: "),
    ],
)
def test_a_difference_is_told_in_words(part: int, says: str) -> None:
    """Where a passage goes another way: the decision, whose it is, and what stands there now; the file reads back."""
    passages = read(FOLDER / "manor.txt")
    assert written(passages) == (FOLDER / "manor.txt").read_text(encoding="utf-8")
    one = next(one for one in passages if one.lines[2].split()[2] != "-")
    kept = one.lines[2].split()
    other = str(next(i for i in range(9) if str(i) not in [*kept, kept[0]])) if part == 0 else "?" + kept[part][1:]
    changed = " ".join([*kept[:part], other, *kept[part + 1 :]])
    told = difference("manor", Passage(one.options, one.seats, one.state, (*one.lines[:2], changed, *one.lines[3:])))
    assert told.startswith("decision 3, '")
    assert says in told

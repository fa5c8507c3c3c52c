"""An entry of a box told once: the record made from it, an entry laid into it, and read back."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from sutler.core.files.box import Entry
from sutler.core.files.entry_records import Amounts, read_entry, record_of, write_entry
from sutler.core.record import NOBODY

Count = Annotated[int, Field(ge=0, le=99)]


class Goods(Amounts):
    """Some of each."""

    corn: Count = 0
    gold: Annotated[int, Field(ge=-5, le=99_999)] = 0


class Deal(Entry):
    """So much for so much, of some kind."""

    how: Literal["barter", "sale"]
    give: Goods


class Step(Entry):
    """One of several."""

    price: Count


class CardEntry(Entry):
    """One of each kind of field."""

    name: str
    type: Literal["bounty", "upgrade"]
    colour: Literal["red", "blue"] | None = None
    on: list[Literal["fields", "woods", "road"]] = []
    marks: list[str] = []
    price: Count = 0
    old: bool = False
    gain: Goods = Goods()
    toll: dict[Literal["road", "river"], Count] = {}
    deal: Deal | None = None
    step: Annotated[list[Step], Field(max_length=3)] = []
    levels: Annotated[list[Count], Field(min_length=2, max_length=2)] = [0, 0]


CARD = record_of(CardEntry, ("lands", "u8"))
FULL: dict[str, Any] = {
    "type": "upgrade",
    "colour": "blue",
    "on": ["fields", "road"],
    "price": 3,
    "old": True,
    "gain": {"gold": -2},
    "toll": {"river": 4},
    "deal": {"how": "sale", "give": {"corn": 1}},
    "step": [{"price": 4}, {"price": 5}],
    "levels": [7, 8],
}


def laid(**told: Any) -> Any:
    row = CARD.new()
    write_entry(row, CardEntry.model_validate({"name": "Inn"} | told))
    return row


def test_the_record_follows_the_entry() -> None:
    """A field each, in their order, and what is added; words for people have none."""
    assert CARD.name == "Card"
    assert [(one.name, one.type if isinstance(one.type, str) else one.type.name, one.shape) for one in CARD.fields] == [
        ("type", "i1", ()),
        ("colour", "i1", ()),
        ("on", "u8", ()),
        ("price", "i2", ()),
        ("old", "i1", ()),
        ("gain", "i4", (2,)),
        ("toll", "i2", (2,)),
        ("deal", "Deal", ()),
        ("n_step", "i1", ()),
        ("step", "Step", (3,)),
        ("levels", "i2", (2,)),
        ("lands", "u8", ()),
    ]
    assert record_of(CardEntry, ("lands", "u8")) is CARD


def test_an_entry_is_laid_down() -> None:
    """Words are numbers, lists of them bits, amounts a row."""
    row = laid(**FULL)
    assert (row.type, row.colour, row.on, row.price, row.old) == (1, 1, 0b101, 3, 1)
    assert (list(row.gain), list(row.toll), list(row.deal.give)) == ([0, -2], [0, 4], [1, 0])
    assert (row.deal.there, row.deal.how) == (1, 1)
    assert (row.n_step, [one["price"] for one in row.step], list(row.levels)) == (2, [4, 5, 0], [7, 8])


def test_what_is_not_there_has_no_words() -> None:
    """An entry left out is not taken for the first of its kind."""
    row = laid(type="bounty")
    assert (row.type, row.colour, row.deal.there, row.deal.how) == (0, NOBODY, 0, NOBODY)


@pytest.mark.parametrize("told", [FULL, {"type": "bounty"}], ids=["all of it", "nothing"])
def test_it_reads_back(told: dict[str, Any]) -> None:
    """What is written is what was told, defaults with it."""
    entry = CardEntry.model_validate({"name": "Inn"} | told)
    wanted = entry.model_dump(exclude={"name", "marks"})
    back = read_entry(CardEntry, laid(**told))
    assert CardEntry.model_validate({"name": "Inn"} | back).model_dump(exclude={"name", "marks"}) == wanted


def test_a_number_says_its_bounds() -> None:
    """Otherwise nobody would check what the record can hold."""

    class LooseEntry(Entry):
        """Without bounds."""

        price: int

    with pytest.raises(TypeError, match=r"LooseEntry\.price: a number of an entry says its bounds"):
        record_of(LooseEntry)

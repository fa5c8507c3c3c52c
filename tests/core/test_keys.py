"""The number on the keyboard: where choices are amounts, the key is the amount."""

from sutler.contract.helpers import given, load_game, play
from sutler.core.text.sentences import Choice, number_choices, to_plain_text


def choice(i: int, amount: int | None = None) -> Choice:
    return Choice(i, str(i), (str(i),), amount=amount)


def test_an_amount_is_its_own_key() -> None:
    """Amounts keep their number, what else is offered follows; things without amounts are numbered from 1."""
    assert number_choices([choice(0), choice(1)]) == [1, 2]
    assert number_choices([choice(0, 0), choice(1, 1), choice(2, 2)]) == [0, 1, 2]
    assert number_choices([choice(0, 4), choice(1, 5), choice(2), choice(3)]) == [4, 5, 6, 7]
    assert number_choices([choice(0, 1), choice(1, 1)]) == [1, 2], "the same amount of two things says nothing"
    assert number_choices([]) == []


def test_strength_is_committed_by_its_number() -> None:
    """Bellum 8.1, 11.1: the key 0 commits 0 and the key 6 feeds 6."""
    pos = given(load_game("bellum", drawn=False), 4, power="Sweden", round_no="1632", powers={
        "Sweden": {"leader": ["Havelland", -1]}, "Austria": {"leader": ["Leipzig", -1]},
    })  # fmt: skip
    play(pos, "attack Wallenstein")
    choices = pos.choices(0)
    assert [str(key) for key in number_choices(choices)] == [to_plain_text(one.label) for one in choices]
    assert min(number_choices(choices)) == 0

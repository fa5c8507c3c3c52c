"""A bot's numbers as one record."""

import pytest

from sutler.core.record import build_weights, field, record

PRICES = record("Prices", ("step", "f8"), field("by_card", "f8", 3))


def test_numbers_are_told_by_name() -> None:
    """Each field once, one number or a row of them."""
    found = build_weights(PRICES, step=0.25, by_card=(1, 2.5, 3))
    assert (float(found.step), [float(one) for one in found.by_card]) == (0.25, [1.0, 2.5, 3.0])


@pytest.mark.parametrize("told", [{"step": 1.0}, {"step": 1.0, "by_card": (0, 0, 0), "stepp": 2.0}])
def test_a_number_left_out_or_unknown_is_named(told: dict[str, object]) -> None:
    """A number that was forgotten would count as nothing without a word."""
    with pytest.raises(TypeError, match=r"Prices: each number is told once; missing or unknown: (by_card|stepp)"):
        build_weights(PRICES, **told)

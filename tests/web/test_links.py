"""A seat's link opens that seat, and nothing else opens it."""

from __future__ import annotations

import math

from sutler.web.links import new_table_id, read_token, seat_token

KEY = b"k" * 32


def test_a_link_leads_to_its_seat() -> None:
    table = new_table_id()
    for seat in range(6):
        assert read_token(KEY, seat_token(KEY, table, seat)) == (table, seat)


def test_a_changed_link_leads_nowhere() -> None:
    token = seat_token(KEY, new_table_id(), 1)
    for wrong in (token[:-1], token + "a", token[:12] + "2" + token[13:], "", "x" * 39, token.upper(), "é" * 39):
        assert read_token(KEY, wrong) is None
    assert read_token(b"another key", token) is None


def test_a_link_cannot_be_guessed() -> None:
    assert 26 * math.log2(32) >= 128
    assert len(seat_token(KEY, "a" * 12, 0)) == 12 + 1 + 26

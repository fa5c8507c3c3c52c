"""A seat's link opens that seat, and nothing else opens it."""

from __future__ import annotations

from sutler.web.tokens import (
    TAG_BYTES,
    draw_table_id,
    make_invitation_token,
    make_seat_token,
    read_invitation_token,
    read_seat_token,
)

KEY = b"k" * 32


def test_a_link_leads_to_its_seat() -> None:
    table = draw_table_id()
    for seat in range(6):
        assert read_seat_token(KEY, make_seat_token(KEY, table, seat)) == (table, seat)


def test_a_changed_link_leads_nowhere() -> None:
    token = make_seat_token(KEY, draw_table_id(), 1)
    for i in range(len(token)):
        for letter in "a2z7":
            if letter != token[i]:
                assert read_seat_token(KEY, token[:i] + letter + token[i + 1 :]) is None
    for wrong in (token[:-1], token + "a", "", "x" * 49, token.upper(), "é" * 49):
        assert read_seat_token(KEY, wrong) is None
    assert read_seat_token(b"another key", token) is None


def test_a_link_cannot_be_guessed() -> None:
    assert 8 * TAG_BYTES >= 128
    assert len(make_seat_token(KEY, "a" * 12, 0)) > 28


def test_a_link_does_not_say_where_it_leads() -> None:
    table = draw_table_id()
    words = [make_seat_token(KEY, table, seat) for seat in range(6)] + [make_invitation_token(KEY, table, 1)]
    for word in words:
        assert table[:4] not in word
    assert len({word[i : i + 6] for word in words for i in range(len(word) - 5)}) > 7 * 43, "nothing in common"


def test_an_invitation_is_no_seat_and_a_seat_no_invitation() -> None:
    table = draw_table_id()
    assert read_invitation_token(KEY, make_invitation_token(KEY, table, 1)) == (table, 1)
    assert read_seat_token(KEY, make_invitation_token(KEY, table, 1)) is None
    assert read_invitation_token(KEY, make_seat_token(KEY, table, 1)) is None

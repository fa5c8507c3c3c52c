"""The table of Three Years of War in the browser's templates: every moment of a game can be drawn, for everybody."""

import random
import re

import pytest

import sutler
from sutler.web import sentence_html
from sutler.web.view import jinja_templates

GAME = sutler.load("threeyears")


def drawn(pos, seat):
    """The board, the hand and the seats as markup, with the choices lit as the shell lights them."""
    lit = {}
    for choice in pos.choices(seat) if seat == pos.seat else []:
        words = {"text": "".join(map(str, choice.label)), "effect": "".join(map(str, choice.effect))}
        lit.setdefault(choice.at or "", []).append({**words, "said": words["text"], "by": words["text"]})
    context = {"lit": lit, "reasons": {}, "before": None, "symbol": jinja_templates.make_symbol_finder("threeyears")}
    board, view = jinja_templates.load_board_macros("threeyears", context), pos.view(seat)
    parts = [board.board(view), board.hand(view), board.stock(view), board.turn(view)]
    parts += [board.seat_facts(view, one) + board.marks(view, one) + board.score(view, one) for one in view["seats"]]
    return "".join(map(str, parts)), lit


@pytest.mark.parametrize("seats", [2, 5])
def test_every_moment_can_be_drawn(seats):
    """1.14, 5.8: nothing hidden is drawn; every choice that aims at a spot finds that spot on the table."""
    pos = GAME.new(seats=seats, seed=3)
    rng = random.Random(seats)
    while not pos.over:
        if rng.random() < 0.3:
            markup, lit = drawn(pos, pos.seat)
            for at in lit:
                kind = at.split(":")[0]
                if at and kind not in ("due", "track", "writ"):  # these stand as buttons
                    assert (
                        f'data-at="{sentence_html.escape_html(at)}"' in markup
                        or f'data-at="{at.replace(chr(39), "&#39;")}"' in markup
                    ), at
            other = (pos.seat + 1) % seats
            assert re.search(r"Your hand: \d+ cards", drawn(pos, other)[0])
            assert "Your hand" not in drawn(pos, None)[0]
        pos.play(rng.choice(pos.legal_ids()))
    assert "of 3, Winter" in drawn(pos, 0)[0]


def test_explanations():
    """1.4, 1.5: claim cards, influence cards, icons and words explain themselves."""
    pos = GAME.new(seats=3, seed=1)
    context = {"lit": {}, "reasons": {}, "before": None, "symbol": jinja_templates.make_symbol_finder("threeyears")}
    board, view = jinja_templates.load_board_macros("threeyears", context), pos.view(None)
    for kind, key in (
        ("claim", "The Plague Cart"),
        ("influence", "Hanging Judge"),
        ("icon", "thief"),
        ("word", "lead"),
    ):
        assert len(str(board.explain(kind, key, view)).strip()) > 60
    assert str(board.explain("claim", "nothing of the kind", view)).strip() == ""


def test_every_icon_is_in_the_sprite():
    """Tokens, seasons, events and log lines have drawings of their own."""
    have = jinja_templates.list_symbols("threeyears")
    named = {event.icon for event in GAME.definition.events.events.values() if event.icon}
    markup = (GAME.folder / "board" / "board.html").read_text(encoding="utf-8")
    named |= set(re.findall(r': \("([a-z0-9-]+)", "', markup))
    named |= set(re.findall(r'icon\("([a-z0-9-]+)"', markup))
    assert {name for name in named if f"i-{name}" not in have and name not in have} == set()

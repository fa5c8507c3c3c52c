"""Cards are dealt and dice roll, briefly; under reduced motion nothing moves, and nothing that moves is in a click's way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .short import open_short

Visit = Callable[..., Any]

WATCH = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    window.moved.push({
      what: this.id || this.className.baseVal || this.className,
      catches: JSON.stringify(frames).includes('pointerEvents'),
      ends: (timing.delay ?? 0) + timing.duration,
    });
    return animate.call(this, frames, timing);
  };
}"""
"""What moves from now on is noted."""

PICTURE = """({ step, rolled }) => {
  const [table, hand, plate] = ['table', 'hand', 'plate'].map((id) => document.getElementById(id));
  const tray = '<p id="tray"><i class="die" aria-label="die 3"></i></p>';
  if (!plate.querySelector('#tray')) plate.insertAdjacentHTML('beforeend', tray);
  document.dispatchEvent(new CustomEvent('htmx:before:swap', { detail: {} }));
  table.dataset.decision = Number(table.dataset.decision) + step;
  hand.insertAdjacentHTML('beforeend', '<li id="held-new"><div class="card new-card"></div></li>');
  document.querySelector('#tray .die').setAttribute('aria-label', 'die 5');
  if (rolled) document.getElementById('lines').insertAdjacentHTML('beforeend',
    '<li class="line" data-decision="1"><button class="line-at"><svg><use href="#i-die"/></svg><span>rolled</span></button></li>');
  document.dispatchEvent(new CustomEvent('htmx:after:swap', { detail: {} }));
  return window.moved.filter((one) => one.what.includes('new-card') || one.what === 'die');
}"""
"""A new picture with one more card in the hand and another face on a die."""


RINGING = """() => {
  window.rung = 0;
  const Real = window.AudioContext;
  window.AudioContext = class extends Real { constructor() { super(); window.rung += 1; } };
}"""
TURN = """() => {
  const choices = document.getElementById('choices'), all = [...choices.children];
  const swapped = () => document.dispatchEvent(new CustomEvent('htmx:after:swap', { detail: {} }));
  choices.replaceChildren();
  swapped();
  choices.replaceChildren(...all);
  swapped();
}"""
"""Somebody else's turn, then mine."""


def table(visit: Visit, calm: bool = False) -> Any:
    page = visit(calm=calm)
    open_short(page, "manor", seat_1="easy")
    page.wait_for_selector("#hand .card")
    page.evaluate(WATCH)
    return page


def test_a_card_is_dealt_and_a_die_rolls(visit: Visit) -> None:
    """Both within a second, and a click on them is theirs at once."""
    moved = table(visit).evaluate(PICTURE, {"step": 1, "rolled": True})
    assert sorted(one["what"] for one in moved) == ["card new-card", "die"]
    assert not any(one["catches"] for one in moved), "while it moves it takes every click"
    assert all(one["ends"] <= 1000 for one in moved)


def test_a_die_that_was_only_moved_does_not_roll(visit: Visit) -> None:
    """Nothing is told of a roll: the die was paid, or lies elsewhere now."""
    moved = table(visit).evaluate(PICTURE, {"step": 1, "rolled": False})
    assert [one["what"] for one in moved] == ["card new-card"]


def test_going_back_deals_nothing(visit: Visit) -> None:
    page = table(visit)
    page.evaluate("document.getElementById('table').dataset.decision = 9")
    assert page.evaluate(PICTURE, {"step": -1, "rolled": True}) == []


def test_under_reduced_motion_nothing_moves(visit: Visit) -> None:
    """Neither what is dealt nor anything else on the page."""
    page = table(visit, calm=True)
    assert page.evaluate(PICTURE, {"step": 1, "rolled": True}) == []
    assert page.evaluate("window.moved.length") == 0


def test_the_chime_is_off_until_it_is_wanted(visit: Visit) -> None:
    """Nothing sounds by itself; switched on, it rings once so that one hears what it is, and later when it is one's turn."""
    page = table(visit, calm=True)
    page.evaluate(RINGING)
    page.evaluate(TURN)
    assert page.evaluate("window.rung") == 0
    assert page.get_attribute("#sound", "aria-pressed") == "false"
    page.click("#sound")
    assert page.evaluate("window.rung") == 1
    page.evaluate(TURN)
    assert page.evaluate("window.rung") == 2
    page.click("#sound")
    page.evaluate(TURN)
    assert page.evaluate("window.rung") == 2

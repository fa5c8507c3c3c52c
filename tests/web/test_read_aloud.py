"""A round of each title by the accessibility tree alone: nothing is seen, only what the browser tells a screen reader."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from sutler.core.play.registry import load_definition

from .short import FORMS, decision, is_over, open_short

pytestmark = pytest.mark.browser

GROUP = "What you may do"
ROUND = 25
"""Decisions of each title: a round and more."""
SPEECHLESS = {"", "choose", "ok", "yes", "no", "here", "button", "click"}


class Heard:
    """What the tree says now."""

    def __init__(self, line: Any) -> None:
        nodes = line.send("Accessibility.getFullAXTree")["nodes"]
        self.nodes = {one["nodeId"]: one for one in nodes if not one["ignored"]}
        self.all = {one["nodeId"]: one for one in nodes}

    def name(self, node: dict[str, Any]) -> str:
        return str(node.get("name", {}).get("value", "")).strip()

    def role(self, node: dict[str, Any]) -> str:
        return str(node.get("role", {}).get("value", ""))

    def of(self, role: str) -> list[dict[str, Any]]:
        return [one for one in self.nodes.values() if self.role(one) == role]

    def below(self, node: dict[str, Any]) -> list[dict[str, Any]]:
        found = []
        for child in node.get("childIds", ()):
            if child in self.all:
                found += [self.all[child], *self.below(self.all[child])]
        return [one for one in found if one["nodeId"] in self.nodes]

    def choices(self) -> list[dict[str, Any]]:
        """The buttons of the group in which one acts; what is folded away is opened by its own button first."""
        groups = [one for one in self.of("group") if self.name(one) == GROUP]
        assert len(groups) == 1
        return [one for one in self.below(groups[0]) if self.role(one) in ("button", "DisclosureTriangle")]


def press(line: Any, node: dict[str, Any]) -> None:
    """What a screen reader does with a button: the focus goes there, and Enter is pressed."""
    line.send("DOM.focus", {"backendNodeId": node["backendDOMNodeId"]})
    for kind in ("rawKeyDown", "char", "keyUp"):
        line.send(
            "Input.dispatchKeyEvent",
            {"type": kind, "key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13},
        )


def is_order(game: str, name: str) -> bool:
    """Is it a standing order? It is heard among the choices, and decides nothing now."""
    return name.startswith(tuple(one.text for one in load_definition(game).orders.values()))


@pytest.mark.parametrize("game", list(FORMS))
def test_a_round_is_played_by_what_is_read_aloud(visit: Callable[..., Any], game: str) -> None:
    page = visit(width=1280, height=800, calm=True)
    open_short(page, game)
    line, luck, asked = page.context.new_cdp_session(page), random.Random(5), 0
    line.send("Accessibility.enable")
    while asked < ROUND and not is_over(page):
        heard = Heard(line)
        assert any(heard.name(one) for one in heard.of("heading")), "what is asked is a heading"
        buttons = heard.choices()
        names = [heard.name(one) for one in buttons]
        twice = [name for name, n in Counter(names).items() if n > 1]
        assert twice == [], f"{game}: two choices sound alike"
        assert not {name.lower() for name in names} & SPEECHLESS, names
        buttons = [one for one in buttons if not is_order(game, heard.name(one))]
        folds = [one for one in buttons if heard.role(one) == "DisclosureTriangle"]
        straight = [one for one in buttons if one not in folds]
        before, eyes = decision(page), page.get_attribute("#table", "data-eyes")
        if folds and (not straight or luck.random() < 0.5):
            press(line, luck.choice(folds))
            opened = Heard(line)
            more = [one for one in opened.choices() if opened.role(one) == "button" and opened.name(one) not in names]
            assert more, "what was folded is heard when it is opened"
            straight = more
        press(line, luck.choice(straight))
        if page.locator(
            "#choices [data-seal]"
        ).count():  # the focus is there: what is committed in secret is sealed by a second key
            page.keyboard.press("Enter")
        page.wait_for_function(
            "([d, e]) => { const now = document.getElementById('table').dataset;"
            " return now.decision !== d || now.eyes !== e || document.querySelector('#reckoning'); }",
            arg=[before, eyes],
        )
        asked += decision(page) != before
    assert asked >= 15 or is_over(page)

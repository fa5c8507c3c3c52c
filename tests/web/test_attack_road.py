"""The road of an attack is drawn to the target that is pointed at, and to nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sutler.core.play.registry import find_game_folder

from .short import decision, offered, open_short, wait_for_another

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("weapon", "roads"), [("attack with a Soldier", 1), ("attack with a Cannon", 0)])
def test_soldiers_walk_to_what_is_pointed_at(visit: Callable[..., Any], weapon: str, roads: int) -> None:
    page = visit(width=1440, height=900, calm=True)
    open_short(page, "warfarm", find_game_folder("warfarm") / "scenarios" / "guards.toml")
    if page.locator("#choices [data-eyes]").count():
        page.click("#choices [data-eyes]")
        page.wait_for_selector("#choices [data-eyes]", state="detached")
    before = decision(page)
    attack = next(one for one in offered(page) if one["action"] == weapon)
    page.eval_on_selector(f"#{attack['id']}", "one => one.click()")
    wait_for_another(page, before)
    goal = next(one["at"] for one in offered(page) if one["at"].startswith("unit:1"))
    page.locator(f'#plate .legal [data-at="{goal}"]').first.hover()
    assert page.locator(".sword-road").count() == roads
    page.mouse.move(3, 3)
    page.locator("#log").hover()
    assert page.locator(".sword-road").count() == 0

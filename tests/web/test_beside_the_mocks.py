"""The drawn tables show what helps to decide: how near everybody is, what the next set must show, what an attack does."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable

from fastapi.testclient import TestClient

import sutler
from sutler.core.play.registry import find_game_folder
from sutler.core.text.sentences import to_plain_text

OpenTable = Callable[..., str]


def test_warfarms_seats_show_the_way_by_arms_and_who_is_nearest(client: TestClient, new_table: OpenTable) -> None:
    """The others' Farmland, to be brought to none; a laurel for the one seat that has most of a victory."""
    page = client.get(new_table(game="warfarm", seat_0="me", seat_1="easy", seat_2="easy")).text
    rivals = re.findall(r'class="rivals" role="img" aria-label="([^"]+)"', page)
    assert len(rivals) == 3
    assert all(one.count(" has 6 Farmland") == 2 for one in rivals)
    assert page.count('class="nearest"') <= 1


def test_warfarms_targets_say_what_an_attack_does() -> None:
    """Land tells what is left, a Soldier on guard that both fall, what stands idle that nothing does."""
    pos = sutler.load("warfarm").new(position="guards", seed=1)
    for name in ("end playing", "end building", "end posting"):
        if pos.why_not(name) is None:
            pos.play(name)
    attack = next(one.name for one in pos.actions() if one.name.startswith("attack with"))
    pos.play(attack)
    effects = {to_plain_text(one.effect) for one in pos.choices(pos.seat)}
    assert "both fall" in effects
    assert effects & {"no fight"} or any("→" in one for one in effects)


def test_three_years_says_what_matches_what_raises_and_what_a_marker_brings(client: TestClient) -> None:
    """Beside the total the icons that the next set must show; at each free marker what it is worth; the stakes played so far."""
    path = find_game_folder("threeyears") / "scenarios" / "match-or-raise.toml"
    seats = tomllib.loads(path.read_text(encoding="utf-8"))["seats"]
    form = {"game": "threeyears", **{f"seat_{i}": "me" if i == 0 else "easy" for i in range(seats)}}
    answer = client.post("/tables", data=form, files={"position": (path.name, path.read_bytes())})
    page = client.get(str(answer.headers["location"])).text
    total = int(re.search(r'class="total".*?<b>(\d+)</b>', page, re.DOTALL)[1])
    terms = re.search(r'<dl class="terms".*?</dl>', page, re.DOTALL)[0]
    assert re.findall(r"<dt>(\w+)</dt>", terms) == ["match", "raise"]
    assert re.findall(r"×(\d+)", terms) == [str(total), str(total + 1)]
    assert ">last in<" in page
    assert ">first out<" in page or 'class="held"' in page

"""A house may offer bots of its own beside easy, normal and hard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from sutler.bots import bot, build_style_spec, list_personas
from sutler.core.play.registry import games, load_definition
from sutler.web.lobby import new_table as lobby_new_table
from sutler.web.lobby.new_table import plan_from_form
from sutler.web.table.registry import House

THRIFTY = Path(__file__).parents[2] / "examples" / "bots" / "thrifty.py"


@pytest.fixture
def miserly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder on the shelf with a bot and a level made of it."""
    (tmp_path / "thrifty.py").write_text(THRIFTY.read_text())
    (tmp_path / "levels.toml").write_text('[miserly]\nbot = "thrifty.py"\nwhim = 99\n')
    monkeypatch.setenv("SUTLER_BOTS", str(tmp_path))


@pytest.mark.usefixtures("miserly")
def test_a_level_of_the_house_is_offered_and_plays(client: TestClient, new_table: Callable[..., str]) -> None:
    """On the form, at the table by its name, and as the bot that the file says."""
    form = client.get("/", params={"game": "manor"}).text
    assert all(f'value="{level}"' in form for level in ("easy", "normal", "hard", "miserly"))
    assert "miserly bot" in client.get(new_table(seat_0="me", seat_1="miserly")).text
    house: House = client.app.state.house  # type: ignore[attr-defined]
    assert house.get_bot("miserly").name == "thrifty"


def test_a_level_nobody_offers_is_refused(client: TestClient) -> None:
    """And those on offer are named."""
    answer = client.post("/tables", data={"game": "manor", "seat_0": "me", "seat_1": "miserly"})
    assert answer.status_code == 422
    assert "easy, normal, hard" in answer.text


def test_normal_bots_may_have_styles(client: TestClient) -> None:
    """Each another, drawn from the game's plans; who is no normal bot stays as planned, and where no game has plans everybody does."""
    house: House = client.app.state.house  # type: ignore[attr-defined]
    form = {
        "game": "manor",
        "seat_0": "me",
        "seat_1": "normal",
        "seat_2": "easy",
        "seat_3": "normal",
        "seat_4": "normal",
    }
    plain, with_styles = (plan_from_form(house, form | more, "Wat") for more in ({}, {"styles": "yes"}))
    assert [seat.level for seat in plain.seats[1:]] == ["normal", "easy", "normal", "normal"]
    levels = [seat.level for seat in with_styles.seats[1:]]
    assert levels[1] == "easy"
    assert {build_style_spec(plan) for plan in list_personas("manor")} > set(levels) - {"easy"}
    assert len(set(levels)) == 4
    alone = plan_from_form(house, {"game": "sixwinters", "seat_0": "me", "seat_1": "normal", "styles": "yes"}, "Wat")
    assert alone.seats[1].level == "normal"


def test_the_form_offers_styles_where_there_are_plans(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its seat, and the log's first line, say to what the bot leans, in the reader's words; it plays as its persona leaning to that."""
    forms = {game: client.get("/", params={"game": game}).text for game in ("manor", "sixwinters")}
    assert ['name="styles"' in form for form in forms.values()] == [True, False]
    data = {"game": "manor", "seat_0": "me", "name_0": "Wat", "seat_1": "normal", "name_1": "Wulf", "styles": "yes"}
    monkeypatch.setattr(lobby_new_table.secrets, "choice", lambda plans: plans[list(plans).index("pedlar")])
    at = client.post("/tables", data=data, follow_redirects=False).headers["location"]
    english, german = (client.get(at, headers={"accept-language": one}).text for one in ("en", "de"))
    assert "bot that leans to deals" in english
    assert '<li class="styles" id="l-styles">Wulf leans to deals.</li>' in english
    assert "Bot mit Hang zum Handel" in german
    assert "Wulf neigt zum Handel." in german
    house: House = client.app.state.house  # type: ignore[attr-defined]
    assert house.get_bot(build_style_spec("pedlar")) == bot("pedlar", lean=0.5)


def test_every_plan_has_words() -> None:
    """What a bot with a style leans to is told of every plan that may be drawn, and of nothing else."""
    for game in games():
        told = load_definition(game)
        assert set(told.LEANINGS or {}) == set(told.plans), game

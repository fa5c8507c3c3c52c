"""A house may offer bots of its own beside easy, normal and hard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from sutler.web.house import House

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
    assert house.bot("miserly").name == "thrifty"


def test_a_level_nobody_offers_is_refused(client: TestClient) -> None:
    """And those on offer are named."""
    answer = client.post("/tables", data={"game": "manor", "seat_0": "me", "seat_1": "miserly"})
    assert answer.status_code == 422
    assert "easy, normal, hard" in answer.text

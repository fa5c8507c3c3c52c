"""Bellum in the terminal: the map, the levels and a battle's arithmetic; a hidden commitment stays hidden."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from games.bellum.table import board, game
from sutler.contract.helpers import play
from sutler.games.bellum.text.terminal import draw


def printed(pos: Any, seat: int | None = None, width: int = 110) -> str:
    """What a terminal of so many columns without colours shows this seat."""
    screen = Console(width=width, force_terminal=False)
    with screen.capture() as taken:
        screen.print(draw(pos.view(seat)))
    return taken.get()


def test_tokens_leaders_and_cities_have_shapes_of_their_own():
    """2.2, 3.2: without colours too one sees whose token lies where, whether it is tilted, and who holds a city."""
    pos = board(
        leaders={"Gustav Adolf": "1005", "Tilly": "1106"},
        tokens={"Sweden": ["1005", "1004"], "Austria": ["1206"]},
        tilted={"Austria": ["1106"]},
        cities={"Berlin": ("medium", "Austria", 1)},
    )
    page = printed(pos)
    assert "GA▲" in page, "Gustav Adolf on an upright Swedish token"
    assert "JT☆" in page, "Tilly on a tilted Austrian one"
    assert "▪▪★" in page, "Berlin, medium and Austrian"
    assert "Berlin 4: ★ Austria, revolts" in page
    assert "Banér JB (removed)" in page


def test_a_battle_shows_both_sides_and_the_commitment_to_its_owner_only():
    """8.1, 8.6: modifiers by name for all; what the attacker has chosen for the attacker."""
    pos = game(
        leaders={"Gustav Adolf": "1005", "Banér": "0905", "Tilly": "1106"},
        cities={"Berlin": ("medium", "Austria", 1)},
    )
    page = printed(pos)
    assert "Sweden attacks with Gustav Adolf, Banér: 0 to 8, +1 both leaders" in page
    assert "Austria defends with Tilly: 0 to 8, +2 defending Berlin" in page
    play(pos, "attack Tilly", "commit 7")
    assert "You have committed 7" in printed(pos, 0)
    assert all("You have committed" not in printed(pos, seat) for seat in (1, 2, 3, None))


def test_at_80_columns_the_map_keeps_its_shape_and_no_word_is_cut():
    """Every line of the map is one line, areas that begin alike differ, leaders and powers stand in full."""
    pos = board(leaders={"Gustav Adolf": "1005", "Ferdinand": "1106"}, tokens={"Sweden": ["1005"]})
    page = printed(pos, width=80)
    assert "…" not in page
    lines = page.splitlines()
    head = next(at for at, line in enumerate(lines) if "resistance" in line)
    chart = lines[head + 1 : next(at for at, line in enumerate(lines) if "filled: upright" in line)]
    rows = {hex["id"][2:] for hex in pos.view(None)["hexes"]}
    assert len([line for line in chart if line.strip()]) <= 2 * len(rows) + 2
    assert {"Obpf", "Obla"} <= set(" ".join(chart).split())
    assert "Ferdinand FI (" in page
    assert "Gustav Adolf GA (" in page


def test_a_wide_terminal_writes_more_of_a_name():
    pos = board(leaders={"Gustav Adolf": "1005"})
    assert "Oberpfalz" in printed(pos, width=200)
    assert "Oberpfalz" not in printed(pos, width=80)

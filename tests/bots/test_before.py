"""A game that begins later than printed: bots have played what lies before, each decision as its seat sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sutler
from sutler.bots import bot
from sutler.core.files.gamefile import format_game_file
from sutler.core.files.replay import replay_from_text
from sutler.core.play.position import Position, SeatView

compiled = pytest.mark.compiled


def begun(seed: int, seats: int = 2, **options: Any) -> Position:
    """The third year of a campaign that normal bots have played so far."""
    game = sutler.load("sixwinters", start_year=3, **options)
    return game.new(seats, seed, before=bot("normal").choose)


@compiled
def test_a_campaign_that_bots_have_played_so_far() -> None:
    """The same for a seed, to the byte; its journal tells the years before, and nothing else is left of them."""
    pos, again, other = begun(7), begun(7), begun(8)
    assert pos.to_bytes() == again.to_bytes() != other.to_bytes()
    assert int(pos.state.year) == 3
    assert pos.prompt().rule == "3.2", "the third year's missions are chosen next"
    journal = pos.view(0)["journal"]
    assert [page["year"] for page in journal] == [1, 2]
    assert all(len(page["missions"]) == 2 and page["turns"] > 0 for page in journal)
    assert all(page["burned"] and page["characters"] for page in journal)
    assert any(one["xp"] > 0 for one in pos.view(0)["characters"]), "experience was gathered"
    assert not pos.decisions
    assert not pos.log(0)
    assert not pos.can_undo()
    assert pos.game.changed_options() == {}
    assert replay_from_text(format_game_file(pos.build_game_file())).to_bytes() == pos.to_bytes()


@compiled
def test_what_the_bots_saw_is_nobodys() -> None:
    """Whoever sits down knows what lies on the table; of the piles' order all seats know alike, and not the truth."""
    pos = begun(7)
    seen = []
    for seat in range(pos.n_seats):
        twin = pos.for_seat(seat, 1).redeal()
        assert twin.draw.tobytes() != pos.state.draw.tobytes()
        assert twin.rng.tobytes() != pos.state.rng.tobytes()
        seen.append({key: value for key, value in pos.view(seat).items() if key not in ("seat", "may_act")})
    assert seen[0] == seen[1]
    assert not pos.state.n_known.any()


@compiled
def test_the_tables_options_hold_for_the_years_before() -> None:
    """Nothing but easy missions, and three seats, all along."""
    pos = begun(5, 3, difficulty="easy")
    assert {page["level"] for page in pos.view(0)["journal"]} == {"easy"}
    assert {len(page["characters"]) for page in pos.view(0)["journal"]} == {3}
    assert pos.game.changed_options() == {"difficulty": "easy"}


def test_nothing_lies_before_the_beginning() -> None:
    """The first year has no years before it, and most games no beginning but one."""
    with pytest.raises(sutler.BoxError, match="nothing lies before 1; say a later one, such as 2"):
        sutler.load("sixwinters").new(before=bot("normal").choose)
    with pytest.raises(sutler.BoxError, match="nothing lies before that a bot could play"):
        sutler.load("manor").new(before=bot("normal").choose)


SCENARIO = 'game = "manor"\nseats = 2\nby = "{by}"\n[until]\nturn = 3\n'


def test_a_scenario_says_who_plays_on(tmp_path: Path) -> None:
    """`by`: chance, or bots of a level; each another course, the same for a seed. Whatever is none is refused."""
    ends = {}
    for by in ("chance", "easy", "normal"):
        file = tmp_path / f"{by}.toml"
        file.write_text(SCENARIO.format(by=by))
        first, again = (sutler.load("manor").new(position=file, seed=5, bots=bot) for _ in range(2))
        assert int(first.state.turn) == 3
        assert first.to_bytes() == again.to_bytes()
        ends[by] = first.to_bytes()
    assert len(set(ends.values())) == 3
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(SCENARIO.format(by="./mine.py"))
    with pytest.raises(sutler.BoxError, match="by"):
        sutler.load("manor").new(position=wrong, seed=5, bots=bot)


def test_whoever_loads_such_a_file_hands_in_the_bot(tmp_path: Path) -> None:
    """Core knows no bots: without one, a file that names a level is refused by its field; one that goes by chance is not."""
    file = tmp_path / "played.toml"
    file.write_text(SCENARIO.format(by="normal"))
    with pytest.raises(sutler.BoxError, match=r"field by: a normal bot plays on, and none is handed in"):
        sutler.load("manor").new(position=file)
    file.write_text(SCENARIO.format(by="chance"))
    assert int(sutler.load("manor").new(position=file).state.turn) == 3


def test_a_course_that_ends_too_early_is_dealt_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With other luck: a bot that is dealt the same would do the same for ever."""
    file = tmp_path / "short.toml"
    file.write_text('game = "manor"\nseats = 2\n[until]\nturn = 3\n')
    deals: list[int] = []
    monkeypatch.setattr("sutler.core.play.game.MAX_DEAL_DECISIONS", 2)
    monkeypatch.setattr("sutler.core.play.game.MAX_BOT_DEALS", 4)
    plain = Position.reseed_after_undo
    monkeypatch.setattr(Position, "reseed_after_undo", lambda pos, n: (deals.append(n), plain(pos, n))[1])

    def first(view: SeatView) -> Any:
        return view.actions()[0]

    from sutler.core.files.scenario import read_scenario
    from sutler.core.play.game import build_scenario_position

    with pytest.raises(sutler.BoxError, match="no game of seed 5 comes so far"):
        build_scenario_position(sutler.load("manor"), read_scenario(file), 5, player=first)
    assert deals == [1, 2, 3]

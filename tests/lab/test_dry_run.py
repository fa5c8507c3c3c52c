"""A box that was changed is tried before the games: one that leads nowhere, or has no end, is told in words at once."""

from __future__ import annotations

import pytest

import sutler
from sutler.core.play.position import Stuck
from sutler.lab.play import simulate
from sutler.lab.play.simulate import require_games_end


def test_a_printed_game_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs nothing where nothing was changed."""
    monkeypatch.setattr(simulate, "play_games", None)
    require_games_end(sutler.load("manor"), ["greedy"], None, 1)


def test_a_game_that_ends_is_tried_once(market: sutler.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """One game is enough; a search leaves it to the quick bot."""
    tried, really = [], simulate.play_games

    def counted(game, players, seed, max_decisions):
        tried.append((players, seed))
        return really(game, players, seed, max_decisions=max_decisions)

    monkeypatch.setattr(simulate, "play_games", counted)
    require_games_end(market, ["search:rounds=40"], 2, 7)
    assert tried == [(["greedy", "greedy"], 7)]


def test_a_game_without_end_is_told_in_words(market: sutler.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """None of three games has ended after so many decisions: what was changed is to be turned back."""
    monkeypatch.setattr(simulate, "MAX_TRIAL_DECISIONS", 3)
    with pytest.raises(ValueError, match="none of the first 3 games has ended after 3 decisions; turn some of it back"):
        require_games_end(market, ["random"], 2, 1)


def test_rules_that_lead_nowhere_are_told_in_words(market: sutler.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault is the change's, not ours."""

    def stuck(*given, **more):
        raise Stuck("Market, seed 1: the rules force one action after another without end")

    monkeypatch.setattr(simulate, "play_games", stuck)
    with pytest.raises(ValueError, match=r"without end; what was changed cannot be played so"):
        require_games_end(market, ["random"], 2, 1)

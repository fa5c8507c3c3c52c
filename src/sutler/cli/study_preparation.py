"""Preparation of the lab's commands: compile the rules, and try each version of a game, before the first game is played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from sutler.cli.progress import compile_with_progress

if TYPE_CHECKING:
    from sutler.bots import Bot
    from sutler.core.play.game import Game
    from sutler.lab.play.query import Query

Answer = TypeVar("Answer")


def prepare_study(query: Query, *versions: Game, elsewhere: str | None = None) -> None:
    """Check seats and seed, compile the rules with a progress bar, and try whether games of each version end.

    `versions`: those the study plays; the query's own if none is given. `elsewhere`: the address of a Ray cluster, whose machines
    compile for themselves. ValueError where the games cannot be played.
    """
    from sutler.lab.play.simulate import require_valid_seeds, seat_bots

    require_valid_seeds(
        query.version, len(seat_bots(query.bots, query.version, query.seats)), query.seed, query.get_games_or(1)
    )
    if elsewhere is None:
        compile_with_progress(query.version.name)
        require_versions_end(query, versions or [query.version], query.bots)


def require_versions_end(query: Query, versions: Iterable[Game], bots: Sequence[str | Bot]) -> None:
    """Play each of these versions once between these bots; ValueError for one whose game does not end."""
    from sutler.lab.play.simulate import require_games_end

    for one in versions:
        require_games_end(one, bots, query.seats, query.seed)


def take_last_answer(answers: Iterable[Answer]) -> Answer:
    """The last answer that a study yields; after Ctrl-C the last one until then."""
    found: Answer | None = None
    try:
        for so_far in answers:
            found = so_far
    except KeyboardInterrupt:
        if found is None:
            raise
    assert found is not None
    return found

"""The score of a campaign (guide 11.8), and who has won: all players together, or nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.rule import rule
from sutler.games.sixwinters.box import MISSIONS, OPTIONS
from sutler.games.sixwinters.cards.vocabulary import RESOURCES, TECHNOLOGY
from sutler.games.sixwinters.rules.common import level
from sutler.games.sixwinters.state import FAILED, OUTCOME, PASSED

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.sixwinters.records import Box, State


_PAIRS = [pair.split(", ") for pair in OPTIONS.words("score_tracks")]
FIVE_POINT_TRACK = tuple(RESOURCES.index(high) for high, _ in _PAIRS)  # the track that scores five, by the option
THREE_POINT_TRACK = tuple(RESOURCES.index(low) for _, low in _PAIRS)  # and three


@rule
def mission_points(box: Box, state: State, mission: int) -> int:
    """The points of a mission: more for one passed, for a difficult one, and for one whose shared card is complete (11.8)."""
    result = state.mission[mission]
    if result == PASSED:
        points = int(box.rules.pass_base)
        if state.mission_difficult[mission] == 1:
            points = int(box.rules.pass_difficult)
        if box.mission[mission].shared >= 0:
            points += box.rules.beyond
        return points
    if result == FAILED:
        if state.mission_difficult[mission] == 1:
            return int(box.rules.fail_difficult)
        return int(box.rules.fail_base)
    return 0


@rule
def track_points(box: Box, state: State, resource: int, points: int) -> int:
    """`points` if the progress marker of a resource stands further on than its threat marker, else 0 (11.8, 14.62)."""
    if state.progress[resource] > state.threat[resource]:
        return int(points)
    return 0


@rule
def team_points(box: Box, state: State) -> int:
    """The points of the team: missions, two tracks above their threats, and the Technology level (11.8)."""
    points = 0
    for mission in range(MISSIONS):
        points += mission_points(box, state, mission)
    which = box.options.score_tracks
    points += track_points(box, state, FIVE_POINT_TRACK[which], box.rules.score_high)
    points += track_points(box, state, THREE_POINT_TRACK[which], box.rules.score_low)
    return points + level(box, state, TECHNOLOGY)


@rule
def score(box: Box, state: State, out: Numbers) -> None:
    """Write each seat's score into `out`: the team's points for all (11.8)."""
    for seat in range(state.n_seats):
        out[seat] = team_points(box, state)


@rule
def rank(box: Box, state: State, out: Numbers) -> None:
    """Write each seat's rank into `out`: 1 for all unless the campaign is lost, else the last rank for all; alone always 1 (11.7)."""
    place = state.n_seats
    if state.n_seats == 1 or state.outcome != OUTCOME.lost:
        place = 1
    for seat in range(state.n_seats):
        out[seat] = place

"""Reasons why bots prefer one position of Six Winters to another: the parts of `evaluate`, each with its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.record import NOBODY
from sutler.core.rule import rule as part
from sutler.core.text.reason_figures import Figure
from sutler.games.sixwinters.bot.card_and_fight_costs import is_last_session_of_part, n_dice_to_complete, n_turns_left
from sutler.games.sixwinters.bot.evaluate import (
    BEGIN,
    CAMPAIGN_WON,
    TURN,
    YEAR,
    campaign_effects_worth,
    heroes_worth,
    obstacles_worth,
    people_worth,
    tracks_worth,
)
from sutler.games.sixwinters.bot.mission_value import missions_worth
from sutler.games.sixwinters.bot.weights import LAST_WEIGHTS, WEIGHTS
from sutler.games.sixwinters.box import FACES
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.scoring import team_points
from sutler.games.sixwinters.state import OUTCOME

if TYPE_CHECKING:
    from sutler.core.typing import Numbers
    from sutler.games.sixwinters.bot.weights import Numbers as Weights
    from sutler.games.sixwinters.records import Box, State

REASONS = (
    ("it brings more score", "it brings less score"),
    ("it is better for progress and threats", "it is worse for progress and threats"),
    ("it is better for the missions", "it is worse for the missions"),
    (
        "it leaves the characters better placed, with better dice",
        "it leaves the characters worse placed, with poorer dice",
    ),
    ("it is better against the obstacles", "it is worse against the obstacles"),
    ("it is better for what the characters become", "it is worse for what the characters become"),
    ("it gains an effect of the campaign", "it loses an effect of the campaign"),
    ("it saves time", "it takes time"),
)
"""The words for each part that `reckon` computes: for the position that has more of the part, and for the one that has less."""


def n_dice_left(box: Box, state: State, seat: int) -> int:
    """The number of action dice of all seats that are not spent."""
    return sum(int(state.seats[k].dice[v]) for k in range(state.n_seats) for v in range(FACES))


def n_pips_left(box: Box, state: State, seat: int) -> int:
    """The sum of the values of all action dice that are not spent."""
    return sum(int(state.seats[k].dice[v]) * (v + 1) for k in range(state.n_seats) for v in range(FACES))


def n_dice_missing(box: Box, state: State, seat: int) -> int:
    """The number of dice that the characters' progress cards still need, without cards that cannot be completed any more."""
    held = [h for h in range(state.n_heroes) if state.heroes[h].card >= 0]
    return sum(min(MOST_CELLS, int(n_dice_to_complete(box, state, h))) for h in held)


def n_cards_held(box: Box, state: State, seat: int) -> int:
    """The number of progress cards that characters are filling."""
    return sum(int(state.heroes[h].card) >= 0 for h in range(state.n_heroes))


def n_symbols_filled(box: Box, state: State, seat: int) -> int:
    """The number of symbols of the session's missions that are filled."""
    return sum(int(card) != NOBODY for one in state.tasks for card in one.card if int(one.mission) >= 0)


def n_obstacles(box: Box, state: State, seat: int) -> int:
    """The number of obstacles in play."""
    found = 0
    for card in state.head:
        while card >= 0:
            found, card = found + 1, state.after[card]
    return found


def n_stress_boxes(box: Box, state: State, seat: int) -> int:
    """The number of stress boxes that the characters have used up."""
    return sum(int(box_no) for h in range(state.n_heroes) for box_no in state.heroes[h].box_no)


MOST_CELLS = 16
FIGURES = (
    Figure(0, "score", lambda box, state, seat: team_points(box, state)),
    Figure(1, "steps of progress", lambda box, state, seat: sum(int(n) for n in state.progress)),
    Figure(1, "steps of threat", lambda box, state, seat: sum(int(n) for n in state.threat), is_welcome=False),
    Figure(1, "threat tags in play", lambda box, state, seat: sum(int(n) for n in state.tags), is_welcome=False),
    Figure(1, "assets in play", lambda box, state, seat: sum(int(n) for n in state.in_play)),
    Figure(2, "symbols of the missions filled", n_symbols_filled),
    Figure(3, "dice missing on the characters’ cards", n_dice_missing, is_welcome=False),
    Figure(3, "cards that are being filled", n_cards_held),
    Figure(3, "action dice left", n_dice_left),
    Figure(3, "pips on the action dice left", n_pips_left),
    Figure(3, "stress", n_stress_boxes, is_welcome=False),
    Figure(4, "progress so far against the obstacle", lambda box, state, seat: state.over.total),
    Figure(4, "obstacles in play", n_obstacles, is_welcome=False),
    Figure(5, "experience", lambda box, state, seat: sum(int(one.xp) for one in state.people)),
    Figure(5, "achievements", lambda box, state, seat: sum(int(one.achievements) for one in state.people)),
    Figure(6, "effects of the campaign", lambda box, state, seat: int(state.effects).bit_count()),
)
"""The numbers that speak for the parts."""


@part
def reckon_by(box: Box, state: State, weights: Weights, out: Numbers) -> None:
    """Write the parts of `evaluate` that depend on its weights into `out`, in points and in the order of `REASONS`."""
    left = n_turns_left(box, state)
    out[1] = tracks_worth(box, state, weights, left)
    out[2] = missions_worth(box, state, weights, left)
    out[3] = heroes_worth(box, state, weights, left)
    out[5] = people_worth(box, state, weights)


@part
def reckon(box: Box, state: State, seat: int, out: Numbers) -> None:
    """Write each part of `evaluate` into `out`, in points and in the order of `REASONS`; the parts add up to the evaluation."""
    for k in range(len(REASONS)):
        out[k] = 0.0
    out[0] = 1.0 * team_points(box, state)
    if state.outcome == OUTCOME.won:
        out[0] += CAMPAIGN_WON
        return
    if state.phase == P.over:
        return
    if is_last_session_of_part(box, state):
        reckon_by(box, state, LAST_WEIGHTS, out)
    else:
        reckon_by(box, state, WEIGHTS, out)
    out[4] = obstacles_worth(box, state)
    out[6] = campaign_effects_worth(state)
    out[7] = -BEGIN - YEAR * (state.year - 1) - TURN * state.turn_no

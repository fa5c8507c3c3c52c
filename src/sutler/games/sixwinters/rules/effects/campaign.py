"""Operations on the campaign (guide 13.7): tracks, the scheme, characters unlocked and lost, reserve actions, the severing die."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sutler.core.chance import die
from sutler.core.events import tell
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.games.sixwinters.box import FACES
from sutler.games.sixwinters.cards.vocabulary import FALL, SORCERY, SPRING, SUMMER, WINTER, operation
from sutler.games.sixwinters.phases_actions_events import E
from sutler.games.sixwinters.rules.common import advance, run_effect, take_from_supply
from sutler.games.sixwinters.rules.effects.who import choose_person
from sutler.games.sixwinters.rules.heroes import leave_campaign
from sutler.games.sixwinters.rules.land import discard, is_in_play, n_showing
from sutler.games.sixwinters.rules.missions import settle_at_once
from sutler.games.sixwinters.rules.tracks import burn_scheme, change_progress, change_threat
from sutler.games.sixwinters.state import DEAD, LOCKED, OUTCOME, UNLOCKED, recount

if TYPE_CHECKING:
    from sutler.core.typing import Events
    from sutler.games.sixwinters.records import Box, Frame, Op, State


# --- Tracks and cards (guide 13.3, 13.7) ----------------------------------------------------


@operation("threat", needs="resource by")
@rule
def op_threat(box: Box, state: State, events: Events, op: Op) -> None:
    """14.6: a threat marker moves."""
    change_threat(box, state, events, int(op.resource), int(op.by))


@operation("progress", needs="resource by")
@rule
def op_progress(box: Box, state: State, events: Events, op: Op) -> None:
    """14.4: a progress marker moves."""
    change_progress(box, state, events, int(op.resource), int(op.by))


@operation("discard_self")
@rule
def op_discard_self(box: Box, state: State, events: Events, frame: Frame) -> None:
    """13.3: the obstacle is discarded, if it is still in play."""
    if is_in_play(state, int(frame.obstacle)):
        discard(box, state, events, int(frame.obstacle))


@operation("burn_scheme")
@rule
def op_burn_scheme(box: Box, state: State, events: Events) -> None:
    """8.7: the scheme in play leaves the campaign."""
    burn_scheme(box, state, events)


# --- What lasts a while (guide 13.2, 13.8) ---------------------------------------------------


@operation("reduce_stress", needs="track by until")
@rule
def op_reduce_stress(state: State, events: Events, op: Op) -> None:
    """9.1: so much stress of a track is not taken, until the turn, the season or the session ends."""
    state.reduced[op.track] = op.by
    state.reduced_until[op.track] = op.until
    tell(events, E.relief, op.by, op.track)


@operation(
    "move_cost",
    may="from_here to_region set change minimum extra_pool_die extra_action_dice until",
    holds=True,
    runs=True,
)
@rule
def op_move_cost(state: State, events: Events, op: Op) -> None:
    """14.54: every way costs more or less until the turn ends; on a card in play it is asked for by `dice_price` instead."""
    state.move_change += op.change
    state.move_least = op.minimum
    if op.change > 0:
        tell(events, E.ways_dearer, op.change)
    elif op.change < 0:
        tell(events, E.ways_cheaper, -op.change)


# --- Characters and the campaign (guide 13.7) ------------------------------------------------


@operation("unlock_character", needs="character")
@rule
def op_unlock(box: Box, state: State, events: Events, op: Op) -> None:
    """11.2, 14.44: a character is unlocked, with as many achievements as the number of the year."""
    c = int(op.character)
    person = state.people[c]
    if person.state == LOCKED:
        person.state = UNLOCKED
        person.achievements = min(state.year, box.character[c].n_achievements)
        tell(events, E.unlocked, c)


@operation("campaign_effect", needs="effect")
@rule
def op_campaign_effect(box: Box, state: State, events: Events, op: Op) -> None:
    """9.11: a campaign effect is gained."""
    state.effects |= 1 << int(op.number)
    recount(box, state)
    tell(events, E.effect_gained, op.number)


@operation("burn_character", needs="character")
@rule
def op_burn_character(box: Box, state: State, events: Events, op: Op) -> None:
    """8.9: the character named leaves the campaign."""
    leave_campaign(box, state, events, int(op.character))


@operation("campaign_won")
@rule
def op_campaign_won(state: State) -> None:
    """11.7: the campaign is won at once."""
    state.outcome = OUTCOME.won


@operation("campaign_lost")
@rule
def op_campaign_lost(state: State) -> None:
    """11.7: the campaign is lost at once."""
    state.outcome = OUTCOME.lost


@operation("gain_reserve_action", needs="character action")
@rule
def op_reserve_action(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """11.2: a character gains a reserve action; without a name players choose who."""
    if op.character >= 0:
        frame.chosen = op.character
        if state.people[op.character].state == DEAD:
            return True
    elif not choose_person(box, state, op, frame):
        return False
    if frame.chosen >= 0:
        state.people[frame.chosen].reserves |= 1 << int(op.number)
        tell(events, E.reserve_gained, frame.chosen, op.number)
    return True


@operation("kill_character", needs="who")
@rule
def op_kill(box: Box, state: State, events: Events, op: Op, frame: Frame) -> bool:
    """8.9: an unlocked character leaves the campaign, players choose."""
    if not choose_person(box, state, op, frame):
        return False
    if frame.chosen >= 0:
        leave_campaign(box, state, events, int(frame.chosen))
    return True


@operation("severing_die", may="set by")
@rule
def op_severing(box: Box, state: State, events: Events, op: Op, f: int) -> bool:
    """14.21, 14.68: the die is laid or goes up; it is compared at once, and only then a season's event follows."""
    if op.by == 0:
        if state.severing == 0 and take_from_supply(box, state, events, SORCERY):
            state.severing = op.value
            tell(events, E.severing_laid, op.value)
        return True
    if state.severing == 0:
        return True
    state.severing = min(FACES, state.severing + op.by)
    tell(events, E.severed, state.severing)
    for k in range(2):
        if state.tasks[k].mission >= 0 and box.mission[state.tasks[k].mission].severing == 1:
            settle_at_once(box, state, events, k)
    if state.outcome == OUTCOME.open and state.n_frames == f + 1:
        v = die(state, FACES)
        season = WINTER
        if v == 1:
            season = SPRING
        elif v == 2:
            season = SUMMER
        elif v == 3:
            season = FALL
        advance(state, f)
        run_effect(state, box.event[season, n_showing(box, state, season)], NOBODY, NOBODY, NOBODY)
        return False
    return True

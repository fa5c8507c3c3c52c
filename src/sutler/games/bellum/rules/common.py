"""What all chapters of Bellum share: action ids, events, the small steps of a turn."""

from __future__ import annotations

from sutler.core.events import Event, EventTable
from sutler.core.rule import rule
from sutler.games.bellum.box import ACTIONS
from sutler.games.bellum.state import MOVING

(
    A_PLACE,
    A_ATTACK,
    A_HOLD,
    A_COMMIT,
    A_REMOVE,
    A_RETREAT_FIRST,
    A_RETREAT,
    A_BESIEGE,
    A_SPARE,
    A_STORM,
    A_ULTIMATUM,
    A_WAIT,
    A_TILT,
    A_FEED,
    A_PILLAGE,
    A_END_PILLAGE,
    A_LEAD,
    A_MOVE,
    A_END_MOVES,
) = ACTIONS.firsts()

EVENTS = EventTable(
    leads=Event("4.2", "{seat} leads {power}"),
    tile=Event("4.4", "{power} makes {site} a {size} city", icon="stone-tower"),
    dealt=Event("4.5", "{site} is a {size} city", icon="stone-tower"),
    year=Event("7.1", "{year}", heading=True),
    turn=Event("7.1", "{power}", heading=True),
    attack=Event("8.3", "{power} attacks {enemy:power}", icon="crossed-swords"),
    takes_part=Event("8.4", "{leader} takes part"),
    chose=Event("8.1", "{power} has committed its strength in secret"),
    own_choice=Event("8.1", "Only you know: {power} commits {n}"),
    commits=Event("8.1", "{power} commits {n}", icon="flying-flag"),
    plus_leader=Event("8.6", "{power} +{n}: both leaders take part"),
    plus_ally=Event("14.9", "{power} +{n}: allied leaders take part"),
    minus_river=Event("8.6", "{power} −{n}: the attack goes across a river"),
    plus_site=Event("8.6", "{power} +{n}: it defends {site}"),
    no_battle=Event("8.1", "Nobody commits anything: there is no battle"),
    won=Event("8.1", "{power} wins, {n} against {n2}", icon="crossed-swords"),
    forfeit=Event("8.1", "{power} wins: {enemy:power} committed nothing", icon="crossed-swords"),
    drawn=Event(
        "8.1", "{n} against {n2}: a draw, so {power} wins, and the loser leaves in good order", icon="crossed-swords"
    ),
    strength=Event("8.2", "{power}: strength {n} → {n2}", icon="flying-flag"),
    removed=Event("8.7", "{leader} is removed", icon="mounted-knight"),
    retreated=Event("8.8", "{leader} retreats to {land}", icon="mounted-knight"),
    cut_down=Event("8.8", "{leader} has nowhere to retreat and is removed", icon="mounted-knight"),
    besieged=Event("9.1", "{power} lays siege to {site}; it falls in {year}", icon="siege-tower"),
    long_siege=Event("9.1", "{power} lays siege to {site}", icon="siege-tower"),
    occupied=Event("9.2", "{power} takes {site}", icon="stone-tower"),
    until=Event("9.3", "{site} will revolt in {year}"),
    revolted=Event("9.3", "{site} revolts and shakes off {power}", icon="fist"),
    shrank=Event("9.4", "{site} is a {size} city now"),
    ruined=Event("9.4", "{site} is a ruin; its country lies empty", icon="damaged-house"),
    broken=Event("9.5", "The siege of {site} by {power} is broken"),
    hq_token=Event("9.6", "{power} besieges {site} and wins a token of {enemy:power}", icon="queen-crown"),
    stormed=Event("14.4", "{power} storms {site}", icon="siege-tower"),
    gave_ultimatum=Event("14.4", "{power} gives {site} an ultimatum", icon="siege-tower"),
    influence=Event("10.2", "{power}: tokens placed {n}, removed {n2}", icon="knight-banner"),
    supply=Event("10.3", "{power}: supply {n}", icon="bread"),
    fed=Event("11.2", "{power} feeds by {n}: strength {n2} → {n3}", icon="wheat"),
    pillaged=Event("14.5", "{power} pillages, areas laid waste: {n}", icon="wheat"),
    moved=Event("12.1", "{leader} marches to {land}", icon="mounted-knight"),
    returned=Event("12.5", "{leader} returns to {land}", icon="mounted-knight"),
    by_sieges=Event("13.1", "{power} has besieged every enemy headquarters: the game ends", heading=True, ending=True),
    by_ruin=Event("13.2", "{power} has neither supply nor strength: the game ends", heading=True, ending=True),
    by_peace=Event("13.3", "The Peace of Westphalia: the game ends", heading=True, ending=True),
    war_wins=Event("13.6", "No power's score is above 0: the war is the only winner", heading=True, ending=True),
)

(
    LEADS,
    TILE,
    DEALT,
    YEAR_BEGINS,
    TURN,
    ATTACKS,
    TAKES_PART,
    CHOSE,
    OWN_CHOICE,
    COMMITS,
    PLUS_LEADER,
    PLUS_ALLY,
    MINUS_RIVER,
    PLUS_SITE,
    NO_BATTLE,
    WON,
    FORFEIT,
    DRAWN,
    STRENGTH,
    REMOVED,
    RETREATED,
    CUT_DOWN,
    BESIEGED,
    LONG_SIEGE,
    OCCUPIED,
    UNTIL,
    REVOLTED,
    SHRANK,
    RUINED,
    BROKEN,
    HQ_TOKEN,
    STORMED,
    GAVE_ULTIMATUM,
    INFLUENCE,
    SUPPLY,
    FED,
    PILLAGED,
    MOVED,
    RETURNED,
    ENDS_BY_SIEGES,
    ENDS_BY_RUIN,
    ENDS_BY_PEACE,
    WAR_WINS,
) = EVENTS.kinds()


@rule
def ask(state, phase, power):
    """Stop: the seat that leads this power has a decision to make."""
    state.phase = phase
    state.to_act = state.seat_of[power]


@rule
def go_on(state):
    """No decision is open: the rules move on."""
    state.phase = MOVING


@rule
def next_stage(state):
    """7.1: the next phase of the turn."""
    state.stage += 1
    state.step = 0

"""The phases, actions, events, refusals and faults of Bellum se ipsum alet, one row each. The order of the rows has no meaning."""

from __future__ import annotations

from sutler.core.actions import ActionTable, Block
from sutler.core.events import Event, EventTable
from sutler.core.tables import FaultTable, Phase, PhaseTable, Refusal, RefusalTable
from sutler.games.bellum.box import SIZES

PHASES = PhaseTable(
    moving=Phase("7.1"),  # no decision: the rules go on by themselves
    place=Phase(
        "4.4",
        "{power}, give a city its size.",
        "Sizes left: {tiles}. Last player first, then around again.",
        now="Give a city its size first.",
        stage="preparation",
    ),
    attack=Phase(
        "8.3",
        "{power}, do you attack?",
        "Both sides choose their strength in secret; what each can bring stands on the map.",
        now="Decide first whether you attack.",
        stage="battle",
    ),
    commit=Phase(
        "8.1",
        "{power}, how much strength do you commit?",
        "{sums}",
        now="Commit strength to the battle first.",
        stage="battle",
        midway=True,
    ),
    answer=Phase(
        "8.1",
        "{power}, how much strength do you commit?",
        "{enemy} has chosen in secret. {sums}",
        now="Commit strength to the battle first.",
        stage="battle",
        midway=True,
    ),
    remove=Phase(
        "8.7",
        "{power}, which leader is lost?",
        "There is no strength left to lose.",
        now="Choose first which leader is lost.",
        stage="battle",
        midway=True,
    ),
    retreat_first=Phase(
        "8.8",
        "{power}, who retreats first?",
        "Both leaders must go.",
        now="Choose first which leader retreats before the other.",
        stage="battle",
        midway=True,
    ),
    retreat=Phase(
        "8.8",
        "{power}, where does {leader} retreat?",
        "One step, away from the victors and from enemy tokens.",
        now="Retreat with the beaten leader first.",
        stage="battle",
        midway=True,
    ),
    siege=Phase(
        "14.10",
        "{power}, do you besiege {site}?",
        "It is your ally's.",
        now="Decide first whether you besiege your ally's city.",
        stage="city",
    ),
    force=Phase(
        "14.4",
        "{power}, do you force {site}?",
        "A storm costs it a size more; an ultimatum wants both leaders.",
        now="Decide first whether you force the siege.",
        stage="city",
    ),
    feed=Phase(
        "11.1",
        "{power}, which land feeds the army?",
        "{wanted}; strength is {n}. Choose tokens, or say how many: then the border feeds first.",
        now="Feed the army first.",
        stage="feed",
    ),
    pillage=Phase(
        "14.5",
        "{power}, do you pillage?",
        "Each area adds 1 to what was fed, and bears nothing more.",
        now="Decide first what you pillage.",
        stage="feed",
    ),
    move=Phase(
        "12.1",
        "{power}, where does {leader} march?",
        "Up to 3 areas over your own tokens, 1 beyond them. Stop beside enemies.",
        now="Move your leaders or end the turn first.",
        stage="leader",
    ),
    over=Phase("13.3", over=True),
)

ACTIONS = ActionTable(
    SIZES,
    place=Block(
        "4.4",
        ("size", "site"),
        when="place",
        first="City tiles are placed before the first year only.",
        label="{site}: {size}",
    ),
    # 8 battle phase
    attack=Block("8.3", ("leader",), when="attack", label="Attack {leader}"),
    hold=Block("8.3", verb="end battles", tone="quiet", when="attack", free=True, label="No battle"),
    commit=Block(
        "8.1", ("force",), when=("commit", "answer"), first="There is no battle to commit strength to.", label="{force}"
    ),
    remove=Block("8.7", ("leader",), when="remove", first="No leader has to be removed.", label="{leader}"),
    retreat_first=Block(
        "8.8", ("leader",), when="retreat_first", first="No leader has to retreat.", label="{leader} first"
    ),
    retreat=Block("8.8", ("land",), when="retreat", first="No leader has to retreat.", label="{land}"),
    # 9 city phase
    besiege=Block(
        "14.10", ("site",), when="siege", first="Only an ally's city is besieged on purpose.", label="Besiege {site}"
    ),
    spare=Block(
        "14.10",
        ("site",),
        tone="quiet",
        when="siege",
        first="Only an ally's city is besieged on purpose.",
        label="Leave it alone",
    ),
    storm=Block("14.4", ("site",), when="force", first="No siege of yours can be forced now.", label="Storm {site}"),
    ultimatum=Block(
        "14.4", ("site",), when="force", first="No siege of yours can be forced now.", label="Give an ultimatum"
    ),
    wait=Block(
        "14.4",
        ("site",),
        verb="go on besieging",
        tone="quiet",
        when="force",
        first="No siege of yours can be forced now.",
        label="Go on besieging",
    ),
    # 11 feed phase
    tilt=Block("11.1", ("hex",), when="feed", label="{hex}"),
    feed=Block("11.1", ("total",), when="feed", label="Feed {total}"),
    pillage=Block("14.5", ("land",), when="pillage", label="Pillage {land}"),
    end_pillage=Block("14.5", tone="quiet", when="pillage", free=True, label="No more"),
    # 12 leader phase
    lead=Block("12.4", ("leader",), tone="quiet", when="move", label="{leader} first"),
    move=Block("12.1", ("leader", "land"), when="move", label="{land}"),
    end_moves=Block("12.4", verb="end turn", tone="commit", when="move", label="End the turn"),
)

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
    both_there=Event("14.4", "Both leaders of {power} stand at {site} and may give it an ultimatum later"),
    occupied=Event("9.2", "{power} takes {site}", icon="stone-tower"),
    until=Event("9.3", "{site} will revolt in {year}"),
    revolted=Event("9.3", "{site} revolts and shakes off {power}", icon="fist"),
    shrank=Event("9.4", "{site} is a {size} city now"),
    ruined=Event("9.4", "{site} is a ruin; its country lies empty", icon="damaged-house"),
    broken=Event("9.5", "The siege of {site} by {power} is broken"),
    hq_token=Event("9.6", "{power} besieges {site} and wins a token of {enemy:power}", icon="queen-crown"),
    stormed=Event("14.4", "{power} storms {site}", icon="siege-tower"),
    gave_ultimatum=Event("14.4", "{power} gives {site} an ultimatum", icon="siege-tower"),
    gone=Event("10.1", "{power} loses the tokens on {hex}", icon="knight-banner", listed=True),
    placed=Event("10.2", "{power} places tokens on {hex}", icon="knight-banner", listed=True),
    placed_tilted=Event("10.4", "{power} places tilted tokens on {hex}", icon="knight-banner", listed=True),
    supply=Event("10.3", "{power}: supply {n}", icon="bread"),
    tilted=Event("11.1", "{power} feeds from {hex}", icon="wheat", listed=True),
    fed=Event("11.2", "{power} feeds by {n}: strength {n2} → {n3}", icon="wheat"),
    pillaged=Event("14.5", "{power} pillages {hex}", icon="wheat", listed=True),
    moved=Event("12.1", "{leader} marches to {land}", icon="mounted-knight"),
    returned=Event("12.5", "{leader} returns to {land}", icon="mounted-knight"),
    by_sieges=Event("13.1", "{power} has besieged every enemy headquarters: the game ends", heading=True, ending=True),
    by_ruin=Event("13.2", "{power} has neither supply nor strength: the game ends", heading=True, ending=True),
    by_peace=Event("13.3", "The Peace of Westphalia: the game ends", heading=True, ending=True),
    war_wins=Event("13.6", "No power's score is above 0: the war is the only winner", heading=True, ending=True),
)

REFUSALS = RefusalTable(
    no_ruin=Refusal("A ruin is no tile to place.", "4.4"),
    no_tile=Refusal("All tiles of this size are placed.", "4.4"),
    has_tile=Refusal("This city has its tile already.", "4.4"),
    no_city=Refusal("This is no city in this game.", "4.4"),
    own_leader=Refusal("This is your own leader.", "8.3"),
    an_ally=Refusal("Allies do not fight each other.", "14.9"),
    not_on_board=Refusal("This leader is not on the board.", "8.3"),
    not_adjacent=Refusal("None of your leaders is adjacent to this one.", "8.3"),
    fought=Refusal("You have fought these leaders already.", "8.5"),
    not_first=Refusal("These leaders fight together: attack the first of them.", "8.4"),
    not_begun=Refusal("Your leader was not adjacent to this enemy when the phase began.", "8.3"),
    too_strong=Refusal("You cannot commit more than your strength level.", "8.1"),
    no_markers=Refusal("The markers show no more than this.", "8.1"),
    out_of_range=Refusal("You cannot commit more than the land tokens in range.", "14.3"),
    not_removed=Refusal("Only one of the loser's leaders that took part is removed.", "8.7"),
    not_retreating=Refusal("This leader does not retreat now.", "8.8"),
    one_step=Refusal("A retreat goes one step to an adjacent land area.", "8.8"),
    leader_there=Refusal("Another leader stands there.", "8.8"),
    token_there=Refusal("An enemy's token lies there.", "8.8"),
    watched=Refusal("This area is adjacent to a leader of the winning side.", "8.8"),
    allys_area=Refusal("An ally's area is open only when there is no other.", "14.9"),
    other_siege=Refusal("This siege is not the one in question.", "14.4"),
    other_city=Refusal("This is not the city in question.", "14.10"),
    wants_both=Refusal("An ultimatum wants both leaders at the city, now and when the siege began.", "14.4"),
    no_token=Refusal("You have no upright token here.", "11.1"),
    token_far=Refusal("This token is out of range of your leaders.", "11.1"),
    supply_spent=Refusal("You have tilted as many tokens as your supply level allows.", "11.1"),
    feed_more=Refusal("You must feed your strength level as far as you can.", "11.1"),
    feed_less=Refusal("You cannot feed with more tokens than your supply and range allow.", "11.1"),
    fed_already=Refusal("You have tilted more than that already.", "11.1"),
    nothing_to_pillage=Refusal("You have no token here to pillage.", "14.5"),
    pillage_far=Refusal("Only own tokens on land in range can be pillaged.", "14.5"),
    not_yours=Refusal("This is not your leader.", "12.4"),
    other_moves=Refusal("Another leader is being moved.", "12.4"),
    has_moved=Refusal("This leader has moved already.", "12.4"),
    has_called=Refusal("You have called to and fro: send either leader now.", "12.4"),
    returning=Refusal("A leader returns instead of any march.", "12.5"),
    no_way=Refusal("There is no free area for this leader to go to.", "12.2"),
    occupied=Refusal("A leader stands there.", "12.2"),
    closed=Refusal("This hex is closed in this game.", "14.8"),
    no_land=Refusal("This is no land area.", "12.2"),
    too_far=Refusal("This is too far: three areas over own tokens, one beyond them, none past contested land.", "12.1"),
    not_at_home=Refusal("A removed leader returns to a free area next to its headquarters.", "12.5"),
    shut_in=Refusal("The other leader would be shut in at the headquarters.", "12.3"),
    must_leave=Refusal("Leaders must leave their headquarters in the first turn.", "12.3"),
)

FAULTS = FaultTable(
    shared_area="two tokens lie on one area",
    bad_area="a token lies where none may",
    bad_leader="two leaders stand on one area, or one where none may",
    below_zero="a level below zero",
    no_seat="the seat to act is not at the table",
    bad_site="a ruin, an HQ or a place out of play holds a city's tokens",
    siege_alone="a besieger has no leader at the city",
    bad_order="the turn order is no order of the powers in play",
    not_in_play="a power that is not in play has tokens or leaders",
)

P, A, E, R, F = PHASES.numbers, ACTIONS.numbers, EVENTS.numbers, REFUSALS.numbers, FAULTS.numbers

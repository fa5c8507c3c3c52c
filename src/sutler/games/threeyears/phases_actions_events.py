"""The phases, actions, events, refusals and faults of Three Years of War, one row each. The order of the rows has no meaning."""

from __future__ import annotations

from sutler.core.actions import ActionTable, Block
from sutler.core.events import Event, EventTable
from sutler.core.tables import FaultTable, Phase, PhaseTable, Refusal, RefusalTable
from sutler.games.threeyears.box import SIZES

ANY_DECISION = (
    "bid",
    "stake",
    "stake_on",
    "draft",
    "resolve",
    "target",
    "locusts",
    "look",
    "window",
    "last_chance",
    "market",
    "reap",
    "limit",
)
"""The phases in which a Writ may be revealed (8.7): every decision of a seat, except while it chooses the cards of a set."""

PHASES = PhaseTable(
    moving=Phase("3.2"),  # no decision: the rules go on by themselves
    bid=Phase(
        "5.2",
        "{seat}, bid influence or pass.",
        "{text}",
        now="Bid influence or pass first.",
        stage="influence",
    ),
    pick=Phase(
        "5.8",
        "{seat}, which card goes into the set?",
        "Still to choose: {n}.",
        now="A set is being put together; finish it first.",
        stage="influence",
        midway=True,
    ),
    stake=Phase(
        "6.2",
        "{seat}, choose a seasonal stake to assign.",
        "You are lead player.",
        now="Choose a seasonal stake first.",
        stage="stakes",
    ),
    stake_on=Phase(
        "6.3",
        "{seat}, which claim gets {kind}?",
        "Its symbols will count as printed on the card.",
        now="Say first which claim card gets the stake.",
        stage="stakes",
        midway=True,
    ),
    draft=Phase(
        "7.1", "{seat}, take a claim card.", "With claim marker {n}.", now="Take a claim card first.", stage="draft"
    ),
    resolve=Phase(
        "7.5",
        "{seat}, which symbol comes first?",
        "The order within a section is yours.",
        now="Say first which symbol comes next.",
    ),
    target=Phase("8.4", "{seat}, whom does the {icon} hit?", "{text}", now="Say first whom the symbol hits."),
    locusts=Phase(
        "8.10",
        "{seat}, where do the locusts settle?",
        "You lose 2 of it, everybody else 1.",
        now="Say first where the locusts settle.",
    ),
    look=Phase("8.8", "{seat}, look at something hidden.", "Looks left: {n}.", now="Scout first, or leave it."),
    window=Phase("8.7", "{seat}, reveal a Writ?", "{text}", now="Say first whether you reveal a Writ."),
    last_chance=Phase(
        "8.7", "{seat}, reveal a Writ before you {what}?", "{text}", now="Say first whether you reveal a Writ."
    ),
    market=Phase(
        "9.2",
        "{seat}, buy at the Marketplace?",
        "Each merchant once; {n} gold in hand.",
        now="Buy first, or leave it.",
        stage="interlude",
    ),
    reap=Phase(
        "9.6",
        "{seat}, exchange food?",
        "You have {n} food, {what} {resource}{text}.",
        now="Exchange food first, or leave it.",
        stage="interlude",
    ),
    limit=Phase(
        "9.8",
        "{seat}, discard down to {n} cards.",
        "One card at a time.",
        now="Discard down to the hand limit first.",
        stage="hand limit",
    ),
    over=Phase("10.6", over=True),
)

ACTIONS = ActionTable(
    SIZES,
    # 5 exerting influence; having to pass says that no set could be played, so it is always asked
    give_up=Block("5.9", label="Pass", verb="pass", ask=True, tone="quiet", when="bid", free=True),
    play=Block("5.3", ("season", "doubles"), label="{season}", when="bid"),
    pick=Block("5.8", ("kind",), label="{kind}", verb="use", when="pick", first="Choose a set first."),
    # 6 seasonal stakes
    stake=Block("6.2", ("kind",), label="{kind}", when="stake"),
    on=Block("6.2", ("claim",), label="{claim}", when="stake_on"),
    # 7 draft
    draft=Block("7.1", ("claim",), label="{claim}", when="draft"),
    # 8 icons
    resolve=Block("7.5", ("icon",), label="{icon}", when="resolve"),
    target=Block("8.4", ("seat",), label="{seat}", when="target"),
    blight=Block("8.10", ("resource",), label="Locusts on {resource}", when="locusts", free=True),
    look_event=Block("8.8", ("event",), label="The next card of {event}", verb="look at", when="look"),
    look_despair=Block("8.8", ("despair",), label="{despair}", verb="look at", when="look"),
    look_writ=Block("8.8", ("token",), label="{token}", verb="look at", when="look"),
    reveal=Block("8.7", ("writ",), label="Reveal {writ}", tone="quiet", when=ANY_DECISION),
    keep=Block("8.7", label="Keep your Writs", tone="quiet", when=("window", "last_chance"), free=True),
    # 9 interludes
    buy=Block("9.2", ("row",), label="{row}", when="market"),
    exchange=Block("9.6", ("offer",), label="{offer}", when="reap"),
    discard=Block("9.8", ("kind",), label="Discard {kind}", when="limit"),
    # no more of what is being asked
    done=Block("3.4", label="Done", tone="quiet", when=("look", "market", "reap"), free=True),
)

EVENTS = EventTable(
    year=Event("3.1", "Year {n}", heading=True),
    season=Event("3.2", "{season}", heading=True),
    taxed=Event("4.1", "{seat} levies {n} {icon}", icon="card-draw", summed=True),
    dealt=Event("4.1", "{seat} draws {influence}", icon="card-draw"),
    reshuffled=Event("4.2", "The discarded influence cards are shuffled into a new deck", icon="card-exchange"),
    recycled=Event("11.1", "The claim cards of {season} are shuffled together again", icon="card-exchange"),
    turned_up=Event("5.1", "{claim} is turned up", icon="scroll-quill"),
    played=Event("5.3", "{seat} plays {influence}", icon="card-play"),
    matched=Event("5.4", "{seat} matches: influence stays at {n}", icon="check-mark"),
    raised=Event("5.5", "{seat} raises influence to {n}", icon="queen-crown"),
    passed=Event("5.9", "{seat} passes and takes claim marker {n}", icon="cancel"),
    lead=Event("5.10", "{seat} becomes lead player", icon="vertical-banner"),
    last_in=Event("5.11", "{seat} is the last in and takes claim marker {n}", icon="hourglass"),
    no_stakes=Event("6.1", "There are no seasonal stakes"),
    cleared=Event("6.1", "Played cards that go to the discards: {n}", icon="card-discard"),
    stake=Event("6.1", "{influence} becomes a seasonal stake", icon="tied-scroll"),
    tied=Event("6.2", "{seat} ties {influence} to {claim}", icon="tied-scroll"),
    drafted=Event("7.1", "{seat} takes {claim}", icon="card-pickup"),
    resolving=Event("7.2", "{seat} resolves {claim}", icon="rule-book"),
    stakes_gone=Event("7.6", "Stakes that go to the discards: {n}", icon="card-discard"),
    gained=Event("8.1", "{seat} gains {n} {icon}", icon="token", summed=True),
    no_room=Event("8.1", "{seat} has no room for {n} {icon}", icon="cancel", summed=True),
    aimed=Event("8.4", "{seat} aims {icon} at {other:seat}", icon="crossed-swords"),
    stole=Event("8.3", "{seat} gets the gold of {other:seat}", icon="robber-hand"),
    none_left=Event("1.12", "No {icon} token is left for {seat}", icon="cancel"),
    took_writ=Event("8.6", "{seat} takes {token}", icon="scroll-quill"),
    own_writ=Event("8.6", "It shows {writ}", icon="scroll-quill"),
    revealed=Event("8.7", "{seat} reveals {token}: {writ}", icon="wax-seal"),
    scouted=Event("8.8", "{seat} takes {n} {n:#Scout token|Scout tokens}; looks to make: {n2}", icon="spyglass"),
    looked_event=Event("8.8", "{seat} looks at card {n} of {event}", icon="spyglass"),
    saw_card=Event("8.8", "You see {interlude}", icon="spyglass"),
    looked_despair=Event("8.8", "{seat} looks at {despair} of {other:seat}", icon="spyglass"),
    saw_despair=Event("8.8", "It is worth {n}", icon="spyglass"),
    looked_writ=Event("8.8", "{seat} looks at {token} of {other:seat}", icon="spyglass"),
    saw_writ=Event("8.8", "It shows {writ}", icon="spyglass"),
    drew=Event("8.9", "{seat} draws {n} {icon}", icon="card-draw", summed=True),
    locusts=Event("8.10", "{seat} turns the locusts on {resource}", icon="fly"),
    lost=Event("8.11", "{seat} loses {n} {resource}", icon="damaged-house", summed=True),
    short=Event("8.13", "{seat} has no {resource} left to lose", icon="despair"),
    despair=Event("8.12", "{seat} takes {despair}", icon="despair"),
    doom=Event("8.12", "{seat} takes a Doom token: there is no Despair left", icon="grim-reaper"),
    interlude=Event("9.1", "{event}: {interlude}", heading=True),
    bought=Event("9.2", "{seat} pays {n} gold", icon="shop", summed=True),
    first=Event("9.3", "{seat} comes first in {resource}", icon="trophy-cup"),
    second=Event("9.3", "{seat} comes second in {resource}", icon="crossed-sabres"),
    last=Event("9.4", "{seat} comes last in {resource}", icon="death-skull"),
    surplus=Event("9.5", "{seat} has more food than {resource}", icon="wheat"),
    level=Event("9.5", "{seat} has as much food as {resource}", icon="wheat"),
    hunger=Event("9.5", "{seat} has less food than {resource}", icon="wheat"),
    exchanged=Event("9.6", "{seat} pays {n} food", icon="shaking-hands", summed=True),
    sheltered=Event("9.7", "{seat} has more holdings than {resource}", icon="castle"),
    crowded=Event("9.7", "{seat} has as many holdings as {resource}", icon="castle"),
    exposed=Event("9.7", "{seat} has fewer holdings than {resource}", icon="frozen-block"),
    dropped=Event("9.8", "{seat} discards {influence}", icon="card-discard"),
    ended=Event("10.1", "The war is over", heading=True, ending=True),
    dispelled=Event("10.2", "Hope takes {despair}, worth {n}, from {seat}", icon="candle-light"),
    sorrow=Event("10.3", "{seat} turns up Despair worth {n}", icon="despair"),
    bonus=Event("10.4", "{seat} earns {n} renown for {resource}", icon="laurels"),
    bonus_cards=Event("10.4", "{seat} earns {n} renown for cards in hand", icon="laurels"),
    final=Event("10.5", "{seat} ends with {n} renown", icon="laurels"),
    disgrace=Event("10.7", "The lands of {seat} fall into chaos; the house ends in disgrace", icon="death-skull"),
    forgotten=Event(
        "10.7", "{seat} wins all the same, with less than nothing; it will soon be forgotten", icon="laurels"
    ),
)

REFUSALS = RefusalTable(
    none_of_season=Refusal("You hold no card of this season.", "5.3"),
    too_few_to_match=Refusal("You do not hold enough cards of this season to match the influence total.", "5.4"),
    too_few_to_raise=Refusal("You do not hold enough cards of another season to raise the influence total.", "5.5"),
    fewer_doubles=Refusal("You do not hold so many doubles of this season.", "5.3"),
    fewer_singles=Refusal("You hold too few singles of this season to go with these doubles.", "5.3"),
    superfluous=Refusal("A card in this set could be left out: only the fewest cards necessary may be played.", "5.8"),
    not_fewest=Refusal("You could reach the total with fewer cards of this season.", "11.2"),
    not_pickable=Refusal("You have no such card to put into this set.", "5.8"),
    other_shape=Refusal("The set still needs a card with another number of icons.", "5.8"),
    out_of_order=Refusal("Cards go into a set in the order in which they stand in the hand.", "5.8"),
    no_stake=Refusal("This is not one of the stakes still to be assigned.", "6.2"),
    not_offered=Refusal("This claim card is not on the board.", "5.1"),
    has_more_stakes=Refusal("Another claim card has fewer stakes; it must get one first.", "6.3"),
    taken=Refusal("Somebody has taken this claim card.", "7.1"),
    no_order=Refusal("Its place in the order makes no difference now.", "7.5"),
    no_such_seat=Refusal("This seat is not at the table.", "1.2"),
    not_oneself=Refusal("Opponents only may be aimed at.", "11.5"),
    no_more_cards=Refusal("This deck has no more cards face down to look at.", "8.8"),
    not_lying=Refusal("This token lies face down before nobody.", "8.8"),
    own_writ_known=Refusal("This Writ is your own; you know it.", "8.6"),
    all_seen=Refusal("You have seen this token.", "8.8"),
    no_such_writ=Refusal("You have no Writ of this kind.", "8.7"),
    bought_already=Refusal("You have bought from this merchant already.", "9.2"),
    too_dear=Refusal("You have too little gold.", "9.2"),
    no_surplus=Refusal("You do not have more food than the card asks for.", "9.5"),
    no_offer=Refusal("The card has no such offer.", "9.6"),
    exchanged_already=Refusal("You have exchanged already.", "11.6"),
    no_food=Refusal("You cannot pay that much food.", "9.6"),
    not_held=Refusal("You hold no such card."),
)

FAULTS = FaultTable(
    card_misplaced="an influence card is in two places, or in none",
    despair_misplaced="a Despair token is in two places, or in none",
    writ_twice="a Writ is in two places",
    track_out_of_range="a track is below 0 or above its end",
    doom_too_early="a Doom token was taken while there is Despair in the supply",
    tokens_astray="Hope or Scout tokens do not add up",
    nobody_acts="the seat to act is not at the table",
    nobody_leads="the lead player is not at the table",
    interlude_twice="an interlude deck holds a card twice",
    faces_wrong="the faces of the tokens are not those in the box",
    out_of_range="what is being done is out of range",
)

P, A, E, R, F = PHASES.numbers, ACTIONS.numbers, EVENTS.numbers, REFUSALS.numbers, FAULTS.numbers

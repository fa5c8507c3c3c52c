"""The phases, actions, events, refusals and faults of Medieval Manor, one row each. The order of the rows has no meaning."""

from __future__ import annotations

from sutler.core.actions import ActionTable, Block
from sutler.core.events import Event, EventTable
from sutler.core.tables import FaultTable, Phase, PhaseTable, Refusal, RefusalTable
from sutler.games.manor.box import SIZES, STAGE_NAMES

PHASES = PhaseTable(
    moving=Phase("1.6"),  # no decision: the rules go on by themselves
    buy=Phase(
        "3.4",
        "{seat}, draw {n2} {n2:#card|cards} and keep one?",
        "It costs any {n} {n:#good|goods}.",
        now="Decide first whether to pay for cards.",
        stage="draw",
    ),
    give_up=Phase(
        "3.4",
        "{seat}, give up a good.",
        "{n} still to pay.",
        now="Pay the goods for the cards first.",
        stage="draw",
        midway=True,
    ),
    keep=Phase(
        "3.4",
        "{seat}, keep one of these cards.",
        "The others are discarded; a hardship you keep strikes at once.",
        now="Choose first which of the cards you drew you keep.",
        stage="draw",
        midway=True,
    ),
    swap=Phase(
        "3.5",
        "{seat}, discard two cards for a new one?",
        "Choose the first, or leave it.",
        now="Decide first whether to discard two cards for a new one.",
        stage="draw",
    ),
    swap_second=Phase(
        "3.5",
        "{seat}, choose the second card to discard.",
        "You discard {card} too.",
        now="Choose the second card to discard first.",
        stage="draw",
        midway=True,
    ),
    offer=Phase(
        "4.2",
        "{seat}, do you want to trade?",
        "Choose a partner; {n} {n:#offer|offers} left this turn.",
        now="Decide first whether to make an offer.",
        stage="trade",
    ),
    compose=Phase(
        "4.2",
        "{seat}, write your offer to {other:seat}.",
        "Add what you give and what you want, then send it.",
        now="Send your offer first, or tear it up.",
        stage="trade",
        midway=True,
    ),
    answer=Phase(
        "4.2",
        "{seat}, do you take the offer of {other:seat}?",
        "Everything on the slip changes hands at once.",
        now="Answer the offer first.",
        stage="trade",
    ),
    work=Phase(
        "5.1",
        "{seat}, play a card or discard two for a good.",
        "One action for each of your peasants; who passes is out for this phase.",
        now="Play a card, discard two or pass first.",
        stage="work",
    ),
    choose_land=Phase(
        "5.2", "{seat}, place {card}.", "{text}", now="Choose a land for the card first.", stage="work", midway=True
    ),
    pay=Phase(
        "5.8",
        "{seat}, pay {n} for {card}.",
        "Choose how much of it in gold; the rest is resources.",
        now="Pay for the upgrade first.",
        stage="work",
        midway=True,
    ),
    convert=Phase(
        "5.4",
        "{seat}, convert with {card}?",
        "{text}",
        now="Decide first whether to convert with the card you played.",
        stage="work",
        midway=True,
    ),
    steal_from=Phase(
        "5.5",
        "{seat}, whom does {card} rob?",
        "Take {n} from one other seat.",
        now="Choose first whom the card robs.",
        stage="work",
        midway=True,
    ),
    steal=Phase(
        "5.5",
        "{seat}, take something from {other:seat}.",
        "{n} still to take.",
        now="Take what the card steals first.",
        stage="work",
        midway=True,
    ),
    sell_second=Phase(
        "5.9",
        "{seat}, choose the second card to discard.",
        "{card} and one more for a good of your choice.",
        now="Choose the second card to discard first.",
        stage="work",
        midway=True,
    ),
    sell_good=Phase(
        "5.9",
        "{seat}, take one good.",
        "For the two cards you discard.",
        now="Take your good for the two cards first.",
        stage="work",
        midway=True,
    ),
    use=Phase(
        "6.2",
        "{seat}, use your upgrades?",
        "Conversions in any order, as often as you like.",
        now="Decide first about your upgrades' conversions.",
        stage="upgrade",
    ),
    spend=Phase(
        "6.2",
        "{seat}, discard a card for {card}.",
        "{n} still to discard.",
        now="Discard the cards that the conversion costs first.",
        stage="upgrade",
        midway=True,
    ),
    feed=Phase(
        "7.1",
        "{seat}, feed your peasants.",
        "{n} food in any mix; one peasant feeds itself.",
        now="Feed your peasants first.",
        stage="feeding",
    ),
    grow=Phase(
        "7.3",
        "{seat}, take in another peasant?",
        "It costs {n} food.",
        now="Decide first whether to take in a peasant.",
        stage="feeding",
    ),
    grow_feed=Phase(
        "7.3",
        "{seat}, pay {n} food for the new peasant.",
        "Any mix of crops and animals.",
        now="Pay the food for the new peasant first.",
        stage="feeding",
        midway=True,
    ),
    limit=Phase(
        "8.1",
        "{seat}, discard down to {n} {n:#card|cards}.",
        "Choose one card at a time.",
        now="Discard down to the hand limit first.",
        stage="end",
    ),
    over=Phase("8.2", over=True),
)

ACTIONS = ActionTable(
    SIZES,
    # 3 draw phase
    buy=Block("3.4", verb="buy three", when="buy"),
    give_up=Block("3.4", ("good",), label="Give up 1 {good}", when="give_up", first="Decide first to pay for cards."),
    keep=Block("3.4", ("card",), label="Keep {card}", when="keep", first="Pay for cards first."),
    swap=Block("3.5", ("card",), label="Discard {card}", when=("swap", "swap_second")),
    # 4 trade phase
    offer=Block("4.2", ("seat",), label="Offer to {seat}", when="offer"),
    give=Block("4.1", ("token",), label="Give 1 {token}", when="compose", first="Choose first to whom the offer goes."),
    give_card=Block(
        "4.1", ("card",), label="Give {card}", verb="give", when="compose", first="Choose first to whom the offer goes."
    ),
    want=Block(
        "4.1", ("token",), label="Ask for 1 {token}", when="compose", first="Choose first to whom the offer goes."
    ),
    want_card=Block(
        "4.1",
        ("card",),
        label="Ask for {card}",
        verb="want",
        when="compose",
        first="Choose first to whom the offer goes.",
    ),
    send=Block("4.2", label="Send the offer", tone="commit", when="compose", first="Write an offer first."),
    cancel=Block(
        "4.2", label="Cancel the offer", tone="quiet", when="compose", free=True, first="There is no offer to tear up."
    ),
    accept=Block(
        "4.2", label="Accept", tone="commit", when="answer", free=True, first="No offer waits for your answer."
    ),
    decline=Block(
        "4.2", label="Decline", tone="quiet", when="answer", free=True, first="No offer waits for your answer."
    ),
    counter=Block(
        "4.2",
        label="Offer something else",
        tone="quiet",
        when="answer",
        first="No offer waits for your answer.",
    ),
    # 5 work phase
    place=Block("5.2", ("card",), label="{card}", when="work"),
    on=Block("5.2", ("land",), label="{land}", when="choose_land", first="Choose a card first."),
    convert=Block("5.4", label="Convert", when="convert"),
    steal_from=Block("5.5", ("seat",), label="From {seat}", when="steal_from"),
    steal_card=Block("5.5", ("card",), label="Take {card}", verb="steal", when="steal"),
    steal_good=Block("5.5", ("good",), label="Take 1 {good}", verb="steal", when="steal"),
    pay_gold=Block("5.8", ("n",), label="{n} gold", when="pay", first="Place an upgrade first."),
    sell=Block("5.9", ("card",), label="Discard {card}", tone="quiet", when=("work", "sell_second")),
    gain=Block("5.9", ("good",), label="Take 1 {good}", when="sell_good", first="Discard two cards first."),
    finish=Block("5.10", label="Pass", verb="pass", tone="commit", when="work", free=True),
    # 6 upgrade phase
    use=Block("6.2", ("card",), label="{card}", when="use"),
    spend=Block(
        "6.2", ("card",), label="Discard {card}", when="spend", first="Use an upgrade that asks for cards first."
    ),
    # 7 feeding phase
    feed_crops=Block("7.1", ("n",), label="{n} {n:#crop|crops}", when=("feed", "grow_feed")),
    grow=Block("7.3", label="Take in a peasant", verb="take in a peasant", when="grow"),
    # 8 end phase
    discard=Block("8.1", ("card",), label="Discard {card}", when="limit"),
    # no more of what is being asked
    done=Block("1.6", label="No", tone="quiet", when=("buy", "swap", "offer", "convert", "use", "grow"), free=True),
)

EVENTS = EventTable(
    turn=Event("1.6", "Turn {n}", heading=True),
    phase=Event("1.6", "{stage:title}", heading=True),
    dealt=Event("3.1", "{seat} draws {card}", icon="card-draw"),
    hardship=Event("3.2", "{card} strikes {seat}", icon="card"),
    lost=Event("3.3", "{seat} loses {n} {token}", icon="card-discard", summed=True),
    lost_card=Event("3.3", "{seat} loses {card}"),
    ban=Event("3.3", "{card} binds everybody until the turn ends"),
    dice=Event("9.3", "The dice show {n}"),
    bought=Event("3.4", "{seat} pays {n} {n:#good|goods} and draws {n2:n} {n2:#card|cards}"),
    turned_up=Event("3.4", "To choose from: {card}", listed=True),
    gave_up=Event("3.4", "{seat} gives up {count} {token}"),
    kept=Event("3.4", "{seat} keeps {card}"),
    swapped=Event("3.5", "{seat} discards {card} and {card2:card} for a new card"),
    reshuffled=Event("3.6", "The discards are shuffled into a new deck"),
    offered=Event("4.2", "{seat} makes {other:seat} an offer"),
    offered_token=Event("4.1", "{seat} would give {n} {token}"),
    offered_card=Event("4.1", "{seat} would give {card}"),
    wanted_token=Event("4.1", "{seat} wants {n} {token}"),
    wanted_card=Event("4.1", "{seat} wants {card}"),
    countered=Event("4.2", "{seat} would rather offer {other:seat} something else"),
    traded=Event("4.2", "{other:seat} accepts the offer of {seat}"),
    gave=Event("4.1", "{seat} gives {other:seat} {n} {token}", summed=True),
    gave_card=Event("4.1", "{seat} gives {other:seat} {card}"),
    declined=Event("4.2", "{other:seat} declines the offer of {seat}"),
    placed=Event("5.2", "{seat} plays {card} on {land}", icon="card"),
    played=Event("5.2", "{seat} plays {card}", icon="card"),
    gained=Event("5.3", "{seat} gains {n} {token}", icon="token", summed=True),
    paid=Event("5.8", "{seat} pays {n} {token}", summed=True),
    converted=Event("5.4", "{seat} makes a conversion with {card}", icon="card"),
    stole=Event("5.5", "{seat} takes {count} {token} from {victim:seat}"),
    stole_card=Event("5.5", "{seat} takes {card} from {victim:seat}"),
    lordship=Event("5.7", "{seat} becomes Lord of the Manor", icon="crown"),
    sold=Event("5.9", "{seat} discards {card} and {card2:card} for 1 {token}"),
    passed=Event("5.10", "{seat} passes"),
    fed=Event("7.1", "{seat} feeds {n} food: {n2:n} {n2:#crop|crops}, {n3:n} {n3:#animal|animals}", icon="peasant"),
    hunger=Event("7.2", "{seat} cannot feed everybody and spends all food"),
    grew=Event(
        "7.3",
        "{seat} takes in a peasant for {n} food: {n2:n} {n2:#crop|crops}, {n3:n} {n3:#animal|animals}",
        icon="peasant",
    ),
    dropped=Event("8.1", "{seat} discards {card}"),
    reached=Event("9.22", "There are {n} victory tokens before one seat: the game ends with this turn"),
    end_value=Event("8.3", "{card} is worth {n} victory to {seat}", icon="card"),
    ended=Event("8.2", "The game ends", heading=True, ending=True),
)

REFUSALS = RefusalTable(
    not_in_hand=Refusal("This card is not in your hand."),
    two_cards=Refusal("It takes two cards from the hand."),
    same_card=Refusal("You have chosen this card already."),
    blight=Refusal("There is Blight: nobody gains crops this turn.", "3.3"),
    no_cards=Refusal("There is no card left to draw.", "3.6"),
    # 3
    too_few_goods=Refusal("You have too few goods to pay for cards.", "3.4"),
    bought_enough=Refusal("You have bought as often as a turn allows.", "3.4"),
    have_none=Refusal("You have none of these.", "3.4"),
    not_drawn=Refusal("This card is not among those you drew.", "3.4"),
    swapped_enough=Refusal("You have changed cards as often as a turn allows.", "3.5"),
    # 4
    not_a_partner=Refusal("An offer goes to another seat at the table.", "4.2"),
    offers_made=Refusal("You have made all the offers that a turn allows.", "4.2"),
    give_too_much=Refusal("You cannot offer more than you have; the last peasant stays.", "4.3"),
    want_too_much=Refusal("You cannot ask for more than they have; their last peasant stays.", "4.3"),
    countered=Refusal("An offer made in answer to yours is taken or declined.", "4.2"),
    blank=Refusal("The offer is still blank.", "4.2"),
    not_theirs=Refusal("This card is not in their hand.", "4.3"),
    on_the_slip=Refusal("This card is on the slip already.", "4.3"),
    one_hand=Refusal("There is one hand for all: cards are not traded.", "9.5"),
    # 5
    never_played=Refusal("This is a hardship: it is never played.", "1.4"),
    rebellion=Refusal("A rebellion rages: nobody plays a card this turn.", "3.3"),
    no_room=Refusal("No land that suits this card is free.", "5.2"),
    too_dear=Refusal("You have too little gold and resources for this upgrade.", "5.8"),
    no_such_land=Refusal("This land is not in the game.", "2.1"),
    taken=Refusal("This land already holds a card.", "5.2"),
    wrong_land=Refusal("The card does not belong on this land.", "5.2"),
    not_another=Refusal("A theft is from another seat at the table.", "5.5"),
    nothing_to_take=Refusal("This seat has nothing the card could take.", "5.5"),
    takes_goods=Refusal("The card you played takes goods, not cards.", "5.5"),
    takes_cards=Refusal("The card you played takes cards, not goods.", "5.5"),
    they_lack_it=Refusal("They do not have this.", "5.5"),
    bad_split=Refusal("The payment cannot be split like this.", "5.8"),
    # 6
    not_owned=Refusal("This upgrade is not yours.", "6.2"),
    no_conversion=Refusal("This card has no conversion.", "6.2"),
    too_little=Refusal("You have too little for this conversion.", "6.2"),
    # 7
    bad_food=Refusal("The food cannot be split like this.", "7.1"),
    too_little_food=Refusal("You have too little food for another peasant.", "7.3"),
)

FAULTS = FaultTable(
    lost_card="a card is in two places, or in none",
    debt="a seat has less than nothing of a token",
    no_peasant="a seat has no peasant",
    stray_card="a bounty lies on a land but not on the table, or an upgrade without an owner",
    absent_seat="the seat to act is not at the table",
    absent_lord="the Lord is not at the table",
    wrong_phase="there is no such phase, or it is another stage's",
    bad_map="two lands lie in one place, or a card on a land that is not in play",
    half_decision="the decision lacks its card, its second card or its other seat",
    bad_count="a count is out of range",
    seen_hardship="a hardship that nobody has seen lies in the open",
)

P, A, E, R, F = PHASES.numbers, ACTIONS.numbers, EVENTS.numbers, REFUSALS.numbers, FAULTS.numbers
STAGE_OF = PHASES.list_stage_indexes(STAGE_NAMES)
"""The stage of the turn that each phase belongs to, by number of the phase (1.6)."""

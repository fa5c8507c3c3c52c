"""The tables of WARFARM: actions, events, refusals and faults, one row each; decisions are in `phases.py`. Their order has no meaning."""

from __future__ import annotations

from sutler.core.actions import ActionTable, Block
from sutler.core.events import Event, EventTable
from sutler.core.tables import FaultTable, Refusal, RefusalTable
from sutler.games.warfarm.box import SIZES
from sutler.games.warfarm.phases import PHASES

ACTIONS = ActionTable(
    SIZES,
    begin=Block("2.3", ("thing",), label="{thing}", verb="begin with", when="begin"),
    # 3 start of turn, draw and produce
    raid=Block(
        "3.2", label="1 Farmland", verb="raid Farmland", when="raid", free=True, first="No Disciple of yours raids now."
    ),
    light=Block(
        "12.8",
        label="Take the Fire",
        verb="take the Fire",
        when="torch",
        free=True,
        first="No card offers you Fire now.",
    ),
    leave=Block(
        "12.8",
        label="No Fire",
        verb="leave the Fire",
        tone="quiet",
        when="torch",
        free=True,
        first="No card offers you Fire now.",
    ),
    # 4 play cards
    play=Block("4.1", ("card",), label="Play {card}", when="play"),
    use=Block("4.8", ("card",), label="Use {card}", when="play"),
    extinguish=Block("4.9", label="Put out a Fire", verb="put out a Fire", when=("play", "build")),
    end_play=Block("4.1", label="No more cards", ask=True, verb="end playing", tone="commit", when="play", free=True),
    take=Block("4.2", ("thing",), label="{thing}", when="choose_thing", first="Play a Wild or use a market first."),
    bind=Block(
        "11.7",
        ("seat",),
        label="{seat}",
        verb="make peace with",
        when="make_peace",
        first="Play a Peace Contract first.",
    ),
    seize=Block("11.10", ("seat", "slot"), label="{card} of {seat}", when="seize", first="Use Shared Facility first."),
    draw=Block(
        "4.8", ("deck",), label="{deck}", verb="draw from", when="choose_deck", first="Use a card that draws first."
    ),
    unit=Block(
        "7.7",
        ("seat", "spot"),
        verb="pick",
        when=("raid", "offering", "call", "lose", "target", "strike_back", "trim_units"),
    ),
    enough=Block(
        "13.6",
        label="Spare the rest",
        verb="spare the rest",
        tone="quiet",
        when="offering",
        free=True,
        first="No offering is being made.",
    ),
    # 5 build
    build=Block("5.1", ("made",), label="Build {made}", when="build"),
    end_build=Block("5.1", label="Done building", verb="end building", tone="commit", when="build", free=True),
    # 6 defend
    recall_land=Block("6.1", label="Call in the guards of the Farmland", verb="call in from Farmland", when="recall"),
    recall_card=Block("6.1", ("slot",), label="Call in from {card}", verb="call in from card", when="recall"),
    recall_trap=Block("6.1", ("hole",), label="Call in from {card}", verb="call in from trap", when="recall"),
    end_recall=Block(
        "6.1", label="Leave the rest on post", verb="leave on post", tone="quiet", when="recall", free=True
    ),
    guard_land=Block("6.2", label="Soldier: guard the Farmland", verb="guard Farmland", when="post"),
    guard_card=Block("6.2", ("slot",), label="Soldier: guard {card}", verb="guard card", when="post"),
    guard_trap=Block("6.2", ("hole",), label="Soldier: guard {card}", verb="guard trap", when="post"),
    arm_land=Block("6.4", label="Farmer: guard the Farmland", verb="Farmer guards Farmland", when="post"),
    arm_card=Block("6.4", ("slot",), label="Farmer: guard {card}", verb="Farmer guards card", when="post"),
    work=Block("6.3", ("slot",), label="Put to work on {card}", verb="work on card", when="post"),
    end_posts=Block("6.1", label="Done posting", verb="end posting", tone="commit", when="post", free=True),
    # 7 attack
    ready=Block("7.1", ("weapon",), label="Attack with {weapon}", verb="attack with", when="attack"),
    strike_land=Block("7.6", label="Attack with the guard of the Farmland", verb="strike from Farmland", when="attack"),
    strike_card=Block(
        "7.6", ("slot",), label="Attack with the guard of {card}", verb="strike from card", when="attack"
    ),
    strike_trap=Block(
        "7.6", ("hole",), label="Attack with the guard of {card}", verb="strike from trap", when="attack"
    ),
    hurl=Block("7.4", ("seat",), label="Shoot Fire at {seat}", verb="shoot Fire at", when="attack"),
    send=Block("7.5", ("seat",), label="Send a Disciple to {seat}", verb="send a Disciple to", when="attack"),
    end_attack=Block("7.1", label="Stop attacking", verb="end attacking", tone="commit", when="attack", free=True),
    hit_land=Block(
        "7.7",
        ("seat",),
        label="Farmland of {seat}",
        verb="hit Farmland of",
        when=("target", "strike_back"),
        first="Choose first what you attack with.",
    ),
    hit_card=Block(
        "7.7",
        ("seat", "slot"),
        label="{card} of {seat}",
        verb="hit card of",
        when=("target", "strike_back"),
        first="Choose first what you attack with.",
    ),
    hit_trap=Block(
        "7.7",
        ("seat", "hole"),
        label="{card} of {seat}",
        verb="hit trap of",
        when=("target", "strike_back"),
        first="Choose first what you attack with.",
    ),
    strip=Block(
        "12.10",
        ("token",),
        label="1 {token}",
        verb="destroy",
        when="strike_back",
        first="No Trap of yours strikes back.",
    ),
    # 8 explore and farm
    explore=Block("8.1", ("deck",), label="{deck}", when="explore"),
    end_explore=Block("8.1", label="No more exploring", verb="end exploring", tone="commit", when="explore", free=True),
    # 9 end of turn
    drop=Block("9.2", ("card",), label="Discard {card}", ask=True, verb="discard", when="trim_cards"),
    drop_card=Block("9.2", ("slot",), label="Discard {card}", verb="discard from table", when="trim_cards"),
    drop_trap=Block("9.2", ("hole",), label="Discard {card}", ask=True, verb="discard Trap at", when="trim_cards"),
    drop_miracle=Block(
        "9.2", ("card",), label="Discard {card} from the table", verb="discard Miracle", when="trim_cards"
    ),
    # 10 traps
    reveal=Block(
        "10.1", label="Spring {card}", tone="commit", when="trap", first="No Trap of yours waits for your word."
    ),
    keep=Block(
        "10.1",
        label="Hold it back",
        ask=True,
        tone="quiet",
        when="trap",
        free=True,
        first="No Trap of yours waits for your word.",
    ),
    surrender=Block("14.6", label="Surrender", tone="commit", aside=True),
)

EVENTS = EventTable(
    round=Event("1.8", "Round {n}", heading=True),
    turn=Event("1.8", "{seat}’s turn", heading=True),
    begins=Event("2.3", "{seat} begins with an extra {thing}", icon="token"),
    burnt=Event("3.1", "Fire burns {n} Farmland of {seat}", icon="flame", summed=True),
    raided=Event(
        "3.2",
        "{count} {count:#Disciple|Disciples} of {seat} {count:#takes|take} {n} {good} from {victim:seat}",
        icon="prayer",
        summed=True,
    ),
    led_away=Event(
        "3.2",
        "{count} {count:#Disciple|Disciples} of {seat} {count:#leads|lead} {count} {count:#unit|units} of {victim:seat} away: {spot:where}",
        icon="prayer",
    ),
    returned=Event("3.3", "Back from the attack for {seat}: {n} {good}", icon="swordman", summed=True),
    came_back=Event("3.4", "Back from {deck} for {seat}: {n} {good}", icon="hiking", summed=True),
    farmed=Event("3.5", "The Farmers of {seat} bring {n} {good}", icon="farmer", summed=True),
    prayed=Event("3.6", "The Disciples of {seat} bring {n} {good}", icon="prayer", summed=True),
    drew=Event("3.8", "{seat} draws a card from {deck}", icon="card-draw"),
    drew_card=Event("3.8", "{seat} draws {card}"),
    no_card=Event("3.8", "{deck} is empty, and {seat} draws nothing"),
    reshuffled=Event("3.8", "The discards of {deck} are shuffled into a new deck"),
    produced=Event("3.7", "{card} works for {seat}", icon="card-play"),
    tithed=Event("13.1", "{seat} takes {n} {good} from {victim:seat} as a tithe", summed=True),
    gained=Event("1.2", "{seat} gains {n} {good}", icon="token", summed=True),
    lost=Event("13.9", "{seat} loses {count} {count:#unit|units}: {spot:where}"),
    paid=Event("4.1", "{seat} pays {n} {good}", summed=True),
    sacrificed=Event("4.1", "{seat} sacrifices {count} {count:#unit|units}: {spot:where}"),
    handed=Event("4.1", "{seat} hands {other:seat} {n} {good}", summed=True),
    played=Event("4.1", "{seat} plays {card}", icon="card-play"),
    set_trap=Event("4.5", "{seat} sets a Trap from {deck}", icon="wolf-trap"),
    set_secret=Event("4.5", "{seat} sets a Trap", icon="wolf-trap"),
    used=Event("4.8", "{seat} uses {card}", icon="card-play"),
    extinguished=Event("4.9", "{seat} puts out {count} {count:#Fire|Fires} with {n} {good}", summed=True),
    pact=Event("11.7", "{other:seat} may not attack {seat} until that seat is on turn again", icon="scroll-quill"),
    seized=Event("11.10", "{seat} takes {card}, card {slot} of {victim:seat}", icon="card-play"),
    taken=Event("13.11", "{seat} takes {n} {n:#unit|units} from {victim:seat}: {spot:where}", summed=True),
    called_up=Event("5.1", "{seat} calls {count} {count:#unit|units} in to build: {spot:where}"),
    built=Event("5.1", "{seat} builds {n} {good}", icon="flat-hammer", summed=True),
    recalled=Event("6.1", "{seat} calls {n} in: {spot:where}", summed=True),
    posted=Event("6.1", "{seat} posts {count} {count:#unit|units}: {spot:where}"),
    posted_on=Event("6.1", "{seat} posts {count} {count:#unit|units} on {card}: {spot:where}"),
    attacked=Event("7.1", "{seat} attacks {victim:seat} with {weapon}"),
    struck=Event("7.6", "{seat} attacks {victim:seat} with a guard: {spot:where}"),
    destroyed=Event("7.7", "{seat} destroys {n} {good} of {victim:seat}", icon="crossed-swords", summed=True),
    killed=Event(
        "7.7", "{seat} destroys {n} {n:#unit|units} of {victim:seat}: {spot:where}", icon="crossed-swords", summed=True
    ),
    destroyed_card=Event("7.7", "{seat} destroys {card}, card {slot} of {victim:seat}", icon="crossed-swords"),
    destroyed_trap=Event("10.4", "{seat} destroys {card}, Trap {hole} of {victim:seat}", icon="crossed-swords"),
    fell=Event("7.9", "The attacking Soldier of {seat} falls too"),
    hurled=Event("7.4", "{seat} shoots Fire at {victim:seat}, and the Cannon is gone", icon="flame"),
    sent=Event("7.5", "{seat} sends {count} {count:#Disciple|Disciples} to {other:seat}", icon="prayer"),
    explores=Event("8.1", "{seat} sends {count} {count:#Explorer|Explorers} to {deck}", icon="hiking"),
    dismissed=Event("9.1", "{seat} gives up {count} {count:#unit|units}: {spot:where}"),
    dropped=Event("9.2", "{seat} discards {card}", icon="card-discard"),
    dropped_card=Event("9.2", "{seat} discards {card}, card {slot} on the table", icon="card-discard"),
    dropped_trap=Event("9.2", "{seat} discards {card}, Trap {hole}", icon="card-discard"),
    dropped_miracle=Event("9.2", "{seat} discards {card} from the table", icon="card-discard"),
    sprung=Event("10.1", "{seat} springs {card}, Trap {hole}", icon="wolf-trap"),
    relief=Event("15.3", "{seat} has nothing left and receives a Farmer"),
    laid_down=Event("14.5", "To the discards from {seat}: {card}", listed=True),
    cleared=Event("14.5", "All cards, units and tokens of {seat} but the Farmland are gone"),
    came_home=Event(
        "14.5", "Home for {seat} from {other:seat}: {n} {n:#Disciple|Disciples}", icon="prayer", summed=True
    ),
    out=Event("14.5", "{seat} has no Farmland left and is out", icon="broken-heart"),
    surrendered=Event("14.6", "{seat} surrenders", icon="broken-heart"),
    won_farm=Event("14.1", "{seat} wins by farming", icon="trophy-cup", heading=True, ending=True),
    won_military=Event("14.2", "{seat} wins by arms", icon="trophy-cup", heading=True, ending=True),
    won_growth=Event("14.3", "{seat} wins by faith", icon="trophy-cup", heading=True, ending=True),
    won_miracles=Event("14.4", "{seat} wins by three Miracles", icon="trophy-cup", heading=True, ending=True),
    won_time=Event("15.1", "The rounds are over: the farms are compared", heading=True, ending=True),
    won_standstill=Event("15.2", "Nothing moves any more: the farms are compared", heading=True, ending=True),
)

REFUSALS = RefusalTable(
    not_to_begin=Refusal("This is not among the three things one may begin with.", "2.3"),
    not_in_hand=Refusal("This card is not in your hand.", "4.1"),
    too_dear=Refusal("You cannot pay what this card costs.", "4.1"),
    too_much_land=Refusal("You have too much Farmland for Lost Homeland.", "11.11"),
    no_explorer_back=Refusal("No Explorer of yours came back from the Resource deck this turn.", "11.6"),
    no_room=Refusal("There is no room for another card on your table.", "4.3"),
    not_on_table=Refusal("This card does not lie on your table.", "4.8"),
    not_used=Refusal("This card is not used like that: it works by itself.", "4.8"),
    no_use=Refusal("You cannot pay for any use of this card now.", "4.8"),
    no_fire=Refusal("You have no Fire.", "4.9"),
    too_little_water=Refusal("You have too little Water to put out a Fire.", "4.9"),
    not_sold=Refusal("This is not for sale.", "4.8"),
    too_poor=Refusal("You have too little to pay for this.", "4.8"),
    no_opponent=Refusal("This seat is no opponent of yours, or is out.", "1.1"),
    no_such_card=Refusal("There is no such Table card.", "11.10"),
    no_access=Refusal("The card gives no access to this deck, or you cannot pay for it.", "4.8"),
    locked=Refusal("You have not unlocked this deck.", "8.2"),
    no_unit=Refusal("No unit stands there.", "1.4"),
    not_this_unit=Refusal("This unit cannot be chosen now.", "7.7"),
    last_farmer=Refusal("The last Farmer cannot be taken.", "3.2"),
    too_few_tokens=Refusal("You have too few tokens for this unit.", "5.1"),
    no_farmer=Refusal("You have no Farmer left.", "5.1"),
    no_foundry=Refusal("A Cannon needs the Cannon card on your table.", "5.2"),
    empty_post=Refusal("Nobody stands on this post.", "6.1"),
    no_reserve=Refusal("You have no Soldier in reserve.", "6.2"),
    no_post=Refusal("There is no such card or Trap.", "6.2"),
    no_reform=Refusal("Farmers guard only with Conscription Reform.", "6.4"),
    no_field_hand=Refusal("You have no Farmer in the field.", "6.4"),
    no_work=Refusal("This card takes no more workers, or you have none at home.", "6.3"),
    no_attacker=Refusal("You have no Soldier in reserve that can still attack.", "7.2"),
    no_shot=Refusal("No Cannon can shoot: it has shot, or no Farmer is there to serve it.", "7.3"),
    no_hire=Refusal("You have no Mercenaries left to send this turn.", "12.5"),
    no_victim=Refusal("You may not attack anybody now.", "7.1"),
    no_guard=Refusal("No Soldier stands on guard there, or it has acted already.", "7.6"),
    only_guests=Refusal("Guards only strike at Disciples that visit your board.", "7.6"),
    peace_holds=Refusal("A Peace Contract binds you not to attack this seat.", "11.7"),
    no_disciple=Refusal("You have no Disciple at home.", "7.5"),
    guarded=Refusal("A guard stands before it: the guard must be hit first.", "7.8"),
    no_target=Refusal("This cannot be attacked.", "7.7"),
    none_left=Refusal("There is none of it left.", "12.10"),
    no_trap=Refusal("You hold no such Trap.", "10.1"),
    stays=Refusal("A Permanent stays where it is.", "9.2"),
    too_early=Refusal("Nobody surrenders before the first turn.", "14.6"),
    hand_only=Refusal("Only hand cards count here.", "15.6"),
    full=Refusal("No more guards fit there.", "6.2"),
    alike=Refusal("An equal card or Trap lies before this one: choose that.", "1.4"),
    drawn_enough=Refusal("No more cards may be drawn with Table cards this turn.", "15.14"),
    no_explorer=Refusal("You have no Explorer at home.", "8.1"),
    no_fire_trade=Refusal("Fire is not for sale here.", "15.13"),
)

FAULTS = FaultTable(
    copy_lost="a card is in two places, or in none",
    negative="a seat has less than nothing of something",
    miscounted="a stored count is wrong",
    landless="a seat without Farmland is still in the game",
    out_owns="a seat that is out still owns something",
    misplaced="a card lies where it does not belong",
    nobody_acts="the seat to act is not in the game",
    own_robber="a seat is accused of its own losses",
)

P, A, E, R, F = PHASES.numbers, ACTIONS.numbers, EVENTS.numbers, REFUSALS.numbers, FAULTS.numbers

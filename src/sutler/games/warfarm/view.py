"""What a seat may know of WARFARM (guide 1.9), for people, bots and learners; and the words of prompts and choices.

Hidden are the others' hands and set Traps (but not which deck each card came from) and the decks' order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.core.actions import Action
from sutler.core.chance import below
from sutler.core.record import NOBODY
from sutler.core.rule import rule
from sutler.core.speech import Choice, Line, Prompt, Speaker
from sutler.core.text import Fragment, Sentence, Word
from sutler.games.warfarm import state as s
from sutler.games.warfarm.box import (
    ACTIONS,
    CANNON_WEAPON,
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    CARDS,
    DECK_NAMES,
    DECKS,
    DOES_NAMES,
    FARMLAND,
    FIRE,
    GOOD_NAMES,
    GOOD_ONE,
    GOOD_WORDS,
    GOODS,
    GUARD_FARMERS,
    GUARD_SOLDIERS,
    LAND_FARMER,
    LAND_SOLDIER,
    MERCENARIES,
    NOT_FOR_SALE,
    PARK,
    PHASE_NAMES,
    PLAIN_SPOTS,
    RESERVE,
    SEATS,
    SOLDIER_WEAPON,
    SPOT_UNIT,
    STEP_NAMES,
    TOKENS,
    TRAP,
    TRAP_SOLDIER,
    TYPE_NAMES,
    VISITING,
    WORKERS,
)
from sutler.games.warfarm.rules.attack import is_fight_at, struck
from sutler.games.warfarm.rules.ending import card_count
from sutler.games.warfarm.rules.play import is_unlocked
from sutler.games.warfarm.scoring import is_first, is_on_time

# --- For bots and learners --------------------------------------------------------------

SEAT_FEATURES = 1 + GOODS + PLAIN_SPOTS + 4 * CARDS + 2 * DECKS + 5
N_OBSERVED = 12 + s.OVER + 1 + 2 * DECKS + 3 * CARDS + SEATS * SEAT_FEATURES
"""How many numbers `observe` writes: the turn, the phase, decks, discards, one's own cards, and each seat from one's own on."""


@rule
def observe(box, state, seat, out):
    """What the seat may know, as numbers; seats in order from the observer's own. `out` is zeros, float32, N_OBSERVED long."""
    out[0] = state.round_no
    out[1] = state.step
    out[2] = (state.active - seat + SEATS) % SEATS
    out[3] = (state.to_act - seat + SEATS) % SEATS
    out[4] = state.doubles
    out[5] = state.is_surprise
    out[6] = state.left
    out[7] = state.weapon
    out[8] = state.card
    out[9] = state.quiet
    out[10] = state.n_shots
    out[11] = state.n_built
    at = 12
    out[at + int(state.phase)] = 1
    at += s.OVER + 1
    for card in range(box.n_cards):
        out[at + int(box.card[card].deck)] += state.deck[card]
        out[at + 2 * DECKS + card] = state.discards[card]
        out[at + 2 * DECKS + CARDS + card] = state.seats[seat].hand[card]
    for deck in range(DECKS):
        if is_unlocked(box, state, seat, deck):
            out[at + DECKS + deck] = 1
    at += 2 * DECKS + 2 * CARDS
    for hole in range(state.seats[seat].n_traps):
        out[at + int(state.seats[seat].traps[hole])] += 1
    at += CARDS
    for k in range(SEATS):
        observe_seat(box, state, (seat + k) % SEATS, out, at)
        at += SEAT_FEATURES


@rule
def observe_seat(box, state, seat, out, at):
    """What lies open of a seat, and how many hidden cards it has from each deck."""
    one = state.seats[seat]
    out[at] = one.is_alive
    at += 1
    for good in range(GOODS):
        out[at + good] = one.goods[good]
    at += GOODS
    for spot in range(PLAIN_SPOTS):
        out[at + spot] = one.spots[spot]
    at += PLAIN_SPOTS
    for slot in range(one.n_table):
        card = at + int(one.table[slot])
        out[card] += 1
        out[card + CARDS] += one.posts[GUARD_SOLDIERS, slot] + one.posts[GUARD_FARMERS, slot]
        out[card + 2 * CARDS] += one.posts[WORKERS, slot]
    for card in range(box.n_cards):
        out[at + 3 * CARDS + card] = one.shown[card]
    at += 4 * CARDS
    for card in range(box.n_cards):
        out[at + int(box.card[card].deck)] += one.hand[card]
    for hole in range(one.n_traps):
        out[at + DECKS + int(box.card[one.traps[hole]].deck)] += 1
    at += 2 * DECKS
    if box.options.hidden_traps == 1:
        for deck in range(DECKS):
            out[at - 2 * DECKS + deck] += out[at - DECKS + deck]
            out[at - DECKS + deck] = 0
    out[at] = one.n_hand
    out[at + 1] = one.farming
    out[at + 2] = one.praying
    out[at + 3] = one.is_bound
    out[at + 4] = one.peace


@rule
def redeal(box, state, seat, luck):
    """1.9: shuffle, deck by deck, what the seat cannot see: the others' hands and Traps and the deck itself."""
    for deck in range(DECKS):
        gather(box, state, seat, deck)
    for _ in range(SWEEPS * box.options.hidden_traps):
        for k in range(1, SEATS):
            swap_traps(box, state, seat, s.nth_after(seat, k), luck)
    for deck in range(DECKS):
        for k in range(1, SEATS):
            deal_traps(box, state, s.nth_after(seat, k), deck, luck)
        for k in range(1, SEATS):
            deal_hand(box, state, s.nth_after(seat, k), deck, luck)


SWEEPS = 3
"""How often every secret Trap is laid anew: with one Trap once is enough, the rest loosens several from each other."""


@rule
def swap_traps(box, state, viewer, seat, luck):
    """15.9: a secret Trap may be of any deck that the seat has a card from; that card changes places with one in the hand."""
    other = state.seats[seat]
    for hole in range(other.n_traps):
        first = box.deck[box.card[other.traps[hole]].deck].designs[0]
        other.hand[first] += 1
        other.traps[hole] = NOBODY
        total = 0
        for deck in range(DECKS):
            total += trap_weight(box, state, viewer, seat, deck)
        k = below(luck, total)
        for deck in range(DECKS):
            k -= trap_weight(box, state, viewer, seat, deck)
            if k < 0 and other.traps[hole] == NOBODY:
                other.traps[hole] = some_trap(box, deck)
        other.hand[box.deck[box.card[other.traps[hole]].deck].designs[0]] -= 1


@rule
def trap_weight(box, state, viewer, seat, deck):
    """15.9: in how many ways one of the seat's cards from a deck can be a Trap that lies nowhere else."""
    if box.deck[deck].n_designs == 0:
        return 0
    free = 0
    for i in range(box.deck[deck].n_designs):
        card = box.deck[deck].designs[i]
        if box.card[card].type == TRAP:
            free += state.deck[card]
    for k in range(1, SEATS):
        other = state.seats[s.nth_after(viewer, k)]
        for hole in range(other.n_traps):
            if other.traps[hole] != NOBODY and box.card[other.traps[hole]].deck == deck:
                free -= 1
    return state.seats[seat].hand[box.deck[deck].designs[0]] * max(0, free)


@rule
def some_trap(box, deck):
    """A design of Trap from this deck, to stand for it."""
    for i in range(box.deck[deck].n_designs):
        card = int(box.deck[deck].designs[i])
        if box.card[card].type == TRAP and box.card[card].copies > 0:
            return card
    return NOBODY


@rule
def gather(box, state, seat, deck):
    """All hidden cards of a deck are laid together; a hand keeps its number in the deck's first design, a Trap's place its deck."""
    first = int(box.deck[deck].designs[0])
    for k in range(1, SEATS):
        other = state.seats[s.nth_after(seat, k)]
        n = 0
        for i in range(box.deck[deck].n_designs):
            card = int(box.deck[deck].designs[i])
            n += other.hand[card]
            state.deck[card] += other.hand[card]
            other.hand[card] = 0
        if n > 0:
            other.hand[first] = n
        for hole in range(other.n_traps):
            if box.card[other.traps[hole]].deck == deck:
                state.deck[other.traps[hole]] += 1


@rule
def deal_traps(box, state, seat, deck, luck):
    """A face-down Trap may be any of the deck's Traps that cannot be seen elsewhere."""
    other = state.seats[seat]
    for hole in range(other.n_traps):
        if box.card[other.traps[hole]].deck == deck:
            other.traps[hole] = pull(box, state, deck, luck, True)


@rule
def deal_hand(box, state, seat, deck, luck):
    """A hand card may be any card of its deck that cannot be seen elsewhere."""
    other = state.seats[seat]
    if box.deck[deck].n_designs > 0:
        first = int(box.deck[deck].designs[0])
        n = int(other.hand[first])
        other.hand[first] = 0
        for _ in range(n):
            other.hand[pull(box, state, deck, luck, False)] += 1


@rule
def pull(box, state, deck, luck, is_trap):
    """One hidden card of a deck, at random."""
    n = 0
    for i in range(box.deck[deck].n_designs):
        card = int(box.deck[deck].designs[i])
        if not is_trap or box.card[card].type == TRAP:
            n += state.deck[card]
    k = below(luck, n)
    found = int(box.deck[deck].designs[0])
    for i in range(box.deck[deck].n_designs):
        card = int(box.deck[deck].designs[i])
        if k >= 0 and (not is_trap or box.card[card].type == TRAP):
            k -= state.deck[card]
            if k < 0:
                found = card
    state.deck[found] -= 1
    return found


# --- For people ---------------------------------------------------------------------------

STEP_WORDS = ("Start", "Draw and produce", "Play", "Build", "Defend", "Attack", "Explore and farm", "End")
BRANCHES = ("resource", "farm", "military", "religion")
SPOT_WORDS = (
    "Farmer in the field",
    "Farmer at the Farmland",
    "Explorer at home",
    "Soldier in reserve",
    "Soldier at the Farmland",
    "Disciple at home",
    "Cannon",
    *("Disciple visiting" for _ in range(SEATS)),
    "Soldier returning",
    *(f"Explorer at {deck}" for deck in DECK_NAMES),
)


def amounts(values: Any) -> dict[str, int]:
    """Tokens and units by name, those that are there."""
    return {name: int(n) for name, n in zip(GOOD_NAMES, values, strict=False) if n}


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data, as this seat (None: a watcher) may see it."""
    names = speaker.names
    return {
        "turn": max(1, int(state.round_no)),
        "max_rounds": int(box.options.max_rounds),
        "phase": STEP_NAMES[state.step],
        "phases": list(zip(STEP_NAMES[1:], STEP_WORDS[1:], strict=True)),
        "asking": PHASE_NAMES[state.phase],
        "active": int(state.active),
        "first": int(state.first),
        "n_seats": SEATS,
        "seat": seat,
        "to_act": None if state.phase == s.OVER else int(state.to_act),
        "winner": None if state.winner == NOBODY else int(state.winner),
        "won_by": s.WON_NAMES[state.won_by],
        "card": None if state.card == NOBODY else names["card"][state.card],
        "weapon": _weapon(state),
        "surprise": bool(state.is_surprise),
        "doubles": int(state.doubles),
        "left": int(state.left),
        "decks": [_deck(box, state, names, deck, seat) for deck in range(DECKS)],
        "seats": [_seat(box, state, speaker, one, seat) for one in range(SEATS)],
        "cards": {name: _card(box, names, card) for card, name in enumerate(names["card"])},
    }


def _weapon(state: Any) -> str:
    if state.phase != s.TARGET:
        return ""
    if state.job == s.LIFE_JOB:
        return "Life or Death"
    return ("Soldier", "Cannon", "Mercenaries", "guard")[state.weapon]


def _weapon_words(state: Any) -> str:
    return "Life or Death" if state.job == s.LIFE_JOB else f"your {_weapon(state)}"


def _deck(box: Any, state: Any, names: Any, deck: int, seat: int | None) -> dict[str, Any]:
    designs = [int(card) for card in box.deck[deck].designs[: box.deck[deck].n_designs]]
    open_to = [bool(state.seats[one].is_alive and is_unlocked(box, state, one, deck)) for one in range(SEATS)]
    return {
        "index": deck,
        "name": DECK_NAMES[deck],
        "branch": BRANCHES[(deck + 2) // 3],
        "level": (deck - 1) % 3 + 1 if deck else 0,
        "cards": _n_in_deck(box, state, deck),
        "discards": {names["card"][card]: int(state.discards[card]) for card in designs if state.discards[card]},
        "designs": [names["card"][card] for card in designs],
        "needs": amounts(box.deck[deck].needs),
        "needs_text": _needs_text(box, deck),
        "open_to": open_to,
        "open": open_to[state.active if seat is None else seat],
    }


def _n_in_deck(box: Any, state: Any, deck: int) -> int:
    return sum(int(state.deck[card]) for card in box.deck[deck].designs[: box.deck[deck].n_designs])


def _needs_text(box: Any, deck: int) -> str:
    return _wanted(box.deck[deck].needs) or "open to all"


def _wanted(goods: Any) -> str:
    return " and ".join(_amount(good, int(n)) for good, n in enumerate(goods) if n)


def _amount(good: int, n: int) -> str:
    return f"{n} {GOOD_ONE[good] if n == 1 else GOOD_WORDS[good]}"


def _seat(box: Any, state: Any, speaker: Speaker, seat: int, viewer: int | None) -> dict[str, Any]:
    me = state.seats[seat]
    names = speaker.names["card"]
    mine = seat == viewer
    held = [(card, int(me.hand[card])) for card in range(len(names)) if me.hand[card]]
    backs = [0] * DECKS
    for card, n in held:
        backs[box.card[card].deck] += n
    if box.options.hidden_traps:
        for card in me.traps[: int(me.n_traps)]:
            backs[box.card[card].deck] += 1
    return {
        "seat": seat,
        "name": str(speaker.word("seat", seat)),
        "alive": bool(me.is_alive),
        "tokens": {GOOD_NAMES[token]: int(me.goods[token]) for token in range(TOKENS)},
        "goals": _goals(box, me),
        "units": {GOOD_NAMES[unit]: int(me.goods[unit]) for unit in range(TOKENS, GOODS)},
        "spots": [
            {
                "spot": spot,
                "unit": GOOD_NAMES[SPOT_UNIT[spot]],
                "words": _spot_words(speaker, spot),
                "n": int(me.spots[spot]),
            }
            for spot in range(PLAIN_SPOTS)
            if me.spots[spot]
        ],
        "table": [_slot(box, me, names, slot) for slot in range(int(me.n_table))],
        "traps": [_trap(box, me, names, hole, mine) for hole in range(int(me.n_traps))],
        "shown": [names[card] for card in range(len(names)) for _ in range(int(me.shown[card]))],
        "n_miracles": int(me.miracles).bit_count(),
        "n_hand": int(me.n_hand),
        "hand": [names[card] for card, n in held for _ in range(n)] if mine else None,
        "backs": [(DECK_NAMES[deck], n) for deck, n in enumerate(backs) if n],
        "farming": int(me.farming),
        "praying": int(me.praying),
        "bound": bool(me.is_bound),
        "peace_with": [other for other in range(SEATS) if int(me.peace) >> other & 1],
        "n_units": int(s.n_units(state, seat)),
        "n_cards": int(card_count(box, state, seat)),
        "defence": list(_defence(box, me, names, mine)),
    }


def _goals(box: Any, me: Any) -> list[dict[str, Any]]:
    """How near a seat is to each victory of its own."""
    farm, growth = box.rules.farm_win, box.rules.growth_win

    def near(wanted: Any) -> int:
        return sum(min(int(me.goods[good]), int(wanted[good])) for good in range(GOODS))

    return [
        {"name": "farm", "n": near(farm), "of": int(farm.sum()), "rule": "14.1", "wants": _wanted(farm)},
        {"name": "growth", "n": near(growth), "of": int(growth.sum()), "rule": "14.3", "wants": _wanted(growth)},
        {
            "name": "miracles",
            "n": int(me.miracles).bit_count(),
            "of": int(box.rules.miracles_win),
            "rule": "14.4",
            "wants": f"{int(box.rules.miracles_win)} different Miracles, played",
        },
    ]


def _defence(box: Any, me: Any, names: Any, mine: bool) -> Iterator[dict[str, Any]]:
    """What of a farm can be attacked, and who guards it."""
    yield _guarded(
        "Farmland", f"{int(me.goods[FARMLAND])} Farmland", int(me.spots[LAND_SOLDIER]), int(me.spots[LAND_FARMER])
    )
    for slot in range(int(me.n_table)):
        soldiers, farmers = int(me.posts[GUARD_SOLDIERS, slot]), int(me.posts[GUARD_FARMERS, slot])
        yield _guarded("card", names[int(me.table[slot])], soldiers, farmers)
    for hole in range(int(me.n_traps)):
        card = int(me.traps[hole])
        what = names[card] if mine else _back(box, card).capitalize()
        yield _guarded("trap", what, int(me.trap_guards[hole]), 0)


def _back(box: Any, card: int) -> str:
    """1.9, 15.9: what a face-down Trap looks like to the others."""
    return "a face-down Trap" if box.options.hidden_traps else f"a {DECK_NAMES[box.card[card].deck]} Trap"


def _guarded(kind: str, what: str, soldiers: int, farmers: int) -> dict[str, Any]:
    return {"kind": kind, "what": what, "soldiers": soldiers, "farmers": farmers, "open": soldiers + farmers == 0}


def _slot(box: Any, me: Any, names: Any, slot: int) -> dict[str, Any]:
    card = int(me.table[slot])
    return {
        "slot": slot,
        "card": names[card],
        "soldiers": int(me.posts[GUARD_SOLDIERS, slot]),
        "farmers": int(me.posts[GUARD_FARMERS, slot]),
        "workers": int(me.posts[WORKERS, slot]),
        "worker": GOOD_NAMES[box.card[card].worker] if box.card[card].n_workers else "",
        "places": int(box.card[card].n_workers),
    }


def _trap(box: Any, me: Any, names: Any, hole: int, mine: bool) -> dict[str, Any]:
    card = int(me.traps[hole])
    return {
        "hole": hole,
        "deck": DECK_NAMES[box.card[card].deck] if mine or not box.options.hidden_traps else None,
        "card": names[card] if mine else None,
        "soldiers": int(me.trap_guards[hole]),
    }


def _card(box: Any, names: Any, card: int) -> dict[str, Any]:
    one = box.card[card]
    return {
        "type": TYPE_NAMES[one.type],
        "deck": DECK_NAMES[one.deck],
        "branch": BRANCHES[(int(one.deck) + 2) // 3],
        "level": (int(one.deck) - 1) % 3 + 1 if one.deck else 0,
        "does": DOES_NAMES[one.does],
        "copies": int(one.copies),
        "pay": amounts(one.pay),
        "workers": f"{one.n_workers} {GOOD_ONE[one.worker]}" if one.n_workers else "",
        "text": names["text"][card],
        "icon": names["icon"][card],
        "rule": names["rule"][card],
    }


def _spot_words(speaker: Speaker, spot: int) -> str:
    if VISITING <= spot < VISITING + SEATS:
        return f"Disciple visiting {speaker.word('seat', spot - VISITING)}"
    return SPOT_WORDS[spot]


# --- Prompts ----------------------------------------------------------------------------------

PROMPTS = {
    s.BEGIN: ("{seat}, choose what you begin with.", "One thing more than the others have, or the same.", "2.3"),
    s.RAID: (
        "{seat}, what does your Disciple take from {other:seat}?",
        "A Farmland or a Farmer, never the last one.",
        "3.2",
    ),
    s.TORCH: ("{seat}, take a Fire?", "Shoot it this turn or put it out, or it burns your own land.", "12.8"),
    s.PLAY: ("{seat}, play cards.", "As many as you like, and use those on your table.", "4.1"),
    s.CHOOSE_THING: ("{seat}, choose what {card} brings.", "", "4.2"),
    s.MAKE_PEACE: ("{seat}, with whom do you make peace?", "That seat gets 3 Water and cannot attack you.", "11.7"),
    s.SEIZE: ("{seat}, take a Table card.", "Its owner gets 2 Water; who stands on it stays there.", "11.10"),
    s.CHOOSE_DECK: ("{seat}, choose the deck to draw from.", "", "4.8"),
    s.OFFER_UP: ("{seat}, choose a unit to kill.", "{n} more, of anybody’s.", "13.6"),
    s.CALL_OVER: ("{seat}, choose a unit to take.", "{n} more, from the others’ boards.", "13.11"),
    s.LOSE: ("{seat}, choose a unit to lose.", "{n} more, because of {card}.", "13.9"),
    s.BUILD: ("{seat}, build units.", "As many as your tokens and Farmers allow.", "5.1"),
    s.RECALL: ("{seat}, call anybody in?", "Units on post stay there unless you call them.", "6.1"),
    s.POST: ("{seat}, post your units.", "Guards protect one place; Soldiers in reserve can attack.", "6.1"),
    s.STORM: ("{seat}, attack?", "One attack after another, until you stop.", "7.1"),
    s.TARGET: (
        "{seat}, choose a target for {what}.",
        "Guards must be hit first; units and open things can be hit.",
        "7.7",
    ),
    s.STRIKE_BACK: ("{seat}, strike back at {other:seat}.", "{n} more things of your choice.", "12.10"),
    s.EXPLORE: ("{seat}, send Explorers out.", "To any deck that is unlocked; they are back next turn.", "8.1"),
    s.TRIM_UNITS: ("{seat}, give up a unit.", "You have {n} more than Farmland.", "9.1"),
    s.TRIM_CARDS: ("{seat}, discard a card.", "You have {n} more than Farmland.", "9.2"),
    s.SPRING: ("{seat}, does your Trap spring?", "", "10.3"),
}


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The question of the present decision, in one sentence."""
    if state.phase == s.OVER:
        return Prompt(_ending(state, speaker), (), END_RULES[state.won_by])
    text, help_text, number = PROMPTS[int(state.phase)]
    to_act = int(state.to_act)
    parts: dict[str, int | str] = {"seat": to_act, "n": _number(box, state), "other": _other(state)}
    if state.card != NOBODY:
        parts["card"] = int(state.card)
    if state.phase == s.TARGET:
        text = text.replace("{what}", _weapon_words(state))
    left: Sentence = ()
    if state.phase == s.TARGET and state.job == s.LIFE_JOB:
        help_text, number = "Guards must be hit first.", "12.11"
        left = (Word("num", str(int(state.blows.sum()))), " blows left")
    elif state.phase == s.STORM and state.is_surprise:
        left = ("guards stop nothing this turn",)
    return Prompt(speaker.say(text, **parts), speaker.say(help_text, **parts), number, left)


WAYS = ("", "by farming", "by arms", "by faith", "by three Miracles")
END_RULES = ("14.7", "14.1", "14.2", "14.3", "14.4", "15.1", "15.2")


def _ending(state: Any, speaker: Speaker) -> Sentence:
    if is_on_time(state):
        return ("The game is over: the farms were compared.",)
    return (f"The game is over, won {WAYS[state.won_by]}.",)


def _number(box: Any, state: Any) -> int:
    seat = int(state.to_act)
    if state.phase == s.TRIM_UNITS:
        return int(s.n_units(state, seat) - state.seats[seat].goods[FARMLAND])
    if state.phase == s.TRIM_CARDS:
        return int(card_count(box, state, seat) - state.seats[seat].goods[FARMLAND])
    return int(state.left)


def _other(state: Any) -> int:
    return int(struck(state) if state.phase == s.STRIKE_BACK else state.victim)


# --- Choices --------------------------------------------------------------------------------------

LABELS = {
    "begin": "{thing}",
    "raid": "1 Farmland",
    "light": "Take the Fire",
    "leave": "No Fire",
    "play": "Play {card}",
    "use": "Use {card}",
    "extinguish": "Put out a Fire",
    "end_play": "No more cards",
    "take": "{thing}",
    "bind": "{seat}",
    "draw": "{deck}",
    "enough": "Spare the rest",
    "build": "Build {made}",
    "end_build": "Done building",
    "recall_land": "Call in the guards of the Farmland",
    "end_recall": "Leave the rest on post",
    "guard_land": "Soldier: guard the Farmland",
    "arm_land": "Farmer: guard the Farmland",
    "end_posts": "Done posting",
    "ready": "Attack with {weapon}",
    "strike_land": "Attack with the guard of the Farmland",
    "hurl": "Shoot Fire at {seat}",
    "send": "Send a Disciple to {seat}",
    "end_attack": "Stop attacking",
    "hit_land": "Farmland of {seat}",
    "strip": "1 {token}",
    "explore": "{deck}",
    "end_explore": "No more exploring",
    "drop": "Discard {card}",
    "drop_miracle": "Discard {card} from the table",
    "reveal": "Spring it",
    "keep": "Hold it back",
    "surrender": "Surrender",
}
SPOTS = {
    "play": "card",
    "use": "card",
    "drop": "card",
    "draw": "deck",
    "explore": "deck",
    "bind": "seat",
    "hit_land": "land",
}
SPOTS |= {"hurl": "seat", "send": "seat", "drop_miracle": "shown"}
ON_CARD = {
    "recall_card": "Call in from {}",
    "guard_card": "Soldier: guard {}",
    "arm_card": "Farmer: guard {}",
    "work": "Put to work on {}",
    "strike_card": "Attack with the guard of {}",
    "drop_card": "Discard {}",
}
ON_TRAP = {
    "recall_trap": "Call in from {}",
    "guard_trap": "Soldier: guard {}",
    "strike_trap": "Attack with the guard of {}",
    "drop_trap": "Discard {}",
}


def choice(box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
    """How the table shows one action: its words, what it would do, and the spot it aims at."""
    block = ACTIONS.blocks[action.block]
    label, at = _label(box, state, speaker, action)
    effect = tuple(_effect(box, state, speaker, action))
    number = (
        speaker.names["rule"][action.args[0]] if action.block in ("play", "use") and _is_card(speaker, action) else ""
    )
    return Choice(action.id, action.name, label, effect, at, number or block.rule, block.tone)


def _is_card(speaker: Speaker, action: Action) -> bool:
    return action.args[0] < len(speaker.names["card"])


def _label(box: Any, state: Any, speaker: Speaker, action: Action) -> tuple[Sentence, str | None]:
    """The words of an action and its spot on the table."""
    name, args, seat = action.block, action.args, int(state.to_act)
    if name in ON_CARD:
        return _around(ON_CARD[name], _table_card(state, speaker, seat, args[0])), f"table:{seat}:{args[0]}"
    if name in ON_TRAP:
        return _around(ON_TRAP[name], _trap_card(box, state, speaker, seat, args[0], True)), f"trap:{seat}:{args[0]}"
    if name in ("seize", "hit_card"):
        words = (_table_card(state, speaker, args[0], args[1]), " of ", speaker.word("seat", args[0]))
        return words, f"table:{args[0]}:{args[1]}"
    if name == "hit_trap":
        words = (
            _trap_card(box, state, speaker, args[0], args[1], args[0] == seat),
            " of ",
            speaker.word("seat", args[0]),
        )
        return words, f"trap:{args[0]}:{args[1]}"
    if name == "unit":
        return _unit_label(box, state, speaker, args[0], args[1]), f"unit:{args[0]}:{args[1]}"
    parts = dict(zip(ACTIONS.blocks[name].kinds, args, strict=True))
    if name == "reveal" and state.phase == s.SPRING:
        return ("Spring ", _waiting_trap(box, state, speaker)), None
    at = None
    if name in SPOTS:
        kind = ACTIONS.blocks[name].kinds[0]
        at = f"{SPOTS[name]}:{args[0] if kind == 'seat' else speaker.word(kind, args[0])}"
    elif name in ("guard_land", "arm_land", "recall_land", "strike_land"):
        at = f"land:{seat}"
    elif name == "raid":
        at = f"land:{int(state.victim)}"
    elif name in ("build", "extinguish", "strip"):
        at = _token_at(box, state, name, args)
    elif name == "ready":
        at = _weapon_at(box, state, seat, args[0])
    return speaker.say(LABELS[name], **parts), at


def _token_at(box: Any, state: Any, name: str, args: tuple[int, ...]) -> str:
    """The tokens that go into a unit, put out a Fire, or are struck."""
    if name == "strip":
        return f"token:{struck(state)}:{GOOD_NAMES[args[0]]}"
    token = FIRE if name == "extinguish" else int(box.rules.recipes[args[0] + 1].argmax())
    return f"token:{int(state.to_act)}:{GOOD_NAMES[token]}"


def _weapon_at(box: Any, state: Any, seat: int, weapon: int) -> str:
    """Where a weapon stands: in reserve, in the park, or on the card that hires it."""
    if weapon == SOLDIER_WEAPON:
        return f"unit:{seat}:{RESERVE}"
    if weapon == CANNON_WEAPON:
        return f"unit:{seat}:{PARK}"
    me = state.seats[seat]
    hired = [slot for slot in range(int(me.n_table)) if box.card[me.table[slot]].does == MERCENARIES]
    return f"table:{seat}:{hired[0] if hired else 0}"


def _around(template: str, word: Fragment) -> Sentence:
    before, _, after = template.partition("{}")
    return tuple(part for part in (before, word, after) if part)


def _table_card(state: Any, speaker: Speaker, seat: int, slot: int) -> Fragment:
    me = state.seats[seat]
    return speaker.word("card", int(me.table[slot])) if slot < me.n_table else f"place {slot + 1}"


def _trap_card(box: Any, state: Any, speaker: Speaker, seat: int, hole: int, mine: bool) -> Fragment:
    me = state.seats[seat]
    if hole >= me.n_traps:
        return f"Trap {hole + 1}"
    if mine:
        return speaker.word("card", int(me.traps[hole]))
    return _back(box, int(me.traps[hole]))


def _waiting_trap(box: Any, state: Any, speaker: Speaker) -> Fragment:
    me = state.seats[state.to_act]
    for card in me.traps[: me.n_traps]:
        if box.card[card].does == state.trap_does:
            return speaker.word("card", int(card))
    return "it"


def _unit_label(box: Any, state: Any, speaker: Speaker, seat: int, spot: int) -> Sentence:
    """A unit, where it is, and whose it is."""
    of: Sentence = (" of ", speaker.word("seat", seat))
    if VISITING <= spot < VISITING + SEATS:
        return ("Disciple visiting ", speaker.word("seat", spot - VISITING), *of)
    if spot < PLAIN_SPOTS:
        return (SPOT_WORDS[spot], *of)
    if spot >= TRAP_SOLDIER:
        mine = seat == int(state.to_act)
        return ("Soldier guarding ", _trap_card(box, state, speaker, seat, spot - TRAP_SOLDIER, mine), *of)
    for first, words in (
        (CARD_WORKER, "Worker on "),
        (CARD_FARMER, "Farmer guarding "),
        (CARD_SOLDIER, "Soldier guarding "),
    ):
        if spot >= first:
            return (words, _table_card(state, speaker, seat, spot - first), *of)
    raise AssertionError(spot)


def _effect(box: Any, state: Any, speaker: Speaker, action: Action) -> Iterator[Any]:
    """What an action would bring, in a few words."""
    name, args = action.block, action.args
    if name in ("play", "use") and _is_card(speaker, action):
        yield speaker.names["text"][args[0]]
    elif name == "take" and state.phase == s.CHOOSE_THING:
        price = int(box.card[state.card].prices[args[0]])
        if price > 0 and price != NOT_FOR_SALE:
            yield f"for {_amount(int(box.card[state.card].coin), price)}"
        elif state.times > 1:
            yield f"{state.times} of them"
    elif name == "draw" and state.phase == s.CHOOSE_DECK and box.card[state.card].fees[args[0]]:
        yield f"for {_amount(int(box.card[state.card].coin), int(box.card[state.card].fees[args[0]]))}"
    elif name == "build":
        recipe = [_amount(token, int(n)) for token, n in enumerate(box.rules.recipes[args[0] + 1]) if n]
        yield " and ".join(recipe if action.args[0] == 3 else ["1 Farmer", *recipe])
    elif name == "extinguish":
        yield f"for {_amount(1, int(box.rules.extinguish))}"
    elif name == "explore":
        yield f"{_n_in_deck(box, state, args[0])} cards in it"
    elif name == "unit" and state.phase == s.TARGET and s.n_at(state, args[0], args[1]) > 0:
        unit = int(s.unit_at(box, state, args[0], args[1]))
        if is_fight_at(state, unit, args[1]):
            yield "both fall"
    elif name == "surrender":
        yield "you are out, and your cards and pieces with you"


# --- Scores ------------------------------------------------------------------------------------------


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """14, 15.1: what brought the win."""
    if state.phase != s.OVER or not is_first(state, seat):
        return []
    label = "The best farm when time was up" if is_on_time(state) else "Victory " + WAYS[state.won_by]
    n_first = sum(bool(is_first(state, other)) for other in range(SEATS))
    return [Line((label,), 1 / n_first, END_RULES[state.won_by])]

"""The words of WARFARM: questions, choices, what they would bring, what won."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.core.actions import Action
from sutler.core.record import NOBODY
from sutler.core.speech import Choice, Line, Prompt, Speaker
from sutler.core.text import Fragment, Sentence, Word
from sutler.games.warfarm import state as s
from sutler.games.warfarm.box import (
    CANNON_WEAPON,
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    FARMLAND,
    FIRE,
    GOOD_NAMES,
    MERCENARIES,
    NOT_FOR_SALE,
    PARK,
    PLAIN_SPOTS,
    RESERVE,
    SEATS,
    SOLDIER_WEAPON,
    TRAP_SOLDIER,
    VISITING,
)
from sutler.games.warfarm.rules.ending import card_count
from sutler.games.warfarm.rules.karma import struck
from sutler.games.warfarm.rules.targets import is_fight_at
from sutler.games.warfarm.scoring import is_first, is_on_time
from sutler.games.warfarm.table import ACTIONS, P
from sutler.games.warfarm.view import SPOT_WORDS, amount_of, back_of, n_in_deck, weapon_name

# --- Prompts ----------------------------------------------------------------------------------

PROMPTS = {
    P.begin: ("{seat}, choose what you begin with.", "One thing more than the others have, or the same.", "2.3"),
    P.raid: (
        "{seat}, what does your Disciple take from {other:seat}?",
        "A Farmland or a Farmer, never the last one.",
        "3.2",
    ),
    P.torch: ("{seat}, take a Fire?", "Shoot it this turn or put it out, or it burns your own land.", "12.8"),
    P.play: ("{seat}, play cards.", "As many as you like, and use those on your table.", "4.1"),
    P.choose_thing: ("{seat}, choose what {card} brings.", "", "4.2"),
    P.make_peace: ("{seat}, with whom do you make peace?", "That seat gets 3 Water and cannot attack you.", "11.7"),
    P.seize: ("{seat}, take a Table card.", "Its owner gets 2 Water; who stands on it stays there.", "11.10"),
    P.choose_deck: ("{seat}, choose the deck to draw from.", "", "4.8"),
    P.offering: ("{seat}, choose a unit to kill.", "{n} more, of anybody’s.", "13.6"),
    P.call: ("{seat}, choose a unit to take.", "{n} more, from the others’ boards.", "13.11"),
    P.lose: ("{seat}, choose a unit to lose.", "{n} more, because of {card}.", "13.9"),
    P.build: ("{seat}, build units.", "As many as your tokens and Farmers allow.", "5.1"),
    P.recall: ("{seat}, call anybody in?", "Units on post stay there unless you call them.", "6.1"),
    P.post: ("{seat}, post your units.", "Guards protect one place; Soldiers in reserve can attack.", "6.1"),
    P.attack: ("{seat}, attack?", "One attack after another, until you stop.", "7.1"),
    P.target: (
        "{seat}, choose a target for {what}.",
        "Guards must be hit first; units and open things can be hit.",
        "7.7",
    ),
    P.strike_back: ("{seat}, strike back at {other:seat}.", "{n} more things of your choice.", "12.10"),
    P.explore: ("{seat}, send Explorers out.", "To any deck that is unlocked; they are back next turn.", "8.1"),
    P.trim_units: ("{seat}, give up a unit.", "You have {n} more than Farmland.", "9.1"),
    P.trim_cards: ("{seat}, discard a card.", "You have {n} more than Farmland.", "9.2"),
    P.trap: ("{seat}, does your Trap spring?", "", "10.3"),
}


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The question of the present decision, in one sentence."""
    if state.phase == P.over:
        return Prompt(_ending(state, speaker), (), END_RULES[state.won_by])
    text, help_text, number = PROMPTS[int(state.phase)]
    to_act = int(state.to_act)
    parts: dict[str, int | str] = {"seat": to_act, "n": _number(box, state), "other": _other(state)}
    if state.card != NOBODY:
        parts["card"] = int(state.card)
    if state.phase == P.target:
        text = text.replace("{what}", _weapon_words(state))
    left: Sentence = ()
    if state.phase == P.target and state.job == s.LIFE_JOB:
        help_text, number = "Guards must be hit first.", "12.11"
        left = (Word("num", str(int(state.blows.sum()))), " blows left")
    elif state.phase == P.attack and state.is_surprise:
        left = ("guards stop nothing this turn",)
    return Prompt(speaker.say(text, **parts), speaker.say(help_text, **parts), number, left)


WAYS = ("", "by farming", "by arms", "by faith", "by three Miracles")
END_RULES = ("14.7", "14.1", "14.2", "14.3", "14.4", "15.1", "15.2")


def _ending(state: Any, speaker: Speaker) -> Sentence:
    if is_on_time(state):
        return ("The game is over: the farms were compared.",)
    return (f"The game is over, won {WAYS[state.won_by]}.",)


def _weapon_words(state: Any) -> str:
    return "Life or Death" if state.job == s.LIFE_JOB else f"your {weapon_name(state)}"


def _number(box: Any, state: Any) -> int:
    seat = int(state.to_act)
    if state.phase == P.trim_units:
        return int(s.n_units(state, seat) - state.seats[seat].goods[FARMLAND])
    if state.phase == P.trim_cards:
        return int(card_count(box, state, seat) - state.seats[seat].goods[FARMLAND])
    return int(state.left)


def _other(state: Any) -> int:
    return int(struck(state) if state.phase == P.strike_back else state.victim)


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
    if name == "reveal" and state.phase == P.trap:
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
    return back_of(box, int(me.traps[hole]))


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
    elif name == "take" and state.phase == P.choose_thing:
        price = int(box.card[state.card].prices[args[0]])
        if price > 0 and price != NOT_FOR_SALE:
            yield f"for {amount_of(int(box.card[state.card].coin), price)}"
        elif state.times > 1:
            yield f"{state.times} of them"
    elif name == "draw" and state.phase == P.choose_deck and box.card[state.card].fees[args[0]]:
        yield f"for {amount_of(int(box.card[state.card].coin), int(box.card[state.card].fees[args[0]]))}"
    elif name == "build":
        recipe = [amount_of(token, int(n)) for token, n in enumerate(box.rules.recipes[args[0] + 1]) if n]
        yield " and ".join(recipe if action.args[0] == 3 else ["1 Farmer", *recipe])
    elif name == "extinguish":
        yield f"for {amount_of(1, int(box.rules.extinguish))}"
    elif name == "explore":
        yield f"{n_in_deck(box, state, args[0])} cards in it"
    elif name == "unit" and state.phase == P.target and s.n_at(state, args[0], args[1]) > 0:
        unit = int(s.unit_at(box, state, args[0], args[1]))
        if is_fight_at(state, unit, args[1]):
            yield "both fall"
    elif name == "surrender":
        yield "you are out, and your cards and pieces with you"


# --- Scores ------------------------------------------------------------------------------------------


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """14, 15.1: what brought the win."""
    if state.phase != P.over or not is_first(state, seat):
        return []
    label = "The best farm when time was up" if is_on_time(state) else "Victory " + WAYS[state.won_by]
    n_first = sum(bool(is_first(state, other)) for other in range(SEATS))
    return [Line((label,), 1 / n_first, END_RULES[state.won_by])]

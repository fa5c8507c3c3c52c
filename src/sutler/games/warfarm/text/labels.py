"""Words of WARFARM that depend on the position: prompts, labels and effects of actions, the lines of a score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sutler.core.actions import Action
from sutler.core.record import NOBODY
from sutler.core.text.language import join_with_and
from sutler.core.text.sentences import Choice, Line, Prompt, Sentence, Speaker, Sum
from sutler.games.warfarm import state as s
from sutler.games.warfarm.box import (
    CANNON_WEAPON,
    CARD_FARMER,
    CARD_SOLDIER,
    CARD_WORKER,
    COINS,
    FARMER,
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
    TOKENS,
    TRAP_SOLDIER,
    VISITING,
)
from sutler.games.warfarm.phases_actions_events import ACTIONS, PHASES, P
from sutler.games.warfarm.rules.exploring_and_turn_end import card_count
from sutler.games.warfarm.rules.karma import struck
from sutler.games.warfarm.rules.targets import is_fight_at
from sutler.games.warfarm.scoring import is_ended_by_limit, is_first
from sutler.games.warfarm.text import _
from sutler.games.warfarm.text.number_breakdowns import guard_lines, income_lines
from sutler.games.warfarm.view import (
    SPOT_WORDS,
    STEP_WORDS,
    amount_in_words,
    back_in_words,
    n_cards_in_deck,
    weapon_name,
)

REPEATED = ("build", "guard_land", "arm_land")
"""The actions that people often take several times in a row: the page offers it as one choice with a number."""
LEANINGS = {
    "farmer": "farming",
    "soldier": "conquest",
    "gunner": "cannons",
    "monk": "prayer",
    "hermit": "prayer at home",
    "forager": "exploring",
    "warden": "guarding",
    "peacemaker": "peace",
    "scholar": "playing cards",
    "settler": "Farm cards",
}
"""The style of a bot, by the name of the persona whose plan it follows, as words that follow "leans to"."""

OTHER_NAMES = {"title": STEP_WORDS, "place": SPOT_WORDS, "token name": GOOD_NAMES[:TOKENS]}
"""Names that people read in addition to those of the box: the steps of a turn, the spots of units, the tokens as a view calls them."""

UNREAD_NAMES = ("job", "won_by")
"""Lists of names that only files have, and people do not read."""

# --- Questions ----------------------------------------------------------------------------------


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The prompt of the open decision, from its row; once the game is over, a sentence on how it ended."""
    if state.phase == P.over:
        return Prompt(_ending_sentence(state, speaker), (), END_RULES[state.won_by])
    row = PHASES.rows[int(state.phase)]
    parts: dict[str, int | str] = {
        "seat": int(state.to_act),
        "n": _number_in_prompt(box, state),
        "other": _other_seat_in_prompt(state),
    }
    parts["what"] = _weapon_in_words(state)
    if state.card != NOBODY:
        parts["card"] = int(state.card)
    help_text, number = row.help, row.rule
    left: Sentence = ()
    if state.phase == P.target and state.job == s.LIFE_JOB:
        help_text, number = _("Guards must be hit first."), "12.11"
        left = speaker.say("{n} {n:#blow|blows} left", n=int(state.blows.sum()))
    elif state.phase == P.attack and state.is_surprise:
        left = (_("guards stop nothing this turn"),)
    return Prompt(speaker.say(row.ask, **parts), speaker.say(help_text, **parts), number, left)


END_RULES = ("14.7", "14.1", "14.2", "14.3", "14.4", "15.1", "15.2")


def _ending_sentence(state: Any, speaker: Speaker) -> Sentence:
    """A sentence on how the game ended."""
    if state.won_by == s.BY_TIME:
        return (_("The game is over: its last round is played, and the farms were compared."),)
    if state.won_by == s.BY_STANDSTILL:
        return (_("The game is over: nothing moved any more, and the farms were compared."),)
    return (_("The game is over in round {n}.", n=int(state.round_no)),)  # how it was won is told by the reckoning


def _weapon_in_words(state: Any) -> str:
    """The name of the weapon whose target is being chosen, in words: "your Cannon"."""
    name = weapon_name(state)
    yours = {
        "Soldier": _("your Soldier"),
        "Cannon": _("your Cannon"),
        "Mercenaries": _("your Mercenaries"),
        "guard": _("your guard"),
    }
    return yours[name] if name in yours else _(name, "card")


def _number_in_prompt(box: Any, state: Any) -> int:
    """The number in the prompt of the open decision."""
    seat = int(state.to_act)
    if state.phase == P.trim_units:
        return int(s.n_units(state, seat) - state.seats[seat].goods[FARMLAND])
    if state.phase == P.trim_cards:
        return int(card_count(box, state, seat) - state.seats[seat].goods[FARMLAND])
    return int(state.left)


def _other_seat_in_prompt(state: Any) -> int:
    """The second seat in the prompt of the open decision, beside the seat to act."""
    return int(struck(state) if state.phase == P.strike_back else state.victim)


# --- Choices --------------------------------------------------------------------------------------

BLOCKS_ON_LAND = ("guard_land", "arm_land", "recall_land", "strike_land")
SPOT_OF_FIRST_ARGUMENT = {
    "play": "card:{}",
    "use": "card:{}",
    "drop": "card:{}",
    "drop_miracle": "shown:{}",
    "draw": "deck:{}",
    "explore": "deck:{}",
    "bind": "seat:{}",
    "hurl": "seat:{}",
    "send": "seat:{}",
    "hit_land": "land:{}",
}
"""The spot on the table that an action aims at, by block, where the action's first argument names it."""


def choice(box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
    """An action as the page shows it: its label, its effect, and the spot on the table that it aims at."""
    block = ACTIONS.blocks[action.block]
    if action.block == "unit":
        label = _unit_label(box, state, speaker, *action.args)
    else:
        label = speaker.say(block.label, **_label_values(box, state, speaker, action))
    effect = tuple(_effect_words(box, state, speaker, action))
    cards = action.block in ("play", "use") and _is_first_argument_a_card(speaker, action)
    rule = speaker.names["rule"][action.args[0]] if cards else block.rule
    at = _spot_aimed_at(box, state, speaker, action)
    return Choice(action.id, action.name, label, effect, at, rule, block.tone, action.block, action.args)


def _is_first_argument_a_card(speaker: Speaker, action: Action) -> bool:
    """Is the first argument of an action a card of this box? There are actions for cards of other boxes."""
    return action.args[0] < len(speaker.names["card"])


def _label_values(box: Any, state: Any, speaker: Speaker, action: Action) -> dict[str, Any]:
    """The values that fill an action's label: its arguments, and the card that lies at the place that it names."""
    parts: dict[str, Any] = dict(zip(ACTIONS.blocks[action.block].kinds, action.args, strict=True))
    owner = parts.get("seat", int(state.to_act))
    if "slot" in parts:
        parts["card"] = _table_card_or_words(state, owner, parts["slot"])
    elif "hole" in parts:
        parts["card"] = _trap_card_or_words(box, state, owner, parts["hole"], owner == int(state.to_act))
    elif action.block == "reveal":
        parts["card"] = _trap_in_question(box, state)
    return parts


def _spot_aimed_at(box: Any, state: Any, speaker: Speaker, action: Action) -> str | None:
    """The spot on the table that an action aims at, as "card:Name" or "land:0"; None if it aims at none."""
    name, seat = action.block, int(state.to_act)
    kinds = ACTIONS.blocks[name].kinds
    if name in SPOT_OF_FIRST_ARGUMENT:
        number = action.args[0]
        return SPOT_OF_FIRST_ARGUMENT[name].format(number if kinds[0] == "seat" else speaker.word(kinds[0], number))
    if name in BLOCKS_ON_LAND:
        return f"land:{seat}"
    if name == "raid":
        return f"land:{int(state.victim)}"
    if name in ("build", "extinguish", "strip"):
        return _token_spot(box, state, name, action.args)
    if name == "ready":
        return _weapon_spot(box, state, seat, action.args[0])
    for kind, where in (("spot", "unit"), ("slot", "table"), ("hole", "trap")):
        if kind in kinds:
            owner = action.args[0] if kinds[0] == "seat" else seat
            return f"{where}:{owner}:{action.args[-1]}"
    return None


def _token_spot(box: Any, state: Any, name: str, args: tuple[int, ...]) -> str:
    """The spot on the table of the tokens that an action concerns: built into a unit, put out, or struck by Karma."""
    if name == "strip":
        return f"token:{struck(state)}:{GOOD_NAMES[args[0]]}"
    token = FIRE if name == "extinguish" else int(box.rules.recipe[args[0] + 1].argmax())
    return f"token:{int(state.to_act)}:{GOOD_NAMES[token]}"


def _weapon_spot(box: Any, state: Any, seat: int, weapon: int) -> str:
    """The spot of a weapon: in reserve, in the park, or on the card that hires Mercenaries."""
    if weapon == SOLDIER_WEAPON:
        return f"unit:{seat}:{RESERVE}"
    if weapon == CANNON_WEAPON:
        return f"unit:{seat}:{PARK}"
    me = state.seats[seat]
    hired = [slot for slot in range(int(me.n_table)) if box.card[me.table[slot]].does == MERCENARIES]
    return f"table:{seat}:{hired[0] if hired else 0}"


def _table_card_or_words(state: Any, seat: int, slot: int) -> int | str:
    """The Table card at a place as a part of a sentence; words for the place if it is empty."""
    me = state.seats[seat]
    return int(me.table[slot]) if slot < me.n_table else _("place {n}", n=slot + 1)


def _trap_card_or_words(box: Any, state: Any, seat: int, hole: int, mine: bool) -> int | str:
    """The Trap at a place as a part of a sentence: its number for its owner (`mine`), else its back in words; words for an empty place."""
    me = state.seats[seat]
    if hole >= me.n_traps:
        return _("Trap {n}", n=hole + 1)
    return int(me.traps[hole]) if mine else back_in_words(box, int(me.traps[hole]))


def _trap_in_question(box: Any, state: Any) -> int | str:
    """The Trap whose owner is asked whether it springs, as a part of a sentence; the word "it" if there is none."""
    me = state.seats[state.to_act]
    waiting = [int(card) for card in me.traps[: me.n_traps] if box.card[card].does == state.trap_does]
    return waiting[0] if waiting and state.phase == P.trap else _("it")


def _unit_label(box: Any, state: Any, speaker: Speaker, seat: int, spot: int) -> Sentence:
    """The label of a unit: its kind, where it stands, and whose it is."""
    if VISITING <= spot < VISITING + SEATS:
        return speaker.say("Disciple visiting {host:seat} of {seat}", host=spot - VISITING, seat=seat)
    if spot < PLAIN_SPOTS:
        return speaker.say("{unit} of {seat}", unit=_(SPOT_WORDS[spot], "place"), seat=seat)
    posted = (
        (TRAP_SOLDIER, _("Soldier guarding {card} of {seat}")),
        (CARD_WORKER, _("Worker on {card} of {seat}")),
        (CARD_FARMER, _("Farmer guarding {card} of {seat}")),
        (CARD_SOLDIER, _("Soldier guarding {card} of {seat}")),
    )
    first, words = next((first, words) for first, words in posted if spot >= first)
    if first == TRAP_SOLDIER:
        card = _trap_card_or_words(box, state, seat, spot - first, seat == int(state.to_act))
    else:
        card = _table_card_or_words(state, seat, spot - first)
    return speaker.say(words, card=card, seat=seat)


def _effect_words(box: Any, state: Any, speaker: Speaker, action: Action) -> Iterator[Any]:
    """The effect of an action in a few words."""
    name, args = action.block, action.args
    if name in ("play", "use") and _is_first_argument_a_card(speaker, action):
        text = speaker.names["text"][args[0]]
        yield _(text, "text")
    elif name == "take" and state.phase == P.choose_thing:
        price = int(box.card[state.card].prices[args[0]])
        if price > 0 and price != NOT_FOR_SALE:
            yield _("for {price}", price=amount_in_words(COINS[box.card[state.card].coin], price))
        elif state.times > 1:
            yield _("{n} of them", n=int(state.times))
    elif name == "draw" and state.phase == P.choose_deck and box.card[state.card].fees[args[0]]:
        fee = int(box.card[state.card].fees[args[0]])
        yield _("for {price}", price=amount_in_words(COINS[box.card[state.card].coin], fee))
    elif name == "build":
        recipe = [amount_in_words(token, int(n)) for token, n in enumerate(box.rules.recipe[args[0] + 1]) if n]
        yield join_with_and(recipe if action.args[0] == 3 else [amount_in_words(FARMER, 1), *recipe])
    elif name == "extinguish":
        yield _("for {price}", price=amount_in_words(1, int(box.rules.extinguish)))
    elif name == "explore":
        yield _("{n} cards in it", n=n_cards_in_deck(box, state, args[0]))
    elif name == "unit" and state.phase == P.target and s.n_units_at(state, args[0], args[1]) > 0:
        unit = int(s.kind_of_unit_at(box, state, args[0], args[1]))
        yield _("both fall") if is_fight_at(state, unit, args[1]) else _("no fight")
    elif name == "hit_land" and state.phase == P.target:
        farmland = int(state.seats[args[0]].goods[FARMLAND])
        yield f"{farmland} → {farmland - 1}"
    elif name in ("hit_card", "hit_trap") and state.phase == P.target:
        yield _("no fight")
    elif name == "surrender":
        yield _("you are out, and your cards and pieces with you")


# --- For the lab ----------------------------------------------------------------

OWNED = {
    "n_hand": "cards in hand",
    "n_table": "cards on the table",
    "n_traps": "Traps set",
    "farming": "Farmers in the field",
    "praying": "Disciples praying",
    **dict.fromkeys(("blows", "lost", "martyrs", "monks", "miracles", "opened", "peace"), ""),
}

# --- Scores ------------------------------------------------------------------------------------------


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """The line that says how a seat has won, with its share of the 1 point (14, 15.1); [] for other seats and before the end."""
    if state.phase != P.over or not is_first(box, state, seat):
        return []
    won = ("", _("Victory by farming"), _("Victory by arms"), _("Victory by faith"), _("Victory by three Miracles"))
    label = _("The best farm at the end") if is_ended_by_limit(state) else won[state.won_by]
    n_first = sum(bool(is_first(box, state, other)) for other in range(SEATS))
    return [Line((label,), 1 / n_first, END_RULES[state.won_by])]


SUMS = {
    "tokens": Sum("{what} when the next turn has begun", of="token name"),
    "defence": Sum("Who must fall first", zeros=True),
}


def account(box: Any, state: Any, speaker: Speaker, kind: str, key: str) -> list[Line]:
    """The lines of a number in the view: a seat's score, its tokens with their income, or its guards; [] for an unknown kind.

    `kind` is "score", "tokens" or "defence"; `key` is the seat's number, for tokens "water:0", for guards "0:land".
    """
    if kind == "tokens":
        return income_lines(box, state, speaker, key)
    if kind == "defence":
        return guard_lines(box, state, speaker, key)
    if kind != "score":
        return []
    wanted, farmers = (int(box.rules.farm_win[good]) for good in (FARMLAND, FARMER))
    label = _("Farmland; {n} of it and {farmers} Farmers win", n=wanted, farmers=farmers)
    return [Line((label,), int(state.seats[int(key)].goods[FARMLAND]), "14.1")]

"""Words of Three Years of War that depend on the position: prompts, labels and effects of actions, the lines of a score.

The sentences themselves stand in the rows of `phases_actions_events.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sutler.core.actions import Action
from sutler.core.bits import count, has, members
from sutler.core.record import NOBODY
from sutler.core.text.language import join_with_and, load_tongue
from sutler.core.text.sentences import Choice, Fragment, Line, Prompt, Sentence, Speaker
from sutler.games.threeyears import state as s
from sutler.games.threeyears.box import (
    CASUALTY,
    FOOD,
    GOLD,
    HOLDINGS,
    ICON_NAMES,
    ICON_ONE,
    SEASON_NAMES,
    SIEGE,
    SOLDIERS,
    STAGE_NAMES,
    THIEF,
    S,
)
from sutler.games.threeyears.phases_actions_events import ACTIONS, PHASES, P, R
from sutler.games.threeyears.rules.gains import why_not_reveal
from sutler.games.threeyears.rules.influence import icons_needed, why_not_play
from sutler.games.threeyears.rules.interludes import has_surplus
from sutler.games.threeyears.rules.stakes import slot_of
from sutler.games.threeyears.scoring import HAND, bonus_in_category, despair_value

_ = load_tongue(Path(__file__).parents[1])

REPEATED = ("target", "blight", "exchange", "discard")
"""The actions that people often take several times in a row: the page offers it as one choice with a number."""
LEANINGS = {
    "claim-blind": "small bids",
    "hermit": "passing early",
    "proud": "never passing",
    "miser": "single cards",
    "soldier": "Soldiers",
    "farmer": "Food",
    "builder": "Holdings",
    "merchant": "Gold",
    "raider": "doing harm",
    "spy": "Scouts and Writs",
    "pilgrim": "hope",
    "courtier": "Renown",
    "hoarder": "drawing cards",
}
"""The style of a bot, by the name of the persona whose plan it follows, as words that follow "leans to"."""

OTHER_NAMES = {"": [name.capitalize() for name in STAGE_NAMES]}
"""Names that people read in addition to those of the box: the stages of a season, which the lobby looks up as words of no kind."""

TRACK_HIT_BY = {CASUALTY: SOLDIERS, SIEGE: HOLDINGS, THIEF: GOLD}
"""The track on which the target of each icon loses."""


def icons_in_words(icons: Any) -> str:
    """Icons in words, "2 gold, 1 Despair", from their numbers in the order of ICON_NAMES."""
    return ", ".join(amount_in_words(int(n), i) for i, n in enumerate(icons) if n) or _("nothing")


def display_name(kind: str, name: str) -> str:
    """The name of a thing of the box in the reader's language; `kind` is "icon", "season", "claim" and the like."""
    return _(name, kind)


def amount_in_words(n: int, icon: int) -> str:
    """A number of one icon in words: "1 soldier"."""
    return f"{n} {display_name('icon:one', ICON_ONE[icon]) if n == 1 else display_name('icon', ICON_NAMES[icon])}"


def despair_in_words(state: Any, n: int) -> str:
    """`n` Despair tokens in words, with Doom for those that the supply lacks (8.12)."""
    despair = min(n, int(count(state.despairs)))
    told = [_("{n} Despair", n=despair)] if despair else []
    told += [_("{n} Doom", n=n - despair)] if n > despair else []
    return join_with_and(told) or _("no Despair")


# --- Questions --------------------------------------------------------------------


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The prompt of the open decision as a seat reads it (None: a watcher); only the owner of a hand is told what the hand can do."""
    row = PHASES.rows[int(state.phase)]
    if row.over:
        return Prompt((speaker.tongue("The game is over."),), (), row.rule)
    parts: dict[str, int | str] = {"seat": int(state.to_act)}
    parts |= {"icon": int(state.icon), "kind": int(state.kind), "n": _number_in_prompt(box, state)}
    parts |= _values_in_prompt(box, state, speaker, seat)
    ask = speaker.say("{seat}, you can only pass.", **parts) if _can_only_pass(box, state, seat) else None
    return Prompt(
        ask or speaker.say(row.ask, **parts), speaker.say(row.help, **parts), row.rule, _prompt_note(state, speaker)
    )


def _number_in_prompt(box: Any, state: Any) -> int:
    """The number in the prompt of the open decision."""
    me = state.seats[state.to_act]
    numbers = {
        P.pick: int(state.twos + state.ones),
        P.draft: int(me.marker),
        P.look: int(state.looks),
        P.market: int(me.tracks[GOLD]),
        P.reap: int(me.tracks[FOOD]),
        P.limit: int(box.rules.hand_limit),
    }
    return numbers.get(int(state.phase), 0)


def _values_in_prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, int | str]:
    """The values that only the prompts of some phases name, by their names in the prompt."""
    if state.phase == P.bid:
        return {"text": _bid_in_words(box, state, seat)}
    if state.phase == P.target:
        return {"text": _("Anybody, yourself included.") if box.options.own_targets else _("Any opponent.")}
    if state.phase == P.window:
        return {"text": _next_step_in_words(int(state.stage))}
    if state.phase == P.reap:
        return _harvest_values(box, state)
    if state.phase == P.last_chance:
        return _last_chance_values(box, state, speaker)
    return {}


def _next_step_in_words(stage: int) -> str:
    """A sentence that says what happens next if no seat reveals a Writ now (8.7)."""
    if stage == S.draft:
        return _("The claims are resolved next.")
    return _("Your claim card is resolved next.") if stage == S.claims else _("The interlude card is resolved next.")


def _harvest_values(box: Any, state: Any) -> dict[str, int | str]:
    """The values in the prompt of the harvest: has the seat more food than the other resource, or as much, and what follows (9.5)."""
    resource = int(box.reaping[state.card].compare)
    if has_surplus(box, state, int(state.to_act)):
        return {"what": _("more than"), "resource": resource, "text": ""}
    return {"what": _("as much as"), "resource": resource, "text": _(": nothing happens, unless a Writ changes it")}


def _prompt_note(state: Any, speaker: Speaker) -> Sentence:
    """A short note beside the prompt: the influence total, or the number of stakes still to be assigned; () in other phases."""
    if state.phase == P.bid:
        return speaker.say("influence is {n}", n=int(state.total))
    if state.phase in (P.stake, P.stake_on):
        return speaker.say("{n} to assign", n=int(count(state.loose)))
    return ()


def _bid_in_words(box: Any, state: Any, seat: int | None) -> str:
    """A sentence that says what a bid must reach (5.4 to 5.6); also for a seat that has no such set."""
    if seat is not None and seat == state.to_act and not _has_playable_set(box, state, seat):
        if _can_only_pass(box, state, seat):
            return _(
                "No cards of yours reach {n}. Nobody is told: they see you pass, as anybody may.", n=int(state.total)
            )
        return _("No cards of yours reach {n}; a Writ may still be revealed.", n=int(state.total))
    if state.total == 0:
        return _("Any one card opens. Who stays in longest takes a claim first.")
    total = int(state.total)
    season = display_name("season", SEASON_NAMES[state.season])
    return _("Match {n} with {season}, or raise to {n2} with another season.", n=total, season=season, n2=total + 1)


def _can_only_pass(box: Any, state: Any, seat: int | None) -> bool:
    """Has the seat that is to bid no set to play and no Writ to reveal, so that it can only pass? True only for the seat's own prompt."""
    if state.phase != P.bid or seat is None or seat != state.to_act or _has_playable_set(box, state, seat):
        return False
    return not any(why_not_reveal(box, state, seat, kind) == R.fine for kind in range(int(box.n_writ_kinds)))


def _has_playable_set(box: Any, state: Any, seat: int) -> bool:
    """Has the seat's hand a set that it may play now?"""
    sets = itertools.product(*map(range, ACTIONS.shape("play")))
    return any(why_not_play(box, state, seat, season, doubles) == R.fine for season, doubles in sets)


# --- The last chance for a Writ (guide 8.7) ---------------------------------------------


def _last_chance_values(box: Any, state: Any, speaker: Speaker) -> dict[str, int | str]:
    """The values in the prompt at the last chance to reveal a Writ: what is to be lost, and what the loss costs (8.7, 8.13, 9.5)."""
    seat = int(state.to_act)
    track = int(s.first_resource_lacking(state, seat))
    if track == NOBODY:
        compare, levels = int(box.reaping[state.card].compare), state.seats[seat].tracks
        other, food = amount_in_words(int(levels[compare]), compare), int(levels[FOOD])
        told = _(
            "You have {n} food against {other}. Otherwise: {cost}.",
            n=food,
            other=other,
            cost=despair_in_words(state, 1),
        )
        return {"what": _("go hungry"), "text": told}
    n = int(state.owed[seat, track])
    told = _("You have none. Otherwise: {cost}.", cost=despair_in_words(state, n))
    return {"what": _("lose {amount}", amount=amount_in_words(n, track)), "text": told}


def _cost_after_reveal(box: Any, state: Any, kind: int) -> str:
    """The cost that a loss would still have after a Writ of this kind is revealed at the last moment, in words (8.7)."""
    seat = int(state.to_act)
    gain, most = box.writ[kind].icons, int(box.rules.track_max)
    levels = [min(most, int(n) + int(gain[i])) for i, n in enumerate(state.seats[seat].tracks)]
    track = int(s.first_resource_lacking(state, seat))
    if track == NOBODY:
        n = int(levels[FOOD] < levels[box.reaping[state.card].compare])
    else:
        n = max(0, int(state.owed[seat, track]) - levels[track])
    return _("then {cost}", cost=despair_in_words(state, n))


# --- Choices ------------------------------------------------------------------

SPOTS = {
    "pick": "card:{}",
    "stake": "stake:{}",
    "on": "claim:{}",
    "draft": "claim:{}",
    "resolve": "due:{}",
    "target": "seat:{}",
    "blight": "track:{}",
    "look_event": "event:{}",
    "look_despair": "despair:{}",
    "look_writ": "token:{}",
    "reveal": "writ:{}",
    "buy": "row:{}",
    "exchange": "offer:{}",
    "discard": "card:{}",
}
SPOTS_BY_NUMBER = ("seat", "row", "offer", "despair", "token")


def choice(box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
    """An action as the page shows it: its label, its effect, and the spot on the table that it aims at."""
    block = ACTIONS.blocks[action.block]
    parts: dict[str, int | str] = dict(zip(block.kinds, action.args, strict=True))
    label = speaker.say(block.label, **parts)
    if action.block == "play":
        label = (*label, f" {_set_in_icons(state, *action.args) or _('set')}")
    elif action.block in ("buy", "exchange") and state.card != NOBODY:
        label = (_gain_in_words(box, state, action),)
    effect = tuple(_effect_words(box, state, speaker, action))
    spot = _spot_aimed_at(speaker, action)
    return Choice(action.id, action.name, label, effect, spot, block.rule, block.tone, action.block, action.args)


def _spot_aimed_at(speaker: Speaker, action: Action) -> str | None:
    """The spot on the table that an action aims at, as "card:Name" or "seat:0"; None if it aims at none."""
    if action.block == "play":
        season, doubles = action.args
        return f"set:{SEASON_NAMES[season]}-{doubles}"
    if action.block not in SPOTS:
        return None
    kind = ACTIONS.blocks[action.block].kinds[0]
    thing: int | str = action.args[0]
    if kind not in SPOTS_BY_NUMBER and action.args[0] < len(
        speaker.names[kind]
    ):  # there are actions for cards of other boxes
        thing = speaker.names[kind][action.args[0]]
    return SPOTS[action.block].format(thing)


def _set_in_icons(state: Any, season: int, doubles: int) -> str:
    """A set in words, by the icons on its cards: "2+2+1"; "" where the set has none."""
    singles = max(0, int(icons_needed(state, season)) - 2 * doubles)
    return "+".join(["2"] * doubles + ["1"] * singles)


def _gain_in_words(box: Any, state: Any, action: Action) -> str:
    """The gain from a row of the market or from an exchange, in words, with a capital letter."""
    k = action.args[0]
    words = icons_in_words(
        box.market[state.card].rows[k].gain if action.block == "buy" else box.reaping[state.card].offers[k]
    )
    return words[0].upper() + words[1:]


def _effect_words(box: Any, state: Any, speaker: Speaker, action: Action) -> Iterator[Fragment]:
    """The effect of an action in a few words."""
    if action.block in ("give_up", "play", "stake", "discard", "pick", "on", "draft"):
        yield from _bidding_effect_words(box, state, action)
    elif action.block == "target" and int(state.icon) in TRACK_HIT_BY and action.args[0] < state.n_seats:
        track = TRACK_HIT_BY[int(state.icon)]
        n = int(state.seats[action.args[0]].tracks[track])
        yield _("has {amount}", amount=amount_in_words(n, track)) if n else _("has none: a Despair")
    elif action.block == "blight":
        yield _("you have {n}", n=int(state.seats[state.to_act].tracks[action.args[0]]))
    elif action.block == "reveal" and action.args[0] < box.n_writ_kinds:
        yield f"+ {icons_in_words(box.writ[action.args[0]].icons)}"
        if state.phase == P.last_chance:
            yield f", {_cost_after_reveal(box, state, action.args[0])}"
    elif action.block == "keep" and state.phase == P.last_chance:
        yield despair_in_words(state, 1)
    elif action.block in ("look_despair", "look_writ"):
        yield from _token_effect_words(state, speaker, action)
    elif action.block == "buy" and state.card != NOBODY:
        yield _("for {n} gold", n=int(box.market[state.card].rows[action.args[0]].price))
    elif action.block == "exchange" and state.card != NOBODY:
        yield _("for {n} food", n=int(box.reaping[state.card].pay_food))


def _bidding_effect_words(box: Any, state: Any, action: Action) -> Iterator[Fragment]:
    """The effect of an action of bidding, stakes or draft: the marker of a pass, the total after a set, the icons of a card."""
    if action.block == "give_up":
        marker = int(state.n_seats - s.n_seats_passed(state))
        yield _("claim marker {n}", n=marker)
        gain = box.space[state.n_seats, marker].icons
        if gain.any():
            yield f", {icons_in_words(gain)}"
        if marker == state.n_seats:
            yield _(", lead player, and a Despair")
    elif action.block == "play":
        season, doubles = action.args
        if why_not_play(box, state, int(state.to_act), season, doubles) == R.fine:
            total = 2 * doubles + max(0, int(icons_needed(state, season)) - 2 * doubles)
            yield _("matches {n}", n=total) if total == state.total else _("raises to {n}", n=total)
    elif action.block in ("on", "draft"):
        slot = int(slot_of(state, action.args[0]))
        if slot != NOBODY:
            icons = box.claim[action.args[0]].icons.astype(int)
            yield icons_in_words(sum((box.card[card].symbols for card in members(state.tied[slot])), icons))
    elif action.args[0] < box.n_kinds:
        cards = members(box.kind[action.args[0]].cards)
        if cards and any(box.card[cards[0]].symbols):
            yield _("as a stake: {what}", what=icons_in_words(box.card[cards[0]].symbols))


def _token_effect_words(state: Any, speaker: Speaker, action: Action) -> Iterator[Fragment]:
    """The owner of a face-down token and the seats that have seen it, in words, to tell it from other tokens (8.8)."""
    is_despair, token = action.block == "look_despair", action.args[0]
    owner = int((s.owner_of_despair if is_despair else s.owner_of_writ)(state, token))
    if owner == NOBODY:
        return
    yield _("of ")
    yield speaker.word("seat", owner)
    field = "seen_despair" if is_despair else "seen_writs"
    for i, one in enumerate(one for one in range(int(state.n_seats)) if has(getattr(state.seats[one], field), token)):
        yield ", " if i else _("; seen by ")
        yield speaker.word("seat", one)


# --- For the lab ----------------------------------------------------------------

FIRST_TURN = 0
OWNED = {
    "hand": "cards in hand",
    **dict.fromkeys(("tied", "shy", "shown", "spent", "marker", "claim", "standing"), ""),
    **dict.fromkeys(("seen_despair", "seen_writs", "seen_cards"), ""),
}

# --- Scores -------------------------------------------------------------------


def breakdown(box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
    """The lines of a seat's score: renown, the bonus of each category, Doom, and once the game is over Despair (10.5)."""
    me = state.seats[seat]
    lines = [Line((_("Renown"),), int(me.renown), "8.5")]
    for category in range(HAND + 1):
        label = (_("Cards in hand"),) if category == HAND else speaker.say("Most {resource}", resource=category)
        lines.append(Line(label, int(bonus_in_category(state, seat, category)), "10.4"))
    if state.phase == P.over:
        lines.append(Line((_("Despair"),), -int(despair_value(box, state, seat)), "10.3"))
    if me.doom:
        lines.append(Line((_("Doom"),), -int(me.doom) * int(box.rules.doom_value), "10.5"))
    return lines

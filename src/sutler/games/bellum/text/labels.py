"""Bellum in words: the question of a decision, the choices and their effects (the parts of scores: `number_breakdowns`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sutler.core.actions import Action, Names
from sutler.core.bits import has
from sutler.core.record import NOBODY
from sutler.core.text.prompts_and_choices import Words
from sutler.core.text.sentences import Choice, Prompt, Sentence, Speaker, Sum
from sutler.games.bellum import state as s
from sutler.games.bellum.box import POWERS, SIZE_NAMES, STAGE_NAMES
from sutler.games.bellum.phases_actions_events import ACTIONS, PHASES, P
from sutler.games.bellum.rules.city import site_at_hand
from sutler.games.bellum.rules.feed import feeds_at_least, feeds_at_most, strength_after
from sutler.games.bellum.rules.march import halting_areas, is_in_hand
from sutler.games.bellum.rules.strength import attack_bonus, defence_bonus
from sutler.games.bellum.scoring import (
    does_war_win,
)
from sutler.games.bellum.text import _
from sutler.games.bellum.text.marches import read_sites
from sutler.games.bellum.view import battle_against, battle_modifiers

LEANINGS = {
    "peacemaker": "peace",
    "brawler": "battle",
    "gambler": "gambling in battle",
    "coward": "giving way",
    "miser": "feeding few",
    "quartermaster": "feeding many",
    "homebody": "staying at home",
}
"""The style of a bot that follows a persona's plan, in words that come after "leans to"."""

SUMS = {"supply": Sum("{what}: supply", of="power"), "strength": Sum("{what}: strength", of="power")}

OTHER_NAMES = {"title": [name.capitalize() for name in STAGE_NAMES]}
"""Texts to be translated that are no names of the box: the phases of a turn."""

# --- Prompts ------------------------------------------------------------------


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The question of the present decision, made from its row in PHASES; when the game is over, how the war ended."""
    if state.phase == P.over:
        if does_war_win(box, state):
            return Prompt((_("The war is the only winner."),), (), "13.6")
        number = {s.BY_SIEGES: "13.1", s.BY_RUIN: "13.2"}.get(int(state.ending), "13.3")
        return Prompt((_("The war is over."),), (), number)
    asked = WORDS.prompt(box, state, speaker, seat)
    if state.phase == P.move and _may_send_either_leader(box, state):
        return replace(asked, text=speaker.say("{power}, which leader goes, and where?", power=int(state.power)))
    if state.phase == P.move and s.where_is(state, int(state.mover)) == NOBODY:
        text = speaker.say("{power}, where does {leader} return?", **prompt_values(box, state, speaker))
        return replace(asked, text=text, help=(_("To free land next to the headquarters."),), rule="12.5")
    return asked


def _may_send_either_leader(box: Any, state: Any) -> bool:
    """May the seat still choose which of its two leaders to send (12.4)?"""
    return bool(is_in_hand(box, state, int(state.mover) ^ 1))


def prompt_values(box: Any, state: Any, speaker: Speaker) -> dict[str, int | str]:
    """The values that fill the braces of a question: the power that is asked, a leader or a site, numbers."""
    power = int(state.power)
    found: dict[str, int | str] = {"power": power}
    if state.phase == P.place:
        found["power"] = int(state.order[state.kth])
        left_over = [(int(state.tiles[i]), _(SIZE_NAMES[i], "size")) for i in range(1, 4) if state.tiles[i]]
        found["tiles"] = ", ".join(_("{n} {size}", n=n, size=size) for n, size in left_over)
    if state.phase in (P.commit, P.answer):
        fight = state.fight
        attacker, defender = int(fight.attacker), int(fight.defender)
        found["power"] = attacker if state.phase == P.commit else defender
        found["enemy"] = _(speaker.names["power"][attacker], "power")
        told = battle_modifiers(box, state, speaker.names, int(fight.side), int(fight.foes), attacker, defender)
        found["sums"] = f"{_format_modifiers(told, 'attack')}; {_format_modifiers(told, 'defence')}."
    if state.phase in (P.remove, P.retreat_first, P.retreat):
        found["power"] = int(state.fight.loser)
        if state.fight.mover != NOBODY:
            found["leader"] = int(state.fight.mover)
            found["power"] = int(state.fight.mover) >> 1
        elif state.phase == P.retreat_first:
            found["power"] = next(p for p in range(POWERS) if state.seat_of[p] == state.to_act
                                  and int(state.fight.to_retreat) >> (2 * p) & 3 == 3)  # fmt: skip
    if state.phase in (P.siege, P.force):
        found["site"] = site_at_hand(state)
    if state.phase == P.feed:
        least, most = max(int(feeds_at_least(state, power)), int(state.n_fed)), int(feeds_at_most(state, power))
        span = _("Tokens to tilt: {least} to {most}", least=least, most=most)
        found["wanted"] = _("Tokens to tilt: {n}", n=least) if least == most else span
        found["n"] = int(state.fed_from)
    if state.phase == P.move:
        found["leader"] = int(state.mover)
    return found


def _format_modifiers(modifiers: dict[str, Any], side: str) -> str:
    """The modifiers of one side of a battle in words; `side`: "attack" or "defence", `modifiers`: from `battle_modifiers`."""
    power = modifiers["attacker"] if side == "attack" else modifiers["defender"]
    named = [f"{n:+d} {text}".replace("-", "−") for text, n in modifiers[side]]
    added = ", ".join(named) if named else _("nothing added")
    return _("{power}: {added}, at most {n}", power=_(power, "power"), added=added, n=modifiers[f"{side}_most"])


def left(box: Any, state: Any, speaker: Speaker) -> Sentence:
    """A sentence that counts what was done in this phase, or is still to be done; () where nothing is counted."""
    if state.phase == P.feed:
        return speaker.say("{n} tilted", n=int(state.n_fed))
    if state.phase == P.pillage:
        return speaker.say("{n} pillaged", n=int(state.n_pillaged))
    if state.phase == P.place:
        return speaker.say("{n} {n:#tile|tiles} left", n=sum(int(x) for x in state.tiles))
    return ()


# --- Choices ------------------------------------------------------------------


def label(box: Any, state: Any, speaker: Speaker, action: Action) -> str:
    """The text of a button where it differs from the text in the action's row, else "" (12.4, 12.5).

    The text of a march names the leader if both leaders may go.
    """
    if action.block == "move":
        leader, area = action.args
        is_open = state.phase == P.move and _may_send_either_leader(box, state)
        if s.where_is(state, leader) == area:
            return _("{leader} stays in {land}") if is_open else _("Stay in {land}")
        return _("{leader}: {land}") if is_open else ""
    if action.block == "lead":
        if s.where_is(state, action.args[0]) == NOBODY:
            return _("{leader} returns instead")
        if state.phase == P.move and s.where_is(state, int(state.mover)) == NOBODY:
            return _("{leader} marches instead")
    return ""


def choice(box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
    """An action as the page shows it, made from its row in ACTIONS.

    A return cites its own paragraph, and standing still aims at no spot.
    """
    told = WORDS.choice(box, state, speaker, action)
    if action.block in ("move", "lead") and s.where_is(state, action.args[0]) == NOBODY:
        return replace(told, rule="12.5")
    if action.block == "move" and s.where_is(state, action.args[0]) == action.args[1]:
        return replace(told, at=None)
    return told


def spot(names: Names, action: Action) -> str | None:
    """The spot on the map that an action aims at: a hex by its code, a leader by name; None for no spot."""
    kinds = ACTIONS.blocks[action.block].kinds
    if not kinds or kinds[-1] not in SPOTS:
        return None
    where, listed = SPOTS[kinds[-1]]
    number = action.args[-1]
    return f"{where}:{names[listed][number]}" if number < len(names[listed]) else None


SPOTS = {
    "site": ("hex", "site code"),
    "land": ("hex", "code"),
    "hex": ("hex", "code"),
    "leader": ("leader", "leader"),
}
"""For the kind of an action's last argument: the kind of spot that it aims at, and the list of names that says which one."""


def effect(box: Any, state: Any, speaker: Speaker, action: Action) -> Iterator[Any]:
    """Yield the effect of an action in a few words, or nothing."""
    if action.block == "place" and action.args[0]:
        yield _("supply {n}", n=int(box.rules.city_supply[action.args[0]]))
    elif action.block == "attack" and (told := battle_against(box, state, speaker.names, action.args[0])):
        ours, theirs = (f"{told[key]:+d}".replace("-", "−") for key in ("attack_bonus", "defence_bonus"))
        yield _("{ours} against {theirs}", ours=ours, theirs=theirs)
    elif action.block == "commit" and state.phase in (P.commit, P.answer):
        fight = state.fight
        if state.phase == P.commit:
            bonus = int(attack_bonus(box, state, int(fight.attacker), int(fight.side), int(fight.foes)))
        else:
            bonus = int(defence_bonus(box, state, int(fight.defender), int(fight.foes)))
        if action.args[0] == 0:
            yield _("loses to any strength")
        elif bonus:
            yield _("counts {n}", n=f"{action.args[0] + bonus}".replace("-", "−"))
    elif action.block == "feed" and state.phase == P.feed:
        after = int(strength_after(box, int(state.fed_from), action.args[0]))
        yield _("strength {n} → {n2}", n=int(state.fed_from), n2=after)
    elif action.block == "move" and state.phase == P.move and action.args[1] < box.n_land:
        yield from _march_effects(box, state, speaker.names, *action.args)


def _march_effects(box: Any, state: Any, names: Any, leader: int, area: int) -> Iterator[str]:
    """Yield the effects of a march in words (12.2, 9.1, 9.5).

    These are: why the leader halts, cities at which it then stands, sieges that it gives up.
    """
    power, was = leader >> 1, s.where_is(state, leader)
    mate = s.where_is(state, leader ^ 1)
    told = []
    if was != area and has(halting_areas(box, state, power), area):
        told.append(_("halts"))
    for site in read_sites(box, state):
        if area in site.before and site.is_goal:
            told.append(_("at {site}", site=names["site"][site.number]))
        elif site.besieger == power and area not in site.before and (mate == NOBODY or mate not in site.before):
            told.append(_("gives up {site}", site=names["site"][site.number]))
    if told:
        yield ", ".join(told)


WORDS = Words(
    {
        "ACTIONS": ACTIONS,
        "PHASES": PHASES,
        "prompt_values": prompt_values,
        "left": left,
        "label": label,
        "effect": effect,
        "spot": spot,
    }
)
"""The words for the rows of `phases_actions_events.py`, with the functions above that fill them in."""

# --- For the lab ----------------------------------------------------------------

ROLES = {"power": "seat_of"}
FIRST_TURN = 0
OWNED = {"held": "", "upright": "areas held", "tilted": "areas fed from"}

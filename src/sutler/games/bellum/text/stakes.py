"""The stakes of an action in figures, for the coach: what a march wins, the odds of a battle, its cost, and what may be lost with it.

The odds count how often each commitment of the other side is met, by the mixed strategies that the bots draw theirs from
(`bot.battle_commitments`). Nothing in them depends on what has been chosen in secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sutler.core.bits import members
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.core.text.language import join_with_and
from sutler.games.bellum import state as s
from sutler.games.bellum.bot.battle_commitments import both_mixtures
from sutler.games.bellum.box import LEADERS, MAJOR, MEDIUM, MINOR
from sutler.games.bellum.phases_actions_events import P
from sutler.games.bellum.rules.strength import attack_bonus, defence_bonus, most_to_commit
from sutler.games.bellum.text import _
from sutler.games.bellum.text.marches import read_sites

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.position import Position

Chances = Sequence[float]
"""The chance (0-1) of each commitment from 0 on."""

POOR_ODDS = 0.1
"""The chance to win (0-1) below which a beginner is not advised to attack."""


class Battle(NamedTuple):
    """A battle as both sides know it before anything is committed: powers, leaders as bit sets, modifiers, the most of either side."""

    attacker: int
    defender: int
    side: int
    foes: int
    plus_attack: int
    plus_defence: int
    most_attack: int
    most_defence: int

    def is_won_by_attacker(self, attack: int, defence: int) -> bool:
        """Does the attacker win with these commitments (8.1)? Nothing against nothing counts as not won."""
        return attack > 0 and (defence == 0 or attack + self.plus_attack >= defence + self.plus_defence)


def describe_stakes(pos: Position, seat: int, action: Action) -> Iterator[str]:
    """Yield sentences with the figures of a march, and of an action that begins a battle, leaves one unfought or commits strength."""
    box, state, names = pos.game.box, pos.state, pos.game.names
    if action.block == "move" and state.phase == P.move:
        yield from _describe_march(box, state, names, *action.args)
    elif action.block == "attack":
        yield from _describe_attack(pos, action)
    elif action.block == "hold" and state.phase == P.attack:
        yield from _describe_battles_left(pos)
    elif action.block == "commit" and state.phase in (P.commit, P.answer):
        battle, attacks, defences = _read_battle(box, state)
        if state.phase == P.commit:
            yield from _describe_commitment(box, state, names, battle, action.args[0], defences, True)
        else:
            yield from _describe_commitment(box, state, names, battle, action.args[0], attacks, False)


def find_safer_action(pos: Position, action: Action) -> str:
    """The name of the action that a beginner is advised instead of a battle with poor odds; "" where there is none."""
    after = _begin_battle(pos, action) if action.block == "attack" else None
    if after is None or _attackers_chance(*_read_battle(after.game.box, after.state)) >= POOR_ODDS:
        return ""
    return next((one.name for one in pos.choices(int(pos.state.to_act)) if one.name == "end battles"), "")


def _describe_march(box: Any, state: Any, names: Any, leader: int, area: int) -> Iterator[str]:
    """Yield the land that a leader's place brings, and the first city that he can besiege from there: how soon it falls, what it gives."""
    power = leader >> 1
    own = state.powers[power]
    mine, land = {*members(own.upright), *members(own.tilted)}, set(members(s.plan_of(box, state).land))
    wins = ({area, *members(box.dry[area])} & land) - mine
    if wins:
        yield _.many(
            "{n} new area becomes yours next turn if no enemy comes near.",
            "{n} new areas become yours next turn if no enemy comes near.",
            len(wins),
        )
    for site in read_sites(box, state):
        if area in site.before and site.is_goal and power not in (site.holder, site.whose, site.besieger):
            told = _describe_siege(box, int(state.site[site.number].extent), names["site"][site.number])
            if told:
                yield told
                return


def _describe_siege(box: Any, extent: int, site: str) -> str:
    """How soon a city of this size falls and what it then gives (9.1, 10.3); "" for what is no city."""
    supply = int(box.rules.city_supply[extent])
    if extent == MINOR:
        return _("{site} is a minor city: it falls at once and gives {n} supply.", site=site, n=supply)
    if extent == MEDIUM:
        return _("{site} is a medium city: it falls after one round and gives {n} supply.", site=site, n=supply)
    if extent == MAJOR:
        return _("{site} is a major city: it falls after two rounds and gives {n} supply.", site=site, n=supply)
    return ""


def _read_battle(box: Any, state: Any) -> tuple[Battle, Chances, Chances]:
    """The battle under way, and the chances of each commitment of the attacker and of the defender."""
    fight = state.fight
    attacker, defender, side, foes = (int(fight[name]) for name in ("attacker", "defender", "side", "foes"))
    with run_rules_plainly():
        plus_attack = int(attack_bonus(box, state, attacker, side, foes))
        plus_defence = int(defence_bonus(box, state, defender, foes))
        most = [int(most_to_commit(box, state, *one)) for one in ((attacker, side), (defender, foes))]
        attacks, defences = both_mixtures(box, state)
    return Battle(attacker, defender, side, foes, plus_attack, plus_defence, *most), attacks, defences


def _begin_battle(pos: Position, action: Action) -> Position | None:
    """The position after an attack, with its battle still to be fought; None where it is fought out at once."""
    after = pos.copy()
    after.play(action)
    return after if after.state.phase in (P.commit, P.answer) else None


def _describe_attack(pos: Position, action: Action) -> Iterator[str]:
    """Yield the figures of a battle that the seat would begin: what either side can bring, the odds, the costs, what may fall."""
    after = _begin_battle(pos, action)
    if after is None:
        return
    battle, attacks, defences = _read_battle(after.game.box, after.state)
    yield _("At most you bring {n}, they {m}, with all that is added.", **_totals(battle))
    yield _describe_odds(battle, attacks, defences)
    yield from _describe_what_falls(pos.game.box, pos.state, pos.game.names, battle, True)


def _describe_battles_left(pos: Position) -> Iterator[str]:
    """Yield the odds of the battle that the seat leaves unfought; of several the one with the best odds."""
    found = []
    for one in pos.choices(int(pos.state.to_act)):
        action = pos.game.action(one.name)
        after = _begin_battle(pos, action) if action.block == "attack" else None
        if after is not None:
            battle, attacks, defences = _read_battle(after.game.box, after.state)
            found.append((_attackers_chance(battle, attacks, defences), action.args[0], battle, attacks, defences))
    if not found:
        return
    _chance, leader, battle, attacks, defences = max(found, key=lambda row: row[0])
    named = pos.game.names["leader"][leader]
    yield _("Against {leader} you would bring at most {n}, they {m}.", leader=named, **_totals(battle))
    yield _describe_odds(battle, attacks, defences)


def _certain_commitment(battle: Battle) -> int:
    """The least that the attacker must commit to win whatever the defender commits; 0 where it cannot."""
    needed = max(1, battle.most_defence + battle.plus_defence - battle.plus_attack)
    return needed if needed <= battle.most_attack else 0


def _totals(battle: Battle) -> dict[str, int]:
    """The most that the attacker (`n`) and the defender (`m`) can bring, with modifiers."""
    return {"n": battle.most_attack + battle.plus_attack, "m": battle.most_defence + battle.plus_defence}


def _attackers_chance(battle: Battle, attacks: Chances, defences: Chances) -> float:
    """The chance (0-1) that the attacker wins if both draw their commitments from these chances."""
    return sum(
        p * q * battle.is_won_by_attacker(attack, defence)
        for attack, p in enumerate(attacks)
        for defence, q in enumerate(defences)
    )


def _describe_odds(battle: Battle, attacks: Chances, defences: Chances) -> str:
    """The commitment that wins for certain; where there is none, the odds of the attacker and the average cost to both sides."""
    certain = _certain_commitment(battle)
    if certain:
        return _("If you commit {n}, you win whatever they do.", n=certain)
    return _(
        "If both choose as bots do, you win about {p} in 100 of these battles, for about {n} strength; they spend {m}.",
        p=_of_100(_attackers_chance(battle, attacks, defences)),
        n=round(_mean(attacks)),
        m=round(_mean(defences)),
    )


def _mean(chances: Chances) -> float:
    """The mean commitment."""
    return sum(n * chance for n, chance in enumerate(chances))


def _of_100(chance: float) -> int:
    """A chance (0-1) as a number of 100; 1 to 99 for what is not certain."""
    return round(100 * chance) if chance in (0, 1) else min(99, max(1, round(100 * chance)))


def _describe_commitment(
    box: Any, state: Any, names: Any, battle: Battle, force: int, others: Chances, attacks: bool
) -> Iterator[str]:
    """Yield the figures of committing `force`: what it beats, how often, what strength it leaves, what may fall.

    `others`: the chances of each commitment of the other side; `attacks`: does the seat attack?
    """
    power = battle.attacker if attacks else battle.defender
    most = battle.most_defence if attacks else battle.most_attack
    beaten = [n for n in range(most + 1) if _beats(battle, force, n, attacks)]
    chance = sum(p for n, p in enumerate(others) if n <= most and _beats(battle, force, n, attacks))
    strength = int(state.powers[power].strength)
    spoils = int(box.rules.spoils)
    if force == 0:
        after = max(0, strength - spoils)
        yield _("0 loses if they commit anything: you retreat, and of {n} strength {m} is left.", n=strength, m=after)
        yield from _describe_what_falls(box, state, names, battle, attacks, may_win=False)
        return
    is_certain = len(beaten) == most + 1
    if is_certain:
        yield _("{n} wins whatever they commit; they have at most {m}.", n=force, m=most)
    elif max(beaten, default=0) == 0:
        yield _("{n} wins only if they commit nothing: about {p} in 100 against bots.", n=force, p=_of_100(chance))
    else:
        yield _(
            "{n} wins if they commit {beaten} or less, of at most {m}: about {p} in 100 against bots.",
            n=force,
            beaten=max(beaten),
            m=most,
            p=_of_100(chance),
        )
    left = strength - force
    if is_certain:
        yield _("Of your {n} strength {won} is left then.", n=strength, won=left + spoils)
    elif left >= spoils:
        won, lost = left + spoils, left - spoils
        yield _("Of your {n} strength {won} is left if you win, {lost} if you lose.", n=strength, won=won, lost=lost)
    else:
        yield _(
            "Of your {n} strength {won} is left if you win; if you lose, nothing, and a leader is removed.",
            n=strength,
            won=left + spoils,
        )
    drawn_with = force + battle.plus_attack - battle.plus_defence
    if attacks and 0 < drawn_with <= most:
        yield _("If they commit {n} it is a draw: you win, but gain no strength by it.", n=drawn_with)
    yield from _describe_what_falls(box, state, names, battle, attacks, may_lose=not is_certain)


def _beats(battle: Battle, force: int, other: int, attacks: bool) -> bool:
    """Does the seat that commits `force` win against `other`? `attacks`: is it the attacker?"""
    if attacks:
        return battle.is_won_by_attacker(force, other)
    return force > 0 and not battle.is_won_by_attacker(other, force)


def _describe_what_falls(
    box: Any, state: Any, names: Any, battle: Battle, attacks: bool, may_win: bool = True, may_lose: bool = True
) -> Iterator[str]:
    """Yield which sieges of the two sides may end, when the leaders of the side that loses retreat (9.5)."""
    sides = (battle.attacker, battle.defender) if attacks else (battle.defender, battle.attacker)
    mine, theirs = (_sieges_at_stake(box, state, names, one, battle.side | battle.foes) for one in sides)
    if mine and may_lose:
        yield _("If you lose, your siege of {sites} can end with the retreat.", sites=join_with_and(mine))
    if theirs and may_win:
        yield _("If you win, their siege of {sites} can end with the retreat.", sites=join_with_and(theirs))


def _sieges_at_stake(box: Any, state: Any, names: Any, power: int, fighting: int) -> list[str]:
    """The names of the sites that a power besieges with fighting leaders only; `fighting`: a bit set of leaders."""
    places = {leader: s.where_is(state, leader) for leader in range(LEADERS) if leader >> 1 == power}
    found = []
    for site in read_sites(box, state):
        keepers = [leader for leader, at in places.items() if at in site.before]
        if site.besieger == power and keepers and all(fighting >> leader & 1 for leader in keepers):
            found.append(names["site"][site.number])
    return found

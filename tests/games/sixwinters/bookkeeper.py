"""A second account of a campaign, kept from the log alone: what its lines say, and what is printed; never the rules.

`CampaignBook(pos)` begins where the campaign begins; `book.note(told)` goes on with what a decision told;
`book.differences(pos)` names what the state has otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from contract.bookkeeping import Book
from sutler.core.play.position import Position
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import FACES, POOL, RES

OUT_OF_PLAY = {"discarded", "burned"}


def throw(packed: int) -> list[int]:
    """How many dice of each value a note of dice speaks of."""
    return [packed >> 4 * v & 15 for v in range(FACES)]


class CampaignBook(Book):
    """Every number that players see, as the log tells it."""

    CHANGES_NOTHING = (
        "absorbed achieved acts begun bonus_turn cancelled card_burned cleared completed died effect_used "
        "ended event given_up joined left_it location_free location_used lost obstacle_woken out_of_reach "
        "overcome pile_seen read_first rearranged relief relief_ended rolled round_begun round_spent "
        "scheme_ended scheme_works seat_done served set_difficult set_easy shared_in_play supply_out tagged "
        "tallied turn unlocked used wanted wasted ways_cheaper ways_dearer woken won year"
    )

    def __init__(self, pos: Position) -> None:
        game = pos.game
        first = game.blank(pos.n_seats, 0)
        game.definition.setup(game.box, first)
        self.box, self.first = game.box, first
        self.progress, self.threat = [int(n) for n in first.progress], [int(n) for n in first.threat]
        self.pools = np.zeros((RES, FACES), int)
        self.assets = np.zeros((len(first.location_at), RES, FACES), int)
        self.dice = np.zeros((pos.n_seats, FACES), int)
        self.location_at = [int(card) for card in first.location_at]
        self.obstacle_at = [int(at) for at in first.obstacle_at]
        self.people = [
            {
                "marks": [0, 0],
                "start": [int(n) for n in person.start],
                "skills": [int(n) for n in person.skills],
                "xp": 0,
                "reserves": int(person.reserves),
            }
            for person in first.people
        ]
        self.heroes: dict[int, dict[str, Any]] = {}  # by character
        self.staged: set[int] = set()
        self.scheme = NOBODY
        self.scheme_dice = np.zeros((RES, FACES + 1), int)
        self.effects = 0
        self.severing = 0
        self.mission = [int(one) for one in first.mission]
        self.note(pos.opening)

    # --- where ---

    def _slot(self, location: int) -> int:
        return self.location_at.index(location)

    def _at(self, c: int) -> int:
        return int(self.heroes[c]["slot"])

    def _die(self, c: int, source: int, by: int) -> None:
        """A die of a character by its source: of its seat, at its place, or of a pool."""
        if source < FACES:
            self.dice[self.heroes[c]["seat"], source] += by
        elif source < POOL:
            self.assets[self._at(c), (source - FACES) // FACES, source % FACES] += by
        else:
            self.pools[(source - POOL) // FACES, source % FACES] += by

    # --- tracks ---

    def _raised(self, r: int, n: int) -> None:
        self.progress[r] = n

    _lowered = _raised

    def _threat_rose(self, r: int, n: int) -> None:
        self.threat[r] = n

    _threat_fell = _threat_rose

    # --- pools ---

    def _pool_filled(self, r: int, packed: int) -> None:
        self.pools[r] += throw(packed)

    def _pool_lost(self, asset: int) -> None:
        self.pools[asset // FACES, asset % FACES] -= 1

    def _pool_gained(self, asset: int) -> None:
        self.pools[asset // FACES, asset % FACES] += 1

    def _pool_set(self, r: int, value: int) -> None:
        n = self.pools[r].sum()
        self.pools[r] = 0
        self.pools[r, value - 1] = n

    def _pool_placed(self, asset: int, location: int) -> None:
        self._pool_lost(asset)
        self._asset_added(asset, location)

    def _laid_on(self, asset: int, obstacle: int) -> None:
        self._pool_lost(asset)

    def _traded(self, c: int, asset: int, into: int) -> None:
        self._pool_lost(asset)
        self.pools[into, asset % FACES] += 1

    def _created(self, c: int, asset: int, location: int) -> None:
        self._pool_placed(asset, location)

    # --- assets ---

    def _asset_added(self, asset: int, location: int) -> None:
        self.assets[self._slot(location), asset // FACES, asset % FACES] += 1

    def _asset_removed(self, asset: int, location: int) -> None:
        self.assets[self._slot(location), asset // FACES, asset % FACES] -= 1

    def _taken_off(self, asset: int, obstacle: int, location: int) -> None:
        self._asset_added(asset, location)

    def _asset_rerolled(self, asset: int, location: int, value: int) -> None:
        self._asset_removed(asset, location)
        self._asset_added(asset - asset % FACES + value - 1, location)

    def _put_on_card(self, c: int, asset: int, card: int, cell: int) -> None:
        self._die(c, FACES + asset, -1)

    def _stashed(self, c: int, asset: int) -> None:
        self._die(c, FACES + asset, -1)

    def _unstashed(self, c: int, asset: int, location: int) -> None:
        self._asset_added(asset, location)

    # --- action dice ---

    def _turn_dice(self, seat: int, packed: int) -> None:
        self.dice[seat] = throw(packed)

    def _dice_gained(self, seat: int, packed: int) -> None:
        self.dice[seat] += throw(packed)

    def _dice_lost(self, seat: int, packed: int) -> None:
        self.dice[seat] -= throw(packed)

    def _die_spent(self, seat: int, value: int) -> None:
        self.dice[seat, value - 1] -= 1

    def _die_gained(self, c: int, value: int) -> None:
        self._die(c, value - 1, 1)

    def _die_set(self, c: int, value: int, other: int) -> None:
        self._die(c, value - 1, -1)
        self._die(c, other - 1, 1)

    def _taken_up(self, c: int, source: int) -> None:
        self._die(c, source, -1)

    def _die_rerolled(self, c: int, source: int, value: int) -> None:
        self._die(c, source - source % FACES + value - 1, 1)

    def _paid(self, c: int, source: int) -> None:
        self._die(c, source, -1)

    def _reacts(self, c: int, source: int) -> None:
        self._die(c, source, -1)

    def _adds(self, c: int, asset: int) -> None:
        self._die(c, FACES + asset, -1)

    # --- people ---

    def _taken(self, seat: int, c: int) -> None:
        self.heroes[c] = {"seat": seat, "slot": NOBODY, "stress": list(self.people[c]["start"])}

    def _placed(self, c: int, location: int) -> None:
        self.heroes[c]["slot"] = self._slot(location)

    _moved = _sailed = _gated = _placed

    def _knocked_out(self, c: int) -> None:
        self.heroes[c]["slot"] = NOBODY

    def _second_pass(self, year: int) -> None:
        self.heroes = {}
        self.dice[:] = 0

    def _stressed(self, c: int, n: int, track: int) -> None:
        if self.heroes[c]["stress"][track] > n:
            self.heroes[c]["stress"][track] -= n

    def _fell(self, c: int, condition: int) -> None:
        self._marked(c, condition)
        self.heroes[c]["stress"][condition // 3] = self.people[c]["start"][condition // 3]

    def _marked(self, c: int, condition: int) -> None:
        self.people[c]["marks"][condition // 3] |= 1 << condition % 3

    def _recovered(self, c: int, condition: int) -> None:
        self.people[c]["marks"][condition // 3] &= ~(1 << condition % 3)

    def _stress_set(self, c: int, track: int, value: int) -> None:
        self.heroes[c]["stress"][track] = value

    def _stress_shifted(self, c: int, track: int, other: int) -> None:
        self.heroes[c]["stress"][track] -= 1
        self.heroes[c]["stress"][other] += 1

    def _base_raised(self, c: int, track: int, n: int) -> None:
        self.people[c]["start"][track] = n

    def _skill_bought(self, c: int, skill: int, n: int) -> None:
        self.people[c]["skills"][skill] = n

    def _experience(self, c: int, n: int) -> None:
        self.people[c]["xp"] = n

    def _reserve_gained(self, c: int, action: int) -> None:
        self.people[c]["reserves"] |= 1 << action

    def _reserve_acted(self, c: int, action: int) -> None:
        if self.box.reserve[action].n == 0:  # an order is used up (14.36)
            self.people[c]["reserves"] &= ~(1 << action)

    # --- cards and places ---

    def _location_placed(self, card: int, replaced: int) -> None:
        self.location_at[self._slot(replaced)] = card

    def _obstacle_placed(self, card: int, location: int) -> None:
        self.obstacle_at[card] = self._slot(location)

    _obstacle_fetched = _obstacle_moved = _obstacle_placed

    def _obstacle_discarded(self, card: int) -> None:
        self.obstacle_at[card] = s.DISCARD + int(self.box.place[self.obstacle_at[card]].region)

    def _obstacle_burned(self, card: int) -> None:
        self.obstacle_at[card] = s.BURNED

    def _obstacle_shuffled(self, card: int, region: int) -> None:
        self.obstacle_at[card] = s.DRAW + region

    def _pile_discarded(self, card: int, region: int) -> None:
        self.obstacle_at[card] = s.DISCARD + region

    def _pile_returned(self, card: int, region: int) -> None:
        self.obstacle_at[card] = s.DRAW + region

    def _reshuffled(self, region: int) -> None:
        self.obstacle_at = [s.DRAW + region if at == s.DISCARD + region else at for at in self.obstacle_at]

    def _staged(self, card: int) -> None:
        self.staged.add(card)

    def _card_discarded(self, card: int) -> None:
        self.staged.discard(card)

    def _staged_taken(self, seat: int, card: int) -> None:
        self.staged.discard(card)

    # --- missions and the scheme ---

    def _undertaken(self, mission: int) -> None:
        self.mission[mission] = s.CURRENT

    def _passed(self, mission: int) -> None:
        self.mission[mission] = s.PASSED

    def _failed(self, mission: int) -> None:
        self.mission[mission] = s.FAILED

    def _effect_gained(self, effect: int) -> None:
        self.effects |= 1 << effect

    def _scheme_laid(self, scheme: int) -> None:
        self.scheme = scheme

    def _scheme_fed(self, r: int, n: int) -> None:
        self.scheme_dice[r, 0] += n

    def _scheme_rolled(self, r: int, value: int) -> None:
        if self.before != "scheme_rolled":
            self.scheme_dice[:] = 0
        self.scheme_dice[r, value] += 1

    def _scheme_cancelled(self, r: int, value: int) -> None:
        self.scheme_dice[r, value] -= 1

    def _scheme_gone(self, scheme: int) -> None:
        self.scheme = NOBODY
        self.scheme_dice[:] = 0

    def _severing_laid(self, n: int) -> None:
        self.severing = n

    _severed = _severing_laid

    def _cleared_away(self) -> None:
        self.pools[:] = self.assets[:] = self.dice[:] = self.scheme_dice[:] = 0
        self.scheme, self.severing, self.staged, self.heroes = NOBODY, 0, set(), {}

    # --- against the state ---

    def _both(self, pos: Position) -> Iterator[tuple[str, Any, Any]]:
        state, names = pos.state, pos.game.names
        yield "progress", self.progress, state.progress.tolist()
        yield "threat", self.threat, state.threat.tolist()
        yield "pools", self.pools.tolist(), state.pools.tolist()
        yield "assets", self.assets.tolist(), state.assets.tolist()
        for seat in range(pos.n_seats):
            yield f"dice of seat {seat}", self.dice[seat].tolist(), state.seats[seat].dice.tolist()
        yield "locations", self.location_at, state.location_at.tolist()
        for card in range(self.box.n_obstacles):
            yield names["obstacle"][card], self.obstacle_at[card], int(state.obstacle_at[card])
        for c in range(self.box.n_characters):
            person, book = state.people[c], self.people[c]
            there = {
                "marks": person.marks.tolist(),
                "start": person.start.tolist(),
                "skills": person.skills.tolist(),
                "xp": int(person.xp),
                "reserves": int(person.reserves),
            }
            yield names["character"][c], book, there
        for h in range(int(state.n_heroes)):
            c = int(state.heroes[h].character)
            if c >= 0:
                hero, book = state.heroes[h], self.heroes[c]
                yield f"{names['character'][c]} at", book["slot"], int(hero.slot)
                if not hero.out:
                    yield f"{names['character'][c]} stress", book["stress"], hero.stress.tolist()
        yield "staged", self.staged, {int(card) for card in state.staged if card >= 0}
        yield "scheme", self.scheme, int(state.scheme)
        yield "scheme dice", self.scheme_dice.tolist(), state.scheme_dice.tolist()
        yield "campaign effects", self.effects, int(state.effects)
        yield "severing die", self.severing, int(state.severing)
        yield "missions", self.mission, state.mission.tolist()

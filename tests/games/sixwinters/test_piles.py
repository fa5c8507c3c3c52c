"""1.11, 14.59: obstacles in chains and piles, kept as plain lists beside the rules through many moves drawn at random."""

import random

import pytest

from games.sixwinters.scene import Scene
from sutler.core.events import new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import FACES, N_REGIONS, RES, SLOTS
from sutler.games.sixwinters.check import n_dice_in_play
from sutler.games.sixwinters.rules import land
from sutler.games.sixwinters.rules.effects.ability import permute

MOVES = 60


class Piles:
    """Where every obstacle lies, as lists; draw piles from the bottom, discards from the top, with how much is known of a pile's top."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)
        self.scene = Scene(seed=seed).heroes("Thea at Eastkeep", "Keel at Loomwood").ready()
        self.box, self.state = self.scene.box, self.scene.state
        state = self.state
        self.places: list[list[int]] = [[] for _ in range(SLOTS)]
        self.discards: list[list[int]] = [[] for _ in range(N_REGIONS)]
        self.draw = [[int(c) for c in state.draw[r, : state.n_draw[r]]] for r in range(N_REGIONS)]
        self.dice: list[tuple[int, int]] = []
        self.known = [int(n) for n in state.n_known]
        self.seen = [int(n) for n in state.n_seen]
        for slot in range(SLOTS):
            card = int(state.head[slot])
            while card != NOBODY:
                self.places[slot].append(card)
                card = int(state.after[card])

    def out(self, card: int) -> None:
        """The card is nowhere."""
        for pile in (*self.places, *self.discards):
            if card in pile:
                pile.remove(card)
        for region, pile in enumerate(self.draw):
            if card in pile:
                depth = len(pile) - pile.index(card)
                pile.remove(card)
                self.known[region] -= depth <= self.known[region]
                self.seen[region] -= depth <= self.seen[region]
                if self.seen[region] == 0:
                    self.seen[region] = min(1, len(pile))

    def chain(self, pile: int) -> list[int]:
        found, card = [], int(self.state.head[pile])
        while card != NOBODY:
            found.append(card)
            card = int(self.state.after[card])
        return found

    def compare(self) -> None:
        """The rules have every card where the lists have it."""
        state = self.state
        assert [self.chain(slot) for slot in range(SLOTS)] == self.places
        assert [self.chain(s.DISCARD + region) for region in range(N_REGIONS)] == self.discards
        assert [[int(c) for c in state.draw[r, : state.n_draw[r]]] for r in range(N_REGIONS)] == self.draw
        assert ([int(n) for n in state.n_known], [int(n) for n in state.n_seen]) == (self.known, self.seen)
        for slot, cards in enumerate(self.places):
            assert all(int(state.obstacle_at[card]) == slot and land.is_in_play(state, card) for card in cards)
        for region in range(N_REGIONS):
            assert all(int(state.obstacle_at[card]) == s.DRAW + region for card in self.draw[region])
            assert all(int(state.obstacle_at[card]) == s.DISCARD + region for card in self.discards[region])
        on_cards = sorted((int(state.die_on[i]), int(state.die_is[i])) for i in range(state.n_on_cards))
        assert on_cards == sorted(self.dice)
        assert [int(n) for n in state.in_play] == [int(n_dice_in_play(state, r)) for r in range(RES)]

    def drop_dice(self, card: int) -> None:
        self.dice = [one for one in self.dice if one[0] != card]

    def in_play(self) -> list[int]:
        return [card for cards in self.places for card in cards]

    def place_any(self) -> None:
        card, slot = self.luck.randrange(self.box.n_obstacles), self.luck.randrange(SLOTS)
        if int(self.state.obstacle_at[card]) == s.BURNED:
            return
        land.attach(self.box, self.state, new_event_buffer(), card, slot)
        self.out(card)
        self.places[slot].append(card)

    def move_one(self) -> None:
        for card in self.luck.sample(self.in_play(), min(1, len(self.in_play()))):
            slot = self.luck.randrange(SLOTS)
            land.move_obstacle(self.box, self.state, new_event_buffer(), card, slot)
            if card not in self.places[slot]:
                self.out(card)
                self.places[slot].append(card)

    def discard_one(self) -> None:
        for card in self.luck.sample(self.in_play(), min(1, len(self.in_play()))):
            region = int(self.box.place[int(self.state.obstacle_at[card])].region)
            if not self.draw[region]:
                return
            land.discard(self.box, self.state, new_event_buffer(), card)
            self.out(card)
            self.drop_dice(card)
            self.discards[region].insert(0, card)

    def burn_one(self) -> None:
        card = self.luck.randrange(self.box.n_obstacles)
        if any(card in pile and len(pile) == 1 for pile in self.draw):
            return
        land.burn_obstacle(self.box, self.state, new_event_buffer(), card)
        self.out(card)
        self.drop_dice(card)
        assert int(self.state.obstacle_at[card]) == s.BURNED
        assert int(self.state.obstacle_burned[card]) == int(self.state.year)

    def draw_one(self) -> None:
        region = self.luck.randrange(N_REGIONS)
        if len(self.draw[region]) > 1:
            card = self.draw[region][-1]
            assert int(land.draw_obstacle(self.state, new_event_buffer(), region)) == card
            self.out(card)
            assert int(self.state.obstacle_at[card]) == s.RESERVE

    def put_back(self) -> None:
        region = self.luck.randrange(N_REGIONS)
        spare = [card for card in range(self.box.n_obstacles) if int(self.state.obstacle_at[card]) == s.RESERVE]
        if spare:
            card = self.luck.choice(spare)
            land.put_in_draw(self.state, card, region)
            self.draw[region].append(card)
            self.known[region] += 1
            self.seen[region] += 1

    def lay_die(self) -> None:
        for card in self.luck.sample(self.in_play(), min(1, len(self.in_play()))):
            if len(self.dice) < 4:
                code, n = self.luck.randrange(RES * FACES), int(self.state.n_on_cards)
                self.state.die_on[n], self.state.die_is[n], self.state.n_on_cards = card, code, n + 1
                self.state.in_play[code // FACES] += 1
                self.dice.append((card, code))


@pytest.mark.parametrize("seed", range(10))
def test_every_obstacle_is_where_it_was_put(seed: int) -> None:
    """1.11, 8.3, 8.5, 14.59: to the end of a place's row, on top of the discards, on top of a draw pile, burned; dice on it go along."""
    piles = Piles(seed)
    moves = [
        *(piles.place_any, piles.place_any, piles.move_one, piles.discard_one, piles.burn_one),
        *(piles.draw_one, piles.put_back, piles.lay_die),
    ]
    piles.compare()
    for _ in range(MOVES):
        piles.luck.choice(moves)()
        piles.compare()


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_pile_that_has_run_out_is_made_anew_from_its_discards(n: int) -> None:
    """14.59: at once, of all its discards, shuffled; of the others nothing changes. With both empty there is no card."""
    piles = Piles(3)
    state = piles.state
    for region in range(N_REGIONS):
        cards = list(piles.draw[region])
        for card in cards[:-1]:
            land.unchain(state, card)
        kept, used = cards[-1], cards[:n]
        for card in used:
            land.onto_discards(state, card, region)
        others = [int(k) for r, k in enumerate(state.n_draw) if r != region]
        assert int(land.draw_obstacle(state, new_event_buffer(), region)) == kept
        assert (int(state.n_draw[region]), int(state.n_seen[region])) == (0, 0), "of an empty pile nothing is seen"
        land.refill_draw(state, new_event_buffer(), region)
        assert sorted(int(c) for c in state.draw[region, : state.n_draw[region]]) == sorted(used)
        assert int(state.head[s.DISCARD + region]) == NOBODY
        assert [int(k) for r, k in enumerate(state.n_draw) if r != region] == others
        for _ in used:
            assert int(land.draw_obstacle(state, new_event_buffer(), region)) in used
        assert int(land.draw_obstacle(state, new_event_buffer(), region)) == NOBODY
        assert int(land.top_season(piles.box, state, region)) == NOBODY


def test_how_many_piles_show_a_season() -> None:
    """4.2: by the card on top of each, and by nothing else."""
    piles = Piles(1)
    for _ in range(20):
        tops = [int(piles.box.obstacle[pile[-1]].season) for pile in piles.draw]
        for season in range(4):
            assert int(land.n_showing(piles.box, piles.state, season)) == tops.count(season)
        for region in range(N_REGIONS):
            assert int(land.top_season(piles.box, piles.state, region)) == tops[region]
            if len(piles.draw[region]) > 1:
                land.draw_obstacle(piles.state, new_event_buffer(), region)
                piles.out(piles.draw[region][-1])


def test_four_cards_in_each_of_their_orders() -> None:
    """9.4: twenty-four orders, all different, the first is the one in which they lie."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood")
    orders = []
    for k in range(24):
        scene.state.staged[:] = 10, 11, 12, 13
        permute(scene.state, k)
        orders.append(tuple(int(card) for card in scene.state.staged))
    assert orders[0] == (10, 11, 12, 13)
    assert sorted(orders) == orders
    assert len(set(orders)) == 24
    assert all(sorted(order) == [10, 11, 12, 13] for order in orders)

"""What cards ask (guide 13), read a second time: plain comprehensions against the rules, on tables laid out at random and for
operations that no card need have. So each condition is tried with and without every other."""

import random
from typing import Any, get_args

import pytest

from games.sixwinters.scene import Scene
from sutler.core.bits import add, clear, has, members
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import ALL, FACES, N_REGIONS, N_SKILLS, OWN_RANK, RES, SCOPE, SLOTS, SPACES, TO, WHICH
from sutler.games.sixwinters.cards.vocabulary import DO, WHO, Who
from sutler.games.sixwinters.rules import actions, common, creating, land
from sutler.games.sixwinters.rules.effects import dice as on_dice
from sutler.games.sixwinters.rules.effects import land as on_land
from sutler.games.sixwinters.rules.effects import who as on_people

SEEDS = range(10)
WHO_NAMES = get_args(Who)


class Table:
    """A table laid out at random, an operation to be filled in, and what lies where as plain lists."""

    def __init__(self, seed: int) -> None:
        luck = self.luck = random.Random(seed)
        scene = self.scene = Scene(4)
        names = scene.game.names
        slots = [luck.randrange(SLOTS) for _ in range(4)]
        people = luck.sample(list(names["character"]), 4)
        scene.heroes(*(f"{who} at {names['slot'][slot]}" for who, slot in zip(people, slots, strict=True)))
        for card in luck.sample(range(scene.box.n_obstacles), 14):
            place = names["slot"][luck.randrange(SLOTS)]
            land.attach(scene.box, scene.state, new_event_buffer(), card, scene.slot(place))
        scene.ready()
        self.box, self.state = scene.box, scene.state
        for r in range(RES):
            for v in range(FACES):
                self.state.pools[r, v] = luck.choice((0, 0, 1, 2))
                self.state.assets[luck.randrange(SLOTS), r, v] = luck.choice((0, 1))
        if luck.random() < 0.5:
            self.state.heroes[luck.randrange(4)].slot = NOBODY
        for c in range(self.box.n_characters):
            self.state.people[c].skills[:] = [luck.randrange(4) for _ in range(N_SKILLS)]
        self.state.progress[:] = [luck.choice((1, 2, SPACES)) for _ in range(RES)]
        self.state.threat[:] = [luck.choice((1, 2, SPACES)) for _ in range(RES)]
        self.box = scene.d.box.copy(scene.box)
        self.op = self.box.ops[1]
        self.frame = self.state.frames[common.push(self.state, common.KIND.ops, 1, 1, 0)]
        self.frame.slot, self.frame.obstacle = luck.choice((NOBODY, *range(SLOTS))), NOBODY

    def region(self, slot: int) -> int:
        return int(self.box.place[slot].region) if 0 <= slot < SLOTS else NOBODY

    def lying(self, slot: int) -> list[int]:
        """The obstacles at a place."""
        return [card for card in range(self.box.n_obstacles) if int(self.state.obstacle_at[card]) == slot]

    def is_in_play(self, card: int) -> bool:
        return 0 <= int(self.state.obstacle_at[card]) < SLOTS

    def fits(self, card: int, tags: int, threat: int, skill: int) -> bool:
        """14.1: one of the tags, the threat tag, the skill; what is not named is not asked."""
        one = self.box.obstacle[card]
        return (
            (tags == 0 or int(one.tags) & tags != 0)
            and (threat == NOBODY or s.n_threat_tags(self.box, self.state, card, threat) > 0)
            and (skill == NOBODY or int(one.skill) == skill)
        )

    def tags(self) -> int:
        """No tags, or those of an obstacle."""
        return self.luck.choice((0, int(self.box.obstacle[self.luck.randrange(self.box.n_obstacles)].tags)))

    def options(self) -> list[int]:
        return list(members(self.state.options))


@pytest.mark.parametrize("seed", SEEDS)
def test_which_obstacles_are_meant(seed: int) -> None:
    """13.3, 14.1: tags, threat, skill, stress, region, difficulty, not itself; and only what is in play."""
    table = Table(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    for k in range(24):
        asked = {k % 8} | {
            n for n in range(8) if luck.random() < 0.15
        }  # few at a time: what passes one must not fail by another
        op.tags = int(box.obstacle[luck.randrange(box.n_obstacles)].tags) if 0 in asked else 0
        op.threat = luck.randrange(RES) if 1 in asked else NOBODY
        op.skill = luck.randrange(3) if 2 in asked else NOBODY
        op.stress_mask = luck.choice((1, 2, 3)) if 3 in asked else 0
        op.region = luck.randrange(N_REGIONS) if 4 in asked else NOBODY
        op.not_self = int(5 in asked)
        op.most = luck.choice((3, 5, 8)) if 6 in asked else ALL
        own = luck.choice((NOBODY, *(card for slot in range(SLOTS) for card in table.lying(slot))))
        wanted = []
        for card in range(box.n_obstacles):
            assert bool(land.matches(box, state, card, op.tags, op.threat, op.skill)) == table.fits(
                card, int(op.tags), int(op.threat), int(op.skill)
            )
            if (
                table.is_in_play(card)
                and table.fits(card, int(op.tags), int(op.threat), int(op.skill))
                and (op.stress_mask == 0 or int(box.obstacle[card].stress_mask) & int(op.stress_mask))
                and op.region in (NOBODY, table.region(int(state.obstacle_at[card])))
                and not (op.not_self and card == own)
                and (op.most == ALL or land.difficulty(box, state, card) <= op.most)
            ):
                wanted.append(card)
        table.frame.obstacle = own
        on_land.offer_obstacles(box, state, op, table.frame)
        assert table.options() == wanted
        op.op, op.by = DO.discard_obstacles, 1
        assert bool(on_people.brings(box, state, op, own)) == bool(wanted)


@pytest.mark.parametrize("seed", SEEDS)
def test_which_places_are_meant(seed: int) -> None:
    """13.1, 13.5, 14.55: here, one of those named, any but this one, or where most is."""
    table = Table(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    at = int(table.frame.slot)
    for to in (TO.here, TO.slot, TO.choice, TO.other):
        op.to, op.slots, op.places = to, luck.randrange(1 << SLOTS), luck.choice((0, 1, 2, 3, 4))
        clear(op.lands)
        named = luck.sample(range(SLOTS), 2) if luck.random() < 0.3 else []
        for slot in named:
            add(op.lands, int(state.location_at[slot]))
        if named:
            op.slots = luck.choice((0, int(op.slots)))
        slots = named if named and op.slots == 0 else [slot for slot in range(SLOTS) if int(op.slots) >> slot & 1]
        wanted = [
            slot
            for slot in sorted(slots)
            if (op.places == 0 or int(box.location[state.location_at[slot]].tags) & int(op.places))
            and not (to == TO.other and slot == at)
        ]
        if to == TO.here:
            wanted = [at] if at != NOBODY else []
        on_land.offer_places(box, state, op, table.frame)
        assert table.options() == wanted, to
    for to in (TO.highest, TO.lowest, TO.most_assets, TO.most_obstacles):
        op.to, op.skill, op.tags, op.slots = to, luck.randrange(N_SKILLS), table.tags(), luck.randrange(1 << SLOTS)
        weights = {}
        for slot in [slot for slot in range(SLOTS) if int(op.slots) >> slot & 1]:
            ranks = [
                int(state.people[one.character].skills[op.skill]) for one in state.heroes[:4] if int(one.slot) == slot
            ]
            weights[slot] = {
                TO.most_assets: int(state.assets[slot].sum()) or None,
                TO.most_obstacles: sum(table.fits(card, int(op.tags), NOBODY, NOBODY) for card in table.lying(slot))
                or None,
                TO.highest: max(ranks, default=None),
                TO.lowest: -min(ranks) if ranks else None,
            }[to]
        known = [n for n in weights.values() if n is not None]
        wanted = [slot for slot, n in weights.items() if known and n == max(known)]
        no_options(state)
        on_land.offer_most(box, state, op)
        assert table.options() == wanted, to


def no_options(state: Any) -> None:
    """Nothing is laid out."""
    common.no_options(state)


@pytest.mark.parametrize("seed", SEEDS)
def test_which_assets_are_meant(seed: int) -> None:
    """13.5: of the resources named, here, in the region or anywhere; the lowest of them; all of them go."""
    table = Table(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    for scope in (SCOPE.here, SCOPE.region, SCOPE.all):
        op.scope, op.resources = scope, luck.randrange(1, 1 << RES)
        at = luck.randrange(SLOTS)
        reached = [
            slot
            for slot in range(SLOTS)
            if scope == SCOPE.all
            or (scope == SCOPE.here and slot == at)
            or (scope == SCOPE.region and table.region(slot) == table.region(at))
        ]
        for slot in range(SLOTS):
            assert bool(land.is_in_scope(box, op, slot, at)) == (slot in reached)
        assert not (scope == SCOPE.region and land.is_in_scope(box, op, NOBODY, NOBODY))
        meant = [
            (slot, r, v)
            for slot in reached
            for r in range(RES)
            for v in range(FACES)
            if int(op.resources) >> r & 1 and state.assets[slot, r, v] > 0
        ]
        assert int(on_dice.lowest_asset(box, state, op, at)) == min((v + 1 for _, _, v in meant), default=0)
        for value in (0, 1, 4):
            on_dice.offer_asset_places(box, state, op, at, value)
            assert table.options() == sorted({slot for slot, _, v in meant if value in (0, v + 1)})
            on_dice.offer_assets(state, at, op.resources, value)
            assert table.options() == [
                FACES + r * FACES + v
                for r in range(RES)
                for v in range(FACES)
                if int(op.resources) >> r & 1 and state.assets[at, r, v] > 0 and value in (0, v + 1)
            ]
        before = state.assets.copy()
        buffer = new_event_buffer()
        on_dice.remove_all(box, state, buffer, op, at)
        for slot, r, v in meant:
            before[slot, r, v] = 0
        assert before.tolist() == state.assets.tolist()
        assert len(drain_events(table.scene.d.events, buffer)) >= len(meant)


@pytest.mark.parametrize("which", [WHICH.lowest, WHICH.highest, WHICH.all])
@pytest.mark.parametrize("seed", range(4))
def test_which_pool_dice_go(seed: int, which: int) -> None:
    """13.5: so many of the lowest or highest, or all; if an obstacle with the tag lies here, or nobody stands here."""
    table = Table(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    for r in range(RES):
        op.resource, op.which, op.count_of = r, which, luck.randint(1, 4)
        op.if_tags, op.if_nobody = luck.choice((0, table.tags())), luck.randrange(2)
        at = int(table.frame.slot)
        holds = op.if_tags == 0 or (
            at != NOBODY and any(table.fits(card, int(op.if_tags), NOBODY, NOBODY) for card in table.lying(at))
        )
        is_lonely = at == NOBODY or all(int(one.slot) != at for one in state.heroes[:4])
        pool = [v for v in range(FACES) for _ in range(int(state.pools[r, v]))]
        assert int(on_dice.pool_total(state, r)) == sum(v + 1 for v in pool)
        left = sorted(pool, reverse=which == WHICH.highest)
        if holds and (op.if_nobody == 0 or is_lonely):
            left = [] if which == WHICH.all else left[int(op.count_of) :]
        on_dice.op_pool_remove(box, state, new_event_buffer(), op, table.frame)
        assert sorted(left) == [v for v in range(FACES) for _ in range(int(state.pools[r, v]))]


@pytest.mark.parametrize("seed", SEEDS)
def test_which_characters_are_meant(seed: int) -> None:
    """13.1: here, in the region, everybody, at places of a kind, another one, or whoever acts; only who is on its feet."""
    table = Table(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    hero, slot = luck.randrange(4), luck.randrange(SLOTS)
    op.places, op.regions = luck.choice((0, 1, 2, 3)), luck.choice((0, 1, 2, 5))
    for name in WHO_NAMES:
        op.who = getattr(WHO, name)
        for h, one in enumerate(state.heroes[:4]):
            at = int(one.slot)
            if at == NOBODY:
                assert not on_people.is_meant(box, state, op, h, hero, slot)
                continue
            there = (op.places == 0 or int(box.location[state.location_at[at]].tags) & int(op.places) != 0) and (
                op.regions == 0 or int(op.regions) >> table.region(at) & 1 == 1
            )
            wanted = {
                "here": at == slot,
                "other": h != hero,
                **dict.fromkeys(("all", "each_player", "any_character"), True),
                **dict.fromkeys(("in_regions", "one_in_regions", "at_locations"), there),
                **dict.fromkeys(("region", "one_in_region"), table.region(at) == table.region(slot)),
            }.get(name, h == hero)
            assert bool(on_people.is_meant(box, state, op, h, hero, slot)) == wanted, name


@pytest.mark.parametrize("seed", SEEDS)
def test_what_would_bring_something(seed: int) -> None:
    """14.33, 14.73: a skill that can still rise, a track that can still move."""
    table = Table(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    for by in (1, 2):
        for most in (ALL, OWN_RANK, 2):
            op.by, op.most, op.skills = by, most, luck.randrange(1 << N_SKILLS)
            pupil, teacher = luck.sample(range(box.n_characters), 2)
            for skill in range(N_SKILLS):
                top = {ALL: int(box.rules.most_skill), OWN_RANK: int(state.people[teacher].skills[skill])}.get(
                    most, most
                )
                wanted = int(op.skills) >> skill & 1 and int(state.people[pupil].skills[skill]) + by <= top
                assert bool(on_people.may_learn(box, state, op, pupil, teacher, skill)) == bool(wanted)
    for scheme in (NOBODY, 0):
        state.scheme = scheme
        for r in range(RES):
            op.resource = r
            for by in (-1, 1):
                op.by, op.op = by, DO.progress
                at = int(state.progress[r])
                for overflow in range(2):
                    box.options.overflow = overflow
                    up = at < SPACES or overflow == 1
                    assert bool(on_people.brings(box, state, op, NOBODY)) == (at > 1 if by < 0 else up)
                op.op, at = DO.threat, int(state.threat[r])
                up = at < SPACES or scheme != NOBODY
                assert bool(on_people.brings(box, state, op, NOBODY)) == (at > 1 if by < 0 else up)


@pytest.mark.parametrize("seed", SEEDS)
def test_which_obstacles_can_come_here_or_go_elsewhere(seed: int) -> None:
    """14.51: one that lies here already cannot come here; where players choose the place any will do."""
    table = Table(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    for _ in range(8):
        op.tags, op.threat, op.skill = table.tags(), luck.choice((NOBODY, *range(RES))), NOBODY
        op.slots = luck.choice((0, 1, 0b111))
        h = next(h for h in range(4) if int(state.heroes[h].slot) != NOBODY)
        fitting = [
            card
            for card in range(box.n_obstacles)
            if table.is_in_play(card) and table.fits(card, int(op.tags), int(op.threat), NOBODY)
        ]
        wanted = [card for card in fitting if op.slots or state.obstacle_at[card] != state.heroes[h].slot]
        assert bool(actions.has_target(box, state, op, h)) == bool(wanted)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_lowest_die_of_a_pool(seed: int) -> None:
    """5.6: less the die that is spent itself; above any die when nothing is left."""
    table = Table(seed)
    state = table.state
    for r in range(RES):
        pool = [v for v in range(FACES) for _ in range(int(state.pools[r, v]))]
        assert int(creating.lowest_in_pool(state, r, NOBODY)) == min(pool, default=FACES) + 1
        for v in set(pool):
            rest = list(pool)
            rest.remove(v)
            assert int(creating.lowest_in_pool(state, r, FACES + r * FACES + v)) == min(rest, default=FACES) + 1


@pytest.mark.parametrize("seed", SEEDS)
def test_what_lies_in_the_piles_is_found(seed: int) -> None:
    """14.29, 14.37: cards with a tag in draw and discard piles; of a named card the copy in the reserve before one in a deck."""
    table = Table(seed)
    box, state, op, luck = table.box, table.state, table.op, table.luck
    for card in luck.sample([card for card in range(box.n_obstacles) if table.is_in_play(card)], 6):
        land.discard(box, state, new_event_buffer(), card)
    op.tags = table.tags()
    on_land.offer_from_decks(box, state, op)
    assert table.options() == [
        card
        for card in range(box.n_obstacles)
        if s.DRAW <= int(state.obstacle_at[card]) < s.RESERVE and table.fits(card, int(op.tags), NOBODY, NOBODY)
    ]
    clear(op.named)
    for card in luck.sample(range(box.n_obstacles), 6):
        add(op.named, card)
    named = [card for card in range(box.n_obstacles) if has(op.named, card)]
    spare = [card for card in named if int(state.obstacle_at[card]) == s.RESERVE]
    piled = [card for card in named if s.DRAW <= int(state.obstacle_at[card]) < s.RESERVE]
    assert int(land.seek(box, state, op)) == [*spare, *piled, NOBODY][0]

"""What bots see in Six Winters: how many dice a card needs, and which choices are worth a look."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from games.sixwinters.scene import Scene
from sutler.bots import bot
from sutler.bots.kit import get_kit
from sutler.contract.helpers import load_game
from sutler.core.bits import members
from sutler.games.sixwinters.bot import (
    card_and_fight_costs,
    evaluate,
    fights,
    mission_value,
    pruning,
    pruning_between_sessions,
)
from sutler.games.sixwinters.bot.weights import WEIGHTS
from sutler.games.sixwinters.box import NO_END, SLOTS
from sutler.games.sixwinters.cards.vocabulary import SKILLS, SORCERY
from sutler.games.sixwinters.phases_actions_events import A, P
from sutler.games.sixwinters.rules.actions import BY_FOOT

if TYPE_CHECKING:
    from sutler.games.sixwinters.records import Box, State

GAME = load_game("sixwinters", sessions=1)
CAMPAIGN = load_game("sixwinters")


def needed(card: str, start: int) -> int:
    """How many dice come after a die of this value on the card's start."""
    printed = GAME.box.card[GAME.names["card"].index(card)]
    return int(printed.need[printed.start, start - 1])


@pytest.mark.parametrize(
    ("card", "start", "more"),
    [
        ("Tinkering", 1, 2),
        ("On Two Fronts", 4, 3),  # worked example X16: four dice in all
        ("Cautious Progress", 2, NO_END),  # X17: it would need a 0
        ("Cautious Progress", 3, 2),
        ("At What Price?", 3, 5),  # the one card whose shortest way the cells bar
    ],
)
def test_how_many_dice_a_card_needs(card: str, start: int, more: int) -> None:
    assert needed(card, start) == more


def test_every_card_can_be_completed() -> None:
    for card in GAME.names["card"][: int(GAME.box.n_cards)]:
        assert min(needed(card, value) for value in range(1, 7)) < NO_END, card


def test_a_bot_looks_at_legal_choices_only_and_always_at_one() -> None:
    """Over a session in which somebody takes any of the choices that are left, at random."""
    luck, seen = random.Random(5), set()
    pos = GAME.new(2, seed=5)
    for _ in range(160):
        if pos.over:
            break
        legal = GAME.definition.actions.ids_record.new()
        GAME.definition.legal(GAME.box, pos.state, legal)
        left = legal.copy()
        pruning.prune(GAME.box, pos.state, left)
        offered = members(left.ids)
        assert offered
        assert set(offered) <= set(members(legal.ids))
        seen.add(int(pos.state.phase))
        pos.play(GAME.action_names[luck.choice(offered)])
    assert {P.act, P.pay, P.allocate} <= seen


def test_an_asset_that_fits_goes_onto_the_card() -> None:
    """Nothing else is looked at, and then the card needs a die less."""
    pos = GAME.new(2, seed=5)
    for _ in range(200):
        legal = GAME.definition.actions.ids_record.new()
        GAME.definition.legal(GAME.box, pos.state, legal)
        pruning.prune(GAME.box, pos.state, legal)
        offered = members(legal.ids)
        if A.put <= offered[0] < A.put + 576:
            assert len(offered) == 1
            h = int(pos.state.actor)
            due, card = card_and_fight_costs.n_dice_to_complete(GAME.box, pos.state, h), int(pos.state.heroes[h].card)
            pos.play(GAME.action_names[offered[0]])
            if due > 1:
                assert card_and_fight_costs.n_dice_to_complete(GAME.box, pos.state, h) == due - 1
            else:
                assert int(pos.state.heroes[h].card) != card
            return
        pos.play(GAME.action_names[offered[0]])
    pytest.fail("no asset was ever put on a card")


def test_a_search_is_paid_for_winning_the_campaign() -> None:
    """Two campaigns that end with the same score: the one that is won is worth more, in the unit of those that go on."""
    pos = GAME.new(2, seed=5)
    kit = get_kit(GAME)
    scratch, settings, paid = kit.create_scratch(tells=False), bot("search").packed(GAME), {}
    pos.state.phase = P.over
    for outcome in (1, 2):
        pos.state.outcome = outcome
        kit.search.write_final_payoffs(GAME.box, pos.state, scratch, settings)
        paid[outcome] = float(scratch.search.payoff[0])
    assert paid[1] > 0.95 > 0.6 > paid[2]


def test_what_can_be_done_with_a_die_is_what_nothing_speaks_against() -> None:
    """5.5 to 5.7: the quick way to the choices and the reasons agree on every id, over a session played by chance."""
    luck, pos, k = random.Random(3), GAME.new(1, seed=3), 0
    ids = [one for block in ("use_location", "create", "trade") for one in GAME.definition.actions.ids(block)]
    open_ones = 0
    while not pos.over:
        k += 1
        legal = set(pos.legal_ids())
        if k % 4 == 0:
            free = {one for one in ids if pos.why_not(one) is None}
            assert free == legal & set(ids)
            open_ones += len(free)
        pos.play(luck.choice(sorted(legal)))
    assert open_ones > 20


# --- What a player sees in a fight, on the way, and at the year's beginning --------------------------


def looked_at(scene: Scene) -> set[str]:
    """The choices that a bot looks at."""
    out = scene.d.actions.ids_record.new()
    scene.d.legal(scene.box, scene.state, out)
    pruning.prune(scene.box, scene.state, out)
    return {str(scene.game.action_names[one].name) for one in members(out.ids)}


def promised(scene: Scene, place: str, *who: int) -> float:
    """What a place promises to these characters."""
    return float(fights.fights_worth_at(scene.box, scene.state, scene.slot(place), sum(1 << h for h in who)))


def test_a_place_promises_what_can_be_overcome_there() -> None:
    """Nothing without an obstacle; with spent dice less than with fresh ones, but something: they come again next turn."""
    scene = Scene().heroes("Menas at Eastkeep", "Thea at Whitehold").obstacles("Eastkeep", "Legionary 1")
    assert promised(scene, "Boar's Peak", 0) == 0
    scene.dice([4, 4, 4, 4, 4], [])
    fresh = promised(scene, "Eastkeep", 0)
    scene.dice([], [])
    spent = promised(scene, "Eastkeep", 0)
    assert fresh > spent > 0


def test_a_bot_walks_to_an_obstacle_it_can_overcome() -> None:
    """There is nothing to create where it stands, and five dice that lose nothing in a fight."""
    scene = Scene().heroes("Menas at Guild of Strategy", "Thea at Boar's Peak").dice([4, 4, 4, 4, 4], [])
    assert "move to The Empire military" not in looked_at(scene)
    scene.obstacles("Eastkeep", "Legionary 1", "Legionary 2")
    assert "move to The Empire military" in looked_at(scene)


def test_a_die_that_the_wheel_turns_is_dearer_than_one_that_fits_and_cheaper_than_none() -> None:
    """5.7: the card wants Technology, that pool is empty, and a Support die becomes one on the wheel."""
    scene = Scene().heroes("Menas at Guild of Strategy", "Thea at Boar's Peak").dice([4, 4, 4], [])
    scene.card(0, "On Two Fronts", (2, "military 4"), (5, "military 5"))
    at, due = scene.slot("Guild of Strategy"), card_and_fight_costs.n_dice_to_complete(scene.box, scene.state, 0)
    cells = card_and_fight_costs.next_cell_bits(scene.box, scene.state.heroes[0])
    values = card_and_fight_costs.next_value_bits(scene.box, scene.state.heroes[0], due, cells)
    kept = float(card_and_fight_costs.next_die_cost(scene.box, scene.state, WEIGHTS, 0, at, cells, values))
    scene.pools(support=[2])
    turned = float(card_and_fight_costs.next_die_cost(scene.box, scene.state, WEIGHTS, 0, at, cells, values))
    assert WEIGHTS.to_create < turned < kept


def cheapest_of_all(box: Box, state: State, h: int, due: int) -> float:
    """`cheapest_next_die_cost` without its short cuts: every place is looked at."""
    at, cells = int(state.heroes[h].slot), card_and_fight_costs.next_cell_bits(box, state.heroes[h])
    values = card_and_fight_costs.next_value_bits(box, state.heroes[h], due, cells)
    ways = [
        WEIGHTS.way * card_and_fight_costs.dice_price(box, state, at, slot, BY_FOOT) if slot != at else 0.0
        for slot in range(SLOTS)
    ]
    return float(
        min(
            way + card_and_fight_costs.next_die_cost(box, state, WEIGHTS, h, slot, cells, values)
            for slot, way in enumerate(ways)
        )
    )


def test_the_cheapest_way_to_the_next_die_is_found_by_looking_where_it_can_be() -> None:
    luck, pos, seen = random.Random(4), CAMPAIGN.new(2, seed=4), set()
    for _ in range(150):
        pos = CAMPAIGN.new(2, seed=5) if pos.over else pos
        for h in range(int(pos.state.n_heroes)):
            if pos.state.heroes[h].slot >= 0 and pos.state.heroes[h].card >= 0:
                due = card_and_fight_costs.n_dice_to_complete(CAMPAIGN.box, pos.state, h)
                found = float(card_and_fight_costs.cheapest_next_die_cost(CAMPAIGN.box, pos.state, WEIGHTS, h, due))
                assert found == cheapest_of_all(CAMPAIGN.box, pos.state, h, due)
                seen.add(found)
        left = CAMPAIGN.definition.actions.ids_record.new()
        CAMPAIGN.definition.legal(CAMPAIGN.box, pos.state, left)
        pruning.prune(CAMPAIGN.box, pos.state, left)
        pos.play(luck.choice(members(left.ids)))
    assert len(seen) > 5


def test_experience_is_spent_before_a_year_begins() -> None:
    """3.8: but for what the first wounds cost to heal."""
    scene = Scene().heroes("Menas at Eastkeep", "Thea at Whitehold")
    scene.state.phase, scene.state.to_act, scene.state.k = P.advance, 0, 0
    me = scene.state.people[scene.state.heroes[0].character]
    me.xp = 25
    assert "ready" not in looked_at(scene)
    assert any(one.startswith("raise skill") for one in looked_at(scene))
    me.xp = pruning_between_sessions.KEPT_XP - 1
    assert "ready" in looked_at(scene)


FINALS = ("The Severing", "Served Cold", "Beyond Brightdune")


def preferred(**progress: int) -> list[str]:
    """The final missions in the order in which a bot would undertake them, with its tracks there."""
    worth = {}
    for name in FINALS:
        scene = Scene().progress(**progress).mission(name)
        scene.state.year, scene.state.severing = 6, int(name == "The Severing")
        left = card_and_fight_costs.n_turns_left(scene.box, scene.state)
        worth[name] = float(mission_value.missions_worth(scene.box, scene.state, WEIGHTS, left))
    return sorted(FINALS, key=lambda name: -worth[name])


def test_in_the_last_year_what_is_nearest_to_winning_is_undertaken() -> None:
    """3.2, 14.20: steps that the track still needs count, and the obstacles after it; a mission that wins counts for more."""
    assert preferred(sorcery=12, espionage=3, diplomacy=4)[0] == "The Severing"
    assert preferred(sorcery=4, espionage=12, diplomacy=4)[0] == "Served Cold"
    assert preferred(sorcery=10, espionage=9, diplomacy=9)[0] == "The Severing"
    assert preferred(sorcery=2, espionage=2, diplomacy=11)[0] == "Beyond Brightdune"


def test_every_final_mission_asks_for_something() -> None:
    """6.7, 14.19, 14.20: Beyond Brightdune names no goal and no obstacle, and still asks for a track and a card."""
    for name in FINALS:
        scene = Scene().progress(sorcery=12, espionage=12, diplomacy=12).mission(name)
        scene.state.severing = 1
        near = float(mission_value.mission_work_left(scene.box, scene.state, WEIGHTS, 0))
        scene.progress(sorcery=9, espionage=9, diplomacy=9)
        assert (
            float(mission_value.mission_work_left(scene.box, scene.state, WEIGHTS, 0)) == near + 3.0 * WEIGHTS.far > 3.0
        )


def test_who_leads_two_characters_lets_both_act() -> None:
    """5.1, 5.9: done is said for both; a character that has nothing left to do gives the word to the other first."""
    scene = Scene(seats=1).heroes("Menas at Whitehold", "Thea at Boar's Peak", seats=(0, 0)).dice([1])
    assert looked_at(scene) == {"step in second"}
    scene.state.n_passes = 1
    assert all(one.startswith("done") for one in looked_at(scene))
    two = Scene(seats=2).heroes("Menas at Whitehold", "Thea at Boar's Peak").dice([1], [1])
    assert all(one.startswith("done") for one in looked_at(two))


def test_shared_dice_count_once_with_the_better_rank() -> None:
    """12.1: what bots count of a fight of two characters of one seat is what the rules count."""
    scene = Scene(seats=1).heroes("Menas at Eastkeep", "Thea at Eastkeep", seats=(0, 0)).dice([2, 2, 5])
    for skill, name in enumerate(SKILLS):
        ranks = [int(scene.state.people[scene.state.heroes[h].character].skills[skill]) for h in range(2)]
        assert [int(card_and_fight_costs.progress_of_value(scene.box, scene.state, 3, skill, v)) for v in (1, 4)] == [
            2 * (2 + max(ranks)),
            5 + max(ranks),
        ], name


def test_in_the_last_session_of_a_shorter_game_a_symbol_is_worth_more_than_any_step() -> None:
    """12.4: nothing comes after it, so missions count and progress for later years does not; in a campaign Sorcery counts for more."""
    judged = {}
    for name, game in (("one year", GAME), ("campaign", CAMPAIGN)):
        pos = game.new(2, seed=5)
        while pos.state.tasks[0].mission < 0 or pos.state.tasks[1].mission < 0:
            pos.play(pos.actions()[0])
        state, at = pos.state, {}
        before = float(evaluate.evaluate(game.box, state, 0))
        state.progress[SORCERY] += 1
        at["step"] = float(evaluate.evaluate(game.box, state, 0)) - before
        state.progress[SORCERY] -= 1
        state.tasks[0].card[0] = 0
        at["symbol"] = float(evaluate.evaluate(game.box, state, 0)) - before
        judged[name] = at
    assert judged["one year"]["symbol"] > 10 * judged["one year"]["step"] > 0
    assert judged["campaign"]["symbol"] < judged["campaign"]["step"]

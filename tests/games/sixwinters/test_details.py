"""Details of paragraphs that nothing else tries: the one die that is left, the dice on a card that goes, the tag a card speaks of.

Each of these was written for a change of the rules that all other tests let pass (`make mutants GAME=sixwinters`).
"""

import pytest

from games.sixwinters.scene import Scene, assets, at, dice, offers, pool
from sutler.contract.helpers import play
from sutler.core.bits import members
from sutler.core.events import new_event_buffer
from sutler.core.play.game import load
from sutler.core.play.position import Position
from sutler.core.record import NOBODY
from sutler.games.sixwinters import box as b
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.cards.vocabulary import DO, PSYCHE, RESOURCES, SORCERY, SUPPORT, TECHNOLOGY
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules.common import KIND, is_in, push, region_of, run_effect
from sutler.games.sixwinters.rules.effects.land import is_meant_obstacle
from sutler.games.sixwinters.rules.ending import clear_table
from sutler.games.sixwinters.rules.heroes import arrive
from sutler.games.sixwinters.rules.land import discard
from sutler.games.sixwinters.rules.overcome import succeed
from sutler.games.sixwinters.rules.turn import offer_hardest


def done(scene: Scene, op: dict[str, object]) -> Position:
    """The position after a season's event of a designer's box has begun this operation at Parisa's Glen."""
    season = {"name": "Test", "season": "winter", "symbols": 0, "text": "Test.", "ops": [op]}
    rest = [one for one in scene.d.printed["event"] if (one["season"], one["symbols"]) != ("winter", 0)]
    scene.game = load("sixwinters", box={"replace": ["event"], "event": [season, *rest]})
    scene.box = scene.game.box
    run_effect(scene.ready().state, scene.box.event[0, 0], 0, scene.slot("Parisa's Glen"), NOBODY)
    return scene.set(phase=P.moving).go()


# --- Actions (guide 5) ------------------------------------------------------------------------------


def test_whoever_creating_knocks_out_takes_no_die() -> None:
    """5.6, 9.3, 14.49: the stress that the Throne Room asks for creating comes first; a character it knocks out creates nothing."""
    for psyche, dice_taken in ((2, ["military 2"]), (1, [])):
        scene = Scene().location("The Throne Room", "The Empire military").pools(military=[2])
        scene.heroes("Thea at The Throne Room", "Keel at Loomwood").dice([4], [4])
        thea = scene.state.heroes[0]
        thea.stress[PSYCHE], thea.box_no[PSYCHE] = psyche, 3
        pos = scene.go()
        play(pos, "create with action 4")
        assert is_in(pos.state, 0) == bool(dice_taken)
        assert assets(pos, 0) == dice_taken


def test_a_pool_die_serves_if_another_is_no_higher() -> None:
    """5.6, 14.57: Field Work's die is spent before one is taken; one of its own pool that is as high as it will do, a higher one not."""
    for others, offered in (([4], True), ([5], False)):
        scene = Scene().location("Guild of Strategy", "The Empire technology").pools(technology=[4, *others])
        pos = (
            scene.heroes("Thea at Guild of Strategy", "Keel at Loomwood")
            .obstacles("Guild of Strategy", "Field Work")
            .go()
        )
        assert ("create with pool technology 4" in offers(pos)) == offered


def test_an_obstacle_elsewhere_is_not_overcome() -> None:
    """7.1: one that is in play at another place is refused for that."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([5, 6], [5]).obstacles("Loomwood", "Tripwire")
    refusal = scene.go().why_not("overcome Tripwire")
    assert refusal is not None
    assert refusal.text == "This obstacle is not where the character is."


# --- Progress cards (guide 6) -------------------------------------------------------------------------


def test_the_fifth_stage_is_made_anew_from_its_own_discards() -> None:
    """6.6: neither the discards of other stages come back, nor what is staged, held or burned."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").set(stage_no=5).part(s.PART.staging)
    state, row = scene.state, scene.box.card
    fifth = [card for card in range(int(scene.box.n_cards)) if row[card].stage == 5]
    for card in range(int(scene.box.n_cards)):
        state.card_at[card] = s.CARD_AT.burned if row[card].stage == 5 else s.CARD_AT.discard
    scene.staged(*(scene.game.names["card"][card] for card in fifth[:4]))
    state.card_at[fifth[4]] = s.CARD_AT.discard
    before = state.card_at.tolist()
    pos = scene.go()
    play(pos, "take staged card bottom")
    assert [int(card) for card in pos.state.staged] == [fifth[4], *fifth[:3]]
    assert int(pos.state.heroes[0].card) == fifth[3]
    changed = {card for card in range(int(scene.box.n_cards)) if pos.state.card_at[card] != before[card]}
    assert changed == {fifth[3], fifth[4]}


# --- Overcoming (guide 7) ---------------------------------------------------------------------------


def test_drauga_protects_support_only() -> None:
    """7.1, 13.2: while Drauga is in play, an obstacle with a Support threat cannot be overcome; one without can."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([5, 6], [5])
    pos = scene.obstacles("Loomwood", "Drauga").obstacles("Eastkeep", "Culture Clash", "Tripwire").go()
    assert "overcome tripwire" in offers(pos)
    refusal = pos.why_not("overcome Culture Clash")
    assert refusal is not None
    assert refusal.rule == "7.1"


def test_an_asset_in_the_reaction_pool_has_left_its_place() -> None:
    """7.3: the first of all kinds and values as well as any other; action dice stay as they were."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([1, 5], [5]).obstacles("Eastkeep", "Tripwire")
    pos = scene.assets("Eastkeep", f"{RESOURCES[0]} 1", "technology 2").go()
    play(pos, "overcome Tripwire", f"react with {RESOURCES[0]} 1")
    assert assets(pos, 0) == ["technology 2"]
    assert dice(pos) == [1, 5]


def test_eight_ears_goes_once_its_dice_are_moved() -> None:
    """7.9, 13.2: overcome, its Technology dice become assets where it lay; then it is discarded."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([4], [4]).obstacles("Eastkeep", "Eight Ears")
    card, over = scene.number("obstacle", "Eight Ears"), scene.state.over
    scene.state.die_on[0], scene.state.die_is[0], scene.state.n_on_cards = card, 8, 1
    over.obstacle, over.leader, over.joined = card, 0, 0b1
    frame = push(scene.ready().state, KIND.overcome, 0, 1, 0)
    scene.state.frames[frame].slot = 0
    succeed(scene.box, scene.state, new_event_buffer(), frame)
    scene.state.phase = P.moving
    pos = scene.go()
    assert assets(pos, 0) == ["technology 3"]
    assert int(pos.state.obstacle_at[card]) == s.DISCARD


def test_of_two_stress_dice_one_is_left_when_one_is_taken() -> None:
    """7.6, 7.7: two who take part choose for each stress die; the table shows those that nobody has taken."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([4], [4]).obstacles("Eastkeep", "Tripwire")
    over = scene.state.over
    over.obstacle, over.joined, over.stage = scene.number("obstacle", "Tripwire"), 0b11, s.STAGE.tally
    over.at, over.hits, over.rolled[2] = 2, 2, 2
    scene.state.frames[push(scene.ready().state, KIND.overcome, 0, 1, 0)].slot = 0
    pos = scene.set(phase=P.moving).go()
    assert [one["value"] for one in pos.view()["overcome"]["rolled"]] == [3, 3]
    play(pos, sorted(offers(pos))[0])
    assert [one["value"] for one in pos.view()["overcome"]["rolled"]] == [3]


# --- Abilities (guide 9.4, 14.73) --------------------------------------------------------------------


def test_the_die_that_pays_is_not_rerolled() -> None:
    """9.4, 14.73: with one die, which would have to pay, nothing is left to reroll; with two of that value one is."""
    for values, offered in (([5], False), ([5, 5], True)):
        pos = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice(values, [4]).go()
        assert ("ability 1" in offers(pos)) == offered
    assert dice(pos) == [5, 5]
    before = pos.state.rng.copy()
    play(pos, "ability 1")  # both are alike, so nobody is asked
    assert len(dice(pos)) == 1
    assert pos.state.rng.tolist() != before.tolist(), "the other one was rolled"


def test_a_pool_die_is_no_asset() -> None:
    """9.4, 14.57: Field Work's dice pay what an action die pays; Thea's second achievement asks for an asset."""
    for lying, offered in (([], False), (["support 4"], True)):
        scene = Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").dice([], []).person("Thea", achievements=6)
        scene.obstacles("Parisa's Glen", "Field Work").pools(technology=[4]).assets("Parisa's Glen", *lying)
        pos = scene.go()
        assert "ability 4" in offers(pos), "an action die would pay it"
        assert ("ability 5" in offers(pos)) == offered


def test_a_slot_is_used_six_times_a_turn() -> None:
    """9.9, 14.42: a die goes on and off three times, then no more."""
    scene = Scene().heroes("Keel at Eastkeep", "Thea at Loomwood").dice([1], [1]).person("Keel", achievements=5)
    pos = scene.assets("Eastkeep", "technology 4").go()
    for _ in range(3):
        play(pos, "stash 8 4", "unstash 8")
    assert "stash 8 4" not in offers(pos)
    refusal = pos.why_not("stash 8 4")
    assert refusal is not None
    assert refusal.rule == "9.9"


def test_the_grand_alliance_brings_sorcery_to_any_resource() -> None:
    """9.11, 5.7: out of Sorcery, which is not on the wheel of trade, players choose the resource; out of another the wheel says."""
    others = {f"choose {one}" for one in RESOURCES if one != "sorcery"}
    for name, asked, there in (("sorcery", others, "military"), ("espionage", set(), "military")):
        scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([1], [1]).effects("Grand Alliance")
        pos = scene.pools(**{name: [2, 3]}).go()
        play(pos, "use Grand Alliance", f"pay pool {name} 2")
        if asked:
            assert offers(pos) == asked
            play(pos, f"choose {there}")
        assert pool(pos, name) == []
        assert len(pool(pos, there)) == 1


def test_the_only_pile_with_a_discard_is_the_first() -> None:
    """9.4: Lucia's third ability lays the top card of a discard pile on top of its draw pile, of the first region as of any other."""
    scene = Scene().heroes("Lucia at Eastkeep", "Keel at Loomwood").dice([4, 3], [4]).obstacles("Eastkeep", "Tripwire")
    card = scene.number("obstacle", "Tripwire")
    discard(scene.box, scene.ready().state, new_event_buffer(), card)
    pos = scene.go()
    assert int(pos.state.head[s.DISCARD]) == card
    play(pos, "ability 3", "pay action 4")
    assert int(pos.state.head[s.DISCARD]) == NOBODY
    assert int(pos.state.draw[0, pos.state.n_draw[0] - 1]) == card


def test_a_card_means_no_obstacle_that_is_too_hard_for_it() -> None:
    """13.3: the Sunriders discard Military obstacles of difficulty 3 or less, and no others."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").obstacles("Eastkeep", "Legionary 1", "Nalah")
    box, state = scene.d.box.copy(scene.box), scene.ready().state
    soft, hard = scene.number("obstacle", "Legionary 1"), scene.number("obstacle", "Nalah")
    box.obstacle[soft].difficulty = 3
    op = next(one for one in box.ops if one.op == DO.discard_obstacles and one.most == 3)
    assert is_meant_obstacle(box, state, op, NOBODY, soft)
    assert not is_meant_obstacle(box, state, op, NOBODY, hard)


# --- The first of all obstacles -------------------------------------------------------------------------


def test_the_first_of_all_obstacles_counts_like_any_other() -> None:
    """8.3, 14.54: the Orb of Seeing, number 0, takes effect on whoever comes to it, and may be its region's hardest."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").obstacles("Loomwood", "Orb of Seeing")
    state, slot, orb = scene.ready().state, scene.slot("Loomwood"), scene.number("obstacle", "Orb of Seeing")
    assert orb == 0
    offer_hardest(scene.box, state, region_of(scene.box, slot))
    assert members(state.options) == [orb]
    arrive(scene.box, state, new_event_buffer(), 0, slot)
    assert int(state.n_frames) == 1


# --- The end of a session (guide 11) -----------------------------------------------------------------


def test_the_shared_card_is_cleared() -> None:
    """6.7, 11.3: not completed by the end of the session, it is nobody's to place on any more, and its dice go to the supply."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood")
    state, card = scene.state, scene.number("card", "Beyond Brightdune")
    state.shared, state.card_at[card] = card, s.CARD_AT.shared
    state.shared_path[0], state.shared_die[0], state.shared_n = scene.box.card[card].start, SUPPORT * 6 + 2, 1
    assert int(scene.ready().state.in_play[SUPPORT]) == 1
    clear_table(scene.box, state)
    assert (int(state.shared), int(state.shared_n), int(state.in_play[SUPPORT])) == (NOBODY, 0, 0)


def test_dice_that_were_not_needed_are_no_longer_laid_out() -> None:
    """11.1: once an obstacle is paid off, a die that is left is refused for the same reason as one that nobody has."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").obstacles("Eastkeep", "Tripwire", "Imperial Secrets")
    pos = scene.pools(espionage=[6, 6, 6, 5, 4]).part(s.PART.clear).go()
    play(pos, "discard Tripwire")
    while "go on" not in offers(pos):
        play(pos, "pay pool espionage 6")
    assert pool(pos, "espionage") == [4, 5, 6]
    refusals = {pos.why_not(f"pay pool espionage {v}") for v in (5, 3)}
    assert len(refusals) == 1
    assert None not in refusals


def test_what_lies_in_a_slot_goes_to_the_supply() -> None:
    """11.3, 14.42: a die on a mat is kept until the session ends."""
    scene = Scene().heroes("Keel at Eastkeep", "Thea at Loomwood").person("Keel", achievements=5)
    scene.state.heroes[0].stash[7] = TECHNOLOGY * 6 + 4
    assert int(scene.ready().state.in_play[TECHNOLOGY]) == 1
    clear_table(scene.box, scene.state)
    assert (int(scene.state.heroes[0].stash[7]), int(scene.state.in_play[TECHNOLOGY])) == (0, 0)


def test_nobody_is_asked_which_of_one_result_is_read_first() -> None:
    """11.2, 12.12: with two missions players say which is read first, with one they are not asked."""
    for missions, asked in ((("The Blue Robe", "Honest Days Work"), True), (("The Blue Robe",), False)):
        scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").mission(*missions)
        pos = scene.part(s.PART.result_order).go()
        assert (pos.state.phase == P.order) == asked


# --- The words of the card files (guide 13) ----------------------------------------------------------


def test_no_more_pool_dice_become_assets_than_a_card_says() -> None:
    """13.5: two of three; of an empty pool none, and the effect is over."""
    for values, left in (([5, 2, 3], ["sorcery 3"]), ([], [])):
        scene = Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").dice([1], [2]).pools(sorcery=values)
        pos = done(scene, {"op": "pool_to_assets", "resource": "sorcery", "count": 2, "at": "here"})
        if values:
            play(pos, "value 5", "value 2")
        assert [f"sorcery {v}" for v in pool(pos, "sorcery")] == left
        assert pos.state.phase == P.act


@pytest.mark.parametrize(("look", "discard"), [(3, 2), (1, 2)])
def test_discarded_is_what_was_looked_at(look: int, discard: int) -> None:
    """13.3: a card that has one look at three and discard two leaves the third on top; no card is discarded that nobody saw."""
    scene = Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").dice([1], [2]).ready()
    top = [int(card) for card in scene.state.draw[0, :12]][::-1]
    names = [f"target {scene.game.names['obstacle'][card].casefold()}" for card in top]
    pos = done(scene, {"op": "peek_and_discard", "deck": "empire", "look": look, "discard": discard})
    if look > 1:
        assert offers(pos) == set(names[:look])
        play(pos, names[1])
        assert offers(pos) == {names[0], names[2]}
        play(pos, names[0])
    assert pos.state.phase == P.act
    assert [int(card) for card in pos.state.draw[0, : pos.state.n_draw[0]]][::-1] == top[min(look, discard) :]


def test_a_card_below_one_that_was_looked_at_is_unknown() -> None:
    """1.11, 13.3: Imperial Secrets shows two cards of a pile; when one is discarded, the one below the other shows not even its back."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([1], [2])
    row = scene.box.obstacle[scene.number("obstacle", "Imperial Secrets")]
    run_effect(scene.ready().state, row.effect[b.MOMENT.overcome], 0, 0, NOBODY)
    pos = scene.set(phase=P.moving).go()
    kept, gone = (int(pos.state.draw[0, pos.state.n_draw[0] - 1 - i]) for i in range(2))
    play(pos, f"target {pos.game.names['obstacle'][gone]}")
    n = int(pos.state.n_draw[0])
    worlds = [pos.for_seat(0, seed).redeal() for seed in range(4)]
    assert {int(world.draw[0, n - 1]) for world in worlds} == {kept}
    assert len({int(scene.box.obstacle[world.draw[0, n - 2]].season) for world in worlds}) > 1


def test_what_is_burned_threatens_nobody() -> None:
    """1.11, 8.6: The Necromancer and every Restless Dead leave the places where they lie, and their tags count no more."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").mission("Death Captured", "The Blue Robe")
    scene.obstacles("Loomwood", "The Necromancer", "Restless Dead 1", "Drauga")
    run_effect(scene.ready().state, scene.box.mission[scene.state.tasks[0].mission].passed, NOBODY, NOBODY, NOBODY)
    with_them = scene.state.tags.tolist()
    pos = scene.set(phase=P.moving).go()
    assert at(pos, scene.slot("Loomwood")) == ["Drauga"]
    alone = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").obstacles("Loomwood", "Drauga").ready()
    assert pos.state.tags.tolist() == alone.state.tags.tolist()
    assert pos.state.tags[SORCERY] < with_them[SORCERY]


# --- What goes on (guide 14) ---------------------------------------------------------------------------


def test_a_burned_card_stays_burned() -> None:
    """11.3, 11.4: what was staged, held, discarded or shared is in the deck again when the session is over; what is burned is not."""
    scene = Scene()
    state = scene.state
    used = (s.CARD_AT.stage, s.CARD_AT.hero, s.CARD_AT.mission, s.CARD_AT.discard, s.CARD_AT.shared)
    cards = [card for card in range(int(scene.box.n_cards)) if scene.box.card[card].stage > 0][: len(used) + 1]
    for card, place in zip(cards, (*used, s.CARD_AT.burned), strict=True):
        state.card_at[card] = place
    clear_table(scene.box, state)
    assert [int(state.card_at[card]) for card in cards] == [*[s.CARD_AT.deck] * len(used), s.CARD_AT.burned]


def test_one_thing_too_many_takes_the_place_of_the_last() -> None:
    """With no room left for what begins, it is kept where the last was, and nothing is written beyond."""
    state = Scene().state
    state.n_frames = s.FRAMES
    assert push(state, KIND.overcome, 0, 1, 0) == s.FRAMES - 1
    assert int(state.n_frames) == s.FRAMES

"""What the table says: questions that name the thing asked about, and a log whose words are the board's."""

from __future__ import annotations

import random

import pytest

from games.sixwinters.scene import Scene
from sutler.cli.terminal_text import render_results
from sutler.core.play.game import load
from sutler.core.play.position import Position
from sutler.core.text.sentences import Word, to_plain_text
from sutler.games.sixwinters.box import ABILITIES, FACES, POOL
from sutler.games.sixwinters.cards.vocabulary import RESOURCES
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules.common import KIND
from sutler.games.sixwinters.state import PASSED
from sutler.games.sixwinters.text.card_of_operation import find_card_of_operation, option_in_words
from sutler.games.sixwinters.text.prompts import _PromptWords


def test_3_9_the_log_tells_the_dice_rolled_into_each_pool():
    """3.9, 8.1: so many dice of that pool, and of no other: what the log says is what lies there."""
    pos, luck = load("sixwinters").new(2, 7), random.Random(7)
    before = [0] * len(RESOURCES)
    filled = 0
    while not filled:
        told = pos.play(luck.choice(pos.actions()))
        rolled = [one for one in told if one.kind == "pool_filled"]
        for one in rolled:
            before[one.get_part("resource")] += sum(one.get_part("dice") >> 4 * v & 15 for v in range(6))
        filled += len(rolled)
    assert before == [int(pool.sum()) for pool in pos.state.pools]
    assert len(rolled) == len(RESOURCES)


def test_5_10_the_question_names_the_way_that_is_paid_for():
    pos = Scene().heroes("Keel at Eastkeep", "Fuscus at Boar's Peak").dice([2, 3], [4]).go()
    pos.play("move to The Empire espionage")
    asked = pos.prompt(0)
    assert "pay for the way to Whitehold." in to_plain_text(asked.text)
    assert to_plain_text(asked.help) == "1 die still to pay."


def test_9_4_the_question_names_the_ability_that_is_paid_for():
    pos = Scene().heroes("Thea at Eastkeep", "Fuscus at Boar's Peak").dice([4, 4, 3], [4]).pools(sorcery=[4, 2]).go()
    pos.play(next(one for one in pos.actions() if one.block == "ability" and one.args[0] == 0))
    asked = pos.prompt(0)
    assert to_plain_text(asked.text).endswith("what does Thea pay with?")
    assert to_plain_text(asked.help) == pos.game.names["ability_text"][pos.game.names["character"].index("Thea") * 3]


@pytest.mark.parametrize(
    ("outcome", "ends"), [(1, "Brightdune is saved."), (2, "Brightdune is lost."), (3, "The last session is over.")]
)
def test_11_8_the_end_says_how_it_ended_what_it_scored_and_what_that_is_called(outcome, ends):
    """11.8: Expert from 21 to 30 points; in the terminal one row for all, without a place."""
    scene = Scene(seats=2)
    scene.state.phase, scene.state.outcome = P.over, outcome
    scene.state.mission[:10], scene.state.mission_difficult[:10] = PASSED, 1
    pos = Position(scene.game, scene.state, 0)
    points = int(pos.scores()[0])
    assert 30 <= points <= 40
    title = "Expert" if points == 30 else "Master"
    assert to_plain_text(pos.prompt(0).text) == f"{ends} {points} points: {title}."
    assert "place" not in [one.header for one in render_results(pos).columns]
    assert render_results(pos).row_count == 1


def test_11_8_one_point_is_one_point_and_an_ended_campaign_is_neither_won_nor_lost():
    """11.8: after the last session to play nobody has lost; the Technology level alone is one point."""
    scene = Scene(seats=2)
    for outcome, won in ((1, True), (2, False), (3, None)):
        scene.state.phase, scene.state.outcome = P.over, outcome
        assert Position(scene.game, scene.state, 0).view(0)["score"]["won"] is won
    assert to_plain_text(Position(scene.game, scene.state, 0).prompt(0).text).endswith(" 1 point: Beginner.")


def test_a_name_that_asks_ends_the_sentence():
    """11.1: "pay for Tradition, or Reform?" without a full stop behind the question mark."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep")
    words = _PromptWords(scene.game.box, scene.state, Position(scene.game, scene.state, 0).speaker)
    for name, told in (("Tradition, or Reform?", "Pay for Tradition, or Reform?"), ("Legionary", "Pay for Legionary.")):
        words.word_for_what = lambda name=name: Word("em", name)
        assert to_plain_text(words.fill_in_names("Pay for {what}.")) == told


def test_8_8_whoever_may_cancel_a_die_of_the_scheme_is_told_what_it_would_do():
    """8.8, 8.9: Casualties of a Long War works from level 1 on, Death and Destruction (5) not yet at level 2."""
    found = {}
    for value in (1, 5):
        scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").scheme("Siege and Volley").threat(military=5)
        scene.state.phase, scene.state.sub = P.scheme, RESOURCES.index("military") * 6 + value - 1
        pos = Position(scene.game, scene.state, 0)
        let_be = pos.choice(scene.d.actions.first["let_be"])
        found[value] = to_plain_text(let_be.effect), to_plain_text(pos.prompt(0).help)
    assert found[1][0] == "Casualties of a Long War works"
    assert found[1][1].startswith("Casualties of a Long War: ")
    assert found[5][0] == "it does nothing"
    assert found[5][1].startswith("Death and Destruction: not at this level of threat.")


def test_7_6_whoever_takes_a_stress_die_is_told_what_follows():
    """7.6, 9.1: of those who fight together each may take the 3: one stands it, one marks a condition, one is knocked out."""
    scene = Scene(seats=3).heroes("Thea at Eastkeep", "Keel at Eastkeep", "Menas at Eastkeep").dice([1], [1], [1])
    scene.obstacles("Eastkeep", "Legionary 1")
    state, body = scene.state, 1
    for hero, value, marks in ((0, 5, 0), (1, 2, 1), (2, 3, 7)):
        state.heroes[hero].stress[body], state.people[state.heroes[hero].character].marks[body] = value, marks
    state.over.obstacle, state.over.joined, state.over.at = scene.number("obstacle", "Legionary 1"), 7, 2
    state.frames[0].kind, state.n_frames, state.phase = KIND.overcome, 1, P.choose_hero
    pos, first = Position(scene.game, state, 0), scene.d.actions.first["hero"]
    assert [to_plain_text(pos.choice(first + h).effect) for h in range(3)] == ["2 body left", "Bruised", "knocked out"]


def test_9_11_a_cards_options_are_told_in_the_cards_own_words():
    """9.11, 14.73: what Sunriders brings stands on its buttons as on the card; before it is used, what it is."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep").dice([1], [1]).effects("Sunriders")
    pos = scene.assets("Eastkeep", "diplomacy 3").progress(military=2).threat(military=5).go()
    use = next(one for one in pos.actions() if one.block == "effect")
    assert to_plain_text(pos.choice(use.id).effect).startswith("Spend a Diplomacy asset of value 3 and choose one: ")
    pos.play(use)
    while pos.actions()[0].block != "option":
        pos.play(pos.actions()[0])
    assert to_plain_text(pos.prompt(0).text) == "Sunriders: choose one."
    assert [to_plain_text(pos.choice(one.id).label) for one in pos.actions()] == [
        "Military progress up 3",
        "Military threat down 3",
    ]


def test_1_12_a_card_that_does_not_part_its_options_is_told_by_what_they_do():
    game = load("sixwinters")
    k = game.names["effect"].index("Sunriders")
    texts = list(game.names["effect_text"])
    texts[k] = "Something else."
    op = int(game.box.effect[k].first) + 1
    told = [option_in_words(game.box, {**game.names, "effect_text": texts}, op, n) for n in range(3)]
    assert told[:2] == ["Progress Military +3", "Threat Military -3"]


def test_13_9_whatever_asks_is_told_by_its_card():
    """1.12, 13: every operation of the box stands on a card that has a name and says something."""
    game = load("sixwinters")
    for op in range(1, int(game.box.n_ops)):
        found = find_card_of_operation(game.box, game.names, op)
        assert found.name, op
        assert found.text, found.name
    lucia = game.names["character"].index("Lucia")
    top_back = int(game.box.character[lucia].ability[2].effect.first)
    assert find_card_of_operation(game.box, game.names, top_back).text.startswith(
        "May put the top card of any obstacle discard pile"
    )


def test_9_4_no_ability_is_cut_short_on_its_button():
    game = load("sixwinters")
    for full, short in zip(game.names["ability_text"], game.names["ability_text_called"], strict=True):
        assert bool(full) == bool(short)
        assert "…" not in short, full


def test_9_4_the_log_says_what_an_ability_does():
    pos = Scene().heroes("Thea at Eastkeep", "Fuscus at Boar's Peak").dice([4, 4, 3], [4]).go()
    pos.play(next(one for one in pos.actions() if one.block == "ability" and one.args[0] == 0))
    assert "Thea uses ability 1: Reroll any dice of one pool" in [to_plain_text(line.sentence) for line in pos.log()]


def test_9_6_the_log_says_what_an_achievement_brings():
    game = load("sixwinters")
    thea = game.names["character"].index("Thea")
    assert game.names["achievement_text"][thea * ABILITIES + 5] == "Move this character to any Brightdune location."


def test_1_12_one_of_several_is_declined_as_none_of_these():
    """1.12: a question is answered with no; of several things none is taken."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Eastkeep")
    state, first = scene.state, scene.d.actions.first["no"]
    told = {}
    for phase in (P.confirm, P.choose_obstacle):
        state.phase = phase
        told[phase] = to_plain_text(Position(scene.game, state, 0).choice(first).label)
    assert told == {P.confirm: "No", P.choose_obstacle: "Do none of these"}


def test_11_1_a_die_of_a_pool_and_an_asset_are_told_apart_at_the_years_end():
    """The same number of one resource may lie in its pool and at a place; either may clear an obstacle."""
    scene = Scene().heroes("Thea at Eastkeep")
    first = scene.d.actions.first["pay"]
    scene.state.phase = P.settle
    position = Position(scene.game, scene.state, 0)
    asset, pool = (position.choice(first + source) for source in (FACES + 2, POOL + 2))
    assert to_plain_text(asset.label) == to_plain_text(pool.label)
    assert (to_plain_text(asset.effect), to_plain_text(pool.effect)) == ("an asset", "from the pool")


def test_9_4_an_ability_that_is_on_a_mat_twice_says_so():
    """Menas may gain an opposite face twice, by two abilities that say the same."""
    scene = Scene().heroes("Menas at Eastkeep")
    first = scene.d.actions.first["ability"]
    once, more = (Position(scene.game, scene.state, 0).choice(first + k) for k in (2, 6))
    assert to_plain_text(once.label) == to_plain_text(more.label)
    assert (to_plain_text(once.effect), to_plain_text(more.effect)) == ("", "the same once more")

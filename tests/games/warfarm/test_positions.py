"""Scenario files: the worked examples that come with the game, and files that contradict themselves."""

import re

import pytest

import sutler
from games.warfarm.farms import A, B, C, owns, pick, table, traps
from sutler.contract.helpers import offered, play, walk
from sutler.core.files.box import BoxError
from sutler.core.files.scenario import Scenario, read_game_scenarios
from sutler.core.play.game import build_scenario_position

GAME = sutler.load("warfarm")
NAMES = sorted(read_game_scenarios(GAME.folder))


def example(name):
    """A bundled position."""
    return GAME.new(position=name, seed=1)


@pytest.mark.parametrize("name", NAMES)
def test_every_example_can_be_played(name):
    """Each has a title, words and a choice, and the game goes on from it."""
    file = read_game_scenarios(GAME.folder)[name]
    assert file.title
    assert re.search(r"\(\d+\.\d+", file.text)
    assert len(NAMES) >= 6
    pos = example(name)
    assert len(offered(pos)) >= 2
    for here in walk(pos, seed=2, most=40):
        assert int(GAME.definition.check(GAME.box, here.state)) == 0


def test_guards():
    """7.2, 7.3, 7.8: a Soldier falls with the guard of the Wheel; two shots take the guard of the land, then a Farmland."""
    pos = example("guards")
    play(pos, "attack with a Soldier", pick(pos, B, "Soldier guarding card 1"))
    assert owns(pos, A, n_soldiers=1)
    assert table(pos, B) == ["Water Wheel"]
    play(pos, "attack with a Cannon", pick(pos, B, "Soldier guarding Farmland"))
    play(pos, "attack with a Cannon", "hit Farmland of seat 1")
    assert owns(pos, B, land=5, n_soldiers=0)
    assert owns(pos, A, cannons=1)


def test_two_karmas():
    """12.10: four from each; both strike: 9 - 3 - 3 Farmland, and six things more."""
    pos = example("two-karmas")
    for seat in (B, C):
        for _ in range(4):
            play(pos, "attack with a Soldier", f"hit Farmland of seat {seat}")
    play(pos, *["destroy Water"] * 3)
    assert pos.seat == C
    assert owns(pos, A, land=3, water=1)


def test_harvest():
    """3.5, 3.7: 1 from the field, 2 from those at work, 8 for the land that Irrigation has made."""
    assert owns(example("harvest"), A, land=8, water=11)


def test_market_day():
    """11.8, 14.1: two Farmland and a Farmer, and the game is won."""
    pos = example("market-day")
    for thing in ("Farmland", "Farmland", "Farmer"):
        play(pos, "use Free Market Reform", f"take {thing}")
    assert pos.over
    assert pos.places() == [1, 2, 2]


def test_life_or_death():
    """12.11: B keeps one Farmland behind its guard, C is out."""
    pos = example("life-or-death")
    play(pos, "play Life or Death")
    play(pos, pick(pos, B, "Soldier guarding Farmland"))
    for _ in range(5):
        play(pos, "hit Farmland of seat 1")
    for _ in range(6):
        if "hit Farmland of seat 2" in offered(pos):
            play(pos, "hit Farmland of seat 2")
    assert owns(pos, B, land=1)
    assert owns(pos, C, is_alive=0)
    assert owns(pos, A, land=6, n_farmers=0, n_soldiers=0)


def test_third_miracle():
    """14.4: the Miracles shown have been played; with the third the game is won."""
    pos = example("third-miracle")
    assert pos.view(A)["seats"][A]["n_miracles"] == 2
    play(pos, "play The Call from the Elder Gods")
    assert pos.over
    assert pos.places()[A] == 1


def test_the_guest():
    """3.2: from the field or from the Harvester, or the land."""
    pos = example("the-guest")
    assert offered(pos) == {"raid Farmland", pick(pos, B, "Farmer in the field"), pick(pos, B, "worker on card 1")}
    play(pos, pick(pos, B, "worker on card 1"))
    assert owns(pos, A, n_farmers=2, disciples=1)
    assert owns(pos, B, n_farmers=2)


def test_two_alike():
    """10.2: B's springs, C's stays."""
    pos = example("two-alike")
    play(pos, "build Soldier", "build Soldier", "end building")
    assert (traps(pos, B), traps(pos, C)) == ([], ["Forced Reinforcement"])
    assert owns(pos, A, n_soldiers=1)
    assert owns(pos, B, n_soldiers=1)


def test_feeding_farm():
    """11.6, 11.9: a draw for two Water may bring a Package, and that three Resource cards more."""
    pos = example("feeding-farm")
    play(pos, "play Extra Package")
    assert owns(pos, A, n_hand=3)
    play(pos, "use Explorer's Association", "draw from Farm II")
    assert owns(pos, A, n_hand=4, water=18)


# --- What a file says is what the position is -----------------------------------------------------


def given_seats(first, phase="play", **state):
    """A position from a file that describes the first seat."""
    return build_scenario_position(
        GAME, Scenario(game="warfarm", seats=3, state={"phase": phase, "seats": [first], **state})
    )


def test_life_or_death_shown_binds():
    """12.11: its owner draws no more."""
    pos = given_seats({"shown": {"Life or Death": 1}, "spots": {"Explorer at home": 1}}, "explore")
    assert pos.view(A)["seats"][A]["bound"]


def test_posting_goes_on_where_the_file_begins():
    """6.1: a file that begins with posting does not go back to calling in."""
    pos = given_seats(
        {"spots": {"Farmer in the field": 0, "Soldier in reserve": 2, "Soldier guarding Farmland": 1}}, "post"
    )
    assert offered(pos) == {"guard Farmland", "end posting"}
    play(pos, "guard Farmland")
    assert offered(pos) == {"guard Farmland", "end posting"}


def test_a_card_at_work_goes_on_working():
    """11.8: the market is asked, pays, and the play step goes on."""
    pos = given_seats(
        {"table": ["Free Market Reform"], "hand": {"Steel": 1}}, "choose thing", card="Free Market Reform"
    )
    play(pos, "take Steel")
    assert owns(pos, A, steel=1, water=2)
    assert "play Steel" in offered(pos)


def test_what_is_left_of_a_deck_is_discarded():
    """1.6: three Mines in the deck: the fourth has been used."""
    pos = given_seats({}, deck={"Mine": 3})
    assert int(pos.state.discards[pos.game.names["card"].index("Mine")]) == 1


WRONG = [
    ({"is_bound": 1}, {}, "is_bound: 1 is written"),
    ({"shown": {"Life or Death": 1}, "hand": {"Steel": 1}}, {}, "Life or Death leaves no other card"),
    ({"shown": {"The Great Fire": 1}, "miracles": 0}, {}, "miracles: the Miracles shown"),
    ({"shown": {"Mine": 1}}, {}, "shown: card number"),
    ({"table": ["Guard"]}, {}, "is a trap card"),
    ({"goods": {"Soldiers": 3}}, {}, "goods[Soldiers]: 3, but 0"),
    ({"goods": {"Farmland": 0, "Water": 2}}, {}, "is out and owns nothing"),
    ({"n_hand": 4}, {}, "n_hand: 4 is written"),
    ({"spots": {"Disciple visiting seat 0": 1}}, {}, "nobody visits seat 0"),
    ({"spots": {"Farmer guarding Farmland": 1}}, {}, "only with Conscription Reform"),
    ({"table": ["Mine"], "posts": [[0], [0], [1]]}, {}, "does not take so many workers"),
    ({"posts": [[1], [0], [0]]}, {}, "no Table card at place 1"),
    ({"trap_guards": [1]}, {}, "no Trap at place 1"),
    ({"farming": 5}, {}, "farming: more than stand there"),
    ({"peace": 1}, {}, "peace: a Peace Contract binds opponents"),
    ({"hand": {"Mine": 5}}, {}, "the box has 4"),
    ({}, {"deck": {"Mine": 3}, "discards": {"Mine": 3}}, "the box has 4"),
    ({}, {"phase": "moving"}, "no file begins with 'moving'"),
    ({}, {"phase": "trap"}, "no file begins with 'trap'"),
    ({}, {"phase": "post", "step": "attack"}, "step: 5 is written"),
    ({}, {"phase": "raid"}, "nobody raids"),
    ({}, {"phase": "torch"}, "may be refused"),
    ({}, {"phase": "choose thing"}, "needs the card at work"),
    ({}, {"phase": "choose thing", "card": "Free Market Reform"}, "does not lie on the table"),
    ({}, {"phase": "target"}, "nothing of the kind to attack with"),
    ({}, {"phase": "explore"}, "nobody explores"),
    ({}, {"phase": "trim units"}, "no more units than Farmland"),
    ({}, {"phase": "strike back", "card": "Defenseless Karma", "active": 1}, "say whom"),
    ({}, {"phase": "lose", "card": "The Great Fire"}, "say whose turn it is"),
    ({}, {"phase": "play", "active": 1}, "active: 1 is written"),
]


@pytest.mark.parametrize(("seat", "state", "words"), WRONG, ids=[words for *_, words in WRONG])
def test_what_contradicts_itself_is_refused(seat, state, words):
    """The field is named, and what the rest of the file makes of it."""
    with pytest.raises(BoxError, match=re.escape(words)):
        given_seats(seat, **{"phase": "play", **state})

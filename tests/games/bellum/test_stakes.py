"""The stakes of a battle and of a march in figures, as the coach tells them."""

from games.bellum.table import game
from sutler.contract.helpers import play
from sutler.games.bellum.text.stakes import describe_stakes, find_safer_action

LEADERS = {"Gustav Adolf": "1005", "Tilly": "1006"}


def stakes(pos, action):
    return list(describe_stakes(pos, pos.seat, pos.game.action(action)))


def test_what_is_enough_for_certain_is_said_before_attacking():
    """8.1, 8.6: a draw is the attacker's, and the river between them costs 1."""
    pos = game(leaders=LEADERS, levels={"Sweden": (6, 6), "Austria": (6, 4)})
    brings, enough = stakes(pos, "attack Tilly")
    assert brings == "At most you bring 5, they 4, with all that is added."
    assert enough == "If you commit 5, you win whatever they do."
    assert stakes(pos, "end battles") == ["Against Tilly you would bring at most 5, they 4.", enough]


def test_the_odds_are_told_where_nothing_is_certain():
    """8.1: and a beginner is not advised to a battle that is hardly ever won."""
    pos = game(leaders=LEADERS, levels={"Sweden": (6, 4), "Austria": (6, 6)})
    assert find_safer_action(pos, pos.game.action("attack Tilly")) == "end battles"
    strong = game(leaders=LEADERS, levels={"Sweden": (6, 6), "Austria": (6, 4)})
    assert find_safer_action(strong, strong.game.action("attack Tilly")) == ""
    assert find_safer_action(strong, strong.game.action("end battles")) == ""
    told = stakes(pos, "attack Tilly")[1]
    assert told.startswith("If both choose as bots do, you win about ")


def test_a_commitment_tells_what_it_beats_and_what_is_left():
    """8.1, 8.2: both pay; the winner gains 1, the loser loses 1. Across a river the attack counts 1 less."""
    pos = game(leaders=LEADERS, levels={"Sweden": (6, 6), "Austria": (6, 5)})
    play(pos, "attack Tilly")
    beats, left, drawn = stakes(pos, "commit 3")
    assert beats.startswith("3 wins if they commit 2 or less, of at most 5: about ")
    assert left == "Of your 6 strength 4 is left if you win, 2 if you lose."
    assert drawn == "If they commit 2 it is a draw: you win, but gain no strength by it."
    assert stakes(pos, "commit 6") == [
        "6 wins whatever they commit; they have at most 5.",
        "Of your 6 strength 1 is left then.",
        "If they commit 5 it is a draw: you win, but gain no strength by it.",
    ]
    play(pos, "commit 5")
    assert stakes(pos, "commit 0") == ["0 loses if they commit anything: you retreat, and of 5 strength 4 is left."]
    beats, left = stakes(pos, "commit 3")
    assert beats.startswith("3 wins if they commit 3 or less, of at most 6: about ")


def test_nobody_learns_the_attackers_choice_from_the_stakes():
    """8.1: the defender hears the same whatever was committed in secret."""
    heard = []
    for force in (1, 7):
        pos = game(leaders=LEADERS)
        play(pos, "attack Tilly", f"commit {force}")
        heard.append([stakes(pos, action) for action in ("commit 0", "commit 3", "commit 5")])
    assert heard[0] == heard[1]


def test_a_commitment_that_loses_all_strength_says_that_a_leader_goes():
    """8.7: who has no strength left to lose removes a leader."""
    pos = game(leaders=LEADERS, levels={"Sweden": (6, 3), "Austria": (6, 6)})
    play(pos, "attack Tilly")
    assert stakes(pos, "commit 3")[1] == (
        "Of your 3 strength 1 is left if you win; if you lose, nothing, and a leader is removed."
    )


def test_a_march_tells_what_it_wins():
    """9.1, 10.2: the land around the leader, and how soon the city falls before which he then stands."""
    pos = game(leaders={"Gustav Adolf": "1005"}, cities={"Berlin": ("medium", "Austria", 1)}, stage="leader")
    told = {one.name: stakes(pos, one.name) for one in pos.choices(pos.seat) if one.name.startswith("move")}
    assert any(
        "Berlin is a medium city: it falls after one round and gives 4 supply." in some for some in told.values()
    )
    assert any(some and some[0].endswith("next turn if no enemy comes near.") for some in told.values())

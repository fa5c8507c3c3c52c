"""1.14 and 8.8: what a seat may know, and that nothing else reaches it. Twin worlds differ only in what it cannot know."""

import json
import random

import numpy as np
import pytest

from sutler.core.bits import count, members
from sutler.core.chance import new_luck
from sutler.games.threeyears.box import S
from sutler.games.threeyears.phases_actions_events import P

from .table import GAME, blank, give_despair, give_writ, go, log, offered, resolving, take

D = GAME.definition


def twin_of(state, seat, luck):
    twin = D.state.copy(state)
    D.redeal(GAME.box, twin, seat, luck)
    return twin


def channels(state, seat):
    """Everything that reaches a seat: view, tensor, prompt, legal actions with their words, refusals, scores."""
    speaker = GAME.new(seats=int(state.n_seats), seed=0).speaker
    tensor = np.zeros(D.N_OBSERVED, np.float32)
    D.observe(GAME.box, state, seat, tensor)
    out = [json.dumps(D.view(GAME.box, state, speaker, seat)), tensor.tobytes()]
    out.append(repr(D.prompt(GAME.box, state, speaker, seat)))
    if state.to_act == seat and not D.is_over(state):
        ids = D.actions.new_ids()
        D.legal(GAME.box, state, ids)
        legal = members(ids.ids)
        out += [legal, [repr(D.choice(GAME.box, state, speaker, GAME.action_names[i])) for i in legal]]
        out.append([int(D.why_not(GAME.box, state, action)) for action in range(len(GAME.action_names))])
    scores, places = np.zeros(5), np.zeros(5)
    D.score(GAME.box, state, scores)
    D.rank(GAME.box, state, places)
    return [*out, scores.tolist(), places.tolist()]


@pytest.mark.parametrize("seed", range(6))
def test_twin_worlds_look_the_same(seed):
    """1.14, 8.8: through whole games, for every seat and on every channel; and each twin is a lawful state."""
    rng, luck = random.Random(seed), new_luck(seed)
    pos = GAME.new(seats=2 + seed % 4, seed=seed)
    while not pos.over:
        if rng.random() < 0.08:
            seat = rng.randrange(pos.n_seats)
            twin = twin_of(pos.state, seat, luck)
            assert D.check(GAME.box, twin) == 0
            assert channels(twin, seat) == channels(pos.state, seat)
        pos.play(rng.choice(pos.legal_ids()))


def test_redeal_changes_what_is_hidden():
    """1.14: hands, Despair, Writs and interlude decks do differ between twins, or the test above would prove nothing."""
    state = blank(3)
    take(GAME, state, state.seats[0].hand, "sp1, wi1, au1")
    take(GAME, state, state.seats[1].hand, "sp1, wi1, au1")
    give_writ(state, 1, "3 Gold")
    give_writ(state, 0, "3 Food")
    give_despair(state, 0, 1, 1, 1)
    luck = new_luck(5)
    twins = [twin_of(state, 0, luck) for _ in range(30)]
    assert len({twin.seats[1].hand.tobytes() for twin in twins}) > 20
    assert len({face(twin, "writ_face", twin.seats[1].writs) for twin in twins}) > 5
    assert len({face(twin, "despair_face", twin.seats[0].despair) for twin in twins}) > 5
    assert len({twin.interludes[2].tobytes() for twin in twins}) > 20
    assert {twin.seats[0].hand.tobytes() for twin in twins} == {state.seats[0].hand.tobytes()}
    assert len({face(twin, "writ_face", twin.seats[0].writs) for twin in twins}) == 1
    assert all(count(twin.seats[1].hand) == 3 for twin in twins)


def face(state, faces, tokens):
    return tuple(int(getattr(state, faces)[token]) for token in members(tokens))


def test_redeal_is_even():
    """1.14: every hidden card is equally likely to be in a rival's hand, whoever really holds it."""
    state = blank(3)
    take(GAME, state, state.seats[1].hand, "sp1, sp1, sp1, sp1")
    take(GAME, state, state.seats[2].hand, "wi1, wi1, wi1, wi1")
    luck = new_luck(9)
    n = 1500
    held = np.zeros(90)
    for _ in range(n):
        for card in members(twin_of(state, 0, luck).seats[1].hand):
            held[card] += 1
    expected = n * 4 / 90
    assert ((held - expected) ** 2 / expected).sum() < 150  # chi-square, 89 degrees: beyond 150 one in twenty thousand


def test_redeal_while_a_set_is_put_together():
    """1.14, 5.8: to the others the cards in the picker's hand are open to doubt, but the set can be finished in every twin."""
    from .table import bidding

    pos = bidding(["su2, Master Gunner, su1, su1, Camp Surgeon, wi1", "sp1, wi1", "sp1"], total=2)
    pos.play("play Summer with one double")
    pos.play("use a plain Summer double")
    assert pos.state.phase == P.pick
    luck = new_luck(4)
    twins = [twin_of(pos.state, 1, luck) for _ in range(40)]
    assert len({twin.seats[0].hand.tobytes() for twin in twins}) > 30
    for twin in twins:
        assert D.check(GAME.box, twin) == 0
        assert not pos.state.picked[0] & ~twin.seats[0].hand[0]
        ids = D.actions.new_ids()
        D.legal(GAME.box, twin, ids)
        assert members(ids.ids)
        assert count(twin.seats[0].hand) == 6


def test_nobody_sees_despair():
    """1.7, 1.14: not even the owner; a watcher sees nothing of any hand."""
    state = blank(3)
    give_despair(state, 0, 3, 4)
    take(GAME, state, state.seats[0].hand, "sp1, su1")
    pos = GAME.from_bytes(go_bid(state).to_bytes())
    for viewer in (0, 1, None):
        assert [one["shows"] for one in pos.view(viewer)["seats"][0]["despair"]] == [None, None]
    assert pos.view(None)["hand"] == []
    assert pos.view(1)["seats"][0]["cards"] == 2
    assert "sp1" not in json.dumps(pos.view(1))


def go_bid(state):
    from .table import offer

    for seat in range(int(state.n_seats)):
        if count(state.seats[seat].hand) == 0:
            take(GAME, state, state.seats[seat].hand, "wi1")
    offer(state)
    state.stage = S.influence
    return go(state)


def test_draws_are_told_to_the_owner_only():
    """1.14, 4.1: the log of the others says how many, not which."""
    pos = GAME.new(seats=3, seed=8)
    mine = {card["name"] for card in pos.view(0)["hand"]}
    told = [line for line in log(pos, 0) if "draws" in line]
    assert len(told) == 3
    assert all(line.removeprefix("Seat 1 draws ") in mine for line in told)
    assert not [line for line in log(pos, None) if "draws" in line]
    assert len([line for line in log(pos, None) if "levies 3 cards" in line]) == 3


# --- Scouting (8.8) ------------------------------------------------------------------


def test_looks_grow_with_tokens():
    """8.8, 1.10, X18: no token owned, two icons: one look, then two."""
    pos = resolving(blank(3), scout=2)
    assert int(pos.state.looks) == 1
    pos.play("look at Marketplace")
    assert (pos.state.phase, int(pos.state.looks)) == (P.look, 2)
    pos.play("look at Marketplace")
    pos.play("look at Marketplace")
    assert pos.state.phase == P.draft
    assert int(pos.state.seats[0].scouts) == 2


def test_looks_go_deeper_within_one_scouting():
    """8.8: the second look at a deck shows the next card; a new scouting begins at the top again."""
    pos = resolving(scouted(1), scout=1)
    pos.play("look at Field of Battle")
    pos.play("look at Field of Battle")
    down = pos.view(0)["upcoming"][1]["down"]
    assert [one["card"] is not None for one in down] == [True, True, False, False, False, False]
    order = [int(card) for card in pos.state.interludes[1]]
    names = GAME.names["interlude"]
    assert [one["card"]["name"] for one in down[:2]] == [names[8 + order[0]], names[8 + order[1]]]


def scouted(tokens, seats=3):
    state = blank(seats)
    state.seats[0].scouts, state.scouts = tokens, 12 - tokens
    return state


def test_what_a_scout_saw_stays_in_its_view_alone():
    """8.8, 1.14: the looker sees it from then on; the others see that a look was made, and at what."""
    pos = resolving(scouted(2), scout=1)
    pos.play("look at Marketplace")
    seen = pos.view(0)["upcoming"][0]["down"][0]
    assert seen["card"]["event"] == "Marketplace"
    for viewer in (1, 2, None):
        other = pos.view(viewer)["upcoming"][0]["down"][0]
        assert (other["card"], other["seen_by"]) == (None, [0])
    assert any(line.startswith("You see ") for line in log(pos, 0))
    assert not any(line.startswith("You see ") for line in log(pos, 1))
    assert "Seat 1 looks at card 1 of Marketplace" in log(pos, 1)


def test_looking_at_despair():
    """8.8: anybody's, one's own too; each look shows another token, and the owner does not learn it."""
    state = scouted(1)
    give_despair(state, 1, 4, 1)
    give_despair(state, 0, 3)
    pos = resolving(state, scout=1)
    theirs, mine = tokens(pos, 1, "despair"), tokens(pos, 0, "despair")
    assert {*theirs, *mine} <= offered(pos)
    lying = next(i for i in range(60) if f"look at Despair {i + 1}" not in {*theirs, *mine})
    assert pos.why_not(f"look at Despair {lying + 1}").rule == "8.8"
    for token in theirs:
        pos.play(token)
    assert sorted(one["shows"] for one in pos.view(0)["seats"][1]["despair"]) == [1, 4]
    assert [one["shows"] for one in pos.view(1)["seats"][1]["despair"]] == [None, None]
    assert [one["seen_by"] for one in pos.view(1)["seats"][1]["despair"]] == [[0], [0]]


def test_looking_at_a_writ():
    """8.8: another seat's; not one's own, which one knows."""
    state = scouted(1)
    give_writ(state, 1, "3 Holdings")
    give_writ(state, 0, "2 Food")
    pos = resolving(state, scout=1)
    (theirs,), (mine,) = tokens(pos, 1, "writs"), tokens(pos, 0, "writs")
    assert mine not in offered(pos)
    assert pos.why_not(mine).rule == "8.6"
    pos.play(theirs)
    for viewer, shows in ((0, "3 Holdings"), (2, None)):
        (seen,) = pos.view(viewer)["seats"][1]["writs"]
        assert (seen["shows"], seen["seen_by"]) == (shows, [0])
    assert "It shows 3 Holdings" in log(pos, 0)
    assert "It shows 3 Holdings" not in log(pos, 2)


def tokens(pos, seat, field):
    """The looks at a seat's tokens, in the order in which they were drawn."""
    word = "Despair" if field == "despair" else "Writ"
    return [f"look at {word} {token + 1}" for token in members(getattr(pos.state.seats[seat], field))]


def test_a_scout_chooses_the_token():
    """8.8: of several tokens of one seat any may be looked at, and what was chosen is what is seen; so with Writs."""
    for chosen in range(3):
        state = scouted(0)
        give_despair(state, 1, 1, 4, 2)
        pos = resolving(state, scout=1)
        looks = tokens(pos, 1, "despair")
        assert set(looks) <= offered(pos)
        pos.play(looks[chosen])
        shown = [one["shows"] for one in pos.view(0)["seats"][1]["despair"]]
        faces = [int(pos.state.despair_face[token]) for token in members(pos.state.seats[1].despair)]
        assert shown == [face if i == chosen else None for i, face in enumerate(faces)]
    state = scouted(1)
    give_writ(state, 2, "3 Holdings")
    give_writ(state, 2, "2 Food")
    pos = resolving(state, scout=1)
    last = tokens(pos, 2, "writs")[1]
    pos.play(last)
    assert [one["shows"] is None for one in pos.view(0)["seats"][2]["writs"]] == [True, False]
    assert pos.why_not(last).rule == "8.8"
    said = next(line for line in log(pos, 1) if "looks at Writ" in line)
    assert said == f"Seat 1 looks at {last.removeprefix('look at ')} of Seat 3"


def thought_about(state):
    """What bots think about of what is legal."""
    ids = D.actions.new_ids()
    D.legal(GAME.box, state, ids)
    D.prune(GAME.box, state, ids)
    return {GAME.action_names[i].name for i in members(ids.ids)}


def test_bots_look_only_at_what_they_can_act_on():
    """8.8: at the nearest card that can still be prepared for, one after the other, and at no token; a look costs nothing."""
    state = scouted(4)
    give_despair(state, 1, 1, 4)
    give_despair(state, 0, 3, 1, 2)
    give_writ(state, 1, "3 Holdings")
    pos = resolving(state, scout=1)
    for look in ("look at Field of Battle", "look at Reaping What Was Sown", "look at The Bitter Months", "done"):
        assert thought_about(pos.state) == {look}
        pos.play(look)


@pytest.mark.parametrize(
    ("season", "year", "look"),
    [
        ("summer", 3, "look at Reaping What Was Sown"),
        ("autumn", 1, "look at The Bitter Months"),
        ("winter", 2, "look at Marketplace"),
        ("winter", 3, "done"),
    ],
)
def test_the_nearest_card_is_that_of_the_next_season(season, year, look):
    """9.1: the claims of the season itself are drafted; after the last season there is nothing to prepare for."""
    state = blank(3, season=season, year=year)
    assert thought_about(resolving(state, scout=1).state) == {look}


@pytest.mark.parametrize(("gold", "itself"), [(5, False), (0, True)])
def test_bots_do_not_rob_themselves(gold, itself):
    """8.4: stealing from yourself changes nothing, unless you have no Gold."""
    pos = resolving(blank(3, gold=[gold, 3, 3]), thief=1)
    assert {action.name for action in pos.actions()} == {"target seat 0", "target seat 1", "target seat 2"}
    assert ("target seat 0" in thought_about(pos.state)) == itself


def test_a_look_may_be_left_out():
    """8.8, 3.4."""
    pos = resolving(scouted(0), scout=1)
    pos.play("done")
    assert pos.state.phase == P.draft


def test_knowledge_survives_redealing():
    """8.8: whatever a seat has seen is the same in all its twins, and lies where it lay."""
    state = scouted(5)
    give_despair(state, 1, 4, 1, 1, 2)
    give_writ(state, 2, "3 Holdings")
    pos = resolving(state, scout=1)
    looks = [f"look at {event}" for event in ("Marketplace", "Marketplace", "The Bitter Months")]
    for look in (*looks, tokens(pos, 1, "despair")[1], tokens(pos, 2, "writs")[0]):
        pos.play(look)
    luck = new_luck(3)
    for _ in range(30):
        twin = twin_of(pos.state, 0, luck)
        assert channels(twin, 0) == channels(pos.state, 0)
        assert list(twin.interludes[0][:2]) == list(pos.state.interludes[0][:2])


def test_undo_is_refused_after_a_look_or_a_draw():
    """8.8, 5.10: what was learned cannot be taken back; a target can."""
    pos = resolving(scouted(0), scout=1)
    pos.play("look at Marketplace")
    assert not pos.can_undo(0)
    pos = resolving(blank(3), casualty=2)
    pos.play("target seat 1")
    assert pos.can_undo(0)


def test_bots_are_not_handed_the_truth():
    """1.14: a seat's world agrees with its view and is drawn anew."""
    pos = GAME.new(seats=4, seed=6)
    worlds = {pos.for_seat(0, seed=k).redeal().seats[1].hand.tobytes() for k in range(10)}
    assert len(worlds) > 5
    assert pos.for_seat(0).view() == pos.view(0)

"""11.2 to 11.6, 12.1: what is reached once a year: the journal, clearing the table, whoever is judged at once."""

import numpy as np
import pytest

from games.sixwinters.scene import Scene
from sutler.core.events import drain_events, new_event_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.box import CHARACTERS, FACES, RES, SLOTS, YEARS
from sutler.games.sixwinters.cards.vocabulary import SORCERY
from sutler.games.sixwinters.check import n_dice_in_play
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules import ending


def pair() -> Scene:
    """Two characters of two seats, with two missions."""
    return Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").mission("The Blue Robe", "Honest Days Work")


@pytest.mark.parametrize("year", range(1, YEARS + 1))
def test_the_journal_has_what_stood_at_the_end_of_the_year(year: int) -> None:
    """11.6: missions, how hard, how they ended, who was there, every condition, every marker, the scheme, how many turns."""
    scene = pair().set(year=year, scheme=3, turn_no=9)
    state = scene.ready().state
    for k, (difficult, result) in enumerate([(1, s.PASSED), (0, s.FAILED)]):
        state.tasks[k].difficult, state.tasks[k].result = difficult, result
    for c in range(CHARACTERS):
        state.people[c].marks[:] = c % 8, (c + 3) % 8
    state.progress[:], state.threat[:] = np.arange(2, 2 + RES), np.arange(4, 4 + RES)
    before = state.journal.copy()
    ending.write_journal(scene.box, state)
    page = state.journal[year - 1]
    assert [int(n) for n in page.mission] == [int(task.mission) for task in state.tasks]
    assert ([int(n) for n in page.difficult], [int(n) for n in page.result]) == ([1, 0], [s.PASSED, s.FAILED])
    assert [int(c) for c in page.character[:2]] == [scene.number("character", name) for name in ("Thea", "Keel")]
    assert [int(n) for n in page.marks] == [c % 8 + 8 * ((c + 3) % 8) for c in range(CHARACTERS)]
    assert [int(n) for n in page.progress] == list(range(2, 2 + RES))
    assert [int(n) for n in page.threat] == list(range(4, 4 + RES))
    assert (int(page.scheme), int(page.turns)) == (3, 9)
    others = [other for other in range(YEARS) if other != year - 1]
    assert before[others].tobytes() == state.journal[others].tobytes()


def test_the_journal_names_who_went_before() -> None:
    """11.6, 12.1: in the one-player variant whoever played the first pass stands beside whoever played the second."""
    scene = Scene(1, solo="passes").heroes("Thea at Eastkeep").ready()
    keel = scene.number("character", "Keel")
    scene.state.people[keel].has_acted = s.PLAYED
    ending.write_journal(scene.box, scene.state)
    page = scene.state.journal[int(scene.state.year) - 1]
    assert [int(c) for c in page.character[:2]] == [scene.number("character", "Thea"), keel]


def test_nothing_is_left_on_the_table() -> None:
    """11.3: every die from everywhere is in the supply, every progress card in its deck again; what is burned stays burned."""
    scene = pair().card(0, "Tinkering", (0, "support 3"), (1, "military 2")).set(severing=2)
    scene.scheme("Siege and Volley", "military", "diplomacy 3").dice([1, 2], [6]).tops()
    state = scene.state
    for r in range(RES):
        for v in range(FACES):
            state.pools[r, v] = 1
            state.assets[(r + v) % SLOTS, r, v] += 1
    for h in range(2):
        state.heroes[h].used[1], state.heroes[h].stash[2] = FACES + 1 + h, 1 + FACES * (h + 1)
    where = [
        *("stage", "hero", "mission", "discard", "shared"),
        *("burned", "deck", "not_yet"),
    ]
    numbers = {name: int(getattr(s.CARD_AT, name)) for name in where}
    for number, card in enumerate(range(8, 8 + 2 * len(where))):
        state.card_at[card] = numbers[where[number % len(where)]]
    before = [int(at) for at in state.card_at]
    scene.ready()
    assert all(state.in_play[r] > 0 for r in range(RES))
    ending.clear_table(scene.box, state)
    assert [int(n) for n in state.in_play] == [0] * RES == [int(n_dice_in_play(state, r)) for r in range(RES)]
    assert not state.pools.any()
    assert not state.assets.any()
    assert not any(seat.dice.any() for seat in state.seats)
    assert all(card == NOBODY for card in state.staged)
    assert (int(state.severing), int(state.scheme), int(state.shared)) == (0, NOBODY, NOBODY)
    moving = {numbers[name] for name in where[:5]}
    for card, at in enumerate(before):
        back = "not_yet" if scene.box.card[card].stage == 0 else "deck"
        if card < scene.box.n_cards:
            assert int(state.card_at[card]) == (numbers[back] if at in moving else at), card


@pytest.mark.parametrize("first", [0, 1])
def test_each_mission_is_judged_once_in_the_order_that_was_chosen(first: int) -> None:
    """11.2: the one that is read first, then the other; one that has its result already is not judged again."""
    scene = pair().set(tasks_first=first).ready()
    state = scene.state
    state.part, state.phase, state.k = s.PART.results, P.moving, 0
    told = []
    for _ in range(2):
        buffer = new_event_buffer()
        ending.step_results(scene.box, state, buffer)
        told += [(one.kind, int(one.args[0])) for one in drain_events(scene.d.events, buffer)]
    missions = [int(task.mission) for task in state.tasks]
    assert told == [("failed", missions[first]), ("failed", missions[1 - first])]
    ending.step_results(scene.box, state, new_event_buffer())
    assert int(state.part) == s.PART.tidy


@pytest.mark.parametrize(("severing", "result"), [(2, s.FAILED), (3, s.PASSED)])
def test_won_or_lost_at_once_the_other_mission_is_judged_as_it_stands(severing: int, result: int) -> None:
    """14.22: what is open is met or not, and told; what has its result keeps it; the year is written down."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").mission("The Severing", "Served Cold")
    state = scene.set(severing=severing, year=6).threat(sorcery=5).ready().state
    level = int(scene.box.track[SORCERY].levels[4])
    state.severing = level - 1 if result == s.FAILED else level
    state.tasks[0].then[0] = s.WANTED
    state.tasks[1].result = s.PASSED
    state.outcome = s.OUTCOME.lost
    buffer = new_event_buffer()
    ending.finish_at_once(scene.box, state, buffer)
    told = [one.kind for one in drain_events(scene.d.events, buffer)]
    assert told == ["passed" if result == s.PASSED else "failed", "lost"]
    assert [int(task.result) for task in state.tasks] == [result, s.PASSED]
    assert int(state.mission[state.tasks[0].mission]) == result
    assert [int(n) for n in state.journal[5].result] == [result, s.PASSED]
    assert int(state.phase) == P.over

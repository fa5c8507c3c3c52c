"""Template of games in which some seats see hidden cards (see `core.per_game_modules`), used by `lab.studies.hidden_information`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import count, nth
from sutler.core.chance import below, seed_seat
from sutler.core.record import copy_into
from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots._greedy import greedy_choice
    from sutler.bots._search import search_choice
    from sutler.bots.kit._copy_true_state import copy_true_state
    from sutler.bots.kit._game_loop import choose, go_to_first_decision, write_game_result
    from sutler.bots.kit._game_statistics import count_events, take
    from sutler.bots.kit.records import GREEDY, RANDOM

ASKED, SEEN_OTHERWISE, GUESSED_OTHERWISE = range(3)


@rule
def choose_with_open_cards(box: Any, state: Any, bots: Any, result: Any, scratch: Any) -> Any:
    """The action of the seat to act if it sees the true state, except future chance; a search starts each round from that state."""
    seat = int(state.to_act)
    bot = bots[result.bots[seat]]
    luck = scratch.lucks[seat]
    if bot.kind == RANDOM:
        return nth(scratch.out.ids, below(luck, count(scratch.out.ids)))
    copy_true_state(box, scratch.world, state, seat, luck)
    if bot.kind == GREEDY:
        return greedy_choice(box, scratch, bot, luck)
    return search_choice(box, scratch, bot, luck)


@rule
def choose_and_count_differences(
    box: Any, state: Any, bots: Any, result: Any, scratch: Any, n_legal: Any, spare_lucks: Any, counters: Any
) -> Any:
    """The action of the seat to act without seeing hidden cards; whether it would differ is counted in `counters`.

    counters: three counters: decisions; those that differ if the seat sees the true state; those that differ with another redeal.
    n_legal: number of legal actions; spare_lucks: two LUCK records to save the random generator in.
    """
    luck = scratch.lucks[int(state.to_act)]
    copy_into(spare_lucks[0], luck)
    action = choose(box, state, bots, result, scratch, n_legal)
    copy_into(spare_lucks[1], luck)
    again = choose(box, state, bots, result, scratch, n_legal)
    copy_into(luck, spare_lucks[0])
    seeing = choose_with_open_cards(box, state, bots, result, scratch)
    copy_into(luck, spare_lucks[1])
    counters[ASKED] += 1
    counters[SEEN_OTHERWISE] += int(seeing != action)
    counters[GUESSED_OTHERWISE] += int(again != action)
    return action


@rule
def play_chunk_with_open_cards(
    box: Any,
    results: Any,
    states: Any,
    bots: Any,
    scratch: Any,
    seeing_seats: Any,
    guess_seed: Any,
    spare_lucks: Any,
    counters: Any,
) -> Any:
    """Play each game of a chunk from its seed. seeing_seats: for each game, the seats that see hidden cards, as a bit set.

    guess_seed: added to the seed of the bots' random numbers, so that the same deal is met with other guesses.
    counters: if not empty, a row for each game, into which `choose_and_count_differences` counts; spare_lucks: two LUCK records.
    results, states, bots, scratch: as in `_game_loop.play`.
    """
    for i in range(len(results)):
        one = results[i]
        state = states[i]
        n = go_to_first_decision(box, state, one, scratch, True)
        for seat in range(int(state.n_seats)):
            seed_seat(scratch.lucks[seat], int(one.seed) + int(guess_seed), seat)
        count_events(scratch, one)
        while n > 0 and one.decisions < one.most:
            if int(seeing_seats[i]) >> int(state.to_act) & 1:
                action = choose_with_open_cards(box, state, bots, one, scratch)
            elif len(counters) > 0:
                action = choose_and_count_differences(box, state, bots, one, scratch, n, spare_lucks, counters[i])
            else:
                action = choose(box, state, bots, one, scratch, n)
            n = take(box, state, one, scratch, action)
            count_events(scratch, one)
        write_game_result(box, state, one, n)

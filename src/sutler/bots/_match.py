"""Template: whole games between bots, in compiled code, a chunk of games a call (see `core.template`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.bits import count, nth
from sutler.core.chance import below, seed_luck
from sutler.core.rule import rule

if TYPE_CHECKING:
    GAME_STREAM: int
    GREEDY: int
    RANDOM: int
    SEARCH: int
    advance: Any
    begin: Any
    rank: Any
    score: Any
    greedy_choice: Any
    imagine: Any
    search_choice: Any


@rule
def count_told(events: Any, labels: Any, counts: Any, one: Any) -> Any:
    """Add the events of one decision to counts[kind, seat] (last column: events of no seat), enter endings in the game's row,
    and empty the buffer.
    """
    for i in range(min(int(events.n_told), len(events.rows))):
        row = events.rows[i]
        part = labels[row.kind].seat
        one.endings |= labels[row.kind].ending
        if part < 0:
            counts[row.kind, counts.shape[1] - 1] += 1
        else:
            counts[row.kind, row.parts[part]] += 1
    events.n_told = 0


@rule
def decide(
    box: Any,
    state: Any,
    out: Any,
    tree: Any,
    work: Any,
    greedy: Any,
    silent: Any,
    asked: Any,
    reluctance: Any,
    bot: Any,
    luck: Any,
    scale: Any,
    cooperative: Any,
) -> Any:
    """What the bot of the seat to act does. It is shown a redeal, not the state."""
    if bot.kind == GREEDY:
        imagine(box, work.world, state, int(state.to_act), luck)
        return greedy_choice(box, work.world, greedy, silent, asked, reluctance, bot, int(state.to_act), out, luck)
    if bot.kind == SEARCH:
        imagine(box, work.world, state, int(state.to_act), luck)
        return search_choice(
            box,
            work.world,
            out,
            int(state.to_act),
            tree,
            work,
            greedy,
            silent,
            asked,
            reluctance,
            bot,
            luck,
            scale,
            cooperative,
        )
    return nth(out.ids, below(luck, count(out.ids)))


@rule
def play_games(
    box: Any,
    results: Any,
    finals: Any,
    bots: Any,
    tree: Any,
    work: Any,
    greedy: Any,
    events: Any,
    silent: Any,
    asked: Any,
    reluctance: Any,
    labels: Any,
    counts: Any,
    most: Any,
    scale: Any,
    cooperative: Any,
) -> Any:
    """Play each game of a chunk. `results[i].seed` and `.bots` say which; `finals[i]` is blank but for its seats."""
    out = work.played
    for i in range(len(results)):
        one = results[i]
        state = finals[i]
        seed_luck(state, int(one.seed), GAME_STREAM)
        for seat in range(state.n_seats):
            seed_luck(work.lucks[seat], int(one.seed), 1000 + seat)
        n = begin(box, state, events, out, asked)
        count_told(events, labels, counts, one)
        while n > 0 and one.decisions < most:
            seat = int(state.to_act)
            bot = bots[one.bots[seat]]
            if bot.kind == RANDOM:  # as `decide` would, without the call: this is half the time of a random game
                action = nth(out.ids, below(work.lucks[seat], n))
            else:
                action = decide(
                    box,
                    state,
                    out,
                    tree,
                    work,
                    greedy,
                    silent,
                    asked,
                    reluctance,
                    bot,
                    work.lucks[seat],
                    scale,
                    cooperative,
                )
            n = advance(box, state, events, out, asked, action)
            count_told(events, labels, counts, one)
            one.decisions += 1
        one.finished = n == 0
        score(box, state, one.points)
        rank(box, state, one.places)

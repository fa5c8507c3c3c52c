"""Template of a learned judge's evaluation: the game's own, corrected by a small network (see `core.per_game_modules`).

The greedy bot and the search are compiled once more with these rules in place of the game's own. What they call the box is then a pair
of the box and the judge's network (`kit.judge_network.NET`), so that other weights need no new machine code. The network is computed inside
its record, so each thread needs a record of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sutler.core.rule import rule

if TYPE_CHECKING:
    from sutler.bots.kit.default_rules import prune_nothing as prune
    from sutler.bots.kit.default_rules import want_no_action as wants
    from sutler.core import protocol
    from sutler.core.engine import advance
    from sutler.core.protocol import is_midway, is_over, legal, rank, redeal, score

    reckon: Any = protocol.evaluate  # that of the game's bot/reasons.py
    look_at = protocol.observe  # made by `kit.judge_network`: the plain numbers of a state
    from sutler.bots.kit.judge_network import HIDDEN, MAX_SPREADS

    PARTS, INPUTS = 0, 0


@rule
def compute_network_output(net: Any, phase: Any) -> Any:
    """The network's output for `net.inputs` in a phase (its number), in units of the game's SCALE."""
    for h in range(HIDDEN):
        net.hidden[h] = net.bias[h] + net.phase[phase, h]
    for i in range(INPUTS):
        x = (net.inputs[i] - net.middle[i]) * net.per[i]
        x = max(-MAX_SPREADS, min(MAX_SPREADS, x))
        if x != 0.0:
            for h in range(HIDDEN):
                net.hidden[h] += x * net.first[i, h]
    said = 0.0
    for h in range(HIDDEN):
        said += max(0.0, net.hidden[h]) * net.second[h]
    return said


@rule
def note_best_inputs(net: Any, value: Any, phase: Any) -> None:
    """Copy the network's inputs into `best_inputs` if `value` is the highest since `net.best` was reset; training reads them."""
    if value > net.best:
        net.best = value
        net.best_phase = phase
        for i in range(INPUTS):
            net.best_inputs[i] = net.inputs[i]


@rule
def judge(pair: Any, state: Any, seat: Any) -> Any:
    """The value of a state for a seat: the parts of the game's `evaluate`, each times its factor, plus the network's output.

    Of a finished game it is the parts alone. pair: (box, NET record). The value is in the unit of the game's `evaluate`.
    """
    net = pair[1]
    reckon(pair[0], state, seat, net.inputs)
    value = 0.0
    for part in range(PARTS):
        value += net.factor[part] * net.inputs[part]
    phase = -1
    if not is_over(state):
        phase = int(state.phase)
        look_at(pair[0], state, seat, net.inputs)
        value += net.scale * compute_network_output(net, phase)
    if net.notes == 1:
        note_best_inputs(net, value, phase)
    return value


@rule
def advance_for_judge(pair: Any, state: Any, events: Any, out: Any, asked: Any, action: Any) -> Any:
    """Take a legal action and go to the next decision, by the engine; returns how many actions that offers. `pair`: box and network."""
    return advance(pair[0], state, events, out, asked, action)


@rule
def prune_for_judge(pair: Any, state: Any, out: Any) -> None:
    """Remove from `out` the actions that a bot need not consider, by the game's rule `prune`. `pair`: box and network."""
    prune(pair[0], state, out)


@rule
def legal_for_judge(pair: Any, state: Any, out: Any) -> None:
    """Add the legal actions to `out`, by the game's rule `legal`. `pair`: box and network."""
    legal(pair[0], state, out)


@rule
def is_midway_for_judge(pair: Any, state: Any) -> Any:
    """Is the state in the middle of a compound move? By the game's rule `is_midway`. `pair`: box and network."""
    return is_midway(pair[0], state)


@rule
def redeal_for_judge(pair: Any, state: Any, seat: Any, luck: Any) -> None:
    """Draw anew what the seat cannot know, by the game's rule `redeal`. `pair`: box and network."""
    redeal(pair[0], state, seat, luck)


@rule
def wants_for_judge(pair: Any, state: Any, plan: Any, legal_now: Any, out: Any) -> None:
    """Write the actions that the plan of a persona wants into `out`, by the game's rule `wants`. `pair`: box and network."""
    wants(pair[0], state, plan, legal_now, out)


@rule
def rank_for_judge(pair: Any, state: Any, out: Any) -> None:
    """Write each seat's place into `out`, by the game's rule `rank`. `pair`: box and network."""
    rank(pair[0], state, out)


@rule
def score_for_judge(pair: Any, state: Any, out: Any) -> None:
    """Write each seat's points into `out`, by the game's rule `score`. `pair`: box and network."""
    score(pair[0], state, out)

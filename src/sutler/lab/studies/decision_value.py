"""The value of decisions, by intervention: where a seat can do a thing or leave it, the same game goes on in both ways.

Seats that often do a thing (build, take, attack) do not necessarily win because of it. So games are played between bots. Among the
decisions in which a thing can be done, and something else as well, one in each game is picked at random. From there the game goes on, with
the same past and the same dice, once with the thing done and once with it left. One of the two actions is the bot's own; the other one is
the action of the other side that the greedy bot ranks highest. No cards are needed. The effect of a cost is found by playing on with
settings that change from that decision on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sutler.bots.greedy import GreedyBot
from sutler.bots.kit import copy_packed_bots
from sutler.core.actions import ActionTable
from sutler.core.bits import members
from sutler.core.chance import below, new_luck
from sutler.core.events import EVENT
from sutler.core.names import did_you_mean
from sutler.core.play.game import Game
from sutler.core.play.position import SeatView
from sutler.lab.play.card_locations import find_card_fields
from sutler.lab.play.provenance import write_findings
from sutler.lab.play.query import Query
from sutler.lab.play.rollouts import (
    MAX_DECISIONS_SCANNED,
    MIN_PAIRS,
    SAMPLED_GAMES,
    SAMPLING_STREAM,
    RolloutTable,
    are_beyond_chance,
    is_state_valid,
    mean_and_half_width,
    open_thread_pool,
    play_moments,
    play_seat_outcomes,
)
from sutler.lab.play.simulate import MOST_DECISIONS, concatenate_states

MAX_EVENT_ROWS = 1 << 15
"""Rows for the events of one game; later events are dropped, since they are not used here."""
Outcomes = dict[str, tuple[float, float]]
"""By way of playing on from one decision: (the seat's share of the win, its lead in points)."""


@dataclass(frozen=True)
class Fork:
    """A decision from which a game is played on twice: with an action of the choice in question, and with another.

    `choice`: its name; `state`: before the decision.
    """

    seed: int
    choice: str
    state: Any
    seat: int
    done: int  # id of the action that makes the choice
    left: int  # id of the action that does not
    was_done: bool  # True if the bot made the choice itself


@dataclass(frozen=True)
class Choice:
    """The value of one choice: what making it adds to a seat's share of wins and to the seat's lead, over `games` pairs of games."""

    name: str
    games: int
    done: float
    """The share of these decisions in which the bot itself made the choice."""
    won: tuple[float, float]
    """Mean and half the 95 % interval of the share of the win: choice made minus choice left."""
    lead: tuple[float, float]
    lead_done: tuple[float, float]
    """The gain in lead in those decisions in which the bot made the choice; `lead_left`: in those in which it did not."""
    lead_left: tuple[float, float]
    lead_blank: tuple[float, float]
    """The part of the named card in this: the lead with the choice made, minus that with the card made to do nothing."""
    lead_turned: tuple[float, float]
    """The effect of the changed settings: the lead with the choice made under them, minus that without them."""
    stands: bool = False
    """Is the gain in lead significant, at a false discovery rate of 5 % among all choices asked about?"""


EACH_SUFFIX = "/*"
"""The ending of a name that asks about each of its actions by itself."""
PAIR_FIELDS = ("won", "lead", "lead_done", "lead_left", "lead_blank", "lead_turned")


@dataclass(frozen=True)
class Choices:
    """The values of choices, the best first."""

    choices: tuple[Choice, ...]
    about: dict[str, Any]

    def table(self) -> pl.DataFrame:
        """A table with a row for each choice."""
        rows = [
            {"choice": one.name, "games": one.games, "done": one.done, "stands": one.stands}
            | {
                f"{name}{end}": v
                for name in PAIR_FIELDS
                for end, v in zip(("", "_half"), getattr(one, name), strict=True)
            }
            for one in self.choices
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def write(self, path: Path) -> None:
        """Write the table as .parquet (with versions and command inside) or .csv."""
        write_findings(self.table(), path, self.about)


def find_choice_actions(game: Game, wanted: Sequence[str] = ()) -> dict[str, set[int]]:
    """The ids of the actions that belong to each choice, by the choice's name.

    `wanted`: kinds of action ("draft"), or the first words of actions' names; all kinds if empty. With `/*` at the end (`draft/*`), each
    action is a choice of its own; so it is for a kind that never competes with another kind. ValueError where no action fits.
    """
    actions = game.definition.actions
    if not wanted:
        return {name.replace("_", " "): set(actions.ids(name)) for name in actions.blocks}
    words = [str(game.action_names[i]).casefold() for i in range(actions.n)]
    found: dict[str, set[int]] = {}
    for one in wanted:
        each = one.endswith(EACH_SUFFIX)
        told = one.removesuffix(EACH_SUFFIX).casefold().replace("_", " ")
        block = next((name for name in actions.blocks if name.replace("_", " ") == told), None)
        ids = (
            set(actions.ids(block))
            if block
            else {i for i, w in enumerate(words) if w == told or w.startswith(f"{told} ")}
        )
        if not ids:
            kinds = ", ".join(name.replace("_", " ") for name in actions.blocks)
            near = did_you_mean(told, [name.replace("_", " ") for name in actions.blocks])
            raise ValueError(f"no action of {game.title} begins with {one!r}{near}; the kinds of action are {kinds}")
        if each or (block and _is_only_kind_in_phases(actions, block)):
            found |= {str(game.action_names[i]): {i} for i in sorted(ids)}
        else:
            found[one] = ids
    return found


def _is_only_kind_in_phases(actions: ActionTable, block: str) -> bool:
    """Is this kind of action the only one in every phase in which it is legal, such as choosing a card?"""
    others = {phase for name in actions.blocks if name != block for phase in _find_phases(actions, name)}
    return len(actions.ids(block)) > 1 and not others & _find_phases(actions, block)


def _find_phases(actions: ActionTable, block: str) -> set[str]:
    """The phases in which actions of this kind may be legal."""
    return {*actions.phases(block), *actions.team_phases(block)}


def estimate_decision_values(
    query: Query,
    kinds: Sequence[str] = (),
    per_game: int = 6,
    changed_settings: Mapping[str, Any] | None = None,
) -> Choices:
    """The values of decisions: games are played, up to `per_game` decisions of each are picked, and both ways are played on.

    `kinds`: the choices asked about, as for `find_choice_actions`. `changed_settings`: settings that change from the decision on, such
    as a cost. Ctrl-C ends it with the decisions played by then.
    """
    game, games, seed = query.version, query.get_games_or(SAMPLED_GAMES), query.seed
    with open_thread_pool(query, "a decision") as pool:
        asked, table, other = find_choice_actions(game, kinds), RolloutTable(game, query.bots, query.seats), None
        if changed_settings:
            other = query.load_edited_game(changed_settings).box
        found_in = pool.map(lambda k: _draw_decisions_to_play_both_ways(table, seed + k, asked, per_game), range(games))
        forks = [fork for of in found_in for fork in of]
        outcomes = play_moments(pool, query, forks, lambda fork: _play_fork(table, fork, other))
    about = table.collect_metadata(games, seed) | {
        "together": bool(game.definition.COOPERATIVE),
        "turned": ", ".join(f"{key} = {value}" for key, value in (changed_settings or {}).items()),
    }
    found = [_estimate_choice_value(name, [one for one in outcomes if one[0].choice == name]) for name in asked]
    return Choices(tuple(_rank_choices([one for one in found if one.games])), about)


def _draw_decisions_to_play_both_ways(
    table: RolloutTable, seed: int, asked: Mapping[str, set[int]], per_game: int
) -> list[Fork]:
    """Up to `per_game` decisions of the game of a seed, drawn at random: for each choice in `asked` at most one."""
    moments = _replay_decisions(table, seed)
    definition, box = table.game.definition, table.game.box
    out, legal = definition.actions.new_ids(), []
    for one in moments:
        out.ids[:] = 0
        definition.legal(box, one["state"], out)
        legal.append(set(members(out.ids)))
    luck = new_luck(seed, SAMPLING_STREAM)
    names, found = list(asked), list[Fork]()
    while names and len(found) < per_game:
        name = names.pop(int(below(luck, len(names))))
        here = [k for k, ids in enumerate(legal) if ids & asked[name] and ids - asked[name]]
        if here:
            k = here[int(below(luck, len(here)))]
            found.append(_build_fork(table, seed, name, moments[k], (legal[k] & asked[name], legal[k] - asked[name])))
    return found


def _replay_decisions(table: RolloutTable, seed: int) -> Any:
    """The decisions of one game, each with its state and the action taken."""
    kit = table.kit
    results, state = np.zeros(1, kit.result.dtype), np.zeros(1, table.game.definition.state.dtype)
    state["n_seats"] = table.n
    results["seed"], results["most"] = seed, MOST_DECISIONS
    results["bots"][:, : table.n] = (np.arange(table.n) + seed) % table.n
    moments, rows = np.zeros(MAX_DECISIONS_SCANNED, kit.moment.dtype), np.zeros(MAX_EVENT_ROWS, EVENT.dtype)
    play_logged = kit.logged_games.play_logged_game
    play_logged(
        table.game.box,
        state[0],
        results[0],
        copy_packed_bots(table.bots),
        kit.create_scratch(tells=False),
        rows,
        moments,
    )
    return moments[: int(results[0]["decisions"])]


def _build_fork(table: RolloutTable, seed: int, name: str, decision: Any, sides: tuple[set[int], set[int]]) -> Fork:
    """The fork at a decision: an action that makes the choice and one that does not.

    One is the action that the bot took; the other the one that the greedy bot ranks highest.

    `name`: of the choice. `decision`: the state before the decision and the action taken. `sides`: the legal actions that make the
    choice, and the other ones.
    """
    state, taken = decision["state"].copy(), int(decision["action"])
    seat = int(state["to_act"])
    done, left = (
        taken if taken in side else _choose_greedy_action(table.game, state, seat, side, seed) for side in sides
    )
    return Fork(seed, name, state, seat, done, left, taken in sides[0])


def _choose_greedy_action(game: Game, state: Any, seat: int, actions: set[int], seed: int) -> int:
    """The action among `actions` that the greedy bot ranks highest in a seat's view of the state; a random one if it ranks none."""
    view = SeatView(game, state, seat, sorted(actions), [""] * int(state["n_seats"]), seed)
    ranked = [int(action) for action, _, _ in GreedyBot().explain(view) if int(action) in actions]
    return ranked[0] if ranked else sorted(actions)[int(below(view.luck, len(actions)))]


def _play_fork(table: RolloutTable, fork: Fork, turned: Any) -> Outcomes:
    """The outcomes of playing on from a fork, by way: "done", "left", and where possible "blank" and "turned".

    "blank": the choice is made, and the named card does nothing. "turned": it is made in the changed box `turned`.
    """
    definition, box = table.game.definition, table.game.box
    done, left = (table.copy_after_action(fork.state, action) for action in (fork.done, fork.left))
    found = dict(
        zip(
            ("done", "left"),
            play_seat_outcomes(table, box, concatenate_states(done, left), fork.seed, fork.seat),
            strict=True,
        )
    )
    if (blanked := _apply_blanked_action(table, fork)) is not None:
        box, after = blanked
        (found["blank"],) = play_seat_outcomes(table, box, after, fork.seed, fork.seat)
    if turned is not None and is_state_valid(definition, turned, (before := fork.state.copy()), fork.done):
        after = table.copy_after_action(before, fork.done, turned)
        (found["turned"],) = play_seat_outcomes(table, turned, after, fork.seed, fork.seat)
    return found


def _apply_blanked_action(table: RolloutTable, fork: Fork) -> tuple[Any, Any] | None:
    """(box in which the named card does nothing, state after the action there); None where there is no such box."""
    game, actions = table.game, table.game.definition.actions
    block, things = actions.decode(fork.done)
    meant = getattr(game.sheet, "stands_at", lambda state, kind, thing: (kind, thing))
    for k, (kind, thing) in enumerate(zip(actions.blocks[block].kinds, things, strict=True)):
        own_kind, own = meant(fork.state, kind, thing)
        if (blank := table.find_blank(own_kind, own)) is None:
            continue
        state, instead = concatenate_states(fork.state), list(things)
        if blank.thing != own:
            if not find_card_fields(game.definition).make_blank(state, fork.seat, own, blank.thing):
                continue
            instead[k] = blank.thing
        action = actions.encode(block, *instead)
        if is_state_valid(game.definition, blank.box, state[0], action):
            return blank.box, table.copy_after_action(state[0], action, blank.box)
    return None


def _estimate_choice_value(name: str, outcomes: Sequence[tuple[Fork, Outcomes]]) -> Choice:
    """The value of the choice called `name`, from the outcomes of its forks."""

    def gain(which: int, way: str, less: str, only: bool | None = None) -> tuple[float, float]:
        kept = [ends for fork, ends in outcomes if only in (None, fork.was_done) and way in ends and less in ends]
        return mean_and_half_width([one[way][which] - one[less][which] for one in kept])

    return Choice(
        name,
        len(outcomes),
        sum(fork.was_done for fork, _ in outcomes) / max(1, len(outcomes)),
        gain(0, "done", "left"),
        gain(1, "done", "left"),
        gain(1, "done", "left", True),
        gain(1, "done", "left", False),
        gain(1, "done", "blank"),
        gain(1, "turned", "done"),
    )


def _rank_choices(choices: Sequence[Choice]) -> list[Choice]:
    """The choices, the best first, and those of too few games last.

    `stands` is set on each: is its value significant among all of them?
    """
    known = [one for one in choices if one.games >= MIN_PAIRS]
    stands = are_beyond_chance([one.lead for one in known], [one.games for one in known])
    kept = [replace(one, stands=it) for one, it in zip(known, stands, strict=True)]
    kept.sort(key=lambda one: -one.lead[0])
    return kept + [one for one in choices if one.games < MIN_PAIRS]

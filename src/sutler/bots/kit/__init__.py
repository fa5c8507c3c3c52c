"""The Python side of compiled bots: their settings and scratch memory as records, and their templates made for each game."""

from __future__ import annotations

import hashlib
import inspect
import threading
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots.kit.defaults import always_quiet, prune_nothing, want_nothing
from sutler.bots.kit.network import HIDDEN, MAX_SPREADS, network_inputs
from sutler.bots.kit.records import (
    BOT,
    DEPTH,
    GREEDY,
    KNOTS,
    LUCK,
    MOMENTS,
    NO_NOTES,
    OWN,
    PATH,
    RANDOM,
    SEARCH,
    Numbers,
    moment_record,
    reluctance_of,
    result_record,
    scale_of,
    scratch_record,
    stats_record,
)
from sutler.bots.kit.win_probability import curves, leads, time_rule
from sutler.core.actions import Action
from sutler.core.bits import add, first_from
from sutler.core.definition import ENGINE, Definition
from sutler.core.engine import MAX_FORCED, STUCK
from sutler.core.events import ALL
from sutler.core.indirect import NOT_COMPILED, Address, call_address, call_by_address
from sutler.core.play.game import Game
from sutler.core.play.seat import SeatView
from sutler.core.record import Record
from sutler.core.rule import rule

ALIGNED = 64
"""Bytes at whose multiples the records of bots begin."""
HERE = Path(__file__).parent
BOTS = HERE.parent
PERSONA = BOTS / "persona.py"
JUDGE = BOTS / "judge.py"
POLICY = BOTS / "policy.py"
GREEDY_FUNCTIONS = ("best_of", "greedy_values", "greedy_choice", "imagine", "keep_sensible", "lay_out", "weigh")


def greedy_functions(greedy: Any) -> dict[str, Any]:
    """The functions of a greedy bot's template that other bots may use."""
    return {name: getattr(greedy, name) for name in GREEDY_FUNCTIONS}


@rule
def own_choice(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The decision of a bot by a rule of its own; the first legal action where the game was switched to machine code meanwhile."""
    action = call_by_address(bot.code, bot.number, bot.row, box, scratch, luck)
    return first_from(scratch.out.ids, 0) if action == NOT_COMPILED else action


@dataclass(frozen=True)
class Settings:
    """Settings that fit a BOT record; the subclass's fields are those it has."""

    kind = RANDOM
    level = ""  # under which it was made: in some games that is another bot (`bots.here`)

    def packed(self, game: Game) -> Any:
        """The settings as a record. What is measured in the unit of `evaluate` is given in parts of the game's SCALE."""
        bot = BOT.new()
        bot.kind = self.kind
        scale = scale_of(game.definition)
        for one in fields(self):
            if one.name in bot.dtype.names:
                bot[one.name] = getattr(self, one.name) * (scale if one.name in ("noise", "warmth") else 1)
        return bot


@dataclass(frozen=True)
class Compiled(Settings):
    """A bot whose decisions are a rule in its own file: `decide(box, scratch, bot, luck)`, in `bot.own` its settings in order.

    The file is a template (`core.template`): it is run again for each game, with the game's rules and the greedy bot's
    among its globals, so that it plays whole games in compiled code.
    """

    kind = OWN

    @classmethod
    def file(cls) -> Path:
        """The file of the bot's class."""
        return Path(inspect.getfile(cls)).resolve()

    def packed(self, game: Game) -> Any:
        """The record, with its own settings."""
        bot = super().packed(game)
        settings = [float(getattr(self, one.name)) for one in fields(self)]
        bot.own[: len(settings)] = settings
        return bot

    def fitted(self, game: Game) -> Any:
        """The record for one decision at a table; a bot may think less there while rules run as plain Python."""
        return self.packed(game)

    def choose(self, view: SeatView) -> Action:
        """The decision of its rule."""
        if only := only_choice(view):
            return only
        kit = kit_of(view.game)
        decided = kit.own_template(self.file()).decide(
            view.game.box, kit.scratch_for(view), self.fitted(view.game), view.luck
        )
        return view.game.action_names[legal_choice(view, int(decided))]


def is_compiled(players: Sequence[Any]) -> bool:
    """Can these bots play at one table in compiled code? Not where a class decides otherwise than the rule of its kind."""
    return all(_is_of_its_kind(one) for one in players)


def _is_of_its_kind(player: Any) -> bool:
    """Do `kind` and `choose` come from one class, so that the bot decides alike in compiled code and in Python?"""
    made = {name: next((c for c in type(player).__mro__ if name in vars(c)), None) for name in ("kind", "choose")}
    return isinstance(player, Settings) and made["kind"] is made["choose"]


def file_of_ones_own(players: Sequence[Any]) -> Path | None:
    """The first file of one's own with the rule of one of these bots; None where all are ours."""
    return next((one for one in own_files(players) if one.parent != BOTS), None)


def own_files(players: Sequence[Any]) -> list[Path]:
    """The files with the rules of those of these bots that have a rule of their own."""
    return sorted({one.file() for one in players if isinstance(one, Compiled)})


def packed(players: Sequence[Any], game: Game) -> Numbers:
    """The settings of some bots, as game loops read them; of those with a rule of their own the addresses of it and of the whole record.

    The records lie behind them in the same memory. A judge computes in its record: two threads need bots of their own.
    """
    rows = [one.packed(game) for one in players]
    sizes = [-(-size // ALIGNED) * ALIGNED for size in (len(rows) * BOT.dtype.itemsize, *(row.nbytes for row in rows))]
    memory = np.zeros(sum(sizes), np.uint8)
    bots: Numbers = memory[: len(rows) * BOT.dtype.itemsize].view(BOT.dtype)
    for bot, player, row, start in zip(bots, players, rows, accumulate(sizes), strict=False):
        for name in BOT.dtype.names:
            bot[name] = row[name]
        if player.kind == OWN:
            whole = memory[start : start + row.nbytes].view(row.dtype)
            whole[0] = row
            bot.row = whole.ctypes.data
            bot.code, bot.number = kit_of(game).address_of(player, game.box, row)
    return bots


def copied(bots: Numbers) -> Numbers:
    """The bots of `packed`, to be used beside the ones given: those that compute in their records have other ones."""
    if not bots["row"].any():
        return bots
    memory = bots.base.copy()  # type: ignore[union-attr]
    again: Numbers = memory[: bots.nbytes].view(bots.dtype)
    again["row"][again["row"] != 0] += memory.ctypes.data - bots.base.ctypes.data  # type: ignore[union-attr]
    return again


class Kit:
    """The bots of one game: its templates, its scratch records and the rows of its games."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.scale = scale_of(definition)
        self.reluctance, self.curves = reluctance_of(definition), curves(definition)
        self.scratch_record: Record = scratch_record(definition)
        self.result: Record = result_record(definition)
        self.stats_record: Record = stats_record(definition)
        self.moment: Record = moment_record(definition)
        self._no_notes = (definition.NOTES or NO_NOTES).new()
        self._here = threading.local()

    # --- memory to work in ---

    def scratch(self, labels: Numbers | None = None, tells: bool = True, notes_choices: bool = False) -> Any:
        """A new scratch record, for one thread.

        `tells`: the events of its games are recorded, to be counted by `labels`, if there are any; the endings are recorded in any
        case. `notes_choices`: what bots choose is counted too.
        """
        scratch = self.scratch_record.new()
        scratch.cooperative = bool(self.definition.COOPERATIVE)
        scratch.reluctance[:] = self.reluctance
        scratch.curves[:] = self.curves
        scratch.asked.ids[:] = self.definition.asked.ids
        scratch.told.kinds = ALL if tells else len(self.definition.events.endings)
        if labels is not None:
            scratch.recorder.labels[:] = labels
        scratch.recorder.notes_choices = notes_choices
        return scratch

    @property
    def _scratch_of_thread(self) -> Any:
        if not hasattr(self._here, "scratch"):
            self._here.scratch = self.scratch(tells=False)
        return self._here.scratch

    def scratch_for(self, view: SeatView, fresh: bool = False) -> Any:
        """A scratch record with a seat's decision in it: the world it was given, and what is legal in it.

        It is this thread's, until the next decision is put in; or, if `fresh`, another one.
        """
        scratch = self.scratch(tells=False) if fresh else self._scratch_of_thread
        scratch.world = view.world
        scratch.greedy.notes = self._no_notes  # they may be of another box
        scratch.out.ids[:] = 0
        for action in view.legal:
            add(scratch.out.ids, action)
        return scratch

    def new_stats(self, games: int, slots: int = 0) -> tuple[Numbers, Numbers]:
        """A row of statistics for each of `games` games, and `slots` counters of what events name, shape (games, slots, 2)."""
        return np.zeros(games, self.stats_record.dtype), np.zeros((games, slots, 2), np.int32)

    @cached_property
    def no_stats(self) -> tuple[Numbers, Numbers]:
        """Statistics of no game at all, for games that nobody records."""
        return self.new_stats(0)

    @cached_property
    def none_kept(self) -> Numbers:
        """An empty array of states, for games whose states nobody keeps."""
        return np.zeros(0, self.definition.state.dtype)

    # --- templates ---

    @cached_property
    def peeking_engine(self) -> Any:
        """The engine for positions that are only looked at: where the game sees two actions at once, no others are reckoned."""
        if (sees := self.definition.two_of) is None:
            return self.definition.engine
        return self._template(
            ENGINE, "_glancing", legal=self._template(HERE / "_peek.py", two_of=sees).allow_two_or_all
        )

    def _template(self, path: Path, variant: str = "", **more: Any) -> Any:
        return self.definition.template(path, variant, **more)

    @cached_property
    def greedy(self) -> Any:
        """The greedy bot's template for this game."""
        known = self.definition
        given: dict[str, Any] = {name: getattr(known, name) or prune_nothing for name in ("prune", "narrow")}
        given["DEPTH"] = DEPTH
        given["evaluate_noting"] = self._evaluate_noting
        return self._template(BOTS / "_greedy.py", advance=self.peeking_engine.advance, **given)

    @cached_property
    def _evaluate_noting(self) -> Any:
        """The game's evaluation of many positions in turn, with notes where it has any."""
        known = self.definition
        return (
            known.evaluate_noting or self._template(HERE / "_incremental.py", evaluate=known.evaluate).evaluate_noting
        )

    @cached_property
    def search(self) -> Any:
        """The searching bot's template for this game."""
        given = {"advance": self.definition.engine.advance, **greedy_functions(self.greedy)}
        return self._searching("", self._evaluate_noting, **given)

    @cached_property
    def _time_of(self) -> Any:
        """The game's clock as a rule."""
        return time_rule(self.definition)

    def _searching(self, variant: str, judge: Any, **given: Any) -> Any:
        """The search's template with an evaluation; `given` replaces the game's own rules of these names."""
        known = self.definition
        cut = {"is_quiet": known.is_quiet or always_quiet, "judge_course": known.judge_course or judge}
        cut |= {"time_of": self._time_of, "KNOTS": KNOTS}
        return self._template(BOTS / "_search.py", variant, **{**cut, "evaluate_noting": judge, "PATH": PATH, **given})

    @cached_property
    def network_value(self) -> Any:
        """The template of a learned judge's evaluation, in place of the game's (`kit._network_value`).

        ValueError: the game can have none.
        """
        looks, known = network_inputs(self.definition), self.definition
        assert known.reasons is not None  # or `network_inputs` has said so
        given = {"advance": known.engine.advance, "prune": known.prune or prune_nothing, "look_at": looks.look_at}
        given |= {"PARTS": looks.parts, "INPUTS": len(looks.names), "HIDDEN": HIDDEN, "MAX_SPREADS": MAX_SPREADS}
        given["wants"] = known.personas.wants if known.personas else want_nothing
        return self._template(HERE / "_network_value.py", reckon=known.reasons.reckon, **given)

    @cached_property
    def judged(self) -> dict[str, Any]:
        """The greedy bot and the search with a judge's evaluation: `judged_choice`, `judged_search`, and what other bots use."""
        made = self.network_value
        by = {name: getattr(made, f"{name}_by") for name in ("advance", "prune", "legal", "is_midway", "redeal")}
        judge = self._template(HERE / "_incremental.py", "_judged", evaluate=made.judge).evaluate_noting
        by |= {"DEPTH": DEPTH, "narrow": prune_nothing, "evaluate_noting": judge}
        greedy = self._template(BOTS / "_greedy.py", "_judged", **by)
        thinking = greedy_functions(greedy)
        ends = {"judge_course": judge, "advance": made.advance_by, "rank": made.rank_by, "score": made.score_by}
        search = self._searching("_judged", judge, **ends, **thinking)
        return {"judged_choice": greedy.greedy_choice, "judged_search": search.search_choice, **thinking}

    @cached_property
    def training_games(self) -> Any:
        """The template of games from which a judge learns."""
        games = self.game_loop
        thinking = {name: self.judged[name] for name in GREEDY_FUNCTIONS}
        given = {name: getattr(games, name) for name in ("open_game", "close_game", "take")} | thinking
        persona = self._template(PERSONA, "_judged", wants=self.network_value.wants_by, **thinking)
        given |= {
            "judge": self.network_value.judge,
            "persona_choice": persona.decide,
            "decide": self.own_template(JUDGE).decide,
        }
        given |= {"INPUTS": len(network_inputs(self.definition).names), "PERSONA": OWN}
        return self._template(HERE / "_training_games.py", **given)

    @cached_property
    def policy_games(self) -> Any:
        """The template of games from which a policy learns."""
        games, policy = self.game_loop, self.own_template(POLICY)
        given = {name: getattr(games, name) for name in ("open_game", "close_game", "take", "decide")}
        given |= {name: getattr(policy, name) for name in ("perceive", "foresee", "rate")}
        return self._template(HERE / "_policy_games.py", **given, **greedy_functions(self.greedy))

    def address_of(self, player: Any, box: Any, row: Any) -> Address:
        """Where the rule of a bot with one of its own is found, for a table with this box."""
        decide = self.own_template(player.file()).decide
        decide.share()
        return call_address(decide, box, self._scratch_of_thread, row, LUCK.new())

    def own_template(self, file: Path) -> Any:
        """The template in a bot's own file; `advance` and what the greedy bot knows are among its globals."""
        thinking = greedy_functions(self.greedy)
        if file == JUDGE:
            thinking = self.judged
        if file == PERSONA:
            theirs = self.definition.personas
            thinking = {**thinking, "wants": theirs.wants if theirs else want_nothing}
        ours = file.parent == BOTS
        variant = "" if ours else f"_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"  # equal in every process
        return self._template(file, variant, advance=self.definition.engine.advance, **thinking)

    @cached_property
    def recorder(self) -> Any:
        """The template that records games."""
        offer = self.definition.engine.offer
        return self._template(HERE / "_recorder.py", offer=offer, MOMENTS=MOMENTS, MAX_FORCED=MAX_FORCED, STUCK=STUCK)

    @cached_property
    def game_loop(self) -> Any:
        """The template that plays whole games."""
        given = {
            name: getattr(self.recorder, name) for name in ("count_events", "settle_noting", "take", "write_stats")
        }
        return self._template(
            HERE / "_game_loop.py",
            own_choice=own_choice,
            imagine=self.greedy.imagine,
            greedy_choice=self.greedy.greedy_choice,
            search_choice=self.search.search_choice,
            GREEDY=GREEDY,
            RANDOM=RANDOM,
            SEARCH=SEARCH,
            STUCK=STUCK,
            **given,
        )

    @cached_property
    def logged_games(self) -> Any:
        """The template that plays games and logs them in full."""
        games = self.game_loop
        given = {name: getattr(games, name) for name in ("choose", "close_game", "count_events", "open_game", "take")}
        return self._template(HERE / "_logged_games.py", **given)

    @cached_property
    def open_information(self) -> Any:
        """The template of games in which some seats see what is hidden from them."""
        look = self._template(HERE / "_true_state.py").look
        given = {"advance": self.definition.engine.advance, **greedy_functions(self.greedy), "imagine": look}
        search = self._searching("_seeing", self._evaluate_noting, **given)
        games = self.game_loop
        given = {name: getattr(games, name) for name in ("choose", "close_game", "count_events", "open_game", "take")}
        given |= {"greedy_choice": self.greedy.greedy_choice, "search_choice": search.search_choice, "look": look}
        return self._template(HERE / "_open_information.py", GREEDY=GREEDY, RANDOM=RANDOM, **given)


_kits: dict[str, Kit] = {}
_lock = threading.Lock()


def kit_of(game: Game | Definition) -> Kit:
    """The kit of a game, made once."""
    definition = game.definition if isinstance(game, Game) else game
    with _lock:
        if definition.package not in _kits:
            _kits[definition.package] = Kit(definition)
        return _kits[definition.package]


def only_choice(view: SeatView) -> Action | None:
    """The one legal action, if there is only one. ValueError when it is not this seat's decision."""
    if not view.legal:
        raise ValueError(f"seat {view.seat} has nothing to decide now")
    return view.game.action_names[view.legal[0]] if len(view.legal) == 1 else None


def legal_choice(view: SeatView, action: int) -> int:
    """The choice, or the first legal action if the choice was legal in a redeal only."""
    return action if action in view.legal else view.legal[0]


def warm(game: Game) -> None:
    """Make every call that the bots make from Python once, on the first decision of a game."""
    kit, view = kit_of(game), game.new(seed=1)
    seat = view.seat
    if seat is None:
        return
    sees, bot, luck = view.for_seat(seat), BOT.new(), LUCK.new()
    bot.redeals, bot.nodes, bot.playout_nodes, bot.horizon, bot.warmth = 1, 1, 1, 1, 1.0
    bot.candidates, bot.differ = 2, 1.0
    bot.own[0] = 1.0
    scratch = kit.scratch_for(sees)
    kit.greedy.greedy_choice(game.box, scratch, bot, luck)
    kit.search.new_tree(scratch.search)
    kit.search.search_on(game.box, scratch, bot, luck, 1, 1)
    leads(sees, worlds=1)  # what hints ask for

"""The Python side of compiled bots: their settings and working memory as records, and their templates compiled for each game.

A *template* is a file of rules that is run again for each game, with that game's rules among its globals (`core.per_game_modules`).
"""

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

from sutler.bots.kit import default_rules
from sutler.bots.kit.default_rules import is_always_quiet, prune_nothing, want_no_action
from sutler.bots.kit.judge_network import HIDDEN, MAX_SPREADS, build_network_inputs
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
    build_moment_record,
    build_reluctance,
    build_result_record,
    build_scratch_record,
    build_stats_record,
    find_scale,
)
from sutler.bots.kit.win_probability import build_curves, build_time_rule, estimate_leads
from sutler.core.actions import Action
from sutler.core.bits import add, first_from
from sutler.core.calls_by_address import NOT_COMPILED, Address, call_by_address, find_rule_address
from sutler.core.definition import ENGINE, Definition
from sutler.core.engine import MAX_FORCED, STUCK
from sutler.core.events import ALL
from sutler.core.play.game import Game
from sutler.core.play.position import SeatView
from sutler.core.record import Record
from sutler.core.rule import rule

ALIGNED = 64
"""The records of bots in one block of memory begin at multiples of this many bytes."""
HERE = Path(__file__).parent
BOTS = HERE.parent
PERSONA = BOTS / "persona.py"
JUDGE = BOTS / "judge.py"
POLICY = BOTS / "policy.py"
CORRECTIONS = ("correct_values", "correct_payoffs")
NETWORK_FUNCTIONS = ("write_inputs_and_hidden_layer", "write_win_probabilities", "add_corrections")
GREEDY_FUNCTIONS = ("best_of", "greedy_values", "greedy_choice", "imagine", "keep_sensible", "lay_out", "weigh")


def greedy_functions(greedy: Any) -> dict[str, Any]:
    """The functions of a greedy template that other templates may use, by name."""
    return {name: getattr(greedy, name) for name in GREEDY_FUNCTIONS}


@rule
def own_choice(box: Any, scratch: Any, bot: Any, luck: Any) -> Any:
    """The action that a bot with a rule of its own takes; the rule is called by its address.

    It is the first legal action where the address is one of plain Python, because the game was compiled in the meantime.
    """
    action = call_by_address(bot.code, bot.number, bot.row, box, scratch, luck)
    return first_from(scratch.out.ids, 0) if action == NOT_COMPILED else action


@dataclass(frozen=True)
class Settings:
    """Base class of bots whose settings fit a BOT record: each field of a subclass is stored in the record's field of that name."""

    kind = RANDOM
    level = ""  # the level that it stands for: a game may have another bot for it (`bots.replace_level_bot`)

    @property
    def searches(self) -> bool:
        """Does this bot search, so that a decision takes long?"""
        return False

    def packed(self, game: Game) -> Any:
        """The settings as a BOT record. noise and warmth are multiplied by the game's SCALE, into the unit of its `evaluate`."""
        bot = BOT.new()
        bot.kind = self.kind
        scale = find_scale(game.definition)
        for one in fields(self):
            if one.name in bot.dtype.names:
                bot[one.name] = getattr(self, one.name) * (scale if one.name in ("noise", "warmth") else 1)
        return bot


@dataclass(frozen=True)
class Compiled(Settings):
    """Base class of bots that decide by a rule `decide(box, scratch, bot, luck)` in the file of their class.

    `bot.own` holds the bot's settings in the order of its fields. The file is a template (`core.per_game_modules`): it is run again
    for each game, with the game's rules and the greedy bot's functions among its globals, so that the bot plays whole games in compiled
    code.
    """

    kind = OWN

    @classmethod
    def file(cls) -> Path:
        """The path of the file that defines the bot's class."""
        return Path(inspect.getfile(cls)).resolve()

    def packed(self, game: Game) -> Any:
        """The settings as a BOT record, with those of this class in `own`."""
        bot = super().packed(game)
        settings = [float(getattr(self, one.name)) for one in fields(self)]
        bot.own[: len(settings)] = settings
        return bot

    def fitted(self, game: Game) -> Any:
        """The record for one decision at a table. Subclasses may make it think less as long as the rules are not compiled."""
        return self.packed(game)

    def choose(self, view: SeatView) -> Action:
        """The action that the rule `decide` takes."""
        if only := find_only_action(view):
            return only
        kit = get_kit(view.game)
        decided = kit.compile_own_template(self.file()).decide(
            view.game.box, kit.scratch_for_view(view), self.fitted(view.game), view.luck
        )
        return view.game.action_names[replace_illegal_action(view, int(decided))]


def is_search(player: Any) -> bool:
    """Does this bot search, so that a decision takes long? A bot that a user wrote is taken for one that does not."""
    return isinstance(player, Settings) and player.searches


def is_search_by_time(player: Any) -> bool:
    """Does this bot search as long as its `budget` says, so that its decisions depend on the speed and load of the machine?"""
    return is_search(player) and player.rounds == 0


def is_compiled(players: Sequence[Any]) -> bool:
    """Can these bots play whole games in compiled code? Not if the `choose` of one's class may differ from its compiled rule."""
    return all(_decides_alike_in_python(one) for one in players)


def _decides_alike_in_python(player: Any) -> bool:
    """Are `kind` and `choose` of this bot defined by the same class, so that it decides alike in compiled code and in Python?"""
    made = {name: next((c for c in type(player).__mro__ if name in vars(c)), None) for name in ("kind", "choose")}
    return isinstance(player, Settings) and made["kind"] is made["choose"]


def find_user_bot_file(players: Sequence[Any]) -> Path | None:
    """The first file, not one of Sutler's, that holds the rule of one of these bots; None if there is none."""
    return next((one for one in list_rule_files(players) if one.parent != BOTS), None)


def list_rule_files(players: Sequence[Any]) -> list[Path]:
    """The files with the rules of the `Compiled` bots among these, sorted."""
    return sorted({one.file() for one in players if isinstance(one, Compiled)})


def pack_bots(players: Sequence[Any], game: Game) -> Numbers:
    """The settings of some bots for game loops: an array of BOT records, shape (bots,).

    For a bot with a rule of its own the record holds the addresses of that rule and of the bot's whole record, which lies behind the
    array in the same memory. A judge computes in its record, so each thread needs a copy of the array (`copy_packed_bots`).
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
            bot.code, bot.number = get_kit(game).find_rule_address(player, game.box, row)
    return bots


def copy_packed_bots(bots: Numbers) -> Numbers:
    """A copy, for another thread, of an array made by `pack_bots`; bots that compute in their records get records of their own."""
    if not bots["row"].any():
        return bots
    memory = bots.base.copy()  # type: ignore[union-attr]
    again: Numbers = memory[: bots.nbytes].view(bots.dtype)
    again["row"][again["row"] != 0] += memory.ctypes.data - bots.base.ctypes.data  # type: ignore[union-attr]
    return again


class Kit:
    """The compiled code of bots for one game: the templates compiled for it, scratch records, and rows for results and statistics."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.scale = find_scale(definition)
        self.reluctance, self.curves = build_reluctance(definition), build_curves(definition)
        self.scratch_record: Record = build_scratch_record(definition)
        self.result: Record = build_result_record(definition)
        self.stats_record: Record = build_stats_record(definition)
        self.moment: Record = build_moment_record(definition)
        self._no_notes = (definition.NOTES or NO_NOTES).new()
        self._here = threading.local()

    # --- memory to work in ---

    def create_scratch(self, labels: Numbers | None = None, tells: bool = True, notes_choices: bool = False) -> Any:
        """A new scratch record, for one thread.

        labels: how events are counted (`build_event_labels`). tells: False records only the events that say how a game ends.
        notes_choices: True counts, for each action and seat, how often it was offered and taken.
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
        """The scratch of the calling thread, created at its first use."""
        if not hasattr(self._here, "scratch"):
            self._here.scratch = self.create_scratch(tells=False)
        return self._here.scratch

    def scratch_for_view(self, view: SeatView, new: bool = False) -> Any:
        """A scratch record with one decision of a seat in it: the view's redeal and the actions legal in it.

        It is the record of this thread, valid until the next decision; with `new` it is a new one.
        """
        scratch = self.create_scratch(tells=False) if new else self._scratch_of_thread
        scratch.world = view.world
        scratch.greedy.notes = self._no_notes  # they may be of another box
        scratch.out.ids[:] = 0
        for action in view.legal:
            add(scratch.out.ids, action)
        return scratch

    def new_stats(self, games: int, slots: int = 0) -> tuple[Numbers, Numbers]:
        """Empty statistics: a GameStats row for each game, and counters of the things that events name, shape (games, slots, 2)."""
        return np.zeros(games, self.stats_record.dtype), np.zeros((games, slots, 2), np.int32)

    @cached_property
    def no_stats(self) -> tuple[Numbers, Numbers]:
        """Statistics with no rows, for games that are not recorded."""
        return self.new_stats(0)

    @cached_property
    def no_kept_states(self) -> Numbers:
        """An empty array of states, for games whose states are not kept."""
        return np.zeros(0, self.definition.state.dtype)

    # --- templates ---

    @cached_property
    def engine_for_lookahead(self) -> Any:
        """The engine for positions that a bot only looks at.

        If the game has a rule `two_of`, this engine stops at the first two legal actions.
        """
        if (sees := self.definition.two_of) is None:
            return self.definition.engine
        return self._compile_template(
            ENGINE,
            "_glancing",
            legal=self._compile_template(HERE / "_legal_two_or_all.py", two_of=sees).allow_two_or_all,
        )

    def _compile_template(self, path: Path, variant: str = "", **more: Any) -> Any:
        """The module of a template made for this game's rules (`Definition.instantiate_template`)."""
        return self.definition.instantiate_template(path, variant, **more)

    @cached_property
    def greedy(self) -> Any:
        """The greedy bot, compiled for this game."""
        known = self.definition
        given: dict[str, Any] = {name: getattr(known, name) or prune_nothing for name in ("prune", "narrow")}
        given["DEPTH"] = DEPTH
        given["evaluate_noting"] = self._evaluate_noting
        return self._compile_template(BOTS / "_greedy.py", advance=self.engine_for_lookahead.advance, **given)

    @cached_property
    def _evaluate_noting(self) -> Any:
        """The game's rule `evaluate_noting`, which reuses what it computed for the position before; else its `evaluate`."""
        known = self.definition
        return (
            known.evaluate_noting
            or self._compile_template(HERE / "_evaluate_without_notes.py", evaluate=known.evaluate).evaluate_noting
        )

    @cached_property
    def search(self) -> Any:
        """The searching bot, compiled for this game."""
        given = {"advance": self.definition.engine.advance, **greedy_functions(self.greedy)}
        return self._compile_search("", self._evaluate_noting, **given)

    @cached_property
    def _progress_rule(self) -> Any:
        """The rule that says how much of a game has passed in a state (`win_probability.build_time_rule`)."""
        return build_time_rule(self.definition)

    def _compile_search(self, variant: str, judge: Any, **given: Any) -> Any:
        """The search, compiled with an evaluation `judge`.

        variant: suffix of the module's name. given: rules that replace the game's own of the same names.
        """
        known = self.definition
        cut = {"is_quiet": known.is_quiet or is_always_quiet, "judge_course": known.judge_course or judge}
        cut |= {"time_of": self._progress_rule, "KNOTS": KNOTS}
        cut |= {name: getattr(default_rules, name) for name in CORRECTIONS}
        return self._compile_template(
            BOTS / "_search.py", variant, **{**cut, "evaluate_noting": judge, "PATH": PATH, **given}
        )

    @cached_property
    def network_value(self) -> Any:
        """The evaluation by a learned judge, compiled for this game (`kit._network_value`). ValueError where the game can have no judge."""
        looks, known = build_network_inputs(self.definition), self.definition
        assert known.reasons is not None  # or `build_network_inputs` has said so
        given = {"advance": known.engine.advance, "prune": known.prune or prune_nothing, "look_at": looks.look_at}
        given |= {"PARTS": looks.parts, "INPUTS": len(looks.names), "HIDDEN": HIDDEN, "MAX_SPREADS": MAX_SPREADS}
        given["wants"] = known.personas.wants if known.personas else want_no_action
        return self._compile_template(HERE / "_network_value.py", reckon=known.reasons.reckon, **given)

    @cached_property
    def judge_functions(self) -> dict[str, Any]:
        """The functions of the greedy bot and the search compiled with a judge's evaluation.

        By name: `judged_choice`, `judged_search`, and those of GREEDY_FUNCTIONS.
        """
        made = self.network_value
        by = {name: getattr(made, f"{name}_for_judge") for name in ("advance", "prune", "legal", "is_midway", "redeal")}
        judge = self._compile_template(
            HERE / "_evaluate_without_notes.py", "_judged", evaluate=made.judge
        ).evaluate_noting
        by |= {"DEPTH": DEPTH, "narrow": prune_nothing, "evaluate_noting": judge}
        greedy = self._compile_template(BOTS / "_greedy.py", "_judged", **by)
        thinking = greedy_functions(greedy)
        ends = {
            "judge_course": judge,
            "advance": made.advance_for_judge,
            "rank": made.rank_for_judge,
            "score": made.score_for_judge,
        }
        search = self._compile_search("_judged", judge, **ends, **thinking)
        return {"judged_choice": greedy.greedy_choice, "judged_search": search.search_choice, **thinking}

    @cached_property
    def training_games(self) -> Any:
        """The loop of games from which a judge learns, compiled for this game."""
        games = self.game_loop
        thinking = {name: self.judge_functions[name] for name in GREEDY_FUNCTIONS}
        given = {
            name: getattr(games, name) for name in ("go_to_first_decision", "write_game_result", "take")
        } | thinking
        persona = self._compile_template(PERSONA, "_judged", wants=self.network_value.wants_for_judge, **thinking)
        given |= {
            "judge": self.network_value.judge,
            "persona_choice": persona.decide,
            "decide": self.compile_own_template(JUDGE).decide,
        }
        given |= {"INPUTS": len(build_network_inputs(self.definition).names), "PERSONA": OWN}
        return self._compile_template(HERE / "_training_games.py", **given)

    @cached_property
    def policy_network(self) -> Any:
        """A policy's network, compiled for this game."""
        return self._compile_template(HERE / "_policy_network.py")

    @cached_property
    def policy_search(self) -> Any:
        """The searching bot, compiled for this game, with a policy's network correcting values and payoffs."""
        given = {"advance": self.definition.engine.advance, **greedy_functions(self.greedy)}
        given |= {name: getattr(self.policy_network, name) for name in CORRECTIONS}
        return self._compile_search("_by_policy", self._evaluate_noting, **given)

    @cached_property
    def policy_games(self) -> Any:
        """The template of games from which a policy learns."""
        games, net = self.game_loop, self.policy_network
        given = {name: getattr(games, name) for name in ("go_to_first_decision", "write_game_result", "take", "decide")}
        given |= {name: getattr(net, name) for name in ("write_inputs_and_hidden_layer", "add_corrections")}
        return self._compile_template(HERE / "_policy_games.py", **given, **greedy_functions(self.greedy))

    def find_rule_address(self, player: Any, box: Any, row: Any) -> Address:
        """The address of the rule of a `Compiled` bot. box, row: the records that it will be called with, for their types."""
        decide = self.compile_own_template(player.file()).decide
        decide.compile_separately()
        return find_rule_address(decide, box, self._scratch_of_thread, row, LUCK.new())

    def compile_own_template(self, file: Path) -> Any:
        """The template in the file of a `Compiled` bot, compiled for this game with `advance` and GREEDY_FUNCTIONS among its globals."""
        thinking = greedy_functions(self.greedy)
        if file == JUDGE:
            thinking = self.judge_functions
        if file == POLICY:
            thinking |= {name: getattr(self.policy_network, name) for name in NETWORK_FUNCTIONS}
            thinking |= {"search_choice": self.search.search_choice, "policy_search": self.policy_search.search_choice}
        if file == PERSONA:
            theirs = self.definition.personas
            thinking = {**thinking, "wants": theirs.wants if theirs else want_no_action}
        ours = file.parent == BOTS
        variant = "" if ours else f"_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"  # equal in every process
        return self._compile_template(file, variant, advance=self.definition.engine.advance, **thinking)

    @cached_property
    def recorder(self) -> Any:
        """The counters of the game loop, compiled for this game."""
        offer = self.definition.engine.offer
        return self._compile_template(
            HERE / "_game_statistics.py", offer=offer, MOMENTS=MOMENTS, MAX_FORCED=MAX_FORCED, STUCK=STUCK
        )

    @cached_property
    def game_loop(self) -> Any:
        """The loop that plays whole games, compiled for this game."""
        given = {
            name: getattr(self.recorder, name)
            for name in ("count_events", "take_forced_actions", "take", "update_stats")
        }
        return self._compile_template(
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
        """The loop that plays games and logs each event and decision, compiled for this game."""
        games = self.game_loop
        given = {
            name: getattr(games, name)
            for name in ("choose", "write_game_result", "count_events", "go_to_first_decision", "take")
        }
        return self._compile_template(HERE / "_logged_games.py", **given)

    @cached_property
    def open_information(self) -> Any:
        """The loop of games in which some seats see hidden cards, compiled for this game."""
        look = self._compile_template(HERE / "_copy_true_state.py").copy_true_state
        given = {"advance": self.definition.engine.advance, **greedy_functions(self.greedy), "imagine": look}
        search = self._compile_search("_seeing", self._evaluate_noting, **given)
        games = self.game_loop
        given = {
            name: getattr(games, name)
            for name in ("choose", "write_game_result", "count_events", "go_to_first_decision", "take")
        }
        given |= {
            "greedy_choice": self.greedy.greedy_choice,
            "search_choice": search.search_choice,
            "copy_true_state": look,
        }
        return self._compile_template(HERE / "_games_with_open_cards.py", GREEDY=GREEDY, RANDOM=RANDOM, **given)


_kits: dict[str, Kit] = {}
_lock = threading.Lock()


def get_kit(game: Game | Definition) -> Kit:
    """The kit of a game; it is made once and kept."""
    definition = game.definition if isinstance(game, Game) else game
    with _lock:
        if definition.package not in _kits:
            _kits[definition.package] = Kit(definition)
        return _kits[definition.package]


def find_only_action(view: SeatView) -> Action | None:
    """The legal action if there is exactly one, else None. ValueError where the seat has nothing to decide."""
    if not view.legal:
        raise ValueError(f"seat {view.seat} has nothing to decide now")
    return view.game.action_names[view.legal[0]] if len(view.legal) == 1 else None


def replace_illegal_action(view: SeatView, action: int) -> int:
    """The chosen action's id; the first legal one where the choice is legal only in the redeal that the bot looked at."""
    return action if action in view.legal else view.legal[0]


def compile_kit(game: Game) -> None:
    """Compile everything that the built-in bots call from Python, by making each call once on the first decision of a game."""
    kit, view = get_kit(game), game.new(seed=1)
    seat = view.seat
    if seat is None:
        return
    sees, bot, luck = view.for_seat(seat), BOT.new(), LUCK.new()
    bot.redeals, bot.nodes, bot.playout_nodes, bot.horizon, bot.warmth = 1, 1, 1, 1, 1.0
    bot.candidates, bot.differ = 2, 1.0
    bot.own[0] = 1.0
    scratch = kit.scratch_for_view(sees)
    kit.greedy.greedy_choice(game.box, scratch, bot, luck)
    kit.search.reset_tree(scratch.search)
    kit.search.search_more_rounds(game.box, scratch, bot, luck, 1, 1)
    estimate_leads(sees, redeals=1)  # what hints ask for

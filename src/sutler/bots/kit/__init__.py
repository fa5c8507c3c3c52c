"""What the compiled bots need from Python: their settings and desks as records, and their templates made for each game."""

from __future__ import annotations

import hashlib
import inspect
import threading
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sutler.bots.kit.defaults import always_quiet, prune_nothing, want_nothing
from sutler.bots.kit.network import FAR, HIDDEN, looks_of
from sutler.bots.kit.records import (
    BOT,
    DEPTH,
    GREEDY,
    LUCK,
    MOMENTS,
    NO_NOTES,
    OWN,
    PATH,
    RANDOM,
    SEARCH,
    Numbers,
    book_record,
    desk_record,
    moment_record,
    reluctance_of,
    result_record,
    scale_of,
)
from sutler.bots.kit.win_probability import leads
from sutler.core.actions import Action
from sutler.core.bits import add, first_from
from sutler.core.definition import ENGINE, Definition
from sutler.core.engine import MOST_FORCED, STUCK
from sutler.core.events import ALL
from sutler.core.game import Game
from sutler.core.record import Record
from sutler.core.rule import rule
from sutler.core.seat import SeatView

HERE = Path(__file__).parent
BOTS = HERE.parent
CLASSIC = BOTS / "classic_greedy.py"
CLASSIC_SEARCH = BOTS / "classic_search.py"
PERSONA = BOTS / "persona.py"
JUDGE = BOTS / "judge.py"
THINKING = ("best_of", "greedy_values", "greedy_choice", "imagine", "keep_sensible", "lay_out", "weigh")


def thinking_of(greedy: Any) -> dict[str, Any]:
    """What other bots may use of a greedy one's template."""
    return {name: getattr(greedy, name) for name in THINKING}


@rule
def own_choice(box: Any, desk: Any, bot: Any, luck: Any) -> Any:
    """For tables without a bot from a file of one's own: the first legal action."""
    return first_from(desk.out.ids, 0)


@dataclass(frozen=True)
class Settings:
    """Settings that fit a BOT record; the subclass's fields are those it has."""

    kind = RANDOM
    level = ""  # under which it was made: in some games that is another bot (`bots.here`)

    def packed(self, game: Game) -> Any:
        """The record. What is measured in `evaluate`'s unit is given in parts of the game's SCALE."""
        bot = BOT.new()
        bot.kind = self.kind
        scale = scale_of(game.definition)
        for one in fields(self):
            if one.name in bot.dtype.names:
                bot[one.name] = getattr(self, one.name) * (scale if one.name in ("noise", "warmth") else 1)
        return bot


@dataclass(frozen=True)
class Compiled(Settings):
    """A bot whose decisions are a rule in its own file: `decide(box, desk, bot, luck)`, in `bot.own` its settings in order.

    The file is a template (`core.template`): it is run again for each game, with the game's rules and the greedy bot's
    among its globals, so that it plays whole games in compiled code.
    """

    kind = OWN

    @classmethod
    def file(cls) -> Path:
        """The file its class stands in."""
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
        """What its rule decides."""
        if only := only_choice(view):
            return only
        kit = kit_of(view.game)
        decided = kit.own(self.file()).decide(view.game.box, kit.desk_for(view), self.fitted(view.game), view.luck)
        return view.game.action_names[one_of(view, int(decided))]


def is_compiled(players: Sequence[Any]) -> bool:
    """Can these bots play at one table in compiled code? Not where a class decides otherwise than the rule of its kind, nor
    where two come from different files of one's own."""
    return all(_is_of_its_kind(one) for one in players) and len(own_files(players)) <= 1


def _is_of_its_kind(player: Any) -> bool:
    """Does the class that says which kind of rule decides also say how it is asked from Python, so that both do the same?"""
    made = {name: next((c for c in type(player).__mro__ if name in vars(c)), None) for name in ("kind", "choose")}
    return isinstance(player, Settings) and made["kind"] is made["choose"]


def beside(own: Path | None) -> str:
    """The variant name of a template made with a bot's own file; equal in every process, so that its machine code is
    found again.
    """
    return "" if own is None else f"_with_{own.stem}_{hashlib.sha256(str(own).encode()).hexdigest()[:12]}"


def own_files(players: Sequence[Any]) -> list[Path]:
    """The files of one's own that these bots' rules stand in."""
    return sorted({one.file() for one in players if isinstance(one, Compiled)})


def packed(players: Sequence[Any], game: Game) -> Numbers:
    """The settings of some bots, as game loops read them; where a judge is among them there is room for a net in every row.

    A net is reckoned in: two threads want rows of their own.
    """
    rows = [one.packed(game) for one in players]
    widest = max((row.dtype for row in rows), key=lambda dtype: dtype.itemsize)
    bots = np.zeros(len(players), widest)
    for bot, row in zip(bots, rows, strict=True):
        for name in row.dtype.names:
            bot[name] = row[name]
    return bots


class Kit:
    """The bots of one game: its templates, desks and rows."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.scale = scale_of(definition)
        self.reluctance = reluctance_of(definition)
        self.desks: Record = desk_record(definition)
        self.result: Record = result_record(definition)
        self.book: Record = book_record(definition)
        self.moment: Record = moment_record(definition)
        self._no_notes = (definition.NOTES or NO_NOTES).new()
        self._here = threading.local()

    # --- desks and pens ---

    def desk(self, labels: Numbers | None = None, tells: bool = True, notes_choices: bool = False) -> Any:
        """A desk to work on, for one thread.

        `tells`: what happens in its games is told, to be counted by `labels`, if there are any; how they end is told in any
        case. `notes_choices`: what bots choose is counted too.
        """
        desk = self.desks.new()
        desk.cooperative = bool(self.definition.COOPERATIVE)
        desk.reluctance[:] = self.reluctance
        desk.asked.ids[:] = self.definition.asked.ids
        desk.told.kinds = ALL if tells else len(self.definition.events.endings)
        if labels is not None:
            desk.pen.labels[:] = labels
        desk.pen.notes_choices = notes_choices
        return desk

    def desk_for(self, view: SeatView, fresh: bool = False) -> Any:
        """A desk on which a seat's decision lies: the world it was handed, and what is legal in it.

        It is this thread's, until the next decision is laid on it; or else, `fresh`, another one.
        """
        if not fresh and not hasattr(self._here, "desk"):
            self._here.desk = self.desk(tells=False)
        desk = self.desk(tells=False) if fresh else self._here.desk
        desk.world = view.world
        desk.greedy.notes = self._no_notes  # they may be of another box
        desk.out.ids[:] = 0
        for action in view.legal:
            add(desk.out.ids, action)
        return desk

    def books(self, games: int, slots: int = 0) -> tuple[Numbers, Numbers]:
        """A book for each game, and for what events name, in so many slots."""
        return np.zeros(games, self.book.dtype), np.zeros((games, slots, 2), np.int32)

    @cached_property
    def no_books(self) -> tuple[Numbers, Numbers]:
        """For games that nobody writes down."""
        return self.books(0)

    @cached_property
    def none_kept(self) -> Numbers:
        """For games whose states nobody keeps."""
        return np.zeros(0, self.definition.state.dtype)

    # --- templates ---

    @cached_property
    def glancing(self) -> Any:
        """The engine for positions that are only looked at: where the game sees two actions at once, no others are reckoned."""
        if (sees := self.definition.two_of) is None:
            return self.definition.engine
        return self._template(ENGINE, "_glancing", legal=self._template(HERE / "_peek.py", two_of=sees).glance)

    def _template(self, path: Path, variant: str = "", **more: Any) -> Any:
        return self.definition.template(path, variant, **more)

    @cached_property
    def greedy(self) -> Any:
        """The greedy bot's template for this game."""
        return self._judging("", self.definition)

    @cached_property
    def classic(self) -> Any:
        """The greedy bot's template with the game's first judgement, or with its only one."""
        old = self.definition.classic
        return self.greedy if old is None else self._judging("_classic", old)

    @cached_property
    def classic_search(self) -> dict[str, Any]:
        """The search with the game's first judgement: `search_choice`. It knows nothing of where a game's courses are best cut."""
        judge = self._noting("_classic", self.definition.classic or self.definition)
        given = {"is_quiet": always_quiet, "judge_course": judge, "advance": self.definition.engine.advance}
        return {"search_choice": self._searching("_classic", judge, **given, **thinking_of(self.classic)).search_choice}

    def _judging(self, variant: str, judge: Any) -> Any:
        """The greedy bot's template with another judgement: of the game itself, or of its first bots."""
        given = {name: getattr(judge, name, None) or prune_nothing for name in ("prune", "narrow")} | {"DEPTH": DEPTH}
        given["evaluate_noting"] = self._noting(variant, judge)
        given |= {"JUDGE": variant} if variant else {}  # machine code of its own
        return self._template(BOTS / "_greedy.py", variant, advance=self.glancing.advance, **given)

    def _noting(self, variant: str, judge: Any) -> Any:
        """The judgement, for who looks at many positions in turn: with notes where it takes any."""
        own = getattr(judge, "evaluate_noting", None)
        return own or self._template(HERE / "_incremental.py", variant, evaluate=judge.evaluate).evaluate_noting

    @cached_property
    def search(self) -> Any:
        """The searching bot's template for this game."""
        return self._searching(
            "", self._noting("", self.definition), advance=self.definition.engine.advance, **thinking_of(self.greedy)
        )

    def _searching(self, variant: str, judge: Any, **given: Any) -> Any:
        """The search's template with a judgement; `given` goes before what the game says of quiet states and courses."""
        known = self.definition
        cut = {"is_quiet": known.is_quiet or always_quiet, "judge_course": known.judge_course or judge}
        return self._template(BOTS / "_search.py", variant, **{**cut, "evaluate_noting": judge, "PATH": PATH, **given})

    @cached_property
    def judging(self) -> Any:
        """What a learned judge makes of a position, in place of the game's judgement (`kit._network_value`).

        ValueError: it can have none.
        """
        looks, known = looks_of(self.definition), self.definition
        assert known.reasons is not None  # or `looks_of` has said so
        given = {"advance": known.engine.advance, "prune": known.prune or prune_nothing, "look_at": looks.look_at}
        given |= {"PARTS": looks.parts, "INPUTS": len(looks.names), "HIDDEN": HIDDEN, "FAR": FAR}
        given["wants"] = known.personas.wants if known.personas else want_nothing
        return self._template(HERE / "_network_value.py", reckon=known.reasons.reckon, **given)

    @cached_property
    def judged(self) -> dict[str, Any]:
        """The greedy bot and the search by a judge: `judged_choice`, `judged_search`, and what other bots use of the greedy one."""
        made = self.judging
        by = {name: getattr(made, f"{name}_by") for name in ("advance", "prune", "legal", "is_midway", "redeal")}
        judge = self._template(HERE / "_incremental.py", "_judged", evaluate=made.judge).evaluate_noting
        by |= {"DEPTH": DEPTH, "narrow": prune_nothing, "evaluate_noting": judge}
        greedy = self._template(BOTS / "_greedy.py", "_judged", **by)
        thinking = thinking_of(greedy)
        ends = {"judge_course": judge, "advance": made.advance_by, "rank": made.rank_by, "score": made.score_by}
        search = self._searching("_judged", judge, **ends, **thinking)
        return {"judged_choice": greedy.greedy_choice, "judged_search": search.search_choice, **thinking}

    @cached_property
    def lessons(self) -> Any:
        """The template of games from which a judge learns."""
        games = self.games()
        thinking = {name: self.judged[name] for name in THINKING}
        given = {name: getattr(games, name) for name in ("open_game", "close_game", "take")} | thinking
        persona = self._template(PERSONA, "_judged", wants=self.judging.wants_by, **thinking)
        given |= {"judge": self.judging.judge, "persona_choice": persona.decide, "decide": self.own(JUDGE).decide}
        given |= {"INPUTS": len(looks_of(self.definition).names), "PERSONA": OWN}
        return self._template(HERE / "_training_games.py", **given)

    def own(self, file: Path) -> Any:
        """The template that a bot's own file is; `advance` and what the greedy bot knows are among its globals."""
        thinking = thinking_of(self.greedy)
        if file == CLASSIC:
            thinking = thinking_of(self.classic)
        if file == CLASSIC_SEARCH:
            thinking = self.classic_search
        if file == JUDGE:
            thinking = self.judged
        if file == PERSONA:
            theirs = self.definition.personas
            thinking = {**thinking, "wants": theirs.wants if theirs else want_nothing}
        return self._template(file, advance=self.definition.engine.advance, **thinking)

    @cached_property
    def pens(self) -> Any:
        """The template that writes down."""
        offer = self.definition.engine.offer
        return self._template(HERE / "_recorder.py", offer=offer, MOMENTS=MOMENTS, MOST_FORCED=MOST_FORCED, STUCK=STUCK)

    def games(self, own: Path | None = None) -> Any:
        """The template that plays whole games; with a bot from a file of one's own at the table, one made with it."""
        given = {name: getattr(self.pens, name) for name in ("count_told", "settle_noting", "take", "write_book")}
        given["own_choice"] = own_choice if own is None else self.own(own).decide
        return self._template(
            HERE / "_game_loop.py",
            beside(own),
            imagine=self.greedy.imagine,
            greedy_choice=self.greedy.greedy_choice,
            search_choice=self.search.search_choice,
            GREEDY=GREEDY,
            RANDOM=RANDOM,
            SEARCH=SEARCH,
            STUCK=STUCK,
            **given,
        )

    def watching(self, own: Path | None = None) -> Any:
        """The template that plays games and keeps everything of them; `own` as with `games`."""
        games = self.games(own)
        given = {name: getattr(games, name) for name in ("choose", "close_game", "count_told", "open_game", "take")}
        return self._template(HERE / "_event_log.py", beside(own), **given)

    @cached_property
    def open(self) -> Any:
        """The template of games in which some seats see what is hidden from them."""
        look = self._template(HERE / "_true_state.py").look
        given = {"advance": self.definition.engine.advance, **thinking_of(self.greedy), "imagine": look}
        search = self._searching("_seeing", self._noting("", self.definition), **given)
        games = self.games()
        given = {name: getattr(games, name) for name in ("choose", "close_game", "count_told", "open_game", "take")}
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
    """The one legal action, if there is but one. ValueError when it is not this seat's decision."""
    if not view.legal:
        raise ValueError(f"seat {view.seat} has nothing to decide now")
    return view.game.action_names[view.legal[0]] if len(view.legal) == 1 else None


def one_of(view: SeatView, action: int) -> int:
    """The choice, or the first legal action should a redeal have led astray."""
    return action if action in view.legal else view.legal[0]


def warm(game: Game) -> None:
    """Make every call that the bots make from Python once, on the first decision of a game."""
    kit, view = kit_of(game), game.new(seed=1)
    seat = view.seat
    if seat is None:
        return
    sees, bot, luck = view.for_seat(seat), BOT.new(), LUCK.new()
    bot.redeals, bot.nodes, bot.playout_nodes, bot.horizon, bot.warmth = 1, 1, 1, 1, 1.0
    bot.own[0] = 1.0
    desk = kit.desk_for(sees)
    kit.greedy.greedy_choice(game.box, desk, bot, luck)
    kit.search.plant(desk.search)
    kit.search.search_on(game.box, desk, bot, luck, 1)
    leads(sees, worlds=1)  # what hints ask for

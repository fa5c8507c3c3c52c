"""A question that a designer asks, as data: it is checked here and answered in a process of its own (`worker`).

A question has a folder with `question.json`, the edit that it is about as `change.toml`, and, when it is answered, `report.html` and the
games that were played.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sutler.bots import parse_bots
from sutler.core.files.box import parse_setting_pairs
from sutler.core.files.toml import TomlError, parse_toml
from sutler.core.play.game import Game, load
from sutler.core.play.registry import find_game_folder, load_definition
from sutler.lab.play.headline_figures import require_known_figures
from sutler.lab.play.query import Progress, Query
from sutler.lab.stats.anytime_intervals import FIRST_LOOK_GAMES
from sutler.lab.studies import goal
from sutler.lab.studies.card_value import find_cards_asked_about
from sutler.lab.studies.decision_value import find_choice_actions
from sutler.lab.studies.hidden_information import build_equal_players
from sutler.lab.studies.sensitivity import count_versions
from sutler.lab.studies.sweep import parse_range
from sutler.lab.studies.tournament import list_ladder_entrants, parse_rounds, require_competitive

Kind = Literal["play", "change", "range", "worth", "choice", "ladder", "matters", "goal", "hidden"]
COMMANDS: dict[Kind, str] = {
    "play": "simulate",
    "change": "compare",
    "range": "sweep",
    "worth": "impact",
    "choice": "impact",
    "ladder": "tournament",
    "matters": "sensitivity",
    "goal": "goal",
    "hidden": "hidden",
}
GAMES_MULTIPLIER: dict[str, int] = {"change": 2, "hidden": 6}
"""The number of versions of a game that a kind of question plays, or whose time it takes."""
REPORT_FILE, QUESTION_FILE, EDIT_FILE, GAMES_FILE = "report.html", "question.json", "change.toml", "games.parquet"


class Question(BaseModel):
    """A designer's question about a game; its kind says which other fields are used.

    `edit`: of the printed box, as TOML. `games`: of one version or table, at most. `over`: the parameter of a range, as in
    `rules.buy_price=1..8`. `cards`, `choices`: names, with commas between, of the cards or decisions whose worth is asked; all if
    empty. `turn`: numbers that change from a decision on, as in `rules.buy_price=3`. `rounds`: of the searching bots on a ladder, as in
    `5,10,20`. `settings`: of all versions, as in `offers=0 victory=10`. `bots_b`, `seats_b`: bots and seats on the second side of a
    change, where they differ. `give_up`: stop a change when no open figure can be expected to be settled. `only`: beginnings of the
    names of the numbers to vary, with commas between. `want`: the goal, as in `decisions=-20%`. `most`: the most games on a side where
    a candidate for the goal is compared.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    kind: Kind
    game: str = Field(max_length=40)
    edit: str = Field("", max_length=20_000)
    over: str = Field("", max_length=200)
    cards: str = Field("", max_length=400)
    choices: str = Field("", max_length=400)
    turn: str = Field("", max_length=400)
    rounds: str = Field("5,10,20,40", max_length=80)
    settings: str = Field("", max_length=400)
    bots: str = Field("greedy", max_length=400)
    seats: int | None = Field(None, ge=1, le=12)
    bots_b: str = Field("", max_length=400)
    seats_b: int | None = Field(None, ge=1, le=12)
    give_up: bool = False
    only: str = Field("", max_length=400)
    want: str = Field("", max_length=80)
    most: int = Field(goal.MAX_COMPARED_GAMES, ge=FIRST_LOOK_GAMES, le=200_000)
    games: int = Field(2000, ge=1, le=200_000)
    seed: int = Field(1, ge=0, le=2**40)

    @property
    def title(self) -> str:
        """The question in a few words."""
        name = load_definition(self.game).info.title
        if self.kind == "range":
            return f"{name}: {self.over}"
        if self.kind == "change":
            second = self._describe_second_side()
            return f"{name}: as it is, and with {', '.join(second)}" if second else f"{name}: what the change does"
        if self.kind == "worth":
            return f"{name}: what {', '.join(self.cards_named) or 'every card'} is worth"
        if self.kind == "choice":
            return f"{name}: what {', '.join(self.decisions) or 'every decision'} is worth"
        if self.kind == "ladder":
            return f"{name}: does thinking longer pay?"
        if self.kind == "matters":
            return f"{name}: which numbers matter?"
        if self.kind == "goal":
            return f"{name}: how to get to {self.want}"
        if self.kind == "hidden":
            return f"{name}: what does hidden information decide?"
        return f"{name}: how it plays" + (" with the change" if self.edit.strip() else "")

    def _describe_second_side(self) -> list[str]:
        """The differences of the second side from the first, a few words each; empty where only the box differs."""
        who = [self.bots_b] if self.bots_b.strip() else []
        who += [f"{self.seats_b} seats"] if self.seats_b is not None else []
        return ["the change", *who] if who and self.edit.strip() else who

    @property
    def cards_named(self) -> list[str]:
        """The names of the cards asked about; empty for all."""
        return _split_at_commas(self.cards) if self.kind == "worth" else []

    @property
    def decisions(self) -> list[str]:
        """The names of the decisions asked about; empty for all."""
        return _split_at_commas(self.choices) if self.kind == "choice" else []

    @property
    def parse_later_settings(self) -> dict[str, Any]:
        """The settings that change from a decision on, {name: value}; BoxError where the text is not KEY=VALUE."""
        return parse_setting_pairs(self.turn.split()) if self.kind == "choice" else {}

    @property
    def numbers_varied(self) -> list[str]:
        """The beginnings of the names of the numbers to vary; empty for all numbers."""
        return _split_at_commas(self.only) if self.kind in ("matters", "goal") else []

    @property
    def parse_shared_settings(self) -> dict[str, Any]:
        """The settings that all versions have, {name: value}; BoxError where the text is not KEY=VALUE."""
        return parse_setting_pairs(self.settings.split())

    def build_command_line(self) -> str:
        """The command line that answers this question."""
        words = ["sutler", COMMANDS[self.kind], self.game]
        has_edit = bool(self.edit.strip())
        if self.kind == "change":
            words += self._second_side_options()
        elif has_edit:
            words += ["--box", EDIT_FILE]
        if self.kind == "range":
            words += ["--over", self.over]
        if self.kind == "goal":
            words += ["--want", self.want, "--most", str(self.most)]
        for one in self.numbers_varied:
            words += ["--only", one]
        for one in self.cards_named:
            words += ["--card", one]
        for one in (self.decisions or ["all"]) if self.kind == "choice" else []:
            words += ["--choice", one]
        for one in self.turn.split() if self.kind == "choice" else []:
            words += ["--turned", one]
        for one in self.settings.split():
            words += ["--set", one]
        words += ["--ladder", self.rounds] if self.kind == "ladder" else ["--bots", self.bots]
        if self.seats is not None:
            words += ["--seats", str(self.seats)]
        words += ["--games", str(self.games), "--seed", str(self.seed)]
        words += ["--out", GAMES_FILE if self.kind == "play" else REPORT_FILE]
        return shlex.join(words)

    def _second_side_options(self) -> list[str]:
        """The options of the command line for the second side of a change."""
        words = ["--b", EDIT_FILE] if self.edit.strip() else []
        words += ["--bots-b", self.bots_b] if self.bots_b.strip() else []
        words += ["--seats-b", str(self.seats_b)] if self.seats_b is not None else []
        return words + (["--give-up"] if self.give_up else [])


def _split_at_commas(text: str) -> list[str]:
    """The parts of a text between commas, without blanks and without empty parts."""
    return [one.strip() for one in text.split(",") if one.strip()]


def require_askable_question(question: Question) -> None:
    """Raise ValueError where the question cannot be asked; its edit is tried on the box."""
    try:
        find_game_folder(question.game)
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    game = build_edited_game(question)
    _require_seats(game, question.bots if question.kind != "ladder" else "greedy", question.seats, question.seed)
    if question.kind == "change":
        _require_comparable_sides(question, game)
    if question.kind == "worth":
        find_cards_asked_about(game, question.cards_named)
    if question.kind == "choice":
        find_choice_actions(game, question.decisions)
        build_edited_game(question, question.parse_later_settings)
    if question.kind == "ladder":
        list_ladder_entrants(parse_rounds(question.rounds))
        require_competitive(game)
    if question.kind == "range":
        key, values = parse_range(question.over)
        for value in values:
            build_edited_game(question, {key: value})
    if question.kind in ("matters", "goal"):
        _require_variable_numbers(question, game)
    if question.kind == "hidden":
        build_equal_players(build_query(question, game))


def count_max_games(question: Question) -> int:
    """The largest number of games that the answer to a question may take, over all versions; for ladders and cards the number asked for."""
    if question.kind in ("matters", "goal"):
        game = build_printed_game(question)
        if question.kind == "goal":
            return goal.count_max_games(game, question.numbers_varied, question.games, question.most)
        return count_versions(game, question.numbers_varied) * question.games
    if question.kind == "range":
        return len(parse_range(question.over)[1]) * question.games
    return question.games * GAMES_MULTIPLIER.get(question.kind, 1)


def _require_seats(game: Game, bots: str, seats: int | None, seed: int) -> None:
    """Raise ValueError where these bots cannot fill this many seats of the game."""
    players = parse_bots(bots, files=False)
    n = len(players) if len(players) > 1 else (seats or game.best_seats)
    if seats is not None and n != seats:
        raise ValueError(f"{len(players)} bots are named for {seats} seats; name one bot, or one for each seat")
    game.blank(n, seed)


def _require_comparable_sides(question: Question, game: Game) -> None:
    """Raise ValueError where the two sides of a change are equal, games are too few, or bots do not fit the second side."""
    has_others = bool(question.bots_b.strip())
    if not question.edit.strip() and not has_others and question.seats_b is None:
        raise ValueError(
            "what changes? Write it down, only what differs from the printed box, or say who sits at the second table"
        )
    if question.games < FIRST_LOOK_GAMES:
        raise ValueError(f"a comparison wants at least {FIRST_LOOK_GAMES} games, not {question.games}")
    bots = question.bots_b if has_others else question.bots
    several = has_others and "," in bots
    seats = question.seats if question.seats_b is None and not several else question.seats_b
    _require_seats(game, bots, seats, question.seed)


def _require_variable_numbers(question: Question, game: Game) -> None:
    """Raise ValueError where numbers cannot be varied as asked, or the goal cannot be read."""
    if question.edit.strip():
        raise ValueError("it is the numbers of the printed box that are turned: leave the change out, or set options")
    if question.games < 2:
        raise ValueError(f"at least 2 games of each version, not {question.games}")
    count_versions(game, question.numbers_varied)
    if question.kind == "goal":
        figure, players = goal.parse_goal(question.want).figure, parse_bots(question.bots, files=False)
        require_known_figures(game, players, question.seats, [figure])


def build_printed_game(question: Question) -> Game:
    """The printed game with the question's settings."""
    return load(question.game, None, question.parse_shared_settings)


def build_edited_game(question: Question, settings: Mapping[str, Any] | None = None) -> Game:
    """The game with the question's edit of the printed box, its settings, and these further settings."""
    try:
        edit = parse_toml(question.edit)
    except TomlError as error:
        raise ValueError(f"the change cannot be read: {error}") from None
    return load(question.game, edit, {**question.parse_shared_settings, **(settings or {})})


def build_query(question: Question, game: Game, progress: Progress | None = None) -> Query:
    """The query for a study of this version of the game, with the question's bots. ValueError for an unknown bot."""
    bots = parse_bots(question.bots, files=False)
    return Query(game, bots, question.seats, question.games, question.seed, progress=progress)


def list_decision_kinds(name: str) -> list[str]:
    """The kinds of decisions whose worth can be asked in the game `name`."""
    return list(find_choice_actions(load(name)))


def list_drawable_cards(name: str) -> list[str]:
    """The names of the cards whose worth can be asked in the game `name`; empty where seats draw none."""
    game = load(name)
    try:
        places, _ = find_cards_asked_about(game)
    except ValueError:
        return []
    return list(dict.fromkeys(game.names[places.kind]))

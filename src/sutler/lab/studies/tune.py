"""Tuning several numbers of a box to several goals at once.

`20 % shorter, seat 1 at a quarter, and the winner's score kept` changes all named numbers together. A version's *miss* of a goal is the
distance of its figure from the wanted value, in units of the tolerated distance: 1 or less is near enough. First each number is tried by
itself at both ends of its range. Further versions are proposed by Optuna's tree-structured Parzen estimator and, every second one, by
linear regression on all that were tried before. All are screened with few games on the same seeds.

The best are screened again on other seeds and with more games, for the best of a hundred looks better than it is. Numbers whose change is
not seen to help are set back to the printed value. The first of these versions are compared with the printed game on seeds by which no
version was chosen. Only these comparisons count as answers, and they share one error.

A goal is reached where the whole interval of a comparison lies within a quarter of the wanted change around it
(`stats.three_valued_verdict.reaches`); a figure is kept where its whole interval lies within what is too small to matter.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from sutler.core.files.box import BoxError
from sutler.core.optional_imports import import_optional
from sutler.lab.box_numbers import Part
from sutler.lab.play.headline_figures import (
    Figure,
    Numbers,
    compute_game_figures,
    require_known_figures,
    select_figures,
)
from sutler.lab.play.provenance import collect_provenance, format_bots_option, list_bot_descriptions
from sutler.lab.play.query import Query
from sutler.lab.play.simulate import require_games_end, simulate
from sutler.lab.stats.estimates import Z_95, format_count_with_noun
from sutler.lab.stats.three_valued_verdict import GOAL_TOLERANCE, SHARE_MATTERS, Verdict, combine_all, judge_within
from sutler.lab.studies.compare import (
    ALPHA,
    SMALLEST_EFFECT_SD,
    Certainty,
    Comparison,
    Effect,
    compare,
    format_effect_interval,
)
from sutler.lab.studies.goal import (
    COMPARISON_SEED_OFFSET,
    describe_distance,
    describe_other_figures,
    estimate_games_to_decide,
    judge_reached,
    parse_goal,
)
from sutler.lab.studies.sensitivity import clip_to_bounds, compute_paired_effect, find_numbers_to_vary
from sutler.lab.studies.sweep import parse_range

VERSIONS = 100  # the number of versions that are screened
SCREENING_GAMES = 200  # of each version
AGAIN_TIMES = 4  # factor of the games of a version that is screened again, and of the printed game
VERSIONS_AGAIN = 8
MAX_COMPARED_GAMES = 8000  # on each side, where a version is compared
VERSIONS_COMPARED = 2
SPAN_SHARE = 0.5  # the default range of a number is so large a part of it up and down
MAX_TUNED = 12  # the most numbers tuned together
AGAIN_SEED_OFFSET = 500_000  # added to the seeds for the second screening
LINE_GUESSES = 4000  # random versions of which the best by linear regression is proposed
RIDGE = 0.5  # of the regression, counted in versions at the end of a number's range
TURNED_COST = 0.05  # added to the predicted miss for each number that is changed
MISS_CAP = 8.0  # larger misses are counted as this one

Edit = Mapping[str, int]
Key = tuple[tuple[str, int], ...]
Play = Callable[[Edit, int, int], Mapping[Figure, Numbers]]
"""A function (edit, games, first seed) to the figures of that version's games. BoxError or ValueError where the box refuses the edit."""
Confirm = Callable[[Edit, float], Comparison]
"""A function (edit, alpha) to the comparison of the printed game with that version, with an error of alpha."""


@dataclass(frozen=True)
class Effort:
    """How much is played: games of each version screened, versions screened, versions compared; and the first seed."""

    games: int = SCREENING_GAMES
    versions: int = VERSIONS
    compared: int = VERSIONS_COMPARED
    seed: int = 1


@dataclass(frozen=True)
class Tuned:
    """A number of the box and the values that it may take, in ascending order."""

    part: Part
    values: tuple[int, ...]


@dataclass(frozen=True)
class Wish:
    """A goal of a tuning: the wanted change of a figure (0: keep it), and the tolerated distance from the goal."""

    figure: Figure
    change: float
    near: float

    @property
    def is_kept(self) -> bool:
        """Must the figure stay unchanged?"""
        return self.change == 0

    @property
    def label(self) -> str:
        """The goal in words."""
        return f"{self.figure.label} {'kept' if self.is_kept else self.figure.format_value(self.change, signed=True)}"

    def compute_miss(self, effect: float, half_width: float = 0.0) -> float:
        """The distance of an effect from the wanted change, in units of the tolerated distance, at most MISS_CAP.

        `half_width`: half the effect's interval, which widens the unit where the effect is little known.
        """
        return min(MISS_CAP, abs(effect - self.change) / math.hypot(self.near, half_width / 2))

    def judge_reached(self, mine: Effect) -> Verdict:
        """Does a compared version, with this effect on the figure, reach the goal?"""
        if not self.is_kept:
            return judge_reached(mine, self.change)
        return judge_within(mine.low, mine.high, mine.near) if mine.differ else mine.moved

    def describe_effect(self, mine: Effect, found: Comparison) -> str:
        """The effect of a compared version in words, with its interval and with whether the goal is reached."""
        said = f"{mine.label} {mine.figure.format_value(mine.effect, signed=True)} ({format_effect_interval(mine)})"
        if not self.is_kept:
            return f"{said} {describe_distance(mine, self.change, found, advise=False)}"
        verdict = self.judge_reached(mine)
        if verdict is Verdict.NOT_ENOUGH:
            return f"{said}: whether it is kept is open"
        return f"{said} is kept" if verdict is Verdict.YES else f"{said} is not kept"


@dataclass(frozen=True)
class Version:
    """A version that was screened: its numbers, and its effect on each goal's figure as (difference, half its interval at 95 %)."""

    edit: Edit
    effects: tuple[tuple[float, float], ...]
    misses: tuple[float, ...]
    games: int

    @property
    def root_mean_square_miss(self) -> float:
        """The root mean square of the misses, which the search minimises."""
        return math.sqrt(sum(one * one for one in self.misses) / len(self.misses))

    def is_beaten_by(self, other: Version) -> bool:
        """Is the version `other` nearer to some goal than this one, and no further from any other goal?"""
        pairs = list(zip(other.misses, self.misses, strict=True))
        return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


@dataclass(frozen=True)
class Tuning:
    """The answer so far: goals, numbers, versions screened, the best of them screened again, and their comparisons."""

    wishes: tuple[Wish, ...]
    numbers: tuple[Tuned, ...]
    versions: tuple[Version, ...]
    again: tuple[Version, ...] = ()
    compared: tuple[tuple[Version, Comparison], ...] = ()
    refused: int = 0
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def list_undominated(self) -> list[Version]:
        """The screened versions that no other version beats in every goal."""
        return [one for one in self.versions if not any(one.is_beaten_by(other) for other in self.versions)]

    def format_edit(self, edit: Edit) -> str:
        """A version in words: `victory 15 → 12 with rules.buy_price 3 → 4`."""
        printed = {one.part.name: one.part.value for one in self.numbers}
        return _join_with_and([f"{name} {printed[name]} → {value}" for name, value in edit.items()] or ["as printed"])

    def list_goal_effects(self, found: Comparison) -> list[tuple[Wish, Effect]]:
        """Each goal with the compared version's effect on its figure."""
        by_name = {one.figure.name: one for one in found.effects}
        return [(one, by_name[one.figure.name]) for one in self.wishes]

    def judge_all_reached(self, found: Comparison) -> Verdict:
        """Does a compared version reach every goal?"""
        return combine_all(*(wish.judge_reached(mine) for wish, mine in self.list_goal_effects(found)))

    def find_best(self) -> tuple[Version, Comparison] | None:
        """The compared version that surely misses the fewest goals, and of several such the one that reaches most; None before any."""

        def order(one: tuple[Version, Comparison]) -> tuple[int, int]:
            verdicts = [wish.judge_reached(mine) for wish, mine in self.list_goal_effects(one[1])]
            return verdicts.count(Verdict.NO), -verdicts.count(Verdict.YES)

        return min(self.compared, key=order, default=None)

    def describe_result(self, found: Comparison) -> str:
        """The result of a comparison in words: how many goals are reached, each of them, and which other figures move."""
        pairs = self.list_goal_effects(found)
        n, yes = len(pairs), sum(wish.judge_reached(mine) is Verdict.YES for wish, mine in pairs)
        all_granted = self.judge_all_reached(found) is Verdict.YES
        goals = "the goal" if n == 1 else f"all {n} goals"
        first = f"reaches {goals}" if all_granted else f"surely reaches {yes} of {format_count_with_noun(n, 'goal')}"
        told = "; ".join(wish.describe_effect(mine, found) for wish, mine in pairs)
        wished = {wish.figure.name for wish, _ in pairs}
        rest = [one for one in found.effects if not any(one.figure.name.startswith(name) for name in wished)]
        return f"{first}, {found.games:,} games a side {found.who}: {told}{describe_other_figures(rest)}"

    def answer(self) -> str:
        """Sentences on what was wanted, what was tried, what the best version surely does, and the next command."""
        wanted = f"Wanted: {_join_with_and([one.label for one in self.wishes])}."
        tried = f"{format_count_with_noun(len(self.versions), 'version')} of {format_count_with_noun(len(self.numbers), 'number')} screened"
        best = self.find_best()
        if best is None:
            return f"{wanted} {tried}{self._describe_why_none_compared()}."
        version, found = best
        tried += f", {format_count_with_noun(len(self.compared), 'version')} compared on fresh seeds."
        return f"{wanted} {tried} {self.format_edit(version.edit)} {self.describe_result(found)}. " + (
            self._describe_next_command(version, found)
        )

    def _describe_why_none_compared(self) -> str:
        """The end of the sentence that says why no version was compared."""
        if self.again:
            return (
                "; on other seeds the best of them came no nearer than the game as printed. Try other numbers, or wider ranges of these "
                f"(sutler sensitivity {self.about.get('game', 'GAME')} says which move what)"
            )
        return "; none has been compared yet"

    def _describe_next_command(self, version: Version, found: Comparison) -> str:
        """A sentence with the next command: more games where something is open, other bots where all goals are reached."""
        verdict, command = self.judge_all_reached(found), self.build_command(version)
        bots = f"--bots {self.about.get('typed', 'greedy')}"
        if verdict is Verdict.YES:
            return f"Do other bots see it? {command} --bots search:rounds=20 --games 1000"
        if verdict is Verdict.NOT_ENOUGH:
            open_ = [(w, m) for w, m in self.list_goal_effects(found) if w.judge_reached(m) is Verdict.NOT_ENOUGH]
            games = max(estimate_games_to_decide(mine, wish.change, wish.near, found) for wish, mine in open_)
            about = " ".join(f"--about {wish.figure.name}" for wish, _ in open_)
            return f"To know: {command} {bots} {about} --games {games}"
        return (
            f"Wider ranges, or other numbers, may do more: sutler sensitivity {self.about.get('game', 'GAME')} {bots}"
        )

    def build_command(self, version: Version) -> str:
        """The command that compares a version with the printed game on new seeds; without the options for bots and games."""
        own = {**self.about.get("settings", {}), **self.about.get("options", {})}
        words = ["sutler", "compare", str(self.about.get("game", "GAME"))]
        words += [word for key, value in own.items() for word in ("--set", f"{key}={value}")]
        words += [word for key, value in version.edit.items() for word in ("--b", f"{key}={value}")]
        words += ["--seats", str(self.about["seats"])] if "seats" in self.about else []
        return shlex.join([*words, "--seed", str(int(self.about.get("seed", 1)) + 2 * COMPARISON_SEED_OFFSET)])


def _join_with_and(words: Sequence[str]) -> str:
    """The words with commas between, and "and" before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def parse_tuned_numbers(query: Query, texts: Sequence[str]) -> list[Tuned]:
    """The numbers to tune, from texts such as `rules.buy_price=1..5`, or beginnings of names without a range.

    Without a range a number may change by half its printed value up and down. ValueError for an unknown name, or too many numbers.
    """
    if not texts:
        raise ValueError("which numbers? Name them with --over, such as --over rules.buy_price=1..5 or --over rules")
    game = query.version
    found: dict[str, Tuned] = {}
    for one in texts:
        key, values = parse_range(one) if "=" in one else (one.strip(), [])
        parts = find_numbers_to_vary(game, [key])
        exact = [part for part in parts if part.name.casefold() == key.casefold()]
        if values and not exact:
            raise ValueError(f"{game.name} has no number {key!r}; sutler box show {game.name} lists them")
        for part in exact or parts:
            may = sorted({int(value) for value in values}) if values else _list_default_values(part)
            found[part.name] = Tuned(part, tuple(sorted({*may, int(part.value)})))
    chosen = [one for one in found.values() if len(one.values) > 1]
    if not chosen:
        raise ValueError(f"{', '.join(texts)}: no number here has more than one value")
    if len(chosen) > MAX_TUNED:
        names = ", ".join(one.part.name for one in chosen[:3])
        raise ValueError(
            f"{len(chosen)} numbers are too many to tune together; name at most {MAX_TUNED}, such as {names}"
        )
    return chosen


def _list_default_values(part: Part) -> list[int]:
    """The values within half of the printed number below and above it, at least 1 each way, within the number's bounds."""
    now = int(part.value)
    far = max(1, round(abs(now) * SPAN_SHARE))
    low = now - far if part.low is None else max(part.low, now - far)
    high = now + far if part.high is None else min(part.high, now + far)
    return list(range(low, high + 1))


def build_wishes(printed: Mapping[Figure, Numbers], want: Sequence[str], keep: Sequence[str]) -> list[Wish]:
    """The goals of a tuning: a change for each text of `want` ("turns=12"), none for each figure named in `keep`.

    `printed`: the printed game's figures with their values in each game. ValueError for a text that cannot be read, or that asks for what
    the printed game has already.
    """
    found = []
    for goal in map(parse_goal, want):
        (figure,) = select_figures(dict(printed), [goal.figure])
        (games,) = clip_to_bounds(figure, printed[figure])
        change = goal.compute_needed_change(float(games.mean()))
        if change == 0:
            raise ValueError(
                f"{figure.label} is {figure.format_value(goal.n)} as it is; to leave it so: --keep {figure.name}"
            )
        found.append(Wish(figure, change, GOAL_TOLERANCE * abs(change)))
    for name in keep:
        (figure,) = select_figures(dict(printed), [name])
        near = SHARE_MATTERS if figure.share else SMALLEST_EFFECT_SD * float(printed[figure].std())
        found.append(Wish(figure, 0.0, near or 1e-9))
    return found


def build_edit_key(edit: Edit) -> Key:
    """An edit as a hashable key."""
    return tuple(sorted(edit.items()))


# --- Screening --------------------------------------------------------------------


class Screening:
    """Plays versions and compares them with the printed game on the same seeds; each version is played once."""

    def __init__(
        self, wishes: Sequence[Wish], play: Play, games: int, seed: int, printed: Mapping[Figure, Numbers]
    ) -> None:
        self.wishes, self.play, self.games, self.seed = wishes, play, games, seed
        self.printed = printed
        self.known: dict[Key, Version | None] = {}

    def screen_version(self, edit: Edit) -> Version | None:
        """A version with its effects; None where the box refuses it, or a figure is missing in its games."""
        key = build_edit_key(edit)
        if key not in self.known:
            self.known[key] = self._play_version(edit)
        return self.known[key]

    def _play_version(self, edit: Edit) -> Version | None:
        """Play a version, without the cache."""
        try:
            found = self.play(edit, self.games, self.seed) if edit else self.printed
        except (BoxError, ValueError):
            return None
        if any(wish.figure not in found for wish in self.wishes):
            return None
        n = self.games
        effects = tuple(
            compute_paired_effect(wish.figure, self.printed[wish.figure][:n], found[wish.figure][:n], Z_95)
            for wish in self.wishes
        )
        misses = tuple(wish.compute_miss(*effect) for wish, effect in zip(self.wishes, effects, strict=True))
        return Version(edit, effects, misses, n)

    def misses_goal_by_more(self, version: Version, than: Version) -> bool:
        """Is `version` further from some goal than the version `than`, by more than half of its own interval?"""
        return any(
            abs(e - wish.change) - abs(other - wish.change) > half
            for wish, (e, half), (other, _) in zip(self.wishes, version.effects, than.effects, strict=True)
        )


def import_optuna() -> Any:
    """The module optuna with its messages switched off; Missing, with how to install it, where it is not installed."""
    optuna: Any = import_optional("optuna", "tune")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


def propose_and_screen(
    numbers: Sequence[Tuned], screened: Screening, versions: int, seed: int
) -> Iterator[list[Version]]:
    """Propose and screen versions; yields all screened so far after each: first each number at its ends, then others."""
    optuna = import_optuna()
    spaces = {one.part.name: optuna.distributions.IntDistribution(0, len(one.values) - 1) for one in numbers}
    sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=2 * len(numbers) + 2, multivariate=True)
    study = optuna.create_study(sampler=sampler)
    printed = {one.part.name: one.values.index(int(one.part.value)) for one in numbers}
    study.enqueue_trial(printed)
    for one in numbers:
        for end in (0, len(one.values) - 1):
            study.enqueue_trial({**printed, one.part.name: end}, skip_if_exists=True)
    luck = np.random.default_rng(seed)
    found: dict[Key, Version] = {}
    for k in range(4 * versions):  # a version proposed before is reported to Optuna again, and not played
        if k % 2 and len(found) >= 4 * len(numbers):
            study.enqueue_trial(predict_best_by_regression(numbers, screened.wishes, list(found.values()), luck))
        trial = study.ask(spaces)
        edit = build_edit(numbers, trial.params)
        version = screened.screen_version(edit)
        if version is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
            continue
        study.tell(trial, version.root_mean_square_miss)
        if edit and build_edit_key(edit) not in found:
            found[build_edit_key(edit)] = version
            yield list(found.values())
        if len(found) >= versions:
            return


def predict_best_by_regression(
    numbers: Sequence[Tuned], wishes: Sequence[Wish], versions: Sequence[Version], luck: np.random.Generator
) -> dict[str, int]:
    """For each number, the index of its value in the unscreened version that linear regression predicts to be best.

    Each number is taken to move each figure by an equal amount per step, by least squares with a ridge. Of LINE_GUESSES random versions,
    the one is chosen with the smallest predicted miss, where each changed number costs TURNED_COST. `luck`: a source of random numbers.
    """
    printed = np.array([int(one.part.value) for one in numbers])
    scale = np.array([max(abs(value - int(one.part.value)) for value in one.values) for one in numbers])
    names = [one.part.name for one in numbers]
    x = np.array([[v.edit.get(name, now) for name, now in zip(names, printed, strict=True)] for v in versions])
    x = (x - printed) / scale
    y = np.array([[effect / wish.near for wish, (effect, _) in zip(wishes, v.effects, strict=True)] for v in versions])
    slopes = np.linalg.solve(x.T @ x + RIDGE * np.eye(len(names)), x.T @ y)
    places = np.stack([luck.integers(0, len(one.values), LINE_GUESSES) for one in numbers], axis=1)
    keep = luck.random(places.shape) < luck.random(
        (LINE_GUESSES, 1)
    )  # printed values, so that some versions change few numbers
    at_print = np.array([one.values.index(int(one.part.value)) for one in numbers])
    places = np.where(keep, at_print, places)
    values = np.stack([np.array(one.values)[places[:, k]] for k, one in enumerate(numbers)], axis=1)
    misses = ((values - printed) / scale) @ slopes - np.array([wish.change / wish.near for wish in wishes])
    cost = np.sqrt((np.minimum(np.abs(misses), MISS_CAP) ** 2).mean(axis=1)) + TURNED_COST * (values != printed).sum(
        axis=1
    )
    screened = {build_edit_key(v.edit) for v in versions} | {()}
    for k in np.argsort(cost, kind="stable"):
        chosen = {name: int(place) for name, place in zip(names, places[k], strict=True)}
        if build_edit_key(build_edit(numbers, chosen)) not in screened:
            return chosen
    return dict(zip(names, map(int, places[0]), strict=True))


def build_edit(numbers: Sequence[Tuned], value_indexes: Mapping[str, int]) -> dict[str, int]:
    """The edit in which each number has the value with this index; numbers with their printed value are left out."""
    chosen = {one.part.name: one.values[value_indexes[one.part.name]] for one in numbers}
    return {one.part.name: chosen[one.part.name] for one in numbers if chosen[one.part.name] != int(one.part.value)}


def drop_useless_numbers(version: Version, screened: Screening) -> Version:
    """A copy of the version without those numbers whose change does not bring it nearer to the goals, on the same games."""
    best = version
    for name in version.edit:
        less = screened.screen_version({key: value for key, value in best.edit.items() if key != name})
        if less is not None and not screened.misses_goal_by_more(less, version):
            best = less
    return best


def iter_rescreened(versions: Sequence[Version], screened: Screening) -> Iterator[Version]:
    """Yield the best versions, the best first, each screened again without the numbers that do not help."""
    first = sorted(versions, key=lambda one: one.root_mean_square_miss)[:VERSIONS_AGAIN]
    second = [found for one in first if (found := screened.screen_version(one.edit)) is not None]
    second.sort(key=lambda one: one.root_mean_square_miss)
    seen: set[Key] = set()
    for one in second:
        kept = drop_useless_numbers(one, screened)
        key = build_edit_key(kept.edit)
        if kept.edit and key not in seen:
            seen.add(key)
            yield kept


def search_versions(
    numbers: Sequence[Tuned],
    wishes: Sequence[Wish],
    play: Play,
    confirm: Confirm,
    printed: Mapping[Figure, Numbers],
    search_effort: Effort,
    about: Mapping[str, Any] | None = None,
) -> Iterator[Tuning]:
    """Yield the answer after each version that is screened, then after each comparison.

    `printed`: the figures of the printed game, from the first seed on. `play` and `confirm` are arguments so that tests can plant a truth.
    """
    games, seed = search_effort.games, search_effort.seed
    first = Screening(wishes, play, games, seed, printed)
    found = Tuning(tuple(wishes), tuple(numbers), (), about=about or {})
    for so_far in propose_and_screen(numbers, first, search_effort.versions, seed):
        refused = sum(one is None for one in first.known.values())
        found = replace(found, versions=tuple(so_far), refused=refused)
        yield found
    more = AGAIN_TIMES * games
    second = Screening(wishes, play, more, seed + AGAIN_SEED_OFFSET, play({}, more, seed + AGAIN_SEED_OFFSET))
    chosen: list[Version] = []
    for one in iter_rescreened(found.versions, second):
        chosen.append(one)
        found = replace(found, again=tuple(chosen))
        yield found
        if len(chosen) >= search_effort.compared:
            break
    for one in chosen:
        found = replace(found, compared=(*found.compared, (one, confirm(one.edit, ALPHA / len(chosen)))))
        yield found


def require_tunable_numbers(
    query: Query, want: Sequence[str], over: Sequence[str], keep: Sequence[str] = ()
) -> list[Tuned]:
    """The numbers to tune; ValueError, before any game is played, where the question cannot be asked."""
    import_optuna()
    if not want:
        raise ValueError("what is wanted? Say it with --want, such as --want decisions=-20%")
    names = [*(parse_goal(one).figure for one in want), *keep]
    require_known_figures(query.version, query.bots, query.seats, names)
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"{twice[0]} is wanted twice")
    return parse_tuned_numbers(query, over)


def tune(
    query: str | Query,
    want: Sequence[str],
    over: Sequence[str],
    keep: Sequence[str] = (),
    versions: int = VERSIONS,
    most: int = MAX_COMPARED_GAMES,
    confirm: int = VERSIONS_COMPARED,
) -> Iterator[Tuning]:
    """Yield the answer so far, in the end the whole one. `query.games`: games of each version screened.

    `want`, `keep`, `over`: texts for goals, figures to keep, and numbers; `versions`: how many are screened; `most`: the most games on a
    side of a comparison; `confirm`: how many versions are compared.
    """
    query = Query.from_game(query)
    games, numbers = query.get_games_or(SCREENING_GAMES), require_tunable_numbers(query, want, over, keep)
    n = None if len(query.bots) > 1 else query.n_seats
    played = 0
    ahead = (1 + AGAIN_TIMES + versions + 2 * AGAIN_TIMES * VERSIONS_AGAIN) * games + 2 * most * confirm

    def play(edit: Edit, many: int, seed: int) -> Mapping[Figure, Numbers]:
        nonlocal played
        game = query.load_edited_game(edit) if edit else query.version
        require_games_end(game, query.bots, query.seats, seed)
        table = simulate(game, query.bots, many, seed, threads=query.threads, seats=n)
        played += many
        query.report_progress(played, max(ahead, played))
        return compute_game_figures(game.definition, table)

    def compare_version(edit: Edit, alpha: float) -> Comparison:
        nonlocal played
        before = played

        def report_games_done(done: int, _: int) -> None:
            query.report_progress(before + 2 * done, max(ahead, before + 2 * done))

        elsewhere = replace(
            query, seats=n, games=most, seed=query.seed + COMPARISON_SEED_OFFSET, progress=report_games_done
        )
        answer = compare(elsewhere, query.load_edited_game(edit), certainty=Certainty(alpha))
        played += 2 * answer.games
        return answer

    printed = play({}, AGAIN_TIMES * games, query.seed)
    wishes = build_wishes(printed, want, keep)
    about = collect_provenance(query.version) | {
        "title": query.version.title,
        "bots": list_bot_descriptions(query.bots, query.version),
        "typed": format_bots_option(query.bots),
        "seats": query.n_seats,
        "seed": query.seed,
        "games": games,
    }
    yield from search_versions(
        numbers, wishes, play, compare_version, printed, Effort(games, versions, confirm, query.seed), about
    )
    query.report_progress(played, played)

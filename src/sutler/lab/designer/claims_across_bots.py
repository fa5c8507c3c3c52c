"""Comparing claims between bots: does the answer to a designer's question hold in games between other bots?

A game's sheet of questions names a ladder of bots. Each claim is measured in their games as well, and `lab.studies.claim_verdicts` compares
the values: the claim holds, is on the same side only, depends on the bot, or there are too few games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from sutler.bots import Bot, bot_from
from sutler.lab.designer.declared_questions import ONE_BOT_VERDICT, QuestionContext, Sheet
from sutler.lab.play.bot_groups import Group, format_bot_names
from sutler.lab.play.event_logs import LoggedGames, LogSettings, play_and_log
from sutler.lab.play.headline_figures import Figure, compute_game_figures
from sutler.lab.play.simulate import Progress
from sutler.lab.stats.estimates import format_count_with_noun
from sutler.lab.studies.claim_verdicts import (
    DEPENDS_VERDICT,
    HOLDS_VERDICT,
    SIDE_ONLY_VERDICT,
    SIDE_VERDICT,
    TOO_FEW_VERDICT,
    Claim,
    Evidence,
    JudgedClaim,
    Level,
    describe_shared_evaluation,
    judge_claims,
)
from sutler.lab.studies.robustness import build_rung, compute_even_shares

LADDER_GAMES_DIVISOR = 4
"""Each bot of the ladder plays the games asked for divided by this number."""
MAX_FIGURES_NAMED = 5
"""The most figures that are named for one verdict."""
NOTHING: Mapping[Figure, Evidence] = {}

Reading = Callable[[LoggedGames], Mapping[Figure, Evidence]]
"""A function that computes evidence, by figure, from logged games."""


def build_ladder_groups(
    sheet: Sheet,
    logged: LoggedGames,
    bots: Sequence[Bot],
    games: int,
    seed: int,
    make_progress: Callable[[str], Progress],
) -> list[Group]:
    """A group of games for each bot of the sheet's ladder but the query's bot; none where several bots sit at the table.

    `logged`: the logged games of the query's bot (`bots`), `games` games from `seed` on; `make_progress(what)`: makes a progress
    callback.
    """
    if len(bots) != 1:
        return []
    seats = sum(name.startswith("place_") for name in logged.table.columns)
    found = []
    for bot in map(bot_from, sheet.ladder):
        name = format_bot_names([bot])
        if name != format_bot_names(bots):
            found.append(_build_group(bot, logged, (seats, games, seed), sheet.opens, make_progress(f"between {name}")))
    return found


def _build_group(
    bot: Bot, first: LoggedGames, table: tuple[int, int, int], opening_event: str, progress: Progress
) -> Group:
    """A group of games of one bot of the ladder, played at the version of the logged games `first`.

    `table`: (seats, games asked for, seed); `opening_event`: the event that opens a part of the game; `progress`: called as games are
    done.
    """
    seats, games, seed = table

    def get_logged_games() -> LoggedGames:
        return play_and_log(
            first.game, [bot], seats, group.count_games_to_play(games), seed, LogSettings(opening_event), progress
        )

    group = Group([bot], get_logged_games, seed, progress, LADDER_GAMES_DIVISOR)
    return group


@dataclass(frozen=True)
class HeldClaims:
    """Claims about a game, each with evidence from every group of games, and the verdict whether it holds for all of them.

    The first group's games are those of the query's bots.
    """

    lines: list[JudgedClaim]
    bots: list[str]
    games: list[int]
    """The number of games of each group."""
    z: float
    """The half width of every interval of the question, in standard errors of a normal mean."""
    alone: list[JudgedClaim] = field(default_factory=list)
    """Claims about the first group only, which are not compared."""
    unable: Sequence[str] = ()
    """The names of the ladder's bots that cannot play a version that the question needs."""

    @property
    def is_held(self) -> bool:
        """Were the claims compared with games between other bots?"""
        return len(self.bots) > 1

    @property
    def verdict(self) -> str:
        """The verdicts in one text: which claims hold, which depend on the bot, and for which there are too few games."""
        return summarize_claims_by_verdict(self.lines) if self.is_held and self.lines else ONE_BOT_VERDICT

    def describe_other_bots(self, game: str) -> str:
        """The other bots and the number of their games, in words. `game`: the word for one game."""
        unable = f"; {' and '.join(self.unable)} learned another box and was not asked" if self.unable else ""
        if not self.is_held:
            return unable
        eye = f". {shared[:-1]}" if (shared := describe_shared_evaluation(self.bots)) else ""
        return f"; held against {format_count_with_noun(self.games[1], game)} between each of: {', '.join(self.bots[1:])}{unable}{eye}"

    @property
    def extreme_game_remarks(self) -> list[str]:
        """Sentences about means that depend on a few extreme games."""
        return [one.beyond for one in [*self.lines, *self.alone] if one.beyond]


def summarize_claims_by_verdict(claims: Sequence[JudgedClaim]) -> str:
    """One text about several judged claims: each verdict that occurs, with the figures it was given for (of many, their number)."""
    order = (HOLDS_VERDICT, SIDE_VERDICT, SIDE_ONLY_VERDICT, DEPENDS_VERDICT, TOO_FEW_VERDICT)
    kinds = {kind: [_name_figure(one.figure) for one in claims if one.verdict == kind] for kind in order}
    told = {kind: labels for kind, labels in kinds.items() if labels}
    if len(told) == 1:
        return next(iter(told))
    if len(claims) <= MAX_FIGURES_NAMED:
        return "; ".join(f"{kind}: {', '.join(labels)}" for kind, labels in told.items())
    held, sized, sided, turned, few = kinds.values()
    said = [f"{len(held)} {'holds' if len(held) == 1 else 'hold'}"] if held else []
    said += [
        f"{kind}: {_list_first_names(labels)}"
        for kind, labels in ((SIDE_VERDICT, sized), (DEPENDS_VERDICT, turned))
        if labels
    ]
    said += [
        f"{kind} ({len(labels)})" for kind, labels in ((SIDE_ONLY_VERDICT, sided), (TOO_FEW_VERDICT, few)) if labels
    ]
    return "; ".join(said)


def _name_figure(figure: Figure) -> str:
    """The name of a figure in a list, with its part in quotes: ending “by ruin”.

    A name that `label_figure` has put behind a part keeps its colon.
    """
    return figure.label if ": " in figure.name else figure.sentence_label


def join_with_verdicts(claims: Sequence[tuple[str, str]]) -> str:
    """The texts about some claims, joined by semicolons, each with its verdict between other bots.

    A verdict that all claims share stands once, at the end. `claims`: (text, verdict) of each; a verdict is empty where no other bots
    were asked.
    """
    verdicts = {verdict for _, verdict in claims}
    if len(verdicts) > 1:
        return "; ".join(f"{text}, between other bots: {verdict}" for text, verdict in claims)
    told = "; ".join(text for text, _ in claims)
    return f"{told}; between other bots: {verdict}" if (verdict := "".join(verdicts)) else told


def _list_first_names(labels: Sequence[str]) -> str:
    """The first MAX_FIGURES_NAMED of these names, and the number of the others, in words."""
    more = len(labels) - MAX_FIGURES_NAMED
    return ", ".join(labels[:MAX_FIGURES_NAMED]) + (f" and {more} more" if more > 0 else "")


def judge_claims_across_bots(
    context: QuestionContext,
    evidence: Sequence[Mapping[Figure, Evidence]],
    games: Sequence[int],
    even_shares: Sequence[Mapping[str, float]] = (),
    smallest: float = 0.0,
    first_group_only: Mapping[Figure, Evidence] = NOTHING,
) -> HeldClaims:
    """Judge each claim about the first group of bots' games by comparing its figures with every other group's; returns the verdicts.

    `evidence`: for each group, what its games say about each figure; `games`: each group's number of games; `even_shares`: for each
    group, the share that would be even, by the figure's name; `smallest`: differences up to this size do not count; `first_group_only`:
    further evidence of the first group, which is judged alone.
    """
    shared = [one for one in evidence[0] if all(one in other for other in evidence)]
    claims = [
        Claim(
            one,
            [of[one] for of in evidence],
            tuple(of[one.name] for of in even_shares) if even_shares and one.name in even_shares[0] else None,
            smallest,
        )
        for one in shared
    ]
    lines, z = judge_claims([*claims, *(Claim(one, [seen]) for one, seen in first_group_only.items())])
    return HeldClaims(
        lines[: len(claims)], [one.name for one in context.groups], list(games), z, lines[len(claims) :], context.unable
    )


def judge_logged_games(
    context: QuestionContext,
    read: Reading,
    even: bool = False,
    least: float = 0.0,
    alone: Mapping[Figure, Evidence] = NOTHING,
) -> HeldClaims:
    """A verdict on each claim about the first group's logged games, compared with those of every other group.

    `read`: a function that computes the evidence from one group's games; `even`: are shares of seats and roles compared with their even
    shares? `least`: differences up to this size do not count; `alone`: further evidence of the first group, which is judged without the
    others.
    """
    watched = [one.watched for one in context.groups]
    evens_of = [compute_even_shares_won(context, one.table) for one in watched] if even else ()
    return judge_claims_across_bots(
        context, [read(one) for one in watched], [one.games for one in watched], evens_of, least, alone
    )


def compute_even_shares_won(context: QuestionContext, table: pl.DataFrame) -> dict[str, float]:
    """The even share of wins of each seat and each role, by the figure's name: its part of the games that somebody wins."""
    nobody = [
        v for one, v in compute_game_figures(context.watched.game.definition, table).items() if one.name == "nobody"
    ]
    somebody = 1.0 - float(nobody[0].mean()) if nobody else 1.0
    return {name: part * somebody for name, part in compute_even_shares(table).items()}


def build_headline_evidence(
    context: QuestionContext, table: pl.DataFrame, prefixes: Sequence[str]
) -> dict[Figure, Evidence]:
    """The evidence from a table of games for each headline figure whose name begins with one of `prefixes`.

    ValueError where no figure does.
    """
    every = build_rung(context.watched.game.definition, table, "").figures
    found = {one: Level(values, one.share) for one, values in every.items() if one.name.startswith(tuple(prefixes))}
    if not found:
        seats = sum(name.startswith("place_") for name in table.columns)
        raise ValueError(f"games at {format_count_with_noun(seats, 'seat')} have no figure {' or '.join(prefixes)}")
    return found  # type: ignore[return-value]


def describe_logged_games(context: QuestionContext) -> str:
    """The number of logged games, their seats and their bots, in words."""
    games, seats = (
        format_count_with_noun(context.watched.games, context.sheet.game),
        format_count_with_noun(context.query.n_seats, "seat"),
    )
    return f"{games} at {seats} between {format_bot_names(context.query.bots)}"

"""`sutler impact`: measure what a card or a decision is worth, by playing on with and without it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box as boxes
from rich.table import Table

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, parse_settings
from sutler.cli.options import Figures, FirstSeed, GameName, PlayersAndBox, command
from sutler.cli.output_file import require_writable_out, write_answer
from sutler.cli.progress import Bar
from sutler.cli.study_preparation import prepare_study

if TYPE_CHECKING:
    from sutler.lab.play.query import Query
    from sutler.lab.studies.card_value import Impact
    from sutler.lab.studies.decision_value import Choices


CARDS_SHOWN = 10  # of the best, and of the worst


@dataclass(frozen=True)
class Decision:
    """The options for asking about a decision instead of the draw of a card."""

    choice: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A decision instead of a draw: a kind of action (attack), or what its name begins with (place Wheat); "
            "'draft/*' asks about each action of a kind by itself, 'all' about every kind, '?' names the kinds; again for more. "
            "Where a game has no deck this is what is asked.",
        ),
    ] = None
    turned: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="With --choice: and with this number, such as a cost, from then on."),
    ] = None


@command
def impact_command(
    game: GameName,
    card: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this card (again for more); all if left out.")
    ] = None,
    *,
    players: PlayersAndBox,
    decision: Decision,
    games: Annotated[int, typer.Option(min=1, help="How many games are played to pick from.")] = 500,
    per_game: Annotated[int, typer.Option(min=1, help="How many draws or decisions of each are tried at most.")] = 6,
    hand: Annotated[
        str | None, typer.Option(metavar="FIELD", help="Where a drawn card comes to; the first set at the seats.")
    ] = None,
    seed: FirstSeed = 1,
    out: Figures = None,
) -> None:
    """Measure what a card or a decision is worth: the same positions played on with and without it, with the same dice."""
    query = players.build_query(game, games, seed)
    if "?" in (decision.choice or []):
        from sutler.lab.studies.decision_value import find_choice_actions

        for name, ids in find_choice_actions(query.version).items():
            make_console().print(f"{name} ({len(ids)})", highlight=False)
        return
    if decision.choice or decision.turned or not (card or hand or has_draws_or_print_why_not(query)):
        named = [one for one in decision.choice or [] if one.casefold() != "all"]
        compute_and_print_decision_values(query, named, per_game, decision.turned or [], out)
    else:
        compute_and_print_card_values(query, card or [], per_game, hand, out)


def has_draws_or_print_why_not(query: Query) -> bool:
    """Are there draws of cards to ask about in this game? If not, print that decisions can be asked about instead."""
    from sutler.lab.studies.card_value import find_cards_asked_about

    try:
        find_cards_asked_about(query.version)
    except ValueError:
        make_console().print(f"{query.version.title} has no draws to ask about; these are its decisions.", style="dim")
        return False
    return True


def compute_and_print_card_values(
    query: Query, cards: list[str], per_game: int, hand: str | None, out: Path | None
) -> None:
    """Compute and print the values of cards."""
    require_writable_out(out)
    from sutler.lab.play.rollouts import SAMPLED_GAMES
    from sutler.lab.report.study_pages import render_impact_page
    from sutler.lab.studies.card_value import estimate_card_impact as worth_of
    from sutler.lab.studies.card_value import find_cards_asked_about

    find_cards_asked_about(query.version, cards, hand)  # said before anything is compiled
    prepare_study(query)
    with Bar(query.get_games_or(SAMPLED_GAMES) * per_game, "draws") as bar:
        found = worth_of(replace(query, progress=bar.update_count), cards, per_game, hand)
    if not found.cards:
        raise CommandError(f"nobody drew any of these in {query.games} games")
    print_card_values(found)
    write_answer(found, out, lambda: render_impact_page(found))


def compute_and_print_decision_values(
    query: Query, verb_names: list[str], per_game: int, turned: list[str], out: Path | None
) -> None:
    """Compute and print the values of decisions."""
    require_writable_out(out)
    from sutler.lab.play.rollouts import SAMPLED_GAMES
    from sutler.lab.report.decision_pages import render_choices_page
    from sutler.lab.studies.decision_value import estimate_decision_values, find_choice_actions

    find_choice_actions(query.version, verb_names)  # said before anything is compiled
    other = parse_settings(turned)
    if other:
        query.load_edited_game(other)
    prepare_study(query)
    with Bar(query.get_games_or(SAMPLED_GAMES) * per_game, "decisions") as bar:
        found = estimate_decision_values(replace(query, progress=bar.update_count), verb_names, per_game, other)
    if not found.choices:
        raise CommandError(f"nobody had this to decide in {query.games} games")
    print_decision_values(found)
    write_answer(found, out, lambda: render_choices_page(found))


def print_card_values(impact: Impact) -> None:
    """Print the best and the worst cards: what each adds compared with another card, a blank and no card; and the naive figure."""
    from sutler.lab.play.rollouts import format_mean_with_half_width
    from sutler.lab.report.study_pages import describe_impact

    out = make_console()
    out.print(f"\n{describe_impact(impact)}\n", style="bold")
    known = [one for one in impact.cards if one.is_known]
    shown = impact.cards if len(known) <= 2 * CARDS_SHOWN else (*known[:CARDS_SHOWN], None, *known[-CARDS_SHOWN:])
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    table.add_column(impact.about["kind"], no_wrap=True)
    for heading in (
        "draws",
        "lead: instead of another",
        "of a blank",
        "of no card",
        "wins: instead of another",
        "raw gap",
    ):
        table.add_column(heading, justify="right")
    for one in shown:
        if one is None:
            table.add_row("…")
        else:
            leads = (format_mean_with_half_width(value) for value in (one.lead_other, one.lead_blank, one.lead_none))
            wins = (format_mean_with_half_width(value, True) for value in (one.won_other, one.naive))
            table.add_row(one.name, f"{one.draws:,}", *leads, *wins)
    out.print(table)
    out.print(
        "Lead: points of the seat less the mean of the others. Each pair of games has one past and the same dice; ± is half the "
        f"95 % interval. Between {' and '.join(impact.about['bots'])} bots at {impact.about['seats']} seats. "
        "Raw gap: how much more often seats win that drew it, which mixes luck and skill of whoever drew it. "
        f"Too few draws to say (?): {len(impact.cards) - len(known)} of {len(impact.cards)}.",
        style="dim",
    )


def print_decision_values(choices: Choices) -> None:
    """Print each decision: how often it is made, and what making it adds, where the bot made it and where it did not."""
    from sutler.lab.report.decision_pages import (
        describe_answer,
        format_choice_cells,
        list_column_names,
        render_explanation,
    )

    out = make_console()
    out.print(f"\n{describe_answer(choices)}\n", style="bold")
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    for k, heading in enumerate(list_column_names(choices)):
        table.add_column(heading, justify="left" if k == 0 else "right", no_wrap=k == 0)
    for one in choices.choices:
        table.add_row(*format_choice_cells(choices, one))
    out.print(table)
    out.print(render_explanation(choices), style="dim")

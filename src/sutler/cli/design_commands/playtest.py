"""`sutler playtest`: report on people's games at a server's tables, for the game's designer."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

import typer

from sutler.cli.console import make_console
from sutler.cli.errors import CommandError, require_game_name
from sutler.cli.options import Figures, FirstSeed, command
from sutler.cli.output_file import require_writable_out, write_answer
from sutler.cli.progress import compile_with_progress

if TYPE_CHECKING:
    from sutler.lab.studies.playtest import Sitting
    from sutler.web.storage.store import StoredEvent
    from sutler.web.table.room import Room


MAX_THINKING = timedelta(minutes=30)
"""A longer time between two decisions counts as a pause, which is left out of a game's minutes."""


@command
def playtest_command(
    house: Annotated[str, typer.Argument(metavar="HOUSE", help="A house's database: its file, or its address.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="Which game.")],
    bot: Annotated[
        str, typer.Option(help="Whose games stand beside people's, and who foresees their moves.")
    ] = "greedy",
    games: Annotated[int, typer.Option(min=8, help="Games between bots beside each version of the box.")] = 200,
    seed: FirstSeed = 1,
    site: Annotated[
        str, typer.Option(metavar="URL", help="Where the house is: remarks then lead to their moment.")
    ] = "",
    out: Figures = None,
) -> None:
    """Report on people's counted games: results, answers and remarks, compared with bots' games of the same box."""
    require_writable_out(out)
    name = require_game_name(game)
    from sutler.bots import bot_from
    from sutler.cli.kept_games import read_counted_rooms
    from sutler.lab.report.playtest_page import render_playtest_page
    from sutler.lab.studies.playtest import analyse_playtest as asked_of

    sittings = [build_sitting(room, kept, site) for room, kept in read_counted_rooms(house, name)]
    if not sittings:
        raise CommandError(f"no game of {name} that is over was opened to be counted in the lab")
    compile_with_progress(name)
    found = asked_of(sittings, bot_from(bot), games, seed)
    make_console().print(f"\n{found.answer()}\n", style="bold")
    for one in found.sittings:
        for remark in one.remarks:
            make_console().print(f"{one.name}, {remark.decision}: {remark.text}")
    write_answer(found, out, lambda: render_playtest_page(found))


def build_sitting(room: Room, stored_events: list[StoredEvent], site_url: str) -> Sitting:
    """The record of a room's game for the study, without people's names. `site_url`: the server's address, for links; "" for none."""
    from sutler.lab.studies.playtest import PERSON, Remark, Sitting
    from sutler.web.table.people.feedback import find_last_answers

    players = [one.level if one.kind == "bot" else PERSON for one in room.created.seats]
    given = [find_last_answers(room.notes, seat) for seat in range(len(players))]
    at = f"{site_url.rstrip('/')}/watch/{room.id}?moment=" if site_url and room.created.open_to_watch else ""
    remarks = [Remark(one.decision, one.text, f"{at}{one.decision}" if at else "") for one in room.notes if one.text]
    again, length = ([one for one in row if one] for row in zip(*given, strict=True))
    return Sitting(room.id, room.pos, players, compute_minutes_played(stored_events), again, length, remarks)


def compute_minutes_played(stored_events: list[StoredEvent]) -> float:
    """The minutes from a game's first decision to its last, pauses left out."""
    times = [one.at for one in stored_events if one.event.kind == "acted"]
    steps = (later - earlier for earlier, later in pairwise(times))
    return sum((one for one in steps if one <= MAX_THINKING), timedelta()).total_seconds() / 60

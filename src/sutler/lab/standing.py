"""What a designer's questions need beside the games asked about: the same between other bots, and a verdict in words.

A game's sheet names a ladder of bots; each rung is played once, when the first question asks for it, and held against the bots asked about
by `lab.across`: a figure holds, depends on the bot, or there are too few games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sutler.bots import Bot, bot_from
from sutler.lab.across import DEPENDS, FEW, HOLDS, Across, Line, Rung, evens, rung
from sutler.lab.asked import FEWEST, ONE_BOT, Asked, Sheet
from sutler.lab.figures import Figure, Numbers
from sutler.lab.measures import many
from sutler.lab.provenance import describe, played_by
from sutler.lab.simulate import Progress
from sutler.lab.watching import Watched, Watching, watch

FEWER = 4
"""Games between each bot of the ladder are so many times fewer than those asked for."""
NAMED = 5
"""So many figures of one verdict are named."""

Reading = Callable[[Watched], Mapping[Figure, Numbers]]
"""What is read of games: figures, a number a game each."""


def called(bots: Sequence[str | Bot]) -> str:
    """Who plays, with every setting that is not the usual one."""
    return ", ".join(dict.fromkeys(played_by(describe(bot_from(one) if isinstance(one, str) else one)) for one in bots))


def ladder(
    sheet: Sheet, first: Watched, bots: Sequence[Bot], games: int, seed: int, tell: Callable[[str], Progress]
) -> list[Callable[[], tuple[str, Watched]]]:
    """The games between each bot of the sheet's ladder but those asked about; none where several kinds sit at the table."""
    if len(bots) != 1:
        return []
    n, known = max(min(FEWEST, games), games // FEWER), called(bots)
    found = []
    for spec in sheet.ladder:
        bot = bot_from(spec)
        name = called([bot])
        if name != known:
            found.append(_once(name, first, bot, n, seed, sheet, tell(f"between {name}")))
    return found


def _once(
    name: str, first: Watched, bot: Bot, n: int, seed: int, sheet: Sheet, tell: Progress
) -> Callable[[], tuple[str, Watched]]:
    kept: list[Watched] = []

    def played() -> tuple[str, Watched]:
        if not kept:
            seats = sum(name.startswith("place_") for name in first.table.columns)
            kept.append(watch(first.game, [bot], seats, n, seed, Watching(sheet.opens), tell))
        return name, kept[0]

    return played


def lines_of(asked: Asked, read: Reading) -> tuple[list[Line], list[Rung]]:
    """Figures between the bots asked about and those of the ladder, each with its verdict; all intervals hold together."""
    played = [(called(asked.bots), asked.watched), *(one() for one in asked.others)]
    rungs = [Rung(name, watched.games, read(watched)) for name, watched in played]
    return Across(tuple(rungs), evens(asked.watched.table), {}).lines, rungs


def headline(asked: Asked, wanted: Sequence[str]) -> Reading:
    """The headline figures whose names begin so; no other bots' table may have more of them."""

    def read(watched: Watched) -> Mapping[Figure, Numbers]:
        every = rung(watched.game.definition, watched.table, "").figures
        return {one: values for one, values in every.items() if one.name.startswith(tuple(wanted))}

    if not read(asked.watched):
        raise ValueError(f"games at {many(asked.seats, 'seat')} have no figure {' or '.join(wanted)}")
    return read


def verdict(lines: Sequence[Line], rungs: Sequence[Rung]) -> str:
    """In words: what holds, what depends on the bot, for what there are too few games."""
    if len(rungs) < 2:
        return ONE_BOT
    kinds = {kind: [one.figure.label for one in lines if one.verdict == kind] for kind in (HOLDS, DEPENDS, FEW)}
    if len(lines) == 1:
        return lines[0].verdict
    told = []
    for kind, labels in kinds.items():
        more = f" and {len(labels) - NAMED} more" if len(labels) > NAMED else ""
        told += [f"{kind}: {', '.join(labels[:NAMED])}{more}"] if labels else []
    return told[0].split(":")[0] if len(told) == 1 else "; ".join(told)


def played(asked: Asked) -> str:
    """So many games at so many seats, between whom; and what they are held against."""
    return f"{many(asked.watched.games, asked.sheet.game)} at {many(asked.seats, 'seat')} between {called(asked.bots)}"


def held_against(rungs: Sequence[Rung], game: str) -> str:
    """The other bots, and how many games of each."""
    if len(rungs) < 2:
        return ""
    return f"; held against {many(rungs[1].games, game)} between each of: {', '.join(one.bot for one in rungs[1:])}"

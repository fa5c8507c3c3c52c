"""Write the tables of docs/bots.md: who wins how often among whom, and whether the chances that people are shown come true.

    python studies/bot_figures.py                        every table of docs/bot-figures.toml, into docs/bots.md
    python studies/bot_figures.py manor warfarm-plans    these tables only
    python studies/bot_figures.py manor --row "policy, greedy"      of these only rows with these first cells
    python studies/bot_figures.py --old                  only rows that are missing, or that other bots played than today's
    python studies/bot_figures.py --check --games 150    write nothing: say which rows a row's first games speak against

A table of the list has a `name`, the one of its marks in the page (`<!-- figures NAME -->` to `<!-- end of NAME -->`), and a `kind`:

- `matches`: one bot among bots of another kind, seats rotated. A row has `one`, `among`, `games` and `seed`; the table may say `game`,
  `seats`, `among`, `games` and `seed` for all its rows. `plans = true` prints fewer columns, since the command is the same but for a name.
- `campaigns`: tables of bots of one kind in a game that all win together. A row has `one`, `seats`, `difficulty`, `games` and `seed`.
- `chances`: Brier scores of the chances of winning, and `tenths`: how often came what was stated. A row has `game` and `games`.

A shared first place counts in parts; intervals are Wilson's at 95 %. The last cell of a row is the day, and the first six characters of the
hash of the code and weights of the bots that played (`sutler.lab.play.provenance`).
"""

from __future__ import annotations

import argparse
import math
import re
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import calibration
import numpy as np
import sixwinters_campaigns

import sutler
from sutler.bots.kit.win_probability import load_corrections
from sutler.cli.errors import parse_settings
from sutler.lab.play.headline_figures import compute_win_shares
from sutler.lab.play.provenance import hash_bots_code
from sutler.lab.stats.estimates import compute_wilson_interval

ROOT = Path(__file__).resolve().parent.parent
LIST, PAGE = ROOT / "docs" / "bot-figures.toml", ROOT / "docs" / "bots.md"
Z_CHECK = 3.29
"""Half the width of a check's interval in standard errors: of a thousand true rows one lies outside."""
INTERVAL_ROUNDING = 0.11
"""The largest difference, in points, between an interval in the page and the one of its rounded share."""


@dataclass(frozen=True)
class Row:
    """One row of a table, and the settings of its table. told: its lines in the page, one or several; none where it is missing there."""

    table: dict[str, Any]
    settings: dict[str, Any]
    told: tuple[str, ...] = ()

    def __getitem__(self, key: str) -> Any:
        """A setting of the row, or of its table where the row has none."""
        return self.settings.get(key, self.table.get(key))

    @property
    def kind(self) -> str:
        """The kind of the table: matches, campaigns, chances or tenths."""
        return str(self.table["kind"])

    @property
    def seed(self) -> int:
        """The seed of the first game."""
        return int(self["seed"] or 1)

    @property
    def bots(self) -> list[str]:
        """The bots of a match, one for each seat."""
        return [self["one"], *[self["among"]] * (self["seats"] - 1)]

    @property
    def bots_code(self) -> str:
        """The first characters of the hash of today's bots of the game."""
        return hash_bots_code(load_game(self["game"]))[:6]

    @property
    def is_of_todays_bots(self) -> bool:
        """Does the page have the row, played by the bots that are here now?"""
        return bool(self.told) and all(line.rstrip(" |").endswith(self.bots_code) for line in self.told)

    @property
    def share(self) -> float:
        """The share of games won that the page tells. NaN where it tells none."""
        if not self.told or self.kind not in ("matches", "campaigns"):
            return math.nan
        return float(split_cells(self.told[0])[len(self.names)]) / 100

    @property
    def names(self) -> tuple[str, ...]:
        """The cells that tell the row from the others of its table."""
        if self.kind == "campaigns":
            return (self["one"], str(self["seats"]), self["difficulty"])
        if self.kind == "matches":
            one, among = format_bot(self["one"]), format_bot(self["among"])
            return (one,) if self["plans"] else (one, among, str(self["seats"]))
        return (self["game"],)


@cache
def load_game(game: str, difficulty: str = "") -> Any:
    """The printed game, at a difficulty where one is named."""
    return sutler.load(game, settings=parse_settings([f"difficulty={difficulty}"] if difficulty else []))


def format_bot(bot: str) -> str:
    """A bot as a reader's table names it: `search:rounds=40` is "search, 40 rounds", a file of one's own goes by its name."""
    path, *settings = bot.split(":")
    words = [re.sub(r"^rounds=(\d+)$", r"\1 rounds", one) for one in settings if "=" in one]
    return ", ".join([path.rpartition("/")[2].removesuffix(".py"), *words])


HEADS = {
    "matches": "| one | among | seats | won | interval | even | games | command | played |\n|---|---|---|---|---|---|---|---|---|",
    "plans": "| plan | won of 100 | interval | played |\n|---|---|---|---|",
    "campaigns": "| bots | players | difficulty | won | interval | campaigns | played |\n|---|---|---|---|---|---|---|",
    "chances": "| game | seats | after | games | stated | won | Brier | of the judge | of the even share | played |\n"
    "|---|---|---|---|---|---|---|---|---|---|",
    "tenths": "| game | stated between | asked | stated | won | interval | inside | played |\n|---|---|---|---|---|---|---|---|",
}
"""The head of each kind of table. Rows of `chances` and `tenths` are several lines."""


def split_cells(line: str) -> tuple[str, ...]:
    """The cells of a line of a table."""
    return tuple(cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split(" | "))


def read_rows(table: dict[str, Any], page: str) -> list[Row]:
    """The rows of a table of the list, each with the lines that the page has of it."""
    lines = find_block(table["name"], page).splitlines()
    rows = [Row(table, settings) for settings in table["rows"]]
    return [
        replace(row, told=tuple(line for line in lines if split_cells(line)[: len(row.names)] == row.names))
        for row in rows
    ]


def find_block(name: str, page: str) -> str:
    """What stands in the page between the marks of a table. KeyError where there are none."""
    found = re.search(rf"<!-- figures {re.escape(name)} -->\n(.*?)<!-- end of {re.escape(name)} -->", page, re.DOTALL)
    if found is None:
        raise KeyError(name)
    return found[1]


# --- Playing ------------------------------------------------------------------


def play_match(row: Row, games: int) -> tuple[float, int]:
    """(games won by the one bot, shared first places counting in parts; games) of a row's first games."""
    table = sutler.simulate(load_game(row["game"]), row.bots, games=games, seed=row.seed, threads=1)
    n = row["seats"]
    sits = table.select([f"bot_{seat}" for seat in range(n)]).to_numpy()
    alone = sits[0][0]  # the first game is not rotated
    first = table.select([f"place_{seat}" for seat in range(n)]).to_numpy() == 1
    return float(np.where(sits == alone, compute_win_shares(first), 0.0).sum()), len(table)


def play_campaigns(row: Row, games: int) -> tuple[float, int]:
    """(campaigns won, campaigns) of a row's first campaigns."""
    game = load_game(row["game"], row["difficulty"])
    won = sixwinters_campaigns.play(game, row["one"], row["seats"], games, row.seed, threads=1).won
    return float(won.sum()), len(won)


PLAYERS = {"matches": play_match, "campaigns": play_campaigns}


def format_day_and_bots(row: Row) -> str:
    """The last cell of a row that is played now: the day and the bots."""
    return f"{date.today()}, {row.bots_code}"


def format_win_row(row: Row, won: float, games: int) -> str:
    """The line of a row of matches or campaigns."""
    low, high = compute_wilson_interval(won, games)
    cells = [*row.names, f"{100 * won / games:.1f}", f"{100 * low:.1f}–{100 * high:.1f}"]
    if row.kind == "campaigns":
        cells.append(f"{games:,}")
    elif not row["plans"]:
        cells += [f"{100 / row['seats']:.3g}", f"{games:,}", f"`{format_command(row)}`"]
    return "| " + " | ".join([*cells, format_day_and_bots(row)]) + " |"


def format_command(row: Row) -> str:
    """The command that plays a match again."""
    seed = f" --seed {row.seed}" if row.seed > 1 else ""
    return f"sutler simulate {row['game']} --bots {','.join(row.bots)} --games {row['games']}{seed}"


def play_chances(row: Row) -> list[str]:
    """Play the games of a row of chances or tenths and return its lines, as `calibration.measure` makes them."""
    game = load_game(row["game"])
    given = SimpleNamespace(option=[], seats=(), fit=False, games=row["games"], seed=row.seed)
    known, lines, asked = load_corrections(game.definition), [], []
    if known is None:
        raise SystemExit(f"{row['game']} has no chances")
    together = bool(game.definition.COOPERATIVE)
    for options, seats in calibration.tables(row["game"], given):
        moments = sample_chances(row["game"], tuple(options.items()), seats, row["games"], row.seed)
        correction = next(one for one in known.rows if one.is_fitted_for(sutler.load(row["game"], **options), seats))
        lines += [
            "| " + " | ".join([*drop_level(line), format_day_and_bots(row)]) + " |"
            for line in calibration.score_rows(row["game"], "normal", moments, correction, together)
        ]
        once = calibration.one_per_game(moments)
        asked.append((calibration.stated(once, correction, together), once.outcome))
    if row.kind == "chances":
        return lines
    chance, outcome = (np.concatenate([one[i] for one in asked]) for i in (0, 1))
    return [
        f"| {row['game']} | {tenth * 10}–{tenth * 10 + 10} % | {n:,} | {at:.1%} | {won:.1%} | {low:.1%}–{high:.1%} | "
        f"{'yes' if low <= at <= high else 'no'} | {format_day_and_bots(row)} |"
        for tenth, n, at, won, low, high in calibration.bins(chance, outcome)
    ]


@cache
def sample_chances(game: str, options: tuple[tuple[str, Any], ...], seats: int, games: int, seed: int) -> Any:
    """Moments of games between normal bots (`calibration.sampled_moments`)."""
    known_game = sutler.load(game, **dict(options))
    known = load_corrections(known_game.definition)
    assert known is not None
    return calibration.sampled_moments(known_game, dict(known.clock), "normal", seats, games, seed)


def drop_level(line: str) -> list[str]:
    """The cells of a line of `calibration.score_rows`, without the level of the bots and the remark at the end."""
    game, _, *cells = split_cells(line)
    return [game, *cells[:-1]]


def play_row(row: Row) -> list[str]:
    """Play a row and return its lines."""
    if row.kind in PLAYERS:
        return [format_win_row(row, *PLAYERS[row.kind](row, row["games"]))]
    return play_chances(row)


# --- The page -----------------------------------------------------------------


def replace_block(page: str, table: dict[str, Any], rows: Sequence[Row]) -> str:
    """The page with a table written anew from the lines of its rows."""
    head = HEADS["plans" if table.get("plans") else table["kind"]]
    text = "\n".join(["", head, *(line for row in rows for line in row.told), "", ""])
    name = table["name"]
    return (
        page.replace(find_block(name, page), text.removeprefix("\n"), 1)
        if find_block(name, page)
        else page.replace(f"<!-- figures {name} -->\n", f"<!-- figures {name} -->{text}", 1)
    )


def find_faults(rows: Sequence[Row], games: int) -> list[str]:
    """Sentences on the rows whose first games tell another share than the page, as far as that many games can tell."""
    found = []
    for row in rows:
        if row.kind not in PLAYERS or row["slow"]:
            continue
        won, n = PLAYERS[row.kind](row, min(games, row["games"]))
        low, high = compute_wilson_interval(won, n, Z_CHECK)
        if not low <= row.share <= high:
            found.append(
                f"{row.table['name']}, {', '.join(row.names)}: the page says {100 * row.share:.1f}, the first {n} games "
                f"{100 * won / n:.1f} ({100 * low:.1f} to {100 * high:.1f})"
            )
    return found


def list_arithmetic_faults(rows: Sequence[Row]) -> list[str]:
    """Sentences on rows that the page lacks, and on those whose interval is not that of their share and games."""
    found = [f"{row.table['name']}, {', '.join(row.names)}: not in the page" for row in rows if not row.told]
    for row in rows:
        if row.told and row.kind in PLAYERS:
            cells = split_cells(row.told[0])
            told = [float(one) for one in cells[len(row.names) + 1].split("–")]
            ends = [100 * end for end in compute_wilson_interval(row.share * row["games"], row["games"])]
            if max(abs(a - b) for a, b in zip(told, ends, strict=True)) > INTERVAL_ROUNDING:
                found.append(f"{row.table['name']}, {', '.join(row.names)}: its interval is that of other games")
    return found


def select_rows(options: argparse.Namespace) -> Iterator[tuple[dict[str, Any], list[Row]]]:
    """Each table that the command line asks for, with all its rows."""
    page = PAGE.read_text(encoding="utf-8")
    tables = tomllib.loads(LIST.read_text(encoding="utf-8"))["table"]
    names = [table["name"] for table in tables]
    if unknown := set(options.table) - set(names):
        raise SystemExit(f"no table {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    for table in tables:
        if not options.table or table["name"] in options.table:
            yield table, read_rows(table, page)


def main() -> None:
    """Play the rows asked for and write them, one by one, or check them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="*", help="names of tables (all)")
    parser.add_argument("--row", default="", help='only rows with these first cells: "policy, greedy"')
    parser.add_argument("--old", action="store_true", help="only rows that today's bots have not played")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--games", type=int, default=150, help="games of a row for --check")
    options = parser.parse_args()
    wrong: list[str] = []
    for table, rows in select_rows(options):
        wanted = [
            row
            for row in rows
            if f"{', '.join(row.names)}, ".startswith(f"{options.row}, " if options.row else "")
            and not (options.old and row.is_of_todays_bots)
        ]
        if options.check:
            wrong += list_arithmetic_faults(wanted) + find_faults([row for row in wanted if row.told], options.games)
            continue
        for row in wanted:
            start, at = time.process_time(), rows.index(row)
            rows[at] = replace(row, told=tuple(play_row(row)))
            print(*rows[at].told, f"{time.process_time() - start:,.0f} s of a processor", sep="\n", flush=True)
            PAGE.write_text(replace_block(PAGE.read_text(encoding="utf-8"), table, rows), encoding="utf-8")
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()

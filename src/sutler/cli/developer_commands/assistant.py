"""The tools that `sutler mcp` offers to an AI assistant: read guides, play in a seat, ask the lab.

An assistant sits in a seat and sees what that seat sees. It is not told the seed of its game, so it cannot simulate the future.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sutler.core.text.drawing import draw_table_as_text
from sutler.core.text.guide import Guide, Paragraph
from sutler.core.text.sentences import to_plain_text

if TYPE_CHECKING:
    from sutler.bots import Bot
    from sutler.core.play.game import Game
    from sutler.core.play.position import Position

Settings = Mapping[str, bool | int | float | str | list[int]]

MAX_TABLES = 20
MAX_GAMES = 20_000
MAX_PARAGRAPHS = 12


class ToolError(ValueError):
    """An error in what the assistant asks for; the message says what is wrong."""


@dataclass
class Table:
    """A game that an assistant plays in: the position, the assistant's seat, and the bots in the others."""

    pos: Position
    seat: int
    bots: list[Bot]
    heard: int = 0
    """The number of lines of the log that were sent to the assistant."""

    def let_bots_play(self) -> None:
        """Let the bots decide until it is the assistant's turn, or the game is over."""
        from sutler.bots import choose_checked_action

        while (seat := self.pos.seat) is not None and seat != self.seat:
            self.pos.play(choose_checked_action(self.bots[seat % len(self.bots)], self.pos.for_seat(seat)))

    def describe(self, with_drawing: bool) -> dict[str, Any]:
        """The table for the assistant as plain data: news, question, choices; with `with_drawing` the table drawn as text too."""
        pos, lines = self.pos, self.pos.log(self.seat)
        said: dict[str, Any] = {
            "you_are": pos.names[self.seat],
            "happened": [f"{to_plain_text(one.sentence)} [{one.rule}]" for one in lines[self.heard :]],
            "scores": dict(zip(pos.names, pos.scores(), strict=True)) if pos.over else None,
        }
        self.heard = len(lines)
        if pos.over:
            return said | {"over": True, "places": dict(zip(pos.names, pos.places(), strict=True))}
        prompt = pos.prompt(self.seat)
        said["asked"] = {
            "question": to_plain_text(prompt.text),
            "help": to_plain_text(prompt.help),
            "paragraph": prompt.rule,
        }
        said["choices"] = [
            {
                "action": one.name,
                "label": to_plain_text(one.label),
                "effect": to_plain_text(one.effect),
                "paragraph": one.rule,
            }
            for one in pos.choices(self.seat)
        ]
        return said | ({"table": draw_table_as_text(pos, self.seat)} if with_drawing else {})


def _paragraph_to_dict(paragraph: Paragraph) -> dict[str, str]:
    """A guide's paragraph as plain data."""
    return {"paragraph": paragraph.number, "chapter": paragraph.chapter, "kind": paragraph.kind, "text": paragraph.text}


class Assistant:
    """The tools for one assistant, as methods without an underscore, and its tables. Errors are ToolError or ValueError with a sentence."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}

    # --- reading ---

    def games(self) -> list[dict[str, Any]]:
        """All games: name, title, what it is about, how many play, how long, and the options chosen before a game."""
        from sutler.core.play.game import load
        from sutler.core.play.registry import games

        found = []
        for game in map(load, games()):
            options = {
                one.name: {"label": one.label, "default": one.default, "paragraph": one.rule} for one in game.options()
            }
            about = {"name": game.name, "title": game.title, "tagline": game.info.tagline, "minutes": game.info.minutes}
            found.append(about | {"seats": [game.min_seats, game.max_seats], "options": options})
        return found

    def guide(self, game: str, what: str = "") -> list[dict[str, str]]:
        """Paragraphs of a game's guide: by number ("5.4"), by chapter ("5"), or by words. Without `what`, every title."""
        guide = self._get_guide(game)
        what = what.strip().removeprefix("§")
        if not what:
            return [{"paragraph": one.number, "chapter": one.chapter, "title": one.title} for one in guide.paragraphs]
        one = guide.find_paragraph(what)
        found = (
            [one]
            if one
            else guide.list_chapter(what)
            if what.isdigit()
            else guide.search_paragraphs(what)[:MAX_PARAGRAPHS]
        )
        if not found:
            raise ToolError(f"the guide of {game} has no paragraph {what!r} and none with these words")
        return [_paragraph_to_dict(each) for each in found]

    def box(self, game: str) -> dict[str, Any]:
        """The contents of a game's box: its numbers (to be changed as rules.NAME), and its cards and tables, entry by entry."""
        whole: dict[str, Any] = self._load_game(game, None).sheet.model_dump(mode="json", exclude_defaults=False)
        return whole

    # --- playing ---

    def new_table(
        self, game: str, seats: int | None = None, seat: int = 1, bots: str = "normal", settings: Settings | None = None
    ) -> dict[str, Any]:
        """Begin a game in a seat (from 1) against bots: easy, normal, hard, random, or several with commas. Gives the table's id."""
        from sutler.bots import parse_bots

        if len(self.tables) >= MAX_TABLES:
            raise ToolError(f"{MAX_TABLES} tables are open; leave one first")
        loaded = self._load_game(game, settings)
        n_seats = seats or loaded.min_seats
        if not 1 <= seat <= n_seats:
            raise ToolError(f"seats are numbered from 1 to {n_seats}, not {seat}")
        pos = loaded.new(n_seats, secrets.randbits(62))
        table = Table(pos, seat - 1, parse_bots(bots, files=False))
        table.let_bots_play()
        name = secrets.token_hex(4)
        self.tables[name] = table
        return {"table_id": name} | table.describe(with_drawing=True)

    def look(self, table_id: str) -> dict[str, Any]:
        """The table as your seat sees it: what is asked, what you may do, and everything drawn in letters."""
        return self._require_table(table_id).describe(with_drawing=True)

    def act(self, table_id: str, action: str) -> dict[str, Any]:
        """Take one of the offered actions, by its name; then the others play until it is your turn again, or the end."""
        from sutler.core.play.position import IllegalAction

        table = self._require_table(table_id)
        if table.pos.over:
            raise ToolError("the game is over")
        try:
            table.pos.play(action)
        except IllegalAction as error:
            raise ToolError(str(error)) from None
        table.let_bots_play()
        return table.describe(with_drawing=True)

    def why_not(self, table_id: str, action: str) -> dict[str, str]:
        """Why an action cannot be taken now, with the guide's paragraph; or that it can."""
        refusal = self._require_table(table_id).pos.why_not(action)
        if refusal is None:
            return {"reason": "It can be taken.", "paragraph": ""}
        return {"reason": refusal.text, "paragraph": refusal.rule}

    def hint(self, table_id: str) -> list[dict[str, Any]]:
        """The actions that a strong bot would take in your place (it thinks for a second), the best first.

        `worth` is what the bot expects for you: the higher the better, to be compared within this list only.
        """
        from sutler.bots import bot, choose_quick_bot

        table = self._require_table(table_id)
        if table.pos.over:
            raise ToolError("the game is over")
        adviser: Any = choose_quick_bot(bot("hard"), table.pos.game)
        rows = adviser.explain(table.pos.for_seat(table.seat))[:5]
        return [
            {"action": action.name, "worth": round(float(worth), 4), "paragraph": action.rule}
            for action, worth, _ in rows
        ]

    def leave(self, table_id: str) -> str:
        """Give up a table; the game is not kept."""
        self._require_table(table_id)
        del self.tables[table_id]
        return "The table is cleared."

    # --- asking the lab ---

    def simulate(
        self,
        game: str,
        bots: str = "greedy",
        games: int = 1000,
        seats: int | None = None,
        settings: Settings | None = None,
    ) -> dict[str, Any]:
        """Play games between bots: how often each seat and bot won, with 95 % intervals, and how many decisions a game took."""
        from sutler.bots import parse_bots
        from sutler.lab.play.simulate import simulate
        from sutler.lab.stats.estimates import compute_wilson_interval

        players = parse_bots(bots, files=False)
        table = simulate(self._load_game(game, settings), players, _require_allowed_game_count(games), seats=seats)
        n = sum(name.startswith("place_") for name in table.columns)
        first = {f"seat {i + 1}": (table[f"place_{i}"] == 1).to_numpy() for i in range(n)}
        shares = {
            name: {
                "won": float(won.mean()),
                "interval": list(map(float, compute_wilson_interval(int(won.sum()), len(won)))),
            }
            for name, won in first.items()
        }
        by_bot: dict[str, list[bool]] = {}
        for i, won in enumerate(first.values()):
            for name, one in zip(table[f"bot_{i}"], won, strict=True):
                by_bot.setdefault(str(name), []).append(bool(one))
        return {
            "games": table.height,
            "bots": bots,
            "note": "what bots do, not what people would; shared first places count for everybody who has one",
            "even_share": 1 / n,
            "seats": shares,
            "by_bot": {name: sum(won) / len(won) for name, won in by_bot.items()} if len(by_bot) > 1 else None,
            "decisions": {"median": table["decisions"].median(), "most": table["decisions"].max()},
            "endings": dict(table["ending"].value_counts().iter_rows()),
        }

    def compare(
        self,
        game: str,
        a: Settings | None = None,
        b: Settings | None = None,
        bots: str = "greedy",
        seats: int | None = None,
        games: int = 2000,
        a_box: dict[str, Any] | None = None,
        b_box: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Two versions of a game, given as settings ({"rules.buy_price": 2}) and edits of the box: what differs, with an interval."""
        from sutler.bots import parse_bots
        from sutler.lab.play.query import Query
        from sutler.lab.studies.compare import compare

        query = Query(
            self._load_game(game, a, a_box), parse_bots(bots, files=False), seats, _require_allowed_game_count(games)
        )
        return compare(query, self._load_game(game, b, b_box)).data()

    # --- what the tools have in common ---

    def _require_game_name(self, game: str) -> str:
        """The registered name of a game, from a name in any case; ToolError if there is none."""
        from sutler.core.play.registry import games

        if game.casefold() not in games():
            raise ToolError(f"there is no game {game!r}; there are {', '.join(games())}")
        return game.casefold()

    def _get_guide(self, game: str) -> Guide:
        """The guide of a game, in English."""
        from sutler.core.play.registry import find_game_folder

        return Guide.read_file(find_game_folder(self._require_game_name(game)) / "guide.md")

    def _load_game(self, game: str, settings: Settings | None, edit: dict[str, Any] | None = None) -> Game:
        """A game with these settings and this edit of its box."""
        from sutler.core.play.game import load

        return load(self._require_game_name(game), edit, dict(settings or {}))

    def _require_table(self, table_id: str) -> Table:
        """The assistant's table of this id; ToolError if there is none."""
        if table_id not in self.tables:
            raise ToolError(f"there is no table {table_id!r}; begin one with new_table")
        return self.tables[table_id]


def _require_allowed_game_count(games: int) -> int:
    """The number of games asked for; ToolError if it is below 1 or above MAX_GAMES."""
    if not 1 <= games <= MAX_GAMES:
        raise ToolError(f"from 1 to {MAX_GAMES:,} games a question, not {games:,}")
    return games

"""`sutler play`: a game at the keyboard, against bots or several at one screen."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from sutler.core.marks import seat_text
from sutler.core.speech import keys_of
from sutler.terminal.draw import (
    choices_table,
    console,
    drawing,
    end_table,
    log_text,
    paragraph_text,
    prompt_text,
)
from sutler.terminal.errors import Trouble, known_game, settings_from, told

if TYPE_CHECKING:
    from sutler.bots import Bot
    from sutler.core.position import Position

NAMES = ("Agnes", "Perrin", "Osric", "Maud", "Wat", "Sybil")
HELP = """[bold]number[/] or an action's name: do it
[bold]u[/] take back   [bold]h[/] hint   [bold]t[/] the table again   [bold]l[/] the whole log
[bold]r[/] the rule of this question   [bold]r 5.4[/] a paragraph   [bold]r words[/] look for words
[bold]w ACTION[/] why not?   [bold]s[/] save   [bold]s FILE[/] save there   [bold]q[/] leave (the game is kept)"""


class Left(Exception):
    """The player leaves the table."""


@dataclass(frozen=True)
class Laid:
    """How a new table is laid."""

    seats: int | None
    seed: int | None
    settings: list[str]
    box: Path | None
    position: Path | None


def play_in_terminal(game: str, laid: Laid, bots: str, me: str, names: str | None, save: Path | None) -> None:
    """Set the table, or take up a saved game, and play to the end."""
    with told():
        from sutler.core.warm import ensure_warm_in_background

        if Path(game).is_file():
            name = _game_in(Path(game))
            background = ensure_warm_in_background([name])
            pos = _resumed(Path(game))
            save = save or Path(game)
        else:
            name = known_game(game)
            background = ensure_warm_in_background([name])
            pos = _new(name, laid)
            if save is not None and save.exists():
                raise Trouble(f"{save} exists already; to go on with that game: sutler play {save}")
        people = _people(me, pos.n_seats)
        players, levels = _players(bots, people, pos.n_seats)
        _name_seats(pos, names)
        table = Sitting(console(), pos, people, players, save, levels)
        try:
            table.play()
        except (Left, EOFError, KeyboardInterrupt):
            table.leave()
        finally:
            background.stop()


def _new(name: str, laid: Laid) -> Position:
    from sutler.core.game import load

    loaded, seats = load(name, laid.box, settings_from(laid.settings)), laid.seats
    if seats is None and laid.position is None:
        seats = min(max(3, loaded.min_seats), loaded.max_seats)
    seed = secrets.randbelow(1 << 31) if laid.seed is None else laid.seed
    return loaded.new(seats=seats, seed=seed, position=laid.position)


def _game_in(file: Path) -> str:
    try:
        return known_game(str(json.loads(file.read_text(encoding="utf-8"))["game"]))
    except (OSError, ValueError, TypeError, KeyError):
        raise Trouble(f"{file} is no game file, and there is no game of that name") from None


def _resumed(file: Path) -> Position:
    from sutler.core.replay import read_game_file

    return read_game_file(file)


def _people(me: str, n_seats: int) -> list[int]:
    """`1,3` as seat indexes."""
    if me.strip().casefold() in ("none", "0", ""):
        return []
    people = []
    for part in me.split(","):
        if not part.strip().isdigit() or not 1 <= int(part) <= n_seats:
            raise Trouble(f"--me {me}: name seats from 1 to {n_seats}, such as 1 or 1,2; or `none` to watch")
        people.append(int(part) - 1)
    return people


def _players(bots: str, people: Sequence[int], n_seats: int) -> tuple[dict[int, Bot], dict[int, str]]:
    """A bot, and its level, for every seat that nobody takes; with `--bots none` everybody sits at this keyboard."""
    from sutler.bots import bot_from

    wanted = [one.strip() for one in bots.split(",") if one.strip()]
    if not wanted or wanted == ["none"]:
        if not people:
            raise Trouble("--me none wants bots in all seats: --bots normal")
        return {}, {}
    made = [bot_from(one) for one in wanted]
    free = [seat for seat in range(n_seats) if seat not in people]
    players = {seat: made[i % len(made)] for i, seat in enumerate(free)}
    return players, {seat: wanted[i % len(made)] for i, seat in enumerate(free)}


def _name_seats(pos: Position, names: str | None) -> None:
    if names:
        given = [one.strip() for one in names.split(",")]
        if len(given) != pos.n_seats or not all(given):
            raise Trouble(f"--names: {pos.n_seats} seats want {pos.n_seats} names, separated by commas")
        pos.names = given
    elif pos.names == [f"Seat {i + 1}" for i in range(pos.n_seats)]:
        pos.names = list(NAMES[: pos.n_seats])


@dataclass
class Sitting:
    """One game at one keyboard."""

    out: Console
    pos: Position
    people: list[int]
    players: dict[int, Bot]
    save: Path | None
    levels: dict[int, str] = field(default_factory=dict)
    shown: int = 0  # lines of the log already shown to the present viewer
    before: int | None = None  # the person who decided last
    ask: Callable[[str], str] = input
    commands: dict[str, Callable[[str], None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.commands = {
            "u": self.take_back,
            "h": self.hint,
            "t": self.show_table,
            "l": self.show_log,
            "r": self.show_rule,
            "w": self.why_not,
            "s": self.save_to,
            "q": self.quit,
            "?": self.help,
        }
        self.secrets = _has_secrets(self.pos)

    # --- the course of the game ---

    def play(self) -> None:
        """Ask or let the bots decide, until the end."""
        game = self.pos.game
        self.out.print(Text(game.title, "bold").append(f"  seed {self.pos.seed} · ? for help", "not bold dim"))
        for at, name in enumerate(self.pos.names):
            who = self.levels.get(at, "bot") if at in self.players else "you" if len(self._here()) == 1 else "here"
            self.out.print(Text("  ").append_text(seat_text(at, name)).append(f"  {who}", "dim"))
        while not self.pos.over:
            seat = self.pos.seat
            assert seat is not None
            if seat in self.players:
                self.let_bot(seat)
            else:
                self.let_person(seat)
        self.tell_bots()
        self.end()

    def let_bot(self, seat: int) -> None:
        """A bot decides."""
        said = f"{self.pos.names[seat]} is thinking …"
        with self.out.status(said) if self.out.is_terminal else _Nothing():
            action = self.players[seat].choose(self.pos.for_seat(seat))
        self.pos.play(action)
        if not self.people:
            self.show_news(None)

    def tell_bots(self) -> None:
        """Bots that are programs hear how it ended."""
        from sutler.bots import finish

        finish(self.players, self.pos)

    def let_person(self, seat: int) -> None:
        """Show the table to the person in this seat, and ask until a decision is made."""
        if self.before != seat and self.secrets and len(self.pos.names) - len(self.players) > 1:
            self.hand_over(seat)
        self.show_news(seat)
        d = self.pos.game.definition
        if self.before != seat or not d.is_midway(self.pos.game.box, self.pos.state):
            self.show_table("")
        self.before = seat
        self.show_question(seat)
        decided = len(self.pos.decisions)
        while len(self.pos.decisions) == decided:
            self.obey(self.ask("> ").strip())
        self.keep()

    def obey(self, line: str) -> None:
        """One line typed: a number, a command, or an action's name."""
        if not line:
            return
        seat = self.pos.seat
        choices = self.pos.choices(seat)
        if line.isdigit():
            keys = keys_of(choices)
            if int(line) in keys:
                self.decide(choices[keys.index(int(line))].id)
            else:
                self.out.print(f"There are choices from {min(keys)} to {max(keys)}.", style="red")
            return
        word, _, rest = line.partition(" ")
        words = {"undo": "u", "hint": "h", "table": "t", "log": "l", "rule": "r", "rules": "r", "why": "w", "save": "s"}
        words |= {"quit": "q", "exit": "q", "help": "?"}
        key = words.get(word.casefold(), word.casefold())
        if self.pos.game.action_names.find(line) is None and key in self.commands:
            self.commands[key](rest.strip())
            return
        self.do(line)

    def do(self, line: str) -> None:
        """An action by its name or its label."""
        from sutler.core.position import IllegalAction
        from sutler.core.text import plain

        labelled = [one for one in self.pos.choices(self.pos.seat) if plain(one.label).casefold() == line.casefold()]
        try:
            self.decide(labelled[0].id if len(labelled) == 1 else line)
        except IllegalAction as error:
            self.out.print(Text(error.reason, "red").append(f"  {error.rule}", "dim"))

    def decide(self, action: int | str) -> None:
        """What was asked for is done; IllegalAction when it cannot be."""
        self.pos.play(action)

    # --- what is shown ---

    def viewer(self) -> int | None:
        """Whose eyes the screen has now."""
        return self.pos.seat if self.pos.seat in self._here() else self.before

    def _here(self) -> list[int]:
        return [seat for seat in range(self.pos.n_seats) if seat not in self.players]

    def show_news(self, seat: int | None) -> None:
        """What the log has had to say since this viewer last saw it."""
        lines = self.pos.log(seat)
        news = lines[self.shown :] if self.before == seat or not self.secrets else lines[-12:]
        self.shown = len(lines)
        if news:
            self.out.print(log_text(news))

    def show_table(self, _: str) -> None:
        """The table."""
        self.out.print(drawing(self.pos, self.viewer()))

    def show_question(self, seat: int) -> None:
        """The prompt and the choices."""
        self.out.print(prompt_text(self.pos, seat))
        self.out.print(choices_table(self.pos.choices(seat), self.out.width))

    def show_log(self, _: str) -> None:
        """The whole log."""
        self.out.print(log_text(self.pos.log(self.viewer())))

    def show_rule(self, what: str) -> None:
        """The prompt's paragraph, another one, or a search."""
        guide = self.pos.game.guide
        number = what.removeprefix("§").strip() or self.pos.prompt(self.pos.seat).rule
        one = guide.find(number)
        found = [one] if one else guide.chapter(number) if number.isdigit() else guide.search(number)
        if not found:
            self.out.print(f"The guide has no paragraph {number!r} and none with these words.", style="red")
        for paragraph in found[:12]:
            self.out.print(paragraph_text(paragraph.number, paragraph.chapter, paragraph.text, paragraph.kind))

    def why_not(self, what: str) -> None:
        """Why an action, or anything at a spot of the table, cannot be done now."""
        if not what:
            self.out.print("w ACTION, such as: w place Wheat; or a spot: w card:Wheat", style="dim")
            return
        refusal = self.pos.why_not(what)
        found = [refusal] if refusal is not None else []
        if self.pos.game.action_names.find(what) is None:
            spot = what if ":" in what else f"card:{what}"
            found = self.pos.why_not_at(spot) or found
        elif refusal is None:
            self.out.print("It can be done now.", style="green")
        for one in found:
            self.out.print(Text(one.text).append(f"  {one.rule}", "dim"))

    def hint(self, _: str) -> None:
        """What a strong bot would do."""
        from sutler.bots import bot
        from sutler.core.text import plain

        seat = self.pos.seat
        assert seat is not None
        adviser: Any = bot("hard")
        view = self.pos.for_seat(seat)
        labels = {one.id: plain(one.label) for one in self.pos.choices(seat)}
        with self.out.status("thinking …") if self.out.is_terminal else _Nothing():
            rows = adviser.explain(view)[:3] if hasattr(adviser, "explain") else [(adviser.choose(view), None, 0)]
        for place, (action, value, tried) in enumerate(rows):
            text = Text("I would: " if place == 0 else "     or: ").append(action.name, "bold")
            label = labels.get(action.id, action.name)
            text.append(f"  ({label})" if label.casefold() != action.name.casefold() else "")
            if value is not None and tried:
                text.append(f"  {value:.0%} of {tried} tries went well", "dim")
            self.out.print(text)

    def help(self, _: str) -> None:
        """The commands."""
        self.out.print(HELP)

    def hand_over(self, seat: int) -> None:
        """Hide one person's secrets before the next one looks."""
        self.out.clear()
        self.out.print(Text("Hand over to ").append_text(seat_text(seat, self.pos.names[seat])))
        self.ask("Enter when you sit there: ")
        self.out.clear()

    def end(self) -> None:
        """The last lines and the scores."""
        viewer = self.viewer()
        self.show_news(viewer)
        self.out.print(drawing(self.pos, viewer), end_table(self.pos))
        self.keep()
        if self.save is not None:
            self.out.print(f"Kept in {self.save}: sutler replay {self.save}", style="dim")

    # --- taking back, keeping, leaving ---

    def take_back(self, _: str) -> None:
        """Undo the last decision, if it was this person's and revealed nothing."""
        if not self.pos.decisions:
            self.out.print("There is nothing to take back.", style="red")
            return
        if self.pos.decisions[-1].seat in self.players:
            self.out.print("Others have decided since.", style="red")
            return
        if not self.pos.can_undo():
            self.out.print(
                "It cannot be taken back: a card was drawn, dice were rolled or somebody learned something.",
                style="red",
            )
            return
        self.pos.undo()
        self.shown = len(self.pos.log(self.pos.seat))
        self.out.print("Taken back.")

    def keep(self) -> None:
        """Write the game file, if one is kept."""
        if self.save is not None:
            from sutler.core.gamefile import write_game

            whole = self.save.with_name(self.save.name + ".new")
            write_game(self.pos, whole)
            whole.replace(self.save)  # a crash leaves the old file or the new one, never half of one

    def save_to(self, where: str) -> None:
        """Keep the game in a file from now on."""
        self.save = Path(where).expanduser() if where else self.save or default_save(self.pos)
        try:
            self.keep()
        except OSError as error:
            self.out.print(f"{self.save} cannot be written: {error}", style="red")
            self.save = None
            return
        self.out.print(f"Kept in {self.save}, now and after every move.")

    def quit(self, _: str) -> None:
        """Leave the table."""
        raise Left

    def leave(self) -> None:
        """Keep an unfinished game and say how to go on with it."""
        self.out.print()
        if self.pos.decisions and not self.pos.over:
            self.save = self.save or default_save(self.pos)
            self.keep()
            self.out.print(f"The game is kept. To go on: sutler play {self.save}", soft_wrap=True)  # a path to copy


class _Nothing:
    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def _has_secrets(pos: Position) -> bool:
    """Does some seat see what a watcher does not?"""

    def seen(seat: int | None) -> dict[str, Any]:
        return {key: value for key, value in pos.view(seat).items() if key != "seat"}

    watched = seen(None)
    return any(seen(seat) != watched for seat in range(pos.n_seats))


def default_save(pos: Position) -> Path:
    """A file for a game that nobody named."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(base) / "sutler"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{pos.game.name}-{time.strftime('%Y-%m-%d-%H%M%S')}.json"

"""The loop of a game in the terminal: prompts, typed lines, and output."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from sutler.cli.console import render_paragraph
from sutler.cli.play_commands.standing_orders import Standing
from sutler.cli.terminal_text import render_choices, render_log, render_prompt, render_results
from sutler.core.tables import NOT_ASKED, Refusal
from sutler.core.text.drawing import draw_table, seat_text
from sutler.core.text.language import _
from sutler.core.text.sentences import number_choices

if TYPE_CHECKING:
    from sutler.bots import Bot
    from sutler.core.actions import Action
    from sutler.core.play.position import Position

MAX_DIGITS = 6
"""The most digits of a number that can be the key of a choice."""
MAX_LINES_FOR_ANOTHER = 12
"""The number of lines of the log shown to the next person at the keyboard, in games with hidden hands."""


def _help_text() -> str:
    """The commands that can be typed, in Rich's markup."""
    return _("""[bold]number[/] or an action's name: do it
[bold]u[/] take back   [bold]h[/] hint   [bold]t[/] the table again   [bold]l[/] the whole log
[bold]r[/] the rule of this question   [bold]r 5.4[/] a paragraph   [bold]r words[/] look for words
[bold]w ACTION[/] why not?   [bold]s[/] save   [bold]s FILE[/] save there   [bold]q[/] leave (the game is kept)
[bold]o[/] automatic answers: what is answered for you   [bold]o 1[/] give one, or take it back""")


class Left(Exception):
    """Raised when the player types the command that leaves the table."""


@dataclass
class Sitting:
    """One game in the terminal: people at one keyboard, bots in the other seats.

    `people`: their seats; `players`: {seat: bot}; `levels`: {seat: the bot's name}; `save`: the file that the game is kept in, or None.
    """

    out: Console
    pos: Position
    people: list[int]
    players: dict[int, Bot]
    save: Path | None
    levels: dict[int, str] = field(default_factory=dict)
    shown: int = 0  # lines of the log that the viewer has seen
    told: int = 0  # decisions that had been made by then
    before: int | None = None  # the person who decided last
    ask: Callable[[str], str] = input
    orders: Standing = field(default_factory=Standing)
    commands: dict[str, Callable[[str], None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.commands = {
            "u": self.undo_decision,
            "h": self.show_hints,
            "t": self.show_table,
            "l": self.show_log,
            "r": self.show_rule,
            "w": self.show_why_not,
            "o": self.change_standing_order,
            "s": self.save_to,
            "q": self.leave_game,
            "?": self.show_help,
        }
        self.secrets = _has_secrets(self.pos)

    # --- the course of the game ---

    def play(self) -> None:
        """Play the game to its end: ask people, let bots decide."""
        game = self.pos.game
        told = _("seed {n} · ? for help", n=self.pos.seed)
        self.out.print(Text(game.title, "bold").append(f"  {told}", "not bold dim"))
        for at, name in enumerate(self.pos.names):
            who = (
                _(self.levels.get(at, "bot"))
                if at in self.players
                else _("you")
                if len(self._seats_at_keyboard()) == 1
                else _("here")
            )
            self.out.print(Text("  ").append_text(seat_text(at, name)).append(f"  {who}", "dim"))
        while not self.pos.over:
            seat = self.pos.seat
            assert seat is not None
            if seat in self.players:
                self.play_bot_turn(seat)
            elif (ordered := self.orders.find_answer(self.pos)) is not None:
                self.print_order_remark(seat, _("as ordered: {order}", order=ordered[0]))
                self.take_action(ordered[1].id)
            else:
                self.play_person_turn(seat)
        self.tell_bots_result()
        self.show_end()

    def play_bot_turn(self, seat: int) -> None:
        """Let the bot in this seat decide, and take its action."""
        from sutler.bots import choose_checked_action

        said = _("{name} is thinking …", name=self.pos.names[seat])
        with self.out.status(said) if self.out.is_terminal else _Nothing():
            action = choose_checked_action(self.players[seat], self.pos.for_seat(seat))
        self.take_action(action)
        if not self.people:
            self.show_news(None)

    def take_action(self, action: Action | int | str) -> None:
        """Take an action, and print which standing orders it ends. IllegalAction when it cannot be taken."""
        for seat, text in self.orders.drop_ended_orders(self.pos, self.pos.play(action)):
            self.print_order_remark(seat, _("no longer ordered: {order}", order=text))

    def print_order_remark(self, seat: int, text: str) -> None:
        """Print a line about a seat's standing orders, unless several people share this screen."""
        if len(self._seats_at_keyboard()) == 1:
            self.out.print(seat_text(seat, self.pos.names[seat]).append(f", {text}.", "not bold dim"))

    def tell_bots_result(self) -> None:
        """Tell bots that are programs how the game ended."""
        from sutler.bots import notify_finish

        notify_finish(self.players, self.pos)

    def play_person_turn(self, seat: int) -> None:
        """Show the table to the person in this seat, and ask until a decision is made."""
        if self.before != seat and self.secrets and len(self.pos.names) - len(self.players) > 1:
            self.hand_over_screen(seat)
        self.show_news(seat)
        d = self.pos.game.definition
        if self.before != seat or not d.is_midway(self.pos.game.box, self.pos.state):
            self.show_table("")
        self.before = seat
        self.show_question(seat)
        decided = len(self.pos.decisions)
        while len(self.pos.decisions) == decided and self.orders.find_answer(self.pos) is None:
            self.handle_line(self.ask("> ").strip())
        self.save_game()

    def handle_line(self, line: str) -> None:
        """Carry out a typed line: the number of a choice, a command, or an action's name."""
        if not line:
            return
        seat = self.pos.seat
        choices = self.pos.choices(seat)
        if line.isdecimal():
            keys = number_choices(choices)
            number = int(line) if len(line) <= MAX_DIGITS else -1
            if number in keys:
                self.play_typed_action(choices[keys.index(number)].id)
            else:
                self.out.print(_("There are choices from {low} to {high}.", low=min(keys), high=max(keys)), style="red")
            return
        word, _space, rest = line.partition(" ")
        words = {
            "undo": "u",
            "hint": "h",
            "table": "t",
            "log": "l",
            "rule": "r",
            "rules": "r",
            "why": "w",
            "save": "s",
            "order": "o",
            "orders": "o",
        }
        words |= {"quit": "q", "exit": "q", "help": "?"}
        key = words.get(word.casefold(), word.casefold())
        if self.pos.game.action_names.find_action(line) is None and key in self.commands:
            self.commands[key](rest.strip())
            return
        self.take_named_action(line)

    def take_named_action(self, line: str) -> None:
        """Take an action by its name or its label; print the reason if it cannot be taken."""
        from sutler.core.play.position import IllegalAction
        from sutler.core.text.sentences import to_plain_text

        labelled = [
            one for one in self.pos.choices(self.pos.seat) if to_plain_text(one.label).casefold() == line.casefold()
        ]
        try:
            self.play_typed_action(labelled[0].id if len(labelled) == 1 else line)
        except IllegalAction as error:
            self.out.print(Text(error.reason, "red").append(f"  {error.rule}", "dim"))

    def play_typed_action(self, action: int | str) -> None:
        """Take the action that was typed; IllegalAction when it cannot be taken."""
        self.take_action(action)

    # --- what is shown ---

    def find_viewer(self) -> int | None:
        """The seat of the person who looks at the screen; None if only watchers do."""
        return self.pos.seat if self.pos.seat in self._seats_at_keyboard() else self.before

    def _seats_at_keyboard(self) -> list[int]:
        """The seats without a bot, whose players share this keyboard."""
        return [seat for seat in range(self.pos.n_seats) if seat not in self.players]

    def show_news(self, seat: int | None) -> None:
        """Print the lines of the log that the viewer in this seat has not seen."""
        goes_on = self.before == seat or not self.secrets
        if goes_on and self.told:  # the whole log would be made again after each decision
            news = self.pos.log(seat, since=self.told + 1, first=self.shown)
            self.shown += len(news)
        else:
            lines = self.pos.log(seat)
            news = lines[self.shown :] if goes_on else lines[-MAX_LINES_FOR_ANOTHER:]
            self.shown = len(lines)
        self.told = len(self.pos.decisions)
        if news:
            self.out.print(render_log(news))

    def show_table(self, rest: str) -> None:
        """Print the table."""
        self.out.print(draw_table(self.pos, self.find_viewer()))

    def show_question(self, seat: int) -> None:
        """Print the prompt and the choices."""
        self.out.print(render_prompt(self.pos, seat))
        self.out.print(render_choices(self.pos.choices(seat), self.out.width, self.pos.game.tongue))

    def show_log(self, rest: str) -> None:
        """Print the whole log."""
        self.out.print(render_log(self.pos.log(self.find_viewer())))

    def show_rule(self, what: str) -> None:
        """Print the paragraph `what` ("5.4"), the paragraphs with these words, or for "" the paragraph of the open question."""
        guide = self.pos.game.guide
        number = what.removeprefix("§").strip() or self.pos.prompt(self.pos.seat).rule
        one = guide.find_paragraph(number)
        found = [one] if one else guide.list_chapter(number) if number.isdigit() else guide.search_paragraphs(number)
        if not found:
            self.out.print(
                _("The guide has no paragraph {what} and none with these words.", what=repr(number)), style="red"
            )
        for paragraph in found[:12]:
            self.out.print(render_paragraph(paragraph.number, paragraph.chapter, paragraph.text, paragraph.kind))

    def show_why_not(self, what: str) -> None:
        """Print why an action (by name), or anything at a spot of the table ("card:Wheat"), cannot be done now."""
        if not what:
            self.out.print(_("w ACTION, such as: w place Wheat; or a spot: w card:Wheat"), style="dim")
            return
        refusal = self.pos.why_not(what)
        found = [refusal] if refusal is not None else []
        if self.pos.game.action_names.find_action(what) is None:
            spot = what if ":" in what else f"card:{what}"
            not_asked = [Refusal(self.pos.game.tongue(NOT_ASKED))]
            found = self.pos.why_not_at(spot) or (not_asked if spot == what else found)
        elif refusal is None:
            self.out.print(_("It can be done now."), style="green")
        for one in found:
            self.out.print(Text(one.text).append(f"  {one.rule}", "dim"))

    def change_standing_order(self, what: str) -> None:
        """List the standing orders for "", else give or withdraw the one of this number or these words."""
        seat = self.pos.seat
        assert seat is not None
        if what:
            self.out.print(self.orders.give_or_withdraw(self.pos, seat, what))
        for line in self.orders.list_orders(self.pos, seat) if not what else ():
            self.out.print(line)
        if not self.pos.game.definition.orders:
            self.out.print(_("This game has no automatic answers."), style="dim")

    def show_hints(self, rest: str) -> None:
        """Print the actions that a strong bot would take, why, and the win probability."""
        from sutler.bots import bot, choose_quick_bot
        from sutler.bots._reasons import add_best_other_action, explain_first_choice
        from sutler.bots.kit.win_probability import describe_win_chance
        from sutler.core.text.sentences import to_plain_text

        seat = self.pos.seat
        assert seat is not None
        view = self.pos.for_seat(seat)
        adviser: Any = choose_quick_bot(bot("hard"), view.game)
        labels = {one.id: to_plain_text(one.label) for one in self.pos.choices(seat)}
        with self.out.status(_("thinking …")) if self.out.is_terminal else _Nothing():
            rows: Any = adviser.explain(view)[:3] if hasattr(adviser, "explain") else [(adviser.choose(view), None, 0)]
        for place, (action, value, tried) in enumerate(rows):
            said = _("I would:") if place == 0 else _("or:")
            text = Text(f"{said:>10} ").append(action.name, "bold")
            label = labels.get(action.id, action.name)
            text.append(f"  ({label})" if label.casefold() != action.name.casefold() else "")
            if value is not None and tried:
                text.append("  " + _("{n} tries", n=tried), "dim")
            self.out.print(text)
            if place == 0 and (because := explain_first_choice(view, add_best_other_action(view, rows), adviser)):
                self.out.print(Text(" " * 11 + _("because {why}", why=because), "dim"))
        if chance := describe_win_chance(view):
            self.out.print(Text(f"{chance[0].upper()}{chance[1:]}.", "dim"))

    def show_help(self, rest: str) -> None:
        """Print the commands."""
        self.out.print(Text.from_markup(_help_text()))

    def hand_over_screen(self, seat: int) -> None:
        """Clear the screen before the next person looks."""
        self.out.clear()
        self.out.print(Text(_("Hand over to ")).append_text(seat_text(seat, self.pos.names[seat])))
        self.ask(_("Enter when you sit there: "))
        self.out.clear()

    def show_end(self) -> None:
        """Print the last lines of the log, the table and the scores, and save the game."""
        viewer = self.find_viewer()
        self.show_news(viewer)
        self.out.print(draw_table(self.pos, viewer), render_results(self.pos))
        self.save_game()
        if self.save is not None:
            self.out.print(_("Kept in {file}: sutler replay {file}", file=self.save), style="dim")

    # --- taking back, keeping, leaving ---

    def undo_decision(self, rest: str) -> None:
        """Undo the last decision, if a person made it and it revealed nothing."""
        if not self.pos.decisions:
            self.out.print(_("There is nothing to take back."), style="red")
            return
        if self.pos.decisions[-1].seat in self.players:
            self.out.print(_("Others have decided since."), style="red")
            return
        if not self.pos.can_undo():
            self.out.print(
                _("It cannot be taken back: a card was drawn, dice were rolled or somebody learned something."),
                style="red",
            )
            return
        self.orders.given.pop(self.pos.decisions[-1].seat, None)  # what was done by them would be done again
        self.pos.undo()
        self.shown, self.told = len(self.pos.log(self.pos.seat)), len(self.pos.decisions)
        self.out.print(_("Taken back."))

    def save_game(self) -> None:
        """Write the game to the file that it is kept in, if there is one."""
        if self.save is not None:
            whole = self.save.with_name(self.save.name + ".new")
            self.pos.save(whole)
            whole.replace(self.save)  # a crash leaves the old file or the new one, never half of one

    def save_to(self, path: str) -> None:
        """Keep the game in the file `path` from now on; for "" in the present file, or one of a new name."""
        self.save = Path(path).expanduser() if path else self.save or choose_save_path(self.pos)
        try:
            self.save_game()
        except (OSError, ValueError) as error:
            self.out.print(_("{file} cannot be written: {why}", file=self.save, why=error), style="red")
            self.save = None
            return
        self.out.print(_("Kept in {file}, now and after every move.", file=self.save))

    def leave_game(self, rest: str) -> None:
        """Raise Left, which ends the sitting."""
        raise Left

    def save_and_leave(self) -> None:
        """Keep an unfinished game and say how to go on with it."""
        unfinished = bool(self.pos.decisions) and not self.pos.over
        if unfinished:
            self.save = self.save or choose_save_path(self.pos)
            self.save_game()
        self.out.print()
        if unfinished:
            self.out.print(
                _("The game is kept. To go on: sutler play {file}", file=self.save), soft_wrap=True
            )  # a path to copy


class _Nothing:
    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def _has_secrets(pos: Position) -> bool:
    """Does some seat see more of this position than a watcher does?"""

    def view_without_seat(seat: int | None) -> dict[str, Any]:
        return {key: value for key, value in pos.view(seat).items() if key != "seat"}

    watched = view_without_seat(None)
    return any(view_without_seat(seat) != watched for seat in range(pos.n_seats))


def choose_save_path(pos: Position) -> Path:
    """A path in the user's data folder for a game that is kept without a file's name; makes the folder."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(base) / "sutler"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{pos.game.name}-{time.strftime('%Y-%m-%d-%H%M%S')}.json"

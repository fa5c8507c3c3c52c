"""The loop of a lesson in the terminal, step by step."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from sutler.cli.play_commands.game_loop import Sitting
from sutler.core.text.language import _
from sutler.core.text.lesson import Lesson, Step, is_awaited

if TYPE_CHECKING:
    from rich.console import Console

    from sutler.core.play.position import Position


def _help_text() -> str:
    """The commands that can be typed, in Rich's markup."""
    return _("""[bold]Enter[/] go on   [bold]number[/] or an action's name: do it   [bold]m[/] show me   [bold]b[/] back
[bold]t[/] the table again   [bold]r[/] the rule of this question   [bold]w ACTION[/] why not?   [bold]q[/] leave""")


class Learning(Sitting):
    """A lesson in the terminal: an action that the step waits for is played, any other one gets the lesson's answer."""

    def __init__(self, out: Console, pos: Position, lesson: Lesson) -> None:
        super().__init__(out, pos, [lesson.you], {}, None)
        self.lesson = lesson
        self.before = lesson.you
        self.at = 0
        self.done = 0  # how many of the actions that the step waits for are taken
        self.began: list[int] = []  # the number of decisions made when each step so far began
        self.commands |= {
            "m": self.play_awaited_action,
            "b": self.go_back,
            "u": self.go_back,
            "s": self.refuse_to_save,
            "h": self.play_awaited_action,
        }

    @property
    def step(self) -> Step:
        """The current step of the lesson."""
        return self.lesson.step[self.at]

    def run_lesson(self) -> None:
        """Go through the lesson, step by step, to its end."""
        told, title = _("{game} · ? for help", game=self.pos.game.title), self.pos.game.tongue(self.lesson.title)
        self.out.print(Text(title, "bold").append(f"  {told}", "not bold dim"))
        while self.at < len(self.lesson.step):
            self.begin_step()
            at = self.at
            while self.at == at:
                self.handle_line(self.ask("> ").strip())
        self.out.print(_("That was the lesson."), style="bold")
        next_one = f"sutler play {self.pos.game.name} --first-game --bots easy"
        self.out.print(_("Now a first game: {command}", command=next_one), soft_wrap=True)

    def begin_step(self) -> None:
        """Print the news, the table if it has changed, and the step's sentence."""
        changed = not self.began or self.began[-1] != len(self.pos.decisions)
        del self.began[self.at :]
        self.began.append(len(self.pos.decisions))
        self.done = 0
        self.show_news(self.lesson.you)
        if changed:
            self.show_table("")
        self.out.print(
            Text("\n" + _("{n} of {most}", n=self.at + 1, most=len(self.lesson.step)) + "  ", "dim").append_text(
                render_stars_as_bold(self.pos.game.tongue(self.step.say))
            )
        )
        self.out.print(render_stars_as_bold(self.pos.game.tongue(self.step.more)))
        self.show_question_or_hint()

    def show_question_or_hint(self) -> None:
        """Print the game's question if the step waits for an action, else how to go on."""
        if self.step.list_awaited_actions(self.done):
            self.show_question(self.lesson.you)
        else:
            self.out.print(_("Enter: go on"), style="dim")

    def handle_line(self, line: str) -> None:
        """Carry out a typed line; an empty line goes on to the next step if this one waits for nothing."""
        if line:
            super().handle_line(line)
        elif self.step.list_awaited_actions(self.done):
            self.out.print(_("Do it first, or let it be shown to you: m"), style="dim")
        else:
            self.finish_step()

    def play_typed_action(self, action: int | str) -> None:
        """Play the action if the step waits for it; print the lesson's answer, or why it is illegal, for any other."""
        name = self.pos.action(action).name
        if not is_awaited(name, self.step.list_awaited_actions(self.done)):
            refusal = self.pos.why_not(name)
            self.out.print(refusal.text if refusal else self.pos.game.tongue(self.step.find_reply(name)), style="red")
            return
        self.pos.play(name)
        self.done += 1
        if self.done >= len(self.step.wait):
            self.finish_step()
        else:
            self.show_news(self.lesson.you)
            self.show_question_or_hint()

    def finish_step(self) -> None:
        """Play the moves that the lesson has for the other seats, and go to the next step."""
        for action in self.step.others:
            self.pos.play(action)
        self.at += 1

    def play_awaited_action(self, rest: str) -> None:
        """Play an action that the step waits for; go on to the next step if it waits for none."""
        waits = self.step.list_awaited_actions(self.done)
        if not waits:
            self.finish_step()
            return
        name = next(one for one in waits if self.pos.why_not(one) is None)
        self.out.print(Text(name, "bold"))
        self.play_typed_action(name)

    def go_back(self, rest: str) -> None:
        """Go back to where this step began, or to the step before."""
        to = self.at if self.done else max(self.at - 1, 0)
        while len(self.pos.decisions) > self.began[to]:
            self.pos.undo()
        self.shown = len(self.pos.log(self.lesson.you))
        if to == self.at:
            self.begin_step()
        self.at = to

    def refuse_to_save(self, rest: str) -> None:
        """Print that a lesson is not kept, as the answer to the command that saves a game."""
        self.out.print(_("A lesson is not kept; it takes a few minutes."), style="dim")

    def show_help(self, rest: str) -> None:
        """Print what can be typed."""
        self.out.print(Text.from_markup(_help_text()))


def render_stars_as_bold(text: str) -> Text:
    """A sentence with the words between stars in bold."""
    out = Text()
    for i, part in enumerate(re.split(r"\*", text)):
        out.append(part, "bold" if i % 2 else "")
    return out

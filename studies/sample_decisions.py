"""Draw decisions from games of bots at random and lay each out for somebody who knows the game to judge.

    python studies/sample_decisions.py threeyears --games 10 --decisions 50 --seed 1
    python studies/sample_decisions.py bellum --decisions 50 --beside search:rounds=1000    # with what a longer search says
    python studies/sample_decisions.py sixwinters --seats 2 --set difficulty=normal --beside judge:redeals=16
    python studies/sample_decisions.py manor --games 3 --only 2:117                 # decision 117 of the game of seed 2

Each shows what happened since the seat's last decision, the table as that seat sees it, the question, every legal action with the bot's
value of it, the action chosen, and the reason in the words of a hint. Only decisions in which the bot considered more than one action are
drawn. The same command prints the same text to the byte.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

import sutler
from sutler.bots import Bot, bot_from
from sutler.bots._reasons import explain_first_choice
from sutler.bots.kit.repeatable_bots import build_repeatable_bots
from sutler.cli.errors import parse_settings
from sutler.cli.terminal_text import render_log, render_prompt
from sutler.core.actions import Action
from sutler.core.play.position import Position, SeatView
from sutler.core.text.drawing import draw_table
from sutler.core.text.sentences import to_plain_text
from sutler.lab.play.simulate import play_game_in_python, seat_bots

LINE_CHARS = 132
Row = tuple[Action, float, int]
"""An action that a bot considered, its value, and how often a search tried it (else 0)."""


@dataclass(frozen=True)
class Sampled:
    """A decision of a game. number: its index; moment: the position before it; player: the bot; rows: the actions considered."""

    seed: int
    number: int
    moment: Position
    player: Any
    chosen: Action
    rows: list[Row]

    @property
    def view(self) -> SeatView:
        """The view that the bot decided from, with the same random numbers."""
        return bot_view(self.moment, self.seed)


def bot_view(moment: Position, seed: int) -> SeatView:
    """The view of the seat to move in the game of this seed, with the same random numbers as when it was played (`play_out`)."""
    assert moment.seat is not None
    return moment.for_seat(moment.seat, seed)


def action_values(player: Any, view: SeatView) -> list[Row]:
    """The actions that a bot considers, best first; all legal actions with value 0 for a bot that cannot explain itself."""
    if not hasattr(player, "explain"):
        return [(action, 0.0, 0) for action in view.actions()]
    rows: list[Row] = player.explain(view)
    return rows


def decision_at(pos: Position, players: Sequence[Bot], number: int) -> Sampled:
    """Decision `number` of a finished game."""
    moment, taken = pos.at(number), pos.decisions[number]
    player = players[taken.seat]
    return Sampled(
        pos.seed,
        number,
        moment,
        player,
        pos.game.action_names[taken.action],
        action_values(player, bot_view(moment, pos.seed)),
    )


def sample(games: Sequence[tuple[Position, Sequence[Bot]]], decisions: int, seed: int) -> list[Sampled]:
    """Draw decisions with more than one considered action, uniformly, sorted by game and time. games: finished, with their bots."""
    every = [(i, k) for i, (pos, _) in enumerate(games) for k, one in enumerate(pos.decisions) if one.n_legal > 1]
    random.Random(seed).shuffle(every)
    found: dict[tuple[int, int], Sampled] = {}
    for i, k in every:
        if len(found) == decisions:
            break
        one = decision_at(*games[i], k)
        if len(one.rows) > 1:
            found[i, k] = one
    return [found[at] for at in sorted(found)]


# --- In words -----------------------------------------------------------------


def recent_log(one: Sampled) -> Any:
    """The log, as this seat sees it, since its last decision."""
    seat = one.moment.seat
    before = [k for k, decision in enumerate(one.moment.decisions) if decision.seat == seat]
    return render_log(one.moment.log(seat, before[-1] + 1 if before else 0))


def value_text(row: Row | None) -> str:
    """An action's value: "tries × mean payoff" of a search, else its value relative to the others."""
    if row is None:
        return "–"
    return f"{row[2]} × {row[1]:.3f}" if row[2] else f"{row[1]:+.3f}"


def action_lines(one: Sampled, beside: Any) -> Iterator[Text]:
    """A line for each legal action, the bot's best first, those it did not consider last. beside: another bot, for a second column."""
    choices = {choice.id: choice for choice in one.moment.choices(one.moment.seat)}
    mine = {row[0].id: row for row in one.rows}
    other = {row[0].id: row for row in action_values(beside, one.view)} if beside is not None else {}
    for i in [*mine, *(i for i in choices if i not in mine)]:
        choice = choices[i]
        text = Text("→ " if i == one.chosen.id else "  ").append(f"{value_text(mine.get(i)):>12}  ")
        if beside is not None:
            text.append(f"{value_text(other.get(i)):>13}  ")
        text.append(to_plain_text(choice.label))
        if choice.effect:
            text.append(f" · {to_plain_text(choice.effect)}")
        yield text.append(f"  [{choice.name}; {choice.rule}]")


def reason(one: Sampled) -> str:
    """Why the bot prefers its action to the best other one, in the words of a hint."""
    chosen = next((row for row in one.rows if row[0].id == one.chosen.id), (one.chosen, 0.0, 0))
    others = [row for row in one.rows if row[0].id != one.chosen.id]
    return explain_first_choice(one.view, [chosen, *others], one.player) or "no reason that can be said"


def show(one: Sampled, out: Console, beside: Any = None) -> None:
    """Print a decision. beside: another bot, whose values are shown too."""
    pos, seat = one.moment, one.moment.seat
    assert seat is not None
    where = f"game of seed {one.seed} · decision {one.number} · {pos.names[seat]} · {pos.prompt(seat).rule}"
    out.rule(where, characters="=")
    out.print(recent_log(one), draw_table(pos, seat), render_prompt(pos, seat))
    for line in action_lines(one, beside):
        out.print(line)
    out.print(f"Chosen: {one.chosen.name}, because: {reason(one)}.\n")


def main() -> None:
    """Play, sample, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--bots", default="hard", help="as for `sutler simulate`; hard is the lab's, by rounds")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--decisions", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1, help="of the first game, and of the sample")
    parser.add_argument(
        "--set", action="append", default=[], help="KEY=VALUE, an option of the game: difficulty=normal"
    )
    parser.add_argument("--beside", help="another bot, whose values are shown too")
    parser.add_argument("--only", help="SEED:DECISION, only this one")
    options = parser.parse_args()
    game = sutler.load(options.game, settings=parse_settings(options.set))
    players = build_repeatable_bots(seat_bots(options.bots, game, options.seats), game)
    beside = None if options.beside is None else build_repeatable_bots([bot_from(options.beside)], game)[0]
    out = Console(width=LINE_CHARS, color_system=None, highlight=False)
    if options.only:
        seed, number = map(int, options.only.split(":"))
        show(decision_at(play_game_in_python(game, players, seed), players, number), out, beside)
        return
    games = [
        (play_game_in_python(game, players, seed), players)
        for seed in range(options.seed, options.seed + options.games)
    ]
    for one in sample(games, options.decisions, options.seed):
        show(one, out, beside)


if __name__ == "__main__":
    main()

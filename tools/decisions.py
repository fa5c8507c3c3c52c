"""Decisions picked at random from games of bots, each laid out for somebody who knows the game to read and judge.

    python tools/decisions.py threeyears --games 10 --decisions 50 --seed 1
    python tools/decisions.py bellum --bots hard --decisions 50 --beside search:rounds=1000    # and what a longer search says
    python tools/decisions.py sixwinters --seats 2 --set difficulty=normal --beside judge:redeals=16
    python tools/decisions.py manor --games 3 --only 2:117                 # one decision again: of the game of seed 2, the 117th

Of each: what happened since the seat last decided, the table as that seat sees it, the question, every action with what the bot
reckoned of it, which it took, and why in the words of a hint. A decision counts as one where the bot looked at more than one
action; those with one sensible action are passed over. The same line prints the same to the byte.
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
from sutler.bots._reasons import why
from sutler.bots.kit.repeatable import players_of
from sutler.core.actions import Action
from sutler.core.position import Position
from sutler.core.seat import SeatView
from sutler.core.text import plain
from sutler.lab.play.simulate import play_game_in_python, seat_bots
from sutler.terminal.draw import drawing, log_text, prompt_text
from sutler.terminal.errors import settings_from

WIDTH = 132
Row = tuple[Action, float, int]


@dataclass(frozen=True)
class Picked:
    """A decision of a game: where it stood, how it was decided, and what the bot in that seat reckoned of its actions."""

    seed: int
    number: int
    moment: Position
    player: Any
    chosen: Action
    rows: list[Row]

    @property
    def view(self) -> SeatView:
        """What the bot was handed, its luck included."""
        return handed(self.moment, self.seed)


def handed(moment: Position, seed: int) -> SeatView:
    """What the seat that decides is handed, as in `play_out`."""
    assert moment.seat is not None
    return moment.for_seat(moment.seat, seed)


def reckoned(player: Any, view: SeatView) -> list[Row]:
    """What a bot reckons of each action it looks at, the best first; of one that says nothing, all that is legal."""
    if not hasattr(player, "explain"):
        return [(action, 0.0, 0) for action in view.actions()]
    rows: list[Row] = player.explain(view)
    return rows


def decision_at(pos: Position, players: Sequence[Bot], number: int) -> Picked:
    """One decision of a game that was played out."""
    moment, taken = pos.at(number), pos.decisions[number]
    player = players[taken.seat]
    return Picked(
        pos.seed,
        number,
        moment,
        player,
        pos.game.action_names[taken.action],
        reckoned(player, handed(moment, pos.seed)),
    )


def picked(games: Sequence[tuple[Position, Sequence[Bot]]], decisions: int, seed: int) -> list[Picked]:
    """So many decisions with more than one sensible action, each as likely as any other, in the order of play."""
    every = [(i, k) for i, (pos, _) in enumerate(games) for k, one in enumerate(pos.decisions) if one.n_legal > 1]
    random.Random(seed).shuffle(every)
    found: dict[tuple[int, int], Picked] = {}
    for i, k in every:
        if len(found) == decisions:
            break
        one = decision_at(*games[i], k)
        if len(one.rows) > 1:
            found[i, k] = one
    return [found[at] for at in sorted(found)]


# --- In words -----------------------------------------------------------------


def lately(one: Picked) -> Any:
    """What this seat was told since it decided last."""
    seat = one.moment.seat
    before = [k for k, decision in enumerate(one.moment.decisions) if decision.seat == seat]
    return log_text(one.moment.log(seat, before[-1] + 1 if before else 0))


def numbers(row: Row | None) -> str:
    """What was reckoned of an action: how often a search tried it and its mean payoff, or its value beside the others'."""
    if row is None:
        return "–"
    return f"{row[2]} × {row[1]:.3f}" if row[2] else f"{row[1]:+.3f}"


def actions(one: Picked, beside: Any) -> Iterator[Text]:
    """Every legal action, the bot's best first, what it did not look at last; `beside`: another bot's numbers too."""
    choices = {choice.id: choice for choice in one.moment.choices(one.moment.seat)}
    mine = {row[0].id: row for row in one.rows}
    other = {row[0].id: row for row in reckoned(beside, one.view)} if beside is not None else {}
    for i in [*mine, *(i for i in choices if i not in mine)]:
        choice = choices[i]
        text = Text("→ " if i == one.chosen.id else "  ").append(f"{numbers(mine.get(i)):>12}  ")
        if beside is not None:
            text.append(f"{numbers(other.get(i)):>13}  ")
        text.append(plain(choice.label))
        if choice.effect:
            text.append(f" · {plain(choice.effect)}")
        yield text.append(f"  [{choice.name}; {choice.rule}]")


def because(one: Picked) -> str:
    """Why what was chosen rather than the best of the others, as a hint says it."""
    others = [row[0] for row in one.rows if row[0].id != one.chosen.id]
    return why(one.view, one.chosen, others[0], one.player) or "no reason that can be said"


def told(one: Picked, out: Console, beside: Any = None) -> None:
    """Print a decision."""
    pos, seat = one.moment, one.moment.seat
    assert seat is not None
    where = f"game of seed {one.seed} · decision {one.number} · {pos.names[seat]} · {pos.prompt(seat).rule}"
    out.rule(where, characters="=")
    out.print(lately(one), drawing(pos, seat), prompt_text(pos, seat))
    for line in actions(one, beside):
        out.print(line)
    out.print(f"Chosen: {one.chosen.name}, because: {because(one)}.\n")


def main() -> None:
    """Play, pick, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--bots", default="hard", help="as for `sutler simulate`; hard is the lab's, by rounds")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--decisions", type=int, default=50)
    parser.add_argument(
        "--seed", type=int, default=1, help="of the first game, and of the lot by which decisions are picked"
    )
    parser.add_argument(
        "--set", action="append", default=[], help="KEY=VALUE, an option of the game: difficulty=normal"
    )
    parser.add_argument("--beside", help="another bot, whose numbers stand beside")
    parser.add_argument("--only", help="SEED:DECISION, one of them, whichever would be picked")
    asked = parser.parse_args()
    game = sutler.load(asked.game, settings=settings_from(asked.set))
    players = players_of(seat_bots(asked.bots, game, asked.seats), game)
    beside = None if asked.beside is None else players_of([bot_from(asked.beside)], game)[0]
    out = Console(width=WIDTH, color_system=None, highlight=False)
    if asked.only:
        seed, number = map(int, asked.only.split(":"))
        told(decision_at(play_game_in_python(game, players, seed), players, number), out, beside)
        return
    played = [
        (play_game_in_python(game, players, seed), players) for seed in range(asked.seed, asked.seed + asked.games)
    ]
    for one in picked(played, asked.decisions, asked.seed):
        told(one, out, beside)


if __name__ == "__main__":
    main()

"""Count how many advices of the coach come with a reason, and with one that names a number.

    python studies/coach_reasons.py [GAME …] [--decisions 300] [--seed 1] [--adviser search:rounds=200] [--show 5] [--language de]

A coached seat plays against normal bots, game after game, and takes what it is advised two times in three, else anything. A reason is
concrete if it, or the line of numbers beside it, says how much. Prints for each game the share of advices with a reason, the share with a
concrete one, and with `--show` so many sentences, those without a number first.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sutler
from sutler.bots import bot, bot_from
from sutler.core.play.position import Position
from sutler.core.play.registry import games
from sutler.core.text.coaching import Coaching, CoachMemory
from sutler.core.text.language import use_language
from sutler.web.sentence_html import to_plain_text
from sutler.web.table.teaching.hints import Advice, AskedDecision, build_advice, load_coaching
from sutler.web.view.recent_moves import find_certain_changes

ADVISER = "search:rounds=200"
"""The bot that advises by default: it thinks about as long as a hint at a table, and decides alike in every run."""
PEOPLE = 0
"""The index of the coached seat."""
SEATS = {"sixwinters": 2}
"""{game: number of seats} where it is not three."""
FOLLOWS = 2 / 3
"""The share of decisions in which the coached seat follows the advice."""


@dataclass(frozen=True)
class Heard:
    """One advice: the game's number, the phase, the advice, how many numbers stand beside it, and whether an author wrote its reason."""

    game: int
    phase: str
    advice: Advice
    at_once: int
    is_by_an_author: bool

    @property
    def has_reason(self) -> bool:
        """Does the advice come with a reason?"""
        return bool(self.advice.because or self.at_once)

    @property
    def is_concrete(self) -> bool:
        """Does the advice come with a number, or with a sentence that the game's author wrote for beginners?"""
        return bool(self.at_once or self.advice.stakes or re.search(r"\d", self.advice.because) or self.is_by_an_author)


def listen(name: str, decisions: int, seed: int, adviser: str) -> Iterator[Heard]:
    """Yield the coach's advice at each of `decisions` decisions of a coached seat that has a choice, in game after game."""
    game, luck, coach = sutler.load(name), random.Random(seed), Coaching()
    coach = load_coaching(game.definition.folder)
    options = coach.first_game.options
    game = sutler.load(name, **options) if options else game
    thinker, other = bot_from(adviser), bot("greedy")
    heard = played = 0
    while heard < decisions:
        memory = CoachMemory()
        played += 1
        pos = game.new(seats=min(SEATS.get(name, 3), game.max_seats), seed=luck.randrange(2**31))
        while not pos.over and heard < decisions:
            if pos.seat != PEOPLE:
                pos.play(other.choose(pos.for_seat(pos.seat)))
                continue
            if len(pos.choices(PEOPLE)) == 1:  # nothing to advise: the coach says that nothing else is possible
                pos.play(pos.choices(PEOPLE)[0].name)
                continue
            one = advised(pos, coach, thinker, memory, played)
            heard += 1
            yield one
            wanted = one.advice.action if luck.random() < FOLLOWS else luck.choice(pos.choices(PEOPLE)).name
            pos.play(wanted)


def advised(pos: Position, coach: Coaching, adviser: Any, memory: CoachMemory, number: int) -> Heard:
    """The coach's advice for the seat that is to decide; what it has said before in this game (`number`) is in its memory."""
    labels = {one.name: (to_plain_text(one.label), to_plain_text(one.effect)) for one in pos.choices(PEOPLE)}
    phase = pos.game.definition.phases.words[int(pos.state.phase)]
    advice = build_advice(pos.for_seat(PEOPLE), AskedDecision(labels, "", coach, phase, memory), adviser)
    name = pos.game.definition.name
    anyway = find_certain_changes(name, PEOPLE, advice.instead_outcomes)
    at_once = [one for one in find_certain_changes(name, PEOPLE, advice.outcomes) if one not in anyway]
    return Heard(number, phase, advice, len(at_once), bool(advice.because) and advice.because in written(pos, coach))


def written(pos: Position, coach: Coaching) -> set[str]:
    """The reasons that a game's author wrote for beginners, in the reader's language."""
    return {pos.game.tongue(text) for text in [one.why for one in coach.rather] + [one.text for one in coach.thumb]}


def main() -> None:
    """Listen to the coach in each game, and print the shares."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("games", nargs="*", default=[])
    asked.add_argument("--decisions", type=int, default=300)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--adviser", default=ADVISER)
    asked.add_argument("--show", type=int, default=0)
    asked.add_argument("--language", default="en")
    told = asked.parse_args()
    with use_language(told.language):
        for name in told.games or games():
            every = list(listen(name, told.decisions, told.seed, told.adviser))
            with_reason, concrete = sum(one.has_reason for one in every), sum(one.is_concrete for one in every)
            print(
                f"{name:12} {len(every)} advices, {with_reason / len(every):.1%} with a reason, {concrete / len(every):.1%} concrete"
            )
            for one in sorted(every, key=lambda one: one.is_concrete)[: told.show]:
                print(f"    {one.phase}: {one.advice.text} | {one.advice.because} | {one.at_once} numbers")


if __name__ == "__main__":
    main()

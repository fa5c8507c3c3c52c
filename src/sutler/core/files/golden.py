"""Golden playthroughs: played games as text, one line for each decision, for people to read and for tests to compare.

game manor   seats 2   seed 7
option map = printed
  1  seat 0  place Wheat  of 5   seats[0].tokens[crops] 4->9   seats[0].hand -Wheat

Head lines: the game; options; `position FILE` for a scenario file, in the same folder or one of the game's own. Lines that begin with #
are comments, and kept. A line may hold an action's name alone: reprinting adds number, seat and changes.

    python -m sutler.core.files.golden FILE...              reprint, stopping where an action has become illegal
    python -m sutler.core.files.golden --random manor 2 7 60     print a new random playthrough: game, seats, seed, decisions
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sutler.core.chance import below, new_luck
from sutler.core.play.game import Game, load
from sutler.core.play.position import IllegalAction, Position
from sutler.core.record import Field

STOPPED_COMMENT = "# stopped: "
COLUMN_GAP = re.compile(r"\s{2,}")


@dataclass
class Playthrough:
    """A golden file: how the game begins, and its comments and actions in order."""

    game: str
    seats: int
    seed: int
    options: dict[str, str] = field(default_factory=dict)
    position: str = ""
    lines: list[str] = field(default_factory=list)  # comments with their #, actions by name

    def build_first_position(self, folder: Path | None = None) -> Position:
        """The position with which the playthrough begins. `folder`: where its scenario file is looked for first."""
        game = load(self.game, settings=self.options)
        if not self.position:
            return game.new(self.seats, self.seed)
        beside = (folder or Path()) / f"{self.position}.toml"
        return game.new(self.seats, self.seed, position=beside if beside.exists() else self.position)


def parse_golden_file(text: str) -> Playthrough:
    """Read a golden file; ValueError names the line that cannot be read."""
    rows = [line for line in text.splitlines() if line.strip() and not line.startswith(STOPPED_COMMENT)]
    if not rows or not (head := re.fullmatch(r"game (\w+)\s+seats (\d+)\s+seed (\d+)", rows[0].strip())):
        raise ValueError("line 1: `game NAME   seats N   seed N` is expected")
    play = Playthrough(head[1], int(head[2]), int(head[3]))
    for row in rows[1:]:
        if option := re.fullmatch(r"option (\w+) = (.+)", row):
            play.options[option[1]] = option[2].strip()
        elif row.startswith("position "):
            play.position = row.removeprefix("position ").strip()
        elif row.startswith("#"):
            play.lines.append(row.rstrip())
        elif not row.startswith("over "):
            parts = COLUMN_GAP.split(row.strip())
            play.lines.append(parts[2] if re.fullmatch(r"\d+", parts[0]) and len(parts) > 2 else row.strip())
    return play


def replay_and_reprint(text: str, folder: Path | None = None) -> str:
    """Play the actions of a golden file's text again, and return the text with the changes that they make now.

    If an action has become illegal, the text ends with a comment and the remaining lines. `folder`: where its scenario file lies.
    """
    play = parse_golden_file(text)
    pos = play.build_first_position(folder)
    out = [f"game {play.game}   seats {play.seats}   seed {play.seed}"]
    out += [f"option {name} = {value}" for name, value in play.options.items()]
    out += [f"position {play.position}"] if play.position else []
    for i, line in enumerate(play.lines):
        if line.startswith("#"):
            out.append(line)
            continue
        before = pos.game.definition.state.copy(pos.state)
        seat, n_legal = pos.seat, len(pos.legal_ids())
        try:
            action = pos.action(line)
            pos.play(action)
        except IllegalAction as error:
            return "\n".join([*out, f"{STOPPED_COMMENT}{error}", *play.lines[i:]]) + "\n"
        told = [
            f"{len(pos.decisions):>3}  seat {seat}  {action.name}  of {n_legal}",
            *describe_state_changes(pos.game, before, pos.state),
        ]
        out.append("   ".join(told))
    if pos.over:
        score = "   ".join(f"seat {row['seat']} place {row['place']} score {row['score']:g}" for row in pos.result())
        out.append(f"over   {score}")
    return "\n".join(out) + "\n"


def describe_state_changes(game: Game, before: Any, after: Any) -> list[str]:
    """The differences between two states, in words. The random generator and bit masks are left out."""

    def name_number(of: str, number: int) -> str:
        listed = game.names.get(of, ())
        return listed[number] if 0 <= number < len(listed) and of != "seat" else str(number)

    layout = game.definition.state
    silent = {
        path
        for path, one, _ in layout.iter_values(before, names=name_number)
        if _is_undeclared_bit_mask(one) or path.startswith("rng[")
    }
    return [
        line
        for line in layout.list_changes(before, after, name_number)
        if not any(line.startswith(f"{path} ") for path in silent)
    ]


def _is_undeclared_bit_mask(one: Field) -> bool:
    """Is this a field of 64-bit words that is not declared as a set of things?"""
    return not one.is_set and one.type == "u8"


def write_random_playthrough(name: str, seats: int, seed: int, max_decisions: int, **options: str) -> str:
    """The text of a random playthrough of at most `max_decisions` decisions."""
    play = Playthrough(name, seats, seed, options)
    pos = play.build_first_position()
    luck = new_luck(seed, 9)
    while not pos.over and len(pos.decisions) < max_decisions:
        legal = pos.legal_ids()
        pos.play(legal[int(below(luck, len(legal)))])
    actions = [pos.game.action_names[decision.action].name for decision in pos.decisions]
    head = [
        f"game {name}   seats {seats}   seed {seed}",
        *(f"option {key} = {value}" for key, value in options.items()),
    ]
    return replay_and_reprint("\n".join([*head, *actions]))


def main(arguments: list[str]) -> int:
    """The command line that replays golden files and prints them again; returns 1 if an action is no longer legal."""
    if arguments[:1] == ["--random"]:
        name, seats, seed, most = arguments[1:5]
        options = dict(pair.split("=", 1) for pair in arguments[5:])
        print(write_random_playthrough(name, int(seats), int(seed), int(most), **options), end="")
        return 0
    stopped = 0
    for path in map(Path, arguments):
        text = path.read_text(encoding="utf-8")
        new = replay_and_reprint(text, path.parent)
        path.write_text(new, encoding="utf-8")
        if STOPPED_COMMENT in new:
            stopped = 1
            print(f"{path}: {new.split(STOPPED_COMMENT)[1].splitlines()[0]}")
        elif new != text:
            print(f"{path}: changed")
    return stopped


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

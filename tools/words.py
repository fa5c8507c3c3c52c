"""What `make lint` asks of names and docstrings beyond ruff's rules: plain words that a reader of this field would search for.

    python tools/words.py            the faults of src/sutler, each with its file and line; exit code 1 if there are any
    python tools/words.py FOLDER     of another copy of the sources (a folder that holds `src/sutler`)

Looked at is everything outside the games' `rules/`, which use the rulebook's words. CONTRIBUTING.md ("Names") has the glossary.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

_WORDS = """
ANY BOTH EACH ENOUGH EQUAL EVERY FEW FEWER FEWEST HALF LEAST LESS MANY MORE MOST OTHER OTHERS OWN SAME SHARE SOME WHOLE
BEST BIG DEEP FAST FULL GREAT HEAVY HIGH HIGHEST LARGE LARGEST LIGHT LITTLE LONG LONGER LONGEST LOW LOWEST NARROW NARROWEST QUICK QUIET
SHARP SHORT SHORTEST SLOW SMALL SMALLEST STEEP STRONG SURE USUAL WEAK WIDE WIDEST WORST
ABOUT AFTER AGAIN AHEAD ALIKE ALMOST ALONE ALWAYS APART AWAY BEFORE ELSEWHERE EVERYWHERE FAR FREELY INSTEAD LAST LASTS LATER NEAR
NEVER NOW OFTEN ONCE OTHERWISE OUT OVER SELDOM SOON STILL THEN THERE TOGETHER UNDER
ASKED BURNING COUNTED CROWDED DECIDED DONE EXPOSED FAILED FORESEEN FOUND GIVEN GONE HELD HOLDS KEEPS KEPT LEARNED LOOKS MADE MEANT MISREAD
MOVED NAMED NEEDED NOTED OFFERED OPENED PAID PICTURED PLAYED PRINTED PROBED PURSUED QUEUED READY REPLAYED ROBBED RULED SAID SAVES SAYS SEEN
SHIPPED SHOWN SPARED STAGED STRUCK TAKEN TOLD TRIED TRIES UNASKED UNFIT UNSAID WAITING WANTED
"""
BARE_WORDS = frozenset(_WORDS.split())
"""Quantities, adjectives, adverbs, participles: as the whole name of a constant they say nothing (`MAX_NAME_CHARS` and `Z_95` do)."""

RIDDLE = re.compile(
    r"(The same\b|As |So (?:many|much)\b|Whoever\b|Whatever\b|What\b(?![^.]*\?)|Of\b|(?:After|Between|For|Within) which\b|Those\b)"
)
"""How a docstring must not begin. It is shown alone, so there is nothing that "The same", "Those" or "Of" could point at, and its subject
is a noun ("The cost of …") or its verb an order ("Pay …"), not a riddle that begins with "What". A question is none."""

ORDINAL = re.compile(r"\b(so|how)-manieth\b")

ONE_THING = {
    "charts": "drawings of numbers, for the page and for reports",
    "events": "what happened, in order: in a game, and at a table",
    "language": "the reader's language, and how a request names it",
    "registry": "what there is, by name: games, and open tables",
    "standing_orders": "answering by standing orders, and giving them at a table",
    "worker": "a process that computes for others: bots' turns, answers to a designer",
}
"""Module names that two layers may share because they mean one thing. The command line is not compared, since commands have the names of
what they run."""

LAYERS = ("core", "bots", "lab", "interop", "web")


class Fault(NamedTuple):
    """One place where a name or a docstring is not plain."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def constants(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield (line, name) of each constant that a module sets, without the values of an enumeration (`A, B = range(2)`)."""
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name):
                yield node.lineno, target.id
            elif isinstance(target, ast.Tuple) and not is_enumeration(node.value):
                yield from ((node.lineno, one.id) for one in target.elts if isinstance(one, ast.Name))


def is_enumeration(value: ast.expr | None) -> bool:
    """Are these the numbers of named values: `range(3)`, or `0, 1, 2` in ascending order?"""
    if isinstance(value, ast.Tuple):
        numbers = [one.value for one in value.elts if isinstance(one, ast.Constant) and isinstance(one.value, int)]
        return len(numbers) == len(value.elts) > 2 and numbers == sorted(set(numbers))
    return isinstance(value, ast.Call)


def notes(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of each docstring, and of each note under a constant or a field."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda | ast.IfExp):
            continue  # their body is an expression
        for one in getattr(node, "body", ()):
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
                yield one.lineno, one.value.value


def faults_of(source: str, file: str = "") -> Iterator[Fault]:
    """Yield the faults of one module's source, kind by kind, in the order of its lines. `file`: its name in messages."""
    tree = ast.parse(source)
    for line, name in constants(tree):
        if name.strip("_") in BARE_WORDS:
            yield Fault(
                file,
                line,
                f"the constant {name} needs a noun, and a unit where it counts: MAX_NAME_CHARS, POLL_SECONDS",
            )
    for line, text in notes(tree):
        if found := RIDDLE.match(text):
            yield Fault(
                file,
                line,
                f'the docstring begins "{found[1].strip()}": say what comes back or what is done; it is shown alone',
            )
    for line, text in enumerate(source.splitlines(), 1):
        if found := ORDINAL.search(text):
            yield Fault(file, line, f'"{found[0]}": write "the nth", or name the number')


def named_twice(package: Path) -> Iterator[Fault]:
    """Yield a fault for each name that modules of two layers share without being in ONE_THING."""
    places: dict[str, list[Path]] = defaultdict(list)
    for path in package.rglob("*.py"):
        if path.relative_to(package).parts[0] in LAYERS and not path.name.startswith("_"):
            places[path.stem].append(path)
    for name, paths in sorted(places.items()):
        layers = {path.relative_to(package).parts[0] for path in paths}
        if len(layers) > 1 and name not in ONE_THING:
            where = ", ".join(str(path.relative_to(package)) for path in sorted(paths))
            yield Fault(
                str(sorted(paths)[-1]), 1, f"two layers have a module `{name}` ({where}): one word for one thing"
            )


def faults(root: Path) -> Iterator[Fault]:
    """Yield the faults of all sources of a copy of the project, except the rules of games."""
    package = root / "src" / "sutler"
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).parts
        if "rules" in parts or "migrations" in parts:
            continue
        yield from faults_of(path.read_text(encoding="utf-8"), str(path.relative_to(root)))
    yield from (Fault(str(Path(one.file).relative_to(root)), one.line, one.message) for one in named_twice(package))


def main(arguments: list[str]) -> int:
    """Print the faults; returns 1 if there are any."""
    found = list(faults(Path(arguments[0]).resolve() if arguments else ROOT))
    for one in found:
        print(one)
    if found:
        print(f"{len(found)} faults. The words that are ours, and the rest of this rule: CONTRIBUTING.md, Names")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

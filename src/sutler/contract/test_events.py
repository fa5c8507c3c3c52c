"""Each event is told with the parts of its sentence, in the same order.

`tell(events, E.took, seat, card)` passes its numbers by position: one number too many, or two exchanged, raises no error, but the log
is wrong. So each call in a game's sources is compared with the sentence of the event in the game's table.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from sutler.contract.cases import GAMES, load_game
from sutler.core.events import EventTable

BEFORE_KIND = {"tell": 1, "tell_to": 2}
"""The number of arguments before the kind of event, by the name of the function."""


def find_tell_calls(source: str) -> Iterator[tuple[int, str, list[ast.expr]]]:
    """Yield (line, kind, arguments after the kind) of each call of `tell` or `tell_to` that names its kind as `E.kind`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BEFORE_KIND:
            kind, *parts = node.args[BEFORE_KIND[node.func.id] :]
            if isinstance(kind, ast.Attribute):
                yield node.lineno, kind.attr, parts


def get_argument_name(argument: ast.expr) -> str:
    """The name of an argument that is a plain name, an attribute, or one of these in a call such as `int(card)`; "" for others."""
    if isinstance(argument, ast.Call) and len(argument.args) == 1:
        argument = argument.args[0]
    return (
        argument.id if isinstance(argument, ast.Name) else argument.attr if isinstance(argument, ast.Attribute) else ""
    )


def find_wrong_calls(source: str, events: EventTable) -> Iterator[str]:
    """Yield a sentence for each call that has another number of parts than the event's sentence, or a part where another kind stands.

    Two exchanged parts of one kind, such as two seats, are not found, because rule and sentence may call them by different names.
    """
    for line, kind, given in find_tell_calls(source):
        parts = events.events[kind].parts
        names, kinds = [name for name, _ in parts], dict(parts)
        while len(given) > len(names) and isinstance(given[-1], ast.Constant) and given[-1].value == 0:
            given.pop()  # what compiled rules hand on to be called with one number of arguments
        if len(given) != len(names):
            yield f"line {line}: {kind} is told with {len(given)} parts, its sentence has {len(names)}: {', '.join(names)}"
            continue
        for place, argument in enumerate(given):
            if (name := get_argument_name(argument)) in names and kinds[names[place]] != kinds[name]:
                yield f"line {line}: {kind} is told with {name} as part {place + 1}, which its sentence calls {names[place]}"


@pytest.mark.parametrize("game", GAMES)
def test_events_are_told_in_the_order_of_their_sentences(game: str) -> None:
    """Each call in a game's sources has as many parts as the event's sentence, each of the kind at that place."""
    definition = load_game(game).definition
    faults = [
        f"{path.relative_to(definition.folder)}, {fault}"
        for path in sorted(Path(definition.folder).rglob("*.py"))
        for fault in find_wrong_calls(path.read_text(encoding="utf-8"), definition.events)
    ]
    assert not faults


def test_parts_in_another_order_are_seen() -> None:
    """Calls with a part too few, a part too many or two exchanged are found; other expressions in the right number pass."""
    from sutler.core.events import Event

    events = EventTable(sold=Event("1.1", "{seat} sells {card} to {other:seat} for {n} {good}."))
    for told, faults in (
        ("tell(events, E.sold, seat, card, other, n, good)", 0),
        ("tell(events, E.sold, other, int(card), state.seat, 2 * price, box.good[good].name)", 0),
        ("tell(events, E.sold, seat, card, other, n, good, 0)", 0),
        ("tell(events, E.sold, seat, card, other, good, n)", 2),
        ("tell_to(events, 1 << seat, E.sold, seat, card, other, n)", 1),
        ("tell(events, E.sold, seat, card, other, n, good, spare)", 1),
    ):
        assert len(list(find_wrong_calls(told, events))) == faults, told

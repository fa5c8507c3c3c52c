"""Rows above rules: what a table refuses, the numbers it gives, and the rule that finds a rule."""

import pytest

from sutler.core.names import Numbers
from sutler.core.rule import rule
from sutler.core.rule_tables import OperationError, OperationTable, RuleTable


def table() -> OperationTable:
    """Two operations that run, one that holds."""
    operations = OperationTable(("state", "f"), tags=("for_dice",), frame="state[f]")
    operation = operations.row

    @operation("turn", needs="by", tags="for_dice")
    @rule
    def op_turn(frame, f) -> bool:  # type: ignore[no-untyped-def]
        """Is done the second time."""
        frame[0] += f
        return bool(frame[0] > 4)

    @operation("add", needs="by", may="who")
    @rule
    def op_add(state) -> None:  # type: ignore[no-untyped-def]
        """Is done at once."""
        state[0][0] += 10

    @operation("forbid", holds=True)
    @rule
    def is_forbidden(box, anything) -> bool:  # type: ignore[no-untyped-def]
        """May ask for what it likes: nothing runs it."""
        return True

    return operations


def test_numbers_are_given_out_by_name() -> None:
    """In the order of the names, whatever file was read first; 0 is no operation. Then no row can be added."""
    operations = table()
    assert (operations.numbers.add, operations.numbers.forbid, operations.numbers.turn) == (1, 2, 3)
    assert list(operations.numbers) == ["add", "forbid", "turn"]
    with pytest.raises(OperationError, match="the numbers have been given out"):
        operations.row("more")(operations.rows["add"].rule)
    with pytest.raises(AttributeError, match="did you mean 'forbid'"):
        _ = operations.numbers.forbidden


def test_the_rule_of_an_operation_is_found() -> None:
    """It is handed what its arguments are called; one that says nothing is done at once, as is one that no rule carries out."""
    operations = table()
    run = operations.dispatch(__name__, __file__)
    state = [[0], [3]]
    assert run.plain(state, 1, operations.numbers.turn) is False
    assert run.plain(state, 1, operations.numbers.turn) is True
    assert run.plain(state, 1, operations.numbers.add) is True
    assert run.plain(state, 1, operations.numbers.forbid) is True
    assert state == [[10], [5]]


def test_fields_of_a_card_are_checked() -> None:
    """Each operation has the fields of its row and no others."""
    operations = table()
    assert operations.find_fault("add", {"by", "who"}) == ""
    assert operations.find_fault("add", {"by", "whose"}) == "op add has no field whose; did you mean 'who'?"
    assert operations.find_fault("turn", set()) == "op turn needs by"
    assert operations.find_fault("burn", set()) == "there is no op 'burn'; did you mean 'turn'?"
    assert (len(operations), [one.name for one in operations if one.runs]) == (3, ["turn", "add"])


def test_what_a_table_refuses() -> None:
    """A second row of a name, an unknown tag, a rule that asks for what it is not handed, a row above something that is no rule."""
    operation = table().row

    @rule
    def op_late(frame, box) -> None:  # type: ignore[no-untyped-def]
        """Asks for too much."""

    for name, tags, given, says in (
        ("add", "", op_late, "there is an operation already"),
        ("late", "for_ever", op_late, "there is no tag 'for_ever'"),
        ("late", "", op_late, "asks for 'box'"),
        ("late", "", len, "stands above @rule"),
    ):
        with pytest.raises(OperationError, match=says):
            operation(name, tags=tags)(given)


def test_rules_by_an_enumeration() -> None:
    """Each number has one rule."""
    parts = RuleTable(Numbers("part", ("morning", "noon", "night")), ("state",))

    @parts.of("noon")
    @rule
    def step_noon(state) -> None:  # type: ignore[no-untyped-def]
        """Note it."""
        state.append("noon")

    heard: list[str] = []
    run = parts.dispatch(__name__, __file__)
    assert [run.plain(heard, number) for number in range(3)] == [True] * 3
    assert heard == ["noon"]
    with pytest.raises(OperationError, match="there is a rule for it already"):
        parts.of("noon")(step_noon)

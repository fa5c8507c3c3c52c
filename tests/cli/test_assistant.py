"""An assistant's tools, called as functions and over the Model Context Protocol; it sees a seat and never the truth."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import pytest

import sutler
from sutler.bots.search import SearchBot
from sutler.cli.developer_commands.assistant import MAX_TABLES, Assistant, ToolError
from sutler.cli.developer_commands.mcp import TOOLS, build_server
from sutler.core.play.position import Position


def apart(does: Callable[[], Awaitable[Any]]) -> Any:
    """Run a coroutine on a thread of its own: a browser's loop may run on this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, does).result()


def test_reading() -> None:
    """Games with their options, paragraphs by number, chapter and words, what is in the box."""
    reader = Assistant()
    assert [one["name"] for one in reader.games()] == sutler.games()
    assert "victory" in next(one for one in reader.games() if one["name"] == "manor")["options"]
    assert [one["paragraph"] for one in reader.guide("manor", "§5.2")] == ["5.2"]
    assert {one["paragraph"].split(".")[0] for one in reader.guide("manor", "5")} == {"5"}
    assert any("peasant" in one["text"].casefold() for one in reader.guide("MANOR", "feeding peasants"))
    assert len(reader.guide("manor")) > 50
    assert reader.box("manor")["rules"]["buy_price"] > 0
    for bad in (lambda: reader.guide("manor", "zeppelin"), lambda: reader.guide("chess"), lambda: reader.box("chess")):
        with pytest.raises(ToolError):
            bad()


@pytest.mark.parametrize("game", sutler.games())
def test_a_seat_is_played(game: str) -> None:
    """It is told what happened and what is asked; each act is taken by its offered name; the rest is played by bots."""
    player = Assistant()
    told = player.new_table(game, bots="random")
    table = told["table_id"]
    pos = player.tables[table].pos
    for _ in range(6):
        if told.get("over"):
            break
        assert pos.seat == 0
        assert [one["action"] for one in told["choices"]] == [one.name for one in pos.choices(0)]
        assert told["asked"]["paragraph"]
        assert told["table"].strip()
        assert player.look(table)["happened"] == [], "what was told once is not told again"
        decided = len(pos.decisions)
        told = player.act(table, told["choices"][-1]["action"])
        assert len(pos.decisions) > decided
    assert str(pos.seed) not in json.dumps(told)
    assert player.leave(table)
    assert player.tables == {}


def test_a_hint_is_what_the_strongest_bot_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the level that the game calls hard, as in every other hint; five at most, each with its paragraph."""
    player = Assistant()
    table = player.new_table("threeyears", seats=2, bots="random")["table_id"]
    monkeypatch.setattr(SearchBot, "explain", lambda self, view: [(one, 0.5, 3) for one in reversed(view.actions())])
    wanted = list(reversed(player.tables[table].pos.actions()))[:5]
    assert player.hint(table) == [{"action": one.name, "worth": 0.5, "paragraph": one.rule} for one in wanted]


def test_what_is_refused_is_refused_in_words() -> None:
    """With the paragraph, and nothing is changed by it."""
    player = Assistant()
    table = player.new_table("manor", seats=2, seat=2, bots="random")["table_id"]
    pos = player.tables[table].pos
    made = len(pos.decisions)
    barred = next(one for one in pos.game.action_names._by_id if pos.why_not(one))
    why = player.why_not(table, barred.name)
    assert why["reason"]
    with pytest.raises(ToolError, match=r"\(\d+\.\d+\)"):
        player.act(table, barred.name)
    assert len(pos.decisions) == made
    assert player.why_not(table, pos.actions()[0].name)["reason"] == "It can be taken."
    assert {one["action"] for one in player.hint(table)} <= {one.name for one in pos.actions()}
    refused: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: player.new_table("manor", seats=2, seat=3), "from 1 to 2"),
        (lambda: player.new_table("manor", seats=9), "2 to 6"),
        (lambda: player.new_table("manor", bots="./mine.py"), "by name"),
        (lambda: player.new_table("manor", settings={"rules.nonsense": 1}), "nonsense"),
        (lambda: player.look("nowhere"), "no table"),
        (lambda: player.simulate("manor", games=10**9), "20,000"),
    )
    for bad, message in refused:
        with pytest.raises(ValueError, match=message):
            bad()
    player.tables |= {str(i): player.tables[table] for i in range(MAX_TABLES)}
    with pytest.raises(ToolError, match="leave one"):
        player.new_table("manor")


def twins() -> tuple[Position, Position]:
    """Two positions that differ only in what seat 0 cannot know."""
    pos = sutler.load("threeyears").new(3, seed=5)
    other = pos.copy()
    other.state = pos.for_seat(0, 99).redeal()
    return pos, other


def test_it_sees_its_seat_and_no_more() -> None:
    """Twin worlds look the same: only what another seat holds and what lies face down was dealt anew."""
    from sutler.cli.developer_commands.assistant import Table

    pos, other = twins()
    assert pos.state.tobytes() != other.state.tobytes()
    assert Table(pos, 0, []).describe(with_drawing=True) == Table(other, 0, []).describe(with_drawing=True)


@pytest.mark.compiled
def test_the_lab_answers() -> None:
    """Shares with intervals; two versions compared."""
    asker = Assistant()
    found = asker.simulate("threeyears", bots="random", games=20, seats=3)
    assert found["games"] == 20
    assert len(found["seats"]) == 3
    assert all(low <= one["won"] <= high for one in found["seats"].values() for low, high in [one["interval"]])
    assert sum(found["endings"].values()) == 20
    two = asker.simulate("threeyears", bots="random,greedy", games=4)
    assert set(two["by_bot"]) == {"random", "greedy"}
    same = asker.compare("threeyears", {}, {}, bots="random", games=200)
    assert same["answer"]
    json.dumps(found)


def test_over_the_protocol() -> None:
    """Every tool is listed with what it does; one is called; a refusal comes as words, not as a fault."""

    async def talk() -> tuple[Any, Any, Any]:
        from mcp import Client

        async with Client(build_server()) as client:
            listed = await client.list_tools()
            read = await client.call_tool("guide", {"game": "manor", "what": "5.2"})
            refused = await client.call_tool("guide", {"game": "chess"})
            return listed, read, refused

    listed, read, refused = apart(talk)
    assert [one.name for one in listed.tools] == list(TOOLS)
    assert all(one.description for one in listed.tools)
    assert json.loads(read.content[0].text)[0]["paragraph"] == "5.2"
    assert refused.is_error
    assert "there is no game 'chess'" in refused.content[0].text


def test_an_answer_is_one_text_and_tools_say_what_they_take() -> None:
    """Whatever is asked: lists too. Each parameter is described, games are enumerated, and what changes nothing says so."""
    from mcp import Client

    async def talk() -> Any:
        async with Client(build_server()) as client:
            tools = (await client.list_tools()).tools
            answers = [await client.call_tool("guide", {"game": "manor"}), await client.call_tool("games", {})]
            listed = (await client.list_resources()).resources
            guide = await client.read_resource(str(listed[0].uri))
            return tools, answers, listed, guide

    tools, answers, listed, guide = apart(talk)
    for answer in answers:
        assert len(answer.content) == 1
        assert len(json.loads(answer.content[0].text)) >= len(sutler.games())
    for tool in tools:
        for name, one in tool.input_schema.get("properties", {}).items():
            assert one["description"], (tool.name, name)
            assert name != "game" or one["enum"] == sutler.games()
    changes = {tool.name for tool in tools if not tool.annotations.read_only_hint}
    assert changes == {"new_table", "act", "leave"}
    assert [tool.name for tool in tools if tool.annotations.destructive_hint] == ["leave"]
    assert {str(one.uri) for one in listed} == {f"sutler://guide/{name}" for name in sutler.games()}
    assert guide.contents[0].text.startswith("#")


def test_two_boxes_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit of the box, in the shape that it has, makes one of the two versions; a bad one is refused in words."""
    from sutler.lab.studies import compare

    met: list[Any] = []

    class Told:
        def data(self) -> dict[str, Any]:
            return {"met": len(met)}

    def compared(query: Any, other: Any) -> Told:
        met.extend((query.game, other))
        return Told()

    monkeypatch.setattr(compare, "compare", compared)
    asked = Assistant()
    price = asked.box("manor")["rules"]["buy_price"]
    asked.compare("manor", b={"offers": 0}, b_box={"rules": {"buy_price": price + 1}})
    assert [one.sheet.rules.buy_price for one in met] == [price, price + 1]
    with pytest.raises(ValueError, match="buy_prize"):
        asked.compare("manor", a_box={"rules": {"buy_prize": 1}})


def test_the_command_speaks_on_its_pipes() -> None:
    """`sutler mcp` answers the first call of the protocol, and ends when the other side hangs up."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}) + "\n"
    done = subprocess.run(
        [sys.executable, "-m", "sutler.cli", "mcp"],
        input=line,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    answer = json.loads(done.stdout.splitlines()[0])
    assert answer["result"]["serverInfo"]["name"] == "sutler"
    assert done.returncode == 0

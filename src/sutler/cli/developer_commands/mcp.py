"""`sutler mcp`: the tools of `assistant.py` offered over the Model Context Protocol."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from sutler.cli.errors import CommandError
from sutler.cli.options import command

if TYPE_CHECKING:
    from mcp.server import MCPServer


READING = ("games", "guide", "box", "look", "why_not", "hint", "simulate", "compare")
"""The names of the tools that change nothing."""
TOOLS = ("games", "guide", "box", "new_table", "look", "act", "why_not", "hint", "leave", "simulate", "compare")
LEVELS = ("easy", "normal", "hard", "random", "greedy")
PARAMETER_TEXTS = {
    "game": "The game's name.",
    "what": "A paragraph (5.4), a chapter (5), or words to look for; empty for all titles.",
    "seats": "How many sit at the table; the fewest that the game takes if left out.",
    "seat": "Your seat, counted from 1.",
    "bots": f"Who plays the other seats: {', '.join(LEVELS)}, or search:rounds=40; one for all, or one for each with commas.",
    "settings": 'Options and numbers of the box by name, such as {"offers": 0, "rules.buy_price": 2}; `games` and `box` list them.',
    "table_id": "The table, as `new_table` named it.",
    "action": "An action by its name, as the choices give it.",
    "games": "How many games to play.",
    "a": "The first version: settings, as for a table.",
    "b": "The second version: settings.",
    "a_box": 'Edits of the first version\'s box, in the shape that `box` shows: {"card": [{"name": "Wheat", "cost": 2}]}.',
    "b_box": "Edits of the second version's box.",
}
"""{parameter: its description} for the parameters of all tools."""
INSTRUCTIONS = """Sutler: tabletop games about feeding people while a war goes on. Read a game's guide before you play or advise; quote
paragraphs by their number. At a table you see what your seat sees. Figures from the lab are what bots do: say so."""


@command
def mcp_command() -> None:
    """Let an assistant read guides, play a seat and ask the lab, over the Model Context Protocol on standard input and output."""
    build_server().run("stdio")


def build_server() -> MCPServer[Any]:
    """A Model Context Protocol server with every tool; CommandError when the library `mcp` is not installed."""
    try:
        from mcp.server import MCPServer
    except ImportError:
        raise CommandError('the Model Context Protocol wants a library: pip install "sutler[mcp]"') from None
    from mcp_types import ToolAnnotations

    from sutler import __version__
    from sutler.cli.developer_commands.assistant import Assistant
    from sutler.core.play.registry import games

    assistant = Assistant()
    made: MCPServer[Any] = MCPServer("sutler", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    for name in TOOLS:
        hints = ToolAnnotations(
            title=name.replace("_", " "),
            read_only_hint=name in READING,
            destructive_hint=name == "leave",
            idempotent_hint=name in READING and name != "look",
            open_world_hint=False,
        )
        tool = _add_parameter_descriptions(_wrap_with_tool_errors(getattr(assistant, name)))
        made.tool(name=name, annotations=hints, structured_output=False)(tool)
    for name in games():
        _add_guide_resource(made, name)
    return made


def _add_guide_resource(mcp_server: MCPServer[Any], game: str) -> None:
    """Offer a game's guide as a resource, a document that is read as a whole."""
    from sutler.core.play.registry import find_game_folder

    def guide() -> str:
        return (find_game_folder(game) / "guide.md").read_text(encoding="utf-8")

    uri, about = f"sutler://guide/{game}", f"How to play {game}, by numbered paragraphs."
    mcp_server.resource(uri, name=f"guide of {game}", description=about, mime_type="text/markdown")(guide)


def _wrap_with_tool_errors(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool with its result as one text (JSON), and its errors raised as the library's ToolError, whose text the assistant reads."""
    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(tool)
    def call_tool(*args: Any, **kwargs: Any) -> str:
        try:
            told = tool(*args, **kwargs)
        except (ValueError, KeyError, OSError) as error:
            raise ToolError(str(error)) from None
        return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, default=str)

    return call_tool


def _add_parameter_descriptions(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool with a description of each parameter in its annotations, and the possible names for games and bots."""
    from pydantic import Field

    from sutler.cli.developer_commands import assistant
    from sutler.core.play.registry import games

    hints = get_type_hints(getattr(tool, "__wrapped__", tool), vars(assistant))
    few: dict[str, Any] = {"game": {"enum": games()}, "bots": {"examples": list(LEVELS)}}
    signature = inspect.signature(tool)
    parameters = []
    for name, one in signature.parameters.items():
        known: Any = Field(description=PARAMETER_TEXTS[name], json_schema_extra=few.get(name))
        parameters.append(one.replace(annotation=Annotated[hints[name], known]))
    described: Any = tool
    described.__signature__ = signature.replace(parameters=parameters, return_annotation=str)
    described.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": str}
    return tool

"""`sutler mcp`: what `assistant.py` can do, offered to an assistant over the Model Context Protocol."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sutler.cli.errors import CommandError
from sutler.cli.options import command

if TYPE_CHECKING:
    from mcp.server import MCPServer


TOOLS = ("games", "guide", "box", "new_table", "look", "act", "why_not", "hint", "leave", "simulate", "compare")
INSTRUCTIONS = """Sutler: tabletop games about feeding people while a war goes on. Read a game's guide before you play or advise; quote
paragraphs by their number. At a table you see what your seat sees. Figures from the lab are what bots do: say so."""


@command
def mcp() -> None:
    """Let an assistant read guides, play a seat and ask the lab, over the Model Context Protocol on standard input and output."""
    server().run("stdio")


def server() -> MCPServer[Any]:
    """A server with every tool; CommandError when its library is missing."""
    try:
        from mcp.server import MCPServer
    except ImportError:
        raise CommandError('the Model Context Protocol wants a library: pip install "sutler[mcp]"') from None
    from sutler import __version__
    from sutler.cli.building.assistant import Assistant

    assistant = Assistant()
    made: MCPServer[Any] = MCPServer("sutler", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    for name in TOOLS:
        made.tool(name=name, structured_output=False)(_with_tool_errors(getattr(assistant, name)))
    return made


def _with_tool_errors(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool with its errors as a ToolError, whose text the assistant reads; no traceback."""
    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(tool)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return tool(*args, **kwargs)
        except (ValueError, KeyError, OSError) as error:
            raise ToolError(str(error)) from None

    return wrapped

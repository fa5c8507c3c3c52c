"""Forms that are read by hand because what they hold depends on the game: what may stand in them, told in the schema."""

from __future__ import annotations

from typing import Any

from sutler.web.events import MAX_SEATS
from sutler.web.lobby.uploads import KINDS

WORDS = {"type": "string"}


def told(fields: dict[str, Any], files: tuple[str, ...] = (), more: bool = False) -> dict[str, Any]:
    """A form for FastAPI's `openapi_extra`. `more`: others may stand in it too."""
    properties = fields | {name: {"type": "string", "contentMediaType": "application/octet-stream"} for name in files}
    schema = {"type": "object", "properties": properties, "additionalProperties": WORDS if more else False}
    kinds = ["multipart/form-data"] if files else ["application/x-www-form-urlencoded"]
    return {"requestBody": {"content": {kind: {"schema": schema} for kind in kinds}, "required": True}}


SITS = {"anyOf": [{"enum": ["me", "link", "none", "easy", "normal", "hard"]}, WORDS]}
NEW_TABLE = told(
    {"game": {"anyOf": [{"const": "manor"}, WORDS]}}
    | {f"seat_{seat}": SITS for seat in range(MAX_SEATS)}
    | {f"name_{seat}": WORDS for seat in range(MAX_SEATS)}
    | {
        "watch": {"anyOf": [{"enum": ["yes", "no"]}, WORDS]},
        "coach": WORDS,
        "before": {"anyOf": [{"enum": ["", "normal", "easy"]}, WORDS]},
    }
    | dict.fromkeys(("time", "clock", "refill", "then", "patience", "waits", "counts", "styles"), WORDS)
    | {f"{kind}_{part}": WORDS for kind in KINDS for part in ("name", "text")},
    files=KINDS,
    more=True,
)
"""A new table: who sits where, the game's options (`option_NAME`), files of one's own."""
ASKED = ("game", "kind", "bots", "seats", "games", "seed", "settings", "edited", "edit")
OF_KINDS = ("over", "cards", "choices", "turn", "rounds", "bots_b", "seats_b", "give_up", "only", "want", "most")
QUESTION = told(dict.fromkeys((*ASKED, *OF_KINDS), WORDS))
"""A question to the lab; each kind has fields of its own."""

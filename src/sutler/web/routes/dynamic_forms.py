"""Forms that are read by hand because what they hold depends on the game: what may stand in them, told in the schema."""

from __future__ import annotations

from typing import Any

from sutler.web.events import MAX_SEATS
from sutler.web.lobby.uploads import KINDS

TEXT_FIELD = {"type": "string"}


def form_schema(fields: dict[str, Any], files: tuple[str, ...] = (), more: bool = False) -> dict[str, Any]:
    """The schema of a form, for FastAPI's `openapi_extra`. `files`: its file fields; `more`: may it have other fields too?"""
    properties = fields | {name: {"type": "string", "contentMediaType": "application/octet-stream"} for name in files}
    schema = {"type": "object", "properties": properties, "additionalProperties": TEXT_FIELD if more else False}
    kinds = ["multipart/form-data"] if files else ["application/x-www-form-urlencoded"]
    return {"requestBody": {"content": {kind: {"schema": schema} for kind in kinds}, "required": True}}


SEAT_FIELD = {"anyOf": [{"enum": ["me", "link", "none", "easy", "normal", "hard"]}, TEXT_FIELD]}
NEW_TABLE = form_schema(
    {"game": {"anyOf": [{"const": "manor"}, TEXT_FIELD]}}
    | {f"seat_{seat}": SEAT_FIELD for seat in range(MAX_SEATS)}
    | {f"name_{seat}": TEXT_FIELD for seat in range(MAX_SEATS)}
    | {
        "watch": {"anyOf": [{"enum": ["yes", "no"]}, TEXT_FIELD]},
        "coach": TEXT_FIELD,
        "before": {"anyOf": [{"enum": ["", "normal", "easy"]}, TEXT_FIELD]},
    }
    | dict.fromkeys(("time", "clock", "refill", "then", "patience", "waits", "counts", "styles"), TEXT_FIELD)
    | {f"{kind}_{part}": TEXT_FIELD for kind in KINDS for part in ("name", "text")},
    files=KINDS,
    more=True,
)
"""A new table: who sits where, the game's options (`option_NAME`), files of one's own."""
QUESTION_FIELDS = ("game", "kind", "bots", "seats", "games", "seed", "settings", "edited", "edit")
FIELDS_OF_KINDS = ("over", "cards", "choices", "turn", "rounds", "bots_b", "seats_b", "give_up", "only", "want", "most")
QUESTION = form_schema(dict.fromkeys((*QUESTION_FIELDS, *FIELDS_OF_KINDS), TEXT_FIELD))
"""A question to the lab; each kind of question has fields of its own."""

"""Oware: the table as plain data. Two rows of houses, the northern one seen from the south; the plain board draws them."""

from __future__ import annotations

from typing import Any

from sutler.core.text.sentences import Speaker
from sutler.games.oware.box import HOUSES, ROW, SEATS, P


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """What everybody sees."""

    def place(house: int) -> dict[str, Any]:
        name = str(speaker.word("house", house))
        return {"name": name, "at": f"house:{name}", "seeds": int(state.seeds[house])}

    return {
        "round": int(state.sowings) // SEATS + 1,
        "phases": [],
        "seat": seat,
        "to_act": None if state.phase == P.over else int(state.to_act),
        "sowings_without_a_capture": int(state.quiet),
        "houses": [[place(house) for house in reversed(range(ROW, HOUSES))], [place(house) for house in range(ROW)]],
        "seats": [
            {"seat": one, "name": str(speaker.word("seat", one)), "score": int(state.taken[one])}
            for one in range(SEATS)
        ],
    }

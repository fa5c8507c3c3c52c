"""Market: the table as plain data, for one seat or a watcher."""

from __future__ import annotations

from typing import Any

from sutler.core.bits import members
from sutler.core.text.sentences import Speaker
from sutler.games.market.box import KIND_NAMES, P


def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data. Built from nothing, so that nothing slips through."""

    def wares(held: Any) -> list[str]:
        return [str(speaker.word("ware", ware)) for ware in members(held)]

    def customer(of: int) -> str | None:
        known = of == seat or state.phase == P.over
        return str(speaker.word("kind", int(state.customer[of]))) if known else None

    return {
        "round": int(state.round_no),
        "rounds": int(box.options.rounds),
        "phases": [],  # the steps of a round, told above the table; here there are none
        "seat": seat,
        "to_act": None if state.phase == P.over else int(state.to_act),
        "stall": wares(state.stall),
        "cart": wares(state.cart),
        "prices": {str(speaker.word("ware", ware)): _price(box, ware) for ware in members(box.wares)},
        "seats": [
            {
                "seat": one,
                "name": str(speaker.word("seat", one)),
                "coins": int(state.coins[one]),
                "wares": wares(state.owned[one]),
                "customer": customer(one),
            }
            for one in range(int(state.n_seats))
        ],
    }


def _price(box: Any, ware: int) -> dict[str, Any]:
    one = box.ware[ware]
    return {"kind": KIND_NAMES[one.kind], "cost": int(one.cost), "worth": int(one.worth)}

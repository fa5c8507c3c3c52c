"""Each printed card has a picture of its own, and every picture is on the page."""

from __future__ import annotations

import re

from sutler.games.threeyears import GAME

BOARD = GAME.folder / "board"
CUTS = (BOARD / "cuts.html").read_text()
PACKED = set(re.findall(r'id="i-([\w-]+)"', (BOARD / "icons.svg").read_text()))


def cuts(kind: str) -> dict[str, str]:
    """The pictures of the cards of a kind, by name."""
    table = re.search(rf"set {kind}_CUTS = {{(.*?)}}", CUTS, re.DOTALL)
    assert table
    return dict(re.findall(r'"([^"]+)": "([\w-]+)"', table[1]))


def test_every_claim_and_every_advisor_has_its_woodcut():
    """64 claims and 58 influence cards, by the names in the box; nothing is cut for a card that there is not."""
    sheet = GAME.printed
    for kind, entries in (("CLAIM", sheet["claim"]), ("INFLUENCE", sheet["influence"])):
        assert set(cuts(kind)) == {entry["name"] for entry in entries}
        assert set(cuts(kind).values()) <= PACKED


def test_cards_of_one_hand_are_told_apart_by_their_pictures():
    """Nearly every advisor has a picture that no other advisor of its season has."""
    season = {entry["name"]: entry["season"] for entry in GAME.printed["influence"]}
    seen = [(season[name], cut) for name, cut in cuts("INFLUENCE").items()]
    assert len(set(seen)) == len(seen)

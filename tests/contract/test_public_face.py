"""What others name is changed on purpose only."""

from pathlib import Path

import pytest

import sutler
from contract.public_face import ADVICE, difference, kept
from sutler.core.play.registry import find_game_folder

OURS = Path(sutler.__file__).parent / "games"


@pytest.mark.parametrize("game", [name for name in sutler.games() if find_game_folder(name).parent == OURS])
def test_the_public_face_is_as_it_is_kept(game: str) -> None:
    """Every key of the view, action, kind of event and field of a scenario is in golden/public-face.toml, and nothing else."""
    told = difference(game, kept().get(game, {}))
    assert not told, told


def test_a_change_is_told_in_words() -> None:
    """What is gone, what is new, how to print the file again, and where to say so."""
    known = kept()["manor"]
    renamed = {**known, "events": ["planted seat", *known["events"][1:]]}
    told = difference("manor", renamed)
    assert told.startswith("manor: events: 'planted seat' is gone\nmanor: events: ")
    assert told.endswith(ADVICE)
    assert "tools/golden.py" in ADVICE
    assert "CHANGELOG.md" in ADVICE

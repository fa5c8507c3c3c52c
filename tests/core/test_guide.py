"""The guide's search: any form of any word, and the printed rulebook's own terms."""

import pytest

import sutler
from sutler.contract.helpers import load_game
from sutler.core.text.guide import Guide, stem

SMALL = """# A game

## 1 Alliances

**1.1** *Allies and influence.* Allies do not take each other's areas.

**1.2** *Retreat.* The loser retreats; his influence stays.

## 2 Bidding

**2.1** *The fewest cards.* No card may be in a set that could be left out.

<!-- printed terms: what the book says
over-paying, overpaying: 2.1
minister: 1.1, 1.2
-->
"""


def numbers(guide: Guide, words: str) -> list[str]:
    return [paragraph.number for paragraph in guide.search_paragraphs(words)]


@pytest.mark.parametrize(
    "forms",
    [
        ("ally", "allies", "allied", "alliance", "alliances"),
        ("influence", "influences", "influenced", "influencing"),
        ("retreat", "retreats", "retreating", "retreated"),
        ("besiege", "besieged", "besieger", "besieging"),
        ("move", "moved", "moving", "movement"),
        ("city", "cities"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


def test_any_word_in_any_form_the_fittest_first() -> None:
    """Both words beat one; a title beats the text; what is not there is no hindrance."""
    guide = Guide(SMALL)
    assert numbers(guide, "influence alliance") == ["1.1", "1.2"]
    assert numbers(guide, "influenced cavalry") == ["1.1", "1.2"]
    assert numbers(guide, "retreating") == ["1.2"]
    assert numbers(guide, "cavalry") == []
    assert numbers(guide, "infl") == ["1.1", "1.2"], "the opening of a word is enough"
    assert numbers(guide, "the of and") == [], "words that say nothing find nothing"


def test_printed_terms_lead_to_our_paragraph() -> None:
    """The comment that closes a guide is data: searched, and shown nowhere."""
    guide = Guide(SMALL)
    assert numbers(guide, "over-paying") == ["2.1"]
    assert numbers(guide, "Overpaying") == ["2.1"]
    assert numbers(guide, "ministers") == ["1.1", "1.2"]
    assert "printed" not in guide.paragraphs[-1].text
    with pytest.raises(ValueError, match="is expected"):
        Guide(SMALL.replace("minister: 1.1, 1.2", "minister 1.1"))


@pytest.mark.parametrize("game", sutler.games())
def test_every_printed_term_finds_its_paragraph(game: str) -> None:
    """Each term of each guide names a paragraph that is there, and a search for it shows that one on the first page."""
    guide = load_game(game).guide
    for paragraph in guide.paragraphs:
        for term in ", ".join(paragraph.terms).split(", ") if paragraph.terms else ():
            assert paragraph.number in numbers(guide, term)[:12], term


@pytest.mark.parametrize(
    ("game", "words", "number"),
    [
        ("bellum", "influence alliance", "14.11"),
        ("bellum", "tie-breaker", "13.5"),
        ("threeyears", "over-paying", "5.8"),
    ],
)
def test_what_readers_of_the_rulebook_look_for(game: str, words: str, number: str) -> None:
    assert numbers(load_game(game).guide, words)[0] == number

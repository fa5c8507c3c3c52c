"""What is in the box, counted from print: the designer's own counts, and a few cards read against their pictures."""

import re
from collections import Counter
from pathlib import Path

import pytest

import sutler.games.sixwinters
from sutler.contract.helpers import load_game
from sutler.core.files.box import BoxError, apply_edit, validate_sheet
from sutler.games.sixwinters.cards.sheet import Sheet
from sutler.games.sixwinters.cards.vocabulary import DO, OPERATIONS, RESOURCES, Op
from sutler.games.sixwinters.packing import pack
from sutler.games.sixwinters.rules.common import FRAME_RULES, KIND
from sutler.games.sixwinters.state import PART, PART_RULES

BY_TESTS_ONLY: set[str] = set()
"""Operations that no printed card has: each needs a test of its own with a card of a designer's box."""


def sheet() -> Sheet:
    return load_game("sixwinters").sheet


def test_how_many_cards() -> None:
    """2.4: 101 obstacles, 36 of them starting, twelve a region."""
    cards = sheet().obstacle
    assert len(cards) == 101
    assert Counter(card.region for card in cards if card.starting) == {
        "empire": 12,
        "brightdune": 12,
        "settled_lands": 12,
    }


def test_locations() -> None:
    """1.9, 2.3, 14.16: 51 locations, nine in play at the start, three of them Desolation."""
    cards = sheet().location
    assert len(cards) == 51
    assert sum(card.called == "Desolation" for card in cards) == 3
    starting = [slot.starting_location for region in sheet().region for slot in region.slots]
    assert starting == [
        *("Eastkeep", "Guild of Strategy", "Whitehold"),
        *("Boar's Rift", "Parisa's Glen", "Loomwood"),
        *("Hogel Manor", "Boar's Peak", "Gravewood"),
    ]


def test_progress_cards() -> None:
    """1.10: 12, 8, 10, 15 and 18 cards by stage, and one shared."""
    assert Counter(card.stage for card in sheet().card) == {1: 12, 2: 8, 3: 10, 4: 15, 5: 18, None: 1}


def test_every_card_can_be_completed() -> None:
    """6.1: from start to end there is a way, and no start asks for a value beside the one before."""
    box = load_game("sixwinters").box
    for i, card in enumerate(sheet().card):
        row = box.card[i]
        reached, fresh = {int(row.start)}, [int(row.start)]
        while fresh:
            here = fresh.pop()
            for there in range(16):
                near = abs(here // 4 - there // 4) <= 1 and abs(here % 4 - there % 4) <= 1
                if near and row.cells[there].there and there not in reached:
                    reached.add(there)
                    fresh.append(there)
        assert int(row.end) in reached, card.name
        assert row.cells[row.start].relation == 0, card.name


def test_missions_schemes_events() -> None:
    """3.2, 3.5, 4.2: 23 missions, three of the sixth year; five schemes of six effects; 16 events; 16 campaign effects."""
    assert len(sheet().mission) == 23
    assert sum(card.unlock.year == 6 for card in sheet().mission) == 3
    assert [(one.resource, len(one.effect)) for one in sheet().scheme] == [
        (name, 6) for name in ("military", "sorcery", "support", "espionage", "diplomacy")
    ]
    assert {(one.season, one.symbols) for one in sheet().event} == {
        (season, n) for season in ("winter", "spring", "summer", "fall") for n in range(4)
    }
    assert len(sheet().campaign_effect) == 16
    assert len(sheet().reserve_action) == 12


def test_difficult_goals() -> None:
    """14.17: a difficult goal is the base goal with one symbol more."""
    for card in sheet().mission:
        more = Counter(card.goal_difficult) - Counter(card.goal_base)
        assert sum(more.values()) == (1 if card.goal_difficult else 0), card.name
        assert not Counter(card.goal_base) - Counter(card.goal_difficult), card.name


def test_characters() -> None:
    """1.7, 2.5, 14.43: seven characters of three abilities and six achievements; four at the start."""
    cards = sheet().character
    assert [card.name for card in cards] == ["Thea", "Menas", "Keel", "Fuscus", "Yasmina", "Oniri", "Lucia"]
    assert [card.unlocked_at_start for card in cards] == [True] * 4 + [False] * 3
    for card in cards:
        assert [one.achievement for one in card.ability] == [None] * 3 + [1, 2, 3, 4, 5, 6]


def test_technology_has_no_threat() -> None:
    """1.2, 14.1: no card carries a Technology threat, and its track has no threat marker."""
    assert not [card.name for card in sheet().obstacle if "technology" in card.threats]
    assert [track.resource for track in sheet().track if not track.threats] == ["technology"]


def test_the_tracks() -> None:
    """14.2, 14.3, 12.15: every track ends in 6; the markers begin on the first space and on the last of level 2."""
    for track in sheet().track:
        assert track.numbers[-1] == 6
        assert sorted(track.numbers) == track.numbers
        if track.threats:
            assert track.numbers[track.start_threat - 1 : track.start_threat + 1] == [2, 3], track.resource
    sorcery = next(track for track in sheet().track if track.resource == "sorcery")
    assert sorcery.numbers.index(3) + 1 == 5
    v20 = load_game("sixwinters", tracks="v20").box
    assert list(v20.track[RESOURCES.index("military")].levels)[-2:] == [4, 5]


def test_starting_pools() -> None:
    """2.2: Support begins at level 2, the others at 1."""
    assert [track.numbers[0] for track in sheet().track] == [2, 1, 1, 1, 1, 1]


def test_every_word_of_the_files_is_used() -> None:
    """13.2, 13.3, 13.4, 13.5, 13.6, 13.7, 13.8: each operation of the vocabulary stands on some card, with its number."""
    box = load_game("sixwinters").box
    used = {int(row.op) for row in box.ops[: box.n_ops]} - {0}
    assert {name for name in DO if getattr(DO, name) not in used} == BY_TESTS_ONLY
    assert len(OPERATIONS) == len(list(DO))


def test_every_operation_is_told_once() -> None:
    """13.2 to 13.8: each row stands above its rule, each rule of an effect has a row, and the guide names each operation."""
    effects = Path(sutler.games.sixwinters.__file__).parent / "rules" / "effects"
    written = {name for path in effects.glob("*.py") for name in re.findall(r"^def (op_\w+)", path.read_text(), re.M)}
    carried_out = {row.rule.plain.__name__ for row in OPERATIONS if row.runs}
    assert written == carried_out
    assert {row.name for row in OPERATIONS if not row.runs and not row.holds} == {
        *("stash", "absorb_stress", "each_seasonal_event", "campaign_failed")
    }, "what is asked for elsewhere"
    fields = set(Op.model_fields) - {"op"}
    assert {field for row in OPERATIONS for field in (*row.needs, *row.may)} == fields
    guide = (effects.parents[1] / "guide.md").read_text()
    chapter = guide.partition("**13.2**")[2].partition("**13.9**")[0]
    named = re.findall(r"[a-z_]+(?=[,.]\s)", re.sub(r"\*\*.*?\*\* \*.*?\*", "", chapter) + " ")
    assert sorted(named) == sorted(row.name for row in OPERATIONS)


def test_every_part_and_frame_has_its_rule() -> None:
    """3.1, 4.1: whatever is going on, one rule says how it goes on."""
    assert set(PART_RULES.rules) == set(PART)
    assert set(FRAME_RULES.rules) == set(KIND)


def refused(edit: dict) -> str:  # type: ignore[type-arg]
    """What is said against an edited box."""
    game = load_game("sixwinters")
    try:
        pack(validate_sheet(Sheet, apply_edit(game.definition.printed, edit), "sixwinters/box.toml"), game.chosen, {})
    except BoxError as error:
        return str(error)
    raise AssertionError("nothing was refused")


def obstacle(*ops: dict) -> dict:  # type: ignore[type-arg]
    """A new obstacle with an activation effect."""
    return {
        "obstacle": [
            {
                "name": "Made Up",
                "region": "empire",
                "season": "fall",
                "tags": ["spy"],
                "threats": ["support"],
                "skill": "lore",
                "difficulty": 9,
                "stress": ["body"],
                "effect": [{"when": "activation", "text": "x", "ops": list(ops)}],
            }
        ]
    }


@pytest.mark.parametrize(
    ("op", "words"),
    [
        ({"op": "dance"}, "there is no op 'dance'"),
        ({"op": "stress", "who": "here", "body": 1, "resource": "support"}, "op stress has no field resource"),
        ({"op": "threat", "resource": "support"}, "op threat needs by"),
        ({"op": "place_obstacle", "obstacle": "Nobody", "at": "here"}, "there is no obstacle 'Nobody'"),
        ({"op": "campaign_effect", "effect": "Nothing"}, "there is no campaign effect 'Nothing'"),
        ({"op": "reroll", "pools": ["assets_here"]}, "speaks of the die paid"),
        ({"op": "difficulty", "by": 1, "scope": "all"}, "holds while a card is in play"),
    ],
)
def test_what_is_refused(op: dict, words: str) -> None:  # type: ignore[type-arg]
    """13.9: an operation, a field or a name that does not exist is refused, with the entry it stands in."""
    said = refused(obstacle(op))
    assert words in said
    assert '[[obstacle]] "Made Up"' in said


def test_a_new_card_needs_no_code() -> None:
    """13.1: a designer's card made of the vocabulary's words is packed like any other."""
    game = load_game("sixwinters")
    edit = obstacle({"op": "stress", "who": "region", "body": 1}, {"op": "discard_self"})
    box = pack(validate_sheet(Sheet, apply_edit(game.definition.printed, edit), "x"), game.chosen, {})
    assert box.n_obstacles == 102
    assert box.obstacle[101].effect[2].n == 2


def test_the_size_of_a_campaign() -> None:
    """11.6: a whole campaign is one record of a fixed size, far below twelve kilobytes."""
    assert load_game("sixwinters").definition.state.dtype.itemsize <= 12_000

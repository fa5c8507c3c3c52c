"""The positions that come with the game: a session of any year, from its first choice on."""

import random
from typing import Any

import pytest

from games.sixwinters.scene import offers
from sutler.contract.helpers import given, load_game
from sutler.core.files.box import BoxError
from sutler.core.files.scenario_writer import build_scenario
from sutler.games.sixwinters.cards.operation_row_names import WORDS_OF_MOMENTS
from sutler.games.sixwinters.cards.vocabulary import SEASONS, SORCERY


@pytest.mark.parametrize(("name", "year"), [("first-evening", 1), ("year-four", 4), ("last-year", 6)])
def test_a_session_of_a_year(name: str, year: int) -> None:
    """12.3, 12.4: the file's year begins with its missions, and the cards of earlier years are burned."""
    pos = load_game("sixwinters").new(position=name)
    assert pos.state.year == year
    assert all(one.startswith("undertake") for one in offers(pos))
    assert pos.state.stage_no == (1, 1, 1, 2, 3, 4)[year - 1]


def test_a_campaign_dealt_by_chance() -> None:
    """12.3: three years have been played when it begins; they are in the journal, and each seed has a campaign of its own."""
    game = load_game("sixwinters")
    begun = [game.new(position="dealt-year-four", seed=seed) for seed in (1, 1, 2)]
    for pos in begun:
        assert (pos.state.year, pos.state.session, pos.decisions) == (4, 4, [])
        assert [page["year"] for page in pos.view(0)["journal"]] == [1, 2, 3]
        assert all(one.startswith("undertake") for one in offers(pos))
    assert begun[0].to_bytes() == begun[1].to_bytes() != begun[2].to_bytes()


def test_the_fourth_winter() -> None:
    """1.8, 3.2, 9.2: two are wounded, Sorcery stands at level 3, so Death Captured is open."""
    pos = load_game("sixwinters").new(position="year-four")
    assert [int(one.marks[1]) for one in pos.state.people[:4]] == [0, 4, 4, 0]
    assert pos.game.box.track[SORCERY].levels[pos.state.progress[SORCERY] - 1] == 3
    assert "undertake death captured" in offers(pos)
    assert "undertake forager's curiosity" not in offers(pos)


def test_places_and_piles_go_by_names() -> None:
    """Where an obstacle or a card is, the part of the session and bits are written by name; a wrong one is met with a suggestion."""
    laid = {"year": 2, "obstacle_at": {"Hogel": "discards of Brightdune"}, "card_at": {"Small Steps": "burned"}}
    pos = given("sixwinters", 2, **laid, effects=["Sunriders"], people={"Thea": {"state": "locked"}})
    names = pos.game.names
    assert names["obstacle_place"][pos.state.obstacle_at[names["obstacle"].index("Hogel")]] == "discards of Brightdune"
    assert names["card_place"][pos.state.card_at[names["card"].index("Small Steps")]] == "burned"
    assert int(pos.state.effects) == 1 << names["effect"].index("Sunriders")
    with pytest.raises(
        BoxError, match="there is no obstacle place 'discard of Brightdune'; did you mean 'discards of Brightdune'"
    ):
        given("sixwinters", 2, obstacle_at={"Hogel": "discard of Brightdune"})
    with pytest.raises(BoxError, match="there is no part 'action'; did you mean 'actions'"):
        given("sixwinters", 2, part="action")


@pytest.mark.parametrize("stash", [True, False])
def test_each_row_of_operations_is_named_after_its_text(stash: bool) -> None:
    """The names of rows, told in the order of packing, are those of the effects that refer to them, whatever options are chosen."""
    game = load_game("sixwinters", stash=stash)
    names, box = game.names, game.box
    rows = names["operation"]
    assert len(rows) == len(set(rows)) == box.n_ops

    def held(effect: Any, label: str) -> int:
        for i in range(effect.n):
            assert rows[effect.first + i] == f"{label}, step {i + 1}"
        return int(effect.n)

    n = n_printed = 0
    for kind in ("obstacle", "location"):
        for i, card in enumerate(names[kind]):
            for moment, word in enumerate(WORDS_OF_MOMENTS):
                n += held(getattr(box, kind)[i].effect[moment], f"{card} {word}")
    for i, mission in enumerate(names["mission"]):
        for k, side in enumerate(("base", "difficult")):
            n += held(box.mission[i].setup[k], f"{mission} setup {side}")
        n += held(box.mission[i].passed, f"{mission} passed") + held(box.mission[i].failed, f"{mission} failed")
    for c, person in enumerate(names["character"]):
        for k in range(len(box.character[c].ability)):
            one = box.character[c].ability[k]
            printed = one.effect.n > 0 and " as printed," in rows[one.effect.first]
            n_printed += printed
            n += held(one.effect, f"{person} ability {k + 1}{' as printed' if printed else ''}")
    for i, name in enumerate(names["effect"]):
        n += held(box.effect[i], f"effect {name}")
    for i, name in enumerate(names["reserve"]):
        n += held(box.reserve[i], f"reserve {name}")
    for i, name in enumerate(names["scheme"]):
        for value in range(6):
            n += held(box.scheme[i].effect[value], f"scheme {name} {value + 1}")
    for season, word in enumerate(SEASONS):
        for symbols in range(4):
            n += held(box.event[season, symbols], f"event {names['event'][4 * season + symbols]} {word} {symbols}")
    inner = [one for one in rows if ", option " in one]
    assert n_printed == (0 if stash else 1)
    assert n == len(rows) - 1 - len(inner) - 1, "but for the ability that is not played so"


def test_what_is_going_on_says_its_operation_by_name() -> None:
    """A file in the middle of an effect names the operation; a wrong name is met with a suggestion."""
    pos, luck, met = load_game("sixwinters").new(2, seed=3), random.Random(1), set()
    while len(met) < 3 and not pos.over:
        pos.play(luck.choice(pos.legal_ids()))
        for frame in build_scenario(pos).state["frames"][: int(pos.state.n_frames)]:
            if frame["kind"] == "ops":
                assert frame["op"] in pos.game.names["operation"]
                met.add(frame["op"])
    assert len(met) == 3
    frame = {"kind": "ops", "op": "Tripwire entered, step 1", "left": 1, "hero": -1}
    with pytest.raises(
        BoxError, match=r"there is no operation .Tripwire entered, step 1.; did you mean .Tripwire enter, step 1"
    ):
        given("sixwinters", 2, frames=[frame])


@pytest.mark.parametrize("there", [["Radia", "Tripwire", "Hogel"], ["Hogel", "Radia", "Tripwire"]])
def test_obstacles_lie_in_the_order_of_the_file(there: list[str]) -> None:
    """1.11: at a place in the order in which they came, in a discard pile from the top."""
    for place in ("Brightdune support", "discards of Brightdune"):
        pos = given("sixwinters", 2, obstacle_at=dict.fromkeys(there, place))
        names, pile = pos.game.names, pos.game.names["obstacle_place"].index(place)
        at, found = int(pos.state.head[pile]), []
        while at >= 0:
            found.append(names["obstacle"][at])
            at = int(pos.state.after[at])
        assert found == there


def test_conditions_dice_and_pages_go_by_names() -> None:
    """Marks by track and condition, cells and assets of a card begun, dice on abilities, effects in force and the journal."""
    laid = {
        "people": {"Thea": {"marks": {"psyche": ["angry"], "body": ["wounded", "weary"]}}},
        "heroes": [
            {"character": "Thea", "path": ["1.1", "1.2"], "path_die": ["Sorcery 6", "Support 1"], "used": ["action 5"]}
        ],
        "lasting": ["2", "6"],
        "journal": [{"mission": ["The Blue Robe"], "result": ["passed"], "marks": {"Thea": ["shaken"]}}],
    }
    by_names = given("sixwinters", 2, year=2, **laid)
    state, names = by_names.state, by_names.game.names
    conditions = names["condition"]
    assert [int(bits) for bits in state.people[0].marks] == [
        1 << conditions.index("angry"),
        sum(1 << conditions.index(one) - 3 for one in ("wounded", "weary")),
    ]
    assert [names["asset"][die] for die in state.heroes[0].path_die[:2]] == ["Sorcery 6", "Support 1"]
    assert [names["cell"][cell] for cell in state.heroes[0].path[:2]] == ["1.1", "1.2"]
    assert names["source"][state.heroes[0].used[0] - 1] == "action 5"
    assert int(state.lasting) == 1 << 1 | 1 << 5
    page = state.journal[0]
    assert names["mission"][page.mission[0]] == "The Blue Robe"
    assert names["mission_state"][page.result[0]] == "passed"
    assert int(page.marks[0]) == 1 << conditions.index("shaken")
    with pytest.raises(BoxError, match="'wounded' belongs elsewhere in the list"):
        given("sixwinters", 2, people={"Thea": {"marks": {"psyche": ["wounded"]}}})
    with pytest.raises(BoxError, match="there is no condition 'angri'; did you mean 'angry'"):
        given("sixwinters", 2, people={"Thea": {"marks": {"psyche": ["angri"]}}})


def test_what_goes_on_goes_by_names() -> None:
    """A die in a slot, an obstacle that a mission waits for, and whatever is going on: by name as by number."""
    usual: dict[str, Any] = {"year": 2, "part": "actions", "phase": "act", "n_heroes": 1, "seats": [{"dice": [1]}]}
    usual["people"] = {"Keel": {"state": "unlocked", "hero": "first"}}
    keel = {"character": "Keel", "seat": 0, "slot": "The Empire espionage", "stress": [3, 3]}
    by_names: dict[str, Any] = {
        "heroes": [{**keel, "stash": ["Sorcery 4"]}],
        "tasks": [{"then": ["wanted", "overcome"], "then_card": ["Hogel", "Radia"]}],
        "over": {"stage": "tally", "leader": "second", "joined": ["first", "second"]},
        "scheme_hits": ["1", "6"],
        "frames": [{"kind": "stress", "obstacle": "Hogel", "paid": "action 3", "slot": "The Empire espionage"}],
    }
    names = load_game("sixwinters").names
    hogel, radia = (names["obstacle"].index(one) for one in ("Hogel", "Radia"))
    by_numbers: dict[str, Any] = {
        "heroes": [{**keel, "stash": [1 + names["asset"].index("Sorcery 4")]}],
        "tasks": [{"then": [1, 2], "then_card": [hogel, radia]}],
        "over": {"stage": 3, "leader": 1, "joined": 0b11},
        "scheme_hits": 0b100001,
        "frames": [{"kind": 1, "obstacle": hogel, "paid": 2, "slot": names["slot"].index("The Empire espionage")}],
    }
    pos = given("sixwinters", 2, **usual, **by_names)
    assert pos.to_bytes() == given("sixwinters", 2, **usual, **by_numbers).to_bytes()
    told = build_scenario(pos).state
    assert told["heroes"][0]["stash"][:2] == ["Sorcery 4", "none"]
    assert told["tasks"][0]["then_card"][:2] == ["Hogel", "Radia"]
    assert (told["over"]["joined"], told["frames"][0]["kind"]) == (["first", "second"], "stress")
    assert set(map(type, told["draw"][0])) == {str}
    with pytest.raises(BoxError, match="there is no frame kind 'stresses'; did you mean 'stress'"):
        given("sixwinters", 2, frames=[{"kind": "stresses"}])

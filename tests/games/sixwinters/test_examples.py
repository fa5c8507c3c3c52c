"""The worked examples X1 to X24 of the rulebook, as far as they are decisions, die by die."""

import pytest

from games.sixwinters.scene import Scene, assets, at, cell_name, dice, kinds, offers, pool
from sutler.contract.helpers import play
from sutler.core.events import new_event_buffer
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.cards.vocabulary import DIPLOMACY, MILITARY, PSYCHE, TECHNOLOGY
from sutler.games.sixwinters.rules import heroes
from sutler.games.sixwinters.rules.ending import burn_cards
from sutler.games.sixwinters.rules.land import n_in_deck, next_stage
from sutler.games.sixwinters.rules.preparation import price_of_rank
from sutler.games.sixwinters.scoring import team_points


def test_x1_create_asset() -> None:
    """5.6: X1, at the Guild of Strategy a 3 takes a 2 or a 3; then the 3 or the 4 takes only the 3; then nothing is left."""
    pos = (
        Scene()
        .heroes("Fuscus at Guild of Strategy", "Thea at Loomwood")
        .dice([3, 3, 4])
        .pools(technology=[2, 3, 6])
        .go()
    )
    play(pos, "create with action 3")
    assert {"take die 2", "take die 3"} == {one for one in offers(pos) if one.startswith("take")}
    play(pos, "take die 2")
    assert (pool(pos, "technology"), dice(pos), assets(pos, 1)) == ([3, 6], [3, 4], ["technology 2"])
    play(pos, "create with action 4")
    assert (pool(pos, "technology"), dice(pos), assets(pos, 1)) == ([6], [3], ["technology 2", "technology 3"])
    assert "create with action 3" not in offers(pos)
    refusal = pos.why_not("create with action 3")
    assert refusal is not None
    assert refusal.rule == "5.6"


def test_x2_trade() -> None:
    """5.7: X2, at Whitehold a 3 trades T2 and S1 into Espionage and E3 into Military; nothing higher, nothing the wrong way."""
    scene = Scene().heroes("Fuscus at Whitehold", "Thea at Loomwood").dice([3])
    pos = scene.pools(technology=[2, 5], espionage=[3, 6], sorcery=[1], military=[4]).go()
    play(pos, "trade with action 3")
    assert offers(pos) == {
        "turn technology 2 espionage",
        "turn espionage 3 military",
        "turn sorcery 1 espionage",
    }
    play(pos, "turn technology 2 espionage")
    assert (pool(pos, "technology"), pool(pos, "espionage")) == ([5], [2, 3, 6])


@pytest.mark.parametrize(("n", "space"), [(4, 7), (3, 6), (2, 5)])
def test_x3_threats(n: int, space: int) -> None:
    """8.6, 13.8: X3, four Military tags raise the threat by two, three by one, two not at all; a Legionary in Brightdune is two."""
    scene = Scene().heroes("Keel at Eastkeep", "Thea at Loomwood")
    where = ["Eastkeep", "Eastkeep", "Eastkeep", "Eastkeep"]
    cards = ["Legionary 1", "Legionary 2", "Legionary 3", "Samo"]
    if n == 2:
        scene.obstacles("Boar's Rift", "Legionary 1")
    else:
        for place, card in list(zip(where, cards, strict=True))[:n]:
            scene.obstacles(place, card)
    scene.ready()
    assert scene.state.tags[MILITARY] == n
    pos = scene.part(s.PART.threats).go()
    assert pos.state.threat[MILITARY] == space


def test_x4_scheme_fed() -> None:
    """8.7: X4, three Military tags under Siege and Volley: the track rises by one and three dice lie on the scheme."""
    scene = Scene().heroes("Keel at Eastkeep", "Thea at Loomwood").set(year=2).scheme("Siege and Volley")
    scene.obstacles("Eastkeep", "Legionary 1", "Legionary 2", "Legionary 3").part(s.PART.threats)
    pos = scene.go()
    assert pos.state.threat[MILITARY] == 6
    assert pos.state.scheme_dice[MILITARY, 0] == 3


def test_x5_scheme_triggered() -> None:
    """8.8, 8.9, 14.10, 14.12: X5, Lies and Gold at level 3: the 3 is cancelled, the 1 works and lasts, the 5 does nothing, both stay."""
    scene = Scene().heroes("Keel at Eastkeep", "Thea at Loomwood").set(year=2, space=2, k=1)
    scene.scheme("Lies and Gold", "diplomacy 1", "diplomacy 3", "diplomacy 5").assets("Hogel Manor", "diplomacy 4")
    scene.threat(diplomacy=4).pools(sorcery=[1]).dice([], [6])
    scene.part(s.PART.trigger).set(k=1)
    pos = scene.go()
    assert offers(pos) == {"pay diplomacy 4", "let it be"}
    play(pos, "let it be", "pay diplomacy 4")
    assert [int(n) for n in pos.state.scheme_dice[DIPLOMACY]] == [0, 1, 0, 0, 0, 1, 0]
    assert pos.state.lasting == 1


def x6() -> Scene:
    """Keel before Remote Influence, Military threat level 4."""
    scene = Scene().heroes("Keel at Eastkeep", "Thea at Loomwood").dice([1, 3, 4]).assets("Eastkeep", "technology 5")
    scene.obstacles("Eastkeep", "Remote Influence").threat(military=9)
    return scene


def test_x6_overcome() -> None:
    """7.3, 7.4, 7.5, 7.6, 7.9: X6, die by die: 1 and 2 cancel 3 and 5, one body stress, 10 at value 3, 16 at value 4."""
    scene = x6()
    pos = scene.go()
    play(pos, "ability 3", "value 2")
    assert assets(pos, 0) == ["technology 2", "technology 3"]
    play(
        pos,
        "overcome Remote Influence",
        "react with action 1",
        "react with technology 2",
        "add to progress technology 3",
    )
    roll(pos, [1, 3, 5, 6])
    play(pos, "cancel 3 1", "cancel 5 2")
    assert pos.state.heroes[0].stress[1] == 2
    assert dice(pos) == [3, 4]
    assert assets(pos, 0) == []
    assert pos.state.obstacle_at[scene.number("obstacle", "Remote Influence")] == s.DISCARD
    assert pos.state.heroes[0].used[2] > 0
    sums = [one.args for d in pos.decisions for one in d.told if one.kind == "tallied"]
    assert sums == [(3, 10, 12), (4, 16, 12)]


def roll(pos, values: list[int]) -> None:  # type: ignore[no-untyped-def]
    """The stress dice are rolled, and show what the example says."""
    play(pos, "roll")
    pos.state.over.rolled[:] = [values.count(v + 1) for v in range(6)]
    pos.settle()


def test_x7_stress() -> None:
    """9.1, 9.2, 14.38: X7, base 3: four at once mark Distracted and no more; marked before, the die goes to Angry."""
    scene = Scene().heroes("Keel at Eastkeep").ready()
    state, told = scene.state, new_event_buffer()
    for n, value, box_no in ((1, 2, 0), (4, 3, 1)):
        heroes.take_stress(scene.box, state, told, 0, PSYCHE, n)
        assert (state.heroes[0].stress[PSYCHE], state.heroes[0].box_no[PSYCHE]) == (value, box_no)
    scene = Scene().heroes("Keel at Eastkeep").ready()
    state = scene.state
    state.heroes[0].stress[PSYCHE] = 2
    seen = []
    for _ in range(4):
        heroes.take_stress(scene.box, state, told, 0, PSYCHE, 1)
        seen.append((int(state.heroes[0].stress[PSYCHE]), int(state.heroes[0].box_no[PSYCHE])))
    assert seen == [(1, 0), (3, 1), (2, 1), (1, 1)]
    scene = Scene().heroes("Keel at Eastkeep").ready()
    scene.state.people[2].marks[PSYCHE] = 1
    heroes.take_stress(scene.box, scene.state, told, 0, PSYCHE, 9)
    assert scene.state.heroes[0].box_no[PSYCHE] == 2


@pytest.mark.parametrize(("track", "value", "box_no", "marks", "n"), [(0, 2, 3, 4, 2), (1, 1, 1, 7, 1)])
def test_x8_knocked_out(track: int, value: int, box_no: int, marks: int, n: int) -> None:
    """9.3, 14.38, 14.40: X8, on Shaken, or with every box below marked before: out, with the action dice."""
    scene = Scene().heroes("Keel at Eastkeep", "Thea at Loomwood").dice([1, 2], [3]).ready()
    hero = scene.state.heroes[0]
    hero.stress[track], hero.box_no[track] = value, box_no
    scene.state.people[2].marks[track] = marks
    heroes.take_stress(scene.box, scene.state, new_event_buffer(), 0, track, n)
    assert (hero.out, hero.slot) == (1, -1)
    assert dice(scene.go()) == []


def test_x9_skill_costs() -> None:
    """3.8: X9, 10, 6, 9, 12, 15 and 52 together."""
    scene = Scene().heroes("Keel at Eastkeep")
    prices = []
    for rank in range(5):
        scene.state.people[2].skills[0] = rank
        prices.append(price_of_rank(scene.box, scene.state, 2, 0))
    assert prices == [10, 6, 9, 12, 15]
    assert sum(prices) == 52


def test_x10_burning() -> None:
    """11.4, 3.1: X10, ten, six, none of stage 1 are left; then none of stage 2, none of stage 3; the years begin in 1 1 1 2 3 4."""
    scene = Scene()
    state, left, begins = scene.state, [], []
    for year in range(1, 7):
        state.year, state.stage_no = year, 1
        next_stage(scene.box, state)
        begins.append(int(state.stage_no))
        burn_cards(scene.box, state, new_event_buffer())
        left.append([n_in_deck(scene.box, state, stage) for stage in (1, 2, 3)])
    assert begins == [1, 1, 1, 2, 3, 4]
    assert left[:5] == [[10, 8, 10], [6, 8, 10], [0, 8, 10], [0, 0, 10], [0, 0, 0]]


def test_x11_paying_off() -> None:
    """11.1, 14.74: X11, difficulty 10 takes 4 4 5, the surplus is lost; 4 5 is not enough."""
    scene = Scene().heroes("Keel at Eastkeep", "Thea at Loomwood").obstacles("Eastkeep", "Encoded Plans")
    pos = scene.pools(military=[4, 4, 5]).part(s.PART.clear).go()
    play(pos, "discard Encoded Plans", "pay pool military 4", "pay pool military 4")
    assert at(pos, 0) == []
    assert pool(pos, "military") == []
    pos = (
        Scene()
        .heroes("Keel at Eastkeep")
        .obstacles("Eastkeep", "Encoded Plans")
        .pools(military=[4, 5])
        .part(s.PART.clear)
        .go()
    )
    assert pos.state.year == 2, "nothing could be paid off, so nobody was asked"


def test_x12_exploding_fives() -> None:
    """9.4: X12, three fives bring three dice, and each new five one more: the pool grows by at least three."""
    scene = (
        Scene(seed=3).heroes("Thea at Eastkeep", "Keel at Loomwood").dice([5, 5, 5, 2]).assets("Eastkeep", "support 1")
    )
    pos = scene.go()
    play(pos, "ability 3")
    new = len(dice(pos)) - 4
    fives = dice(pos).count(5) - 3
    assert new == 3 + fives
    assert assets(pos, 0) == []


def test_x13_speaker_for_the_east() -> None:
    """5.6, 14.31: X13, an action die of 3 takes all four 3s, the 2 stays."""
    scene = Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").dice([3]).pools(support=[3, 3, 3, 3, 2])
    pos = scene.effects("Speaker for the East").go()
    play(pos, "create with action 3", "take all of this value")
    assert assets(pos, 4) == ["support 3"] * 4
    assert pool(pos, "support") == [2]


@pytest.mark.parametrize(("i", "kept", "fresh"), [(1, [0], 3), (3, [0, 1, 2], 1), (0, [], 4)])
def test_x14_taking_a_staged_card(i: int, kept: list[int], fresh: int) -> None:
    """6.6, 3.11: X14, below it is discarded, above it slides down, new cards come on top."""
    row = ["Tinkering", "Cantrips", "Grand Tour", "Small Steps"]
    scene = Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").staged(*row).part(s.PART.staging)
    pos = scene.go()
    before = [int(c) for c in pos.state.staged]
    play(pos, f"take staged card {('top', 'second', 'third', 'bottom')[i]}")
    after = [int(c) for c in pos.state.staged]
    assert after[fresh:] == [before[k] for k in kept]
    assert pos.state.heroes[0].card == before[i]
    assert not set(after[:fresh]) & set(before)


def test_x15_new_obstacles() -> None:
    """8.5: X15, stage 1: one obstacle at the bottom card's slot, one at the next; both are discarded, the others slide down."""
    row = ["Tinkering", "Cantrips", "Grand Tour", "Thieves Tools"]
    scene = Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").staged(*row)
    pos = scene.part(s.PART.obstacles).set(n_due=2).go()
    assert len(at(pos, 2)) == 1
    assert len(at(pos, 6)) == 1
    names = pos.game.names["card"]
    assert [names[c] for c in pos.state.staged[2:]] == ["Tinkering", "Cantrips"]


def test_x16_a_path() -> None:
    """6.1, 6.2, 6.3: X16, On Two Fronts in four dice; a 4 on the second cell is illegal."""
    scene = Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").card(0, "On Two Fronts")
    row = scene.box.card[scene.number("card", "On Two Fronts")]
    scene.assets("Parisa's Glen", "support 1", "support 5", "support 4", "technology 2").staged("Tinkering", "Cantrips")
    pos = scene.go()
    play(pos, f"put {cell_name(int(row.start))} support 1")
    five = next(c for c in range(16) if row.cells[c].there and row.cells[c].value == 5)
    assert f"put {cell_name(five)} support 5" in offers(pos)
    refusal = pos.why_not(f"put {cell_name(five)} support 4")
    assert refusal is not None
    assert refusal.rule == "6.1"


def test_x17_relations() -> None:
    """6.1: X17, Cautious Progress: a value, then one less, then one less again."""
    scene = Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").card(0, "Cautious Progress")
    row = scene.box.card[scene.number("card", "Cautious Progress")]
    scene.assets("Parisa's Glen", "support 3", "support 2", "technology 1", "technology 2")
    pos = scene.go()
    play(pos, f"put {cell_name(int(row.start))} support 3")
    assert {one for one in offers(pos) if one.startswith("put")} <= {
        f"put {cell_name(c)} support 2" for c in range(16)
    } | {f"put {cell_name(c)} technology 2" for c in range(16)}


@pytest.mark.parametrize(("space", "tome", "death"), [(4, True, False), (5, True, True), (2, False, False)])
def test_x18_unlocking(space: int, tome: bool, death: bool) -> None:
    """3.2: X18, Sorcery on space 4 unlocks Forager's Curiosity, on space 5 Death Captured too; year one's stay available."""
    pos = Scene().progress(sorcery=space).set(year=2).part(s.PART.restore).go()
    have = offers(pos)
    assert ("undertake forager's curiosity" in have, "undertake death captured" in have) == (tome, death)
    assert "undertake honest days work" in have


@pytest.mark.parametrize(
    ("space", "tops", "then"),
    [
        (1, ("spring", "fall", "fall"), 2),
        (1, ("fall", "fall", "fall"), 3),
        (6, ("fall", "summer", "fall"), None),
        (5, ("fall", "summer", "fall"), 6),
    ],
)
def test_x19_time(space: int, tops: tuple[str, ...], then: int | None) -> None:
    """10.1: X19, a bonus turn only if a pile shows its season; past the second winter space the session ends."""
    scene = Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").dice([1], [1]).tops(*tops)
    pos = scene.set(space=space).part(s.PART.time).go()
    if then is None:
        assert pos.state.year == 2
    else:
        assert pos.state.space == then


def test_x20_activation() -> None:
    """8.2, 8.3: X20, summer without an obstacle on the slot: the 13 comes, not the 8, and does not activate; winter wakes all."""
    scene = Scene().heroes("Thea at Hogel Manor", "Keel at Hogel Manor").tops("spring", "summer", "spring")
    scene.obstacles("Boar's Rift", "Bandit Camp").obstacles("Loomwood", "Territorial Dispute")
    pos = scene.part(s.PART.activate).set(season_now=-1).go()
    assert at(pos, 4) == ["Territorial Dispute"]
    woken = [one.args[0] for one in pos.opening if one.kind == "obstacle_woken"]
    assert woken == []
    scene = Scene().heroes("Thea at Hogel Manor", "Keel at Hogel Manor").tops("spring", "winter", "spring")
    pos = scene.part(s.PART.activate).set(season_now=-1).go()
    assert kinds(pos.opening).count("woken") == 5


@pytest.mark.parametrize(
    ("here", "there", "price"),
    [
        ("Whitehold", "Eastkeep", 1),
        ("Whitehold", "Boar's Rift", None),
        ("Boar's Rift", "Whitehold", None),
        ("Boar's Rift", "Eastkeep", 2),
    ],
)
def test_x21_no_move(here: str, there: str, price: int | None) -> None:
    """5.2, 14.69: X21, Whitehold is entered and left only within the Empire."""
    scene = Scene().heroes(f"Thea at {here}", "Keel at Loomwood").dice([1, 1, 1])
    slot = scene.game.names["slot"][scene.slot(there)]
    pos = scene.go()
    if price is None:
        refusal = pos.why_not(f"move to {slot}")
        assert refusal is not None
        assert refusal.rule == "14.69"
    else:
        play(pos, f"move to {slot}")
        assert dice(pos) == [1] * (3 - price)


def test_x22_scheme_choice() -> None:
    """3.5: X22, one resource at level 3 brings its scheme; all at level 2: any of the five, by lot."""
    scene = Scene().set(year=2).threat(military=6).part(s.PART.scheme)
    assert scene.game.names["scheme"][scene.go().state.scheme] == "Siege and Volley"
    found = {int(Scene(seed=seed).set(year=2).part(s.PART.scheme).go().state.scheme) for seed in range(40)}
    assert found == {0, 1, 2, 3, 4}


def test_x23_score() -> None:
    """11.8, 14.62: X23, twelve difficult missions passed, the shared one among them, both comparisons won, level 6: 55."""
    scene = Scene().progress(military=12, support=12, technology=12)
    for name in [*[card.name for card in scene.game.sheet.mission][:11], "Beyond Brightdune"]:
        m = scene.number("mission", name)
        scene.state.mission[m], scene.state.mission_difficult[m] = s.PASSED, 1
    assert team_points(scene.box, scene.state) == 55


def test_x24_raised_track_fills_the_pool() -> None:
    """6.3, 14.7: X24, Technology from space 3 to 4: level 2, two dice are rolled at once; with three nothing changes."""
    for before, after in (([], 2), ([1, 1, 1], 3)):
        scene = (
            Scene().heroes("Thea at Parisa's Glen", "Keel at Loomwood").progress(technology=3).pools(technology=before)
        )
        row = scene.box.card[scene.number("card", "Tinkering")]
        path = [(int(row.start), "support 1"), (1, "military 2")]
        scene.card(0, "Tinkering", *path).assets("Parisa's Glen", "support 6").staged("Cantrips", "Grand Tour")
        pos = scene.go()
        play(pos, f"put {cell_name(int(row.end))} support 6")
        assert pos.state.progress[TECHNOLOGY] == 4
        assert len(pool(pos, "technology")) == after

"""Bots in Medieval Manor: they feed their people, finish what they have won, and are not to be milked in trade."""

from __future__ import annotations

import random

import pytest

import sutler
from games.manor.table import table, work
from sutler.bots import bot
from sutler.bots.kit import get_kit
from sutler.bots.kit.default_rules import prune_nothing
from sutler.contract.helpers import given, offered, play, walk
from sutler.core.bits import add, has, members
from sutler.core.play.position import Position
from sutler.core.rule import PLAIN_ONLY
from sutler.games.manor.bot.evaluate import evaluate
from sutler.games.manor.bot.evaluation_cache import NOTES, evaluate_noting
from sutler.games.manor.box import VICTORY
from sutler.games.manor.phases_actions_events import P

PLENTY = {"crops": 6, "animals": 4, "gold": 5, "resources": 5, "victory": 5, "peasants": 3}


def asked(give: dict[str, int], want: dict[str, int]) -> Position:
    """One of two equal seats offers the other a trade, which is to answer now."""
    pos = given("manor", n=2, seed=1)
    for seat in (0, 1):
        for place, n in enumerate(PLENTY.values()):
            pos.state.seats[seat].tokens[place] = n
    for _ in range(60):
        if any(name.startswith("offer") for name in offered(pos)):
            break
        play(pos, "done")
    play(pos, next(name for name in sorted(offered(pos)) if name.startswith("offer")))
    for token, n in give.items():
        play(pos, *[f"give {token}"] * n)
    for token, n in want.items():
        play(pos, *[f"want {token}"] * n)
    play(pos, "send")
    return pos


@pytest.mark.parametrize(
    ("give", "want", "answer"),
    [
        ({"gold": 3}, {}, "accept"),
        ({"victory": 1}, {"crops": 1}, "accept"),
        ({}, {"gold": 1}, "decline"),
        ({"crops": 1}, {"victory": 1}, "decline"),
        ({"crops": 1}, {"animals": 1}, "decline"),
    ],
    ids=["a gift", "a bargain", "begging", "milking", "nothing in it"],
)
@pytest.mark.parametrize("name", ["greedy", "search"])
def test_answers_to_offers(name: str, give: dict[str, int], want: dict[str, int], answer: str) -> None:
    """4.2: accepted is what leaves the bot clearly better off, and nothing else."""
    pos = asked(give, want)
    one = bot(name, **({"rounds": 600} if name == "search" else {}))
    assert one.choose(pos.for_seat(pos.seat)).name == answer


def at_the_slip(*seats: dict[str, int]) -> Position:
    """Seats with these tokens and no cards; the first may make offers."""
    return table(*({"peasants": 1, **one} for one in seats), n=len(seats), phase="offer", stage="trade", first=0, kth=0)


HUNGRY = {"gold": 6, "victory": 4, "peasants": 4, "crops": 2}
FED = {"crops": 14, "victory": 3, "peasants": 3}
AHEAD = {"victory": 9, "crops": 2, "gold": 8, "peasants": 3}


def test_a_bot_proposes_what_helps_both_and_the_other_takes_it() -> None:
    """4.2: who lacks food buys it of who has plenty, and pays what leaves both content."""
    pos = at_the_slip(HUNGRY, FED, AHEAD)
    asker = int(pos.seat)
    said = []
    while asker == pos.seat:
        said.append(bot("greedy").choose(pos.for_seat(pos.seat)).name)
        play(pos, said[-1])
    assert said[0] == f"offer seat {(asker + 1) % 3}"
    assert said[-1] == "send"
    assert {name for name in said if name.startswith("want")} == {"want crops"}
    assert bot("greedy").choose(pos.for_seat(pos.seat)).name == "accept"


@pytest.mark.parametrize("name", ["greedy", "search"])
def test_a_bad_offer_is_answered_by_a_better_one(name: str) -> None:
    """4.2: who is asked for too much, and would deal, says for what; a normal bot finds it fair (to a search it is a near thing)."""
    pos = at_the_slip(FED, HUNGRY, AHEAD)
    beggar = int(pos.seat)
    one = bot(name, **({"rounds": 600} if name == "search" else {}))
    play(pos, f"offer seat {(beggar + 1) % 3}", "want gold", "send")
    said = []
    while pos.seat != beggar:
        said.append(one.choose(pos.for_seat(pos.seat)).name)
        play(pos, said[-1])
    assert (said[0], said[-1]) == ("counter", "send")
    assert {name for name in said if name.startswith("want")} == {"want crops"}
    assert bot("greedy").choose(pos.for_seat(beggar)).name == "accept"


def test_the_leader_is_sold_nothing_cheap() -> None:
    """4.2: a deal that helps the one ahead more than oneself is none."""
    pos = at_the_slip({**HUNGRY, "victory": 9}, FED, {"victory": 3})
    assert bot("greedy").choose(pos.for_seat(pos.seat)).name == "done"


def test_where_no_deal_helps_both_nothing_is_proposed() -> None:
    """4.2: two seats alike have nothing to sell each other; a slip that is found begun is torn up."""
    pos = at_the_slip(PLENTY, PLENTY)
    found = next(name for name in sorted(offered(pos)) if name.startswith("offer"))
    assert bot("greedy").choose(pos.for_seat(pos.seat)).name == "done"
    play(pos, found)
    assert bot("greedy").choose(pos.for_seat(pos.seat)).name == "cancel"


def test_a_slip_with_something_else_on_it_is_torn_up() -> None:
    """4.2: a bot that finds a slip half written, as for a hint, goes on only with what it would have written."""
    pos = at_the_slip(HUNGRY, FED, AHEAD)
    play(pos, f"offer seat {(int(pos.seat) + 1) % 3}", "give peasants")
    assert bot("greedy").choose(pos.for_seat(pos.seat)).name == "cancel"


@pytest.mark.parametrize(("victory", "answer"), [(7, "accept"), (14, "decline")])
def test_nobody_is_sold_the_token_that_wins_the_game(victory: int, answer: str) -> None:
    """8.2: ten gold are a fine price for a victory token, unless it is the fifteenth."""
    pos = at_the_slip({"gold": 10, "victory": victory}, {"victory": 7}, {"victory": 7})
    play(pos, f"offer seat {(int(pos.seat) + 1) % 3}", *["give gold"] * 10, "want victory", "send")
    assert bot("greedy").choose(pos.for_seat(pos.seat)).name == answer


@pytest.mark.parametrize(
    ("give", "want"),
    [
        ({"peasants": 1}, {"victory": 5}),
        ({"peasants": 1}, {"victory": 3}),
        ({"animals": 2}, {"victory": 2}),
        ({"resources": 6}, {"victory": 1}),
        ({"crops": 1}, {"victory": 1}),
    ],
    ids=["a peasant", "a peasant for three", "food", "money", "a crop"],
)
@pytest.mark.parametrize("name", ["greedy", "search"])
def test_victory_is_not_sold_for_anything(name: str, give: dict[str, int], want: dict[str, int]) -> None:
    """4.2: victories are what wins, and who gains much more by a deal than oneself gets none."""
    asker = {"victory": 8 if "animals" in give else 5, "peasants": 4, "crops": 6, "animals": 3, "resources": 8}
    pos = at_the_slip(asker, {"victory": 5, "peasants": 4, "crops": 2}, {"victory": 5, "peasants": 3, "crops": 3})
    tokens = [f"give {token}" for token, n in give.items() for _ in range(n)]
    tokens += [f"want {token}" for token, n in want.items() for _ in range(n)]
    play(pos, f"offer seat {(int(pos.seat) + 1) % 3}", *tokens, "send")
    one = bot(name, **({"rounds": 40} if name == "search" else {}))
    assert one.choose(pos.for_seat(pos.seat)).name in ("decline", "counter")


def test_one_rule_is_asked_of_every_deal() -> None:
    """4.2: what bots propose and counter, bots accept, whoever they are and whatever victory stands on the slip."""
    rng = random.Random(4)
    taken = 0
    for _ in range(60):
        hungry = {"crops": rng.randint(0, 2), "peasants": rng.randint(4, 6), "gold": rng.randint(3, 10)}
        fed = {"crops": rng.randint(8, 16), "peasants": rng.randint(2, 3), "gold": rng.randint(0, 3)}
        seats = [{**one, "victory": rng.randint(0, 9)} for one in (hungry, fed, fed)]
        pos = at_the_slip(*seats)
        asker = int(pos.seat)
        for _ in range(12):
            if pos.seat != asker:
                break
            name = bot("greedy").choose(pos.for_seat(asker)).name
            if name == "done":
                break
            play(pos, name)
        if pos.seat != asker and pos.state.phase == P.answer:
            assert bot("greedy").choose(pos.for_seat(pos.seat)).name == "accept"
            taken += 1
    assert taken > 5


@pytest.mark.parametrize("card", ["Midwife", "Marriage"])
def test_one_peasant_welcomes_another(card: str) -> None:
    """5.1, 7.2: the second peasant works at once, and who has no victory to lose need not fear that it goes hungry."""
    pos = work({"peasants": 1, "hand": [card, "Wheat", "Corn"]}, {"peasants": 1})
    assert bot("greedy").choose(pos.for_seat(pos.seat)).name == f"place {card}"


def converting(leader: int, **more: int) -> str:
    """What a bot with an Abbey decides in the upgrade phase, the other having so much victory."""
    abbey = {"upgrades": ["Abbey"], "victory": 1, "crops": 5, "animals": 5, "peasants": 4, **more}
    pos = table(abbey, {"victory": leader}, phase="use", stage="upgrade", first=0, kth=0)
    return bot("greedy").choose(pos.for_seat(pos.seat)).name


def test_goods_are_made_victory_where_the_game_ends_with_this_turn() -> None:
    """8.2: what is left over is worth nothing then, whoever wins; while the game goes on food is kept for the peasants."""
    assert converting(leader=26) == "use Abbey"
    assert converting(leader=15, victory=13) == "use Abbey"
    assert converting(leader=5) == "done"


@pytest.mark.parametrize(
    ("hand", "peasants", "on_road"),
    [(["Collect Tolls"], 3, False), (["Collect Tolls"], 1, True), (["Taxes"], 3, True), (["Settlers"], 3, True)],
    ids=["wanted", "no action left", "for the market", "or the river"],
)
def test_a_card_leaves_the_only_land_of_another_free(hand: list[str], peasants: int, on_road: bool) -> None:
    """5.2: Banditry brings the same on Road, River and Hills; Collect Tolls lies on the Road alone."""
    pos = work({"hand": ["Banditry", *hand], "peasants": peasants}, {"gold": 4})
    play(pos, "place Banditry")
    looked_at = {action.name for action, *_ in bot("greedy").explain(pos.for_seat(pos.seat))}
    assert ("on Road" in looked_at) == on_road
    assert "on River" in looked_at


def test_a_land_that_brings_more_is_no_matter_of_room() -> None:
    """5.3: Oysters lie on the River alone, but Cloth Trade brings a gold more there than elsewhere."""
    pos = work({"hand": ["Cloth Trade", "Oysters & Crabs"], "peasants": 3}, {})
    play(pos, "place Cloth Trade")
    assert "on River" in {action.name for action, *_ in bot("greedy").explain(pos.for_seat(pos.seat))}


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="whole games want compiled rules")
def test_greedy_beats_random() -> None:
    """Sixty games with fixed seeds, seats in rotation: one greedy bot wins nine in ten against two random ones, and more."""
    table = sutler.simulate(sutler.load("manor", offers=0), ["greedy", "random", "random"], games=60, seed=1)
    from sutler.lab.stats.estimates import build_win_rate_table

    assert build_win_rate_table(table).row(0, named=True)["bot"] == "greedy"
    assert build_win_rate_table(table).row(0, named=True)["share"] >= 0.95


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="whole games want compiled rules")
def test_normal_beats_easy() -> None:
    """The levels are levels."""
    from sutler.lab.stats.estimates import build_win_rate_table

    table = sutler.simulate(sutler.load("manor", offers=0), ["normal", "easy", "easy"], games=90, seed=1)
    found = {row["score"]: row["share"] for row in build_win_rate_table(table).to_dicts()}
    assert found[max(found)] > 0.4


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="whole games want compiled rules")
def test_games_of_greedy_bots_end() -> None:
    """A bot that leads wants the game to end, and plays on its own till then in a few dozen turns."""
    table = sutler.simulate(sutler.load("manor", offers=0), ["greedy"] * 3, games=60, seed=1)
    assert table["finished"].all()
    assert table["turns"].max() < 60


def test_what_a_card_is_worth_is_kept_right() -> None:
    """The box keeps for `evaluate` what cards bring and which of them make victory: the same as counted card by card."""
    from sutler.games.manor.bot.evaluate import (
        CONVERTED_HAND,
        CONVERTED_SHARE,
        best_conversion_worth,
        conversion_worth,
        one_time_worth,
        worth_per_turn,
    )

    game = sutler.load("manor")
    for card in range(len(game.sheet.card)):
        assert game.box.card[card].worth == one_time_worth(game.box, card)
        if game.sheet.card[card].type == "upgrade":
            assert game.box.card[card].worth_turn == worth_per_turn(game.box, card)
    n = 0
    for pos in walk(game.new(3, seed=6), seed=6, most=60 if PLAIN_ONLY else 400):
        state = game.definition.state.copy(pos.state)
        for seat in range(3):
            me, best = state.seats[seat], 0.0
            me.tokens[:VICTORY] = 6
            if seat == 0:
                add(me.upgrades, members(game.box.mills)[n % 7])
            for card, one in enumerate(game.sheet.card):
                if one.type == "upgrade" and game.box.card[card].convert.get[VICTORY] > 0:
                    if has(me.upgrades, card):
                        best = max(best, conversion_worth(game.box, state, seat, card, CONVERTED_SHARE, 1.0))
                    elif has(me.hand, card):
                        best = max(best, conversion_worth(game.box, state, seat, card, CONVERTED_HAND, 1.0))
            assert best_conversion_worth(game.box, state, seat, 1.0) == best
            n += best > 0
    assert n > 0


@pytest.mark.parametrize(
    "options", [{}, {"offers": 0}, {"common_hand": True}, {"start_upgrades": 3, "hand_limit": 1}], ids=str
)
def test_what_is_noted_is_what_would_be_reckoned(options):
    """Whatever positions follow one another, as bots look at them, the same notes change no value by a bit."""
    pos, chooser, luck = sutler.load("manor", **options).new(seats=3, seed=3), bot("random"), random.Random(1)
    box, notes, kept = pos.game.box, NOTES.new(), 0
    home = pos.game.definition.home
    was, home.interpreted = home.interpreted, True
    try:
        while not pos.over and len(pos.decisions) < 600:
            looked_at = pos.copy()
            looked_at.play(luck.choice(pos.legal_ids()))
            pos.play(chooser.choose(pos.for_seat(pos.seat)))
            for here in (looked_at, pos) if len(pos.decisions) % 2 == 0 else ():
                seat, before = luck.randrange(3), notes.tobytes()
                assert evaluate_noting(box, here.state, seat, notes) == evaluate(box, here.state, seat)
                kept += before == notes.tobytes()
    finally:
        home.interpreted = was
    assert kept > 0


@pytest.mark.parametrize("options", [{}, {"offers": 0, "hand_limit": 5}, {"common_hand": True}], ids=str)
def test_what_is_not_looked_at_in_a_sale_is_no_better(options, monkeypatch):
    """5.9: every option is worth what it is worth where all cards and goods are tried; with hands of one's own some are not."""
    pos, chooser = sutler.load("manor", **options).new(seats=3, seed=5), bot("random")
    monkeypatch.setattr("sutler.bots.greedy.NODES_IN_PLAIN", 10**6)
    monkeypatch.setattr(pos.game.definition.home, "interpreted", True)
    known, passed_over = get_kit(pos.game).greedy.keep_promising.plain.__globals__, []

    def narrowed(box, state, out, narrow=known["narrow"]):
        n = len(members(out.ids))
        narrow(box, state, out)
        passed_over.append(n - len(members(out.ids)))

    def values(by):
        monkeypatch.setitem(known, "narrow", by)
        rows = bot("greedy", nodes=10**6).explain(pos.for_seat(pos.seat, seed=1))
        return {one.id: worth for one, worth, _ in rows}

    sales = 0
    while not pos.over and sales < 8:
        if any(name.startswith("sell") for name in offered(pos)):
            sales += 1
            assert values(narrowed) == pytest.approx(values(prune_nothing))
        pos.play(chooser.choose(pos.for_seat(pos.seat)))
    assert (sum(passed_over) > 0) == (not options.get("common_hand"))

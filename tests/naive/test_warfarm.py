"""A second reading of WARFARM: what may be done, worked out from the printed sheet and what lies on the table, and compared.

It reads only what a seat is shown (`view`) and writes down the sheet's sentences as they stand: unlock requirements, recipes,
prices, guards, limits. Nothing of the game's rules is used.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from sutler.contract.helpers import load_game, walk

UNLOCK = {
    "Resource": {},
    "Farm I": {"farmer": 3},
    "Farm II": {"farmer": 4},
    "Farm III": {"farmer": 5},
    "Military I": {"soldier": 1},
    "Military II": {"soldier": 3},
    "Military III": {"soldier": 4, "cannon": 1},
    "Religion I": {"disciple": 1},
    "Religion II": {"disciple": 2},
    "Religion III": {"disciple": 4},
}
MADE_OF = {"Explorer": {"water": 1}, "Soldier": {"steel": 1}, "Disciple": {"religion": 1}, "Cannon": {"steel": 2}}
PRICE = {
    "The Great Flood": {"religion": 3, "disciple": 1},
    "The Great Fire": {"religion": 3, "disciple": 1},
    "The Call from the Elder Gods": {"disciple": 2},
    "Burnt Offering to Elder Gods": {"disciple": 1},
    "Peace Contract": {"water": 3},
}
MARKETS = {
    "Free Market Reform": ("water", {"Farmer": 1, "Farmland": 1, "Steel": 1, "Religion": 1, "Fire": 1}),
    "Church Reform": ("religion", {"Farmer": 2, "Steel": 3, "Farmland": 3}),
}
PIOUS = {"Resource": 2, **{f"{branch} {level}": fee for branch in ("Farm", "Military", "Religion")
         for level, fee in (("I", 2), ("II", 3), ("III", 4))}}  # fmt: skip
WORKERS = {"Combine Harvester": ("farmer", 2), "Tithing": ("disciple", 1)}
AT_HOME = {
    "farmer": "Farmer in the field",
    "explorer": "Explorer at home",
    "soldier": "Soldier in reserve",
    "disciple": "Disciple at home",
    "cannon": "Cannon",
}
UNITS = tuple(AT_HOME)


class Farm:
    """One seat's board as it lies on the table."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        one = view["seats"][seat]
        self.view, self.seat = view, seat
        self.tokens, self.units, self.alive = one["tokens"], one["units"], one["alive"]
        self.table, self.traps, self.hand = one["table"], one["traps"], one["hand"] or []
        self.shown, self.peace, self.bound = one["shown"], one["peace_with"], one["bound"]
        self.spots = {spot["spot"]: spot["n"] for spot in one["spots"]}
        self.cards = [slot["card"] for slot in self.table]

    def at(self, number: int) -> int:
        """Units at one of the places that are no card: 0 field, 1 land (Farmers), 3 reserve, 4 land, 5 home, 6 Cannons …"""
        return self.spots.get(number, 0)

    def on_board(self, unit: str) -> int:
        """Not visiting, not returning, not away at a deck."""
        n = self.units[unit]
        away = {"disciple": (7, 8, 9), "soldier": (10,), "explorer": tuple(range(11, 21))}.get(unit, ())
        return n - sum(self.at(spot) for spot in away)

    def can_pay(self, price: dict[str, int]) -> bool:
        """Tokens, or units on the own board."""
        return all((self.on_board(key) if key in UNITS else self.tokens[key]) >= n for key, n in price.items())

    def opens(self, deck: str) -> bool:
        """The sheet's unlock requirements."""
        return all(self.units[unit] >= n for unit, n in UNLOCK[deck].items())

    def places(self) -> Iterator[int]:
        """Table cards; of equal ones that are equally manned the first."""
        seen = []
        for i, slot in enumerate(self.table):
            like = (slot["card"], slot["soldiers"], slot["farmers"], slot["workers"])
            if like not in seen:
                yield i
            seen.append(like)

    def has(self, name: str) -> bool:
        """Does this Table card lie here?"""
        return name in self.cards


def others(view: dict[str, Any], seat: int) -> list[Farm]:
    """The opponents that are still in."""
    return [farm for i in range(3) if i != seat and (farm := Farm(view, i)).alive]


def beginning(view: dict[str, Any], me: Farm) -> set[str]:
    """ "1 Farmer, 1 Steel, or 1 Religion"."""
    return {"begin with Farmer", "begin with Steel", "begin with Religion"}


def draws(me: Farm, name: str) -> set[str]:
    """The decks that a drawing card opens, for what it takes."""
    if me.bound:
        return set()
    if name == "Explorer's Association":
        return {"Farm I", "Farm II"} if me.tokens["water"] >= 2 else set()
    if name == "Execution":
        return {"Military I", "Military II"} if me.on_board("soldier") >= 1 else set()
    return {deck for deck, fee in PIOUS.items() if me.tokens["religion"] >= fee and me.opens(deck)}


def bought(me: Farm, name: str) -> set[str]:
    """What a market sells for what one has."""
    coin, prices = MARKETS[name]
    return {thing for thing, price in prices.items() if me.tokens[coin] >= price}


def playing(view: dict[str, Any], me: Farm, package: bool) -> set[str]:
    """As many cards as one wants; cards on the table; 5 Water put out a Fire."""
    found = {"end playing"}
    for name in me.hand:
        if not me.can_pay(PRICE.get(name, {})):
            continue
        if name == "Lost Homeland" and me.tokens["farmland"] >= 5:
            continue
        if name == "Extra Package" and not package:
            continue
        found.add(f"play {name}")
    for name in me.cards:
        usable = name in MARKETS and bought(me, name)
        usable = usable or (name in ("Explorer's Association", "Execution", "Pious") and draws(me, name))
        facing = any(farm.table for farm in others(view, me.seat))
        if usable or (name == "Shared Facility" and me.tokens["water"] >= 2 and facing):
            found.add(f"use {name}")
    return found | fighting_fire(me)


def fighting_fire(me: Farm) -> set[str]:
    """ "Extinguished with 5 Water"."""
    return {"put out a Fire"} if me.tokens["fire"] and me.tokens["water"] >= 5 else set()


def building(view: dict[str, Any], me: Farm) -> set[str]:
    """A Farmer and what goes with it; a Cannon needs its card instead."""
    found = {"end building"} | fighting_fire(me)
    for name, price in MADE_OF.items():
        helped = me.has("Cannon") if name == "Cannon" else me.units["farmer"] > 0
        if helped and me.can_pay(price):
            found.add(f"build {name}")
    return found


def taking(view: dict[str, Any], me: Farm) -> set[str]:
    """A Wild: Farmer, Farmland, Steel, or Religion; a market: what it sells."""
    name = view["card"]
    things = {"Farmer", "Farmland", "Steel", "Religion"} if name == "Wild" else bought(me, name)
    return {f"take {thing}" for thing in things}


def seizing(view: dict[str, Any], me: Farm) -> set[str]:
    """A Table card from any player."""
    return {f"seize seat {farm.seat} {i + 1}" for farm in others(view, me.seat) for i in farm.places()}


def recalling(view: dict[str, Any], me: Farm) -> set[str]:
    """Whoever stands on a post."""
    found = {"leave on post"}
    if me.at(1) + me.at(4):
        found.add("call in from Farmland")
    for i in me.places():
        if me.table[i]["soldiers"] + me.table[i]["farmers"] + me.table[i]["workers"]:
            found.add(f"call in from card {i + 1}")
    return found | {f"call in from trap {i + 1}" for i, hole in enumerate(me.traps) if hole["soldiers"]}


def posting(view: dict[str, Any], me: Farm) -> set[str]:
    """Soldiers at Farmland, Table or Trap cards; with the Reform Farmers at Farmland and Table cards; workers."""
    found = {"end posting"}
    kinds = {(hole["card"], hole["soldiers"]): i for i, hole in reversed(list(enumerate(me.traps)))}
    if me.at(3):
        found |= {"guard Farmland"} | {f"guard card {i + 1}" for i in me.places()}
        found |= {f"guard trap {i + 1}" for i in kinds.values()}
    if me.at(0) and me.has("Conscription Reform"):
        found |= {"Farmer guards Farmland"} | {f"Farmer guards card {i + 1}" for i in me.places()}
    for i in me.places():
        unit, most = WORKERS.get(me.table[i]["card"], ("", 0))
        if me.table[i]["workers"] < most and me.at({"farmer": 0, "disciple": 5}[unit]):
            found.add(f"work on card {i + 1}")
    return found


def attacking(view: dict[str, Any], me: Farm) -> set[str]:
    """At the beginning of the step: nobody has attacked yet."""
    found = {"end attacking"}
    facing = [farm for farm in others(view, me.seat) if me.seat not in farm.peace]
    if not facing:
        return found
    shoots = me.at(6) and me.at(0)
    found |= {"attack with a Soldier"} if me.at(3) else set()
    found |= {"attack with a Cannon"} if shoots else set()
    found |= {"attack with Mercenaries"} if me.has("Mercenaries") else set()
    for farm in facing:
        found |= {f"shoot Fire at seat {farm.seat}"} if shoots and me.tokens["fire"] else set()
        found |= {f"send a Disciple to seat {farm.seat}"} if me.at(5) else set()
    if me.has("Active Troops") or any(farm.at(7 + me.seat) for farm in facing):
        found |= {"strike from Farmland"} if me.at(4) else set()
        found |= {f"strike from card {i + 1}" for i, slot in enumerate(me.table) if slot["soldiers"]}
        found |= {f"strike from trap {i + 1}" for i, hole in enumerate(me.traps) if hole["soldiers"]}
    return found


def aiming(view: dict[str, Any], me: Farm) -> set[str]:
    """Guards first: what stands behind one cannot be hit. A guard without Active Troops strikes at guests alone."""
    found = set()
    surprise = view["surprise"]
    guests_only = view["weapon"] == "guard" and not me.has("Active Troops")
    for farm in others(view, me.seat):
        if me.seat in farm.peace:
            continue
        pick = f"pick seat {farm.seat} "
        if guests_only:
            found |= {f"{pick}Disciple visiting seat {me.seat}"} if farm.at(7 + me.seat) else set()
            continue
        if surprise or not farm.at(1) + farm.at(4):
            found.add(f"hit Farmland of seat {farm.seat}")
        for i in farm.places():
            slot = farm.table[i]
            if surprise or not slot["soldiers"] + slot["farmers"]:
                found.add(f"hit card of seat {farm.seat} {i + 1}")
            found |= {f"{pick}Soldier guarding card {i + 1}"} if slot["soldiers"] else set()
            found |= {f"{pick}worker on card {i + 1}"} if slot["workers"] else set()
            if slot["farmers"] and (surprise or not slot["soldiers"]):
                found.add(f"{pick}Farmer guarding card {i + 1}")
        for i, hole in enumerate(farm.traps):
            if surprise or not hole["soldiers"]:
                found.add(f"hit trap of seat {farm.seat} {i + 1}")
            if hole["soldiers"]:
                found.add(f"{pick}Soldier guarding trap {i + 1}")
        for spot, name in ((0, AT_HOME["farmer"]), (2, AT_HOME["explorer"]), (3, AT_HOME["soldier"])):
            found |= {pick + name} if farm.at(spot) else set()
        for spot, name in ((4, "Soldier guarding Farmland"), (5, AT_HOME["disciple"]), (6, AT_HOME["cannon"])):
            found |= {pick + name} if farm.at(spot) else set()
        if farm.at(1) and (surprise or not farm.at(4)):
            found.add(f"{pick}Farmer guarding Farmland")
        found |= {f"{pick}Disciple visiting seat {host}" for host in range(3) if farm.at(7 + host)}
    return found


def exploring(view: dict[str, Any], me: Farm) -> set[str]:
    """Unlocked decks."""
    return {"end exploring"} | {f"explore {deck}" for deck in UNLOCK if me.opens(deck)}


def discarding(view: dict[str, Any], me: Farm) -> set[str]:
    """Anything but a Permanent."""
    found = {f"discard {name}" for name in me.hand}
    found |= {f"discard Miracle {name}" for name in me.shown if name != "Life or Death"}
    found |= {f"discard from table {i + 1}" for i in me.places()}
    kinds = {(hole["card"], hole["soldiers"]): i for i, hole in reversed(list(enumerate(me.traps)))}
    return found | {f"discard Trap at {i + 1}" for i in kinds.values()}


READ = {
    "begin": beginning,
    "choose thing": taking,
    "seize": seizing,
    "build": building,
    "recall": recalling,
    "post": posting,
    "target": aiming,
    "explore": exploring,
    "trim cards": discarding,
}


def expected(pos: Any, view: dict[str, Any], me: Farm, began: str) -> set[str] | None:
    """What the sheet allows now, where this reading covers it."""
    asking = view["asking"]
    if asking == "play":
        return playing(view, me, bool(pos.state.has_package))
    if asking == "choose deck":
        return {f"draw from {deck}" for deck in draws(me, view["card"])}
    if asking == "attack":
        return attacking(view, me) if began != "attack" else None
    if asking == "target" and view["weapon"] == "Life or Death":
        return None
    if asking == "make peace":
        return {f"make peace with seat {farm.seat}" for farm in others(view, me.seat)}
    return READ[asking](view, me) if asking in READ else None


@pytest.mark.parametrize("seed", range(6))
def test_what_may_be_done(seed: int) -> None:
    """4 to 9: every decision of a random game that the second reading covers has exactly the actions it works out."""
    began, checked = "", {}
    for pos in walk(load_game("warfarm").new(seed=seed), seed=seed, most=220):
        if pos.over:
            break
        view = pos.view(pos.seat)
        wanted = expected(pos, view, Farm(view, pos.seat), began)
        if wanted is not None:
            offered = {action.name for action in pos.actions()}
            assert offered == wanted, (view["asking"], offered ^ wanted)
            checked[view["asking"]] = checked.get(view["asking"], 0) + 1
        step = view["phase"]
        began = "attack" if step == "attack" else ""
    assert sum(checked.values()) > 60
    assert len(checked) >= 5

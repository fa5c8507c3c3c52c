"""Every card of Medieval Manor against the rulebook's list, copied line by line in the rulebook's own shorthand."""

import re

import pytest

import sutler
from games.manor.table import cards, hand, has, offered, phase, play, table, work

BOUNTIES = """
Pilgrimage|Church|1V P>2V
Levy Troops|Castle|1V P>2V
Crafts Fair|ViCaMk|1R R>V
Feast Day|ViMkCaCh|1A A>V
Harvest|ViMkFl|1C C>V
Caravan|RoMk|1G G>V
Tournament|Castle|2V
Feudal Dues|Castle|1V steal card 1
Feudal Obligations|Castle|1V steal good 1
Minstrel Troupe|ViMkRo|1G 1V
Cloth Trade|RoMkRv|2G 1R
Slaughter Livestock|FlPa|4A
Fallow Field|Fields|D2X
Clover & Rape|Fields|D2X Compost Fodder
Turnips|Fields|2C Fodder
Pigs|WoFl|3A Manure
Stone|Hills|3R
Honey & Wax|WoFl|1A 1R Pollination
Corn|Fields|4C Compost Fodder
Beans|Fields|3C
Herbs|FlViWo|1C 1G
Small Game|Woods|1A draw 1
Rye|Fields|3C
Resin, Tar, Pitch|Woods|2R
Apples|Fields|2C Compost Fodder
Millet|Fields|2C
Taxes|MkVi|2G
Stag Hunt|Woods|2A
Iron Ore|Hills|3R
Wheat|Fields|4C Compost Fodder
Flax|Fields|1C 1R
Oysters & Crabs|River|2A
Plow Team|Fields|3C Cultivar
Banditry|RoRvHi|steal good 2
Berries, Acorns, Nuts|Woods|1C draw 1
Barley|Fields|3C Fodder
Goats|FlHiPa|2A
Settlers|RvRo|1P
Poultry|MkVi|2A
Marriage|ChViCa|1P
Sheep|FlPa|2A Manure
Spice Trade|RoMkRv|2G 1C
Cob, Straw, Reeds|Fields|2R Fodder
Indulgences|Church|2G
Collect Tolls|Road|2G
Midwife|Village|1P
Fur Trapper|Woods|1A 1R
Wild Boar|Woods|2A
Cabbage|ViFl|2C Compost
Money Lender|Market|4G lose 1V
Tithe|ChVi|2G
Horticulture|ViMkFl|1C 1G
Wool|FlPa|2R
Oats|Fields|2C Fodder
Gold & Silver|Hills|3G
Timber|Woods|3R
Potatoes|Fields|3C
Herring & Cod|River|3A Compost
Salt Trade|RoMkRv|2G 1A
"""

UPGRADES = """
Orchard|Fields|1C C2L
Woodcutters|Woods|1R C2L
Tavern|Village|1G C2L
Stables|ViMkCa|1A C2L
Watermill|River|1C card>1C
Quarry|Hills|1R card>1R
Royal Hunting Grounds|Woods|1A card>1A
Mine|Hills|1G card>1G
Warehouse|MkVi|HS1 G>R
Weaver|Village|1G C>R
Tannery|MkVi|1R A>R
Bazaar|Market|1G G>C
Cattle Enclosures|Pasture|1A C>A
Docks|River|1G G>A
Fishing Boats|River|1A A>G
Vineyard|Fields|1C C>G
Cheese Maker|ViMk|1G 2A>card
Brewery|ViMk|1C 2G>card
Carpenter Workshop|MkViCa|1R 2R>card
Printing Press|ViMk|HS1 2C>card
Brick Maker|FlHi|End1 less3
Wind Mill|Fields|1C End2
University|Village|EndEach
Bakery|ViMk|2C>1V
Inn|MkViRo|2G>1V
Smithy|ViCaMk|2R>1V
Butcher|MkVi|2A>1V
Guild Hall|Market|1R+1G>1V
Abbey|Hills|1A+1C>1V
Renaissance Master|ViMkCaCh|2card>1V
Fortress|Castle|1V C2M
Cathedral|Church|1V C2M
"""

HARDSHIPS = {
    "Blight": ["Nobody gains crops this turn"],
    "Peasant Rebellion": ["Nobody plays a card this turn"],
    "Fire": ["Whoever draws it loses 1 upgrade at random"],
    "Thieves": ["Whoever draws it loses all resources"],
    "Scandal": ["Whoever draws it loses 2 victory"],
    "Heresy": ["Everybody discards the whole hand"],
    "Plague": ["Everybody loses 1 peasant"],
    "Foraging Army": ["Everybody loses all crops and animals"],
    "Kings Tax Collector": ["Everybody loses all gold"],
    "Pestilence": ["Everybody loses all animals"],
}

LANDS = {
    "Rv": "River",
    "Fl": "Fields",
    "Pa": "Pasture",
    "Wo": "Woods",
    "Hi": "Hills",
    "Ro": "Road",
    "Vi": "Village",
    "Mk": "Market",
    "Ch": "Church",
    "Ca": "Castle",
}
LETTERS = {
    "C": "crops",
    "A": "animals",
    "G": "gold",
    "R": "resources",
    "V": "victory",
    "P": "peasants",
    "card": "cards",
}

VIEW = sutler.load("manor").new(4, 0).view()


def rows(text):
    return [tuple(line.split("|")) for line in text.strip().splitlines()]


def lands_of(short):
    """ "ViMk" and "Fields" as kinds of land."""
    return {short} if short in LANDS.values() else {LANDS[two] for two in re.findall("[A-Z][a-z]", short)}


def amount(text):
    """ "2C", "C", "1R+1G" or "card" as tokens."""
    parts = (re.fullmatch(r"(\d*)(\w+)", part).groups() for part in text.split("+"))
    return {LETTERS[letter]: int(n or 1) for n, letter in parts}


def facts(effects):
    """The rulebook's shorthand as the fields of a card in the view."""
    told = {
        "gain": {},
        "lose": {},
        "marks": [],
        "convert": None,
        "draw_next": 0,
        "draw_now": 0,
        "steal": None,
    }
    told |= {"cost_change": 0, "discount": 0, "hand_size": 0, "end": {"victory": 0, "per_upgrade": 0}}
    words = effects.split()
    while words:
        word = words.pop(0)
        if ">" in word:
            give, get = word.split(">")
            told["convert"] = {"give": amount(give), "get": amount(get)}
        elif word == "steal":
            told["steal"] = {"what": words.pop(0), "count": int(words.pop(0))}
        elif word == "draw":
            told["draw_now"] = int(words.pop(0))
        elif word == "lose":
            told["lose"] = amount(words.pop(0))
        elif word in ("Compost", "Cultivar", "Manure", "Pollination", "Fodder"):
            told["marks"].append(word)
        elif word in FIXED:
            key, value = FIXED[word]
            told[key] = value
        else:
            told["gain"] |= amount(word)
    return told


FIXED = {
    "D2X": ("draw_next", 2),
    "C2L": ("cost_change", -2),
    "C2M": ("cost_change", 2),
    "HS1": ("hand_size", 1),
    "less3": ("discount", 3),
    "End1": ("end", {"victory": 1, "per_upgrade": 0}),
    "End2": ("end", {"victory": 2, "per_upgrade": 0}),
    "EndEach": ("end", {"victory": 0, "per_upgrade": 1}),
}


def test_the_lists_are_whole():
    """1.4: 59 bounties, 32 upgrades and 10 hardships, in the rulebook's order."""
    names = [row[0] for row in (*rows(BOUNTIES), *rows(UPGRADES))] + list(HARDSHIPS)
    assert list(VIEW["cards"]) == names
    assert (len(rows(BOUNTIES)), len(rows(UPGRADES)), len(HARDSHIPS)) == (59, 32, 10)


@pytest.mark.parametrize(("name", "where", "effects"), rows(BOUNTIES) + rows(UPGRADES), ids=lambda text: text[:12])
def test_facts_of_a_card(name, where, effects):
    """5.2, 5.3, 5.4, 5.5, 5.6, 5.8, 6.1, 6.2, 8.1 and 8.3: where a card goes, what it brings, all as in the list."""
    card = VIEW["cards"][name]
    assert card["type"] == ("bounty" if (name, where, effects) in rows(BOUNTIES) else "upgrade")
    assert set(card["on"]) == lands_of(where)
    told = facts(effects)
    assert {key: card[key] for key in told} == told
    assert card["text"]


@pytest.mark.parametrize("name", HARDSHIPS)
def test_facts_of_a_hardship(name):
    """3.3: what a hardship does, in words made from the box."""
    card = VIEW["cards"][name]
    assert (card["type"], card["on"], card["harm"]) == ("hardship", [], HARDSHIPS[name])


@pytest.mark.parametrize(("name", "where", "effects"), rows(BOUNTIES), ids=lambda text: text[:12])
def test_every_bounty_played(name, where, effects):
    """5.3: on the land that adds nothing, every bounty brings exactly what its line says."""
    plain = {"Fields": "Good Fields", "River": "River", "Pasture": "Pasture"}
    kinds = lands_of(where)
    kind = min(kinds - {"River", "Pasture"} or kinds)
    told = facts(effects)
    others, deck = (["Timber", "Fallow Field"], ["Stone"]) if effects[0] in "1248" else (["Taxes", "Tithe"], ["Flax"])
    pos = work({"hand": [name, "Inn"], "victory": 1}, {"hand": others}, deck=deck, lord=1, first=0)
    before = has(pos, 0)
    play(pos, f"place {name}")
    if phase(pos) == "choose land":
        play(pos, f"on {plain.get(kind, kind)}")
    after = has(pos, 0)
    wanted = dict(told["gain"])
    if kind == "River" and "gold" in wanted:
        wanted["gold"] += 1
    for token, n in told["lose"].items():
        wanted[token] = wanted.get(token, 0) - n
    if phase(pos) == "convert":
        play(pos, "done")
    if phase(pos).startswith("steal"):
        while phase(pos).startswith("steal"):
            play(pos, min(offered(pos)))
    assert {token: after[token] - before[token] for token in after if after[token] != before[token]} == wanted
    assert len(hand(pos, 0)) == 1 + told["draw_now"] + (told["steal"] == {"what": "card", "count": 1})
    assert pos.state.seats[0].extra_next == told["draw_next"]
    assert name in cards(pos, pos.state.table)
    assert (pos.state.lord == 0) == (kind == "Castle")


@pytest.mark.parametrize(("name", "where", "effects"), rows(UPGRADES), ids=lambda text: text[:12])
def test_every_upgrade_in_play(name, where, effects):
    """6.1: in the upgrade phase every upgrade brings exactly what its line says."""
    told = facts(effects)
    pos = work(
        {"hand": ["Timber", "Goats"], "upgrades": [name]}, {"upgrades": ["Smithy"][: name != "Smithy"], "resources": 2}
    )
    if name == "Smithy":
        pos = work({"hand": ["Timber", "Goats"], "upgrades": [name]}, {"upgrades": ["Inn"], "gold": 2})
    before = has(pos, 0)
    play(pos, "pass")
    if pos.seat == 0:
        assert phase(pos) == "use"
    after = has(pos, 0)
    assert {token: after[token] - before[token] for token in after if after[token] != before[token]} == told["gain"]


def test_marks_by_name():
    """5.3: what the words of the list stand for, asked of the table."""
    lies = {"Good Fields": "Wheat"}
    pos = table({"hand": ["Goats", "Corn", "Wool"]}, {"hand": ["Taxes", "Tithe"]}, phase="work", lies=lies)
    play(pos, "place Corn", "on Fertile Fields")
    assert has(pos, 0)["crops"] == 6

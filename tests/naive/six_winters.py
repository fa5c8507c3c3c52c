"""Six Winters kept by hand: tracks, threat tags, dice and missions counted from the box file and from what is told, nothing else.

A `Ledger` reads the log as somebody at the table would, with the cards beside it, and says what must be true of the picture.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import sutler.games.sixwinters
from sutler.core.events import Told

FILE = Path(sutler.games.sixwinters.__file__).parent / "box.toml"
BOX: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
RESOURCES = ("support", "technology", "espionage", "military", "diplomacy", "sorcery")
TRACKS = {one["resource"]: one for one in BOX["track"]}
SLOTS = [(region["region"], slot["resource"]) for region in BOX["region"] for slot in region["slots"]]
CONDITIONS = ("Distracted", "Angry", "Shaken", "Weary", "Bruised", "Wounded")
DICE, LAST_SPACE, FREE_TAGS = 12, 12, 2
BONUS = 5
"""What a third player, and each card below, adds to a difficulty."""
HARDER: dict[str, tuple[str, set[str], str]] = {
    "Secrets and Lies": ("everywhere", {"spy", "guard"}, ""),
    "Background Checks": ("here", {"guard"}, ""),
    "Encoded Plans": ("region", {"unit"}, ""),
    "Battle Plans": ("everywhere", set(), "military"),
}
"""Printed: obstacles that make others harder: where, those with which tags, or with which threat."""
DESOLATION, FEAR, OWN_DICE = "Desolation", "Fear and Deception", "Eight Ears"
"""Printed: a location that makes Military obstacles there harder, an effect that does so to diplomats, a card to itself."""
TRANSMUTATION, KEEPS_OPEN = "Transmutation", "Repeating Histories"
"""Printed: an effect by which Sorcery stands for any resource on cards, an obstacle that keeps cards with Sorcery open."""
EFFECTS = [effect["name"] for one in BOX["scheme"] for effect in one["effect"]]
EFFECT_LASTS = [effect.get("lasts", "instant") != "instant" for one in BOX["scheme"] for effect in one["effect"]]
SIDE = 4
"""Cells in a row of a progress card."""
AFTER_THREATS = {"scheme_rolled", "turn", "bonus_turn", "second_pass", "cleared", "passed", "failed", "year"}


def steps(cell: int, other: int) -> tuple[int, int]:
    """How far apart two cells are, down and across."""
    return other // SIDE - cell // SIDE, other % SIDE - cell % SIDE


class Cell:
    """A cell of a progress card's picture: ">sup", "any@br", "dip4", "tec+1", "any<"."""

    def __init__(self, card: int, square: int) -> None:
        word = BOX["card"][card]["picture"][square // SIDE].split()[square % SIDE]
        self.is_start, self.is_end = word.startswith(">"), word.endswith("<")
        word = word.strip("<>")
        self.resource, rest = word[:3], word[3:]
        self.region = rest[1:] if rest.startswith("@") else ""
        self.change = {"+1": 1, "-1": -1, "==": 0}.get(rest)
        self.value = int(rest) if rest.isdigit() else 0


class Ledger:
    """What a careful player writes down."""

    def __init__(self, start_threats: int = 0, start_year: int = 1, numbers: str = "numbers") -> None:
        self.numbers = numbers
        self.progress = {name: track.get("start_progress", 1) for name, track in TRACKS.items()}
        self.threat = {
            name: min(LAST_SPACE, max(1, track.get("start_threat", 1) + start_threats))
            for name, track in TRACKS.items()
            if track.get("threats", True)
        }
        starting = [slot["starting_location"] for region in BOX["region"] for slot in region["slots"]]
        self.location = [next(i for i, one in enumerate(BOX["location"]) if one["name"] == name) for name in starting]
        self.lies: dict[int, int] = {}  # obstacles in play, by slot
        self.on_scheme = 0
        self.marks: dict[int, set[str]] = {}
        self.missions: dict[int, list[bool]] = {}  # difficult, passed
        self.difficult: set[int] = set()
        self.year, self.turn = start_year, 0
        self.is_open = False  # has a turn begun whose threats have not been seen?
        self.due: set[str] = set()  # resources whose threat must still rise in this step
        self.began = False  # has the step begun?
        self.burned: Counter[int] = Counter()  # by stage
        self.burned_now: list[int] = []
        self.turns: list[int] = []
        self.in_force: list[str] = []  # the scheme's effects that last
        self.at: dict[int, int] = {}  # characters, by slot
        self.effects: set[str] = set()  # of the campaign
        self.laid: dict[int, list[tuple[int, int]]] = {}  # progress cards begun: cell and die, in order
        self.n_laid = 0  # dice laid on cards so far
        self.n_completed = 0
        self.owed: Counter[str] = Counter()  # steps that a completed card still brings
        self.spent: list[int] = []  # assets and pool dice that have gone, one decision after the other
        self.total = 0  # progress against the obstacle that is being overcome
        self.n_players = 2

    # --- What the cards say ---

    def tags_of(self, card: int) -> set[str]:
        """1.11: the threat tags of an obstacle, faded ones where they count."""
        obstacle = BOX["obstacle"][card]
        return {*obstacle["threats"], *self._faded(card)}

    def _faded(self, card: int) -> list[str]:
        return [
            op["resource"]
            for effect in BOX["obstacle"][card].get("effect", ())
            for op in effect["ops"]
            if op["op"] == "extra_threat" and card in self.lies and self._counts(op, self.lies[card])
        ]

    def difficulty(self, card: int, own_dice: int) -> int:
        """The printed number, for three and more players, and for what other cards say (2.2, 7.6)."""
        one, slot = BOX["obstacle"][card], self.lies[card]
        total = int(one["difficulty"]) + (BONUS if self.n_players > 2 else 0)
        for other, at in self.lies.items():
            where, kinds, threat = HARDER.get(BOX["obstacle"][other]["name"], ("", set(), ""))
            is_near = {"everywhere": True, "here": at == slot, "region": SLOTS[at][0] == SLOTS[slot][0]}.get(
                where, False
            )
            if is_near and (kinds & set(one["tags"]) or threat in self.tags_of(card)):
                total += BONUS
        location = BOX["location"][self.location[slot]]
        if location.get("title", location["name"]).startswith(DESOLATION) and "military" in self.tags_of(card):
            total += BONUS
        if FEAR in self.in_force and "diplomat" in one["tags"]:
            total += BONUS
        return total + (own_dice if one["name"] == OWN_DICE else 0)

    def n_stress_dice(self, card: int) -> int:
        """7.4: the highest threat level among its tags."""
        return max(
            (self.level(name, self.threat[name]) for name in self.tags_of(card) if name in self.threat), default=0
        )

    def tags(self) -> Counter[str]:
        """1.11: threat tags in play, faded ones where they count."""
        found: Counter[str] = Counter()
        for card, slot in self.lies.items():
            obstacle = BOX["obstacle"][card]
            found.update(obstacle["threats"])
            for effect in obstacle.get("effect", ()):
                for op in effect["ops"]:
                    if op["op"] == "extra_threat" and self._counts(op, slot):
                        found[op["resource"]] += op["count"]
        return found

    def _counts(self, op: dict[str, Any], slot: int) -> bool:
        tags = set(BOX["location"][self.location[slot]]["tags"])
        if "if_location_tags" in op and not tags & set(op["if_location_tags"]):
            return False
        return "if_region" not in op or op["if_region"] == SLOTS[slot][0]

    def level(self, name: str, space: int) -> int:
        """1.2: the number on a space of a track."""
        return int(TRACKS[name][self.numbers][space - 1])

    def too_many(self) -> set[str]:
        """8.6: the resources with more than two tags in play."""
        return {name for name, n in self.tags().items() if n > FREE_TAGS and name in self.threat}

    # --- What is told ---

    def read(self, told: Sequence[Told]) -> None:
        """Everything told in one move, in order."""
        if not any(one.kind in ("pool_lost", "asset_removed") for one in told):
            self.spent = []
        lines = iter(told)
        for one in lines:
            if one.kind in AFTER_THREATS:
                self._threats_are_over(one)
            if one.kind == "tagged":
                self._tagged(one, lines)
            else:
                write = getattr(self, f"_{one.kind}", None)
                if write is not None:
                    write(**{name: one.get_part(name) for name, _ in one.event.parts})

    def _threats_are_over(self, one: Told) -> None:
        if self.is_open:
            assert (self.due if self.began else self.too_many()) == set(), f"no threat has risen for {self.due}"
            self.is_open = False
        if one.kind in ("turn", "bonus_turn"):
            self.is_open, self.began, self.due = True, False, set()

    def _tagged(self, one: Told, lines: Iterator[Told]) -> None:
        """8.6: the tags are counted rightly, and the marker moves by as many as are beyond two."""
        name, n = RESOURCES[one.get_part("resource")], one.get_part("n")
        if not self.began:
            self.began, self.due = True, self.too_many()
        assert self.tags()[name] == n
        self.due.remove(name)
        for _ in range(min(n - FREE_TAGS, LAST_SPACE - self.threat[name])):
            step = next(lines)
            assert (step.kind, RESOURCES[step.get_part("resource")]) == ("threat_rose", name)
            self._threat_rose(step.get_part("resource"), step.get_part("n"))

    def _threat_rose(self, resource: int, n: int) -> None:
        name = RESOURCES[resource]
        assert n == self.threat[name] + 1
        self.threat[name] = n

    def _threat_fell(self, resource: int, n: int) -> None:
        assert n <= self.threat[RESOURCES[resource]]
        self.threat[RESOURCES[resource]] = n

    def _raised(self, resource: int, n: int) -> None:
        name = RESOURCES[resource]
        assert n == self.progress[name] + 1
        self.progress[name] = n
        self._brought(name)

    def _lowered(self, resource: int, n: int) -> None:
        assert n <= self.progress[RESOURCES[resource]]
        self.progress[RESOURCES[resource]] = n

    def _obstacle_placed(self, obstacle: int, location: int) -> None:
        assert obstacle not in self.lies
        self.lies[obstacle] = self.location.index(location)

    def _obstacle_fetched(self, obstacle: int, location: int) -> None:
        """14.29: from wherever it was, out of play or elsewhere."""
        self.lies[obstacle] = self.location.index(location)

    def _obstacle_moved(self, obstacle: int, location: int) -> None:
        assert obstacle in self.lies
        self.lies[obstacle] = self.location.index(location)

    def _obstacle_discarded(self, obstacle: int) -> None:
        self.lies.pop(obstacle, None)

    def _obstacle_burned(self, obstacle: int) -> None:
        self.lies.pop(obstacle, None)

    def _obstacle_shuffled(self, obstacle: int, region: int) -> None:
        self.lies.pop(obstacle, None)

    def _location_placed(self, location: int, replaced: int) -> None:
        assert location not in self.location
        self.location[self.location.index(replaced)] = location

    def _pool_lost(self, asset: int) -> None:
        self.spent.append(asset)

    def _asset_removed(self, asset: int, location: int) -> None:
        self.spent.append(asset)

    # --- Progress cards (6) ---

    def _placed(self, character: int, location: int) -> None:
        self.at[character] = self.location.index(location)

    _moved = _sailed = _gated = _placed

    def _effect_gained(self, effect: int) -> None:
        self.effects.add(BOX["campaign_effect"][effect]["name"])

    def _put_on_card(self, character: int, asset: int, card: int, square: int) -> None:
        """6.1: the die continues the path, and its resource, value and origin are what the cell asks for."""
        path, cell = self.laid.setdefault(card, []), Cell(card, square)
        name, value = RESOURCES[asset // 6], asset % 6 + 1
        assert square not in {one for one, _ in path}
        assert cell.is_start if not path else max(map(abs, steps(path[-1][0], square))) == 1
        assert cell.resource in ("any", name[:3]) or (name == "sorcery" and TRANSMUTATION in self.effects)
        assert cell.value in (0, value)
        assert cell.region in ("", SLOTS[self.at[character]][0][:2])
        assert cell.change is None or not path or value - path[-1][1] % 6 - 1 == cell.change
        path.append((square, asset))
        self.n_laid += 1
        if cell.is_end and any(BOX["obstacle"][one]["name"] == KEEPS_OPEN for one in self.lies):
            assert "sorcery" not in {RESOURCES[die // 6] for _, die in path}

    def _completed(self, character: int, card: int) -> None:
        """6.3: a die lies on the end; now each symbol brings a step."""
        assert Cell(card, self.laid.pop(card)[-1][0]).is_end
        assert not +self.owed, f"{self.owed} have not come"
        self.owed = Counter(BOX["card"][card].get("reward", ()))
        self.n_completed += 1

    def _brought(self, name: str) -> None:
        """6.3, 6.4: a step of the card just completed, if it owes one; what a full track cannot take may go elsewhere (12.5)."""
        full = (one for one, n in self.owed.items() if n and self.progress.get(one) == LAST_SPACE)
        source = name if self.owed[name] else "any" if self.owed["any"] else next(full, "")
        if source:
            self.owed[source] -= 1

    def _wasted(self, resource: int) -> None:
        assert self.progress[RESOURCES[resource]] == LAST_SPACE
        self._brought(RESOURCES[resource])

    def _cleared_away(self) -> None:
        self.laid, self.in_force = {}, []

    def _cleared(self, obstacle: int) -> None:
        """11.1: what went last matches its tags and is enough; dice that went before may have gone otherwise."""
        tags = self.tags_of(obstacle)
        paid = takewhile(lambda asset: RESOURCES[asset // 6] in tags, reversed(self.spent))
        assert sum(asset % 6 + 1 for asset in paid) >= self.difficulty(obstacle, 0)
        self.spent = []

    def _scheme_works(self, scheme: int, scheme_effect: int) -> None:
        if EFFECT_LASTS[scheme_effect]:
            self.in_force.append(EFFECTS[scheme_effect])

    def _scheme_ended(self, scheme_effect: int) -> None:
        assert EFFECTS[scheme_effect] in self.in_force
        self.in_force.remove(EFFECTS[scheme_effect])

    def _scheme_laid(self, scheme: int) -> None:
        self.on_scheme, self.in_force = 0, []

    def _scheme_fed(self, resource: int, n: int) -> None:
        self.on_scheme += n

    def _scheme_cancelled(self, resource: int, value: int) -> None:
        self.on_scheme -= 1

    def _scheme_gone(self, scheme: int) -> None:
        self.on_scheme, self.in_force = 0, []

    def _fell(self, character: int, condition: int) -> None:
        self.marks.setdefault(character, set()).add(CONDITIONS[condition])

    _marked = _fell  # 14.15: on the sheet, and without what a fall brings

    def _recovered(self, character: int, condition: int) -> None:
        self.marks[character].remove(CONDITIONS[condition])

    def _set_difficult(self, mission: int) -> None:
        self.difficult.add(mission)

    def _passed(self, mission: int) -> None:
        self.missions[mission] = [mission in self.difficult, True]

    def _failed(self, mission: int) -> None:
        self.missions[mission] = [mission in self.difficult, False]

    def _turn(self, n: int, season: int) -> None:
        assert n == self.turn + 1
        self.turn = n

    _bonus_turn = _turn

    def _second_pass(self, year: int) -> None:
        self._close_session()

    def _card_burned(self, card: int) -> None:
        self.burned_now.append(BOX["card"][card]["stage"])

    def _year(self, year: int) -> None:
        """10.1, 11.4: a session had four to eight turns; twice the year's number of cards of one stage were burned."""
        if self.turn:
            self._close_session()
            stage = next(n for n in range(1, 6) if self._in_stage(n) > self.burned[n])
            n = min(2 * (year - 1), self._in_stage(stage) - self.burned[stage])
            assert self.burned_now == [stage] * n
            self.burned.update(self.burned_now)
            self.burned_now = []
        self.year, self.on_scheme = year, 0

    @staticmethod
    def _in_stage(stage: int) -> int:
        return sum(card.get("stage") == stage for card in BOX["card"])

    def _close_session(self) -> None:
        assert 4 <= self.turn <= 8
        self.turns.append(self.turn)
        self.turn = 0

    # --- Overcoming (7) ---

    def overcome(self, before: dict[str, Any], told: Sequence[Told]) -> int:
        """Check what one decision told of stress dice and tallies by the picture before it; how many things were checked."""
        rolled = [one for one in told if one.kind == "rolled"]
        tallied = [one for one in told if one.kind == "tallied"]
        over = before["overcome"]
        begun = next(
            (one.get_part("obstacle") for one in told if one.kind == "begun"), over["obstacle"] if over else None
        )
        if begun is None or (begun not in self.lies and not tallied):
            return 0
        if rolled:
            assert sum(one.get_part("n") for one in rolled) == self.n_stress_dice(begun)
        if tallied and over and self.n_players > 1 and not rolled:
            total = over["total"]
            out: set[int] = set()  # whoever is knocked out loses the dice, and later values find none
            for one in told:
                if one.kind == "knocked_out":
                    out.add(one.get_part("character"))
                if one.kind != "tallied":
                    continue
                value = one.get_part("value")
                for who in (one for one in over["who"] if one["ch"] not in out):
                    total += sum(die == value for _, die in who["progress"]) * (value + who["rank"])
                assert one.get_part("n") == total
        return len(rolled) + len(tallied)

    # --- What must be true of the picture ---

    def compare(self, view: dict[str, Any], waiting: Sequence[tuple[str, int]] = ()) -> None:
        """The same tracks, levels, tags, obstacles, locations, conditions and progress cards.

        waiting: the dice of a card that lies at hand between two passes of a year (12.1), when no character shows it.
        """
        tags = self.tags()
        for track in view["tracks"]:
            name = track["res"]
            assert (track["progress"], track["threat"]) == (self.progress[name], self.threat.get(name))
            assert track["tags"] == tags[name], name
            assert view["levels"][name] == self.level(name, self.progress[name])
        for slot in view["slots"]:
            location = BOX["location"][self.location[slot["slot"]]]
            assert slot["name"] == location.get("title", location["name"])
            assert set(slot["obstacles"]) == {card for card, at in self.lies.items() if at == slot["slot"]}
        for one in view["characters"]:
            assert set(one["conditions"]) == self.marks.get(one["ch"], set())
        stage = view["progress_pile"]["stage"]
        assert view["progress_pile"]["icons"] == BOX["stage"][stage - 1]["new_obstacles"]
        assert view["year"] == self.year
        for card in self.lies:
            one = view["obstacles"][str(card)]
            own = sum(die for _, die in one["dice"])
            assert one["difficulty"] == self.difficulty(card, own), one["name"]
        effects = view["scheme"]["effects"] if view["scheme"] else ()
        assert {one["name"] for one in effects if one["on"]} == set(self.in_force)
        begun = [one["card"] for one in view["characters"] if one["card"]] + [view["shared_card"]]
        shown = sorted([tuple(step[2:]) for step in card["path"]] for card in begun if card and card["path"])
        shown = sorted([*shown, list(waiting)] if waiting else shown)
        mine = sorted([(RESOURCES[die // 6], die % 6 + 1) for _, die in path] for path in self.laid.values() if path)
        assert shown == mine

    def score(self) -> int:
        """11.8: missions, two tracks above their threats, the Technology level."""
        points = self.level("technology", self.progress["technology"])
        for mission, (difficult, passed) in self.missions.items():
            points += (3 if difficult else 1) if passed else (2 if difficult else 0)
            points += 5 * (passed and BOX["mission"][mission]["name"] == "Beyond Brightdune")
        points += 5 * (self.progress["military"] > self.threat["military"])
        return points + 3 * (self.progress["support"] > self.threat["support"])


def dice_seen(view: dict[str, Any]) -> Counter[str]:
    """1.4: the resource dice that lie open on the table, wherever they lie."""
    found: Counter[str] = Counter({name: len(values) for name, values in view["pools"].items()})
    lying = [die for slot in view["slots"] for die in slot["assets"]]
    lying += view["scheme"]["dice"] if view["scheme"] else []
    for one in view["characters"]:
        lying += [step[2:] for step in one["card"]["path"]] if one["card"] else []
        for ability in one["abilities"]:
            lying += [*ability["stash"], *([ability["used"]] if ability["used"] else [])]
    lying += [step[2:] for step in view["shared_card"]["path"]] if view["shared_card"] else []
    lying += [die for one in view["obstacles"].values() for die in one["dice"]]
    over = view["overcome"]
    lying += [die for who in over["who"] for die in (*who["reaction"], *who["progress"])] if over else []
    lying += [["sorcery", mission["severing"]] for mission in view["missions"] if mission["severing"]]
    found.update(name for name, _ in lying if name != "action")
    return found

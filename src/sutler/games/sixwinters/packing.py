"""From the checked sheet to the box record: names become numbers, effects become rows of the table of operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sutler.core.bits import add
from sutler.core.box import BoxError, Option
from sutler.core.record import NOBODY
from sutler.games.sixwinters import box as b
from sutler.games.sixwinters.paths import count_need
from sutler.games.sixwinters.vocabulary import (
    CONDITIONS,
    ICONS,
    LOCATION_TAGS,
    OP_NUMBERS,
    OPS,
    REGIONS,
    RESOURCES,
    SEASONS,
    SKILLS,
    TAGS,
    TRACKS,
    WHO,
    Op,
    Slot,
    Where,
)

MOMENT_OF = {
    "passive": b.STANDING,
    "leave": b.STANDING,
    "enter": b.ENTER,
    "activation": b.ACTIVATION,
    "overcome": b.OVERCOME,
    "action": b.ACTION,
    "free": b.FREE,
    "enter_play": b.ENTER_PLAY,
}
CHOICES = {
    "solo": ("two", "passes"),
    "difficulty": ("ask", "easy", "normal", "difficult"),
    "deeds": ("both", "deeds", "experience"),
    "skill_icon": ("both", "create"),
    "score_tracks": ("military, support", "sorcery, espionage", "espionage, diplomacy"),
    "tracks": ("v23", "v20"),
}
"""Options that are words: the number of each."""


def pack(sheet: b.Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The sheet and the chosen options as one box record; BoxError when something is named that is not there."""
    return Packer(sheet, options).packed()


def bits(words: Sequence[str], listed: Sequence[str]) -> int:
    """Words as a number with a bit for each."""
    return sum(1 << listed.index(word) for word in set(words))


def index(word: str | None, listed: Sequence[str]) -> int:
    """A word's place in a list; NOBODY for none."""
    return NOBODY if word is None else listed.index(word)


class Packer:
    """Fills a box record, and knows where in the file it is when it refuses something."""

    def __init__(self, sheet: b.Sheet, options: dict[str, Any]) -> None:
        self.sheet = sheet
        self.chosen = options
        self.box = b.BOX.new()
        self.where = ""
        self.n_ops = 1  # row 0 is no operation
        self.obstacle_titles = list(dict.fromkeys(one.called for one in sheet.obstacle))
        self.location_titles = list(dict.fromkeys(one.called for one in sheet.location))
        self.slots = {
            (region.region, slot.resource): 3 * r + s
            for r, region in enumerate(sheet.region)
            for s, slot in enumerate(region.slots)
        }

    def fault(self, field: str, words: str) -> BoxError:
        """What is wrong, with entry and field."""
        return BoxError(f"sixwinters/box.toml: {self.where}, field {field}: {words}")

    def numbered(self, name: str | None, listed: Sequence[str], field: str, what: str) -> int:
        """A name's number; BoxError when there is none such."""
        if name is None:
            return NOBODY
        if name not in listed:
            raise self.fault(field, f"there is no {what} {name!r}")
        return listed.index(name)

    def slot(self, slot: Slot | None, field: str) -> int:
        """A slot's number."""
        if slot is None:
            return NOBODY
        if (slot.region, slot.resource) not in self.slots:
            raise self.fault(field, f"{slot.region} has no slot of {slot.resource}")
        return self.slots[slot.region, slot.resource]

    def packed(self) -> Any:
        self._options()
        self._rules()
        self._board()
        self._obstacles()
        self._locations()
        self._cards()
        self._missions()
        self._characters()
        self._rest()
        self._unreachable()
        self.box.n_ops = self.n_ops
        return self.box

    # --- parameters ---

    def _options(self) -> None:
        for name in b.OPTIONS.dtype.names or ():
            value = self.chosen[name]
            number = CHOICES[name].index(str(value)) if name in CHOICES else int(value)
            setattr(self.box.options, name, number)

    def _rules(self) -> None:
        rules, said, points = self.box.rules, self.sheet.rules, self.sheet.scoring
        rules.dice_each, rules.shared_dice = said.dice_each, said.shared_action_dice
        rules.action_dice[1:] = said.action_dice
        rules.harder[1:] = said.difficulty_bonus
        rules.saved_most, rules.tags_free = said.saved_action_dice_max, said.threat_tags_free
        rules.port_cost, rules.gate_stress = said.port_cost, said.gate_stress
        rules.xp_active, rules.xp_reserve = said.experience_active, said.experience_reserve
        rules.new_skill, rules.skill_factor = said.new_skill, said.skill_rank_factor
        rules.xp_achievement, rules.most_skill = said.achievement, said.max_skill_rank
        clear = said.clear_condition
        rules.clear[:] = (clear.distracted, clear.angry, clear.shaken)
        rules.burn_per_year, rules.progress_cost = said.burn_per_year, said.progress_cost
        rules.pass_base, rules.pass_difficult = points.mission_passed_base, points.mission_passed_difficult
        rules.fail_base, rules.fail_difficult = points.mission_failed_base, points.mission_failed_difficult
        rules.beyond, rules.score_high, rules.score_low = (
            points.shared_card_completed,
            points.first_track_above,
            points.second_track_above,
        )

    def _board(self) -> None:
        box = self.box
        if [track.resource for track in self.sheet.track] != list(RESOURCES):
            raise BoxError(f"sixwinters/box.toml: [[track]]: one for each of {', '.join(RESOURCES)}, in this order")
        if [region.region for region in self.sheet.region] != list(REGIONS):
            raise BoxError(f"sixwinters/box.toml: [[region]]: one for each of {', '.join(REGIONS)}, in this order")
        for r, track in enumerate(self.sheet.track):
            box.track[r].levels[:] = track.numbers if self.chosen["tracks"] == "v23" else track.published_v20
            box.track[r].start_progress = track.start_progress
            box.track[r].start_threat = track.start_threat
            box.track[r].has_threats = track.threats
        for i, turn in enumerate(self.sheet.turn):
            box.season[i], box.bonus[i] = SEASONS.index(turn.season), turn.bonus
        for stage in self.sheet.stage:
            box.new_obstacles[stage.stage] = stage.new_obstacles
        names = [one.name for one in self.sheet.location]
        for r, region in enumerate(self.sheet.region):
            self.where = f'[[region]] "{region.region}"'
            for s, slot in enumerate(region.slots):
                place = box.place[3 * r + s]
                place.region, place.resource = r, RESOURCES.index(slot.resource)
                place.season = SEASONS.index(slot.season)
                place.location = self.numbered(slot.starting_location, names, "slots.starting_location", "location")
        wheel = [RESOURCES.index(one) for one in self.sheet.wheel]
        box.wheel[:] = NOBODY
        for here, there in zip(wheel, wheel[1:] + wheel[:1], strict=True):
            box.wheel[here] = there

    # --- cards ---

    def _effects(self, out: Any, words: Any, entries: Sequence[b.EffectEntry]) -> None:
        """The effects of a card by their moment; what holds is noted in `words`."""
        for moment in range(b.MOMENTS):
            rows: list[Op] = []
            for entry in entries:
                if MOMENT_OF[entry.when] == moment:
                    rows += entry.ops
            self.ops(out[moment], rows)
            if moment == b.STANDING:
                for op in rows:
                    add(words, OP_NUMBERS[op.op])

    def _obstacles(self) -> None:
        for i, card in enumerate(self.sheet.obstacle):
            self.where = f'[[obstacle]] "{card.name}"'
            row = self.box.obstacle[i]
            row.group = self.obstacle_titles.index(card.called)
            row.region, row.season = REGIONS.index(card.region), SEASONS.index(card.season)
            row.starts, row.tags = card.starting, bits(card.tags, TAGS)
            for threat in card.threats:
                row.threats[RESOURCES.index(threat)] += 1
            row.skill, row.difficulty = SKILLS.index(card.skill), card.difficulty
            row.stress_mask = bits(card.stress, TRACKS)
            self._effects(row.effect, row.words, card.effect)
        self.box.n_obstacles = len(self.sheet.obstacle)

    def _locations(self) -> None:
        for i, card in enumerate(self.sheet.location):
            self.where = f'[[location]] "{card.name}"'
            row = self.box.location[i]
            row.group = self.location_titles.index(card.called)
            row.region = NOBODY if card.region == "none" else REGIONS.index(card.region)
            row.tags = bits(card.tags, LOCATION_TAGS)
            prices = (card.move.empire, card.move.brightdune, card.move.settled_lands)
            row.move[:] = [b.NO_MOVE if price == "no_move" else price for price in prices]
            if card.icon is not None:
                row.icon, row.icon_n = ICONS.index(card.icon.kind), card.icon.amount
                row.icon_of = max(
                    index(card.icon.resource, RESOURCES), index(card.icon.skill, SKILLS), index(card.icon.track, TRACKS)
                )
            self._effects(row.effect, row.words, card.effect)
        self.box.n_locations = len(self.sheet.location)

    def _cards(self) -> None:
        missions = [one.name for one in self.sheet.mission]
        for i, card in enumerate(self.sheet.card):
            self.where = f'[[card]] "{card.name}"'
            row = self.box.card[i]
            row.stage, row.slot = card.stage or 0, self.slot(card.obstacle_slot, "obstacle_slot")
            row.mission = self.numbered(card.mission, missions, "mission", "mission")
            row.after = index(card.after, RESOURCES)
            for one in card.reward:
                row.reward[b.ANY if one == "any" else RESOURCES.index(one)] += 1
            self._picture(row, card.picture)
            count_need(row)
        for stage in range(1, b.STAGES + 1):
            if not any(card.stage == stage for card in self.sheet.card):
                raise BoxError(f"sixwinters/box.toml: [[card]]: no card of stage {stage}")
        self.box.n_cards = len(self.sheet.card)

    def _picture(self, row: Any, picture: Sequence[str]) -> None:
        row.start = row.end = NOBODY
        for y, line in enumerate(picture):
            words = line.split()
            if len(words) > b.SIDE:
                raise self.fault("picture", f"{line!r} has more than {b.SIDE} cells")
            for x, word in enumerate(words):
                at = b.SIDE * y + x
                if word.startswith(">"):
                    row.start = at
                if word.endswith("<"):
                    row.end = at
                read_cell(row.cells[at], word.strip("<>"), self.fault)
        if NOBODY in (row.start, row.end):
            raise self.fault("picture", "a card has a start (>) and an end (<)")

    def _missions(self) -> None:
        for i, card in enumerate(self.sheet.mission):
            self.where = f'[[mission]] "{card.name}"'
            row = self.box.mission[i]
            row.year, row.level = card.unlock.year or 0, card.unlock.level or 0
            row.resource = index(card.unlock.resource, RESOURCES)
            row.goal[:] = NOBODY
            for side, goal in enumerate((card.goal_base, card.goal_difficult)):
                row.goal[side, : len(goal)] = [RESOURCES.index(one) for one in goal]
            row.then_group[:] = NOBODY
            row.then_track = NOBODY
            if card.then is not None:
                row.then = b.AFTER_GOAL if card.then.after == "goal_progress" else b.AFTER_TRACK
                row.then_track = index(card.then.resource, RESOURCES)
                if (row.then == b.AFTER_TRACK) != (card.then.resource is not None):
                    raise self.fault("then.resource", "named when the obstacles wait for a track, and only then")
                row.ordered, row.severing = card.then.ordered, card.then.repeat_until is not None
                row.n_then = len(card.then.obstacles)
                for k, one in enumerate(card.then.obstacles):
                    row.then_group[k] = self.numbered(one.obstacle, self.obstacle_titles, "then.obstacles", "obstacle")
                    row.then_slot[k] = self.slot(one.at, "then.obstacles")
            row.shared = next((k for k, one in enumerate(self.sheet.card) if one.mission == card.name), NOBODY)
            for side, name in enumerate(("base", "difficult")):
                self.ops(row.setup[side], [op for line in card.setup if line.at == name for op in line.ops])
            self.ops(row.passed, [op for line in card.passed for op in line.ops])
            self.ops(row.failed, [op for line in card.failed for op in line.ops])
            row.wins = any(op.op == "campaign_won" for line in card.passed for op in line.ops)
        self.box.n_missions = len(self.sheet.mission)

    def _characters(self) -> None:
        reserves = [one.name for one in self.sheet.reserve_action]
        for i, card in enumerate(self.sheet.character):
            self.where = f'[[character]] "{card.name}"'
            row = self.box.character[i]
            row.there, row.starts = 1, card.unlocked_at_start
            row.skills[:] = [getattr(card.skills, skill) for skill in SKILLS]
            row.start[:] = (card.base.psyche, card.base.body)
            row.reserve = self.numbered(
                card.starting_reserve_action, reserves, "starting_reserve_action", "reserve action"
            )
            row.deeds = bits(card.deed.tags, TAGS)
            for k, one in enumerate(card.ability):
                ability = row.ability[k]
                ability.there, ability.achievement = 1, one.achievement or 0
                ruled = one.ruling if self.chosen["stash"] else None
                pay = one.pay if ruled is None else ruled.pay
                ability.pay, ability.value = b.PAY_KINDS.index(pay.kind), pay.value or 0
                ability.resource, ability.track = index(pay.resource, RESOURCES), index(pay.track, TRACKS)
                ability.amount = pay.amount
                self.ops(ability.effect, one.ops if ruled is None else ruled.ops, ability=True)
            row.n_achievements = max((one.achievement or 0 for one in card.ability), default=0)
        self.box.n_characters = len(self.sheet.character)

    def _rest(self) -> None:
        box = self.box
        for i, effect in enumerate(self.sheet.campaign_effect):
            self.where = f'[[campaign_effect]] "{effect.name}"'
            self.ops(box.effect[i], effect.ops)
        box.n_effects = len(self.sheet.campaign_effect)
        for i, action in enumerate(self.sheet.reserve_action):
            self.where = f'[[reserve_action]] "{action.name}"'
            self.ops(box.reserve[i], action.ops)
            people = [one.name for one in self.sheet.character]
            c = self.numbered(action.unreachable_known_to, people, "unreachable_known_to", "character")
            if c != NOBODY:
                box.character[c].also_knows |= 1 << i
        box.n_reserves = len(self.sheet.reserve_action)
        for i, scheme in enumerate(self.sheet.scheme):
            self.where = f'[[scheme]] "{scheme.name}"'
            box.scheme[i].resource = RESOURCES.index(scheme.resource)
            for one in scheme.effect:
                self.ops(box.scheme[i].effect[one.value - 1], one.ops)
                if one.lasts == "until_next_trigger":
                    box.scheme[i].lasts |= 1 << (one.value - 1)
        box.n_schemes = len(self.sheet.scheme)
        for event in self.sheet.event:
            self.where = f'[[event]] "{event.name}"'
            self.ops(box.event[SEASONS.index(event.season), event.symbols], event.ops)

    def _unreachable(self) -> None:
        """12.13: obstacles that are in no deck at the start and that no card names."""
        named = {op.obstacle for op in self.every_op} | {name for op in self.every_op for name in op.names}
        named |= {one.obstacle for card in self.sheet.mission if card.then for one in card.then.obstacles}
        for i, card in enumerate(self.sheet.obstacle):
            if not card.starting and card.called not in named:
                add(self.box.unreachable, i)

    # --- operations ---

    every_op: list[Op]

    def ops(self, effect: Any, rows: Sequence[Op], ability: bool = False) -> None:
        """Lay a list of operations down in the table and note where."""
        if not hasattr(self, "every_op"):
            self.every_op = []
        effect.first, effect.n = self.n_ops, len(rows)
        first = self.n_ops
        self.n_ops += len(rows)
        if self.n_ops > b.N_OPS:
            raise BoxError(f"sixwinters/box.toml: more than {b.N_OPS} operations on all cards together")
        for i, op in enumerate(rows):
            self.every_op.append(op)
            if OPS[op.op].ability and not ability:
                raise self.fault("ops", f"op {op.op} speaks of the die paid for a character's ability")
            self._op(self.box.ops[first + i], op)
            nested = op.options if op.options else [op.ops] if op.ops else []
            if len(nested) > b.OPTIONS_OF_OP:
                raise self.fault("ops", f"op {op.op} has more than {b.OPTIONS_OF_OP} options")
            for k, inner in enumerate(nested):
                part = np.zeros(1, b.EFFECT.dtype)[0]
                self.ops(part, inner, ability)
                self.box.ops[first + i].first[k] = part.first
                self.box.ops[first + i].n[k] = part.n
            self.box.ops[first + i].n_options = len(nested)

    def _op(self, row: Any, op: Op) -> None:
        row.op = OP_NUMBERS[op.op]
        row.who = index(op.who, WHO)
        row.psyche, row.body = amount(op.psyche), amount(op.body)
        row.track = index(op.track or op.from_track, TRACKS)
        row.track_to = index(op.to_track, TRACKS)
        if op.condition is not None:
            row.track, row.box_no = CONDITIONS.index(op.condition) // 3, CONDITIONS.index(op.condition) % 3 + 1
        row.count_of = {"all": b.ALL, "any": b.FREELY, "espionage_threat_level": b.SPY_LEVEL}.get(str(op.count), 0)
        if not isinstance(op.count, str):
            row.count_of = op.count
        row.by, row.value = op.by, {"same": b.SAME, "choice": b.CHOICE}.get(str(op.value), 0)
        if isinstance(op.value, int):
            row.value = op.value
        if op.set is not None:
            row.value, row.price = op.set, op.set
        row.most = b.OWN_RANK if op.max == "own_rank" else op.max if op.max is not None else b.ALL
        row.resource = b.ANY if op.resource == "any" else index(op.resource or op.die, RESOURCES)
        row.resources = bits(op.resources, RESOURCES) or (
            0x3F if row.resource in (b.ANY, NOBODY) else 1 << row.resource
        )
        row.extra_pool = index(op.extra_pool_die, RESOURCES)
        self._aims(row, op)
        self._numbers(row, op)
        self._names(row, op)

    def _aims(self, row: Any, op: Op) -> None:
        """Where an operation looks, and where it puts things."""
        row.tags, row.places = bits(op.tags, TAGS), bits(op.location_tags, LOCATION_TAGS)
        row.regions = bits(op.regions, REGIONS)
        row.region, row.region_to = index(op.region or op.if_region, REGIONS), index(op.to_region, REGIONS)
        row.region_from = index(op.from_region, REGIONS)
        if op.if_location_tags:
            row.places = bits(op.if_location_tags, LOCATION_TAGS)
        row.threat, row.skill = index(op.threat, RESOURCES), index(op.skill, SKILLS)
        row.skills = bits(op.skills, SKILLS) or (1 << row.skill if op.skill else 0)
        row.to = b.TO_NOWHERE
        if isinstance(op.to, Where):
            self._where(row, op.to)
        elif op.to == "here":
            row.to = b.TO_HERE
        elif op.to == "any":
            row.to, row.slots = b.TO_CHOICE, (1 << b.SLOTS) - 1
        elif op.to == "choice":
            row.resources = 0x3F
        elif isinstance(op.to, str):
            row.resources = 1 << RESOURCES.index(op.to)
        elif isinstance(op.to, list):
            if len(op.to) > b.FACES:
                raise self.fault("ops", f"op {op.op} gives more than {b.FACES} dice")
            row.faces[: len(op.to)] = op.to
        self._places(row, op)

    def _places(self, row: Any, op: Op) -> None:
        if isinstance(op.at, Slot):
            row.to, row.slots = b.TO_SLOT, 1 << self.slot(op.at, "ops.at")
        elif op.at == "here":
            row.to = b.TO_HERE
        elif op.at == "any":
            row.to, row.slots = b.TO_CHOICE, (1 << b.SLOTS) - 1
        elif op.at == "each_location":
            row.to = b.TO_SLOT
            row.slots = self._some_slots(op.regions) if op.regions else (1 << b.SLOTS) - 1
        if op.any_slot_in is not None:
            row.to, row.slots = b.TO_CHOICE, self._some_slots([op.any_slot_in])
        if op.choose_slot:
            row.to, row.slots = b.TO_CHOICE, sum(1 << self.slot(slot, "ops.choose_slot") for slot in op.choose_slot)
        if op.op == "place_location_from_reserve":
            row.to, row.slots = b.TO_CHOICE, self._some_slots(op.regions)
        if op.at_location is not None:
            row.to = b.TO_CHOICE
            self._lands(row.lands, op.at_location, "ops.at_location")

    def _some_slots(self, regions: Sequence[str]) -> int:
        return sum(0b111 << 3 * REGIONS.index(region) for region in set(regions))

    def _where(self, row: Any, to: Where) -> None:
        row.regions = bits(to.regions, REGIONS) or 0b111
        row.slots = self._some_slots(to.regions) if to.regions else (1 << b.SLOTS) - 1
        row.places = bits(to.location_tags, LOCATION_TAGS)
        if to.tags:
            row.tags = bits(to.tags, TAGS)
        if to.slot is not None:
            row.to, row.slots = b.TO_SLOT, 1 << self.slot(to.slot, "ops.to")
        elif to.character is not None:
            row.to, row.skill = (b.TO_HIGHEST if to.character == "highest" else b.TO_LOWEST), index(to.skill, SKILLS)
        elif to.most is not None:
            row.to = b.TO_MOST_ASSETS if to.most == "assets" else b.TO_MOST_OBSTACLES
        elif to.other_slot_of is not None:
            row.to, row.slots = b.TO_OTHER, self._slots_of(to.other_slot_of)
        else:
            row.to = b.TO_CHOICE
            if to.region is not None:
                row.slots = self._some_slots([to.region])
            if to.slot_resource is not None:
                row.slots = self._slots_of(to.slot_resource)

    def _slots_of(self, resource: str) -> int:
        return sum(1 << number for (_, here), number in self.slots.items() if here == resource)

    def _numbers(self, row: Any, op: Op) -> None:
        if op.if_skill_below is not None:
            row.skill, row.below = SKILLS.index(op.if_skill_below.skill), op.if_skill_below.value
        if op.plus_per_obstacle is not None:
            row.per_psyche, row.per_body = op.plus_per_obstacle.psyche, op.plus_per_obstacle.body
            row.tags = bits(op.plus_per_obstacle.tags, TAGS)
            for name in op.plus_per_obstacle.names:
                self._copies(row.named, name, "ops.plus_per_obstacle.names")
        row.scope = {"here": b.SCOPE_HERE, "region": b.SCOPE_REGION}.get(op.scope or "", b.SCOPE_ALL)
        row.which = {"lowest": b.LOWEST, "highest": b.HIGHEST, "all": b.EVERY}.get(op.which or "", NOBODY)
        row.until = {"season_end": b.SEASON_END, "session_end": b.SESSION_END}.get(op.until or "", b.TURN_END)
        row.optional, row.not_self = op.optional, op.not_self
        row.if_tags, row.if_nobody = bits(op.if_obstacle_here, TAGS), op.if_no_character_here
        row.from_here, row.change, row.minimum, row.extra = op.from_here, op.change, op.minimum, op.extra_action_dice
        row.pools = bits(op.pools, ("own_action_dice", "assets_here"))
        row.schemes = bits(op.schemes, RESOURCES)
        row.look = 0 if op.op == "discard_top_to_deck_top" else op.look
        if op.op == "peek_and_discard":
            row.count_of = op.discard
        row.stress_mask = bits([op.stress], TRACKS) if op.stress else 0
        if op.max_difficulty is not None:
            row.most = op.max_difficulty
        if op.pay is not None and op.gain is not None:
            row.resource, row.count_of = RESOURCES.index(op.pay.resource), op.pay.count
            row.gain, row.gains = RESOURCES.index(op.gain.resource), op.gain.count
        if op.total_above is not None:
            row.price = 1

    def _names(self, row: Any, op: Op) -> None:
        row.deck = {None: NOBODY, "any": len(REGIONS)}.get(op.deck, NOBODY)
        if op.deck in REGIONS:
            row.deck = index(op.deck, REGIONS)
        if op.obstacle is not None:
            self._copies(row.named, op.obstacle, "ops.obstacle")
        for name in op.names:
            self._copies(row.named, name, "ops.names")
        if op.location is not None:
            self._lands(row.lands, op.location, "ops.location")
        row.character = NOBODY
        if op.character is not None and op.character != "choose":
            row.character = self.numbered(
                op.character, [one.name for one in self.sheet.character], "ops.character", "character"
            )
        row.number = NOBODY
        if op.action is not None:
            row.number = self.numbered(
                op.action, [one.name for one in self.sheet.reserve_action], "ops.action", "reserve action"
            )
        if op.effect is not None:
            row.number = self.numbered(
                op.effect, [one.name for one in self.sheet.campaign_effect], "ops.effect", "campaign effect"
            )

    def _copies(self, cards: Any, title: str, field: str) -> None:
        self.numbered(title, self.obstacle_titles, field, "obstacle")
        for i, card in enumerate(self.sheet.obstacle):
            if card.called == title:
                add(cards, i)

    def _lands(self, cards: Any, title: str, field: str) -> None:
        self.numbered(title, self.location_titles, field, "location")
        for i, card in enumerate(self.sheet.location):
            if card.called == title:
                add(cards, i)


def amount(value: int | str) -> int:
    """An amount of stress as a number."""
    return value if isinstance(value, int) else b.ADDED_ASSET


SHORT = {name[:3]: number for number, name in enumerate(RESOURCES)} | {"any": b.ANY}
REGION_SIGNS = {"@em": 0, "@br": 1, "@se": 2}
RELATIONS = {"+1": b.PLUS_ONE, "-1": b.MINUS_ONE, "==": b.EQUAL}


def read_cell(cell: Any, word: str, fault: Callable[[str, str], BoxError]) -> None:
    """A cell from its word in a picture, such as `any@br`, `dip4`, `tec+1`."""
    cell.region = NOBODY
    if word == ".":
        return
    kind, rest = word[:3], word[3:]
    if kind not in SHORT:
        raise fault("picture", f"{word!r} is no cell")
    cell.there, cell.kind = 1, SHORT[kind]
    while rest:
        if rest[:3] in REGION_SIGNS:
            cell.region, rest = REGION_SIGNS[rest[:3]], rest[3:]
        elif rest[:2] in RELATIONS:
            cell.relation, rest = RELATIONS[rest[:2]], rest[2:]
        elif rest[0] in "123456":
            cell.value, rest = int(rest[0]), rest[1:]
        else:
            raise fault("picture", f"{word!r} is no cell")

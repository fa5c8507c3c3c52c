"""Packing of card operations: each becomes a row of numbers in the box's table of operations (who, what, where, how much)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sutler.core.bits import add
from sutler.core.files.box import BoxError
from sutler.core.names import did_you_mean
from sutler.core.record import NOBODY
from sutler.games.sixwinters import box as b
from sutler.games.sixwinters.cards.entries import EffectEntry
from sutler.games.sixwinters.cards.operation_row_names import MOMENT_OF
from sutler.games.sixwinters.cards.sheet import Sheet
from sutler.games.sixwinters.cards.vocabulary import (
    CONDITIONS,
    DO,
    LOCATION_TAGS,
    OPERATIONS,
    REGIONS,
    RESOURCES,
    SKILLS,
    TAGS,
    TRACKS,
    WHO,
    Op,
    Slot,
    Where,
)


def bits_of_words(words: Sequence[str], vocabulary: Sequence[str]) -> int:
    """Some words as a bit set: bit i is set for the word at index i of `vocabulary`."""
    return sum(1 << vocabulary.index(word) for word in set(words))


def index_of_word(word: str | None, vocabulary: Sequence[str]) -> int:
    """The index of a word in a list; NOBODY for None."""
    return NOBODY if word is None else vocabulary.index(word)


class Operations:
    """Writes operations of cards into the box's table of operations.

    It knows the entry of box.toml that is being packed, for error messages.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.box = b.BOX.new()
        self.where = ""
        self.n_ops = 1  # row 0 is no operation
        self.every_op: list[Op] = []
        self.obstacle_titles = list(dict.fromkeys(one.title_or_name for one in sheet.obstacle))
        self.location_titles = list(dict.fromkeys(one.title_or_name for one in sheet.location))
        self.slots = {
            (region.region, slot.resource): 3 * r + s
            for r, region in enumerate(sheet.region)
            for s, slot in enumerate(region.slots)
        }

    def field_error(self, field: str, message: str) -> BoxError:
        """A BoxError with a message that names the present entry and the field."""
        return BoxError(f"{self.where}, field {field}: {message}")

    def index_of_name(self, name: str | None, listed: Sequence[str], field: str, kind: str) -> int:
        """The index of a name in a list, NOBODY for None; BoxError for an unknown name. `kind`: the kind of thing, for the message."""
        if name is None:
            return NOBODY
        if name not in listed:
            raise self.field_error(field, f"there is no {kind} {name!r}{did_you_mean(name, listed)}")
        return listed.index(name)

    def slot_number(self, slot: Slot | None, field: str) -> int:
        """The number of a slot, NOBODY for None; BoxError when its region has no slot of that resource."""
        if slot is None:
            return NOBODY
        if (slot.region, slot.resource) not in self.slots:
            raise self.field_error(field, f"{slot.region} has no slot of {slot.resource}")
        return self.slots[slot.region, slot.resource]

    def pack_effects(self, out: Any, standing_bits: Any, entries: Sequence[EffectEntry]) -> None:
        """Write a card's effects, one list of operations for each moment.

        The standing operations are also added to the bit set `standing_bits`.
        """
        for moment in range(b.MOMENTS):
            rows: list[Op] = []
            for entry in entries:
                if MOMENT_OF[entry.when] == moment:
                    rows += entry.ops
            self.append_operations(out[moment], rows)
            if moment == b.MOMENT.standing:
                for op in rows:
                    add(standing_bits, getattr(DO, op.op))

    def append_operations(self, effect: Any, entries: Sequence[Op], ability: bool = False) -> None:
        """Append a list of operations to the table; store their first row and their number in `effect`.

        `ability`: they belong to a character's ability, so they may refer to the die paid. Nested options are appended behind them.
        """
        effect.first, effect.n = self.n_ops, len(entries)
        first = self.n_ops
        self.n_ops += len(entries)
        if self.n_ops > b.N_OPS:
            raise BoxError(f"more than {b.N_OPS} operations on all cards together")
        for i, op in enumerate(entries):
            self.every_op.append(op)
            if "ability" in OPERATIONS.rows[op.op].tags and not ability:
                raise self.field_error("ops", f"op {op.op} speaks of the die paid for a character's ability")
            self._pack_operation(self.box.ops[first + i], op)
            nested = op.options if op.options else [op.ops] if op.ops else []
            if len(nested) > b.OPTIONS_OF_OP:
                raise self.field_error("ops", f"op {op.op} has more than {b.OPTIONS_OF_OP} options")
            for k, inner in enumerate(nested):
                part = np.zeros(1, b.EFFECT.dtype)[0]
                self.append_operations(part, inner, ability)
                self.box.ops[first + i].first[k] = part.first
                self.box.ops[first + i].n[k] = part.n
            self.box.ops[first + i].n_options = len(nested)

    def _pack_operation(self, row: Any, op: Op) -> None:
        """Fill the row of one operation."""
        row.op = getattr(DO, op.op)
        for tag in ("gains_dice", "changes_dice"):
            row[tag] = tag in OPERATIONS.rows[op.op].tags
        row.who = index_of_word(op.who, list(WHO))
        row.psyche, row.body = parse_stress_amount(op.psyche), parse_stress_amount(op.body)
        row.track = index_of_word(op.track or op.from_track, TRACKS)
        row.track_to = index_of_word(op.to_track, TRACKS)
        if op.condition is not None:
            row.track, row.box_no = CONDITIONS.index(op.condition) // 3, CONDITIONS.index(op.condition) % 3 + 1
        row.count_of = {"all": b.ALL, "any": b.ANY_NUMBER, "espionage_threat_level": b.SPY_LEVEL}.get(str(op.count), 0)
        if not isinstance(op.count, str):
            row.count_of = op.count
        row.by, row.value = op.by, {"same": b.SAME_VALUE, "choice": b.CHOICE}.get(str(op.value), 0)
        if isinstance(op.value, int):
            row.value = op.value
        if op.set is not None:
            row.value, row.price = op.set, op.set
        row.most = b.OWN_RANK if op.max == "own_rank" else op.max if op.max is not None else b.ALL
        row.resource = b.ANY_RESOURCE if op.resource == "any" else index_of_word(op.resource or op.die, RESOURCES)
        row.resources = bits_of_words(op.resources, RESOURCES) or (
            0x3F if row.resource in (b.ANY_RESOURCE, NOBODY) else 1 << row.resource
        )
        row.extra_pool = index_of_word(op.extra_pool_die, RESOURCES)
        self._pack_aims(row, op)
        self._pack_numbers(row, op)
        self._pack_names(row, op)

    def _pack_aims(self, row: Any, op: Op) -> None:
        """Fill in the fields that say which things an operation concerns and where it puts them."""
        row.tags, row.places = bits_of_words(op.tags, TAGS), bits_of_words(op.location_tags, LOCATION_TAGS)
        row.regions = bits_of_words(op.regions, REGIONS)
        row.region, row.region_to = (
            index_of_word(op.region or op.if_region, REGIONS),
            index_of_word(op.to_region, REGIONS),
        )
        row.region_from = index_of_word(op.from_region, REGIONS)
        if op.if_location_tags:
            row.places = bits_of_words(op.if_location_tags, LOCATION_TAGS)
        row.threat, row.skill = index_of_word(op.threat, RESOURCES), index_of_word(op.skill, SKILLS)
        row.skills = bits_of_words(op.skills, SKILLS) or (1 << row.skill if op.skill else 0)
        row.to = b.TO.nowhere
        if isinstance(op.to, Where):
            self._pack_where(row, op.to)
        elif op.to == "here":
            row.to = b.TO.here
        elif op.to == "any":
            row.to, row.slots = b.TO.choice, (1 << b.SLOTS) - 1
        elif op.to == "choice":
            row.resources = 0x3F
        elif isinstance(op.to, str):
            row.resources = 1 << RESOURCES.index(op.to)
        elif isinstance(op.to, list):
            if len(op.to) > b.FACES:
                raise self.field_error("ops", f"op {op.op} gives more than {b.FACES} dice")
            row.faces[: len(op.to)] = op.to
        self._pack_places(row, op)

    def _pack_places(self, row: Any, op: Op) -> None:
        """Fill in the slots that an operation names by its fields `at`, `any_slot_in`, `choose_slot` and `at_location`."""
        if isinstance(op.at, Slot):
            row.to, row.slots = b.TO.slot, 1 << self.slot_number(op.at, "ops.at")
        elif op.at == "here":
            row.to = b.TO.here
        elif op.at == "any":
            row.to, row.slots = b.TO.choice, (1 << b.SLOTS) - 1
        elif op.at == "each_location":
            row.to = b.TO.slot
            row.slots = self._slot_bits_of_regions(op.regions) if op.regions else (1 << b.SLOTS) - 1
        if op.any_slot_in is not None:
            row.to, row.slots = b.TO.choice, self._slot_bits_of_regions([op.any_slot_in])
        if op.choose_slot:
            row.to, row.slots = (
                b.TO.choice,
                sum(1 << self.slot_number(slot, "ops.choose_slot") for slot in op.choose_slot),
            )
        if op.op == "place_location_from_reserve":
            row.to, row.slots = b.TO.choice, self._slot_bits_of_regions(op.regions)
        if op.at_location is not None:
            row.to = b.TO.choice
            self._add_locations(row.lands, op.at_location, "ops.at_location")

    def _slot_bits_of_regions(self, regions: Sequence[str]) -> int:
        """The slots of these regions, as a bit set."""
        return sum(0b111 << 3 * REGIONS.index(region) for region in set(regions))

    def _pack_where(self, row: Any, where: Where) -> None:
        """Fill in the slots at which an operation aims, from its field `where`."""
        row.regions = bits_of_words(where.regions, REGIONS) or 0b111
        row.slots = self._slot_bits_of_regions(where.regions) if where.regions else (1 << b.SLOTS) - 1
        row.places = bits_of_words(where.location_tags, LOCATION_TAGS)
        if where.tags:
            row.tags = bits_of_words(where.tags, TAGS)
        if where.slot is not None:
            row.to, row.slots = b.TO.slot, 1 << self.slot_number(where.slot, "ops.to")
        elif where.character is not None:
            row.to, row.skill = (
                (b.TO.highest if where.character == "highest" else b.TO.lowest),
                index_of_word(where.skill, SKILLS),
            )
        elif where.most is not None:
            row.to = b.TO.most_assets if where.most == "assets" else b.TO.most_obstacles
        elif where.other_slot_of is not None:
            row.to, row.slots = b.TO.other, self._slot_bits_of_resource(where.other_slot_of)
        else:
            row.to = b.TO.choice
            if where.region is not None:
                row.slots = self._slot_bits_of_regions([where.region])
            if where.slot_resource is not None:
                row.slots = self._slot_bits_of_resource(where.slot_resource)

    def _slot_bits_of_resource(self, resource: str) -> int:
        """The slots of a resource, as a bit set."""
        return sum(1 << number for (_, here), number in self.slots.items() if here == resource)

    def _pack_numbers(self, row: Any, op: Op) -> None:
        """Fill in the fields that are plain numbers, conditions and durations."""
        if op.if_skill_below is not None:
            row.skill, row.below = SKILLS.index(op.if_skill_below.skill), op.if_skill_below.value
        if op.plus_per_obstacle is not None:
            row.per_psyche, row.per_body = op.plus_per_obstacle.psyche, op.plus_per_obstacle.body
            row.tags = bits_of_words(op.plus_per_obstacle.tags, TAGS)
            for name in op.plus_per_obstacle.names:
                self._add_obstacle_copies(row.named, name, "ops.plus_per_obstacle.names")
        row.scope = {"here": b.SCOPE.here, "region": b.SCOPE.region}.get(op.scope or "", b.SCOPE.all)
        row.which = {"lowest": b.WHICH.lowest, "highest": b.WHICH.highest, "all": b.WHICH.all}.get(
            op.which or "", NOBODY
        )
        row.until = {"season_end": b.UNTIL.season_end, "session_end": b.UNTIL.session_end}.get(
            op.until or "", b.UNTIL.turn_end
        )
        row.optional, row.not_self = op.optional, op.not_self
        row.if_tags, row.if_nobody = bits_of_words(op.if_obstacle_here, TAGS), op.if_no_character_here
        row.from_here, row.change, row.minimum, row.extra = op.from_here, op.change, op.minimum, op.extra_action_dice
        row.pools = bits_of_words(op.pools, ("own_action_dice", "assets_here"))
        row.schemes = bits_of_words(op.schemes, RESOURCES)
        row.look = 0 if op.op == "discard_top_to_deck_top" else op.look
        if op.op == "peek_and_discard":
            row.count_of = op.discard
        row.stress_mask = bits_of_words([op.stress], TRACKS) if op.stress else 0
        if op.max_difficulty is not None:
            row.most = op.max_difficulty
        if op.pay is not None and op.gain is not None:
            row.resource, row.count_of = RESOURCES.index(op.pay.resource), op.pay.count
            row.gain, row.gains = RESOURCES.index(op.gain.resource), op.gain.count
        if op.total_above is not None:
            row.price = 1

    def _pack_names(self, row: Any, op: Op) -> None:
        """Fill in the decks, cards, characters, reserve actions and campaign effects that an operation names."""
        row.deck = {None: NOBODY, "any": len(REGIONS)}.get(op.deck, NOBODY)
        if op.deck in REGIONS:
            row.deck = index_of_word(op.deck, REGIONS)
        if op.obstacle is not None:
            self._add_obstacle_copies(row.named, op.obstacle, "ops.obstacle")
        for name in op.names:
            self._add_obstacle_copies(row.named, name, "ops.names")
        if op.location is not None:
            self._add_locations(row.lands, op.location, "ops.location")
        row.character = NOBODY
        if op.character is not None and op.character != "choose":
            row.character = self.index_of_name(
                op.character, [one.name for one in self.sheet.character], "ops.character", "character"
            )
        row.number = NOBODY
        if op.action is not None:
            row.number = self.index_of_name(
                op.action, [one.name for one in self.sheet.reserve_action], "ops.action", "reserve action"
            )
        if op.effect is not None:
            row.number = self.index_of_name(
                op.effect, [one.name for one in self.sheet.campaign_effect], "ops.effect", "campaign effect"
            )

    def _add_obstacle_copies(self, cards: Any, title: str, field: str) -> None:
        """Add all copies of the obstacle with this title to the bit set `cards`."""
        self.index_of_name(title, self.obstacle_titles, field, "obstacle")
        for i, card in enumerate(self.sheet.obstacle):
            if card.title_or_name == title:
                add(cards, i)

    def _add_locations(self, cards: Any, title: str, field: str) -> None:
        """Add all locations with this title to the bit set `cards`."""
        self.index_of_name(title, self.location_titles, field, "location")
        for i, card in enumerate(self.sheet.location):
            if card.title_or_name == title:
                add(cards, i)


def parse_stress_amount(value: int | str) -> int:
    """An amount of stress as a number; ADDED_ASSET for the value of the asset just added."""
    return value if isinstance(value, int) else b.ADDED_ASSET

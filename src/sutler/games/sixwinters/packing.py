"""Packing of the checked sheet into the box record: names become numbers, effects become rows of the table of operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from sutler.core.bits import add
from sutler.core.files.box import BoxError, Option
from sutler.core.record import NOBODY
from sutler.games.sixwinters import box as b
from sutler.games.sixwinters.box import CELLS, FACES, NO_END, RELATION, SIDE
from sutler.games.sixwinters.cards.operation_packing import Operations, bits_of_words, index_of_word
from sutler.games.sixwinters.cards.sheet import Sheet
from sutler.games.sixwinters.cards.vocabulary import (
    ICONS,
    LOCATION_TAGS,
    REGIONS,
    RESOURCES,
    SEASONS,
    SKILLS,
    TAGS,
    TRACKS,
    Op,
)


def pack(sheet: Sheet, options: dict[str, Any], declared: dict[str, Option]) -> Any:
    """The packed box record made of the checked sheet and the chosen options; BoxError for a name that does not exist."""
    return Packer(sheet, options).pack_box()


class Packer(Operations):
    """Fills a box record from the sheet and the chosen options."""

    def __init__(self, sheet: Sheet, options: dict[str, Any]) -> None:
        super().__init__(sheet)
        self.chosen = options
        self.ruled_ones: list[tuple[Sequence[Op], Any]] = []
        """The printed operations of each ability that has a ruling, and the ability that uses them; None if it follows the ruling."""

    def pack_box(self) -> Any:
        """The filled box record."""
        b.OPTIONS.write_options(self.box.options, self.chosen)
        self._pack_rules()
        self._pack_board()
        self._pack_obstacles()
        self._pack_locations()
        self._pack_progress_cards()
        self._pack_missions()
        self._pack_characters()
        self._pack_rest()
        self._note_unreachable_obstacles()
        self.box.n_ops = self.n_ops
        self._blank_cards()
        return self.box

    # --- parameters ---

    def _pack_rules(self) -> None:
        """Pack the numbers of the rulebook and of the score."""
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

    def _pack_board(self) -> None:
        """Pack tracks, turns, stages, regions and the wheel of trade."""
        box = self.box
        if [track.resource for track in self.sheet.track] != list(RESOURCES):
            raise BoxError(f"[[track]]: one for each of {', '.join(RESOURCES)}, in this order")
        if [region.region for region in self.sheet.region] != list(REGIONS):
            raise BoxError(f"[[region]]: one for each of {', '.join(REGIONS)}, in this order")
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
                place.location = self.index_of_name(
                    slot.starting_location, names, "slots.starting_location", "location"
                )
        wheel = [RESOURCES.index(one) for one in self.sheet.wheel]
        box.wheel[:] = NOBODY
        for here, there in zip(wheel, wheel[1:] + wheel[:1], strict=True):
            box.wheel[here] = there

    # --- cards ---

    def _pack_obstacles(self) -> None:
        """Pack the obstacle cards."""
        for i, card in enumerate(self.sheet.obstacle):
            self.where = f'[[obstacle]] "{card.name}"'
            row = self.box.obstacle[i]
            row.group = self.obstacle_titles.index(card.title_or_name)
            row.region, row.season = REGIONS.index(card.region), SEASONS.index(card.season)
            row.starts, row.tags = card.starting, bits_of_words(card.tags, TAGS)
            for threat in card.threats:
                row.threats[RESOURCES.index(threat)] += 1
            row.skill, row.difficulty = SKILLS.index(card.skill), card.difficulty
            row.stress_mask = bits_of_words(card.stress, TRACKS)
            self.pack_effects(row.effect, row.words, card.effect)
        self.box.n_obstacles = len(self.sheet.obstacle)

    def _pack_locations(self) -> None:
        """Pack the location cards."""
        for i, card in enumerate(self.sheet.location):
            self.where = f'[[location]] "{card.name}"'
            row = self.box.location[i]
            row.group = self.location_titles.index(card.title_or_name)
            row.region = NOBODY if card.region == "none" else REGIONS.index(card.region)
            row.tags = bits_of_words(card.tags, LOCATION_TAGS)
            prices = (card.move.empire, card.move.brightdune, card.move.settled_lands)
            row.move[:] = [b.NO_MOVE if price == "no_move" else price for price in prices]
            if card.icon is not None:
                row.icon, row.icon_n = ICONS.index(card.icon.kind), card.icon.amount
                row.icon_of = max(
                    index_of_word(card.icon.resource, RESOURCES),
                    index_of_word(card.icon.skill, SKILLS),
                    index_of_word(card.icon.track, TRACKS),
                )
            self.pack_effects(row.effect, row.words, card.effect)
        self.box.n_locations = len(self.sheet.location)

    def _pack_progress_cards(self) -> None:
        """Pack the progress cards."""
        missions = [one.name for one in self.sheet.mission]
        for i, card in enumerate(self.sheet.card):
            self.where = f'[[card]] "{card.name}"'
            row = self.box.card[i]
            row.stage, row.slot = card.stage or 0, self.slot_number(card.obstacle_slot, "obstacle_slot")
            row.mission = self.index_of_name(card.mission, missions, "mission", "mission")
            row.after = index_of_word(card.after, RESOURCES)
            for one in card.reward:
                row.reward[b.ANY_RESOURCE if one == "any" else RESOURCES.index(one)] += 1
            self._pack_cells(row, card.picture)
            fill_dice_needed(row)
        for stage in range(1, b.STAGES + 1):
            if not any(card.stage == stage for card in self.sheet.card):
                raise BoxError(f"[[card]]: no card of stage {stage}")
        self.box.n_cards = len(self.sheet.card)

    def _pack_cells(self, row: Any, picture: Sequence[str]) -> None:
        """Pack the cells of a progress card from its picture, the lines of text in box.toml."""
        row.start = row.end = NOBODY
        for y, line in enumerate(picture):
            words = line.split()
            if len(words) > b.SIDE:
                raise self.field_error("picture", f"{line!r} has more than {b.SIDE} cells")
            for x, word in enumerate(words):
                at = b.SIDE * y + x
                if word.startswith(">"):
                    row.start = at
                if word.endswith("<"):
                    row.end = at
                parse_cell(row.cells[at], word.strip("<>"), self.field_error)
        if NOBODY in (row.start, row.end):
            raise self.field_error("picture", "a card has a start (>) and an end (<)")

    def _pack_missions(self) -> None:
        """Pack the mission cards."""
        for i, card in enumerate(self.sheet.mission):
            self.where = f'[[mission]] "{card.name}"'
            row = self.box.mission[i]
            row.year, row.level = card.unlock.year or 0, card.unlock.level or 0
            row.resource = index_of_word(card.unlock.resource, RESOURCES)
            row.goal[:] = NOBODY
            for side, goal in enumerate((card.goal_base, card.goal_difficult)):
                row.goal[side, : len(goal)] = [RESOURCES.index(one) for one in goal]
            row.then_group[:] = row.then_card[:] = NOBODY
            row.then_track = NOBODY
            if card.then is not None:
                row.then = b.MISSION_END.goal if card.then.after == "goal_progress" else b.MISSION_END.track
                row.then_track = index_of_word(card.then.resource, RESOURCES)
                if (row.then == b.MISSION_END.track) != (card.then.resource is not None):
                    raise self.field_error("then.resource", "named when the obstacles wait for a track, and only then")
                row.ordered, row.severing = card.then.ordered, card.then.repeat_until is not None
                row.n_then = len(card.then.obstacles)
                for k, one in enumerate(card.then.obstacles):
                    row.then_group[k] = self.index_of_name(
                        one.obstacle, self.obstacle_titles, "then.obstacles", "obstacle"
                    )
                    row.then_card[k] = [card.title_or_name for card in self.sheet.obstacle].index(one.obstacle)
                    row.then_slot[k] = self.slot_number(one.at, "then.obstacles")
            row.shared = next((k for k, one in enumerate(self.sheet.card) if one.mission == card.name), NOBODY)
            for side, name in enumerate(("base", "difficult")):
                self.append_operations(
                    row.setup[side], [op for line in card.setup if line.at == name for op in line.ops]
                )
            self.append_operations(row.passed, [op for line in card.passed for op in line.ops])
            self.append_operations(row.failed, [op for line in card.failed for op in line.ops])
            row.wins = any(op.op == "campaign_won" for line in card.passed for op in line.ops)
        self.box.n_missions = len(self.sheet.mission)

    def _pack_characters(self) -> None:
        """Pack the character sheets; with the option `stash`, abilities that have a ruling follow it."""
        reserves = [one.name for one in self.sheet.reserve_action]
        for i, card in enumerate(self.sheet.character):
            self.where = f'[[character]] "{card.name}"'
            row = self.box.character[i]
            row.there, row.starts = 1, card.unlocked_at_start
            row.skills[:] = [getattr(card.skills, skill) for skill in SKILLS]
            row.start[:] = (card.base.psyche, card.base.body)
            row.reserve = self.index_of_name(
                card.starting_reserve_action, reserves, "starting_reserve_action", "reserve action"
            )
            row.deeds = bits_of_words(card.deed.tags, TAGS)
            for k, one in enumerate(card.ability):
                ability = row.ability[k]
                ability.there, ability.achievement = 1, one.achievement or 0
                ruled = one.ruling if self.chosen["stash"] else None
                pay = one.pay if ruled is None else ruled.pay
                ability.pay, ability.value = getattr(b.PAY, pay.kind), pay.value or 0
                ability.resource, ability.track = (
                    index_of_word(pay.resource, RESOURCES),
                    index_of_word(pay.track, TRACKS),
                )
                ability.amount = pay.amount
                self.append_operations(ability.effect, one.ops if one.ruling is None else one.ruling.ops, ability=True)
                if one.ruling is not None:
                    self.ruled_ones.append((one.ops, ability if ruled is None else None))
            row.n_achievements = max((one.achievement or 0 for one in card.ability), default=0)
        self.box.n_characters = len(self.sheet.character)

    def _pack_rest(self) -> None:
        """Pack campaign effects, reserve actions, schemes and seasonal events."""
        box = self.box
        for i, effect in enumerate(self.sheet.campaign_effect):
            self.where = f'[[campaign_effect]] "{effect.name}"'
            self.append_operations(box.effect[i], effect.ops)
        box.n_effects = len(self.sheet.campaign_effect)
        for i, action in enumerate(self.sheet.reserve_action):
            self.where = f'[[reserve_action]] "{action.name}"'
            self.append_operations(box.reserve[i], action.ops)
            people = [one.name for one in self.sheet.character]
            c = self.index_of_name(action.unreachable_known_to, people, "unreachable_known_to", "character")
            if c != NOBODY:
                box.character[c].also_knows |= 1 << i
        box.n_reserves = len(self.sheet.reserve_action)
        for i, scheme in enumerate(self.sheet.scheme):
            self.where = f'[[scheme]] "{scheme.name}"'
            box.scheme[i].resource = RESOURCES.index(scheme.resource)
            for one in scheme.effect:
                self.append_operations(box.scheme[i].effect[one.value - 1], one.ops)
                if one.lasts == "until_next_trigger":
                    box.scheme[i].lasts |= 1 << (one.value - 1)
        box.n_schemes = len(self.sheet.scheme)
        for event in self.sheet.event:
            self.where = f'[[event]] "{event.name}"'
            self.append_operations(box.event[SEASONS.index(event.season), event.symbols], event.ops)
        for (
            ops,
            ability,
        ) in (
            self.ruled_ones
        ):  # last, and always, so that a row's number hangs on no option (`cards/operation_row_names.py`)
            printed = np.zeros(1, b.EFFECT.dtype)[0]
            self.append_operations(printed, ops, ability=True)
            if ability is not None:
                ability.effect.first, ability.effect.n = printed["first"], printed["n"]

    def _blank_cards(self) -> None:
        """Make the cards do nothing that an experiment blanks.

        Their operations stay in the table, since states refer to its rows by number.
        """
        parts: dict[str, tuple[str, ...]] = {
            "obstacle": ("words", "threats"),
            "location": ("words", "icon", "icon_of", "icon_n"),
            "card": ("reward",),
        }
        for kind, names in parts.items():
            for row in self._list_blank_rows(kind):
                for name in names:
                    row[name] = 0
        for kind in ("obstacle", "location", "scheme"):
            for row in self._list_blank_rows(kind):
                row["effect"]["n"] = 0
        for row in self._list_blank_rows("mission"):
            for name in ("setup", "passed", "failed"):
                row[name]["n"] = 0
        for row in self._list_blank_rows("character"):
            row["ability"]["effect"]["n"] = 0
        for row in self._list_blank_rows("effect"):
            row["n"] = 0
        for row in self._list_blank_rows("reserve"):
            if row["n"]:  # with no operation at all it would be an order (14.36); row 0 is one that does nothing
                row["first"], row["n"] = 0, 1

    def _list_blank_rows(self, kind: str) -> list[Any]:
        """The rows of a kind of card that are blank."""
        return [row for i, row in enumerate(getattr(self.box, kind)) if self.sheet.is_blank(kind, i)]

    def _note_unreachable_obstacles(self) -> None:
        """Store which obstacles are in no deck at the start and are named by no card (12.13)."""
        named = {op.obstacle for op in self.every_op} | {name for op in self.every_op for name in op.names}
        named |= {one.obstacle for card in self.sheet.mission if card.then for one in card.then.obstacles}
        for i, card in enumerate(self.sheet.obstacle):
            if not card.starting and card.title_or_name not in named:
                add(self.box.unreachable, i)


RESOURCE_CODES = {name[:3]: number for number, name in enumerate(RESOURCES)} | {"any": b.ANY_RESOURCE}
REGION_SIGNS = {"@em": 0, "@br": 1, "@se": 2}
RELATIONS = {"+1": b.RELATION.plus_one, "-1": b.RELATION.minus_one, "==": b.RELATION.equal}


def parse_cell(cell: Any, word: str, make_error: Callable[[str, str], BoxError]) -> None:
    """Fill the record of a cell from its word in a card's picture, such as `any@br`, `dip4`, `tec+1`.

    `make_error(field, message)` makes the error that is raised.
    """
    cell.region = NOBODY
    if word == ".":
        return
    kind, rest = word[:3], word[3:]
    if kind not in RESOURCE_CODES:
        raise make_error("picture", f"{word!r} is no cell")
    cell.there, cell.kind = 1, RESOURCE_CODES[kind]
    while rest:
        if rest[:3] in REGION_SIGNS:
            cell.region, rest = REGION_SIGNS[rest[:3]], rest[3:]
        elif rest[:2] in RELATIONS:
            cell.relation, rest = RELATIONS[rest[:2]], rest[2:]
        elif rest[0] in "123456":
            cell.value, rest = int(rest[0]), rest[1:]
        else:
            raise make_error("picture", f"{word!r} is no cell")


# --- The dice that complete a progress card ---


Cell = tuple[bool, int, int]  # whether the cell exists, its value, the required relation to the die before
STEP = {RELATION.plus_one: 1, RELATION.minus_one: -1, RELATION.equal: 0}
"""The difference to the value of the die before, by the relation printed on a cell."""


def fill_dice_needed(card: Any) -> None:
    """Fill the table `need` of a card: for a die of each value on each cell, the number of further dice that complete the card.

    The end cell needs 0; any other cell one more than the best of the cells and values that may come next. NO_END: no dice can complete
    the card from there.
    """
    cells = [(bool(cell.there), int(cell.value), int(cell.relation)) for cell in card.cells]
    start, end = int(card.start), int(card.end)
    places = [(n, v) for n in range(CELLS) for v in accepted_values(cells[n])]
    after = {place: list(next_cells_and_values(cells, start, *place)) for place in places}
    need = {place: 0 if place[0] == end else NO_END for place in places}
    while True:
        better = {one: min([need[one], *(need[other] + 1 for other in after[one])]) for one in places}
        if better == need:
            break
        need = better
    card.need[:] = NO_END
    for (n, v), least in need.items():
        card.need[n][v - 1] = least


def accepted_values(cell: Cell) -> Iterator[int]:
    """The die values that a cell accepts, whatever die was put before it."""
    there, value, _ = cell
    return (v for v in range(1, FACES + 1) if there and value in (0, v))


def next_cells_and_values(cells: Sequence[Cell], start: int, cell: int, value: int) -> Iterator[tuple[int, int]]:
    """The (cell, value) pairs that may follow a die of value `value` on `cell`.

    A path never returns to its start cell.
    """
    for n in range(CELLS):
        beside = abs(n // SIDE - cell // SIDE) <= 1 and abs(n % SIDE - cell % SIDE) <= 1
        if beside and n not in (cell, start):
            for w in accepted_values(cells[n]):
                step = STEP.get(cells[n][2])
                if step is None or w == value + step:
                    yield n, w

"""The labels of buttons: each action in few words, what it would do, and the spot of the table it aims at (guide 3 to 11)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from sutler.core.actions import Action
from sutler.core.text.sentences import Choice, Sentence, Speaker, Word
from sutler.games.sixwinters.bot.round_outcome import apply_stress_to_die
from sutler.games.sixwinters.box import ABILITIES, FACES, POOL, SIDE
from sutler.games.sixwinters.cards.card_texts import _, translate_name
from sutler.games.sixwinters.cards.vocabulary import CONDITIONS, REGIONS, RESOURCES, SKILLS, TRACKS
from sutler.games.sixwinters.phases_actions_events import ACTIONS, P
from sutler.games.sixwinters.rules.actions import BY_FOOT, BY_GATE, BY_SHIP, dice_price
from sutler.games.sixwinters.rules.common import KIND
from sutler.games.sixwinters.rules.land import difficulty, n_stress_dice
from sutler.games.sixwinters.rules.missions import open_symbol
from sutler.games.sixwinters.rules.preparation import price_of_rank
from sutler.games.sixwinters.text.card_of_operation import option_in_words
from sutler.games.sixwinters.text.prompts import PROMPTS
from sutler.games.sixwinters.text.things_in_words import (
    Aims,
    die_word,
    format_dice_count,
    obstacle_word,
    place_word,
    scheme_effect,
)
from sutler.games.sixwinters.view import STAGES
from sutler.games.sixwinters.view.land import asset_die, assets_at_slot, obstacles_in_pile
from sutler.games.sixwinters.view.people import die_of_source, unspent_dice

UNREAD_NAMES = (
    *(
        "die_on_ability",
        "die_in_slot",
        "op",
        "operation",
        "part",
        "card_place",
        "outcome",
        "mission_state",
        "person_state",
    ),
    *("goal_state", "overcoming_stage", "frame_kind", "when"),
)
"""The lists of names that no player is shown."""
REPEATED = ("pay", "react")
"""The actions that people often take several times in a row, with equal dice: the page offers it as one choice with a number."""
OTHER_NAMES = {
    "": [
        *(one.capitalize() for steps in STAGES.values() for one in steps),
        *(text for both in PROMPTS.values() for text in both),
    ]
}
"""Texts to be translated that are no names of the box: the steps of a session and the questions."""

# --- Choices ----------------------------------------------------------------------------------------------------


def choice(box: Any, state: Any, speaker: Speaker, action: Action) -> Choice:
    """An action as the page shows it: its label, what it would do, and the spot of the table that it aims at."""
    block = ACTIONS.blocks[action.block]
    told = _ButtonWords(box, state, speaker)
    label, effect, at = getattr(told, f"words_for_{action.block}")(*action.args)
    tone = block.tone
    if action.block == "done":
        tone = "commit" if told.is_highest_saving(action.args[0]) else "quiet"
    return Choice(action.id, action.name, _to_sentence(label), _to_sentence(effect), at, block.rule, tone)


def _to_sentence(parts: Any) -> Sentence:
    """A label as a sentence: a tuple stays as it is, "" becomes (), anything else becomes a tuple of one part."""
    return parts if isinstance(parts, tuple) else ((parts,) if parts else ())


LabelEffectSpot = tuple[Any, Any, str | None]
"""The label, the effect, and the spot aimed at (None: no spot)."""


class _ButtonWords(Aims):
    """The words of buttons: a method `words_for_NAME` for each block NAME of the action table, called with the action's arguments.

    Each returns the label, the effect in words, and the spot of the table that the action aims at.
    """

    # --- session start ---

    def words_for_undertake(self, mission: int) -> LabelEffectSpot:
        """The words for undertaking a mission."""
        listed = self.speaker.names["mission"]
        name = listed[mission] if mission < len(listed) else ""
        return Word("em", translate_name("mission", name)), "", f"offer:{name}"

    def words_for_level(self, number: int) -> LabelEffectSpot:
        """The words for choosing which missions are difficult; `number`: 0 none, 1 or 2 that one, 3 both."""
        tasks = [int(task.mission) for task in self.state.tasks]
        if number == 0:
            return _("Easy"), _("both as they stand: 1 point each"), "level:easy"
        if number == 3:
            return _("Difficult"), _("both with the star: 3 each, 2 if failed"), "level:difficult"
        name = self.speaker.names["mission"][tasks[number - 1]] if tasks[number - 1] >= 0 else ""
        label = (_("Normal: "), Word("em", translate_name("mission", name)), _(" difficult"))
        return label, _("3 points, 2 if failed"), f"level:normal:{name}"

    def words_for_begin_with(self, task: int) -> LabelEffectSpot:
        """The words for choosing mission `task` to be set up or read first."""
        mission = int(self.state.tasks[task].mission)
        return (Word("em", self.names["mission"][mission]) if mission >= 0 else "", _(" first")), "", f"mission:{task}"

    def words_for_take(self, character: int) -> LabelEffectSpot:
        """The words for taking character `character` to lead it."""
        if character >= len(self.names["character"]):
            return "", "", None
        return (
            Word("em", self.names["character"][character]),
            self.names["character_title"][character],
            f"character:{character}",
        )

    def words_for_reserve_action(self, action: int) -> LabelEffectSpot:
        """The words for the reserve action `action`."""
        if action >= len(self.names["reserve"]):
            return "", "", None
        return (
            self.names["reserve"][action],
            self.names["reserve_text"][action].rstrip("."),
            f"reserve:{int(self.state.k)}",
        )

    def words_for_no_action(self) -> LabelEffectSpot:
        return _("Nothing"), "", None

    def words_for_raise_skill(self, skill: int) -> LabelEffectSpot:
        """The words for raising a skill, with its price in experience."""
        rank = int(self.state.people[self.ch].skills[skill]) if self.ch >= 0 else 0
        cost = int(price_of_rank(self.box, self.state, self.ch, skill)) if self.ch >= 0 else 0
        name = SKILLS[skill]
        label = _("Raise {skill} to {n}", skill=translate_name("skill", name.capitalize()), n=rank + 1)
        return label, _("costs {n}", n=cost), f"skill:{self.ch}:{name}"

    def words_for_achieve(self) -> LabelEffectSpot:
        """The words for gaining the next achievement, with its price and its ability."""
        told = _("costs {n}", n=int(self.box.rules.xp_achievement))
        following = int(self.state.people[self.ch].achievements) + 1
        if self.ch >= 0 and following < ABILITIES:
            told += f": {self.names['achievement_text_called'][ABILITIES * self.ch + following]}"
        return _("Gain the next achievement"), told, f"next:{self.ch}"

    def words_for_clear_condition(self, condition: int) -> LabelEffectSpot:
        """The words for clearing condition `condition`, with its price."""
        label = _("Clear {what}", what=translate_name("condition", CONDITIONS[condition]).capitalize())
        return label, _("costs {n}", n=int(self.box.rules.clear[condition % 3])), self.condition_box_spot(condition)

    def condition_box_spot(self, condition: int) -> str | None:
        """The spot of a condition's box on the acting character's mat."""
        return f"box:{self.ch}:{TRACKS[condition // 3]}:{condition % 3 + 1}" if self.ch >= 0 else None

    def words_for_ready(self) -> LabelEffectSpot:
        xp = int(self.state.people[self.ch].xp) if self.ch >= 0 else 0
        return _("Ready"), _("{n} experience kept", n=xp) if xp else "", None

    def words_for_pick(self, card_index: int) -> LabelEffectSpot:
        """The words for taking the staged card `card_index`."""
        card = int(self.state.staged[card_index])
        if card < 0:
            return "", "", f"staged:{card_index}"
        below = sum(1 for one in self.state.staged[card_index + 1 :] if one >= 0)
        return (
            Word("card", self.names["card"][card], self.speaker.names["card"][card]),
            _("discards {n}", n=below) if below else "",
            f"staged:{card_index}",
        )

    def words_for_start_at(self, slot: int) -> LabelEffectSpot:
        """The words for beginning the year at a slot."""
        return place_word(self.state, self.speaker, slot), "", f"slot:{slot}"

    # --- the actions step ---

    def _move_words(self, verb: str, slot: int, way: int) -> LabelEffectSpot:
        """The words for moving to a slot.

        `verb`: the words for the way of moving, `way`: BY_FOOT, BY_SHIP or BY_GATE.
        """
        price = int(dice_price(self.box, self.state, self.slot, slot, way)) if self.slot >= 0 else 0
        cost = (
            _("1 stress") + (f", {format_dice_count(price)}" if price else "")
            if way == BY_GATE
            else format_dice_count(price)
        )
        return (f"{verb} ", place_word(self.state, self.speaker, slot)), cost, f"slot:{slot}"

    def words_for_move(self, slot: int) -> LabelEffectSpot:
        return self._move_words(_("Move to"), slot, BY_FOOT)

    def words_for_port(self, slot: int) -> LabelEffectSpot:
        return self._move_words(_("Sail to"), slot, BY_SHIP)

    def words_for_gate(self, slot: int) -> LabelEffectSpot:
        return self._move_words(_("Pass the gate to"), slot, BY_GATE)

    def words_for_use_location(self, die: int) -> LabelEffectSpot:
        """The words for using the location with a die; `die`: a number among action dice and pool dice."""
        return (_("Use the location with "), self.word_for_spent_die(die)), "", f"act:{self.slot}"

    def words_for_free_effect(self) -> LabelEffectSpot:
        return _("Use the location"), _("no die"), f"act:{self.slot}"

    def words_for_create(self, die: int) -> LabelEffectSpot:
        """The words for creating assets with a die; `die`: a number among action dice and pool dice."""
        res = self.names["resource"][self.box.place[self.slot].resource] if self.slot >= 0 else ""
        return (
            (_("Create {resource} with ", resource=res), self.word_for_spent_die(die)),
            "",
            self.spot_of_spent_die(die),
        )

    def words_for_create_by_stress(self) -> LabelEffectSpot:
        return _("Create by stress"), _("any value"), f"slot:{self.slot}"

    def words_for_take_die(self, value_index: int) -> LabelEffectSpot:
        """The words for taking a pool die; `value_index`: its value less one."""
        res = RESOURCES[self.box.place[self.slot].resource] if self.slot >= 0 else RESOURCES[0]
        return (_("Take "), die_word([res, value_index + 1])), "", f"pool:{res}:{value_index + 1}"

    def words_for_take_all(self) -> LabelEffectSpot:
        return _("Take all of this value"), "", None

    def words_for_trade(self, die: int) -> LabelEffectSpot:
        return (_("Trade with "), self.word_for_spent_die(die)), "", self.spot_of_spent_die(die)

    def words_for_trade_die(self, resource: int, value_index: int, new_resource: int) -> LabelEffectSpot:
        """The words for trading a pool die of resource `resource` and value `value_index` + 1 into the resource `new_resource`."""
        found = (
            die_word([RESOURCES[resource], value_index + 1]),
            _(" into {resource}", resource=self.names["resource"][new_resource]),
        )
        return (_("Turn "), *found), "", f"pool:{RESOURCES[resource]}:{value_index + 1}"

    def words_for_stop(self) -> LabelEffectSpot:
        return _("Enough"), "", None

    def words_for_ability(self, ability: int) -> LabelEffectSpot:
        """The words for the ability at place `ability` of the acting character's mat."""
        text = self.names["ability_text"][self.ch * ABILITIES + ability] if self.ch >= 0 else ""
        short = self.names["ability_text_called"][self.ch * ABILITIES + ability] if self.ch >= 0 else ""
        told = text if short.endswith("…") else ""
        if text and text in self.names["ability_text"][self.ch * ABILITIES : self.ch * ABILITIES + ability]:
            told = _("the same once more")
        return _("Ability: {what}", what=short), told, f"ability:{self.ch}:{ability}"

    def words_for_effect(self, effect: int) -> LabelEffectSpot:
        """The words for using campaign effect `effect`."""
        if effect >= len(self.names["effect"]):
            return "", "", None
        return (
            _("Use {what}", what=self.names["effect"][effect]),
            self.names["effect_text"][effect].rstrip("."),
            f"effect:{effect}",
        )

    def words_for_stash(self, ability: int, value_index: int) -> LabelEffectSpot:
        """The words for stashing a die of value `value_index` + 1 in the slot of ability `ability`."""
        res = self._resource_of_ability_slot(ability)
        return (_("Stash "), die_word([res, value_index + 1])), "", f"stash:{self.ch}:{ability}"

    def words_for_unstash(self, ability: int) -> LabelEffectSpot:
        return _("Take the die off the mat"), "", f"stash:{self.ch}:{ability}"

    def _resource_of_ability_slot(self, ability: int) -> str:
        """The resource of the slot for a stashed die on ability `ability`."""
        r = int(self.box.character[self.ch].ability[ability].resource) if self.ch >= 0 else 0
        return RESOURCES[r] if r >= 0 else RESOURCES[0]

    def words_for_step_in(self, hero: int) -> LabelEffectSpot:
        """The words for letting character `hero` act."""
        c = int(self.state.heroes[hero].character)
        return (_("Over to "), Word("em", self.names["character"][c]) if c >= 0 else ""), "", None

    def words_for_done(self, n_saved: int) -> LabelEffectSpot:
        """The words for being done and saving `n_saved` dice."""
        left = len(unspent_dice(self.state, int(self.state.to_act)))
        if left == 0:
            return _("Done"), "", None
        return (_("Done: save {n} of {most}", n=n_saved, most=left) if n_saved else _("Done: save nothing")), "", None

    def words_for_watch(self) -> LabelEffectSpot:
        return _("Let the turn go on"), "", None

    def is_highest_saving(self, n_dice: int) -> bool:
        """Is `n_dice` the largest number of dice that the seat may save now?"""
        left = len(unspent_dice(self.state, int(self.state.to_act)))
        return n_dice == min(left, int(self.box.rules.saved_most))

    def words_for_pay(self, source: int) -> LabelEffectSpot:
        """The words for paying with a die; `source`: its number among all dice (see `POOL`)."""
        told = ""
        if self.state.phase == P.settle and source >= FACES:  # such a die may lie in a pool and at a place
            told = _("from the pool") if source >= POOL else _("an asset")
        said = _("Choose ") if self.state.phase == P.choose_die else _("Pay ")
        return (said, die_word(die_of_source(source))), told, self.spot_of_source(source)

    def words_for_let_be(self) -> LabelEffectSpot:
        """The words for letting the scheme's die take effect."""
        name, _text, works = scheme_effect(self.box, self.state, self.speaker.names)
        return _("Let it be"), _("{name} works", name=name) if works else _("it does nothing"), None

    def words_for_reroll_die(self, source: int) -> LabelEffectSpot:
        return (_("Reroll "), die_word(die_of_source(source))), "", self.spot_of_source(source)

    def words_for_roll_now(self) -> LabelEffectSpot:
        return _("Roll them"), "", None

    # --- progress cards ---

    def words_for_put(self, cell: int, asset: int) -> LabelEffectSpot:
        """The words for putting an asset on a cell of the acting character's card; `asset`: the asset's number."""
        r, c = cell // SIDE, cell % SIDE
        return (
            (_("Place "), die_word(asset_die(asset))),
            _("row {r}, column {c}", r=r + 1, c=c + 1),
            f"cell:{self.ch}:{r}:{c}",
        )

    def words_for_put_shared(self, asset: int) -> LabelEffectSpot:
        return (_("Place on the shared card "), die_word(asset_die(asset))), "", self.asset_spot(asset)

    def words_for_cell(self, cell: int) -> LabelEffectSpot:
        r, c = cell // SIDE, cell % SIDE
        return _("Row {r}, column {c}", r=r + 1, c=c + 1), "", f"cell:shared:{r}:{c}"

    def words_for_raise_track(self, resource: int) -> LabelEffectSpot:
        """The words for raising the progress of resource `resource`."""
        levels, at = self.box.track[resource].levels, int(self.state.progress[resource])
        told = _("already full") if at >= len(levels) else _("level {n}", n=int(levels[at]))
        return _("Raise {resource}", resource=self.names["resource"][resource]), told, f"track:{RESOURCES[resource]}"

    def words_for_serve(self, task: int, resource: int) -> LabelEffectSpot:
        """The words for letting the completed card fill a symbol of resource `resource` of mission `task`."""
        mission = int(self.state.tasks[task].mission)
        name = Word("em", self.names["mission"][mission]) if mission >= 0 else ""
        symbol = int(open_symbol(self.box, self.state, task, resource)) if mission >= 0 else -1
        return (
            (name, _(" as {resource}", resource=self.names["resource"][resource])),
            "",
            f"goal:{task}:{symbol}" if symbol >= 0 else f"mission:{task}",
        )

    def words_for_discard_card(self) -> LabelEffectSpot:
        return _("Discard it"), "", None

    # --- overcoming ---

    def words_for_overcome(self, card: int) -> LabelEffectSpot:
        """The words for beginning to overcome an obstacle, with the progress at hand and its difficulty."""
        at = f"obstacle:{card}"
        if (
            self.slot < 0
            or card >= len(self.names["obstacle_called"])
            or card not in obstacles_in_pile(self.state, self.slot)
        ):
            return _("Overcome it"), "", at
        skill = int(self.box.obstacle[card].skill)
        rank = int(self.state.people[self.ch].skills[skill])
        dice = unspent_dice(self.state, int(self.state.to_act)) + [v for _, v in assets_at_slot(self.state, self.slot)]
        have, due = sum(dice) + rank * len(dice), int(difficulty(self.box, self.state, card))
        return (_("Overcome "), obstacle_word(self.speaker, card)), _("you have {n} of {most}", n=have, most=due), at

    def words_for_join(self) -> LabelEffectSpot:
        return _("Join in"), "", None

    def words_for_stay_out(self) -> LabelEffectSpot:
        return _("Stay out"), "", None

    def words_for_react(self, source: int) -> LabelEffectSpot:
        """The words for reacting with a die; `source`: its number among all dice (see `POOL`)."""
        one = die_of_source(source)
        at = f"progress:{self.ch}:action:{one[1]}" if source < FACES else self.asset_spot(source - FACES)
        return (_("React with "), die_word(one)), "", at

    def words_for_add(self, asset: int) -> LabelEffectSpot:
        return (_("Add "), die_word(asset_die(asset)), _(" to progress")), "", self.asset_spot(asset)

    def words_for_roll(self) -> LabelEffectSpot:
        """The words for rolling the stress dice; if other seats still set their dice, for being ready to roll."""
        card = int(self.state.over.obstacle)
        n = int(n_stress_dice(self.box, self.state, card)) if card >= 0 else 0
        waits = any(
            int(self.state.over.joined) >> h & 1 and not int(self.state.over.asked) >> h & 1 and h != self.h
            for h in range(int(self.state.n_heroes))
        )
        return (
            (_("My dice are set") if waits else _.many("Roll {n} stress die", "Roll {n} stress dice", n)),
            "",
            "overcome:go",
        )

    def words_for_cancel(self, stress_value: int, reaction_value: int) -> LabelEffectSpot:
        """The words for cancelling a stress die with a reaction die; `stress_value` and `reaction_value`: their values less one."""
        return (
            _("Cancel the {n} with the {n2}", n=stress_value + 1, n2=reaction_value + 1),
            "",
            f"stress:{stress_value + 1}",
        )

    def words_for_enough(self) -> LabelEffectSpot:
        return _("Cancel no more"), _("tally"), "overcome:go"

    def words_for_again(self) -> LabelEffectSpot:
        return _("Another round"), "", "overcome:go"

    def words_for_give_up(self) -> LabelEffectSpot:
        return _("Stop"), _("the total is lost"), "overcome:go"

    # --- what a card asks ---

    def words_for_to(self, slot: int) -> LabelEffectSpot:
        return place_word(self.state, self.speaker, slot), "", f"slot:{slot}"

    def words_for_target(self, card: int) -> LabelEffectSpot:
        """The words for an obstacle that a card aims at, with its place."""
        if card >= len(self.names["obstacle_called"]):
            return "", "", None
        at = int(self.state.obstacle_at[card])
        where = _("at {place}", place=self.names["location_called"][self.state.location_at[at]]) if 0 <= at < 9 else ""
        return obstacle_word(self.speaker, card), where, f"obstacle:{card}"

    def words_for_hero(self, hero_index: int) -> LabelEffectSpot:
        """The words for choosing a character in play: its stress, or, for taking a stress die, what this does to it."""
        c = int(self.state.heroes[hero_index].character)
        if c < 0:
            return "", "", None
        one, asked = self.state.heroes[hero_index], self.state.frames[self.state.n_frames - 1]
        left = ", ".join(f"{translate_name('track', track)} {int(one.stress[i])}" for i, track in enumerate(TRACKS))
        told = self._taking_consequences(one) if asked.kind == KIND.overcome else left
        return Word("em", self.names["character"][c]), told, f"character:{c}"

    def _taking_consequences(self, hero: Any) -> str:
        """The words for what happens to a character that takes the stress die being assigned (7.6, 9.1); `hero`: its mat."""
        over, person, told = self.state.over, self.state.people[hero.character], list[str]()
        for i, track in enumerate(TRACKS):
            if int(self.box.obstacle[over.obstacle].stress_mask) >> i & 1:
                before = int(hero.stress[i]), int(person.start[i]), int(hero.box_no[i]), int(person.marks[i])
                after = apply_stress_to_die(before, int(over.at) + 1)
                if after is None:
                    return _("knocked out")
                marks = after[2] != before[2]
                marked = translate_name("condition", CONDITIONS[3 * i + after[2] - 1]).capitalize()
                told.append(
                    marked if marks else _("{n} {track} left", n=after[0], track=translate_name("track", track))
                )
        return ", ".join(told)

    def words_for_name(self, character: int) -> LabelEffectSpot:
        """The words for choosing a character by name; `character`: its number."""
        if character >= len(self.names["character"]):
            return "", "", None
        return Word("em", self.names["character"][character]), "", f"character:{character}"

    def words_for_value(self, value_index: int) -> LabelEffectSpot:
        """The words for choosing a value of a die; `value_index`: the value less 1."""
        return f"{value_index + 1}", "", None

    def words_for_resource(self, resource_index: int) -> LabelEffectSpot:
        return self.names["resource"][resource_index], "", f"track:{RESOURCES[resource_index]}"

    def words_for_pile(self, region: int) -> LabelEffectSpot:
        return self.names["region"][region], "", f"pile:{REGIONS[region]}"

    def words_for_suffer(self, track: int) -> LabelEffectSpot:
        left = int(self.state.heroes[self.h].stress[track]) if self.h >= 0 else 0
        return (
            translate_name("track", TRACKS[track]).capitalize(),
            _("{n} left", n=left),
            f"stressdie:{self.ch}:{TRACKS[track]}",
        )

    def words_for_option(self, option_index: int) -> LabelEffectSpot:
        """The words for option `option_index` of the card that asks."""
        if self.state.n_frames == 0:
            return "", "", None
        return (
            option_in_words(
                self.box, self.speaker.names, int(self.state.frames[self.state.n_frames - 1].op), option_index
            ),
            "",
            None,
        )

    def words_for_condition(self, condition_index: int) -> LabelEffectSpot:
        return translate_name("condition", CONDITIONS[condition_index]).capitalize(), "", None

    def words_for_skill(self, skill: int) -> LabelEffectSpot:
        return translate_name("skill", SKILLS[skill].capitalize()), "", None

    def words_for_order(self, order_index: int) -> LabelEffectSpot:
        """The words for choosing an order of the staged cards; `order_index`: its index among all orders."""
        staged = [self.names["card"][card] if card >= 0 else "–" for card in self.state.staged]
        return " · ".join(list(permutations(staged))[order_index]), _("as they lie") if order_index == 0 else "", None

    def words_for_location(self, card: int) -> LabelEffectSpot:
        listed = self.names["location_called"]
        return (listed[card] if card < len(listed) else ""), "", None

    def words_for_which_pool(self, pool: int) -> LabelEffectSpot:
        return (_("Your action dice") if pool == 0 else _("The assets here")), "", None

    def words_for_amount(self, n: int) -> LabelEffectSpot:
        return _("Take {n}", n=n) if n else _("Take nothing"), "", None

    def words_for_yes(self) -> LabelEffectSpot:
        return _("Yes"), "", None

    def words_for_no(self) -> LabelEffectSpot:
        return _("No") if self.state.phase == P.confirm else _("Do none of these"), "", None

    # --- session end ---

    def words_for_clear_obstacle(self, card: int) -> LabelEffectSpot:
        """The words for paying off an obstacle at the year's end, with its difficulty."""
        if card >= len(self.names["obstacle_called"]):
            return "", "", None
        hard = int(difficulty(self.box, self.state, card))
        return (_("Clear "), obstacle_word(self.speaker, card)), _("difficulty {n}", n=hard), f"obstacle:{card}"

    def words_for_go_on(self) -> LabelEffectSpot:
        return _("Put the year away"), "", None

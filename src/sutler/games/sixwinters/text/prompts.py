"""The prompts of Six Winters: the question and the help over the board for every decision (guide 3 to 11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sutler.core.text.language import join_with_and
from sutler.core.text.sentences import Fragment, Prompt, Sentence, Speaker, Word
from sutler.games.sixwinters.box import ABILITIES, FACES, RES, SLOTS
from sutler.games.sixwinters.cards.card_texts import Called, _, translate_name
from sutler.games.sixwinters.cards.vocabulary import RESOURCES
from sutler.games.sixwinters.phases_actions_events import PHASES, P
from sutler.games.sixwinters.rules.common import KIND, is_in
from sutler.games.sixwinters.rules.heroes import absorber
from sutler.games.sixwinters.rules.land import difficulty
from sutler.games.sixwinters.rules.tracks import pool_cancels
from sutler.games.sixwinters.scoring import team_points
from sutler.games.sixwinters.state import PART
from sutler.games.sixwinters.text.card_of_operation import NONE, find_card_of_operation
from sutler.games.sixwinters.text.things_in_words import (
    die_word,
    format_dice_count,
    hero_in_question,
    obstacle_word,
    place_word,
    scheme_effect,
)
from sutler.games.sixwinters.view.campaign import campaign_title
from sutler.games.sixwinters.view.people import unspent_dice

# --- Prompts ------------------------------------------------------------------------------------------------


PROMPTS: dict[str, tuple[str, str]] = {
    "missions": ("Which missions does year {year} take on?", "Two of those that are unlocked; then how hard."),
    "difficulty": (
        "How hard shall the year be?",
        "A difficult mission asks for one symbol more, and is worth 3 instead of 1.",
    ),
    "order": ("Which mission is set up first?", "It matters where both want the same slot."),
    "result_order": ("Which mission’s result is read first?", "What it says happens before the other one’s."),
    "take": ("{seat}, whom do you lead this year?", "Characters you leave out can help once and gain less experience."),
    "reserve": ("What does {who} do in reserve?", "Each character that stays may do one thing."),
    "advance": ("{seat}, what does {who} learn?", "Every price is a button; experience left is kept."),
    "staging": ("{seat}, take a staged card.", "Those to its right are discarded, the others slide down."),
    "place": ("{seat}, where does {who} begin?", "At any of the nine places."),
    "act": ("{seat}, what does {who} do at {place}?", "Any action, in any order; the others may act in between."),
    "watch": ("Nobody is left on their feet.", "The turn goes on all the same: see what it brings."),
    "pay": ("{seat}, pay for the way to {there}.", "{owed}"),
    "ability": ("{seat}, what does {who} pay with?", "{ability}"),
    "create": ("{seat}, take a die of the {pool} pool to {place}.", "At most a {most}, as the die you spent."),
    "trade": ("{seat}, trade a die.", "At most a {most}; one step along the wheel, into or out of the {pool} pool."),
    "reroll": ("{seat}, which dice are rolled again?", "Choose them one by one, then roll."),
    "star": ("{seat}, which track does the star of {card} raise?", "Its pool is filled at once."),
    "serve": ("{seat}, which mission does {card} serve?", "It stays there for good."),
    "join": (
        "{seat}, does {who} join in against {obstacle}?",
        "Progress is summed; you choose who takes each stress die.",
    ),
    "allocate": (
        "{seat}, what does {who} put in the reaction pool against {obstacle}?",
        "Each of its dice stops one stress die of equal or higher value. They are spent either way.",
    ),
    "cancel": (
        "What does the reaction pool cancel of {obstacle}’s dice?",
        "Each of its dice stops one stress die of equal or higher value.",
    ),
    "again": ("Another round against {obstacle}?", "{total} of {difficulty} so far; stopping loses it."),
    "choose_slot": ("{asker}: choose a place.", "{asks}"),
    "choose_obstacle": ("{asker}: choose an obstacle.", "{asks}"),
    "draws_near": (
        "{waking} wakes and nothing lies there: which obstacle moves to it?",
        "These are equally hard, the hardest of the region. Whichever moves does not wake this turn.",
    ),
    "brings": ("Which copy does {asking_mission} ask for?", "It comes into play, and overcoming it counts."),
    "choose_hero": ("{asker}: which character?", "{asks}"),
    "takes": ("Who takes the {hit}?", "Each stress die is taken by one of you."),
    "choose_character": ("{asker}: which character?", "{asks}"),
    "choose_value": ("{asker}: choose a value.", "{asks}"),
    "choose_resource": ("{asker}: choose a resource.", "{asks}"),
    "choose_pile": ("{asker}: choose a pile.", "{asks}"),
    "choose_track": ("{asker}: psyche or body?", "{asks}"),
    "gate": (
        "{seat}, psyche or body for the gate to {there}?",
        "{toll} stress of the one you choose, then {who} is there.",
    ),
    "choose_option": ("{asker}: choose one.", "{asks}"),
    "choose_condition": ("{asker}: which condition?", "{asks}"),
    "choose_skill": ("{asker}: which skill?", "{asks}"),
    "choose_order": ("In which order do the staged cards lie?", "The last one brings the next obstacle."),
    "choose_location": ("{asker}: which location?", "{asks}"),
    "choose_die": ("{asker}: choose a die.", "{asks}"),
    "choose_cell": ("{seat}, on which cell of {shared} does {asset} lie?", "The last cell completes the card."),
    "choose_pool": ("{asker}: which dice?", "{asks}"),
    "choose_amount": (
        "{seat}, how much of {victim}’s {amount} {track} stress does {taker} take instead?",
        "Each point is taken by itself.",
    ),
    "confirm": ("{asker}: do it?", "{asks}"),
    "scheme": (
        "{scheme} rolled {die}. Cancel it?",
        "{works} {alike} An asset of its resource and at least its value cancels it, from anywhere.",
    ),
    "clear": ("The year ends. Which obstacles do the last dice clear?", "Dice that match; no change is given."),
    "settle": ("{seat}, pay for {obstacle}.", "Dice of its threats: {paid} of {difficulty} paid; no change is given."),
}
"""The questions by key, each with a line of help; a name in braces is replaced by the `_PromptWords` method of that name."""


def _ending_sentence(outcome: int) -> str:
    """The sentence for an outcome of the campaign."""
    ends = (
        _("The campaign is over."),
        _("Brightdune is saved."),
        _("Brightdune is lost."),
        _("The last session is over."),
    )
    return ends[outcome]


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The prompt of the present decision: the question, a line of help, the paragraph of the guide, and the dice left."""
    if state.phase == P.over:
        points = int(team_points(box, state))
        told = _.many(
            "{n} point: {title}.", "{n} points: {title}.", points, title=campaign_title(points, speaker.names)
        )
        return Prompt((f"{_ending_sentence(int(state.outcome))} {told}",), (), "11.8")
    row = PHASES.rows[state.phase]
    text, help_text = PROMPTS[question_key(state)]
    filled = _PromptWords(box, state, speaker)
    return Prompt(
        filled.fill_in_names(_(text)), filled.fill_in_names(_(help_text)), row.rule, filled.dice_left_in_words()
    )


BY_FRAME = {
    (P.choose_hero, KIND.overcome): "takes",
    (P.pay, KIND.ability): "ability",
    (P.choose_track, KIND.move): "gate",
    (P.choose_obstacle, KIND.bring): "brings",
}
"""The keys of questions that depend on the phase and on what is under way."""
BY_PART = {(P.choose_obstacle, PART.activate): "draws_near", (P.order, PART.result_order): "result_order"}
"""The keys of questions that depend on the phase and on the part of the session, when nothing else is under way."""


def question_key(state: Any) -> str:
    """The key, in PROMPTS, of the question that is asked now.

    A phase in which several things may be asked has a key for each.
    """
    kind = int(state.frames[state.n_frames - 1].kind) if state.n_frames else -1
    if (int(state.phase), kind) in BY_FRAME:
        return BY_FRAME[int(state.phase), kind]
    if not state.n_frames and (int(state.phase), int(state.part)) in BY_PART:
        return BY_PART[int(state.phase), int(state.part)]
    return str(list(PHASES.phases)[state.phase])


class _PromptWords:
    """Fills the names in braces of a prompt: the method `word_for_NAME` returns the words for `{NAME}` in the present position."""

    def __init__(self, box: Any, state: Any, speaker: Speaker) -> None:
        self.box, self.state, self.speaker = box, state, speaker
        self.names = Called(speaker.names)

    def fill_in_names(self, text: str) -> Sentence:
        """A text in which the names in braces are replaced by words for the present position."""
        out: list[Fragment] = []
        for piece in text.replace("}", "{").split("{"):
            part: Callable[[], Fragment] | None = (
                getattr(self, f"word_for_{piece}", None) if piece.isidentifier() else None
            )
            out.append(part() if part else piece)
        if len(out) > 1 and str(out[-2]).endswith(("?", "!")) and out[-1] == ".":
            out.pop()  # a name that ends its own sentence: "pay for Tradition, or Reform?"
        return tuple(one for one in out if one != "")

    def dice_left_in_words(self) -> Sentence:
        """The number of action dice left to the seat, in words; empty outside the actions step."""
        if self.state.phase != P.act:
            return ()
        n = len(unspent_dice(self.state, int(self.state.to_act)))
        return (Word("num", str(n)), _(" die left") if n == 1 else _(" dice left"))

    def word_for_seat(self) -> Fragment:
        return self.speaker.word("seat", int(self.state.to_act))

    def word_for_year(self) -> Fragment:
        return str(int(self.state.year))

    def word_for_who(self) -> Fragment:
        c = character_in_question(self.state)
        return Word("em", self.names["character"][c]) if c >= 0 else _("your character")

    def word_for_place(self) -> Fragment:
        slot = int(self.state.heroes[self.state.actor].slot)
        return place_word(self.state, self.speaker, slot) if slot >= 0 else _("large")

    def _obstacle_in_question(self) -> int:
        """The card number of the obstacle that is being overcome or paid off."""
        if self.state.phase == P.settle:
            return int(self._running_frame().obstacle)
        return int(self.state.over.obstacle)

    def word_for_obstacle(self) -> Fragment:
        return obstacle_word(self.speaker, self._obstacle_in_question())

    def word_for_difficulty(self) -> Fragment:
        return str(int(difficulty(self.box, self.state, self._obstacle_in_question())))

    def word_for_paid(self) -> Fragment:
        return str(int(self._running_frame().chosen))

    def _running_frame(self) -> Any:
        return self.state.frames[self.state.n_frames - 1]

    def word_for_waking(self) -> Fragment:
        return place_word(self.state, self.speaker, int(self.state.k))

    def word_for_asking_mission(self) -> Fragment:
        return Word("em", self.names["mission"][self.state.tasks[self._running_frame().chosen].mission])

    def word_for_toll(self) -> Fragment:
        return str(int(self.box.rules.gate_stress))

    def word_for_pool(self) -> Fragment:
        slot = int(self.state.heroes[self.state.actor].slot)
        return str(self.names["resource"][self.box.place[slot].resource])

    def word_for_most(self) -> Fragment:
        return str(int(self.state.picked))

    def word_for_card(self) -> Fragment:
        return self.speaker.word("card", int(self.state.heroes[self._running_frame().hero].card))

    def word_for_shared(self) -> Fragment:
        return self.speaker.word("card", int(self.state.shared))

    def word_for_asset(self) -> Fragment:
        return self.speaker.word("asset", int(self.state.picked))

    def word_for_victim(self) -> Fragment:
        return Word("em", self.names["character"][self.state.heroes[self._running_frame().hero].character])

    def word_for_taker(self) -> Fragment:
        frame = self._running_frame()
        other = int(absorber(self.box, self.state, int(frame.hero), int(frame.chosen)))
        return Word("em", self.names["character"][self.state.heroes[other].character])

    def word_for_amount(self) -> Fragment:
        return str(int(self._running_frame().detail))

    def word_for_track(self) -> Fragment:
        return str(self.names["track"][self._running_frame().chosen])

    def word_for_alike(self) -> Fragment:
        """A sentence on the other dice of the scheme with the value of this die, all of which bring about one effect together (8.9).

        It says how many there are and how many of them can still be cancelled.
        """
        r, v = int(self.state.sub) // FACES, int(self.state.sub) % FACES + 1
        alike = [int(self.state.scheme_dice[other, v]) for other in range(RES)]
        others = sum(alike) - 1
        if others < 1:
            return _("It is the only die of this value.")
        can = max(0, min(alike[r] - int(self.state.n_taken), n_cancelling_dice(self.box, self.state, r, v)) - 1)
        for other in range(r + 1, RES):
            can += min(alike[other], n_cancelling_dice(self.box, self.state, other, v))
        more = _.many("{n} other die shows a {value}", "{n} other dice show a {value}", others, value=v)
        rest = _("and the effect happens once for all of them; {n} of those can still be cancelled.", n=can)
        return f"{more}, {rest}"

    def word_for_total(self) -> Fragment:
        return str(int(self.state.over.total))

    def word_for_there(self) -> Fragment:
        return place_word(self.state, self.speaker, int(self.state.frames[self.state.n_frames - 1].chosen))

    def word_for_ability(self) -> Fragment:
        frame = self.state.frames[self.state.n_frames - 1]
        character = int(self.state.heroes[frame.hero].character)
        return str(self.names["ability_text"][character * ABILITIES + int(frame.chosen)])

    def word_for_owed(self) -> Fragment:
        owed = [
            (translate_name("resource", RESOURCES[r].capitalize()), int(n))
            for r, n in enumerate(self.state.owed_pool)
            if n
        ]
        pools = [_("{n} of the {resource} pool", n=n, resource=resource) for resource, n in owed]
        n = int(self.state.owed)
        dice = [format_dice_count(n)] if n else []
        return (
            _("{what} still to pay.", what=join_with_and(dice + pools)) if dice or pools else _("A die of your choice.")
        )

    def word_for_hit(self) -> Fragment:
        return Word("num", str(int(self.state.over.at) + 1))

    def word_for_scheme(self) -> Fragment:
        return Word("em", self.names["scheme"][self.state.scheme]) if self.state.scheme >= 0 else _("The scheme")

    def word_for_die(self) -> Fragment:
        return die_word([RESOURCES[int(self.state.sub) // FACES], int(self.state.sub) % FACES + 1])

    def word_for_works(self) -> Fragment:
        name, text, works = scheme_effect(self.box, self.state, self.speaker.names)
        return f"{name}: {text}" if works else _("{name}: not at this level of threat.", name=name)

    def word_for_asker(self) -> Fragment:
        name, _text = card_that_asks(self.box, self.state, self.speaker.names)
        return Word("em", name) if name else self.speaker.word("seat", int(self.state.to_act))

    def word_for_asks(self) -> Fragment:
        return card_that_asks(self.box, self.state, self.speaker.names)[1]


def n_cancelling_dice(box: Any, state: Any, resource: int, value: int) -> int:
    """The number of dice on the table that may cancel a scheme's die of this resource and value (14.9, 14.66)."""
    n = sum(int(state.assets[slot, resource, w]) for slot in range(SLOTS) for w in range(value - 1, FACES))
    pools = [other for other in range(RES) if pool_cancels(box, state, other)]
    return n + sum(int(state.pools[other, w]) for other in pools for w in range(value - 1, FACES))


def character_in_question(state: Any) -> int:
    """The number of the character that the present question is about; -1 for none."""
    if state.phase == P.reserve:
        return int(state.k)
    if state.phase == P.join:
        for h in range(int(state.n_heroes)):
            if state.heroes[h].seat == state.to_act and not int(state.over.joined) >> h & 1 and is_in(state, h):
                return int(state.heroes[h].character)
    if state.part in (PART.take, PART.advance, PART.place) and state.k < state.n_heroes:
        return int(state.heroes[state.k].character)
    h = hero_in_question(state)
    return int(state.heroes[h].character) if h >= 0 else -1


def card_that_asks(box: Any, state: Any, names: Any) -> tuple[str, str]:
    """The name and the text of the card whose effect asks the present question; "" for both if none does.

    It is the effect begun last and not yet finished.
    """
    running = [frame for frame in state.frames[: state.n_frames] if frame.kind == KIND.ops]
    found = find_card_of_operation(box, names, int(running[-1].op)) if running else NONE
    return found.name, found.text

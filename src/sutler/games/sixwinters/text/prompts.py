"""The prompts: the sentence over the board for every decision (guide 3 to 11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sutler.core.speech import Prompt, Speaker
from sutler.core.text import Fragment, Sentence, Word
from sutler.games.sixwinters.box import ABILITIES, FACES
from sutler.games.sixwinters.cards.vocabulary import RESOURCES
from sutler.games.sixwinters.picture.book import title_of
from sutler.games.sixwinters.picture.people import dice_of
from sutler.games.sixwinters.rules.common import KIND, is_in
from sutler.games.sixwinters.rules.land import difficulty
from sutler.games.sixwinters.scoring import total
from sutler.games.sixwinters.state import PART
from sutler.games.sixwinters.table import PHASES, P
from sutler.games.sixwinters.text.origins import NONE, origin
from sutler.games.sixwinters.text.things import die_word, hero_in_hand, obstacle_word, place_word, scheme_effect

# --- Prompts ------------------------------------------------------------------------------------------------

PROMPTS: dict[str, tuple[str, str]] = {
    "missions": ("Which missions does year {year} take on?", "Two of those that are unlocked; then how hard."),
    "difficulty": (
        "How hard shall the year be?",
        "A difficult mission asks for one symbol more, and is worth 3 instead of 1.",
    ),
    "order": ("Which mission is set up first?", "It matters where both want the same slot."),
    "take": ("{seat}, whom do you lead this year?", "Those who stay may each act once, and learn a little less."),
    "reserve": ("What does {who} do in reserve?", "Each character that stays may do one thing."),
    "advance": ("{seat}, what does {who} learn?", "Every price is a button; experience left is kept."),
    "staging": ("{seat}, take a staged card.", "Those to its right are discarded, the others slide down."),
    "place": ("{seat}, where does {who} begin?", "At any of the nine places."),
    "act": ("{seat}, what does {who} do at {place}?", "Any action, in any order; the others may act in between."),
    "watch": ("Nobody is left on their feet.", "The turn goes on all the same: see what it brings."),
    "pay": ("{seat}, pay for the way to {there}.", "{owed}"),
    "ability": ("{seat}, what does {who} pay with?", "{ability}"),
    "create": ("{seat}, take a die of the pool.", "Not higher than the die you spent."),
    "trade": ("{seat}, trade a die.", "One step along the wheel, into or out of this place’s pool."),
    "reroll": ("{seat}, which dice are rolled again?", "Choose them one by one, then roll."),
    "star": ("{seat}, which track does the star raise?", ""),
    "serve": ("{seat}, which mission does the card serve?", "It stays there for good."),
    "join": (
        "{seat}, does {who} join in against {obstacle}?",
        "Progress is summed; you choose who takes each stress die.",
    ),
    "allocate": (
        "{seat}, what does {who} put in the reaction pool?",
        "Each of its dice stops one stress die of equal or higher value. They are spent either way.",
    ),
    "cancel": (
        "What does the reaction pool cancel?",
        "Each of its dice stops one stress die of equal or higher value.",
    ),
    "again": ("Another round against {obstacle}?", "{total} of {difficulty} so far; stopping loses it."),
    "choose_slot": ("{asker}: choose a place.", "{asks}"),
    "choose_obstacle": ("{asker}: choose an obstacle.", "{asks}"),
    "choose_hero": ("{asker}: which character?", "{asks}"),
    "takes": ("Who takes the {hit}?", "Each stress die is taken by one of you."),
    "choose_character": ("{asker}: which character?", "{asks}"),
    "choose_value": ("{asker}: choose a value.", "{asks}"),
    "choose_resource": ("{asker}: choose a resource.", "{asks}"),
    "choose_pile": ("{asker}: choose a pile.", "{asks}"),
    "choose_track": ("{asker}: psyche or body?", "{asks}"),
    "choose_option": ("{asker}: choose one.", "{asks}"),
    "choose_condition": ("{asker}: which condition?", "{asks}"),
    "choose_skill": ("{asker}: which skill?", "{asks}"),
    "choose_order": ("In which order do the staged cards lie?", "The last one brings the next obstacle."),
    "choose_location": ("{asker}: which location?", "{asks}"),
    "choose_die": ("{asker}: choose a die.", "{asks}"),
    "choose_cell": ("{seat}, on which cell does it lie?", ""),
    "choose_pool": ("{asker}: which dice?", "{asks}"),
    "choose_amount": ("{seat}, how much do you take instead?", "Each point is taken by itself."),
    "confirm": ("{asker}: do it?", "{asks}"),
    "scheme": (
        "{scheme} rolled {die}. Cancel it?",
        "{works} An asset of its resource and at least its value cancels it, from anywhere.",
    ),
    "clear": ("The year ends. Which obstacles do the last dice clear?", "Dice that match; no change is given."),
    "settle": ("{seat}, pay for {obstacle}.", "Dice of its threats, {difficulty} at least."),
}


ENDS = (  # by OUTCOME
    "The campaign is over.",
    "Brightdune is saved.",
    "Brightdune is lost.",
    "The last session is over.",
)


def prompt(box: Any, state: Any, speaker: Speaker, seat: int | None) -> Prompt:
    """The question of the present decision, in one sentence."""
    if state.phase == P.over:
        points = int(total(box, state))
        return Prompt((f"{ENDS[int(state.outcome)]} {points} points: {title_of(points, speaker.names)}.",), (), "11.8")
    row = PHASES.rows[state.phase]
    name = list(PHASES.phases)[state.phase]
    if state.phase == P.choose_hero and state.frames[state.n_frames - 1].kind == KIND.overcome:
        name = "takes"
    if state.phase == P.pay and state.frames[state.n_frames - 1].kind == KIND.ability:
        name = "ability"
    text, help_text = PROMPTS.get(name, ("{seat} decides.", ""))
    filled = _Filled(box, state, speaker)
    return Prompt(filled.say(text), filled.say(help_text), row.rule, filled.left())


class _Filled:
    """Fills a prompt's braces from the position."""

    def __init__(self, box: Any, state: Any, speaker: Speaker) -> None:
        self.box, self.state, self.speaker = box, state, speaker
        self.names = speaker.names

    def say(self, text: str) -> Sentence:
        out: list[Fragment] = []
        for piece in text.replace("}", "{").split("{"):
            part: Callable[[], Fragment] | None = getattr(self, f"_{piece}", None) if piece.isidentifier() else None
            out.append(part() if part else piece)
        return tuple(one for one in out if one != "")

    def left(self) -> Sentence:
        if self.state.phase != P.act:
            return ()
        n = len(dice_of(self.state, int(self.state.to_act)))
        return (Word("num", str(n)), " die left" if n == 1 else " dice left")

    def _seat(self) -> Fragment:
        return self.speaker.word("seat", int(self.state.to_act))

    def _year(self) -> Fragment:
        return str(int(self.state.year))

    def _who(self) -> Fragment:
        c = character_asked(self.state)
        return Word("em", self.names["character"][c]) if c >= 0 else "your character"

    def _place(self) -> Fragment:
        slot = int(self.state.heroes[self.state.actor].slot)
        return place_word(self.state, self.speaker, slot) if slot >= 0 else "large"

    def _obstacle(self) -> Fragment:
        card = int(self.state.over.obstacle if self.state.over.obstacle >= 0 else self.state.picked)
        return obstacle_word(self.speaker, card)

    def _difficulty(self) -> Fragment:
        card = int(self.state.over.obstacle if self.state.over.obstacle >= 0 else self.state.picked)
        return str(int(difficulty(self.box, self.state, card)))

    def _total(self) -> Fragment:
        return str(int(self.state.over.total))

    def _there(self) -> Fragment:
        return place_word(self.state, self.speaker, int(self.state.frames[self.state.n_frames - 1].chosen))

    def _ability(self) -> Fragment:
        frame = self.state.frames[self.state.n_frames - 1]
        character = int(self.state.heroes[frame.hero].character)
        return self.names["ability_text"][character * ABILITIES + int(frame.chosen)]

    def _owed(self) -> Fragment:
        pools = [f"{int(n)} of the {RESOURCES[r].capitalize()} pool" for r, n in enumerate(self.state.owed_pool) if n]
        n = int(self.state.owed)
        dice = [f"{n} {'die' if n == 1 else 'dice'}"] if n else []
        return " and ".join(dice + pools) + " still to pay." if dice or pools else "A die of your choice."

    def _hit(self) -> Fragment:
        return Word("num", str(int(self.state.over.at) + 1))

    def _scheme(self) -> Fragment:
        return Word("em", self.names["scheme"][self.state.scheme]) if self.state.scheme >= 0 else "The scheme"

    def _die(self) -> Fragment:
        return die_word([RESOURCES[int(self.state.sub) // FACES], int(self.state.sub) % FACES + 1])

    def _works(self) -> Fragment:
        name, text, works = scheme_effect(self.box, self.state, self.names)
        return f"{name}: {text}" if works else f"{name}: not at this level of threat."

    def _asker(self) -> Fragment:
        name, _ = asking(self.box, self.state, self.names)
        return Word("em", name) if name else self.speaker.word("seat", int(self.state.to_act))

    def _asks(self) -> Fragment:
        return asking(self.box, self.state, self.names)[1]


def character_asked(state: Any) -> int:
    """The character that the present question is about; -1 for none."""
    if state.phase == P.reserve:
        return int(state.k)
    if state.phase == P.join:
        for h in range(int(state.n_heroes)):
            if state.heroes[h].seat == state.to_act and not int(state.over.joined) >> h & 1 and is_in(state, h):
                return int(state.heroes[h].character)
    if state.part in (PART.take, PART.advance, PART.place) and state.k < state.n_heroes:
        return int(state.heroes[state.k].character)
    h = hero_in_hand(state)
    return int(state.heroes[h].character) if h >= 0 else -1


def asking(box: Any, state: Any, names: Any) -> tuple[str, str]:
    """The card that asks, and its text: what was begun last and not finished."""
    running = [frame for frame in state.frames[: state.n_frames] if frame.kind == KIND.ops]
    found = origin(box, names, int(running[-1].op)) if running else NONE
    return found.name, found.text

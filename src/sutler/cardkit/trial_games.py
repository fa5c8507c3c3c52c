"""Trial games of a card game: random play by seats that each favour one action, to find what can never happen.

A game that does not end is a fault. Something that nobody could do or pay in all games of the trial is a note: mostly it is a typing
mistake. Each state of a file is tried once; the result is kept beside its game folders.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sutler.cardkit.box_model import read_game_in_folder
from sutler.cardkit.card_game_parts import CardGame, Deed
from sutler.cardkit.installed_card_games import find_states_folder, install_card_game
from sutler.cardkit.operation_source import to_field_name
from sutler.cardkit.round_source import OTHER_SORT
from sutler.core.bits import members
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.core.files.box import BoxError
from sutler.core.play.game import Game, load
from sutler.core.play.position import Position, Stuck

MAX_GAMES, ENOUGH_OFFERED_ACTIONS = 24, 4000
"""The number of games of a trial, and the number of offered actions in all of them together after which no further game is begun."""
MAX_DECISIONS = 1500
"""The number of decisions after which a game counts as one that does not end."""
FAVOURITE_CHANCE = 0.6
"""The chance that a seat takes its favourite action where it can."""
MIN_TIMES_SEEN = 4
"""The number of times that a card must have been looked at before a note says that something could never be done with it."""


@dataclass
class Trial:
    """Counts of everything that was seen in the trial games of a card game.

    `offered`: actions by block; `cards`: (action, card) that could be taken; `seen`: (action, card) looked at; `reasons`,
    `card_reasons`: texts of refusals; `options`: choices offered; `most`: the most tokens of a kind; `endings`: ends by event;
    `endless`: the decisions of a game that did not end, else 0.
    """

    games: int = 0
    offered: Counter[str] = field(default_factory=Counter)
    cards: Counter[tuple[str, str]] = field(default_factory=Counter)
    seen: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    card_reasons: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    options: set[int] = field(default_factory=set)
    most: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    endless: int = 0


def install_and_try_card_game(file: Path) -> tuple[str, list[str]]:
    """Install a card game's file and play trial games; returns the game's name, and notes on what can never happen in it.

    BoxError tells the faults of the file, or that the game does not end.
    """
    name = install_card_game(file)
    text = file.read_bytes()
    kept = find_states_folder(file) / "tried.json"
    mark = hashlib.sha256(text + Path(__file__).read_bytes()).hexdigest()
    try:
        found = json.loads(kept.read_text(encoding="utf-8"))
        if found["mark"] != mark:
            raise ValueError
    except (OSError, ValueError, KeyError):
        fault, notes = _find_fault_and_notes(load(name))
        found = {"mark": mark, "fault": fault, "notes": notes}
        kept.write_text(json.dumps(found), encoding="utf-8")
    if found["fault"]:
        raise BoxError(f"{file}: {found['fault']}")
    return name, [f"{file}: {note}" for note in found["notes"]]


def _find_fault_and_notes(game: Game) -> tuple[str, list[str]]:
    """The fault of a game that does not end, or "", and the notes on a game that does."""
    trial = Trial()
    with run_rules_plainly():
        for number in range(MAX_GAMES):
            if sum(trial.offered.values()) > ENOUGH_OFFERED_ACTIONS and number >= 4:
                break
            try:
                _play_trial_game(game, number, trial)
            except Stuck as error:
                return f"the game comes to where nobody can do anything: {error}", []
            if trial.endless:
                return _describe_endless_game(read_game_in_folder(game.folder)), []
    return "", list(_list_notes(game, trial))


def _describe_endless_game(card_game: CardGame) -> str:
    """A sentence on the fault of a game that does not end, with a likely cause."""
    free = [deed.name for deed in card_game.deeds if deed.free and not deed.once]
    why = f"; {free[0]!r} is free and may be done for ever: once = true, for instance" if free else ""
    ends = "" if any(end.rounds for end in card_game.ends) else "; an [[end]] with rounds = 20 makes sure that it does"
    return f"the game does not end: after {MAX_DECISIONS} decisions of players who play at random it still went on{why}{ends}"


def _play_trial_game(game: Game, number: int, trial: Trial) -> None:
    """Play game `number` of a trial, which is also its seed, and count in `trial` what is seen."""
    luck = random.Random(number)
    seats = game.min_seats + number % (game.max_seats - game.min_seats + 1)
    pos = game.new(seats, seed=number)
    blocks = [block for block in game.definition.actions.blocks if block not in ("none", "stop")]
    favourites = [blocks[(number + seat) % len(blocks)] for seat in range(seats)]
    trial.games += 1
    n = 0
    while not pos.over:
        legal = pos.legal_ids()
        _count_possible_actions(game, pos, legal, trial, n)
        liked = [one for one in legal if game.action_names[one].block == favourites[pos.seat or 0]]
        unliked = [one for one in legal if game.action_names[one].block != "stop"]
        choice = (
            liked
            if liked and luck.random() < FAVOURITE_CHANCE
            else unliked
            if unliked and luck.random() < FAVOURITE_CHANCE
            else legal
        )
        pos.play(luck.choice(choice))
        n += 1
        if n > MAX_DECISIONS:
            trial.endless = n
            return
    trial.endings[next(told.kind for _, told in reversed(list(pos.told())) if told.event.ending)] += 1


def _count_possible_actions(game: Game, pos: Position, legal: list[int], trial: Trial, decision_number: int) -> None:
    """Count in `trial` the legal actions of a position and the most tokens of each kind; at every third decision also refusals."""
    told, d, state = read_game_in_folder(game.folder), game.definition, pos.state
    phase = d.phases.words[int(state.phase)].replace(" ", "_")
    called = game.names["card_called"]
    for one in legal:
        action = game.action_names[one]
        trial.offered[action.block] += 1
        if action.block == "choose":
            trial.options.add(action.args[0])
        if action.args and d.actions.blocks[action.block].kinds[0] == "card":
            trial.cards[action.block, called[action.args[0]]] += 1
    for token in told.tokens.values():
        if not token.shared:
            trial.most[token.name] = max(
                trial.most[token.name], max(map(int, getattr(state, to_field_name(token.name))[: pos.n_seats]))
            )
    if decision_number % 3:
        return
    for deed in told.deeds:
        if phase not in d.actions.phases(deed.key) or deed.is_always_open:
            continue
        held = members(_get_cards_in_place(told, state, deed.source, int(state.to_act))) if deed.source else []
        for card in held if deed.source else [-1]:
            block = d.actions.encode(
                deed.key,
                *([card] if card >= 0 else []),
                *([(int(state.to_act) + 1) % pos.n_seats] if deed.seat else []),
            )
            refusal = None if block in legal else pos.why_not(block)
            if refusal is not None and refusal.text == OTHER_SORT:
                continue
            if card >= 0:
                trial.seen[deed.key, called[card]] += 1
            if refusal is not None:
                trial.reasons[deed.key][refusal.text] += 1
                if card >= 0:
                    trial.card_reasons[deed.key, called[card]][refusal.text] += 1


def _get_cards_in_place(card_game: CardGame, state: Any, place: str, seat: int) -> Any:
    """The set of cards in a place, that of `seat` where each seat has one."""
    held = getattr(state, to_field_name(place))
    return held[seat] if card_game.places[place].each else held


def _format_card_note(trial: Trial, action: Deed, card: str) -> str:
    """A sentence on a card with which an action was never possible, with the most frequent reason."""
    why, _ = trial.card_reasons[action.key, card].most_common(1)[0]
    named = [name for name, _ in action.pay if f"few {name.replace('_', ' ')}" in why]
    more = f"; the most that anybody had was {trial.most[named[0]]} {named[0]}" if named else ""
    done = action.name.replace("{card}", "it").replace("{seat}", "anybody")
    return f'"{card}": nobody could ever {done} in {trial.games} games ("{why}"{more})'


def _list_notes(game: Game, trial: Trial) -> list[str]:
    """A sentence for each action, card and option that was never possible."""
    told, out = read_game_in_folder(game.folder), list[str]()
    for deed in told.deeds:
        if not trial.offered[deed.key]:
            most = trial.reasons[deed.key].most_common(1)
            why = f' (mostly: "{most[0][0]}")' if most else f" ({deed.source} was always empty)" if deed.source else ""
            out.append(f'[[action]] "{deed.name}": nobody could ever take it in {trial.games} games{why}')
            continue
        out += [
            _format_card_note(trial, deed, card)
            for (key, card), times in sorted(trial.seen.items())
            if key == deed.key and times >= MIN_TIMES_SEEN and not trial.cards[key, card]
        ]
    options = list(game.names["option_called"])
    sites = [i for i in range(len(options)) if trial.options and i not in trial.options]
    out += [
        f'the option "{options[i]}" could never be chosen in {trial.games} games'
        for i in sites
        if trial.offered["choose"] >= 20
    ]
    if set(trial.endings) == {"ended_stalled"}:
        out.append("every game ended because nobody could do anything any more: no [[end]] was ever reached")
    return out

"""The view of Six Winters: the whole table as plain data, all of it open to every seat (guide 1.2).

`land` has the places and obstacles, `people` the mats, cards and missions, `campaign` the campaign; this module adds the year and what the
team has in common. `add_dangers_to_view` of the bots' coach adds the dangers.
"""

from __future__ import annotations

from typing import Any

from sutler.core.fast_record_reading import cache_piece_of_view, read_rows, with_plain_records
from sutler.core.text.sentences import Speaker
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.bot.coach import add_dangers_to_view
from sutler.games.sixwinters.box import FACES, RES, TURNS
from sutler.games.sixwinters.cards.card_texts import Called, _, list_sentence_parts
from sutler.games.sixwinters.cards.vocabulary import DO, RESOURCES, SEASONS
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.rules.common import is_in, level
from sutler.games.sixwinters.rules.land import n_in_deck
from sutler.games.sixwinters.view import campaign, land, people

ARMS = (5, 6, 1, 2)
"""The heraldic colours of the seats; the Empire has sable."""
SETUP = ("restore", "missions", "setup", "scheme", "characters", "reserve", "advancement", "staging", "placing")
YEAR = ("event", "actions", "refresh", "activate", "obstacles", "threats", "time")
END = ("clear", "results", "burn", "experience")
STAGES = {"setup": SETUP, "year": YEAR, "end": END, "over": ("score",)}
PARTS = (
    *("restore", "missions", "missions", "setup", "setup", "scheme", "characters", "reserve", "advancement", "staging"),
    *(
        "staging",
        "placing",
        "event",
        "actions",
        "refresh",
        "activate",
        "obstacles",
        "threats",
        "threats",
        "time",
        "clear",
    ),
    *("results", "results", "experience"),
)
"""The page's name for each part of a session, by the number in `state.PART`."""


@with_plain_records
def view(box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
    """The table as plain data, equal for all seats but for the ways of moving: a seat sees its own, a watcher those of the decider."""
    names = speaker.names
    step = "score" if state.phase == P.over else PARTS[int(state.part)]
    stage = next(name for name, steps in STAGES.items() if step in steps)
    mine = _hero_of_seat(state, int(state.to_act) if seat is None else seat)
    tracks = [_track_view(box, state, r) for r in range(RES)]
    return add_dangers_to_view(
        {
            **_progress_view(state, seat, mine, step, stage),
            **_year_view(box, state, names, stage),
            "pools": {RESOURCES[r]: _pool_dice(state, r) for r in range(RES)},
            "levels": {RESOURCES[r]: int(level(box, state, r)) for r in range(RES)},
            "tracks": tracks,
            "supply": {RESOURCES[r]: int(box.rules.dice_each) - int(state.in_play[r]) for r in range(RES)},
            "wheel": _trade_wheel_view(box, names, tuple(op for op, _, _ in read_rows(state, "ruled", state.n_ruled))),
            "scheme": _scheme_view(box, state, names),
            "regions": land.regions_view(box, state, names),
            "slots": land.slots_view(box, state, names, mine),
            "obstacles": land.obstacles_view(box, state, names),
            "seats": [_seat_view(state, speaker, one) for one in range(int(state.n_seats))],
            "characters": people.people_view(box, state, names),
            "cards": people.open_cards_view(box, state, names),
            "staged": [names["card"][card] if card >= 0 else "" for card in state.staged],
            "progress_pile": {
                "stage": int(state.stage_no),
                "left": int(n_in_deck(box, state, int(state.stage_no))),
                "icons": int(box.new_obstacles[state.stage_no]),
            },
            "shared_card": people.shared_card_view(box, state, names),
            "missions": people.missions_view(box, state, names),
            "effects": [
                {"k": k, "name": name, "text": Called(names)["effect_text"][k], "pay": "", "may": False}
                for k, name in enumerate(names["effect"])
                if int(state.effects) >> k & 1
            ],
            "overcome": people.overcome_view(box, state),
            "journal": campaign.journal_view(box, state, names),
            "score": campaign.score(box, state, names),
            "offers": campaign.offered_missions_view(box, state, names) if step == "missions" else [],
            "clear": campaign.clearing_view(box, state) if step == "clear" else None,
            "results": campaign.results_view(state, names) if stage == "end" else [],
            "chosen": "",
        }
    )


def _hero_of_seat(state: Any, seat: int) -> int:
    """The index of the character that a seat acts with: the acting one if it is the seat's, else its first one standing; -1: none."""
    if state.n_heroes == 0:
        return -1
    if state.heroes[state.actor].seat == seat and is_in(state, state.actor):
        return int(state.actor)
    own = [h for h in range(int(state.n_heroes)) if state.heroes[h].seat == seat and state.heroes[h].character >= 0]
    return next((h for h in own if is_in(state, h)), own[0] if own else -1)


def _progress_view(state: Any, seat: int | None, mine: int, step: str, stage: str) -> dict[str, Any]:
    """Where the game is, as plain data: year, turn, stage, and whose decision it is."""
    over = state.phase == P.over
    acting = int(state.heroes[state.actor].character) if state.n_heroes and step in YEAR else -1
    levels = sum(int(task.difficult) for task in state.tasks)
    return {
        "arms": list(ARMS[: int(state.n_seats)]),
        "year": int(state.year),
        "turn": int(state.turn_no),
        "stage": stage,
        "phase": step,
        "phases": [(one, _(one.capitalize())) for one in STAGES[stage]],
        "to_act": None if over else int(state.to_act),
        "seat": seat,
        "n_seats": int(state.n_seats),
        "me": int(state.heroes[mine].character) if mine >= 0 else None,
        "acting": acting if acting >= 0 else None,
        "difficulty": campaign.LEVELS[levels] if state.tasks[0].mission >= 0 else None,
        "solo": bool(state.n_seats == 1),
        "may_act": sorted(
            {
                int(state.heroes[h].seat)
                for h in range(int(state.n_heroes))
                if step == "actions" and is_in(state, h) and not state.heroes[h].is_done
            }
        ),
    }


def _seat_view(state: Any, speaker: Speaker, seat: int) -> dict[str, Any]:
    """A seat's name, its characters, and whether it is done with this turn."""
    own = [one for one in state.heroes[: int(state.n_heroes)] if one.seat == seat and one.character >= 0]
    return {
        "seat": seat,
        "name": str(speaker.word("seat", seat)),
        "characters": [int(one.character) for one in own],
        "done": bool(own) and all(one.is_done or one.slot < 0 for one in own),
    }


# --- The year and what the team has ----------------------------------------------------------------------


def _year_view(box: Any, state: Any, names: Any, stage: str) -> dict[str, Any]:
    """The season, the turns of the year with their states, and the present event."""
    here = int(state.space)
    season = int(box.season[here])
    clock = [
        {
            "season": SEASONS[box.season[i]],
            "bonus": bool(box.bonus[i]),
            "state": "now" if i == here and stage == "year" else "past" if i < here and stage == "year" else "next",
        }
        for i in range(TURNS)
    ]
    passed_over = sum(1 for one in clock if one["state"] == "past") - (int(state.turn_no) - 1)
    bonus_past = [one for one in clock if one["bonus"] and one["state"] == "past"]
    if bonus_past and passed_over == len(bonus_past):
        for one in bonus_past:
            one["state"] = "missed"
    number = season * 4 + int(state.symbols)
    told = stage == "year" and state.part >= s.PART.event
    event = {"name": names["event"][number], "text": Called(names)["event_text"][number], "count": int(state.symbols)}
    return {"season": SEASONS[season], "clock": clock, "event": event if told else None}


def _pool_dice(state: Any, resource: int) -> list[int]:
    """The dice of a resource's pool, as ascending values."""
    return [v + 1 for v in range(FACES) for _ in range(int(state.pools[resource, v]))]


def _track_view(box: Any, state: Any, resource: int) -> dict[str, Any]:
    """The track of a resource as plain data: its markers, the threat tags in play, and the threat after the next threats step."""
    numbers = [int(n) for n in box.track[resource].levels]
    threatens = bool(box.track[resource].has_threats)
    tags, threat = int(state.tags[resource]), int(state.threat[resource])
    rises = max(0, tags - int(box.rules.tags_free)) if threatens else 0
    scheme = int(box.scheme[state.scheme].resource) if state.scheme >= 0 else -1
    over = max(0, threat + rises - len(numbers)) if scheme >= 0 else 0
    return {
        "res": RESOURCES[resource],
        "numbers": numbers,
        "progress": int(state.progress[resource]),
        "threat": threat if threatens else None,
        "tags": tags,
        "next": min(len(numbers), threat + rises) if threatens else None,
        "feeds": (tags if scheme == resource else 0) + over,
    }


@cache_piece_of_view
def _trade_wheel_view(box: Any, names: Any, ruling: tuple[int, ...]) -> dict[str, list[str]]:
    """The resources into which a die of each pool may be traded, less those that cards in play forbid."""
    barred = set()
    for number in ruling:
        op = box.ops[number]
        if op.op == DO.forbid_trade and op.resource >= 0:
            barred.add(RESOURCES[op.resource])
    sources = {RESOURCES[int(box.wheel[r])] for r in range(RES) if box.wheel[r] >= 0}
    out: dict[str, list[str]] = {}
    for r, name in enumerate(RESOURCES):
        if name in barred:
            out[name] = []
        elif box.wheel[r] >= 0:
            out[name] = [RESOURCES[int(box.wheel[r])]]
        else:
            out[name] = [one for one in RESOURCES if one in sources and one != name]
    return out


def _scheme_view(box: Any, state: Any, names: Any) -> dict[str, Any] | None:
    """The scheme in play with its dice and effects; None: there is none."""
    if state.scheme < 0:
        return None
    number = int(state.scheme)
    r = int(box.scheme[number].resource)
    effects = []
    for value in range(FACES):
        name, text, lasts = list_sentence_parts(names, "scheme_text", number * FACES + value)
        on = bool(int(state.lasting) >> value & 1)
        effects.append({"value": value + 1, "name": name, "text": text, "lasting": lasts != "instant", "on": on})
    dice = [
        [RESOURCES[k], v] for k in range(RES) for v in range(FACES + 1) for _ in range(int(state.scheme_dice[k, v]))
    ]
    return {
        "name": names["scheme"][number],
        "res": RESOURCES[r],
        "level": int(box.track[r].levels[state.threat[r] - 1]),
        "dice": dice,
        "effects": effects,
        "adds": int(state.tags[r]),
    }

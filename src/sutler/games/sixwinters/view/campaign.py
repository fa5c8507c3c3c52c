"""The campaign as people see it: the journal, missions on offer, the clearing of obstacles at a year's end, the score."""

from __future__ import annotations

from typing import Any, NamedTuple

from sutler.core.fast_record_reading import cache_piece_of_view
from sutler.games.sixwinters.box import FACES, HEROES, RES, SLOTS, YEARS
from sutler.games.sixwinters.cards.card_texts import (
    _,
    list_sentence_parts,
    remove_beginning,
    sentences_of_card,
    translate_name,
    translate_sentence_beginnings,
)
from sutler.games.sixwinters.cards.vocabulary import CONDITIONS, RESOURCES
from sutler.games.sixwinters.phases_actions_events import P
from sutler.games.sixwinters.scoring import team_points
from sutler.games.sixwinters.state import FAILED, OPEN, OUTCOME, PASSED, n_threat_tags
from sutler.games.sixwinters.view.land import names_of_bits, obstacles_in_pile

LEVELS = ("easy", "normal", "difficult")
MAX_POINTS = 55
PASSED_WORD, FAILED_WORD = "Passed: ", "Failed: "


def mission_points(box: Any, passed: bool, difficult: bool) -> int:
    """The points that a mission brings, passed or failed."""
    rules = box.rules
    if passed:
        return int(rules.pass_difficult if difficult else rules.pass_base)
    return int(rules.fail_difficult if difficult else rules.fail_base)


def journal_view(box: Any, state: Any, names: Any) -> list[dict[str, Any]]:
    """The pages of the journal for the years that are over, as plain data."""
    return _journal_pages(box, names, state.journal, tuple(state.card_burned[: int(box.n_cards)]))


@cache_piece_of_view
def _journal_pages(box: Any, names: Any, pages: list[Any], burned_in: tuple[int, ...]) -> list[dict[str, Any]]:
    """The pages of the journal; `burned_in`: for each progress card the year in which it was burned, 0 for none."""
    out: list[dict[str, Any]] = []
    total = 0
    burned: dict[int, list[str]] = {}
    for card, year in enumerate(burned_in):
        burned.setdefault(int(year), []).append(names["card"][card])
    for year in range(YEARS):
        page = pages[year]
        if not any(result >= PASSED for result in page.result):
            continue
        missions = []
        for k in range(2):
            if page.mission[k] >= 0:
                passed, difficult = bool(page.result[k] == PASSED), bool(page.difficult[k])
                points = mission_points(box, passed, difficult)
                total += points
                name = names["mission"][page.mission[k]]
                missions.append({"name": name, "difficult": difficult, "passed": passed, "points": points})
        out.append(
            {
                "year": year + 1,
                "missions": missions,
                "level": LEVELS[sum(int(one) for one in page.difficult)],
                "turns": int(page.turns),
                "characters": [
                    {"ch": int(c), "conditions": _condition_names(page.marks[c])}
                    for c in page.character[:HEROES]
                    if c >= 0
                ],
                "burned": burned.get(year + 1, []),
                "scheme": names["scheme"][page.scheme] if page.scheme >= 0 else "",
                "tracks": {
                    RESOURCES[r]: [int(page.progress[r]), int(page.threat[r]) if box.track[r].has_threats else None]
                    for r in range(RES)
                },
                "points": total,
            }
        )
    return out


def _condition_names(condition_bits: Any) -> list[str]:
    """The names of the conditions whose bits are set."""
    return [one.capitalize() for one in names_of_bits(condition_bits, CONDITIONS)]


def campaign_title(points: int, names: Any) -> str:
    """The title of a campaign that ends with this number of points (11.8)."""
    found = [list_sentence_parts(names, "title", i) for i in range(len(names["title"]))]
    return [title for low, title in found if int(low) <= points][-1]


def score(box: Any, state: Any, names: Any) -> dict[str, Any]:
    """The points so far, the title that they would bring, and the other titles."""
    counted = _Counted(*(tuple(row) for row in (state.mission, state.mission_difficult, state.progress, state.threat)))
    won = {OUTCOME.won: True, OUTCOME.lost: False}.get(int(state.outcome))
    return _score_view(box, names, counted, bool(state.phase == P.over), won)


class _Counted(NamedTuple):
    """The fields of a state that the score depends on, as a small record in place of the state, so that the score can be cached."""

    mission: tuple[int, ...]
    mission_difficult: tuple[int, ...]
    progress: tuple[int, ...]
    threat: tuple[int, ...]


@cache_piece_of_view
def _score_view(box: Any, names: Any, counted: _Counted, over: bool, won: bool | None) -> dict[str, Any]:
    """The score as plain data, cached by the fields that it depends on.

    `over`: the game has ended; `won`: whether the campaign is won or lost, None where it is neither, as after the last session to play.
    """
    points = int(team_points(box, counted))  # type: ignore[arg-type]
    found = [list_sentence_parts(names, "title", i) for i in range(len(names["title"]))]
    lows = [int(low) for low, _ in found]
    titles = [
        [title, low, (lows[i + 1] - 1) if i + 1 < len(lows) else MAX_POINTS]
        for i, (low, (_, title)) in enumerate(zip(lows, found, strict=True))
        if low > 0
    ]
    return {
        "points": points,
        "lines": [],
        "title": campaign_title(points, names),
        "titles": titles,
        "won": won,
        "over": over,
    }


def offered_missions_view(box: Any, state: Any, names: Any) -> list[dict[str, Any]]:
    """The missions that may be undertaken, and those already chosen, which are marked."""
    out = []
    chosen = {int(task.mission): task for task in state.tasks if task.mission >= 0}
    for m in range(int(box.n_missions)):
        printed = box.mission[m]
        if m not in chosen and (state.mission[m] != OPEN or not _is_mission_open(box, state, printed)):
            continue
        goals = [[int(r) for r in printed.goal[d] if r >= 0] for d in range(2)]
        extra = list(goals[1])
        for r in goals[0]:
            if r in extra:
                extra.remove(r)
        out.append(
            {
                "name": names["mission"][m],
                "why": _opening_condition_in_words(printed),
                "goals": [RESOURCES[r] for r in goals[0]],
                "extra": RESOURCES[extra[0]] if extra else "",
                "then": [_asked_obstacle(box, state, names, printed, i) for i in range(int(printed.n_then))],
                "goal": next(iter(_goal_lines(names, m)), ""),
                "setup": sentences_of_card(names, "mission_setup", m),
                "brings": _result_lines(names, m),
                "chosen": m in chosen,
                "difficult": bool(chosen[m].difficult) if m in chosen else False,
            }
        )
    return out


def _goal_lines(names: Any, mission: int) -> list[str]:
    """The lines of a mission's text that state its goal, where symbols do not express it."""
    lines = sentences_of_card(names, "mission_text", mission)
    return [line for line in lines if all(remove_beginning(line, word) is None for word in (PASSED_WORD, FAILED_WORD))]


def _result_lines(names: Any, mission: int) -> list[str]:
    """The effects of a mission's two results, a line each; effects that both results have are written once."""
    passed, failed = (_effects_of_result(names, mission, word) for word in (PASSED_WORD, FAILED_WORD))
    both = [line for line in passed if line in failed]
    rows = [(_("Either way: "), both)]
    rows += [(translate_sentence_beginnings()[PASSED_WORD], [line for line in passed if line not in both])]
    rows += [(translate_sentence_beginnings()[FAILED_WORD], [line for line in failed if line not in both])]
    return [word + " ".join(lines) for word, lines in rows if lines]


def _effects_of_result(names: Any, mission: int, word: str) -> list[str]:
    """The effects of one result of a mission, as sentences; `word`: "Passed: " or "Failed: "."""
    told = [remove_beginning(line, word) for line in sentences_of_card(names, "mission_text", mission)]
    return [one for one in told if one is not None]


def _is_mission_open(box: Any, state: Any, printed: Any) -> bool:
    """May a mission be undertaken this year?"""
    final = printed.wins or printed.shared >= 0 or printed.year == YEARS
    if state.year == YEARS or final:
        return bool(final) and state.year == YEARS
    if printed.year > 0:
        return bool(state.year >= printed.year)
    return bool(box.track[printed.resource].levels[state.progress[printed.resource] - 1] >= printed.level)


def _opening_condition_in_words(printed: Any) -> str:
    """The condition under which a mission is open, in words."""
    if printed.year > 0:
        return _("open from year {n}", n=int(printed.year))
    resource = translate_name("resource", RESOURCES[printed.resource].capitalize())
    return _("open: {resource} level {n}", resource=resource, n=int(printed.level))


def _asked_obstacle(box: Any, state: Any, names: Any, printed: Any, index: int) -> list[Any]:
    """The title and the difficulty of an obstacle that a mission asks for."""
    hard = int(box.obstacle[printed.then_card[index]].difficulty + box.rules.harder[state.n_seats])
    return [names["obstacle_title"][printed.then_group[index]], hard]


def clearing_view(box: Any, state: Any) -> dict[str, Any]:
    """The obstacles left at the year's end, each with the sum of the dice that may be paid for it."""
    lies = [
        sum(v * (state.pools[r, v - 1] + sum(here[r, v - 1] for here in state.assets)) for v in range(1, FACES + 1))
        for r in range(RES)
    ]
    rows = []
    for slot in range(SLOTS):
        for card in obstacles_in_pile(state, slot):
            have = sum(n for r, n in enumerate(lies) if n_threat_tags(box, state, card, r))
            rows.append({"id": card, "have": have, "dice": []})
    picked = int(state.frames[state.n_frames - 1].obstacle) if state.phase == P.settle else None
    return {"picked": picked, "paid": [], "rows": rows}


def results_view(state: Any, names: Any) -> list[dict[str, Any]]:
    """The results, already read out, of this session's missions."""
    out = []
    for task in state.tasks:
        if task.mission >= 0 and task.result in (PASSED, FAILED):
            passed = task.result == PASSED
            word = PASSED_WORD if passed else FAILED_WORD
            told = _effects_of_result(names, int(task.mission), word)
            out.append({"mission": names["mission"][task.mission], "passed": bool(passed), "text": told})
    return out

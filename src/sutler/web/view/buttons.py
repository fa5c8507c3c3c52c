"""The buttons of a decision: choices numbered, grouped by the spot of the table they aim at, and laid out in rows."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from sutler.core.actions import ActionTable
from sutler.core.text.language import _
from sutler.core.text.sentences import Choice, number_choices
from sutler.web import sentence_html
from sutler.web.table.table_as_seen import Look


def group_choices_by_spot(
    look: Look, table: ActionTable, by_button: tuple[str, ...] = ()
) -> dict[str, list[dict[str, Any]]]:
    """{spot of the table ("" for none): the choices that aim at it}, numbered as their buttons are.

    `table`: the game's actions; `by_button`: blocks whose actions are chosen by their buttons alone, so that their spots are not lit.
    """
    out: dict[str, list[dict[str, Any]]] = defaultdict(list)
    ordered = sorted(look.choices, key=lambda choice: bool(choice.tone))
    for number, choice in zip(number_choices(ordered), ordered, strict=True):
        label, effect, said = (
            sentence_html.render_sentence(choice.label),
            sentence_html.render_sentence(choice.effect, icons=True),
            _describe_for_screen_reader(choice, look),
        )
        out[choice.at or "" if choice.block not in by_button else ""].append(
            {
                "id": choice.id,
                "name": choice.name,
                "block": choice.block,
                "verb": table.verb(choice.block).split(" ")[0],
                "label": label,
                "text": sentence_html.to_plain_text(choice.label),
                "effect": effect,
                "said": said,
                "by": f"{label}\n{effect}\n{said}\n{choice.tone}",  # plain text, as a cache key for what is drawn from it
                "at": choice.at,
                "acts": choice.at if choice.block not in by_button else "",
                "rule": choice.rule,
                "tone": choice.tone,
                "number": number,
                "times": choice.times,
                "pad": choice.amount is not None and choice.amount == number,
            }
        )
    return dict(out)


def _describe_for_screen_reader(choice: Choice, look: Look) -> str:
    """The words for a choice that a screen reader reads; a bare Yes or No is preceded by its question."""
    told = " ".join(
        part for part in (sentence_html.to_plain_text(choice.label), sentence_html.to_plain_text(choice.effect)) if part
    )
    return f"{told}: {sentence_html.to_plain_text(look.prompt.text)}" if told in (_("Yes"), _("No")) else told


MAX_BUTTONS_IN_ROW = 9
"""The most choices in one row; more of several kinds get a row for each kind."""


def build_button_rows(choices: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Choices as rows of buttons, in two lists: rows that may be scrolled away, and rows that stay in reach.

    A few choices stand in one row; many of several kinds get a row for each kind, under their common words. Folded behind one button are
    roundabout ways that aim at cards or spaces, and several lesser ways to do what a weighty button does. Choices that decline, end or
    confirm something always stay in reach.
    """
    plain = [one for one in choices if not one["tone"]]
    roundabout = [one for one in choices if one["tone"] == "quiet" and one["at"]]
    weighty = {one["verb"] for one in choices if one["tone"] == "commit"}
    lesser = [one for one in choices if one["tone"] == "quiet" and not one["at"] and one["verb"] in weighty]
    lesser = lesser if len(lesser) > 1 else []
    pinned = [one for one in choices if one["tone"] and one not in roundabout and one not in lesser]
    verbs = list(dict.fromkeys(one["verb"] for one in plain))
    groups = []
    if len(plain) > MAX_BUTTONS_IN_ROW and len(verbs) > 1:
        for verb in verbs:
            groups.append(_build_titled_row([one for one in plain if one["verb"] == verb], "row"))
    elif plain:
        groups.append({"kind": "plain", "title": "", "choices": plain})
    for verb in dict.fromkeys(one["verb"] for one in roundabout):
        folded = [one for one in roundabout if one["verb"] == verb]
        groups.append(_build_titled_row(folded, "folded" if len(folded) > 2 else "plain"))
    return groups, _build_pinned_rows(pinned, lesser)


MAX_PINNED = 3
"""The most buttons that fit beside one another on a phone."""


def _build_pinned_rows(pinned: list[dict[str, Any]], lesser: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that stay in reach: one of single buttons, and a folded row for each kind that would not fit beside them."""
    verbs = [one["verb"] for one in pinned if one["tone"] == "quiet"]
    crowds = len(pinned) + bool(lesser) > MAX_PINNED
    several = [verb for verb in dict.fromkeys(verbs) if crowds and verbs.count(verb) > 1]
    single = [one for one in pinned if one["tone"] != "quiet" or one["verb"] not in several]
    rows = [
        _build_titled_row([one for one in pinned if one["tone"] == "quiet" and one["verb"] == verb], "folded")
        for verb in several
    ]
    rows += [{"kind": "plain", "title": "", "choices": single}] if single else []
    return rows + ([_build_titled_row(lesser, "folded")] if lesser else [])


def _build_titled_row(choices: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    """A row whose title is the words that all its choices begin with; the buttons show the rest. `kind`: "row", "folded" or "plain"."""
    texts = [one["text"].split(" ") for one in choices]
    common = 0
    while (
        len(choices) > 1
        and all(len(words) > common + 1 for words in texts)
        and len({words[common] for words in texts}) == 1
    ):
        common += 1
    title = " ".join(texts[0][:common])
    if kind == "plain" or not title:
        return {"kind": "plain" if not title else kind, "title": title or choices[0]["text"], "choices": choices}
    shown = [{**one, "label": " ".join(words[common:])} for one, words in zip(choices, texts, strict=True)]
    return {"kind": kind, "title": title, "choices": shown}

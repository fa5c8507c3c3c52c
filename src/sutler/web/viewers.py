"""Somebody looking at a table, from a seat or from beside it, and the page drawn for them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sutler.web import pages
from sutler.web.charts import score_chart
from sutler.web.protocol import Trouble
from sutler.web.rooms import Look, Room

BOT_WORDS = {"easy": "easy bot", "normal": "steady bot", "hard": "strong bot"}


@dataclass(frozen=True)
class Viewer:
    """Who looks: the seats played from this page (none: a watcher) and the address everything is asked under."""

    room: Room
    seats: tuple[int, ...]
    base: str
    origin: str = ""

    @property
    def is_host(self) -> bool:
        """Whoever opened the table sits on a "me" seat and hands out the links."""
        return any(self.room.seats[seat].kind == "me" for seat in self.seats)

    @property
    def name(self) -> str:
        """What this viewer is called when speaking."""
        return self.room.seats[self.seats[0]].name if self.seats else "a watcher"

    # --- Pages ----------------------------------------------------------------------------------

    def page(self, eyes: int | None = None, moment: int | None = None, **more: Any) -> str:
        """The whole page."""
        return pages.render("table.html", **self._context(eyes, moment), **more)

    def parts(self, eyes: int | None = None, moment: int | None = None, trouble: Trouble | None = None) -> str:
        """What changes on the page, for morphing; with a word about what went wrong, if something did."""
        toast = {"kind": "trouble", "text": trouble.text, "rule": trouble.rule} if trouble else None
        return pages.render("parts/all.html", **self._context(eyes, moment), toast=toast)

    def _context(self, eyes: int | None, moment: int | None) -> dict[str, Any]:
        room = self.room
        with room.lock:
            look = room.look(self.seats, eyes, moment)
            version = room.version
            reasons = self._reasons(look)
            chart = room.chart() if look.over and look.moment is None else []
            asked = room.asked
            talk = list(room.talk)
            seats = list(room.seats)
            can_ask = room.can_ask_back(self.seats)
            next_table = room.next_table
        lit = _lit(look)
        name = room.created.game
        context: dict[str, Any] = {
            "look": look,
            "version": version,
            "base": self.base,
            "watch_url": f"/watch/{room.id}",
            "mine": self.seats,
            "seats": seats,
            "notes": [self._note(room, i, look) for i in range(len(seats))],
            "invites": [self._invite(room, i) for i in range(len(seats))],
            "choices": [one for choices in lit.values() for one in choices],
            "lit": {at: choices for at, choices in lit.items() if at},
            "reasons": reasons,
            "before": look.before,
            "log": self._log(look),
            "talk": talk,
            "asked": {"seat": asked.seat, "mine": asked.seat in self.seats} if asked else None,
            "can_ask": can_ask,
            "next_table": self._next(next_table),
            "where": _where(look),
            "result": sorted(look.result, key=lambda row: (row["place"], row["seat"])),
            "breakdown": _breakdown(look),
            "chart": Markup(score_chart(chart, [seat.name for seat in seats])) if chart else "",
            "game": room.game,
            "name_of_game": name,
            "files": pages.board_files(name),
            "sprite": pages.sprite_url(name),
            "symbol": pages.symbol_finder(name),
            "phase_rules": self._phase_rules(look),
        }
        context["choices"].sort(key=lambda one: one["number"])
        context["board"] = pages.board_module(name, context)
        return context

    def _reasons(self, look: Look) -> dict[str, str]:
        """Why cards in the hand cannot be chosen, while others can."""
        if not look.choices or look.eyes is None:
            return {}
        aimed = {choice.at for choice in look.choices if choice.at}
        if not any(at.startswith("card:") for at in aimed):
            return {}
        out = {}
        for card in look.view["seats"][look.eyes].get("hand", ()):
            at = f"card:{card}"
            if at not in aimed:
                refusals = self.room.refusals(at)
                if refusals:
                    out[at] = refusals[0].text
        return out

    def _note(self, room: Room, seat: int, look: Look) -> str:
        plan = room.seats[seat]
        if plan.kind == "bot":
            who = BOT_WORDS[plan.level]
        elif plan.kind == "file":
            who = "from the file"
        elif seat in self.seats:
            who = "you" if len(self.seats) == 1 else "this screen"
        elif not room.taken[seat]:
            who = "waiting for a friend"
        else:
            who = "friend" if self.seats else "a person"
        if look.to_act == seat and look.moment is None and not look.over:
            return f"{who} · {'thinking' if plan.kind == 'bot' else 'to decide'}"
        return who

    def _invite(self, room: Room, seat: int) -> str:
        if self.is_host and room.seats[seat].kind == "link" and not room.taken[seat]:
            return f"{self.origin}/seat/{room.token(seat)}"
        return ""

    def _next(self, table: str) -> str:
        """Where the rematch is, for this viewer."""
        if not table:
            return ""
        if not self.seats:
            return f"/watch/{table}"
        return f"/seat/{self.room.house.room(table).token(self.seats[0])}"

    def _log(self, look: Look) -> list[dict[str, Any]]:
        lines, marked = [], False
        for line in look.log:
            news = bool(self.seats) and line.decision > look.since > 0 and look.moment is None
            lines.append(
                {
                    "index": line.index,
                    "decision": line.decision,
                    "heading": _heading(line),
                    "icon": line.icon,
                    "words": Markup(pages.plain(line.sentence).capitalize()) if line.heading else pages.words(line.sentence),
                    "rule": line.rule,
                    "news": news,
                    "mark": news and not marked,
                }
            )
            marked = marked or news
        return lines

    def _phase_rules(self, look: Look) -> list[Any]:
        chapter = str(look.prompt.rule).split(".")[0]
        return [p for p in self.room.game.guide.paragraphs if chapter and p.number.split(".")[0] == chapter]

    def why(self, at: str) -> str:
        """Why nothing can be done at a spot: the rules' reasons, or whose turn it is."""
        room = self.room
        with room.lock:
            to_act = room.pos.seat
            refusals = room.refusals(at) if to_act in self.seats else []
            text = "Nothing can be done here just now."
            if room.pos.over:
                text = "The game is over."
            elif not self.seats:
                text = "You are watching."
            elif to_act is not None and to_act not in self.seats:
                text = f"{room.seats[to_act].name} is to decide; wait for your turn."
        return pages.render("parts/why.html", refusals=refusals[:4], text=text)

    def explain(self, kind: str, key: str) -> str:
        """A few words about a thing on the table."""
        room = self.room
        with room.lock:
            view = room.pos.view(None)
        if kind == "rule":
            paragraph = room.game.guide.find(key)
            return pages.render("parts/one_rule.html", p=paragraph) if paragraph else ""
        name = room.created.game
        context = {"lit": {}, "reasons": {}, "before": None, "symbol": pages.symbol_finder(name)}
        return str(pages.board_module(name, context).explain(kind, key, view)).strip()


def _lit(look: Look) -> dict[str, list[dict[str, Any]]]:
    """Choices by the spot they aim at ("" for none), in order, numbered as the buttons are."""
    out: dict[str, list[dict[str, Any]]] = defaultdict(list)
    pushed = False
    plain = [choice for choice in look.choices if not choice.tone]
    for number, choice in enumerate([*plain, *(choice for choice in look.choices if choice.tone)], 1):
        push = bool(choice.tone) and not pushed and bool(plain)
        pushed = pushed or push
        out[choice.at or ""].append(
            {
                "id": choice.id,
                "name": choice.name,
                "label": pages.words(choice.label),
                "effect": pages.words(choice.effect, icons=True),
                "said": " ".join(part for part in (pages.plain(choice.label), pages.plain(choice.effect)) if part),
                "at": choice.at,
                "rule": choice.rule,
                "tone": choice.tone,
                "number": number,
                "push": push,
            }
        )
    return dict(out)


def _heading(line: Any) -> str:
    """ "turn" for the headings that open the game's largest part, "part" for smaller ones, "" for plain lines."""
    if not line.heading:
        return ""
    return "part" if line.kind in ("phase", "stage", "part") else "turn"


def _where(look: Look) -> str:
    labels = dict(look.view.get("phases", ()))
    turn = f"turn {look.view['turn']}" if "turn" in look.view else ""
    return ", ".join(part for part in (turn, labels.get(look.view.get("phase"), "")) if part)


def _breakdown(look: Look) -> list[tuple[Any, str, list[float | None]]]:
    """Rows of the reckoning: what counted, the paragraph, and each seat's points for it, best seat first."""
    rows: dict[str, tuple[Any, str, list[float | None]]] = {}
    ranked = sorted(look.result, key=lambda row: (row["place"], row["seat"]))
    for column, row in enumerate(ranked):
        for line in row["lines"]:
            label = pages.plain(line.label)
            entry = rows.setdefault(label, (line.label, line.rule, [None] * len(ranked)))
            entry[2][column] = line.points
    return list(rows.values())

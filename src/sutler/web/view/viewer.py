"""A viewer of a table, from a seat or as a watcher, and the pages rendered for them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sutler.core.text.language import _
from sutler.core.text.sentences import Sum
from sutler.web.accounts import ignore_list
from sutler.web.errors import RequestError
from sutler.web.root_path import get_root_path
from sutler.web.table import changed_rules, out_of_turn, proposals, settings, verifiable_shuffle
from sutler.web.table.best_turns import may_be_analysed
from sutler.web.table.people import feedback, joining, subscribers
from sutler.web.table.room import Room
from sutler.web.table.table_as_seen import (
    Look,
    build_chance_chart,
    build_look,
    build_score_chart,
    can_ask_for_undo,
    choose_viewing_seat,
    find_lead_changes,
    get_view_at,
    list_refusals,
    why_not_part,
)
from sutler.web.table.teaching import lessons, puzzles
from sutler.web.table.teaching.turning_points import Review, TurningPoint, get_known_review
from sutler.web.view import buttons, final_scores, game_log, jinja_templates, page_parts, people_panel, recent_moves
from sutler.web.view import standing_orders as order_panel
from sutler.web.view.fast_jinja import SharedContext
from sutler.web.view.final_scores import draw_score_chart, has_different_values
from sutler.web.view.page_parts import EMPTY_PAGE, PageState
from sutler.web.view.people_panel import build_people_context
from sutler.web.view.recent_moves import NewsRequest

MAX_TALK_SHOWN = 40
"""Lines of chat on the table's page; older ones are on pages of their own."""
TALK_PAGE_LINES = 200
"""Lines of chat on one page of older lines."""
SHORT_NUMBER = re.compile("[0-9]{1,7}")
"""The form of a number in a page's report of how far its log has come; clients may send anything."""


@dataclass(frozen=True)
class Viewer:
    """A viewer of a table: the seats played from their page (none for a watcher), and the address of their requests (`base`).

    `origin`: scheme and host of the server, for links to hand out.
    """

    room: Room
    seats: tuple[int, ...]
    base: str
    origin: str = ""
    push_key: str = ""
    """The public key with which a browser asks to be notified of turns; "" where this server sends no notices."""
    browser: str = ""
    """The hash of the viewer's cookie; "" where there is none."""

    @property
    def is_host(self) -> bool:
        """Does this viewer hold a seat of the person who opened the table? They hand out the links for friends."""
        return any(self.room.seats[seat].kind == "me" for seat in self.seats)

    @property
    def name(self) -> str:
        """The name under which this viewer's chat lines stand."""
        return self.room.seats[self.seats[0]].name if self.seats else _("a watcher")

    # --- Pages ----------------------------------------------------------------------------------

    def render_page(self, eyes: int | None = None, moment: int | None = None, muted: str = "", **more: Any) -> str:
        """The whole page as HTML.

        `eyes`: the seat whose view is wanted; `moment`: the number of decisions made at an earlier moment, None for now; `muted`: a text
        that replaces the form for chat.
        """
        context = page_parts.add_parts_to_context(self._build_context(eyes, moment))
        return jinja_templates.render("table.html", **context, muted=muted, **more)

    def render_changed_parts(
        self,
        eyes: int | None = None,
        moment: int | None = None,
        trouble: RequestError | None = None,
        shown: PageState = EMPTY_PAGE,
        news: NewsRequest | None = None,
    ) -> str:
        """The parts of the page that differ from those it shows, as HTML.

        `eyes`: the seat whose view is wanted; `moment`: the number of decisions made at an earlier moment; `trouble`: an error to show;
        `shown`: the state that the page sent; `news`: include others' moves, and if they are to be followed, show the table after the
        first.
        """
        told = ""
        if news is not None and moment is None:
            told, first = self._render_news(news)
            moment = first
        toast = {"kind": "trouble", "text": trouble.text, "rule": trouble.rule} if trouble else None
        answer, toast = (trouble.text, None) if trouble and self.room.created.lesson else ("", toast)
        context = page_parts.add_parts_to_context(self._build_context(eyes, moment, shown.log, answer), shown.parts)
        context["toast"] = toast
        context["acts_told"] = Markup(told)
        return jinja_templates.render_with("parts/all.html", context)

    def _build_context(self, eyes: int | None, moment: int | None, known: str = "", answer: str = "") -> SharedContext:
        """The context for rendering the page.

        `known`: the page's mark of how far its log has come; `answer`: a lesson's reply to a click.
        """
        room, ignored = self.room, self._find_ignored_seats()
        if moment is None:
            proposals.mark_seen(room, self.seats)
        with room.lock:
            seen = build_look(room, self.seats, eyes, moment)
            seen = replace(seen, choices=lessons.limit_times(room, seen.choices))
            count, curve_word = jinja_templates.read_score_curve(room.created.game)
            ended = seen.over and seen.moment is None
            scores = build_score_chart(room, count) if ended else []
            odds = build_chance_chart(room) if ended else []
            read = self._build_room_context(seen, answer) | {"ignored": ignored}
        log_told, log_goes_on, log_lines = self._render_log(seen, known)
        arms = seen.view.get("arms") or [i % 6 + 1 for i in range(len(read["seats"]))]
        context = (
            read
            | self._build_choices_context(seen)
            | self._build_people_context(seen)
            | self._build_final_scores_context(seen, scores, odds, arms)
        )
        context |= {
            "look": seen,
            "arms": arms,
            "before": seen.before,
            "log_told": log_told,
            "log_goes_on": log_goes_on,
            "log_lines": log_lines,
            "curve_word": curve_word,
            "where": jinja_templates.describe_moment(room.created.game, seen.view) if seen.moment is not None else "",
            "phase_rules": self._find_phase_rules(seen),
            "drawn": room.cache.parts,
            "next_table": self._build_rematch_url(
                read["next_table"]
            ),  # it may load another room: never while holding this room's lock
        }
        name = room.created.game
        context |= {
            "game": room.game,
            "name_of_game": name,
            "files": jinja_templates.board_file_urls(name),
            "sprite": jinja_templates.sprite_url(name),
            "symbol": jinja_templates.make_symbol_finder(name),
            "shields": jinja_templates.get_shield_prefix(name),
            "charges": jinja_templates.read_shield_charges(name),
        }
        whole = jinja_templates.build_shared_context(context)
        whole.update(jinja_templates.load_shared_macros(whole))
        whole["board"] = jinja_templates.load_board_macros(name, whole)
        return whole

    def _describe_moment_before(self, decision: int, has_phase: bool = True) -> str:
        """The moment before a decision in the words of the game's board, such as "1636, Battle"; the decision's number without a board.

        `has_phase`: False for the turn alone.
        """
        with self.room.lock:
            then = self.room.pos.at(decision).view(None)
        return jinja_templates.describe_moment(self.room.created.game, then, has_phase) or _("decision {n}", n=decision)

    def _add_moments_to_review(self, found: Review) -> list[tuple[str, TurningPoint]]:
        """The turning points of a finished game, each with its moment in words."""
        return [(self._describe_moment_before(one.decision), one) for one in found.points]

    def _build_room_context(self, seen: Look, answer: str) -> dict[str, Any]:
        """The part of the context that is read from the room under its lock. `answer`: a lesson's reply to a wrong click."""
        room = self.room
        talk = room.talk[-MAX_TALK_SHOWN:]
        asked = room.asked
        return {
            "version": subscribers.compute_page_version(room, self.seats),
            "seats": list(room.seats),
            "reasons": self._list_card_reasons(seen),
            "talk": talk,
            "earlier": len(room.talk) - len(talk),
            "asked": {"seat": asked.seat, "mine": asked.seat in self.seats} if asked else None,
            "bell": self.push_key if self.seats and not room.created.lesson else "",
            "has_orders": bool(self.seats and room.game.definition.orders and not room.created.lesson),
            "orders": order_panel.build_orders_panel(room, self.seats, seen),
            "telling": feedback.build_feedback_panel(room, self.seats),
            "proposed": proposals.build_proposal_panel(room, self.seats) if seen.moment is None else None,
            "can_ask": can_ask_for_undo(room, self.seats),
            "next_table": room.next_table,
            "shuffle": verifiable_shuffle.build_shuffle_panel(room, self.seats),
            "broken": room.broken,
            "saved_since": changed_rules.was_saved_since_start(room),
            "kept_state": room.kept_state,
            "lesson": puzzles.build_puzzle_panel(room, answer) or lessons.build_lesson_panel(room, seen, answer),
            **build_people_context(room, self.seats, seen),
        }

    def _build_choices_context(self, seen: Look) -> dict[str, Any]:
        """The part of the context about choices: as rows of buttons, and grouped by the spot of the table that they aim at."""
        by_button = jinja_templates.list_blocks_chosen_by_button(self.room.created.game).get(
            str(seen.view.get("step", "")), ()
        )
        lit = buttons.group_choices_by_spot(seen, self.room.game.definition.actions, tuple(by_button))
        listed = sorted((one for choices in lit.values() for one in choices), key=lambda one: one["number"])
        offered, pinned = buttons.build_button_rows(listed)
        more_to_do = any(not one["tone"] for one in listed)
        return {
            "offered": offered,
            "pinned": pinned,
            "more_to_do": more_to_do,
            "lit": {at: choices for at, choices in lit.items() if at},
        }

    def _build_people_context(self, seen: Look) -> dict[str, Any]:
        """The part of the context about people: seats, watchers, and their addresses."""
        room = self.room
        made = room.created
        return {
            "base": self.base,
            "table_id": room.id,
            "watch_url": f"{self.origin}/watch/{room.id}" if made.open_to_watch else "",
            "origin": self.origin,
            "mine": self.seats,
            "others": self._list_reportable_people(),
            "notes": [self._describe_seat(room, i, seen) for i in range(len(room.seats))],
            "invites": [self._build_invitation_url(room, i) for i in range(len(room.seats))],
            "coach": made.coach and bool(self.seats),
            "agreed_on": settings.describe_agreement(made),
        }

    def _find_ignored_seats(self) -> frozenset[int]:
        """The seats whose people this viewer has muted for themselves; it is looked up only where other people play."""
        if not self.browser or not self._list_reportable_people():
            return frozenset()
        return ignore_list.find_ignored_seats(self.room.services.store, self.browser, self.room.id)

    def _list_reportable_people(self) -> list[tuple[int, str]]:
        """(seat, name) of the people whom this viewer may report: all who play here except the viewer; none for a watcher."""
        if not self.seats:
            return []
        people = [(i, one.name) for i, one in enumerate(self.room.seats) if one.kind in ("me", "link")]
        return [(seat, name) for seat, name in people if seat not in self.seats]

    def _build_final_scores_context(self, seen: Look, scores: Any, odds: Any, arms: list[int]) -> dict[str, Any]:
        """The part of the context about final scores.

        `scores`, `odds`: charts of scores and of chances to win; `arms`: colours of the seats.
        """
        names = [seat.name for seat in self.room.seats]
        if team := bool(
            self.room.game.definition.COOPERATIVE
        ):  # one column and one curve, since all seats have the same score
            scores, odds = ([(decision, row[:1]) for decision, row in one] for one in (scores, odds))
        turning = find_lead_changes(scores)
        led = {decision: max(range(len(row)), key=row.__getitem__) for decision, row in scores}
        review = get_known_review(self.room) if seen.over else None
        chances = _("Chances to win before the last decision, in %")
        stand_on, who = jinja_templates.read_shield_charges(self.room.created.game), [_("all")] if team else names
        return {
            "team": team,
            "result": final_scores.rank_seats(seen, team),
            "breakdown": final_scores.build_breakdown(final_scores.rank_seats(seen, team)),
            "verdict": "" if team else final_scores.describe_winner(seen, names),
            "chart": Markup(draw_score_chart(scores, who, arms, stand_on, turning))
            if has_different_values(scores)
            else "",
            "odds": Markup(draw_score_chart(odds, who, arms, stand_on, description=chances, least_axis_end=100))
            if odds
            else "",
            "odds_most": int(max((row[0] for _, row in odds), default=0)),
            "turning": [
                {
                    "decision": decision,
                    "seat": led[decision],
                    "when": self._describe_moment_before(decision, has_phase=False),
                }
                for decision in turning
            ],
            "leanings": people_panel.list_bot_styles_in_words(self.room),
            "may_review": seen.over and may_be_analysed(self.room),
            "review": review,
            "dated": self._add_moments_to_review(review) if review else [],
        }

    def _list_card_reasons(self, look: Look) -> dict[str, str]:
        """{"card:NAME": the reason why it cannot be chosen} for the viewer's hand, if other cards in it can be chosen."""
        if not look.choices or look.eyes is None:
            return {}
        hand = list(look.view["seats"][look.eyes].get("hand", ()))
        aimed = {choice.at for choice in look.choices if choice.at and not choice.tone}
        offered = [choice for choice in look.choices if choice.at and choice.at.startswith("card:") and not choice.tone]
        blocks = list(dict.fromkeys(choice.block for choice in offered if choice.at and choice.at[5:] in hand))
        names = list(self.room.game.names.get("card", ()))
        out = {}
        for card in hand:
            if f"card:{card}" not in aimed:
                number = names.index(card) if card in names else -1
                told = next((said for block in blocks if (said := why_not_part(self.room, block, number))), "")
                if told:
                    out[f"card:{card}"] = told
        return out

    def _describe_seat(self, room: Room, seat: int, look: Look) -> str:
        """A few words about a seat: who plays it, and what they are doing."""
        plan = room.seats[seat]
        if plan.kind == "bot":
            called = {"easy": _("easy bot"), "normal": _("normal bot"), "hard": _("hard bot")}
            leans = people_panel.list_bot_styles_in_words(room)[seat]
            named = _("bot that leans to {what}", what=leans) if leans else _("{level} bot", level=plan.level)
            who = called.get(plan.level, named)
        elif plan.kind == "file":
            made = room.created.lesson
            who = _("in the puzzle") if puzzles.is_puzzle(made) else _("in the lesson") if made else _("from the file")
        elif seat in self.seats:
            who = _("you") if len(self.seats) == 1 else _("this screen")
        elif not room.persons_have_come[seat] and plan.open and room.chairs.waiting:
            who = _("free: anybody may sit down")
        elif not room.persons_have_come[seat]:
            anew = verifiable_shuffle.may_change_deal(room)
            who = _("not here yet; cards are shuffled when they join") if anew else _("not here yet")
        else:
            who = _("friend") if self.seats else _("a person")
        if seat in room.chairs.stood_in:
            who = _("a bot plays for you") if seat in self.seats else _("a bot plays on")
            thinks = look.to_act == seat and look.moment is None and not look.over
            return f"{who} · " + _("thinking") if thinks else who
        if look.to_act == seat and look.moment is None and not look.over and not room.chairs.waiting:
            return f"{who} · " + (_("thinking") if plan.kind == "bot" else _("to decide"))
        return who

    def _build_invitation_url(self, room: Room, seat: int) -> str:
        """The address of the invitation to a seat, for the host to hand out; "" where there is none."""
        if self.is_host and room.seats[seat].kind == "link" and (token := joining.create_invitation_token(room, seat)):
            return f"{self.origin}/invited/{token}"
        return ""

    def _build_rematch_url(self, table: str) -> str:
        """The address of the rematch for this viewer; "" where there is none. `table`: its id."""
        if not table:
            return ""
        if not self.seats:
            return f"{get_root_path()}/watch/{table}"
        token = self.room.services.room_of(table).make_seat_token(
            joining.compute_rematch_seat(self.room, self.seats[0])
        )
        return f"{get_root_path()}/seat/{token}"

    def _render_log(self, look: Look, known: str) -> tuple[str, bool, Markup]:
        """(a mark of how far the log has come, whether it continues from the page's mark `known`, the missing lines as HTML)."""
        told = f"{self.room.cache.epoch}.{look.eyes}."
        start = 0
        if known.startswith(told) and SHORT_NUMBER.fullmatch(known, len(told)):
            start = min(int(known[len(told) :]), len(look.log))
        actors = [seat for seat, _ in self.room.actions]
        lines = Markup(
            game_log.render_lines(look.log, actors, self.room.pos.speaker, self.room.created.game, look.view, start)
        )
        if not look.begun:
            lines = Markup('<li class="none">{}</li>').format(_("The log begins with the game."))
        elif not start:
            lines = people_panel.render_bot_styles(self.room) + lines
        return f"{told}{len(look.log)}", start > 0, lines

    def _find_phase_rules(self, look: Look) -> tuple[Any, ...]:
        """The paragraphs of the guide's chapter on the present decision."""
        chapter = str(look.prompt.rule).split(".")[0]
        return tuple(p for p in self.room.game.guide.paragraphs if chapter and p.number.split(".")[0] == chapter)

    def render_acts(self, since: int) -> str:
        """The acts after decision `since` as HTML, one for each decision."""
        return self._render_news(NewsRequest(since))[0]

    def _render_news(self, news: NewsRequest) -> tuple[str, int | None]:
        """(the acts as HTML, the moment from which on they are followed one by one; None where they are not)."""
        room = self.room
        with room.lock:
            eyes = choose_viewing_seat(room, self.seats, None, room.decision)[0]
            told = recent_moves.list_acts_since(room, eyes, news.since)
            asked = room.pos.over or room.pos.seat in self.seats
            decision = room.decision
        symbol = jinja_templates.make_symbol_finder(room.created.game)
        first = None if news.at_once else recent_moves.find_first_act_to_follow(told, self.seats, asked)
        html = jinja_templates.render(
            "parts/acts.html",
            acts=told,
            mine=self.seats,
            decision=decision,
            symbol=symbol,
            followed=first is not None,
        )
        return html, None if first is None else first.decision

    def render_older_chat(self, before: int | None, theme: str) -> str:
        """A page of older chat lines as HTML, ending before line number `before` (None: with the newest)."""
        with self.room.lock:
            words = list(self.room.talk)
        end = len(words) if before is None else min(before, len(words))
        first = max(0, end - TALK_PAGE_LINES)
        title = self.room.game.title
        return jinja_templates.render(
            "said.html",
            said=words[first:end],
            ignored=self._find_ignored_seats(),
            first=first,
            of=len(words),
            title=title,
            base=self.base,
            theme=theme,
            sprite=jinja_templates.sprite_url(),
        )

    def render_review(self, found: Review) -> str:
        """The turning points of a game that is over, as a part of its end page."""
        return jinja_templates.render(
            "parts/review.html",
            review=found,
            dated=self._add_moments_to_review(found),
            seats=list(self.room.seats),
            base=self.base,
            mine=self.seats,
        )

    def explain_refusal(self, spot: str) -> str:
        """The reason why nothing can be done at a spot, as HTML: the rules' refusals, the present question, or whose turn it is."""
        room = self.room
        with room.lock:
            to_act = room.pos.seat
            begun = not room.chairs.waiting
            is_asked = begun and (to_act in self.seats or (bool(self.seats) and out_of_turn.asks_whole_team(room)))
            found = list_refusals(room, spot) if is_asked else []
            asked = room.pos.prompt(to_act) if is_asked and to_act in self.seats else None
            text = _("Nothing can be done here just now.")
            if not begun:
                text = _("The game has not begun.")
            elif room.pos.over:
                text = _("The game is over.")
            elif not self.seats:
                text = _("You are watching.")
            elif to_act is not None and not is_asked:
                text = _("{name} is to decide; wait for your turn.", name=room.seats[to_act].name)
        return jinja_templates.render("parts/why.html", refusals=found[:4], text=text, asked=asked)

    def explain_number(self, number: str, moment: int | None) -> str:
        """A number on the table broken down into its parts with their paragraphs, as HTML; "" where it has none.

        `number`: such as "score:0"; `moment`: the number of decisions made at an earlier moment, None for now.
        """
        room = self.room
        with room.lock:
            shown = room.pos if moment is None or moment >= room.decision else room.pos.at(moment)
            lines = [] if room.chairs.waiting else shown.account(number)
            names = [seat.name for seat in room.seats]
        if not lines:
            return ""
        kind, _colon, key = number.partition(":")
        about = key.split(":")[0]
        row = (room.game.definition.SUMS or {}).get(kind, Sum(f"{about}: {kind}"))
        if kind == "score":
            title = _("{name}’s score", name=names[int(about)])
        else:
            title = room.game.tongue(row.title, "sum").format(what=room.game.tongue(about, row.of))
            title = title[:1].upper() + title[1:]
        return jinja_templates.render(
            "parts/sum.html",
            lines=lines if row.zeros else [line for line in lines if line.points] or lines,
            title=title,
            one_sum=not row.apart,
        )

    def explain_thing(self, kind: str, key: str, moment: int | None = None) -> str:
        """A short explanation of a thing on the table as HTML; for a number (`kind` "sum"), its parts.

        `kind`, `key`: such as "card" and its name; `moment`: as in `explain_number`.
        """
        room = self.room
        if kind == "sum":
            return self.explain_number(key, moment)
        with room.lock:
            view, parts_of = get_view_at(room, None, room.decision), room.pos.account
        if kind == "rule":
            paragraph = room.game.guide.find_paragraph(key)
            return jinja_templates.render("parts/one_rule.html", p=paragraph) if paragraph else ""
        name = room.created.game
        context = {
            "lit": {},
            "reasons": {},
            "before": None,
            "symbol": jinja_templates.make_symbol_finder(name),
            "parts_of": parts_of,
        }
        return str(jinja_templates.load_board_macros(name, context).explain(kind, key, view)).strip()

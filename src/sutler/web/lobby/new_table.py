"""New tables: from the form, as a rematch, from a decision of a finished game, for a lesson; and the page of an invitation."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from sutler.bots import build_style_spec, load_levels
from sutler.core.text.language import _
from sutler.core.text.lesson import Lesson, build_opening_position
from sutler.web import sentence_html
from sutler.web.errors import Lost, Refused, Secret
from sutler.web.events import MAX_SEATS, Created, Joined, OptionValue, Rematch, SeatPlan
from sutler.web.game_shelf import Shelf
from sutler.web.lobby.late_start import replay_earlier_part
from sutler.web.table import changed_rules
from sutler.web.table.people import joining
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.settings import describe_agreement, get_lab_notice, parse_settings
from sutler.web.table.teaching.lessons import find_lesson
from sutler.web.tokens import hash_browser
from sutler.web.typed_text import MAX_NAME_CHARS, clean_text, make_unique_name
from sutler.web.view import jinja_templates

BOT_NAMES = ("Agnes", "Perrin", "Osric", "Hilde", "Wulf", "Tamsin", "Ebba")


def make_default_name(browser: str) -> str:
    """The name of a person who has not given one, always the same for one browser (its cookie)."""
    return BOT_NAMES[int(hash_browser(browser)[:4], 16) % len(BOT_NAMES)]


def draw_seed() -> int:
    """A random seed of 60 bits for a new game."""
    return secrets.randbits(60)


def plan_from_form(house: House, form: Mapping[str, str], name: str) -> Created:
    """The plan of a new table from the form's fields. `name`: of the person who opens it.

    Raises Refused where it does not fit the game.
    """
    game_name = form.get("game", "")
    game = house.shelf.load_box_summary(game_name)
    seats = _seats_from_form(form, min(int(game.max_seats), MAX_SEATS), name)
    offered = any(plan.open for plan in seats)
    if any(plan.kind == "link" for plan in seats) and all(plan.kind != "me" for plan in seats):
        raise Refused("A friend is invited from a seat of yours: sit down at the table too.")
    if not game.min_seats <= len(seats) <= game.max_seats:
        raise Refused(
            "{game} is for {least} to {most} seats; you have set {n}.",
            game=game.title,
            least=game.min_seats,
            most=game.max_seats,
            n=len(seats),
        )
    options: dict[str, OptionValue] = {}
    for option in game.options:
        raw = form.get(f"option_{option.name}")
        value = _parse_option(
            option,
            sentence_html.get_game_texts(game_name)(option.label),
            raw,
            is_from_page="game" in form and "seat_0" in form,
        )
        if value != option.default:
            options[option.name] = value
    loaded = house.shelf.load_game(game_name, options)  # RequestError for an option that does not fit
    try:
        return Created(
            game=game_name,
            options=options,
            seed=draw_seed(),
            seats=tuple(assign_bot_styles(seats, loaded.definition.plans) if form.get("styles") == "yes" else seats),
            open_to_watch=_is_open_to_watch(form.get("watch", ""), seats),
            box_hash=str(loaded.box_hash),
            coach=form.get("coach") == "yes",
            newcomers=offered and form.get("newcomers") == "yes",
            **parse_settings(form) | ({"waits": True} if offered else {}),
        )
    except ValidationError as error:
        raise Refused("This table cannot be set: {what}.", what=error.errors()[0]["msg"]) from None


def _seats_from_form(form: Mapping[str, str], max_seats: int, name: str) -> list[SeatPlan]:
    """The seats that a form fills, at most `max_seats`. Raises Refused for an unknown kind of seat.

    `name`: of the person who opens the table.
    """
    seats: list[SeatPlan] = []
    for i in range(max_seats):
        kind = form.get(f"seat_{i}", "none")
        if kind == "none":
            continue
        # a bot beside a person named Perrin takes another name, instead of "Perrin 2"
        taken = {name.casefold(), *(one.name.casefold() for one in seats)}
        spare = next((one for one in (BOT_NAMES[i], *BOT_NAMES) if one.casefold() not in taken), BOT_NAMES[i])
        fallback = name if kind == "me" and not seats else spare
        called = clean_text(form.get(f"name_{i}", ""))[:MAX_NAME_CHARS].strip() or fallback
        called = make_unique_name(called, [one.name for one in seats])
        if kind in ("me", "link", "open"):
            seats.append(SeatPlan(kind="me" if kind == "me" else "link", name=called, open=kind == "open"))
        elif kind in load_levels():
            seats.append(SeatPlan.model_validate({"kind": "bot", "name": called, "level": kind}))
        else:
            raise Refused(
                "A seat is for me, a friend by link, or a bot ({levels}); not for {kind!r}.",
                levels=", ".join(load_levels()),
                kind=kind[:40],
            )
    return seats


def assign_bot_styles(seats: list[SeatPlan], plans: Sequence[str]) -> list[SeatPlan]:
    """The seats, each normal bot with a style of play: a plan of the game at random, all different as long as there are enough."""
    drawn: list[str] = []
    for i, plan in enumerate(seats):
        if plans and plan.kind == "bot" and plan.level == "normal":
            drawn.append(secrets.choice([one for one in plans if one not in drawn] or plans))
            seats[i] = plan.model_copy(update={"level": build_style_spec(drawn[-1])})
    return seats


def _is_open_to_watch(form_value: str, seats: list[SeatPlan]) -> bool:
    """May strangers watch? If the form does not say ("yes", "no"), they may unless a friend is invited."""
    kinds = {plan.kind for plan in seats}
    if form_value == "no" and "me" not in kinds:
        raise Refused("Nobody could ever see this table: sit down yourself, or let it be watched.")
    return form_value == "yes" or (form_value != "no" and "link" not in kinds)


def _parse_option(option: Any, label: str, raw: str | None, is_from_page: bool) -> OptionValue:
    """An option's value from a form field (`raw`); raises Refused where it does not fit. `label`: the option's name for people.

    `is_from_page`: does the form come from a page? Browsers do not send checkboxes that are not ticked.
    """
    default: OptionValue = option.default
    if option.kind == "flag":
        return raw is not None if is_from_page else default
    if raw is None or raw == "":
        return default
    if option.kind == "number":
        try:
            return int(raw)
        except ValueError:
            raise Refused(
                "{option}: a number is asked for, not {raw!r}.",
                option=label,
                raw=raw[:40],
            ) from None
    if option.kind == "choice":
        for choice in option.choices:
            if str(choice.value) == raw:
                value: OptionValue = choice.value
                return value
        raise Refused("{option}: there is no choice {raw!r}.", option=label, raw=raw[:40])
    return raw[:400]


def render_invitation(room: Room, seat: int, base: str, name: str, theme: str, site: str) -> str:
    """The page on which a person takes a seat (kept for a friend, or open to anybody), as HTML.

    `base`: the address of the page; `name`: the visitor's; `site`: scheme and host, for previews of the link.
    """
    cover = jinja_templates.cover_picture_url(room.game.name)
    return jinja_templates.render(
        "invitation.html",
        seat=seat,
        seats=room.seats,
        game=room.game,
        base=base,
        address=site + base,
        cover=cover,
        picture=cover and site + cover,
        picture_size=(jinja_templates.COVER_WIDTH_PX, jinja_templates.COVER_HEIGHT_PX),
        name=name or room.seats[seat].name,
        theme=theme,
        sprite=jinja_templates.sprite_url(),
        open=room.seats[seat].open,
        terms=describe_agreement(room.created.model_copy(update={"counts": False})),
        counted=get_lab_notice() if room.created.counts else "",
        host=next((plan.name for plan in room.seats if plan.kind == "me"), _("Somebody")),
    )


# --- A rematch --------------------------------------------------------------------------------------


def open_rematch(house: House, room: Room, seats: tuple[int, ...]) -> Room:
    """Open the next table, or find the one that was opened already: the same people, each moved by one seat, and a new deal.

    The player of the first seat gets the last one. If the file of a card game was saved since this table began, the new table uses it.
    `seats`: those of the person who asks for it.
    """
    with room.lock:
        if room.next_table:
            return house.get_room(room.next_table)
        turned = [*range(1, len(room.seats)), 0]
        update = {"seed": draw_seed(), "after": room.id, "nonce": "", "seal": "", "waits": False}
        update["seats"] = tuple(room.seats[seat] for seat in turned)
        before = (
            changed_rules.use_saved_file(room.created) if changed_rules.was_saved_since_start(room) else room.created
        )
        created = replay_earlier_part(house, before.model_copy(update=update))
        following = house.open_table(Created.model_validate(created.model_dump()))
        for there, seat in enumerate(turned):
            if room.seats[seat].kind == "link" and room.persons_have_come[seat]:
                following.commit_events(Joined(seat=there, name=room.seats[seat].name))
        room.commit_events(Rematch(table=following.id, name=room.seats[seats[0]].name, turned=1))
        for browser, held in house.store.load_browsers_at_table(room.id).items():  # so it stands in their lobby at once
            house.store.record_seats(browser, following.id, [joining.compute_rematch_seat(room, seat) for seat in held])
        return following


def open_game_again(house: House, table: str, browser: str) -> tuple[Room, int]:
    """(the table at which the people of a finished game play again, this person's seat there).

    A rematch that somebody has opened already is found; where it is over too, the next one is opened. `browser`: the hash of the person's
    cookie. Raises Lost where the person has no seat at the table, Refused while its game goes on or where it was a lesson.
    """
    held = house.store.load_seats_of_browser(browser).get(table)
    if held is None:
        raise Lost("There is no such table.")
    room, seats = house.get_room(table), tuple(held)
    if room.created.lesson or not room.pos.over:
        raise Refused("A rematch is for those who have played to the end.")
    while room.pos.over:
        following = open_rematch(house, room, seats)
        seats = tuple(joining.compute_rematch_seat(room, seat) for seat in seats)
        room = following
    return room, seats[0]


# --- Playing on from a finished game ----------------------------------------------------------------


def continue_from_decision(house: House, room: Room, seats: tuple[int, ...], decision: int) -> tuple[Room, int]:
    """(a new table at which a finished game goes on from one of its decisions, this person's seat there); bots take the other seats.

    `seats`: this person's in the finished game; a watcher gets the seat that decided. Raises Secret while the game goes on, since its
    hidden cards would be shown.
    """
    with room.lock:
        if not room.pos.over:
            raise Secret("A game can be played otherwise when it is over.")
        if not 0 <= decision < room.decision:
            raise Refused("The game has {n} decisions; choose one of them.", n=room.decision)
        then = room.pos.at(decision)
        assert then.seat is not None, "somebody decided there"
        seat = then.seat if then.seat in seats or not seats else seats[0]
        opening = base64.b64encode(then.to_bytes()).decode()
        update: dict[str, Any] = {
            "seed": draw_seed(),
            "opening": opening,
            "seats": tuple(_plan_seats_with_bots(room.seats, seat)),
        }
    update |= {"after": "", "before": "", "nonce": "", "seal": "", "lesson": "", "script": {}, "clock": None}
    update |= {"waits": False, "counts": False, "patience": 0, "open_to_watch": False}
    created = room.created.model_copy(update=update)
    return house.open_table(Created.model_validate(created.model_dump())), seat


def _plan_seats_with_bots(plans: Sequence[SeatPlan], seat: int) -> list[SeatPlan]:
    """The plans of the seats with a person in `seat` and bots in all others; seats that were bots keep their level."""
    found = [plan if plan.kind == "bot" else SeatPlan(kind="bot", name=plan.name) for plan in plans]
    found[seat] = SeatPlan(kind="me", name=plans[seat].name)
    return found


# --- The table of a lesson ---


def plan_lesson_table(house: House, game_name: str, name: str) -> Created:
    """The plan of the table for one of a game's own lessons. Raises Lost when there is no such lesson."""
    return plan_from_lesson(house.shelf, find_lesson(house.shelf, game_name, name), name)


def plan_from_lesson(shelf: Shelf, lesson: Lesson, name: str, script: dict[str, Any] | None = None) -> Created:
    """The plan of the table for this lesson. `script`: the content of its file, if it is an uploaded one."""
    from sutler.bots import bot

    game_name = lesson.game
    game = shelf.load_game(game_name, lesson.options)
    pos = build_opening_position(lesson, game, bots=bot)
    seats = tuple(
        SeatPlan(kind="me" if seat == lesson.you else "file", name=called) for seat, called in enumerate(lesson.names)
    )
    return Created(
        game=game_name,
        options=lesson.options,
        seed=lesson.seed,
        seats=seats,
        open_to_watch=False,
        box_hash=str(game.box_hash),
        opening=base64.b64encode(pos.to_bytes()).decode(),
        lesson=name,
        script=script or {},
    )


def open_lesson_table(house: House, browser: str, game_name: str, name: str) -> tuple[Room, int]:
    """(the learner's unfinished table of this lesson, or a new one; the learner's seat there). `browser`: the hash of its cookie."""
    held = house.store.load_seats_of_browser(browser)
    house.write_listings(list(held))
    for _at, standing in house.store.load_standings(list(held), over=False):
        if (standing.game, standing.lesson) == (game_name, name):
            return house.get_room(standing.table), held[standing.table][0]
    room = house.open_table(plan_lesson_table(house, game_name, name))
    seat = find_lesson(house.shelf, game_name, name).you
    house.store.record_seats(browser, room.id, (seat,))
    return room, seat

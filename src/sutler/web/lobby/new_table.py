"""The lobby: covers, my tables, what there is to watch and to replay, and a new table from a form."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from sutler.bots import levels, style
from sutler.core.definition import part_in
from sutler.core.language import _, listed, many
from sutler.web import wording
from sutler.web.errors import Refused
from sutler.web.events import MAX_SEATS, Created, OptionValue, SeatPlan
from sutler.web.lobby.uploads import Opened
from sutler.web.names import LONGEST_NAME, apart, plain_text
from sutler.web.shelf import Cover
from sutler.web.storage.listing_row import Standing
from sutler.web.table import lessons
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.table.settings import counted, manners
from sutler.web.table.snapshot import said_how_far
from sutler.web.tokens import browser_hash, seat_token
from sutler.web.view import render

BOT_NAMES = ("Agnes", "Perrin", "Osric", "Hilde", "Wulf", "Tamsin", "Ebba")


def name_for(browser: str) -> str:
    """What somebody is called who has not said: always the same for one browser."""
    return BOT_NAMES[int(browser_hash(browser)[:4], 16) % len(BOT_NAMES)]


@dataclass(frozen=True)
class Row:
    """One table in a list."""

    table: str
    href: str
    title: str
    where: str
    others: str
    seats: tuple[SeatPlan, ...]
    to_act: int | None
    mine_to_act: bool
    awaited: str
    """Who is to answer a proposal, by name; the person who looks is "you"."""
    over: bool
    winner: str
    said: int
    """What was said there, as far as whoever looks has a seat."""
    at: datetime


def page(
    house: House, name: str, theme: str, browser: str, game: str, has_lab: bool = True, opened: Opened | None = None
) -> str:
    """The lobby's page. `opened`: a file that the form for a new table is filled in with."""
    covers = house.shelf.covers()
    on_table = [cover for cover in covers if cover.on_the_table]
    chosen = next((cover for cover in on_table if cover.name == game), on_table[0] if on_table else covers[0])
    held = house.store.seats_of(browser_hash(browser))
    house.bring_up_to_date(list(held))
    mine = [row(house, at, one, held[one.table]) for at, one in house.store.standings(list(held), over=False)]
    watch = [row(house, at, one) for at, one in house.store.standings(over=False, limit=12) if one.table not in held]
    finished = [
        row(house, at, one)
        for at, one in house.store.standings(over=True, limit=12)
        if not one.lesson and (one.open_to_watch or one.table in held)
    ]
    return render.render(
        "lobby.html",
        covers=covers,
        chosen=chosen,
        mine=sorted(mine, key=lambda row: not row.mine_to_act),
        watch=watch,
        finished=finished,
        name=name,
        theme=theme,
        notice="",
        has_lab=has_lab,
        sprite=render.sprite_url(),
        form=setup_form(house, chosen, name, opened) if chosen.on_the_table else "",
    )


def row(house: House, at: datetime, standing: Standing, held: list[int] | None = None) -> Row:
    """One line: to the person's own seat, or to where one watches."""
    seats = standing.seats
    mine = held or []
    if mine:
        href = f"/seat/{seat_token(house.key, standing.table, mine[0])}"
    else:
        href = f"/watch/{standing.table}" + ("?moment=0" if standing.over else "")
    others = ", ".join(plan.name for i, plan in enumerate(seats) if i not in mine)
    winner = listed([seats[i].name for i in standing.winners])
    return Row(
        standing.table,
        href,
        standing.title,
        where(standing) if not standing.over else many("{n} decision", "{n} decisions", standing.decisions),
        others,
        seats,
        standing.to_act,
        not standing.over and (bool({*standing.awaited} & {*mine}) if standing.awaited else standing.to_act in mine),
        listed([_("you") if i in mine else seats[i].name for i in standing.awaited]) if mine else "",
        standing.over,
        _("{names} won", names=winner) if winner else _("over"),
        standing.said if mine else 0,
        at,
    )


def where(standing: Standing) -> str:
    """How far the game is, or the lesson: "turn 7, Work"; a phase that has no name in the reader's language is left out."""
    if standing.steps:
        return lessons.said_step(standing.lesson, standing.step, standing.steps)
    texts = wording.texts_of(standing.game)
    told = said_how_far(standing.turn, texts(standing.phase) if texts.speaks() else "")
    return told or many("{n} decision", "{n} decisions", standing.decisions)


def setup_form(house: House, cover: Cover, name: str, opened: Opened | None = None) -> str:
    """The form for a new table: seats and options as the game itself names them."""
    game = house.shelf.leaflet(cover.name)
    least, most = int(game.min_seats), min(int(game.max_seats), MAX_SEATS)
    usual = opened.seats if opened and opened.seats else game.usual_seats
    spare = [one for one in BOT_NAMES if one.casefold() != name.casefold()]
    places = []
    for i in range(most):
        kind = "me" if i == 0 else "normal" if i < usual else "none"
        note = _("this browser") if i == 0 else ""
        places.append({"name": name if i == 0 else spare[i - 1], "kind": kind, "open": i < usual, "note": note})
    options = sorted(game.options, key=lambda option: option.kind != "flag")
    return render.render(
        "setup.html",
        cover=cover,
        least=least,
        places=places,
        options=options,
        levels=list(levels()),
        has_styles=part_in(house.shelf.folder(cover.name), "bot", "personas") is not None,
        opened=opened,
    )


def new_seed() -> int:
    """What a new game's cards and dice come from."""
    return secrets.randbits(60)


def planned(house: House, form: Mapping[str, str], name: str) -> Created:
    """The table a form asks for. Refused, in words, when it does not fit the game."""
    game_name = form.get("game", "")
    game = house.shelf.leaflet(game_name)
    seats: list[SeatPlan] = []
    for i in range(min(int(game.max_seats), MAX_SEATS)):
        kind = form.get(f"seat_{i}", "none")
        if kind == "none":
            continue
        is_mine = BOT_NAMES[i].casefold() == name.casefold()  # no bot is to be "Perrin 2" beside Perrin
        fallback = name if kind == "me" and not seats else BOT_NAMES[0 if is_mine else i]
        called = plain_text(form.get(f"name_{i}", ""))[:LONGEST_NAME].strip() or fallback
        called = apart(called, [one.name for one in seats])
        if kind in ("me", "link"):
            seats.append(SeatPlan(kind="me" if kind == "me" else "link", name=called))
        elif kind in levels():
            seats.append(SeatPlan.model_validate({"kind": "bot", "name": called, "level": kind}))
        else:
            raise Refused(
                "A seat is for me, a friend by link, or a bot ({levels}); not for {kind!r}.",
                levels=", ".join(levels()),
                kind=kind[:40],
            )
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
        value = _option(
            option, wording.texts_of(game_name)(option.label), raw, sent="game" in form and "seat_0" in form
        )
        if value != option.default:
            options[option.name] = value
    loaded = house.shelf.game(game_name, options)  # an option that does not fit is refused here, in words
    try:
        return Created(
            game=game_name,
            options=options,
            seed=new_seed(),
            seats=tuple(styled(seats, loaded.definition.plans) if form.get("styles") == "yes" else seats),
            open_to_watch=_open_to_watch(form.get("watch", ""), seats),
            box_hash=str(loaded.box_hash),
            coach=form.get("coach") == "yes",
            **manners(form),
        )
    except ValidationError as error:
        raise Refused("This table cannot be set: {what}.", what=error.errors()[0]["msg"]) from None


def styled(seats: list[SeatPlan], plans: Sequence[str]) -> list[SeatPlan]:
    """Every normal bot leans to one of the game's plans, drawn by lot: no two to the same, as long as there are others."""
    drawn: list[str] = []
    for i, plan in enumerate(seats):
        if plans and plan.kind == "bot" and plan.level == "normal":
            drawn.append(secrets.choice([one for one in plans if one not in drawn] or plans))
            seats[i] = plan.model_copy(update={"level": style(drawn[-1])})
    return seats


def _open_to_watch(asked: str, seats: list[SeatPlan]) -> bool:
    """May strangers look on? Where nobody says, they may not if a friend is invited."""
    kinds = {plan.kind for plan in seats}
    if asked == "no" and "me" not in kinds:
        raise Refused("Nobody could ever see this table: sit down yourself, or let it be watched.")
    return asked == "yes" or (asked != "no" and "link" not in kinds)


def _option(option: Any, called: str, raw: str | None, sent: bool) -> OptionValue:
    """An option's value from a form field; `called`: its name for people. A box left unticked is not sent at all."""
    default: OptionValue = option.default
    if option.kind == "flag":
        return raw is not None if sent else default
    if raw is None or raw == "":
        return default
    if option.kind == "number":
        try:
            return int(raw)
        except ValueError:
            raise Refused(
                "{option}: a number is asked for, not {raw!r}.",
                option=called,
                raw=raw[:40],
            ) from None
    if option.kind == "choice":
        for choice in option.choices:
            if str(choice.value) == raw:
                value: OptionValue = choice.value
                return value
        raise Refused("{option}: there is no choice {raw!r}.", option=called, raw=raw[:40])
    return raw[:400]


def invitation(room: Room, seat: int, base: str, name: str, theme: str) -> str:
    """A friend has opened the link: who invites, to what, and a chair to take."""
    return render.render(
        "invitation.html",
        seat=seat,
        seats=room.seats,
        game=room.game,
        base=base,
        name=name or room.seats[seat].name,
        theme=theme,
        sprite=render.sprite_url(),
        counted=counted() if room.created.counts else "",
        host=next((plan.name for plan in room.seats if plan.kind == "me"), _("Somebody")),
    )

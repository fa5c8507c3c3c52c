"""Routes of a table, the same for players and watchers; the link in the address says who the viewer is."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import JSONResponse, Response

from sutler.core.text.language import _
from sutler.web.accounts import ignore_list, moderation, reports
from sutler.web.errors import Lost, Refused, RequestError
from sutler.web.events import Said
from sutler.web.jobs.request_queue import QueuedRoute
from sutler.web.lobby import game_files, new_table
from sutler.web.routes.dependencies import Guest, Html, TheGuest, TheHouse, Who, set_identity_cookies
from sutler.web.routes.forms import (
    AbsentForm,
    BeginForm,
    ChatForm,
    FeedbackForm,
    GoOnForm,
    LessonForm,
    MuteForm,
    NameForm,
    OrderForm,
    PlayForm,
    PlayOnForm,
    PuzzleForm,
    ReportForm,
    ShuffleForm,
    UndoForm,
)
from sutler.web.table import changed_rules, clocks, moves, standing_orders, verifiable_shuffle
from sutler.web.table import undo as table_undo
from sutler.web.table.people import chat, feedback, joining
from sutler.web.table.registry import House
from sutler.web.table.teaching import hints, lessons, puzzles, turning_points
from sutler.web.tokens import draw_browser_id, hash_browser
from sutler.web.view import jinja_templates
from sutler.web.view.page_parts import PageState
from sutler.web.view.recent_moves import NewsRequest, find_certain_changes
from sutler.web.view.viewer import Viewer

Eyes = Annotated[int | None, Query(ge=0, le=5)]
Moment = Annotated[int | None, Query(ge=0, le=1_000_000)]
at = APIRouter(route_class=QueuedRoute)


@at.get("", response_class=Html)
def show_table(guest: TheGuest, viewer: Who, house: TheHouse, eyes: Eyes = None, moment: Moment = None) -> Html:
    """The table's page. A request without a cookie records no seat, since many are previews of a link and not people."""
    if viewer.seats and guest.browser:
        house.store.record_seats(hash_browser(guest.browser), viewer.room.id, viewer.seats)
    response = Html(viewer.render_page(eyes, moment, _explain_mute(house, guest, viewer), theme=guest.theme))
    if not guest.browser:
        set_identity_cookies(response, browser=draw_browser_id())
    return response


@at.get("/now", response_class=Html)
def show_changes(
    request: Request, viewer: Who, eyes: Eyes = None, moment: Moment = None, since: Moment = None, at_once: bool = False
) -> Html:
    """The parts of the page that have changed; with `since`, also the acts after that decision.

    `eyes`: the seat whose view is wanted; `moment`: the number of decisions made at an earlier moment; `at_once`: do not follow the acts.
    """
    news = None if since is None else NewsRequest(since, at_once)
    return Html(viewer.render_changed_parts(eyes, moment, shown=_read_page_state(request), news=news))


@at.get("/acts", response_class=Html)
def show_acts(viewer: Who, since: Annotated[int, Query(ge=0, le=1_000_000)] = 0) -> Html:
    """The acts after decision `since`, as HTML."""
    return Html(viewer.render_acts(since))


@at.post("/play", response_class=Html)
def play_action(request: Request, viewer: Who, form: Annotated[PlayForm, Form()]) -> Html:
    """Play an action, or several in a row, for the viewer's seat."""
    return _respond_with_changes(
        request,
        viewer,
        form.eyes,
        lambda: moves.play_action(viewer.room, viewer.seats, form.decision, form.action, form.times),
    )


@at.post("/shuffle")
def mix_in_number(viewer: Who, form: Annotated[ShuffleForm, Form()]) -> Response:
    """Mix a browser's number into the shuffle. If the commitment has changed since, the browser is told the new one (409)."""
    taken = verifiable_shuffle.mix_in_number(viewer.room, viewer.seats, form.number, form.bond)
    return JSONResponse({"bond": verifiable_shuffle.compute_bond(viewer.room)}, status_code=200 if taken else 409)


@at.post("/lesson", response_class=Html)
def press_lesson_button(request: Request, viewer: Who, form: Annotated[LessonForm, Form()]) -> Html:
    """Carry out a button of the lesson's panel."""
    return _respond_with_changes(
        request, viewer, None, lambda: lessons.press_button(viewer.room, viewer.seats, form.do, form.step - 1)
    )


@at.post("/puzzle", response_class=Html)
def press_puzzle_button(request: Request, viewer: Who, form: Annotated[PuzzleForm, Form()]) -> Html:
    """Carry out a button of the puzzle's panel."""
    return _respond_with_changes(
        request, viewer, None, lambda: puzzles.press_button(viewer.room, viewer.seats, form.do, form.decision)
    )


@at.post("/undo", response_class=Html)
def undo_decision(request: Request, viewer: Who, form: Annotated[UndoForm, Form()]) -> Html:
    """Undo the viewer's last decision."""
    return _respond_with_changes(
        request, viewer, None, lambda: table_undo.undo_decision(viewer.room, viewer.seats, form.decision)
    )


@at.post("/ask-back", response_class=Html)
def ask_for_undo(request: Request, viewer: Who, form: Annotated[UndoForm, Form()]) -> Html:
    """Ask the other players for an undo."""
    return _respond_with_changes(
        request, viewer, None, lambda: table_undo.ask_for_undo(viewer.room, viewer.seats, form.decision)
    )


@at.post("/answer-back", response_class=Html)
def answer_undo_request(request: Request, viewer: Who, form: Annotated[UndoForm, Form()]) -> Html:
    """Consent to an undo that another player asked for, or refuse it."""
    return _respond_with_changes(
        request,
        viewer,
        None,
        lambda: table_undo.answer_undo_request(viewer.room, viewer.seats, form.decision, bool(form.yes)),
    )


@at.post("/order", response_class=Html)
def set_standing_order(request: Request, viewer: Who, form: Annotated[OrderForm, Form()]) -> Html:
    """Give or withdraw a standing order."""
    return _respond_with_changes(
        request,
        viewer,
        form.seat,
        lambda: standing_orders.set_order(viewer.room, viewer.seats, form.seat, form.order, bool(form.stands)),
    )


@at.post("/go-on", response_class=Html)
def continue_after_rules_change(request: Request, viewer: Who, form: Annotated[GoOnForm, Form()]) -> Html:
    """Decide how a game goes on after its rules have changed."""
    return _respond_with_changes(
        request, viewer, None, lambda: changed_rules.continue_game(viewer.room, viewer.seats, bool(form.kept))
    )


@at.post("/say", response_class=Html)
def post_chat_line(
    request: Request, guest: TheGuest, house: TheHouse, viewer: Who, form: Annotated[ChatForm, Form()]
) -> Html:
    """Add a line to the chat."""
    seat = viewer.seats[0] if viewer.seats else None

    def post() -> None:
        """Add the line, unless the viewer is muted."""
        _require_not_muted(house, guest, viewer)
        chat.add_chat_line(viewer.room, Said(seat=seat, name=viewer.name, text=form.text))

    return _respond_with_changes(request, viewer, None, post)


def _explain_mute(house: House, guest: Guest, viewer: Viewer) -> str:
    """A sentence for the viewer if they are muted, by this browser or one that has sat at their seats; "" otherwise."""
    store = house.store
    held = store.load_browsers_at_table(viewer.room.id) if viewer.seats else {}
    people = {browser for browser, seats in held.items() if set(seats) & set(viewer.seats)}
    until = moderation.find_mute_end(store, people | ({hash_browser(guest.browser)} if guest.browser else set()))
    if until is None:
        return ""
    if until == moderation.FOR_GOOD:
        return _("Whoever keeps this house has muted you for good. You can go on playing.")
    when = moderation.format_time(until)
    return _("Whoever keeps this house has muted you until {when}. You can go on playing.", when=when)


def _require_not_muted(house: House, guest: Guest, viewer: Viewer) -> None:
    """Raise Refused where the viewer is muted."""
    if told := _explain_mute(house, guest, viewer):
        raise Refused(told)


@at.post("/report", response_class=Html)
def report_to_admin(guest: TheGuest, house: TheHouse, viewer: Who, form: Annotated[ReportForm, Form()]) -> Html:
    """Report a line of chat or a person to the administrator. Nobody else at the table can tell."""
    if not viewer.seats or not guest.browser:
        raise Refused("Only those who play here can report.")
    room, who = viewer.room, hash_browser(guest.browser)
    with room.lock:
        talk, names = list(room.talk), [one.name for one in room.seats]
    kind, _colon, number = form.about.partition(":")
    if kind == "line":
        reports.report_line(house.store, room.id, talk, int(number) - 1, viewer.seats, who, form.reason)
    elif int(number) < len(names) and room.seats[int(number)].kind in ("me", "link"):
        seat = int(number)
        reports.report_person(house.store, room.id, talk, seat, names[seat], viewer.seats, who, form.reason)
    else:
        raise Lost("Nobody sits there.")
    told = _("Whoever keeps this house will look at it. Nobody at the table is told.")
    return Html(jinja_templates.render("parts/word.html", kind="word", text=told, rule=""))


@at.post("/mute", response_class=Html)
def mute_for_myself(request: Request, house: TheHouse, viewer: Who, form: Annotated[MuteForm, Form()]) -> Html:
    """Hide the words of the person at a seat from this viewer, at every table, or show them again. Nobody else can tell."""

    def store_choice() -> None:
        """Store the choice in the viewer's ignore list."""
        if not viewer.seats or not viewer.browser:
            raise Refused("Only those who play here can mute somebody.")
        change = ignore_list.ignore_seat if form.muted else ignore_list.stop_ignoring_seat
        change(house.store, viewer.browser, viewer.room.id, form.seat)

    return _respond_with_changes(request, viewer, None, store_choice)


@at.post("/tell", response_class=Html)
def give_feedback(request: Request, viewer: Who, form: Annotated[FeedbackForm, Form()]) -> Html:
    """Send feedback to the game's designer."""
    return _respond_with_changes(
        request,
        viewer,
        None,
        lambda: feedback.give_feedback(viewer.room, viewer.seats, form.text, form.again, form.length),
    )


@at.get("/talk", response_class=Html)
def show_older_chat(guest: TheGuest, viewer: Who, before: Moment = None) -> Html:
    """A page of older lines of chat, ending before line number `before`."""
    return Html(viewer.render_older_chat(before, guest.theme))


@at.post("/rename", response_class=Html)
def rename_seat(
    request: Request, guest: TheGuest, house: TheHouse, viewer: Who, form: Annotated[NameForm, Form()]
) -> Html:
    """Give the viewer's seat another name."""
    if not viewer.seats:
        raise Refused("Watchers go by no name.")

    def rename() -> None:
        """Rename the seat, unless the viewer is muted."""
        _require_not_muted(house, guest, viewer)
        joining.rename_seat(viewer.room, viewer.seats[0], form.name)

    return _respond_with_changes(request, viewer, None, rename)


@at.post("/rematch", response_class=Html)
def open_rematch(request: Request, viewer: Who, house: TheHouse) -> Html:
    """Open a rematch, or go to the one that was opened already."""
    if not viewer.seats or not (viewer.room.pos.over or changed_rules.was_saved_since_start(viewer.room)):
        return _respond_with_changes(
            request, viewer, None, lambda: _raise_refused("A rematch is for those who have played to the end.")
        )
    following = new_table.open_rematch(house, viewer.room, viewer.seats)
    seat = joining.compute_rematch_seat(viewer.room, viewer.seats[0])
    return Html("", headers={"HX-Redirect": f"/seat/{following.make_seat_token(seat)}"})


@at.get("/review", response_class=Html)
async def show_review(viewer: Who) -> Html:
    """The turning points of a finished game, as HTML."""
    return Html(viewer.render_review(await turning_points.find_turning_points(viewer.room)))


@at.post("/play-on", response_class=Html)
def continue_from_decision(request: Request, viewer: Who, house: TheHouse, form: Annotated[PlayOnForm, Form()]) -> Html:
    """Open a new table at which a finished game goes on from one of its decisions."""
    try:
        there, seat = new_table.continue_from_decision(house, viewer.room, viewer.seats, form.decision)
    except RequestError as trouble:
        return _respond_with_refusal(request, viewer, None, trouble)
    return Html("", headers={"HX-Redirect": f"/seat/{there.make_seat_token(seat)}"})


@at.post("/begin", response_class=Html)
def begin_game(request: Request, viewer: Who, form: Annotated[BeginForm, Form()]) -> Html:
    """Begin the game before all seats are taken."""
    return _respond_with_changes(
        request, viewer, None, lambda: clocks.begin_game(viewer.room, viewer.seats, bool(form.bots))
    )


@at.post("/stand-in", response_class=Html)
def agree_to_stand_in(request: Request, viewer: Who, form: Annotated[AbsentForm, Form()]) -> Html:
    """Agree that a bot plays for an absent person."""
    return _respond_with_changes(
        request, viewer, None, lambda: clocks.agree_to_bot(viewer.room, viewer.seats, form.seat)
    )


@at.post("/back", response_class=Html)
def take_back_seats(request: Request, viewer: Who) -> Html:
    """Take the viewer's seats back from the bots that stood in."""
    return _respond_with_changes(request, viewer, None, lambda: clocks.take_back_seats(viewer.room, viewer.seats))


@at.get("/hint", response_class=Html)
async def show_hint(viewer: Who, coach: bool = False) -> Html:
    """A hint for the viewer's decision, as HTML. `coach`: for the coach's panel, which shows nothing where no hint can be given."""
    try:
        advice = await hints.find_hint(viewer.room, viewer.seats)
    except RequestError as trouble:
        if coach:  # the coach's panel asks by itself, so no error is shown
            return Html(status_code=204)
        return Html(jinja_templates.render("parts/word.html", kind="trouble", text=trouble.text, rule=trouble.rule))
    if coach:
        room = viewer.room
        game, seat = room.created.game, room.pos.seat or 0
        anyway = find_certain_changes(game, seat, advice.instead_outcomes)
        at_once = [one for one in find_certain_changes(game, seat, advice.outcomes) if one not in anyway]
        return Html(jinja_templates.render("parts/advice.html", advice=advice, at_once=at_once))
    return Html(jinja_templates.render("parts/hint.html", advice=advice))


@at.get("/why", response_class=Html)
def show_refusal_reason(viewer: Who, at: Annotated[str, Query(max_length=80)]) -> Html:
    """The reason why nothing can be done at a spot of the table (`at`), as HTML."""
    return Html(viewer.explain_refusal(at))


@at.get("/explain", response_class=Html)
def show_explanation(viewer: Who, key: Annotated[str, Query(max_length=80)], moment: Moment = None) -> Html:
    """A short explanation of a thing on the table, as HTML. `key`: "KIND:NAME"."""
    kind, _, name = key.partition(":")
    return Html(viewer.explain_thing(kind, name, moment))


@at.get("/game.json")
def download_game_file(viewer: Who) -> Response:
    """The game file of a finished game, to download."""
    name = f"{viewer.room.created.game}-{viewer.room.id}.json"
    return Response(
        game_files.export_game_file(viewer.room),
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _respond_with_changes(request: Request, viewer: Viewer, eyes: int | None, job: Callable[[], object]) -> Html:
    """Run `job` at the table and answer with the changed parts of the page; if it is refused, with the reason."""
    try:
        viewer.room.require_free_space()
        job()
    except RequestError as trouble:
        return _respond_with_refusal(request, viewer, eyes, trouble)
    return Html(viewer.render_changed_parts(eyes, shown=_read_page_state(request)))


def _respond_with_refusal(request: Request, viewer: Viewer, eyes: int | None, trouble: RequestError) -> Html:
    """The changed parts of the page, with the reason why something was refused."""
    return Html(
        viewer.render_changed_parts(eyes, trouble=trouble, shown=_read_page_state(request)), status_code=trouble.status
    )


def _read_page_state(request: Request) -> PageState:
    """The state of the page that sent a request, from its headers."""
    return PageState(request.headers.get("sutler-log", ""), request.headers.get("sutler-parts", ""))


def _raise_refused(text: str) -> None:
    """Raise Refused with this text."""
    raise Refused(text)

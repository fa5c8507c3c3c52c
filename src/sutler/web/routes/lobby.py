"""Routes of the lobby: new tables, uploaded files, invitations, open seats, the person's page, lessons, puzzles, sheets, drawings."""

import asyncio
import base64
import functools
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, File, Form, Request, UploadFile
from fastapi.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.datastructures import UploadFile as StarletteUpload

from sutler.web.accounts import device_transfer, ignore_list, leaderboard, privacy
from sutler.web.errors import Lost, RequestError, Used
from sutler.web.events import MAX_FILE_BYTES, Created
from sutler.web.http.caching import build_cache_header, compute_digest
from sutler.web.http.middleware import REPORT_POLICY
from sutler.web.jobs.request_queue import QueuedPageRoute
from sutler.web.lobby import (
    game_files,
    late_start,
    learn_page,
    lobby_page,
    open_seats,
    puzzle_page,
    uploads,
)
from sutler.web.lobby import new_table as lobby_new_table
from sutler.web.root_path import get_root_path
from sutler.web.routes import forms
from sutler.web.routes import my_page as routes_my_page
from sutler.web.routes.dependencies import (
    Guest,
    Html,
    TheGuest,
    TheHouse,
    delete_identity_cookies,
    get_client_key,
    get_guest_process,
    get_site_address,
    read_settings,
    set_identity_cookies,
)
from sutler.web.routes.forms import AgainForm, CodeForm, FindForm, ForgetForm, ListedForm, NameForm
from sutler.web.routes.passkey import list_ways_back
from sutler.web.table.people import joining
from sutler.web.table.registry import House
from sutler.web.table.room import Room
from sutler.web.tokens import draw_browser_id, hash_browser
from sutler.web.typed_text import clean_text
from sutler.web.view import jinja_templates

at = APIRouter(route_class=QueuedPageRoute)
PRINT_SECONDS = 30
"""Processor seconds for rendering all sheets of a game."""


@at.get("/", response_class=Html)
def show_lobby(request: Request, guest: TheGuest, house: TheHouse, game: str = "") -> Html:
    """The lobby's page. `game`: the game chosen in the form for a new table."""
    browser = guest.browser or draw_browser_id()
    name = guest.name or lobby_new_table.make_default_name(browser)
    response = Html(lobby_page.render_lobby(house, name, guest.theme, browser, game, request.app.state.has_lab))
    if not guest.browser:
        set_identity_cookies(response, browser=browser)
    return response


def clean_file_name(file: StarletteUpload) -> str:
    """The name of an uploaded file as plain text of at most 60 characters."""
    return clean_text(file.filename or "")[-60:] or "the file"


@at.post("/tables", response_class=Html, status_code=303, openapi_extra=forms.NEW_TABLE)
async def open_new_table(request: Request, guest: TheGuest, house: TheHouse) -> Response:
    """Open a new table from the form, with uploaded files, and go to the person's seat (or to watching it)."""
    async with request.form(max_files=3) as asked:
        form = {key: value for key, value in asked.items() if isinstance(value, str)}
        sent = {key: value for key, value in asked.items() if not isinstance(value, str) and value.filename}
        attached = {
            key: uploads.AttachedFile(clean_file_name(one), await one.read(uploads.MAX_UPLOAD_BYTES + 1))
            for key, one in sent.items()
        }
    attached = uploads.collect_form_files(form, attached)
    name = guest.name or lobby_new_table.make_default_name(guest.browser)
    created = await asyncio.to_thread(lobby_new_table.plan_from_form, house, form, name)
    earlier = form.get("before", "")
    if earlier:
        late_start.require_compiled(house.shelf.load_game(created.game))
    if attached or earlier:
        given = {
            "created": created.model_dump(mode="json"),
            "files": uploads.files_to_plain_data(attached),
            "before": earlier,
        }
        created = Created.model_validate(
            await get_guest_process(request).run_job(get_client_key(request), "prepare_table", given)
        )
        room = await get_guest_process(request).run_in_server_thread(lambda: house.open_table(created))
    else:
        room = await asyncio.to_thread(house.open_table, created)
    seat = next((i for i, plan in enumerate(created.seats) if plan.kind == "me"), None)
    if seat is None:
        return RedirectResponse(f"/watch/{room.id}", status_code=303)
    browser = guest.browser or draw_browser_id()
    house.store.record_seats(hash_browser(browser), room.id, room.list_seats_of_same_link(seat))
    return _redirect_to_seat(room, seat, browser, created.seats[seat].name)


@at.post("/name", response_class=Html, status_code=303)
def store_my_name(guest: TheGuest, house: TheHouse, form: Annotated[NameForm, Form()]) -> Response:
    """Store the person's name."""
    if guest.browser:
        leaderboard.rename_person(house.store, hash_browser(guest.browser), form.name)
    response = RedirectResponse("/", status_code=303)
    set_identity_cookies(response, name=form.name)
    return response


@at.get("/me", response_class=Html)
def show_my_page(request: Request, guest: TheGuest, house: TheHouse) -> Html:
    """The person's page."""
    if guest.browser:
        device_transfer.store_settings(house.store, guest.browser, read_settings(request))
    return respond_with_my_page(request, guest, house)


@at.post("/me/code", response_class=Html)
def create_transfer_code(request: Request, guest: TheGuest, house: TheHouse) -> Html:
    """Show the person's page with a new code for another device."""
    browser = guest.browser or draw_browser_id()
    code, address = device_transfer.create_code(house.store, browser), get_site_address(request) + get_root_path()
    response = respond_with_my_page(request, guest, house, browser, code=code, address=address)
    if not guest.browser:
        set_identity_cookies(response, browser=browser)
    return response


@at.post("/me/here", response_class=Html, status_code=303)
def redeem_transfer_code(
    request: Request, guest: TheGuest, house: TheHouse, form: Annotated[CodeForm, Form()]
) -> Response:
    """Redeem a code: from now on this browser is known as the person who made it on another device."""
    try:
        browser = device_transfer.redeem_code(house.store, form.code, guest.browser)
    except RequestError as trouble:
        return respond_with_my_page(request, guest, house, notice=trouble.text, status=trouble.status)
    moved = RedirectResponse("/me", status_code=303)
    set_identity_cookies(moved, browser=browser)
    return moved


@at.get("/me/data")
def download_my_data(guest: TheGuest, house: TheHouse) -> Response:
    """Everything that is kept about the person, to download as JSON."""
    if not guest.browser:
        raise Lost("Nothing is kept of you: this browser has no cookie of this house.")
    head = {"Content-Disposition": 'attachment; filename="sutler-my-data.json"'}
    return JSONResponse(privacy.collect_personal_data(house.store, hash_browser(guest.browser)), headers=head)


@at.post("/me/listed", response_class=Html, status_code=303)
def set_my_listing(guest: TheGuest, house: TheHouse, form: Annotated[ListedForm, Form()]) -> Response:
    """List the person among the best players, or remove them from the list."""
    person = hash_browser(device_transfer.require_cookie(guest.browser))
    if form.listed:
        name = guest.name or lobby_new_table.make_default_name(guest.browser)
        leaderboard.list_person(house.store, person, name)
    else:
        leaderboard.unlist_person(house.store, person)
    return RedirectResponse("/me", status_code=303)


@at.post("/me/unmute", response_class=Html, status_code=303)
def clear_ignore_list(guest: TheGuest, house: TheHouse) -> Response:
    """Clear the person's ignore list."""
    ignore_list.clear_list(house.store, hash_browser(device_transfer.require_cookie(guest.browser)))
    return RedirectResponse("/me", status_code=303)


@at.post("/me/again", response_class=Html, status_code=303)
def play_again(guest: TheGuest, house: TheHouse, form: Annotated[AgainForm, Form()]) -> Response:
    """Open a new table for the people of a finished game, or find the one that was opened already, and go to the person's seat there."""
    person = hash_browser(device_transfer.require_cookie(guest.browser))
    room, seat = lobby_new_table.open_game_again(house, form.table, person)
    return RedirectResponse(f"/seat/{room.make_seat_token(seat)}", status_code=303)


@at.post("/me/forget", response_class=Html, status_code=303)
def forget_me(guest: TheGuest, house: TheHouse, form: Annotated[ForgetForm, Form()]) -> Response:
    """Delete the data that are kept about the person; afterwards this browser is unknown."""
    if guest.browser:
        house.forget_person(hash_browser(guest.browser))
    response = RedirectResponse("/", status_code=303)
    delete_identity_cookies(response)
    return response


def respond_with_my_page(
    request: Request, guest: Guest, house: House, browser: str = "", status: int = 200, **more: str
) -> Html:
    """A person's page; `more`: a `code` that was just made, or a `notice`. `browser`: their cookie, where it is new."""
    guest = replace(guest, browser=browser or guest.browser)
    ring = list_ways_back(request, house, guest.browser)
    return Html(routes_my_page.render_my_page(house, guest, ring, **more), status_code=status)


@at.post("/files", response_class=Html, status_code=303)
async def open_uploaded_file(
    request: Request,
    guest: TheGuest,
    house: TheHouse,
    file: Annotated[UploadFile, File()],
    game: Annotated[str, Form()] = "",
) -> Response:
    """Open an uploaded file: a game or playthrough is replayed, a lesson begins, any other fills in the form for a new table."""
    data, name = await file.read(MAX_FILE_BYTES + 1), clean_file_name(file)
    guests, client = get_guest_process(request), get_client_key(request)
    browser = guest.browser or draw_browser_id()
    sent = {"name": name, "data": base64.b64encode(data).decode()}
    if not name.lower().endswith(".toml"):
        play = name.lower().endswith(".play")
        laid = game_files.Replayed.model_validate(await guests.run_job(client, "open_game", {**sent, "play": play}))
        room = await guests.run_in_server_thread(lambda: game_files.open_replay_table(house, laid))
        return RedirectResponse(f"/watch/{room.id}?moment=0", status_code=303)
    found = await guests.run_job(client, "open_toml", {**sent, "chosen": game})
    if "lesson" in found:
        lesson = Created.model_validate(found["lesson"])
        room = await guests.run_in_server_thread(lambda: house.open_table(lesson))
        seat = next(i for i, plan in enumerate(lesson.seats) if plan.kind == "me")
        house.store.record_seats(hash_browser(browser), room.id, (seat,))
        return _redirect_to_seat(room, seat, browser)
    opened = uploads.OpenedFile(file=uploads.AttachedFile(name, data), **found)
    page = functools.partial(
        lobby_page.render_lobby,
        house,
        guest.name or lobby_new_table.make_default_name(browser),
        guest.theme,
        browser,
        opened.game,
        request.app.state.has_lab,
        opened,
    )
    return Html(await asyncio.to_thread(page), status_code=200)


@at.get("/invited/{token}", response_class=Html)
def show_invitation(request: Request, guest: TheGuest, house: TheHouse, token: str) -> Response:
    """The page on which an invited person takes a seat; raises Used where somebody else has taken it."""
    room, seat = house.find_invited_seat(token)
    if room.persons_have_come[seat]:
        if seat in house.store.load_seats_of_browser(hash_browser(guest.browser)).get(room.id, ()):
            return RedirectResponse(f"/seat/{room.make_seat_token(seat)}", status_code=303)
        raise Used("This invitation was used. Whoever took the seat has a link of their own to it.")
    return Html(
        lobby_new_table.render_invitation(
            room, seat, f"{get_root_path()}/invited/{token}", guest.name, guest.theme, get_site_address(request)
        )
    )


@at.post("/invited/{token}", response_class=Html, status_code=303)
def accept_invitation(guest: TheGuest, house: TheHouse, token: str, form: Annotated[NameForm, Form()]) -> Response:
    """Take the seat of an invitation, and go there."""
    room, seat = house.find_invited_seat(token)
    joining.take_seat(room, seat, form.name)
    browser = guest.browser or draw_browser_id()
    house.store.record_seats(hash_browser(browser), room.id, (seat,))
    return _redirect_to_seat(room, seat, browser, form.name)


@at.get("/open/{table}", response_class=Html)
def show_open_table(request: Request, guest: TheGuest, house: TheHouse, table: str) -> Response:
    """The page on which a person joins a table with open seats: the game, the other players, the terms."""
    if seats := house.store.load_seats_of_browser(hash_browser(guest.browser)).get(table):
        return RedirectResponse(f"/seat/{house.get_room(table).make_seat_token(seats[0])}", status_code=303)
    room = house.get_room(table)
    seat = open_seats.find_free_seat(room)
    name = guest.name or lobby_new_table.make_default_name(guest.browser)
    return Html(
        lobby_new_table.render_invitation(
            room, seat, f"{get_root_path()}/open/{table}", name, guest.theme, get_site_address(request)
        )
    )


@at.post("/open/{table}", response_class=Html, status_code=303)
def take_open_seat(guest: TheGuest, house: TheHouse, table: str, form: Annotated[NameForm, Form()]) -> Response:
    """Take an open seat at a table, and go there."""
    browser = guest.browser or draw_browser_id()
    return _redirect_to_seat(*open_seats.take_free_seat(house, table, browser, form.name), browser, form.name)


@at.post("/find", response_class=Html, status_code=303)
def join_waiting_table(guest: TheGuest, house: TheHouse, form: Annotated[FindForm, Form()]) -> Response:
    """Take a seat at a table that waits for players of this game, or open one and wait."""
    browser = guest.browser or draw_browser_id()
    name = guest.name or lobby_new_table.make_default_name(browser)
    return _redirect_to_seat(*open_seats.join_waiting_table(house, form.game, browser, name), browser, name)


def _redirect_to_seat(room: Room, seat: int, browser: str, name: str = "") -> Response:
    """The redirect to a seat that was just taken; the browser's cookie and the typed name are stored in it."""
    response = RedirectResponse(f"/seat/{room.make_seat_token(seat)}", status_code=303)
    set_identity_cookies(response, browser=browser, name=name)
    return response


@at.get("/learn/{game}", response_class=Html)
def show_learn_page(guest: TheGuest, house: TheHouse, game: str, after: str = "") -> Html:
    """The Learn page of a game. `after`: "lesson" or "game" for somebody who comes from the end of one."""
    return Html(learn_page.render_learn_page(house, game, guest.theme, after))


@at.post("/learn/{game}/{lesson}", response_class=Html, status_code=303)
async def start_lesson(guest: TheGuest, house: TheHouse, game: str, lesson: str) -> Response:
    """Begin or continue a lesson."""
    browser = guest.browser or draw_browser_id()
    room, seat = await asyncio.to_thread(lobby_new_table.open_lesson_table, house, hash_browser(browser), game, lesson)
    return _redirect_to_seat(room, seat, browser)


@at.get("/puzzles/{game}", response_class=Html)
def show_puzzles(guest: TheGuest, house: TheHouse, game: str) -> Html:
    """The page of a game's puzzles."""
    return Html(puzzle_page.render_puzzles_page(house, game, guest.theme))


@at.post("/puzzles/{game}/{number}", response_class=Html, status_code=303)
async def start_puzzle(guest: TheGuest, house: TheHouse, game: str, number: int) -> Response:
    """Begin or continue a puzzle. `number`: from 1."""
    browser = guest.browser or draw_browser_id()
    room, seat = await asyncio.to_thread(puzzle_page.open_puzzle_table, house, hash_browser(browser), game, number)
    return _redirect_to_seat(room, seat, browser)


@at.get("/print/{game}", response_class=Html)
async def show_printable_game(request: Request, house: TheHouse, game: str, paper: str = "a4") -> Html:
    """The printed game as sheets, to be printed from the browser."""
    from sutler.web.paper import sheets_page
    from sutler.web.paper.layout import PAPERS

    if game not in house.shelf.list_installed_games() or paper not in PAPERS:
        raise Lost("There are no such sheets.")
    page = sheets_page.get_cached_sheets(game, paper)
    if page is None:
        given = {"game": game, "paper": paper}
        page = str(
            await get_guest_process(request).run_job(get_client_key(request), "print_game", given, PRINT_SECONDS)
        )
        sheets_page.store_cached_sheets(game, paper, page)
    return Html(page, headers={"Content-Security-Policy": REPORT_POLICY})


@at.get("/sprite/{game}.svg")
def serve_sprite(house: TheHouse, game: str, v: str = "") -> Response:
    """All drawings of a game as SVG ("house": those of the site). `v`: the digest in the address, for caching."""
    if game != "house" and game not in house.shelf.list_installed_games():
        raise Lost("There are no drawings of that game.")
    of = "" if game == "house" else game
    digest = jinja_templates.sprite_url(of).rpartition("v=")[2]
    return Response(jinja_templates.build_sprite(of), media_type="image/svg+xml", headers=build_cache_header(v, digest))


@at.get("/games/{game}/{name}")
def serve_board_file(house: TheHouse, game: str, name: str, v: str = "") -> Response:
    """The style or script of a game's board, or the picture of its cover. `v`: the digest in the address, for caching."""
    if game not in house.shelf.list_installed_games() or name not in (
        "board.css",
        "board.js",
        jinja_templates.COVER_PICTURE,
    ):
        raise Lost("There is no such file.")
    folder: Path = house.shelf.find_game_folder(game)
    path = folder / name if name == jinja_templates.COVER_PICTURE else folder / "board" / name
    if not path.exists():
        raise Lost("There is no such file.")
    return FileResponse(path, headers=build_cache_header(v, compute_digest(path.read_bytes())))


@at.get("/healthz")
async def check_health() -> dict[str, str]:
    """Answer that the server runs, without waiting in a line."""
    return {"status": "ok"}


@at.get("/readyz")
async def check_readiness(house: TheHouse) -> dict[str, str]:
    """Answer that requests can be answered, without waiting in a line; 503 where the database does not answer."""
    await asyncio.to_thread(house.store.check_connection)
    return {"status": "ready"}

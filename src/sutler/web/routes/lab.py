"""Routes of the lab: the form for a question, progress, the report, a game's box, notebooks."""

import asyncio
import functools
from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import FileResponse, RedirectResponse, Response
from pydantic import ValidationError

from sutler.web.errors import Lost, Refused, RequestError
from sutler.web.http.middleware import REPORT_POLICY
from sutler.web.lab.design_notebooks import Notebooks
from sutler.web.lab.multiprocess_service import SharedLab
from sutler.web.lab.service import Lab
from sutler.web.routes import forms
from sutler.web.routes.dependencies import (
    Html,
    TheGuest,
    TheHouse,
    get_client_key,
    get_guest_process,
    get_house,
    read_guest_cookies,
    set_identity_cookies,
)
from sutler.web.table.registry import House
from sutler.web.tokens import draw_browser_id, hash_browser
from sutler.web.view import jinja_templates

DEFAULTS = {
    "kind": "play",
    "bots": "greedy",
    "seats": "",
    "bots_b": "",
    "seats_b": "",
    "games": "",
    "seed": "1",
    "edit": "",
    "over": "",
    "cards": "",
    "choices": "",
    "turn": "",
    "rounds": "5,10,20",
    "only": "",
    "want": "decisions=-20%",
    "most": "2000",
    "settings": "",
}
MAX_NUMBERS = 400
"""The most numbers of a box that the form offers."""
FIELDS_OF_KIND: tuple[tuple[str, str], ...] = (
    ("worth", "cards"),
    ("choice", "choices"),
    ("choice", "turn"),
    ("ladder", "rounds"),
    ("change", "bots_b"),
    ("change", "seats_b"),
)
FIELDS_OF_KIND += (("matters", "only"), ("goal", "only"), ("goal", "want"), ("goal", "most"))
"""(kind of question, form field that only this kind has); a field that is left empty counts as not sent."""
PRINTED_BOX_ONLY = ("matters", "goal")
"""Kinds of questions that are about the printed box only."""
DEFAULT_GAMES = {
    "play": 2000,
    "change": 2000,
    "range": 2000,
    "worth": 500,
    "choice": 500,
    "ladder": 60,
    "matters": 300,
    "goal": 200,
    "hidden": 400,
}
"""The number of games of a question that names none, by kind."""


CHECK_SECONDS = 30
"""Processor seconds for checking a question; for that, a game with its changed box is set up and dealt."""
AnyLab = Lab | SharedLab
"""The lab of one process, or the one shared by all processes on a database."""


def get_lab(request: Request) -> AnyLab:
    """The lab of this server."""
    lab: AnyLab = request.app.state.lab
    return lab


def get_notebooks(request: Request) -> Notebooks:
    """The notebooks of designs that this server shows."""
    shown: Notebooks = request.app.state.notebooks
    return shown


def get_owner(request: Request) -> str:
    """The person who sent the request: the hash of the browser's cookie, "" for none."""
    browser = read_guest_cookies(request).browser
    return hash_browser(browser) if browser else ""


def import_lab_modules(request: Request) -> None:
    """Import the lab's modules before any request under /lab is answered."""
    get_house(request).shelf.import_lab()


TheLab: TypeAlias = Annotated[AnyLab, Depends(get_lab)]
at = APIRouter(prefix="/lab", dependencies=[Depends(import_lab_modules)])


@at.get("", response_class=Html)
def show_lab(request: Request, house: TheHouse, lab: TheLab, game: str = "", over: str = "") -> Html:
    """The lab's page: the form for a question, and all questions. `over`: the number of a box to be varied in the form."""
    asked = {"kind": "range", "over": over} if over else {}
    return Html(_render_lab_page(request, house, lab, {"game": game} | asked))


@at.post("", response_class=Html, status_code=303, openapi_extra=forms.QUESTION)
async def ask_question(request: Request, guest: TheGuest, house: TheHouse, lab: TheLab) -> Response:
    """Queue a question from the form, and go to its page; where it cannot be asked, show the form again with the reason."""
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    try:
        browser = guest.browser or draw_browser_id()
        question = _parse_question(form)
        told = question.model_dump(mode="json")
        await get_guest_process(request).run_job(get_client_key(request), "check_question", told, CHECK_SECONDS)
        one = await asyncio.to_thread(lab.ask_question, question, hash_browser(browser), is_checked=True)
    except RequestError as trouble:
        return Html(_render_lab_page(request, house, lab, form, trouble.text), status_code=trouble.status)
    response = RedirectResponse(f"/lab/{one.id}", status_code=303)
    set_identity_cookies(response, browser=browser)
    return response


@at.get("/box/{game}", response_class=Html)
def show_box(request: Request, house: TheHouse, game: str, words: Annotated[str, Query(max_length=200)] = "") -> Html:
    """A page with a game's box: every number, card and option, or those that match `words`."""
    from sutler.lab.box_numbers import group_parts_by_table
    from sutler.lab.studies.sensitivity import format_sweep_range, is_number

    summary = house.shelf.load_box_summary(game)
    parts = _list_box_parts(game)
    shown = [one for one in parts if one.matches(words)]
    told = {"name": game, "title": summary.title, "words": words, "n": len(parts), "found": len(shown)}
    ranges = {one.name: format_sweep_range(one) for one in shown if is_number(one)}
    return Html(_render_page(request, "box.html", **told, parts=group_parts_by_table(shown), ranges=ranges))


@functools.cache
def _list_box_parts(game: str) -> list[Any]:
    """Every number, card and option of a game's printed box."""
    from sutler.core.play.game import load
    from sutler.lab.box_numbers import list_parts

    return list_parts(load(game))


@at.get("/notebook/{name}", response_class=Html)
def show_notebook(request: Request, name: str) -> Html:
    """The page of a notebook of a design: its versions, with answers side by side."""
    return Html(_render_page(request, "notebook.html", book=get_notebooks(request).load_view(name)))


@at.get("/notebook/{name}/{version}/{number}/report.html")
def show_notebook_report(request: Request, name: str, version: str, number: int) -> Response:
    """The page of an answer in a notebook. `number`: the question's, from 1."""
    path = get_notebooks(request).find_report_page(name, version, number)
    headers = {"Content-Security-Policy": REPORT_POLICY, "Cache-Control": "no-store"}
    return FileResponse(path, media_type="text/html; charset=utf-8", headers=headers)


@at.get("/{id}", response_class=Html)
def show_experiment(request: Request, lab: TheLab, id: str) -> Html:
    """The page of one question."""
    return Html(
        _render_page(
            request,
            "experiment.html",
            one=lab.get_experiment(id),
            mine=lab.get_experiment(id).owner == get_owner(request),
        )
    )


@at.get("/{id}/now", response_class=Html)
def show_progress(request: Request, lab: TheLab, id: str) -> Html:
    """The part of a question's page that shows its progress, as HTML."""
    one = lab.get_experiment(id)
    return Html(jinja_templates.render("parts/progress.html", one=one, mine=one.owner == get_owner(request)))


@at.post("/{id}/{order}", response_class=Html, status_code=303)
def change_experiment(request: Request, lab: TheLab, id: str, order: str) -> Response:
    """Stop, continue or delete a question (`order`: "stop", "go-on", "forget"). Raises Refused where another person asked it."""
    orders = {"stop": lab.stop_question, "go-on": lab.resume_question, "forget": lab.delete_question}
    if order not in orders:
        raise Lost("One can stop a question, go on with it, or forget it.")
    orders[order](id, get_owner(request))
    return RedirectResponse("/lab" if order == "forget" else f"/lab/{id}", status_code=303)


@at.get("/{id}/report.html")
def show_report(lab: TheLab, id: str, keep: Annotated[bool, Query()] = False) -> Response:
    """The report of a question. `keep`: as a file to download."""
    one, path = lab.get_experiment(id), lab.find_file(id, "report.html")
    if path is None:
        raise Lost("There is no report yet.")
    headers = {"Content-Security-Policy": REPORT_POLICY, "Cache-Control": "no-store"}
    name = f"{one.question.game}-{one.id}.html" if keep else None
    return FileResponse(path, media_type="text/html; charset=utf-8", filename=name, headers=headers)


@at.get("/{id}/sheets.html", response_class=Html)
async def show_sheets(request: Request, lab: TheLab, id: str, paper: str = "a4") -> Html:
    """The game of a question, with its changes, as sheets to print."""
    from sutler.web.paper.layout import PAPERS

    question = lab.get_experiment(id).question
    if paper not in PAPERS:
        raise Lost("There is no such paper.")
    given = {"question": question.model_dump(mode="json"), "paper": paper}
    page = await get_guest_process(request).run_job(get_client_key(request), "print_edited_game", given, CHECK_SECONDS)
    return Html(page, headers={"Content-Security-Policy": REPORT_POLICY})


@at.get("/{id}/games.parquet")
def download_games(lab: TheLab, id: str) -> Response:
    """The table of games behind a report, to download (Parquet)."""
    one, path = lab.get_experiment(id), lab.find_file(id, "games.parquet")
    if path is None:
        raise Lost("The games of this question are not kept.")
    return FileResponse(path, filename=f"{one.question.game}-{one.id}.parquet")


def _parse_question(form: Mapping[str, str]) -> Any:
    """The question in a form. Raises Refused where it is not valid."""
    from sutler.lab.designer.questions import Question

    fields: dict[str, Any] = {
        key: form[key].strip() for key in ("kind", "game", "bots", "games", "seed", "settings") if form.get(key)
    }
    kind = fields.get("kind", "play")
    fields.setdefault("games", DEFAULT_GAMES.get(kind, 1))
    has_edit = kind == "change" or (form.get("edited") and kind not in PRINTED_BOX_ONLY)
    fields["edit"] = form.get("edit", "").replace("\r\n", "\n") if has_edit else ""
    fields["over"] = form.get("over", "").strip() if kind == "range" else ""
    if kind == "change":
        fields["give_up"] = bool(form.get("give_up"))
    for own, name in FIELDS_OF_KIND:
        if kind == own and form.get(name, "").strip():
            fields[name] = form[name].strip()
    fields["seats"] = form.get("seats", "").strip() or None
    try:
        return Question(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])).replace("_b", " at the second table").capitalize()
        raise Refused(f"{field}: {first['msg']}.") from None


def _render_lab_page(request: Request, house: House, lab: AnyLab, form: Mapping[str, str], trouble: str = "") -> str:
    """The lab's page as HTML. `form`: the fields to fill in; `trouble`: an error to show."""
    covers = house.shelf.list_covers()
    chosen = next((cover for cover in covers if cover.name == form.get("game")), covers[-1])
    summary = house.shelf.load_box_summary(chosen.name)
    offered = _list_form_choices(chosen.name, summary.usual_seats)
    filled = DEFAULTS | {"edit": offered["example"]} | {key: form[key] for key in DEFAULTS if form.get(key)}
    filled["seats"] = filled["seats"] or str(summary.usual_seats)
    kept = sorted(lab.experiments.values(), key=lambda one: one.asked, reverse=True)
    return _render_page(
        request,
        "lab.html",
        covers=covers,
        chosen=chosen,
        form=filled,
        edited=bool(form.get("edited")),
        give_up=bool(form.get("give_up")),
        kept=kept,
        notebooks=get_notebooks(request).names,
        trouble=trouble,
        **offered,
        usual=DEFAULT_GAMES,
        least=summary.min_seats,
        most=summary.max_seats,
    )


@functools.cache
def _list_form_choices(game: str, seats: int) -> dict[str, Any]:
    """The choices that the form offers from a game's printed box; cached, because reading a large box takes half a second."""
    from sutler.core.play.game import load
    from sutler.lab.designer.questions import list_decision_kinds, list_drawable_cards
    from sutler.lab.parameters import build_example_edit, list_number_names
    from sutler.lab.play.headline_figures import list_figure_names

    return {
        "example": build_example_edit(game),
        "numbers": list_number_names(game, MAX_NUMBERS),
        "cards": list_drawable_cards(game),
        "decisions": list_decision_kinds(game),
        "figures": list_figure_names(load(game), seats),
    }


def _render_page(request: Request, template: str, **context: Any) -> str:
    """A page of the lab as HTML, with this person's theme."""
    return jinja_templates.render(
        template, theme=read_guest_cookies(request).theme, sprite=jinja_templates.sprite_url(), **context
    )

"""The lab's pages: asking, waiting in line, stopping, going on, forgetting; what is wrong is told and nothing is lost."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sutler.core.play.game import load
from sutler.core.rule import PLAIN_ONLY
from sutler.lab.box_numbers import parts_of
from sutler.web.app import create_app
from sutler.web.lab.service import Lab

CHANGE = '[[card]]\nname = "Tournament"\ngain.victory = 4\n'
SHORT = {"game": "manor", "bots": "random", "settings": "offers=0 victory=5", "games": "20", "seed": "1"}
LONG = SHORT | {"bots": "greedy", "games": "100000"}
PATIENCE = 900.0


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """Somebody asking a house whose lab keeps its things in a folder."""
    with TestClient(_house(tmp_path), follow_redirects=False) as one:
        yield one


@pytest.fixture
def market(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The little game of the examples, answered in plain Python: hundreds of games take a moment."""
    monkeypatch.setenv("SUTLER_GAMES", str(Path(__file__).parents[2] / "examples"))
    monkeypatch.setenv("SUTLER_PLAIN", "1")
    return {"game": "market", "bots": "random", "settings": "rounds=5", "seats": "2"}


def answered(client: TestClient, **form: str) -> tuple[str, str]:
    """The page of a question and its report, when it is answered."""
    id = ask(client, **form)
    assert lab_of(client).wait_until_done(id, PATIENCE)
    assert lab_of(client).get_experiment(id).state == "done", lab_of(client).get_experiment(id).trouble
    return html.unescape(client.get(f"/lab/{id}").text), html.unescape(client.get(f"/lab/{id}/report.html").text)


def _house(folder: Path) -> Any:
    return create_app("sqlite://", bot_pause=0.0, warm=False, lab=folder / "lab")


def lab_of(client: TestClient) -> Lab:
    lab: Lab = client.app.state.lab  # type: ignore[attr-defined]
    return lab


def ask(client: TestClient, **form: str) -> str:
    """Ask; returns the id of the question."""
    answer = client.post("/lab", data={"kind": "play", **SHORT, **form})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).rsplit("/", 1)[-1]


def test_the_form_knows_the_game(client: TestClient) -> None:
    """An example to begin from, the names of what can be changed, how many may sit."""
    page = client.get("/lab", params={"game": "manor"}).text
    assert "[[card]]" in page
    assert 'value="card.Pilgrimage.gain.victory="' in page
    assert 'min="2" max="6"' in page
    assert "/lab?game=manor" in client.get("/").text
    assert '<option value="Wheat">' in page
    assert 'id="kind-worth"' not in client.get("/lab", params={"game": "bellum"}).text, "nothing is drawn there"


@pytest.mark.parametrize("address", ["/?game=manor", "/lab?game=manor"])
def test_a_box_is_read_once_however_often_anybody_looks(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Six Winters' took half a second of a processor at each look at the lab: a stranger who looks often held up the tables."""
    first = client.get(address)

    def read(path: Path) -> dict[str, Any]:
        raise AssertionError(f"{path} is read again")

    monkeypatch.setattr("sutler.core.files.box.read_toml", read)
    monkeypatch.setattr("sutler.core.definition.read_toml", read)
    assert client.get(address).text == first.text


def test_the_box_is_listed(client: TestClient) -> None:
    """Every number, card and option with value, bounds and paragraph, which leads into the guide; a filter; a way to a question."""
    everything = client.get("/lab/box/manor").text
    listed = re.findall(r'<th scope="row">.*?</tr>', everything)
    parts = parts_of(load("manor"))
    assert len(listed) == len(parts)
    for one, row in zip(parts, listed, strict=True):
        assert f"<code>{html.escape(one.name)}</code>" in row
        assert f"<td>{one.value_text}</td><td>{one.bounds}</td>" in row
    assert 'href="/lab/box/manor"' in client.get("/lab", params={"game": "manor"}).text
    few = client.get("/lab/box/manor", params={"words": " BUY_price "}).text
    assert re.findall(r"<code>([\w.]+)</code></a>", few) == ["rules.buy_price"]
    assert f"1 of {len(parts)} numbers" in few
    assert 'href="/learn/manor#rule-3.4">3.4</a>' in few
    assert 'id="rule-3.4"' in client.get("/learn/manor").text
    asked = re.search(r'<th scope="row"><a href="([^"]+)"', few)
    assert asked is not None
    form = client.get(html.unescape(asked[1])).text
    assert 'value="rules.buy_price=2,3,4"' in form
    assert 'id="kind-range" value="range" checked' in form


def test_what_is_not_in_the_box(client: TestClient) -> None:
    """Told, with what was typed taken for words and no markup; a game that there is not is no page."""
    nothing = client.get("/lab/box/manor", params={"words": "<b>dragons"})
    assert nothing.status_code == 200
    assert "Nothing in this box is called “&lt;b&gt;dragons”" in nothing.text
    assert client.get("/lab/box/chess").status_code == 404


@pytest.mark.parametrize("game", ["manor", "threeyears", "warfarm", "sixwinters", "bellum"])
def test_the_form_offers_what_can_be_asked_of_a_game(client: TestClient, game: str) -> None:
    """Decisions of every game, by kind; the worth of cards where seats draw some."""
    page = client.get("/lab", params={"game": game}).text
    kinds = re.findall(r'id="kind-(\w+)"', page)
    assert "choice" in kinds
    assert ("worth" in kinds) == (game not in ("sixwinters", "bellum"))
    offered = re.search(r'<datalist id="all-decisions">(.*?)</datalist>', page, re.DOTALL)
    assert offered is not None
    blocks = load(game).definition.actions.blocks
    assert re.findall(r'value="([^"]+)"', offered[1]) == [name.replace("_", " ") for name in blocks]


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"kind": "change", "edit": ""}, "What changes?"),
        ({"kind": "change", "bots_b": "mighty", "games": "200"}, "mighty"),
        ({"kind": "change", "bots_b": "random,random", "seats_b": "3", "games": "200"}, "2 bots are named for 3 seats"),
        ({"kind": "change", "seats_b": "<b>"}, "Seats at the second table: "),
        ({"kind": "matters", "only": "<b>"}, "no number called"),
        ({"kind": "goal", "want": "<b>"}, "write it as decisions=-20%"),
        ({"kind": "goal", "want": "turns=-2", "most": "20"}, "Most: "),
        ({"kind": "goal", "want": "fun=+1"}, "There is no figure"),
        ({"kind": "change", "edit": "[[card"}, "The change cannot be read"),
        ({"kind": "change", "edit": CHANGE.replace("victory", "glory"), "games": "200"}, "field gain.glory"),
        ({"kind": "range", "over": "victory=<b>"}, "victory: "),
        ({"kind": "worth", "cards": "<b>"}, "There is no card"),
        ({"kind": "choice", "choices": "<b>"}, "No action of Medieval Manor begins with"),
        ({"kind": "choice", "turn": "victory=<b>"}, "victory: "),
        ({"kind": "ladder", "rounds": "9,3"}, "A ladder goes up"),
        ({"kind": "guess"}, "Kind: "),
        ({"games": "many"}, "Games: "),
        ({"seats": "9"}, "9"),
        ({"game": "chess"}, "no game"),
    ],
)
def test_a_wrong_question_is_told_in_the_form_as_it_was_filled(
    client: TestClient, form: dict[str, str], told: str
) -> None:
    """Nothing of what was typed is lost, and nothing of it is taken for markup."""
    answer = client.post("/lab", data={"kind": "play", **SHORT, **form})
    assert answer.status_code in (409, 422), answer.text
    alert = re.search(r'role="alert">(.*?)</p>', answer.text, re.DOTALL)
    assert alert is not None
    assert told in alert[1]
    assert "<b>" not in alert[1]
    assert 'value="offers=0 victory=5"' in answer.text
    assert not lab_of(client).experiments


def test_what_is_not_there(client: TestClient) -> None:
    """Told as a page."""
    for address in ("/lab/nothing", "/lab/nothing/now", "/lab/nothing/report.html", "/lab/nothing/games.parquet"):
        assert client.get(address).status_code == 404
    id = ask(client, **LONG)
    assert client.post(f"/lab/{id}/burn").status_code == 404
    assert client.get(f"/lab/{id}/games.parquet").status_code == 404


def test_one_at_a_time_stop_and_forget(client: TestClient) -> None:
    """The second stands in line until the first is stopped; what is forgotten is gone from the disk."""
    first, second = ask(client, **LONG), ask(client, **LONG)
    lab = lab_of(client)
    assert lab.get_experiment(second).state == "waiting"
    assert "in line" in client.get(f"/lab/{second}").text
    assert client.post(f"/lab/{first}/stop").headers["location"] == f"/lab/{first}"
    assert lab.get_experiment(first).state == "stopped"
    assert "Go on" in client.get(f"/lab/{first}/now").text
    assert client.post(f"/lab/{second}/forget").headers["location"] == "/lab"
    assert not lab.get_experiment(first).folder.with_name(second).exists()
    assert client.get(f"/lab/{second}").status_code == 404


def test_the_line_has_an_end(client: TestClient) -> None:
    """Refused in words; stopping one makes room."""
    for who in range(6):
        client.cookies.clear()
        for _ in range(3):
            ask(client, **LONG)
        answer = client.post("/lab", data={"kind": "play", **LONG})
        assert "3 questions of yours stand in line" in answer.text, who
    client.cookies.clear()
    ask(client, **LONG)
    ask(client, **LONG)
    assert "20 questions stand in line" in client.post("/lab", data={"kind": "play", **LONG}).text
    client.post(f"/lab/{list(lab_of(client).experiments)[-1]}/stop")
    ask(client, **LONG)


def test_everybody_has_a_turn(client: TestClient) -> None:
    """Whoever asks often waits for whoever asks seldom; nobody else stops a question, or throws it away."""
    mine = [ask(client, **LONG) for _ in range(3)]
    client.cookies.clear()
    other = ask(client, **LONG)
    lab = lab_of(client)
    with lab._lock:
        assert lab._child is not None
        assert lab._child[0] == mine[0]
    for order in ("stop", "go-on", "forget"):
        answer = client.post(f"/lab/{mine[0]}/{order}")
        assert answer.status_code == 403
        assert "Somebody else asked" in answer.text
        assert f"/lab/{mine[0]}/{order}" not in client.get(f"/lab/{mine[0]}").text
    assert len(lab.experiments) == 4
    with lab._lock:
        lab.experiments[mine[0]].state = "stopped"
        following = lab._choose_next_question()
    assert following is not None
    assert following.id == other


@pytest.mark.parametrize(
    "form",
    [
        {"bots": "search:rounds=inf"},
        {"bots": "search:rounds=nan"},
        {"bots": "search:rounds=-1"},
        {"bots": "search:budget=inf"},
        {"bots": "search:rounds=100000", "games": "100000"},
        {"bots": "search:rounds=1:nodes=1e18"},
        {"bots": "search:rounds=1:playout_nodes=1e12"},
        {"bots": "search:rounds=1:horizon=1e9"},
        {"bots": "search:rounds=1:threads=1000"},
        {"bots": "greedy:redeals=1e6"},
        {"bots": "greedy,greedy:nodes=1e12"},
        {"bots": "judge:rounds=1e9"},
        {"bots": "judge:weights=1"},
        {"bots": "judge:weights=/etc/passwd"},
        {"bots": "hard", "games": "200000"},
        {"kind": "change", "bots_b": "hard", "games": "200000"},
        {"kind": "change", "bots_b": "search:rounds=inf"},
        {"kind": "range", "over": "victory=5..40", "games": "200000"},
        {"kind": "matters", "games": "200000"},
        {"kind": "matters", "bots": "search:rounds=1000", "games": "200"},
        {"kind": "goal", "want": "turns=-2", "games": "200000"},
        {"kind": "goal", "want": "turns=-2", "bots": "hard", "only": "victory"},
        {"kind": "ladder", "rounds": "5,1000000"},
        {"kind": "ladder", "rounds": "inf"},
        {"seed": "1e400"},
    ],
)
def test_what_would_take_for_ever_is_refused_in_words(client: TestClient, form: dict[str, str]) -> None:
    answer = client.post("/lab", data={"kind": "play", **SHORT, **form})
    assert answer.status_code in (400, 409, 422), answer.text
    assert 'role="alert"' in answer.text
    assert not lab_of(client).experiments


def test_a_closed_house_goes_on_where_it_was(tmp_path: Path) -> None:
    """Questions outlive the process; what was running stands in line again; other files are left alone."""
    with TestClient(_house(tmp_path), follow_redirects=False) as client:
        id = ask(client, **LONG)
    (tmp_path / "lab" / "stray").mkdir()
    (tmp_path / "lab" / "stray" / "state.json").write_text("{}")
    with TestClient(_house(tmp_path), follow_redirects=False) as client:
        assert lab_of(client).get_experiment(id).open
        assert "Medieval Manor: how it plays" in client.get("/lab").text
        client.post(f"/lab/{id}/stop")


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="games of manor want compiled rules")
def test_an_answer_to_read_and_to_keep(client: TestClient) -> None:
    """The report stands by itself, may run nothing, and can be kept with its games."""
    id = ask(client)
    assert lab_of(client).wait_until_done(id, PATIENCE)
    one = lab_of(client).get_experiment(id)
    assert one.state == "done", one.trouble
    page = client.get(f"/lab/{id}").text
    assert "hx-trigger" not in page
    assert "20 games played" in page
    report = client.get(f"/lab/{id}/report.html")
    assert "<svg" in report.text
    assert report.headers["content-security-policy"].startswith("default-src 'none'")
    kept = client.get(f"/lab/{id}/report.html", params={"keep": True})
    assert "attachment" in kept.headers["content-disposition"]
    assert client.get(f"/lab/{id}/games.parquet").content[:4] == b"PAR1"


@pytest.mark.compiled
@pytest.mark.skipif(PLAIN_ONLY, reason="games of manor want compiled rules")
def test_stopped_and_gone_on_with(client: TestClient) -> None:
    """A comparison that was stopped is answered when it is taken up again."""
    id = ask(client, kind="change", edit=CHANGE, games="400")
    client.post(f"/lab/{id}/stop")
    client.post(f"/lab/{id}/go-on")
    assert lab_of(client).wait_until_done(id, PATIENCE)
    one = lab_of(client).get_experiment(id)
    assert one.state == "done", one.trouble
    assert "games a side played" in client.get(f"/lab/{id}/now").text
    assert one.said


def test_other_seats_and_other_bots_are_compared(client: TestClient, market: dict[str, str]) -> None:
    """With no edit at all: both tables are named, in the answer and in the command that asks it again; and one may give up."""
    form = {"kind": "change", "edit": "", "bots_b": "random,random,random", "give_up": "1", "games": "200"}
    page, report = answered(client, **market | form)
    command = "sutler compare market --bots-b random,random,random --give-up --set rounds=5 --bots random --seats 2 --games 200"
    assert f"{command} --seed 1 --out report.html" in page
    assert f"{command} --seed 1 --out report.html" in report
    assert "<dt>second table</dt><dd>random,random,random</dd>" in page
    assert "length in decisions +" in report, "three seats decide more often than two"


def test_every_number_is_turned(client: TestClient, market: dict[str, str]) -> None:
    """A tornado whose longest bars are the rounds, with their paragraph; the command turns the same."""
    form = {"kind": "matters", "only": "rounds, rules.purse", "games": "12", "edited": "1", "edit": "[rules]"}
    page, report = answered(client, **market | form | {"settings": "rounds=8"})
    command = (
        "sutler sensitivity market --only rounds --only rules.purse --set rounds=8 --bots random --seats 2 --games 12"
    )
    assert f"{command} --seed 1 --out report.html" in page
    assert f"{command} --seed 1 --out report.html" in report
    assert "1 number moves length in decisions, most of all rounds" in page
    assert "rounds 8 → 6 (3.1)" in report
    assert "<svg" in report
    assert "48 games played" in page


def test_what_is_hidden_is_seen(client: TestClient, market: dict[str, str]) -> None:
    """Answered by playing hidden and open; the command asks the same; bots that differ are refused in the form."""
    page, report = answered(client, **market | {"kind": "hidden", "bots": "greedy", "games": "8"})
    command = "sutler hidden market --set rounds=5 --bots greedy --seats 2 --games 8 --seed 1 --out report.html"
    assert command in page
    assert command in report
    assert "with all open, 8 games are the same" in page
    assert "32 games played" in page
    refused = client.post("/lab", data=SHORT | market | {"kind": "hidden", "bots": "greedy,random"})
    assert "Name one bot" in refused.text


def test_a_question_is_printed_with_its_change(client: TestClient) -> None:
    """Its sheets carry the changed card; Letter as well as A4, and no other paper."""
    id = ask(client, **LONG | {"kind": "change", "edit": CHANGE.replace("victory = 4", "victory = 9")})
    client.post(f"/lab/{id}/stop")
    printed = client.get("/print/manor").text
    sheets = client.get(f"/lab/{id}/sheets.html")
    assert sheets.headers["content-security-policy"].startswith("default-src 'none'")
    assert sheets.text != printed
    assert "@page { size: 215.9mm 279.4mm" in client.get(f"/lab/{id}/sheets.html", params={"paper": "letter"}).text
    assert client.get(f"/lab/{id}/sheets.html", params={"paper": "a0"}).status_code == 404
    assert client.get("/lab/nothing/sheets.html").status_code == 404


def test_a_goal_is_reached(client: TestClient, market: dict[str, str]) -> None:
    """Screened, compared, answered; the command asks the same."""
    form = {"kind": "goal", "want": "turns=-2", "only": "rounds", "games": "6", "settings": "rounds=8", "most": "200"}
    page, report = answered(client, **market | form)
    command = (
        "sutler goal market --want turns=-2 --most 200 --only rounds --set rounds=8 --bots random --seats 2 --games 6"
    )
    assert f"{command} --seed 1 --out report.html" in page
    assert f"{command} --seed 1 --out report.html" in report
    assert "rounds 8 →" in report
    assert "What comes near" in report
    assert "1 number was screened; 1 may go at least half of the way by itself." in page


def test_every_page_of_the_lab_opens_it_first(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """It brings the compiler, which two threads must not import at once: the shelf does so under its lock."""
    opened: list[bool] = []
    shelf = client.app.state.house.shelf  # type: ignore[attr-defined]
    monkeypatch.setattr(type(shelf), "import_lab", lambda self: opened.append(True))
    for n, address in enumerate(("/lab", "/lab/nothing", "/lab/nothing/now", "/lab/nothing/report.html"), start=1):
        client.get(address)
        assert len(opened) == n, address

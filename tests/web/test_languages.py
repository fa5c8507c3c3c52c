"""Pages in the reader's language: what is chosen, what is complete, and that nothing English is left on a translated game's pages."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from fastapi.testclient import TestClient

import programs
from sutler.core.play.registry import find_game_folder
from sutler.core.text import language
from sutler.core.text.lesson import MAX_SAY_CHARS
from sutler.games.manor.box import BAN_PLAY
from sutler.web.table.teaching import lessons
from sutler.web.view import jinja_templates

ROOT = Path(__file__).parents[2]
GERMAN = {"accept-language": "de-DE,de;q=0.9,en;q=0.5"}
SPOKEN = ("aria-label", "title", "placeholder")
NO_GERMAN = {
    "the",
    "and",
    "you",
    "your",
    "with",
    "this",
    "that",
    "they",
    "have",
    "which",
    "nobody",
    "of",
    "to",
    "is",
    "are",
    "cards",
}
"""Words that are common in English and none in German."""
TRANSLATED = ("bellum", "manor", "sixwinters", "threeyears", "warfarm")
"""The games that German is complete for."""
TITLES = re.compile("Three Years of War")
"""Names of games, which stay as they are."""


def test_catalogues_are_complete_and_fresh() -> None:
    """Every text of the house and of the translated games has a German one; what is missing is told by name."""
    languages = programs.tool("languages")
    paths = languages.catalogues()
    assert sorted(path.parts[-3] for path in paths) == sorted(("sutler", *TRANSLATED))
    wrong = [text for path in paths for text in languages.updated(path, keep=True)]
    told = "\n".join(wrong)
    assert not wrong, (
        f"{told}\nRun `python tools/languages.py`, then write the German into the .po (docs/translating.md)"
    )


def test_the_translation_of_a_changed_text_is_kept_to_be_changed() -> None:
    """It is marked, with the English it was of, and counts as missing; another text gets nothing, and a text that stayed keeps its own."""
    languages = programs.tool("languages")
    had, now = Catalog(locale="de"), Catalog(locale="de")
    had.add("Each seat draws two cards.", "Jeder zieht zwei Karten.")
    had.add("The winter is long.", "Der Winter ist lang.")
    for text in ("Each seat draws three cards.", "Nobody may trade.", "The winter is long."):
        now.add(text)
    now.get("The winter is long.").string = "Der Winter ist lang."
    languages.keep_translations_of_changed_texts(had, now)
    changed = now.get("Each seat draws three cards.")
    assert (changed.string, changed.fuzzy) == ("Jeder zieht zwei Karten.", True)
    assert b'#| msgid "Each seat draws two cards."' in languages.written(now)
    assert not now.get("Nobody may trade.").string
    assert not now.get("The winter is long.").fuzzy


def fields(text: str) -> set[str]:
    """The fields of a text."""
    return {name for _text, name, _kind, _as in string.Formatter().parse(text) if name}


def test_translations_have_the_fields_and_tags_of_their_texts() -> None:
    languages = programs.tool("languages")
    for path in languages.catalogues():
        for one in languages.read(path):
            if not one.id or ("toml" in str(one.locations) and "box" not in str(one.locations)):
                continue
            ids, said = (one.id, one.string) if isinstance(one.id, tuple) else ((one.id,), (one.string,))
            for text, told in zip(ids, said, strict=True):
                if "guide.md" in str(one.locations):
                    assert told.count("> Auslegung:") == text.count("> Ruling:"), text
                    assert re.findall(r"\d+\.\d+", told) == re.findall(r"\d+\.\d+", text), text
                    continue
                assert fields(told) == fields(text), (text, told)
                assert sorted(re.findall(r"<[^>]*>", told)) == sorted(re.findall(r"<[^>]*>", text)), (text, told)


def test_guides_keep_their_rulings_and_the_names_of_options() -> None:
    """What is rebuilt is marked as such, and what a file is told stays as it is written there: `pursuit = "battle"`."""
    languages = programs.tool("languages")
    for path in languages.catalogues():
        for one in languages.read(path):
            if one.id and "guide.md" in str(one.locations):
                assert one.string.count("> Nachbildung:") == one.id.count("> Reconstruction:"), one.id
                assert set(re.findall(r"`[^`]*`", one.id)) <= set(
                    re.findall(r"`[^`]*`", one.string.replace("DATEI", "FILE"))
                ), one.id


@pytest.mark.parametrize("game", TRANSLATED)
def test_lessons_fit_their_slip_in_every_language(game: str) -> None:
    """One sentence as short as in English, with the one thing it is about between stars."""
    tongue = language.load_tongue(find_game_folder(game))
    with language.use_language("de"):
        for lesson in lessons.load_lessons(find_game_folder(game)).values():
            for step in lesson.step:
                said = tongue(step.say)
                assert said != step.say
                assert len(said) <= MAX_SAY_CHARS
                assert said.count("*") == 2


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("en-GB,de;q=0.9", "en"),
        ("fr,de;q=0.2", "de"),
        ("fr;q=1, en;q=0.1, de;q=0", "en"),
        ("", "en"),
        ("*;;,;q=,x" * 200, "en"),
    ],
)
def test_a_browser_is_answered_in_its_language(accepted: str, chosen: str) -> None:
    assert language.choose_preferred_language(accepted) == chosen


def test_what_is_chosen_here_goes_before_what_the_browser_asks_for(client: TestClient) -> None:
    assert '<html lang="de"' in client.get("/", headers=GERMAN).text
    assert '<html lang="en"' in client.get("/").text
    back = client.get("/language/de", headers={"referer": "http://testserver/me?x=1"}, follow_redirects=False)
    assert back.headers["location"] == "/me?x=1"
    assert '<html lang="de"' in client.get("/").text
    away = client.get("/language/en", headers={"referer": "http://elsewhere/me"}, follow_redirects=False)
    assert away.headers["location"] == "/"
    assert '<html lang="en"' in client.get("/", headers=GERMAN).text


def test_two_at_one_table_read_two_languages(client: TestClient, new_table: Callable[..., str]) -> None:
    """What one reads changes nothing of what the other does, nor of what is kept."""
    seat = new_table(game="manor", seat_0="me", seat_1="me")
    english = client.get(seat).text
    german = client.get(seat, headers=GERMAN).text
    assert ">Abwerfen" in german or "Karten" in german
    assert client.get(seat).text == english
    assert client.get(f"{seat}/game.json").status_code == 403
    room = client.app.state.house.find_seat(seat.removeprefix("/seat/"))[0]  # type: ignore[attr-defined]
    client.post(f"{seat}/play", data={"action": room.pos.actions()[0].name, "decision": 0}, headers=GERMAN)
    assert room.decision == 1
    lobby = client.get("/").text
    assert "turn 1, Draw" in lobby
    assert "Runde 1, Ziehen" in client.get("/", headers=GERMAN).text


def test_a_campaign_that_is_set_up_is_in_no_round_yet(client: TestClient, new_table: Callable[..., str]) -> None:
    """Six Winters said "turn 0, Missions", and to who reads German "Runde 0, Missions"."""
    new_table(game="sixwinters", seat_0="me", seat_1="none", seat_2="none", seat_3="none")
    assert "setting up, Missions" in client.get("/").text
    german = client.get("/", headers=GERMAN).text
    assert "Aufbau, Aufträge" in german
    assert "Runde 0" not in german


def test_a_hand_is_drawn_while_a_rebellion_rages(client: TestClient, new_table: Callable[..., str]) -> None:
    """Its reason is a text of the catalogue, and what is kept of a drawing is found by it."""
    seat = new_table(
        game="manor",
        seat_0="me",
        seat_1="me",
        option_hardships="0",
        option_offers="0",
        option_buys="0",
        option_swaps="0",
    )
    room = client.app.state.house.find_seat(seat.removeprefix("/seat/"))[0]  # type: ignore[attr-defined]
    assert room.pos.prompt().rule == "5.1"
    room.pos.state.ban = BAN_PLAY
    room.cache.clear()
    assert '<ul class="in-force"' in client.get(seat).text
    assert "in dieser Runde wird keine Karte gespielt" in client.get(seat, headers=GERMAN).text


def test_trouble_is_told_in_the_language_of_who_asked(client: TestClient) -> None:
    assert "Unter dieser Adresse gibt es nichts." in client.get("/nowhere", headers=GERMAN).text
    assert "Dieser Link führt zu keinem Platz." in client.get("/seat/" + "a" * 40, headers=GERMAN).text


def test_a_guide_that_is_in_english_only_says_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen reader changes its voice for it; guides of ours are German."""
    for game in TRANSLATED:
        assert '<div class="guide" id="guide">' in client.get(f"/learn/{game}", headers=GERMAN).text
    with language.use_language("de"):
        monkeypatch.setenv("SUTLER_GAMES", str(ROOT / "examples"))
        assert jinja_templates.render_lang_attribute("market") == ' lang="en"'
        assert jinja_templates.render_lang_attribute("bellum") == ""


# --- Nothing English is left ------------------------------------------------------------------------------


class Seen(HTMLParser):
    """What of a page can be read or is read aloud: texts and spoken attributes, but for what says that it is in English."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        quiet = tag in ("script", "style", "code") or (tag != "html" and "lang" in told)
        quiet = quiet or bool(self.open and self.open[-1][1])
        if not quiet:
            self.found += [value for name in SPOKEN if (value := told.get(name))]
        if tag not in ("input", "meta", "link", "br", "use", "img", "path", "circle"):
            self.open.append((tag, quiet))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not (self.open and self.open[-1][1]):
            self.found.append(" ".join(data.split()))


def seen(page: str) -> list[str]:
    """Every text of a page."""
    reader = Seen()
    reader.feed(page)
    return reader.found


def english_texts() -> tuple[set[str], list[re.Pattern[str]]]:
    """The English texts that have another German one, as they stand on a page; with those that have fields apart."""
    languages = programs.tool("languages")
    bare, filled = set[str](), list[re.Pattern[str]]()
    for path in languages.catalogues():
        for one in languages.read(path):
            ids, said = (one.id, one.string) if isinstance(one.id, tuple) else ((one.id,), (one.string,))
            for text, told in zip(ids, said, strict=True):
                plain = re.sub(r"<[^>]*>", "", text)
                letters = re.sub(r"\{[^}]*\}|\W|\d", "", plain)
                if text != told and len(letters) > 4 and letters not in re.sub(r"\W|\d", "", told):
                    parts = [" ".join(part.split()) for part in re.split(r"\{[^}]*\}", plain)]
                    if len(parts) == 1:
                        bare.add(parts[0])
                    else:
                        filled.append(re.compile(" ?.+? ?".join(map(whole_words, parts))))
    return bare, filled


def whole_words(part: str) -> str:
    """A pattern for a part of a text that does not begin or end within a word: "loses" is not in "Wehrloses"."""
    begins, ends = part[:1].isalnum(), part[-1:].isalnum()
    return r"\b" * begins + re.escape(part) + r"\b" * ends


def leaks(page: str, texts: tuple[set[str], list[re.Pattern[str]]]) -> Iterator[str]:
    """What is left in English on a page."""
    for one in dict.fromkeys(seen(page)):
        if one in texts[0] or any(like.fullmatch(one) for like in texts[1]):
            yield one
        if words := NO_GERMAN & set(re.findall(r"[a-z]+", TITLES.sub("", one).casefold())):
            yield f"{one!r}: {', '.join(sorted(words))}"


def read_by(client: TestClient, game: str, seat: str) -> Iterator[tuple[str, str]]:
    """(path, page) of what is read of a game beside its table: the lobby, one's own page, the way in, the guide, the look back."""
    pages = [
        seat,
        f"{seat}?moment=5",
        f"{seat}/acts?since=0",
        "/me",
        f"/learn/{game}",
        f"/puzzles/{game}",
        f"/?game={game}",
        f"{seat}/talk",
    ]
    for path in pages:  # without the names on covers
        yield path, re.sub(r'<h2>[^<]*</h2>\s*<p class="kind"|<p class="by">.*?</p>', "", client.get(path).text)


SPOTS = {
    "bellum": ["leader:Tilly", "hex:1105", "hex:0101", "hex:0908", "leader:Banér"],
    "warfarm": ["card:Farmer", "deck:Farm I", "land:1", "seat:1", "token:0:water", "unit:0:0"],
}
"""Spots of a table that are asked why they are shut."""
ASKED = {
    "sixwinters": [
        "res:support",
        "place:0",
        "place:4",
        "sum:score:0",
        "ability:0:0",
        "mission:0",
        "character:Thea",
        "card:Small Steps",
    ],
    "threeyears": [
        "icon:gold",
        "icon:despair",
        "word:lead",
        "word:reconstructed",
        "claim:The Seed Wagons",
        "influence:Seed Merchant",
    ],
    "bellum": [
        *("power:Sweden", "power:Austria", "site:Berlin", "sum:supply:Sweden", "sum:strength:Austria", "sum:score:0"),
        *("leader:Tilly", "hex:0502", "hex:1310", "hex:0101"),
    ],
    "warfarm": [
        *("card:Wild", "card:Martyrdom", "card:The Great Flood", "card:Life or Death", "deck:Farm I", "deck:Resource"),
        *(
            "good:farmer",
            "good:water",
            "spot:Soldier in reserve",
            "word:trap",
            "word:farm",
            "word:arms",
            "word:nearest",
        ),
        *("word:growth", "word:miracles", "sum:score:0", "sum:tokens:water:0", "sum:defence:1:land"),
    ],
}
"""Things that are asked what they are."""


@pytest.mark.parametrize("game", ASKED)
def test_nothing_english_is_left_on_a_german_table(
    game: str, client: TestClient, new_table: Callable[..., str]
) -> None:
    """Some hundred decisions by chance: each new question read, what is shut and what things are; then what is read beside the table."""
    texts = english_texts()
    client.headers.update(GERMAN)
    names = ("Agnes", "Perrin", "Osric", "Hilde")[: {"warfarm": 3, "bellum": 4}.get(game, 2)]
    form = {key: one for i, name in enumerate(names) for key, one in ((f"seat_{i}", "link"), (f"name_{i}", name))}
    empty = {f"seat_{i}": "none" for i in range(len(names), 4)}
    seat = new_table(game=game, **(form | {"seat_0": "me"} | empty))
    luck = random.Random(3)
    room = client.app.state.house.find_seat(seat.removeprefix("/seat/"))[0]  # type: ignore[attr-defined]
    said = set[str]()
    for step in range(220):
        if room.pos.over:
            break
        if step % 40 == 0 or (room.pos.seat == 0 and room.pos.prompt().rule not in said):
            said.add(room.pos.prompt().rule)
            read = [client.get(seat).text]
            read += [
                client.get(f"{seat}/why", params={"at": luck.choice(SPOTS[game])}).text for _ in SPOTS.get(game, [])[:1]
            ]
            asked = ASKED[game] if step == 40 else luck.sample(ASKED[game], 2)
            read += [client.get(f"{seat}/explain", params={"key": key}).text for key in asked]
            assert [one for page in read for one in leaks(page, texts)] == []
        room.play_action(
            room.pos.seat, luck.choice([one for one in room.pos.actions() if one.name != "surrender"]).name
        )
    assert len(said) > 4
    for path, page in read_by(client, game, seat):
        assert (path, list(leaks(page, texts))) == (path, [])


def test_nothing_english_is_left_on_a_german_page(client: TestClient, new_table: Callable[..., str]) -> None:
    """A whole game by chance, each picture read; then what is read beside the table."""
    texts = english_texts()
    client.headers.update(GERMAN)
    seat = new_table(
        game="manor",
        seat_0="me",
        seat_1="me",
        name_0="Agnes",
        name_1="Perrin",
        option_victory="5",
        option_start_victory="4",
        option_offers="1",
    )
    luck = random.Random(5)
    room = client.app.state.house.find_seat(seat.removeprefix("/seat/"))[0]  # type: ignore[attr-defined]
    said = set[str]()
    step = 0
    while not room.pos.over:
        if step % 25 == 0 or room.pos.prompt().rule not in said:
            said.add(room.pos.prompt().rule)
            page = client.get(seat).text
            assert list(leaks(page, texts)) == []
            spot = luck.choice(["card:Wheat", "space:3", "card:Blight", "seat:1", "card:Bakery"])
            assert list(leaks(client.get(f"{seat}/why", params={"at": spot}).text, texts)) == []
            asked = luck.choice(["card:Mill", "card:Cathedral", "land:River", "good:crops", "word:lord", "sum:score:0"])
            assert list(leaks(client.get(f"{seat}/explain", params={"key": asked}).text, texts)) == []
        room.play_action(room.pos.seat, luck.choice(room.pos.actions()).name)
        step += 1
    for path, page in read_by(client, "manor", seat):
        assert (path, list(leaks(page, texts))) == (path, [])


@pytest.mark.parametrize(
    ("game", "ending"), [("manor", "Du gewinnst"), ("bellum", "ganze Krieg"), ("warfarm", "Das ist ein Zug")]
)
def test_a_german_lesson_is_german(client: TestClient, game: str, ending: str) -> None:
    """Every step, and the answer to a click that is not waited for."""
    texts = english_texts()
    client.headers.update(GERMAN)
    seat = str(client.post(f"/learn/{game}/first", follow_redirects=False).headers["location"])
    room = client.app.state.house.find_seat(seat.removeprefix("/seat/"))[0]  # type: ignore[attr-defined]
    last = len(lessons.load_lessons(find_game_folder(game))["first"].step) - 1
    for number in range(last + 1):
        page = client.get(seat).text
        assert list(leaks(page, texts)) == []
        for _click in range(6):
            now = lessons.find_present_step(room)
            assert now is not None
            if now.number == number < last:
                do = "show" if now.step.list_awaited_actions(now.done) else "on"
                client.post(f"{seat}/lesson", data={"do": do, "step": number + 1})
    assert ending in page


@pytest.mark.parametrize(
    ("game", "lesson"), [(game, lesson) for game in ("sixwinters", "threeyears") for lesson in ("first", "second")]
)
def test_german_lessons_of_other_games_are_german(client: TestClient, game: str, lesson: str) -> None:
    """Every step to the last, as it stands at the table."""
    texts = english_texts()
    client.headers.update(GERMAN)
    seat = str(client.post(f"/learn/{game}/{lesson}", follow_redirects=False).headers["location"])
    room = client.app.state.house.find_seat(seat.removeprefix("/seat/"))[0]  # type: ignore[attr-defined]
    for _click in range(120):
        now = lessons.find_present_step(room)
        assert now is not None
        assert list(leaks(client.get(seat).text, texts)) == []
        if now.number == len(now.lesson.step) - 1:
            break
        client.post(
            f"{seat}/lesson",
            data={"do": "show" if now.step.list_awaited_actions(now.done) else "on", "step": now.number + 1},
        )
    assert now is not None
    assert now.number == len(now.lesson.step) - 1

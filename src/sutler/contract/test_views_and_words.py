"""Contract tests of what is shown: names, words, views and refusals of every game, for every seat and for a watcher."""

import json
import re
from typing import Any

import numpy as np
import pytest

import sutler
from sutler.contract.cases import EVERY_CASE, GAMES, SMALLEST_TABLES, TABLE_SIZES, Case, list_extreme_values, load_game
from sutler.contract.helpers import walk
from sutler.core.fast_record_reading import run_rules_plainly
from sutler.core.text.sentences import Sentence, Word, to_plain_text

STEPS = 90
NUMBER = re.compile(r"\d+\.\d+")


def list_viewers(case: Case) -> list[int | None]:
    """The viewers of a case's table: every seat, and None for a watcher."""
    return [*range(case.seats), None]


def assert_complete_sentence(sentence: Sentence, may_be_empty: bool = False) -> None:
    """Assert that a sentence has only strings and words, no field left to fill in, and some text (unless `may_be_empty` allows none)."""
    assert all(isinstance(part, str | Word) for part in sentence)
    text = to_plain_text(sentence)
    assert text.strip() or may_be_empty
    assert not re.search(r"[{}]|None|np\.|int\d", text), text


@pytest.mark.parametrize("game", GAMES)
def test_action_names_round_trip(game: str) -> None:
    """Every action id has a name of its own, and the name gives back the id, in any case and spacing."""
    names = load_game(game).action_names
    table = load_game(game).definition.actions
    assert len(names) == table.n
    assert len({names[i].name.casefold() for i in range(table.n)}) == table.n
    for i in range(table.n):
        action = names[i]
        assert action.id == i
        assert names.find_action(action.name) is action
        assert names.find_action(f"  {action.name.upper().replace(' ', '   ')} ") is action
        assert table.encode(action.block, *action.args) == i
    with pytest.raises(IndexError):
        table.decode(table.n)


@pytest.mark.parametrize("game", GAMES)
def test_cited_paragraphs_are_in_the_guide(game: str) -> None:
    """Each action, event, refusal and option names a paragraph that is in the guide."""
    rules = load_game(game)
    d = rules.definition
    assert len(rules.guide.paragraphs) > 10
    named = {f"action {name}": block.rule for name, block in d.actions.blocks.items()}
    named |= {f"event {name}": event.rule for name, event in d.events.events.items()}
    named |= {f"refusal {one.text}": one.rule for one in d.REFUSALS.list_game_refusals() if one.rule}
    named |= {f"option {option.name}": option.rule for option in rules.options()}
    lost = {what: number for what, number in named.items() if rules.guide.find_paragraph(number) is None}
    assert lost == {}


@pytest.mark.parametrize("game", GAMES)
def test_guide_is_ordered_and_complete(game: str) -> None:
    """The numbers of paragraphs are unique and in order, every paragraph has a title and text, and every chapter has paragraphs."""
    guide = load_game(game).guide
    numbers = [paragraph.number for paragraph in guide.paragraphs]
    assert len(set(numbers)) == len(numbers)
    assert numbers == sorted(numbers, key=lambda number: [int(part) for part in number.split(".")])
    for paragraph in guide.paragraphs:
        assert paragraph.title
        assert len(paragraph.text) > 20
        assert "<p>" in paragraph.html
    assert set(guide.chapters) == {number.split(".")[0] for number in numbers}


@pytest.mark.parametrize("game", GAMES)
def test_title_options_and_readme_exist(game: str) -> None:
    """A game has a title, seats and a README; each option has words, accepts its values and refuses others."""
    rules = sutler.load(game)
    assert rules.title == rules.guide.title.split(":")[0].strip() or rules.title
    assert 1 <= rules.min_seats <= rules.max_seats
    assert (rules.folder / "README.md").exists()
    assert rules.changed_options() == {}
    for option in rules.options():
        assert option.check(option.default) == option.default
        assert option.label
        assert option.text
        for value in list_extreme_values(option):
            assert option.check(value) == value
        if option.kind == "number" and option.high is not None:
            over: dict[str, Any] = {option.name: option.high + 1}
            with pytest.raises(sutler.BoxError, match=option.name):
                sutler.load(game, **over)
    with pytest.raises(sutler.BoxError, match="has no option"):
        sutler.load(game, no_such_option=1)
    for wrong in (rules.min_seats - 1, rules.max_seats + 1):
        with pytest.raises(ValueError, match="seats"):
            rules.new(wrong)
    with pytest.raises(ValueError, match="seed"):
        rules.new(rules.min_seats, seed=-1)


@pytest.mark.parametrize("case", EVERY_CASE, ids=str)
def test_prompts_views_and_logs_for_every_viewer(case: Case) -> None:
    """Prompts, choices, views and logs can be made for each seat and a watcher, change nothing, and name paragraphs of the guide."""
    pos = case.new_position()
    guide = pos.game.guide
    heard = 0
    for here in walk(pos, seed=5, most=STEPS):
        n = len(here.decisions)
        if n > 6 and n % 7:
            continue
        before = here.to_bytes()
        for viewer in list_viewers(case):
            assert json.loads(json.dumps(here.view(viewer), allow_nan=False))
            prompt = here.prompt(viewer)
            assert_complete_sentence(prompt.text)
            assert_complete_sentence(prompt.help, may_be_empty=True)
            assert_complete_sentence(prompt.left, may_be_empty=True)
            assert prompt.rule == "" or guide.find_paragraph(prompt.rule), prompt
            choices = here.choices(viewer)
            decides = viewer is None or viewer == here.seat
            assert [choice.id for choice in choices] == (here.legal_ids() if decides else [])
            for line in here.log(viewer, since=n):
                heard += 1
                assert_complete_sentence(line.sentence)
                assert guide.find_paragraph(line.rule), line
                assert line.seat is None or 0 <= line.seat < case.seats
        for choice in here.choices(here.seat):
            assert_complete_sentence(choice.label)
            assert_complete_sentence(choice.effect, may_be_empty=True)
            assert guide.find_paragraph(choice.rule), choice
            assert choice.tone in ("", "quiet", "commit")
            assert choice.at is None or re.fullmatch(r"[a-z_]+:.+", choice.at), choice
        labels = [
            (to_plain_text(choice.label), choice.at, to_plain_text(choice.effect)) for choice in here.choices(here.seat)
        ]
        assert len(set(labels)) == len(labels), "two choices look the same"
        for row in here.result():
            assert all(guide.find_paragraph(line.rule) for line in row["lines"])
        assert here.to_bytes() == before, "looking changed the game"
    assert heard > 0


@pytest.mark.parametrize("case", TABLE_SIZES, ids=str)
def test_log_is_complete_and_in_order(case: Case) -> None:
    """`log(since)` is the end of the whole log; every line that a watcher reads, each seat reads too."""
    pos = case.new_position()
    for _ in walk(pos, seed=5, most=40):
        pass
    for viewer in list_viewers(case):
        whole = pos.log(viewer)
        assert [line.index for line in whole] == list(range(len(whole)))
        assert [line.decision for line in whole] == sorted(line.decision for line in whole)
        assert pos.log(viewer, since=20) == [line for line in whole if line.decision >= 20]
    watched = [(line.decision, line.sentence) for line in pos.log(None)]
    for seat in range(case.seats):
        mine = [(line.decision, line.sentence) for line in pos.log(seat)]
        assert all(line in mine for line in watched)


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_play_refuses_with_the_reason(case: Case) -> None:
    """Playing an illegal action raises IllegalAction with the text of `why_not`, and changes nothing."""
    pos = case.new_position()
    rules = pos.game
    for here in walk(pos, seed=12, most=STEPS):
        if len(here.decisions) % 9 or here.over:
            continue
        legal = set(here.legal_ids())
        beside = {action.id for action in here.asides()}  # open to people, in nobody's list
        assert not legal & beside
        before = here.to_bytes()
        illegal = next(i for i in range(len(rules.action_names)) if i not in legal | beside)
        refusal = here.why_not(illegal)
        assert refusal is not None
        assert refusal.text
        assert rules.guide.find_paragraph(refusal.rule)
        with pytest.raises(sutler.IllegalAction, match=re.escape(refusal.text)):
            here.play(illegal)
        assert here.to_bytes() == before
        assert here.legal_ids() == sorted(legal)


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_invalid_actions_are_refused_in_words(case: Case) -> None:
    """Unknown names, unknown numbers and playing after the end raise IllegalAction with a sentence."""
    pos = case.new_position()
    with pytest.raises(sutler.IllegalAction, match="no action called 'dance'"):
        pos.play("dance")
    with pytest.raises(sutler.IllegalAction, match="no action number"):
        pos.play(len(pos.game.action_names))
    almost = pos.game.action_names[0].name[:-1] + "#"
    refusal = pos.why_not(almost)
    assert refusal is not None
    assert "did you mean" in refusal.text
    for _ in walk(pos, seed=1):
        pass
    assert pos.seat is None
    assert pos.actions() == []
    assert pos.choices(0) == []
    with pytest.raises(sutler.IllegalAction, match="over"):
        pos.play(0)


@pytest.mark.parametrize("case", EVERY_CASE, ids=str)
def test_hidden_differences_do_not_show(case: Case) -> None:
    """Two states that differ only in what a seat cannot know give it the same views, logs, choices, refusals and observations.

    A redeal from either must be equal too, or a bot could tell the states apart by redealing.
    """
    pos = case.new_position()
    rules, d = pos.game, pos.game.definition
    for here in walk(pos, seed=6, most=STEPS):
        if len(here.decisions) % (5 * case.seats):
            continue
        for seat in range(case.seats):
            twin = here.copy()
            twin.state = here.for_seat(seat, seed=len(here.decisions) + 1).redeal()
            assert int(d.check(rules.box, twin.state)) == 0
            assert not np.array_equal(twin.state.rng, here.state.rng), "the dice to come were not drawn again"
            with run_rules_plainly():  # compiling every legal action by itself would take longer than running it plain
                d.legal(rules.box, twin.state, _clear_output_ids(twin))
            assert twin.over == here.over
            assert twin.seat == here.seat
            assert repr(twin.view(seat)) == repr(here.view(seat))
            assert twin.prompt(seat) == here.prompt(seat)
            assert twin.log(seat) == here.log(seat)
            if here.seat == seat:
                assert twin.legal_ids() == here.legal_ids()
                assert twin.choices(seat) == here.choices(seat)
                for action in range(0, len(rules.action_names), 7):
                    assert twin.why_not(action) == here.why_not(action)
            ours, theirs = here.for_seat(seat, 3), twin.for_seat(seat, 3)
            assert ours.legal == theirs.legal
            assert ours.view() == theirs.view()
            assert ours.view() == here.view(seat)
            assert np.array_equal(ours.observation(), theirs.observation())
            assert np.array_equal(ours.observation(), _observe_as_seat(here, seat))
            assert ours.redeal().tobytes() == theirs.redeal().tobytes(), "a redeal shows what the world was"


def _clear_output_ids(pos: sutler.Position) -> object:
    """Set the ids of the position's output buffer to 0, so that two positions' buffers can be compared; return the buffer."""
    pos._out.ids[:] = 0
    return pos._out


def _observe_as_seat(pos: sutler.Position, seat: int) -> np.ndarray:
    """The observation that the game's own `observe` writes for a seat, as an array of N_OBSERVED finite numbers."""
    d = pos.game.definition
    out = np.zeros(d.N_OBSERVED, np.float32)
    d.observe(pos.game.box, pos.state, seat, out)
    assert np.isfinite(out).all()
    return out


@pytest.mark.parametrize("case", SMALLEST_TABLES, ids=str)
def test_bots_choose_the_same_in_twin_worlds(case: Case) -> None:
    """A bot chooses the same, legal action in two states that its seat cannot tell apart."""
    pos = case.new_position()
    bot = sutler.bot("random")
    for here in walk(pos, seed=6, most=60):
        seat = here.seat
        if seat is None:
            break
        twin = here.copy()
        twin.state = here.for_seat(seat, seed=1).redeal()
        chosen = bot.choose(here.for_seat(seat, 9))
        assert chosen == bot.choose(twin.for_seat(seat, 9))
        assert here.why_not(chosen) is None

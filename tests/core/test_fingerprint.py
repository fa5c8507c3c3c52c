"""Machine code is made anew when a rule changes, and not when a word does."""

import ast
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sutler.core import fingerprint
from sutler.core import rule as rule_files
from sutler.core.fingerprint import hash_meaning_of_game, hash_meaning_of_module

MARKET = Path(__file__).parents[2] / "examples" / "market"

WORDS = [
    ("rules.py", "# --- A turn (guide 2)", "# --- One turn (guide 2)", "a comment"),
    ("rules.py", "2.3: it lies on the stall", "2.3: it must lie on the stall", "a docstring"),
    ("rules.py", "def do_buy(box, state", "def do_buy(box: Any, state: Any", "annotations"),
    ("rules.py", "{seat} takes {n} coins", "{seat} earns {n} coins", "the sentence of an event"),
    ("rules.py", "You have too few coins for it.", "You cannot pay for it.", "the words of a refusal"),
    ("rules.py", "two seats share a customer", "a customer is shared", "the words of a fault"),
    ("box.py", '"{seat}, work or buy."', '"{seat}, buy or work.", now="Do your work first."', "the words of a phase"),
    ("box.py", 'work=Block("2.2"', 'work=Block("2.3", verb="toil"', "the words of an action"),
    ("box.py", "at most {WARES} wares fit", "no more than {WARES} wares fit", "a message of the box"),
    ("box.py", '"Buy {ware}"', '"Purchase {ware}"', "a label"),
    ("view.py", '"stall": wares', '"booth": wares', "the view"),
    ("box.toml", "wage = 2", "wage = 3", "the box: an argument, not code"),
    ("box.toml", 'label = "Rounds"', 'label = "How many rounds"', "the words of an option"),
    ("box.toml", "default = 20", "default = 25", "what an option is as printed"),
]
MEANING = [
    ("rules.py", "state.round_no = 1", "state.round_no = 2", "a rule"),
    ("rules.py", "lost_ware=", "missing_ware=", "the name of a fault"),
    ("rules.py", 'field("coins", "i2"', 'field("coins", "i4"', "a field"),
    ("rules.py", 'by="seat", seen_by="customer"', 'by="seat"', "who may see a field"),
    ("box.py", "KINDS = len(KIND_NAMES)", "KINDS = 5", "a constant"),
    (
        "box.py",
        "Coins = Annotated[int, Field(ge=0, le=99)]",
        "Coins = Annotated[int, Field(ge=0, le=99_999)]",
        "bounds",
    ),
    ("box.py", "    cost: Coins", "    cost: Annotated[int, Field(ge=0, le=99_999)]", "a field's own bounds"),
    ("box.py", "    cost: Coins", "    rent: Coins\n    cost: Coins", "a field of an entry"),
    ("box.py", '"Buy {ware}", when="choose"', '"Buy {ware}", when=("choose", "over")', "when an action is asked for"),
    ("box.py", "    choose=Phase(", "    wait=Phase('2.1'),\n    choose=Phase(", "a phase"),
    ("observe.py", "of == seat or", "of == seat and", "who may know"),
    ("box.toml", "high = 60", "high = 60000", "the bounds of an option"),
    ("box.toml", "[options.rounds]", "[options.turns]", "the name of an option"),
]


@pytest.fixture
def market(tmp_path: Path) -> Path:
    """A copy of the example game to write in."""
    folder = tmp_path / "market"
    shutil.copytree(MARKET, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def edit(folder: Path, file: str, old: str, new: str) -> None:
    """Replace some text that must be there."""
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{file} has no {old!r} any more"
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(("file", "old", "new", "what"), WORDS, ids=[row[-1] for row in WORDS])
def test_words_compile_nothing(market: Path, file: str, old: str, new: str, what: str) -> None:
    """The digest of a game stays when words for people change."""
    before = hash_meaning_of_game(market)
    edit(market, file, old, new)
    assert hash_meaning_of_game(market) == before


@pytest.mark.parametrize(("file", "old", "new", "what"), MEANING, ids=[row[-1] for row in MEANING])
def test_meaning_compiles(market: Path, file: str, old: str, new: str, what: str) -> None:
    """It changes with anything that the rules speak of."""
    before = hash_meaning_of_game(market)
    edit(market, file, old, new)
    assert hash_meaning_of_game(market) != before


def test_a_second_name_of_a_rule_counts(market: Path) -> None:
    """Which rule stands for an action is meaning, though no rule speaks of it by that name."""
    rule = "\n\n\n@rule\ndef {}(state):\n    return {}\n"
    (market / "luck.py").write_text("from sutler.core.rule import rule" + rule.format("one", 1) + rule.format("two", 2))
    (market / "names.py").write_text(
        "from sutler.games.market.luck import one, two\n\nfirst = one\nwhy_not_draw = first\n"
    )
    before = hash_meaning_of_game(market)
    edit(market, "names.py", "why_not_draw = first", "why_not_draw = two")
    assert hash_meaning_of_game(market) != before
    edit(market, "names.py", "why_not_draw = two", "why_not_draw = first")
    assert hash_meaning_of_game(market) == before


def test_files_without_rules_do_not_count(market: Path) -> None:
    """A table for the terminal, a picture, another view: the rules do not speak of them."""
    before = hash_meaning_of_game(market)
    (market / "terminal.py").write_text("def draw(view):\n    return str(view)\n")
    assert hash_meaning_of_game(market) == before
    (market / "luck.py").write_text(
        "from sutler.core.rule import rule\n\n\n@rule\ndef lucky(state):\n    return True\n"
    )
    assert hash_meaning_of_game(market) != before


def test_a_module_of_core_is_its_tree(tmp_path: Path) -> None:
    """The same for templates and core: statements count, remarks do not."""
    paths = [tmp_path / f"{name}.py" for name in "abc"]
    paths[0].write_text('"""One."""\n\n\ndef f(x: int) -> int:\n    return x + 1\n')
    paths[1].write_text('"""Two."""\n# more\ndef f(x):\n    """Says more."""\n    return x + 1\n')
    paths[2].write_text('"""One."""\n\n\ndef f(x: int) -> int:\n    return x + 2\n')
    one, two, other = (hash_meaning_of_module(path) for path in paths)
    assert one == two != other


def test_several_threads_may_ask_at_once() -> None:
    """Tables are opened by several threads; parsing at the same time failed in Python 3.11 (AST constructor recursion depth)."""
    files = sorted(Path(fingerprint.__file__).parent.glob("*.py"))
    with ThreadPoolExecutor(8) as pool:
        trees = list(pool.map(fingerprint._parse_without_text, files * 4))
    assert [ast.dump(tree) for tree in trees[: len(files)]] == [
        ast.dump(fingerprint._parse_without_text(path)) for path in files
    ]


def test_what_sources_mean_is_looked_up_by_their_bytes(
    market: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reckoned once, and anew when a byte of them differs, when what was kept is cut, or when nothing can be kept."""
    monkeypatch.setenv("SUTLER_CACHE", str(tmp_path / "cache"))
    sources, reckoned = sorted(market.rglob("*.py")), []

    def reckon() -> bytes:
        reckoned.append(hash_meaning_of_game(market))
        return reckoned[-1]

    first = rule_files._get_cached_digest(sources, reckon)
    assert rule_files._get_cached_digest(sources, reckon) == first
    assert len(reckoned) == 1

    (kept,) = (tmp_path / "cache" / rule_files.MEANINGS).iterdir()
    kept.write_bytes(first[:7])
    assert rule_files._get_cached_digest(sources, reckon) == first
    assert len(reckoned) == 2

    edit(market, "rules.py", "state.round_no = 1", "state.round_no = 2")
    assert rule_files._get_cached_digest(sources, reckon) != first
    assert len(reckoned) == 3

    monkeypatch.setenv("SUTLER_CACHE", str(market / "rules.py"))  # a file, so no folder can be made in it
    assert rule_files._get_cached_digest(sources, reckon) == reckoned[2]
    assert len(reckoned) == 4


OPERATION = """

@operation("toll", needs="by", holds=True)
@rule
def op_toll(state, op) -> None:
    state.round_no += op.by
"""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ('needs="by"', 'needs="by who", may="what"', True),
        ('"toll"', '"tolls"', False),
        ("holds=True", "runs=True", False),
        ("-> None", "-> bool", False),
        ("+= op.by", "-= op.by", False),
    ],
)
def test_of_an_operation_what_code_is_made_from(market: Path, old: str, new: str, same: bool) -> None:
    """Its name numbers it, its rule's return says whether it is done at once; the fields of a card are checked, not compiled."""
    rules = market / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8") + OPERATION, encoding="utf-8")
    before = hash_meaning_of_game(market)
    edit(market, "rules.py", old, new)
    assert (hash_meaning_of_game(market) == before) == same

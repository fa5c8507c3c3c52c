"""What all tests share: a Hypothesis profile without luck, a browser, which tests are of rules; unfinished games are left out."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import sample
import sutler
from sutler.core.actions import Action
from sutler.core.definition import Definition
from sutler.core.play.registry import load_definition
from sutler.core.rule import PLAIN_ONLY
from sutler.core.tables import FINE, Refusal
from sutler.core.text.language import ENGLISH, set_language

settings.register_profile(
    "steady", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
"""As in `lab.play.ray_cluster`: Ray reads it when it is imported, and a test may do that first; its workers would never start."""

TESTED_GAMES = Path(__file__).parent / "games"
COUNTED_AGAIN = Path(__file__).parent / "naive"
collect_ignore = [
    str(folder) for folder in TESTED_GAMES.iterdir() if folder.is_dir() and folder.name not in sutler.games()
]
collect_ignore += [
    str(path) for path in COUNTED_AGAIN.glob("test_*.py") if path.stem.removeprefix("test_") not in sutler.games()
]


FACES = ("test_prompts_views_and_logs_for_every_viewer", "test_hidden_differences_do_not_show")
"""What everybody sees, in every game, size and option: plain Python asks the same of the same rules."""
AS_WRITTEN = "test_order_of_table_rows_means_nothing"
"""Plays its turned copies of the games as plain Python wherever it runs: once is enough."""


def is_of_rules(item: pytest.Item) -> bool:
    """Does plain Python find all that this finds? Of faces machine code has each game once, at its smallest table; campaigns of Six
    Winters are counted again by machine code too, since plain Python counts fewer."""
    if TESTED_GAMES in item.path.parents:
        return True
    if COUNTED_AGAIN in item.path.parents:
        return item.path.stem != "test_sixwinters"
    if item.name.startswith(AS_WRITTEN):
        return True
    if not item.name.startswith(FACES):
        return False
    case = item.callspec.params["case"]  # type: ignore[attr-defined]
    return bool(case.options) or case.seats != max(2, case.load().min_seats)


@pytest.fixture(autouse=True)
def games_of_one_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card game's file that is named puts its game on this process's shelves: only until the test is over."""
    monkeypatch.setenv("SUTLER_GAMES", os.environ.get("SUTLER_GAMES", ""))


@pytest.fixture(autouse=True)
def reasons_of_one_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test asks `why_not` of and is not legal has a reason: without one it would be refused with no words."""
    build_refusal = Definition.build_refusal

    def build_checked(self: Definition, reason: int, action: Action, phase: int) -> Refusal:
        assert reason != FINE, f"{action.name} is not legal, and no rule says why"
        return build_refusal(self, reason, action, phase)

    monkeypatch.setattr(Definition, "build_refusal", build_checked)


MODE = "plain" if PLAIN_ONLY else "compiled"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--within` and what goes with it: see `tests/sample.py`."""
    group = parser.getgroup("sample", "tests within a budget")
    group.addoption("--within", type=float, metavar="SECONDS", help="run a sample of the tests that takes so long")
    group.addoption("--seed", default="1", help="which sample")
    group.addoption("--rest", type=float, metavar="SECONDS", help="run, of what that sample leaves out, so much")
    group.addoption("--note-costs", action="store_true", help="write how long each test took into tests/costs.json")


class Costs:
    """Adds up how long each test takes, its setup and its end included."""

    def __init__(self, known: list[str]) -> None:
        self.known, self.seconds = known, Counter[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A part of a test is done, here or in a worker."""
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        """All are done."""
        sample.write_costs(MODE, self.seconds, [*self.known, *self.seconds])


class Sample:
    """Leaves of the tests that the other options ask for a sample, or some of the rest."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """All are collected, and what markers leave out is out."""
        names, costs, seed = [item.nodeid for item in items], sample.read_costs(MODE), config.option.seed
        chosen = sample.sample(names, costs, config.option.within, seed)
        if (more := config.option.rest) is not None:
            chosen = sample.rest(names, costs, chosen, more, seed)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
        items[:] = [item for item in items if item.nodeid in chosen]


def pytest_configure(config: pytest.Config) -> None:
    """Tests are sampled in every process; the one that hears of all of them notes what they cost."""
    if config.option.within is not None:
        config.pluginmanager.register(Sample())
    if config.option.note_costs and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Costs([*sample.read_costs(MODE)]))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that say what the rulebook says, or count it again, are `rules`: they call one rule after another from Python.

    Compiled, each of these calls would be compiled by itself, for minutes, to find what plain Python finds sooner: there a wrong
    index raises and an overflow is an error. That machine code does the same, to the byte, is what the contract suite tests.

    In CI a test in the browser that fails is run once more: three programs talk there beside each other on a busy machine. What needed it
    is named at the end (`-rR`), for it counts on luck; anywhere else it fails at once.
    """
    for item in items:
        if is_of_rules(item) and not any(item.get_closest_marker(name) for name in ("browser", "compiled")):
            item.add_marker("rules")
        if "CI" in os.environ and item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="module", autouse=True)
def homes_as_they_begin() -> None:
    """A game that tests before left in plain Python, as a table does that was shut while it warmed up, does not stay so."""
    for name in sutler.games():
        load_definition(name).home.interpreted = PLAIN_ONLY


@pytest.fixture(autouse=True)
def english_as_tests_begin() -> Iterator[None]:
    """A command with `--language de` speaks German in its process from then on; the next test begins in English."""
    yield
    set_language(ENGLISH)


QUIET = ["--no-first-run", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]
NOT_FOR_US = ["SpareRendererForSitePerProcess", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup"]
"""With every window Chromium begins a process for the next one, and two more for what opens below the address: two thirds of what an
empty page costs. Those that are left `Target.getTargets` names, `browser_ui` among them."""
NOT_FOR_TESTS = ["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "LensOverlay", "MediaRouter"]
NOT_FOR_TESTS += ["HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "PaintHolding", "ThirdPartyStoragePartitioning"]
NOT_FOR_TESTS += ["OptimizationHints", "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "PreconnectToSearch"]
NOT_FOR_TESTS += ["NetworkTimeServiceQuerying"]
"""What Playwright turns off: Chromium hears the last list alone."""
QUIET += ["--disable-features=" + ",".join(NOT_FOR_TESTS + NOT_FOR_US)]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A real browser. Without one these tests are skipped, except in CI, where that is an error."""
    path = os.environ.get("SUTLER_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            args = [*QUIET, "--no-sandbox"]
            browser = playwright.chromium.launch(executable_path=path, args=args)
            yield browser
            browser.close()
    except Exception as error:
        if "Executable doesn" not in str(error) or os.environ.get("CI"):
            raise
        pytest.skip("no Chromium here: set SUTLER_CHROMIUM or run `playwright install chromium`")

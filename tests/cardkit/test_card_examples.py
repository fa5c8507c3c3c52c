"""The two examples: each under 150 lines, played by bots and asked about in the lab; one plays Market's games to the byte."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sutler
from sutler.cardkit.box_model import read_game_in_folder
from sutler.cardkit.game_file_reader import parse_card_game
from sutler.cardkit.installed_card_games import install_card_game
from sutler.cardkit.operation_types import OPERATIONS
from sutler.core.play.game import Game
from sutler.core.play.position import Position

ROOT = Path(__file__).parents[2]
STALLS, HIGH_WATER = (ROOT / "examples" / "cards" / f"{name}.toml" for name in ("stalls", "highwater"))
FIRST = ROOT / "src" / "sutler" / "cardkit" / "first_game.toml"
EVERYTHING = Path(__file__).with_name("everything.toml")
DUEL = Path(__file__).with_name("duel.toml")
Load = Callable[[Path], Game]


def as_dealt(game: Game, first: Position) -> Position:
    """The card game's position with the same wares laid out, the same customers and the same luck to come as Market's."""
    state = game.new(first.n_seats).state
    there = first.state
    for seat in range(first.n_seats):
        customer = len(first.game.names["ware"]) + int(there.customer[seat])
        state.wish[seat] = [1 << customer]
    everyone = np.uint64(0b1111 << len(first.game.names["ware"]))
    state.street = everyone
    for seat in range(first.n_seats):
        state.street &= ~state.wish[seat]
    state.stall, state.cart, state.rng = there.stall, there.cart, there.rng
    return game.from_bytes(state.tobytes())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_plays_the_games_of_market_to_the_byte(loaded: Load, seats: int) -> None:
    """From the same deal the same choices, the same wares laid out, and scores and places equal to the byte, in twenty games."""
    game = loaded(STALLS)
    market = sutler.load("market")
    market.definition.home.interpreted = True
    for seed in range(20):
        first, luck = market.new(seats, seed), random.Random(seed)
        second = as_dealt(game, first)
        while not first.over:
            names = sorted(action.name for action in first.actions())
            assert sorted(action.name for action in second.actions()) == names
            assert (first.seat, list(first.state.rng)) == (second.seat, list(second.state.rng))
            chosen = luck.choice(names)
            first.play(chosen)
            second.play(chosen)
        assert second.over
        assert np.array(first.scores()).tobytes() == np.array(second.scores()).tobytes()
        assert first.places() == second.places()
        assert bytes(first.state.coins[:seats]) == bytes(second.state.coins[:seats].astype(first.state.coins.dtype))


def test_the_examples_are_short() -> None:
    """Under 150 lines, and the one that all play together uses together, compare, roll and if."""
    for file in (STALLS, HIGH_WATER):
        assert len(file.read_text(encoding="utf-8").splitlines()) < 150, file
    said = HIGH_WATER.read_text(encoding="utf-8")
    assert all(word in said for word in ("together = true", 'op = "compare"', 'op = "roll"', 'op = "if"'))


@pytest.mark.parametrize("file", [STALLS, HIGH_WATER, FIRST], ids=lambda file: file.stem)
def test_bots_play_it(loaded: Load, file: Path) -> None:
    """Random, greedy and search, against each other, to the end; greedy does better than random."""
    game = loaded(file)
    table = sutler.simulate(game, ["greedy", "random", "search:rounds=4"], games=2, seats=3)
    assert len(table) == 2
    assert game.new(2, seed=1).for_seat(0, 1).observation().shape == (game.definition.N_OBSERVED,)


def test_greedy_knows_what_is_worth_having(loaded: Load) -> None:
    """By the judgement made from tokens, score rows and cards it beats chance, or, where all play together, the sea."""
    table = sutler.simulate(loaded(STALLS), ["greedy", "random"], games=16, seats=2)
    greedy = np.concatenate(
        [table[f"score_{seat}"].to_numpy()[table[f"bot_{seat}"].to_numpy() == "greedy"] for seat in (0, 1)]
    )
    chance = np.concatenate(
        [table[f"score_{seat}"].to_numpy()[table[f"bot_{seat}"].to_numpy() == "random"] for seat in (0, 1)]
    )
    assert greedy.mean() > 1.15 * chance.mean()
    together = [
        sutler.simulate(loaded(HIGH_WATER), [bot], games=16, seats=2)["score_0"].mean() for bot in ("greedy", "random")
    ]
    assert together[0] > together[1]


def test_a_number_of_the_file_is_a_setting(loaded: Load) -> None:
    """What is printed can be turned like that of any box: numbers, starts, limits, cards and the rounds."""
    install_card_game(STALLS)
    loaded(STALLS)
    game = sutler.load("stalls", settings={"numbers.wage": 5, "ware.Linen.cost": 9, "starts.coins": 1}, rounds=6)
    pos = game.new(2, seed=1)
    assert int(pos.state.coins[0]) == 1
    pos.play("work")
    assert int(pos.state.coins[0]) == 6
    assert int(game.box.card[0].cost) == 9
    with pytest.raises(sutler.BoxError, match=r"no rule knows a card"):
        sutler.load("stalls", box={"ware": [{"name": "Silk", "sort": "cloth", "cost": 1, "worth": 1}]})


def test_an_option_does_what_it_says(loaded: Load) -> None:
    """Of several choices in one file each has its own words, in whatever order the file has them."""
    game = loaded(EVERYTHING)
    pos = game.new(3, seed=1)
    gold, size = int(pos.state.gold[pos.seat or 0]), int(pos.state.size_)
    assert {action.name for action in pos.actions()} == {"choose a coin", "choose a card for toll", "choose to be big"}
    taken, grown = pos.copy(), pos.copy()
    taken.play("choose a coin")
    assert int(taken.state.gold[pos.seat or 0]) == gold + 1
    grown.play("choose to be big")
    assert int(grown.state.size_) == size + 1


def test_the_guide_says_all(loaded: Load) -> None:
    """A paragraph for each token, place, phase, action and end; what the designer wrote stands in it word for word."""
    guide = loaded(HIGH_WATER).guide
    text = "\n".join(paragraph.text for paragraph in guide.paragraphs)
    for word in (
        "Water",
        "Sand",
        "Hand",
        "The weather",
        "Carry sand to a player",
        "The dyke stands: the village has won.",
    ):
        assert word in text
    told = read_game_in_folder(loaded(HIGH_WATER).folder)
    assert all(card.text.rstrip(".") in text for card in told.cards if card.text)


def test_they_keep_the_contract(tmp_path: Path) -> None:
    """The examples, the game that `new-game --cards` writes, one with everything and one of unseen choices pass every game's suite."""
    first = tmp_path / "harvest.toml"
    first.write_text(FIRST.read_text(encoding="utf-8"), encoding="utf-8")
    code = "from pathlib import Path; from sutler.cardkit.installed_card_games import install_card_game; import os\n"
    code += "".join(
        f"install_card_game(Path({str(file)!r}))\n" for file in (STALLS, HIGH_WATER, EVERYTHING, DUEL, first)
    )
    code += "print(os.environ['SUTLER_GAMES'])"
    env = os.environ | {"SUTLER_PLAIN": "1", "SUTLER_GAMES": ""}
    shelves = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    ).stdout.strip()
    which = "stalls or highwater or everything or duel or harvest"
    command = [sys.executable, "-m", "pytest", "src/sutler/contract", "tests/contract", "-k", which, "-q"]
    command += ["-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        command, cwd=ROOT, env=env | {"SUTLER_GAMES": shelves}, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(r"\d\d passed", done.stdout.replace("\n", " ")) or done.stdout.count(".") > 60


def test_the_page_for_designers_says_what_is_so() -> None:
    """docs/your-own-game-in-an-hour.md: its pieces fit into the first game, its table has every operation, its files are there."""
    page = (ROOT / "docs" / "your-own-game-in-an-hour.md").read_text(encoding="utf-8")
    pieces = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    first = FIRST.read_text(encoding="utf-8")
    assert len(pieces) >= 2
    for piece in pieces:
        assert len(parse_card_game(first + "\n" + piece).deeds) >= 2
    assert all(f"`{word}`" in page for word in OPERATIONS)
    assert all(name in page for name in (STALLS.name, HIGH_WATER.name))
    assert "line 56: [cards], field workshop.Baker.trade" in page
    with pytest.raises(
        sutler.BoxError, match=r"line 56: \[cards\], field workshop.Baker.trade: .* did you mean 'food'"
    ):
        parse_card_game(first.replace('trade = "food"', 'trade = "foot"', 1))

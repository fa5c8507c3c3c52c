"""Finding and making bots by name: `bot("greedy").choose(pos.for_seat(seat))`.

A bot is any object with a method `choose(view)` that returns one of the view's legal actions; it uses the contract that all games
share, never a single game's internals. `_user_bots.py` checks the bots that users write. A bot's name is one of:

- the name of a Python file in this folder, or in a folder listed in the environment variable SUTLER_BOTS (`greedy`);
- the path of a Python file (`./mine.py`; `./mine.py:Thrifty` where the file has several bots);
- a program in any language (`cmd:./mine`, docs/bot-protocol.md);
- a persona of a game, a bot that follows one plan (`monk`);
- a level (`easy`, `normal`, `hard`). A `levels.toml` in a folder of SUTLER_BOTS adds levels to the lobby.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from sutler.bots._program_bots import PREFIX, parse_command_bot
from sutler.bots._user_bots import BotFault as BotFault
from sutler.bots._user_bots import check_bot, find_bot_in_module, load_module, make_bot
from sutler.bots._user_bots import choose_checked_action as choose_checked_action
from sutler.core.names import did_you_mean
from sutler.core.play import registry

if TYPE_CHECKING:
    from sutler.core.actions import Action
    from sutler.core.play.game import Game
    from sutler.core.play.position import Position, SeatView

HERE = Path(__file__).parent
PERSONA = "persona"  # the file of the bots that go by the names of their plans
IN_A_FILE = re.compile(r"(?P<file>.+?\.py)(?::(?P<name>[A-Za-z]\w*)(?=:|$))?(?P<rest>.*)", re.DOTALL)
FILE_SETTING = "weights"  # the one setting that is no number: a judge's or a policy's file
LEARNED_BOTS = ("judge", "policy")
"""The bots whose numbers lie in a file that training made."""
LEVELS: dict[str, tuple[str, dict[str, Any]]] = {
    "easy": ("greedy", {"noise": 0.12, "blunders": 0.1}),
    "normal": ("greedy", {}),
    "hard": ("search", {"budget": 1.0, "threads": 0}),
}
"""The levels every table offers, as a bot and its settings; a game may name other bots for them (`replace_level_bot`)."""
WARMING_SECONDS = 0.01
"""How long a search by time thinks that is only to be compiled."""
STYLE = ":lean=0.5"
"""The setting that turns a persona into a normal bot with a style: how much dearer, in parts of SCALE, it holds what its plan wants."""


class Bot(Protocol):
    """Anything that decides: given a seat's view, it returns one of its legal actions."""

    @property
    def name(self) -> str:
        """The bot's name in tables of results."""
        ...

    def choose(self, view: SeatView) -> Action:
        """Return one of the view's legal actions."""
        ...


# --- Finding them -------------------------------------------------------------


def list_bot_folders() -> list[Path]:
    """The folders in which bots are looked for, Sutler's own first."""
    named = os.environ.get("SUTLER_BOTS", "").split(os.pathsep)
    return [HERE, *(Path(one).resolve() for one in named if one)]


def _find_bot_files() -> dict[str, Path]:
    """The file of every bot, by the bot's name. Files whose name begins with an underscore are not bots."""
    found: dict[str, Path] = {}
    for shelf in list_bot_folders():
        for path in sorted(shelf.glob("[!_]*.py")):
            found.setdefault(path.stem.replace("_", "-") if shelf == HERE else path.stem, path)
    del found[PERSONA]
    return found


def list_personas(game: str | None = None) -> list[str]:
    """The names of the personas of one game, or of all games (None), sorted."""
    asked = registry.games() if game is None else [game]
    return sorted({plan for one in asked for plan in registry.load_definition(one).plans})


def build_style_spec(plan: str) -> str:
    """The spec, for `bot_from`, of a normal bot that prefers what this persona's plan wants: `monk:lean=0.5`."""
    return plan + STYLE


def is_style_spec(level: str) -> bool:
    """Is this level (the text kept for a bot's seat) a style, in the form that `build_style_spec` writes?"""
    return level.endswith(STYLE)


def find_plan(level: str) -> str:
    """The name of the plan in a style; "" for any other level."""
    return level.removesuffix(STYLE) if is_style_spec(level) else ""


def load_levels() -> dict[str, tuple[str, dict[str, Any]]]:
    """The levels that a table offers, by name, each as the name of a bot and its settings.

    They are the built-in ones and those of each `levels.toml`. ValueError where such a file cannot be read.
    """
    found = dict(LEVELS)
    for path in (shelf / "levels.toml" for shelf in list_bot_folders()[1:]):
        if not path.exists():
            continue
        try:
            listed = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{path}: {error}") from None
        for name, entry in listed.items():
            if not isinstance(entry, dict) or not isinstance(entry.get("bot"), str):
                raise ValueError(f'{path}: [{name}]: field bot: say which bot this is, such as bot = "greedy"')
            settings = {key: value for key, value in entry.items() if key != "bot"}
            spec = entry["bot"]
            inside = (path.parent / spec).resolve() if IN_A_FILE.fullmatch(spec) else spec
            found.setdefault(name, (str(inside), settings))
    return found


def list_bot_names() -> list[str]:
    """The names of all bots and levels, without personas."""
    return [*_find_bot_files(), *load_levels()]


def _load_bot_class(path: Path, name: str | None = None) -> Any:
    """The bot's class in a file, or its function `choose`.

    `name` picks one class of several. ValueError where the file has none, or several and no `name` is given.
    """
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    if path.parent == HERE:
        return find_bot_in_module(importlib.import_module(f"{__name__}.{path.stem}"), path, name)
    return find_bot_in_module(load_module(path.resolve()), path, name)


# --- Making them --------------------------------------------------------------


def bot(name: str, **settings: Any) -> Bot:
    """The bot of this name (greedy), level (easy, normal, hard), file (./mine.py:Thrifty) or program (cmd:./mine).

    ValueError where there is no such bot, or where it has no setting of a name in `settings`.
    """
    kind, given = load_levels().get(name, (name, {}))
    if kind.startswith(PREFIX):
        return parse_command_bot(kind)
    in_file = IN_A_FILE.fullmatch(kind)
    stem = kind
    if in_file and not in_file["rest"]:
        maker, stem = _load_bot_class(Path(in_file["file"]), in_file["name"]), Path(in_file["file"]).stem
    else:
        files = _find_bot_files()
        if kind not in files and kind in (plans := list_personas()):
            maker, given = _load_bot_class(HERE / f"{PERSONA}.py"), {**given, "plan": kind}
        elif kind not in files and ":" in name:
            raise ValueError(
                f"there is no bot {name!r}; with its settings in one text it is made by bot_from({name!r})"
            )
        elif kind not in files:
            there = ", ".join([*files, *load_levels()])
            near = did_you_mean(name, [*there.split(", "), *plans])
            raise ValueError(f"there is no bot {name!r}{near}; there are {there}, and the personas {', '.join(plans)}")
        else:
            maker = _load_bot_class(files[kind])
    known = list(inspect.signature(maker).parameters) if isinstance(maker, type) else []
    for key in settings:
        if key not in known:
            raise ValueError(f"{name} has no setting {key!r}; it has {', '.join(known) or 'none'}")
    made: Bot = make_bot(maker, {**given, **settings}, stem)
    if name in LEVELS and not settings:
        mark_with_level(made, name)
    return made


def mark_with_level(player: Any, level: str) -> Any:
    """Mark the bot as standing for a level, and return it: a game may put another bot in its place (`replace_level_bot`)."""
    object.__setattr__(player, "level", level)
    return player


def replace_level_bot(player: Bot, game: Game, at_table: bool = False) -> Bot:
    """The bot to use in this game: for a bot marked with a level, the one that the game's LEVELS name for it, else the bot itself.

    at_table: do people play? Then the game's TABLE_LEVELS come first, on which no figure of the lab depends. A learned bot that does not
    know this box and these options (`Policy.has_learned`) takes nobody's place. One that searches by time in place of another such takes
    the other's time, which a busy server shortens.
    """
    named = (game.definition.LEVELS or {}) | ((game.definition.TABLE_LEVELS or {}) if at_table else {})
    spec = named.get(getattr(player, "level", ""))
    if spec is None:
        return player
    other: Any = bot_from(spec)
    if hasattr(other, "has_learned") and not other.has_learned(game):
        return player
    budgets = getattr(player, "budget", 0.0), getattr(other, "budget", 0.0)
    other = replace(other, budget=budgets[0]) if all(budgets) else other
    return cast("Bot", other)


def choose_quick_bot(player: Any, game: Game) -> Any:
    """The bot to use for one decision at a table: `replace_level_bot`, but `player` itself while the rules are not compiled.

    A game's own level bot would be too slow then.
    """
    return player if game.definition.home.interpreted else replace_level_bot(player, game, at_table=True)


def bot_from(spec: str, files: bool = True) -> Bot:
    """The bot that a text on the command line names: `greedy`, `search:rounds=40`, `./mine.py:Thrifty:patience=2`.

    files: False refuses Python files, programs and weight files, for texts that come from strangers. ValueError says what is wrong.
    """
    spec = spec.strip()
    in_file = IN_A_FILE.fullmatch(spec)
    is_program = spec.startswith(PREFIX)
    if (in_file or is_program) and not files:
        raise ValueError(f"{spec}: here bots go by name; put the file into a folder that $SUTLER_BOTS names")
    if is_program:
        return parse_command_bot(spec)
    if in_file:
        name = ":".join(one for one in (in_file["file"], in_file["name"]) if one)
        pairs = in_file["rest"].split(":")[1:]
    else:
        name, *pairs = spec.split(":")
    settings: dict[str, float | int | str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if key == FILE_SETTING and equals:
            if not files:
                raise ValueError(
                    f"{spec}: here no file is read; judges and policies go by the weights that come with the game"
                )
            settings[key] = value
            continue
        try:
            number = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise ValueError(f"{spec}: write settings as {name}:KEY=NUMBER, not {pair!r}")
        settings[key] = int(number) if number == int(number) else number
    return bot(name, **settings)


def parse_bots(specs: str, files: bool = True) -> list[Bot]:
    """The bots that a text names, separated by commas; `files` as in `bot_from`. ValueError where it names none."""
    found = [bot_from(one, files) for one in specs.split(",") if one.strip()]
    if not found:
        raise ValueError("no bots are named; write them with commas between, such as greedy,random")
    return found


def to_bots(bots: str | Sequence[str | Bot]) -> list[Bot]:
    """The bots given as one text or as a list of texts and objects: `"greedy,random"`, `["search:rounds=20", mine]`.

    ValueError says what is wrong; for a bot that a user wrote it is a BotFault with file and line.
    """
    if isinstance(bots, str):
        return parse_bots(bots)
    return [bot_from(one) if isinstance(one, str) else check_bot(one) for one in bots]


def notify_finish(players: Mapping[int, Bot], pos: Position) -> None:
    """Call `finish(pos, seat)` of each bot that has such a method; `pos` is the final position, `players` maps seats to bots."""
    for seat, player in players.items():
        if hasattr(player, "finish"):
            player.finish(pos, seat)


def list_bots_with_own_rules(game: Game) -> list[Bot]:
    """The built-in bots that are compiled from files of their own: one persona of the game, its learned judge, its policy."""
    found = [bot(plan) for plan in game.definition.plans[:1]]
    for learned in (bot("judge"), bot("policy")):
        with contextlib.suppress(ValueError):  # none comes with the game
            learned.packed(game)  # type: ignore[attr-defined]
            found.append(learned)
    return found


def warm_own(game: Game) -> None:
    """Compile the bots of `list_bots_with_own_rules` for this game, or load them from the cache, by asking each for one decision."""
    pos = game.new(seed=1)
    seat = pos.seat
    for one in list_bots_with_own_rules(game) if seat is not None else ():
        one.choose(pos.for_seat(seat or 0))


def warm(game: Game) -> None:
    """Compile what the bots of a game call from Python, or load it from the cache."""
    importlib.import_module(f"{__name__}.kit").compile_kit(game)


def warm_levels(game: Game) -> None:
    """Compile the learned bots that a game's levels use, or load them from the cache, by asking each for one decision."""
    kit = importlib.import_module(f"{__name__}.kit")
    pos = game.new(game.best_seats, seed=1)
    for kind in LEARNED_BOTS:
        named = [level for level, (one, _) in load_levels().items() if one == kind]
        for own in (game.definition.LEVELS or {}, game.definition.TABLE_LEVELS or {}):
            named += [level for level, spec in own.items() if spec.startswith(kind)]
        for level in named if pos.seat is not None else ():
            with contextlib.suppress(ValueError):  # weights of another game, or none there: the table will say so
                one: Any = replace_level_bot(bot(level), game, at_table=True)
                one = replace(one, budget=WARMING_SECONDS) if kit.is_search_by_time(one) else one
                one.choose(pos.for_seat(pos.seat or 0))

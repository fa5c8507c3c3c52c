"""Reading a card game's file into checked data (`card_parts`); `read_card_game` is the entry point.

Every field that a file may have is described, with examples, in `docs/your-own-game-in-an-hour.md`.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sutler.cardkit.amounts import FUNCTIONS, WORDS, amount_of
from sutler.cardkit.card_parts import Card, CardGame, Deed, Ending, Kind, Score, Spot, Stage, Token
from sutler.cardkit.faults import Faults, Place, Table
from sutler.cardkit.operation_reader import OperationReader, Scope
from sutler.core.files.box import BoxError
from sutler.core.files.toml import TomlError, toml_of
from sutler.core.spelling import did_you_mean

SECTIONS = ("game", "numbers", "tokens", "places", "kind", "cards", "setup", "phase", "action", "end", "score")
KIT_WORDS = {
    *SECTIONS,
    *WORDS,
    *FUNCTIONS,
    "card",
    "seat",
    "name",
    "copies",
    "text",
    "me",
    "box",
    "state",
    "option",
    "amounts",
}
TRIGGERS = ("played", "drawn", "each_turn")
"""The moments at which a card does something, each with a list of operations; `at_end` is an amount of points."""
MAX_CARDS, MAX_AMOUNTS = 240, 64
ICONS = (
    *(
        "axe-in-log",
        "barrel",
        "bee",
        "boar",
        "bread",
        "campfire",
        "candle-holder",
        "cannon",
        "card-draw",
        "cavalry",
        "church",
        "cow",
    ),
    *(
        "crossed-swords",
        "damaged-house",
        "dead-wood",
        "deer-head",
        "double-fish",
        "eagle-emblem",
        "farmer",
        "fist",
        "fleur-de-lys",
    ),
    *(
        "flying-flag",
        "fruit-tree",
        "galleon",
        "grapes",
        "hammer-nails",
        "hill-fort",
        "hooded-figure",
        "hourglass",
        "knight-banner",
    ),
    *(
        "laurels",
        "linked-rings",
        "lyre",
        "magnifying-glass",
        "mine-wagon",
        "mounted-knight",
        "oak-leaf",
        "old-wagon",
        "open-book",
    ),
    *(
        "pig",
        "pikeman",
        "pine-tree",
        "queen-crown",
        "quill-ink",
        "robber",
        "rule-book",
        "shaking-hands",
        "sheep",
        "siege-tower",
    ),
    *(
        "snowflake-2",
        "spinning-wheel",
        "spyglass",
        "stone-block",
        "stone-pile",
        "stone-tower",
        "sun",
        "swan",
        "tavern-sign",
    ),
    *("tied-scroll", "two-coins", "water-mill", "wax-seal", "wheat"),
)
"""The pictures that a file may name for tokens and cards."""
BUILT_IN = ("pick", "to", "choose", "none", "stop")
"""The first words of the actions by which choices are made; no action of a file may begin with them."""


def read_card_game(path: Path) -> CardGame:
    """The card game in a file; BoxError tells every fault with its line."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise BoxError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BoxError(f"{path}: cannot be read as text ({error})") from None
    return card_game_of(text, str(path))


def card_game_of(text: str, source: str = "the file") -> CardGame:
    """The card game in a text; BoxError tells every fault with its line. `source` names the text in these messages."""
    try:
        data = toml_of(text)
    except TomlError as error:
        raise BoxError(f"{source}{_toml_in_words(str(error), text)}") from None
    faults = Faults(source, text)
    found = _Reader(faults, data).read()
    if faults:
        raise BoxError(faults.told())
    return found


def _toml_in_words(said: str, text: str) -> str:
    """A message on a TOML syntax error, with its line and a hint at the usual cause; `said` is the parser's message, `text` the file."""
    at = re.search(r"line (\d+)", said)
    if not at:
        return f": cannot be read: {said}"
    number = int(at.group(1))
    lines = text.splitlines()
    line = lines[number - 1].strip() if number <= len(lines) else ""
    before = next(
        (one.strip() for one in reversed(lines[: number - 1]) if one.strip() and not one.strip().startswith("#")), ""
    )
    hints = (
        (line.count('"') % 2, "a quotation mark is missing"),
        (
            "Cannot overwrite" in said or "Cannot declare" in said,
            "the same is written twice; of what there may be several, each stands in double brackets: [[…]]",
        ),
        (re.match(r"^\w+ *= *\d+ *(-|to|,) *\d+", line), "two numbers stand in square brackets with a comma: [2, 4]"),
        (
            before.endswith(("}", '"')) and line.startswith(("{", '"')),
            "a comma is missing at the end of the line before",
        ),
        (re.match(r"^\w[\w ]*= *(?!true|false)[A-Za-z]", line), "words stand in quotation marks"),
        (re.match(r"^[A-Za-z][\w ]*$", line), "a field is written name = value"),
        (line.count("{") != line.count("}") or line.count("[") != line.count("]"), "a bracket is not closed"),
    )
    hint = next((f" ({text})" for fits, text in hints if fits), "")
    reason = re.sub(r" \(at line.*", "", said)
    return f", line {number}: {line!r} cannot be read: {reason[:1].lower()}{reason[1:]}{hint}"


class _Reader(OperationReader):
    """Reads the tables of one file, section by section, into a `CardGame`."""

    def __init__(self, faults: Faults, data: Mapping[str, Any]) -> None:
        super().__init__(faults, CardGame())
        self.data = data

    def read(self) -> CardGame:
        """The game of the file; faults are noted on the way."""
        self._read_game()
        self._read_numbers_and_tokens()
        self._read_kinds()
        self._read_places()
        kinds = tuple(self.game.kinds)
        for section in self.data:
            if section not in SECTIONS and section not in kinds:
                near = did_you_mean(section, (*SECTIONS, *kinds))
                there = "" if near else f" (there are {', '.join((*SECTIONS, *kinds))})"
                self.faults.say(Place(), f"there is no section [{section}]{near}{there}", f"[{section}")
        self._read_stages()
        self._read_cards()
        self._read_setup()
        self._read_actions()
        self._read_ends_and_scores()
        self._check_whole()
        return self.game

    # --- Sections ---

    def _table_of(self, section: str) -> Mapping[str, Any]:
        """The single table of a section; empty if it is missing or in double brackets, which is noted as a fault."""
        found = self.data.get(section, {})
        if not isinstance(found, Mapping):
            self.faults.say(
                Place(section), f"[{section}] stands in single brackets: there is one of it", f"[[{section}"
            )
            return {}
        return found

    def _entries_of(self, section: str) -> list[Table]:
        """The tables of a section in double brackets; [] if it is missing or in single brackets, which is noted as a fault."""
        found = self.data.get(section, [])
        if not isinstance(found, list):
            self.faults.say(
                Place(section), f"[[{section}]] stands in double brackets: there may be several", f"[{section}"
            )
            return []
        named = [one.get("name", "") if isinstance(one, Mapping) else "" for one in found]
        places = (Place(section, i, name if isinstance(name, str) else "") for i, name in enumerate(named))
        return [Table(self.faults, place, one) for place, one in zip(places, found, strict=True)]

    def _card_lines_of(self, kind: str) -> list[Table]:
        """The entries of a kind of card that the section `[cards]` lists, one per line."""
        found = Table(self.faults, Place("cards"), self._table_of("cards")).tables(kind)
        named = [str(one.get("name", i + 1)) if isinstance(one, Mapping) else str(i + 1) for i, one in enumerate(found)]
        return [
            Table(self.faults, Place("cards").at(kind).at(name), one) for name, one in zip(named, found, strict=True)
        ]

    def _is_name_allowed(self, table: str, name: str, known: Iterable[str] = ()) -> bool:
        """Can `name` be given to an entry of `table`? Notes a fault if it is malformed, reserved or taken."""
        place = Place(table, -1, "", name)
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
            self.faults.say(
                place, f"{name!r} will not do as a name: small letters, digits and _, such as {_as_name(name)!r}"
            )
        elif name in KIT_WORDS:
            self.faults.say(place, f"{name!r} is a word of the kit itself; choose another name, such as {name + 's'!r}")
        elif name in (*self.game.numbers, *self.game.tokens, *self.game.places, *known):
            self.faults.say(place, f"two things are called {name!r}")
        else:
            return True
        return False

    def _read_game(self) -> None:
        if "game" not in self.data:
            self.faults.say(Place(), 'the section [game] is missing: begin with [game] and title = "…"')
        one, game = Table(self.faults, Place("game"), self._table_of("game")), self.game
        game.title = one.text("title", None if "game" in self.data else "x")
        game.tagline = one.text("tagline", "A card game of one's own.")
        game.blurb = one.text("blurb", game.tagline)
        game.designer = one.text("designer", "its designer")
        game.minutes = str(one.raw("minutes", "20"))
        game.together = one.flag("together")
        seats = one.raw("seats", [2, 4])
        if not (isinstance(seats, list) and len(seats) == 2 and all(type(n) is int for n in seats)):
            one.fault("seats", f"the fewest and the most players are expected, such as [2, 4], not {seats!r}")
        elif not 1 <= seats[0] <= seats[1] <= 6 or seats[1] < 2:
            one.fault("seats", f"from {seats[0]} to {seats[1]}: a table has 1 to 6 seats, the fewer first")
        else:
            game.seats = (seats[0], seats[1])
        self._ties = [str(tie) for tie in one.tables("ties")]
        one.done()

    def _read_numbers_and_tokens(self) -> None:
        for name, value in self._table_of("numbers").items():
            if type(value) is not int or not -999 <= value <= 9999:
                self.faults.say(Place("numbers").at(name), f"a whole number is expected, not {value!r}")
            elif self._is_name_allowed("numbers", name):
                self.game.numbers[name] = value
        for name, data in self._table_of("tokens").items():
            one = Table(self.faults, Place("tokens").at(name), data)
            worth = one.raw("worth")
            token = Token(
                name,
                one.number("start", 0),
                one.number("limit", 0),
                one.flag("shared"),
                one.flag("secret"),
                one.text("one", name[:-1] if name.endswith("s") and not name.endswith("ss") else name),
                float(worth) if isinstance(worth, int | float) else None,
                one.one_of("icon", ICONS, ""),
            )
            if token.shared and token.secret:
                one.fault("secret", "shared tokens are everybody's: they cannot be secret")
            if token.limit and token.start > token.limit:
                one.fault("start", f"{token.start} to begin with is more than the limit of {token.limit}")
            one.done()
            if self._is_name_allowed("tokens", name):
                self.game.tokens[name] = token

    def _read_kinds(self) -> None:
        for one in self._entries_of("kind"):
            name = one.text("name", None)
            fields: dict[str, tuple[str, ...]] = {}
            for called, what in one.table("fields").items():
                where = one.place.at("fields").at(called)
                if called in KIT_WORDS or called in (*TRIGGERS, "at_end"):
                    self.faults.say(
                        where, f"{called!r} is a word of the kit itself; choose another name for the field", called
                    )
                elif not re.fullmatch(r"[a-z][a-z0-9_]*", called) or keyword.iskeyword(called):
                    self.faults.say(where, f"{called!r} will not do as a name: small letters, digits and _")
                elif called in (*self.game.numbers, *self.game.tokens):
                    self.faults.say(where, f"a field and a token or number are both called {called!r}", called)
                elif what == "number":
                    fields[called] = ()
                elif isinstance(what, list) and what and all(isinstance(w, str) and w.strip() for w in what):
                    fields[called] = tuple(what)
                    if (known := self.game.fields.get(called)) is not None and known != fields[called]:
                        self.faults.say(
                            where, f"two kinds have a field {called!r} with other words; name one of them otherwise"
                        )
                else:
                    self.faults.say(
                        where, f'a field is "number" or a list of words, such as ["red", "blue"], not {what!r}'
                    )
            icon, icons = one.one_of("icon", ICONS, ""), dict(one.table("icons"))
            words = [word for field_words in fields.values() for word in field_words]
            for word, picture in icons.items():
                if word not in words:
                    self.faults.unknown(one.place.at("icons"), "word of a field called", word, words)
                if picture not in ICONS:
                    self.faults.unknown(one.place.at("icons").at(word), "picture called", str(picture), ICONS)
            one.done()
            if not name:
                continue
            if (
                name in self.game.kinds
                or name in KIT_WORDS
                or not re.fullmatch(r"[a-z][a-z0-9]*", name)
                or keyword.iskeyword(name)
            ):
                one.fault(
                    "name", f"{name!r} will not do as the name of a kind: one word of small letters, used once", name
                )
            else:
                self.game.kinds[name] = Kind(name, fields, icon, icons)
        if not self.game.kinds:
            self.faults.say(
                Place(), 'there are no cards: [[kind]] with a name, such as name = "ware", says which kinds there are'
            )

    def _read_places(self) -> None:
        raw = self._table_of("places")
        for name, data in raw.items():
            one = Table(self.faults, Place("places").at(name), data)
            of = one.one_of("of", self.game.kinds, None)
            everything = one.flag("all")
            worth = one.raw("worth")
            seen = one.one_of("seen_by", ("all", "owner", "nobody"), "nobody" if everything else "all")
            spot = Spot(
                name,
                of,
                one.flag("each"),
                everything,
                one.number("limit", 0),
                one.one_of("refill", raw, ""),
                one.one_of("again", raw, ""),
                seen,
                float(worth) if isinstance(worth, int | float) else None,
                one.flag("ordered"),
            )
            if spot.ordered and spot.seen_by != "nobody":
                one.fault("ordered", 'only a pile that lies face down has an order: say seen_by = "nobody"')
            if spot.each and spot.all:
                one.fault("all", "all cards begin in one place of the table, not at each seat: leave out each or all")
            if spot.seen_by == "owner" and not spot.each:
                one.fault("seen_by", 'only a place of each seat has an owner: say each = true, or seen_by = "all"')
            if spot.refill and not spot.limit:
                one.fault("refill", "how many cards are laid out? limit = 3, for instance")
            one.done()
            if self._is_name_allowed("places", name):
                self.game.places[name] = spot
        for spot in self.game.places.values():
            where = Place("places").at(spot.name)
            for word in ("refill", "again"):
                other = self.game.places.get(getattr(spot, word))
                if other and (other.of != spot.of or other.each):
                    what = "is one of each seat" if other.each else f"holds cards of another kind ({other.of})"
                    self.faults.say(
                        where.at(word), f"{other.name!r} {what}: cards come from a place of the table for {spot.of}"
                    )
        for kind in self.game.kinds:
            starts = [spot.name for spot in self.game.places.values() if spot.of == kind and spot.all]
            if len(starts) != 1:
                said = "nowhere" if not starts else f"in {' and '.join(starts)}"
                self.faults.say(
                    Place("places"),
                    f"the cards of kind {kind!r} begin {said}: one place of [places] says of = {kind!r}, all = true",
                )

    def _read_cards(self) -> None:
        seen: dict[str, str] = {}
        for kind in self.game.kinds.values():
            entries = [*self._entries_of(kind.name), *self._card_lines_of(kind.name)]
            if not entries:
                self.faults.say(
                    Place(), f"there is no card of kind {kind.name!r}: write [[{kind.name}]] with a name and its fields"
                )
            for one in entries:
                card = self._read_card(one, kind)
                if card.name.casefold() in seen:
                    one.fault(
                        "name", f"two cards are called {card.name!r}; for several alike write copies = 2", card.name
                    )
                seen[card.name.casefold()] = card.name
                self.game.cards.append(card)
        for kind_named in self._table_of("cards"):
            if kind_named not in self.game.kinds:
                self.faults.unknown(Place("cards").at(kind_named), "kind of card called", kind_named, self.game.kinds)
        if self.game.n_cards > MAX_CARDS:
            self.faults.say(Place(), f"{self.game.n_cards} cards are too many: {MAX_CARDS} fit")

    def _read_card(self, one: Table, kind: Kind) -> Card:
        name, fields = one.text("name", None), dict[str, int]()
        if name != " ".join(name.split()) or any(sign in name for sign in "{}"):
            one.fault("name", f"{name!r} has stray spaces or braces")
        for called, words in kind.fields.items():
            if words:
                word = one.one_of(called, words, None)
                fields[called] = words.index(word) if word in words else 0
            else:
                fields[called] = one.number(called, 0, -999, 9999)
        numbers: list[int] = []
        scope = Scope(card=kind.name)
        triggers = {when: self.read_operations(one, when, scope) for when in TRIGGERS}
        at_end = (
            self.read_amount(one.place.at("at_end"), one.raw("at_end"), replace(scope, points=False))
            if "at_end" in one
            else None
        )
        one.raw("at_end")
        shared = {when: tuple(op.with_slots(numbers) for op in ops) for when, ops in triggers.items() if ops}
        worth = at_end.with_slots(numbers) if at_end else None
        copies, text = one.number("copies", 1, 1, 60), one.text("text")
        icon = one.one_of("icon", ICONS, "")
        if not icon:
            sorts = [words[fields[called]] for called, words in kind.fields.items() if words]
            icon = next((kind.icons[word] for word in sorts if word in kind.icons), kind.icon)
        one.done()
        if len(numbers) > MAX_AMOUNTS:
            one.fault("", f"{len(numbers)} numbers in what a card does are too many: {MAX_AMOUNTS} fit")
        return Card(name, kind.name, copies, fields, text, shared, worth, tuple(numbers), icon)

    def _read_setup(self) -> None:
        one = Table(self.faults, Place("setup"), self._table_of("setup"))
        still = Scope(choices=False)
        self.game.setup = self.read_operations(one, "table", replace(still, own=False))
        self.game.setup_seat = self.read_operations(one, "each_seat", still)
        one.done()

    def _read_stages(self) -> None:
        for number, one in enumerate(self._entries_of("phase")):
            name, who = one.text("name", None), one.one_of("who", ("each", "active", "table"), "each")
            if who == "active" and (number == 0 or self.game.stages[-1].who == "table"):
                one.fault(
                    "who", 'who = "active" goes on with the turn of the seat before it: the phase before must be "each"'
                )
            acting = who != "table"
            scope = Scope(own=acting)
            stage = Stage(
                name,
                who,
                self.read_amount(one.place.at("actions"), one.raw("actions", 1), scope) if acting else amount_of(0),
                one.flag("may_stop"),
                self.read_operations(one, "before" if acting else "do", scope),
                self.read_operations(one, "after", scope) if acting else (),
                one.text("text"),
            )
            one.done()
            self.game.stages.append(stage)
        if not self.game.stages:
            self.faults.say(Place(), 'there is no [[phase]]: write one with name = "Your turn" and actions = 1')
        names = [stage.name.casefold() for stage in self.game.stages]
        for i, name in enumerate(names):
            if name in names[:i]:
                self.faults.say(Place("phase", i, self.game.stages[i].name), "two phases have one name")

    def _read_actions(self) -> None:
        for one in self._entries_of("action"):
            deed = self._read_action(one)
            if deed.key in {other.key for other in self.game.deeds}:
                one.fault(
                    "name", f"two actions begin with {deed.key.replace('_', ' ')!r}; say one in other words", deed.name
                )
            self.game.deeds.append(deed)
        acting = [i for i, stage in enumerate(self.game.stages) if stage.who != "table"]
        if not self.game.deeds and acting:
            self.faults.say(Place(), 'there is no [[action]]: write one with name = "work" and what it does')
        for i in acting:
            if not any(i in deed.stages for deed in self.game.deeds) and self.game.deeds:
                place = Place("phase", i, self.game.stages[i].name)
                self.faults.say(place, "no action can be taken in this phase: name it in an action's phases")

    def _read_action(self, one: Table) -> Deed:
        name = one.text("name", None)
        verb = " ".join(re.sub(r"\{\w+\}", " ", name).split())
        parts = re.findall(r"\{(\w+)\}", name)
        for part in parts:
            if part not in ("card", "seat"):
                one.fault("name", f"{{{part}}} means nothing: an action is about {{card}} or {{seat}}", part)
        source, only = "", tuple[tuple[str, str], ...]()
        if "card" in one:
            inner = Table(self.faults, one.place.at("card"), one.raw("card"))
            source = inner.one_of("from", self.game.places, None)
            only = self.read_required_fields(inner, self.kind_in(source), ("from",))
        if ("card" in parts) != bool(source):
            one.fault(
                "name",
                'an action about {card} says where from: card = { from = "row" }, and one that has it names {card}',
            )
        seat = one.one_of("seat", ("other", "any"), "")
        if ("seat" in parts) != bool(seat):
            one.fault(
                "name", 'an action about {seat} says which: seat = "other" or "any", and one that has it names {seat}'
            )
        key = _as_name(verb)
        if not key or verb.split()[0] in BUILT_IN:
            one.fault("name", f"an action cannot begin with {verb!r}: the kit's own choices do", name)
        scope = Scope(card=self.kind_in(source), seat=bool(seat))
        phases = [str(phase) for phase in one.tables("phases")]
        titles = {stage.name.casefold(): i for i, stage in enumerate(self.game.stages) if stage.who != "table"}
        for phase in phases:
            if phase.casefold() not in titles:
                known = [stage.name for stage in self.game.stages if stage.who != "table"]
                self.faults.unknown(one.place.at("phases"), "phase", phase, known)
        deed = Deed(
            key,
            name,
            tuple(titles[phase.casefold()] for phase in phases if phase.casefold() in titles)
            if phases
            else tuple(titles.values()),
            source,
            only,
            seat,
            self.read_token_amounts(Table(self.faults, one.place.at("pay"), one.raw("pay", {})), scope, (), own=True),
            self.read_condition(one.place.at("needs"), one.raw("needs"), scope) if "needs" in one else None,
            one.text("refuse"),
            one.flag("once"),
            one.flag("free"),
            self.read_operations(one, "do", scope),
            one.text("told"),
            one.text("text"),
        )
        one.raw("needs")
        one.done(("card",))
        return deed

    def _read_ends_and_scores(self) -> None:
        for one in self._entries_of("end"):
            ways = [way for way in ("rounds", "empty", "when") if way in one]
            if len(ways) != 1:
                one.fault("", 'an end says one thing: rounds = 10, empty = "deck", or when = "danger >= 8"')
            scope = Scope(choices=False)
            end = Ending(
                one.number("rounds", 0, 1, 99) if "rounds" in one else 0,
                one.one_of("empty", self.game.places, "") if "empty" in one else "",
                self.read_condition(one.place.at("when"), one.raw("when"), scope) if "when" in one else None,
                one.one_of("at", ("once", "turn", "round"), "round"),
                one.flag("won") if "won" in one else None,
                one.text("text"),
            )
            one.done(("rounds", "empty", "when", "won"))
            if self.game.together and end.won is None:
                one.fault("", "is the game won or lost then? say won = true or won = false")
            if not self.game.together and end.won is not None:
                one.fault("won", "only a game with together = true is won or lost by all; here points decide")
            if end.rounds and any(other.rounds for other in self.game.ends):
                one.fault("rounds", "two ends name a number of rounds")
            self.game.ends.append(end)
        if not self.game.ends:
            self.faults.say(Place(), "the game never ends: write [[end]] with rounds = 10, for instance")
        for one in self._entries_of("score"):
            count = self.read_amount(one.place.at("count"), one.raw("count"), Scope(points=False))
            self.game.scores.append(Score(count, one.text("text")))
            one.done()
        if self.game.together and self.game.scores:
            self.faults.say(Place("score", 0), "a game with together = true is won or lost: it has no [[score]]")
        elif not self.game.together and not self.game.scores and not any(card.at_end for card in self.game.cards):
            self.faults.say(Place(), 'nobody has points: write [[score]] with count = "coins", for instance')
        for tie in self._ties:
            token = self.game.tokens.get(tie)
            if token is None or token.shared:
                own = [token.name for token in self.game.tokens.values() if not token.shared]
                self.faults.unknown(Place("game").at("ties"), "kind of tokens of one's own called", tie, own)
        self.game.ties = tuple(tie for tie in self._ties if tie in self.game.tokens)

    # --- Sense ---

    def _check_whole(self) -> None:
        """Note faults that appear only when the whole file is read; nothing is checked if there are faults already."""
        game = self.game
        if self.faults:
            return
        for deed, one in zip(game.deeds, self._entries_of("action"), strict=True):
            spot = game.places.get(deed.source)
            if spot and spot.seen_by == "nobody":
                one.fault(
                    "card", f"nobody sees the cards in {spot.name!r}, so nobody can choose one of them", spot.name
                )
        for op in game.operations():
            spot = game.places.get(op.source)
            if op.word == "pick" and spot and spot.seen_by == "nobody":
                self.faults.say(Place(), f"op pick: nobody sees the cards in {spot.name!r}; use op draw")
        self._check_places_used()

    def _check_places_used(self) -> None:
        """Note places that no card ever comes to: mostly a typing mistake."""
        game = self.game
        moved = {op.to for op in game.operations()} | {op.source for op in game.operations()}
        moved |= {deed.source for deed in game.deeds}
        for spot in game.places.values():
            fed = (
                spot.name in moved
                or spot.all
                or spot.refill
                or any(spot.name == other.again for other in game.places.values())
            )
            if not fed:
                self.faults.say(
                    Place("places").at(spot.name),
                    f"no card ever comes to {spot.name!r}: nothing draws or moves one there",
                )


def _as_name(text: str) -> str:
    """A text turned into a name: small letters, digits and underscores."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_").lstrip("0123456789_") or "name"

"""Reading a card game's file into checked data (`card_game_parts`); `read_card_game` is the entry point.

Every field that a file may have is described, with examples, in `docs/your-own-game-in-an-hour.md`.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sutler.cardkit.amounts import FUNCTIONS, WORDS, parse_amount
from sutler.cardkit.card_game_parts import Card, CardGame, Deed, Ending, Kind, Score, Spot, Stage, Token
from sutler.cardkit.file_faults import Faults, Place, Table
from sutler.cardkit.operation_reader import OperationReader, Scope
from sutler.core.files.box import BoxError
from sutler.core.files.toml import TomlError, parse_toml
from sutler.core.names import did_you_mean

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
    """The card game in a file; BoxError lists every fault with its line."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise BoxError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BoxError(f"{path}: cannot be read as text ({error})") from None
    return parse_card_game(text, str(path))


def parse_card_game(text: str, source: str = "the file") -> CardGame:
    """The card game in a text; BoxError lists every fault with its line. `source` names the text in these messages."""
    try:
        data = parse_toml(text)
    except TomlError as error:
        raise BoxError(f"{source}{_explain_toml_error(str(error), text)}") from None
    faults = Faults(source, text)
    found = _Reader(faults, data).read_game()
    if faults:
        raise BoxError(faults.format_all())
    return found


def _explain_toml_error(parser_message: str, file_text: str) -> str:
    """A message on a TOML syntax error: the parser's message with the line in the file's text, and a hint at the usual cause."""
    at = re.search(r"line (\d+)", parser_message)
    if not at:
        return f": cannot be read: {parser_message}"
    number = int(at.group(1))
    lines = file_text.splitlines()
    line = lines[number - 1].strip() if number <= len(lines) else ""
    before = next(
        (one.strip() for one in reversed(lines[: number - 1]) if one.strip() and not one.strip().startswith("#")), ""
    )
    hints = (
        (line.count('"') % 2, "a quotation mark is missing"),
        (
            "Cannot overwrite" in parser_message or "Cannot declare" in parser_message,
            "the same is written twice; of what there may be several, each stands in double brackets: [[…]]",
        ),
        (re.match(r"^\w+ *= *\d+ *(-|to|,) *\d+", line), "two numbers stand in square brackets with a comma: [2, 4]"),
        (
            before.endswith(("}", '"')) and line.startswith(("{", '"')),
            "a comma is missing at the end of the line before",
        ),
        (re.match(r"^\w[\w ]*= *(?!true|false)[A-Za-z]", line), "words stand in quotation marks"),
        (re.match(r"^[A-Za-z][\w ]*$", line), "a field is written name = value"),
        (
            re.match(r"^[A-Za-z]\w*( +\w+)+ *=", line),
            f"a name is one word: {'_'.join(line.partition('=')[0].split())} = …",
        ),
        (line.count("{") != line.count("}") or line.count("[") != line.count("]"), "a bracket is not closed"),
    )
    hint = next((f" ({text})" for fits, text in hints if fits), "")
    reason = re.sub(r" \(at line.*", "", parser_message)
    return f", line {number}: {line!r} cannot be read: {reason[:1].lower()}{reason[1:]}{hint}"


class _Reader(OperationReader):
    """Reads the tables of one file, section by section, into a `CardGame`."""

    def __init__(self, faults: Faults, data: Mapping[str, Any]) -> None:
        super().__init__(faults, CardGame())
        self.data = data

    def read_game(self) -> CardGame:
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
                self.faults.add_fault(Place(), f"there is no section [{section}]{near}{there}", f"[{section}")
        self._read_stages()
        self._read_cards()
        self._read_setup()
        self._read_actions()
        self._read_ends_and_scores()
        self._check_whole_file()
        return self.game

    # --- Sections ---

    def _read_table(self, section: str) -> Mapping[str, Any]:
        """Read a section that is one table, `[name]`; empty if it is missing or an array `[[name]]`, which is noted as a fault."""
        found = self.data.get(section, {})
        if not isinstance(found, Mapping):
            self.faults.add_fault(
                Place(section), f"[{section}] stands in single brackets: there is one of it", f"[[{section}"
            )
            return {}
        return found

    def _read_entries(self, section: str) -> list[Table]:
        """Read a section that is an array of tables, `[[name]]`; [] if it is missing or one table, which is noted as a fault."""
        found = self.data.get(section, [])
        if not isinstance(found, list):
            self.faults.add_fault(
                Place(section), f"[[{section}]] stands in double brackets: there may be several", f"[{section}"
            )
            return []
        named = [one.get("name", "") if isinstance(one, Mapping) else "" for one in found]
        places = (Place(section, i, name if isinstance(name, str) else "") for i, name in enumerate(named))
        return [Table(self.faults, place, one) for place, one in zip(places, found, strict=True)]

    def _read_card_lines(self, kind: str) -> list[Table]:
        """The entries of a kind of card that the section `[cards]` lists, one per line."""
        found = Table(self.faults, Place("cards"), self._read_table("cards")).read_list(kind)
        named = [str(one.get("name", i + 1)) if isinstance(one, Mapping) else str(i + 1) for i, one in enumerate(found)]
        return [
            Table(self.faults, Place("cards").at_field(kind).at_field(name), one)
            for name, one in zip(named, found, strict=True)
        ]

    def _is_name_allowed(self, table: str, name: str) -> bool:
        """Can `name` be given to an entry of `table`? Notes a fault if it is malformed, reserved or taken."""
        place = Place(table, -1, "", name)
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
            self.faults.add_fault(
                place, f"{name!r} will not do as a name: small letters, digits and _, such as {_to_name(name)!r}"
            )
        elif name in KIT_WORDS:
            self.faults.add_fault(
                place, f"{name!r} is a word of the kit itself; choose another name, such as {name + 's'!r}"
            )
        elif name in (*self.game.numbers, *self.game.tokens, *self.game.places):
            self.faults.add_fault(place, f"two things are called {name!r}")
        else:
            return True
        return False

    def _read_game(self) -> None:
        """Read the section `[game]`."""
        if "game" not in self.data:
            self.faults.add_fault(Place(), 'the section [game] is missing: begin with [game] and title = "…"')
        one, game = Table(self.faults, Place("game"), self._read_table("game")), self.game
        game.title = one.read_text("title", None if "game" in self.data else "x")
        game.tagline = one.read_text("tagline", "A card game of one's own.")
        game.blurb = one.read_text("blurb", game.tagline)
        game.designer = one.read_text("designer", "its designer")
        game.minutes = str(one.read_raw("minutes", "20"))
        game.together = one.read_flag("together")
        seats = one.read_raw("seats", [2, 4])
        if not (isinstance(seats, list) and len(seats) == 2 and all(type(n) is int for n in seats)):
            one.add_fault("seats", f"the fewest and the most players are expected, such as [2, 4], not {seats!r}")
        elif not 1 <= seats[0] <= seats[1] <= 6 or seats[1] < 2:
            one.add_fault("seats", f"from {seats[0]} to {seats[1]}: a table has 1 to 6 seats, the fewer first")
        else:
            game.seats = (seats[0], seats[1])
        self._ties = [str(tie) for tie in one.read_list("ties")]
        one.add_unread_field_faults()

    def _read_numbers_and_tokens(self) -> None:
        """Read the sections of numbers and tokens."""
        for name, value in self._read_table("numbers").items():
            if type(value) is not int or not -999 <= value <= 9999:
                self.faults.add_fault(Place("numbers").at_field(name), f"a whole number is expected, not {value!r}")
            elif self._is_name_allowed("numbers", name):
                self.game.numbers[name] = value
        for name, data in self._read_table("tokens").items():
            one = Table(self.faults, Place("tokens").at_field(name), data)
            worth = one.read_raw("worth")
            token = Token(
                name,
                one.read_number("start", 0),
                one.read_number("limit", 0),
                one.read_flag("shared"),
                one.read_flag("secret"),
                one.read_text("one", name[:-1] if name.endswith("s") and not name.endswith("ss") else name),
                float(worth) if isinstance(worth, int | float) else None,
                one.read_word("icon", ICONS, ""),
            )
            if token.shared and token.secret:
                one.add_fault("secret", "shared tokens are everybody's: they cannot be secret")
            if token.limit and token.start > token.limit:
                one.add_fault("start", f"{token.start} to begin with is more than the limit of {token.limit}")
            one.add_unread_field_faults()
            if self._is_name_allowed("tokens", name):
                self.game.tokens[name] = token

    def _read_kinds(self) -> None:
        """Read the kinds of cards and their fields."""
        for one in self._read_entries("kind"):
            name = one.read_text("name", None)
            fields: dict[str, tuple[str, ...]] = {}
            for called, what in one.read_table("fields").items():
                where = one.place.at_field("fields").at_field(called)
                if called in KIT_WORDS or called in (*TRIGGERS, "at_end"):
                    self.faults.add_fault(
                        where, f"{called!r} is a word of the kit itself; choose another name for the field", called
                    )
                elif not re.fullmatch(r"[a-z][a-z0-9_]*", called) or keyword.iskeyword(called):
                    self.faults.add_fault(where, f"{called!r} will not do as a name: small letters, digits and _")
                elif called in (*self.game.numbers, *self.game.tokens):
                    self.faults.add_fault(where, f"a field and a token or number are both called {called!r}", called)
                elif what == "number":
                    fields[called] = ()
                elif isinstance(what, list) and what and all(isinstance(w, str) and w.strip() for w in what):
                    fields[called] = tuple(what)
                    if (known := self.game.fields_by_kind.get(called)) is not None and known != fields[called]:
                        self.faults.add_fault(
                            where, f"two kinds have a field {called!r} with other words; name one of them otherwise"
                        )
                else:
                    self.faults.add_fault(
                        where, f'a field is "number" or a list of words, such as ["red", "blue"], not {what!r}'
                    )
            icon, icons = one.read_word("icon", ICONS, ""), dict(one.read_table("icons"))
            words = [word for field_words in fields.values() for word in field_words]
            for word, picture in icons.items():
                if word not in words:
                    self.faults.add_unknown_word(one.place.at_field("icons"), "word of a field called", word, words)
                if picture not in ICONS:
                    self.faults.add_unknown_word(
                        one.place.at_field("icons").at_field(word), "picture called", str(picture), ICONS
                    )
            one.add_unread_field_faults()
            if not name:
                continue
            if (
                name in self.game.kinds
                or name in KIT_WORDS
                or not re.fullmatch(r"[a-z][a-z0-9]*", name)
                or keyword.iskeyword(name)
            ):
                one.add_fault(
                    "name", f"{name!r} will not do as the name of a kind: one word of small letters, used once", name
                )
            else:
                self.game.kinds[name] = Kind(name, fields, icon, icons)
        if not self.game.kinds:
            self.faults.add_fault(
                Place(), 'there are no cards: [[kind]] with a name, such as name = "ware", says which kinds there are'
            )

    def _read_places(self) -> None:
        """Read the places where cards lie."""
        raw = self._read_table("places")
        for name, data in raw.items():
            one = Table(self.faults, Place("places").at_field(name), data)
            of = one.read_word("of", self.game.kinds, None)
            everything = one.read_flag("all")
            worth = one.read_raw("worth")
            seen = one.read_word("seen_by", ("all", "owner", "nobody"), "nobody" if everything else "all")
            spot = Spot(
                name,
                of,
                one.read_flag("each"),
                everything,
                one.read_number("limit", 0),
                one.read_word("refill", raw, ""),
                one.read_word("again", raw, ""),
                seen,
                float(worth) if isinstance(worth, int | float) else None,
                one.read_flag("ordered"),
                one.read_flag("idle"),
            )
            if spot.idle and not (spot.each and spot.seen_by == "all"):
                one.add_fault(
                    "idle",
                    "cards do something by themselves only where each player has a place that all see: leave it out",
                )
            if spot.ordered and spot.seen_by != "nobody":
                one.add_fault("ordered", 'only a pile that lies face down has an order: say seen_by = "nobody"')
            if spot.each and spot.all:
                one.add_fault(
                    "all", "all cards begin in one place of the table, not at each seat: leave out each or all"
                )
            if spot.seen_by == "owner" and not spot.each:
                one.add_fault("seen_by", 'only a place of each seat has an owner: say each = true, or seen_by = "all"')
            if spot.refill and not spot.limit:
                one.add_fault("refill", "how many cards are laid out? limit = 3, for instance")
            one.add_unread_field_faults()
            if self._is_name_allowed("places", name):
                self.game.places[name] = spot
        for spot in self.game.places.values():
            where = Place("places").at_field(spot.name)
            for word in ("refill", "again"):
                other = self.game.places.get(getattr(spot, word))
                if other and (other.of != spot.of or other.each):
                    what = "is one of each seat" if other.each else f"holds cards of another kind ({other.of})"
                    self.faults.add_fault(
                        where.at_field(word),
                        f"{other.name!r} {what}: cards come from a place of the table for {spot.of}",
                    )
        for kind in self.game.kinds:
            starts = [spot.name for spot in self.game.places.values() if spot.of == kind and spot.all]
            if len(starts) != 1:
                said = "nowhere" if not starts else f"in {' and '.join(starts)}"
                self.faults.add_fault(
                    Place("places"),
                    f"the cards of kind {kind!r} begin {said}: one place of [places] says of = {kind!r}, all = true",
                )

    def _read_cards(self) -> None:
        """Read the cards of every kind."""
        seen: dict[str, str] = {}
        for kind in self.game.kinds.values():
            entries = [*self._read_entries(kind.name), *self._read_card_lines(kind.name)]
            if not entries:
                self.faults.add_fault(
                    Place(), f"there is no card of kind {kind.name!r}: write [[{kind.name}]] with a name and its fields"
                )
            for one in entries:
                card = self._read_card(one, kind)
                if card.name.casefold() in seen:
                    one.add_fault(
                        "name", f"two cards are called {card.name!r}; for several alike write copies = 2", card.name
                    )
                seen[card.name.casefold()] = card.name
                self.game.cards.append(card)
        for kind_named in self._read_table("cards"):
            if kind_named not in self.game.kinds:
                self.faults.add_unknown_word(
                    Place("cards").at_field(kind_named), "kind of card called", kind_named, self.game.kinds
                )
        if self.game.n_cards > MAX_CARDS:
            self.faults.add_fault(Place(), f"{self.game.n_cards} cards are too many: {MAX_CARDS} fit")

    def _read_card(self, entry: Table, kind: Kind) -> Card:
        """The card that an entry describes."""
        name, fields = entry.read_text("name", None), dict[str, int]()
        if name != " ".join(name.split()) or any(sign in name for sign in "{}"):
            entry.add_fault("name", f"{name!r} has stray spaces or braces")
        for called, words in kind.fields.items():
            if words:
                word = entry.read_word(called, words, None)
                fields[called] = words.index(word) if word in words else 0
            else:
                fields[called] = entry.read_number(called, 0, -999, 9999)
        numbers: list[int] = []
        scope = Scope(card=kind.name)
        triggers = {when: self.read_operations(entry, when, scope) for when in TRIGGERS}
        at_end = (
            self.read_amount(entry.place.at_field("at_end"), entry.read_raw("at_end"), replace(scope, points=False))
            if "at_end" in entry
            else None
        )
        entry.read_raw("at_end")
        shared = {when: tuple(op.with_slots(numbers) for op in ops) for when, ops in triggers.items() if ops}
        worth = at_end.with_slots(numbers) if at_end else None
        copies, text = entry.read_number("copies", 1, 1, 60), entry.read_text("text")
        icon = entry.read_word("icon", ICONS, "")
        if not icon:
            sorts = [words[fields[called]] for called, words in kind.fields.items() if words]
            icon = next((kind.icons[word] for word in sorts if word in kind.icons), kind.icon)
        entry.add_unread_field_faults()
        if len(numbers) > MAX_AMOUNTS:
            entry.add_fault("", f"{len(numbers)} numbers in what a card does are too many: {MAX_AMOUNTS} fit")
        return Card(name, kind.name, copies, fields, text, shared, worth, tuple(numbers), icon)

    def _read_setup(self) -> None:
        """Read the operations of the setup."""
        one = Table(self.faults, Place("setup"), self._read_table("setup"))
        still = Scope(choices=False)
        self.game.setup = self.read_operations(one, "table", replace(still, own=False))
        self.game.setup_seat = self.read_operations(one, "each_seat", still)
        one.add_unread_field_faults()

    def _read_stages(self) -> None:
        """Read the stages of a round."""
        for number, one in enumerate(self._read_entries("phase")):
            name, who = one.read_text("name", None), one.read_word("who", ("each", "active", "table"), "each")
            if who == "active" and (number == 0 or self.game.stages[-1].who == "table"):
                one.add_fault(
                    "who", 'who = "active" goes on with the turn of the seat before it: the phase before must be "each"'
                )
            acting = who != "table"
            scope = Scope(own=acting)
            stage = Stage(
                name,
                who,
                self.read_amount(one.place.at_field("actions"), one.read_raw("actions", 1), scope)
                if acting
                else parse_amount(0),
                one.read_flag("may_stop"),
                self.read_operations(one, "before" if acting else "do", scope),
                self.read_operations(one, "after", scope) if acting else (),
                one.read_text("text"),
            )
            one.add_unread_field_faults()
            self.game.stages.append(stage)
        if not self.game.stages:
            self.faults.add_fault(Place(), 'there is no [[phase]]: write one with name = "Your turn" and actions = 1')
        names = [stage.name.casefold() for stage in self.game.stages]
        for i, name in enumerate(names):
            if name in names[:i]:
                self.faults.add_fault(Place("phase", i, self.game.stages[i].name), "two phases have one name")

    def _read_actions(self) -> None:
        """Read the actions."""
        for one in self._read_entries("action"):
            deed = self._read_action(one)
            if deed.key in {other.key for other in self.game.deeds}:
                one.add_fault(
                    "name", f"two actions begin with {deed.key.replace('_', ' ')!r}; say one in other words", deed.name
                )
            self.game.deeds.append(deed)
        acting = [i for i, stage in enumerate(self.game.stages) if stage.who != "table"]
        if not self.game.deeds and acting:
            self.faults.add_fault(Place(), 'there is no [[action]]: write one with name = "work" and what it does')
        for i in acting:
            if not any(i in deed.stages for deed in self.game.deeds) and self.game.deeds:
                place = Place("phase", i, self.game.stages[i].name)
                self.faults.add_fault(place, "no action can be taken in this phase: name it in an action's phases")

    def _read_action(self, entry: Table) -> Deed:
        """The action that an entry describes."""
        name = entry.read_text("name", None)
        verb = " ".join(re.sub(r"\{\w+\}", " ", name).split())
        parts = re.findall(r"\{(\w+)\}", name)
        for part in parts:
            if part not in ("card", "seat"):
                entry.add_fault("name", f"{{{part}}} means nothing: an action is about {{card}} or {{seat}}", part)
        source, only = "", tuple[tuple[str, str], ...]()
        if "card" in entry:
            inner = Table(self.faults, entry.place.at_field("card"), entry.read_raw("card"))
            source = inner.read_word("from", self.game.places, None)
            only = self.read_required_fields(inner, self.find_card_kind(source), ("from",))
        if ("card" in parts) != bool(source):
            entry.add_fault(
                "name",
                'an action about {card} says where from: card = { from = "row" }, and one that has it names {card}',
            )
        seat = entry.read_word("seat", ("other", "any"), "")
        if ("seat" in parts) != bool(seat):
            entry.add_fault(
                "name", 'an action about {seat} says which: seat = "other" or "any", and one that has it names {seat}'
            )
        key = _to_name(verb)
        if not key or verb.split()[0] in BUILT_IN:
            entry.add_fault("name", f"an action cannot begin with {verb!r}: the kit's own choices do", name)
        scope = Scope(card=self.find_card_kind(source), seat=bool(seat))
        phases = [str(phase) for phase in entry.read_list("phases")]
        titles = {stage.name.casefold(): i for i, stage in enumerate(self.game.stages) if stage.who != "table"}
        for phase in phases:
            if phase.casefold() not in titles:
                known = [stage.name for stage in self.game.stages if stage.who != "table"]
                self.faults.add_unknown_word(entry.place.at_field("phases"), "phase", phase, known)
        deed = Deed(
            key,
            name,
            tuple(titles[phase.casefold()] for phase in phases if phase.casefold() in titles)
            if phases
            else tuple(titles.values()),
            source,
            only,
            seat,
            self.read_token_amounts(
                Table(self.faults, entry.place.at_field("pay"), entry.read_raw("pay", {})), scope, (), own=True
            ),
            self.read_condition(entry.place.at_field("needs"), entry.read_raw("needs"), scope)
            if "needs" in entry
            else None,
            entry.read_text("refuse"),
            entry.read_flag("once"),
            entry.read_flag("free"),
            self.read_operations(entry, "do", scope),
            entry.read_text("told"),
            entry.read_text("text"),
        )
        entry.read_raw("needs")
        entry.add_unread_field_faults(("card",))
        return deed

    def _read_ends_and_scores(self) -> None:
        """Read the ends of the game and what scores."""
        for one in self._read_entries("end"):
            ways = [way for way in ("rounds", "empty", "when") if way in one]
            if len(ways) != 1:
                one.add_fault("", 'an end says one thing: rounds = 10, empty = "deck", or when = "danger >= 8"')
            scope = Scope(choices=False)
            end = Ending(
                one.read_number("rounds", 0, 1, 99) if "rounds" in one else 0,
                one.read_word("empty", self.game.places, "") if "empty" in one else "",
                self.read_condition(one.place.at_field("when"), one.read_raw("when"), scope) if "when" in one else None,
                one.read_word("at", ("once", "turn", "round"), "round"),
                one.read_flag("won") if "won" in one else None,
                one.read_text("text"),
            )
            one.add_unread_field_faults(("rounds", "empty", "when", "won"))
            if self.game.together and end.won is None:
                one.add_fault("", "is the game won or lost then? say won = true or won = false")
            if not self.game.together and end.won is not None:
                one.add_fault("won", "only a game with together = true is won or lost by all; here points decide")
            if end.rounds and any(other.rounds for other in self.game.ends):
                one.add_fault("rounds", "two ends name a number of rounds")
            self.game.ends.append(end)
        if not self.game.ends:
            self.faults.add_fault(Place(), "the game never ends: write [[end]] with rounds = 10, for instance")
        for one in self._read_entries("score"):
            count = self.read_amount(one.place.at_field("count"), one.read_raw("count"), Scope(points=False))
            self.game.scores.append(Score(count, one.read_text("text")))
            one.add_unread_field_faults()
        if self.game.together and self.game.scores:
            self.faults.add_fault(Place("score", 0), "a game with together = true is won or lost: it has no [[score]]")
        elif not self.game.together and not self.game.scores and not any(card.at_end for card in self.game.cards):
            self.faults.add_fault(Place(), 'nobody has points: write [[score]] with count = "coins", for instance')
        for tie in self._ties:
            token = self.game.tokens.get(tie)
            if token is None or token.shared:
                own = [token.name for token in self.game.tokens.values() if not token.shared]
                self.faults.add_unknown_word(
                    Place("game").at_field("ties"), "kind of tokens of one's own called", tie, own
                )
        self.game.ties = tuple(tie for tie in self._ties if tie in self.game.tokens)

    # --- Sense ---

    def _check_whole_file(self) -> None:
        """Note faults that appear only when the whole file is read; nothing is checked if there are faults already."""
        game = self.game
        if self.faults:
            return
        for deed, one in zip(game.deeds, self._read_entries("action"), strict=True):
            spot = game.places.get(deed.source)
            if spot and spot.seen_by == "nobody":
                one.add_fault(
                    "card", f"nobody sees the cards in {spot.name!r}, so nobody can choose one of them", spot.name
                )
        for op in game.iter_operations():
            spot = game.places.get(op.source)
            if op.word == "pick" and spot and spot.seen_by == "nobody":
                self.faults.add_fault(Place(), f"op pick: nobody sees the cards in {spot.name!r}; use op draw")
        self._check_places_used()

    def _check_places_used(self) -> None:
        """Note a fault for each place that no card can reach, which is mostly a typing mistake."""
        game = self.game
        moved = {op.to for op in game.iter_operations()} | {op.source for op in game.iter_operations()}
        moved |= {deed.source for deed in game.deeds}
        for spot in game.places.values():
            fed = (
                spot.name in moved
                or spot.all
                or spot.refill
                or any(spot.name == other.again for other in game.places.values())
            )
            if not fed:
                self.faults.add_fault(
                    Place("places").at_field(spot.name),
                    f"no card ever comes to {spot.name!r}: nothing draws or moves one there",
                )


def _to_name(text: str) -> str:
    """The text as a name: small letters, digits and underscores."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_").lstrip("0123456789_") or "name"

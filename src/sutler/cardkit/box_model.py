"""The box of a card game: the pydantic model that checks its `box.toml`, and the packing of it into the record that the rules read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, create_model

from sutler.cardkit.card_game_parts import CardGame
from sutler.cardkit.game_file_reader import read_card_game
from sutler.cardkit.operation_source import RuleSource, to_field_name
from sutler.core.actions import Names
from sutler.core.bits import add
from sutler.core.files.box import Blanking, BoxError, Entry, Info, Option
from sutler.core.record import NOBODY, Record

Amount = Annotated[int, Field(ge=-999, le=9999)]
Copies = Annotated[int, Field(ge=0, le=60)]


@cache
def read_game_in_folder(folder: Path) -> CardGame:
    """The card game that a game's folder was made from. Cached."""
    return read_card_game(folder / "cards.toml")


class CardSheet(Blanking):
    """The base model of a card game's `box.toml`; the tables of its cards and numbers are added for each game."""

    CARDS_OF: ClassVar[CardGame]
    PHASE_WORDS: ClassVar[tuple[str, ...]]
    OPTION_TEXTS: ClassVar[tuple[str, ...]]
    BLANKS: ClassVar[tuple[str, ...]] = ("card",)
    game: Info
    options: dict[str, Any] = {}

    def list_card_copies(self) -> list[tuple[int, str, Any]]:
        """Each copy of each card: the index of the card's entry in the file (NOBODY: not there), its name, its entry in this sheet."""
        found = []
        printed = {card.name.casefold(): i for i, card in enumerate(self.CARDS_OF.cards)}
        for kind in self.CARDS_OF.kinds:
            for entry in getattr(self, kind):
                at = printed.get(entry.name.casefold(), NOBODY)
                for copy in range(getattr(entry, "copies", 1)):
                    found.append((at, entry.name if copy == 0 else f"{entry.name} ({copy + 1})", entry))
        return found

    def names(self) -> Names:
        """The names of cards, places, tokens, options and phases, by kind of name."""
        game, cards = self.CARDS_OF, self.list_card_copies()
        options = list(self.OPTION_TEXTS)
        numbered = [text if options.index(text) == i else f"{text} ({i + 1})" for i, text in enumerate(options)]
        return {
            "card": [name for _, name, _ in cards],
            "card_called": [entry.name for _, _, entry in cards],
            "place": [name.replace("_", " ") for name in game.places],
            "token": [name.replace("_", " ") for name in game.tokens],
            "token:one": [token.one.replace("_", " ") for token in game.tokens.values()],
            "option": numbered or ["none"],
            "option_called": options or ["none"],
            "phase": self.PHASE_WORDS,
        }


def sheet_and_pack(
    folder: Path, box: Record, phase_words: tuple[str, ...], option_texts: tuple[str, ...]
) -> tuple[type[CardSheet], Callable[..., Any]]:
    """The model of a card game's `box.toml`, and the function that packs a sheet into the record `box`."""
    game = read_game_in_folder(folder)
    model = build_sheet_model(game, phase_words, option_texts)
    return model, Packer(game, box).pack


def build_sheet_model(game: CardGame, phase_words: tuple[str, ...], option_texts: tuple[str, ...]) -> type[CardSheet]:
    """The model of a card game's `box.toml`; `phase_words` and `option_texts` are names that the sheet gives out."""
    fields: dict[str, Any] = {}
    for title, table in (("numbers", game.numbers), ("starts", game.start_amounts), ("limits", game.limits_by_name)):
        if table:
            inner: Any = {
                name: (Amount if title == "numbers" else Annotated[int, Field(ge=0, le=9999)], value)
                for name, value in table.items()
            }
            part = create_model(title.capitalize(), __base__=Entry, **inner)
            fields[title] = (part, part())
    for kind in game.kinds.values():
        inner = {"name": (str, ...)}
        inner |= {name: (Literal[words], ...) if words else (Amount, ...) for name, words in kind.fields.items()}
        cards = [card for card in game.cards if card.kind == kind.name]
        if any(card.copies > 1 for card in cards):
            inner["copies"] = (Copies, 1)
        if any(card.amounts for card in cards):
            inner["amounts"] = (list[Amount], [])
        fields[kind.name] = (list[create_model(kind.name.capitalize(), __base__=Entry, **inner)], ...)  # type: ignore[misc]
    model: type[CardSheet] = create_model("Sheet", __base__=CardSheet, **fields)
    model.CARDS_OF, model.PHASE_WORDS, model.OPTION_TEXTS = game, phase_words, option_texts
    return model


class Packer:
    """Packs a sheet of one game into the record of the box."""

    def __init__(self, game: CardGame, box: Record) -> None:
        from sutler.cardkit.guide_paragraphs import Numbering

        self.game, self.box = game, box
        writer = RuleSource(game, Numbering(game))
        self.programs, self.worths = writer.programs, writer.worths

    def pack(self, sheet: Any, options: Mapping[str, Any], declared: Mapping[str, Option]) -> Any:
        """The packed box record of a sheet and the chosen options; BoxError where cards are too many, or unknown to the rules."""
        box = self.box.new()
        for title in ("numbers", "starts", "limits"):
            for name, value in dict(getattr(sheet, title, {})).items():
                setattr(getattr(box, title), to_field_name(name), value)
        if "options" in box.dtype.names:
            box.options.rounds = options["rounds"]
        cards = sheet.list_card_copies()
        if len(cards) > len(box.card):
            raise BoxError(f"box: {len(cards)} cards; at most {len(box.card)} fit")
        before: dict[str, int] = {}
        for i, (at, _, entry) in enumerate(cards):
            if at == NOBODY:
                raise BoxError(f'box: no rule knows a card "{entry.name}": add it to the game\'s own file')
            printed = self.game.cards[at]
            self._pack_card(box.card[i], printed, entry, sheet.is_blank("card", i))
            box.card[i].before = before.get(entry.name, NOBODY)
            before[entry.name] = i
            add(getattr(box, f"all_{printed.kind}"), i)
        return box

    def _pack_card(self, row: Any, printed: Any, entry: Any, blank: bool) -> None:
        """Fill the record `row` from a card's entry; `printed` is the card in the file, `blank`: the card shall do nothing."""
        words_of = self.game.kinds[printed.kind].fields
        for name in self.game.fields_by_kind:
            value = getattr(entry, name, 0)
            words: Sequence[str] = words_of.get(name, ())
            setattr(row, to_field_name(name), words.index(value) if words else value)
        amounts = getattr(entry, "amounts", [])
        if len(amounts) != len(printed.amounts):
            raise BoxError(
                f'[[{printed.kind}]] "{entry.name}", field amounts: {len(printed.amounts)} numbers are expected'
            )
        row.amounts[: len(amounts)] = amounts
        if not blank:
            for when, ops in printed.triggers.items():
                setattr(row, when, self.programs.index(ops) + 1)
            row.at_end = self.worths.index(printed.at_end) + 1 if printed.at_end is not None else 0

"""The table of a card game for people: its view as plain data, the labels of actions and the lines of a score."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sutler.cardkit.amounts import Count
from sutler.cardkit.box_model import read_game_in_folder
from sutler.cardkit.card_game_parts import CardGame, Spot
from sutler.cardkit.guide_paragraphs import Numbering
from sutler.cardkit.operation_source import to_field_name
from sutler.core.actions import Action
from sutler.core.bits import members
from sutler.core.text.sentences import Line, Sentence, Speaker


def list_summed_fields(game: CardGame) -> dict[str, list[str]]:
    """{place: the numeric card fields that the rules add up there}, in the order of the cards; views show the totals.

    Left out are sums over cards of one sort only.
    """
    parts = [part for amount in game.iter_amounts() for _, part in amount.parts]
    summed = {(part.place, part.field) for part in parts if isinstance(part, Count) and part.field and not part.only}
    return {
        spot.name: [name for name in game.kinds[spot.of].fields if (spot.name, name) in summed]
        for spot in game.places.values()
    }


class Face:
    """The view and the texts of one card game, as functions that the game's folder exports together with its rules."""

    def __init__(self, folder: Path, tables: Mapping[str, Any], rules: Mapping[str, Any]) -> None:
        self.game, self.tables, self.rules = read_game_in_folder(folder), tables, rules
        self.numbering = Numbering(self.game)
        self.chosen_from = {deed.source for deed in self.game.deeds} | {
            op.source for op in self.game.iter_operations() if op.word == "pick"
        }
        self.summed = list_summed_fields(self.game)
        self._known: tuple[bytes, dict[str, Any]] = b"", {}
        self.scale = 8.0 if not self.game.together else 10.0

    def view(self, box: Any, state: Any, speaker: Speaker, seat: int | None) -> dict[str, Any]:
        """The table as plain data, limited to what a seat may know; `seat` is None for a watcher."""
        over = int(state.phase) == self.tables["P"].over
        game = self.game
        shared = [spot for spot in game.places.values() if not spot.each]
        found: dict[str, Any] = {
            "round": int(state.round_no),
            "phases": [(str(i), stage.name) for i, stage in enumerate(game.stages)] if len(game.stages) > 1 else [],
            "phase": str(int(state.stage)),
            "seat": seat,
            "to_act": None if over else int(state.to_act),
            "tracks": [
                self._build_track_view(box, state, token.name) for token in game.tokens.values() if token.shared
            ],
            "places": [self._build_place_view(box, state, speaker, spot, None, seat, over) for spot in shared],
            "cards": self._build_card_views(box, speaker),
            "seats": [self._build_seat_view(box, state, speaker, one, seat, over) for one in range(int(state.n_seats))],
        }
        if "options" in box.dtype.names:
            found["rounds"] = int(box.options.rounds)
        return found

    def _build_track_view(self, box: Any, state: Any, name: str) -> dict[str, Any]:
        """The track of a shared token as plain data."""
        limit = int(getattr(box.limits, to_field_name(name))) if self.game.tokens[name].limit else 0
        n = int(getattr(state, to_field_name(name)))
        return {"name": name.replace("_", " "), "n": n, "limit": limit, "icon": self.game.tokens[name].icon}

    def _build_card_views(self, box: Any, speaker: Speaker) -> dict[str, Any]:
        """Each card as plain data, by name; computed once for a box."""
        key = box.tobytes()
        if self._known[0] != key:
            names = speaker.names["card"]
            self._known = (
                key,
                {str(name): self._build_card_view(box, speaker, i, str(name)) for i, name in enumerate(names)},
            )
        return self._known[1]

    def _build_seat_view(
        self, box: Any, state: Any, speaker: Speaker, shown_seat: int, seat: int | None, over: bool
    ) -> dict[str, Any]:
        """One seat's part of the view (`shown_seat`), as `seat` may see it; `over`: is the game over?"""
        own = [spot for spot in self.game.places.values() if spot.each]
        tokens = [token for token in self.game.tokens.values() if not token.shared]
        known = {token.name: not token.secret or shown_seat == seat or over for token in tokens}
        return {
            "seat": shown_seat,
            "name": str(speaker.word("seat", shown_seat)),
            "tokens": [
                {
                    "name": token.name.replace("_", " "),
                    "n": int(getattr(state, to_field_name(token.name))[shown_seat]) if known[token.name] else None,
                    "icon": token.icon,
                }
                for token in tokens
            ],
            "places": [self._build_place_view(box, state, speaker, spot, shown_seat, seat, over) for spot in own],
        }

    def _build_place_view(
        self, box: Any, state: Any, speaker: Speaker, spot: Spot, owner: int | None, seat: int | None, over: bool
    ) -> dict[str, Any]:
        """A place as plain data, as `seat` may see it; `owner` is None for a place of the table, `over`: is the game over?"""
        held = getattr(state, to_field_name(spot.name))
        cards = members(held if owner is None else held[owner])
        known = spot.seen_by == "all" or (spot.seen_by == "owner" and (over or (owner is not None and owner == seat)))
        limit = int(getattr(box.limits, to_field_name(spot.name))) if spot.limit else 0
        first: dict[str, str] = {}
        shown = []
        for card in cards if known else []:
            called = str(speaker.names["card_called"][card])
            shown.append(
                self._build_card_view(box, speaker, card, first.setdefault(called, str(speaker.names["card"][card])))
            )
        return {
            "name": spot.name.replace("_", " "),
            "of": spot.of,
            "icon": self.game.kinds[spot.of].icon,
            "n": len(cards),
            "known": known,
            "limit": limit,
            "cards": shown,
            "sums": [
                {
                    "name": name.replace("_", " "),
                    "n": sum(int(getattr(box.card[one], to_field_name(name))) for one in cards),
                }
                for name in (self.summed.get(spot.name, ()) if known else ())
            ],
            "row": bool(spot.limit or spot.name in self.chosen_from) and known,
            "hand": owner is not None and spot.seen_by == "owner",
            "open": max(0, limit - len(cards)) if known else 0,
        }

    def _build_card_view(self, box: Any, speaker: Speaker, card: int, spot: str) -> dict[str, Any]:
        """A card as plain data. Cards alike in one place share one `spot`, because it makes no difference which of them is taken."""
        called = str(speaker.names["card_called"][card])
        printed = next(one for one in self.game.cards if one.name == called)
        words = self.game.kinds[printed.kind].fields
        row = box.card[card]
        facts = []
        for name, known in words.items():
            value = int(getattr(row, to_field_name(name)))
            facts.append(
                {"name": name.replace("_", " "), "value": known[value] if known else value, "word": bool(known)}
            )
        sort = next((int(getattr(row, to_field_name(name))) for name, known in words.items() if known), -1)
        numbering = self.numbering.copy_for_card([int(n) for n in row.amounts] if printed.amounts else ())
        text = printed.text or ". ".join(
            f"{said}: {'; '.join(numbering.describe_operations(ops))}"
            for said, ops in (
                (when.replace("_", " "), printed.triggers.get(when, ())) for when in ("played", "drawn", "each_turn")
            )
            if ops
        )
        return {
            "name": called,
            "at": f"card:{spot}",
            "kind": printed.kind,
            "sort": sort,
            "facts": facts,
            "text": text,
            "icon": printed.icon,
        }

    # --- In words ---

    def prompt_values(self, box: Any, state: Any, speaker: Speaker) -> dict[str, int]:
        """The values of the names in braces in a question: `n`, the number of things that are left to choose."""
        return {"n": int(state.left)}

    def left(self, box: Any, state: Any, speaker: Speaker) -> Sentence:
        """A sentence with the number of actions left to the seat to act; () if it has at most one."""
        if int(state.left) > 1:
            return speaker.say("{n} actions left", n=int(state.left))
        return ()

    def label(self, box: Any, state: Any, speaker: Speaker, action: Action) -> str:
        """The label of an action where it differs from its row's label; always "", since none does."""
        return ""

    def effect(self, box: Any, state: Any, speaker: Speaker, action: Action) -> Sentence:
        """The price of an action in words, if it is a plain number; () if it has none."""
        deed = next((deed for deed in self.game.deeds if deed.key == action.block), None)
        if deed is None:
            return ()
        told = []
        for name, amount in deed.pay:
            n = amount.constant
            if n is None and len(amount.parts) == 1 and deed.source:
                word = getattr(amount.parts[0][1], "word", "")
                if word in self.game.fields_by_kind:
                    n = int(getattr(box.card[action.args[0]], to_field_name(word)))
                elif word in self.game.numbers:
                    n = int(getattr(box.numbers, to_field_name(word)))
            if n is not None:
                token = self.game.tokens[name]
                told.append(f"−{n} {(token.one if n == 1 else name).replace('_', ' ')}")
        return (", ".join(told),) if told else ()

    def breakdown(self, box: Any, state: Any, speaker: Speaker, seat: int) -> list[Line]:
        """The lines of a seat's score."""
        if self.game.together:
            return [
                Line(
                    speaker.say("won" if int(state.won) else "not won"),
                    float(state.won),
                    self.numbering.find_number("winner"),
                )
            ]
        lines = []
        for i, score in enumerate(self.game.scores):
            points = int(self.rules[f"line_{i}"](box, state, seat))
            text = score.text or self.numbering.describe_amount(score.count)
            lines.append(Line((text,), float(points), self.numbering.find_number("score", i)))
        rest = int(self.rules["points"](box, state, seat)) - int(sum(line.points for line in lines))
        if any(card.at_end for card in self.game.cards):
            lines.append(Line(speaker.say("cards"), float(rest), self.numbering.find_number("at_end")))
        return lines

"""The guide of a card game, generated from its file: a numbered paragraph for each token, place, phase, action, operation and end."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from sutler.cardkit.amounts import Condition, Count, Most, Name, Number, Sum
from sutler.cardkit.card_game_parts import CardGame, Deed, Ending, Spot, Stage, Token, to_readable_name
from sutler.cardkit.operation_types import OPERATIONS, Operation

CHAPTERS = ("The table", "A round", "What cards and actions do", "The end")
SIGNS = {"==": "is", "!=": "is not", ">=": "is at least", "<=": "is at most", ">": "is more than", "<": "is less than"}


class Numbering:
    """The numbered paragraphs of one game; `of("action", 0)` is the number of the first action's paragraph, such as "2.3"."""

    def __init__(self, game: CardGame) -> None:
        self.game = game
        self.own: Sequence[int] = ()
        """The numbers of the card whose text is being written; empty where the text is about any card."""
        self.texts: list[list[str]] = [[], [], [], []]
        self._numbers: dict[tuple[str, object], str] = {}
        self._add_table_chapter()
        self._add_round_chapter()
        self._add_operations_chapter()
        self._add_end_chapter()

    def find_number(self, kind: str, key: object = "") -> str:
        """The number of the paragraph on a thing: `kind` is its kind, `key` its index or name."""
        return self._numbers[kind, key]

    def build_guide(self) -> str:
        """The guide of the card game as Markdown."""
        out = [f"# {self.game.title}\n"]
        for i, (title, texts) in enumerate(zip(CHAPTERS, self.texts, strict=True), 1):
            out.append(f"## {i}. {title}\n")
            out += [f"**{i}.{n}** {text}\n" for n, text in enumerate(texts, 1)]
        return "\n".join(out)

    def _add_paragraph(self, chapter: int, text: str, kind: str, key: object = "") -> None:
        """Add a paragraph to a chapter (from 0) and keep its number under `kind` and `key`."""
        self.texts[chapter].append(" ".join(text.split()))
        self._numbers[kind, key] = f"{chapter + 1}.{len(self.texts[chapter])}"

    def _add_table_chapter(self) -> None:
        """Add the chapter on tokens, cards and places."""
        game = self.game
        low, high = game.seats
        seats = f"{low} to {high} players" if low < high else f"{low} players"
        how = (
            "All play together: all win, or all lose." if game.together else "Whoever has most points at the end wins."
        )
        self._add_paragraph(0, f"*The game.* {game.tagline} For {seats}. {how}", "game")
        for token in game.tokens.values():
            self._add_paragraph(
                0, f"*{to_readable_name(token.name).capitalize()}.* {_describe_token(token)}", "token", token.name
            )
        for spot in game.places.values():
            self._add_paragraph(
                0, f"*{to_readable_name(spot.name).capitalize()}.* {self._describe_place(spot)}", "place", spot.name
            )
        done = [
            *self.describe_operations(game.setup),
            *(f"each player: {one}" for one in self.describe_operations(game.setup_seat)),
        ]
        self._add_paragraph(
            0,
            "*Setting up.* " + (f"At the start: {'; '.join(done)}." if done else "All is laid out as said above."),
            "setup",
        )
        secret = [spot.name for spot in game.places.values() if spot.seen_by == "owner"]
        secret += [token.name for token in game.tokens.values() if token.secret]
        hidden = (
            f"Only its owner knows: {', '.join(map(to_readable_name, secret))}. When the game is over, all is shown."
            if secret
            else "Nobody has secrets."
        )
        self._add_paragraph(0, f"*Secrets.* {hidden}", "secrets")

    def _add_round_chapter(self) -> None:
        """Add the chapter on the round, its stages and actions."""
        game = self.game
        self._add_paragraph(
            1,
            "*A round.* Its phases follow one another in this order; then the next round begins with the first player.",
            "round",
        )
        for i, stage in enumerate(game.stages):
            self._add_paragraph(
                1, f"*{stage.name.rstrip('.')}.* {stage.text or self._describe_stage(stage)}", "phase", i
            )
        for i, deed in enumerate(game.deeds):
            title = deed.name.replace("{card}", "a card").replace("{seat}", "a player")
            self._add_paragraph(1, f"*{title.capitalize()}.* {deed.text or self._describe_action(deed)}", "action", i)
        self._add_paragraph(
            1, "*Nothing to do.* Who can do nothing is passed over. Who may stop may end the turn early.", "stop"
        )

    def _add_operations_chapter(self) -> None:
        """Add the chapter on what cards and actions do."""
        used = {op.word for op in self.game.iter_operations()}
        for word in OPERATIONS:
            if word in used:
                self._add_paragraph(2, OPERATIONS[word].rule, "op", word)
        self._add_paragraph(
            2,
            "*Choosing.* Who has only one thing to choose from takes it. Where there is nothing to choose from, it is passed over.",
            "choice",
        )
        self._add_paragraph(
            2,
            "*Room and supply.* A place with a limit takes no more cards. A row with places to fill is filled at once.",
            "room",
        )
        self._add_paragraph(
            2,
            "*One after the other.* What is begun is finished first; then cards that were drawn or played do what they say, in order.",
            "order",
        )
        for kind in self.game.kinds:
            if any(card.kind == kind and card.text for card in self.game.cards):
                cards = [card for card in self.game.cards if card.kind == kind and card.text]
                said = " ".join(f"{card.name}: {card.text.rstrip('.')}." for card in cards)
                self._add_paragraph(2, f"*{kind.capitalize()} cards.* {said}", "cards", kind)

    def _add_end_chapter(self) -> None:
        """Add the chapter on the end of the game and the scores."""
        game = self.game
        for i, end in enumerate(game.ends):
            self._add_paragraph(
                3,
                f"*{'The end' if end.won is None else 'Won' if end.won else 'Lost'}.* {end.text or self._describe_ending(end)}",
                "end",
                i,
            )
        self._add_paragraph(
            3,
            "*No way on.* When nobody can do anything any more, the game is over"
            + (", and lost." if game.together else "."),
            "stalled",
        )
        for i, score in enumerate(game.scores):
            self._add_paragraph(
                3, f"*Points.* {score.text or f'Points: {self.describe_amount(score.count)}.'}", "score", i
            )
        if any(card.at_end for card in game.cards):
            self._add_paragraph(3, "*Points of cards.* A card before you counts what it says.", "at_end")
        if game.together:
            self._add_paragraph(
                3, "*Together.* All win, or all lose: who won has 1 point, who lost has none.", "winner"
            )
        else:
            ties = (
                f" Of equal players the one with more {' and then '.join(map(to_readable_name, game.ties))}."
                if game.ties
                else ""
            )
            self._add_paragraph(
                3, f"*Who wins.* Most points.{ties} Players whom nothing parts share a place.", "winner"
            )

    # --- In words ---

    def copy_for_card(self, card_numbers: Sequence[int]) -> Numbering:
        """A copy that writes the numbers of one card, `card_numbers`, in place of "as many as it says"."""
        found = copy(self)
        found.own = card_numbers
        return found

    def describe_amount(self, amount: Sum) -> str:
        """An amount in words."""
        out = ""
        for sign, one in amount.parts:
            text = self._describe_part(one)
            out += (" less " if sign < 0 else " and ") + text if out else ("minus " if sign < 0 else "") + text
        return out

    def _describe_part(self, part: Number | Name | Count | Most) -> str:
        """One part of an amount in words."""
        if isinstance(part, Number):
            if part.slot >= len(self.own):
                return "as many as it says"
            return str(part.value if part.slot < 0 else self.own[part.slot])
        if isinstance(part, Name):
            if part.word in self.game.numbers:
                return str(self.game.numbers[part.word])
            known = {
                "seats": "the number of players",
                "round": "the round's number",
                "roll": "what was rolled",
                "score": "the points",
            }
            if part.word in self.game.tokens:
                return f"{'the' if self.game.tokens[part.word].shared else 'your'} {to_readable_name(part.word)}"
            return known.get(part.word, f"the card's {to_readable_name(part.word)}")
        if isinstance(part, Most):
            return f"the most {to_readable_name(part.token)} that anybody has"
        only = f" whose {to_readable_name(part.only)} is {self._describe_wanted_value(part)}" if part.only else ""
        if part.field:
            return f"the {to_readable_name(part.field)} of all cards in {to_readable_name(part.place)}{only}"
        return f"the number of cards in {to_readable_name(part.place)}{only}"

    def _describe_wanted_value(self, one: Count) -> str:
        """The value that a counted card's field must have, in words."""
        if "." in one.value:
            spot, _, field = one.value.partition(".")
            return f"the {to_readable_name(field)} of {'that card' if spot == 'card' else f'the card in {to_readable_name(spot)}'}"
        words = self.game.fields_by_kind.get(one.only, ())
        return words[int(one.value)] if words else one.value

    def describe_condition(self, condition: Condition) -> str:
        """A condition in words."""
        return f"{self.describe_amount(condition.left)} {SIGNS[condition.sign]} {self.describe_amount(condition.right)}"

    def describe_operations(self, ops: tuple[Operation, ...]) -> list[str]:
        """A list of operations in words, one text for each."""
        return [self._describe_operation(op) for op in ops]

    def _describe_tokens(self, op: Operation) -> str:
        """The tokens of an operation in words, with their amounts."""
        return " and ".join(self._describe_payment(name, n) for name, n in op.tokens)

    def _describe_payment(self, token: str, amount: Sum) -> str:
        """A price of tokens of one kind in words: "2 coins", or "coins (the card's cost)" where the amount is computed."""
        name, told = to_readable_name(token), self.describe_amount(amount)
        return f"{told} {name}" if told.isdigit() else f"{name} ({told})"

    def _describe_number(self, amount: Sum) -> str:
        """An amount in words, in digits if it is one plain number."""
        return str(amount.constant) if amount.constant is not None else self.describe_amount(amount)

    def _describe_operation(self, op: Operation) -> str:
        """An operation in words."""
        who = {
            "me": "",
            "others": " (every other player)",
            "all": " (every player)",
            "seat": " (that player)",
            "table": "",
        }[op.who]
        inner = "; ".join(self.describe_operations(op.do))
        if op.word in ("gain", "pay", "lose", "give", "steal"):
            return f"{op.word} {self._describe_tokens(op)}{who}"
        if op.word == "draw":
            assert op.n is not None
            return f"draw {self._describe_number(op.n)} from {to_readable_name(op.source)} to {to_readable_name(op.to)}{who}"
        if op.word == "pick":
            n = "1" if op.n is None else self._describe_number(op.n)
            to = f", to {to_readable_name(op.to)}" if op.to else ""
            return f"{'you may pick' if op.optional else 'pick'} {n} from {to_readable_name(op.source)}{to}" + (
                f", and {inner}" if inner else ""
            )
        if op.word == "move":
            return f"the card goes to {to_readable_name(op.to)}"
        if op.word == "empty":
            return f"all of {to_readable_name(op.source)} goes to {to_readable_name(op.to)}"
        if op.word == "roll":
            return f"roll a die of {op.sides} sides"
        if op.word == "if":
            assert op.condition is not None
            other = f", else {'; '.join(self.describe_operations(op.other))}" if op.other else ""
            return f"if {self.describe_condition(op.condition)}: {inner}{other}"
        if op.word == "repeat":
            assert op.n is not None
            return f"{self._describe_number(op.n)} times: {inner}"
        if op.word == "each":
            return f"every {'other ' if op.who == 'others' else ''}player: {inner}"
        if op.word == "compare":
            most = op.most if op.most is not None else op.least
            assert most is not None
            return f"the player with the {'most' if op.most is not None else 'least'} of {self.describe_amount(most)}: {inner}"
        if op.word == "seat":
            return f"choose {'another' if op.who == 'others' else 'a'} player: {inner}"
        if op.word == "choose":
            return "choose one: " + ", or ".join(option.text for option in op.options)
        if op.word == "play":
            return "what the card says happens"
        return op.text or "the game is over"

    def _describe_place(self, spot: Spot) -> str:
        """A place of cards in words."""
        seen = {"all": "everybody sees", "owner": "only its owner sees", "nobody": "nobody sees"}[spot.seen_by]
        out = f"{'Before each player' if spot.each else 'On the table'}: cards of the kind {spot.of}, which {seen}."
        if spot.all:
            out += f" All {spot.of} cards begin here."
        if spot.limit and not spot.refill:
            out += f" It holds at most {spot.limit}."
        if spot.refill:
            out += f" It has {spot.limit} places; an empty one is filled at once from {to_readable_name(spot.refill)}, at random."
        if spot.idle:
            out += " Cards there do nothing by themselves."
        if spot.ordered:
            out += (
                " It has an order: what comes there lies on top, and is drawn first; emptied into it, cards are mixed."
            )
        if spot.again:
            out += f" When it is empty, the cards of {to_readable_name(spot.again)} come back to it."
        return out

    def _describe_stage(self, stage: Stage) -> str:
        """A stage of the round in words."""
        before, after = (
            "; ".join(self.describe_operations(stage.before)),
            "; ".join(self.describe_operations(stage.after)),
        )
        if stage.who == "table":
            return f"Nobody acts: {before or 'nothing happens'}."
        n = self._describe_number(stage.actions)
        out = "Each player in turn" if stage.who == "each" else "The same player"
        out += (
            f" has {n} action{'' if n == '1' else 's'}" + (" and may stop before that" if stage.may_stop else "") + "."
        )
        return out + (f" Before: {before}." if before else "") + (f" After: {after}." if after else "")

    def _describe_action(self, deed: Deed) -> str:
        """An action in words: its price, what it does and when it is possible."""
        pay = " and ".join(self._describe_payment(name, n) for name, n in deed.pay)
        out = f"Pay {pay}. " if pay else ""
        if deed.source:
            only = "".join(
                f" whose {to_readable_name(name)} is {self._describe_wanted_value(Count('', '', name, value))}"
                for name, value in deed.only
            )
            out += f"A card from {to_readable_name(deed.source)}{only}. "
        if deed.needs:
            out += f"Only if {self.describe_condition(deed.needs)}. "
        if deed.once:
            out += "Once a turn. "
        if deed.free:
            out += "It does not count as an action. "
        does = "; ".join(self.describe_operations(deed.do))
        return out + (f"{does[:1].upper()}{does[1:]}." if does else "Nothing happens.")

    def _describe_ending(self, end: Ending) -> str:
        """An end of the game in words."""
        when = {"once": "at once", "turn": "at the end of the turn", "round": "at the end of the round"}[end.at]
        won = "" if end.won is None else " All have won." if end.won else " All have lost."
        if end.rounds:
            return f"The game ends after so many rounds: {end.rounds}.{won}"
        what = (
            f"{to_readable_name(end.empty)} is empty"
            if end.empty
            else self.describe_condition(end.when)
            if end.when
            else ""
        )
        return f"The game ends when {what}, {when}.{won}"


def _describe_token(token: Token) -> str:
    """A token in words."""
    start = f"{'The table has' if token.shared else 'Each player begins with'} {token.start}."
    limit = f" There can be at most {token.limit}{'' if token.shared else ' each'}." if token.limit else ""
    return f"{'A track that all share.' if token.shared else ''} {start}{limit}"

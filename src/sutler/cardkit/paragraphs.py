"""The guide of a card game, generated from its file: a numbered paragraph for each token, place, phase, action, operation and end."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from sutler.cardkit.amounts import Condition, Count, Most, Name, Number, Sum
from sutler.cardkit.card_parts import CardGame, Deed, Ending, Spot, Stage, Token
from sutler.cardkit.operations_of_cards import OPERATIONS, Operation

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

    def of(self, what: str, which: object = "") -> str:
        """The number of the paragraph on a thing: `what` is its kind, `which` its index or name."""
        return self._numbers[what, which]

    def guide(self) -> str:
        """The text of the guide, as Markdown."""
        out = [f"# {self.game.title}\n"]
        for i, (title, texts) in enumerate(zip(CHAPTERS, self.texts, strict=True), 1):
            out.append(f"## {i}. {title}\n")
            out += [f"**{i}.{n}** {text}\n" for n, text in enumerate(texts, 1)]
        return "\n".join(out)

    def _add_paragraph(self, chapter: int, text: str, what: str, which: object = "") -> None:
        """Add a paragraph to a chapter (from 0) and keep its number under `what` and `which`."""
        self.texts[chapter].append(" ".join(text.split()))
        self._numbers[what, which] = f"{chapter + 1}.{len(self.texts[chapter])}"

    def _add_table_chapter(self) -> None:
        game = self.game
        low, high = game.seats
        seats = f"{low} to {high} players" if low < high else f"{low} players"
        how = (
            "All play together: all win, or all lose." if game.together else "Whoever has most points at the end wins."
        )
        self._add_paragraph(0, f"*The game.* {game.tagline} For {seats}. {how}", "game")
        for token in game.tokens.values():
            self._add_paragraph(
                0, f"*{_readable_name(token.name).capitalize()}.* {_token_in_words(token)}", "token", token.name
            )
        for spot in game.places.values():
            self._add_paragraph(
                0, f"*{_readable_name(spot.name).capitalize()}.* {self._place_in_words(spot)}", "place", spot.name
            )
        done = [*self.in_words(game.setup), *(f"each player: {one}" for one in self.in_words(game.setup_seat))]
        self._add_paragraph(
            0,
            "*Setting up.* " + (f"At the start: {'; '.join(done)}." if done else "All is laid out as said above."),
            "setup",
        )
        secret = [spot.name for spot in game.places.values() if spot.seen_by == "owner"]
        secret += [token.name for token in game.tokens.values() if token.secret]
        hidden = (
            f"Only its owner knows: {', '.join(map(_readable_name, secret))}. When the game is over, all is shown."
            if secret
            else "Nobody has secrets."
        )
        self._add_paragraph(0, f"*Secrets.* {hidden}", "secrets")

    def _add_round_chapter(self) -> None:
        game = self.game
        self._add_paragraph(
            1,
            "*A round.* Its phases follow one another in this order; then the next round begins with the first player.",
            "round",
        )
        for i, stage in enumerate(game.stages):
            self._add_paragraph(
                1, f"*{stage.name.rstrip('.')}.* {stage.text or self._stage_in_words(stage)}", "phase", i
            )
        for i, deed in enumerate(game.deeds):
            title = deed.name.replace("{card}", "a card").replace("{seat}", "a player")
            self._add_paragraph(1, f"*{title.capitalize()}.* {deed.text or self._deed_in_words(deed)}", "action", i)
        self._add_paragraph(
            1, "*Nothing to do.* Who can do nothing is passed over. Who may stop may end the turn early.", "stop"
        )

    def _add_operations_chapter(self) -> None:
        used = {op.word for op in self.game.operations()}
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
        game = self.game
        for i, end in enumerate(game.ends):
            self._add_paragraph(
                3,
                f"*{'The end' if end.won is None else 'Won' if end.won else 'Lost'}.* {end.text or self._end_in_words(end)}",
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
            self._add_paragraph(3, f"*Points.* {score.text or f'Points: {self.amount(score.count)}.'}", "score", i)
        if any(card.at_end for card in game.cards):
            self._add_paragraph(3, "*Points of cards.* A card before you counts what it says.", "at_end")
        if game.together:
            self._add_paragraph(
                3, "*Together.* All win, or all lose: who won has 1 point, who lost has none.", "winner"
            )
        else:
            ties = (
                f" Of equal players the one with more {' and then '.join(map(_readable_name, game.ties))}."
                if game.ties
                else ""
            )
            self._add_paragraph(
                3, f"*Who wins.* Most points.{ties} Players whom nothing parts share a place.", "winner"
            )

    # --- In words ---

    def of_card(self, own: Sequence[int]) -> Numbering:
        """A copy that writes the numbers of one card, `own`, in place of "as many as it says"."""
        found = copy(self)
        found.own = own
        return found

    def amount(self, amount: Sum) -> str:
        """An amount in words."""
        out = ""
        for sign, one in amount.parts:
            text = self._part_in_words(one)
            out += (" less " if sign < 0 else " and ") + text if out else ("minus " if sign < 0 else "") + text
        return out

    def _part_in_words(self, one: Number | Name | Count | Most) -> str:
        """One part of an amount in words."""
        if isinstance(one, Number):
            if one.slot >= len(self.own):
                return "as many as it says"
            return str(one.value if one.slot < 0 else self.own[one.slot])
        if isinstance(one, Name):
            if one.word in self.game.numbers:
                return str(self.game.numbers[one.word])
            known = {
                "seats": "the number of players",
                "round": "the round's number",
                "roll": "what was rolled",
                "score": "the points",
            }
            if one.word in self.game.tokens:
                return f"{'the' if self.game.tokens[one.word].shared else 'your'} {_readable_name(one.word)}"
            return known.get(one.word, f"the card's {_readable_name(one.word)}")
        if isinstance(one, Most):
            return f"the most {_readable_name(one.token)} that anybody has"
        only = f" whose {_readable_name(one.only)} is {self._value_in_words(one)}" if one.only else ""
        if one.field:
            return f"the {_readable_name(one.field)} of all cards in {_readable_name(one.place)}{only}"
        return f"the number of cards in {_readable_name(one.place)}{only}"

    def _value_in_words(self, one: Count) -> str:
        """The value that a counted card's field must have, in words."""
        if "." in one.value:
            spot, _, field = one.value.partition(".")
            return f"the {_readable_name(field)} of {'that card' if spot == 'card' else f'the card in {_readable_name(spot)}'}"
        words = self.game.fields.get(one.only, ())
        return words[int(one.value)] if words else one.value

    def condition(self, condition: Condition) -> str:
        """A condition in words."""
        return f"{self.amount(condition.left)} {SIGNS[condition.sign]} {self.amount(condition.right)}"

    def in_words(self, ops: tuple[Operation, ...]) -> list[str]:
        """A list of operations in words, one text for each."""
        return [self._op_in_words(op) for op in ops]

    def _tokens_in_words(self, op: Operation) -> str:
        return " and ".join(f"{self._number_in_words(n)} {_readable_name(name)}" for name, n in op.tokens)

    def _number_in_words(self, amount: Sum) -> str:
        """An amount in words, in digits if it is one plain number."""
        return str(amount.constant) if amount.constant is not None else self.amount(amount)

    def _op_in_words(self, op: Operation) -> str:
        who = {
            "me": "",
            "others": " (every other player)",
            "all": " (every player)",
            "seat": " (that player)",
            "table": "",
        }[op.who]
        inner = "; ".join(self.in_words(op.do))
        if op.word in ("gain", "pay", "lose", "give", "steal"):
            return f"{op.word} {self._tokens_in_words(op)}{who}"
        if op.word == "draw":
            assert op.n is not None
            return (
                f"draw {self._number_in_words(op.n)} from {_readable_name(op.source)} to {_readable_name(op.to)}{who}"
            )
        if op.word == "pick":
            n = "1" if op.n is None else self._number_in_words(op.n)
            to = f", to {_readable_name(op.to)}" if op.to else ""
            return f"{'you may pick' if op.optional else 'pick'} {n} from {_readable_name(op.source)}{to}" + (
                f", and {inner}" if inner else ""
            )
        if op.word == "move":
            return f"the card goes to {_readable_name(op.to)}"
        if op.word == "empty":
            return f"all of {_readable_name(op.source)} goes to {_readable_name(op.to)}"
        if op.word == "roll":
            return f"roll a die of {op.sides} sides"
        if op.word == "if":
            assert op.condition is not None
            other = f", else {'; '.join(self.in_words(op.other))}" if op.other else ""
            return f"if {self.condition(op.condition)}: {inner}{other}"
        if op.word == "repeat":
            assert op.n is not None
            return f"{self._number_in_words(op.n)} times: {inner}"
        if op.word == "each":
            return f"every {'other ' if op.who == 'others' else ''}player: {inner}"
        if op.word == "compare":
            most = op.most if op.most is not None else op.least
            assert most is not None
            return f"the player with the {'most' if op.most is not None else 'least'} of {self.amount(most)}: {inner}"
        if op.word == "seat":
            return f"choose {'another' if op.who == 'others' else 'a'} player: {inner}"
        if op.word == "choose":
            return "choose one: " + ", or ".join(option.text for option in op.options)
        if op.word == "play":
            return "what the card says happens"
        return op.text or "the game is over"

    def _place_in_words(self, spot: Spot) -> str:
        seen = {"all": "everybody sees", "owner": "only its owner sees", "nobody": "nobody sees"}[spot.seen_by]
        out = f"{'Before each player' if spot.each else 'On the table'}: cards of the kind {spot.of}, which {seen}."
        if spot.all:
            out += f" All {spot.of} cards begin here."
        if spot.limit and not spot.refill:
            out += f" It holds at most {spot.limit}."
        if spot.refill:
            out += f" It has {spot.limit} places; an empty one is filled at once from {_readable_name(spot.refill)}, at random."
        if spot.ordered:
            out += (
                " It has an order: what comes there lies on top, and is drawn first; emptied into it, cards are mixed."
            )
        if spot.again:
            out += f" When it is empty, the cards of {_readable_name(spot.again)} come back to it."
        return out

    def _stage_in_words(self, stage: Stage) -> str:
        before, after = "; ".join(self.in_words(stage.before)), "; ".join(self.in_words(stage.after))
        if stage.who == "table":
            return f"Nobody acts: {before or 'nothing happens'}."
        n = self._number_in_words(stage.actions)
        out = "Each player in turn" if stage.who == "each" else "The same player"
        out += (
            f" has {n} action{'' if n == '1' else 's'}" + (" and may stop before that" if stage.may_stop else "") + "."
        )
        return out + (f" Before: {before}." if before else "") + (f" After: {after}." if after else "")

    def _deed_in_words(self, deed: Deed) -> str:
        pay = " and ".join(f"{self._number_in_words(n)} {_readable_name(name)}" for name, n in deed.pay)
        out = f"Pay {pay}. " if pay else ""
        if deed.source:
            only = "".join(
                f" whose {_readable_name(name)} is {self._value_in_words(Count('', '', name, value))}"
                for name, value in deed.only
            )
            out += f"A card from {_readable_name(deed.source)}{only}. "
        if deed.needs:
            out += f"Only if {self.condition(deed.needs)}. "
        if deed.once:
            out += "Once a turn. "
        if deed.free:
            out += "It does not count as an action. "
        does = "; ".join(self.in_words(deed.do))
        return out + (f"{does[:1].upper()}{does[1:]}." if does else "Nothing happens.")

    def _end_in_words(self, end: Ending) -> str:
        when = {"once": "at once", "turn": "at the end of the turn", "round": "at the end of the round"}[end.at]
        won = "" if end.won is None else " All have won." if end.won else " All have lost."
        if end.rounds:
            return f"The game ends after so many rounds: {end.rounds}.{won}"
        what = f"{_readable_name(end.empty)} is empty" if end.empty else self.condition(end.when) if end.when else ""
        return f"The game ends when {what}, {when}.{won}"


def _token_in_words(token: Token) -> str:
    start = f"{'The table has' if token.shared else 'Each player begins with'} {token.start}."
    limit = f" There can be at most {token.limit}{'' if token.shared else ' each'}." if token.limit else ""
    return f"{'A track that all share.' if token.shared else ''} {start}{limit}"


def _readable_name(name: str) -> str:
    """A name of the file as people read it, with spaces for underscores."""
    return name.replace("_", " ")

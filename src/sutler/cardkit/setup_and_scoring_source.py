"""Generates a card game's rules for setup, checks, scores, evaluation and redeals."""

from __future__ import annotations

from collections.abc import Iterable

from sutler.cardkit.amounts import Name
from sutler.cardkit.card_game_parts import Spot, Token
from sutler.cardkit.operation_source import (
    DEPTH,
    EACH_TURN,
    HOPE,
    MAX_IN_ORDER,
    MAX_WAITING,
    WORTH_OF_A_CARD,
    WORTH_OF_A_TOKEN,
    Lines,
    Names,
    to_field_name,
)
from sutler.cardkit.round_source import RoundSource


class PointsSource(RoundSource):
    """Writes the rules that set up a table, check it and count its points."""

    def _write_setup(self) -> None:
        """Write the rule that sets up the table."""
        out, game, write = Lines(), self.game, self.writer
        quiet = Names("seat", "-1", "-1", "-1", quiet=True)
        out("state.phase = P.moving")
        out("state.round_no = 1")
        out("rest(state)")
        if self.has_waiting:
            out.open_block(f"for i in range({MAX_WAITING}):")
            out("state.waiting_card[i] = -1")
            out.close_blocks()
        for spot in game.places.values():
            if spot.all:
                out(f"assign(state.{to_field_name(spot.name)}, box.all_{spot.of})")
        for token in game.tokens.values():
            if token.shared:
                out(f"state.{to_field_name(token.name)} = box.starts.{to_field_name(token.name)}")
        for spot in game.places.values():
            if spot.ordered and spot.each:
                out.open_block("for seat in range(SEATS):")
                write.write_forget_order(spot, "seat", out)
                out.close_blocks()
            else:
                write.write_forget_order(spot, "0", out)
        out.open_block("for seat in range(state.n_seats):")
        out("pass")
        for token in game.tokens.values():
            if not token.shared:
                out(f"state.{to_field_name(token.name)}[seat] = box.starts.{to_field_name(token.name)}")
        write.write_statements(game.setup_seat, quiet, out)
        out.close_blocks()
        out("seat = 0")
        write.write_statements(game.setup, quiet, out)
        self.add_rule("setup", "box, state", self.numbering.find_number("setup"), out.lines)
        self.add_rule("recount", "box, state", "Nothing is kept only for speed.", ["    return"])

    def _write_check(self) -> None:
        """Write the rule that checks a state."""
        game, out = self.game, Lines()
        for kind in game.kinds:
            out.open_block(f"for w in range(len(box.all_{kind})):")
            out(f"found = box.all_{kind}[w] & ~box.all_{kind}[w]")
            for spot in game.places.values():
                if spot.of != kind:
                    continue
                if spot.each:
                    out.open_block("for seat in range(state.n_seats):")
                here = f"{self.writer.place_expression(spot.name, 'seat')}[w]"
                out.open_block(f"if (found & {here}) != (box.all_{kind}[w] & ~box.all_{kind}[w]):")
                out("return F.lost_card")
                out.close_blocks()
                out(f"found |= {here}")
                out.close_blocks(1 if spot.each else 0)
            out.open_block(f"if found != box.all_{kind}[w]:")
            out("return F.lost_card")
            out.close_blocks(2)
        out.open_block("for seat in range(state.n_seats):")
        out("pass")
        for token in game.tokens.values():
            if not token.shared:
                out.open_block(f"if state.{to_field_name(token.name)}[seat] < 0:")
                out("return F.debt")
                out.close_blocks()
        out.close_blocks()
        shared = [f"state.{to_field_name(token.name)} < 0" for token in game.tokens.values() if token.shared]
        tests = [
            *shared,
            "state.round_no < 1",
            f"state.stage < 0 or state.stage >= {len(game.stages)}",
            "state.active < 0 or state.active >= state.n_seats",
            "state.doer < 0 or state.doer >= state.n_seats",
            "state.to_act < 0 or state.to_act >= state.n_seats",
            "state.target >= state.n_seats",
            f"state.step < 0 or state.step > {len(self.writer.steps)}",
            f"state.part < 0 or state.part > {EACH_TURN}",
            "state.cursor < 0 or state.cursor > CARDS",
            "not is_empty(state.unknown)",
        ]
        if self.has_waiting:
            tests.append(f"state.n_waiting < 0 or state.n_waiting >= {MAX_WAITING}")
        for test in tests:
            out.open_block(f"if {test}:")
            out("return F.beyond")
            out.close_blocks()
        out.open_block(f"for i in range({DEPTH}):")
        out.open_block("if state.back[i] < 0 or state.back[i] >= state.n_seats:")
        out("return F.beyond")
        out.close_blocks(2)
        self._write_ordered_pile_check(out)
        out("return 0")
        self.add_rule("check", "box, state", "0, or the number of the fault in FAULTS.", out.lines)

    def _write_ordered_pile_check(self, out: Lines) -> None:
        """Write the source of a check of the state: each card of an ordered pile lies in that pile, and stands in its order once."""
        write = self.writer
        for spot in self.game.places.values():
            if not spot.ordered:
                continue
            if spot.each:
                out.open_block("for seat in range(state.n_seats):")
            n, card = write.ordered_count_expression(spot, "seat"), write.order_expression(spot, "seat", "i")
            out.open_block(f"if {n} < 0 or {n} > {MAX_IN_ORDER}:")
            out("return F.beyond")
            out.close_blocks()
            out.open_block(f"for i in range({n}):")
            out.open_block(f"if {card} < 0 or not has({write.place_expression(spot.name, 'seat')}, {card}):")
            out("return F.lost_card")
            out.close_blocks()
            out.open_block("for j in range(i):")
            out.open_block(f"if {card} == {write.order_expression(spot, 'seat', 'j')}:")
            out("return F.lost_card")
            out.close_blocks(3 + spot.each)

    def _write_points(self) -> None:
        """Write the rules for points, scores and the order of the seats."""
        game, write = self.game, self.writer
        me = Names("seat", "-1", "-1", "-1")
        for i, score in enumerate(game.scores):
            self.add_rule(
                f"line_{i}",
                "box, state, seat",
                self.numbering.find_number("score", i),
                [f"    return {write.amount_expression(score.count, me)}"],
            )
        lines = ["    total = 0", *(f"    total += line_{i}(box, state, seat)" for i in range(len(game.scores)))]
        if write.worths:
            lines += self.build_tableau_loop("seat", ["total += worth_at_end(box, state, seat, card)"])
        self.add_rule("points", "box, state, seat", self.numbering.find_number("winner"), [*lines, "    return total"])
        if game.together:
            self.add_rule(
                "score",
                "box, state, out",
                self.numbering.find_number("winner"),
                [
                    "    for seat in range(state.n_seats):",
                    "        out[seat] = state.won",
                ],
            )
            self.add_rule(
                "rank",
                "box, state, out",
                self.numbering.find_number("winner"),
                [
                    "    for seat in range(state.n_seats):",
                    "        out[seat] = 1",
                    "        if state.phase == P.over and state.won == 0:",
                    "            out[seat] = state.n_seats",
                ],
            )
        else:
            self.add_rule(
                "score",
                "box, state, out",
                self.numbering.find_number("winner"),
                [
                    "    for seat in range(state.n_seats):",
                    "        out[seat] = points(box, state, seat)",
                ],
            )
            lines = [
                "    if points(box, state, a) != points(box, state, b):",
                "        return points(box, state, a) > points(box, state, b)",
            ]
            for tie in game.ties:
                held = f"state.{to_field_name(tie)}"
                lines += [f"    if {held}[a] != {held}[b]:", f"        return {held}[a] > {held}[b]"]
            self.add_rule(
                "is_ahead", "box, state, a, b", self.numbering.find_number("winner"), [*lines, "    return False"]
            )
        self._write_evaluation()

    def _write_evaluation(self) -> None:
        """Write the evaluation for bots: points, and the worth of tokens and cards that are still of use."""
        game, write = self.game, self.writer
        lines = ["    value = 1.0 * points(box, state, seat)"]
        for token in game.tokens.values():
            worth = self.compute_token_worth(token.name)
            if worth:
                lines.append(f"    value += {worth} * int({write.tokens_expression(token.name, 'seat')})")
        counted = {getattr(one, "place", "") for score in game.scores for _, one in score.count.parts}
        for spot in game.places.values():
            worth = (
                spot.worth
                if spot.worth is not None
                else 0.0
                if not spot.each or spot.name in counted
                else WORTH_OF_A_CARD
            )
            if worth:
                lines.append(f"    value += {worth} * count({write.place_expression(spot.name, 'seat')})")
        if game.together:
            lines += self._build_progress_lines()
            self.add_rule(
                "evaluate",
                "box, state, seat",
                "How near the end is that all want, and how far the one that nobody wants.",
                [
                    "    if state.phase == P.over:",
                    "        return 100.0 * state.won - 50.0",
                    *lines,
                    "    return value",
                ],
            )
            return
        self.add_rule("standing", "box, state, seat", "What a seat has, in points.", [*lines, "    return value"])
        self.add_rule(
            "evaluate",
            "box, state, seat",
            "What a seat has, less half the points of the best other seat.",
            [
                "    best = -1000.0",
                "    for other in range(state.n_seats):",
                "        if other != seat:",
                "            best = max(best, 1.0 * points(box, state, other))",
                "    return standing(box, state, seat) - 0.5 * best",
            ],
        )

    def compute_token_worth(self, token: str) -> float:
        """The worth of a token to bots, in points: the file's, else WORTH_OF_A_TOKEN if it pays for something and is not scored, else 0."""
        one = self.game.tokens[token]
        if one.worth is not None:
            return one.worth
        scored = any(
            isinstance(part, Name) and part.word == token for score in self.game.scores for _, part in score.count.parts
        )
        pays = any(name == token for deed in self.game.deeds for name, _ in deed.pay)
        pays = pays or any(op.word == "pay" and token in dict(op.tokens) for op in self.game.iter_operations())
        return WORTH_OF_A_TOKEN if pays and not scored else 0.0

    def _build_progress_lines(self) -> Iterable[str]:
        """Source lines of the evaluation of a game that all win or lose together: the progress towards each end that compares amounts."""
        for end in self.game.ends:
            if end.when is None or end.when.sign not in (">=", ">", "==", "<=", "<"):
                continue
            left, right = (
                self.writer.amount_expression(one, Names("seat", "-1", "-1", "-1"))
                for one in (end.when.left, end.when.right)
            )
            sign = 1.0 if end.won else -1.0
            if end.when.sign in ("<=", "<"):
                yield f"    value -= {sign} * ({left})"
            else:
                yield f"    value += {HOPE * sign} * min(1.0, (1.0 * ({left})) / max(1, {right}))"

    def _write_redeal(self) -> None:
        """Write the rules of the redeal, which deals again everything that a seat cannot know."""
        game, out = self.game, Lines()
        self.add_rule(
            "knows_holder",
            "box, state, seat, of",
            self.numbering.find_number("secrets"),
            ["    return of == seat or state.phase == P.over"],
        )
        self.add_rule(
            "knows_doer",
            "box, state, seat, of",
            "What is in somebody's hands just now is known to whoever acts.",
            ["    return seat == state.doer"],
        )
        for kind in game.kinds:
            hidden = [spot for spot in game.places.values() if spot.of == kind and spot.seen_by != "all"]
            if hidden:
                out(f"deal_{kind}_again(box, state, seat, luck)")
                self._write_card_redeal(kind)
        for token in game.tokens.values():
            if token.secret:
                held = f"state.{to_field_name(token.name)}"
                self._write_token_redeal(token, held, out)
        self.add_rule("redeal", "box, state, seat, luck", self.numbering.find_number("secrets"), out.lines)

    def _write_token_redeal(self, token: Token, held: str, out: Lines) -> None:
        """Write the redeal of secret tokens: those of all other seats are put together, and each goes to one of them at random."""
        out.open_block("if state.phase != P.over and state.n_seats > 2:")
        out("together = 0")
        out.open_block("for i in range(1, state.n_seats):")
        out("other = (seat + i) % state.n_seats")
        out(f"together += int({held}[other])")
        out(f"{held}[other] = 0")
        out.close_blocks()
        out.open_block("for _ in range(together):")
        out("other = (seat + 1 + below(luck, state.n_seats - 1)) % state.n_seats")
        if token.limit:
            out.open_block(f"while other == seat or {held}[other] >= box.limits.{to_field_name(token.name)}:")
            out("other = (other + 1) % state.n_seats")
            out.close_blocks()
        out(f"{held}[other] += 1")
        out.close_blocks(2)

    def _write_order_redeal(self, spot: Spot, out: Lines) -> None:
        """Write the redeal of an ordered pile: as many cards as before, in a random order."""
        write, here = self.writer, self.writer.place_expression(spot.name, "holder")
        if spot.each:
            out.open_block("for holder in range(state.n_seats):")
        out(f"merge(state.unknown, {here})")
        out.open_block(f"for i in range({write.ordered_count_expression(spot, 'holder')}):")
        out("card = nth(state.unknown, below(luck, count(state.unknown)))")
        out("remove(state.unknown, card)")
        out(f"{write.order_expression(spot, 'holder', 'i')} = card")
        out.close_blocks()
        out("clear(state.unknown)")
        out.close_blocks(int(spot.each))

    def _write_card_redeal(self, kind: str) -> None:
        """Write the redeal of a kind of card: cards that the seat cannot know are put together, and each place gets its number of them."""
        out = Lines()
        spots = [spot for spot in self.game.places.values() if spot.of == kind and spot.seen_by != "all"]
        for again in (False, True):
            for spot in spots:
                here = self.writer.place_expression(spot.name, "holder")
                if spot.each:
                    out.open_block("for holder in range(state.n_seats):")
                if spot.seen_by == "owner":
                    out.open_block("if holder != seat and state.phase != P.over:")
                if not again:
                    out(f"merge(state.unknown, {here})")
                else:
                    out(f"n = count({here})")
                    out(f"clear({here})")
                    out.open_block("for _ in range(n):")
                    out("card = nth(state.unknown, below(luck, count(state.unknown)))")
                    out("remove(state.unknown, card)")
                    out(f"add({here}, card)")
                    out.close_blocks()
                out.close_blocks(spot.each + (spot.seen_by == "owner"))
        for spot in spots:
            if spot.ordered:
                self._write_order_redeal(spot, out)
        self.add_rule(
            f"deal_{kind}_again",
            "box, state, seat, luck",
            "The cards of this kind that a seat cannot know are dealt again.",
            out.lines,
        )

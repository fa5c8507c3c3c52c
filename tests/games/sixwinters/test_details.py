"""Details of paragraphs that nothing else tries: the one die that is left, the dice on a card that goes, the tag a card speaks of.

Each of these was written for a change of the rules that all other tests let pass (`make mutants GAME=sixwinters`).
"""

from games.sixwinters.scene import Scene, assets, dice, offers
from sutler.contract.helpers import play
from sutler.core.events import new_buffer
from sutler.core.record import NOBODY
from sutler.games.sixwinters import state as s
from sutler.games.sixwinters.rules.common import K_OVERCOME, push
from sutler.games.sixwinters.rules.ending import clear_table
from sutler.games.sixwinters.rules.tally import succeed
from sutler.games.sixwinters.table import P
from sutler.games.sixwinters.vocabulary import RESOURCES, SUPPORT

# --- Overcoming (guide 7) ---------------------------------------------------------------------------


def test_drauga_protects_support_only() -> None:
    """7.1, 13.2: while Drauga is in play, an obstacle with a Support threat cannot be overcome; one without can."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([5, 6], [5])
    pos = scene.obstacles("Loomwood", "Drauga").obstacles("Eastkeep", "Culture Clash", "Tripwire").go()
    assert "overcome tripwire" in offers(pos)
    refusal = pos.why_not("overcome Culture Clash")
    assert refusal is not None
    assert refusal.rule == "7.1"


def test_an_asset_in_the_reaction_pool_has_left_its_place() -> None:
    """7.3: the first of all kinds and values as well as any other; action dice stay as they were."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([1, 5], [5]).obstacles("Eastkeep", "Tripwire")
    pos = scene.assets("Eastkeep", f"{RESOURCES[0]} 1", "technology 2").go()
    play(pos, "overcome Tripwire", f"react with {RESOURCES[0]} 1")
    assert assets(pos, 0) == ["technology 2"]
    assert dice(pos) == [1, 5]


def test_eight_ears_goes_once_its_dice_are_moved() -> None:
    """7.9, 13.2: overcome, its Technology dice become assets where it lay; then it is discarded."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice([4], [4]).obstacles("Eastkeep", "Eight Ears")
    card, over = scene.number("obstacle", "Eight Ears"), scene.state.over
    scene.state.die_on[0], scene.state.die_is[0], scene.state.n_on_cards = card, 8, 1
    over.obstacle, over.leader, over.joined = card, 0, 0b1
    frame = push(scene.ready().state, K_OVERCOME, 0, 1, 0)
    scene.state.frames[frame].slot = 0
    succeed(scene.box, scene.state, new_buffer(), frame)
    scene.state.phase = P.moving
    pos = scene.go()
    assert assets(pos, 0) == ["technology 3"]
    assert int(pos.state.obstacle_at[card]) == s.DISCARD


# --- Abilities (guide 9.4, 14.73) --------------------------------------------------------------------


def test_the_die_that_pays_is_not_rerolled() -> None:
    """9.4, 14.73: with one die, which would have to pay, nothing is left to reroll; with two of that value one is."""
    for values, offered in (([5], False), ([5, 5], True)):
        pos = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood").dice(values, [4]).go()
        assert ("ability 1" in offers(pos)) == offered


# --- The end of a session (guide 11) -----------------------------------------------------------------


def test_the_shared_card_is_cleared() -> None:
    """6.7, 11.3: not completed by the end of the session, it is nobody's to place on any more, and its dice go to the supply."""
    scene = Scene().heroes("Thea at Eastkeep", "Keel at Loomwood")
    state, card = scene.state, scene.number("card", "Beyond Brightdune")
    state.shared, state.card_at[card] = card, s.SHARED
    state.shared_path[0], state.shared_die[0], state.shared_n = scene.box.card[card].start, SUPPORT * 6 + 2, 1
    assert int(scene.ready().state.in_play[SUPPORT]) == 1
    clear_table(scene.box, state)
    assert (int(state.shared), int(state.shared_n), int(state.in_play[SUPPORT])) == (NOBODY, 0, 0)

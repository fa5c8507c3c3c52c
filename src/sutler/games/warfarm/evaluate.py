"""stub"""

from sutler.core.rule import rule


@rule
def evaluate(box, state, seat):
    """stub"""
    return 1.0 * state.seats[seat].goods[0]

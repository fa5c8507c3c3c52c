"""stub"""
from sutler.core.rule import rule
from sutler.core.speech import Choice, Prompt

N_OBSERVED = 4


@rule
def observe(box, state, seat, out):
    """stub"""
    out[0] = 1


@rule
def redeal(box, state, seat, luck):
    """stub"""
    return


def view(box, state, speaker, seat):
    return {}


def prompt(box, state, speaker, seat):
    return Prompt(("?",))


def choice(box, state, speaker, action):
    return Choice(action.id, action.name, (action.name,))


def breakdown(box, state, speaker, seat):
    return []

"""stub"""
from sutler.core.speech import Choice, Prompt
def prompt(box, state, speaker, seat): return Prompt(("x",))
def choice(box, state, speaker, action): return Choice(action.id, action.name, (action.name,))

"""stub"""
def view(box, state, speaker, seat): return {}
def breakdown(box, state, speaker, seat): return []

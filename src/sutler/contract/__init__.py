"""The contract suite: tests that every game must pass. `pytest --pyargs sutler.contract -k mygame` runs them for one game.

It needs the extra `contract`. The games are those of the registry (`sutler.core.play.registry`), so a new game needs no entry here.
"""

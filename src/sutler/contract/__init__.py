"""The contract suite, which every game must pass: `pytest --pyargs sutler.contract -k mygame` plays a game against the contract.

It needs the extra `contract`. Games are found by looking (`sutler.core.play.registry`), so one of your own needs no entry here.
"""

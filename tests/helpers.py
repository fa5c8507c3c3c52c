"""The words for tests that the contract's suite speaks too: see `sutler.contract.helpers`."""

from sutler.contract.helpers import given, loaded, offered, play, said, walk

__all__ = ["given", "loaded", "offered", "play", "said", "walk"]

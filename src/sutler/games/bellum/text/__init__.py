"""Bellum in words and in print: button labels, prompts, sheets to print, the table in a terminal."""

from pathlib import Path

from sutler.core.text.language import load_tongue

_ = load_tongue(Path(__file__).parents[1])
"""The translation of the game's texts into the reader's language."""

"""WARFARM in words and print: labels and prompts, sheets to print, the table in a terminal."""

from pathlib import Path

from sutler.core.text.language import load_tongue

_ = load_tongue(Path(__file__).parents[1])
"""The function that gives a text of WARFARM in the reader's language."""

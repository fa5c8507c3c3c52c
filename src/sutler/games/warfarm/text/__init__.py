"""The game in words and print: labels, prompts, sheets to print, the table in a terminal."""

from pathlib import Path

from sutler.core.text.language import tongue_of

_ = tongue_of(Path(__file__).parents[1])
"""The game's texts in the reader's language."""

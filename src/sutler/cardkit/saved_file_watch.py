"""Watches the files of card games that are being played: reports a file that was saved and is sound."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

LOOK_SECONDS = 0.5
"""Seconds between two looks at the files."""


class SavedFiles:
    """Watches files in a thread until one of them is saved and sound; then it sets `ready`.

    What is wrong with a file is said on the standard error, in the words of `sutler box check`, and the table stays as it is.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self.files, self.ready = tuple(files), threading.Event()
        self._seen = self._read_contents()
        if self.files:
            threading.Thread(target=self._watch, name="saved files", daemon=True).start()

    def _read_contents(self) -> dict[Path, bytes]:
        """The content of each file; nothing for one that an editor is just replacing."""
        found = {}
        for file in self.files:
            try:
                found[file] = file.read_bytes()
            except OSError:
                found[file] = b""
        return found

    def list_changed_files(self) -> list[Path]:
        """The files that were saved with other content since the last call."""
        now = self._read_contents()
        found = [file for file in self.files if now[file] and now[file] != self._seen[file]]
        self._seen |= {file: now[file] for file in found}
        return found

    def _watch(self) -> None:
        """Watch the files until one that has changed is sound (the loop of the thread)."""
        while not self.ready.is_set():
            time.sleep(LOOK_SECONDS)
            changed = self.list_changed_files()
            if changed and all(map(is_playable_file, changed)):
                print(f"{', '.join(map(str, changed))}: saved, and the table is set anew.", flush=True)
                self.ready.set()


def is_playable_file(file: Path) -> bool:
    """Can the card game in this file be played? It is tried in a process of its own, which prints what is wrong."""
    done = subprocess.run(
        [sys.executable, "-m", "sutler.cli", "box", "check", str(file)], capture_output=True, text=True, check=False
    )
    told = (
        done.stderr if done.returncode else "".join(line for line in done.stdout.splitlines(True) if "  but " in line)
    )
    print(told, end="", file=sys.stderr, flush=True)
    return done.returncode == 0

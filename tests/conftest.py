"""What all tests share: a Hypothesis profile without luck; games still being built are tested when they are listed."""

from pathlib import Path

from hypothesis import HealthCheck, settings

import sutler

settings.register_profile(
    "steady", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

TESTED_GAMES = Path(__file__).parent / "games"
collect_ignore = [
    str(folder) for folder in TESTED_GAMES.iterdir() if folder.is_dir() and folder.name not in sutler.games()
]

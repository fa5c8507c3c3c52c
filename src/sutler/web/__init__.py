"""The table in the browser. `serve` starts it; everything heavy is loaded when it is needed."""

from __future__ import annotations


def serve(
    host: str = "127.0.0.1", port: int = 8000, database_url: str | None = None, open_browser: bool = False
) -> None:
    """Serve the table until interrupted. `database_url`: where games are kept, by default the user's data folder."""
    from sutler.web.serve import serve as run

    run(host, port, database_url, open_browser)


__all__ = ["serve"]

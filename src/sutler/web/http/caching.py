"""How long browsers keep files: for good under an address that holds the file's own digest, else not without asking."""

from __future__ import annotations

import functools
import hashlib
import os
from typing import Any

from starlette.datastructures import QueryParams
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

DIGEST_CHARS = 10
KEPT_FOR_GOOD = "public, max-age=31536000, immutable"


def digest_of(data: bytes) -> str:
    """The characters in an address that change when a file does."""
    return hashlib.sha256(data).hexdigest()[:DIGEST_CHARS]


def cache_header(asked: str, digest: str) -> dict[str, str]:
    """The header `Cache-Control` of a file with this digest, which was asked for under another, the same, or none ("").

    While two versions of a house run side by side, a browser may ask the old one for the new one's file: what it gets must not stay.
    """
    return {"Cache-Control": KEPT_FOR_GOOD if asked == digest else "no-cache"}


class VersionedFiles(StaticFiles):
    """Static files; kept by browsers for good where they are asked for by their own digest (`?v=`)."""

    def file_response(
        self, full_path: Any, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """The file, or "not modified"."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        digest = _digest_of_file(str(full_path), stat_result.st_mtime_ns, stat_result.st_size)
        response.headers.update(cache_header(QueryParams(scope["query_string"]).get("v", ""), digest))
        return response


@functools.lru_cache(maxsize=1024)
def _digest_of_file(path: str, _changed_ns: int, _size: int) -> str:
    with open(path, "rb") as file:
        return digest_of(file.read())

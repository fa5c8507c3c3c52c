"""How long browsers cache files: for good under an address that holds the file's digest, else only after asking whether it changed."""

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


def compute_digest(data: bytes) -> str:
    """The digest that stands in a file's address, so that the address changes whenever the file does (10 hexadecimal digits)."""
    return hashlib.sha256(data).hexdigest()[:DIGEST_CHARS]


def build_cache_header(requested_digest: str, file_digest: str) -> dict[str, str]:
    """The value of the header `Cache-Control` for a file.

    `requested_digest`: the digest in the address asked for, "" for none; `file_digest`: the file's own. Only where they agree is the
    file cached for good: while two versions of a server run side by side, the old one may be asked for a file of the new one, and the
    browser must not keep the answer.
    """
    return {"Cache-Control": KEPT_FOR_GOOD if requested_digest == file_digest else "no-cache"}


class VersionedFiles(StaticFiles):
    """Static files, which browsers cache for good where they are asked for by their digest (`?v=`)."""

    def file_response(
        self, full_path: Any, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """The file, or "not modified", with the header that says how long browsers cache it."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        digest = _compute_file_digest(str(full_path), stat_result.st_mtime_ns, stat_result.st_size)
        response.headers.update(build_cache_header(QueryParams(scope["query_string"]).get("v", ""), digest))
        return response


@functools.lru_cache(maxsize=1024)
def _compute_file_digest(path: str, _changed_ns: int, _size: int) -> str:
    """The digest of a file, cached by path, time and size, so that a changed file is read again."""
    with open(path, "rb") as file:
        return compute_digest(file.read())

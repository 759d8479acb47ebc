"""Whether the archive takes what it is given, and gives it back."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

from events.store import Unavailable
from services import archive
from services.checkup import Finding
from services.settings import Settings

if TYPE_CHECKING:
    from events.archive import Archive

FIX = "let this machine write there, or correct HALLOWSTREAM_ARCHIVE and the AWS_* variables"


def finding(settings: Settings) -> Finding:
    """A small object is put there, read and deleted again."""
    if not settings.archive:
        says = "HALLOWSTREAM_ARCHIVE is not set: finished matches stay in Redis"
        return Finding("archive", "ok", says)
    try:
        opened = archive.opened(settings.archive, settings.keys)
        assert opened is not None
        segments = asyncio.run(_tried(opened))
    except (ValueError, Unavailable, LookupError) as error:
        return Finding("archive", "failed", str(error), FIX)
    return Finding("archive", "ok", f"{segments} segments in {settings.archive}")


async def _tried(opened: Archive) -> int:
    """How many segments there are. Raises Unavailable, LookupError."""
    key = f"probe-{secrets.token_hex(8)}"
    await opened.bucket.put(key, b"hallowstream")
    kept = await opened.bucket.get(key)
    await opened.bucket.delete(key)
    if kept != b"hallowstream":
        raise Unavailable("the archive gives back something else than it was given")
    return len(await opened.segments())

"""Whether the archive takes what it is given, and gives it back; and what the newest in it is."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import TYPE_CHECKING

from events.store import Unavailable
from replay.words import moment
from services import archive
from services.finding import Finding
from services.settings import Settings

if TYPE_CHECKING:
    from events.archive import Archive

FIX = "let this machine write there, or correct HALLOWSTREAM_ARCHIVE and the AWS_* variables"
DAMAGED = "`hallowstream archive verify` looks at every match of every segment and names the bad"

COUNTED = 2000
"""Segments that are counted; beyond, there are more. A few hold 100,000 matches."""

WINDOWS = (1, 30, 365)
"""Days back in which the newest segment is looked for where there are more than that."""

DAY = 86_400_000


def finding(settings: Settings) -> Finding:
    """A small object is put there, read and deleted again; the newest segment's index is read."""
    if not settings.archive:
        says = "HALLOWSTREAM_ARCHIVE is not set: finished matches stay in Redis"
        return Finding("archive", "ok", says)
    try:
        opened = archive.opened(settings.archive, settings.keys)
        assert opened is not None
        return asyncio.run(_looked(opened, settings.archive))
    except (ValueError, Unavailable, LookupError) as error:
        return Finding("archive", "failed", str(error), FIX)


async def _looked(opened: Archive, address: str) -> Finding:
    """Raises Unavailable, LookupError."""
    await _tried(opened)
    names = await opened.segments(limit=COUNTED + 1)
    if not names:
        return Finding("archive", "ok", f"no segments in {address} yet")
    whole = len(names) <= COUNTED
    count = f"{len(names)}" if whole else f"more than {COUNTED}"
    newest = names[-1] if whole else await _newest(opened) or names[-1]
    there = f"{count} segment{'' if len(names) == 1 else 's'} in {address}"
    return await _indexed(opened, newest, there)


async def _tried(opened: Archive) -> None:
    """Raises Unavailable, LookupError."""
    key = f"probe-{secrets.token_hex(8)}"
    await opened.bucket.put(key, b"hallowstream")
    kept = await opened.bucket.get(key)
    await opened.bucket.delete(key)
    if kept != b"hallowstream":
        raise Unavailable("the archive gives back something else than it was given")


async def _newest(opened: Archive) -> str:
    """Of so many that all of them are not listed; empty where none is younger than a year."""
    now = time.time_ns() // 1_000_000
    for days in WINDOWS:
        if names := await opened.segments(now - days * DAY, COUNTED):
            return names[-1]
    return ""


async def _indexed(opened: Archive, newest: str, there: str) -> Finding:
    from events.archive import written_at
    from events.bucket import Missing
    from events.segments import Unsound

    written = f"{there}, the newest of {moment(written_at(newest))}"
    try:
        records = await opened.index(newest)
    except Missing:
        return Finding("archive", "ok", f"{written}, which has been written anew since")
    except Unsound as error:
        return Finding("archive", "failed", f"{written}; it is damaged: {error}", DAMAGED)
    return Finding("archive", "ok", f"{written}, with {len(records)} matches")

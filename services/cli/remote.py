"""Logs that are no files here: read from the store."""

from __future__ import annotations

import asyncio
from typing import Any

from events import log
from events.log import Entry
from events.store import Corrupt
from games import sight
from replay import load
from services import ids
from services.cli import output, stores
from services.cli.source import Source
from services.keys import Keys, UnknownKey
from services.settings import Settings


def from_store(match: str) -> Source:
    """The auditor's form of a match in `REDIS_URL` or our own server. Raises Stop."""
    if not ids.is_match_id(match):
        raise output.usage(f"{match!r} is neither a file nor the id of a match")
    settings = stores.settings()
    entries, newest = asyncio.run(_entries(settings, match))
    if not entries:
        raise output.usage(f"there is no match {match} in the store")
    key = key_of(entries[0])
    try:
        keys = keys_of(settings)
        secret, seed = keys.seal_secret(key, match), keys.seed(key, match)
    except UnknownKey as error:
        hint = "its seals can't be made without; give it in HALLOWSTREAM_SERVER_KEYS"
        raise output.usage(str(error), hint) from None
    recording = load.stored(match, entries, log.sealer(secret, match))
    return Source(recording, None, seed, newest)


async def _entries(settings: Settings, match: str) -> tuple[list[Entry], str]:
    """The log, and the head that the store keeps beside it, as of the moment before."""
    async with stores.opened(settings) as store:
        try:
            meta = await store.meta(match)
            entries = await store.read(match)
        except Corrupt as corrupt:
            raise output.failed(str(corrupt), "restore the log from a backup") from None
    if meta is None or len(entries) > meta.version:
        # It moved between the two reads; what the chain itself proves is enough.
        return entries, ""
    return entries, meta.head.hex()


def keys_of(settings: Settings) -> Keys:
    """Raises UnknownKey where there are none, Stop where they are no keys."""
    if not settings.server_keys.get_secret_value() and not (settings.data / "keys").exists():
        raise UnknownKey(f"there are no server keys in {settings.data}")
    try:
        return settings.keys()
    except ValueError as error:
        raise output.usage(f"the server keys are no keys: {error}") from None


def key_of(first: Entry) -> str:
    """The id of the server key that a match was made with; nothing where that is unreadable."""
    try:
        created: Any = sight.read(first.facts)[5][0]
        return str(created[7])
    except Exception:  # damaged bytes may be anything; verify says what is wrong with them
        return ""

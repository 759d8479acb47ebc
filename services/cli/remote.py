"""Logs that are no files here: read from the store."""

from __future__ import annotations

import asyncio

from events import log
from events.store import Corrupt
from replay import load
from replay.report import Bad
from services import ids
from services.cli import output, stores
from services.cli.source import Source
from services.keys import KEY_BYTES, Keys, UnknownKey
from services.settings import Settings
from services.stored import Stored, as_stored, key_of


def from_store(match: str) -> Source:
    """The auditor's form of a match in `REDIS_URL` or our own server. Raises Stop."""
    source, unread = readable(match)
    if unread is not None:
        why = f"match {match}, version {unread.version}: {unread.why}"
        raise output.failed(why, "restore the log from a backup")
    return source


def readable(match: str) -> tuple[Source, Bad | None]:
    """The same as far as it can be read, and what cannot. Raises Stop."""
    if not ids.is_match_id(match):
        raise output.usage(f"{match!r} is neither a file nor the id of a match")
    settings = stores.settings()
    stored = asyncio.run(_stored(settings, match))
    entries, unread = stored.entries, stored.unread
    if not entries:
        if unread is not None:
            return Source(load.Recording(match, "auditor", ())), unread
        raise output.usage(f"there is no match {match} in the store")
    try:
        keys = keys_of(settings)
        key = key_of(entries) or keys.current
        secret, seed = keys.seal_secret(key, match), keys.seed(key, match)
    except UnknownKey as error:
        hint = "its seals can't be made without; give it in HALLOWSTREAM_SERVER_KEYS"
        raise output.usage(str(error), hint) from None
    recording = load.stored(match, entries, log.sealer(secret, match))
    return Source(recording, None, seed, stored.newest), unread


async def _stored(settings: Settings, match: str) -> Stored:
    async with stores.opened(settings) as store:
        try:
            return await as_stored(store, match)
        except Corrupt as corrupt:
            raise output.failed(str(corrupt), "restore the log from a backup") from None


def keys_of(settings: Settings) -> Keys:
    """Raises UnknownKey where there are none, Stop where they are no keys."""
    if not settings.server_keys.get_secret_value() and not (settings.data / "keys").exists():
        raise UnknownKey(f"there are no server keys in {settings.data}")
    try:
        return settings.keys()
    except ValueError as error:
        raise output.usage(f"the server keys are no keys: {error}") from None


def keys_at_hand(settings: Settings) -> Keys:
    """The server keys; where there are none, one that fits no match. Raises Stop."""
    try:
        return keys_of(settings)
    except UnknownKey:
        return Keys([bytes(KEY_BYTES)])

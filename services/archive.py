"""The archive of a process, from its settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from events import log
from events.store import Corrupt, Locked
from games import catalog, sight
from services.keys import Keys, UnknownKey

if TYPE_CHECKING:
    from events.archive import Archive
    from events.packing import Derive, Origin

INSTALL = "HALLOWSTREAM_ARCHIVE is set, but not its extra: pip install 'hallowstream[archive]'"


def opened(url: str, keys: Callable[[], Keys]) -> Archive | None:
    """The archive at this address; None for no address. `keys` are asked for when it is read.

    Raises ValueError where the address is none or what it takes is not installed.
    """
    if not url:
        return None
    try:
        from events import bucket
        from events.archive import Archive
    except ImportError as error:
        raise ValueError(f"{INSTALL} ({error})") from None
    if url.startswith("memory:"):
        raise ValueError("HALLOWSTREAM_ARCHIVE: memory keeps nothing; give a folder or a bucket")
    return Archive(bucket.opened(url), derivation(keys))


def derivation(keys: Callable[[], Keys]) -> Derive:
    """What seals and heads of a match follow from, by the key that its first commit names.

    It raises Corrupt where that is none, Locked where the key is not here.
    """
    from events.packing import Origin

    def origin(match: str, facts: bytes) -> Origin:
        try:
            made = catalog.created(facts)
            key = str(sight.read(facts)[5][0][7])
            start = log.genesis(match, made["game"], made["rules"])
        except (ValueError, IndexError, TypeError) as error:
            raise Corrupt(match, 1, f"the archived match does not begin as one: {error}") from None
        try:
            return Origin(start, log.sealer(keys().seal_secret(key, match), match))
        except UnknownKey as unknown:
            raise Locked(match, 1, str(unknown)) from None

    return origin

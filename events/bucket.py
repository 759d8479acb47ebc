"""Objects by their keys, on a disk, in S3-compatible storage or in memory; nothing is replaced."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from events.store import ArchiveAway

if TYPE_CHECKING:
    from obstore.store import RetryConfig


RETRY: RetryConfig = {"max_retries": 3, "retry_timeout": timedelta(seconds=10)}
"""Of calls over a network, each of 30 s at most: somebody waits for what is read."""


PAGE = 1000
"""Keys that are listed at once."""


class Missing(LookupError):
    """There is no object under this key."""


class NoBucket(ValueError):
    """No objects can be kept at this address; says why."""


class Bucket:
    """One place for objects, made by `opened`. Every call raises ArchiveAway."""

    def __init__(self, store: ObjectStore, folder: Path | None = None) -> None:
        self._store = store
        self._folder = folder

    async def put(self, key: str, data: bytes) -> bool:
        """Keeps a new object, on a disk for good; False where there is one under this key."""
        with _told(key), suppress(AlreadyExistsError):
            await obstore.put_async(self._store, key, data, mode="create", use_multipart=False)
            if self._folder is not None:
                await asyncio.to_thread(_settle, self._folder / key, self._folder)
            return True
        return False

    async def get(self, key: str) -> bytes:
        """The whole object. Raises Missing."""
        with _told(key):
            found = await obstore.get_async(self._store, key)
            return bytes(await found.bytes_async())

    async def part(self, key: str, start: int, length: int) -> bytes:
        """So many bytes of an object, fewer where it ends before. Raises Missing."""
        if not length:
            return b""
        try:
            with _told(key):
                return bytes(
                    await obstore.get_range_async(self._store, key, start=start, length=length)
                )
        except ArchiveAway:
            if start < await self.size(key):
                raise
            return b""

    async def size(self, key: str) -> int:
        """In bytes. Raises Missing."""
        with _told(key):
            return (await obstore.head_async(self._store, key))["size"]

    async def keys(self, folder: str, beyond: str = "", limit: int | None = None) -> list[str]:
        """Of the objects in a folder, in order; of those whose keys come after `beyond`, if that is
        given. With a `limit` no more are looked for; which ones, a disk decides."""
        found: list[str] = []
        with _told(folder):
            listed = obstore.list(self._store, folder, offset=beyond or None, chunk_size=PAGE)
            async for some in listed:
                found += [one["path"] for one in some]
                if limit is not None and len(found) >= limit:
                    break
        return sorted(found[:limit])

    async def delete(self, key: str) -> None:
        """Also where it is gone already."""
        with suppress(Missing), _told(key):
            await obstore.delete_async(self._store, key)


def opened(url: str) -> Bucket:
    """`file:///folder` (made where it is not there), `s3://bucket/prefix`, `memory:///`; S3 reads
    the environment variables of AWS. Raises NoBucket."""
    parts = urlsplit(url)
    try:
        if parts.scheme == "memory":
            return Bucket(from_url(url))
        if parts.scheme != "file":
            return Bucket(from_url(url, retry_config=RETRY))
        if parts.netloc not in ("", "localhost") or not parts.path:
            raise NoBucket(f"{url}: write file:///folder, with three slashes")
        folder = Path(unquote(parts.path))
        return Bucket(LocalStore(folder, mkdir=True), folder)
    except (BaseError, OSError) as error:
        raise NoBucket(f"no archive can be at {url}: {_brief(error)}") from None
    except ValueError as error:
        raise NoBucket(f"{url} is no address of an archive: {error}") from None


@contextmanager
def _told(key: str) -> Iterator[None]:
    """What the library raises, in our words."""
    try:
        yield
    except FileNotFoundError:
        raise Missing(key) from None
    except BaseError as error:
        raise ArchiveAway(f"the archive cannot be reached: {_brief(error)}") from error


def _brief(error: Exception) -> str:
    """The first line: the rest is how the library was made."""
    return str(error).strip().split("\n", 1)[0]


def _settle(path: Path, root: Path) -> None:
    """The file and the folders it lies in are on the disk when this returns."""
    folders = [folder for folder in path.parents if folder == root or root in folder.parents]
    for each in (path, *folders):
        handle = os.open(each, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

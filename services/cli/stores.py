"""The store that commands of this machine work with: `REDIS_URL`, or our own server's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from events.server import NoServer, Server, ask
from events.store import ArchiveAway, Unavailable, Unfit
from services.cli import output
from services.settings import Settings

if TYPE_CHECKING:
    from events.archive import Archive
    from events.store import Store


REACH = "check REDIS_URL and that its server runs; `hallowstream doctor` tells more"


def settings(**chosen: Any) -> Settings:
    """From the environment, and from what was chosen. Raises Stop where it makes no sense."""
    from pydantic import ValidationError

    try:
        return Settings(**{k: v for k, v in chosen.items() if v is not None})
    except ValidationError as error:
        bad = error.errors()[0]
        name = ".".join(map(str, bad["loc"]))
        raise output.usage(f"setting {name}: {bad['msg']}", "correct the environment") from None


def own_server(settings: Settings) -> Server:
    """The private server of this data folder; not started."""
    return Server(settings.data / "redis")


def answers(server: Server) -> bool:
    return ask(server.socket, "PING") == "+PONG"


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Store]:
    """The store, as `found` finds it, with what lies in its archive. Raises Stop."""
    shelves = archive_of(settings)
    with found(settings) as url:
        async with connected(url, settings.partitions, shelves) as store:
            yield store


def archive_of(settings: Settings) -> Archive | None:
    """Where finished matches went, if they go anywhere. Raises Stop."""
    from services import archive

    try:
        return archive.opened(settings.archive, settings.keys)
    except ValueError as error:
        raise output.usage(str(error), "correct HALLOWSTREAM_ARCHIVE") from None


@contextmanager
def found(settings: Settings) -> Iterator[str]:
    """The store's address, our own server being started for as long where it does not run.

    Raises Stop.
    """
    if settings.redis_url:
        yield settings.redis_url
        return
    server = own_server(settings)
    if not server.directory.exists():
        raise output.no_connection(
            f"no REDIS_URL is set, and {settings.data} holds no matches",
            "set REDIS_URL, start `hallowstream serve` here, or read through an API with --url",
        )
    started = not answers(server)
    try:
        if started:
            server.start()
    except NoServer as error:
        raise output.no_connection(str(error), "`hallowstream doctor` tells more") from None
    try:
        yield server.url
    finally:
        if started:
            server.stop()


@asynccontextmanager
async def connected(
    url: str, partitions: int, shelves: Archive | None, replicas: int = 0
) -> AsyncIterator[Store]:
    """The store at this address. Raises Stop."""
    from events.archived import archived
    from events.redis_store import RedisStore

    try:
        store = await RedisStore.open(url, partitions, replicas=replicas)
    except (Unavailable, ValueError) as error:
        raise output.no_connection(f"cannot reach the store: {error}", REACH) from None
    except Unfit as error:
        raise output.usage(str(error), "set HALLOWSTREAM_PARTITIONS to what it was") from None
    try:
        yield archived(store, shelves)
    except ArchiveAway as error:
        hint = "give HALLOWSTREAM_ARCHIVE as the server has it; `hallowstream doctor` tells more"
        raise output.no_connection(str(error), hint) from None
    except Unavailable as error:
        raise output.no_connection(f"the store went away: {error}", "try again") from None
    finally:
        await store.aclose()

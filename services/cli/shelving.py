"""`archive`: run, looked at, restored from, deleted from, verified, made known again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec
import typer

from events.segments import Unsound
from events.shelf import DELETED
from events.store import Corrupt, Unavailable
from replay.words import moment
from services import ids
from services.archiving import now
from services.archivist import Archivist
from services.cli import output, stores
from services.inventory import Flaw, Inventory
from services.retention import NotArchived, Retention
from services.settings import Settings
from services.vault import RedisVault

if TYPE_CHECKING:
    from events.archive import Archive
    from events.archived import Archived
    from events.shelf import Standing
    from events.store import Store

T = TypeVar("T")

CHECK = "check HALLOWSTREAM_ARCHIVE and REDIS_URL; `hallowstream doctor` tells more"

SHOWN = 20
"""Flaws that are named."""


class Shelves(NamedTuple):
    """What a command works with."""

    settings: Settings
    store: Store
    archive: Archive
    vault: RedisVault

    @property
    def retention(self) -> Retention:
        return Retention(self.store, self.archive, self.vault, now)

    @property
    def inventory(self) -> Inventory:
        return Inventory(self.store, self.archive)


def run(json: bool) -> None:
    async def job(shelves: Shelves) -> dict[str, Any]:
        store, archive, settings = shelves.store, shelves.archive, shelves.settings
        done = await Archivist(store, archive, settings, now).run(now=True)
        days = settings.archive_keep_days
        deleted = (await shelves.retention.expire(days)).deleted if days else 0
        await shelves.retention.sweep()
        return {**done._asdict(), "deleted": deleted}

    told = _with(job)
    said = (
        f"{_matches(told['matches'])} archived in {told['size']:,} bytes, {told['left']:,} left "
        f"for now; {told['deleted']:,} deleted"
    )
    _tell(told, json, said)


def status(json: bool) -> None:
    async def job(shelves: Shelves) -> dict[str, Any]:
        stock = await shelves.inventory.stock()
        return {**msgspec.to_builtins(stock), "done": await shelves.store.tallied()}

    told = _with(job)
    done = ", ".join(f"{count:,} {name}" for name, count in sorted(told["done"].items()))
    since = f", the oldest of {moment(told['oldest'])}" if told["records"] else ""
    said = (
        f"{output.counted(told['segments'], 'segment')}, {told['size']:,} bytes: "
        f"{_matches(told['records'])} with {told['versions']:,} versions{since}\n"
        f"read from here: {_matches(told['archived'])}\n"
        f"so far: {done or 'nothing'}"
    )
    _tell(told, json, said)


def show(match: str, json: bool) -> None:
    async def job(shelves: Shelves) -> dict[str, Any]:
        stands = await _standing(shelves, match)
        kept = "archive" if stands.place else DELETED if stands.status == DELETED else "store"
        about = {"match": match, "kept": kept, "version": stands.version, "status": stands.status}
        about |= {"head": stands.head.hex(), "restored": stands.restored}
        if stands.place is not None:
            about |= stands.place._asdict() | {"digest": stands.place.digest.hex()}
        return about

    told = _with(job)
    back = {"restored": moment(told["restored"]) if told["restored"] else "never"}
    lines = (f"{name:<9} {value}" for name, value in (told | back).items())
    _tell(told, json, "\n".join(lines))


def restore(match: str, json: bool) -> None:
    async def job(shelves: Shelves) -> dict[str, Any]:
        store: Any = shelves.store
        archived: Archived = store
        await _standing(shelves, match)
        return {"match": match, "restored": await archived.restore(match)}

    told = _with(job)
    back = "is back in the store" if told["restored"] else "is not in the archive: nothing to do"
    _tell(told, json, f"match {match} {back}")


def delete(match: str, yes: bool, json: bool) -> None:
    if not yes and not _agreed(f"Delete match {_checked(match)} for good?"):
        raise output.usage("nothing was deleted", "--yes does not ask")

    async def job(shelves: Shelves) -> dict[str, Any]:
        await shelves.retention.delete(_checked(match))
        return {"match": match, "deleted": True}

    _tell(_with(job), json, f"match {match} is deleted; nothing can be appended under its id")


def verify(json: bool) -> None:
    found = _with(lambda shelves: shelves.inventory.verify())
    said = f"whole: {_matches(found.matches)} with {found.versions:,} versions"
    _flaws(found, found.flaws, json, said)


def reindex(json: bool) -> None:
    found = _with(lambda shelves: shelves.inventory.reindex())
    said = (
        f"known again: {_matches(found.adopted)}; read from elsewhere: {found.moved:,}; "
        f"known before: {found.known:,}"
    )
    _flaws(found, found.flaws, json, said)


def _matches(number: int) -> str:
    return output.counted(number, "match", "matches")


def _flaws(found: Any, flaws: list[Flaw], json: bool, said: str) -> None:
    if json:
        output.as_json({"ok": not flaws, **msgspec.to_builtins(found)})
    else:
        output.console().print(said)
        for flaw in flaws[:SHOWN]:
            output.console().print(f"bad  {flaw.where}: {flaw.why}")
        if len(flaws) > SHOWN:
            output.console().print(f"and {len(flaws) - SHOWN} more")
    if flaws:
        raise output.Quiet(output.FAILED)


def _tell(told: dict[str, Any], json: bool, said: str) -> None:
    if json:
        output.as_json({"ok": True, **told})
    else:
        output.console().print(said)


def _agreed(question: str) -> bool:
    """Asked on stderr; nobody there is a no."""
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        return False


async def _standing(shelves: Shelves, match: str) -> Standing:
    """Raises Stop where there is no such match."""
    (stands,) = await shelves.store.standings([_checked(match)])
    if stands is None:
        raise output.usage(f"there is no match {match}")
    return stands


def _checked(match: str) -> str:
    if not ids.is_match_id(match):
        raise output.usage(f"{match!r} is not the id of a match")
    return match


def _with(job: Callable[[Shelves], Awaitable[T]]) -> T:
    """What the job gives. Raises Stop."""

    async def done() -> T:
        async with _opened() as shelves:
            try:
                return await job(shelves)
            except Unavailable as error:
                raise output.no_connection(str(error), CHECK) from None

    try:
        with output.logged_aside():
            return asyncio.run(done())
    except NotArchived as error:
        raise output.usage(str(error), "`hallowstream archive show` tells more") from None
    except (Corrupt, Unsound) as error:
        raise output.failed(str(error), "`hallowstream archive verify` looks at all") from None


@asynccontextmanager
async def _opened() -> AsyncIterator[Shelves]:
    settings = stores.settings()
    archive = stores.archive_of(settings)
    assert archive is not None
    with stores.found(settings) as url:
        vault = RedisVault(url, replicas=settings.replicas)
        try:
            each = settings.partitions, archive, settings.replicas
            async with stores.connected(url, *each) as store:
                yield Shelves(settings, store, archive, vault)
        finally:
            await vault.aclose()

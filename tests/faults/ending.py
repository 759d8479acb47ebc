"""The end of a run: what nobody knew is asked again, all comes to rest, and everything is read."""

from __future__ import annotations

import asyncio
import random
import time

from events.entries import pack
from events.redis_store import RedisStore
from events.store import Corrupt, Store, Unavailable
from services.worker import GROUPS
from tests.faults.caller import Caller
from tests.faults.history import CellAt, Complaint, Group, History, Op, RowAt, Stored
from tests.faults.world import PARTITIONS, World

PATIENCE = 60.0
"""Seconds in which everything must have come to rest once all is healed."""

STILL = 1.5
"""Seconds in which nothing may move for it to be at rest: longer than a worker's sweep."""

PROJECTIONS = ("views", "lobby", "inbox", "summary", "disputes")

PATHS = {
    "create": "/v1/matches",
    "join": "/v1/matches/{}/seats",
    "bot": "/v1/matches/{}/seats/{}/bot",
    "start": "/v1/matches/{}/start",
    "answer": "/v1/matches/{}/answers",
    "undo": "/v1/matches/{}/undo",
    "agree": "/v1/matches/{}/undo/agree",
    "decline": "/v1/matches/{}/undo/decline",
}


def unresolved(history: History) -> list[Op]:
    """Of each command that no client knows the fate of, one attempt."""
    known = {op.key for op in history.of(Op) if op.outcome == "ok"}
    open = {op.key: op for op in history.of(Op) if op.outcome == "unknown"}
    return [op for key, op in open.items() if key not in known]


async def resolve(caller: Caller, tokens: dict[str, str], rng: random.Random) -> None:
    """Sends each of them again under its key, as long as it stays unknown."""
    gate = asyncio.Semaphore(8)

    async def once_more(open: Op) -> None:
        async with gate:
            until = time.monotonic() + PATIENCE / 2
            while time.monotonic() < until:
                via = rng.choice(caller.names)
                op = Op(open.client, open.match, open.what, open.seat, via, open.key, open.body, 0)
                path = PATHS[op.what].format(op.match, op.seat)
                await caller.command(op, path, tokens.get(op.client, ""))
                if op.outcome == "ok" or (op.outcome == "refused" and op.status != 503):
                    return
                await asyncio.sleep(0.2)

    await asyncio.gather(*[once_more(op) for op in unresolved(caller.history)])


async def at_rest(store: Store) -> None:
    """Until every group has done all there is, and no match moves; or until patience ends."""
    until = time.monotonic() + PATIENCE
    stood: object = None
    since = time.monotonic()
    while time.monotonic() < until:
        await asyncio.sleep(0.25)
        try:
            now = await _standing(store)
        except Unavailable:
            continue
        if now != stood or any(now[1]):
            stood, since = now, time.monotonic()
        elif time.monotonic() - since > STILL:
            return


async def _standing(store: Store) -> tuple[list[tuple[str, int]], list[int]]:
    """Every match with its version, and what each group has left to do."""
    matches = sorted({match async for match in store.matches()})
    metas = await store.metas(matches)
    versions = [meta.version if meta else 0 for meta in metas]
    lags = [await store.lag(name) for name in GROUPS]
    return list(zip(matches, versions, strict=True)), lags


async def read_all(store: RedisStore, history: History) -> None:
    """Every log, cell, row and group as they stand, into the history."""
    matches = sorted({match async for match in store.matches()})
    for match in matches:
        history.add(await _stored(store, match))
    for name in PROJECTIONS:
        for match in matches:
            cell = await store.get(name, match)
            if cell is not None:
                history.add(CellAt(name, match, cell.cursor, cell.value))
        for row in await _rows(store, name):
            history.add(row)
    for name in GROUPS:
        parked = {match: why for match, (_, why) in (await store.parked(name)).items()}
        history.add(Group(name, await store.lag(name), parked))


async def _stored(store: Store, match: str) -> Stored:
    meta = await store.meta(match)
    why = ""
    try:
        entries = await store.read(match)
    except Corrupt as corrupt:
        why = str(corrupt)
        entries = await store.read(match, 0, corrupt.version - 1)
    packed = [pack(entry) for entry in entries]
    if meta is None:
        return Stored(match, packed, 0, b"", "", why or "there is no meta")
    return Stored(match, packed, meta.version, meta.head, meta.status, why)


async def _rows(store: RedisStore, name: str) -> list[RowAt]:
    """All rows of all listings; the store offers one listing at a time, so that these are read
    as they are kept."""
    found = await store._link.call("HGETALL", f"{{{name}}}:values")
    rows = []
    for entry, value in zip(found[::2], found[1::2], strict=True):
        listing, score, member = entry.decode().split("\0")
        rows.append(RowAt(name, listing, member, int(score, 16), value))
    ordered = await store._link.call("ZRANGEBYLEX", f"{{{name}}}:rows", "-", "+")
    if sorted(ordered) != sorted(found[::2]):
        rows.append(RowAt(name, "rows and their values differ", "", 0, b""))
    return rows


def complaints(world: World, history: History) -> None:
    """Errors that our processes logged."""
    for process in world.processes:
        for line in process.log.read_bytes().splitlines():
            if b'"level": "error"' in line or b'"level":"error"' in line or b"Traceback" in line:
                history.add(Complaint(process.name, line.decode(errors="replace")))


async def opened(url: str) -> RedisStore:
    return await RedisStore.open(url, PARTITIONS)

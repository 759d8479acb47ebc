"""Review: the log as the bearer may have it, and what it proves; who used an auditor's eyes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse

from events import log
from events.log import Entry
from games.rules import Refused
from games.sight import Viewer
from replay import files, load
from replay.load import Recording
from replay.verify import Bad, Report, verify
from services import accesses, tokens
from services.accesses import Accesses
from services.api.edge import Json, TheBearer, TheDesk, TheMatch, address, tagged
from services.api.schema import VERSION_HEADERS, spec
from services.api.steps import FOREVER, Tag
from services.desk import Desk, translated
from services.limits import admit
from services.live import Live
from services.problems import UNFOLDED
from services.stored import as_stored, key_of, seating
from services.tokens import Bearer

router = APIRouter(tags=["review"])

AT_ONCE = 50
"""Lines made before others get their turn."""

SEEN = ("unknown_match", "wrong_match", "not_seated")

After = Annotated[int, Query(ge=0, le=2**53, description="The last version that is not wanted.")]
Until = Annotated[
    int,
    Query(
        ge=0,
        le=2**53,
        description="The log as it was at this version: such pages never change. The newest if 0.",
    ),
]
Limit = Annotated[
    int, Query(ge=0, le=10_000, description="Lines of a page; the rest is linked to. All if 0.")
]


async def _entries(
    desk: Desk, bearer: Bearer, match: str, after: int = 0, *, sure: bool = False
) -> tuple[Live, Viewer, list[Entry], Entry]:
    """The match, whose eyes the bearer has, the log as these may see it, and its last entry.

    `sure` also compares it with the head that the store keeps. Raises Refused.
    """
    live = await (desk.certain(match) if sure else desk.newest(match))
    viewer = desk.viewer(bearer, live.table)
    last = live.shown(viewer).entry
    reach = last.version
    with translated():
        entries = await desk.store.read(match, after, max(reach - after, 1))
    return live, viewer, [entry for entry in entries if entry.version <= reach], last


@router.get(
    "/v1/matches/{match}/log",
    **spec(
        summary="The log, one commit a line: with the hashed bytes, and decoded for reading",
        media="application/x-ndjson",
        problems=(*SEEN, "version_ahead"),
        open_to_all=True,
        headers=VERSION_HEADERS,
        also={304: {"description": "The caller has this page."}},
    ),
)
async def show_log(
    request: Request,
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    after: After = 0,
    until: Until = 0,
    limit: Limit = 0,
    if_none_match: Tag = None,
) -> Response:
    live, viewer, entries, stands = await _entries(desk, bearer, match, after)
    newest = stands.version
    if until > newest:
        why = f"the match stands at version {newest}, not yet at {until}"
        raise Refused("version_ahead", why, current_version=newest)
    await accesses.record(desk, bearer, match, "log", viewer, f"{after + 1}-{until or newest}")
    of = until or newest
    page = [entry for entry in entries if entry.version <= of][: limit or None]
    headers = tagged(newest, stands.head, viewer)
    if until:
        last = page[-1].head.hex()[:32] if page else "none"
        headers |= {"etag": f'"{after}.{of}.{viewer}.{last}"', "cache-control": FOREVER}
        if if_none_match is not None and headers["etag"] in if_none_match:
            return Response(None, 304, headers)
    if page and page[-1].version < of:
        query = urlencode({"after": page[-1].version, "until": of, "limit": limit})
        headers["link"] = f'<{request.url.path}?{query}>; rel="next"'
    return StreamingResponse(_lines(live, viewer, page, of), 200, headers, "application/x-ndjson")


async def _lines(
    live: Live, viewer: Viewer, entries: Sequence[Entry], of: int
) -> AsyncIterator[bytes]:
    for start in range(0, len(entries), AT_ONCE):
        yield b"".join(line(live, viewer, e, of) for e in entries[start : start + AT_ONCE])
        await asyncio.sleep(0)


def line(live: Live, viewer: Viewer, entry: Entry, of: int) -> bytes:
    page = log.page(entry, viewer, live.seal)
    told = load.telling(live.table.game, viewer, page).named
    return files.line(live.id, viewer, of, page, told)


@router.get(
    "/v1/matches/{match}/verify",
    **spec(
        summary="What the log proves: chain, seals, seed, and that the rules were kept",
        reply=Report,
        problems=SEEN,
        open_to_all=True,
        headers=VERSION_HEADERS,
    ),
)
async def show_verify(
    request: Request,
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    head: Annotated[
        str, Query(pattern="^([0-9a-f]{64})?$", description="A head that the log must still hold.")
    ] = "",
) -> Response:
    limit = desk.limits["verify"]
    standing = limit.take(bearer.digest or address(request.scope))
    if standing is not None:
        admit(limit, standing)
    try:
        live, viewer, entries, stands = await _entries(desk, bearer, match, sure=True)
    except Refused as refused:
        if refused.code not in UNFOLDED:
            raise
        return await _verified_as_stored(desk, bearer, match, head)
    await accesses.record(desk, bearer, match, "verify", viewer)
    recording = _pages(match, viewer, entries, live.seal)
    seed = live.seed if viewer == "auditor" else None
    async with desk.verifying:
        report = await asyncio.to_thread(verify, recording, head, seed=seed)
    return Json(msgspec.to_builtins(report), headers=tagged(stands.version, stands.head, viewer))


async def _verified_as_stored(desk: Desk, bearer: Bearer, match: str, head: str) -> Response:
    """The report on a log that cannot be folded here. Raises Refused."""
    with translated():
        stored = await as_stored(desk.store, match)
        key = key_of(stored.entries) or desk.keys.current
        seal = log.sealer(desk.keys.seal_secret(key, match), match)
        seed = desk.keys.seed(key, match)
    entries, sitting = stored.entries, seating(stored.entries)
    viewer = sitting.viewer(bearer.grant, match)
    await accesses.record(desk, bearer, match, "verify", viewer)
    whole = _pages(match, "auditor", entries, seal)
    kept: dict[str, Any] = {"newest": stored.newest, "unread": stored.unread}
    async with desk.verifying:
        known = head if viewer == "auditor" else ""
        report = await asyncio.to_thread(verify, whole, known, seed=seed, **kept)
        if viewer != "auditor":
            reach = sitting.reach(len(entries)) if viewer == "spectator" else len(entries)
            bad = report.bad and _told(report.bad, reach, reach < len(entries))
            cut = _pages(match, viewer, entries[:reach], seal)
            newest = stored.newest if reach == len(entries) else ""
            report = await asyncio.to_thread(verify, cut, head, newest=newest, unread=bad)
    headers = tagged(report.versions, bytes.fromhex(report.head), viewer) if report.head else {}
    return Json(msgspec.to_builtins(report), headers=headers)


def _told(bad: Bad, reach: int, late: bool) -> Bad:
    """What is wrong may stand where these eyes do not look: that it is, they are told; where they
    see all `late`, not how far the match has come."""
    if late and bad.version is not None and bad.version > reach:
        return Bad("the server cannot read all of what follows it", max(reach, 1))
    return Bad("the server cannot read it", bad.version)


def _pages(match: str, viewer: Viewer, entries: Sequence[Entry], seal: log.Seal) -> Recording:
    return Recording(match, viewer, tuple([log.page(entry, viewer, seal) for entry in entries]))


@router.get(
    "/v1/matches/{match}/access",
    **spec(
        summary="Every use of an auditor's eyes on this match: who, when, at what",
        reply=Accesses,
        problems=(*SEEN, "token_required", "wrong_scope"),
    ),
)
async def show_access(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    after: Annotated[int, Query(ge=0, le=2**53, description="Records that are known.")] = 0,
) -> Response:
    live = await desk.newest(match)
    desk.viewer(bearer, live.table)
    if bearer.grant.match != match:
        tokens.scoped(bearer, "audit", "admin")
    items, following = await accesses.recorded(desk, match, after)
    return Json(Accesses(items, following), headers={"cache-control": "no-store"})

"""Review: the log as the bearer may have it, any step of the match, and what the log proves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Query
from fastapi.responses import Response, StreamingResponse

from events import log
from events.log import Entry
from games.rules import Refused
from games.sight import Viewer
from replay import files, load, steps, words
from replay.fold import Unequal, fold
from replay.load import Recording, Unreadable
from replay.verify import Report, verify
from services.api.edge import Json, TheBearer, TheDesk, TheMatch, tagged
from services.api.schema import VERSION_HEADERS, spec
from services.desk import Desk, translated
from services.live import Live
from services.shapes import SeenStep
from services.tokens import Bearer
from services.told import plain

router = APIRouter(tags=["review"])

AT_ONCE = 50
"""Lines made before others get their turn."""

SEEN = ("unknown_match", "wrong_match", "not_seated")

After = Annotated[int, Query(ge=0, le=2**53, description="The last version that is not wanted.")]


async def _entries(
    desk: Desk, bearer: Bearer, match: str, after: int = 0
) -> tuple[Live, Viewer, list[Entry]]:
    """The match, whose eyes the bearer has, and the log. Raises Refused."""
    live = await desk.load(match)
    viewer = desk.viewer(bearer, live.table)
    with translated():
        return live, viewer, await desk.store.read(match, after)


@router.get(
    "/v1/matches/{match}/log",
    **spec(
        summary="The log, one commit a line: with the hashed bytes, and decoded for reading",
        media="application/x-ndjson",
        problems=SEEN,
        open_to_all=True,
        headers=VERSION_HEADERS,
    ),
)
async def show_log(desk: TheDesk, bearer: TheBearer, match: TheMatch, after: After = 0) -> Response:
    live, viewer, entries = await _entries(desk, bearer, match, after)
    newest = after + len(entries)
    lines = _lines(live, viewer, entries, newest)
    return StreamingResponse(lines, 200, tagged(newest), "application/x-ndjson")


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
    "/v1/matches/{match}/steps/{step}",
    **spec(
        summary="The match at a step: after version `v`, or after the `k`-th event of it, `v.k`",
        reply=SeenStep,
        problems=(*SEEN, "unknown_step", "wrong_scope"),
        open_to_all=True,
        headers=VERSION_HEADERS,
    ),
)
async def show_step(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    step: Annotated[str, Path(max_length=30, description="`12`, or `12.3`.")],
    eyes: Annotated[
        str,
        Query(
            alias="as",
            max_length=20,
            description="A seat's number, `spectator` or `auditor`: an auditor may look through "
            "anyone's eyes, others through their own and a spectator's.",
        ),
    ] = "",
) -> Response:
    live, own, entries = await _entries(desk, bearer, match)
    viewer = _eyes(eyes, own, len(live.table.match.seats))
    try:
        content = await asyncio.to_thread(_shown, live, entries, step, viewer)
    except steps.NoStep as error:
        raise Refused("unknown_step", str(error)) from None
    except (Unreadable, Unequal):
        raise Refused("corrupt_log", "the log of this match cannot be read here") from None
    return Json(content, headers=tagged(len(entries)))


def _shown(live: Live, entries: Sequence[Entry], step: str, viewer: Viewer) -> dict[str, Any]:
    """The stored spans say who sees what, so that even a newer writer's events can be cut."""
    wanted = steps.Step.parse(step)
    until = entries[: wanted.version] if 0 < wanted.version <= len(entries) else entries
    story = load.read(load.stored(live.id, until, live.seal))
    wanted = steps.check(story, wanted)
    entry = until[wanted.version - 1]
    page = log.page(entry, viewer, live.seal)
    commit = plain(load.telling(story.game, viewer, page).named)
    events = commit["events"][: wanted.event or None]
    table = steps.table_at(fold(story), wanted)
    return {
        "version": wanted.version,
        "head": entry.head.hex(),
        "match": live.id,
        "game": story.game.id,
        "viewer": viewer,
        "step": str(wanted),
        "steps": len(entries),
        "at": commit["at"],
        "by": commit["by"],
        "rules": commit["rules"],
        "says": words.sentences(story.game, events),
        "events": events,
        "view": table.view(viewer) if table else None,
    }


def _eyes(wanted: str, own: Viewer, seats: int) -> Viewer:
    """Raises Refused."""
    if not wanted:
        return own
    viewer: Viewer
    if wanted in ("spectator", "auditor"):
        viewer = "auditor" if wanted == "auditor" else "spectator"
    elif wanted.isascii() and wanted.isdigit() and len(wanted) < 4 and int(wanted) < seats:
        viewer = int(wanted)
    else:
        why = f"`as` is a seat from 0 to {seats - 1}, `spectator` or `auditor`"
        raise Refused("bad_parameter", why, errors=[{"pointer": "#/query/as", "detail": why}])
    if viewer not in (own, "spectator") and own != "auditor":
        raise Refused("wrong_scope", "only an auditor looks through the eyes of others")
    return viewer


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
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    head: Annotated[
        str, Query(pattern="^([0-9a-f]{64})?$", description="A head that the log must still hold.")
    ] = "",
) -> Response:
    live, viewer, entries = await _entries(desk, bearer, match)
    pages = tuple([log.page(entry, viewer, live.seal) for entry in entries])
    seed = live.seed if viewer == "auditor" else None
    recording = Recording(match, viewer, pages)
    report = await asyncio.to_thread(verify, recording, head, seed=seed)
    return Json(msgspec.to_builtins(report), headers=tagged(len(entries)))

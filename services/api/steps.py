"""Steps: any position of a match, through the eyes that the bearer may look with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Header, Path, Query
from fastapi.responses import Response

from games.rules import Refused
from games.sight import Viewer
from replay import steps
from services import accesses, looking
from services.api.edge import TheBearer, TheDesk, TheMatch, tagged
from services.api.schema import VERSION_HEADERS, spec
from services.desk import Desk, translated
from services.live import Live
from services.looking import Look
from services.pasts import Past
from services.shapes import SeenStep
from services.tokens import Bearer

router = APIRouter(tags=["review"])

SEEN = ("unknown_match", "wrong_match", "not_seated", "unknown_step", "wrong_scope")

FOREVER = "private, max-age=31536000, immutable"
"""A step that has been never changes."""

KEPT: dict[str, Any] = {
    "ETag": {"schema": {"type": "string"}, "description": "Of these very bytes."},
    "Cache-Control": {
        "schema": {"type": "string"},
        "description": "What has been never changes.",
    },
}

AT_ONCE = 100
"""Views of a page: what can be made and sent while others wait."""

Eyes = Annotated[
    str,
    Query(
        alias="as",
        max_length=20,
        description="A seat's number, `spectator` or `auditor`: an auditor may look through "
        "anyone's eyes, others through their own and a spectator's.",
    ),
]
Since = Annotated[
    str,
    Query(
        max_length=30,
        description="An earlier step to compare with and to tell from; the one before if absent.",
    ),
]
Compare = Annotated[
    str,
    Query(max_length=20, description="Other eyes to put beside these: `auditor` for the truth."),
]
Tag = Annotated[str | None, Header(description="The entity tag that the caller has.")]


def eyes_of(wanted: str, own: Viewer, seats: int, name: str = "as") -> Viewer:
    """Whose eyes are meant, if the bearer may look with them. Raises Refused."""
    if not wanted:
        return own
    viewer: Viewer
    if wanted in ("spectator", "auditor"):
        viewer = "auditor" if wanted == "auditor" else "spectator"
    elif wanted.isascii() and wanted.isdigit() and len(wanted) < 4 and int(wanted) < seats:
        viewer = int(wanted)
    else:
        why = f"`{name}` is a seat from 0 to {seats - 1}, `spectator` or `auditor`"
        raise Refused("bad_parameter", why, errors=[{"pointer": f"#/query/{name}", "detail": why}])
    if viewer not in (own, "spectator") and own != "auditor":
        raise Refused("wrong_scope", "only an auditor looks through the eyes of others")
    return viewer


@router.get(
    "/v1/matches/{match}/steps/{step}",
    **spec(
        summary="The match at a step: after version `v`, or after the `k`-th event of it, `v.k`",
        reply=SeenStep,
        problems=SEEN,
        open_to_all=True,
        headers=KEPT,
        also={304: {"description": "The caller has these bytes."}},
    ),
)
async def show_step(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    step: Annotated[str, Path(max_length=30, description="`12`, or `12.3`.")],
    eyes: Eyes = "",
    since: Since = "",
    compare: Compare = "",
    if_none_match: Tag = None,
) -> Response:
    shown = await _shown(desk, bearer, match, lambda past: step, eyes, since, compare)
    return _kept(msgspec.json.encode(shown), if_none_match)


def _kept(
    content: bytes, known: str | None, media: str = "application/json", caching: str = FOREVER
) -> Response:
    """Tagged by the very bytes; nothing where the caller has them."""
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": caching, "vary": "Authorization"}
    if known is not None and tag in known:
        return Response(None, 304, headers)
    return Response(content, 200, headers, media)


@router.get(
    "/v1/matches/{match}/steps",
    **spec(
        summary="The step at a time, or where a round or turn began; the newest if nothing is said",
        reply=SeenStep,
        problems=SEEN,
        open_to_all=True,
        headers={
            **VERSION_HEADERS,
            "Content-Location": {"schema": {"type": "string"}, "description": "The step's own."},
        },
    ),
)
async def find_step(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    at: Annotated[
        int | None, Query(ge=0, le=2**53, description="A time: UTC in milliseconds.")
    ] = None,
    round: Annotated[int | None, Query(ge=0, le=2**31, description="A round, by number.")] = None,
    turn: Annotated[int | None, Query(ge=0, le=2**31, description="A turn, by number.")] = None,
    eyes: Eyes = "",
    since: Since = "",
    compare: Compare = "",
) -> Response:
    def wanted(past: Past) -> str:
        return looking.found(past, at, {"round": round, "turn": turn})

    shown = await _shown(desk, bearer, match, wanted, eyes, since, compare)
    asked = {"as": eyes, "since": since, "compare": compare}
    query = urlencode({name: value for name, value in asked.items() if value})
    place = f"/v1/matches/{match}/steps/{shown['step']}{'?' + query if query else ''}"
    headers = {
        **tagged(shown["version"], bytes.fromhex(shown["head"]), shown["viewer"]),
        "content-location": place,
    }
    return Response(msgspec.json.encode(shown), 200, headers, "application/json")


async def _shown(
    desk: Desk,
    bearer: Bearer,
    match: str,
    wanted: Callable[[Past], str],
    eyes: str,
    since: str,
    compare: str,
) -> dict[str, Any]:
    """Raises Refused."""
    live, own, past = await _past(desk, bearer, match)
    seats = len(live.table.match.seats)
    viewer = eyes_of(eyes, own, seats)
    other = eyes_of(compare, own, seats, "compare") if compare else None
    try:
        look = Look(live, past, wanted(past), viewer, since, other)
        early = look.step.version > live.reach("spectator")
        for used in dict.fromkeys((viewer, viewer if other is None else other)):
            step = str(look.step)
            await accesses.record(desk, bearer, match, "step", used, step, early=early)
        with translated():
            async with desk.deep:
                return await asyncio.to_thread(look.shown)
    except steps.NoStep as error:
        raise Refused("unknown_step", str(error)) from None


async def _past(desk: Desk, bearer: Bearer, match: str) -> tuple[Live, Viewer, Past]:
    """The match, whose eyes the bearer has, and all that these may look back at. Raises Refused."""
    live = await desk.newest(match)
    own = desk.viewer(bearer, live.table)
    reach = live.reach(own)
    return live, own, (await desk.past(live)).until(reach)


@router.get(
    "/v1/matches/{match}/views",
    **spec(
        summary="What somebody could see after each version, one a line: "
        "`version`, `head` and `view`",
        media="application/x-ndjson",
        problems=(*SEEN, "version_ahead"),
        open_to_all=True,
        headers=KEPT,
        also={304: {"description": "The caller has these bytes."}},
    ),
)
async def list_views(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    after: Annotated[
        int, Query(ge=0, le=2**53, description="The last version that is not wanted.")
    ] = 0,
    limit: Annotated[
        int, Query(ge=1, le=AT_ONCE, description="Views of a page; fewer where the match stands.")
    ] = AT_ONCE,
    eyes: Eyes = "",
    if_none_match: Tag = None,
) -> Response:
    live, own, past = await _past(desk, bearer, match)
    viewer = eyes_of(eyes, own, len(live.table.match.seats))
    if after >= past.version:
        why = f"the match stands at version {past.version}, so none comes after {after} yet"
        raise Refused("version_ahead", why, current_version=past.version)
    last = min(after + limit, past.version)
    early = last > live.reach("spectator")
    await accesses.record(desk, bearer, match, "step", viewer, f"{after + 1}-{last}", early=early)
    with translated():
        async with desk.deep:
            lines = await asyncio.to_thread(looking.views, past, viewer, after, last)
    caching = FOREVER if last == after + limit else "private, no-cache"
    return _kept(lines, if_none_match, "application/x-ndjson", caching)

"""The server's public keys, and its signed word for where a match stands."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query
from fastapi.responses import Response

from events.store import Corrupt
from games.rules import Refused
from replay.checkpoint import Checkpoint, signed, verifier
from services.api.edge import Json, TheBearer, TheDesk, TheMatch, tagged
from services.api.schema import VERSION_HEADERS, spec
from services.desk import translated

router = APIRouter(tags=["review"])


class PublicKey(msgspec.Struct, frozen=True):
    """A key that checkpoints are signed by; `id` is that of the server key that matches name.

    `key` is what `hallowstream verify --key` takes.
    """

    id: str
    algorithm: str
    key: str


class PublicKeys(msgspec.Struct, frozen=True):
    """The current key first; old ones stay for old matches."""

    keys: list[PublicKey]


@router.get(
    "/v1/keys",
    **spec(summary="The public keys of checkpoints", reply=PublicKeys, open_to_all=True),
)
async def list_keys(desk: TheDesk) -> Response:
    keys = [PublicKey(id, "ed25519", verifier(*desk.keys.signing(id))) for id in desk.keys.ids]
    return Json(PublicKeys(keys), headers={"cache-control": "public, max-age=300"})


@router.get(
    "/v1/matches/{match}/checkpoint",
    **spec(
        summary="Version and head of the match, signed: a receipt to hold a log against",
        media="text/plain",
        problems=("unknown_match", "wrong_match", "not_seated", "version_ahead"),
        open_to_all=True,
        headers=VERSION_HEADERS,
    ),
)
async def show_checkpoint(
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    version: Annotated[
        int | None, Query(ge=1, le=2**53, description="An earlier version; else the newest.")
    ] = None,
) -> Response:
    live = await desk.certain(match)
    reach = live.reach(desk.viewer(bearer, live.table))
    at = version or reach
    if at > reach:
        raise Refused("version_ahead", f"the match stands at version {reach}")
    with translated():
        found = await desk.store.read(match, at - 1, 1)
        if not found:
            raise Corrupt(match, at, "the log does not hold it any more")
        key = desk.keys.signing(live.table.match.key)
    note = signed(Checkpoint(match, at, found[0].head), *key)
    return Response(note, 200, tagged(at, found[0].head), "text/plain; charset=utf-8")

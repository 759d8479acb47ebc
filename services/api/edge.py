"""What routes share: the desk, the bearer, keys and preconditions, bodies in, JSON out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Coroutine, Mapping
from typing import Annotated, Any, NamedTuple, Self, TypeVar

import msgspec
from fastapi import Depends, Header, Path, Request
from fastapi.responses import JSONResponse, Response
from structlog.contextvars import bind_contextvars

from games.rules import Refused
from games.sight import Viewer
from games.table import Table
from services import commands, ids
from services.desk import Desk, translated, unknown_match
from services.inputs import checked_key, decoded
from services.limits import admit, household
from services.live import Outcome
from services.problems import MEDIA, OUR_MISTAKE, PROBLEMS, problem
from services.tokens import ANYONE, Bearer

T = TypeVar("T")

_etag = re.compile(r'^(?:W/)?"(\d{1,15})(?:-([0-9a-f]{16})(?:-(auditor|spectator|\d{1,3}))?)?"$')


class Json(JSONResponse):
    """Encodes with msgspec; a JSONResponse so that FastAPI documents it as JSON."""

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


async def bearer_of(request: Request) -> Bearer:
    """Who asks; whoever shows no token is anyone. Raises Refused."""
    header = request.headers.get("authorization")
    return await identified(desk_of(request), request.scope, header)


async def identified(desk: Desk, scope: Mapping[str, Any], header: str | None) -> Bearer:
    """Who shows this Authorization header. Raises Refused."""
    bearer: Bearer | None = scope.get("bearer")
    if bearer is None:
        token = token_of(header)
        bearer = await shown(desk, token, scope) if token else ANYONE
    if bearer.grant.rotated_by:
        raise Refused("unknown_token", "the token is not known here, or it was revoked")
    if bearer.grant.seat is not None:
        bind_contextvars(seat=bearer.grant.seat)
    return bearer


async def shown(desk: Desk, token: str, scope: Mapping[str, Any]) -> Bearer:
    """Whose token it is. An address that shows many that are none of ours has to wait.

    Raises Refused.
    """
    known = desk.tokens.known(token)
    if known is not None:
        return known
    limit, caller = desk.limits["bad_token"], address(scope)
    standing = limit.check(caller)
    if standing is not None and not token.startswith("hs_"):
        admit(limit, standing)  # before it could be the admin key: that may be short
    try:
        with translated():
            return await desk.tokens.bearer(token)
    except Refused as refused:
        if refused.code == "unknown_token":
            limit.take(caller)
            if standing is not None:
                admit(limit, standing)
        raise


def address(scope: Mapping[str, Any]) -> str:
    """Who is counted for a request without a token."""
    return household(str((scope.get("client") or ("local",))[0]))


def token_of(header: str | None) -> str:
    """The token of an Authorization header, empty where there is none. Raises Refused."""
    if header is None:
        return ""
    kind, _, token = header.partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise Refused("unknown_token", "send `Authorization: Bearer <token>`")
    return token.strip()


async def match_of(match: Annotated[str, Path(description="The match's id.")]) -> str:
    return checked_match(match)


def checked_match(match: str) -> str:
    """Raises Refused where it can't be the id of a match."""
    if not ids.is_match_id(match):
        raise unknown_match()
    bind_contextvars(match=match)
    return match


async def key_of(
    idempotency_key: Annotated[
        str | None,
        Header(
            description="16 to 128 printable ASCII characters, a UUID at best: the same command "
            "sent again under the same key gives the first result again.",
        ),
    ] = None,
) -> str:
    return checked_key(idempotency_key)


async def command_of(key: Annotated[str, Depends(key_of)]) -> bytes:
    return commands.command_id(key)


class Tag(NamedTuple):
    """Where a match stands, as an entity tag says it: its version, and how the head of that begins,
    without which another history of the same length is none the wiser; and through whose eyes it is
    seen, since what one viewer is shown is not what another is. Empty where it is not said.
    """

    version: int
    head: str = ""
    eyes: str = ""

    @classmethod
    def of(cls, version: int, head: bytes, viewer: Viewer | None = None) -> Self:
        return cls(version, head.hex()[:16], "" if viewer is None else str(viewer))

    def fits(self, stands: Tag) -> bool:
        """Whether the match still stands there, as far as this tag tells."""
        return self.version == stands.version and self.head in ("", stands.head)

    def seen_by(self, viewer: Viewer) -> bool:
        """Whether it is, as far as it tells, of what this viewer is shown."""
        return self.eyes in ("", str(viewer))

    def __str__(self) -> str:
        return f'"{"-".join(filter(None, (str(self.version), self.head, self.eyes)))}"'


def tag_of(text: str | None, header: str) -> Tag | None:
    """An entity tag that a client sent, None where any will do. Raises Refused."""
    if text is None or text.strip() == "*":
        return None
    tag = _etag.match(text.strip())
    if tag is None:
        why = f'{header} takes one ETag of the match, or its version in quotes, like "12"'
        raise Refused("bad_parameter", why, errors=[{"pointer": f"#/{header}", "detail": why}])
    return Tag(int(tag[1]), tag[2] or "", tag[3] or "")


async def expected_of(
    if_match: Annotated[
        str | None,
        Header(
            description="The `ETag` that the match must still have; its version alone, "
            '`"12"`, is taken too.'
        ),
    ] = None,
) -> Tag | None:
    return tag_of(if_match, "If-Match")


async def at_tag(desk: Desk, match: str, expected: Tag | None) -> Callable[[Table], None]:
    """A check that the match stands where `If-Match` says. Raises Refused."""
    if expected is None or not expected.head:
        return commands.at_version(expected and expected.version)
    live = await desk.load(match)
    at_version = commands.at_version(expected.version)

    def check(table: Table) -> None:
        at_version(table)
        if not expected.fits(Tag.of(table.version, live.head)):
            why = f"version {table.version} is another one now: what you saw was lost; read it anew"
            raise Refused("version_mismatch", why, current_version=table.version)

    return check


async def _desk(request: Request) -> Desk:
    return desk_of(request)


TheDesk = Annotated[Desk, Depends(_desk)]
TheBearer = Annotated[Bearer, Depends(bearer_of)]
TheMatch = Annotated[str, Depends(match_of)]
TheCommand = Annotated[bytes, Depends(command_of)]
Expected = Annotated[Tag | None, Depends(expected_of)]


def body(type: type[T]) -> Callable[[Request], Coroutine[Any, Any, T]]:
    """A dependency that reads the body as this type. Raises Refused."""
    decoder = msgspec.json.Decoder(type)

    async def read(request: Request) -> T:
        return decoded(decoder, request.headers.get("content-type"), await request.body())

    return read


def tagged(version: int, head: bytes, viewer: Viewer | None = None) -> dict[str, str]:
    """`viewer` is named where others are shown something else under the same address."""
    tag = str(Tag.of(version, head, viewer))
    return {"etag": tag, "cache-control": "private, no-cache", "vary": "Authorization"}


def accepted(outcome: Outcome, content: Any, status: int = 200) -> Response:
    headers = tagged(outcome.commit.version, outcome.entry.head)
    if outcome.again:
        headers["idempotent-replayed"] = "true"
    bind_contextvars(version=outcome.commit.version)
    return Json(content, status, headers)


def refusal(refused: Refused, path: str) -> Response:
    """The problem that tells of a refusal."""
    code, why, detail = refused.code, refused.why, refused.detail
    if code not in PROBLEMS:
        code, why, detail = "internal", "the refusal has no documented code", {}
    return problem_response(code, why, path, **detail)


def our_mistake(path: str) -> Response:
    """The problem that tells of an error of our own, and nothing of what it is."""
    return problem_response("internal", OUR_MISTAKE, path)


def problem_response(code: str, why: str, path: str, **detail: Any) -> Response:
    content = problem(code, why, path, **detail)
    headers = {"cache-control": "no-store"}
    if content["status"] == 401:
        headers["www-authenticate"] = 'Bearer realm="hallowstream"'
    if content.get("retry_after"):
        headers["retry-after"] = str(max(1, math.ceil(content["retry_after"])))
    if "current_version" in content:
        headers["etag"] = f'"{content["current_version"]}"'
    return Response(msgspec.json.encode(content), content["status"], headers, MEDIA)

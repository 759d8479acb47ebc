"""Forks: a match of its own that goes on from a step of another."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from games.fork import fork
from games.history import Commit
from games.match import Forked
from games.recall import Past
from games.rules import Refused
from games.sight import Viewer
from games.table import Table
from replay import steps
from services import accesses, looking
from services.api.edge import TheBearer, TheCommand, TheDesk, TheMatch, body
from services.api.matches import CREATED, created, limited, made_reply
from services.api.schema import VERSION_HEADERS, spec
from services.api.steps import SEEN, eyes_of
from services.commands import Command, Decided
from services.shapes import Made, NewFork, NewMatch

router = APIRouter(tags=["review"])

STARTED = ("not_started", "match_over", "inside_commit", "already_started", "token_required")


@router.post(
    "/v1/matches/{match}/fork",
    **spec(
        summary="Go on from a step in a new, unlisted match: as a seat knew it, or as it was",
        body=NewFork,
        reply=Made,
        status=201,
        problems=(*CREATED, *SEEN, *STARTED),
        headers=VERSION_HEADERS,
    ),
)
async def make_fork(
    request: Request,
    desk: TheDesk,
    bearer: TheBearer,
    match: TheMatch,
    command: TheCommand,
    wish: Annotated[NewFork, Depends(body(NewFork))],
) -> Response:
    limited(request, desk, bearer)
    live = await desk.newest(match)
    own = desk.viewer(bearer, live.table)
    if own == "spectator":
        code = "wrong_scope" if bearer.digest else "token_required"
        raise Refused(code, "a fork is made by a seat of the match, or by an auditor")
    old = live.table.match
    viewer = eyes_of(wish.eyes, own, len(old.seats))
    if own != "auditor" and viewer != own:
        raise Refused("wrong_scope", "a seat forks from what it knows itself")
    past = await desk.past(live)
    try:
        step = looking.counted(past, steps.Step.parse(wish.step))
    except steps.NoStep as error:
        raise Refused("unknown_step", str(error)) from None
    origin = steps.within(past.tables, past.commits, step)
    fork(origin, str(step), "auditor", lambda n: 0)  # refused before a match is made
    await accesses.record(desk, bearer, match, "fork", viewer, str(step))
    how: dict[str, Any] = {"listed": False, "reveal": old.reveal, "undo": "free_own"}
    new = NewMatch(old.game, len(old.seats), old.options, old.edition, **how)
    first, second = (_id(command, match, own, what) for what in ("created", "forked"))
    outcome, host, watch = await created(desk, bearer, first, new, past.game, old.options)
    seen = past.until(max(step.version, live.reach(viewer)))
    led = Past(seen.commits, [table.state for table in seen.tables], step.version)
    made = forked(second, origin, str(step), viewer, led)
    return made_reply(await desk.submit(outcome.live.id, made), host, watch)


def _id(command: bytes, match: str, own: Viewer, what: str) -> bytes:
    """Both commands follow from the one that was sent, and from who sent it."""
    return sha256(f"fork {match} {own} {what} ".encode() + command).digest()[:16]


def forked(id: bytes, origin: Table, step: str, viewer: Viewer, past: Past) -> Command:
    """The second command of a fork; what is dealt otherwise follows from the new match's seed."""

    def decide(table: Table, seed: bytes) -> Decided:
        if table.version != 1:
            raise Refused("already_started", "something else has happened in this match already")
        return Decided(list(fork(origin, step, viewer, table.dice(seed, 0).below, past)))

    def same(commit: Commit[Any], before: Table) -> bool:
        first = commit.events[0]
        return isinstance(first, Forked) and first.origin == f"{origin.match.id}@{step}"

    return Command(id, "host", decide, same)

"""RFC 9457 problems: every refusal has a stable code, and a code has one status."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

OUR_MISTAKE = "this is our mistake; it has been noted"
"""All that a client hears of an error of our own."""


UNFOLDED = ("corrupt_log", "unknown_game", "unknown_edition")
"""Why a match cannot be played here; what its log proves can be told all the same."""


class Kind(NamedTuple):
    status: int
    title: str


PROBLEMS: dict[str, Kind] = {
    "malformed_json": Kind(400, "The body is not JSON"),
    "bad_request": Kind(400, "The request cannot be read"),
    "key_required": Kind(400, "An Idempotency-Key is required"),
    "bad_key": Kind(400, "The Idempotency-Key is not usable"),
    "bad_cursor": Kind(400, "The cursor is not one of ours"),
    "token_required": Kind(401, "A token is required"),
    "unknown_token": Kind(401, "The token is not valid"),
    "token_expired": Kind(401, "The token has expired"),
    "wrong_scope": Kind(403, "The token does not allow this"),
    "wrong_match": Kind(403, "The token is for another match"),
    "wrong_seat": Kind(403, "The token is for another seat"),
    "not_seated": Kind(403, "You do not sit there any more"),
    "unknown_game": Kind(404, "No such game"),
    "unknown_edition": Kind(404, "No such edition"),
    "unknown_match": Kind(404, "No such match"),
    "no_such_seat": Kind(404, "No such seat"),
    "unknown_step": Kind(404, "No such step"),
    "no_such_dispute": Kind(404, "No such dispute"),
    "not_found": Kind(404, "Nothing is here"),
    "method_not_allowed": Kind(405, "The method is not allowed here"),
    "too_slow": Kind(408, "The request did not come in whole in time"),
    "not_asked": Kind(409, "The question is not yours to answer"),
    "stale_question": Kind(409, "The question is not open any more"),
    "undo_never": Kind(409, "The match is played without undo"),
    "undo_pending": Kind(409, "An undo has been asked for already"),
    "undo_referee": Kind(409, "Only a referee may take this back"),
    "no_undo": Kind(409, "No such undo is asked for"),
    "inside_commit": Kind(409, "The step is inside a commit"),
    "undone_since": Kind(409, "An undo has happened since"),
    "match_over": Kind(409, "The match is over"),
    "match_closed": Kind(409, "The match is closed"),
    "not_over": Kind(409, "The match is not over yet"),
    "not_started": Kind(409, "The match has not started"),
    "already_started": Kind(409, "The match has started already"),
    "seats_open": Kind(409, "There are open seats"),
    "seat_open": Kind(409, "Nobody sits on the seat"),
    "seat_taken": Kind(409, "The seat is taken"),
    "no_open_seat": Kind(409, "Every seat is taken"),
    "already_seated": Kind(409, "You sit in the match already"),
    "already_resigned": Kind(409, "The seat has resigned already"),
    "token_rotated": Kind(409, "The token has been rotated since"),
    "match_too_long": Kind(409, "The match is as long as matches may be"),
    "too_many_matches": Kind(409, "The player sits in as many matches as may be"),
    "too_many_disputes": Kind(409, "The match has as many disputes as it may"),
    "already_ruled": Kind(409, "The dispute has been ruled on"),
    "not_ruled": Kind(409, "The dispute has not been ruled on yet"),
    "dispute_open": Kind(409, "A dispute of the match waits for a ruling"),
    "version_ahead": Kind(409, "The match has not come so far"),
    "version_mismatch": Kind(412, "The match stands at another version"),
    "body_too_large": Kind(413, "The body is too large"),
    "head_too_large": Kind(431, "The address or the headers are too large"),
    "not_json": Kind(415, "The body must be JSON"),
    "encoded_body": Kind(415, "The body must not be compressed"),
    "not_an_option": Kind(422, "The question does not offer that"),
    "bad_body": Kind(422, "The body has the wrong shape"),
    "bad_parameter": Kind(422, "A parameter has the wrong shape"),
    "bad_option": Kind(422, "The game has no such option"),
    "bad_seats": Kind(422, "The game is not for so many seats"),
    "bad_entropy": Kind(422, "The entropy is not usable"),
    "bad_player": Kind(422, "The player id is not usable"),
    "no_such_step": Kind(422, "The match has no such step for this"),
    "bad_correction": Kind(422, "The correction does not fit the match"),
    "key_reused": Kind(422, "The Idempotency-Key was used for another command"),
    "too_many_requests": Kind(429, "Too many requests"),
    "too_many_connections": Kind(429, "Too many connections"),
    "internal": Kind(500, "Something went wrong here"),
    "corrupt_log": Kind(500, "The log of the match cannot be read"),
    "locked_log": Kind(500, "The server key of the match is missing"),
    "busy": Kind(503, "Others were quicker, many times"),
    "unconfirmed": Kind(503, "It is not known whether the command was stored"),
    "unavailable": Kind(503, "The store cannot be reached"),
    "stopping": Kind(503, "This server is stopping"),
}

CLOSES: dict[int, str] = {
    1001: "the server is going away; connect again with jitter",
    1009: "a message is too long",
    1011: "something went wrong here; connect again with jitter",
    1012: "the server restarts; connect again with jitter",
    4400: "the address or the first request is wrong; do not try it again as it is",
    4401: "the token is not valid, or not any more; get another",
    4403: "the token does not allow this",
    4404: "there is no such match",
    4408: "the reader lags; connect again with `after` at the last version seen",
    4409: "the history this client has seen was lost; forget it and read the match anew",
    4429: "too many messages or connections; wait, then connect again",
    4503: "the store cannot be reached; connect again with jitter",
}
"""Close codes and what a client should do."""

WHAT_TO_DO: dict[int, str] = {
    503: "Send it again after `Retry-After`, under the same Idempotency-Key.",
    429: "Wait for `Retry-After` seconds; where there is none, close what is open first.",
    412: "Read the match again; `current_version` says where it stands.",
}

MEDIA = "application/problem+json"
IANA_QUOTA = "https://iana.org/assignments/http-problem-types#quota-exceeded"


class Flaw(msgspec.Struct, frozen=True):
    """One thing that is wrong with the input; `pointer` is a JSON pointer into it."""

    pointer: str
    detail: str


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong, for programs (`code`) and for people (`detail`)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    instance: str = ""
    errors: tuple[Flaw, ...] = ()
    retry_after: float | None = None


def problem(code: str, detail: str, instance: str = "", **more: Any) -> dict[str, Any]:
    """The members of a problem; `more` are those a client needs to act."""
    kind = PROBLEMS[code]
    link = IANA_QUOTA if code == "too_many_requests" else f"/docs/problems#{code}"
    made: dict[str, Any] = {
        "type": link,
        "title": kind.title,
        "status": kind.status,
        "code": code,
        "detail": detail,
    }
    if instance:
        made["instance"] = instance
    return made | {name: value for name, value in more.items() if name not in made}


def table() -> str:
    """All problems as Markdown."""
    rows = ["| status | code | what it says |", "|---|---|---|"]
    for code, kind in sorted(PROBLEMS.items(), key=lambda item: (item[1].status, item[0])):
        rows.append(f'| {kind.status} | <a id="{code}"></a>`{code}` | {kind.title} |')
    return "\n".join(rows) + "\n"

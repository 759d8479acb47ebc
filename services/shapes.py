"""The shapes of what clients send and get, as documented in OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.forms import Page as Form
from games.rules import Result
from projections.inbox import Item
from projections.summary import Summary
from services.ids import PLAYER
from services.inputs import PLAIN
from services.problems import Problem

Version = Annotated[int, Meta(ge=1, description="The number of a commit in its match.")]
Head = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="The hash that ends the chain.")]
Epoch = Annotated[str, Meta(description="Changes if history may have been lost.")]
SeatNumber = Annotated[int, Meta(ge=0, le=99)]
Player = Annotated[str, Meta(pattern=PLAYER)]
Status = Literal["lobby", "playing", "over"]
By = Annotated[int, Meta(ge=0)] | Literal["host", "system", "admin"]
Eyes = Annotated[int, Meta(ge=0)] | Literal["spectator", "auditor"]
Text = Annotated[str, Meta(max_length=200, pattern=PLAIN)]
Reason = Annotated[str, Meta(max_length=400, pattern=PLAIN)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends: unknown members are refused."""


class NewMatch(Body, frozen=True):
    """A match to be created. One that is not `listed` is found only by who knows its id.

    `undo` is who may take back: nobody, with the leave of all others, or freely what nobody else
    has learned from and nothing was drawn for; `undo_window` are the seconds after the end in which
    it may still be asked for, and `delay` the commits that spectators lag behind.
    """

    game: Text
    seats: Annotated[int, Meta(ge=1, le=99)]
    options: dict[str, Any] = {}
    edition: Text = ""
    listed: bool = True
    reveal: Literal["at_close", "auditor_only"] = "at_close"
    undo: Literal["never", "consent", "free_own"] = "consent"
    undo_window: Annotated[int, Meta(ge=0, le=604_800)] = 0
    delay: Annotated[int, Meta(ge=0, le=200)] = 0


class AskUndo(Body, frozen=True):
    """To go back to version `to`; `seen` is the version that the sender has seen. Without it the
    wish is refused once anything in the match has been taken back."""

    to: Annotated[int, Meta(ge=1, le=2**53)]
    seen: Annotated[int, Meta(ge=0)] = 0


class Leave(Body, frozen=True):
    """A word on the undo that was open at version `seen`: never on one asked for later."""

    seen: Annotated[int, Meta(ge=1)]


class Revert(Body, frozen=True):
    """A referee goes back to version `to`. The reason stands in the log, for everybody to read and
    for good."""

    to: Annotated[int, Meta(ge=1, le=2**53)]
    reason: Reason = ""


class NewFork(Body, frozen=True):
    """To go on from a step in a match of its own. `as` says whose knowledge it starts from: a
    seat's own or, for an auditor, anybody's; absent it is the bearer's."""

    step: Annotated[str, Meta(max_length=30)]
    eyes: Annotated[str, Meta(max_length=20)] = msgspec.field(default="", name="as")


class Join(Body, frozen=True):
    """The seat to sit on, null for the first that is free, and this seat's part of the seed."""

    seat: SeatNumber | None = None
    entropy: Text = ""


class Answering(Body, frozen=True):
    """An answer: `option` is the id of an option, a list of ids, a list of numbers or a number,
    as the question's form says; `seen` is the version that the sender has seen. Without it the
    answer is refused once anything in the match has been taken back."""

    question: Text
    option: str | int | list[str | int]
    seen: Annotated[int, Meta(ge=0)] = 0


class NewToken(Body, frozen=True):
    """A token to be made by an admin: a player's takes a player id (made up if absent),
    a watcher's the match that it is for."""

    scope: Literal["audit", "player", "view", "admin"]
    player: Text = ""
    match: Text = ""
    hours: Annotated[float, Meta(gt=0, le=87_600)] | None = None


class Question(msgspec.Struct, frozen=True):
    """What is asked. `about` holds the question's own fields; only who is asked gets a form."""

    id: str
    kind: str
    seats: list[SeatNumber]
    about: dict[str, Any]
    prompt: str
    form: Form | UnsetType = UNSET


class GameView(msgspec.Struct, frozen=True):
    """The game as the viewer may see it; beside `question` it has members of the game's own."""

    question: Question | None


class View(msgspec.Struct, frozen=True):
    """A match as the bearer may see it; `match` is the table that the game is played at."""

    viewer: Eyes
    version: Version
    head: Head
    at: int
    status: Status
    closed: bool
    match: dict[str, Any]
    result: Result | None
    game: GameView | None


class Event(msgspec.Struct, frozen=True):
    """A fact as the viewer may know it: `type` and the members of that type.

    What is hidden reads `{"hidden": true}`, or `{"hidden": 3}` where the number is public.
    """

    type: str


class Committed(msgspec.Struct, frozen=True):
    """What one command added to the match, as the viewer may know it."""

    version: Version
    head: Head
    at: int
    by: By
    rules: str
    events: list[Event]


class Accepted(msgspec.Struct, frozen=True):
    """The command is in the log. `again` is true where it was in it before and this repeats the
    first result, `reverted` where an undo has taken that back since."""

    version: Version
    head: Head
    again: bool
    commit: Committed
    view: View
    reverted: bool = False
    seat: SeatNumber | UnsetType = UNSET
    player: str | UnsetType = UNSET
    token: str | UnsetType = UNSET


class Noted(msgspec.Struct, frozen=True):
    """`Accepted` without the view, for who prefers a minimal reply to an answer."""

    version: Version
    head: Head
    again: bool
    commit: Committed
    reverted: bool = False


class Made(msgspec.Struct, frozen=True):
    """A new match, and the two tokens for it: to host it and to let others watch it."""

    match: str
    version: Version
    head: Head
    again: bool
    host_token: str
    watch_token: str
    view: View


class Token(msgspec.Struct, frozen=True):
    """A token is shown once. `id` is what it is revoked by."""

    id: str
    token: str
    scope: Literal["play", "view", "host", "audit", "admin", "player"]
    player: str = ""
    match: str = ""
    expires: int = 0


class Listing(msgspec.Struct, frozen=True):
    """A page of matches; `next` is the cursor of the next page, null at the end."""

    items: list[Summary]
    next: str | None


class Operation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One operation of a JSON Patch (RFC 6902)."""

    op: Literal["add", "remove", "replace"]
    path: str
    value: Any = UNSET


class StepAsked(msgspec.Struct, frozen=True):
    """The question that the commit answers, with the form that the viewer was shown, for an auditor
    that of who answered. Forms are not stored: rules `made_by` have made it again, and
    `same_rules` says whether the commit was decided by the same."""

    question: Question
    made_by: str
    same_rules: bool


class StepAnswer(msgspec.Struct, frozen=True):
    """The answer as a client sends it, and in words; null and `hidden` where it is a secret."""

    seat: SeatNumber
    question: str
    sent: str | int | list[str | int] | None
    labels: list[str]
    hidden: bool


class Changed(msgspec.Struct, frozen=True):
    """How the view differs from that at the step `since`, in words and as a patch of it."""

    since: str
    says: list[str]
    patch: list[Operation]


class Narrated(msgspec.Struct, frozen=True):
    """What one commit says."""

    version: Version
    at: int
    by: By
    says: list[str]


class Passed(msgspec.Struct, frozen=True):
    """The commits after the step compared with; `omitted` counts those before the first shown."""

    omitted: int
    commits: list[Narrated]


class Compared(msgspec.Struct, frozen=True):
    """The same step through other eyes; the patch makes the one view into the other."""

    viewer: Eyes
    view: dict[str, Any]
    says: list[str]
    patch: list[Operation]


class SeenStep(msgspec.Struct, frozen=True):
    """A match at one step, in its version `version` with the head `head`; `says` tells it in
    words, `parts` counts the events of the whole commit. `passed` comes where `since` is given,
    `compared` where `compare` is."""

    version: Version
    head: Head
    match: str
    game: str
    viewer: Eyes
    step: str
    parts: int
    at: int
    by: By
    rules: str
    says: list[str]
    events: list[Event]
    asked: StepAsked | None
    answer: StepAnswer | None
    view: dict[str, Any] | None
    changed: Changed | None
    passed: Passed | None
    compared: Compared | None


class Inbox(msgspec.Struct, frozen=True):
    """A page of questions that wait; `next` is the cursor of the next page, null at the end."""

    items: list[Item]
    next: str | None


class UndoQuote(msgspec.Struct, frozen=True):
    """What going back to `to` costs a seat as the match stands at `version`.

    `kind`: `free`, `consent` of `seats`, or the `referee`'s alone. `needs` are the players who
    would have to agree in this match, and `at_once` is true where nobody would.
    """

    version: Version
    to: Version
    kind: Literal["free", "consent", "referee"]
    seats: list[SeatNumber]
    needs: list[SeatNumber]
    at_once: bool


class OpenUndo(msgspec.Struct, frozen=True):
    """The undo that is asked for: by `seat`, to version `to`; granted when all of `needs` agree."""

    seat: SeatNumber
    to: Version
    needs: list[SeatNumber]
    agreed: list[SeatNumber]


class Done(msgspec.Struct, frozen=True):
    """It is so."""

    ok: bool = True


class Hello(msgspec.Struct, frozen=True, tag="hello", tag_field="type"):
    """The first message of a stream: whose eyes it has, where the match stands, what is asked.

    `epoch` names the log and the history of its store. Another one says that commits may have been
    lost; that the stream goes on says that none was that you have been told.
    """

    match: str
    epoch: Epoch
    viewer: Eyes
    version: Version
    head: Head
    heartbeat: float
    status: Status
    question: Question | None
    result: Result | None
    undo: OpenUndo | None = None


class CommitMessage(msgspec.Struct, tag="commit", tag_field="type"):
    """One commit, in order and without a gap.

    `status`, `question` (null for nothing), `result` and `undo` (the one that is asked for) are
    those after it; they are absent from commits that the match has moved on from already.
    """

    version: Version
    head: Head
    epoch: Epoch
    at: int
    by: By
    rules: str
    events: list[Event]
    status: Status | UnsetType = UNSET
    question: Question | UnsetType | None = UNSET
    result: Result | UnsetType | None = UNSET
    undo: OpenUndo | UnsetType | None = UNSET


class AcceptedMessage(msgspec.Struct, frozen=True, tag="accepted", tag_field="type"):
    """The answer with this `id` is in the log, at this version."""

    id: str
    version: Version
    head: Head
    epoch: Epoch
    again: bool
    reverted: bool = False


class RefusedMessage(msgspec.Struct, frozen=True, tag="refused", tag_field="type"):
    """The answer with this `id` was refused, as the problem says."""

    id: str
    problem: Problem
    version: int
    head: str
    epoch: Epoch


class PingMessage(msgspec.Struct, frozen=True, tag="ping", tag_field="type"):
    """A sign of life; `t` is the server's time in milliseconds."""

    t: int
    version: int
    head: str
    epoch: Epoch


class AnswerMessage(
    msgspec.Struct, frozen=True, tag="answer", tag_field="type", forbid_unknown_fields=True
):
    """An answer over the socket, `seen` included; `id` is its Idempotency-Key."""

    id: Annotated[str, Meta(max_length=128)]
    question: Text
    option: str | int | list[str | int]
    seen: Annotated[int, Meta(ge=0)] = 0


StreamMessage = Hello | CommitMessage | AcceptedMessage | RefusedMessage | PingMessage

"""The bundle of a match or a dispute: all a reviewer needs, checkable without our software."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from games.sight import Viewer
from games.table import shown_to_all
from replay import account, bag, cases, files, steps
from replay.board import board
from replay.cases import Case, Word
from replay.export import NotTheirs, allowed, export
from replay.fold import Fold, fold
from replay.load import Story
from replay.steps import NoStep, Step

Mode = Literal["public", "seat", "full"]

Texts = Mapping[str, tuple[bytes, str] | None]
"""Words by their mark, with their salt; None for what was removed. What lacks is not included."""

Told = list[dict[str, Any]]
"""Lines `{version, view}`; `unknown` says why where a view is None."""

VERIFIER = Path(__file__).with_name("standalone.py")


class NoDispute(Exception):
    """The match has no such dispute; the text says how many it has."""


class Views(Protocol):
    """Who has the whole log, and shows of it what the reader of a part may see; NotTheirs is raised
    where that is not shown."""

    def after(self, viewer: Viewer, version: int, last: int) -> Sequence[Any]:
        """What the viewer could see after each version from `version` on, excluded, to `last`."""

    def at(self, viewer: Viewer, step: Step) -> Any:
        """What the viewer could see at a step."""


class Request(NamedTuple):
    """What a bundle is to be: for whom, about which dispute (0: all of them).

    `viewer` is whose log it holds. `checkpoint` is a signed note on the log's last version, and
    `key` the public key it is checked by; both empty where there is none. `views` is asked for what
    the log can't tell, so that a bundle is the same whoever makes it.
    """

    mode: Mode
    viewer: Viewer
    dispute: int = 0
    texts: Texts = {}
    checkpoint: str = ""
    key: str = ""
    views: Views | None = None


def request(mode: Mode, seat: int | None, **more: Any) -> Request:
    """Raises NotTheirs where mode and seat do not go together."""
    if (mode == "seat") != (seat is not None):
        raise NotTheirs("mode `seat` needs a seat, and no other mode takes one")
    viewer: Viewer = "spectator" if mode == "public" else "auditor" if seat is None else seat
    return Request(mode, viewer, **more)


def reached(story: Story, mode: Mode) -> Story:
    """The log as far as its reader may have it: until a match is over, the public one lags behind
    by what the host has set."""
    if mode != "public" or story.viewer != "auditor" or not story.created.get("delay", 0):
        return story
    return story.until(shown_to_all(fold(story).tables))


def bundle(story: Story, wanted: Request) -> tuple[str, bytes]:
    """The name of the folder in the zip, and the zip.

    Raises NotTheirs where the log does not hold as much; NoDispute, Unreadable, Unequal.
    """
    allowed(story, wanted.viewer)
    theirs = export(story, wanted.viewer)
    folded = fold(story)
    told = {viewer: _told(story, folded, viewer, wanted) for viewer in _viewers(story, wanted)}
    disputed = _disputed(theirs, wanted)
    name = f"match-{story.match}" + (f"-dispute-{wanted.dispute}" if wanted.dispute else "")
    payload = {
        "match.json": _json(account.match(theirs, told[wanted.viewer][-1]["view"], wanted.mode)),
        "events.ndjson": b"".join(files.lines(theirs)),
        "randomness.json": _json(account.randomness(theirs, folded)),
        "admin.ndjson": b"".join(_line(each) for each in account.interventions(theirs)),
        "claim.json": _json(_claims(story.match, disputed, wanted)),
        "board.txt": "\n".join(_boards(story, folded, disputed, wanted)).encode(),
        "README.md": account.readme(theirs, name, wanted.checkpoint, wanted.key).encode(),
        **{f"views/{viewer}.ndjson": b"".join(map(_line, told[viewer])) for viewer in told},
    }
    if wanted.checkpoint:
        payload["checkpoint.txt"] = wanted.checkpoint.encode()
    beside = {"verify/verify.py": VERIFIER.read_bytes()}
    return name, bag.zipped(bag.bag(payload, beside, name), name)


def _disputed(story: Story, wanted: Request) -> list[Case]:
    found = cases.of_story(story)
    if wanted.dispute > len(found):
        raise NoDispute(f"the match has {len(found)} disputes in this log")
    return [case for case in found if wanted.dispute in (0, case.number)]


def _told(story: Story, folded: Fold, viewer: Viewer, wanted: Request) -> Told:
    """What the viewer could see after each version, as far as this log and who else is asked can
    tell."""
    last, known = len(story.pages), folded.version
    views = [steps.viewed(table, viewer) for table in folded.tables[1:]]
    why = folded.stop
    if wanted.views is not None and known < last:
        try:
            views += wanted.views.after(viewer, known, last)
        except NotTheirs as error:
            why = f"{why}, and {error}"
    told: Told = [{"version": version, "view": view} for version, view in enumerate(views, 1)]
    for version in range(len(told) + 1, last + 1):
        told.append({"version": version, "view": None, "unknown": why})
    return told


def _viewers(story: Story, wanted: Request) -> list[Viewer]:
    if wanted.mode == "full":
        return ["auditor", *range(story.created["seats"]), "spectator"]
    return list(dict.fromkeys([wanted.viewer, "spectator"]))


def _claims(match: str, disputed: Sequence[Case], wanted: Request) -> dict[str, Any]:
    told = []
    for case in disputed:
        made = dict(msgspec.to_builtins(case))
        made["words"] = [_word(word, wanted) for word in case.words]
        told.append(made)
    return {"match": match, "disputes": told}


def _word(word: Word, wanted: Request) -> dict[str, Any]:
    """`words` says whether the text is here, as the API does; `not_included` is neither."""
    made = dict(msgspec.to_builtins(word))
    if not cases.may_read(word, wanted.viewer, wanted.mode == "full"):
        return {**made, "words": "withheld"}
    if word.sha256 not in wanted.texts:
        return {**made, "words": "not_included"}
    text = wanted.texts[word.sha256]
    if text is None or word.removed:
        return {**made, "words": "removed"}
    return {**made, "words": "kept", "salt": text[0], "text": text[1]}


def _boards(story: Story, folded: Fold, disputed: Sequence[Case], wanted: Request) -> Iterator[str]:
    """The contested steps, else the last one; in a full bundle as who disputes saw them, too."""
    asked = [(step, case.seat) for case in disputed for step in case.steps]
    for step, seat in dict.fromkeys(asked) or [(str(len(story.pages)), None)]:
        eyes: list[Viewer] = [wanted.viewer]
        if wanted.mode == "full" and seat is not None:
            eyes.append(seat)
        for viewer in eyes:
            try:
                shown = _shown(story, folded, Step.parse(step), viewer, wanted)
            except NoStep as none:
                yield f"step {step}: {none}\n"
            else:
                yield board(story.game, shown)


def _shown(
    story: Story, folded: Fold, step: Step, viewer: Viewer, wanted: Request
) -> dict[str, Any]:
    """Raises NoStep."""
    shown = steps.shown(story, folded, step, viewer)
    if shown["view"] is None and wanted.views is not None:
        try:
            shown["view"] = wanted.views.at(viewer, Step.parse(shown["step"]))
        except NotTheirs as error:
            shown["unknown"] = f"{folded.stop}, and {error}"
    return shown


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _line(value: Any) -> bytes:
    return files.encoded(value) + b"\n"


__all__ = ["Mode", "NoDispute", "NotTheirs", "Request", "Texts", "Views", "bundle", "request"]

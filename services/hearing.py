"""What is heard of a match's disputes: the log's account of them, with the words one may read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.rules import Refused
from games.sight import Viewer
from replay import cases
from replay.cases import Case, Told, Word
from services.desk import Desk
from services.dispute_shapes import DisputeCase, Said
from services.live import Live, decoded
from services.vault import Text, Vault


async def check_steps(desk: Desk, live: Live, steps: Iterable[str]) -> None:
    """Raises Refused(`no_such_step`) for an event that its version does not have.

    The rules look at the versions.
    """
    for step in steps:
        version, _, event = step.partition(".")
        if not event or not 1 <= int(version) <= live.version:
            continue
        (entry,) = await desk.store.read(live.id, int(version) - 1, 1)
        count = len(decoded(live.codec, live.id, entry).events)
        if not 1 <= int(event) <= count:
            raise Refused("no_such_step", f"version {version} has events 1 to {count}")


async def heard(desk: Desk, live: Live, viewer: Viewer, referee: bool) -> list[DisputeCase]:
    """The disputes of the match as the viewer may hear them, a spectator perhaps a little later.

    Raises Unavailable, Corrupt.
    """
    if not live.table.match.disputes:
        return []
    reach = live.version if referee else live.reach(viewer)
    entries = await desk.store.read(live.id, 0, reach)
    commits = [decoded(live.codec, live.id, entry) for entry in entries]
    told = cases.cases(Told(c.version, c.at, c.events) for c in commits)
    return await with_words(desk.vault, live.id, told, viewer, referee)


async def with_words(
    vault: Vault, match: str, told: Sequence[Case], viewer: Viewer, referee: bool
) -> list[DisputeCase]:
    """Raises Unavailable."""
    words = [word for case in told for word in case.words]
    marks = [word.sha256 for word in words if cases.may_read(word, viewer, referee)]
    texts = dict(zip(marks, await vault.texts(match, marks), strict=True))
    return [_heard(match, case, texts) for case in told]


def _heard(match: str, case: Case, texts: dict[str, Text | None]) -> DisputeCase:
    said = [_said(word, texts) for word in case.words]
    about = (case.number, case.seat, list(case.steps), case.state, case.upheld, case.opened)
    return DisputeCase(match, *about, said)


def _said(word: Word, texts: dict[str, Text | None]) -> Said:
    about = (word.version, word.at, word.kind, word.sha256)
    by = (word.seat, word.author, word.ruling, word.removed)
    if word.sha256 not in texts:
        return Said(*about, "withheld", *by)
    text = texts[word.sha256]
    if text is None or word.removed:
        return Said(*about, "removed", *by)
    return Said(*about, "kept", *by, text.salt, text.text)

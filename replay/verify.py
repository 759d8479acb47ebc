"""What a log proves, check by check: bytes, chain, seals, seed, and that the rules were kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from events import log
from games import catalog
from games.dice import commitment
from games.rules import Refused
from games.sight import HIDDEN
from replay import files, load, played
from replay.load import Recording, Story, Unreadable, read
from replay.report import Bad, Check, Failed, Report
from replay.words import name

if TYPE_CHECKING:
    from replay.checkpoint import Checkpoint


class Evidence(NamedTuple):
    """What is known beside a log; `verify` tells what each is."""

    head: str
    checkpoint: Checkpoint | None
    data: bytes | None
    seed: bytes | None
    newest: str
    unread: Bad | None


def verify_file(data: bytes, head: str = "", checkpoint: Checkpoint | None = None) -> Report:
    """Everything that can be checked in a file; `head` is the newest head known from elsewhere, in
    hex, with its version before it or not (`41:9f3c...`)."""
    try:
        recording = files.read(data)
    except files.BadLine as bad:
        check = Check("lines", "failed", str(bad))
        return Report(ok=False, checks=[check], bad=Bad(bad.why, line=bad.line))
    return verify(recording, head, checkpoint, data=data)


def verify(
    recording: Recording,
    head: str = "",
    checkpoint: Checkpoint | None = None,
    *,
    data: bytes | None = None,
    seed: bytes | None = None,
    newest: str = "",
    unread: Bad | None = None,
) -> Report:
    """Everything that can be checked in a recording. `checkpoint` is what a server signed, its
    signature checked already; `data` are the bytes of the file it came from; `seed` is for the
    server itself, which knows it before the close; `newest` is the head that a store keeps beside
    its log: it must be the last one; `unread` is what a store could not read of the log: it fails
    where nothing else does."""
    beside = Evidence(head, checkpoint, data, seed, newest, unread)
    checks: list[Check] = []
    bad = None
    story = None
    try:
        story, absent = _read(recording, unread)
        for check in _checks(story, absent, beside):
            checks.append(check)
    except Failed as failed:
        bad = failed.bad
        checks.append(Check(failed.check, "failed", bad.why))
    pages = recording.pages
    return Report(
        ok=bad is None,
        match=recording.match,
        game=story.game.id if story else "",
        viewer=recording.viewer,
        versions=len(pages),
        head=pages[-1].head.hex() if pages else "",
        checks=checks,
        bad=bad,
    )


def _checks(story: Story, absent: str, beside: Evidence) -> Iterator[Check]:
    """`absent` is what the rules need that is not here. Raises Failed."""
    yield _chain(story)
    if beside.data is not None:
        yield _lines(beside.data, story)
    yield _openings(story)
    yield _seed(story)
    # What is known from elsewhere goes before the rules: it names the first version that is not
    # the one that was shown, whatever follows from it.
    signed = [] if beside.checkpoint is None else [_signed(story, beside.checkpoint)]
    end = _end(story, "" if beside.unread else beside.head, beside.newest)
    if absent:
        yield Check("rules", "unknown", f"{absent}: nothing was folded or decided again")
    else:
        yield from played.checked(story, beside.seed or story.seed)
    if story.viewer != "auditor":
        yield _sealed(story)
    yield from signed
    if beside.unread:
        raise Failed("read", beside.unread)
    yield end


def _read(recording: Recording, unread: Bad | None) -> tuple[Story, str]:
    """The log with the names of its facts, and what its rules need that is not here."""
    if unread and not recording.pages:
        raise Failed("read", unread)
    try:
        try:
            return read(recording), ""
        except Refused as refused:
            why = f"{refused.why}; a publisher's edition is given with --data DIR"
            return load.bare(recording), why
    except Unreadable as error:
        if error.version > 1:
            # A broken chain is the better reason, and may be broken before.
            _unbroken(load.bare(recording._replace(pages=recording.pages[:1])), recording)
        raise Failed("read", Bad(error.why, error.version)) from None


def _unbroken(first: Story, recording: Recording) -> None:
    """Raises Failed where a head does not follow, from the genesis that the first commit names."""
    made = first.created
    try:
        log.verify(recording.pages, log.genesis(made["match"], made["game"], made["rules"]))
    except log.Broken as broken:
        raise Failed("chain", Bad(broken.why, broken.version)) from None


def _chain(story: Story) -> Check:
    if story.created["match"] != story.match:
        raise Failed("chain", Bad(f"it is the log of match {story.created['match']!r}", 1))
    _unbroken(story, Recording(story.match, story.viewer, story.pages))
    latest = 0
    for page, telling in zip(story.pages, story.tellings, strict=True):
        version, at = telling.raw[:2]
        if version != page.version:
            raise Failed("chain", Bad(f"its commit says it is version {version}", page.version))
        if at < latest:
            raise Failed("chain", Bad("its time lies before that of the version before", version))
        latest = at
    return Check("chain", "ok", f"{len(story.pages)} versions follow from each other, one by one")


def _lines(data: bytes, story: Story) -> Check:
    named = _named(story)
    try:
        if named:
            files.compare(data, story)
        else:
            files.compare_bare(data)
    except files.BadLine as bad:
        raise Failed("lines", Bad(bad.why, line=bad.line)) from None
    if not named:
        says = "every line is written in one way; the game is not here to decode its events"
        return Check("lines", "ok", says)
    return Check("lines", "ok", "every line is written as its commit gives it, to the byte")


def _named(story: Story) -> bool:
    """Whether the facts of its game, be it of another edition, are known here."""
    return story.game.id in catalog.GAMES


def _openings(story: Story) -> Check:
    for page, telling in zip(story.pages, story.tellings, strict=True):
        if telling.amiss:
            why = f"what {name(story.viewer)} may see of it is not what is open here"
            raise Failed("openings", Bad(why, page.version))
    count = sum(len(page.openings) for page in story.pages)
    if not _named(story):
        says = f"{count} openings fit their seals; whose they are the game would tell"
        return Check("openings", "ok", says)
    return Check("openings", "ok", f"{count} openings fit their seals; none is missing or too many")


def _seed(story: Story) -> Check:
    try:
        seed = story.seed
    except Unreadable as error:
        raise Failed("seed", Bad(error.why, error.version)) from None
    if seed is None:
        when = "for the auditor alone" if story.closed else "revealed when the match is closed"
        return Check("seed", "unknown", f"the server's seed is {when}")
    if commitment(seed) != story.created["commitment"]:
        raise Failed("seed", Bad("the revealed seed is not the one committed to", story.revealed))
    return Check("seed", "ok", "the revealed seed is the one committed to before play")


def _end(story: Story, head: str, newest: str) -> Check:
    last = len(story.pages)
    if head:
        at = _held(story, head)
        known = Check("end", "ok", f"the head known from elsewhere is that of version {at}")
    if newest and newest != story.pages[-1].head.hex():
        raise Failed("end", Bad("the store knows another newest head: the tail is missing", last))
    if head:
        return known
    if story.closed:
        return Check("end", "ok", "the match is closed: no play can be missing at the end")
    says = f"whole up to version {last}, later commits unknown: compare it with a head known from"
    return Check("end", "unknown", f"{says} elsewhere (--head, --checkpoint)")


def _held(story: Story, known: str) -> int:
    """The version of a head known from elsewhere, `hash` or `version:hash`. Raises Failed."""
    version, _, head = known.lower().rpartition(":")
    heads = [page.head.hex() for page in story.pages]
    if not version and head in heads:
        return heads.index(head) + 1
    last = len(heads)
    at = int(version) if version.isascii() and version.isdigit() and len(version) < 19 else 0
    if not 1 <= at <= last:
        why = f"{known[:40]}… is no head of this log: it was rewritten or its tail is missing"
        raise Failed("end", Bad(why, last))
    if heads[at - 1] != head:
        raise Failed("end", Bad(f"its head is not {head[:24]}…: the log was rewritten", at))
    return at


def _signed(story: Story, point: Checkpoint) -> Check:
    """Raises Failed where the server has signed something else."""
    last = len(story.pages)
    if point.match != story.match:
        raise Failed("checkpoint", Bad(f"it is one of match {point.match}", 1))
    if point.version > last:
        why = f"the server signed version {point.version}: the tail is missing"
        raise Failed("checkpoint", Bad(why, last))
    if story.pages[point.version - 1].head != point.head:
        why = f"the server signed another head of version {point.version}: the log was rewritten"
        raise Failed("checkpoint", Bad(why, point.version))
    says = f"the server signed version {point.version}, and this is the log it signed"
    return Check("checkpoint", "ok", says)


def _sealed(story: Story) -> Check:
    """What no cut log proves."""
    count = sum(_seals(telling.raw) for telling in story.tellings)
    says = f"only the auditor's log can prove what {count} seals hold: what others had and chose,"
    return Check(
        "sealed",
        "unknown",
        f"{says} what was drawn unseen, the id of each command, the words drawn",
    )


def _seals(raw: Any) -> int:
    if isinstance(raw, list):
        return sum(map(_seals, raw))
    if isinstance(raw, dict):
        return sum(map(_seals, raw.values()))
    return int(raw is HIDDEN)


__all__ = ["Bad", "Check", "Report", "verify", "verify_file"]

"""That a log follows from the rules: its tables, everybody's views, each command decided again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.history import Unknown
from games.referee import Appealed, DisputeNoted, DisputeOpened, Ruled, WordsRemoved
from games.rules import Answered
from replay.again import Beyond, Unequal, again
from replay.draws import Draws, drawn_again
from replay.fold import Fold, fold
from replay.load import Story, Unreadable
from replay.report import Bad, Check, Failed
from replay.steps import encoded
from replay.words import name, scores


def checked(story: Story, seed: bytes | None) -> Iterator[Check]:
    """Checks `fold`, `views` and `rules`, as far as this log and seed go. Raises Failed."""
    known, broken = _fold(story, seed)
    try:
        decided, skipped = _decided(story, known, seed) if seed else (0, {})
        if broken is not None:
            raise broken
        shown = drawn_again(story, known, seed) if seed and known.stop else None
    except Unequal as error:
        raise Failed("rules", Bad(error.why, error.version)) from None
    yield _folded(story, known)
    yield from _views(known)
    if seed is None:
        yield Check("rules", "unknown", "commands are decided again once the seed is revealed")
        return
    if decided:
        says = f"{decided} commands decided again give the same events and draws"
        yield Check("rules", "ok", says)
    else:
        yield Check("rules", "unknown", "no command could be decided again")
    for why, versions in skipped.items():
        yield Check("rules", "unknown", f"versions {_span(versions)} {why}: not decided again")
    if shown:
        yield from _rest(known, shown)


def _rest(known: Fold, shown: Draws) -> Iterator[Check]:
    """What holds beyond the table that the viewer can know."""
    if shown.same:
        says = f"{shown.same} draws shown after version {known.version} are what the seed gives"
        yield Check("rules", "ok", says)
    if shown.unproved:
        says = (
            f"{shown.unproved} other events after it may be draws, from what this log does not tell"
        )
        yield Check("rules", "unknown", says)
    if shown.outdated[1:] or (shown.outdated and not known.outdated):
        says = f"versions {_span(shown.outdated)} were decided under other rules: not drawn again"
        yield Check("rules", "unknown", says)
    if known.outdated:
        says = f"{known.stop}, which no log can prove here; what follows it only the auditor's can"
        yield Check("rules", "unknown", says)
    else:
        yield Check("rules", "unknown", f"the rest only the auditor's log can prove: {known.stop}")


def _fold(story: Story, seed: bytes | None) -> tuple[Fold, Failed | None]:
    """The tables, as far as there are any, and what is wrong then: what made it go wrong may
    stand before it."""
    try:
        return fold(story, seed), None
    except Unreadable as error:
        failed = Failed("fold", Bad(error.why, error.version))
    except Unequal as error:
        failed = Failed("rules", Bad(error.why, error.version))
    assert failed.bad.version is not None
    return fold(story.until(failed.bad.version - 1), seed or story.seed), failed


def _folded(story: Story, known: Fold) -> Check:
    if known.stop:
        says = f"the table is known up to version {known.version}; then {known.stop}"
        return Check("fold", "unknown", says)
    return Check("fold", "ok", f"the events give a table at every version, {_now(known)}")


def _views(known: Fold) -> Iterator[Check]:
    """Everybody's view after each version that is known: what each was shown is made from it."""
    made, odd, left = 0, False, list[int]()
    for table, commit in zip(known.tables[1:], known.commits, strict=True):
        here = commit.rules == table.game.version
        odd = odd or not here or any(isinstance(event, Unknown) for event in commit.events)
        for viewer in (*range(len(table.match.seats)), "spectator", "auditor"):
            try:
                encoded(table, viewer)
                made += 1
            except Exception as error:  # what other rules or newer writers left may be anything
                if not odd:
                    why = f"the view of {name(viewer)} cannot be made of it: {error!r}"
                    raise Failed("views", Bad(why, commit.version)) from error
                left += [] if commit.version in left[-1:] else [commit.version]
    says = f"{made} views made: every seat's, the spectators' and the auditor's"
    yield Check("views", "ok", f"{says}, versions 1 to {known.version}")
    if left:
        says = f"versions {_span(left)} follow from other rules: not every view can be made"
        yield Check("views", "unknown", says)


def _now(known: Fold) -> str:
    table = known.tables[-1]
    if table.result is None:
        return f"at last {table.status}"
    winners = ", ".join(map(str, table.result.winners)) or "nobody"
    return f"at last scores {scores(table.result.scores)}; won by {winners}"


def _decided(story: Story, known: Fold, seed: bytes) -> tuple[int, dict[str, list[int]]]:
    """How many commands gave the same again, and the versions that can't be decided again, by why.

    Raises Unequal.
    """
    same, skipped = 0, dict[str, list[int]]()
    whole = story.viewer == "auditor"
    for before, commit in zip(known.tables, known.commits, strict=False):
        first = commit.events[0]
        if commit.by != _actor(first, commit.by):
            raise Unequal(commit.version, f"{commit.by!r} acted, who could not have")
        try:
            history = known.commits[: before.version]
            events, draws = again(before, history, commit, seed, whole)
        except Beyond as beyond:
            skipped.setdefault(str(beyond), []).append(commit.version)
            continue
        if events != commit.events:
            raise Unequal(commit.version, "the rules and the seed give other events")
        if whole and draws != commit.private.draws:
            raise Unequal(commit.version, f"it drew {commit.private.draws} words, not {draws}")
        same += 1
    return same, skipped


def _actor(first: Any, otherwise: Any) -> Any:
    """Who alone can have sent the command of an event; `otherwise` where more could."""
    match first:
        case Answered(seat=seat) | DisputeOpened(seat=seat) | Appealed(seat=seat):
            return seat
        case DisputeNoted() | Ruled() | WordsRemoved():
            return "admin"
    return otherwise


def _span(versions: list[int]) -> str:
    first, last = versions[0], versions[-1]
    whole = last - first + 1 == len(versions)
    return f"{first}-{last}" if whole and last > first else ", ".join(map(str, versions))


__all__ = ["checked"]

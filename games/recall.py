"""What a viewer knows at a step of a match: by what led there, and by all that it has seen besides.

A match's past is a tree: a commit follows the one before it or, where it is an undo, the version
that it goes back to. So the undo of an undo goes on where an older branch ended. Whatever a branch
has shown of what lay where it parted is known there, and so is what came to light after the step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from games.forms import Below
from games.history import Commit, led_here, reverted_to
from games.match import MatchEvent
from games.memory import Memory
from games.rules import Chosen, Open, Together
from games.sight import Seat, Viewer

Watch = Callable[[Memory, Any, Any], None]
"""(memory, the state before the event or None in the set-up, the event): what is seen of it."""


class Past(NamedTuple):
    """A step, and all commits that the viewer knows of, also later ones and those taken back;
    `states[v]` after v. Without a step it is the last."""

    commits: Sequence[Commit[Any]]
    states: Sequence[Any]
    step: int | None = None

    @property
    def version(self) -> int:
        return len(self.commits) if self.step is None else self.step


NO_PAST = Past((), ())


PATIENCE, COMMITS = 20, 8000
"""Times that all is gone through again where guesses contradict each other; fewer where there is
more to go through: a fork must not keep others waiting."""


def recalled(
    past: Past,
    viewer: Viewer,
    below: Below,
    watch: Watch,
    fits: Callable[[Memory], bool] = lambda memory: True,
) -> Memory:
    """What the viewer knows there, and guesses drawn from `below` that fit it, and the state."""
    for _ in range(max(1, min(PATIENCE, COMMITS // (len(past.commits) + 1)))):
        memory = _gone_through(past, Memory(viewer, below), watch)
        if not memory.strain and fits(memory):
            break
    memory.disclosed = _disclosed(past, viewer)
    return memory


def _gone_through(past: Past, memory: Memory, watch: Watch) -> Memory:
    after = _branches(past)
    aside: list[tuple[Memory, int]] = []
    version = 0
    while after[version] or aside:
        if not after[version]:
            then, version = aside.pop()
            memory = memory.back(then)
            continue
        following = after[version].pop()
        if after[version] or version == past.version:
            aside.append((memory, version))
            memory = memory.copy()
        _watched(memory, past, following, watch)
        version = following
    return memory


def _branches(past: Past) -> list[list[int]]:
    """By version what follows it, last first: what leads to the step comes after all else."""
    led = list(led_here(past.commits, past.version))
    leads = {commit.version for commit in led}
    others = [commit for commit in reversed(past.commits) if commit.version not in leads]
    after: list[list[int]] = [[] for _ in range(len(past.commits) + 1)]
    for commit in (*led, *others):
        to = reverted_to(commit)
        after[commit.version - 1 if to is None else to].append(commit.version)
    return after


def _watched(memory: Memory, past: Past, version: int, watch: Watch) -> None:
    state = past.states[version - 1]
    for event in past.commits[version - 1].events:
        if isinstance(event, MatchEvent):
            continue
        watch(memory, state, event)
        state = None if state is None else event.apply(state)


def _disclosed(past: Past, viewer: Viewer) -> frozenset[Seat]:
    """Who has made a secret choice in the open question which was shown once all had chosen."""
    asked = _together(past, past.version)
    if asked is None:
        return frozenset()
    made = {
        commit.version: commit.by
        for commit in led_here(past.commits, past.version)
        if _chosen(commit, asked.id)
    }
    found: set[Any] = set()
    for commit in past.commits if made else ():
        before = _together(past, commit.version - 1) if _chosen(commit, asked.id) else None
        if before is None or len(before.item.seats) > 1 or not before.item.shown_to(viewer):
            continue
        led = takewhile(lambda c: c.version >= min(made), led_here(past.commits, commit.version))
        found |= {made[each.version] for each in led if each.version in made}
    return frozenset(found)


def _together(past: Past, version: int) -> Open[Any] | None:
    """The question that several answer in secret, if one is open then."""
    state = past.states[version] if past.commits else None
    top = state.pending[-1] if state is not None and state.pending else None
    return top if top is not None and isinstance(top.item, Together) else None


def _chosen(commit: Commit[Any], question: str) -> bool:
    return any(isinstance(each, Chosen) and each.question == question for each in commit.events)

"""Which commits stand, and which a seat's answer made, also where a newer writer wrote."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games import match as m
from games.history import Commit, Private, Unknown, is_answer, reverted_to, standing
from games.rules import Answered
from games.sight import cut
from games.table import tables
from tests.play import Match
from tests.toy.pumpkin_patch.game import GAME
from tests.toy.pumpkin_patch.turns import Show

NEWER = Unknown(msgspec.msgpack.encode(["moon_rose", 0, "secret"]))


def commit(version: int, *events: Any) -> Commit[Any]:
    return Commit(version, version, "host", "1.0", Private(bytes(16), 0), events)


def log(*reverts: int | None) -> list[Commit[Any]]:
    """A commit for every entry: an undo to that version, or something else."""
    kinds = [m.Resigned(0) if to is None else m.Reverted(to) for to in reverts]
    return [commit(version, kind) for version, kind in enumerate(kinds, 1)]


def led(*reverts: int | None) -> list[int]:
    return [commit.version for commit in standing(log(*reverts))]


def test_without_an_undo_all_stand() -> None:
    assert led() == []
    assert led(None, None, None) == [1, 2, 3]


def test_an_undo_leaves_out_what_lies_between() -> None:
    assert led(None, None, None, 1) == [1, 4]
    assert led(None, None, None, 1, None) == [1, 4, 5]


def test_an_undo_of_an_undo_brings_back_what_stood_then() -> None:
    assert led(None, None, None, 1, 3) == [1, 2, 3, 5]
    assert led(None, None, None, 1, 3, 4) == [1, 4, 6]
    assert led(None, None, 1, 3, 4) == [1, 3, 4, 5]


@pytest.mark.parametrize("to", [-5, -1, 0, 2, 3, 99])
def test_an_undo_goes_to_a_version_before_it(to: int) -> None:
    with pytest.raises(ValueError, match="version 2 goes back to version"):
        led(None, to)


def test_an_undo_is_one_whatever_a_newer_writer_says_with_it() -> None:
    assert reverted_to(commit(9, m.UndoAgreed(1), m.Reverted(4), NEWER)) == 4
    assert reverted_to(commit(9, NEWER)) is None


def test_a_commit_that_begins_with_something_newer() -> None:
    answered: Any = Answered("4.1", 0, Show(1))
    assert is_answer(commit(9, NEWER, answered))
    assert not is_answer(commit(9, NEWER, m.Resigned(0)))
    assert not is_answer(commit(9, NEWER))


def test_something_newer_alone_changes_nothing() -> None:
    match = Match.started(GAME, 2)
    before = match.table
    after = tables(GAME, [*match.commits, commit(5, NEWER, m.Resigned(0))])[-1]
    assert (after.state, after.answers) == (before.state, before.answers)
    assert after.match.seats[0].resigned


def test_what_is_newer_is_shown_to_nobody() -> None:
    for viewer in (0, 1, "spectator"):
        assert cut(NEWER, viewer) == {"raw": {"hidden": True}}


def test_a_commit_has_events() -> None:
    with pytest.raises(msgspec.DecodeError, match="without events"):
        GAME.codec.decode(msgspec.msgpack.encode(commit(1)))

"""The checks themselves, on a history made by hand: what is right passes, each wrong is named."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.match import UndoRequest
from services import commands
from tests.faults.hand_made import MATCH, Made
from tests.faults.history import (
    CellAt,
    Complaint,
    Finding,
    Group,
    History,
    Op,
    Read,
    RowAt,
    Run,
    Stored,
)
from tests.faults.logs import Logs
from tests.faults.models import groups
from tests.faults.verdict import CHECKS, violations

_RIGHT = asyncio.run(Made().play())


@pytest.fixture
def history() -> History:
    return copy.deepcopy(_RIGHT)


def ops(history: History, what: str = "answer") -> list[Op]:
    return [op for op in history.of(Op) if op.what == what]


def found(history: History) -> set[str]:
    return {violation.check for violation in violations(history)}


def swap(history: History, old: Any, **changes: Any) -> None:
    """One record with other fields."""
    at = next(n for n, record in enumerate(history.records) if record is old)
    history.records[at] = msgspec.structs.replace(old, **changes)


def more(history: History, op: Op, **changes: Any) -> None:
    """Another attempt, later than all there are, unless the changes say when."""
    late = {"invoked": 100.0, "ended": 101.0, **changes}
    history.add(msgspec.structs.replace(op, **late))


def taken_back(history: History, until: int = 99) -> None:
    """A stream tells versions from 7 on under heads that the log does not have, from version
    `until` on what is there, and is closed as lost in the end."""
    (run,) = history.of(Run)
    swap(history, run, lossy=True)
    told = [r for r in history.of(Read) if r.source == "commit" and r.version >= 6]
    of = {"line": 77, "client": "a reader of its own"}
    for read in told:
        head = "3" * 64 if 6 < read.version < until else read.head
        history.add(msgspec.structs.replace(read, **of, head=head))
    end = {"source": "closed", "status": 4409, "version": 0, "at": 99.0}
    history.add(msgspec.structs.replace(told[0], **of, **end))


class TestRight:
    def test_nothing_is_wrong(self, history: History) -> None:
        assert violations(history) == []
        assert len(ops(history)) == 8

    def test_it_is_the_same_from_a_file(self, history: History, tmp_path: Path) -> None:
        path = tmp_path / "history.jsonl"
        history.save(path)
        assert History.load(path).records == history.records

    def test_a_repeated_answer_with_its_first_result(self, history: History) -> None:
        more(history, ops(history)[2], again=True)
        assert found(history) == set()

    def test_a_refusal_for_another_body_under_a_known_key(self, history: History) -> None:
        body = {**ops(history)[2].body, "question": "9.9"}
        refusal = {"outcome": "refused", "status": 422, "code": "key_reused"}
        more(history, ops(history)[2], body=body, version=0, head="", **refusal)
        assert found(history) == set()

    def test_an_attempt_that_nobody_was_told_of_and_is_in_the_log(self, history: History) -> None:
        """Its own fate stays unknown; the next attempt under its key told."""
        unknown = {"outcome": "unknown", "status": 0, "version": 0, "head": ""}
        more(history, ops(history)[2], invoked=1.0, ended=2.0, **unknown)
        ops(history)[2].again = True
        assert found(history) == set()

    def test_versions_in_a_row_that_a_failover_took_back(self, history: History) -> None:
        """Of which the stream's end told its reader."""
        taken_back(history)
        assert found(history) == set()

    def test_nobody_was_told_that_they_were_taken_back(self, history: History) -> None:
        """A stream that goes on with what is there now has left them to stand."""
        for version in (8, 9):
            told = copy.deepcopy(_RIGHT)
            taken_back(told, until=version)
            assert found(told) == {"prefixes"}

    def test_a_refusal_of_what_is_not_there(self, history: History) -> None:
        refusal = {"outcome": "refused", "status": 409, "code": "stale_question"}
        more(history, ops(history)[2], key="a key of nobody's", version=0, head="", **refusal)
        assert found(history) == set()


def _lost(history: History) -> None:
    more(history, ops(history)[0], key="a key that is nowhere")


def _elsewhere(history: History) -> None:
    ops(history)[3].version += 1


def _other_head(history: History) -> None:
    ops(history)[3].head = "0" * 64


def _by_another(history: History) -> None:
    op = ops(history)[3]
    op.body = {**op.body, "option": "something else"}


def _two_winners(history: History) -> None:
    more(history, ops(history)[3], key="a key that won as well")


def _refused_and_there(history: History) -> None:
    op = ops(history)[3]
    op.outcome, op.status, op.code = "refused", 503, "unavailable"


def _there_again_without_a_first(history: History) -> None:
    op = ops(history)[3]
    refusal = {"outcome": "refused", "status": 503, "code": "unavailable"}
    more(history, op, invoked=op.invoked - 0.5, ended=op.invoked - 0.1, **refusal)
    op.again = True


def _forgotten(history: History) -> None:
    refusal = {"outcome": "refused", "status": 409, "code": "stale_question"}
    more(history, ops(history)[3], version=0, head="", **refusal)


def _accepted_anew(history: History) -> None:
    more(history, ops(history)[3], again=False)


def _any_body(history: History) -> None:
    op = ops(history)[3]
    more(history, op, body={**op.body, "question": "9.9"}, again=True)


def _never_resolved(history: History) -> None:
    unknown = {"outcome": "unknown", "status": 0, "version": 0, "head": ""}
    more(history, ops(history)[3], key="a key of a lost reply", **unknown)


def _resolved_wrongly(history: History) -> None:
    op = ops(history)[3]
    op.outcome = "unknown"
    refusal = {"outcome": "refused", "status": 409, "code": "stale_question"}
    more(history, op, version=0, head="", **refusal)


def _out_of_time(history: History) -> None:
    op = ops(history)[3]
    op.invoked, op.ended = 90.0, 91.0


def _mistake(history: History) -> None:
    more(history, ops(history)[3], key="a key", outcome="unknown", status=500, code="internal")


def _complained(history: History) -> None:
    history.add(Complaint("api0", '{"event": "internal_error", "level": "error"}'))


def _read_of(history: History, source: str) -> Read:
    return next(r for r in history.of(Read) if r.source == source and r.version == 6)


def _phantom(history: History) -> None:
    swap(history, _read_of(history, "view"), head="1" * 64)


def _beyond_the_log(history: History) -> None:
    history.add(msgspec.structs.replace(_read_of(history, "view"), version=99))


def _other_view(history: History) -> None:
    swap(history, _read_of(history, "view"), shown="2" * 32)


def _other_message(history: History) -> None:
    swap(history, _read_of(history, "commit"), shown="2" * 32)


def _other_table(history: History) -> None:
    swap(history, _read_of(history, "commit"), after="2" * 32)


def _gap(history: History) -> None:
    history.records.remove(_read_of(history, "commit"))


def _twice(history: History) -> None:
    commit = _read_of(history, "commit")
    history.records.insert(history.records.index(commit), commit)


def _back_in_time(history: History) -> None:
    swap(history, _read_of(history, "view"), least=7)


def _not_there_yet(history: History) -> None:
    read = _read_of(history, "view")
    history.add(msgspec.structs.replace(read, version=0, status=409, code="version_ahead"))


def _sent_away(history: History) -> None:
    read = _read_of(history, "view")
    history.add(msgspec.structs.replace(read, version=0, status=403, code="not_seated"))


def _log(history: History, **changes: Any) -> None:
    (stored,) = history.of(Stored)
    swap(history, stored, **changes)


def _broken_chain(history: History) -> None:
    (stored,) = history.of(Stored)
    entries = [*stored.entries]
    entries[5], entries[6] = entries[6], entries[5]
    _log(history, entries=entries)


def _other_meta(history: History) -> None:
    _log(history, version=99)


def _command_twice(history: History) -> None:
    (stored,) = history.of(Stored)
    _log(history, entries=[*stored.entries, stored.entries[-1]])


def _cell(history: History, **changes: Any) -> None:
    swap(history, next(history.of(CellAt)), **changes)


def _stale_cell(history: History) -> None:
    _cell(history, cursor=3)


def _wrong_cell(history: History) -> None:
    other = next(cell for cell in history.of(CellAt) if cell.projection == "summary")
    _cell(history, value=other.value)


def _missing_row(history: History) -> None:
    history.records.remove(next(history.of(RowAt)))


def _row_too_many(history: History) -> None:
    history.add(RowAt("lobby", "all *", "nobody", 1, b""))


def _lagging(history: History) -> None:
    history.add(Group("lobby", 3, {}))


def _covered_up(history: History) -> None:
    history.add(Finding("groups", "before what was unknown was sent again, a bot was asked"))


def _parked(history: History) -> None:
    history.add(Group("bots", 0, {MATCH: "it did not fold"}))


WRONG: dict[str, tuple[Callable[[History], None], ...]] = {
    "whole": (_broken_chain, _other_meta),
    "acknowledged": (_lost, _elsewhere, _other_head, _by_another),
    "one_winner": (_two_winners,),
    "once": (_command_twice,),
    "refused": (_refused_and_there, _there_again_without_a_first),
    "repeated": (_forgotten, _accepted_anew, _any_body),
    "resolved": (_never_resolved, _resolved_wrongly),
    "in_time": (_out_of_time,),
    "no_mistake": (_mistake, _complained),
    "prefixes": (_phantom, _beyond_the_log, _other_view, _other_message, _other_table),
    "unbroken": (_gap, _twice),
    "forward": (_back_in_time, _not_there_yet),
    "seated": (_sent_away,),
    "cells": (_stale_cell, _wrong_cell),
    "rows": (_missing_row, _row_too_many),
    "groups": (_lagging, _parked, _covered_up),
}


@pytest.mark.parametrize(
    ("check", "spoil"), [(check, spoil) for check, spoils in WRONG.items() for spoil in spoils]
)
def test_each_wrong_is_found(
    check: str, spoil: Callable[[History], None], history: History
) -> None:
    spoil(history)
    assert check in found(history)


async def test_a_match_that_is_over_is_closed_unless_an_undo_is_asked_for() -> None:
    made = Made()
    await made.play()
    abort = commands.abort(made.key("abort"), "host", "aborted")
    await made.send("abort", None, {}, abort)
    logs = Logs.of(History([made.history.run, made.stored()]))
    unclosed = [f"{MATCH} is over and was never closed"]
    assert [violation.says for violation in groups(made.history, logs)] == unclosed
    told = logs[MATCH]
    assert told.past is not None
    table = told.past.tables[-1]
    assert table.state is not None
    ended = replace(table, match=table.match.but(cause=""), state=replace(table.state, pending=()))
    asking = replace(ended, match=ended.match.but(request=UndoRequest(0, 5, (1,))))
    for last, says in ((ended, unclosed), (asking, [])):
        told.past = told.past._replace(tables=(*told.past.tables[:-1], last))
        assert [violation.says for violation in groups(made.history, logs)] == says


def test_every_check_has_found_something() -> None:
    assert {check.__name__ for check in CHECKS} == set(WRONG)

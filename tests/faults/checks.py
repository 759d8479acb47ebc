"""The checks of what was sent: each takes a history and the logs, and says what is wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from games.rules import Answered
from replay.load import stored as recording
from replay.verify import verify
from services import commands
from tests.faults.history import Complaint, History, Op, Read
from tests.faults.logs import Logs, Told, Violation

TRANSIENT = 503
"""The status of refusals that say nothing of the command itself."""


def whole(history: History, logs: Logs) -> Iterator[Violation]:
    """Versions 1 to n without a gap, each following from the one before, verified with the
    server's keys; and the meta says the same."""
    for told in logs.values():
        stored = told.stored
        if told.why or told.past is None:
            yield Violation("whole", f"{told.match} does not fold: {told.why}")
            continue
        last = told.head(len(told.entries))
        if (stored.version, stored.head.hex()) != (len(told.entries), last):
            yield Violation("whole", f"{told.match}: its meta says version {stored.version}")
        pages = recording(told.match, told.entries, told.live.seal)
        report = verify(pages, seed=told.live.seed, newest=stored.head.hex())
        if not report.ok:
            yield Violation("whole", f"{told.match} is not verified: {report.bad}")


def acknowledged(history: History, logs: Logs) -> Iterator[Violation]:
    """Every acknowledged command is in the log exactly once, where its reply said."""
    for op in history.of(Op):
        if op.outcome != "ok":
            continue
        told = logs.get(op.match)
        if told is None:
            yield _of(op, "acknowledged", "there is no such match")
            continue
        found = told.versions_of(commands.command_id(op.key))
        if found != [op.version]:
            where = f"in versions {found}" if found else "nowhere in the log"
            yield _of(op, "acknowledged", f"said to be version {op.version}, it is {where}")
        elif told.head(op.version) != op.head:
            yield _of(op, "acknowledged", f"the head of version {op.version} is another one")
        elif not _is(told, op, op.version):
            yield _of(op, "acknowledged", f"version {op.version} is by another command")


def one_winner(history: History, logs: Logs) -> Iterator[Violation]:
    """Nobody is told another head of the same version, and no two commands won the same one."""
    keys: dict[tuple[str, int], set[str]] = defaultdict(set)
    for op in history.of(Op):
        if op.outcome == "ok":
            keys[op.match, op.version].add(op.key)
    for (match, version), won in keys.items():
        if len(won) > 1:
            yield Violation("one_winner", f"{match}: version {version} was won by {sorted(won)}")


def once(history: History, logs: Logs) -> Iterator[Violation]:
    """No command is in a log twice, whoever sent it."""
    for told in logs.values():
        seen: dict[bytes, int] = {}
        for version, id in enumerate(told.commands, 1):
            if id in seen:
                says = f"command {id.hex()} made versions {seen[id]} and {version}"
                yield Violation("once", f"{told.match}: {says}")
            seen[id] = version


def refused(history: History, logs: Logs) -> Iterator[Violation]:
    """What was refused is not in the log, unless another attempt under its key put it there."""
    for key, ops in _by_key(history).items():
        told = logs.get(ops[0].match)
        found = told.versions_of(commands.command_id(key)) if told else []
        if not found or told is None:
            continue
        able = [op for op in ops if op.outcome != "refused" and _is(told, op, found[0])]
        if not able:
            says = f"refused ({ops[0].status} {ops[0].code}), and yet version {found[0]}"
            yield _of(ops[0], "refused", says)
            continue
        for op in able:
            if op.outcome == "ok" and op.again and not _first(op, ops, told, found[0]):
                says = "said to be there again, but all earlier attempts had been refused"
                yield _of(op, "refused", says)


def _first(op: Op, ops: list[Op], told: Told, version: int) -> bool:
    """Whether another attempt that had begun by then may have put it there."""
    for other in ops:
        begun = other is not op and other.invoked <= op.ended
        if begun and other.outcome != "refused" and _is(told, other, version):
            return True
    return False


def repeated(history: History, logs: Logs) -> Iterator[Violation]:
    """Once acknowledged, the same command under the same key has the same outcome for ever, and
    another under it is refused as such."""
    for ops in _by_key(history).values():
        done = [op for op in ops if op.outcome == "ok"]
        if not done:
            continue
        first = min(done, key=lambda op: op.ended)
        for op in ops:
            if op is first or op.invoked < first.ended or op.status == TRANSIENT or not op.status:
                continue
            if _same(op, first):
                if op.outcome != "ok" or (op.version, op.head) != (first.version, first.head):
                    says = f"version {first.version} first, then {op.status} {op.code}"
                    yield _of(op, "repeated", f"{says} {op.version or ''}")
                elif not op.again:
                    yield _of(op, "repeated", "accepted anew, though it had been before")
            elif op.code != "key_reused":
                yield _of(op, "repeated", f"another body, {op.status} {op.code or 'accepted'}")


def resolved(history: History, logs: Logs) -> Iterator[Violation]:
    """What nobody knew, the same command under its key tells in the end, and it tells the truth."""
    for key, ops in _by_key(history).items():
        if not any(op.outcome == "unknown" for op in ops):
            continue
        last = max(ops, key=lambda op: op.ended)
        if last.outcome == "unknown":
            if not any(op.outcome == "ok" for op in ops):
                yield _of(last, "resolved", f"never: {last.status} {last.code}")
            continue
        told = logs.get(last.match)
        found = told.versions_of(commands.command_id(key)) if told else []
        if last.status == TRANSIENT or last.outcome == "ok" or last.code == "key_reused":
            continue
        if found and told and _is(told, last, found[0]):
            says = f"refused at last ({last.code}), and yet version {found[0]}"
            yield _of(last, "resolved", says)


def in_time(history: History, logs: Logs) -> Iterator[Violation]:
    """A command that was sent after another had been acknowledged comes after it in the log."""
    by_match: dict[str, list[Op]] = defaultdict(list)
    for op in history.of(Op):
        if op.outcome == "ok" and not op.again:
            by_match[op.match].append(op)
    for ops in by_match.values():
        ops.sort(key=lambda op: op.ended)
        for late in ops:
            best = max((op for op in ops if op.ended < late.invoked), default=None, key=_version)
            if best is not None and best.version >= late.version:
                says = f"version {late.version}, though {best.version} was acknowledged before"
                yield _of(late, "in_time", says)


def no_mistake(history: History, logs: Logs) -> Iterator[Violation]:
    """Nobody is ever answered that it is our mistake, and no process says so in its log."""
    for op in history.of(Op):
        if op.status == 500:
            yield _of(op, "no_mistake", f"500 {op.code}")
    for read in history.of(Read):
        if read.status in (500, 1011):
            says = f"{read.client} in {read.match}: {read.source} {read.status} {read.code}"
            yield Violation("no_mistake", says)
    for complaint in history.of(Complaint):
        if not _expected(history, complaint.line):
            yield Violation("no_mistake", f"{complaint.process}: {complaint.line}")


def _expected(history: History, line: str) -> bool:
    """A process may say that it does not come up, as long as there is no store to be found; and
    that history was lost, where a failover may lose some."""
    if '"event": "Traceback' in line:
        return ".Unavailable: " in line
    return "Application startup failed" in line or (history.run.lossy and '"history_lost"' in line)


def _by_key(history: History) -> dict[str, list[Op]]:
    """All attempts by key, in the order in which they ended."""
    found: dict[str, list[Op]] = defaultdict(list)
    for op in history.of(Op):
        found[op.key].append(op)
    return found


def _version(op: Op) -> int:
    return op.version


def _same(op: Op, other: Op) -> bool:
    """Whether two attempts are the same command; what its sender had seen is no part of it."""
    return (op.what, op.seat, _wish(op)) == (other.what, other.seat, _wish(other))


def _wish(op: Op) -> object:
    return {name: value for name, value in op.body.items() if name != "seen"}


def _is(told: Told, op: Op, version: int) -> bool:
    """Whether that version was made by what this attempt asked for."""
    if told.past is None:
        return True
    event = told.past.commits[version - 1].events[0]
    if op.what == "answer":
        made = commands.answer(b"", op.seat or 0, op.body["question"], op.body["option"])
        return made.same(told.past.commits[version - 1], told.past.tables[version - 1])
    return not isinstance(event, Answered)


def _of(op: Op, check: str, says: str) -> Violation:
    what = f"{op.what} {op.key} by {op.client} to {op.via} in {op.match}"
    return Violation(check, f"{what}, {op.invoked:.2f} to {op.ended:.2f} s: {says}")

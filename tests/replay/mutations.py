"""Closed matches of every game, and what somebody might do to a log of one."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from events import log
from games import catalog, dispute, sight
from games.dice import commitment
from games.history import Commit
from games.match import Closed, Correction, Created, Started
from games.rules import Answered
from games.sight import Fact, Viewer
from games.table import committed
from replay import files, load
from replay.export import export
from replay.load import Story
from services.cli.offline import Played, play

GAMES = sorted(catalog.GAMES)
"""Those that the verifier for outsiders knows."""


class Mutation(NamedTuple):
    """A changed file. `places` are the lines or versions that may be named, none meaning any.

    `head` is one held from elsewhere. Without it `rules` alone find the change, or nothing does
    (`untold`); with neither of the three the bytes tell it.
    """

    kind: str
    data: bytes
    places: frozenset[int] = frozenset()
    head: str = ""
    rules: bool = False
    untold: bool = False


@cache
def played(game: str, number: int) -> Played:
    found = catalog.find(game, "")
    options = found.checked_options({})
    made = asyncio.run(play(found, found.least, options, f"mutations {number}"))
    return disputed(made) if number % 2 else made


def disputed(made: Played) -> Played:
    """The same with a dispute after the close, and a ruling on it."""
    claimed = _added(made, 0, dispute.open_dispute(made.table, 0, ("4",), "0" * 64))
    correction = Correction((0,), (7,) * len(made.table.match.seats))
    ruling = dispute.rule(claimed.table, 1, "r", True, "1" * 64, correction)
    return _added(claimed, "admin", ruling)


def _added(made: Played, by: Any, events: Any) -> Played:
    table = made.table
    commit = committed(table, table.at + 1, by, table.version.to_bytes(16, "big"), 0, events)
    facts, hidden = sight.encode(commit)
    entry = log.append(made.entries[-1].head, commit.version, facts, hidden, made.seal)
    return made._replace(table=table.after(commit), entries=[*made.entries, entry])


@cache
def story(game: str, number: int) -> Story:
    match = played(game, number)
    return load.read(load.stored(match.match, match.entries, match.seal))


@cache
def lines(game: str, number: int, viewer: Viewer) -> tuple[bytes, ...]:
    return tuple(files.lines(export(story(game, number), viewer)))


def file(story: Story) -> bytes:
    return b"".join(files.lines(story))


def with_newer_kind(game: str, number: int) -> bytes:
    """The auditor's log with an event at its end of a kind that nobody knows here yet."""
    match = played(game, number)
    last = match.table.version + 1
    event = ["pumpkin_carved", 0, [0, 7], {"by": "the light of the moon"}]
    commit = [last, match.table.at, "admin", match.table.game.version, [bytes(16), 0], [event]]
    facts = msgspec.msgpack.encode(commit)
    hidden = sight.encode(match.table.game.codec.decode(facts))[1][:1]
    entry = log.append(match.entries[-1].head, last, facts, hidden, match.seal)
    stored = load.stored(match.match, [*match.entries, entry], match.seal)
    return file(load.read(stored))


class Case(NamedTuple):
    """One match as one viewer has it, and the chance of what is done to it."""

    game: str
    number: int
    viewer: Viewer
    rng: random.Random

    @property
    def lines(self) -> list[bytes]:
        return list(lines(self.game, self.number, self.viewer))

    def any(self, count: int) -> int:
        return self.rng.randrange(count)


def flipped(case: Case) -> Mutation:
    """One bit, anywhere."""
    texts = case.lines
    at = case.any(len(texts))
    changed = bytearray(texts[at])
    place = case.any(len(changed))
    changed[place] ^= 1 << case.any(7)
    texts[at] = bytes(changed)
    # Lines are held against the first one; a newline more or less moves those that follow.
    places = {at + 1, at + 2, len(texts) + 1} | ({2} if at == 0 else set())
    return Mutation("flipped", b"".join(texts), frozenset(places))


def renamed(case: Case) -> Mutation:
    """A field of the decoded commit is called otherwise, however deep it lies."""
    texts = case.lines
    at = case.any(len(texts))
    told = texts[at].index(b'"not_hashed"') + len(b'"not_hashed":')
    names = [m.span(1) for m in re.finditer(rb'"([a-z_]+)":', texts[at]) if m.start() >= told]
    begin, end = case.rng.choice(names)
    texts[at] = texts[at][:begin] + b"other_" + texts[at][end:]
    return Mutation("renamed", b"".join(texts), frozenset({at + 1}))


JUNK = (None, True, 0, -1, 2**70, 1.0, "", "auditor", [], {}, [[]], "AA==", {"hidden": True})


def retyped(case: Case) -> Mutation:
    """Something in a line is another thing altogether."""
    texts = case.lines
    at = case.rng.choice([0, case.any(len(texts))])
    made = texts[at]
    while made == texts[at]:
        row = _strewn(case, msgspec.json.decode(texts[at]))
        made = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    texts[at] = made
    return Mutation("retyped", b"".join(texts))


def _strewn(case: Case, value: Any) -> Any:
    """The value with junk in some place of it."""
    if isinstance(value, dict | list) and value and case.any(5):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = case.rng.choice(keys)
        value[key] = _strewn(case, value[key])
        return value
    return case.rng.choice(JUNK)


def swapped(case: Case) -> Mutation:
    texts = case.lines
    a, b = sorted(case.rng.sample(range(len(texts)), 2))
    texts[a], texts[b] = texts[b], texts[a]
    return Mutation("swapped", b"".join(texts), frozenset({a + 1}))


def inserted(case: Case) -> Mutation:
    """A line of another match of the same game."""
    texts = case.lines
    other = lines(case.game, case.number + 1, case.viewer)
    at = case.any(len(texts) + 1)
    texts.insert(at, other[min(at, len(other) - 1)])
    places = {at + 1, 2} if at == 0 else {at + 1}
    return Mutation("inserted", b"".join(texts), frozenset(places))


def replayed(case: Case) -> Mutation:
    texts = case.lines
    at, again = case.any(len(texts)), case.any(len(texts))
    texts.insert(at, texts[again])
    return Mutation("replayed", b"".join(texts))


def dropped(case: Case) -> Mutation:
    texts = case.lines
    at = case.any(len(texts) - 1)
    del texts[at]
    return Mutation("dropped", b"".join(texts), frozenset({at + 1}))


def cut(case: Case) -> Mutation:
    texts = case.lines
    keep = case.any(len(texts) - 1) + 1
    return Mutation("cut", b"".join(texts[:keep]), frozenset({keep + 1}))


def cut_and_counted(case: Case) -> Mutation:
    """The tail is gone, and the lines say that there never was one: only a head tells."""
    texts = case.lines
    of = len(texts)
    keep = case.any(of - 1) + 1
    counted = [text.replace(b'"of":%d,' % of, b'"of":%d,' % keep, 1) for text in texts[:keep]]
    return Mutation(
        "cut_and_counted",
        b"".join(counted),
        frozenset({keep}),
        head=_head(case, of),
        untold=True,
    )


def _head(case: Case, version: int) -> str:
    """That of the version, as somebody was given it while the match went on."""
    return f"{version}:{msgspec.json.decode(case.lines[version - 1])['head']}"


def resealed(case: Case) -> Mutation:
    """A seal is another one, and all heads are made to follow. Where it is not open to this
    viewer, only a head tells."""
    rows = _rows(case)
    whole = lines(case.game, case.number, "auditor")
    seals = [
        (n, opening.at)
        for n, text in enumerate(whole)
        for opening in msgspec.json.decode(text, type=files.Line).openings
    ]
    n, at = case.rng.choice(seals)
    public = bytearray(rows[n].public)
    public[at + case.any(32)] ^= 1 << case.any(8)
    is_open = at in [opening.at for opening in rows[n].openings]
    rows[n] = replace(rows[n], public=bytes(public))
    given = {} if is_open else {"head": _head(case, n + 1), "untold": True}
    return Mutation("resealed", _rehashed(case, rows), frozenset({n + 1}), **given)


def withheld(case: Case) -> Mutation:
    """An opening is taken out, and the decoded commit says that the part is hidden."""
    rows = _rows(case)
    opened = [n for n, row in enumerate(rows) if row.openings]
    if not opened:
        return renamed(case)
    n = case.rng.choice(opened)
    rest = list(rows[n].openings)
    del rest[case.any(len(rest))]
    rows[n] = _told(case, replace(rows[n], openings=tuple(rest)))
    return Mutation("withheld", _encoded(rows), frozenset({n + 1}))


def peeked(case: Case) -> Mutation:
    """Somebody who was not to see it has the opening of a secret."""
    rows = _rows(case)
    whole = [msgspec.json.decode(t, type=files.Line) for t in _whole(case)]
    more = [
        (n, opening)
        for n, row in enumerate(whole)
        for opening in row.openings
        if opening not in rows[n].openings
    ]
    if not more:
        return renamed(case)
    n, opening = case.rng.choice(more)
    openings = tuple(sorted((*rows[n].openings, opening)))
    rows[n] = _told(case, replace(rows[n], openings=openings))
    return Mutation("peeked", _encoded(rows), frozenset({n + 1}))


def _rows(case: Case) -> list[files.Line]:
    return [msgspec.json.decode(text, type=files.Line) for text in case.lines]


def _whole(case: Case) -> tuple[bytes, ...]:
    return lines(case.game, case.number, "auditor")


def _told(case: Case, row: files.Line) -> files.Line:
    """The line with its commit decoded as its openings have it."""
    page = log.Page(row.version, row.public, row.openings, bytes.fromhex(row.head))
    told = load.telling(catalog.find(case.game, ""), case.viewer, page).named
    return replace(row, not_hashed=told)


def _encoded(rows: list[files.Line]) -> bytes:
    return b"".join(files.encoded(row) + b"\n" for row in rows)


def _rehashed(case: Case, rows: list[files.Line]) -> bytes:
    created = story(case.game, case.number).created
    head, out = log.genesis(created["match"], created["game"], created["rules"]), []
    for row in rows:
        head = log.sha256(head + row.public).digest()
        out.append(replace(row, head=head.hex()))
    return _encoded(out)


def other_seed(case: Case) -> Mutation:
    """Another seed is revealed than the one committed to, or what is no seed at all."""
    commits = _commits(case)
    at = _place(commits, Closed)
    seed = case.rng.choice([case.rng.randbytes(32).hex(), "pumpkin", ""])
    commits[at] = replace(commits[at], events=(Closed(seed),))
    return Mutation("other_seed", _rewritten(case, commits), frozenset({at + 1}))


def other_chance(case: Case) -> Mutation:
    """Another seed is revealed, and the commitment in the first line is made to fit it."""
    commits = _commits(case)
    seed = case.rng.randbytes(32)
    created: Any = commits[0].events[0]
    assert isinstance(created, Created)
    made = replace(created, commitment=commitment(seed))
    commits[0] = replace(commits[0], events=(made,))
    at = _place(commits, Closed)
    commits[at] = replace(commits[at], events=(Closed(seed.hex()),))
    data = _rewritten(case, commits)
    return Mutation("other_chance", data, frozenset({1}), head=_head(case, 1), rules=True)


def other_result(case: Case) -> Mutation:
    """An event of play says something else, or is gone; all heads are made to follow."""
    commits = _commits(case)
    of_play = [n for n, c in enumerate(commits) if isinstance(c.events[0], Answered | Started)]
    while True:
        at = case.rng.choice(of_play)
        changed = _changed(case, commits[at])
        if changed is None or changed == commits[at]:
            continue
        try:
            data = _rewritten(case, [*commits[:at], changed, *commits[at + 1 :]])
        except (load.Unreadable, msgspec.ValidationError):
            continue  # such a file cannot even be written
        # What of it somebody else saw, only the auditor's log can prove.
        found = {"rules": True} if case.viewer == "auditor" else {"untold": True}
        head = _head(case, at + 1)
        return Mutation("other_result", data, frozenset({at + 1}), head=head, **found)


def _changed(case: Case, commit: Commit[Any]) -> Commit[Any] | None:
    events = list(commit.events)
    n = case.any(len(events))
    way = case.any(3)
    if way == 0 and len(events) > 1 and n > 0:
        del events[n]
    elif way == 1:
        return replace(commit, private=replace(commit.private, draws=commit.private.draws + 1))
    else:
        found = _other(case, events[n])
        if found is None:
            return None
        events[n] = found
    return replace(commit, events=tuple(events))


def _other(case: Case, fact: Any) -> Any:
    """The same fact with one of its numbers raised."""
    numbers = [
        name
        for name in fact.__struct_fields__
        if type(getattr(fact, name)) is int or isinstance(getattr(fact, name), Fact)
    ]
    if not numbers:
        return None
    name = case.rng.choice(numbers)
    value = getattr(fact, name)
    inner = value + 1 if type(value) is int else _other(case, value)
    return None if inner is None else replace(fact, **{name: inner})


def _commits(case: Case) -> list[Commit[Any]]:
    match = played(case.game, case.number)
    codec = catalog.find(case.game, "").codec
    return [codec.decode(entry.facts) for entry in match.entries]


def _place(commits: list[Commit[Any]], kind: type[Any]) -> int:
    return next(n for n, commit in enumerate(commits) if isinstance(commit.events[0], kind))


def _rewritten(case: Case, commits: list[Commit[Any]]) -> bytes:
    """The log that such commits would have made, in every byte as it should be."""
    match, game = played(case.game, case.number), catalog.find(case.game, "")
    head, entries = log.genesis(match.match, game.id, commits[0].rules), []
    for commit in commits:
        facts, hidden = sight.encode(commit)
        entries.append(log.append(head, commit.version, facts, hidden, match.seal))
        head = entries[-1].head
    made = load.read(load.stored(match.match, entries, match.seal))
    return b"".join(files.lines(export(made, case.viewer)))


KINDS: tuple[Callable[[Case], Mutation], ...] = (
    flipped,
    renamed,
    retyped,
    swapped,
    inserted,
    replayed,
    dropped,
    cut,
    cut_and_counted,
    resealed,
    withheld,
    peeked,
    other_seed,
    other_chance,
    other_result,
)


def mutation(number: int) -> Mutation:
    """Mutation `number`: game, viewer and kind follow from it."""
    rng = random.Random(number)
    game = rng.choice(GAMES)
    viewer: Viewer = rng.choice(["auditor", "auditor", "auditor", 0, 1, "spectator"])
    case = Case(game, rng.randrange(2), viewer, rng)
    return rng.choice(KINDS)(case)

"""Draws that a cut log shows are made again beyond the table that its viewer can know."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from events import log
from games import catalog, sight
from games.history import standing
from games.masked_mischief.events import DieRolled
from games.masked_mischief.game import GAME
from games.match import Reverted
from games.rules import Refused
from games.sight import Viewer
from replay.draws import _told
from replay.fold import fold
from replay.load import Recording
from replay.report import Report
from replay.verify import verify
from tests.play import MATCH, Match, random_match
from tests.replay.recordings import closed, recording, story, whole

Change = Any


@pytest.fixture(scope="module")
def played() -> Match:
    """A match in which answers were taken back, also after the first hidden choice."""
    match = random_match(GAME, 3, undo=0.05)
    closed(match, match.seed)
    reverted = [c.version for c in match.commits if isinstance(c.events[0], Reverted)]
    assert reverted[-1] > known(match)
    return match


def known(match: Match, viewer: Viewer = "spectator") -> int:
    """The last version that the viewer can fold."""
    return fold(story(match, viewer)).version


def forged(match: Match, viewer: Viewer, version: int, change: Change) -> Recording:
    """The viewer's log with a commit's raw facts changed, all heads made anew."""
    given = recording(match, viewer)

    def kept(code: int, seal: memoryview) -> Any:
        return msgspec.msgpack.Ext(code, bytes(seal))

    head, pages = log.genesis(MATCH, GAME.id, GAME.version), []
    for page in given.pages:
        if page.version == version:
            raw = msgspec.msgpack.decode(page.public, ext_hook=kept)
            change(raw)
            page = page._replace(public=msgspec.msgpack.encode(raw))
        head = log.sha256(head + page.public).digest()
        pages.append(page._replace(head=head))
    return given._replace(pages=tuple(pages))


def rolls(match: Match) -> list[int]:
    """Versions that show a die which the spectator can't fold."""
    return [
        commit.version
        for commit in match.commits[known(match) :]
        if any(isinstance(event, DieRolled) for event in commit.events)
    ]


def said(report: Report) -> str:
    return "\n".join(check.says for check in report.checks if check.name == "rules")


@pytest.mark.parametrize("viewer", ["spectator", 0])
def test_all_that_were_shown_are_what_the_seed_gives(played: Match, viewer: Viewer) -> None:
    report = verify(recording(played, viewer))
    assert report.ok, report.bad
    assert "draws shown after version" in said(report)
    assert "may be draws" in said(report)
    undone = {c.version for c in played.commits} - {c.version for c in standing(played.commits)}
    assert undone & set(rolls(played)), "a die that was taken back is made again as well"
    if viewer == "spectator":
        assert f"{len(rolls(played))} draws shown after" in said(report)


def test_a_forged_die_is_found_by_its_version(played: Match) -> None:
    for version in rolls(played)[:: max(1, len(rolls(played)) // 8)]:

        def other(raw: Any) -> None:
            die = next(event for event in raw[5] if event[0] == "die_rolled")
            die[2] = die[3] = die[2] % 8 + 1

        report = verify(forged(played, "spectator", version, other))
        assert report.bad is not None and report.bad.version == version
        assert report.checks[-1].name == "rules" and "outcome of chance" in report.bad.why


def test_before_the_seed_is_revealed_nothing_is_made_again() -> None:
    match = random_match(GAME, 3)
    report = verify(recording(match, "spectator"))
    assert report.ok and "draws shown" not in said(report)


def with_event(raw: Any, event: list[Any]) -> None:
    raw[5].insert(1, event)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda raw: with_event(raw, ["die_rolled", 0, "6", 6]), "no rules give such an event"),
        (lambda raw: with_event(raw, ["reverted", 10_000]), ""),
        (lambda raw: raw.__setitem__(5, [["reverted", 10_000]]), "which is none before it"),
        (lambda raw: raw.__setitem__(5, [["replaced", 99, "p"]]), "does not follow"),
    ],
)
def test_what_cannot_be_is_found(played: Match, change: Change, why: str) -> None:
    version = rolls(played)[0]
    report = verify(forged(played, "spectator", version, change))
    assert report.bad is None if not why else (report.bad and report.bad.version) == version
    assert why in str(report.bad)


def test_after_what_only_a_newer_version_knows_nothing_of_the_commit_is_made_again(
    played: Match,
) -> None:
    version = rolls(played)[0]
    report = verify(forged(played, "spectator", version, lambda raw: with_event(raw, ["later", 1])))
    assert report.ok and f"{len(rolls(played)) - 1} draws shown" in said(report)


def test_what_other_rules_drew_is_not_made_again(
    played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does anybody's log prove it here, which is said."""
    monkeypatch.setitem(catalog.GAMES, GAME.id, msgspec.structs.replace(GAME, rules=99))
    report = verify(recording(played, "spectator"))
    assert report.ok and "draws shown" not in said(report)
    assert "decided under other rules, which no log can prove here" in said(report)
    assert "the rest only the auditor's log can prove" not in said(report)


def test_versions_of_other_rules_are_named(played: Match) -> None:
    version = rolls(played)[0]
    report = verify(forged(played, "spectator", version, other_rules))
    assert report.ok and f"versions {version} were decided under other rules" in said(report)
    assert f"{len(rolls(played)) - 1} draws shown" in said(report)


def other_rules(raw: Any) -> None:
    raw[3] = "0.00000000"


@pytest.mark.parametrize("kind", [[], {}, 5, None])
def test_what_is_no_event_of_any_rules(played: Match, kind: Any) -> None:
    version = rolls(played)[0]

    def change(raw: Any) -> None:
        raw[5].append([kind, 1])

    report = verify(forged(played, "spectator", version, change))
    assert report.bad is not None and report.bad.version == version


def test_a_match_that_the_rules_do_not_know_any_more_has_no_set_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start(seats: int, options: Any) -> Any:
        raise Refused("bad_seats", "no more")

    match = whole()
    changed = msgspec.structs.replace(match.game, rules=99, start=start)
    monkeypatch.setitem(catalog.GAMES, changed.id, changed)
    report = verify(recording(match, "spectator"))
    assert report.ok and "draws shown" not in said(report)


def test_hidden_kinds_and_parts_are_told_apart() -> None:
    assert _told(GAME, sight.HIDDEN, 1, True) == (None, None)
    stolen = ["treat_stolen", 0, 1, 2, [0, 1], sight.HIDDEN]
    kind, event = _told(GAME, stolen, 1, True)
    assert kind is not None and kind.__name__ == "TreatStolen" and event is None
    assert _told(GAME, ["die_rolled", 0, "6", 6], 1, False)[1] is None

"""What a log proves, and what each kind of tampering is found by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from events import log
from games import catalog, dispute, sight, undo
from games.history import Commit
from games.match import (
    Aborted,
    Closed,
    ClosedSealed,
    Correction,
    Reverted,
    SeatTaken,
    UndoAgreed,
)
from games.referee import WordsRemoved
from games.rules import Answer
from games.sight import Viewer
from games.table import Table
from replay import survey
from replay.load import Recording
from replay.verify import Bad, Report, verify, verify_file
from tests.play import MATCH, SECRET, SEED, Match
from tests.replay.recordings import (
    begun,
    closed,
    data,
    open_hands,
    recording,
    short,
    state,
    verified,
    whole,
)
from tests.toy.pumpkin_patch.events import Dealt, Over
from tests.toy.pumpkin_patch.game import GAME


def bad(report: Report) -> tuple[str, int | None]:
    """The check that failed and the version it names; it is the last one that was looked at."""
    assert not report.ok and report.bad is not None
    failed = report.checks[-1]
    assert failed.state == "failed" and failed.says == report.bad.why
    return failed.name, report.bad.version


def with_page(given: Recording, version: int, **changes: Any) -> Recording:
    pages = list(given.pages)
    pages[version - 1] = pages[version - 1]._replace(**changes)
    return given._replace(pages=tuple(pages))


def rehashed(given: Recording) -> Recording:
    """The same pages with heads that follow: what somebody who rewrites a log would do."""
    head, pages = log.genesis(MATCH, GAME.id, GAME.version), []
    for page in given.pages:
        head = log.sha256(head + page.public).digest()
        pages.append(page._replace(head=head))
    return given._replace(pages=tuple(pages))


def test_the_auditors_log_of_a_closed_match_proves_everything() -> None:
    report = verified(whole())
    assert report.ok and {check.state for check in report.checks} == {"ok"}
    names = ["chain", "openings", "seed", "fold", "views", "rules", "end"]
    assert [c.name for c in report.checks] == names
    assert (report.game, report.match, report.viewer) == (GAME.id, MATCH, "auditor")


def test_before_the_close_rules_and_seed_are_not_known() -> None:
    report = verified(begun())
    assert report.ok
    assert [state(report, name) for name in ("seed", "rules", "end")] == ["unknown"] * 3


def test_the_server_itself_decides_again_before_the_close() -> None:
    report = verify(recording(begun()), seed=SEED)
    assert report.ok and state(report, "rules") == "ok" and state(report, "seed") == "unknown"


def test_a_match_with_an_undo_verifies() -> None:
    match = begun()
    before = len(match.commits)
    match.answer(0, match.form(0).options[0])
    match.commit("host", Reverted(before))
    match.answer(0, match.form(0).options[-1])
    report = verified(closed_early(match))
    assert report.ok and state(report, "rules") == "ok"


def test_words_that_were_removed_while_a_dispute_waited_are_found() -> None:
    """By who had the server's secrets; and so is a removal that no admin sent."""
    for by, ruled, why in (("admin", False, "refuse"), ("host", True, "who could not have")):
        match = begun()
        match.commit(0, *dispute.open_dispute(match.table, 0, ("4",), "claim"))
        said = len(match.commits)
        if ruled:
            match.commit("admin", *dispute.rule(match.table, 1, "r", True, "why"))
        match.commit(by, WordsRemoved(1, said, "r"))
        version = len(match.commits)
        bad = verified(closed_early(match)).bad
        assert bad is not None and bad.version == version and why in bad.why


def test_undo_and_disputes_are_decided_again_as_well() -> None:
    match = begun()
    before = len(match.commits)
    match.answer(0, match.form(0).options[0])
    for decide in (
        lambda: undo.ask(match.table, match.commits, 0, before),
        lambda: undo.decline(match.table, 1),
        lambda: undo.ask(match.table, match.commits, 1, before),
        lambda: undo.expire(match.table),
        lambda: undo.ask(match.table, match.commits, 1, before),
        lambda: undo.agree(match.table, 0),
    ):
        match.commit("host", *decide())
    closed_early(match)
    said = len(match.commits) + 1
    for by, decide in (
        (0, lambda: dispute.open_dispute(match.table, 0, ("5", "5.1"), "claim")),
        ("admin", lambda: dispute.note(match.table, 1, "referee", "note")),
        ("admin", lambda: dispute.rule(match.table, 1, "referee", False, "reason")),
        (1, lambda: dispute.appeal(match.table, 1, 1, "claim")),
        (
            "admin",
            lambda: dispute.rule(
                match.table, 1, "referee", True, "reason", Correction((1,), (0, 5))
            ),
        ),
        ("admin", lambda: dispute.remove(match.table, match.commits, 1, said, "referee")),
    ):
        match.commit(by, *decide())
    report = verified(match)
    assert report.ok and {check.state for check in report.checks} == {"ok"}
    assert "won by 1" in str(report.checks)
    seats = verified(match, 0)
    assert seats.ok


def test_a_ruling_that_empties_a_seat_or_ends_the_match_is_decided_again() -> None:
    for how in ({"vacate": 1}, {"end": (0,)}, {"end": ()}):
        match = begun(3)
        match.commit(0, *dispute.open_dispute(match.table, 0, ("4",), "claim"))
        match.commit("admin", *dispute.rule(match.table, 1, "r", True, "why", **how))
        if match.table.status != "over":
            match.commit("host", Aborted("aborted"))
        assert verified(closed(match)).ok


@pytest.mark.parametrize("by", ["host", 0, "system"])
def test_a_repair_that_no_referee_signs_for_is_found(by: Any) -> None:
    match = closed_early(begun())
    match.commit(1, *dispute.open_dispute(match.table, 1, ("4",), "claim"))
    match.commit(by, *dispute.rule(match.table, 1, "r", True, "why", Correction((1,), (0, 5))))
    assert bad(verified(match)) == ("rules", len(match.commits))


def test_a_claim_that_another_seat_made_is_found() -> None:
    match = closed_early(begun())
    match.commit(0, *dispute.open_dispute(match.table, 1, ("4",), "claim"))
    assert bad(verified(match)) == ("rules", len(match.commits))


def test_an_undo_that_nobody_asked_for_is_found() -> None:
    match = begun()
    match.commit(0, UndoAgreed(0))
    assert bad(verified(closed_early(match))) == ("rules", 5)


def test_what_an_undo_costs_is_for_the_auditor_to_know() -> None:
    match = begun()
    match.answer(0, match.form(0).options[0])
    match.commit(0, *undo.ask(match.table, match.commits, 0, 4))
    report = verified(closed_early(match), 0)
    assert report.ok and "ask for an undo" in str(report.checks)


def test_events_that_only_a_newer_version_knows_are_not_decided_again() -> None:
    match = begun()
    facts = msgspec.msgpack.encode([5, 5, 0, GAME.version, [bytes(16), 0], [["later", 1]]])
    private = facts.index(b"\x92\xc4\x10")
    hidden = [(private, private + 20, ())]
    match.entries.append(log.append(match.entries[-1].head, 5, facts, hidden, match.seal))
    report = verify(recording(match), seed=SEED)
    assert report.ok and "versions 5 hold events of a kind" in str(report.checks)


def closed_early(match: Match) -> Match:
    match.commit("host", Aborted("aborted"))
    return closed(match)


def test_a_viewers_log_says_what_only_the_auditors_can_prove() -> None:
    report = verified(whole(), 0)
    assert report.ok
    says = [check.says for check in report.checks if check.name == "rules"]
    assert says[0].startswith("5 commands decided again")
    assert "only the auditor's log can prove" in says[-1] and "hidden from seat 0" in says[-1]


@pytest.mark.parametrize("viewer", [0, "spectator"])
@pytest.mark.parametrize("make", [begun, short, whole, open_hands])
def test_every_cut_log_says_in_one_line_what_only_the_auditors_proves(
    make: Callable[[], Match], viewer: Viewer
) -> None:
    """Also where its viewer can fold it to the end, and before the seed is known."""
    match = make()
    (check,) = [c for c in verified(match, viewer).checks if c.name == "sealed"]
    assert check.state == "unknown" and "only the auditor's log can prove" in check.says
    seals = sum(len(page.openings) for page in recording(match).pages)
    mine = sum(len(page.openings) for page in recording(match, viewer).pages)
    assert f" {seals - mine} seals " in check.says
    assert "sealed" not in [c.name for c in verified(match).checks]


def test_every_view_that_can_be_made_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    match = whole()
    (says,) = [c.says for c in verified(match).checks if c.name == "views"]
    assert says.startswith(f"{4 * len(match.commits)} views made")
    made = Table.pieces

    def pieces(table: Table, viewer: Viewer) -> dict[str, Any]:
        if table.version == 6 and viewer == 1:
            raise KeyError("a card")
        return made(table, viewer)

    monkeypatch.setattr(Table, "pieces", pieces)
    report = verified(match)
    assert bad(report) == ("views", 6) and "the view of seat 1" in report.checks[-1].says
    monkeypatch.setitem(catalog.GAMES, GAME.id, msgspec.structs.replace(GAME, rules=2))
    report = verified(match)
    assert report.ok and state(report, "views") == "unknown"
    assert "versions 6 follow from other rules" in str(report.checks)


@pytest.mark.parametrize("viewer", [0, "spectator"])
def test_before_the_close_a_viewer_knows_the_table_up_to_the_deal(viewer: Viewer) -> None:
    report = verified(begun(), viewer)
    assert report.ok and "version 3; then the seed" in str(report.checks)


@pytest.mark.parametrize("viewer", [0, 1, "spectator", "auditor"])
def test_a_deal_that_the_seed_does_not_give_is_found_by_everybody(viewer: Viewer) -> None:
    match = Match(GAME, 2)
    events, draws = match.table.start(SEED)
    dealt = next(at for at, event in enumerate(events) if isinstance(event, Dealt))
    hands = events[dealt].hands
    events[dealt] = msgspec.structs.replace(events[dealt], hands=hands[::-1])
    match.commit("host", *events, draws=draws)
    report = verified(closed_early(match), viewer)
    if viewer == "spectator":
        # It sees no hand, so no hand is wrong to it.
        assert report.ok
    else:
        assert bad(report) == ("rules", 4)


def forged(**how: Any) -> Match:
    """The last answer before the end gives `events` or `draws` of its own."""
    match = open_hands()
    option = match.form(1).options[0]
    asked = match.state.pending[-1].id
    events, draws = match.table.answer(1, Answer(asked, option), SEED)
    by = how.get("by", 1)
    match.commit(by, *how.get("events", events), draws=how.get("draws", draws))
    return closed_early(match)


def test_events_that_the_rules_do_not_give_are_found() -> None:
    assert bad(verified(forged(events=[*begun_events(), Over()]))) == ("rules", 8)
    assert bad(verified(forged(draws=7))) == ("rules", 8)
    assert bad(verified(forged(by=0))) == ("rules", 8)
    assert verified(forged()).ok


def begun_events() -> list[Any]:
    match = open_hands()
    asked = match.state.pending[-1].id
    return match.table.answer(1, Answer(asked, match.form(1).options[0]), SEED)[0]


def test_an_answer_that_was_not_allowed_is_found() -> None:
    match = begun()
    events = list(match.answer(0, match.form(0).options[0]))
    other = Match.started(GAME, 2)
    other.commit(0, msgspec.structs.replace(events[0], question="3.1"))
    report = verified(closed_early(other))
    assert bad(report)[0] == "rules" and "refuse" in report.checks[-1].says


def test_a_seat_taken_twice_is_found() -> None:
    match = Match(GAME, 2)
    match.commit(1, SeatTaken(1, "thief", ""))
    match.commit("host", Closed(SEED.hex()))
    assert bad(verified(match)) == ("rules", 4)


def test_a_seed_other_than_the_one_committed_to_is_found() -> None:
    match = begun()
    match.commit("system", Closed(b"another seed".hex()))
    assert bad(verified(match)) == ("seed", 5)


@pytest.mark.parametrize("version", [1, 3, 8])
def test_changed_bytes_break_the_chain_at_their_version(version: int) -> None:
    given = recording(whole())
    public = bytearray(given.pages[version - 1].public)
    public[-1] ^= 1
    name, found = bad(verify(with_page(given, version, public=bytes(public))))
    assert found == version and name in ("chain", "read")


def test_an_opening_that_does_not_fit_is_found() -> None:
    given = recording(whole())
    opening = given.pages[3].openings[0]
    wrong = opening._replace(value=opening.value + b"\0")
    assert bad(verify(with_page(given, 4, openings=(wrong,))))[1] == 4


@pytest.mark.parametrize("viewer", ["auditor", 0])
def test_an_opening_that_is_due_and_withheld_is_found(viewer: Viewer) -> None:
    given = recording(whole(), viewer)
    assert bad(verify(with_page(given, 4, openings=given.pages[3].openings[:-1]))) == (
        "openings",
        4,
    )


def test_an_opening_that_is_not_the_viewers_is_found() -> None:
    match = whole()
    mine, others = recording(match, 0), recording(match, 1)
    both = sorted((*mine.pages[3].openings, *others.pages[3].openings))
    assert bad(verify(with_page(mine, 4, openings=tuple(both)))) == ("openings", 4)
    assert bad(verify(mine._replace(viewer=1))) == ("openings", 4)


def test_a_log_under_another_name_is_found() -> None:
    assert bad(verify(recording(short())._replace(match="other"))) == ("chain", 1)


def test_versions_that_are_missing_or_doubled_are_found() -> None:
    given = recording(whole())
    assert bad(verify(given._replace(pages=given.pages[1:]))) == ("read", 1)
    assert bad(verify(given._replace(pages=given.pages[:4] + given.pages[5:]))) == ("chain", 5)
    assert bad(verify(given._replace(pages=given.pages[:4] + given.pages[3:]))) == ("chain", 5)
    assert bad(verify(given._replace(pages=()))) == ("read", 1)


def rewritten(match: Match, at_version: int, **changes: Any) -> Match:
    """The match with a commit that says something else of itself, chained as it should be."""
    commit: Commit[Any] = msgspec.structs.replace(match.commits[at_version - 1], **changes)
    facts, hidden = sight.encode(commit)
    head = match.entries[at_version - 2].head
    seal = log.sealer(SECRET, MATCH)
    match.entries[at_version - 1 :] = [log.append(head, at_version, facts, hidden, seal)]
    return match


def test_a_commit_that_says_another_version_or_an_earlier_time_is_found() -> None:
    assert bad(verified(rewritten(begun(), 4, version=7))) == ("chain", 4)
    assert bad(verified(rewritten(begun(), 4, at=1))) == ("chain", 4)


def test_a_commit_that_is_none_is_found_even_where_its_hash_is_right() -> None:
    given = recording(short())
    for public in (b"\x90", b"\xc1", msgspec.msgpack.encode([4, 4, 0, "r", 0, []])):
        assert bad(verify(rehashed(with_page(given, 4, public=public, openings=()))))[1] == 4
    nameless = msgspec.msgpack.encode(["4", 4, 0, "r", 0, [["over"]]])
    assert bad(verify(rehashed(with_page(given, 4, public=nameless, openings=())))) == ("read", 4)


def test_events_that_cannot_be_folded_are_found() -> None:
    match = Match(GAME, 2)
    assert bad(verified(rewritten(match, 3, events=(Over(),)))) == ("fold", 3)


def test_other_rules_are_said_and_not_decided_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match = whole()
    monkeypatch.setitem(catalog.GAMES, GAME.id, msgspec.structs.replace(GAME, rules=2))
    report = verified(match)
    assert report.ok and state(report, "rules") == "unknown"
    assert f"versions 1-{len(match.commits)} were decided under rules 1." in str(report.checks)
    assert "no command could be decided again" in str(report.checks)
    assert "0 commands" not in str(report.checks)
    assert verified(match, 0).ok


@pytest.mark.parametrize("viewer", ["auditor", 0])
def test_without_its_game_all_but_the_rules_is_checked(
    monkeypatch: pytest.MonkeyPatch, viewer: Viewer
) -> None:
    match = short()
    given, lines = recording(match, viewer), data(match, viewer)
    monkeypatch.delitem(catalog.GAMES, GAME.id)
    report = verify_file(lines)
    assert report.ok and report.game == GAME.id
    for name in ("chain", "lines", "openings", "seed", "end"):
        assert state(report, name) == "ok", name
    assert state(report, "rules") == "unknown" and "no game 'pumpkin-patch'" in str(report.checks)
    assert bad(verify(with_page(given, 3, public=b"x"))) == ("chain", 3)
    assert bad(verify(with_page(given, 1, public=b"x"))) == ("read", 1)
    assert bad(verify(given, "0" * 64)) == ("end", len(given.pages))
    spaced = lines.replace(b'"not_hashed":{', b'"not_hashed": {', 1)
    assert verify_file(spaced).bad == Bad(
        "its bytes are not those that its commit is written in", line=1
    )


def test_without_its_game_another_seed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun()
    match.commit("system", Closed(b"another seed".hex()))
    monkeypatch.delitem(catalog.GAMES, GAME.id)
    assert bad(verified(match)) == ("seed", 5)


def test_without_its_edition_the_facts_are_those_of_its_game() -> None:
    match = Match(GAME, 2)
    created = msgspec.structs.replace(match.commits[0].events[0], edition="mine")
    match.entries.clear()
    match.commits.clear()
    match.past = match.past[:1]
    match.commit("host", created)
    for seat in (0, 1):
        match.commit(seat, SeatTaken(seat, f"p{seat}", ""))
    match.commit("host", Aborted("aborted"))
    closed(match)
    report = verified(match)
    assert report.ok and "has no edition 'mine' here" in str(report.checks)
    assert [c.name for c in report.checks] == ["chain", "openings", "seed", "rules", "end"]
    given = recording(match)
    assert bad(verify(with_page(given, 2, openings=given.pages[2].openings)))[1] == 2
    withheld = with_page(given, 2, openings=())
    assert bad(verify(withheld)) == ("openings", 2)
    assert survey.judged(given, SEED).state == "broken"


def test_what_a_store_cannot_read_fails_where_nothing_before_does() -> None:
    given = recording(short())
    unread = Bad("the entry cannot be read", 4)
    begin = given._replace(pages=given.pages[:3])
    assert bad(verify(begin, "0" * 64, unread=unread)) == ("read", 4)
    assert bad(verify(begin, newest="00", unread=unread)) == ("end", 3)
    assert bad(verify(with_page(begin, 2, head=bytes(32)), unread=unread)) == ("chain", 2)
    assert bad(verify(given._replace(pages=()), unread=unread)) == ("read", 4)


def test_a_head_held_from_elsewhere_finds_a_tail_that_is_gone() -> None:
    match = whole()
    heads = [entry.head.hex() for entry in match.entries]
    assert state(verified(match, head=heads[5].upper()), "end") == "ok"
    del match.entries[-3:]
    assert verified(match).ok, "without it nothing tells that the log was longer"
    assert bad(verified(match, head=heads[-1])) == ("end", len(match.entries))


def test_the_seed_of_a_match_whose_option_keeps_it_is_for_the_auditor() -> None:
    match = begun()
    match.commit("host", Aborted("aborted"))
    match.commit("system", ClosedSealed(SEED.hex()))
    assert state(verified(match, 1), "seed") == "unknown"
    assert "auditor alone" in str(verified(match, 1).checks)
    assert verified(match, 1).ok

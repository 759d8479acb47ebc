"""From a claim to a ruling and an appeal: each a commit, none an edit."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from games import dispute
from games.dispute import MOST
from games.match import Aborted, Correction, Dispute, Forfeited, Kicked
from games.referee import Appealed, DisputeNoted, DisputeOpened, Ruled, WordsRemoved
from games.rules import Refused, Result
from tests.play import Match
from tests.toy.pumpkin_patch.game import GAME

CLAIM, REASON = (sha256(text).hexdigest() for text in (b"I had a five", b"You had not"))


def running() -> Match:
    return Match.started(GAME, 3)


def disputed(match: Match) -> Match:
    events = dispute.open_dispute(match.table, 1, ("5", "5.2"), CLAIM)
    match.commit(1, *events)
    return match


def refusal(code: str, command: Any) -> None:
    with pytest.raises(Refused) as refused:
        command()
    assert refused.value.code == code


def test_a_seat_claims_that_steps_were_wrong() -> None:
    match = disputed(running())
    assert match.commits[-1].events == (DisputeOpened(1, ("5", "5.2"), CLAIM),)
    assert match.table.match.disputes == (Dispute(1, ("5", "5.2"), CLAIM),)
    assert match.asked.seats == (0, 1, 2), "play goes on"


def test_a_claim_that_makes_no_sense_is_refused() -> None:
    match = running()
    for steps in ((), ("0",), ("6",), ("x",), ("5.1.1",), ("5", "٣"), ("1" * 30,)):
        refusal("no_such_step", lambda s=steps: dispute.open_dispute(match.table, 1, s, CLAIM))
    refusal("no_such_seat", lambda: dispute.open_dispute(match.table, 3, ("5",), CLAIM))
    refusal("not_started", lambda: dispute.open_dispute(Match(GAME, 2).table, 1, ("1",), CLAIM))
    for _ in range(MOST):
        disputed(match)
    refusal("too_many_disputes", lambda: disputed(match))


def test_a_referee_notes_and_rules_and_a_seat_appeals() -> None:
    match = disputed(running())
    match.commit("admin", *dispute.note(match.table, 1, "r1", REASON))
    assert match.commits[-1].events == (DisputeNoted(1, "r1", REASON),)
    refusal("not_ruled", lambda: dispute.appeal(match.table, 1, 1, CLAIM))
    match.commit("admin", *dispute.rule(match.table, 1, "r1", False, REASON))
    assert match.commits[-1].events == (Ruled(1, "r1", False, REASON),)
    assert match.table.match.disputes[0].upheld is False
    refusal("already_ruled", lambda: dispute.rule(match.table, 1, "r2", True, REASON))
    match.commit(1, *dispute.appeal(match.table, 1, 1, CLAIM))
    assert match.commits[-1].events == (Appealed(1, 1, CLAIM),)
    assert match.table.match.disputes[0].state == "appealed"
    match.commit("admin", *dispute.rule(match.table, 1, "r2", True, REASON))
    assert match.table.match.disputes[0].upheld is True
    refusal("no_such_dispute", lambda: dispute.note(match.table, 2, "r1", REASON))
    refusal("no_such_dispute", lambda: dispute.rule(match.table, 0, "r1", True, REASON))


def test_a_result_is_corrected_and_the_game_left_as_it_was() -> None:
    match = disputed(running())
    right = Correction((2,), (1, 2, 30))
    refusal("not_over", lambda: dispute.rule(match.table, 1, "r1", True, REASON, right))
    match.play(lambda n: 0)
    was = match.state
    short = Correction((2,), (1,))
    refusal("bad_correction", lambda: dispute.rule(match.table, 1, "r1", True, REASON, short))
    nobody = Correction((7,), (1, 2, 3))
    refusal("no_such_seat", lambda: dispute.rule(match.table, 1, "r1", True, REASON, nobody))
    match.commit("admin", *dispute.rule(match.table, 1, "r1", True, REASON, right))
    assert match.table.result == Result((2,), (1, 2, 30), "corrected")
    assert match.state == was


def test_a_ruling_may_empty_a_seat_or_end_the_match() -> None:
    match = disputed(running())
    gone = dispute.rule(match.table, 1, "r1", True, REASON, vacate=0)
    assert gone[1:] == (Kicked(0),)
    for end, last in (((2,), Forfeited((2,))), ((), Aborted("aborted"))):
        events = dispute.rule(match.table, 1, "r1", True, REASON, end=end)
        assert events[1:] == (last,)
    refusal("no_such_seat", lambda: dispute.rule(match.table, 1, "r", True, REASON, end=(9,)))
    match.commit("admin", *gone)
    match.commit(1, *dispute.appeal(match.table, 1, 1, CLAIM))
    refusal("seat_open", lambda: dispute.rule(match.table, 1, "r", True, REASON, vacate=0))
    match.commit("admin", *dispute.rule(match.table, 1, "r1", True, REASON, end=(2,)))
    assert match.table.result == Result((2,), (None, None, None), "forfeited")
    match.commit(1, *dispute.appeal(match.table, 1, 1, CLAIM))
    refusal("match_over", lambda: dispute.rule(match.table, 1, "r", True, REASON, end=(1,)))


def test_the_log_is_held_while_a_dispute_waits() -> None:
    match = Match.started(GAME, 2)
    assert not dispute.held(match.table.match)
    match.commit(0, *dispute.open_dispute(match.table, 0, ("4",), CLAIM))
    assert dispute.held(match.table.match)
    match.commit("admin", *dispute.rule(match.table, 1, "r1", True, REASON))
    assert not dispute.held(match.table.match)
    match.commit(1, *dispute.appeal(match.table, 1, 1, CLAIM))
    assert dispute.held(match.table.match)


def test_words_are_removed_once_no_dispute_waits_and_the_log_says_so() -> None:
    match = disputed(disputed(running()))
    said = len(match.commits)
    match.commit("admin", *dispute.note(match.table, 2, "r1", REASON))

    def remove(number: int, version: int) -> Any:
        return dispute.remove(match.table, match.commits, number, version, "ref_1")

    refusal("dispute_open", lambda: remove(2, said))
    match.commit("admin", *dispute.rule(match.table, 2, "r1", True, REASON))
    with pytest.raises(Refused, match="dispute 1 of the match waits") as refused:
        remove(2, said)
    assert refused.value.code == "dispute_open"
    match.commit("admin", *dispute.rule(match.table, 1, "r1", True, REASON))
    for number, version in [(1, said), (2, 1), (2, 0), (2, 99), (1, said + 1)]:
        refusal("no_such_dispute", lambda n=number, v=version: remove(n, v))
    refusal("no_such_dispute", lambda: remove(3, said))
    before = match.table.match
    for number, version in [(2, said), (1, said - 1), (2, said + 1)]:
        assert remove(number, version) == (WordsRemoved(number, version, "ref_1"),)
    match.commit("admin", *remove(2, said))
    assert match.table.match == before
    assert match.asked.seats == (0, 1, 2), "play goes on"

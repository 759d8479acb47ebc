"""Any position of a match, through anyone's eyes."""

from __future__ import annotations

import msgspec
import pytest

from games.sight import Viewer
from replay import steps
from replay.export import NotTheirs
from replay.fold import Fold, fold
from replay.load import Story
from replay.steps import NoStep, Step
from tests.play import SEED, Match
from tests.replay.recordings import begun, short, story, whole


def both(match: Match, viewer: Viewer = "auditor") -> tuple[Story, Fold]:
    read = story(match, viewer)
    return read, fold(read)


@pytest.mark.parametrize("text", ["", "x", "1.2.3", "-1", "1.", ".5", "²", "1.x"])
def test_what_is_no_step(text: str) -> None:
    with pytest.raises(NoStep):
        Step.parse(text)


def test_a_step_reads_as_it_is_written() -> None:
    assert [str(Step.parse(text)) for text in ("12", "12.3")] == ["12", "12.3"]


def test_a_step_that_the_match_has_not() -> None:
    read = story(begun())
    for step in (Step(0), Step(5), Step(4, 99)):
        with pytest.raises(NoStep, match=r"versions 1 to 4|events 1 to"):
            steps.positions(read).check(step)


def test_every_position_is_met_one_after_the_other_and_back() -> None:
    read = story(short())
    step, met = Step(1), [Step(1)]
    while steps.positions(read).after(step) != step:
        step = steps.positions(read).after(step)
        met.append(step)
    events = sum(len(telling.events) for telling in read.tellings)
    assert len(met) == events and met[-1] == Step(len(read.pages))
    back = [step]
    while steps.positions(read).before(step) != step:
        step = steps.positions(read).before(step)
        back.append(step)
    assert back == met[::-1]


def test_the_last_event_of_a_commit_is_the_commit() -> None:
    read = story(begun())
    events = len(read.tellings[3].events)
    assert steps.positions(read).check(Step(4, events)) == Step(4)
    assert steps.positions(read).check(Step(4, events - 1)) == Step(4, events - 1)


@pytest.mark.parametrize("viewer", [0, 1, "spectator", "auditor"])
def test_the_view_at_every_version_is_what_was_to_be_seen_then(viewer: Viewer) -> None:
    match = whole()
    read, folded = both(match)
    for version in range(1, len(match.commits) + 1):
        shown = steps.shown(read, folded, Step(version), viewer)
        assert shown["view"] == match.past[version].view(viewer)
        assert (shown["step"], shown["viewer"]) == (str(version), viewer)


def test_inside_a_commit_nobody_is_asked_and_the_facts_come_one_by_one() -> None:
    read, folded = both(begun())
    events = len(read.tellings[3].events)
    rounds = []
    for event in range(1, events):
        shown = steps.shown(read, folded, Step(4, event), 0)
        assert shown["view"]["game"]["question"] is None
        assert shown["view"]["status"] == "playing" and shown["view"]["result"] is None
        assert len(shown["events"]) == event
        rounds.append(shown["view"]["game"]["round"])
    assert rounds[0] == 0 and rounds[-1] == 1


def test_inside_a_commit_before_the_start_there_is_no_game() -> None:
    match = Match(begun().game, 2)
    _, folded = both(match)
    table = steps.table_at(folded, Step(1, 1))
    assert table is not None and table.state is None


def test_a_seat_is_shown_no_byte_that_depends_on_anothers_hand() -> None:
    """The same answers on two deals that differ only in what seat 0 can't see."""
    match = begun()
    read, folded = both(match)
    other = match.game.redealt(match.past[4].state, 0, lambda n: n - 1)
    assert other.hands[1] != match.past[4].state.hands[1]
    deal = folded.commits[3]
    dealt = [
        msgspec.structs.replace(e, hands=other.hands, bag=other.bag) if hasattr(e, "bag") else e
        for e in deal.events
    ]
    twin = Match(match.game, 2)
    twin.commit("host", *dealt, draws=deal.private.draws)
    here = steps.shown(read, folded, Step(4), 0)
    there = steps.shown(*both(twin), Step(4), 0)
    assert here.pop("head") != there.pop("head"), "a hash over seals, which tells nothing"
    assert msgspec.json.encode(here) == msgspec.json.encode(there)


def test_a_viewers_own_log_shows_the_view_as_far_as_it_can_be_known() -> None:
    match = whole()
    read, folded = both(match, 0)
    assert folded.version == 5
    assert steps.shown(read, folded, Step(5), 0)["view"] == match.past[5].view(0)
    beyond = steps.shown(read, folded, Step(6), 0)
    assert beyond["view"] is None and "hidden from seat 0" in beyond["unknown"]
    assert beyond["events"][0]["option"] == {"hidden": True}


def test_before_the_close_the_server_knows_more_than_the_log() -> None:
    read = story(begun(), 0)
    assert (fold(read).version, fold(read, SEED).version) == (3, 4)


def test_a_seats_log_is_for_that_seat_and_for_spectators() -> None:
    read, folded = both(whole(), 0)
    spectator = steps.shown(read, folded, Step(4), "spectator")
    assert all(hand == {"hidden": 2} for hand in spectator["view"]["game"]["hands"])
    for viewer, why in ((1, "that one's own log"), ("auditor", "only the auditor's")):
        with pytest.raises(NotTheirs, match=why):
            steps.shown(read, folded, Step(4), viewer)
    with pytest.raises(NotTheirs, match="no seat 9"):
        steps.shown(read, folded, Step(4), 9)

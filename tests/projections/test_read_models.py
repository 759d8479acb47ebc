"""What the read models say, and to whom."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from games import dispute
from games.match import Aborted, Left, Resigned
from games.rules import Result
from projections import disputes, inbox, lobby, summary, views
from projections.projection import Projection
from projections.runner import Runner
from projections.story import Story
from tests.projections.matches import Recording, recorded, store_up
from tests.toy.pumpkin_patch.game import GAME

T0 = 1_790_000_000_000


async def shown(memory: Any, projection: Projection, *matches: Recording) -> None:
    for match in matches:
        stands = await memory.meta(match.id)
        await store_up(memory, match, stands.version + 1 if stands else 1)
    await Runner(memory, projection, "w").drain()


async def test_each_viewer_has_its_view_of_the_newest_version(memory: Any) -> None:
    match = Recording("01JV", ("ann", "ben")).begin()
    await shown(memory, views.Views(), match)
    for viewer in match.viewers:
        view = await views.view(memory, match.id, viewer)
        assert view is not None
        assert (view.version, view.head) == (len(match.entries), match.entries[-1].head)
        assert msgspec.json.decode(view.json) == msgspec.json.decode(
            msgspec.json.encode(match.table.view(viewer))
        )
    assert await views.view(memory, match.id, 2) is None
    assert await views.view(memory, match.id, "auditor") is None
    assert await views.view(memory, "nobody", 0) is None


def _bytes_for(story: Story, viewer: Any) -> list[bytes]:
    """All that read models give out to one viewer, or to everybody."""
    stored = msgspec.msgpack.decode(views.Views().made(story).value, type=views.Stored)
    listed = [lobby.Lobby().made(story), inbox.Inbox().made(story), summary.Summaries().made(story)]
    rows = [row.value for made in listed for row in made.rows or ()]
    return [stored.views[str(viewer)], *rows, *[made.value for made in listed]]


@pytest.mark.parametrize("number", range(6))
def test_no_read_model_tells_what_its_reader_may_not_know(number: int) -> None:
    """The same bytes, however the hidden cards lie."""
    match = Recording("01JS", ("ann", "ben", "cat")).begin()
    rng = random.Random(number)
    for _ in range(30):
        for viewer in match.viewers:
            other = GAME.redealt(match.state, viewer, rng.randrange)
            table = msgspec.structs.replace(match.table, state=other)
            story = match.story._replace(tables=(*match.past[:-1], table))
            assert _bytes_for(story, viewer) == _bytes_for(match.story, viewer)
        match.play(rng.randrange, limit=1)


async def test_the_lobby_lists_by_status_and_game(memory: Any) -> None:
    waiting = Recording("01J1", ("ann", "ben"))
    playing = Recording("01J2", ("ann", "ben")).begin()
    over = recorded(41)
    hidden = Recording("01J4", ("ann", "ben"), listed=False)
    await shown(memory, lobby.Lobby(), waiting, playing, over, hidden)
    for status, match in (("lobby", waiting), ("playing", playing), ("over", over)):
        page = await lobby.matches(memory, status)
        assert [m.match for m in page.matches] == [match.id] and page.after == ""
        assert page.matches[0].status == status
    everything = await lobby.matches(memory)
    assert {m.match for m in everything.matches} == {waiting.id, playing.id, over.id}
    assert (await lobby.matches(memory, game=GAME.id)).matches == everything.matches
    assert (await lobby.matches(memory, "lobby", "chess")).matches == []
    waiting.begin()
    await shown(memory, lobby.Lobby(), waiting)
    assert (await lobby.matches(memory, "lobby")).matches == []
    assert len((await lobby.matches(memory, "playing")).matches) == 2


async def test_the_lobby_is_read_page_by_page(memory: Any) -> None:
    made = [Recording(f"01J{n}", ("ann", "ben")) for n in range(7)]
    await shown(memory, lobby.Lobby(), *made)
    seen: list[str] = []
    after = ""
    while True:
        page = await lobby.matches(memory, "lobby", after=after, limit=3)
        seen += [m.match for m in page.matches]
        after = page.after
        if not after:
            break
    assert seen == [match.id for match in reversed(made)]


async def test_the_inbox_shows_what_waits_the_oldest_first(memory: Any) -> None:
    first = Recording("01J1", ("ann", "ben")).begin()
    second = Recording("01J2", ("ben", "ann")).begin()
    first.play(random.Random(1).randrange, limit=1)
    await shown(memory, inbox.Inbox(), first, second)
    for player in ("ann", "ben", "cat"):
        mine = [m for m in (first, second) if player in m.wanted]
        asked = {m.id for m in mine if m.wanted.index(player) in m.table.asked}
        page = await inbox.waiting(memory, player)
        assert {item.match for item in page.items} == asked
        assert [i.since for i in page.items] == sorted(i.since for i in page.items)
        for item in page.items:
            assert item.question and item.prompt
        page = await inbox.matches_of(memory, player)
        assert {item.match for item in page.items} == {m.id for m in mine}


async def test_a_question_waits_since_it_was_asked(memory: Any) -> None:
    """Others answering the same question meanwhile do not make it younger."""
    match = Recording("01J1", ("ann", "ben", "cat")).begin()
    rng = random.Random(3)
    while len(match.table.asked) < 2:
        match.play(rng.randrange, limit=1)
    asked_at = match.table.at
    seat, *others = match.table.asked
    match.answer(seat, match.form(seat).sample(rng.randrange))
    await shown(memory, inbox.Inbox(), match)
    still = match.wanted[others[0]]
    (item,) = (await inbox.waiting(memory, still)).items
    assert item.since == asked_at < match.table.at
    answered = await inbox.waiting(memory, match.wanted[seat])
    assert all(i.question != item.question for i in answered.items)


async def test_the_inbox_forgets_who_left_and_asks_nobody_who_resigned(memory: Any) -> None:
    lobby_match = Recording("01J1", ("ann", "ben"))
    playing = Recording("01J2", ("ann", "ben", "cat")).begin()
    await shown(memory, inbox.Inbox(), lobby_match, playing)
    lobby_match.commit(0, Left(0))
    playing.commit(0, Resigned(0))
    await shown(memory, inbox.Inbox(), lobby_match, playing)
    assert (await inbox.waiting(memory, "ann")).items == []
    mine = (await inbox.matches_of(memory, "ann")).items
    assert [item.match for item in mine] == [playing.id]
    playing.commit("host", Aborted("aborted"))
    await shown(memory, inbox.Inbox(), playing)
    assert (await inbox.waiting(memory, "ben")).items == []
    assert (await inbox.matches_of(memory, "ben")).items[0].status == "over"


async def test_the_inbox_is_read_page_by_page(memory: Any) -> None:
    made = [Recording(f"01J{n}", ("ann", "ben")).begin() for n in range(5)]
    await shown(memory, inbox.Inbox(), *made)
    first = await inbox.matches_of(memory, "ann", limit=3)
    rest = await inbox.matches_of(memory, "ann", after=first.after, limit=3)
    assert len(first.items) == 3 and len(rest.items) == 2 and rest.after == ""


async def test_a_summary_tells_seats_result_and_times(memory: Any) -> None:
    match = Recording("01J1", ("ann", "ben"))
    await shown(memory, summary.Summaries(), match)
    early = await summary.summary(memory, match.id)
    assert early is not None
    assert (early.status, early.started, early.ended, early.result) == ("lobby", None, None, None)
    assert [seat.player for seat in early.seats] == ["ann", "ben"]
    started = len(match.begin().entries)
    match.commit(1, Resigned(1))
    match.commit("host", Aborted("aborted"))
    await shown(memory, summary.Summaries(), match)
    late = await summary.summary(memory, match.id)
    assert late is not None
    assert (late.created, late.started) == (T0 + 1000, T0 + started * 1000)
    assert (late.ended, late.moved) == (T0 + (started + 2) * 1000,) * 2
    assert isinstance(late.result, Result) and late.result.why == "aborted"
    assert [seat.resigned for seat in late.seats] == [False, True]
    assert await summary.summary(memory, "nobody") is None


async def test_disputes_wait_until_they_are_ruled_on(memory: Any) -> None:
    match = Recording("01JX", ("ann", "ben")).begin()
    for events in (
        dispute.open_dispute(match.table, 1, ("4",), "claim"),
        dispute.open_dispute(match.table, 0, ("4",), "claim"),
    ):
        match.commit(events[0].seat, *events)
    await shown(memory, disputes.Disputes(), match)
    page = await disputes.waiting(memory, "open", limit=1)
    assert [(item.number, item.seat) for item in page.items] == [(1, 1)]
    rest = await disputes.waiting(memory, "open", after=page.after)
    assert [item.number for item in rest.items] == [2] and not rest.after
    match.commit("admin", *dispute.rule(match.table, 1, "ref", False, "reason"))
    await shown(memory, disputes.Disputes(), match)
    (open_still,) = (await disputes.waiting(memory, "open")).items
    (done,) = (await disputes.waiting(memory, "ruled")).items
    assert (open_still.number, done.number, done.upheld) == (2, 1, False)
    assert done.moved > done.opened

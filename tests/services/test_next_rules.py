"""FC19: new rules are published while matches run. Old ones replay as ever, and go on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import msgspec
import pytest

from events.log import sealer
from games import catalog, rules
from games.history import Unknown
from replay import load
from replay.fold import fold
from services.cli.surveying import surveyed
from services.wiring import Parts
from tests.services.api import KEYS, TOY, Made, in_memory, memory
from tests.services.test_review import closed_match
from tests.toy.pumpkin_patch import events, turns
from tests.toy.pumpkin_patch.game import GAME, Option
from tests.toy.pumpkin_patch.state import State
from tests.toy.pumpkin_patch_next import NEXT


class Old(NamedTuple):
    """A store with matches of the old rules, and the one that is running."""

    parts: Parts
    running: Made


@pytest.fixture
async def old() -> Old:
    """A store with a closed match, a running one and a lobby, all made under the old rules."""
    parts = memory()
    async with in_memory(parts) as api:
        await closed_match(api)
        match = await api.playing()
        await match.move()
        await api.made()
    return Old(parts, match)


async def recording(parts: Parts, match: str) -> load.Story:
    seal = KEYS.seal_secret(KEYS.current, match)
    return load.read(load.stored(match, await parts.store.read(match), sealer(seal, match)))


async def views(parts: Parts) -> dict[tuple[str, int, Any], Any]:
    """What anybody can see at any version of any match."""
    seen = {}
    async for match in parts.store.matches():
        story = await recording(parts, match)
        for table in fold(story).tables[1:]:
            for viewer in (0, 1, "spectator", "auditor"):
                view = msgspec.json.encode(table.view(viewer))
                seen[match, table.version, viewer] = view
    return seen


async def survey(parts: Parts) -> Any:
    store: Any = parts.store
    return await surveyed(store, parts.keys)


async def test_nothing_changes_while_the_rules_stay(old: Old) -> None:
    found = await survey(old.parts)
    assert (found.matches, found.unchanged, found.running, found.touched) == (3, 3, 1, 0)
    assert found.ok and not found.changes


async def test_old_matches_replay_as_ever(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    before = await views(old.parts)
    monkeypatch.setitem(catalog.GAMES, TOY, NEXT)
    assert await views(old.parts) == before


async def test_the_check_says_what_is_touched(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.GAMES, TOY, NEXT)
    found = await survey(old.parts)
    assert found.ok and (found.unchanged, found.changed, found.broken) == (1, 2, 0)
    assert (found.running, found.touched, found.stuck) == (1, 1, 0)
    assert {verdict.version for verdict in found.changes} == {4}
    assert {verdict.rules for verdict in found.changes} == {GAME.version}


async def test_a_running_match_goes_on_under_the_new_rules(
    old: Old, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(catalog.GAMES, TOY, NEXT)
    async with in_memory(old.parts) as api:
        begun = old.running
        tokens = {"host_token": begun.host, "watch_token": begun.watch}
        match = Made(api, {"match": begun.id, **tokens})
        match.seats = begun.seats
        asked = []
        while (await match.view())["status"] == "playing":
            _, view = await match.asked()
            asked.append(view["game"]["question"]["kind"])
            made = await match.move()
            assert made["commit"]["rules"] == NEXT.version
        assert asked[0] == "show_together" and "must_name" in asked[1:]
        report = (await api.get(f"{match.path}/verify")).json()
    assert report["ok"], report
    story = await recording(old.parts, old.running.id)
    assert {told["rules"] for told in story.told} == {GAME.version, NEXT.version}
    assert (await survey(old.parts)).ok


async def test_a_question_that_is_gone_cannot_be_carried_over(
    old: Old, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kind of question that is open does not exist under rules that are not yet published."""
    pending = turns.Setup | turns.Round | turns.MayDraw
    event = (
        rules.Asked[State, pending]  # type: ignore[valid-type]
        | rules.Answered[State, Option]
        | rules.Stepped[State]
        | rules.Dropped[State]
        | events.Dealt
        | events.RoundBegun
        | events.Shown
        | events.Drawn
        | events.Over
    )
    fewer = msgspec.structs.replace(GAME, rules=3, pending=pending, event=event)
    monkeypatch.setitem(catalog.GAMES, TOY, fewer)
    found = await survey(old.parts)
    assert not found.ok and (found.broken, found.stuck) == (2, 1)
    assert "not known here" in found.breaks[0].why and found.breaks[0].version == 4
    assert found.questions[0].match == old.running.id
    story = await recording(old.parts, old.running.id)
    assert any(isinstance(e, Unknown) for c in fold(story).commits for e in c.events)


async def test_a_question_that_cannot_be_asked_any_more_is_named(
    old: Old, monkeypatch: pytest.MonkeyPatch
) -> None:
    def form(self: Any, state: Any, seat: int) -> Any:
        raise LookupError("no such pumpkin")

    monkeypatch.setattr(turns.ShowTogether, "form", form)
    monkeypatch.setitem(catalog.GAMES, TOY, msgspec.structs.replace(GAME, rules=2))
    found = await survey(old.parts)
    assert not found.ok and found.broken == 0 and found.changed == 2
    (stuck,) = found.questions
    assert (stuck.match, stuck.kind, stuck.seat) == (old.running.id, "ShowTogether", 1)
    assert "no such pumpkin" in stuck.why


async def test_an_empty_seat_is_no_question_that_cannot_be_carried_over(old: Old) -> None:
    """Whoever sits down there is asked; before a deploy nothing is wrong with that."""
    async with in_memory(old.parts) as api:
        match = await api.playing()
        made = await api.post(f"{match.path}/fork", match.seats[0], json={"step": "4"})
        assert made.status_code == 201 and made.json()["view"]["status"] == "playing"
    found = await surveyed(old.parts.store, KEYS)
    assert found.ok and (found.running, found.stuck) == (3, 0), found


async def test_what_is_deleted_meanwhile_is_left_out(
    old: Old, monkeypatch: pytest.MonkeyPatch
) -> None:
    store: Any = old.parts.store
    listed = store.matches

    async def matches(partition: int) -> AsyncIterator[str]:
        async for match in listed(partition):
            yield match
        if partition == 0:
            yield "gone"

    monkeypatch.setattr(store, "matches", matches)
    assert (await surveyed(store, KEYS)).broken == 1, "a log that is missing is named"
    store._buried.add("gone")
    found = await surveyed(store, KEYS)
    assert found.ok and found.matches == 3


async def test_what_is_broken_is_named(old: Old) -> None:
    store: Any = old.parts.store
    match = old.running.id
    entry = store._logs[match][4]
    store._logs[match][4] = entry._replace(facts=entry.facts.replace(b"chosen", b"chosEN"))
    found = await survey(old.parts)
    assert not found.ok and [verdict.match for verdict in found.breaks] == [match]
    found = await surveyed(store, type(KEYS)([bytes(32)]))
    assert found.broken == 3 and "server key" in found.breaks[0].why

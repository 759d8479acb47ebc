"""Workers that act: bots answer, the keeper closes and ends; each as a commit like any other."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from events.store import Unavailable
from games import sight
from games.rules import Refused
from projections.runner import Pace
from services import bots, commands, keeper
from services.acting import ActingRunner
from services.bots import Bots
from services.keeper import HOUR, Abandoned, Closing
from services.matches import Matches
from tests.services.api import KEYS, Client, Made, in_memory, memory, settings

QUICK = Pace(sweep=0.05, claim=0.2, retry=0.05)


async def with_bots(api: Client, seats: int, players: int = 0) -> Made:
    match = await api.made(seats)
    for _ in range(players):
        await match.join()
    for seat in range(players, seats):
        await api.post(f"{match.path}/seats/{seat}/bot", match.host)
    assert (await api.post(f"{match.path}/start", match.host)).status_code == 200
    return match


class TestBots:
    async def test_play_a_whole_match(self, api: Client) -> None:
        match = await with_bots(api, 3)
        await bots.runner(api.desk.store, KEYS, "w").drain()
        view = await match.view()
        assert view["status"] == "over" and view["result"]["winners"]

    async def test_leave_the_others_their_answers(self, api: Client) -> None:
        match = await with_bots(api, 3, players=1)
        worker = bots.runner(api.desk.store, KEYS, "w")
        while True:
            await worker.drain()
            view = await match.view()
            if view["status"] == "over":
                break
            assert view["game"]["question"]["seats"] == [0]
            await match.move()

    async def test_see_only_what_a_client_on_their_seat_sees(self, api: Client) -> None:
        match = await api.playing()
        live = await api.desk.load(match.id)
        shown: list[Any] = []

        def bot(view: Any, question: Any, below: Any) -> Any:
            shown.append(view)
            return question["form"]["options"][below(1)]["id"]

        game = replace(live.table.game, bot=bot)
        live.table = replace(live.table, game=game)
        made = Bots(api.desk.matches)._answer(live, 0)
        assert made.by == 0
        assert shown == [(await match.view(match.seats[0]))["game"]]

    async def test_two_workers_at_once_do_it_once(self) -> None:
        parts = memory()
        async with in_memory(parts) as api:
            match = await with_bots(api, 4)
            one, other = (Bots(Matches(parts.store, KEYS)) for _ in range(2))
            await asyncio.gather(one.act(match.id), other.act(match.id))
            entries = await parts.store.read(match.id)
            ids = [sight.read(entry.facts)[4][0] for entry in entries]
            assert len(set(ids)) == len(ids)
            assert (await match.view())["status"] == "over"

    async def test_take_the_seat_of_who_resigned(self, api: Client) -> None:
        match = await api.playing(3)
        await api.post(f"{match.path}/resign", match.seats[1])
        reply = await api.post(f"{match.path}/seats/1/bot", match.host)
        assert reply.json()["commit"]["events"] == [{"type": "bot_seated", "seat": 1}]
        worker = bots.runner(api.desk.store, KEYS, "w")
        await worker.drain()
        assert (await api.get(match.path, match.seats[1])).status_code == 403
        while (view := await match.view())["status"] != "over":
            assert 1 not in view["game"]["question"]["seats"]
            await match.move()
            await worker.drain()

    async def test_keep_running(self, api: Client) -> None:
        worker = bots.runner(api.desk.store, KEYS, "w", QUICK)
        running = asyncio.create_task(worker.run())
        match = await with_bots(api, 2)
        await _until(match, "over")
        worker.stop()
        await running

    async def test_a_bot_that_fails_parks_its_match_alone(
        self, api: Client, monkeypatch: Any
    ) -> None:
        bad, good = await with_bots(api, 2), await with_bots(api, 2)
        submit = Matches.submit

        async def broken(self: Matches, match: str, command: commands.Command) -> Any:
            if match == bad.id:
                raise RuntimeError("a bot of a bad make")
            return await submit(self, match, command)

        worker = bots.runner(api.desk.store, KEYS, "w")
        with monkeypatch.context() as patch:
            patch.setattr(Matches, "submit", broken)
            await worker.drain()
        assert (await good.view())["status"] == "over"
        parked = await api.desk.store.parked("bots")
        assert list(parked) == [bad.id] and "bad make" in parked[bad.id][1]
        await api.desk.store.touch(bad.id)
        await worker.drain()
        assert (await bad.view())["status"] == "playing"
        await worker.keeper.release(bad.id)
        assert (await bad.view())["status"] == "over"

    async def test_an_outage_is_waited_for(self, api: Client, monkeypatch: Any) -> None:
        match = await with_bots(api, 2)
        append, times = api.desk.store.append, 0

        async def away(*words: Any) -> None:
            nonlocal times
            times += 1
            if times < 3:
                raise Unavailable("gone")
            await append(*words)

        monkeypatch.setattr(api.desk.store, "append", away)
        worker = bots.runner(api.desk.store, KEYS, "w", QUICK)
        running = asyncio.create_task(worker.run())
        await _until(match, "over")
        worker.stop()
        await running
        assert not await api.desk.store.parked("bots")

    async def test_an_unknown_match_is_none_of_theirs(self, api: Client) -> None:
        worker = ActingRunner(api.desk.store, Bots(api.desk.matches), "w")
        await worker.keeper.catch_up({"01J0000000000000000000TEST": 1})
        assert not await api.desk.store.parked("bots")


async def _until(match: Made, status: str) -> None:
    async with asyncio.timeout(30):
        while (await match.view())["status"] != status:  # noqa: ASYNC110 - a worker does it
            await asyncio.sleep(0.02)


class TestKeeper:
    async def test_closes_what_is_over(self, api: Client) -> None:
        match = await api.playing()
        await match.finished()
        worker = keeper.runner(api.desk.store, KEYS, "w", settings())
        await worker.drain()
        await worker.drain()
        view = await match.view()
        assert view["closed"] and view["status"] == "over"
        log = (await api.get(f"{match.path}/log")).text.splitlines()
        assert '"type":"closed"' in log[-1] and '"by":"system"' in log[-1]
        assert len(log) == view["version"]

    async def test_leaves_what_is_not(self, api: Client) -> None:
        match = await api.playing()
        await Closing(api.desk.matches).act(match.id)
        assert (await match.view())["version"] == 4

    async def test_an_aborted_lobby_is_closed_too(self, api: Client) -> None:
        match = await api.made()
        await api.post(f"{match.path}/abort", match.host)
        await keeper.runner(api.desk.store, KEYS, "w", settings()).drain()
        assert (await match.view())["closed"]

    @pytest.mark.parametrize(("playing", "hours"), [(False, 2.0), (True, 72.0)])
    async def test_ends_what_is_abandoned(self, api: Client, playing: bool, hours: float) -> None:
        match = await (api.playing() if playing else api.made())
        store = api.desk.store
        now = api.desk.matches.clock()
        matches = Matches(store, KEYS, clock=lambda: now)
        abandoned = Abandoned(store, matches, settings(lobby_hours=2, match_days=3))
        assert await abandoned.sweep() == 0
        now += int(hours * HOUR) - 60_000
        assert await abandoned.sweep() == 0
        now += 61_000
        assert await abandoned.sweep() == 1
        view = await match.view()
        assert view["status"] == "over" and view["result"]["why"] == "abandoned"
        assert await abandoned.sweep() == 0
        assert (await match.view())["closed"]
        assert await abandoned.sweep() == 0

    async def test_does_not_end_what_has_just_moved(self, api: Client, monkeypatch: Any) -> None:
        match = await api.playing()
        store = api.desk.store
        later = api.desk.matches.clock() + 1000 * HOUR
        matches = Matches(store, KEYS, clock=lambda: later)
        abandoned = Abandoned(store, matches, settings())
        metas = store.metas

        async def then_it_moves(some: Any) -> Any:
            found = await metas(some)
            monkeypatch.setattr(store, "metas", metas)
            await match.move()
            return found

        monkeypatch.setattr(store, "metas", then_it_moves)
        assert await abandoned.sweep() == 0
        assert (await match.view())["status"] == "playing"

    async def test_sweeps_while_it_runs(self, api: Client) -> None:
        match = await api.made()
        chosen = settings(lobby_hours=0.000001, keeper_seconds=0.05)
        await asyncio.sleep(0.01)
        worker = keeper.runner(api.desk.store, KEYS, "w", chosen, QUICK)
        running = asyncio.create_task(worker.run())
        await _until(match, "over")
        worker.stop()
        await running

    async def test_repairs_from_the_logs(self, api: Client) -> None:
        match, other = await api.playing(), await api.playing()
        await match.finished()
        worker = keeper.runner(api.desk.store, KEYS, "w", settings())
        await worker.keeper.repair()
        assert (await match.view())["closed"]
        assert not (await other.view())["closed"]


class TestOvertaken:
    """Refusals that say only that somebody was faster park nothing."""

    async def test_by_another_worker(self, api: Client, monkeypatch: Any) -> None:
        match = await with_bots(api, 2)
        store = api.desk.store
        slow = Matches(store, KEYS)
        await slow.load(match.id)
        await Bots(Matches(store, KEYS)).act(match.id)
        before = len(await store.read(match.id))
        monkeypatch.setattr(slow, "refresh", slow.load)
        await Bots(slow).act(match.id)
        assert len(await store.read(match.id)) == before

    async def test_refusals_of_another_kind_park_the_match(
        self, api: Client, monkeypatch: Any
    ) -> None:
        match = await with_bots(api, 2)
        submit = Matches.submit

        async def refuse(self: Matches, id: str, command: commands.Command) -> Any:
            code = "not_an_option" if command.by == 0 else "stale_question"
            raise Refused(code, "no")

        monkeypatch.setattr(Matches, "submit", refuse)
        await bots.runner(api.desk.store, KEYS, "w").drain()
        monkeypatch.setattr(Matches, "submit", submit)
        parked = await api.desk.store.parked("bots")
        assert "Refused" in parked[match.id][1]

    async def test_a_refusal_that_stays_is_left_alone(self, api: Client, monkeypatch: Any) -> None:
        await with_bots(api, 2)

        async def refuse(*_: Any) -> Any:
            raise Refused("stale_question", "no")

        monkeypatch.setattr(Matches, "submit", refuse)
        await bots.runner(api.desk.store, KEYS, "w").drain()
        assert not await api.desk.store.parked("bots")

    async def test_the_keeper_goes_on_after_a_bad_match(
        self, api: Client, monkeypatch: Any
    ) -> None:
        bad, good = await api.made(), await api.made()
        store: Any = api.desk.store
        later = api.desk.matches.clock() + 1000 * HOUR
        entry = store._logs[bad.id][0]
        facts = entry.facts.replace(b"created", b"creaTED")
        store._logs[bad.id][0] = entry._replace(facts=facts)
        matches = Matches(store, KEYS, clock=lambda: later)
        assert await Abandoned(store, matches, settings()).sweep() == 1
        assert (await good.view())["status"] == "over"

    async def test_the_keeper_outlives_an_outage(self, api: Client, monkeypatch: Any) -> None:
        worker = keeper.runner(api.desk.store, KEYS, "w", settings(keeper_seconds=0.01), QUICK)
        errors: list[Exception] = [Unavailable("gone"), RuntimeError("a mistake")]

        async def sweep(partitions: Any) -> int:
            if errors:
                raise errors.pop()
            worker.stop()
            return 0

        monkeypatch.setattr(worker.abandoned, "sweep", sweep)
        await asyncio.wait_for(worker.run(), 20)
        assert not errors

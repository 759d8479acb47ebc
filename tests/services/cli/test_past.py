"""`replay --url`, `undo`, `fork`, `access`: against an API that runs."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from rich.console import Console

from replay.steps import NoStep, Step
from services.cli.book import Api
from services.cli.output import Stop
from services.cli.reader import Reader
from tests.services.api import ADMIN, Made, Running, running
from tests.services.cli.conftest import Run
from tests.services.undoing import granted, reverted, says, token_for, turns, version


@pytest.fixture
async def live() -> AsyncIterator[Running]:
    async with running() as client:
        yield client


@pytest.fixture
async def match(live: Running) -> Made:
    """Both have shown; seat 0 has passed."""
    match = await turns(live)
    await says(match, "pass")
    return match


class Typed:
    """A command line that is shown an API and a token."""

    def __init__(self, run: Run, live: Running) -> None:
        self.run = run
        self.url = f"http://127.0.0.1:{live.port}"

    async def __call__(self, token: str, *words: str, code: int = 0) -> str:
        more = ("--url", self.url, "--token", token)
        result = await asyncio.to_thread(self.run, *words, *more)
        assert result.exit_code == code, result.output
        return str(result.output)

    async def json(self, token: str, *words: str) -> Any:
        return msgspec.json.decode(await self(token, *words, "--json"))


@pytest.fixture
def typed(run: Run, live: Running) -> Typed:
    return Typed(run, live)


async def test_replay_through_the_api(typed: Typed, match: Made, live: Running) -> None:
    """A seat sees its own past in a running match, which its log alone could not tell."""
    auditor = await token_for(live, "audit")
    for token, eyes in [(match.seats[0], 0), (auditor, "auditor"), ("", "spectator")]:
        shown = await typed.json(token, "replay", match.id, "--step", "7")
        assert (shown["viewer"], shown["step"], shown["steps"]) == (eyes, "7", 7)
        assert shown["answer"]["labels"] == ["Leave the bag alone"]
    assert "step 4.2 of 7" in await typed(match.seats[0], "replay", match.id, "--step", "4.2")
    other = await typed.json(auditor, "replay", match.id, "--step", "4", "--as", "1")
    assert other["viewer"] == 1
    whole = await typed(match.seats[0], "replay", match.id)
    assert "The match starts." in whole and "Asked:" in whole
    every = await typed.json(match.seats[0], "replay", match.id)
    assert [step["step"] for step in every["steps"]] == [str(v) for v in range(1, 8)]


async def test_what_replay_does_not_show(typed: Typed, match: Made) -> None:
    for words in (
        ["--step", "99"],
        ["--step", "0"],
        ["--step", "4.99"],
        ["--step", "4", "--as", "1"],
        ["--step", "4", "--as", "me"],
    ):
        await typed(match.seats[0], "replay", match.id, *words, code=2)


def page(reader: Reader) -> str:
    console = Console(width=140, height=80, file=io.StringIO())
    with console.capture() as capture:
        console.print(reader.page())
    return capture.get()


async def test_the_reader_of_a_running_match(typed: Typed, match: Made, live: Running) -> None:
    def read() -> Reader:
        reader = Reader(Api(match.id, typed.url, match.seats[0], None))
        assert reader.book.eyes == [0, "spectator"]
        for key in ("end", "up", "down", "left", "5", "enter", "s", "9", "9", "enter"):
            reader.strike(key)
            page(reader)
        assert "there is no version 99" in page(reader)
        assert (reader.step, reader.viewer) == (Step(5), "spectator")
        for key in ("7", "enter"):
            reader.strike(key)
        return reader

    reader = await asyncio.to_thread(read)
    shown = await asyncio.to_thread(page, reader)
    for text in ("what was asked", "Answered: seat 0, Leave the bag alone", "seen by the spec"):
        assert text in shown
    await says(match, "pass")
    await asyncio.to_thread(reader.strike, "end")
    assert reader.step == Step(8)
    with pytest.raises(NoStep):
        reader.book.shown(Step(9), 0)


async def test_undo(typed: Typed, match: Made, live: Running) -> None:
    one, two = match.seats[0], match.seats[1]
    cost = await typed(one, "undo", match.id, "cost", "--to", "6")
    assert "nobody has learned anything" in cost and "must agree: seat 1" in cost
    assert (await typed.json(one, "undo", match.id, "cost", "--to", "6"))["kind"] == "free"
    assert "somebody has acted" in await typed(one, "undo", match.id, "cost", "--to", "4")
    asked = await typed(one, "undo", match.id, "ask", "--to", "6")
    assert asked == "version 8: still to agree: seat 1\n"
    assert "no undo is asked for" in await typed(two, "undo", match.id, "decline")
    await typed(one, "undo", match.id, "ask", "--to", "6")
    told = await typed(two, "undo", match.id, "agree")
    assert told == "version 11: the game stands where it stood after version 6\n"
    await says(match, "draw")
    cost = await typed(one, "undo", match.id, "cost", "--to", "6")
    assert "only a referee" in cost and "must agree" not in cost
    words = ("revert", "--to", "6", "--reason", "a card [fell] open")
    done = await typed.json(ADMIN, "undo", match.id, *words)
    (event,) = done["commit"]["events"]
    assert event == reverted(6, event["author"], "a card [fell] open")
    told = await typed(two, "replay", match.id)
    assert f"A referee ({event['author']}) takes the game back" in told and "card [fell]" in told
    await typed(one, "undo", match.id, "ask", "--to", "6", "--reason", "x", code=2)
    await typed(one, "undo", match.id, "ask", code=2)
    await typed(two, "undo", match.id, "agree", code=2)


async def test_fork_and_access(typed: Typed, match: Made, live: Running) -> None:
    told = await typed(match.seats[0], "fork", match.id, "--step", "6")
    assert "every seat is free" in told and "hs_host_" in told
    auditor = await token_for(live, "audit")
    made = await typed.json(auditor, "fork", match.id, "--step", "6", "--as", "1")
    assert (await live.get(f"/v1/matches/{made['match']}")).status_code == 200
    assert "no version 99" in await typed(match.seats[0], "fork", match.id, "--step", "99", code=2)
    seen = await typed(match.seats[0], "access", match.id)
    assert "fork 6, through the eyes of seat 1" in seen
    assert len((await typed.json(match.seats[0], "access", match.id))["items"]) == 1
    other = await turns(live)
    assert "nobody has used" in await typed(other.seats[0], "access", other.id)


async def test_a_game_that_is_not_here(typed: Typed, match: Made, monkeypatch: Any) -> None:
    from services.cli import book

    def unknown(game: str, edition: str) -> Any:
        raise book.Refused("unknown_edition", "no such edition here")

    monkeypatch.setattr(book.catalog, "find", unknown)
    with pytest.raises(Stop, match="no such edition"):
        await asyncio.to_thread(Api, match.id, typed.url, match.seats[0], None)


async def test_a_granted_undo_is_told(typed: Typed, match: Made) -> None:
    await granted(match, 0, 6)
    assert "goes back to where it stood" in await typed(match.seats[0], "replay", match.id)
    assert await version(match) == 9

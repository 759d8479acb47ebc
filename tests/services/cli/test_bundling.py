"""`bundle --url`: the same mode of the same match is the same, whoever makes it who may."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from replay import files
from services.cli.book import Api
from tests.replay.test_seeking import GOES_BY
from tests.services.api import Made, Running, running
from tests.services.cli.conftest import Run
from tests.services.cli.test_past import Typed
from tests.services.undoing import code, token_for, turns, version


@pytest.fixture
async def live() -> AsyncIterator[Running]:
    async with running() as client:
        yield client


@pytest.fixture
def typed(run: Run, live: Running) -> Typed:
    return Typed(run, live)


async def claimed(match: Made, seat: int, *steps: str) -> None:
    body = {"steps": list(steps), "text": "That was not the pumpkin I saw."}
    reply = await match.client.post(f"{match.path}/disputes", match.seats[seat], json=body)
    assert reply.status_code == 201, reply.text


async def bundled(typed: Typed, token: str, source: str, *words: str) -> bytes:
    await typed(token, "bundle", source, *words, "--out", "b.zip")
    return content("b.zip")


def content(path: str) -> bytes:
    return Path(path).read_bytes()


def lines(path: str, viewer: Any) -> list[Any]:
    with zipfile.ZipFile(path) as packed:
        name = next(n for n in packed.namelist() if n.endswith(f"data/views/{viewer}.ndjson"))
        return [msgspec.json.decode(line) for line in packed.read(name).splitlines()]


def board(path: str) -> str:
    with zipfile.ZipFile(path) as packed:
        name = next(n for n in packed.namelist() if n.endswith("data/board.txt"))
        return packed.read(name).decode()


@pytest.mark.parametrize("over", [False, True])
async def test_whoever_makes_it(typed: Typed, live: Running, over: bool) -> None:
    match = await turns(live)
    if over:
        await match.finished()
    await claimed(match, 1, "6", "4.1")
    auditor = await token_for(live, "audit")
    public, seat = ("--mode", "public"), ("--mode", "seat", "--as", "1")
    tokens = (match.seats[1], match.seats[0], match.watch, match.host, auditor, "")
    made = {await bundled(typed, token, match.id, *public) for token in tokens}
    assert len(made) == 1
    assert all(line["view"] for line in lines("b.zip", "spectator"))
    made = {await bundled(typed, token, match.id, *seat) for token in (match.seats[1], auditor)}
    assert len(made) == 1
    last = await version(match)
    for viewer in (1, "spectator"):
        told = lines("b.zip", viewer)
        assert [line["version"] for line in told] == list(range(1, last + 1))
        for line in told:
            path = f"{match.path}/steps/{line['version']}"
            there = await live.get(path, match.seats[1], params={"as": str(viewer)})
            assert line["view"] == there.json()["view"]
    assert "cannot be shown" not in board("b.zip") and "step 4.1 of" in board("b.zip")
    await typed(match.seats[0], "bundle", match.id, *seat, "--out", "b.zip", code=2)


async def test_page_by_page(typed: Typed, live: Running, monkeypatch: Any) -> None:
    match = await turns(live)
    whole = await bundled(typed, match.seats[0], match.id, "--mode", "seat", "--as", "0")
    every = Api.views

    def two(self: Api, *args: Any) -> Any:
        pages.append(args)
        return every(self, *args)[:2]

    pages: list[Any] = []
    monkeypatch.setattr(Api, "views", two)
    assert await bundled(typed, match.seats[0], match.id, "--mode", "seat", "--as", "0") == whole
    assert len(pages) > 2


async def test_the_public_one_holds_no_more_than_the_public_is_shown_by_now(
    typed: Typed, live: Running
) -> None:
    match = await live.playing(delay=2)
    for _ in range(3):
        await match.move()
    auditor = await token_for(live, "audit")
    made = {
        await bundled(typed, token, match.id, "--mode", "public")
        for token in (match.seats[0], auditor, "")
    }
    assert len(made) == 1 and len(lines("b.zip", "spectator")) == 5
    await bundled(typed, match.seats[0], match.id, "--mode", "seat", "--as", "0")
    assert len(lines("b.zip", 0)) == 7 and all(line["view"] for line in lines("b.zip", 0))


async def test_a_file_with_the_server_beside_it(
    typed: Typed, live: Running, tmp_path: Path
) -> None:
    """A log in hand, of which the server shows the views to who may see them."""
    match = await turns(live)
    await claimed(match, 1, "6")
    auditor = await token_for(live, "audit")
    seat = ("--mode", "seat", "--as", "1")
    whole = await bundled(typed, match.seats[1], match.id, *seat)
    files.put(tmp_path / "one.jsonl", (await live.get(f"{match.path}/log", match.seats[1])).content)
    for token in (match.seats[1], auditor):
        assert await bundled(typed, token, "./one.jsonl", *seat) == whole
    assert await bundled(typed, "", "./one.jsonl", *seat) != whole
    last = lines("b.zip", 1)[-1]
    assert last["view"] is None and "this token does not see through the eyes" in last["unknown"]
    assert f"The table cannot be shown: {last['unknown']}." in board("b.zip")
    await asyncio.to_thread(typed.run, "bundle", "./one.jsonl", *seat, "--out", "b.zip")
    last = lines("b.zip", 1)[-1]
    assert last["view"] is None and "token" not in last["unknown"]


async def test_views_of_another_history_are_not_taken(
    typed: Typed, live: Running, monkeypatch: Any
) -> None:
    match = await turns(live)
    every = Api.views

    def other(self: Api, *args: Any) -> Any:
        return [{**shown, "head": "0" * 64} for shown in every(self, *args)]

    monkeypatch.setattr(Api, "views", other)
    await typed(
        match.seats[0], "bundle", match.id, "--mode", "seat", "--as", "0", "--out", "b.zip", code=1
    )
    monkeypatch.setattr(Api, "views", lambda *_: [])
    await typed(
        match.seats[0], "bundle", match.id, "--mode", "seat", "--as", "0", "--out", "b.zip", code=1
    )


async def test_an_auditors_bundle_for_the_public_uses_no_auditors_eyes(
    typed: Typed, live: Running
) -> None:
    match = await turns(live)
    auditor = await token_for(live, "audit")
    await bundled(typed, auditor, match.id, "--mode", "public")
    seen = await live.get(f"{match.path}/access", auditor)
    assert seen.json()["items"] == []
    await bundled(typed, auditor, match.id, "--mode", "seat", "--as", "0")
    seen = await live.get(f"{match.path}/access", auditor)
    assert [item["what"] for item in seen.json()["items"]] == ["log"]
    stranger = await live.get(f"{match.path}/access")
    assert code(stranger) == "token_required"


@pytest.mark.parametrize("game", GOES_BY)
async def test_every_game(typed: Typed, live: Running, game: str) -> None:
    match = await live.playing(3, game)
    for _ in range(8):
        await match.move()
    await claimed(match, 1, "7")
    auditor = await token_for(live, "audit")
    seat = ("--mode", "seat", "--as", "1", "--dispute", "1")
    made = {await bundled(typed, token, match.id, *seat) for token in (match.seats[1], auditor)}
    assert len(made) == 1
    assert all(line["view"] for line in lines("b.zip", 1) + lines("b.zip", "spectator"))
    assert "cannot be shown" not in board("b.zip")

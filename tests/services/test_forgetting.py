"""A player is forgotten: tokens and words go, the log stays and proves as much as before."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from events.server import candidates
from projections.inbox import Inbox
from projections.runner import Runner
from services.forgetting import Forgotten, forget
from services.vault import Grant
from tests.services.api import ADMIN, Client, Made
from tests.services.cli.running import hallowstream

WORDS = "my name is Ann Example, and that was not fair"


async def player(api: Client, name: str) -> str:
    made = await api.post("/v1/tokens", ADMIN, json={"scope": "player", "player": name})
    return str(made.json()["token"])


async def disputed(api: Client, token: str) -> Made:
    """A match in which this player and somebody else claim something."""
    match = await api.made(3)
    await match.join(token)
    await match.join()
    await match.join()
    assert (await api.post(f"{match.path}/start", match.host)).status_code == 200
    for seat, text in [(0, WORDS), (1, "words of another")]:
        body = {"steps": ["4"], "text": text}
        reply = await api.post(f"{match.path}/disputes", match.seats[seat], json=body)
        assert reply.status_code == 201, reply.text
    return match


async def test_tokens_and_words_of_one_player(api: Client) -> None:
    ann, bob = await player(api, "ann"), await player(api, "bob")
    matches = [await disputed(api, ann), await disputed(api, ann), await disputed(api, bob)]
    await Runner(api.desk.store, Inbox(), "w").drain()
    done = await forget(api.desk.store, api.desk.vault, "ann")
    assert done == Forgotten("ann", tokens=3, texts=2, matches=2)
    assert (await api.get("/v1/inbox", bob)).status_code == 200
    api.desk.tokens.forget("")
    assert (await api.get("/v1/inbox", ann)).status_code == 401
    assert (await api.get(matches[0].path, matches[0].seats[0])).status_code == 401
    audit = (await api.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()["token"]
    told = [(await api.get(f"{match.path}/disputes", audit)).json() for match in matches]
    words = [[word["words"] for case in each["items"] for word in case["said"]] for each in told]
    assert words == [["removed", "kept"], ["removed", "kept"], ["kept", "kept"]]
    log = (await api.get(f"{matches[0].path}/log", audit)).text
    assert "Ann Example" not in log and '"ann"' in log
    report = (await api.get(f"{matches[0].path}/verify", audit)).json()
    assert report["ok"]
    again = await forget(api.desk.store, api.desk.vault, "ann")
    assert again == Forgotten("ann", tokens=0, texts=0, matches=2)


async def test_a_seat_that_another_has_taken_over(api: Client) -> None:
    """Words belong to who sat there when they were said."""
    ann, bob = await player(api, "ann"), await player(api, "bob")
    match = await disputed(api, ann)
    await api.post(f"{match.path}/resign", match.seats[0])
    await match.join(bob, seat=0)
    body = {"steps": ["5"], "text": "bob's own"}
    await api.post(f"{match.path}/disputes", match.seats[0], json=body)
    await Runner(api.desk.store, Inbox(), "w").drain()
    assert (await forget(api.desk.store, api.desk.vault, "bob")).texts == 1
    audit = (await api.post("/v1/tokens", ADMIN, json={"scope": "audit"})).json()["token"]
    told = (await api.get(f"{match.path}/disputes", audit)).json()["items"]
    assert [case["said"][0]["words"] for case in told] == ["kept", "kept", "removed"]


@pytest.mark.skipif(next(candidates(), None) is None, reason="no Redis or Valkey is here")
async def test_from_the_command_line(tmp_path: Path) -> None:
    from events.server import Server
    from services.vault import RedisVault

    with Server(tmp_path / "redis") as server:
        vault = RedisVault(server.url)
        await vault.grant("0" * 64, Grant("player", player="ann"))
        await vault.grant("1" * 64, Grant("play", "m", 0, "ann"))
        await vault.grant("2" * 64, Grant("player", player="bob"))
        done = hallowstream("forget", "ann", "--json", cwd=tmp_path, REDIS_URL=server.url)
        assert done.returncode == 0, done.stderr
        told = msgspec.json.decode(done.stdout)["forgotten"]
        assert told == {"player": "ann", "tokens": 2, "texts": 0, "matches": 0}
        assert await vault.find("0" * 64) is None and await vault.find("2" * 64) is not None
        wrong = hallowstream("forget", "no id!", cwd=tmp_path, REDIS_URL=server.url)
        assert wrong.returncode == 2 and "no player id" in wrong.stderr
        await vault.aclose()

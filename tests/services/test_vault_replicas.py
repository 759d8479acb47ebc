"""A vault whose writes count once replicas have them: a token must not be lost in a failover."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from events.store import Unavailable
from services.vault import Grant, RedisVault, Text


class _Link:
    """Answers every command, and WAIT with how many replicas there are."""

    def __init__(self, replicas: int) -> None:
        self.replicas = replicas
        self.sent: list[list[Any]] = []

    async def many(self, commands: Sequence[Any]) -> list[Any]:
        self.sent.append([command[0] for command in commands])
        return [self.replicas if command[0] == "WAIT" else None for command in commands]

    async def call(self, *command: Any) -> Any:
        return (await self.many([command]))[0]


def _vault(there: int, wanted: int) -> tuple[RedisVault, _Link]:
    vault, link = RedisVault("redis://127.0.0.1:1", replicas=wanted), _Link(there)
    vault._link = link  # type: ignore[assignment]
    return vault, link


WRITES: dict[str, Any] = {
    "grant": lambda vault: vault.grant("d", Grant("play", "m", 0, "ann")),
    "revoke": lambda vault: vault.revoke("d"),
    "rotate": lambda vault: vault.rotate("m", "host", 1),
    "claim": lambda vault: vault.claim("k", "m"),
    "keep_text": lambda vault: vault.keep_text("m", Text(b"salt", "words")),
    "forget_text": lambda vault: vault.forget_text("m", "mark"),
    "note": lambda vault: vault.note("n", b"record"),
}


@pytest.mark.parametrize("name", WRITES)
async def test_16_a_write_that_no_replica_has_does_not_count(name: str) -> None:
    vault, _ = _vault(there=0, wanted=1)
    with pytest.raises(Unavailable, match="0 of 1"):
        await WRITES[name](vault)


@pytest.mark.parametrize("name", WRITES)
async def test_each_write_is_waited_for_on_its_own_connection(name: str) -> None:
    vault, link = _vault(there=1, wanted=1)
    await WRITES[name](vault)
    waited = [sent for sent in link.sent if sent[-1] == "WAIT"]
    assert waited and all(len(sent) > 1 for sent in waited)


async def test_a_claim_that_finds_another_writes_all_the_same() -> None:
    """WAIT would tell of nothing else."""
    vault, link = _vault(there=1, wanted=1)
    await vault.claim("k", "m")
    assert link.sent == [["SET", "EXPIRE", "WAIT"]]


@pytest.mark.parametrize("name", WRITES)
async def test_without_replicas_nothing_is_waited_for(name: str) -> None:
    vault, link = _vault(there=0, wanted=0)
    await WRITES[name](vault)
    assert not any("WAIT" in sent for sent in link.sent)

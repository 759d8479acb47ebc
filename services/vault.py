"""What no log may hold: grants by the SHA-256 of their token, and words that can be forgotten."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from hashlib import sha256
from typing import Any, Literal, Protocol

import msgspec

from events.redis_connect import Later
from events.redis_ear import heard
from events.redis_pipe import Command
from events.store import Unavailable

Scope = Literal["play", "view", "host", "audit", "admin", "player"]

DAY = 24 * 60 * 60
REPLICA_MS = 500
"""How long a write waits for its replicas."""

REVOKED = "tokens:revoked"

ANONYMOUS = "anon_"
"""How ids of players begin that are good for one seat: their tokens go with it."""


class Grant(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the bearer of a token may do.

    `expires` is UTC in milliseconds, 0 for never. `rotation` counts the tokens that this one came
    after. `rotated_by` is the command that replaced it: from then on it is good for nothing but
    asking for the outcome of that command again, for a day. For a day, too, an expired grant is
    kept to say so.
    """

    scope: Scope
    match: str = ""
    seat: int | None = None
    player: str = ""
    expires: int = 0
    rotation: int = 0
    rotated_by: bytes = b""


class Text(msgspec.Struct, frozen=True):
    """Words that a log binds by their mark, SHA-256(salt ‖ text): kept here, so that they can be
    forgotten. The salt keeps short words from being guessed from their mark."""

    salt: bytes
    text: str

    @property
    def mark(self) -> str:
        return sha256(self.salt + self.text.encode()).hexdigest()


class Vault(Protocol):
    """Grants by the digest of their token; raises Unavailable."""

    async def grant(self, digest: str, grant: Grant) -> None: ...

    async def find(self, digest: str) -> Grant | None: ...

    async def revoke(self, digest: str, grant: Grant | None = None) -> None:
        """Forget a grant, or put a spent one in its place; all processes are told."""

    async def forget_player(self, player: str) -> int:
        """Revoke every token of the player; how many there were."""

    def revoked(self) -> AsyncIterator[str]:
        """Digests as they are revoked by anyone; "" after every (re)connection."""

    async def rotations(self, match: str, role: str) -> int:
        """How often the token of that role was rotated."""

    async def rotate(self, match: str, role: str, to: int) -> None: ...

    async def claim(self, key: str, match: str) -> str:
        """The match that was first claimed under this key within 24 hours: this one, or an
        earlier one."""

    async def keep_text(self, match: str, text: Text) -> None:
        """Under its mark; again is the same as once."""

    async def texts(self, match: str, marks: Sequence[str]) -> list[Text | None]:
        """By their marks; None for what was forgotten or never kept."""

    async def forget_text(self, match: str, mark: str) -> bool:
        """Whether it was there."""

    async def forget(self, match: str) -> None:
        """All words said about a match, and how its tokens were rotated."""

    async def note(self, name: str, record: bytes) -> None:
        """Add to the records of that name, which nothing ever changes."""

    async def notes(self, name: str, after: int, limit: int) -> list[bytes]:
        """So many of them after the first `after`, the oldest first."""

    async def aclose(self) -> None: ...


class MemoryVault:
    """For tests and for a process that keeps nothing."""

    def __init__(self) -> None:
        self._grants: dict[str, Grant] = {}
        self._rotations: dict[tuple[str, str], int] = {}
        self._claims: dict[str, str] = {}
        self._notes: defaultdict[str, list[bytes]] = defaultdict(list)
        self._texts: dict[tuple[str, str], Text] = {}
        self._listeners: set[asyncio.Queue[str]] = set()

    async def grant(self, digest: str, grant: Grant) -> None:
        self._grants[digest] = grant

    async def find(self, digest: str) -> Grant | None:
        return self._grants.get(digest)

    async def revoke(self, digest: str, grant: Grant | None = None) -> None:
        self._grants.pop(digest, None)
        if grant is not None:
            self._grants[digest] = grant
        for queue in self._listeners:
            queue.put_nowait(digest)

    async def forget_player(self, player: str) -> int:
        marks = [mark for mark, grant in self._grants.items() if grant.player == player]
        for mark in marks:
            await self.revoke(mark)
        return len(marks)

    async def revoked(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield ""
            while True:
                yield await queue.get()
        finally:
            self._listeners.discard(queue)

    async def rotations(self, match: str, role: str) -> int:
        return self._rotations.get((match, role), 0)

    async def rotate(self, match: str, role: str, to: int) -> None:
        self._rotations[match, role] = max(to, await self.rotations(match, role))

    async def claim(self, key: str, match: str) -> str:
        return self._claims.setdefault(key, match)

    async def keep_text(self, match: str, text: Text) -> None:
        self._texts[match, text.mark] = text

    async def texts(self, match: str, marks: Sequence[str]) -> list[Text | None]:
        return [self._texts.get((match, mark)) for mark in marks]

    async def forget_text(self, match: str, mark: str) -> bool:
        return self._texts.pop((match, mark), None) is not None

    async def forget(self, match: str) -> None:
        for kept in (self._texts, self._rotations):
            for key in [key for key in kept if key[0] == match]:
                del kept[key]

    async def note(self, name: str, record: bytes) -> None:
        self._notes[name].append(record)

    async def notes(self, name: str, after: int, limit: int) -> list[bytes]:
        return self._notes[name][after : after + limit]

    async def aclose(self) -> None:
        """Nothing to give back."""


_grants = msgspec.msgpack.Decoder(Grant)
_texts = msgspec.msgpack.Decoder(Text)


class RedisVault:
    """Grants beside the logs, each under a key of its own.

    What is written counts once so many `replicas` have it: whoever got a token by a command that
    survives a failover must not lose it there. Without enough of them it is Unavailable.
    """

    def __init__(self, url: str, reply_within: float = 1.5, replicas: int = 0) -> None:
        """`url` may be any address of a store. Raises BadAddress."""
        self._replicas = replicas
        self._wait: list[Command] = [("WAIT", replicas, REPLICA_MS)] if replicas else []
        self._link = Later(url, 16, reply_within)
        self._news = self._link.sibling(1)

    async def grant(self, digest: str, grant: Grant) -> None:
        words: list[Any] = ["SET", f"token:{digest}", msgspec.msgpack.encode(grant)]
        if grant.rotated_by:
            words += ["EX", DAY]
        elif grant.expires:
            words += ["PXAT", grant.expires + 1000 * DAY]
        if grant.player and not grant.player.startswith(ANONYMOUS):
            # First, that no token of a player is ever missing there.
            await self._write("SADD", f"tokens-of:{grant.player}", digest)
        await self._write(*words)

    async def _write(self, *words: Any, then: Command | None = None) -> Any:
        """The reply to a command that writes, once enough replicas have what it wrote. WAIT counts
        what its connection has written: `then` writes where the command may find nothing to do."""
        behind = [] if then is None else [then]
        replies = await self._link.many([words, *behind, *self._wait])
        if self._wait and replies[-1] < self._replicas:
            raise Unavailable(f"{replies[-1]} of {self._replicas} replicas have it")
        return replies[0]

    async def find(self, digest: str) -> Grant | None:
        data = await self._link.call("GET", f"token:{digest}")
        return _grants.decode(data) if data else None

    async def revoke(self, digest: str, grant: Grant | None = None) -> None:
        if grant is None:
            await self._write("DEL", f"token:{digest}")
        else:
            await self.grant(digest, grant)
        await self._link.call("PUBLISH", REVOKED, digest)

    async def forget_player(self, player: str) -> int:
        marks = [mark.decode() for mark in await self._link.call("SMEMBERS", f"tokens-of:{player}")]
        ended = 0
        for mark in marks:
            ended += await self.find(mark) is not None
            await self.revoke(mark)
        await self._link.call("DEL", f"tokens-of:{player}")
        return ended

    async def revoked(self) -> AsyncIterator[str]:
        async for mark in heard(self._news, [REVOKED]):
            if mark is not None:
                yield mark.decode()

    async def rotations(self, match: str, role: str) -> int:
        return int(await self._link.call("HGET", f"rotations:{match}", role) or 0)

    async def rotate(self, match: str, role: str, to: int) -> None:
        if await self.rotations(match, role) < to:
            await self._write("HSET", f"rotations:{match}", role, to)

    async def claim(self, key: str, match: str) -> str:
        name = f"created:{key}"
        words = ("SET", name, match, "NX", "GET", "EX", DAY)
        earlier = await self._write(*words, then=("EXPIRE", name, DAY))
        return earlier.decode() if earlier else match

    async def keep_text(self, match: str, text: Text) -> None:
        data = msgspec.msgpack.encode(text)
        await self._write("HSET", f"texts:{match}", text.mark, data)

    async def texts(self, match: str, marks: Sequence[str]) -> list[Text | None]:
        if not marks:
            return []
        found = await self._link.call("HMGET", f"texts:{match}", *marks)
        return [_texts.decode(data) if data else None for data in found]

    async def forget_text(self, match: str, mark: str) -> bool:
        return bool(await self._write("HDEL", f"texts:{match}", mark))

    async def forget(self, match: str) -> None:
        await self._link.many([("DEL", f"texts:{match}"), ("DEL", f"rotations:{match}")])

    async def note(self, name: str, record: bytes) -> None:
        await self._write("RPUSH", f"notes:{name}", record)

    async def notes(self, name: str, after: int, limit: int) -> list[bytes]:
        words = ("LRANGE", f"notes:{name}", after, after + limit - 1)
        return list(await self._link.call(*words))

    async def aclose(self) -> None:
        await self._news.aclose()
        await self._link.aclose()

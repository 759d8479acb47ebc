"""Workers that act on matches instead of folding them: woken by the feeds as all workers are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Protocol

import structlog

from events.store import Corrupt, Meta, Store, Unavailable, Unconfirmed
from games.rules import Refused
from projections.heart import Heart
from projections.keeper import Keeper, chunks
from projections.projection import Made
from projections.runner import Pace, Runner
from projections.story import Library, Story
from services.keys import UnknownKey
from services.matches import Busy, UnknownMatch

_logger = structlog.get_logger()

AT_ONCE = 16


class Actor(Protocol):
    """What is to be done for a match that has moved; doing it twice must be doing it once."""

    name: str

    async def act(self, match: str) -> None: ...


class _Nothing:
    """Stands where a projection would: an actor keeps no cells."""

    def __init__(self, name: str) -> None:
        self.name = name

    def made(self, story: Story) -> Made:
        return Made(b"")


class Doing(Keeper):
    """In a keeper's place: acts on each match, and parks one that cannot be acted on."""

    def __init__(self, store: Store, actor: Actor) -> None:
        super().__init__(store, _Nothing(actor.name), Library(store))
        self._actor = actor

    async def catch_up(self, wanted: dict[str, int]) -> None:
        """In a closed match there is nothing to do, wherever its log lies."""
        await self.unfinished(list(wanted))

    async def repair(self, partitions: Iterable[int] | None = None) -> None:
        """Look at every match, as if no feed had been kept."""
        for number in range(self.store.partitions) if partitions is None else partitions:
            async for chunk in chunks(self.store.matches(number)):
                await self.unfinished(chunk)

    async def unfinished(self, matches: Sequence[str]) -> None:
        """Act on those that are not closed, nor parked."""
        metas = await self.store.metas(matches)
        parked = await self.store.is_parked(self._actor.name, matches)
        found = zip(matches, metas, parked, strict=True)
        await self._all([m for m, meta, is_parked in found if not is_parked and _open(meta)])

    async def release(self, match: str) -> None:
        await self.store.release(self._actor.name, match)
        await self._all([match])

    async def _all(self, matches: Sequence[str]) -> None:
        for first in range(0, len(matches), AT_ONCE):
            some = matches[first : first + AT_ONCE]
            for error in await asyncio.gather(*map(self._one, some), return_exceptions=True):
                if error is not None:
                    raise error

    async def _one(self, match: str) -> None:
        try:
            await self._actor.act(match)
        except (Unavailable, Unconfirmed, Busy) as error:
            raise Unavailable(str(error)) from error
        except UnknownMatch:
            return
        except Exception as error:
            if not isinstance(error, Refused | Corrupt | UnknownKey):
                _logger.exception("cannot_act", worker=self._actor.name, match=match)
            meta = await self.store.meta(match)
            version = meta.version if meta else 0
            why = f"{type(error).__name__}: {error}"
            _logger.error("parked", worker=self._actor.name, match=match, version=version, why=why)
            await self.store.park(self._actor.name, match, version, why)


def _open(meta: Meta | None) -> bool:
    return meta is not None and meta.status != "closed"


class ActingRunner(Runner):
    """The same loop as every worker's, with something to do in the place of a projection."""

    def __init__(
        self,
        store: Store,
        actor: Actor,
        consumer: str,
        pace: Pace | None = None,
        heart: Heart | None = None,
    ) -> None:
        super().__init__(store, _Nothing(actor.name), consumer, pace=pace, heart=heart)
        self.keeper = Doing(store, actor)

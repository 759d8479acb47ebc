"""Many are asked at once, and nobody who is slow or dead holds up what the others say."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from events.redis_errors import NotSent
from events.redis_link import FAILURES

T = TypeVar("T")

_GRACE = 0.2


async def answers(asked: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """What comes until all have answered or failed, or a moment after the first answer.

    Raises NotSent where nobody answers.
    """
    tasks = [asyncio.ensure_future(one) for one in asked]
    found: list[T] = []
    why: BaseException | None = None
    waiting = set(tasks)
    try:
        while waiting:
            patience = _GRACE if found else None
            done, waiting = await asyncio.wait(
                waiting, timeout=patience, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                break
            for task in done:
                try:
                    found.append(task.result())
                except (*FAILURES, NotSent) as error:
                    why = error
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if not found:
        raise NotSent(str(why) or "nobody answers in time") from why
    return found

"""What is known of a player and can be taken away: its tokens, and the words it wrote.

Logs hold no more of it than its opaque id, and stay as they are: what they prove needs them whole.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
import structlog

from events.store import ArchiveAway, Corrupt, Store
from games.rules import Refused
from projections import inbox
from projections.served import Served
from replay import cases
from services import pasts
from services.pasts import Past
from services.vault import Vault

_logger = structlog.get_logger()

PAGE = 200


class Forgotten(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many of its tokens ended and of its texts went, and in how many matches it sits; `unread`
    are those of them whose logs cannot be read now, so that its words there stay."""

    player: str
    tokens: int
    texts: int
    matches: int
    unread: tuple[str, ...] = ()


async def forget(store: Store, vault: Vault, player: str) -> Forgotten:
    """End the player's tokens and forget its claims and appeals. Again is the same as once.

    Matches are found by the inbox, so workers should be through. Whoever stops half way is gone on
    with by the next. Raises Unavailable.
    """
    tokens = await vault.forget_player(player)
    texts = matches = 0
    unread: list[str] = []
    async for match in _matches(store, player):
        matches += 1
        try:
            marks = await _words(store, match, player)
        except (Corrupt, ArchiveAway, Refused) as error:
            _logger.error("cannot_forget", match=match, why=str(error))
            unread.append(match)
            continue
        for mark in marks:
            texts += await vault.forget_text(match, mark)
    return Forgotten(player, tokens, texts, matches, tuple(unread))


async def _matches(store: Store, player: str) -> AsyncIterator[str]:
    cells, after, seen = Served(store), "", set()
    while True:
        page = await inbox.matches_of(cells, player, after, PAGE, newest=False)
        for item in page.items:
            if item.match not in seen:
                seen.add(item.match)
                yield item.match
        after = page.after
        if not after:
            return


async def _words(store: Store, match: str, player: str) -> list[str]:
    """The marks of what this player said there, sitting on whichever seat. Raises Corrupt,
    Refused, Unavailable."""
    entries = await store.read(match)
    if not entries:
        return []
    past: Past = pasts.more(match, pasts.first(match, entries[0]), entries)
    told = cases.cases(cases.Told(c.version, c.at, c.events) for c in past.commits)
    said = [word for case in told for word in case.words if word.seat is not None]
    return [word.sha256 for word in said if _sat(past, word, player)]


def _sat(past: Past, word: cases.Word, player: str) -> bool:
    assert word.seat is not None
    return past.tables[word.version].match.seats[word.seat].player == player

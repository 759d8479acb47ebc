"""What is known of a player and can be taken away: its tokens, and the words it wrote.

Logs hold no more of it than its opaque id, and stay as they are: what they prove needs them whole.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
import structlog

from events.store import ArchiveAway, Corrupt, Store
from games.dispute import held
from games.rules import Refused
from projections import inbox
from projections.served import Served
from replay import cases
from services import disputes
from services.keys import Keys, UnknownKey
from services.live import Live
from services.matches import Matches, UnknownMatch
from services.pasts import Past
from services.vault import Vault

_logger = structlog.get_logger()

PAGE = 200


class Forgotten(msgspec.Struct, frozen=True, omit_defaults=True):
    """How many of its tokens ended and of its texts went, and in how many matches it sits.

    Its words stay in those of them that are `held` by a dispute, which waits for a referee, and in
    the `unread`, whose logs cannot be read or added to now.
    """

    player: str
    tokens: int
    texts: int
    matches: int
    unread: tuple[str, ...] = ()
    held: tuple[str, ...] = ()


class Kept(Exception):
    """The words stay: a dispute waits for a referee, who may need them."""


async def forget(store: Store, vault: Vault, keys: Keys, player: str) -> Forgotten:
    """End the player's tokens and forget its claims and appeals: the log says so of each. Again is
    the same as once.

    Matches are found by the inbox, so workers should be through. Whoever stops half way is gone on
    with by the next. Raises Unavailable, Unconfirmed, Busy.
    """
    matches = Matches(store, keys)
    tokens = await vault.forget_player(player)
    texts = found = 0
    unread: list[str] = []
    waiting: list[str] = []
    async for match in _matches(store, player):
        found += 1
        try:
            texts += await _forget_words(matches, vault, match, player)
        except Kept:
            waiting.append(match)
        except (Corrupt, ArchiveAway, Refused, UnknownKey) as error:
            _logger.error("cannot_forget", match=match, why=str(error))
            unread.append(match)
    return Forgotten(player, tokens, texts, found, tuple(unread), tuple(waiting))


async def _forget_words(matches: Matches, vault: Vault, match: str, player: str) -> int:
    """How many went. Raises Kept, and as the match does."""
    try:
        live = await matches.refresh(match)
    except UnknownMatch:
        return 0
    if not live.table.match.disputes:
        return 0
    said = _words(await matches.pasts.of(live), player)
    texts = await vault.texts(match, [word.sha256 for _, word in said])
    there = [told for told, text in zip(said, texts, strict=True) if text is not None]
    for number, word in there:
        await _remove(matches, live, number, word)
        await vault.forget_text(match, word.sha256)
    return len(there)


async def _remove(matches: Matches, live: Live, number: int, word: cases.Word) -> None:
    """Raises Kept, and as the match does."""
    try:
        await matches.submit(live.id, disputes.removal(matches.keys, live, number, word.version))
    except Refused:
        if held(live.table.match):
            raise Kept from None
        raise


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


def _words(past: Past, player: str) -> list[tuple[int, cases.Word]]:
    """What this player said there, sitting on whichever seat, and in which disputes."""
    told = cases.cases(cases.Told(c.version, c.at, c.events) for c in past.commits)
    said = [(case.number, word) for case in told for word in case.words if word.seat is not None]
    return [(number, word) for number, word in said if _sat(past, word, player)]


def _sat(past: Past, word: cases.Word, player: str) -> bool:
    assert word.seat is not None
    return past.tables[word.version].match.seats[word.seat].player == player

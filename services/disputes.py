"""The commands of a dispute. The log binds the words; the words themselves go to the vault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games import dispute as rules
from games.history import By, Commit
from games.match import Correction, MatchEvents
from games.referee import WordsRemoved
from games.rules import Refused
from games.sight import Seat
from games.table import Table
from games.undo import History
from services.commands import Command, Decided, reviewed
from services.ids import base62
from services.keys import Keys
from services.live import Live
from services.vault import Text, Vault

Make = Callable[[Table, str], MatchEvents]
"""(table, mark of the words) to the events. Raises Refused."""


def author(keys: Keys, key: str, digest: str) -> str:
    """Who a referee is in a log: always the same for one token, and nothing to guess it from."""
    return "ref_" + base62(keys.token(key, "author", digest)[:12])


def removal(keys: Keys, live: Live, number: int, version: int, author: str = "") -> Command:
    """The words of this version are to be forgotten: once it is in the log, they may go. It has the
    same id whoever sends it, so that the log tells of it once. Raises UnknownKey."""
    id = keys.token(live.table.match.key, "remove", live.id, number, version)[:16]

    def review(table: Table, history: History) -> MatchEvents:
        return rules.remove(table, history, number, version, author)

    def same(commit: Commit[Any], before: Table) -> bool:
        return isinstance(commit.events[0], WordsRemoved)

    return Command(id, "admin", reviewed, same, review=review, ends=True)


class Saying:
    """What it takes to say something about a match: its vault, and keys to salt the words with."""

    def __init__(self, vault: Vault, keys: Keys, key: str, match: str) -> None:
        self._vault = vault
        self._keys = keys
        self._key = key
        self._match = match

    def command(self, id: bytes, by: By, words: str, make: Make) -> Command:
        """The words are kept before their mark is logged; a command sent again has the same."""
        salt = self._keys.token(self._key, "text", self._match, id.hex())[:16]
        text = Text(salt, words)

        def decide(table: Table, seed: bytes) -> Decided:
            return Decided(list(make(table, text.mark)))

        def same(commit: Commit[Any], before: Table) -> bool:
            try:
                return commit.by == by and make(before, text.mark) == commit.events
            except Refused:
                return False

        async def keep(events: Sequence[Any]) -> None:
            await self._vault.keep_text(self._match, text)

        return Command(id, by, decide, same, prepare=keep, ends=True)

    def claim(self, id: bytes, seat: Seat, steps: tuple[str, ...], words: str) -> Command:
        return self.command(
            id, seat, words, lambda table, mark: rules.open_dispute(table, seat, steps, mark)
        )

    def note(self, id: bytes, number: int, author: str, words: str) -> Command:
        return self.command(
            id, "admin", words, lambda table, mark: rules.note(table, number, author, mark)
        )

    def appeal(self, id: bytes, number: int, seat: Seat, words: str) -> Command:
        return self.command(
            id, seat, words, lambda table, mark: rules.appeal(table, number, seat, mark)
        )

    def ruling(
        self,
        id: bytes,
        number: int,
        author: str,
        upheld: bool,
        reason: str,
        winners: tuple[Seat, ...] | None = None,
        scores: tuple[int | None, ...] | None = None,
        vacate: Seat | None = None,
        end: tuple[Seat, ...] | None = None,
    ) -> Command:
        """Of winners and scores, what is not given stays as it is."""

        def make(table: Table, mark: str) -> MatchEvents:
            correction = _corrected(table, winners, scores)
            word = (number, author, upheld, mark, correction)
            won = None if end is None else tuple(sorted(set(end)))
            return rules.rule(table, *word, vacate=vacate, end=won)

        return self.command(id, "admin", reason, make)


def _corrected(
    table: Table, winners: tuple[Seat, ...] | None, scores: tuple[int | None, ...] | None
) -> Correction | None:
    if winners is None and scores is None:
        return None
    stands = table.result
    if stands is None:
        raise Refused("not_over", "the match has no result yet to correct")
    return Correction(
        stands.winners if winners is None else tuple(sorted(set(winners))),
        stands.scores if scores is None else scores,
    )

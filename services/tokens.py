"""Opaque tokens: made from the server key, known by their SHA-256, good for what a log allows."""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from secrets import token_bytes
from typing import NamedTuple

from games.rules import Refused
from games.sight import Seat, Viewer
from games.table import Table
from services.ids import base62, is_player_id
from services.keys import Keys
from services.vault import Grant, Scope, Vault

KINDS: dict[Scope, str] = {
    "play": "seat",
    "view": "view",
    "host": "host",
    "audit": "audit",
    "admin": "admin",
    "player": "player",
}
"""The word in a token's prefix, `hs_<kind>_`, that lets people and scanners tell it."""


class Bearer(NamedTuple):
    """Who asks: a grant and the digest of the token that brought it."""

    digest: str
    grant: Grant


ANYONE = Bearer("", Grant("view"))
"""Who shows no token."""


def digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


class Tokens:
    """The tokens of one process, in front of a vault.

    A grant is believed for `keep` seconds; `forget` ends that when its revocation is heard of.
    """

    def __init__(
        self,
        vault: Vault,
        keys: Keys,
        admin_key: str = "",
        keep: float = 30.0,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self.vault = vault
        self.keys = keys
        self.clock = clock
        self._admin = digest(admin_key) if admin_key else ""
        self._keep = keep
        self._known: OrderedDict[str, tuple[float, Grant]] = OrderedDict()

    def known(self, token: str) -> Bearer | None:
        """The bearer, if this process knows it without asking."""
        mark = digest(token)
        found = self._known.get(mark)
        if found is None or found[0] < time.monotonic():
            return None
        return Bearer(mark, self._good(found[1]))

    async def bearer(self, token: str) -> Bearer:
        """Who shows this token. Raises Refused: `unknown_token`, `token_expired`; Unavailable."""
        known = self.known(token)
        if known is not None:
            return known
        mark = digest(token)
        if self._admin and hmac.compare_digest(mark, self._admin):
            return Bearer(mark, Grant("admin"))
        grant = await self.vault.find(mark) if token.startswith("hs_") else None
        if grant is None:
            raise Refused("unknown_token", "the token is not known here, or it was revoked")
        self._remember(mark, grant)
        return Bearer(mark, self._good(grant))

    def _remember(self, mark: str, grant: Grant) -> None:
        self._known[mark] = (time.monotonic() + self._keep, grant)
        while len(self._known) > 100_000:
            self._known.popitem(last=False)

    def _good(self, grant: Grant) -> Grant:
        if grant.expires and grant.expires <= self.clock():
            raise Refused("token_expired", "the token has expired; ask for a new one")
        return grant

    def forget(self, mark: str) -> None:
        """Look it up again when it is next shown; all of them, where `mark` is empty."""
        if mark:
            self._known.pop(mark, None)
        else:
            self._known.clear()

    def derived(
        self, scope: Scope, key: str, match: str, seat: Seat | None, command: bytes, rotation: int
    ) -> str:
        """The token that this command gave, after so many rotations."""
        role = scope if seat is None else seat
        made = self.keys.token(key, match, role, command.hex(), rotation)
        return f"hs_{KINDS[scope]}_{base62(made)}"

    async def give(self, token: str, grant: Grant) -> None:
        """Raises Unavailable."""
        mark = digest(token)
        await self.vault.grant(mark, grant)
        self._remember(mark, grant)

    async def fresh(self, grant: Grant) -> str:
        """A token that follows from nothing: for auditors, admins, players and watchers."""
        token = f"hs_{KINDS[grant.scope]}_{base62(token_bytes(32))}"
        await self.give(token, grant)
        return token

    async def revoke(self, mark: str, spent: Grant | None = None) -> None:
        """Raises Refused(`wrong_scope`) for the admin key: that is a setting, not a grant."""
        if self._admin and hmac.compare_digest(mark, self._admin):
            raise Refused("wrong_scope", "the admin key is a setting; change it there")
        await self.vault.revoke(mark, spent)
        self.forget(mark)

    def anonymous(self, key: str, match: str, command: bytes) -> str:
        """The player id of who joins without one: the same for the same command, and only here."""
        return "anon_" + base62(self.keys.token(key, "player", match, command.hex())[:12])


def new_player() -> str:
    return "p_" + base62(token_bytes(12))


def checked_player(player: str) -> str:
    """Raises Refused(`bad_player`)."""
    if not is_player_id(player):
        raise Refused("bad_player", "a player id is 1 to 64 letters, digits, `_` and `-`")
    return player


def viewer(bearer: Bearer, table: Table) -> Viewer:
    """Whose eyes the bearer has on this match.

    Who knows the id of a match may watch it: `listed` is about lists alone.
    Raises Refused: `wrong_match`, `not_seated`.
    """
    players = [sitting.player for sitting in table.match.seats]
    return seen_as(bearer.grant, table.match.id, players)


def seen_as(grant: Grant, match: str, players: list[str]) -> Viewer:
    """`viewer`, where no more of the match is at hand."""
    if grant.scope == "audit":
        return "auditor"
    if grant.scope == "admin":
        return "spectator"
    if grant.match == match:
        if grant.seat is None:
            return "spectator"
        if players[grant.seat] != grant.player:
            raise Refused("not_seated", f"you do not sit on seat {grant.seat} any more")
        return grant.seat
    if grant.match:
        raise Refused("wrong_match", "the token is for another match")
    return "spectator"


def playing(bearer: Bearer, match: str) -> Seat:
    """The seat that the bearer plays. Raises Refused: `wrong_scope`, `wrong_match`."""
    grant = bearer.grant
    if grant.scope != "play" or grant.seat is None:
        raise _needed(bearer, "a seat's token, as joining returns it")
    if grant.match != match:
        raise Refused("wrong_match", "the token is for another match")
    return grant.seat


def hosting(bearer: Bearer, match: str) -> None:
    """Raises Refused: `wrong_scope`, `wrong_match`."""
    grant = bearer.grant
    if grant.scope == "admin":
        return
    if grant.scope != "host":
        raise _needed(bearer, "the host's token, as creating returns it")
    if grant.match != match:
        raise Refused("wrong_match", "the token is for another match")


def scoped(bearer: Bearer, *scopes: Scope) -> Grant:
    """Raises Refused(`wrong_scope`)."""
    if bearer.grant.scope not in scopes:
        raise _needed(bearer, f"a token for {' or '.join(scopes)}")
    return bearer.grant


def _needed(bearer: Bearer, what: str) -> Refused:
    code = "wrong_scope" if bearer.digest else "token_required"
    return Refused(code, f"this needs {what}")

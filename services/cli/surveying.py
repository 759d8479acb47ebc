"""`verify --all`: every stored match against the rules of today."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from events.shelf import DELETED
from events.store import Corrupt
from replay import load, survey
from replay.survey import Survey, Verdict
from services.cli import catalogue, output, stores
from services.cli.remote import keys_of
from services.keys import Keys, UnknownKey
from services.stored import as_stored, key_of

if TYPE_CHECKING:
    from events.store import Store


def run(data: Path | None, json: bool) -> None:
    catalogue.load(data)
    settings = stores.settings()
    try:
        keys = keys_of(settings)
    except UnknownKey as error:
        hint = "the seals can't be made without; give them in HALLOWSTREAM_SERVER_KEYS"
        raise output.usage(str(error), hint) from None

    async def all_matches() -> Survey:
        async with stores.opened(settings) as store:
            return await surveyed(store, keys)

    found = asyncio.run(all_matches())
    if json:
        output.as_json({"ok": found.ok, **msgspec.to_builtins(found)})
    else:
        _show(found)
    if not found.ok:
        raise output.Quiet(output.FAILED)


async def surveyed(store: Store, keys: Keys) -> Survey:
    """One match after the other, so that no more than one is in memory."""
    found = Survey()
    for partition in range(store.partitions):
        for match in dict.fromkeys([m async for m in store.matches(partition)]):
            verdict = await _judged(store, keys, match)
            if verdict is not None:
                found.add(verdict)
    return found


async def _judged(store: Store, keys: Keys, match: str) -> Verdict | None:
    """None where it was deleted since it was listed."""
    try:
        stored = await as_stored(store, match)
        entries, unread = stored.entries, stored.unread
        if unread is not None:
            return survey.broken(match, unread.why, unread.version)
        if not entries and await _deleted(store, match):
            return None
        key = key_of(entries)
        secret, seed = keys.seal_secret(key, match), keys.seed(key, match)
    except Corrupt as corrupt:
        return survey.broken(match, corrupt.why, corrupt.version)
    except UnknownKey as unknown:
        return survey.broken(match, str(unknown), 1)
    from events.log import sealer

    recording = load.stored(match, entries, sealer(secret, match))
    return survey.judged(recording, seed, stored.newest)


async def _deleted(store: Store, match: str) -> bool:
    (stands,) = await store.standings([match])
    return stands is not None and stands.status == DELETED


def _show(found: Survey) -> None:
    say = output.console().print
    say(
        f"{output.counted(found.matches, 'match', 'matches')}: {found.unchanged} unchanged, "
        f"{found.changed} changed, {found.broken} broken"
    )
    say(
        f"{found.running} running, {found.touched} of them begun under other rules; "
        f"{found.stuck} open questions cannot be carried over"
    )
    for name, listed in (("changed", found.changes), ("broken", found.breaks)):
        for verdict in listed:
            say(f"{name}  {verdict.match}  version {verdict.version}: {verdict.why}", markup=False)
    for stuck in found.questions:
        what = f"question {stuck.question} ({stuck.kind}) of seat {stuck.seat}"
        say(f"stuck  {stuck.match}  {what if stuck.question else 'what is open'}: {stuck.why}")
    if found.left_out:
        say(f"and {found.left_out} more that are not named here")

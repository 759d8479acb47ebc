"""What a hostile or a broken client does: repeats, forgeries, races, stale and foreign answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.faults.clients import new_key
from tests.faults.history import Op

if TYPE_CHECKING:
    from tests.faults.players import Player


async def mischief(player: Player, view: dict[str, Any]) -> None:
    """Perhaps one of them."""
    if player.rng.random() < player.table.mischief and not player.stop.is_set():
        await player.rng.choice(TRICKS)(player, view)


async def same_again(player: Player, view: dict[str, Any]) -> None:
    """An answer that is in the log, under its key: its first result is due."""
    if player.last is not None:
        await player.send(_like(player, player.last))


async def twice_at_once(player: Player, view: dict[str, Any]) -> None:
    """The next answer through several processes at the same moment, under one key."""
    asked = await _asked(player)
    if asked is None:
        return
    key = new_key(player.rng)
    ops = [player.op("answer", asked, key) for _ in range(3)]
    for op, name in zip(ops, player.caller.names * 3, strict=False):
        op.via = name
    await _together(player, ops)


async def two_minds(player: Player, view: dict[str, Any]) -> None:
    """The next question answered twice at the same moment, under two keys: one may win."""
    asked = await _asked(player)
    if asked is not None:
        await _together(player, [player.op("answer", asked) for _ in range(2)])


async def other_body(player: Player, view: dict[str, Any]) -> None:
    """Another answer under a key that was used."""
    if player.last is None:
        return
    body = {**player.last.body, "question": f"{player.last.body['question']}7"}
    await player.send(player.op("answer", body, player.last.key))


async def stale(player: Player, view: dict[str, Any]) -> None:
    """The answer to a question that was answered, under a new key."""
    if player.last is not None:
        await player.send(player.op("answer", player.last.body))


async def wrong_seat(player: Player, view: dict[str, Any]) -> None:
    """Another's question, with one's own token; and an answer with no right at all."""
    question = view["game"]["question"]
    body = {"question": question["id"], "option": "nothing", "seen": player.seen}
    await player.send(player.op("answer", body))
    for other in player.others[:1]:
        shown = await player.caller.view(
            other.name, other.match, player.via, other.token, player.seen
        )
        asked = shown and shown["game"] and shown["game"]["question"]
        if shown and asked and player.seat not in asked["seats"] and "form" in asked:
            option = player.table.option(shown, player.rng)
            body = {"question": asked["id"], "option": option, "seen": shown["version"]}
            await player.send(player.op("answer", body))


async def take_back(player: Player, view: dict[str, Any]) -> None:
    """Asks for an undo; sent again at once, and what was taken back is sent again as well."""
    if player.table.undo == "never" or player.last is None:
        return
    body = {"to": max(1, player.last.version - player.rng.randint(1, 3)), "seen": player.seen}
    key = new_key(player.rng)
    for _ in range(2):
        op = player.op("undo", body, key)
        await player.caller.command(op, f"{player.path}/undo", player.token)
    await player.send(_like(player, player.last, seen=False))


async def read_log(player: Player, view: dict[str, Any]) -> None:
    viewer = str(player.seat)
    await player.caller.log(player.name, player.match, player.via, player.token, viewer)


TRICKS = (
    same_again,
    same_again,
    twice_at_once,
    two_minds,
    other_body,
    stale,
    wrong_seat,
    take_back,
    read_log,
)


async def leave_for(player: Player, request: dict[str, Any]) -> None:
    """Agree to an undo that is asked for, or decline it; or neither."""
    waits = player.seat in request["needs"] and player.seat not in request["agreed"]
    if waits and player.rng.random() < 0.9:
        what = "agree" if player.rng.random() < 0.8 else "decline"
        op = player.op(what, {"seen": player.seen})
        await player.caller.command(op, f"{player.path}/undo/{what}", player.token)


async def _asked(player: Player) -> dict[str, Any] | None:
    """The body of an answer to what is asked now, if this player is."""
    view = await player.caller.view(
        player.name, player.match, player.via, player.token, player.seen
    )
    question = view and view["game"] and view["game"]["question"]
    if not view or not question or "form" not in question or view["status"] != "playing":
        return None
    option = player.table.option(view, player.rng)
    return {"question": question["id"], "option": option, "seen": view["version"]}


async def _together(player: Player, ops: list[Op]) -> None:
    send = player.caller.command
    await asyncio.gather(*[send(op, f"{player.path}/answers", player.token) for op in ops])
    for op in ops:
        if op.outcome == "ok":
            player.last = op
            player.seen = max(player.seen, op.version)


def _like(player: Player, op: Op, seen: bool = True) -> Op:
    body = dict(op.body)
    if not seen:
        body.pop("seen", None)
    return player.op("answer", body, op.key)

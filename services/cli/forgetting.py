"""`forget`: what is known of a player is taken away, on the store itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from services.cli.options import Json
from services.cli.output import ending

if TYPE_CHECKING:
    from services.forgetting import Forgotten


@ending
def forget(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="The player's opaque id.")],
    json: Json = False,
) -> None:
    """Forget a player: end its tokens, remove the words it wrote in disputes.

    Works on REDIS_URL, or on this machine's own store, with the server's keys: each log says that
    words were removed from it.

    Logs keep the opaque id: who that was is known where you gave it out.
    """
    import asyncio

    from services.cli import output

    with output.logged_aside():
        done = asyncio.run(_forgotten(player))
    if json:
        output.as_json({"ok": not (done.unread or done.held), "forgotten": done})
    else:
        _show(done)
    if done.unread or done.held:
        raise typer.Exit(1)


def _show(done: Forgotten) -> None:
    from services.cli import output

    console = output.console()
    tokens, texts = output.counted(done.tokens, "token"), output.counted(done.texts, "text")
    console.print(f"ended: {tokens}; removed: {texts}")
    matches = output.counted(done.matches, "match", "matches")
    console.print(f"still naming {done.player}: {matches}")
    if done.unread:
        console.print(f"its words stay where the log cannot be read: {', '.join(done.unread)}")
        console.print("mend these or have the archive back, then forget again")
    if done.held:
        console.print(f"its words stay while a dispute waits: {', '.join(done.held)}")
        console.print("have a referee rule on these, then forget again")


async def _forgotten(player: str) -> Forgotten:
    """Raises Stop."""
    from events.store import Unavailable, Unconfirmed
    from services import ids
    from services.cli import output, stores
    from services.cli.remote import keys_at_hand
    from services.forgetting import forget
    from services.matches import Busy
    from services.vault import RedisVault

    if not ids.PLAYER_ID.fullmatch(player):
        raise output.usage(f"{player!r} is no player id")
    settings = stores.settings()
    with stores.found(settings) as url:
        vault = RedisVault(url)
        try:
            async with stores.opened(settings.model_copy(update={"redis_url": url})) as store:
                return await forget(store, vault, keys_at_hand(settings), player)
        except (Unavailable, Unconfirmed, Busy) as error:
            raise output.no_connection(f"the store went away: {error}", "try again") from None
        finally:
            await vault.aclose()

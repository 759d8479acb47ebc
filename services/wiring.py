"""What a process is made of, from its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from events.archived import archived
from events.redis_store import RedisStore
from events.store import Store
from games import catalog
from services import archive
from services.keys import Keys
from services.settings import Settings
from services.vault import RedisVault, Vault

if TYPE_CHECKING:
    from events.archive import Archive


class Parts(NamedTuple):
    """What is behind an API or a worker; `aclose` gives connections back."""

    store: Store
    vault: Vault
    keys: Keys
    archive: Archive | None = None

    @classmethod
    async def open(cls, settings: Settings) -> Self:
        """Connects to `REDIS_URL`. Raises ValueError, Unavailable, Unfit, BadData."""
        if not settings.redis_url:
            raise ValueError(
                "REDIS_URL is not set; `hallowstream serve` starts a server of its own"
            )
        if settings.editions is not None:
            catalog.load(settings.editions)
        keys = settings.keys()
        shelves = archive.opened(settings.archive, lambda: keys)
        store = await RedisStore.open(
            settings.redis_url, settings.partitions, replicas=settings.replicas
        )
        vault = RedisVault(settings.redis_url, replicas=settings.replicas)
        return cls(archived(store, shelves), vault, keys, shelves)

    async def aclose(self) -> None:
        await self.store.aclose()
        await self.vault.aclose()

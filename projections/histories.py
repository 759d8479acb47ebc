"""Whether the servers behind the partitions still have the history that a worker has acted on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

from events.partitions import partition
from events.store import Store


class Histories:
    """A failover may come between an effect and its acknowledgement: the one on the old server,
    lost, the other on the new one. So after each acknowledgement a worker looks whether the
    history is still the one that it took the reference from."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._places = _places(store.partitions)
        self._known: dict[int, str] = {}

    def note(self, partitions: Iterable[int] | None) -> None:
        """Before anything is taken: the history that it will be from, where none is known yet."""
        for number in self._places if partitions is None else partitions:
            if not self._known.get(number):
                self._known[number] = self._now(number)

    def changed(self, partitions: Iterable[int]) -> dict[int, str]:
        """Those of them that have another history by now, and which."""
        now = {number: self._now(number) for number in partitions}
        return {n: name for n, name in now.items() if name != (self._known.get(n) or name)}

    def settle(self, changed: Mapping[int, str]) -> None:
        """All that was lost with the old ones is made good."""
        self._known.update(changed)

    def _now(self, number: int) -> str:
        return self._store.history(self._places[number])


def _places(partitions: int) -> dict[int, str]:
    """Some id that lies in each partition."""
    found: dict[int, str] = {}
    for number in count():
        found.setdefault(partition(str(number), partitions), str(number))
        if len(found) == partitions:
            return found
    raise AssertionError("there are more numbers than partitions")

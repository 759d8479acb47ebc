"""Every test of this game rolls dice that can be told how to fall."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.games.masked_mischief.given import Loaded


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    Loaded.clear()
    monkeypatch.setattr("games.table.Dice", Loaded)
    yield
    Loaded.clear()

from __future__ import annotations

import pytest

from games import catalog
from tests.toy.pumpkin_patch.game import GAME


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game is in the catalogue."""
    monkeypatch.setitem(catalog.GAMES, GAME.id, GAME)

"""What tests of several packages share."""

from __future__ import annotations

import pytest

from tests.play import Match


@pytest.fixture
def light_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Storage round trips at every answer are the business of one property, not of all."""
    monkeypatch.setattr(Match, "thorough", False)

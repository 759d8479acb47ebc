"""The JSON on the game's page is what a client gets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.tricks_and_treats.options import Draw, Give, Guess, Put
from tests.games.tricks_and_treats.laid import hold, lined, table, to_play
from tests.play import Match

PAGE = Path(__file__).parents[3] / "docs" / "games" / "tricks-and-treats.md"
SHOWN = 2
"""Options of a question that the page prints; the rest is counted in words."""


def questions() -> Iterator[dict[str, Any]]:
    """One question of each kind, as the page has them, in its order."""
    match = table(exchange=True)
    hold(match, "GUM2 PEP4", "CHO1 CHO2", "CHO3 COR3")
    match.lay(deck=("PEP1", *match.state.deck))
    yield asked(match)
    match.answer(0, Give("PEP4"))
    yield asked(match)
    match.answer(2, Give("COR3"))
    yield asked(match)
    match.answer(0, Draw())
    yield asked(match)
    match.answer(0, Put("GUM2", "E"))
    yield asked(match)
    match = table(written=True)
    match.answer(0, Guess(1))
    yield asked(match)
    for code in ("B01", "B03", "B07", "B09"):
        match = lined(f"A {code} B C D B10", "GUM3 PEP2")
        to_play(match, "CHO4 COR1 GUM4")
        match.answer(0, Put("CHO4", code))
        yield asked(match)


def asked(match: Match) -> dict[str, Any]:
    question: dict[str, Any] = match.view(match.asked.seat)["question"]
    del question["form"]["options"][SHOWN:]
    return question


def test_the_questions_on_the_page_are_real() -> None:
    blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert [json.loads(block) for block in blocks] == list(questions())

"""The page on the game shows what is really asked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.rules import asked
from games.trickn_treat.bots import CHOICES
from games.trickn_treat.game import GAME, Options
from games.trickn_treat.options import Give, Target
from games.trickn_treat.state import DUMMY
from tests.games.trickn_treat.table import play, treat
from tests.play import Match

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "trickn-treat.md").read_text()
SHOWN = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def question(match: Match, seat: int) -> Any:
    return msgspec.json.decode(msgspec.json.encode(asked(match.state, seat)))


def token() -> Any:
    match = Match.started(GAME, 4, removed_colour="P")
    return question(match, match.asked.seat)


def follow() -> Any:
    match = treat("B3 R12 *9", "B4 G5 *7", "B5", "B11")
    play(match, "B3")
    return question(match, 1)


def swap() -> Any:
    match = treat("B3 G1", "B11 G2", "*8 B15 R4", "B5 G3")
    play(match, "B3", "B11", "*8")
    return question(match, 2)


def search() -> Any:
    match = treat("B3 G1", "*9 R4", "B15 Y2", "B4", piles=("", "B11 R14"))
    play(match, "B3", "*9")
    return question(match, 1)


def search_dummy() -> Any:
    hands = ("R4 R5", "B3 G1", "B1 G2")
    match = treat(*hands, leader=1, mode="competitive", row="R1 *9 Y0", dummy_pile="G11 Y13")
    play(match, "B3", "*9")
    return question(match, 0)


def exchanging() -> Match:
    match = treat("B3 G1", "*10 R4 G2", "G5", "B15 Y2")
    play(match, "B3", "*10")
    return match


def exchange() -> Any:
    match = exchanging()
    match.answer(1, Target(3))
    match.answer(3, Give("B15"))
    return question(match, 1)


def exchange_with_dummy() -> Any:
    match = treat("B4 R5", "*10 G1", "B1 G2", mode="competitive", row="R2 Y0")
    play(match, "B4", "*10")
    match.answer(1, Target(DUMMY))
    return question(match, 0)


def trade() -> Any:
    match = treat("*10 R4", "B1", "B3 G1", leader=2, row="R2 B5")
    play(match, "B3", "*10")
    match.answer(0, Target(DUMMY))
    return question(match, 0)


def score() -> Any:
    match = treat("B2 Y1", "G4", "B5", "*7", "B15 Y2")
    play(match, "B2", "G4", "B5", "*7", "B15")
    return question(match, 4)


QUESTIONS: list[Callable[[], Any]] = [
    token,
    follow,
    swap,
    search,
    search_dummy,
    lambda: question(exchanging(), 1),
    exchange,
    exchange_with_dummy,
    trade,
    score,
]


@pytest.mark.parametrize("number", range(len(QUESTIONS)))
def test_a_question_on_the_page_is_what_is_asked(number: int) -> None:
    assert SHOWN[number] == QUESTIONS[number]()


def test_the_page_shows_every_kind_of_question() -> None:
    assert {shown["kind"] for shown in SHOWN} == set(CHOICES)
    assert len(SHOWN) == len(QUESTIONS)


def test_the_page_names_every_option_and_member_of_the_view() -> None:
    members = set(Match.started(GAME, 3).view(0)) - {"question"}
    for name in (*Options.__struct_fields__, *members):
        assert f"`{name}`" in PAGE, name

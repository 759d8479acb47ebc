"""The heuristic player: it answers everything, fast, and beats random play clearly."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from games.bots import random_bot
from games.dice import Dice
from games.ghosts_love_candy_too.bots import Look, bot
from games.ghosts_love_candy_too.game import GAME
from games.rules import Answer, asked, begin, decide, fold, view
from tests.games.ghosts_love_candy_too.street import slot, street


def played(number: int, seats: int, hero: int, **options: Any) -> tuple[int, ...]:
    """The winners, where the bot sits on seat `hero` and the others answer at random."""
    rng = random.Random(number)
    state, setup = GAME.start(seats, GAME.checked_options(options))
    state = fold(state, begin(state, setup, Dice(b"bots", str(number), 0, 1)))
    for place in range(1, 5000):
        if not state.pending:
            break
        top = state.pending[-1]
        seat = rng.choice(top.item.seats)
        form = top.item.form(state, seat)
        if seat == hero:
            shown = asked(state, seat)
            assert shown is not None
            option = form.pick(bot(view(state, seat), shown, rng.randrange))
        else:
            option = form.sample(rng.randrange)
        dice = Dice(b"bots", str(number), place, place + 1)
        state = fold(state, decide(state, seat, Answer(top.id, option), dice))
    return tuple(state.winners)


def test_it_beats_random_players_clearly() -> None:
    """Four seats, one of them the bot: by chance it would win a quarter."""
    wins = sum(number % 4 in played(number, 4, number % 4) for number in range(40))
    assert wins >= 34


@pytest.mark.parametrize("seats", [2, 3, 5, 6])
def test_it_plays_with_any_count_of_players(seats: int) -> None:
    played(1, seats, 1)


@pytest.mark.parametrize("option", ["easier", "super_kid", "random_ghosts"])
def test_it_plays_every_variant(option: str) -> None:
    played(1, 4, 2, **{option: True})


def answer(match: Any, seat: int = 0) -> Any:
    seen = match.view(seat)
    return bot(seen, seen["question"], random.Random(1).randrange)


def test_it_haunts_where_the_candy_is_and_no_kid_gets_scared() -> None:
    match = street({1: slot(1, "B9", "BAR"), 2: slot(23, "", "BAR BAR"), 5: slot(24)}, "A5")
    assert answer(match) == "haunt:2:23" or answer(match) == "kid:2:23"
    match = street({1: slot(1, "B9", ""), 2: slot(23, "", "JUNK"), 5: slot(24)}, "A5")
    assert answer(match) not in ("kid:1:1", "kid:2:23")


def test_it_knows_its_seat_when_several_are_asked() -> None:
    match = street({2: slot(14)}, "A3", A="JUNK BAR", B="JUNK BAR")
    match.say("s2")
    assert answer(match, 1) == "treat:JUNK"
    peeked = street({2: slot(33), 3: slot(14)}, "A3 A2", A="JUNK BAR", B="JUNK BAR")
    peeked.say("s2", "B", "s3")
    assert answer(peeked, 0) == answer(peeked, 1) == "treat:JUNK"


def test_it_counts_on_courage_that_kids_add_or_take() -> None:
    scary = street({2: slot(23, "B9", "MINT MINT"), 3: slot(60)}, "A7", deck=[1])
    brave = street({2: slot(23, "B9", "MINT MINT"), 3: slot(59)}, "A9", deck=[1])
    looks = [Look(match.view(0), match.view(0)["question"]) for match in (scary, brave)]
    assert [look.courage(2) for look in looks] == [15, 21]


def test_it_is_fast() -> None:
    match = street({}, "A5")
    seen = match.view(0)
    began = time.thread_time()
    for _ in range(100):
        bot(seen, seen["question"], random.Random(1).randrange)
    assert time.thread_time() - began < 0.5


def test_it_returns_what_is_worth_little() -> None:
    match = street({2: slot(34)}, "A3", A="JUNK BAR", bag="BAR")
    match.say("s2")
    assert answer(match) == ["treat:JUNK"]


def test_it_answers_at_random_what_it_has_no_view_on() -> None:
    match = street({2: slot(38)}, "A3")
    match.say("s2", "yes")
    seen = match.view(0)
    assert answer(match) == random_bot(seen, seen["question"], random.Random(1).randrange)


def test_its_worst_scared_kid_goes_first() -> None:
    match = street({2: slot(27)}, "A3", A_kids=[84, 1])
    match.say("s2", "yes")
    assert answer(match) == "stash_kid:0:1"

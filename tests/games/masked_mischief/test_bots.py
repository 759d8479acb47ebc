"""The heuristic player: what it prefers, and that it beats chance."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.bots import random_bot
from games.masked_mischief.bots import CHOOSERS
from games.masked_mischief.game import GAME, Pending
from games.masked_mischief.options import Face, Go, Pick
from games.masked_mischief.sizing import Sizing
from tests.games.masked_mischief.given import A, B, C, D, Given, draws, mischief, status
from tests.play import Match


def says(match: Given) -> Any:
    """What the bot answers, taken back from what it sends."""
    seat = match.asked.seat
    seen = match.view(seat)
    sent = GAME.bot(seen, seen["question"], random.Random(1).randrange)
    return match.form(seat).pick(sent)


def test_every_rule_is_for_a_kind_of_question() -> None:
    kinds = {member.__struct_config__.tag for member in Pending.__args__}
    assert set(CHOOSERS) <= kinds


def test_the_best_treat_is_played_and_the_rest_kept() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T01 T10 T11"})
    assert says(match).code == "T10"
    match = mischief(at={A: "o10 cw"}, hands={A: "T15 T19"})
    assert says(match) == match.form(A).options[-1]


@pytest.mark.parametrize(
    ("mask", "hands"),
    [("chuckles", "T10"), ("esmerelda", "T10"), ("clyde", ""), ("moonmoon", ""), ("plain", "")],
)
def test_a_power_is_worth_something(mask: str, hands: str) -> None:
    match = mischief(
        seats=6,
        at={A: "o10 cw"},
        hands={B: hands},
        tiles={"o30": "T01", "o31": "T02"},
        masks=(mask, *[m for m in mischief(seats=6).state.masks if m != mask]),
    )
    assert (Sizing(match.view(A), A).power(mask) > 0) is (mask != "plain")


def test_walks_that_stand_in_for_the_roll() -> None:
    match = mischief(at={A: "o17 cw"}, hands={A: "T05 T02 T13"}, candy={B: 0, C: 0, D: 0})
    assert says(match).code == "T05", "straight into a House"
    match = mischief(at={A: "o10 cw"}, hands={A: "T06 T04"}, tiles={"o15": "K07/B"})
    assert says(match) == match.form(A).options[-1]
    arm = mischief(at={A: "b2 in"}, hands={A: "T03 T20 T21"}, cauldrons=(20, 0, 0, 0))
    assert says(arm).code == "T20"


def test_the_game_is_ended_only_by_who_leads() -> None:
    for candy, code in (({A: 30}, "T05"), ({A: 1}, None)):
        match = mischief(at={A: "o17 cw"}, hands={A: "T05"}, visits={"chuckles@H2": 2}, candy=candy)
        assert getattr(says(match), "code", None) == code


def test_the_way_with_the_better_end() -> None:
    match = mischief(at={A: "o10 free", B: "o30 cw"}, tiles={"o12": "K07/B"})
    match.roll(2)
    assert says(match) == Face("ccw")
    match.lay(tiles={})
    match = mischief(at={A: "o10 free"}, tiles={"o12": "T10"})
    match.roll(2)
    assert says(match) == Face("cw")


def test_masks_that_still_earn_are_wanted() -> None:
    worn = {f"chuckles@H{i}": 2 for i in range(1, 5)}
    match = mischief(at={A: "o10 cw", B: "o12 ccw"}, visits=worn)
    match.roll(5)
    assert says(match).yes
    match = mischief(at={A: "o10 cw"}, hands={A: "T14"}, visits=worn)
    match.play_treat("T14")
    assert says(match)[A].mask == "esmerelda" and says(match)[B].mask == "chuckles"
    shop = mischief(visits=worn)
    assert says(shop).count == 2, "Treats first"
    shop.lay(bought=("treats",))
    assert says(shop) == shop.form(A).options[-2]
    perks = mischief(
        at={A: "o10 cw"}, hands={A: "T22"}, masks=("dullahan", "esmerelda", "clyde", "moonmoon")
    )
    perks.play_treat("T22")
    assert says(perks).mask == "moonmoon"


def test_candy_is_spread_kept_and_taken() -> None:
    match = mischief(at={A: "o10 cw"}, ltgb="o12", candy={B: 9})
    match.roll(2)
    assert says(match) == (0, 0, 0, 0, 5)
    match.say(says(match))
    assert says(match) == (1, 1, 1, 1)
    pots = mischief(at={A: "b5 in"}, cauldrons=(1, 0, 7, 2))
    pots.roll(2)
    assert says(pots).number == 2
    rob = mischief(at={A: "o10 cw"}, hands={A: "T13"}, candy={C: 9})
    rob.play_treat("T13")
    assert says(rob) == Pick(C)


def test_tiles_are_laid_where_they_pay() -> None:
    match = Match.started(GAME, 2)
    rng = random.Random(1)
    while type(match.asked).__name__ != "LayOne":
        match.answer(match.asked.seat, match.form(match.asked.seat).sample(rng.randrange))
    seat = match.asked.seat
    seen = match.view(seat)
    sent = GAME.bot(seen, seen["question"], rng.randrange)
    space = match.form(seat).pick(sent).space
    other = match.state.at[1 - seat]
    assert match.state.map.distances(other)[space] == 1, "right before the other's House"
    bought = mischief(at={A: "o7 free"})
    bought.say(next(o for o in bought.form(A).options if getattr(o, "count", 0) == 2))
    while bought.ask()[0] != "LayAll":
        bought.say(says(bought))
    assert len(says(bought)) == 2
    treats = mischief(begun=(1,) * 4)
    treats.say(says(treats))
    draws("T15 T10 T11")
    treats.say(says(treats))
    assert says(treats).code == "T15"


def test_spaces_ahead_are_near_whichever_way_one_faces() -> None:
    for facing, ahead, behind in (("cw", "o15", "o5"), ("ccw", "o5", "o15")):
        seen = Sizing(mischief(at={A: f"o10 {facing}"}).view(A), A)
        assert seen.off(ahead) == 0 and seen.off(behind) > 30 and seen.off("a1") == 56


def test_figures_hands_and_plans() -> None:
    match = mischief(at={A: "o10 cw", B: "o24 cw"}, hands={A: "T02"}, tiles={"o25": "K07/A"})
    match.play_treat("T02")
    assert says(match) == Pick(B)
    jump = mischief(at={A: "o18 cw", B: "o24 cw"}, hands={A: "T04"})
    jump.play_treat("T04")
    assert says(jump) == Pick(A)
    juggle = mischief(at={A: "o10 cw"}, hands={A: "T22 T15", B: "T10 T01"})
    juggle.play_treat("T22")
    given = dict(zip([item.code for item in juggle.form(A).items], says(juggle), strict=True))
    assert given["T10"] == Pick(A) and given["T15"] == Pick(B)
    plans = mischief(at={A: "o10 cw"}, hands={A: "T16"}, tiles={"o30": "K07/A"})
    plans.play_treat("T16")
    assert says(plans) == (Go("o30"),)
    treat = mischief(at={A: "o10 cw"}, tiles={"o13": "K18/B"}, skips=status())
    treat.roll(3)
    assert says(treat).count == 2
    arm = mischief(at={A: "o13 cw", B: "b2 in"}, hands={A: "T11"})
    assert says(arm).code == "T11"


def winner(number: int, seats: int) -> tuple[int, int]:
    """Who wins match `number`, and which seat the heuristic bot had; chance has the others."""
    rng = random.Random(number)
    match = Match.started(GAME, seats, seed=f"arena {number}".encode())
    mine = number % seats
    while match.state.pending:
        seat = match.asked.seat
        seen = match.view(seat)
        bot = GAME.bot if seat == mine else random_bot
        match.answer(seat, match.form(seat).pick(bot(seen, seen["question"], rng.randrange)))
    return match.state.winner, mine


@pytest.mark.parametrize("seats", [2, 4])
def test_it_beats_chance(seats: int) -> None:
    results = [winner(number, seats) for number in range(6)]
    assert sum(won == mine for won, mine in results) >= 5

"""The heuristic player: what it does where the choice is plain, and that it beats chance."""

from __future__ import annotations

import random
from typing import Any

from games.trick_or_treat.bots import bot
from games.trick_or_treat.game import GAME
from games.trick_or_treat.haunted import CalmWith, HauntedHouse, ScareWith
from games.trick_or_treat.home import Home, TurnIn
from games.trick_or_treat.locations import Alley, Carnival, CarnivalExtra
from games.trick_or_treat.turns import EndTurn, HandLimit
from tests.games.trick_or_treat.board import board, hands, slots
from tests.play import Match, against_chance


def said(match: Match) -> Any:
    """What the bot on the asked seat answers."""
    seen = match.view(match.asked.seat)
    return bot(seen, seen["question"], random.Random(1).randrange)


def test_it_beats_chance() -> None:
    games = [against_chance(GAME, number) for number in range(25)]
    assert sum(result.winners == (mine,) for mine, result in games) >= 20


def test_it_goes_home_with_what_a_set_needs() -> None:
    match = board(
        at=("mansion", None, None),
        sets=("S20", "S21", "S22"),
        hands=hands("Lemon Drops, Grape Rings, Cherry Chews", "", ""),
    )
    assert said(match) == "go:home"


def test_it_claims_what_pays_and_keeps_its_egging_houses() -> None:
    match = board(
        Home(0),
        at=("home", None, None),
        sets=("S20", "S08", "S04"),
        houses=slots("Lemon Drops, -, -"),
        hands=hands("Lemon Drops, Lemon Drops, Grape Rings, Egging Houses", "", ""),
    )
    assert said(match) == "claim:S20"
    match.answer(0, match.form(0).pick("claim:S20"))
    assert match.asked == TurnIn(0, "S20")
    assert said(match) == "give:T01+T01+T03:"


def test_it_stays_for_a_second_claim() -> None:
    match = board(
        at=("home", None, None),
        sets=("S20", "S21", "S22"),
        hands=hands("Lemon Drops, Lemon Drops, Grape Rings, Change Costume", "", ""),
    )
    assert said(match) == "stay"


def test_it_moves_the_bully_where_there_is_something_to_steal() -> None:
    crowd = ("home", "mansion", "mansion")
    match = board(EndTurn(0), at=crowd, hands=hands("Move Bully", "Sneak", "Brave"))
    assert said(match) == "bully:mansion:"
    match.lay(hands=hands("Move Bully", "", ""))
    assert said(match) == "end"
    match = board(Alley(0), at=("alley", "mansion", "mansion"), hands=hands("", "Sneak", ""))
    assert said(match) == "send:mansion:"


def test_it_goes_to_the_alley_to_steal_from_many() -> None:
    match = board(
        players=6,
        at=("home", *["mansion"] * 5),
        sets=("S20", "S21", "S22"),
        hands=hands("Sneak", *["Sneak"] * 5),
    )
    assert said(match) == "go:alley"


def test_it_scares_with_its_tricks() -> None:
    tricks = "Egging Houses, Egging Houses, Brave, Sneak"
    full = f"{tricks}, " + "Caramel, " * 8
    match = board(
        at=("home", None, None),
        sets=("S20", "S22", "S23"),
        row=slots("-, -, -, -, -"),
        hands=hands(full, "", ""),
    )
    assert said(match) == "go:haunted"
    match = board(HauntedHouse(0), at=("haunted", None, None), hands=hands(full, "", ""))
    assert said(match) == "scare"
    match = board(ScareWith(0), at=("haunted", None, None), hands=hands(full, "", ""))
    assert len(said(match)) == 3


def test_it_gets_over_its_fear() -> None:
    at = ("haunted", None, None)
    match = board(HauntedHouse(0), at=at, fear=(3, 0, 0), hands=hands("Brave", "", ""))
    assert said(match) == "brave"
    many = hands("Caramel, " * 9, "", "")
    match = board(HauntedHouse(0), at=at, fear=(2, 0, 0), hands=many)
    assert said(match) == "calm"
    match = board(CalmWith(0), at=at, fear=(2, 0, 0), hands=many)
    assert said(match) == ["discard:T04", "discard:T04"]


def test_it_picks_at_the_carnival_what_a_claim_lacks() -> None:
    at, row = ("carnival", None, None), slots("Caramel, Fudge Square, Sneak, -, -")
    sets = ("S23", "S22", "S20")
    lacking = hands("Cocoa Puff, Cocoa Puff, Lemon Drops", "", "")
    match = board(Carnival(0), at=at, row=row, sets=sets, hands=lacking)
    assert said(match) == "take:1:T08"
    match = board(CarnivalExtra(0), at=at, row=row, sets=sets, hands=lacking)
    assert said(match) == "swap:T01:1:T08"
    match = board(CarnivalExtra(0), at=at, row=slots("-, -, -, -, Caramel"), sets=sets)
    match.lay(hands=hands("Cocoa Puff, Cocoa Puff, Fudge Square", "", ""))
    assert said(match) == "stop"


def test_it_weighs_an_open_house_card_and_a_bare_house() -> None:
    match = board(
        at=("home", "mansion", None),
        sets=("S23", "S22", "S20"),
        houses=slots("Sneak, Fudge Square, -"),
        row=slots("-, -, -, -, -"),
        hands=hands("Cocoa Puff, Cocoa Puff", "", ""),
    )
    assert said(match) == "go:house2"


def test_it_sneaks_only_for_something() -> None:
    match = board(
        at=("home", "haunted", None),
        sets=("S23", "S22", "S20"),
        row=slots("-, -, -, -, -"),
        hands=hands("Egging Houses, Egging Houses, Brave, Sneak, " + "Caramel, " * 9, "", ""),
    )
    assert said(match) == "sneak:haunted"


def test_it_discards_what_it_misses_least() -> None:
    match = board(
        HandLimit(0),
        sets=("S23", "S22", "S20"),
        hands=hands("Caramel, Gum Drops, Move Bully, Cocoa Puff" + ", Fudge Square" * 10, "", ""),
    )
    assert sorted(said(match)) == ["discard:T04", "discard:T05"]

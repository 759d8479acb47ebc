"""The set-up scenarios: what is dealt, who starts, tokens and teams."""

from __future__ import annotations

import pytest

from games.dice import Dice
from games.forms import OneOf
from games.rules import Draft, Refused
from games.trickn_treat.game import GAME
from games.trickn_treat.options import TakeToken
from games.trickn_treat.setup import ChooseToken, choose_starter
from games.trickn_treat.setup_events import (
    ColourRemoved,
    StarterChosen,
    TeamsFormed,
    TokenTaken,
    ZerosRemoved,
)
from games.trickn_treat.state import DUMMY, is_ghost
from games.trickn_treat.tables import TOKENS
from games.trickn_treat.turns import PlayCard
from tests.games.trickn_treat.table import happened
from tests.play import Match, match_seed


def starter(match: Match) -> int:
    [chosen] = happened(match, StarterChosen)
    return int(chosen.seat)


def sides(match: Match) -> list[str]:
    return sorted(TOKENS[token].friend_side for token in match.state.free_tokens)


def test_ts01_five_players_use_everything() -> None:
    match = Match.started(GAME, 5)
    state = match.state
    assert [len(hand) for hand in state.hands] == [12] * 5
    assert sorted(card for hand in state.hands for card in hand if is_ghost(card)) == sorted(
        ("*6", "*7", "*8", "*9", "*10")
    )
    assert all(sum(map(is_ghost, hand)) == 1 for hand in state.hands)
    assert state.out == state.boxed == () and state.dummy is None
    assert state.free_tokens == ("tB", "tR", "tP", "tG", "tY")
    assert match.asked == ChooseToken(starter(match))


def test_ts02_four_players_box_a_colour_and_one_ghost_goes_unseen() -> None:
    match = Match.started(GAME, 4, removed_colour="P")
    state = match.state
    assert state.colours == "BGRY"
    assert [len(hand) for hand in state.hands] == [12] * 4
    assert len(state.out) == 1 and is_ghost(state.out[0])
    for viewer in match.viewers:
        assert match.view(viewer)["out"] == {"hidden": 1}
    assert state.free_tokens == ("tB", "tR", "tG", "tY")
    assert "tP" in state.boxed and "P15" in state.boxed
    assert match.asked == ChooseToken(starter(match))
    assert match.form(starter(match)).count() == 4


def test_ts04_three_against_each_other_and_the_dummy_lies_open() -> None:
    match = Match.started(GAME, 3, mode="competitive")
    state = match.state
    assert [len(hand) for hand in state.hands] == [12] * 3
    assert (
        len(state.row) == 12 and is_ghost(state.row[-1]) and not any(map(is_ghost, state.row[:-1]))
    )
    for viewer in match.viewers:
        assert match.view(viewer)["dummy"]["row"] == list(state.row)
    assert len(state.out) == 1
    assert sides(match) == ["dark", "light", "light"]
    assert match.asked == ChooseToken(starter(match))


def test_ts05_four_against_each_other_are_two_and_two() -> None:
    match = Match.started(GAME, 4, mode="competitive")
    assert sides(match) == ["dark", "dark", "light", "light"]
    assert match.asked == ChooseToken(starter(match))


def chosen(*counts: int, seed: bytes = b"seed") -> StarterChosen:
    match = Match.started(GAME, len(counts))
    hands = tuple((*[f"B{i % 6}" for i in range(n)], "*6") for n in counts)
    draft = Draft(match.state.but(hands=hands), Dice(seed, "m", 0, 1))
    assert choose_starter(draft) == draft.events[0].seat  # type: ignore[attr-defined]
    [event] = draft.events
    assert isinstance(event, StarterChosen)
    return event


def test_ts07_most_candy_starts() -> None:
    assert chosen(5, 7, 6) == StarterChosen((5, 7, 6), 1, False)
    match = Match.started(GAME, 4)
    [event] = happened(match, StarterChosen)
    assert event.candies[event.seat] == max(event.candies)
    assert match.asked == ChooseToken(event.seat)


def test_ts08_chance_decides_among_those_with_most() -> None:
    events = [chosen(7, 5, 7, seed=bytes([n])) for n in range(20)]
    assert {event.seat for event in events} == {0, 2}
    assert all(event.by_lot for event in events)


def competitive(first: int) -> Match:
    """Three players, `first` starting."""
    for number in range(50):
        match = Match.started(GAME, 3, match_seed(b"s", [str(number)]), mode="competitive")
        if starter(match) == first:
            return match
    raise AssertionError("nobody of fifty starts there")


def test_ts10_the_dummy_sits_across_from_its_partner() -> None:
    match = competitive(first=0)
    light, other = [t for t in match.state.free_tokens if TOKENS[t].friend_side == "light"]
    match.answer(0, TakeToken(light))
    assert match.asked == ChooseToken(1)
    match.answer(1, TakeToken("tB"))
    assert TokenTaken(2, other) in match.commits[-1].events, "the last token is nobody's choice"
    assert TeamsFormed((1,), (0, 2)) in match.commits[-1].events
    assert match.state.seating() == (1, 2, DUMMY, 0)
    assert match.state.order == (0, 1, 2, DUMMY)
    assert match.asked == PlayCard(0, 0)


def test_tokens_go_round_from_the_starter_who_then_leads() -> None:
    match = Match.started(GAME, 4)
    first = starter(match)
    for i in range(3):
        seat = (first + i) % 4
        assert match.asked == ChooseToken(seat)
        free = match.state.free_tokens
        assert match.form(seat) == OneOf(tuple(TakeToken(token) for token in free))
        match.answer(seat, TakeToken(free[0]))
    assert all(match.state.tokens) and match.state.free_tokens == ()
    assert match.state.dark == () and not happened(match, TeamsFormed)
    assert match.asked == PlayCard(first, first)


def test_three_together_have_no_tokens_and_lead_at_once() -> None:
    match = Match.started(GAME, 3)
    assert match.state.tokens == ("", "", "")
    assert {"tB", "tR", "tP", "tG", "tY"} <= set(match.state.boxed)
    assert len(match.state.row) == 11 and not any(map(is_ghost, match.state.row))
    assert match.asked == PlayCard(starter(match), starter(match))


@pytest.mark.parametrize(("seats", "boxed"), [(3, 1), (4, 1), (5, 0)])
def test_the_harder_game_is_without_zeros(seats: int, boxed: int) -> None:
    match = Match.started(GAME, seats, advanced=True)
    [zeros] = happened(match, ZerosRemoved)
    assert len(zeros.cards) == 5 - boxed
    assert [len(hand) for hand in match.state.hands] == [11] * seats
    assert len(match.state.row) == (10 if seats == 3 else 0)
    assert not any(card[1:] == "0" for hand in match.state.hands for card in hand)


def test_the_host_may_say_which_colour_is_boxed() -> None:
    [removed] = happened(Match.started(GAME, 4, removed_colour="G"), ColourRemoved)
    assert (removed.colour, removed.by_lot) == ("G", False)
    assert len(removed.cards) == 11
    drawn = set()
    for number in range(30):
        match = Match.started(GAME, 3, match_seed(b"s", [str(number)]))
        [removed] = happened(match, ColourRemoved)
        assert removed.by_lot
        drawn.add(removed.colour)
    assert drawn == set("BGRYP")


@pytest.mark.parametrize(
    ("seats", "options"),
    [(4, {"mode": "competitive", "advanced": True}), (5, {"removed_colour": "B"})],
)
def test_options_that_do_not_go_together_are_refused(
    seats: int, options: dict[str, object]
) -> None:
    with pytest.raises(Refused) as refused:
        GAME.start(seats, GAME.checked_options(options))
    assert refused.value.code == "bad_option"

"""The scenarios of ghosts 8, 9 and 10."""

from __future__ import annotations

import pytest

from games.forms import OneOf
from games.rules import Refused
from games.sight import cut
from games.trickn_treat.events import TrickTaken, TrickWon
from games.trickn_treat.exchange import (
    ChooseTarget,
    Exchange,
    ExchangeWithDummy,
    TradeWithDummy,
)
from games.trickn_treat.ghost_events import (
    CardsExchanged,
    CardsSwapped,
    DummyExchanged,
    ExchangeBegun,
    GhostIdle,
    PileSearched,
)
from games.trickn_treat.ghosts import GHOSTS, SearchDummyPile, SearchPile, SwapOrStop
from games.trickn_treat.options import Give, Leave, Stop, Swap, Take, Target, Trade
from games.trickn_treat.state import DUMMY, Played
from games.trickn_treat.tables import PRINTED
from games.trickn_treat.turns import PlayCard
from tests.games.trickn_treat.table import cards, play, treat
from tests.play import Match


def test_every_printed_ghost_has_its_function() -> None:
    assert list(GHOSTS) == [ghost.id for ghost in PRINTED.ghosts]


def swapped_once() -> Match:
    """Blue 15 lies in the place of Blue 3."""
    match = treat("B3 G1", "B11 G2", "*8 B15 B1 R4", "B5 G3")
    play(match, "B3", "B11", "*8")
    assert match.asked == SwapOrStop(2, 2)
    match.answer(2, Swap("B15", "B3"))
    assert match.state.table[0] == Played(0, "B15"), "the place stays with its player"
    assert match.state.hands[2] == ("B3", "B1", "R4")
    return match


def test_ts34_no_card_is_swapped_twice() -> None:
    match = swapped_once()
    assert match.asked == SwapOrStop(2, 2)
    for locked in (Swap("B3", "B11"), Swap("B1", "B15")):
        with pytest.raises(Refused) as refused:
            match.answer(2, locked)
        assert refused.value.code == "not_an_option"
    assert match.form(2) == OneOf((Stop(), Swap("B1", "B11")))


def test_ts35_swaps_end_by_themselves_when_every_card_is_locked() -> None:
    match = swapped_once()
    match.answer(2, Swap("B1", "B11"))
    assert match.state.table[1] == Played(1, "B1")
    assert match.state.hands[2] == ("B3", "B11", "R4")
    assert match.asked == PlayCard(3, 3)


def test_swaps_end_when_the_player_stops() -> None:
    match = swapped_once()
    match.answer(2, Stop())
    assert match.state.hands[2] == ("B3", "B1", "R4")
    assert match.asked == PlayCard(3, 3)


def test_ts37_a_ghost_swapped_in_does_nothing_and_one_swapped_out_has_acted() -> None:
    match = treat("B12 Y1", "*6 Y2", "*8 *9 Y3", "R1", piles=("", "", "G11"))
    play(match, "B12", "*6", "*8")
    assert match.form(2) == OneOf((Stop(), Swap("*9", "*6")))
    events = match.answer(2, Swap("*9", "*6"))
    assert CardsSwapped(2, "*9", "*6") in events
    assert match.asked == SwapOrStop(2, 2), "Blue 12 is not locked"
    match.answer(2, Stop())
    assert match.asked == PlayCard(3, 3), "the 9 swapped in does not search the pile"
    events = play(match, "R1")
    assert TrickWon(2, "*8") in events, "8 < 9 < 12, reversed still"
    assert TrickTaken(2, ("*9", "*8"), ("B12",)) in events
    assert match.state.scores[2] == ("R1",)
    assert set(match.state.hands[2]) == {"Y3", "*6", "*8", "*9"}
    assert match.asked == PlayCard(2, 2)


def test_ts38_a_7_swapped_in_gives_no_extra_candy() -> None:
    match = treat("B3", "*10", "*8 *7 Y3", "B15 Y4", leader=0)
    play(match, "B3", "*10")
    assert GhostIdle(1, "*10", "no_card") in match.commits[-1].events
    play(match, "*8")
    match.answer(2, Swap("*7", "*10"))
    assert match.state.hands[2] == ("*10", "Y3")
    match.answer(2, Stop())
    assert match.state.extra is False
    events = play(match, "B15")
    assert TrickTaken(3, ("*7", "*8"), ("B15",)) in events
    assert match.state.scores[3] == ("B3",)
    assert match.asked == PlayCard(3, 3)


def test_the_swap_is_asked_without_a_fitting_card_too_lest_it_tell_the_hand() -> None:
    match = treat("B11 G2", "B5 R1", "*8 R4", "B1")
    play(match, "B11", "B5", "*8")
    assert match.asked == SwapOrStop(2, 2)
    assert match.form(2) == OneOf((Stop(),))


def test_a_lone_8_swaps_nothing() -> None:
    match = treat("B11 G2", "B5 R1", "*8", "B1")
    assert GhostIdle(2, "*8", "no_card") in play(match, "B11", "B5", "*8")
    assert match.asked == PlayCard(3, 3)


def test_candy_swapped_away_is_not_scored() -> None:
    match = treat("B11 Y1", "G1", "*8 G13 R3", "Y2")
    play(match, "B11", "G1", "*8")
    match.answer(2, Swap("G13", "G1"))
    match.answer(2, Stop())
    assert match.state.hands[2] == ("G1", "R3")
    play(match, "Y2")
    assert match.state.scores[0] == ("Y2",)
    assert match.asked == PlayCard(0, 0)


def searching() -> Match:
    match = treat("B3 G1", "*9 R4", "B15 Y2", "B4", piles=("", "B11 R14 B3"), scores=("", "G2"))
    play(match, "B3", "*9")
    assert match.asked == SearchPile(1)
    return match


def test_ts40_one_card_of_the_own_pile_comes_back() -> None:
    match = searching()
    assert match.form(1) == OneOf((Leave(), Take("B11"), Take("R14"), Take("B3")))
    events = match.answer(1, Take("B11"))
    assert match.state.hands[1] == ("R4", "B11")
    assert match.state.piles[1] == ("R14", "B3")
    for viewer in (0, 2, 3, "spectator"):
        told = [cut(event, viewer) for event in events]
        assert {"type": "pile_searched", "seat": 1, "taken": True, "card": {"hidden": True}} in told
        assert "B11" not in str(told)
    assert match.asked == PlayCard(2, 2)


def test_a_pile_may_be_left_alone() -> None:
    match = searching()
    assert PileSearched(1, False, "") in match.answer(1, Leave())
    assert match.state.hands[1] == ("R4",)
    assert match.asked == PlayCard(2, 2)


def test_ts41_an_empty_pile_is_not_searched() -> None:
    match = treat("B3 G1", "*9 R4", "B15 Y2", "B4")
    assert GhostIdle(1, "*9", "empty_pile") in play(match, "B3", "*9")
    assert match.asked == PlayCard(2, 2)


def exchanging() -> Match:
    match = treat("B3 G1", "*10 R4 G2", "G5", "B15 Y2")
    play(match, "B3", "*10")
    assert match.asked == ChooseTarget(1, 1)
    match.answer(1, Target(3))
    return match


@pytest.mark.parametrize(("first", "second"), [(1, 3), (3, 1)])
def test_ts43_both_give_at_once_in_any_order(first: int, second: int) -> None:
    match = exchanging()
    assert match.asked == Exchange((1, 3))
    question = match.state.pending[-1].id
    given = {1: Give("R4"), 3: Give("B15")}
    match.answer(first, given[first], question)
    assert match.asked.seats == (second,)
    with pytest.raises(Refused) as twice:
        match.answer(first, given[first], question)
    assert twice.value.code == "not_asked"
    events = match.answer(second, given[second], question)
    assert CardsExchanged(1, 3, "R4", "B15") in events
    assert match.state.hands[1] == ("B15", "G2") and match.state.hands[3] == ("R4", "Y2")
    for viewer in (0, 2, "spectator"):
        told = str([cut(event, viewer) for event in events])
        assert "R4" not in told and "B15" not in told
    assert match.asked == PlayCard(2, 2)
    play(match, "G5")
    assert match.form(3).count() == 2, "no blue any more: anything follows"


def test_ts44_who_has_no_card_is_no_target() -> None:
    match = treat("B3", "*10 R4", "G5 G1", "B15")
    play(match, "B3", "*10")
    assert match.asked == ChooseTarget(1, 1)
    assert match.form(1) == OneOf((Target(2), Target(3)))
    match.answer(1, Target(2))
    assert match.asked == Exchange((1, 2))


def test_a_lone_target_is_not_asked_for() -> None:
    match = treat("B3", "*10 R4", "G5 G1", "")
    assert ExchangeBegun(1, 2) in play(match, "B3", "*10")
    assert match.asked == Exchange((1, 2))


def test_a_10_without_a_card_to_give_or_anyone_to_give_to_does_nothing() -> None:
    match = treat("B3", "B4", "*10", "G1")
    assert GhostIdle(2, "*10", "no_card") in play(match, "B3", "B4", "*10")
    assert match.asked == PlayCard(3, 3)
    match = treat("B3", "B4", "B5", "*10 G1")
    assert GhostIdle(3, "*10", "no_target") in play(match, "B3", "B4", "B5", "*10")


def test_a_lone_card_to_give_is_asked_for_all_the_same() -> None:
    match = treat("B3", "*10 R4", "G5 G1", "B15")
    play(match, "B3", "*10")
    match.answer(1, Target(3))
    assert match.asked == Exchange((1, 3))
    assert match.form(1) == OneOf((Give("R4"),)) and match.form(3) == OneOf((Give("B15"),))


def test_ts46_a_ghost_may_be_given() -> None:
    match = treat("B3 G1", "*10 R4 *7", "G5", "B15 Y2")
    play(match, "B3", "*10")
    match.answer(1, Target(3))
    assert Give("*7") in match.form(1).options
    match.answer(1, Give("*7"))
    match.answer(3, Give("Y2"))
    assert match.state.hands[3] == ("B15", "*7")
    assert match.asked == PlayCard(2, 2)


def test_ts47_a_trade_with_the_dummy_is_open_and_keeps_its_place_in_the_row() -> None:
    match = treat("*10 R4", "B1", "B3 G1", leader=2, row="R2 B5 G11 Y0")
    play(match, "B3", "*10")
    assert match.form(0) == OneOf((Target(1), Target(2), Target(DUMMY)))
    match.answer(0, Target(DUMMY))
    assert match.asked == TradeWithDummy(0)
    assert match.form(0).count() == 4
    events = match.answer(0, Trade("R4", "B5"))
    assert DummyExchanged(0, "R4", "B5") in events
    assert match.state.row == cards("R2 R4 G11 Y0")
    assert match.state.hands[0] == ("B5",)
    for event in events:
        assert cut(event, "spectator") == cut(event, "auditor")
    assert match.asked == PlayCard(1, 1)


def test_ts49_dark_gives_for_both_when_it_exchanges_with_its_dummy() -> None:
    match = treat("*10 R4", "B3 G1", "B1 G2", leader=2, mode="competitive", row="B5 Y11")
    play(match, "B1", "*10")
    assert match.form(0) == OneOf((Target(1), Target(2), Target(DUMMY)))
    match.answer(0, Target(DUMMY))
    assert match.asked == TradeWithDummy(0)
    match.answer(0, Trade("R4", "B5"))
    assert match.state.row == ("R4", "Y11") and match.state.hands[0] == ("B5",)
    assert match.asked == PlayCard(1, 1)


def dummy_plays_10(target: int) -> Match:
    match = treat("R4 R5", "B3 G1", "B1 G2", leader=1, mode="competitive", row="R2 *10 Y0")
    play(match, "B3")
    assert match.asked == PlayCard(0, DUMMY)
    play(match, "*10")
    assert match.asked == ChooseTarget(0, DUMMY)
    assert match.form(0) == OneOf((Target(0), Target(1), Target(2)))
    match.answer(0, Target(target))
    return match


def test_ts49_dark_gives_for_both_when_its_dummy_exchanges_with_it() -> None:
    match = dummy_plays_10(target=0)
    assert match.asked == TradeWithDummy(0)
    match.answer(0, Trade("R4", "Y0"))
    assert match.state.row == ("R2", "R4")
    assert match.state.hands[0] == ("Y0", "R5")
    assert match.asked == PlayCard(2, 2)


@pytest.mark.parametrize("first", [0, 2])
def test_ts50_dark_chooses_for_the_dummy_and_the_target_for_itself(first: int) -> None:
    match = dummy_plays_10(target=2)
    assert match.asked == ExchangeWithDummy((2, 0))
    assert match.form(0) == OneOf((Give("R2"), Give("Y0")))
    assert match.form(2) == OneOf((Give("B1"), Give("G2")))
    question = match.state.pending[-1].id
    given = {0: Give("R2"), 2: Give("B1")}
    match.answer(first, given[first], question)
    assert match.view(1)["question"]["about"]["chosen"] == {str(first): {"hidden": True}}
    events = match.answer(2 - first, given[2 - first], question)
    assert DummyExchanged(2, "B1", "R2") in events
    assert match.state.row == ("B1", "Y0")
    assert match.state.hands[2] == ("R2", "G2")
    assert match.asked == PlayCard(2, 2)


def test_a_light_player_exchanges_with_the_dummy_and_dark_gives_for_it() -> None:
    match = treat("B4 R5", "*10 G1", "B1 G2", leader=0, mode="competitive", row="R2 Y0")
    play(match, "B4", "*10")
    match.answer(1, Target(DUMMY))
    assert match.asked == ExchangeWithDummy((1, 0))
    match.answer(1, Give("G1"))
    match.answer(0, Give("Y0"))
    assert match.state.row == ("R2", "G1") and match.state.hands[1] == ("Y0",)
    assert match.asked == PlayCard(0, DUMMY)


def test_the_dummys_8_swaps_in_the_open() -> None:
    match = treat("R4 R5", "B3 G1", "B1 G2", leader=1, mode="competitive", row="B15 *8 Y0")
    play(match, "B3", "*8")
    assert match.asked == SwapOrStop(0, DUMMY)
    assert match.form(0) == OneOf((Stop(), Swap("B15", "B3")))
    match.answer(0, Swap("B15", "B3"))
    assert match.state.row == ("B3", "Y0")
    assert match.state.table == (Played(1, "B15"), Played(DUMMY, "*8"))
    assert match.asked == PlayCard(2, 2)


def test_the_dummys_8_is_not_asked_where_all_can_see_that_nothing_fits() -> None:
    match = treat("R4 R5", "B3 G1", "B1 G2", leader=1, mode="competitive", row="R1 *8 Y0")
    assert GhostIdle(DUMMY, "*8", "no_fit") in play(match, "B3", "*8")
    assert match.asked == PlayCard(2, 2)


@pytest.mark.parametrize(("option", "row"), [(Take("G11"), "R1 Y0 G11"), (Leave(), "R1 Y0")])
def test_the_dummys_9_searches_its_pile_in_the_open(option: Take | Leave, row: str) -> None:
    match = treat(
        "R4 R5",
        "B3 G1",
        "B1 G2",
        leader=1,
        mode="competitive",
        row="R1 *9 Y0",
        dummy_pile="G11 Y13",
    )
    play(match, "B3", "*9")
    assert match.asked == SearchDummyPile(0)
    assert match.form(0) == OneOf((Leave(), Take("G11"), Take("Y13")))
    events = match.answer(0, option)
    assert match.state.row == cards(row)
    for event in events:
        assert cut(event, "spectator") == cut(event, "auditor")
    assert match.asked == PlayCard(2, 2)


def test_several_ghosts_of_one_trick_act_in_play_order_and_all_go_to_its_winner() -> None:
    match = treat("B12 Y1", "*10 R4", "*9 G2", "*7 G5", "*6 P1", piles=("", "", "R13"))
    play(match, "B12", "*10")
    match.answer(1, Target(2))
    match.answer(1, Give("R4"))
    match.answer(2, Give("G2"))
    assert match.asked == PlayCard(2, 2)
    play(match, "*9")
    assert match.asked == SearchPile(2)
    match.answer(2, Take("R13"))
    play(match, "*7")
    events = play(match, "*6")
    assert (match.state.reversed, match.state.extra) == (False, False), "a new trick has begun"
    assert TrickWon(4, "*6") in events
    assert TrickTaken(4, ("*10", "*9", "*7", "*6"), ("B12",)) in events
    assert match.asked == PlayCard(4, 4)
    assert match.state.scores == ((),) * 5

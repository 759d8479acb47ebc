"""Scenarios 1 to 20 and 43 to 44: setup, the turn, accusations."""

from __future__ import annotations

import pytest

from games.rules import Refused, Result
from games.sight import cut
from games.tricks_and_treats.cards import CANDY, TIMES_UP
from games.tricks_and_treats.events import (
    CandyDrawn,
    CandyPlayed,
    GameEnded,
    GuessWritten,
    PlayerEliminated,
    SecretLetterHandedOver,
    SecretLetterShown,
    SecretLettersRevealed,
    TattleMade,
    TurnStarted,
)
from games.tricks_and_treats.game import GAME
from games.tricks_and_treats.options import Draw, End, Guess, Put, Tattle, Write
from games.tricks_and_treats.turns import BeforeDraw, EndTurn, Play, WriteGuess
from tests.games.tricks_and_treats.laid import (
    facts,
    hold,
    lined,
    owned,
    piles,
    refused,
    table,
    to_play,
)
from tests.play import Match


@pytest.mark.parametrize(
    ("seats", "line", "deck"), [(2, "ABCD", 24), (3, "ABCDE", 22), (4, "ABCDEF", 20)]
)
def test_s01_s02_setup(seats: int, line: str, deck: int) -> None:
    match = Match.started(GAME, seats, first=0)
    state = match.state
    assert state.line == tuple(line)
    assert [len(hand) for hand in state.hands] == [2] * seats
    assert sorted((*state.letters, *state.undealt)) == list(line)
    assert len(state.undealt) == 2
    assert len(state.deck) == deck + 1
    assert TIMES_UP in state.deck[-4:]
    dealt = [card for hand in state.hands for card in hand]
    assert sorted([*dealt, *state.deck]) == sorted([*CANDY, TIMES_UP])
    assert match.asked == BeforeDraw(0)


@pytest.mark.parametrize("seats", [1, 5])
def test_s02_two_to_four_players(seats: int) -> None:
    with pytest.raises(Refused) as caught:
        GAME.checked_seats(seats)
    assert caught.value.code == "bad_seats"


def test_s04_draw_and_put() -> None:
    match = table()
    hold(match, "GUM2 PEP4")
    match.lay(deck=("CHO3", "COR1", "COR2", "TU"))
    (drawn,) = facts(match.answer(0, Draw()))
    assert drawn == CandyDrawn(0, "CHO3", 3, False)
    assert cut(drawn, 1)["card"] == {"hidden": True}
    assert cut(drawn, 0)["card"] == "CHO3"
    assert facts(match.answer(0, Put("PEP4", "E"))) == [CandyPlayed(0, "PEP4", "E", 4)]
    assert match.state.hands[0] == ("GUM2", "CHO3")
    assert match.asked == EndTurn(0)


def test_s05_end() -> None:
    match = table()
    to_play(match, "GUM2 PEP4 CHO3")
    match.answer(0, Put("PEP4", "E"))
    assert facts(match.answer(0, End())) == [TurnStarted(1, 2)]
    assert match.asked == BeforeDraw(1)


def test_s07_what_the_moment_does_not_offer() -> None:
    match = table()
    hold(match, "GUM2 PEP4")
    match.lay(deck=("CHO3", "COR2", "COR2", "TU"))
    assert refused(match, 0, Put("GUM2", "A")) == "not_an_option"
    match.answer(0, Draw())
    assert refused(match, 0, Draw()) == "not_an_option"
    assert refused(match, 0, Put("COR1", "A")) == "not_an_option"
    assert refused(match, 0, Put("GUM2", "F")) == "not_an_option"
    assert match.asked == Play(0)


def test_s08_a_right_tattle() -> None:
    match = table()
    assert facts(match.answer(0, Tattle(1, "B"))) == [
        TattleMade(0, 1, "B", True),
        SecretLetterShown(1, 0, "B"),
        SecretLetterHandedOver(1, 0, "B"),
        PlayerEliminated(1, "tattled"),
    ]
    assert match.state.shown == (owned((1, "B")), (), ())
    assert match.state.known[0] == owned((1, "B"))
    assert match.state.playing == (0, 2)
    assert match.asked == BeforeDraw(0)
    assert match.form(0).options == (Draw(),)


def test_s08_the_turn_goes_on_wherever_it_stood() -> None:
    match = table(4)
    to_play(match, "GUM2 PEP4 CHO3")
    match.answer(0, Tattle(1, "B"))
    assert match.asked == Play(0)
    match.answer(0, Put("GUM2", "A"))
    assert match.asked == BeforeDraw(2), "no second tattle, so nothing to wait for (Q35)"
    match.answer(2, Draw())
    match.answer(2, Put(match.state.hands[2][0], "A"))
    assert match.asked == EndTurn(2)
    match.answer(2, Tattle(3, "D"))
    assert match.asked == BeforeDraw(0)


def test_s10_a_wrong_tattle_before_the_draw() -> None:
    match = table()
    events = facts(match.answer(0, Tattle(1, "D")))
    assert events == [
        TattleMade(0, 1, "D", False),
        SecretLetterShown(1, 0, "B"),
        SecretLetterHandedOver(0, 1, "A"),
        PlayerEliminated(0, "wrong_tattle"),
        TurnStarted(1, 2),
    ]
    assert cut(events[1], 0)["letter"] == "B"
    assert cut(events[1], 2)["letter"] == {"hidden": True}
    assert match.state.shown == ((), owned((0, "A")), ())
    assert match.state.ruled_out == owned((1, "D"))
    assert len(match.state.hands[0]) == 2
    assert match.asked == BeforeDraw(1)


def test_s11_a_wrong_tattle_after_the_draw() -> None:
    match = table()
    to_play(match, "GUM2 PEP4 CHO3")
    match.answer(0, Tattle(2, "A"))
    assert match.state.hands[0] == ("GUM2", "PEP4", "CHO3")
    assert match.view(1)["hands"][0] == {"hidden": 3}
    assert match.asked == BeforeDraw(1)
    match.answer(1, Draw())
    card = match.state.hands[1][0]
    match.answer(1, Put(card, "A"))
    assert match.state.piles[0][-1].card == card
    assert match.asked == EndTurn(1)


def test_s13_whom_and_what_may_be_named() -> None:
    match = lined("A B B03 C D E F B04", seats=4)
    assert refused(match, 0, Tattle(0, "A")) == "not_an_option"
    assert refused(match, 0, Tattle(1, "B03")) == "not_an_option"
    other = table(2)
    assert refused(other, 0, Tattle(1, "E")) == "not_an_option"
    match.answer(0, Tattle(1, "B"))
    match.lay(tattled=False)
    assert refused(match, 0, Tattle(1, "C")) == "not_an_option"
    named = {option for option in match.form(0).options if option != Draw()}
    assert named == {Tattle(seat, letter) for seat in (2, 3) for letter in "ABCDEF"}
    assert match.asked == BeforeDraw(0)


def test_s14_only_in_ones_own_turn() -> None:
    match = table()
    assert refused(match, 1, Tattle(0, "A")) == "not_asked"
    assert match.asked == BeforeDraw(0)


def test_s16_the_last_player_wins_outright() -> None:
    match = table()
    match.lay(out=(1,), piles=piles("", "", "COR4 CHO4", "", ""))
    events = facts(match.answer(0, Tattle(2, "C")))
    assert events[-2:] == [SecretLettersRevealed(("A", "B", "C")), GameEnded("last_player", 0)]
    assert len(events) == 6
    assert match.asked is None
    assert match.table.result == Result((0,), (None, None, None), "last_player")


def test_s17_two_players_wrong() -> None:
    match = table(2)
    events = facts(match.answer(0, Tattle(1, "C")))
    assert events[-3:] == [
        PlayerEliminated(0, "wrong_tattle"),
        SecretLettersRevealed(("A", "B")),
        GameEnded("last_player", 1),
    ]
    assert match.asked is None
    assert refused(match, 1, Draw()) == "match_over"


def test_s19_a_tattle_before_the_last_draw() -> None:
    match = table()
    hold(match, "PEP4 GUM3")
    match.lay(deck=("CHO1", "TU", "COR1"))
    match.answer(0, Tattle(1, "B"))
    assert match.asked == BeforeDraw(0)
    events = facts(match.answer(0, Draw()))
    assert events[0] == CandyDrawn(0, "CHO1", 2, True)
    assert match.asked is None
    assert match.state.cause == "times_up"
    assert match.state.hands[0] == ("PEP4", "GUM3", "CHO1"), "Q1: kept, unplayed"
    assert match.state.removed == ()


def test_s20_two_candy_above_times_up() -> None:
    match = table()
    match.lay(deck=("CHO1", "CHO2", "TU"))
    match.answer(0, Draw())
    assert match.asked == Play(0)
    match.answer(0, Put("CHO1", "A"))
    match.answer(0, End())
    assert match.asked == BeforeDraw(1)
    events = facts(match.answer(1, Draw()))
    assert events[0] == CandyDrawn(1, "CHO2", 1, True)
    assert match.asked is None


def test_s43_a_written_guess() -> None:
    match = table(written=True)
    assert match.form(0).options == (Draw(), Guess(1), Guess(2))
    match.answer(0, Guess(1))
    assert match.asked == WriteGuess(0, 1)
    assert [option.letter for option in match.form(0).options] == list("ABCDE")
    (written,) = facts(match.answer(0, Write("D")))
    assert written == GuessWritten(0, 1, "D")
    assert cut(written, 1)["letter"] == cut(written, "spectator")["letter"] == {"hidden": True}
    assert match.state.playing == (0, 1, 2)
    assert match.state.shown == ((), (), ())
    assert match.asked == BeforeDraw(0)
    assert match.form(0).options == (Draw(),)


def test_s44_one_guess_at_a_target() -> None:
    match = table(written=True)
    match.answer(0, Guess(1))
    match.answer(0, Write("D"))
    match.lay(tattled=False)
    assert refused(match, 0, Guess(1)) == "not_an_option"
    assert match.form(0).options == (Draw(), Guess(2))
    match.answer(0, Guess(2))
    match.answer(0, Write("C"))
    match.lay(tattled=False)
    match.answer(0, Draw())
    match.answer(0, Put(match.state.hands[0][0], "A"))
    assert match.asked == BeforeDraw(1), "Q35: nobody is left to guess at"

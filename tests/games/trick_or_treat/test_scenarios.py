"""The worked cases, by their numbers: setup, moves, the Bully."""

from __future__ import annotations

from games.sight import cut
from games.trick_or_treat import events
from games.trick_or_treat.game import GAME
from games.trick_or_treat.locations import Alley, House, Mansion
from games.trick_or_treat.options import (
    Bully,
    Go,
    Pick,
    Proceed,
    Send,
    Sneak,
    Stay,
)
from games.trick_or_treat.turns import ChooseKid, EndTurn, Move
from tests.games.trick_or_treat.board import (
    board,
    code,
    codes,
    facts,
    hands,
    kinds,
    refused,
)
from tests.play import Match


def test_s01_setup_for_three() -> None:
    match = board()
    state = match.state
    assert len(state.places) == 8
    assert len(state.sets) == 3 and len(state.set_deck) == 21
    assert all(state.houses) and len(state.houses) == 3
    assert all(state.row) and len(state.row) == 5
    assert len(state.deck) == 88
    assert state.hands == ((), (), ()) and state.fear == (0, 0, 0)
    assert state.at == (None,) * 3 and state.bully is None
    assert match.asked == Move(0)


def test_s02_a_house_fewer_or_more() -> None:
    fewer = Match.started(GAME, 3, first=0, house_delta=-1)
    more = Match.started(GAME, 3, first=0, house_delta=1)
    assert (len(fewer.state.houses), len(fewer.state.deck)) == (2, 89)
    assert (len(more.state.houses), len(more.state.deck)) == (4, 87)
    assert fewer.asked == more.asked == ChooseKid(0)


def test_s04_the_first_move_is_from_off_the_board() -> None:
    match = board()
    assert facts(match.answer(0, Go("mansion"))) == [
        events.KidMoved(0, None, "mansion", "plain"),
    ]
    assert match.asked == Mansion(0)
    drawn = facts(match.answer(0, Proceed()))
    assert kinds(drawn) == ["CardDrawn"] * 3
    assert {event.seat for event in drawn} == {0}
    for event in drawn:
        assert cut(event, 0)["card"] == event.card and cut(event, 1)["card"] == {"hidden": True}
    assert len(match.state.hands[0]) == 3
    assert match.asked == EndTurn(0)


def test_s05_a_place_with_another_kid_is_barred() -> None:
    match = board(at=(None, "mansion", None))
    assert refused(match, 0, Go("mansion"))
    assert match.asked == Move(0)


def test_s07_sneak_is_refused_where_it_is_not_needed() -> None:
    match = board(hands=hands("Sneak", "", ""))
    assert refused(match, 0, Sneak("house2"))
    assert match.asked == Move(0)


def test_s08_home_is_open_to_all() -> None:
    match = board(at=(None, "home", "home"), hands=hands("Sneak", "", ""))
    assert refused(match, 0, Sneak("home"))
    assert facts(match.answer(0, Go("home"))) == [events.KidMoved(0, None, "home", "home")]
    assert match.state.hands[0] == codes("Sneak")
    assert type(match.asked).__name__ == "Home"


def test_s10_change_costume_stays_in_company_and_acts_again() -> None:
    match = board(
        at=("house1", "house1", None), bully="house1", hands=hands("Change Costume", "", "")
    )
    assert facts(match.answer(0, Stay())) == [
        events.TrickPlayed(0, code("Change Costume")),
        events.KidStayed(0, "house1"),
    ]
    assert match.asked == House(0)
    assert kinds(match.answer(0, Proceed())) == [
        "CardDrawn",
        "CardDrawn",
        "HouseCardTaken",
        "HouseStocked",
    ]
    assert match.asked == EndTurn(0)


def test_s11_change_costume_needs_a_place_to_stay_on() -> None:
    match = board(hands=hands("Change Costume", "", ""))
    assert refused(match, 0, Stay())
    assert match.asked == Move(0)


def test_s20_the_alley_sends_the_bully() -> None:
    match = board(Alley(0), at=("alley", "house1", "house1"), hands=hands("", "Caramel, Sneak", ""))
    told = facts(match.answer(0, Send("house1")))
    stolen = told[3]
    assert told == [
        events.BullyMoved(0, None, "house1", "alley"),
        events.KidChased(1, "house1"),
        events.KidChased(2, "house1"),
        events.CardStolen(0, 1, stolen.card),
        events.FreeMoveGranted(0),
    ]
    assert cut(stolen, 0)["card"] == cut(stolen, 1)["card"] == stolen.card
    assert cut(stolen, 2)["card"] == cut(stolen, "spectator")["card"] == {"hidden": True}
    assert match.state.hands[0] == (stolen.card,) and len(match.state.hands[1]) == 1
    assert match.state.at == ("alley", None, None) and match.state.free == (True, False, False)
    assert match.asked == EndTurn(0)


def test_s22_a_victim_may_be_spared() -> None:
    match = board(Alley(0), at=("alley", "house1", "house1"), hands=hands("", "Caramel", "Caramel"))
    assert facts(match.answer(0, Send("house1", (2,)))) == [
        events.BullyMoved(0, None, "house1", "alley"),
        events.KidChased(1, "house1"),
        events.KidChased(2, "house1"),
        events.CardStolen(0, 1, code("Caramel")),
        events.VictimSpared(0, 2),
        events.FreeMoveGranted(0),
    ]
    assert match.state.hands == hands("Caramel", "", "Caramel")
    assert match.asked == EndTurn(0)


def test_s23_a_free_move_goes_anywhere() -> None:
    match = board(
        at=("alley", "house1", None),
        bully="house1",
        free=(True, False, False),
        hands=hands("", "Caramel", ""),
    )
    assert facts(match.answer(0, Go("house1"))) == [
        events.FreeMoveSpent(0),
        events.KidMoved(0, "alley", "house1", "free"),
    ]
    assert match.state.at == ("house1", "house1", None) and match.state.bully == "house1"
    assert match.state.hands == hands("", "Caramel", "")
    assert match.asked == House(0)


def test_s25_staying_at_the_alley_spends_and_grants_a_free_move() -> None:
    match = board(
        at=("alley", None, None),
        free=(True, False, False),
        hands=hands("Change Costume", "", ""),
    )
    assert kinds(match.answer(0, Stay())) == ["TrickPlayed", "FreeMoveSpent", "KidStayed"]
    assert match.state.free == (False, False, False)
    assert match.asked == Alley(0)
    assert facts(match.answer(0, Send("carnival"))) == [
        events.BullyMoved(0, None, "carnival", "alley"),
        events.FreeMoveGranted(0),
    ]
    assert match.asked == EndTurn(0)


def test_s26_a_free_move_is_used_up_even_if_not_needed() -> None:
    match = board(at=("alley", "house2", None), free=(True, False, False))
    assert facts(match.answer(0, Go("mansion"))) == [
        events.FreeMoveSpent(0),
        events.KidMoved(0, "alley", "mansion", "plain"),
    ]
    match.lay(pending=(match.state.pending[0].__class__("0.1", Move(0)),))
    assert refused(match, 0, Go("house2"))
    assert match.asked == Move(0)


def test_s28_the_bully_may_go_where_one_has_just_left() -> None:
    match = board(at=("house1", None, None), hands=hands("Move Bully, Move Bully", "", ""))
    match.answer(0, Go("house2"))
    assert match.asked == House(0)
    assert refused(match, 0, Bully("house2"))
    assert facts(match.answer(0, Bully("house1"))) == [
        events.TrickPlayed(0, code("Move Bully")),
        events.BullyMoved(0, None, "house1", "trick"),
    ]
    assert match.asked == House(0), "the same decision again"


def test_s29_the_bully_may_be_moved_from_off_the_board() -> None:
    match = board(bully="house2", hands=hands("Move Bully", "", ""))
    bullies = [o.to for o in match.form(0).options if isinstance(o, Bully)]
    assert bullies == ["haunted", "carnival", "mansion", "house1", "house3"]
    match.answer(0, Bully("haunted"))
    assert match.state.bully == "haunted"
    assert match.asked == Move(0)


def test_s31_a_chased_kid_needs_a_sneak_to_go_back_to_the_bully() -> None:
    match = board(Move(1), bully="house1", hands=hands("", "Sneak", ""))
    assert refused(match, 1, Go("house1"))
    assert facts(match.answer(1, Sneak("house1"))) == [
        events.TrickPlayed(1, code("Sneak")),
        events.KidMoved(1, None, "house1", "sneak"),
    ]
    assert match.asked == House(1)


def test_s55_a_kid_card_has_two_faces_and_one_owner() -> None:
    match = Match.started(GAME, 3, first=0)
    assert facts(match.answer(0, Pick("pirate"))) == [events.KidChosen(0, "pirate")]
    assert match.asked == ChooseKid(1)
    assert refused(match, 1, Pick("mermaid"))
    assert facts(match.answer(1, Pick("ninja"))) == [events.KidChosen(1, "ninja")]
    assert match.asked == ChooseKid(2)


def test_s56_the_last_card_still_leaves_two_faces() -> None:
    match = Match.started(GAME, 6, first=0)
    for seat, face in enumerate(("pirate", "robot", "wizard", "bat", "ninja")):
        match.answer(seat, Pick(face))
    assert match.asked == ChooseKid(5)
    assert match.form(5).options == (Pick("dinosaur"), Pick("dragon"))
    match.answer(5, Pick("dragon"))
    assert match.asked == Move(0)

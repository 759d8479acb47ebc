"""Who knows what: every fact and every secret question, for each kind of viewer."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.masked_mischief import tiles
from games.masked_mischief.events import CandyMoved, DieRolled, MasksChanged, RaceStarted
from games.masked_mischief.game import GAME
from games.masked_mischief.laying import ChooseTricks, LayAll, LayOne
from games.masked_mischief.options import BuyTreats, Go, Lay, Pick
from games.masked_mischief.powers import Juggle
from games.rules import Answered, Chosen, ChosenMany
from games.sight import audiences
from tests.games.masked_mischief.given import A, B, C, D, draws, facts, mischief, shown, slots

HIDDEN = {"hidden": True}
VIEWERS = (A, B, C, D, "spectator", "auditor")


def sees(fact: Any, field: str) -> list[Any]:
    """The viewers to whom the field is open."""
    return [viewer for viewer in VIEWERS if shown(fact, viewer)[field] != HIDDEN]


@pytest.mark.parametrize(
    ("fact", "field", "seen"),
    [
        (tiles.TricksDrawn(B, ("K07",)), "codes", [B]),
        (tiles.TreatsDrawn(B, ("T07",)), "codes", [B]),
        (tiles.TilesLaid(B, "trick", ("o1",), ("K07",)), "codes", [B]),
        (tiles.TricksPutBack(B, ("K07",)), "codes", [B]),
        (tiles.TreatsPutBack(B, ("T07",)), "codes", [B]),
        (tiles.TreatsKept(B, ("T07",)), "codes", [B]),
        (tiles.TrickCleared("o1", B, "disarmed", "K07"), "code", [B]),
        (tiles.TreatTaken(A, "o1", C, "T07"), "code", [A, C]),
        (tiles.TreatTaken(A, "o1", A, "T07"), "code", [A]),
        (tiles.TreatStolen(A, B, 0, (A, B, D), "T07"), "code", [A, B, D]),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str | list) else None,
)
def test_faces_are_for_those_who_may_know_them(fact: Any, field: str, seen: list[Any]) -> None:
    assert sees(fact, field) == [*seen, "auditor"]


@pytest.mark.parametrize(
    "fact",
    [
        tiles.TrickFlipped("o1", B, A, "K07"),
        tiles.TreatPlayed(A, 0, "T07"),
        tiles.TrickReturned("o1", "resolved"),
        tiles.TrickIgnored(A, "o1", 0),
        tiles.TricksMoved(A, (("o1", "o2"),)),
        tiles.TreatSpent(A),
        tiles.HandLifted(A),
        CandyMoved(A, B, 2),
        DieRolled(A, 3, 6),
        MasksChanged(("clyde", "plain"), ()),
        RaceStarted(("o0", "o0"), (1, 0), {}),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_what_happens_in_the_open_is_for_all(fact: Any) -> None:
    assert all(shown(fact, viewer) == shown(fact, "auditor") for viewer in VIEWERS)


def test_the_spaces_of_tiles_laid_are_for_all() -> None:
    laid = tiles.TilesLaid(B, "trick", ("o1",), ("K07",))
    assert sees(laid, "spaces") == list(VIEWERS)
    assert [audience.of for audience in audiences(laid)] == [{B}, {B}]


def test_hands_shown_and_rearranged() -> None:
    hands = (("T01",), ("T02", "T03"), ())
    for fact in (tiles.HandsShown(A, hands), tiles.HandsRearranged(A, hands)):
        assert shown(fact, A)["hands"] == [["T01"], ["T02", "T03"], []]
        assert shown(fact, B)["hands"] == [HIDDEN, ["T02", "T03"], HIDDEN]
        assert shown(fact, "spectator")["hands"] == [HIDDEN] * 3


def test_which_answers_are_secret() -> None:
    assert all(kind.secret for kind in (LayOne, LayAll, ChooseTricks, Juggle))
    for given in (Chosen("1.1", B, Lay("K07", "o1")), ChosenMany("1.1", B, (Go("o1"),))):
        assert sees(given, "option") == [B, "auditor"]
    assert sees(Answered("1.1", B, Pick(A)), "option") == list(VIEWERS)


def test_a_form_goes_to_the_asked_seat_alone() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T10"})
    assert match.view(A)["question"]["form"]["options"][0]["id"] == "play:0:T10"
    for viewer in (B, C, D, "spectator"):
        assert "form" not in match.view(viewer)["question"]


def test_bags_and_what_is_drawn_to_be_laid() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T09"})
    match.play_treat("T09")
    for viewer in VIEWERS:
        view = match.view(viewer)
        mine = viewer in (A, "auditor")
        assert (view["placing"][A] == {"hidden": 2}) is not mine
        assert (view["bags"][A] == {"hidden": 34}) is not mine
        assert (view["treats"] == {"hidden": 43}) is (viewer != "auditor")
        assert view["question"]["prompt"] == "Lay 2 Tricks on blank spaces."


def test_the_layer_of_a_treat_knows_who_holds_it() -> None:
    """And goes on knowing where it is, from hand to hand."""
    match = mischief(
        at={A: "o10 cw"},
        masks=("moonmoon", "esmerelda", "clyde", "chuckles"),
        tiles={"o12": "T13/C", "o13": "K19/B"},
    )
    match.roll(2)
    held = [match.view(viewer)["hands"][A][0]["code"] for viewer in VIEWERS]
    assert held == ["T13", HIDDEN, "T13", HIDDEN, HIDDEN, "T13"]
    assert match.view(D)["hands"][A][0]["known"] == [A, C]
    match = mischief(
        at={A: "o11 cw"},
        masks=("moonmoon", "esmerelda", "clyde", "chuckles"),
        tiles={"o13": "K19/B"},
    )
    match.lay(hands=((tiles.Held((A, C), "T13"),), (), (), ()))
    match.roll(2)
    slots(0)
    match.say((Go("o30"), Go("o31")))
    held = [match.view(viewer)["hands"][B][0]["code"] for viewer in VIEWERS]
    assert held == ["T13", "T13", "T13", HIDDEN, HIDDEN, "T13"], "robbed A and layer C know"


def test_the_juggler_sees_all_hands_while_sharing_them_out() -> None:
    """So the form shows nothing that the view does not."""
    match = mischief(at={A: "o10 cw"}, hands={A: "T22 T01", B: "T10"})
    match.play_treat("T22")
    assert match.ask() == ("Juggle", A)
    assert match.state.hands[B][0].known == (A, B)
    assert match.view(A)["hands"][B][0]["code"] == "T10"
    assert match.view(C)["hands"][B][0]["code"] == HIDDEN
    rng = random.Random(1)
    others = [GAME.redealt(match.state, A, rng.randrange) for _ in range(20)]
    assert {other.hands for other in others} == {match.state.hands}


def test_a_juggle_ends_what_others_knew_of_foreign_hands() -> None:
    match = mischief(at={A: "o10 cw"}, hands={A: "T22"})
    match.lay(
        hands=(
            *match.state.hands[:1],
            (tiles.Held((B, C), "T13"),),
            (),
            (tiles.Held((D,), "T10"),),
        )
    )
    match.play_treat("T22")
    match.say(tuple(Pick(item.seat) for item in match.form(A).items))
    assert match.view(C)["hands"][B][0]["code"] == HIDDEN
    assert match.view(A)["hands"][B][0]["code"] == "T13"


def test_treats_bought_and_laid_are_known_to_the_buyer() -> None:
    match = mischief()
    match.say(BuyTreats(1))
    draws("T01 T10")
    match.say((1, 0, 0, 0))
    events = match.say(Lay("T01", "o30"))
    kept = facts(events, tiles.TreatsKept)[0]
    assert sees(kept, "codes") == [A, "auditor"]
    assert sees(facts(events, tiles.TilesLaid)[0], "codes") == [A, "auditor"]


def test_a_forgetful_victim_mixes_what_others_knew() -> None:
    match = mischief(at={A: "o10 cw"}, tiles={"o13": "K14/B"})
    match.lay(hands=((tiles.Held((A, C), "T13"), tiles.Held((A,), "T10")), (), (), ()))
    match.roll(3)
    events = match.say((Go("o31"), Go("o30")))
    for viewer, known in ((A, "T13"), (C, HIDDEN)):
        assert match.view(viewer)["tiles"]["o31"]["code"] == known
    laid = facts(events, tiles.TilesLaid)[0]
    assert laid.spaces == ("o30", "o31"), "in the order of the board, not of the hand"
    assert laid.codes == ("T10", "T13") and sees(laid, "codes") == [A, "auditor"]

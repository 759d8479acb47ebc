"""Who sees what, event by event; and what is dealt otherwise for whom."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.rules import Chosen, Open, view
from games.sight import cut
from games.tricks_and_treats import events as e
from games.tricks_and_treats import line_events as l
from games.tricks_and_treats.cards import TIMES_UP
from games.tricks_and_treats.game import GAME
from games.tricks_and_treats.options import Give, Guess, Tattle, Write
from games.tricks_and_treats.setup import GiveLowest
from games.tricks_and_treats.state import Score, State, Verdict, Written
from games.tricks_and_treats.turns import BeforeDraw
from tests.games.tricks_and_treats.laid import hold, owned, table

HIDDEN = {"hidden": True}
VIEWERS = (0, 1, 2, "spectator", "auditor")

SECRETS: list[tuple[Any, str, tuple[Any, ...]]] = [
    (e.CandyShuffled(("PEP1", "GUM2")), "deck", ("auditor",)),
    (e.TimesUpBuried(("PEP1", "TU")), "bottom", ("auditor",)),
    (e.LettersDealt(("A", "B", "C"), ("D", "E")), "undealt", ("auditor",)),
    (e.OpeningExchange(0, 2, "PEP4", "COR1"), "high", (0, 2, "auditor")),
    (e.OpeningExchange(0, 2, "PEP4", "COR1"), "low", (0, 2, "auditor")),
    (e.CandyDrawn(1, "PEP4", 5, False), "card", (1, "auditor")),
    (e.SecretLetterShown(1, 0, "B"), "letter", (0, 1, "auditor")),
    (e.GuessWritten(2, 0, "B"), "letter", (2, "auditor")),
    (Written(2, 0, "B"), "letter", (2, "auditor")),
    (Chosen("5.1", 1, Write("B")), "option", (1, "auditor")),
    (Chosen("5.1", 2, Give("PEP4")), "option", (2, "auditor")),
    (GiveLowest(2, 0, "PEP4"), "high", (0, "auditor")),
]

OWN_ENTRIES: list[tuple[Any, str]] = [
    (e.HandsDealt((("PEP1",), ("PEP2",), ("PEP3",)), 20), "hands"),
    (e.LettersDealt(("A", "B", "C"), ("D", "E")), "letters"),
]

PUBLIC: list[Any] = [
    e.StarterChosen(0),
    e.LineLaidOut(("A", "B")),
    e.TurnStarted(0, 1),
    e.CandyPlayed(0, "PEP1", "A", 0),
    e.TattleMade(0, 1, "B", True),
    e.SecretLetterHandedOver(1, 0, "B"),
    e.PlayerEliminated(1, "tattled"),
    e.CandyTraded("B09", 0, "A", 0, "PEP1", "GUM1"),
    l.LineChanged("B01", "swap", ("B", "A")),
    l.CandyMoved("B03", (l.Moved("PEP1", 0, 0, 1),)),
    l.CandyRemoved("B01", (l.Lying("PEP1", 0, 0),)),
    l.CandyDoubled("B12", (l.Lying("GUM1", 0, 0),)),
    l.ResolutionOrdered(("B01",)),
    l.SpecialResolved("B01", 0, 1, "done"),
    e.SecretLettersRevealed(("A", "B")),
    e.GuessesRevealed((Verdict(0, 1, "B", True),)),
    e.Scored({0: Score(1, 0, 0, 1)}),
    e.TiesStruckOut(3, (0, 1)),
    e.GameEnded("times_up", None),
]


@pytest.mark.parametrize(("fact", "field", "seen_by"), SECRETS, ids=str)
def test_a_secret_field_is_seen_by_those_it_names(fact: Any, field: str, seen_by: Any) -> None:
    for viewer in VIEWERS:
        shown = cut(fact, viewer)
        assert (shown[field] != HIDDEN) is (viewer in seen_by), viewer
        others = [value for name, value in shown.items() if name != field]
        if type(fact) not in (e.OpeningExchange, e.LettersDealt):
            assert HIDDEN not in others


@pytest.mark.parametrize(("event", "field"), OWN_ENTRIES, ids=str)
def test_everybody_sees_the_own_entry(event: Any, field: str) -> None:
    for viewer in VIEWERS:
        seen = [entry != HIDDEN for entry in cut(event, viewer)[field]]
        assert seen == [viewer in (seat, "auditor") for seat in range(3)]


@pytest.mark.parametrize("event", PUBLIC, ids=str)
def test_the_rest_is_seen_by_all(event: Any) -> None:
    for viewer in VIEWERS:
        assert cut(event, viewer) == cut(event, "auditor")


def test_every_event_is_accounted_for() -> None:
    known = {type(fact) for fact, *_ in (*SECRETS, *OWN_ENTRIES)} | set(map(type, PUBLIC))
    kernel = ("Asked", "Answered", "Stepped")
    assert {
        member.__name__
        for member in GAME.event.__args__
        if isinstance(member, type) and member not in known
    } <= set(kernel)


def test_the_view_of_each_viewer() -> None:
    match = table(written=True)
    hold(match, "PEP1 PEP2", "GUM1 GUM2", "CHO1 CHO2")
    match.answer(0, Guess(1))
    assert match.asked.secret
    asked = match.view(1)["question"]
    assert asked["about"] == {"target": 1} and "form" not in asked
    match.answer(0, Write("D"))
    mine, theirs, watching = match.view(0), match.view(1), match.view("spectator")
    assert mine["hands"] == [["PEP1", "PEP2"], {"hidden": 2}, {"hidden": 2}]
    assert mine["letters"] == ["A", HIDDEN, HIDDEN]
    assert theirs["letters"] == [HIDDEN, "B", HIDDEN]
    assert watching["letters"] == [HIDDEN] * 3
    assert watching["hands"] == [{"hidden": 2}] * 3
    assert mine["guesses"] == [{"guesser": 0, "target": 1, "letter": "D"}]
    assert theirs["guesses"] == [{"guesser": 0, "target": 1, "letter": HIDDEN}]
    for shown in (mine, theirs, watching):
        assert shown["deck"] == {"hidden": 23}
        assert shown["undealt"] == {"hidden": 2}


def test_s49_a_letter_shown_is_known_to_the_accuser_alone() -> None:
    match = table()
    match.answer(0, Tattle(1, "D"))
    assert match.view(0)["known"][0] == [{"seat": 1, "letter": "B"}]
    for viewer in (1, 2, "spectator"):
        assert match.view(viewer)["known"][0] == HIDDEN
        assert match.view(viewer)["ruled_out"] == [{"seat": 1, "letter": "D"}]
    assert match.asked == BeforeDraw(1)


def test_s49_what_another_player_reads_of_cards_and_letters() -> None:
    assert cut(e.CandyDrawn(0, "PEP4", 5, False), 2) == {
        "type": "candy_drawn", "seat": 0, "card": HIDDEN, "deck_left": 5, "times_up": False,
    }  # fmt: skip
    dealt = cut(e.LettersDealt(("A", "B", "C"), ("D", "E")), 2)
    assert dealt["letters"] == [HIDDEN, HIDDEN, "C"] and dealt["undealt"] in (HIDDEN, [HIDDEN] * 2)
    shown = cut(e.SecretLetterShown(1, 0, "B"), 2)
    assert (shown["owner"], shown["viewer"], shown["letter"]) == (1, 0, HIDDEN)
    traded = cut(e.CandyTraded("B09", 0, "A", 0, "PEP1", "GUM4"), 2)
    assert (traded["given"], traded["taken"]) == ("PEP1", "GUM4")


def test_the_form_goes_to_the_asked_seat_alone() -> None:
    match = table(exchange=True)
    hold(match, "GUM2 PEP4", "CHO1 CHO2", "CHO3 COR3")
    assert "form" in match.view(0)["question"]
    assert "form" not in match.view(2)["question"]
    match.answer(0, Give("PEP4"))
    assert match.view(0)["question"]["about"] == {"to": 0, "high": "PEP4"}
    assert match.view(1)["question"]["about"] == {"to": 0, "high": HIDDEN}
    assert match.view(2)["question"]["about"] == {"to": 0, "high": HIDDEN}


def dealt_otherwise(state: State, viewer: Any, times: int = 60) -> list[State]:
    rng = random.Random(7)
    others = [GAME.redealt(state, viewer, rng.randrange) for _ in range(times)]
    for other in others:
        assert view(other, viewer) == view(state, viewer)
        assert GAME.census(other) == GAME.census(state)
    return others


def test_all_that_is_hidden_is_dealt_otherwise() -> None:
    others = dealt_otherwise(table().state, 1)
    assert len({other.hands[0] for other in others}) > 10
    assert len({other.letters[0] for other in others}) == 4
    assert len({other.undealt for other in others}) > 5
    assert {other.letters[1] for other in others} == {"B"}
    assert {other.deck.index(TIMES_UP) for other in others} == {19, 20, 21, 22}


def test_times_up_is_never_on_top_unless_it_shows() -> None:
    match = table()
    match.lay(deck=("CHO1", "CHO2", "TU"))
    others = dealt_otherwise(match.state, "spectator")
    assert {other.deck.index(TIMES_UP) for other in others} == {1, 2}
    match.lay(deck=("TU", "CHO2"), times_up=True)
    assert {o.deck[0] for o in dealt_otherwise(match.state, 0)} == {"TU"}


def test_what_a_viewer_was_told_holds() -> None:
    match = table(4)
    match.lay(
        out=(0, 1),
        known=(owned((1, "B")), (), (), ()),
        shown=((), owned((0, "A")), (), ()),
        ruled_out=owned((1, "D"), (2, "F")),
    )
    for other in dealt_otherwise(match.state, 0):
        assert other.letters[:2] == ("A", "B")
        assert other.letters[2] != "F"
    guessing = dealt_otherwise(match.state, 3)
    assert {other.letters[1] for other in guessing} == {"B", "C", "E", "F"}


def test_what_others_were_shown_follows_the_letters() -> None:
    """A fork for one seat's eyes must not tell it, on another's chair, what that one saw."""
    match = table(4)
    match.answer(0, Tattle(1, "D"))
    for viewer, ways in ((1, 1), (2, 3), (3, 4), ("spectator", 4)):
        others = dealt_otherwise(match.state, viewer)
        assert all(other.known[0] == owned((1, other.letters[1])) for other in others)
        assert len({other.known[0] for other in others}) == ways
    assert {other.known[0] for other in dealt_otherwise(match.state, 0)} == {owned((1, "B"))}


def test_guesses_and_the_passed_card_are_chosen_otherwise() -> None:
    match = table(written=True)
    match.lay(guesses=(Written(0, 1, "D"), Written(1, 0, "A")))
    letters = [tuple(g.letter for g in o.guesses) for o in dealt_otherwise(match.state, 0)]
    assert {first for first, _ in letters} == {"D"}
    assert {second for _, second in letters} == set("ABCDE")
    judged = match.state.but(judged=(Verdict(0, 1, "D", False),), revealed=("A", "B", "C"))
    for other in dealt_otherwise(judged, 2):
        assert (other.guesses, other.letters) == (judged.guesses, judged.letters)


def test_the_passed_card_is_one_of_the_highest_in_the_hand_it_has_now() -> None:
    match = table(exchange=True)
    hold(match, "GUM2 PEP4", "CHO1 CHO2", "CHO3 COR3")
    match.answer(0, Give("PEP4"))
    passed = set()
    for other in dealt_otherwise(match.state, 2):
        (open,) = other.pending
        assert isinstance(open, Open)
        passed.add(open.item.high)
        assert open.item.high[3] == max(card[3] for card in other.hands[0])
    assert len(passed) > 3
    assert {o.pending[0].item.high for o in dealt_otherwise(match.state, 0)} == {"PEP4"}

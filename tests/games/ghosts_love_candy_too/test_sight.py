"""Who sees what: every event with a hidden part, every secret question, and what is dealt anew."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from games import sight
from games.dice import Dice
from games.ghosts_love_candy_too.ability import PassTreat, frame_of
from games.ghosts_love_candy_too.ability_events import CravingPeeked, TreatPassed
from games.ghosts_love_candy_too.end_events import CravingsShown
from games.ghosts_love_candy_too.events import (
    BagFilled,
    BagMixed,
    BagRefilled,
    CravingsDealt,
    DeckShuffled,
    Drawn,
    KidRevealed,
    Placed,
    StartKept,
)
from games.ghosts_love_candy_too.game import GAME, Event
from games.ghosts_love_candy_too.options import First, Play, Treat
from games.ghosts_love_candy_too.order import ChooseGhosts, OrderOwnTie
from games.ghosts_love_candy_too.order_events import (
    GhostsPicked,
    GhostsShown,
    OwnTieOrdered,
    TieCardDrawn,
)
from games.ghosts_love_candy_too.redeal import BAG, watch
from games.ghosts_love_candy_too.setup import KeepTreats
from games.memory import Memory
from games.rules import Answer, Chosen, ChosenMany, decide, view
from games.sight import audiences
from tests.games.ghosts_love_candy_too.street import slot, street
from tests.play import Match

HID = {"hidden": True}
EVERYBODY: list[Any] = [0, 1, 2, 3, "spectator"]


def test_each_seat_sees_its_craving_and_nobody_the_boxed_ones() -> None:
    dealt = CravingsDealt(("CRA", "CRB", "CRC", "CRD"), ("CRE", "CRF"))
    assert sight.cut(dealt, 1)["cards"] == [HID, "CRB", HID, HID]
    assert sight.cut(dealt, "spectator")["cards"] == [HID] * 4
    for viewer in EVERYBODY:
        assert sight.cut(dealt, viewer)["boxed"] == HID
    assert sight.cut(dealt, "auditor")["boxed"] == ["CRE", "CRF"]


@pytest.mark.parametrize(
    "event", [DeckShuffled((3, 1, 2)), BagFilled(("MINT",)), BagMixed(("MINT",)), BagRefilled(())]
)
def test_the_order_of_deck_and_bag_is_for_nobody(event: Any) -> None:
    for viewer in EVERYBODY:
        assert sight.cut(event, viewer)["order"] == HID
    assert sight.cut(event, "auditor")["order"] == list(event.order)


def test_a_peeked_craving_is_for_those_two() -> None:
    peeked = CravingPeeked(2, 1, "CRB")
    assert [sight.cut(peeked, v)["card"] for v in EVERYBODY] == [HID, "CRB", "CRB", HID, HID]
    assert audiences(peeked)[0].news(frozenset(range(4))) == {2}


@pytest.mark.parametrize(
    ("event", "learn"),
    [
        (GhostsShown(1, (5,)), {0, 2, 3}),
        (OwnTieOrdered(1, 0), {0, 2, 3}),
        (StartKept(1, ("MINT",)), {0, 2, 3}),
        (TreatPassed(1, 2, "MINT"), {0, 2, 3}),
        (Placed(0, ("MINT",), 0), {0, 1, 2, 3}),
        (Drawn(1, ("MINT",), False), {0, 1, 2, 3}),
        (KidRevealed(0, 5), {0, 1, 2, 3}),
        (TieCardDrawn(1, 7, 5), {0, 1, 2, 3}),
        (CravingsShown(("CRA",)), {0, 1, 2, 3}),
    ],
)
def test_what_comes_to_light_is_news_to_who_did_not_hold_it(event: Any, learn: set[int]) -> None:
    assert all(sight.cut(event, v) == sight.cut(event, "auditor") for v in EVERYBODY)
    assert audiences(event)[0].news(frozenset(range(4))) == learn


def test_a_ghost_picked_by_chance_is_nobodys_secret() -> None:
    assert audiences(GhostsPicked(1, (5,))) == []


@pytest.mark.parametrize(
    "event",
    [
        Chosen("1.1", 1, Play((5,))),
        Chosen("1.1", 1, First(0)),
        ChosenMany("1.1", 1, (Treat("MINT"), Treat("CHOC"))),
    ],
)
def test_a_secret_answer_is_its_seats_own(event: Any) -> None:
    for viewer in EVERYBODY:
        assert (sight.cut(event, viewer)["option"] == HID) is (viewer != 1)


FRAME = frame_of(street({2: slot(14)}, "A1").state, 14, "now", 0)


@pytest.mark.parametrize(
    "question",
    [
        KeepTreats((0, 2), {1: (Treat("MINT"),)}),
        ChooseGhosts((0, 2), {1: Play((5,))}),
        OrderOwnTie((0,), {1: First(1)}),
        PassTreat(seats=(0, 2), chosen={1: Treat("MINT")}, ability=FRAME),
    ],
)
def test_choices_not_yet_shown_are_seen_by_who_made_them(question: Any) -> None:
    for viewer in EVERYBODY:
        chosen = sight.cut(question, viewer)["chosen"]["1"]
        assert (chosen == HID) is (viewer != 1)


def test_all_else_in_the_state_is_public() -> None:
    state = street({}, "A1", A="MINT", bag="CHOC", deck=[1, 2]).state
    hidden = {"secrets", "boxed", "deck", "bag"}
    full = view(state, "auditor")
    for viewer in EVERYBODY:
        seen = view(state, viewer)
        assert {key for key in full if seen[key] != full[key]} <= {*hidden, "question"}
    assert view(state, 0)["deck"] == {"hidden": 2} and view(state, 0)["bag"] == {"hidden": 1}


def test_what_all_saw_go_under_the_deck_stays_known() -> None:
    match = street({2: slot(56)}, "A1", A="CHOC CHOC", A_kids=[3], deck=[9])
    match.say("s2", "yes")
    assert match.view("spectator")["under"] == [3]


@pytest.mark.parametrize("viewer", [0, 1, 3, "spectator"])
def test_dealt_anew_a_viewer_sees_the_same_and_keeps_what_it_has_seen(viewer: Any) -> None:
    match = street({2: slot(33)}, "A1", deck=[1, 2, 3, 4, 5], bag="MINT CHOC BAR LICO CORN JUNK")
    match.say("s2", "D")
    state = match.state
    rng = random.Random(1)
    others = [GAME.redealt(state, viewer, rng.randrange) for _ in range(40)]
    for other in others:
        assert msgspec.json.encode(view(other, viewer)) == msgspec.json.encode(view(state, viewer))
        assert GAME.census(other) == GAME.census(state)
    for at, held in enumerate(state.secrets):
        cards = {other.secrets[at].card for other in others}
        assert (len(cards) == 1) is (viewer in held.knowers)
    assert len({other.deck for other in others}) > 10 and len({o.bag for o in others}) > 10
    assert len({other.boxed for other in others}) > 1


def test_secret_choices_are_made_anew_too() -> None:
    match = Match.started(GAME, 3)
    match.answer(0, match.form(0).sample(lambda n: 0))
    rng = random.Random(1)
    others = [GAME.redealt(match.state, 1, rng.randrange) for _ in range(20)]
    assert len({str(other.pending[-1].item.chosen) for other in others}) > 1
    mine = [GAME.redealt(match.state, 0, rng.randrange) for _ in range(20)]
    assert len({str(other.pending[-1].item.chosen) for other in mine}) == 1


def test_no_prompt_or_question_tells_a_secret() -> None:
    """The deal otherwise, the same question: cravings, deck and bag choose none of it."""
    match = Match.started(GAME, 4)
    rng = random.Random(3)
    while match.state.pending and len(match.commits) < 60:
        other = GAME.redealt(match.state, "spectator", rng.randrange)
        for viewer in (*match.viewers,):
            shown = [view(s, "spectator")["question"] for s in (match.state, other)]
            assert shown[0] == shown[1], viewer
        seat = match.asked.seats[0]
        match.answer(seat, match.form(seat).sample(rng.randrange))


def test_a_tie_leaks_no_hidden_kid() -> None:
    """Dealt otherwise, the first thing that differs is a kid that all see drawn."""
    match = street({2: slot(23)}, "A1 B1", deck=[7, 40, 12], bag="MINT CHOC")
    option = match.form(0).options[0]
    events = [
        decide(state, 0, Answer("90.99", option), Dice(b"", "m", 1, 99))
        for state in (match.state, GAME.redealt(match.state, 0, random.Random(5).randrange))
    ]
    assert events[0] == events[1]


def test_every_event_declares_its_secrets() -> None:
    for member in Event.__args__:
        sight.sights(getattr(member, "__origin__", member))


def test_with_bag_refill_the_old_tokens_are_known_where_a_draw_is_taken_back() -> None:
    """GR3: the discards come up under what is still drawn with them."""
    given: dict[str, Any] = {"discard": "MINT MINT", "options": {"bag_refill": "discards"}}
    match = street({5: slot(23)}, "", bag="JUNK CHOC JUNK", number=8, **given)
    match.lay(hands=(((3, 4),),) * 4)
    state, then = match.state, Memory(0, lambda count: 0)
    memory = then.copy()
    for event in match.say("s4"):
        watch(memory, state, event)
        state = event.apply(state)
    assert match.kinds().count("BagRefilled") == 1 and state.bag == ()
    assert memory.back(then).top(BAG) == ("JUNK", "CHOC", "JUNK")

"""Who sees what, event by event, question by question; and what is dealt otherwise for whom."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from games.recall import Past
from games.rules import Answered, AnsweredMany, Open, view
from games.sight import Audience, Viewer, audiences, cut
from games.trick_or_treat import deck_events as d
from games.trick_or_treat import events as e
from games.trick_or_treat.game import GAME, census
from games.trick_or_treat.haunted import CalmWith, HauntedHouse, ScareWith
from games.trick_or_treat.home import Home, TurnIn
from games.trick_or_treat.locations import Alley, Carnival, CarnivalExtra, House, Mansion
from games.trick_or_treat.options import Claim, Discard, Give, Swap
from games.trick_or_treat.tables import DECK
from games.trick_or_treat.turns import ChooseKid, EndTurn, HandLimit, Move
from tests.games.trick_or_treat.board import board, codes, give, hands, slots

HIDDEN = {"hidden": True}
VIEWERS: tuple[Viewer, ...] = (0, 1, 2, "spectator", "auditor")

SECRETS: list[tuple[Any, str, tuple[Viewer, ...]]] = [
    (d.SetsShuffled(("S01",), ("S02",), ("S03",)), "deck", ("auditor",)),
    (d.SetsShuffled(("S01",), ("S02",), ("S03",)), "removed", ("auditor",)),
    (d.CardsShuffled(("T01", "K1")), "deck", ("auditor",)),
    (d.DiscardsReshuffled(("T01", "K1")), "deck", ("auditor",)),
    (d.CardDrawn(1, "T01"), "card", (1, "auditor")),
    (e.CardStolen(0, 2, "T01"), "card", (0, 2, "auditor")),
]

PUBLIC: list[Any] = [
    d.TableLaid(3, 3, 5, 0),
    d.HouseStocked(0, "T01"),
    d.CarnivalStocked(0, "T01"),
    e.KidChosen(0, "pirate"),
    e.TurnStarted(0, 1),
    e.TrickPlayed(0, "K1"),
    e.KidMoved(0, None, "home", "plain"),
    e.KidStayed(0, "home"),
    e.FreeMoveSpent(0),
    e.FreeMoveGranted(0),
    e.BullyMoved(0, None, "house1", "trick"),
    e.KidChased(1, "house1"),
    e.VictimSpared(0, 1),
    d.HouseCardTaken(0, 0, "T01"),
    d.CarnivalCardTaken(0, 0, "T01"),
    e.CardsDiscarded(0, ("T01", "K1"), "limit"),
    e.FearGiven(0, 2),
    e.FearReturned(0, 2),
    e.SetClaimed(0, "S01", 4, ("T01",)),
    e.SetRevealed("S01"),
    d.HandsThinned((("T01",), (), ())),
    d.DrawSkipped(0, "hand", 2),
    e.GameEnded((1, 2, 3), (2,)),
    Answered("5.1", 0, Give(("T01",), ("T02",))),
    Answered("5.1", 0, Swap("T01", 0, "T02")),
    AnsweredMany("5.1", 0, (Discard("T01"),)),
]


def shown(fact: Any, field: str, viewer: Viewer) -> bool:
    return bool(cut(fact, viewer)[field] != HIDDEN)


@pytest.mark.parametrize(("fact", "field", "seers"), SECRETS, ids=str)
def test_a_secret_field_is_seen_by_those_it_names(fact: Any, field: str, seers: Any) -> None:
    assert tuple(v for v in VIEWERS if shown(fact, field, v)) == seers
    named = [f for other, f, _ in SECRETS if type(other) is type(fact)]
    for viewer in VIEWERS:
        open = {f: part for f, part in cut(fact, viewer).items() if f not in named}
        assert HIDDEN not in open.values()


@pytest.mark.parametrize("fact", PUBLIC, ids=str)
def test_all_else_is_seen_by_all(fact: Any) -> None:
    seen = [cut(fact, viewer) for viewer in VIEWERS]
    assert all(one == seen[0] for one in seen)
    assert "hidden" not in str(seen[0])


def test_every_event_is_in_one_of_the_lists() -> None:
    listed = {type(fact) for fact in (*PUBLIC, *(fact for fact, _, _ in SECRETS))}
    declared = {
        kind
        for kind in (*vars(d).values(), *vars(e).values())
        if isinstance(kind, type) and issubclass(kind, e.Event) and kind is not e.Event
    }
    assert declared <= listed


@pytest.mark.parametrize(
    ("fact", "learn"),
    [
        (d.CardDrawn(1, "T01"), {1}),
        (e.CardStolen(0, 2, "T01"), {0}),
        (e.TrickPlayed(0, "K1"), {1, 2}),
        (e.CardsDiscarded(0, ("T01",), "limit"), {1, 2}),
        (e.SetRevealed("S01"), {0, 1, 2}),
        (d.CarnivalStocked(0, "T01"), {0, 1, 2}),
        (d.DiscardsReshuffled(("T01",)), set()),
    ],
    ids=str,
)
def test_who_learns_something_new(fact: Any, learn: set[int]) -> None:
    """What an undo would have to take back: nobody learns a card that was its own."""
    everyone = frozenset((0, 1, 2))
    parts: list[Audience] = audiences(fact)
    assert {seat for part in parts for seat in part.news(everyone)} == learn


def test_a_view_shows_hands_and_decks_as_numbers() -> None:
    match = board(hands=hands("Caramel", "Sneak, Brave", ""))
    mine, other = match.view(0), match.view("spectator")
    assert mine["hands"] == [list(codes("Caramel")), {"hidden": 2}, {"hidden": 0}]
    assert other["hands"] == [{"hidden": 1}, {"hidden": 2}, {"hidden": 0}]
    for seen in (mine, other):
        assert seen["deck"] == {"hidden": 88} and seen["set_deck"] == {"hidden": 21}
        assert seen["removed"] == {"hidden": 0}
        assert seen["row"] == list(match.state.row) and seen["discard"] == []
    assert match.view("auditor")["hands"][1] == list(codes("Sneak, Brave"))


ASKED = [
    ChooseKid(0),
    Move(0),
    House(0),
    Mansion(0),
    Carnival(0),
    CarnivalExtra(0),
    Alley(0),
    HauntedHouse(0),
    ScareWith(0),
    CalmWith(0),
    Home(0),
    TurnIn(0, "S04"),
    HandLimit(0),
    EndTurn(0),
]


@pytest.mark.parametrize("item", ASKED, ids=lambda item: type(item).__name__)
def test_the_form_goes_to_the_asked_seat_alone(item: Any) -> None:
    hand = "Sneak, Brave, Move Bully, Change Costume, " + "Caramel, " * 10
    match = board(item, at=("house1", "house1", None), fear=(2, 0, 0), hands=hands(hand, "", ""))
    asked = match.view(0)["question"]
    assert asked["form"]
    others = [match.view(viewer)["question"] for viewer in (1, 2, "spectator")]
    assert others == [{key: part for key, part in asked.items() if key != "form"}] * 3
    match.lay(hands=hands("Lemon Drops, " * 14, "", ""))
    if not isinstance(item, ScareWith):
        assert match.view(1)["question"] == others[0], "the hand has no part in what all see"


def test_what_is_being_turned_in_is_public() -> None:
    match = board(TurnIn(0, "S12", (give("Caramel, Caramel"),)))
    about = match.view("spectator")["question"]["about"]
    assert about == {
        "set": "S12",
        "given": [{"type": "give", "cards": ["T04", "T04"], "eggs": []}],
    }


def full() -> Any:
    """Hands, decks and a claim under way."""
    match = board(
        TurnIn(0, "S18", (give("Lemon Drops", "Grape Rings"),)),
        row=slots("Grape Rings, Gum Drops, -, -, -"),
        houses=slots("-, -, -"),
        at=("home", None, None),
        hands=hands(
            "Lemon Drops, Egging Houses, Egging Houses, Caramel, Sneak, Sneak",
            "Brave, Brave, Caramel",
            "Ginger Snap, Sneak",
        ),
    )
    match.lay(removed=match.state.set_deck[:5], set_deck=match.state.set_deck[5:])
    return match


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator"])
def test_all_that_is_hidden_is_dealt_otherwise(viewer: Viewer) -> None:
    match = full()
    rng, seen = random.Random(5), match.view(viewer)
    others = [GAME.redealt(match.state, viewer, rng.randrange) for _ in range(20)]
    for other in others:
        assert view(other, viewer) == view(match.state, viewer)
        assert census(other) == census(match.state)
        assert {"T01", "K5"} <= {*other.hands[0]}, "what the claim was begun with stays"
        assert other.pending[-1].item.form(other, 0).count()
    for zone in ("deck", "set_deck", "removed"):
        assert any(getattr(o, zone) != getattr(match.state, zone) for o in others)
    for seat in range(3):
        moved = any(o.hands[seat] != match.state.hands[seat] for o in others)
        assert moved is (seat != viewer)
    assert seen == match.view(viewer)


@pytest.mark.parametrize(("item", "kept"), [(ScareWith(0), "K"), (CalmWith(0), "T")])
def test_who_said_what_it_discards_still_holds_one(item: Any, kept: str) -> None:
    match = board(
        item, fear=(1, 0, 0), hands=hands("Sneak, Caramel", "Brave", "Lemon Drops, Gum Drops")
    )
    rng, held = random.Random(6), set()
    for _ in range(20):
        other = GAME.redealt(match.state, 1, rng.randrange)
        assert any(card[0] == kept for card in other.hands[0])
        assert other.pending[-1].item.form(other, 0).count()
        held |= {card for card in other.hands[0] if card[0] == kept}
    assert len(held) > 3, "not which"


def test_who_is_known_to_hold_one_needs_no_other() -> None:
    match = board(Move(0), row=slots("Sneak, -, -, -, -"), hands=hands("Caramel", "", ""))
    match.commit(0, d.CarnivalCardTaken(0, 0, "K1"))
    match.lay(pending=(Open("0.1", EndTurn(0)), Open("0.2", ScareWith(0))))
    past = Past(match.commits, [table.state for table in match.past])
    rng = random.Random(7)
    others = [GAME.redealt(match.state, 1, rng.randrange, past).hands[0] for _ in range(20)]
    assert all("K1" in hand for hand in others) and any("T" in "".join(hand) for hand in others)


@pytest.mark.parametrize(
    ("set", "hand"),
    [
        ("S02", "Cocoa Puff, Ginger Snap, Licorice Whip, Lemon Drops, Caramel"),
        ("S12", "Caramel, Egging Houses, Lemon Drops, Lemon Drops"),
        ("S18", "Lemon Drops, Grape Rings, Caramel, Egging Houses"),
        ("S24", "Egging Houses, Egging Houses, Egging Houses"),
    ],
)
def test_who_claims_a_set_can_pay_for_it_but_nobody_else_knows_how(set: str, hand: str) -> None:
    """Even where all of the hand goes for it."""
    open_cards = slots("Caramel, Gum Drops, -, -, -")
    match = board(TurnIn(0, set), row=open_cards, hands=hands(hand, "Lemon Drops", ""))
    rng, held = random.Random(8), Counter[str]()
    for _ in range(20):
        other = GAME.redealt(match.state, 1, rng.randrange)
        assert other.pending[-1].item.form(other, 0).count()
        held.update({*other.hands[0]})
    assert max(held.values()) < 20


def test_the_choice_of_a_set_hides_the_rest_of_the_hand() -> None:
    """The same claim from two hands: the same bytes for whoever sees neither."""
    told = []
    for rest in ("Sneak, Brave", "Caramel, Ginger Snap"):
        match = board(
            Home(0),
            at=("home", None, None),
            sets=("S03", "S20", "S21"),
            hands=hands(f"Fudge Square, Cocoa Puff, {rest}", "", ""),
        )
        match.answer(0, Claim("S03"))
        match.answer(0, give("Fudge Square, Cocoa Puff"))
        told.append([cut(commit.events, 1) for commit in match.commits[-2:]])
    assert told[0] == told[1]


def test_the_printed_deck_is_what_is_counted() -> None:
    match = board()
    counted = census(match.state)
    cards = {code: n for code, n in counted.items() if code[0] in "TK" and len(code) < 4}
    assert sum(n for code, n in cards.items() if not code.startswith("KC")) == len(DECK) == 96
    assert sum(n for code, n in counted.items() if code.startswith("KC")) == 6
    assert counted["houses"] == 3

"""Who sees what, event by event, question by question, zone by zone."""

from __future__ import annotations

import random
from typing import Any, get_args

import msgspec
import pytest

from games.recall import Past
from games.rules import Answer, Answered, Asked, Chosen, Stepped
from games.sight import Seat, audiences, cut
from games.trickn_treat import events, ghost_events, setup_events
from games.trickn_treat.exchange import (
    ChooseTarget,
    Exchange,
    ExchangeWithDummy,
    TradeWithDummy,
)
from games.trickn_treat.game import GAME
from games.trickn_treat.ghosts import SearchDummyPile, SearchPile, SwapOrStop
from games.trickn_treat.options import Give, Play, Stop, Swap, Take, Target, Trade
from games.trickn_treat.state import DUMMY, Dummy, State
from games.trickn_treat.turns import PlayCard, ScoreCandy
from tests.games.trickn_treat.table import play, treat
from tests.play import Match

HIDDEN = {"hidden": True}
EVERYBODY = frozenset(range(4))
OTHERS = (0, 2, 3, "spectator")
"""Every viewer but seat 1 and the auditor."""

OPEN: list[Any] = [
    setup_events.ColourRemoved("P", True, ("P0", "P11")),
    setup_events.ZerosRemoved(("B0",)),
    setup_events.DummyDealt(("B1", "G12")),
    setup_events.StarterChosen((5, 6, 6, 4), 1, True),
    setup_events.TokensPrepared(("tB",), ("tP",)),
    setup_events.TokenTaken(1, "tB"),
    setup_events.TeamsFormed((1, 2), (0, 3)),
    events.LeadShown(1, True),
    events.TrickStarted((1, 2, DUMMY, 0)),
    events.Skipped(1),
    events.CardPlayed(1, "B3"),
    events.DummyPlayed("B3"),
    ghost_events.EffectSet(True, False),
    ghost_events.GhostIdle(1, "*9", "empty_pile"),
    ghost_events.CardsSwapped(1, "B3", "B11"),
    ghost_events.DummySwapped("B3", "B11"),
    ghost_events.DummyPileSearched(("B3",)),
    ghost_events.ExchangeBegun(1, DUMMY),
    ghost_events.DummyExchanged(1, "B3", "B11"),
    events.TrickWon(1, "B11"),
    events.CandyScored(1, ("B3",)),
    events.TrickTaken(1, ("*9",), ("B11",)),
    events.DummyTook((), ("*9",), ("B11",)),
    events.GameEnded(1, "only_ghosts"),
    events.HandsShown((("*9",), ()), ((), ("B3",)), ()),
    events.Scored((1,), (3, 4), "points"),
    Answered("3.1", 1, Play("B3")),
    Answered("3.1", 1, Swap("B3", "B11")),
    Answered("3.1", 1, Trade("B3", "B11")),
    Answered("3.1", 1, Target(DUMMY)),
]
SECRET: list[Any] = [
    setup_events.Dealt((("B3",), ("G3",), ("R3",), ("Y3",)), ("*6",)),
    ghost_events.PileSearched(1, True, "B3"),
    ghost_events.CardsExchanged(1, 2, "B3", "G3"),
    Chosen("3.1", 1, Give("B3")),
]


@pytest.mark.parametrize("event", OPEN, ids=lambda event: type(event).__name__)
def test_what_happens_in_the_open_is_the_same_for_all(event: Any) -> None:
    for viewer in (*range(4), "spectator"):
        assert cut(event, viewer) == cut(event, "auditor")
        assert "hidden" not in str(cut(event, viewer))


def test_every_event_is_told_open_or_secret_here() -> None:
    named = {type(event) for event in (*OPEN, *SECRET)} | {Asked, Stepped}
    assert {getattr(e, "__origin__", e) for e in get_args(GAME.event)} == named


def test_a_deal_shows_every_seat_its_hand_and_nobody_what_is_out() -> None:
    dealt = SECRET[0]
    for seat in range(4):
        shown = cut(dealt, seat)
        assert [hand != HIDDEN for hand in shown["hands"]] == [s == seat for s in range(4)]
        assert shown["out"] == HIDDEN
    assert cut(dealt, "spectator")["hands"] == [HIDDEN] * 4
    assert cut(dealt, "auditor")["out"] == ["*6"]


@pytest.mark.parametrize("taken", [True, False])
def test_a_search_of_a_pile_shows_the_others_only_whether_a_card_was_taken(taken: bool) -> None:
    searched = ghost_events.PileSearched(1, taken, "B3" if taken else "")
    for viewer in OTHERS:
        shown = {"type": "pile_searched", "seat": 1, "taken": taken, "card": HIDDEN}
        assert cut(searched, viewer) == shown
    for viewer in (1, "auditor"):
        assert cut(searched, viewer)["card"] == searched.card


def test_an_exchange_is_known_to_the_two_alone() -> None:
    exchanged = ghost_events.CardsExchanged(1, 2, "B3", "G3")
    for viewer in (0, 3, "spectator"):
        shown = {"type": "cards_exchanged", "a": 1, "b": 2, "from_a": HIDDEN, "from_b": HIDDEN}
        assert cut(exchanged, viewer) == shown
    for viewer in (1, 2, "auditor"):
        assert (cut(exchanged, viewer)["from_a"], cut(exchanged, viewer)["from_b"]) == ("B3", "G3")


def test_a_secret_answer_shows_only_that_it_was_given() -> None:
    for option in (Give("B3"), Take("B3")):
        chosen: Chosen[State, Any] = Chosen("3.1", 1, option)
        for viewer in OTHERS:
            assert cut(chosen, viewer)["option"] == HIDDEN
        for viewer in (1, "auditor"):
            assert cut(chosen, viewer)["option"]["card"] == "B3"


def learners(event: Any) -> list[frozenset[Seat]]:
    """For each declared part, the seats that did not know it before."""
    return [audience.news(EVERYBODY) for audience in audiences(event)]


def test_who_learns_something_by_an_event() -> None:
    rest = EVERYBODY - {1}
    assert learners(events.CardPlayed(1, "B3")) == [rest]
    assert learners(events.LeadShown(1, True)) == [rest]
    assert learners(setup_events.StarterChosen((5, 6), 1, True)) == [EVERYBODY] * 3
    assert learners(ghost_events.CardsSwapped(1, "B3", "B11")) == [rest]
    assert learners(ghost_events.PileSearched(1, True, "B3")) == [rest, frozenset()]
    assert learners(ghost_events.CardsExchanged(1, 2, "B3", "G3")) == [
        frozenset({2}),
        frozenset({1}),
    ]
    assert learners(ghost_events.DummyExchanged(1, "B3", "B11")) == [rest, EVERYBODY]
    assert learners(events.TrickTaken(1, ("*9",), ("B11",))) == []
    assert learners(events.DummyPlayed("B3")) == []


SECRETS = {SearchPile: True, Exchange: True, ExchangeWithDummy: True}


def test_which_answers_are_secret() -> None:
    for question in (
        *(PlayCard, ScoreCandy, SwapOrStop, SearchPile, SearchDummyPile),
        *(ChooseTarget, Exchange, ExchangeWithDummy, TradeWithDummy),
    ):
        assert question.secret is SECRETS.get(question, False)  # type: ignore[attr-defined]


def about(match: Match, viewer: Any) -> Any:
    return match.view(viewer)["question"]


def test_a_form_goes_to_the_asked_seat_alone_and_a_prompt_to_all() -> None:
    match = treat("B3 R12", "B4 *8", "B5", "B11")
    play(match, "B3")
    for viewer in (0, 2, 3, "spectator", "auditor"):
        assert "form" not in about(match, viewer)
        assert about(match, viewer)["prompt"] == about(match, 1)["prompt"]
        assert about(match, viewer)["about"] == {"place": 1}
    assert [o["id"] for o in about(match, 1)["form"]["options"]] == ["play:B4", "play:*8"]


def chosen_first(match: Match, asked: tuple[Seat, Seat], first: Seat, card: str) -> None:
    assert tuple(match.asked.seats) == asked
    match.answer(first, Give(card))
    for viewer in match.viewers:
        shown = about(match, viewer)["about"]["chosen"][str(first)]
        assert shown == ({"type": "give", "card": card} if viewer == first else HIDDEN)


def test_a_choice_that_waits_for_the_other_is_its_seats_own() -> None:
    match = treat("B3", "*10 R4 G2", "G5", "B15 Y2")
    play(match, "B3", "*10")
    match.answer(1, Target(3))
    chosen_first(match, (1, 3), 3, "B15")


def test_darks_choice_for_the_dummy_waits_unseen_too() -> None:
    match = treat("B4 R5", "*10 G1", "B1 G2", mode="competitive", row="R2 Y0")
    play(match, "B4", "*10")
    match.answer(1, Target(DUMMY))
    chosen_first(match, (1, 0), 0, "Y0")


def test_the_view_hides_hands_piles_and_what_is_out_and_shows_the_dummy() -> None:
    match = treat(
        "B3 R12",
        "B4 *8",
        "B5",
        row="G1",
        dummy_pile="G2",
        dummy_score="",
        piles=("Y1 Y2", "Y3"),
        scores=("R1", "R2"),
        out=("*6", "*7"),
    )
    for viewer in match.viewers:
        shown = match.view(viewer)
        hands = [{"hidden": 2}, {"hidden": 2}, {"hidden": 1}]
        piles = [{"hidden": 2}, {"hidden": 1}, {"hidden": 0}]
        if isinstance(viewer, int):
            hands[viewer] = list(match.state.hands[viewer])
            piles[viewer] = list(match.state.piles[viewer])
        assert (shown["hands"], shown["piles"]) == (hands, piles)
        assert shown["out"] == {"hidden": 2}
        assert shown["dummy"] == {"row": ["G1"], "pile": ["G2"], "score": []}
        assert shown["scores"] == [["R1"], ["R2"], []]


def test_what_a_viewer_cannot_see_is_all_dealt_otherwise() -> None:
    """Over some deals every hidden card has been in every hidden zone."""
    match = treat("B3 R12", "B4 G5", "B5 *9", "Y4", piles=("R1", "Y3", "Y2"), out=("*7",), leader=3)
    rng = random.Random(3)
    where: dict[str, set[str]] = {}
    for _ in range(400):
        other = GAME.redealt(match.state, 0, rng.randrange)
        assert other.hands[0] == match.state.hands[0] and other.piles[0] == ("R1",)
        zones = {f"hand {s}": other.hands[s] for s in (1, 2, 3)} | {"out": other.out}
        zones |= {f"pile {s}": other.piles[s] for s in (1, 2)}
        for zone, held in zones.items():
            for card in held:
                where.setdefault(card, set()).add(zone)
    assert set(where) == {"B4", "G5", "B5", "*9", "Y4", "Y3", "Y2", "*7"}
    everywhere = {"hand 1", "hand 2", "hand 3", "out", "pile 1", "pile 2"}
    for card, zones_of in where.items():
        known = {"hand 3"} if card[0] == "*" else {"out"}
        assert zones_of == everywhere - known, f"{card}: the leader is known to hold no lone ghost"


def test_what_a_swap_brought_into_a_hand_is_known_and_stays() -> None:
    match = treat("B3 G1 Y1", "B11 G2 Y2", "*8 B15 R4", "B5 G3 Y3")
    play(match, "B3", "B11", "*8")
    match.answer(2, Swap("B15", "B3"))
    for last in range(1, 5):
        other = GAME.redealt(
            match.state, "spectator", lambda n, last=last: last % n, past_of(match)
        )
        assert "B3" in other.hands[2] and other.hands != match.state.hands


def test_what_was_swapped_and_then_given_away_in_secret_may_be_in_either_hand() -> None:
    forks = []
    for given in ("B3", "R4"):
        match = treat("B1 G1", "B11 G2", "*8 B15 R4", "*10 Y3", mode="competitive")
        play(match, "B1", "B11", "*8")
        match.answer(2, Swap("B15", "B1"))
        match.answer(2, Stop())
        play(match, "*10")
        match.answer(3, Target(2))
        match.answer(3, Give("Y3"))
        match.answer(2, Give("B1" if given == "B3" else given))
        rng = random.Random(1)
        past = past_of(match)
        forks.append([GAME.redealt(match.state, 0, rng.randrange, past).hands for _ in range(20)])
    assert forks[0] == forks[1]
    assert {"B1" in hands[2] for hands in forks[0]} == {True, False}


def past_of(match: Match) -> Past:
    return Past(match.commits, [table.state for table in match.past])


def test_before_the_first_card_the_counts_that_are_known_stay() -> None:
    match = Match.started(GAME, 4)

    def counted(state: State) -> list[tuple[int, int]]:
        return [
            (sum(int(c[1:]) < 6 for c in hand), sum(c[0] == "*" for c in hand))
            for hand in state.hands
        ]

    other = GAME.redealt(match.state, "spectator", lambda n: n - 1)
    assert counted(other) == counted(match.state) and other.hands != match.state.hands


def test_whatever_card_is_taken_from_a_pile_the_others_are_told_the_same() -> None:
    match = treat("B3", "*9 R4", "B15 Y2", "B4", piles=("", "B11 R14 B3"))
    play(match, "B3", "*9")
    form = match.form(1)
    told = set()
    for option in form.options[1:]:
        answer = Answer(match.state.pending[-1].id, option)
        led_to = match.table.answer(1, answer, match.seed)[0]
        told.add(msgspec.json.encode([cut(event, 2) for event in led_to]))
    assert len(told) == 1


def test_a_game_for_four_has_no_dummy_in_its_view() -> None:
    assert Match.started(GAME, 4).view(0)["dummy"] is None
    assert State(dummy=Dummy()).row == () == State().row

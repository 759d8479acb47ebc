"""What each game says of its events to who remembers them; hands are those of seats 0 and 1."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from games.ghosts_love_candy_too import ability_events, end_events, order_events
from games.ghosts_love_candy_too import events as ghostly
from games.ghosts_love_candy_too.redeal import BAG, CRAVING
from games.ghosts_love_candy_too.redeal import watch as ghosts
from games.history import Commit, Private, Unknown
from games.match import Reverted, Started
from games.memory import Memory
from games.recall import COMMITS, PATIENCE, Past, recalled
from games.trick_or_treat import deck_events
from games.trick_or_treat import events as streets
from games.trick_or_treat.redeal import watch as treats
from games.trickn_treat import events as tricky
from games.trickn_treat import ghost_events, zones
from games.trickn_treat.exchange import Exchange
from games.trickn_treat.game import GAME as TRICKN
from games.trickn_treat.options import Give
from games.trickn_treat.zones import HAND, PILE
from games.trickn_treat.zones import watch as tricks
from games.tricks_and_treats import events as sweet
from games.tricks_and_treats.redeal import DECK, LESS, UNDER
from games.tricks_and_treats.redeal import watch as candy
from games.tricks_and_treats.state import Verdict
from tests.play import Match
from tests.toy.pumpkin_patch.game import GAME as TOY

STATE: Any = SimpleNamespace(hands=(("x",), ("y", "z")), piles=(("p",), ()), bag=())


def seen(watch: Any, viewer: Any, *events: Any) -> Memory:
    memory = Memory(viewer, lambda count: 0)
    for event in events:
        watch(memory, STATE, event)
    return memory


def test_tricks_and_treats() -> None:
    exchange = sweet.OpeningExchange(0, 1, "GUM4", "PEP1")
    told = seen(candy, 1, exchange)
    assert (told.known(0), told.known(1)) == (("PEP1",), ("GUM4",))
    assert seen(candy, 2, exchange).known(0) == ()
    before = Memory(2, lambda count: 0)
    after = seen(candy, 2, exchange, sweet.CandyPlayed(0, "PEP1", "A", 0))
    assert after.back(before).known(0) == (), "it may have come to it by the exchange"
    trade = sweet.CandyTraded("E", 0, "A", 0, "PEP1", "COR2")
    assert seen(candy, 1, exchange, trade).known(0) == ("COR2",)
    assert seen(candy, 1, exchange, sweet.CandyPlayed(0, "PEP1", "A", 0)).known(0) == ()
    shown = sweet.SecretLetterShown(0, 1, "B")
    assert seen(candy, 1, shown).known(("letter", 0)) == ("B",)
    assert seen(candy, 2, shown).known(("letter", 0)) == ()
    handed = sweet.SecretLetterHandedOver(0, 1, "B")
    assert seen(candy, 2, handed).known(("letter", 0)) == ("B",)
    drawn = sweet.CandyDrawn(0, "GUM1", 9, False)
    back = seen(candy, 0, drawn).back(Memory(0, lambda count: 0))
    assert back.top(DECK) == ("GUM1",)
    candy(back, STATE, sweet.CandyDrawn(1, "GUM1", 9, False))
    assert back.known(1) == ("GUM1",), "it knew what lay on top"
    candy(back, STATE, sweet.CandyShuffled(("GUM1",)))
    assert back.top(DECK) == ()


def test_tricks_and_treats_tells_more_in_the_end() -> None:
    letters = seen(candy, 1, sweet.SecretLettersRevealed(("B", "A")))
    assert (letters.known(("letter", 0)), letters.known(("letter", 1))) == (("B",), ("A",))
    wrong = seen(candy, 1, sweet.TattleMade(1, 0, "C", False))
    assert wrong.known(("another letter than", 0)) == ("C",)
    draws = [sweet.CandyDrawn(0, "GUM1", 4, False), sweet.CandyDrawn(1, "GUM1", 3, True)]
    assert seen(candy, 2, *draws).known(UNDER) == (2,)
    assert seen(candy, 2, *draws).known(LESS) == (3,)
    written = sweet.GuessWritten(0, 1, "B")
    revealed = sweet.GuessesRevealed((Verdict(0, 1, "B", True),))
    then = seen(candy, 2, written)
    told = then.copy()
    candy(told, STATE, revealed)
    assert told.back(then).known(("guess", 0, 1)) == ("B",)
    empty = Memory(2, lambda count: 0)
    assert told.back(empty).known(("guess", 0, 1)) == (), "it was not written yet"


def test_trick_or_treat() -> None:
    taken = [deck_events.HouseCardTaken(0, 1, "K1"), deck_events.CarnivalCardTaken(0, 1, "T02")]
    assert seen(treats, 1, *taken).known(0) == ("K1", "T02")
    stolen = streets.CardStolen(1, 0, "T02")
    told = seen(treats, 1, *taken, stolen)
    assert (told.known(0), told.known(1)) == (("K1",), ("T02",))
    told = seen(treats, 2, *taken, stolen)
    assert (told.known(0), told.known(1)) == (("T02",), ("K1",)), "that is its guess"
    gone = [streets.TrickPlayed(0, "K1"), streets.CardsDiscarded(0, ("T02",), "limit")]
    assert seen(treats, 1, *taken, *gone).known(0) == ()
    assert seen(treats, 1, *taken, deck_events.HandsThinned((("K1",), ()))).known(0) == ("T02",)
    stocked = [deck_events.HouseStocked(0, "K1"), deck_events.CarnivalStocked(0, "K2")]
    then = Memory(1, lambda count: 0)
    assert seen(treats, 1, *stocked, deck_events.CardDrawn(0, "K3")).back(then).top("deck") == (
        "K1",
        "K2",
    )
    for mixed in (deck_events.CardsShuffled(()), deck_events.DiscardsReshuffled(())):
        assert seen(treats, 1, mixed, *stocked).back(then).top("deck") == ()
    assert seen(treats, 1, streets.SetRevealed("S4")).back(then).top("sets") == ("S4",)


def test_trickn_treat() -> None:
    won = tricky.TrickTaken(0, ("*1",), ("B3", "G4"))
    told = seen(tricks, 1, won)
    assert (told.known((HAND, 0)), told.known((PILE, 0))) == (("*1",), ("B3", "G4"))
    searched = ghost_events.PileSearched(0, True, "B3")
    assert seen(tricks, 1, won, searched).known((HAND, 0)) == ("*1", "B3"), "that is its guess"
    assert seen(tricks, 0, won, searched).known((HAND, 0)) == ("*1",)
    swapped = ghost_events.CardsSwapped(0, "*1", "R2")
    assert seen(tricks, 1, won, swapped).known((HAND, 0)) == ("R2",)
    given = ghost_events.DummyExchanged(0, "*1", "R2")
    assert seen(tricks, 1, won, given).known((HAND, 0)) == ("R2",)
    assert seen(tricks, 1, won, tricky.CardPlayed(0, "*1")).known((HAND, 0)) == ()
    shown = tricky.HandsShown((("*1",), ()), ((), ()), ())
    assert seen(tricks, 1, won, shown).known((HAND, 0)) == ()
    exchanged = ghost_events.CardsExchanged(0, 1, "*1", "Y5")
    for viewer, hands in ((1, (("Y5",), ("*1",))), (2, ((), ("*1",)))):
        told = seen(tricks, viewer, won, exchanged)
        assert (told.known((HAND, 0)), told.known((HAND, 1))) == hands


def test_ghosts_love_candy_too() -> None:
    then = Memory(1, lambda count: 0)
    peeked = ability_events.CravingPeeked(1, 0, "C3")
    assert seen(ghosts, 1, peeked).back(then).known((CRAVING, 0)) == ("C3",)
    assert seen(ghosts, 2, peeked).known((CRAVING, 0)) == ()
    drawn = [ghostly.Drawn(0, ("MINT", "CHOC"), False), ghostly.Placed(0, ("BAR",), 0)]
    assert seen(ghosts, 1, *drawn).back(then).top(BAG) == ("MINT", "CHOC", "BAR")
    for mixed in (ghostly.BagMixed(()), ghostly.BagRefilled(())):
        assert seen(ghosts, 1, mixed, *drawn).back(then).top(BAG) == ()
    ended = seen(ghosts, "spectator", end_events.CravingsShown(("C3", "C1")))
    assert ended.known((CRAVING, 1)) == ("C1",)
    kids = [ghostly.KidRevealed(0, 7), order_events.TieCardDrawn(0, 3, 9)]
    assert seen(ghosts, 1, *kids).back(then).top("deck") == (7, 9)
    assert seen(ghosts, 1, ghostly.DeckShuffled(()), *kids).back(then).top("deck") == ()


def told(watch: Any, viewer: Any, *events: Any) -> Memory:
    """A commit each; a number is a version gone back to."""
    facts = [Reverted(each) if isinstance(each, int) else each for each in events]
    commits = [Commit(n, n, 0, "1", Private(b"", 0), (e,)) for n, e in enumerate(facts, 1)]
    return recalled(Past(commits, [None] * (len(facts) + 1)), viewer, lambda count: 0, watch)


@pytest.mark.parametrize(
    ("watch", "drawn", "gone"),
    [
        (
            candy,
            lambda seat: sweet.CandyDrawn(seat, "GUM1", 9, False),
            lambda card: sweet.CandyPlayed(0, card, "A", 0),
        ),
        (
            treats,
            lambda seat: deck_events.CardDrawn(seat, "K3"),
            lambda c: streets.TrickPlayed(0, c),
        ),
    ],
    ids=["tricks-and-treats", "trick-or-treat"],
)
def test_an_undo_of_an_undo_forgets_nothing(watch: Any, drawn: Any, gone: Any) -> None:
    """Seat 0 draws; that is taken back and seat 1 draws the same card, which is taken back in turn,
    until seat 0 has drawn it again. What seat 0 played and took back between is in its hand too."""
    start = sweet.CandyShuffled(()) if watch is candy else deck_events.CardsShuffled(())
    (card,) = [drawn(0).card]
    first = told(watch, 1, start, drawn(0), 1, drawn(1))
    assert first.known(1) == (card,)
    there = (start, drawn(0), gone("PEP2"), 2, gone("COR3"), 1, drawn(1), 2)
    assert sorted(told(watch, 1, *there).known(0)) == sorted([card, "COR3", "PEP2"])
    assert told(watch, 1, *there, 7).known(1) == (card,), "and there again"
    assert told(watch, 2, *there).known(0) == ("PEP2", "COR3"), "who has not seen it drawn"
    assert set(told(watch, 1, *there, gone("PEP2"), 5).known(0)) == {"PEP2", card}


def test_guesses_that_do_not_fit_are_made_anew() -> None:
    past, fit, tried = Past((), ()), iter([False, False, True]), []

    def fits(memory: Memory) -> bool:
        tried.append(memory)
        return next(fit)

    assert recalled(past, 0, lambda n: 0, candy, fits) is tried[2]
    tried.clear()
    fit = iter([False] * PATIENCE)
    assert recalled(past, 0, lambda n: 0, candy, fits) is tried[PATIENCE - 1], "then they stay"
    tried.clear()
    fit = iter([False] * 2)
    commits = [Commit(n, n, 0, "1", Private(b"", 0), (Started(),)) for n in range(1, COMMITS // 2)]
    recalled(Past(commits, [None] * COMMITS), 0, lambda n: 0, candy, fits)
    assert len(tried) == 2, "there is much to go through"


def test_a_choice_that_all_have_seen_since_stays_chosen() -> None:
    """A step in between keeps it, whether what showed it stands or not."""
    match = Match.started(TOY, 3)
    for seat in (0, 1):
        match.answer(seat, match.any_answer(seat, lambda n: n - 1))
    at = len(match.commits)
    chosen = match.state.pending[-1].item.chosen

    def forks(step: int, *newer: Unknown) -> set[Any]:
        commits = [replace(each, events=(*newer, *each.events)) for each in match.commits]
        past = Past(commits, [table.state for table in match.past], step)
        dealt = [
            TOY.redealt(past.states[step], 2, random.Random(n).randrange, past) for n in range(20)
        ]
        return {state.pending[-1].item.chosen[0].pumpkin for state in dealt}

    assert len(forks(at)) > 1, "nobody has seen it yet"
    match.answer(2, match.any_answer(2, lambda n: 0))
    assert forks(at) == forks(at - 1) == {chosen[0].pumpkin}
    assert forks(at, Unknown(b"")) == {chosen[0].pumpkin}, "a newer writer may say more of it"
    match.undo(at)
    assert forks(len(match.commits)) == {chosen[0].pumpkin}
    match.undo(at - 2)
    match.answer(0, match.any_answer(0, lambda n: 0))
    assert len(forks(len(match.commits))) > 1, "it is chosen anew"


def test_who_is_shown_what_was_exchanged() -> None:
    item = Exchange((1,), {0: Give("*1")})
    assert [item.shown_to(viewer) for viewer in (0, 1, 2, "spectator")] == [
        True,
        True,
        False,
        False,
    ]


def test_where_nothing_fits_what_is_guessed_what_is_sure_still_counts(monkeypatch: Any) -> None:
    """A guess may leave a leader nothing to lead with."""
    match = Match.started(TRICKN, 3)
    past = Past(match.commits, [table.state for table in match.past])
    fits = iter([*[False] * zones.PATIENCE, True])
    used: list[str] = []
    deal = zones._redealt

    def dealt(state: Any, viewer: Any, below: Any, known: Any, counted: Any) -> Any:
        used.append(known.__name__)
        return deal(state, viewer, below, known, counted)

    monkeypatch.setattr(zones, "_consistent", lambda state: next(fits))
    monkeypatch.setattr(zones, "_redealt", dealt)
    other = TRICKN.redealt(match.state, 0, lambda count: 0, past)
    assert used == [*["kept"] * zones.PATIENCE, "sure"]
    assert TRICKN.census(other) == TRICKN.census(match.state)

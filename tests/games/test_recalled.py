"""What each game says of its events to who remembers them; hands are those of seats 0 and 1."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from games.ghosts_love_candy_too import ability_events, order_events
from games.ghosts_love_candy_too import events as ghostly
from games.ghosts_love_candy_too.redeal import BAG, CRAVING
from games.ghosts_love_candy_too.redeal import watch as ghosts
from games.memory import Memory
from games.recall import Past
from games.trick_or_treat import deck_events
from games.trick_or_treat import events as streets
from games.trick_or_treat.redeal import watch as treats
from games.trickn_treat import events as tricky
from games.trickn_treat import ghost_events, zones
from games.trickn_treat.game import GAME as TRICKN
from games.trickn_treat.zones import HAND, PILE
from games.trickn_treat.zones import watch as tricks
from games.tricks_and_treats import events as sweet
from games.tricks_and_treats.redeal import DECK
from games.tricks_and_treats.redeal import watch as candy
from tests.play import Match

STATE: Any = SimpleNamespace(hands=(("x",), ("y", "z")), piles=(("p",), ()))


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
    assert seen(ghosts, 1, ghostly.BagMixed(()), *drawn).back(then).top(BAG) == ()
    kids = [ghostly.KidRevealed(0, 7), order_events.TieCardDrawn(0, 3, 9)]
    assert seen(ghosts, 1, *kids).back(then).top("deck") == (7, 9)
    assert seen(ghosts, 1, ghostly.DeckShuffled(()), *kids).back(then).top("deck") == ()


def test_where_nothing_fits_what_is_guessed_what_is_sure_still_counts(monkeypatch: Any) -> None:
    """A guess may leave a leader nothing to lead with."""
    match = Match.started(TRICKN, 3)
    past = Past(match.commits, [table.state for table in match.past])
    fits = iter([*[False] * zones.PATIENCE, True])
    used: list[str] = []
    deal = zones._redealt

    def dealt(state: Any, viewer: Any, below: Any, known: Any) -> Any:
        used.append(known.__name__)
        return deal(state, viewer, below, known)

    monkeypatch.setattr(zones, "_consistent", lambda state: next(fits))
    monkeypatch.setattr(zones, "_redealt", dealt)
    other = TRICKN.redealt(match.state, 0, lambda count: 0, past)
    assert used == [*["kept"] * zones.PATIENCE, "sure"]
    assert TRICKN.census(other) == TRICKN.census(match.state)

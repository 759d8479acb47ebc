"""What is told of events, and what of their hidden parts."""

from __future__ import annotations

from typing import Any

import pytest

from games.ghosts_love_candy_too import ability_events as ability
from games.ghosts_love_candy_too import end_events, events, order_events
from games.ghosts_love_candy_too.game import GAME, Event
from games.ghosts_love_candy_too.narrate import SENTENCES
from games.ghosts_love_candy_too.options import Treat
from games.ghosts_love_candy_too.state import Ghost, Score
from games.rules import Answered, Stepped

G = Ghost(1, 5)

TOLD: list[tuple[Any, str]] = [
    (events.CravingsDealt(("CRA",), ()), "Everybody gets a secret craving."),
    (events.DeckShuffled((1,)), "The kid deck is shuffled."),
    (events.KidRevealed(2, 1), "Pumpkin comes to place 3."),
    (events.BagFilled(("MINT",)), "The bag is filled."),
    (events.BagMixed(("MINT",)), "The bag is mixed."),
    (events.BagRefilled(("MINT",)), "The discarded treats go back into the empty bag."),
    (
        events.Placed(0, ("JUNK", "JUNK", "BAR"), 0),
        "2 Junk and Full-Size Bar onto the kid in place 1.",
    ),
    (events.PlacementStopped(0), "The bag is empty: no more treats are placed."),
    (
        events.Drawn(1, ("MINT", "CHOC", "LICO"), True),
        "Seat 1 draws Peppermint, Chocolate and Licorice.",
    ),
    (events.StartKept(1, ("MINT",)), "Seat 1 starts with Peppermint."),
    (order_events.RoundStarted(3), "Round 3 begins."),
    (order_events.GhostsShown(1, (5, 7)), "Seat 1 shows ghost 5 and ghost 7."),
    (order_events.GhostsPicked(1, (5,)), "Chance picks ghost 5 for seat 1."),
    (order_events.OwnTieOrdered(1, 0), "Seat 1 orders its two equal ghosts."),
    (order_events.TieCardDrawn(1, 7, 12), "Seat 1 draws number 12 for the tie, Cowboy."),
    (order_events.TieWon(1, 7), "Seat 1 wins the tie without drawing."),
    (order_events.TieByLot(7, (2, 1)), "Chance settles the tie: seat 2 and seat 1."),
    (order_events.TurnsOrdered((G, Ghost(0, 2))), "The turns: seat 1 and seat 0."),
    (events.Haunted(1, 0, 1, G), "Seat 1 haunts Pumpkin with ghost 5."),
    (
        events.HauntSkipped(1, G),
        "No kid can be haunted: the ghost 5 of seat 1 is lost.",
    ),
    (events.TreatsTaken(1, 0, ("MINT",)), "Seat 1 takes Peppermint from place 1."),
    (
        events.TreatsTaken(1, -1, ("MINT",)),
        "Seat 1 takes Peppermint from the discarded treats.",
    ),
    (events.AbilityUsed(1, 1, "now"), "Pumpkin acts."),
    (events.AbilityUsed(43, 1, "now"), "The ability of Pumpkin is used at Wizard."),
    (events.KidScared(0, 1, 2, False), "Pumpkin is scared and goes to seat 2."),
    (events.KidScared(0, 100, None, False), "Snowman is scared and goes to the discard."),
    (events.SlotLeftEmpty(0), "No kid is left for place 1."),
    (events.CandyGivenBack(1, "MINT"), "Seat 1 gives back Peppermint, sorry."),
    (end_events.CravingsShown(("CRA", "CRB")), "The cravings are shown: CRA, CRB."),
    (end_events.Scored(1, -2), "Seat 1 scores -2."),
    (end_events.JunkValued(1, 0), "Junk of seat 1 counts 0."),
    (
        end_events.Tallied((Score(5, -1, -2, 3), Score(1, 0, 0, 0))),
        "Points: seat 0 has 5, seat 1 has 1.",
    ),
    (
        end_events.TieCompared(5, {0: 2, 1: 2, 2: 1}, (0, 1)),
        "A tie: most 5-point candy has seat 0 and seat 1.",
    ),
    (end_events.Won((0,)), "The winner: seat 0."),
    (ability.HeldTossed(1, "MINT"), "Seat 1 discards Peppermint of those drawn."),
    (ability.HeldSettled(1, ("MINT",), (), "discard", -1), "Seat 1 keeps Peppermint."),
    (
        ability.HeldSettled(1, (), ("JUNK",), "discard", -1),
        "Seat 1 keeps nothing; Junk is discarded.",
    ),
    (
        ability.HeldSettled(1, ("MINT",), ("JUNK",), "bag", -1),
        "Seat 1 keeps Peppermint; Junk goes back into the bag.",
    ),
    (
        ability.HeldSettled(1, ("MINT",), ("JUNK", "JUNK", "BAR"), "bag", -1),
        "Seat 1 keeps Peppermint; 2 Junk and Full-Size Bar go back into the bag.",
    ),
    (
        ability.HeldSettled(1, ("MINT",), ("JUNK",), "kid", 3),
        "Seat 1 keeps Peppermint; Junk goes onto the kid in place 4.",
    ),
    (ability.TreatsTossed(1, ("MINT",)), "Seat 1 discards Peppermint."),
    (ability.TreatsMoved(1, 2, ("MINT",), False), "Seat 1 gives Peppermint to seat 2."),
    (ability.TreatsMoved(1, 2, ("MINT",), True), "Seat 1 gives Peppermint to seat 2 by chance."),
    (
        ability.TradedWithKid(1, 0, "MINT", "BAR"),
        "Seat 1 swaps Peppermint for Full-Size Bar in place 1.",
    ),
    (
        ability.TradedWithSeat(1, 2, "MINT", "BAR"),
        "Seat 1 swaps Peppermint for Full-Size Bar of seat 2.",
    ),
    (ability.TreatsLaid(1, 0, ("MINT",)), "Seat 1 puts Peppermint in place 1."),
    (ability.TreatsShifted(0, 1, ("MINT",)), "Peppermint from place 1 to place 2."),
    (ability.TreatsReturned(1, ("MINT",)), "Seat 1 puts Peppermint into the bag."),
    (ability.TreatPassed(1, 2, "MINT"), "Seat 1 passes Peppermint to seat 2."),
    (ability.GhostMoved(0, 1, G), "The ghost 5 of seat 1 moves to place 2."),
    (ability.GhostDiscarded(0, G), "The ghost 5 of seat 1 is discarded."),
    (
        ability.GhostExchanged(1, 0, G, Ghost(1, 2)),
        "The ghost 5 of seat 1 gives way to ghost 2.",
    ),
    (ability.PileReordered(0, (G,)), "The ghosts in place 1 lie in a new order."),
    (ability.KidsExchanged(0, 1), "The kids in place 1 and place 2 change places."),
    (ability.KidSlid(0, 5), "The kid in place 1 goes to place 6."),
    (ability.RowKidDiscarded(0, 1), "Pumpkin leaves place 1."),
    (ability.StashKidMoved(1, 2, 1), "Pumpkin goes from seat 1 to seat 2."),
    (ability.StashKidDropped(1, 1, "discard"), "Seat 1 discards Pumpkin."),
    (ability.StashKidDropped(1, 1, "deckBottom"), "Seat 1 puts Pumpkin under the deck."),
    (ability.TiesGranted(1, 4), "Seat 1 wins ties in round 4."),
    (Stepped(), ""),
    (Answered("1.1", 0, Treat("MINT")), ""),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD, ids=[s or "-" for _, s in TOLD])
def test_what_is_told(event: Any, sentence: str) -> None:
    assert GAME.narrate(event, "spectator") == sentence


def test_a_peek_is_told_as_far_as_it_was_seen() -> None:
    peeked = ability.CravingPeeked(0, 2, "CRB")
    assert GAME.narrate(peeked, 1) == "Seat 0 looks at the craving of seat 2."
    assert GAME.narrate(peeked, 0) == "Seat 0 looks at the craving of seat 2: it is CRB."


def test_every_event_of_the_game_has_its_sentence() -> None:
    kernel = {"asked", "answered", "answered_many", "chosen", "chosen_many", "stepped"}
    members = [getattr(member, "__origin__", member) for member in Event.__args__]
    assert {m.__struct_config__.tag for m in members} - kernel == set(SENTENCES)
    told = {event.__struct_config__.tag for event, _ in TOLD}
    assert set(SENTENCES) - told == {"craving_peeked"}

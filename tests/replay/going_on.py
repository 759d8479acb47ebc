"""Whether all that a seat saw after a step could have come out of a state as that step's.

The state is played on along every branch by what the log tells of it, hands and decks alone: who
draws gets what lies on top of the state's own deck, and must hold what leaves the hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from games.match import MatchEvent
from games.sight import Viewer
from games.tricks_and_treats.cards import TIMES_UP
from tests.replay.knowing import DECKS, Watched


class Lost(Exception):
    """Nobody can say any more who holds what."""


class Wrong(Exception):
    """It could not have happened."""


class Cards(NamedTuple):
    """Hands, and the deck from the top on."""

    viewer: Viewer
    hands: list[list[str]]
    deck: list[str]

    def copy(self) -> Self:
        return self._replace(hands=[list(hand) for hand in self.hands], deck=list(self.deck))

    def drawn(self, shown: str | None) -> str:
        card = self.deck.pop(0)
        if shown is not None and card != shown:
            raise Wrong(f"{card} is drawn, and was seen to be {shown}")
        return card

    def gone(self, seat: int, *cards: str) -> None:
        for card in cards:
            if card not in self.hands[seat]:
                raise Wrong(f"seat {seat} does not hold {card}")
            self.hands[seat].remove(card)

    def event(self, event: Any) -> None:
        name = type(event).__name__
        if name == "CandyDrawn":
            self.hands[event.seat].append(self.drawn(self._own(event)))
            if event.times_up != (self.deck[:1] == [TIMES_UP]):
                raise Wrong("Time's Up lies somewhere else")
        elif name == "CardDrawn":
            self.hands[event.seat].append(self.drawn(self._own(event)))
        elif name in ("HouseStocked", "CarnivalStocked"):
            self.drawn(event.card)
        elif name in ("HouseCardTaken", "CarnivalCardTaken"):
            self.hands[event.seat].append(event.card)
        elif name == "CandyPlayed":
            self.gone(event.seat, event.card)
        elif name == "CandyTraded":
            self.gone(event.seat, event.given)
            self.hands[event.seat].append(event.taken)
        elif name == "TrickPlayed":
            self.gone(event.seat, event.trick)
        elif name == "CardsDiscarded":
            self.gone(event.seat, *event.cards)
        elif name == "HandsThinned":
            for seat, cards in enumerate(event.lost):
                self.gone(seat, *cards)
        elif name == "CardStolen" and self.viewer in (event.thief, event.victim):
            self.gone(event.victim, event.card)
            self.hands[event.thief].append(event.card)
        elif name in ("CardStolen", "OpeningExchange", "DiscardsReshuffled"):
            raise Lost

    def _own(self, event: Any) -> str | None:
        return str(event.card) if event.seat == self.viewer else None


def impossible(seen: Watched, step: int, state: Any) -> list[Any]:
    """What was seen in any branch after the step that could not have happened from this state."""
    deck = DECKS[seen.match.game.id](state)["deck"]
    start = Cards(seen.viewer, [list(hand) for hand in state.hands], list(deck))
    found: list[Any] = []
    ahead = [(following, start.copy()) for following in seen.after[step]]
    while ahead:
        version, cards = ahead.pop()
        try:
            for event in seen.match.commits[version - 1].events:
                if not isinstance(event, MatchEvent):
                    cards.event(event)
        except Lost:
            continue
        except Wrong as why:
            found.append((version, str(why)))
            continue
        ahead += [(following, cards.copy()) for following in seen.after[version]]
    return found

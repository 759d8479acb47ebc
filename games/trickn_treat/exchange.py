"""Ghost 10: whom to exchange a card with, and which cards."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.rules import Draft, Question, Together
from games.sight import Seat, Viewer
from games.trickn_treat.ghost_events import CardsExchanged, DummyExchanged, ExchangeBegun
from games.trickn_treat.options import Give, Target, Trade
from games.trickn_treat.state import DUMMY, Place, State


class ChooseTarget(Question[State, Target], frozen=True):
    """TR31: anyone else who holds a card, partners and the Dummy too."""

    place: Place

    def targets(self, state: State) -> tuple[Target, ...]:
        places: tuple[Place, ...] = (*range(state.seats), DUMMY)
        return tuple([Target(p) for p in places if p != self.place and state.cards(p)])

    def prompt(self, state: State) -> str:
        whom = "the Dummy exchanges" if self.place == DUMMY else "to exchange"
        return f"Choose with whom {whom} a card."

    def form(self, state: State, seat: Seat) -> Form[Target]:
        return OneOf(self.targets(state))

    def answer(self, draft: Draft[State], option: Target) -> None:
        exchange_with(draft, self.place, option.place)


def exchange_with(draft: Draft[State], place: Place, target: Place) -> None:
    """TR32, TR35: both sides at once; a seat that answers for both is asked for the pair."""
    draft.emit(ExchangeBegun(place, target))
    if isinstance(place, int) and isinstance(target, int):
        draft.ask(Exchange((place, target)))
        return
    seat = draft.state.player(target if place == DUMMY else place)
    chooser = seat if draft.state.mode == "coop" else draft.state.player(DUMMY)
    if seat == chooser:
        draft.ask(TradeWithDummy(seat))
    else:
        draft.ask(ExchangeWithDummy((seat, chooser)))


class Exchange(Together[State, Give], frozen=True):
    """TR32: both choose at once, in secret; only they ever know the cards."""

    def prompt(self, state: State) -> str:
        return "Choose a card of the hand to give; both are given at once."

    def form(self, state: State, seat: Seat) -> Form[Give]:
        return OneOf(tuple([Give(card) for card in state.hands[seat]]))

    def reveal(self, draft: Draft[State], chosen: dict[Seat, Give]) -> None:
        (a, from_a), (b, from_b) = chosen.items()
        draft.emit(CardsExchanged(a, b, from_a.card, from_b.card))

    def shown_to(self, viewer: Viewer) -> bool:
        return viewer in (*self.seats, *self.chosen)


class ExchangeWithDummy(Together[State, Give], frozen=True):
    """T66: a light player gives of the hand, the dark player of the Dummy's row."""

    def prompt(self, state: State) -> str:
        return "Choose a card to give, of the own hand or for the Dummy; both are given at once."

    def form(self, state: State, seat: Seat) -> Form[Give]:
        cards = state.row if seat == state.player(DUMMY) else state.hands[seat]
        return OneOf(tuple([Give(card) for card in cards]))

    def reveal(self, draft: Draft[State], chosen: dict[Seat, Give]) -> None:
        took = chosen[draft.state.player(DUMMY)].card
        for seat, gave in chosen.items():
            if seat != draft.state.player(DUMMY):
                draft.emit(DummyExchanged(seat, gave.card, took))


class TradeWithDummy(Question[State, Trade], frozen=True):
    """T65, TR35: one seat chooses for both sides, in the open."""

    def prompt(self, state: State) -> str:
        return "Choose a card of the own hand and the card of the Dummy to have for it."

    def form(self, state: State, seat: Seat) -> Form[Trade]:
        hand, row = state.hands[self.seat], state.row
        return OneOf(tuple([Trade(give, take) for give in hand for take in row]))

    def answer(self, draft: Draft[State], option: Trade) -> None:
        draft.emit(DummyExchanged(self.seat, option.give, option.take))

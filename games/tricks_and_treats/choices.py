"""What a Special Basket may ask right after a card was put under it (Q24)."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.rules import Draft, Question
from games.sight import Seat
from games.tricks_and_treats.cards import NAME
from games.tricks_and_treats.operations import jump, move_last, swap, trade
from games.tricks_and_treats.options import Decline, Jump, Move, Swap, Trade
from games.tricks_and_treats.state import Basket, State


class SwapBasket(Question[State, Swap | Decline], frozen=True):
    """Bomb, Monte: the Special Basket may trade places with a neighbour (Q42)."""

    basket: Basket

    def prompt(self, state: State) -> str:
        return f"Swap {NAME[self.basket]} with a neighbour?"

    def form(self, state: State, seat: Seat) -> Form[Swap | Decline]:
        return OneOf((Swap("left"), Swap("right"), Decline()))

    def answer(self, draft: Draft[State], option: Swap | Decline) -> None:
        if isinstance(option, Swap):
            here = draft.state.slot(self.basket)
            side = -1 if option.side == "left" else 1
            swap(draft, self.basket, here, draft.state.beside(here, side))


class JumpBasket(Question[State, Jump | Decline], frozen=True):
    """Leapfrog: two places left or right (Q45)."""

    basket: Basket

    def prompt(self, state: State) -> str:
        return f"Move {NAME[self.basket]} two places?"

    def form(self, state: State, seat: Seat) -> Form[Jump | Decline]:
        return OneOf((Jump("left"), Jump("right"), Decline()))

    def answer(self, draft: Draft[State], option: Jump | Decline) -> None:
        if isinstance(option, Jump):
            jump(draft, self.basket, -2 if option.side == "left" else 2)


class MoveCandy(Question[State, Move | Decline], frozen=True):
    """Magnet: the last card of one other Basket goes to a third (Q44)."""

    basket: Basket

    def prompt(self, state: State) -> str:
        return "Move the last card of another Basket to a third?"

    def form(self, state: State, seat: Seat) -> Form[Move | Decline]:
        others = [basket for basket in state.line if basket != self.basket]
        moves = [
            Move(source, to)
            for source in with_candy(state, self.basket)
            for to in others
            if to != source
        ]
        return OneOf((*moves, Decline()))

    def answer(self, draft: Draft[State], option: Move | Decline) -> None:
        if isinstance(option, Move):
            source, to = draft.state.slot(option.source), draft.state.slot(option.to)
            move_last(draft, self.basket, source, to)


class TradeCandy(Question[State, Trade | Decline], frozen=True):
    """Trade Window: a hand card for the last card of another Basket (Q46)."""

    basket: Basket

    def prompt(self, state: State) -> str:
        return "Trade a hand card for the last card of another Basket?"

    def form(self, state: State, seat: Seat) -> Form[Trade | Decline]:
        cards = sorted(set(state.hands[self.seat]))
        piles = with_candy(state, self.basket)
        return OneOf((*(Trade(card, basket) for card in cards for basket in piles), Decline()))

    def answer(self, draft: Draft[State], option: Trade | Decline) -> None:
        if isinstance(option, Trade):
            trade(draft, self.basket, self.seat, option.card, option.basket)


def with_candy(state: State, but: Basket) -> tuple[Basket, ...]:
    """The other Baskets that have cards, left to right; without any nothing is asked (Q41)."""
    pairs = zip(state.line, state.piles, strict=True)
    return tuple([basket for basket, pile in pairs if pile and basket != but])

"""The fifteen Special Baskets: each one class, registered above itself (R19, Q20 to Q56)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Literal, NamedTuple, TypeVar

from games.rules import Draft
from games.sight import Seat
from games.tricks_and_treats.cards import KIND, VALUE
from games.tricks_and_treats.choices import (
    JumpBasket,
    MoveCandy,
    SwapBasket,
    TradeCandy,
    with_candy,
)
from games.tricks_and_treats.operations import (
    discard_all,
    discard_highest,
    discard_kind,
    double_kind,
    move_all,
    move_kind,
    move_last,
    printed,
    shift,
    swap,
)
from games.tricks_and_treats.state import Basket, State

Outcome = Literal["odd", "even", "zero", "done"]


class Here(NamedTuple):
    """Where a Special Basket lies when its End part starts, and the cards under it (Q53)."""

    slot: int
    left: int
    right: int
    cards: int


class OnPlay(ABC):
    """Does something when a card is put from hand under it as the turn's play (Q25)."""

    code: ClassVar[Basket]

    @abstractmethod
    def play(self, draft: Draft[State], seat: Seat, card: str) -> None: ...


class AtEnd(ABC):
    """Does something when Time's Up shows."""

    code: ClassVar[Basket]

    @abstractmethod
    def end(self, draft: Draft[State], here: Here) -> None: ...

    def outcome(self, cards: int) -> Outcome:
        return "done"


class OddOrEven(AtEnd):
    """R27: counts the cards under it; none is neither odd nor even."""

    def outcome(self, cards: int) -> Outcome:
        if not cards:
            return "zero"
        return "odd" if cards % 2 else "even"

    def end(self, draft: Draft[State], here: Here) -> None:
        if here.cards:
            (self.odd if here.cards % 2 else self.even)(draft, here)

    @abstractmethod
    def odd(self, draft: Draft[State], here: Here) -> None: ...

    @abstractmethod
    def even(self, draft: Draft[State], here: Here) -> None: ...


ON_PLAY: dict[Basket, OnPlay] = {}
AT_END: dict[Basket, AtEnd] = {}

B = TypeVar("B", bound=OnPlay | AtEnd)


def special(code: Basket) -> Callable[[type[B]], type[B]]:
    def register(basket: type[B]) -> type[B]:
        basket.code = code
        made = basket()
        if isinstance(made, OnPlay):
            ON_PLAY[code] = made
        if isinstance(made, AtEnd):
            AT_END[code] = made
        return basket

    return register


@special("B01")
class Bomb(OnPlay, AtEnd):
    """After any card it may swap with a neighbour. End: both neighbour piles are discarded."""

    def play(self, draft: Draft[State], seat: Seat, card: str) -> None:
        draft.ask(SwapBasket(seat, self.code))

    def end(self, draft: Draft[State], here: Here) -> None:
        discard_all(draft, self.code, here.left)
        discard_all(draft, self.code, here.right)


@special("B02")
class Monte(OnPlay, AtEnd):
    """After a 2 it may swap with a neighbour. End: its two neighbours swap."""

    def play(self, draft: Draft[State], seat: Seat, card: str) -> None:
        if VALUE[card] == 2:
            draft.ask(SwapBasket(seat, self.code))

    def end(self, draft: Draft[State], here: Here) -> None:
        swap(draft, self.code, here.left, here.right)


@special("B03")
class Magnet(OnPlay):
    """After any card the last card of another Basket may go to a third."""

    def play(self, draft: Draft[State], seat: Seat, card: str) -> None:
        if with_candy(draft.state, self.code):
            draft.ask(MoveCandy(seat, self.code))


@special("B04")
class ElectricSlide(OddOrEven):
    """End: odd shifts all Baskets one right, even one left."""

    def odd(self, draft: Draft[State], here: Here) -> None:
        shift(draft, self.code, 1)

    def even(self, draft: Draft[State], here: Here) -> None:
        shift(draft, self.code, -1)


@special("B05")
class SeeSaw(OddOrEven):
    """End: odd swaps it with its left neighbour, even with its right one."""

    def odd(self, draft: Draft[State], here: Here) -> None:
        swap(draft, self.code, here.slot, here.left)

    def even(self, draft: Draft[State], here: Here) -> None:
        swap(draft, self.code, here.slot, here.right)


@special("B06")
class MerryGoRound(OnPlay):
    """After a 1 all Baskets shift one left."""

    def play(self, draft: Draft[State], seat: Seat, card: str) -> None:
        if VALUE[card] == 1:
            shift(draft, self.code, -1)


@special("B07")
class Leapfrog(OnPlay):
    """After any card it may jump two places left or right."""

    def play(self, draft: Draft[State], seat: Seat, card: str) -> None:
        draft.ask(JumpBasket(seat, self.code))


@special("B08")
class PeppermintTwist(OnPlay):
    """After a Peppermint its two neighbours swap."""

    def play(self, draft: Draft[State], seat: Seat, card: str) -> None:
        if KIND[card] == "PEP":
            here = draft.state.slot(self.code)
            swap(draft, self.code, draft.state.beside(here, -1), draft.state.beside(here, 1))


@special("B09")
class TradeWindow(OnPlay):
    """After any card a hand card may be traded for the last card of another Basket."""

    def play(self, draft: Draft[State], seat: Seat, card: str) -> None:
        if with_candy(draft.state, self.code):
            draft.ask(TradeCandy(seat, self.code))


@special("B10")
class CornMaze(AtEnd):
    """End: every Candy Corn moves one slot right."""

    def end(self, draft: Draft[State], here: Here) -> None:
        move_kind(draft, self.code, "COR", 1)


@special("B11")
class Dentist(AtEnd):
    """End: the Chocolate of both neighbour piles is discarded."""

    def end(self, draft: Draft[State], here: Here) -> None:
        discard_kind(draft, self.code, "CHO", here.left)
        discard_kind(draft, self.code, "CHO", here.right)


@special("B12")
class SugarRush(AtEnd):
    """End: the Gummies of both neighbour piles count double."""

    def end(self, draft: Draft[State], here: Here) -> None:
        double_kind(draft, self.code, "GUM", here.left)
        double_kind(draft, self.code, "GUM", here.right)


@special("B13")
class Cavity(OddOrEven):
    """End: odd discards the highest card at the left, even at the right."""

    def odd(self, draft: Draft[State], here: Here) -> None:
        discard_highest(draft, self.code, here.left)

    def even(self, draft: Draft[State], here: Here) -> None:
        discard_highest(draft, self.code, here.right)


@special("B14")
class GoodyBag(AtEnd):
    """End: its pile goes to the neighbour pile with fewer candies, the left one in a tie."""

    def end(self, draft: Draft[State], here: Here) -> None:
        to = min(here.left, here.right, key=lambda slot: printed(draft.state, slot))
        move_all(draft, self.code, here.slot, to)


@special("B15")
class Trapdoor(AtEnd):
    """Q52. End: the last card at the left, then the last at the right, move under it."""

    def end(self, draft: Draft[State], here: Here) -> None:
        move_last(draft, self.code, here.left, here.slot)
        move_last(draft, self.code, here.right, here.slot)

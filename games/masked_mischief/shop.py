"""Buying: in a House at the start of one's turn, and with somebody else's candy."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.masked_mischief.cauldrons import Pay
from games.masked_mischief.effects import Ask, Posed
from games.masked_mischief.events import Bought, MasksChanged, at
from games.masked_mischief.laying import BuyTreatsNow, BuyTricksNow
from games.masked_mischief.options import BuyMask, BuyTreats, BuyTricks, Done
from games.masked_mischief.state import State
from games.rules import Draft
from games.sight import Seat

Offer = BuyTricks | BuyTreats | BuyMask | Done


def most_tricks(state: State, seat: Seat) -> int:
    """Q30: as many as there is candy, tiles and room for."""
    constants, candy = state.constants, state.candy[seat]
    afford = candy // constants.price.trick if constants.price.trick else candy + 9
    return min(constants.max_buy.trick, afford, len(state.bags[seat]), len(state.blanks()))


def most_treats(state: State, payer: Seat) -> int:
    """Q30: one more must be in the bag than is bought, and a space for it."""
    constants, candy = state.constants, state.candy[payer]
    extra = constants.treat_extra
    if len(state.blanks()) < extra:
        return 0
    afford = candy // constants.price.treat if constants.price.treat else candy + 9
    return max(0, min(constants.max_buy.treat, afford, len(state.treats) - extra))


class Shopping(Posed, frozen=True):
    """R34, Q27: until nothing is wanted or left to buy."""

    def question(self, state: State) -> Shop:
        return Shop(self.user, self.user)


class Shop(Ask[Offer], frozen=True):
    """R34 to R37, Q26: each kind once a turn; in the first turn no tiles."""

    def prompt(self, state: State) -> str:
        return "What do you buy?"

    def form(self, state: State, seat: Seat) -> Form[Offer]:
        return OneOf((*self._tiles(state), *self._masks(state), Done()))

    def _tiles(self, state: State) -> list[Offer]:
        if not state.begun[self.seat]:
            return []
        tricks = 0 if "tricks" in state.bought else most_tricks(state, self.seat)
        treats = 0 if "treats" in state.bought else most_treats(state, self.seat)
        return [
            *[BuyTricks(count + 1) for count in range(tricks)],
            *[BuyTreats(count + 1) for count in range(treats)],
        ]

    def _masks(self, state: State) -> list[Offer]:
        banned = not state.begun[self.seat] and state.plays("first_turn_mask_swap", "false")
        dear = state.candy[self.seat] < state.constants.price.mask
        if banned or dear or "mask" in state.bought:
            return []
        return [BuyMask(mask) for mask in state.spares]

    def answer(self, draft: Draft[State], option: Offer) -> None:
        price, user = draft.state.constants.price, self.user
        if isinstance(option, BuyTricks):
            draft.emit(Bought(user, "tricks", option.count))
            pay = Pay(user, user, user, option.count * price.trick)
            draft.ask(pay, BuyTricksNow(user, option.count), Shopping(user))
        elif isinstance(option, BuyTreats):
            draft.emit(Bought(user, "treats", option.count))
            pay = Pay(user, user, user, option.count * price.treat)
            draft.ask(pay, BuyTreatsNow(user, option.count), Shopping(user))
        elif isinstance(option, BuyMask):
            draft.emit(Bought(user, "mask", 1))
            take_spare(draft, user, option.mask)
            draft.ask(Pay(user, user, user, price.mask), Shopping(user))


def take_spare(draft: Draft[State], seat: Seat, mask: str) -> None:
    """The mask worn for an unworn one."""
    state = draft.state
    spares = tuple([state.masks[seat] if spare == mask else spare for spare in state.spares])
    draft.emit(MasksChanged(at(state.masks, seat, mask), spares))


class BuyFor(Ask[BuyTreats], frozen=True):
    """R82, Q103: Treats for the owner, with the victim's candy."""

    payer: Seat

    def prompt(self, state: State) -> str:
        return f"How many Treats do you buy with the candy of seat {self.payer}?"

    def form(self, state: State, seat: Seat) -> Form[BuyTreats]:
        most = most_treats(state, self.payer)
        return OneOf(tuple([BuyTreats(count) for count in range(most + 1)]))

    def answer(self, draft: Draft[State], option: BuyTreats) -> None:
        if option.count:
            total = option.count * draft.state.constants.price.treat
            draft.ask(
                Pay(self.user, self.user, self.payer, total),
                BuyTreatsNow(self.user, option.count),
            )

"""The set-up: box, deal, starting player, tokens, teams."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.rules import Draft, Question, Step
from games.sight import Seat
from games.trickn_treat.options import TakeToken
from games.trickn_treat.setup_events import (
    ColourRemoved,
    Dealt,
    DummyDealt,
    StarterChosen,
    TeamsFormed,
    TokensPrepared,
    TokenTaken,
    ZerosRemoved,
)
from games.trickn_treat.state import State, is_candy
from games.trickn_treat.tables import LAYOUTS, PRINTED, TOKENS, Layout
from games.trickn_treat.turns import trick


class Setup(Step[State], frozen=True):
    """T5 to T19"""

    advanced: bool
    removed_colour: str

    def run(self, draft: Draft[State]) -> None:
        layout = LAYOUTS[draft.state.seats, draft.state.mode, self.advanced]
        if layout.players < 5:
            remove_colour(draft, self.removed_colour)
        if self.advanced:
            draft.emit(ZerosRemoved(tuple([f"{colour}0" for colour in draft.state.colours])))
        deal(draft, layout)
        starter = choose_starter(draft)
        prepare_tokens(draft, layout)
        if draft.state.free_tokens:
            ask_for_token(draft, starter)
        else:
            trick(draft, starter)


def remove_colour(draft: Draft[State], wanted: str) -> None:
    """T6, TR1"""
    by_lot = wanted == "random"
    colour = draft.dice.choose(draft.state.colours) if by_lot else wanted
    cards = tuple([card.id for card in PRINTED.cards if card.colour == colour])
    draft.emit(ColourRemoved(colour, by_lot, cards))


def deal(draft: Draft[State], layout: Layout) -> None:
    """T7 to T10, TR5: the last card dealt to the Dummy is its top one, its ghost above that."""
    boxed, each = draft.state.boxed, layout.hand_cards
    deck = draft.dice.shuffle([card.id for card in PRINTED.cards if card.id not in boxed])
    ghosts = draft.dice.shuffle([ghost.id for ghost in PRINTED.ghosts])
    seats = range(layout.players)
    hands = tuple([(*deck[each * s : each * (s + 1)], ghosts[s]) for s in seats])
    row, left = deck[each * layout.players :], ghosts[layout.players :]
    draft.emit(Dealt(hands, left[layout.dummy_ghosts :]))
    if layout.dummy_cards:
        draft.emit(DummyDealt((*row, *left[: layout.dummy_ghosts])))


def choose_starter(draft: Draft[State]) -> Seat:
    """T12, T13"""
    candies = [sum(map(is_candy, hand)) for hand in draft.state.hands]
    most = [seat for seat, count in enumerate(candies) if count == max(candies)]
    starter = draft.dice.choose(most) if len(most) > 1 else most[0]
    draft.emit(StarterChosen(tuple(candies), starter, len(most) > 1))
    return starter


def prepare_tokens(draft: Draft[State], layout: Layout) -> None:
    """T16, TR6: coop without the boxed colour's, competitive without the last dark ones."""
    tokens, count = list(TOKENS), layout.tokens.count
    if draft.state.mode == "competitive":
        dark = [token for token in tokens if TOKENS[token].friend_side == "dark"]
        spared = dark[layout.tokens.dark :]
    else:
        free = [token for token in tokens if TOKENS[token].candy_side in draft.state.colours]
        spared = [token for token in tokens if token not in free[:count]]
    free = [token for token in tokens if token not in spared]
    draft.emit(TokensPrepared(tuple(free), tuple(spared)))


def ask_for_token(draft: Draft[State], seat: Seat) -> None:
    """TR7: the last token is nobody's choice."""
    free = draft.state.free_tokens
    if len(free) > 1:
        draft.ask(ChooseToken(seat))
    else:
        take_token(draft, seat, free[0])


class ChooseToken(Question[State, TakeToken], frozen=True):
    """T17: one by one, clockwise from the starting player."""

    def prompt(self, state: State) -> str:
        return "Take one of the tokens that are left."

    def form(self, state: State, seat: Seat) -> Form[TakeToken]:
        return OneOf(tuple([TakeToken(token) for token in state.free_tokens]))

    def answer(self, draft: Draft[State], option: TakeToken) -> None:
        take_token(draft, self.seat, option.token)


def take_token(draft: Draft[State], seat: Seat, token: str) -> None:
    """T17, T20: once all have one, whoever began leads."""
    draft.emit(TokenTaken(seat, token))
    following = (seat + 1) % draft.state.seats
    if draft.state.free_tokens:
        ask_for_token(draft, following)
        return
    if draft.state.mode == "competitive":
        draft.emit(teams(draft.state))
    trick(draft, following)


def teams(state: State) -> TeamsFormed:
    dark = [TOKENS[token].friend_side == "dark" for token in state.tokens]
    seats = range(state.seats)
    return TeamsFormed(
        tuple([seat for seat in seats if dark[seat]]),
        tuple([seat for seat in seats if not dark[seat]]),
    )

"""The game's public face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from games import game, rules
from games.game import Card, Game
from games.rules import Refused
from games.tricks_and_treats import choices, events, line_events, options, setup, turns
from games.tricks_and_treats.bots import bot
from games.tricks_and_treats.cards import CARDS, DATA, Printed
from games.tricks_and_treats.narrate import tell
from games.tricks_and_treats.redeal import redealt
from games.tricks_and_treats.scoring import result
from games.tricks_and_treats.state import State

Option = (
    options.Give
    | options.Draw
    | options.Put
    | options.End
    | options.Tattle
    | options.Guess
    | options.Write
    | options.Swap
    | options.Jump
    | options.Move
    | options.Trade
    | options.Decline
)
Pending = (
    setup.Setup
    | setup.GiveHighest
    | setup.GiveLowest
    | turns.BeforeDraw
    | turns.Play
    | turns.AfterPlay
    | turns.EndTurn
    | turns.WriteGuess
    | choices.SwapBasket
    | choices.JumpBasket
    | choices.MoveCandy
    | choices.TradeCandy
)
Event = (
    rules.Asked[State, Pending]
    | rules.Answered[State, Option]
    | rules.Chosen[State, Option]
    | rules.Stepped[State]
    | events.StarterChosen
    | events.LineLaidOut
    | events.CandyShuffled
    | events.HandsDealt
    | events.TimesUpBuried
    | events.LettersDealt
    | events.OpeningExchange
    | events.TurnStarted
    | events.CandyDrawn
    | events.CandyPlayed
    | events.TattleMade
    | events.SecretLetterShown
    | events.SecretLetterHandedOver
    | events.PlayerEliminated
    | events.GuessWritten
    | line_events.LineChanged
    | line_events.CandyMoved
    | events.CandyTraded
    | line_events.CandyRemoved
    | line_events.CandyDoubled
    | line_events.ResolutionOrdered
    | line_events.SpecialResolved
    | events.SecretLettersRevealed
    | events.GuessesRevealed
    | events.Scored
    | events.TiesStruckOut
    | events.GameEnded
)

MOST = 4


class Options(game.Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`specials`: R7; `exchange`: R28; `written`: R29 to R31; `first`: who starts (Q3)."""

    specials: bool = False
    exchange: bool = False
    written: bool = False
    first: Annotated[int, msgspec.Meta(ge=0, lt=MOST)] | Literal["random"] = "random"


class Table(State, frozen=True, kw_only=True):
    """The state as it is stored: what is pending has its types."""

    pending: tuple[rules.Open[Pending], ...] = ()


def start(seats: int, options: Options) -> tuple[State, setup.Setup]:
    if options.first != "random" and options.first >= seats:
        why = f'`first` is a seat, 0 to {seats - 1}, or "random"'
        raise Refused("bad_option", why)
    step = setup.Setup(seats, options.first, options.specials, options.exchange)
    return Table(written=options.written), step


def census(state: State) -> Mapping[str, int]:
    """Candy and Time's Up, wherever they lie; the letters and the Baskets in play."""
    laid = [card.card for pile in (*state.piles, state.removed) for card in pile]
    cards = Counter([*laid, *state.deck, *(card for hand in state.hands for card in hand)])
    letters = Counter(f"letter {letter}" for letter in (*state.letters, *state.undealt))
    return cards + letters + Counter(f"basket {basket}" for basket in state.line)


def _cards(kind: str, printed: tuple[Printed, ...]) -> list[Card]:
    return [
        Card(
            id=p.id,
            kind=kind,
            name=p.name,
            text=" ".join(part for part in (p.play, p.end and f"At the end: {p.end}") if part),
            count=p.count,
            source=p.source,
            art=f"{kind}/{p.id}",
        )
        for p in printed
    ]


GAME = Game(
    id="tricks-and-treats",
    title="Tricks and Treats",
    least=2,
    most=MOST,
    rules=1,
    data=DATA,
    options=Options,
    state=Table,
    pending=Pending,
    event=Event,
    start=start,
    census=census,
    redealt=redealt,
    result=result,
    tell=tell,
    bot=bot,
    cards=(
        *_cards("card", (*CARDS.candy, *CARDS.times_up)),
        *_cards("basket", (*CARDS.lettered_baskets, *CARDS.special_baskets)),
        *_cards("letter", CARDS.secret_letters),
    ),
    begins={"turn": events.TurnStarted},
    by_seat=("shown", "revealed"),
)

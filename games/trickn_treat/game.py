"""The game's public face."""

from __future__ import annotations

from typing import Literal

from games import rules
from games.game import Game
from games.game import Options as HostOptions
from games.rules import Refused, Result
from games.trickn_treat import (
    events,
    exchange,
    ghost_events,
    ghosts,
    options,
    setup,
    setup_events,
    turns,
)
from games.trickn_treat.bots import bot
from games.trickn_treat.narrate import tell
from games.trickn_treat.scoring import WHY
from games.trickn_treat.state import State
from games.trickn_treat.tables import DATA, Mode, catalogue
from games.trickn_treat.zones import census, redealt

Option = (
    options.TakeToken
    | options.Play
    | options.Swap
    | options.Stop
    | options.Take
    | options.Leave
    | options.Target
    | options.Give
    | options.Trade
    | options.Score
)
Pending = (
    setup.Setup
    | setup.ChooseToken
    | turns.PlayCard
    | turns.Next
    | turns.ScoreCandy
    | ghosts.SwapOrStop
    | ghosts.SearchPile
    | ghosts.SearchDummyPile
    | exchange.ChooseTarget
    | exchange.Exchange
    | exchange.ExchangeWithDummy
    | exchange.TradeWithDummy
)
Event = (
    rules.Asked[State, Pending]
    | rules.Answered[State, Option]
    | rules.Chosen[State, Option]
    | rules.Stepped[State]
    | setup_events.ColourRemoved
    | setup_events.ZerosRemoved
    | setup_events.Dealt
    | setup_events.DummyDealt
    | setup_events.StarterChosen
    | setup_events.TokensPrepared
    | setup_events.TokenTaken
    | setup_events.TeamsFormed
    | events.LeadShown
    | events.TrickStarted
    | events.Skipped
    | events.CardPlayed
    | events.DummyPlayed
    | ghost_events.EffectSet
    | ghost_events.GhostIdle
    | ghost_events.CardsSwapped
    | ghost_events.DummySwapped
    | ghost_events.PileSearched
    | ghost_events.DummyPileSearched
    | ghost_events.ExchangeBegun
    | ghost_events.CardsExchanged
    | ghost_events.DummyExchanged
    | events.TrickWon
    | events.CandyScored
    | events.TrickTaken
    | events.DummyTook
    | events.GameEnded
    | events.HandsShown
    | events.Scored
)


class Table(State, frozen=True, kw_only=True):
    """The state as it is stored: what is pending has its types."""

    pending: tuple[rules.Open[Pending], ...] = ()


class Options(HostOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`advanced` plays the cooperative mode without zeros; `removed_colour` is for 3 and 4."""

    mode: Mode = "coop"
    advanced: bool = False
    removed_colour: Literal["random", "B", "G", "R", "Y", "P"] = "random"


def start(seats: int, options: Options) -> tuple[State, setup.Setup]:
    """TR1, TR58"""
    if options.advanced and options.mode == "competitive":
        raise Refused("bad_option", "advanced is for the cooperative mode")
    if seats == 5 and options.removed_colour != "random":
        raise Refused("bad_option", "five players use all colours; leave removed_colour out")
    nothing: tuple[tuple[str, ...], ...] = ((),) * seats
    table = Table(
        mode=options.mode,
        hands=nothing,
        piles=nothing,
        scores=nothing,
        tokens=("",) * seats,
        ghosts=nothing,
    )
    return table, setup.Setup(options.advanced, options.removed_colour)


def result(state: State) -> Result | None:
    if not state.ended:
        return None
    return Result(state.winners, state.points, WHY[state.ended])


GAME = Game(
    id="trickn-treat",
    title="Trick'n Treat",
    least=3,
    most=5,
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
    cards=catalogue(),
    begins={"round": events.TrickStarted},  # as the rulebook calls a trick
    by_seat=("scores", "tokens", "ghosts", "points"),
)

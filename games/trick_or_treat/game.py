"""The game's public face: its unions, its table, its first step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from games import game, rules
from games.trick_or_treat import (
    deck_events,
    events,
    haunted,
    home,
    locations,
    options,
    scoring,
    tables,
    turns,
)
from games.trick_or_treat.bots import bot
from games.trick_or_treat.narrate import tell
from games.trick_or_treat.redeal import redealt
from games.trick_or_treat.state import State

Option = (
    options.Pick
    | options.Go
    | options.Sneak
    | options.Stay
    | options.Send
    | options.Bully
    | options.Proceed
    | options.Take
    | options.Swap
    | options.Stop
    | options.Scare
    | options.Calm
    | options.Brave
    | options.Claim
    | options.Give
    | options.Pass
    | options.End
)
Pending = (
    turns.Setup
    | turns.ChooseKid
    | turns.FirstTurn
    | turns.Move
    | turns.EndTurn
    | turns.HandLimit
    | locations.Mansion
    | locations.House
    | locations.Carnival
    | locations.CarnivalExtra
    | locations.Alley
    | haunted.HauntedHouse
    | haunted.ScareWith
    | haunted.CalmWith
    | home.Home
    | home.TurnIn
)
Event = (
    rules.Asked[State, Pending]
    | rules.Answered[State, Option]
    | rules.AnsweredMany[State, options.Discard]
    | rules.Stepped[State]
    | rules.Dropped[State]
    | deck_events.TableLaid
    | deck_events.SetsShuffled
    | deck_events.CardsShuffled
    | deck_events.HouseStocked
    | deck_events.CarnivalStocked
    | events.KidChosen
    | events.TurnStarted
    | events.TrickPlayed
    | events.KidMoved
    | events.KidStayed
    | events.FreeMoveSpent
    | events.FreeMoveGranted
    | events.BullyMoved
    | events.KidChased
    | events.CardStolen
    | events.VictimSpared
    | deck_events.CardDrawn
    | deck_events.HouseCardTaken
    | deck_events.CarnivalCardTaken
    | events.CardsDiscarded
    | events.FearGiven
    | events.FearReturned
    | events.SetClaimed
    | events.SetRevealed
    | deck_events.DiscardsReshuffled
    | deck_events.HandsThinned
    | deck_events.DrawSkipped
    | events.GameEnded
)


class Table(State, frozen=True, kw_only=True):
    """The state as it is stored: what is pending has its types."""

    pending: tuple[rules.Open[Pending], ...] = ()


class Options(game.Options, frozen=True, kw_only=True):
    """`first`: who begins; `house_delta`: Houses beside one per player; `sets_removed`: shorter."""

    first: Annotated[int, msgspec.Meta(ge=0, le=5)] | Literal["random"] = "random"
    house_delta: Literal[-1, 0, 1] = 0
    sets_removed: Annotated[int, msgspec.Meta(ge=0, le=21)] = 0


def start(seats: int, given: Options) -> tuple[State, turns.Setup]:
    first = None if given.first == "random" else given.first
    if first is not None and first >= seats:
        raise rules.Refused("bad_option", f"`first` is a seat, 0 to {seats - 1}, or random")
    return Table(), turns.Setup(seats, seats + given.house_delta, given.sets_removed, first)


def census(state: State) -> Mapping[str, int]:
    """Every card, Set, Kid card, House in play."""
    zones = (*state.hands, state.deck, state.discard, state.row, state.houses)
    sets = (*state.claimed, state.sets, state.set_deck, state.removed)
    kids = [tables.KID_OF[face] for face in (*filter(None, state.kids), *turns.faces_left(state))]
    found = [card for zone in (*zones, *sets) for card in zone if card]
    return {**Counter(found), **Counter(dict.fromkeys(kids, 1)), "houses": len(state.houses)}


def _catalogue() -> tuple[game.Card, ...]:
    printed, card = tables.PRINTED, game.Card
    return (
        *[card(c.id, "card", c.name, _text(c), c.count, c.source) for c in tables.CARDS.values()],
        *[card(s.id, "set", s.name, _points(s.points), 1, s.source) for s in printed.sets],
        *[card(f.id, "kid", f.name, k.name, 1, k.source) for k in printed.kids for f in k.faces],
        *[card(b.id, "bully", b.name, _barred(b), 1, b.source) for b in printed.bully],
        *[
            card(t.id, "token", t.name, _points(t.points), t.count, t.source)
            for t in printed.tokens
        ],
        *[
            card(id, "place", tables.PLACE_NAMES[id], place.text, 1, place.source)
            for id, place in tables.LOCATION.items()
        ],
    )


def _points(points: int) -> str:
    return f"{points} point" if abs(points) == 1 else f"{points} points"


def _barred(bully: tables.Bully) -> str:
    return f"Never at {' or '.join([tables.PLACE_NAMES[place] for place in bully.barred_from])}."


def _text(card: tables.Treat | tables.Trick) -> str:
    return card.text if isinstance(card, tables.Trick) else tables.FAMILY_NAMES[card.family]


GAME = game.Game(
    id="trick-or-treat",
    title="Trick or Treat",
    least=2,
    most=6,
    rules=1,
    data=tables.DATA,
    options=Options,
    state=Table,
    pending=Pending,
    event=Event,
    start=start,
    census=census,
    redealt=redealt,
    result=scoring.result,
    tell=tell,
    bot=bot,
    cards=_catalogue(),
    begins={"turn": events.TurnStarted},
    by_seat=("kids", "at", "fear", "claimed", "free"),
)

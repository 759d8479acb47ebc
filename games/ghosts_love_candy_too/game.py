"""The public face of Ghosts Love Candy Too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Literal

from msgspec.structs import replace

from games import game, rules
from games.game import Card, Game
from games.ghosts_love_candy_too import (
    ability,
    ability_events,
    end_events,
    events,
    order,
    order_events,
    scares,
    scoring,
    turns,
)
from games.ghosts_love_candy_too import setup as dealing
from games.ghosts_love_candy_too import state as table
from games.ghosts_love_candy_too.bots import bot
from games.ghosts_love_candy_too.kids import OURS, RAW, enlist, listing
from games.ghosts_love_candy_too.narrate import tell
from games.ghosts_love_candy_too.options import Options as Option
from games.ghosts_love_candy_too.redeal import redealt
from games.ghosts_love_candy_too.sheet import SHEETS, Sheet
from games.ghosts_love_candy_too.tables import RAW as TABLE_DATA
from games.ghosts_love_candy_too.tables import SEATS, TABLES
from games.rules import Refused

Pending = (
    ability.Picks
    | ability.UseKid
    | dealing.Setup
    | dealing.StartingTreats
    | dealing.KeepTreats
    | order.ChooseGhosts
    | order.OrderOwnTie
    | scares.Scares
    | scares.GiveBack
    | scoring.Finish
    | scoring.Count
    | turns.Round
    | turns.Choosing
    | turns.Turn
    | turns.Haunt
    | turns.LeaveTreat
)


class Table(table.State, frozen=True, kw_only=True):
    """The state as it is stored: what is pending has its types."""

    pending: tuple[rules.Open[Pending], ...] = ()


S = table.State

Event = (
    rules.Asked[S, Pending]
    | rules.Answered[S, Option]
    | rules.AnsweredMany[S, Option]
    | rules.Chosen[S, Option]
    | rules.ChosenMany[S, Option]
    | rules.Stepped[S]
    | events.CravingsDealt
    | events.DeckShuffled
    | events.KidRevealed
    | events.BagFilled
    | events.BagMixed
    | events.BagRefilled
    | events.Placed
    | events.PlacementStopped
    | events.Drawn
    | events.StartKept
    | order_events.RoundStarted
    | order_events.GhostsShown
    | order_events.GhostsPicked
    | order_events.OwnTieOrdered
    | order_events.TieCardDrawn
    | order_events.TieWon
    | order_events.TieByLot
    | order_events.TurnsOrdered
    | events.Haunted
    | events.HauntSkipped
    | events.TreatsTaken
    | events.AbilityUsed
    | events.KidScared
    | events.SlotLeftEmpty
    | events.CandyGivenBack
    | end_events.CravingsShown
    | end_events.Scored
    | end_events.JunkValued
    | end_events.Tallied
    | end_events.TieCompared
    | end_events.Won
    | ability_events.HeldTossed
    | ability_events.HeldSettled
    | ability_events.TreatsTossed
    | ability_events.TreatsMoved
    | ability_events.TradedWithKid
    | ability_events.TradedWithSeat
    | ability_events.TreatsLaid
    | ability_events.TreatsShifted
    | ability_events.TreatsReturned
    | ability_events.TreatPassed
    | ability_events.GhostMoved
    | ability_events.GhostDiscarded
    | ability_events.GhostExchanged
    | ability_events.PileReordered
    | ability_events.KidsExchanged
    | ability_events.KidSlid
    | ability_events.RowKidDiscarded
    | ability_events.StashKidMoved
    | ability_events.StashKidDropped
    | ability_events.CravingPeeked
    | ability_events.TiesGranted
)


class Options(game.Options, frozen=True, kw_only=True):
    """`easier`: G64; `super_kid`: G65 to G67; `random_ghosts`: G68; `bag_refill`: GR3."""

    easier: bool = False
    super_kid: bool = False
    random_ghosts: bool = False
    bag_refill: Literal["never", "discards"] = "never"


def start(edition: str, seats: int, options: Options) -> tuple[Table, dealing.Setup]:
    kids = SHEETS[edition].numbers(options.easier)
    if len(kids) <= SEATS[seats].kids:
        why = f"this edition has only {len(kids)} easy kids: too few for {seats} players"
        raise Refused("bad_option", why)
    state = Table(
        edition=edition,
        easier=options.easier,
        super_kid=options.super_kid,
        random_ghosts=options.random_ghosts,
        refill=options.bag_refill == "discards",
        **dealing.opening(seats),
    )
    return state, dealing.Setup()


def census(state: S) -> Mapping[str, int]:
    """Every ghost, treat, kid and craving there is, wherever it lies."""
    treats = [*state.bag, *state.treat_discard]
    kids = len(state.deck) + len(state.under) + len(state.kid_discard) + len(state.tie_cards)
    ghosts = [g.card for g in (*state.ghost_discard, *state.played)]
    for slot in state.row:
        treats += slot.treats
        kids += bool(slot.kid)
        ghosts += [ghost.card for ghost in slot.pile]
    for zone in (*state.stashes, *state.held):
        treats += zone
    for seat, hand in enumerate(state.hands):
        ghosts += [(seat, value, of) for of, own in enumerate(hand) for value in own]
    kids += sum(map(len, state.scared))
    cravings = len(state.boxed) + len(state.secrets) + len(state.shown)
    distinct = {"ghosts": len(set(ghosts)), "cravings": cravings, "kids": kids}
    return {**Counter(treats), **distinct, "ghost cards": len(ghosts)}


def cards(sheet: Sheet) -> tuple[Card, ...]:
    """Everything printed, for the catalogue."""
    kids = [
        Card(str(kid.number), "kid", kid.name, kid.text, source=kid.source)
        for kid in sheet.kids.values()
    ]
    treats = [Card(t.id, "treat", t.name, "", t.count, t.source) for t in TABLES.treats]
    ghosts = [
        Card(str(value), "ghost", f"Ghost {value}", "", len(TABLES.ghosts), TABLES.ghosts[0].source)
        for value in TABLES.ghosts[0].values
    ]
    cravings = [
        Card(c.id, "craving", c.id, ", ".join(f"{t} {v}" for t, v in c.values.items()), 1, c.source)
        for c in TABLES.cravings
    ]
    return (*kids, *treats, *ghosts, *cravings)


GAME = Game(
    id="ghosts-love-candy-too",
    title="Ghosts Love Candy Too",
    least=2,
    most=6,
    rules=1,
    data=TABLE_DATA + RAW,
    options=Options,
    state=Table,
    pending=Pending,
    event=Event,
    start=partial(start, ""),
    census=census,
    redealt=redealt,
    result=scoring.result,
    tell=partial(tell, ""),
    bot=bot,
    cards=cards(OURS),
    begins={"round": order_events.RoundStarted},
    by_seat=(
        *("hands", "stashes", "scared", "held", "secrets", "shown"),
        *("wins", "bonus", "junk_worth", "scores"),
    ),
)


def from_data(text: bytes) -> Game:
    """An edition with a publisher's own kids. Raises BadData."""
    given = listing(text)
    kids = enlist(given.edition, given.kids)
    return replace(
        GAME,
        title=given.title or GAME.title,
        data=TABLE_DATA + text,
        start=partial(start, given.edition),
        tell=partial(tell, given.edition),
        cards=cards(kids),
        edition=given.edition,
    )


GAME = replace(GAME, from_data=from_data)

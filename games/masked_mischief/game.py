"""The game's public face: its unions, its stored table, the printed game and its editions."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, get_args

from games import rules
from games.game import Card, Game
from games.masked_mischief import (
    cauldrons,
    edition,
    effects,
    events,
    haunted,
    laying,
    moves,
    options,
    powers,
    printed,
    redeal,
    setup,
    shop,
    state,
    tiles,
    treat_moves,
    treats,
    tricks,
    turns,
)
from games.masked_mischief.board import Board
from games.masked_mischief.bots import bot
from games.masked_mischief.narrate import tell

Option = (
    options.Character
    | options.Mask
    | options.Lay
    | options.Go
    | options.Pick
    | options.Play
    | options.Roll
    | options.End
    | options.Stop
    | options.Face
    | options.Swap
    | options.BuyTricks
    | options.BuyTreats
    | options.BuyMask
    | options.Done
    | options.Cauldron
)
Many = options.TileFace | options.Mask | options.Go | options.Back | options.Pick | int
Pending = (
    setup.Setup
    | setup.ChooseCharacter
    | setup.ChooseMask
    | setup.Spares
    | setup.StartingRoll
    | setup.Draw
    | setup.LayAround
    | turns.Turn
    | turns.EndTurn
    | turns.TreatOrRoll
    | turns.AfterTreat
    | shop.Shopping
    | shop.Shop
    | shop.BuyFor
    | cauldrons.Pay
    | cauldrons.PaySplit
    | laying.BuyTricksNow
    | laying.BuyTreatsNow
    | laying.KeepTreats
    | laying.ChooseTricks
    | laying.LayAll
    | laying.LayOne
    | moves.Direction
    | moves.Walk
    | moves.Pass
    | moves.SwapMasks
    | moves.Land
    | effects.Return
    | effects.Spend
    | haunted.Race
    | haunted.NearestSkull
    | haunted.Empty
    | haunted.PickCauldron
    | haunted.PlaceLtgb
    | haunted.PickLtgb
    | haunted.GoHome
    | haunted.LtgbPay
    | haunted.PayDown
    | tricks.SwapVictim
    | tricks.SwapVictimsMask
    | tricks.SwapWithVictim
    | treat_moves.MoveFigure
    | treat_moves.JumpFigure
    | treats.TakeCandy
    | treats.AssignMasks
    | treat_moves.Abduct
    | treat_moves.TurnOver
    | treat_moves.MoveTricks
    | treats.Disarming
    | treats.DisarmOne
    | treat_moves.PickArm
    | treat_moves.Haunt
    | treats.StealAndUse
    | powers.Juggle
    | powers.Window
    | powers.ExtraTreat
    | powers.Steal
    | powers.HowlAt
    | powers.NearestTrick
    | powers.HowlAtAll
    | powers.AimAt
    | powers.HowlFlip
    | powers.HowlEnds
    | powers.TakeMask
)
Event = (
    rules.Asked[state.State, Pending]
    | rules.Answered[state.State, Option]
    | rules.AnsweredMany[state.State, Many]
    | rules.Chosen[state.State, Option]
    | rules.ChosenMany[state.State, Many]
    | rules.Stepped[state.State]
    | rules.Dropped[state.State]
    | events.BoardLaid
    | events.CharacterChosen
    | events.MaskChosen
    | events.SpareKept
    | events.StartingRolled
    | events.StarterDecided
    | events.TurnStarted
    | events.TurnSkipped
    | events.TurnEnded
    | events.Bought
    | events.CandyMoved
    | events.CauldronsFilled
    | events.CauldronTaken
    | events.MasksChanged
    | events.DieRolled
    | events.RollWithheld
    | events.StatusSet
    | events.Faced
    | events.Walked
    | events.PlayerPassed
    | events.Relocated
    | events.HouseVisited
    | events.HouseEnteredUncounted
    | events.HauntedSet
    | events.LtgbPlaced
    | events.LtgbTaken
    | events.RaceStarted
    | events.HauntedHouseReached
    | events.GameEnded
    | tiles.TricksDrawn
    | tiles.TreatsDrawn
    | tiles.HandLifted
    | tiles.TilesLaid
    | tiles.TricksPutBack
    | tiles.TreatsPutBack
    | tiles.TreatsKept
    | tiles.TrickFlipped
    | tiles.TrickIgnored
    | tiles.TrickReturned
    | tiles.TrickCleared
    | tiles.TricksMoved
    | tiles.TreatTaken
    | tiles.TreatStolen
    | tiles.TreatPlayed
    | tiles.TreatSpent
    | tiles.HandsShown
    | tiles.HandsRearranged
)

RULES = 1

BY_SEAT = (
    *("characters", "homes", "at", "facing", "masks", "candy", "hands"),
    *get_args(events.Status),
    "begun",
)


class Table(state.State, frozen=True, kw_only=True):
    """The state as it is stored: what is pending has its types."""

    pending: tuple[rules.Open[Pending], ...] = ()


def cards(boards: tuple[Board, ...]) -> tuple[Card, ...]:
    """What options refer to, and what each tile and mask does."""
    made = []
    for kind, table in (("trick", printed.TRICKS), ("treat", printed.TREATS)):
        for tile in table.values():
            source = ", ".join(f"{part}: {mark}" for part, mark in tile.source.items())
            made.append(Card(tile.id, kind, tile.name, tile.text, tile.count(2), source))
    for mask in printed.MASKS.values():
        text = f"{mask.power}. {mask.text}" if mask.power else mask.text
        made.append(Card(mask.id, "mask", mask.name, text, source=mask.source))
    for board in boards:
        least, most = board.players
        text = ". ".join([f"For {least} to {most} players", *board.notes, ""]).strip()
        made.append(Card(board.id, "board", f"Board {board.id}", text, source="data"))
    return tuple(made)


def _game(
    start: Callable[[int, Any], tuple[Table, setup.Setup]],
    boards: tuple[Board, ...],
    data: bytes,
    name: str = "",
) -> Game:
    return Game(
        id="masked-mischief",
        title="Masked Mischief: The Candy Heist",
        least=min(board.players[0] for board in boards),
        most=max(board.players[1] for board in boards),
        rules=RULES,
        data=data,
        options=edition.Options,
        state=Table,
        pending=Pending,
        event=Event,
        start=start,
        census=edition.census,
        redealt=redeal.redealt,
        result=edition.result,
        tell=tell,
        bot=bot,
        cards=cards(boards),
        begins={"turn": events.TurnStarted},
        by_seat=BY_SEAT,
        edition=name,
        from_data=from_data,
    )


def start(seats: int, options: edition.Options) -> tuple[Table, setup.Setup]:
    """The printed game, on the board for so many seats."""
    setting = edition.printed_setting(seats, options)
    return edition.table(Table, seats, options, setting), setup.Setup()


def from_data(data: bytes) -> Game:
    """The game on a publisher's board. Raises BadData."""
    setting = printed.setting(data, "@" + sha256(data).hexdigest()[:8])

    def start_here(seats: int, options: edition.Options) -> tuple[Table, setup.Setup]:
        edition.check_edition(seats, options, setting)
        return edition.table(Table, seats, options, setting), setup.Setup()

    return _game(start_here, (setting.board,), printed.DATA + data, setting.board.id)


GAME = _game(start, printed.PRINTED, printed.DATA)

"""A match on paper: its options, its empty table, what belongs to it, who sees what otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from games import game
from games.masked_mischief import printed
from games.masked_mischief.printed import SETTINGS, Setting
from games.masked_mischief.state import State
from games.rules import Refused, Result

S = TypeVar("S", bound=State)


class Options(game.Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The default of each comes first and is what the rules say."""

    house_counter: Literal["dice_or_others_tile", "dice_only", "any_tile"] = "dice_or_others_tile"
    end_timing: Literal["immediate", "end_of_turn"] = "immediate"
    spare_masks: Literal["all_unworn", "one"] = "all_unworn"
    trick_copies: Literal["printed", "all_one"] = "printed"
    trick_draw: Literal["random", "choose"] = "random"
    place_under_figures: bool = True
    first_turn_mask_swap: bool = True
    passing_moves: Literal["main_move", "any_walk"] = "main_move"
    relocation_lands: bool = False
    nearest_tie: Literal["moved_player", "effect_user"] = "moved_player"
    deposit_basis: Literal["total", "since_last_race"] = "total"
    ltgb_deposit: bool = True
    off_turn_window: Literal["full", "no_roll_tiles"] = "full"
    double_stack: Literal["multiply", "once"] = "multiply"
    howl_order: Literal["one_by_one", "move_all_then_resolve"] = "one_by_one"
    moonlight_pool: Literal["all", "worn"] = "all"
    scarecrow: Literal["turn_about", "run_to_house"] = "turn_about"
    street_cleaning: Literal["between", "include_landing"] = "between"
    board: Literal["", "mm-4x14", "mm-6x12"] = ""
    """Empty: the one for so many seats."""
    youth_order: Annotated[str, Meta(pattern="^([0-5](,[0-5])*)?$")] = ""
    """All seats, the youngest player's first, as in `2,0,1`; empty: seat order."""


def variants(options: Options) -> dict[str, str]:
    """The options that are not as the rules say."""
    said = msgspec.structs.asdict(options)
    usual = msgspec.structs.asdict(Options())
    return {
        name: str(value).lower()
        for name, value in said.items()
        if name not in ("board", "youth_order") and value != usual[name]
    }


def printed_setting(seats: int, options: Options) -> Setting:
    """Q1: the board for so many seats. Raises Refused(`bad_option`)."""
    board = next(b for b in printed.PRINTED if b.players[0] <= seats <= b.players[1])
    if options.board not in ("", board.id):
        least, most = SETTINGS[options.board].board.players
        why = f"board {options.board} is for {least} to {most} players; leave the option out"
        raise Refused("bad_option", why, option="board")
    return SETTINGS[board.id]


def check_edition(seats: int, options: Options, setting: Setting) -> None:
    """An edition has one board. Raises Refused(`bad_seats`, `bad_option`)."""
    least, most = setting.board.players
    if not least <= seats <= most:
        raise Refused("bad_seats", f"board {setting.board.id} is for {least} to {most} players")
    if options.board:
        why = f"this edition is played on {setting.board.id}; leave the option out"
        raise Refused("bad_option", why, option="board")


def youth(seats: int, options: Options) -> tuple[int, ...]:
    """Q124. Raises Refused(`bad_option`)."""
    if not options.youth_order:
        return tuple(range(seats))
    order = tuple(map(int, options.youth_order.split(",")))
    if sorted(order) != list(range(seats)):
        why = f"youth_order must name each of the seats 0 to {seats - 1} once, youngest first"
        raise Refused("bad_option", why, option="youth_order")
    return order


def table(cls: Callable[..., S], seats: int, options: Options, setting: Setting) -> S:
    """R4 to R7: nothing chosen yet, every tile in its bag. Raises Refused(`bad_option`)."""
    none = (0,) * seats
    return cls(
        board=setting.key,
        variants=variants(options),
        youth=youth(seats, options),
        characters=("",) * seats,
        homes=("",) * seats,
        at=("",) * seats,
        facing=("free",) * seats,
        masks=("",) * seats,
        spares=printed.masks_for(seats),
        candy=(setting.constants.start_candy,) * seats,
        cauldrons=(0,) * setting.board.cauldrons,
        hands=((),) * seats,
        bags=(printed.trick_bag(options.trick_copies == "all_one"),) * seats,
        placing=((),) * seats,
        treats=printed.treat_bag(seats),
        skips=none,
        ignores=none,
        doubles=none,
        gambles=none,
        replaced=none,
        cleaning=none,
        sticky=none,
        begun=none,
    )


def census(state: State) -> Mapping[str, int]:
    """Every tile and mask, and all candy less what the Big Bowl has given."""
    codes = [
        *state.treats,
        *(code for bag in state.bags for code in bag),
        *(code for drawn in state.placing for code in drawn),
        *(held.code for hand in state.hands for held in hand),
        *(tile.code for tile in state.tiles.values()),
        *(tile.code for tile in state.flipped.values()),
        *(tile.code for tile in state.played),
    ]
    masks = [mask for mask in (*state.masks, *state.spares, *state.unused) if mask]
    candy = sum(state.candy) + sum(state.cauldrons) - state.given
    return {**Counter(codes), **Counter(masks), "candy": candy}


def result(state: State) -> Result | None:
    if state.winner is None:
        return None
    tie = state.candy.count(max(state.candy)) > 1
    why = "most candy, and the younger of those who tie" if tie else "most candy in the bowl"
    return Result((state.winner,), state.candy, why)

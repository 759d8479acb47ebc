"""Walking, passing, landing, and being put somewhere."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.masked_mischief.board import BACK
from games.masked_mischief.effects import Ask, Work, flip
from games.masked_mischief.events import Faced, MasksChanged, PlayerPassed, Relocated, Walked
from games.masked_mischief.haunted import arrive, games_begin, haunt
from games.masked_mischief.houses import enter, give
from games.masked_mischief.options import Face, Swap
from games.masked_mischief.state import State
from games.masked_mischief.tiles import TreatTaken, TrickCleared, TrickIgnored
from games.masked_mischief.words import By, Facing, Space
from games.rules import Draft, Step
from games.sight import Seat

STICKY = 3


class Direction(Ask[Face], frozen=True):
    """Q32, Q73: whose facing is free, and who leaves an arm, picks a way round the loop.

    `steps` are still to be walked, `back` says that they go against the way picked.
    """

    steps: int
    back: bool

    def prompt(self, state: State) -> str:
        far = self.steps >= len(state.map.loop)
        how = "to the next House" if far else f"{self.steps} step{'s' * (self.steps > 1)}"
        if self.back:
            return f"Which way does seat {self.seat} face, to walk {how} backwards?"
        return f"Which way does seat {self.seat} walk {how}?"

    def form(self, state: State, seat: Seat) -> Form[Face]:
        return OneOf((Face("cw"), Face("ccw")))

    def answer(self, draft: Draft[State], option: Face) -> None:
        draft.emit(Faced({self.seat: option.way}))


class Walk(Work, frozen=True):
    """R16, R17: space by space; a House on the way, or the Haunted House, stops it.

    `path` and `ways` are what has been walked before a question came between, and the facing
    when stepping off each of those spaces. `main` is the walk of the roll in one's own turn.
    """

    seat: Seat
    steps: int
    back: bool = False
    main: bool = False
    path: tuple[Space, ...] = ()
    ways: tuple[Facing, ...] = ()

    def run(self, draft: Draft[State]) -> None:
        state, board, back = draft.state, draft.state.map, self.back
        here, way = state.at[self.seat], state.facing[self.seat]
        path, ways, left = [here], [*self.ways], self.steps
        if back and way == "in" and here in board.skulls:
            way, back = "free", False
        while left and way != "free":
            came_from, here = here, board.step(here, BACK[way] if back else way)
            path.append(here)
            ways.append(way)
            left -= 1
            if here in board.house_at or here == board.centre:
                way, left = "free", 0
            elif came_from in board.arm_spaces and here in board.skulls:
                way, back = "free", False
        if len(path) > 1:
            draft.emit(Walked(self.seat, tuple(path), way))
        walked = (*self.path, *path)
        if left:
            rest = Walk(self.user, self.seat, left, back, self.main, walked[:-1], tuple(ways))
            draft.ask(Direction(self.seat, self.user, left, back), rest)
        else:
            self._finish(draft, walked, ways)

    def _finish(self, draft: Draft[State], path: tuple[Space, ...], ways: list[Facing]) -> None:
        state, seat = draft.state, self.seat
        if state.cleaning[seat]:
            clean(draft, path)
        if not self.main and not state.plays("passing_moves", "any_walk"):
            return
        met = [other for other in state.others(seat) if state.at[other] in path[1:-1]]
        for other in sorted(met, key=lambda other: path.index(state.at[other])):
            if state.at[other] not in (path[0], path[-1]):
                opposite = BACK[ways[path.index(state.at[other])]] == state.facing[other]
                draft.ask(Pass(self.user, seat, other, opposite))


def walk(
    draft: Draft[State],
    user: Seat,
    seat: Seat,
    steps: int,
    by: By,
    *before_landing: Step[State],
    back: bool = False,
    main: bool = False,
) -> None:
    draft.ask(Walk(user, seat, steps, back, main), *before_landing, Land(user, seat, by))


def clean(draft: Draft[State], path: tuple[Space, ...]) -> None:
    """Q109: Tricks between the ends of the walk go back unflipped."""
    include_landing = draft.state.plays("street_cleaning", "include_landing")
    for space in path[1:] if include_landing else path[1:-1]:
        tile = draft.state.tiles.get(space)
        if tile and tile.kind == "trick":
            draft.emit(TrickCleared(space, tile.by, "cleared", tile.code))


class Pass(Work, frozen=True):
    """R18 to R20, Q38: the theft of Sticky Fingers, then the swap, before the landing."""

    seat: Seat
    other: Seat
    opposite: bool

    def run(self, draft: Draft[State]) -> None:
        draft.emit(PlayerPassed(self.seat, self.other, self.opposite))
        if draft.state.sticky[self.seat]:
            give(draft, self.other, self.seat, STICKY)
        if self.opposite:
            draft.ask(SwapMasks(self.seat, self.user, self.other))


class SwapMasks(Ask[Swap], frozen=True):
    """R18, R73: whether to swap masks with somebody; nobody has to agree."""

    other: Seat

    def prompt(self, state: State) -> str:
        return f"Do you swap masks with seat {self.other}?"

    def form(self, state: State, seat: Seat) -> Form[Swap]:
        return OneOf((Swap(True), Swap(False)))

    def answer(self, draft: Draft[State], option: Swap) -> None:
        if option.yes:
            swap_masks(draft, self.seat, self.other)


def swap_masks(draft: Draft[State], a: Seat, b: Seat) -> None:
    masks = list(draft.state.masks)
    masks[a], masks[b] = masks[b], masks[a]
    draft.emit(MasksChanged(tuple(masks), draft.state.spares))


class Land(Work, frozen=True):
    """R21: what is on the space acts; it has one content (Q44b)."""

    seat: Seat
    by: By

    def run(self, draft: Draft[State]) -> None:
        state, space = draft.state, draft.state.at[self.seat]
        tile = state.tiles.get(space)
        if tile:
            meet(draft, self.seat, space)
        elif space in state.map.house_at:
            enter(draft, self.seat, self.by)
        elif space in state.map.skulls:
            haunt(draft)
        elif space == state.map.centre:
            arrive(draft, self.user, self.seat)
        elif space == state.ltgb:
            games_begin(draft, self.user, self.seat)


def meet(draft: Draft[State], seat: Seat, space: Space) -> None:
    """R22 to R24, Q41, Q104: a tile underfoot."""
    tile = draft.state.tiles[space]
    if tile.kind == "treat":
        draft.emit(TreatTaken(seat, space, tile.by, tile.code))
    elif tile.by != seat:
        suffer(draft, seat, space)


def suffer(draft: Draft[State], seat: Seat, space: Space) -> None:
    """Another player's Trick: flipped, unless an ignore is spent on it."""
    ignores = draft.state.ignores[seat]
    if ignores:
        draft.emit(TrickIgnored(seat, space, ignores - 1))
    else:
        flip(draft, seat, space)


def put(draft: Draft[State], seat: Seat, space: Space) -> bool:
    """Whether the figure was moved: put where it stands already, it is not (Q52)."""
    state = draft.state
    if state.at[seat] == space:
        return False
    draft.emit(Relocated(seat, space, faced_at(state, seat, space)))
    return True


def faced_at(state: State, seat: Seat, space: Space) -> Facing:
    """Q33: the facing after being put on a space."""
    was = state.facing[seat]
    if space in state.map.house_at:
        return "free"
    if space in state.map.arm_spaces:
        return was if was in ("in", "out") else "in"
    return was if was in ("cw", "ccw") else "free"


def settle(draft: Draft[State], user: Seat, seat: Seat) -> None:
    """Q40, Q45: who was put into a House enters it; otherwise it is no landing."""
    by: By = "own" if user == seat else "other"
    if draft.state.plays("relocation_lands", "true"):
        draft.ask(Land(user, seat, by))
    elif draft.state.in_house(seat):
        enter(draft, seat, by)


def move_to(draft: Draft[State], user: Seat, seat: Seat, space: Space) -> None:
    if put(draft, seat, space):
        settle(draft, user, seat)


def swap_places(draft: Draft[State], user: Seat, first: Seat, second: Seat) -> None:
    """Both are moved before either enters a House or, by the option, lands."""
    here, there = draft.state.at[first], draft.state.at[second]
    if here != there:
        put(draft, first, there)
        put(draft, second, here)
        settle(draft, user, first)
        settle(draft, user, second)

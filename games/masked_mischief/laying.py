"""Drawing tiles and laying them face down."""

from __future__ import annotations

from collections.abc import Sequence

from games.forms import Arrangement, Form, OneOf, Subset
from games.masked_mischief.effects import Ask, Work
from games.masked_mischief.options import Back, Go, Lay, TileFace
from games.masked_mischief.state import State
from games.masked_mischief.tiles import (
    TilesLaid,
    TreatsDrawn,
    TreatsKept,
    TricksDrawn,
    TricksPutBack,
    without,
)
from games.masked_mischief.words import Kind
from games.rules import Draft, Item
from games.sight import Seat


def draw_tricks(draft: Draft[State], user: Seat, count: int, *then: Item[State]) -> None:
    """Q28, Q15: blind out of the user's bag, or by choice; then comes what is to be done."""
    count = min(count, len(draft.state.bags[user]))
    if not count:
        return
    if draft.state.plays("trick_draw", "choose"):
        draft.ask(ChooseTricks(user, user, count))
    else:
        draft.emit(TricksDrawn(user, draft.dice.take(draft.state.bags[user], count)))
    draft.ask(*then)


def lay_tricks(draft: Draft[State], user: Seat, count: int) -> None:
    """Q14: draws so many and lays them, as far as there is room."""
    if draft.state.blanks():
        draw_tricks(draft, user, count, LayAll(user, user, "trick"))


class BuyTricksNow(Work, frozen=True):
    """R35: drawn when they are paid for."""

    count: int

    def run(self, draft: Draft[State]) -> None:
        lay_tricks(draft, self.user, self.count)


class ChooseTricks(Ask[tuple[TileFace, ...]], frozen=True):
    """With the option, the owner picks from the bag in secret."""

    secret = True

    count: int

    def prompt(self, state: State) -> str:
        return f"Choose {self.count} of the Tricks in your bag."

    def form(self, state: State, seat: Seat) -> Form[tuple[TileFace, ...]]:
        faces = tuple([TileFace(code) for code in state.bags[self.seat]])
        return Subset(faces, self.count, self.count)

    def answer(self, draft: Draft[State], option: tuple[TileFace, ...]) -> None:
        draft.emit(TricksDrawn(self.seat, tuple([face.code for face in option])))


class LayAll(Ask[tuple[Go | Back, ...]], frozen=True):
    """Q28, Q102: each tile to a blank space; those for which there is no room are not laid."""

    secret = True

    kind: Kind

    def prompt(self, state: State) -> str:
        count = len(state.placing[self.seat])
        return f"Lay {count} {self.kind.capitalize()}{'s' * (count != 1)} on blank spaces."

    def form(self, state: State, seat: Seat) -> Form[tuple[Go | Back, ...]]:
        codes, blanks = state.placing[self.seat], state.blanks()
        spare = max(0, len(codes) - len(blanks))
        places: list[Go | Back] = [*[Go(space) for space in blanks], *[Back()] * spare]
        return Arrangement(tuple([TileFace(code) for code in codes]), tuple(places))

    def answer(self, draft: Draft[State], option: tuple[Go | Back, ...]) -> None:
        codes = draft.state.placing[self.seat]
        laid = [(c, go.space) for c, go in zip(codes, option, strict=True) if isinstance(go, Go)]
        # By space: the order they came in would tell who knew the hand which tile went where.
        laid.sort(key=lambda tile: draft.state.map.plain.index(tile[1]))
        faces = tuple([code for code, _ in laid])
        draft.emit(TilesLaid(self.seat, self.kind, tuple([space for _, space in laid]), faces))
        rest = without(codes, faces)
        if rest and self.kind == "trick":
            draft.emit(TricksPutBack(self.seat, rest))
        elif rest:
            draft.emit(TreatsKept(self.seat, rest))


class LayOne(Ask[Lay], frozen=True):
    """R10, R11, R36: one of the tiles drawn, on a blank space."""

    secret = True

    kind: Kind

    def prompt(self, state: State) -> str:
        return f"Lay one of your {self.kind.capitalize()}s on a blank space."

    def form(self, state: State, seat: Seat) -> Form[Lay]:
        codes: Sequence[str] = sorted(set(state.placing[self.seat]))
        blanks = state.blanks()
        return OneOf(tuple([Lay(code, space) for code in codes for space in blanks]))

    def answer(self, draft: Draft[State], option: Lay) -> None:
        draft.emit(TilesLaid(self.seat, self.kind, (option.space,), (option.code,)))


class BuyTreatsNow(Work, frozen=True):
    """R36, Q29: draw one more than bought, lay that many, keep the rest."""

    count: int

    def run(self, draft: Draft[State]) -> None:
        extra = draft.state.constants.treat_extra
        codes = draft.dice.take(draft.state.treats, self.count + extra)
        draft.emit(TreatsDrawn(self.user, codes))
        draft.ask(*[LayOne(self.user, self.user, "treat")] * extra, KeepTreats(self.user))


class KeepTreats(Work, frozen=True):
    """What was not laid goes to the hand."""

    def run(self, draft: Draft[State]) -> None:
        draft.emit(TreatsKept(self.user, draft.state.placing[self.user]))

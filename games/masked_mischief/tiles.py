"""The facts about tiles: drawn, laid, flipped, held, played.

Names and fields are the storage format, as in `events.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from games.masked_mischief.events import at
from games.masked_mischief.state import Flipped, Held, Played, State, Tile
from games.masked_mischief.words import Code, Space
from games.rules import Event
from games.sight import Seat, each_own, everyone, seen_by

Codes = tuple[Code, ...]


def without(codes: Iterable[str], gone: Iterable[str]) -> tuple[str, ...]:
    """The codes less one of each that is gone."""
    left = list(codes)
    for code in gone:
        left.remove(code)
    return tuple(left)


def into(bag: tuple[str, ...], codes: Iterable[str]) -> tuple[str, ...]:
    """A bag has no order."""
    return tuple(sorted((*bag, *codes)))


class TricksDrawn(Event[State], frozen=True):
    """Out of the seat's bag, to be laid."""

    chance = True

    seat: Seat
    codes: Annotated[Codes, seen_by("seat")]

    def apply(self, state: State) -> State:
        return state.but(
            bags=at(state.bags, self.seat, without(state.bags[self.seat], self.codes)),
            placing=at(state.placing, self.seat, (*state.placing[self.seat], *self.codes)),
        )


class TreatsDrawn(Event[State], frozen=True):
    """Out of the Treat bag, to be laid or kept."""

    chance = True

    seat: Seat
    codes: Annotated[Codes, seen_by("seat")]

    def apply(self, state: State) -> State:
        return state.but(
            treats=without(state.treats, self.codes),
            placing=at(state.placing, self.seat, (*state.placing[self.seat], *self.codes)),
        )


class HandLifted(Event[State], frozen=True):
    """All Treats of the hand are to be laid."""

    seat: Seat

    def apply(self, state: State) -> State:
        codes = tuple([held.code for held in state.hands[self.seat]])
        return state.but(
            hands=at(state.hands, self.seat, ()), placing=at(state.placing, self.seat, codes)
        )


class TilesLaid(Event[State], frozen=True):
    """Face down, each tile on its space."""

    seat: Seat
    kind: Literal["trick", "treat"]
    spaces: Annotated[tuple[Space, ...], everyone(of="seat")]
    codes: Annotated[Codes, seen_by("seat", of="seat")]

    def apply(self, state: State) -> State:
        tiles = dict(state.tiles)
        for space, code in zip(self.spaces, self.codes, strict=True):
            tiles[space] = Tile(self.kind, self.seat, code)
        left = without(state.placing[self.seat], self.codes)
        return state.but(tiles=tiles, placing=at(state.placing, self.seat, left))


class TricksPutBack(Event[State], frozen=True):
    """Q14: what found no space goes back to the bag."""

    seat: Seat
    codes: Annotated[Codes, seen_by("seat", of="seat")]

    def apply(self, state: State) -> State:
        return state.but(
            bags=at(state.bags, self.seat, into(state.bags[self.seat], self.codes)),
            placing=at(state.placing, self.seat, without(state.placing[self.seat], self.codes)),
        )


class TreatsPutBack(Event[State], frozen=True):
    """Q14: the same for Treats."""

    seat: Seat
    codes: Annotated[Codes, seen_by("seat", of="seat")]

    def apply(self, state: State) -> State:
        return state.but(
            treats=into(state.treats, self.codes),
            placing=at(state.placing, self.seat, without(state.placing[self.seat], self.codes)),
        )


class TreatsKept(Event[State], frozen=True):
    """What was not laid goes to the hand."""

    seat: Seat
    codes: Annotated[Codes, seen_by("seat", of="seat")]

    def apply(self, state: State) -> State:
        kept = [Held((self.seat,), code) for code in self.codes]
        return state.but(
            hands=at(state.hands, self.seat, (*state.hands[self.seat], *kept)),
            placing=at(state.placing, self.seat, without(state.placing[self.seat], self.codes)),
        )


class TrickFlipped(Event[State], frozen=True):
    """R22: for all to see; its text follows."""

    space: Space
    owner: Seat
    victim: Seat
    code: Annotated[Code, everyone(of="owner")]

    def apply(self, state: State) -> State:
        tiles = {s: tile for s, tile in state.tiles.items() if s != self.space}
        flipped = {**state.flipped, self.space: Flipped(self.owner, self.code)}
        return state.but(tiles=tiles, flipped=flipped)


class TrickIgnored(Event[State], frozen=True):
    """R84: it stays face down."""

    seat: Seat
    space: Space
    ignores: int

    def apply(self, state: State) -> State:
        return state.but(ignores=at(state.ignores, self.seat, self.ignores))


class TrickReturned(Event[State], frozen=True):
    """Its text is done, or cut short: back into its owner's bag."""

    space: Space
    why: Literal["resolved", "cut_short"]

    def apply(self, state: State) -> State:
        tile = state.flipped[self.space]
        flipped = {s: other for s, other in state.flipped.items() if s != self.space}
        bag = into(state.bags[tile.owner], (tile.code,))
        return state.but(flipped=flipped, bags=at(state.bags, tile.owner, bag))


class TrickCleared(Event[State], frozen=True):
    """Back into its owner's bag, unflipped."""

    space: Space
    owner: Seat
    why: Literal["cleared", "disarmed"]
    code: Annotated[Code, seen_by("owner", of="owner")]

    def apply(self, state: State) -> State:
        tiles = {s: tile for s, tile in state.tiles.items() if s != self.space}
        bag = into(state.bags[self.owner], (self.code,))
        return state.but(tiles=tiles, bags=at(state.bags, self.owner, bag))


class TricksMoved(Event[State], frozen=True):
    """From and to, for each tile moved; all are lifted before the first is laid."""

    owner: Seat
    moves: tuple[tuple[Space, Space], ...]

    def apply(self, state: State) -> State:
        lifted = {src for src, _ in self.moves}
        tiles = {space: tile for space, tile in state.tiles.items() if space not in lifted}
        tiles.update({dst: state.tiles[src] for src, dst in self.moves})
        return state.but(tiles=tiles)


class TreatTaken(Event[State], frozen=True):
    """From the board into the hand; whoever laid it knows what it is."""

    seat: Seat
    space: Space
    layer: Seat
    code: Annotated[Code, seen_by("seat", "layer", of="layer")]

    def apply(self, state: State) -> State:
        held = Held(tuple(sorted({self.seat, self.layer})), self.code)
        hand = (*state.hands[self.seat], held)
        tiles = {s: tile for s, tile in state.tiles.items() if s != self.space}
        return state.but(tiles=tiles, hands=at(state.hands, self.seat, hand))


class TreatStolen(Event[State], frozen=True):
    """`slot` is its place in the victim's hand, `known` who knows its face now."""

    chance = True

    thief: Seat
    victim: Seat
    slot: int
    known: tuple[Seat, ...]
    code: Annotated[Code, seen_by("known", of="victim")]

    def apply(self, state: State) -> State:
        left = state.hands[self.victim]
        left = (*left[: self.slot], *left[self.slot + 1 :])
        hand = (*state.hands[self.thief], Held(self.known, self.code))
        return state.but(hands=at(at(state.hands, self.victim, left), self.thief, hand))


class TreatPlayed(Event[State], frozen=True):
    """From its place in the hand, for all to see."""

    seat: Seat
    slot: int
    code: Annotated[Code, everyone(of="seat")]

    def apply(self, state: State) -> State:
        hand = state.hands[self.seat]
        left = (*hand[: self.slot], *hand[self.slot + 1 :])
        return state.but(
            hands=at(state.hands, self.seat, left),
            played=(*state.played, Played(self.seat, self.code)),
        )


class TreatSpent(Event[State], frozen=True):
    """Q25: the last Treat played is done and goes back into the Treat bag."""

    seat: Seat

    def apply(self, state: State) -> State:
        i = max(i for i, tile in enumerate(state.played) if tile.user == self.seat)
        return state.but(
            played=(*state.played[:i], *state.played[i + 1 :]),
            treats=into(state.treats, (state.played[i].code,)),
        )


class HandsShown(Event[State], frozen=True):
    """R56: the user of Juggling looks at all Treats in hands, and knows them from then on."""

    to: Seat
    hands: Annotated[tuple[Codes, ...], each_own("to")]

    def apply(self, state: State) -> State:
        hands = tuple(
            [
                tuple([Held(tuple(sorted({*held.known, self.to})), held.code) for held in hand])
                for hand in state.hands
            ]
        )
        return state.but(hands=hands)


class HandsRearranged(Event[State], frozen=True):
    """`by` knows every hand now; what others knew of other hands is worth nothing any more."""

    chance = True

    by: Seat
    hands: Annotated[tuple[Codes, ...], each_own("by")]

    def apply(self, state: State) -> State:
        hands = tuple(
            [
                tuple([Held(tuple(sorted({seat, self.by})), code) for code in hand])
                for seat, hand in enumerate(self.hands)
            ]
        )
        return state.but(hands=hands)

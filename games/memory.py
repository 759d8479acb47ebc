"""What a viewer knows of hidden places since it has seen things go there: no state tells it.

A game says of its events what came, went, slipped away unseen or was drawn; a fork that is made for
a viewer keeps what is known here where it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple, Self

from games.forms import Below
from games.sight import Seat, Viewer

Place = Hashable
"""A hidden place: a hand, a pile, a deck; what a game calls it."""

Face = Any
"""What a thing is by its face: a text or, in some games, a number; one game's can be sorted."""


class Seen(NamedTuple):
    """What came to be known of a place that so much had come to: that one more lies there for sure
    than was known or, where `more` is -1, that one did; of a deck, how deep the card lay."""

    place: Place
    face: Face
    inflow: int
    depth: int | None = None
    more: int = 1


class Memory:
    """One viewer's, at one step. What is known of a deck is known by how deep it lay when mixed.

    `disclosed` are those whose secret choice in the open question the viewer has seen since.
    """

    def __init__(self, viewer: Viewer, below: Below) -> None:
        self.viewer = viewer
        self.disclosed: frozenset[Seat] = frozenset()
        self._below = below
        self._known: dict[Place, tuple[Face, ...]] = {}
        self._unsure: dict[Place, tuple[Face, ...]] = {}
        self._decks: dict[Place, dict[int, Face]] = {}
        self._depth: Counter[Place] = Counter()
        self._inflow: Counter[Place] = Counter()
        self._slips: tuple[tuple[Place, Place], ...] = ()
        self._seen: tuple[Seen, ...] = ()

    def copy(self) -> Self:
        made = type(self)(self.viewer, self._below)
        made._known, made._unsure = dict(self._known), dict(self._unsure)
        made._decks, made._depth = dict(self._decks), Counter(self._depth)
        made._inflow = Counter(self._inflow)
        made._slips, made._seen = self._slips, self._seen
        return made

    def known(self, place: Place) -> tuple[Face, ...]:
        """What is known to lie there."""
        return self._known.get(place, ())

    def sure(self, place: Place) -> tuple[Face, ...]:
        """What is known to lie there without a guess."""
        found = self.known(place)
        for face in self._unsure.get(place, ()):
            found = _less(found, face)
        return found

    def kept(self, place: Place) -> tuple[Face, ...]:
        """What is known to lie there, what was guessed last: where room is short it goes first."""
        found, rest = self.sure(place), self.known(place)
        for face in found:
            rest = _less(rest, face)
        return (*found, *rest)

    def top(self, deck: Place) -> tuple[Face, ...]:
        """The deck's known cards, from the top on; None where one is not."""
        known = self._decks.get(deck, {})
        return tuple([known.get(at) for at in range(self._depth[deck], max(known, default=-1) + 1)])

    def came(self, place: Place, *faces: Face) -> None:
        """On their way to a hidden place; None is not seen."""
        self._known[place] = (*self.known(place), *[face for face in faces if face is not None])
        self._inflow[place] += len(faces)

    def went(self, place: Place, *faces: Face) -> None:
        """Seen when they left it: of what was not known to lie there, or guessed, that is news."""
        for face in faces:
            sure = face in self.sure(place)
            if face in self.known(place):
                self._forget(place, face)
            else:
                self._corrected(place, face)
            if not sure:
                self._seen += (Seen(place, face, self._inflow[place]),)

    def slipped(self, left: Place, to: Place, size: int) -> None:
        """One of `size` things went from place to place, not seen which: so it is guessed."""
        self._moved(left, to, self._picked(left, size))

    def exchanged(self, one: Place, other: Place, sizes: tuple[int, int]) -> None:
        """One thing of each went to the other, at once and not seen."""
        there, back = self._picked(one, sizes[0]), self._picked(other, sizes[1])
        self._moved(one, other, there)
        self._moved(other, one, back)

    def _picked(self, place: Place, size: int) -> Face:
        """One of what lies there, if it is one that is known."""
        known = self.known(place)
        at = self._below(max(size, 1))
        return known[at] if at < len(known) else None

    def _moved(self, left: Place, to: Place, face: Face) -> None:
        for doubted in self.sure(left):
            self._seen += (Seen(left, doubted, self._inflow[left], more=-1),)
        if face is not None:
            self._forget(left, face)
        self._unsure[left] = self.known(left)
        self._guess(to, face)
        self._slips += ((left, to),)

    def _guess(self, place: Place, face: Face) -> None:
        self.came(place, face)
        if face is not None:
            self._unsure[place] = (*self._unsure.get(place, ()), face)

    def guessed(self, places: list[Any], face: Face) -> None:
        """It went to one of these, nobody saw to which, each of which takes but one."""
        self._guess(places.pop(self._below(len(places))), face)

    def saw(self, place: Place, face: Face) -> None:
        """What lies there and stays there."""
        if face not in self.sure(place):
            self._learned(Seen(place, face, self._inflow[place]))

    def drawn(self, deck: Place, face: Face) -> Face:
        """The top card is drawn: as it is seen, or as it was known."""
        at = self._depth[deck]
        self._depth[deck] += 1
        known = self._decks.get(deck, {}).get(at)
        if known is None and face is not None:
            self._learned(Seen(deck, face, self._inflow[deck], at))
        return known if face is None else face

    def shuffled(self, *places: Place) -> None:
        """Nobody knows any more what lies where in it."""
        for place in places:
            self._known.pop(place, None)
            self._unsure.pop(place, None)
            self._decks.pop(place, None)
            self._depth.pop(place, None)
            self._inflow[place] += 1

    def back(self, then: Memory) -> Memory:
        """As it was then, with what was learned since about what lay there by then.

        It must have come from there: what was learned aside of it is of another table.
        """
        made = then.copy()
        doubted: Counter[tuple[Place, Face]] = Counter()
        for seen in self._seen[len(then._seen) :]:
            which = seen.place, seen.face
            if seen.inflow != then._inflow[seen.place]:
                continue
            if seen.more < 0 or doubted[which]:
                doubted[which] -= seen.more
            else:
                made._learned(seen)
        return made

    def _learned(self, seen: Seen) -> None:
        """A card of a deck; or one that lies there besides those that are sure to: one that was
        guessed to, or another."""
        self._seen += (seen,)
        place, face = seen.place, seen.face
        unsure = self._unsure.get(place, ())
        if seen.depth is not None:
            self._decks[place] = {**self._decks.get(place, {}), seen.depth: face}
        elif face in unsure:
            self._unsure[place] = _less(unsure, face)
        else:
            self._corrected(place, face)
            self._known[place] = (*self.known(place), face)

    def _forget(self, place: Place, face: Face) -> None:
        known, unsure = _less(self.known(place), face), self._unsure.get(place, ())
        self._known[place] = known
        if unsure.count(face) > known.count(face):
            self._unsure[place] = _less(unsure, face)

    def _corrected(self, place: Place, face: Face) -> None:
        """It lies there, and not where it was guessed to have slipped to, or to have stayed."""
        if not any(face in unsure for unsure in self._unsure.values()):
            return
        linked, more = {place}, {place}
        while more:
            ends = {end for slip in self._slips if more & {*slip} for end in slip}
            more = ends - linked
            linked |= more
        for other in linked:
            if face in self._unsure.get(other, ()):
                self._known[other] = _less(self.known(other), face)
                self._unsure[other] = _less(self._unsure[other], face)
                return


def _less(faces: tuple[Face, ...], gone: Face) -> tuple[Face, ...]:
    """Without one of these, if there is one."""
    at = faces.index(gone) if gone in faces else len(faces)
    return (*faces[:at], *faces[at + 1 :])


def taken(pool: Counter[Face], cards: Iterable[Face], size: int) -> list[Face]:
    """So many of the cards, as far as the pool has them; they are in it no more."""
    found: list[Face] = []
    for card in cards:
        if pool[card] > 0 and len(found) < size:
            pool[card] -= 1
            found.append(card)
    return found


def dealt(pool: Counter[Face], size: int, below: Below) -> list[Face]:
    """So many out of the pool by chance; they are in it no more."""
    rest = sorted(pool.elements())
    found = [rest.pop(below(len(rest))) for _ in range(size)]
    pool.clear()
    pool.update(rest)
    return found


def stacked(pool: Counter[Face], top: Sequence[Face], size: int, below: Below) -> tuple[Face, ...]:
    """A deck of `size` out of the pool, from the top on: its known cards, and others by chance."""
    known = [face if taken(pool, (face,), 1) else None for face in top[:size]]
    known += [None] * (size - len(known))
    others = iter(dealt(pool, known.count(None), below))
    return tuple([next(others) if face is None else face for face in known])

"""What a viewer knows of hidden places since it has seen things go there: no state tells it.

A game says of its events what came, went, slipped away unseen or was drawn; a fork that is made for
a viewer keeps what is known here where it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple, Self

from games.forms import Below
from games.history import Commit, led_here, reverted_to
from games.match import MatchEvent
from games.sight import Viewer

Place = Hashable
"""A hidden place: a hand, a pile, a deck; what a game calls it."""

Face = Any
"""What a thing is by its face: a text or, in some games, a number; one game's can be sorted."""


class Seen(NamedTuple):
    """Something left a place of which that was not known; `inflow` counts what had come before."""

    place: Place
    face: Face
    inflow: int
    drawn: bool


class Memory:
    """One viewer's, at one step. A deck is known from its top on, None where a card is not."""

    def __init__(self, viewer: Viewer, below: Below) -> None:
        self.viewer = viewer
        self._below = below
        self._known: dict[Place, tuple[Face, ...]] = {}
        self._unsure: dict[Place, tuple[Face, ...]] = {}
        self._tops: dict[Place, tuple[Face, ...]] = {}
        self._inflow: Counter[Place] = Counter()
        self._slips: tuple[tuple[Place, Place], ...] = ()
        self._seen: tuple[Seen, ...] = ()

    def copy(self) -> Self:
        made = type(self)(self.viewer, self._below)
        made._known, made._tops = dict(self._known), dict(self._tops)
        made._unsure = dict(self._unsure)
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
        """The deck's known cards, from the top on."""
        return self._tops.get(deck, ())

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
                self._seen += (Seen(place, face, self._inflow[place], False),)

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
            self._learned(place, face)
            self._seen += (Seen(place, face, self._inflow[place], False),)

    def drawn(self, deck: Place, face: Face) -> Face:
        """The top card is drawn: as it is seen, or as it was known."""
        known, *rest = self._tops.get(deck) or (None,)
        self._tops[deck] = tuple(rest)
        face = known if face is None else face
        self._seen += (Seen(deck, face, self._inflow[deck], True),)
        return face

    def shuffled(self, *places: Place) -> None:
        """Nobody knows any more what lies where in it."""
        for place in places:
            self._known.pop(place, None)
            self._unsure.pop(place, None)
            self._tops.pop(place, None)
            self._inflow[place] += 1

    def back(self, then: Memory) -> Memory:
        """As it was then, with what was learned since about what lay there by then.

        It must have come from there: what was learned aside of it is of another table.
        """
        made = then.copy()
        decks: dict[Place, tuple[Face, ...]] = {}
        for seen in self._seen[len(then._seen) :]:
            if seen.inflow != then._inflow[seen.place]:
                continue
            if seen.drawn:
                decks[seen.place] = (*decks.get(seen.place, ()), seen.face)
            else:
                made._learned(seen.place, seen.face)
                made._seen += (seen,)
        for deck in {*decks, *self._tops}:
            now = self._tops.get(deck, ()) if self._inflow[deck] == then._inflow[deck] else ()
            made._tops[deck] = _either((*decks.get(deck, ()), *now), then._tops.get(deck, ()))
        return made

    def _learned(self, place: Place, face: Face) -> None:
        """One lies there besides those that are sure to: one that was guessed to, or another."""
        unsure = self._unsure.get(place, ())
        if face in unsure:
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
                self._forget(other, face)
                return


def _less(faces: tuple[Face, ...], gone: Face) -> tuple[Face, ...]:
    """Without one of these, if there is one."""
    at = faces.index(gone) if gone in faces else len(faces)
    return (*faces[:at], *faces[at + 1 :])


def _either(first: tuple[Face, ...], second: tuple[Face, ...]) -> tuple[Face, ...]:
    longer = max(len(first), len(second))
    pairs = zip(
        *[(*cards, *[None] * (longer - len(cards))) for cards in (first, second)], strict=True
    )
    return tuple([other if one is None else one for one, other in pairs])


Watch = Callable[[Memory, Any, Any], None]
"""(memory, the state before the event or None in the set-up, the event): what is seen of it."""


class Past(NamedTuple):
    """How a match came to a step: all commits, also those taken back; `states[v]` after v."""

    commits: Sequence[Commit[Any]]
    states: Sequence[Any]


NO_PAST = Past((), ())


def _led_there(commits: Sequence[Commit[Any]], version: int, to: int) -> bool:
    """Whether `to` stood then, and was not itself taken back."""
    return next(c.version for c in led_here(commits, version) if c.version <= to) == to


def recalled(past: Past, viewer: Viewer, below: Below, watch: Watch) -> Memory:
    """What the viewer knows there. Guesses are drawn from `below`."""
    after = [Memory(viewer, below)]
    for commit in past.commits:
        to = reverted_to(commit)
        if to is None:
            memory = after[-1].copy()
        elif _led_there(past.commits, commit.version - 1, to):
            memory = after[-1].back(after[to])
        else:
            memory = after[to].copy()
        state = past.states[commit.version - 1]
        for event in commit.events:
            if isinstance(event, MatchEvent):
                continue
            watch(memory, state, event)
            state = None if state is None else event.apply(state)
        after.append(memory)
    return after[-1]


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

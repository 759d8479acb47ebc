"""What a viewer knows of hidden places since it has seen things go there: no state tells it.

A game says of its events what came, went, slipped away unseen or was drawn; a fork that is made for
a viewer keeps what is known here where it is.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Self

from games.forms import Below
from games.seen import Card, Face, Place, Seen
from games.sight import Seat, Viewer


class Memory:
    """One viewer's, at one step. What is known of a deck is known by how deep it lay when mixed.

    `disclosed` are those whose secret choice in the open question the viewer has seen since.
    `strain` counts the guesses that turned out wrong.
    """

    def __init__(self, viewer: Viewer, below: Below) -> None:
        self.viewer = viewer
        self.disclosed: frozenset[Seat] = frozenset()
        self.strain = 0
        self._below = below
        self._known: dict[Place, tuple[Face, ...]] = {}
        self._unsure: dict[Place, tuple[Face, ...]] = {}
        self._decks: dict[Place, dict[int, Face]] = {}
        self._maybe: dict[tuple[Place, int, int], Face] = {}
        self._cards: dict[Place, tuple[Card, ...]] = {}
        self._since: Counter[Place] = Counter()
        self._firm: Counter[Place] = Counter()
        self._depth: Counter[Place] = Counter()
        self._above: dict[Place, int] = {}
        self._inflow: Counter[Place] = Counter()
        self._slips: tuple[tuple[Place, Place], ...] = ()
        self._seen: tuple[Seen, ...] = ()

    def copy(self) -> Self:
        made = type(self)(self.viewer, self._below)
        made._known, made._unsure = dict(self._known), dict(self._unsure)
        made._decks, made._depth = dict(self._decks), Counter(self._depth)
        made._above = dict(self._above)
        made._maybe, made._cards = dict(self._maybe), dict(self._cards)
        made._since, made._firm = Counter(self._since), Counter(self._firm)
        made.strain = self.strain
        made._inflow = Counter(self._inflow)
        made._slips, made._seen = self._slips, self._seen
        return made

    def known(self, place: Place) -> tuple[Face, ...]:
        """What is known to lie there."""
        return self._known.get(place, ())

    def sure(self, place: Place) -> tuple[Face, ...]:
        """What is known to lie there without a guess."""
        found = self.known(place)
        for face in self.unsure(place):
            found = _less(found, face)
        return found

    def unsure(self, place: Place) -> tuple[Face, ...]:
        """What is guessed to lie there."""
        return self._unsure.get(place, ())

    def kept(self, place: Place) -> tuple[Face, ...]:
        """What is known to lie there, what was guessed last: where room is short it goes first."""
        return (*self.sure(place), *self.unsure(place))

    def top(self, deck: Place, *, guessed: bool = True) -> tuple[Face, ...]:
        """The deck's known cards, from the top on, and guessed ones; None where one is neither."""
        known, mixed = dict(self._decks.get(deck, {})), self._inflow[deck]
        for (*lay, at), face in self._maybe.items() if guessed else ():
            if lay == [deck, mixed]:
                known.setdefault(at, face)
        return tuple([known.get(at) for at in range(self._depth[deck], max(known, default=-1) + 1)])

    def came(self, place: Place, *faces: Face) -> None:
        """On their way to a hidden place; None is not seen."""
        self._known[place] = (*self.known(place), *[face for face in faces if face is not None])
        self._inflow[place] += len(faces)
        if None in faces:
            self._blurred(place)

    def _blurred(self, place: Place) -> None:
        """Of what is seen leaving it nobody can tell any more that it lay there before."""
        self._since[place] = self._firm[place] = self._inflow[place]

    def drew(self, place: Place, deck: Place, face: Face) -> None:
        """The top card of the deck goes to a hidden place; None is not seen."""
        card = Card(place, self._inflow[place] + 1, deck, self._inflow[deck], self._depth[deck])
        guess = self._maybe.get(card[2:])
        face = self.drawn(deck, face)
        if face is not None:
            self.came(place, face)
            return
        self._inflow[place] += 1
        self._firm[place] = self._inflow[place]
        if guess is None:
            self._cards[place] = (*self._cards.get(place, ()), card)
        else:
            self._suppose(place, guess)

    def went(self, place: Place, *faces: Face, size: int | None = None) -> None:
        """Seen when they left it: of what was not known to lie there, or guessed, that is news.

        `size` things lay there, where that is known.
        """
        for n, face in enumerate(faces):
            sure = face in self.sure(place)
            seen = Seen(place, face, self._inflow[place])
            if face in self.known(place):
                self._forget(place, face)
            else:
                self._corrected(place, face)
                seen = self._traced(seen, None if size is None else size - n)
            if not sure:
                self._seen += (seen,)

    def _traced(self, seen: Seen, size: int | None) -> Seen:
        """Since when it lay there: it was drawn, or had been there before all that is not known."""
        place = seen.place
        seen = seen._replace(since=self._since[place], firm=self._firm[place])
        cards = self._cards.get(place, ())
        if size is None:
            return seen._replace(since=seen.firm)
        others = size - len(self.known(place)) - len(cards)
        self.strain += others < 0 or others == len(cards) == 0
        if not cards:
            return seen
        newest = max([card.mixed for card in cards])
        if newest > 1:
            # What left before may have come again with a deck mixed since: there is but so much.
            others, cards = 0, tuple([card for card in cards if card.mixed == newest])
        others = max(others, 0)
        at = self._below(others + len(cards)) - others
        if at < 0:
            return seen
        card = cards[at]
        self._used(card)
        self._seen += (card.seen(seen.face),)
        return seen._replace(since=card.inflow, card=card)

    def _used(self, card: Card | None) -> None:
        """It is no unknown one any more."""
        if card is not None:
            cards = self._cards.get(card.place, ())
            self._cards[card.place] = tuple([each for each in cards if each != card])

    def slipped(self, left: Place, to: Place, size: int) -> None:
        """One of `size` things went from place to place, not seen which: so it is guessed."""
        self._moved(left, to, self._picked(left, size))

    def exchanged(self, one: Place, other: Place, sizes: tuple[int, int]) -> None:
        """One thing of each went to the other, at once and not seen."""
        there, back = self._picked(one, sizes[0]), self._picked(other, sizes[1])
        self._moved(one, other, there)
        self._moved(other, one, back)

    def _picked(self, place: Place, size: int) -> Face:
        """One of what lies there, if it is one that is known, or was drawn."""
        lying = (*self.known(place), *self._cards.get(place, ()))
        at = self._below(max(size, 1))
        return lying[at] if at < len(lying) else None

    def _moved(self, left: Place, to: Place, face: Face) -> None:
        self._blurred(left)
        for doubted in self.sure(left):
            self._seen += (Seen(left, doubted, self._inflow[left], more=-1),)
        if isinstance(face, Card):
            self._used(face)
        elif face is not None:
            self._forget(left, face)
        self._unsure[left] = self.known(left)
        self._guess(to, face)
        self._slips += ((left, to),)

    def _guess(self, place: Place, face: Face) -> None:
        self.came(place, None)
        if isinstance(face, Card):
            there = face._replace(place=place, inflow=self._inflow[place])
            self._cards[place] = (*self._cards.get(place, ()), there)
        elif face is not None:
            self._suppose(place, face)

    def _suppose(self, place: Place, face: Face) -> None:
        self._known[place] = (*self.known(place), face)
        self._unsure[place] = (*self.unsure(place), face)

    def guessed(self, places: list[Any], face: Face) -> None:
        """It went to one of these, nobody saw to which, each of which takes but one."""
        self._guess(places.pop(self._below(len(places))), face)

    def saw(self, place: Place, face: Face) -> None:
        """What lies there and stays there."""
        if face not in self.sure(place):
            self._learned(Seen(place, face, self._inflow[place]))

    def drawn(self, deck: Place, face: Face) -> Face:
        """The top card is drawn: as it is seen, or as it was known."""
        if deck in self._above:
            if not self._above[deck]:
                self.shuffled(deck)
            else:
                self._above[deck] -= 1
        at = self._depth[deck]
        self._depth[deck] += 1
        known = self._decks.get(deck, {}).get(at)
        if known is None and face is not None:
            self._learned(Seen(deck, face, self._inflow[deck], at))
        return known if face is None else face

    def laid_beneath(self, deck: Place, size: int) -> None:
        """Cards that were mixed came under the `size` that lie in it: those stay what they were."""
        if size:
            self._above[deck] = size
        else:
            self.shuffled(deck)

    def shuffled(self, *places: Place) -> None:
        """Nobody knows any more what lies where in it."""
        for place in places:
            self._above.pop(place, None)
            self._known.pop(place, None)
            self._unsure.pop(place, None)
            self._decks.pop(place, None)
            self._depth.pop(place, None)
            self._cards.pop(place, None)
            self._inflow[place] += 1
            self._blurred(place)

    def back(self, then: Memory) -> Memory:
        """As it was then, with what was learned since about what lay there by then.

        It must have come from there: what was learned aside of it is of another table.
        """
        made = then.copy()
        made.strain = self.strain
        doubted: Counter[tuple[Place, Face]] = Counter()
        for seen in self._seen[len(then._seen) :]:
            which, inflow = (seen.place, seen.face), then._inflow[seen.place]
            if not seen.held(inflow):
                continue
            if seen.guessed(inflow):
                made._guessed(seen)
            elif seen.more < 0 or doubted[which]:
                doubted[which] -= seen.more
            else:
                made._learned(seen)
        return made

    def _guessed(self, seen: Seen) -> None:
        """It may have lain there."""
        self._seen += (seen,)
        if seen.depth is not None:
            self._maybe[seen.place, seen.inflow, seen.depth] = seen.face
        else:
            self._used(seen.card)
            self._suppose(seen.place, seen.face)

    def _learned(self, seen: Seen) -> None:
        """A card of a deck; or one that lies there besides those that are sure to: one that was
        guessed to, or another."""
        self._seen += (seen,)
        self._used(seen.card)
        place, face = seen.place, seen.face
        unsure = self.unsure(place)
        if seen.depth is not None:
            self._decks[place] = {**self._decks.get(place, {}), seen.depth: face}
            guess = self._maybe.pop((place, seen.inflow, seen.depth), face)
            self.strain += guess != face
        elif face in unsure:
            self._unsure[place] = _less(unsure, face)
        else:
            self._corrected(place, face)
            self._known[place] = (*self.known(place), face)

    def _forget(self, place: Place, face: Face) -> None:
        known, unsure = _less(self.known(place), face), self.unsure(place)
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
            if face in self.unsure(other):
                self._known[other] = _less(self.known(other), face)
                self._unsure[other] = _less(self.unsure(other), face)
                return


def _less(faces: tuple[Face, ...], gone: Face) -> tuple[Face, ...]:
    """Without one of these, if there is one."""
    at = faces.index(gone) if gone in faces else len(faces)
    return (*faces[:at], *faces[at + 1 :])

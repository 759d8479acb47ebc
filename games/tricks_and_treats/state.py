"""The table of Tricks and Treats: a ring of Baskets over piles of Candy, and who owns what."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from games import rules
from games.sight import Fact, Seat, each_own, everyone, nobody, secret, seen_by
from games.tricks_and_treats.cards import DOUBLED, LETTERS, VALUE

Candy = Annotated[str, secret]
"""A Candy card that not all may see: kind and value, `GUM2` (Q38)."""

Letter = Annotated[str, secret]
"""A Secret Letter that not all may see."""

Basket = str
"""A Basket by its id, never by its slot (Q36)."""


class Laid(Fact, frozen=True, tag=False):
    """A Candy card face up in a pile; the mark goes where it goes (Q49)."""

    card: str
    doubled: bool = False


class Owned(Fact, frozen=True, tag=False):
    """A letter said of a seat; who sees it is said where it stands."""

    seat: Seat
    letter: str


class Written(Fact, frozen=True, tag=False):
    """R29, Q30: who guessed at whom is public, the letter is the guesser's own."""

    guesser: Seat
    target: Seat
    letter: Annotated[Letter, seen_by("guesser", of="guesser")]


class Verdict(Fact, frozen=True, tag=False):
    """R30: a written guess, revealed."""

    guesser: Seat
    target: Seat
    letter: str
    correct: bool


class Score(Fact, frozen=True, tag=False):
    """R21, R30: points for the pile, for others' letters and for right written guesses."""

    candy: int
    letters: int
    guesses: int
    total: int


@lru_cache(maxsize=1024)
def _lettered(line: tuple[Basket, ...]) -> tuple[Basket, ...]:
    return tuple([letter for letter in LETTERS if letter in line])


class State(rules.State, frozen=True, kw_only=True):
    """`shown[s]`: letters face up before s. `known[s]`: letters s was shown in private.

    `ruled_out`: wrong accusations, so letters a seat has not. `judged`, `revealed`, `scores`,
    `cause` and `winner` are set at the end.
    """

    written: bool = False
    first: Seat = 0
    line: tuple[Basket, ...] = ()
    piles: tuple[tuple[Laid, ...], ...] = ()
    deck: Annotated[tuple[Candy, ...], nobody(counted=True)] = ()
    removed: tuple[Laid, ...] = ()
    hands: Annotated[tuple[tuple[Candy, ...], ...], each_own(counted=True)] = ()
    letters: Annotated[tuple[Letter, ...], each_own()] = ()
    undealt: Annotated[tuple[Letter, ...], nobody(counted=True)] = ()
    shown: tuple[tuple[Owned, ...], ...] = ()
    known: Annotated[tuple[tuple[Owned, ...], ...], each_own()] = ()
    ruled_out: tuple[Owned, ...] = ()
    guesses: tuple[Written, ...] = ()
    out: tuple[Seat, ...] = ()
    turn: int = 0
    tattled: bool = False
    times_up: bool = False
    revealed: Annotated[tuple[Letter, ...], everyone()] = ()
    judged: tuple[Verdict, ...] = ()
    scores: dict[Seat, Score] = {}
    cause: str = ""
    winner: Seat | None = None

    @property
    def seats(self) -> range:
        return range(len(self.hands))

    @property
    def playing(self) -> tuple[Seat, ...]:
        """Who is not eliminated, by seat."""
        return tuple([seat for seat in self.seats if seat not in self.out])

    @property
    def lettered(self) -> tuple[Basket, ...]:
        """The letters that may be named (Q8), in order."""
        return _lettered(self.line)

    def after(self, seat: Seat) -> Seat:
        """The next seat clockwise that is still in."""
        playing = self.playing
        return next((s for s in playing if s > seat), playing[0])

    def slot(self, basket: Basket) -> int:
        return self.line.index(basket)

    def beside(self, slot: int, steps: int) -> int:
        """The slot so many steps to the right, round the ring (R25, Q23)."""
        return (slot + steps) % len(self.line)

    def targets(self, seat: Seat) -> tuple[Seat, ...]:
        """R13, R31, Q8: whom the seat may still accuse."""
        without = {seat, *self.out}
        if self.guesses:
            without |= {guess.target for guess in self.guesses if guess.guesser == seat}
        return tuple([s for s in self.seats if s not in without])

    def can_tattle(self, seat: Seat) -> bool:
        """R16, Q7, Q29: once a turn, while somebody may be accused."""
        return not self.tattled and bool(self.targets(seat))

    def candy(self, seat: Seat) -> int:
        """R21: the candies in the pile of the seat's own Basket, doubled cards twice (Q49)."""
        pile = self.piles[self.slot(self.letters[seat])]
        return sum([VALUE[laid.card] * (DOUBLED if laid.doubled else 1) for laid in pile])

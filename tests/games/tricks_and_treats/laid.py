"""Tables for scenarios: seat 0 owns A, 1 B, 2 C, 3 D, and seat 0 has the first turn."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import Answered, Asked, Chosen, Refused, Stepped
from games.tricks_and_treats.game import GAME
from games.tricks_and_treats.options import Draw
from games.tricks_and_treats.state import Laid, Owned
from games.tricks_and_treats.turns import Play
from tests.play import Match

LETTERS = "ABCDEF"
KERNEL = Asked | Answered | Chosen | Stepped


def table(seats: int = 3, **options: Any) -> Match:
    """A match just started, with known letters."""
    match = Match.started(GAME, seats, first=0, **options)
    all_letters = tuple(LETTERS[: seats + 2])
    match.lay(letters=all_letters[:seats], undealt=all_letters[seats:])
    return match


def pile(cards: str) -> tuple[Laid, ...]:
    """`GUM3* COR1` is a doubled Gummies 3 under a Candy Corn 1."""
    return tuple(Laid(card.rstrip("*"), card.endswith("*")) for card in cards.split())


def piles(*cards: str) -> tuple[tuple[Laid, ...], ...]:
    return tuple(pile(one) for one in cards)


def lined(line: str, *cards: str, seats: int = 2, **options: Any) -> Match:
    """A match over this line and these piles; piles not given are empty."""
    match = table(seats, specials=True, **options)
    places = tuple(line.split())
    rest = ("",) * (len(places) - len(cards))
    match.lay(line=places, piles=piles(*cards, *rest))
    return match


def hold(match: Match, *hands: str) -> None:
    """These hands, from seat 0 on; the others stay."""
    given = tuple(tuple(hand.split()) for hand in hands)
    match.lay(hands=(*given, *match.state.hands[len(given) :]))


def to_play(match: Match, hand: str) -> None:
    """Seat 0 draws, and has this hand when it is to put a card."""
    match.answer(0, Draw())
    assert match.asked == Play(0)
    hold(match, hand)


def ended(match: Match) -> list[Any]:
    """Seat 0 draws the card above Time's Up; what follows."""
    match.lay(deck=("PEP1", "TU"))
    return facts(match.answer(0, Draw()))[1:]


def facts(events: list[Any]) -> list[Any]:
    """The events without the kernel's own."""
    return [event for event in events if not isinstance(event, KERNEL)]


def refused(match: Match, seat: int, option: Any) -> str:
    """The code of a refusal, which writes nothing."""
    before = len(match.commits)
    with pytest.raises(Refused) as caught:
        match.answer(seat, option)
    assert len(match.commits) == before
    return caught.value.code


def order(match: Match) -> str:
    return " ".join(match.state.line)


def candy(match: Match) -> dict[str, int]:
    """What lies under each Lettered Basket, doubled cards twice."""
    state = match.state
    owners = state.but(letters=state.lettered)
    return {letter: owners.candy(seat) for seat, letter in enumerate(state.lettered)}


def under(match: Match, slot: int) -> str:
    return " ".join(p.card + "*" * p.doubled for p in match.state.piles[slot])


def owned(*pairs: tuple[int, str]) -> tuple[Owned, ...]:
    return tuple(Owned(seat, letter) for seat, letter in pairs)

"""A seat's fork keeps what can be counted, by the deal and by all that came and went since."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import pytest

from games.recall import Past
from games.sight import Viewer, cut
from games.trickn_treat import zones
from games.trickn_treat.game import GAME
from tests.games.trickn_treat.table import treat
from tests.play import random_match


class Counts:
    """Ghosts and candies of each hand as one viewer can tell; None where it can't."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.hands: list[list[int] | None] = []

    def moved(self, seat: int, by: int, *cards: Any) -> None:
        counts = self.hands[seat]
        if counts is None or any(isinstance(card, dict) for card in cards):
            self.hands[seat] = None
            return
        for ghost, candy in map(kinds, cards):
            counts[0] += by * ghost
            counts[1] += by * candy

    def add(self, told: dict[str, Any]) -> None:
        match told:
            case {"type": "starter_chosen", "candies": candies}:
                self.hands = [[1, candy] for candy in candies]
            case {"type": "card_played", "seat": seat, "card": card}:
                self.moved(seat, -1, card)
            case {"type": "trick_taken", "seat": seat, "ghosts": ghosts}:
                self.moved(seat, 1, *ghosts)
            case {"type": "cards_swapped", "seat": seat, "put": gone, "took": got}:
                self.moved(seat, -1, gone)
                self.moved(seat, 1, got)
            case {"type": "dummy_exchanged", "seat": seat, "gave": gone, "took": got}:
                self.moved(seat, -1, gone)
                self.moved(seat, 1, got)
            case {"type": "pile_searched", "seat": seat, "taken": True, "card": card}:
                self.moved(seat, 1, card)
            case {"type": "cards_exchanged", "a": a, "b": b, "from_a": one, "from_b": other}:
                for seat, gone, got in ((a, one, other), (b, other, one)):
                    self.moved(seat, -1, gone)
                    self.moved(seat, 1, got)


def kinds(card: str) -> tuple[bool, bool]:
    return card[0] == "*", card[0] != "*" and int(card[1:]) <= 5


def counted(hand: tuple[str, ...]) -> list[int]:
    return [sum(each) for each in zip((0, 0), *map(kinds, hand), strict=True)]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.usefixtures("light_matches")
def test_what_can_be_counted_stays(number: int) -> None:
    rng = random.Random(number)
    match = random_match(GAME, number)
    states = [table.state for table in match.past]
    told = 0
    for viewer in match.viewers:
        counts = Counts(viewer)
        for commit in match.commits:
            for event in commit.events:
                counts.add(cut(event, viewer))
            state, past = states[commit.version], Past(match.commits, states, commit.version)
            if state is None or not state.pending or rng.random() > 0.15:
                continue
            other = GAME.redealt(state, viewer, rng.randrange, past)
            assert all(card[0] == "*" for card in other.out)
            for seat, known in enumerate(counts.hands):
                if known is not None:
                    assert counted(state.hands[seat]) == counted(other.hands[seat]) == known
                    told += seat != viewer
    assert told


def test_a_guess_that_leaves_too_few_for_what_is_counted_is_no_deal() -> None:
    match = treat("R4 R12", "B4", "G12", "Y13", piles=("", "", "B13"))
    for guess, fits in (("B13", True), ("B4", False)):
        known = defaultdict[zones.Zone, tuple[str, ...]](tuple, {(zones.PILE, 2): (guess,)})
        below, hands = random.Random(1).randrange, {(zones.HAND, 1)}
        dealt = zones._redealt(match.state, 0, below, known.__getitem__, hands)
        assert (dealt is not None and dealt.piles[2] == (guess,)) is fits

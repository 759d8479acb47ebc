"""A trick about to start, with the hands that a scenario gives."""

from __future__ import annotations

from typing import Any

from games.rules import Draft
from games.trickn_treat.game import GAME
from games.trickn_treat.options import Play
from games.trickn_treat.state import Dummy, Place
from games.trickn_treat.turns import trick
from tests.play import Match


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def several(texts: tuple[str, ...] | list[str], seats: int) -> tuple[tuple[str, ...], ...]:
    """One text of cards a seat; seats not named have none."""
    return tuple(cards(text) for text in (*texts, *[""] * (seats - len(texts))))


def treat(
    *hands: str,
    leader: Place = 0,
    mode: str = "coop",
    row: str = "",
    dummy_pile: str = "",
    dummy_score: str = "",
    piles: tuple[str, ...] = (),
    scores: tuple[str, ...] = (),
    tokens: str = "",
    **given: Any,
) -> Match:
    """The leader is about to lead; three hands mean a Dummy, in competitive mode dark's is 0."""
    seats = len(hands)
    match = Match.started(GAME, seats, mode=mode)
    given.setdefault("colours", "BGRYP" if seats == 5 else "BGRY")
    given.setdefault("dark", (0,) if mode == "competitive" and seats == 3 else ())
    dummy = Dummy(cards(row), cards(dummy_pile), cards(dummy_score)) if seats == 3 else None
    match.lay(
        pending=(),
        hands=several(hands, seats),
        piles=several(piles, seats),
        scores=several(scores, seats),
        dummy=dummy,
        tokens=cards(tokens) or ("",) * seats,
        free_tokens=(),
        **given,
    )
    draft = Draft(match.state, match.dice())
    match.commit("host", *draft.settle(lambda: trick(draft, leader)))
    return match


def play(match: Match, *played: str) -> list[Any]:
    """These cards by whoever is asked, one after the other; the events of the last."""
    events: list[Any] = []
    for card in played:
        events = match.answer(match.asked.seat, Play(card))
    return events


def happened(match: Match, kind: type) -> list[Any]:
    """Every event of that kind so far."""
    return [e for commit in match.commits for e in commit.events if isinstance(e, kind)]

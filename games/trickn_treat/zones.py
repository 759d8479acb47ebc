"""Where every card is: the count of all, and another deal of the hidden ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from games import rules
from games.forms import Below
from games.sight import Viewer
from games.trickn_treat.state import Dummy, State, is_candy, is_ghost
from games.trickn_treat.turns import PlayCard


def census(state: State) -> Mapping[str, int]:
    """Every card and token, wherever it is."""
    dummy = state.dummy or Dummy()
    zones = (
        *(*state.hands, *state.piles, *state.scores, *state.ghosts),
        *(dummy.row, dummy.pile, dummy.score),
        *(state.out, state.boxed, state.discard, state.free_tokens),
        tuple([token for token in state.tokens if token]),
        tuple([played.card for played in state.table]),
    )
    return Counter([thing for zone in zones for thing in zone])


def redealt(state: State, viewer: Viewer, below: Below) -> State:
    """The hidden hands, piles and ghosts out of the game, dealt anew.

    What all have seen stays true: before the first card the counts of candy and of ghosts, in a
    trick the cards that Ghost 8 brought into a hand, and that a leader about to lead can.
    """
    dealt = _redealt(state, viewer, below)
    while not _consistent(dealt):
        dealt = _redealt(state, viewer, below)
    return rules.rechosen(dealt, viewer, below)


def _consistent(dealt: State) -> bool:
    asked = dealt.pending[-1].item if dealt.pending else None
    return not isinstance(asked, PlayCard) or bool(dealt.table) or dealt.can_lead(asked.place)


def _redealt(state: State, viewer: Viewer, below: Below) -> State:
    hidden = [seat for seat in range(state.seats) if seat != viewer]
    zones = [*[state.hands[s] for s in hidden], *[state.piles[s] for s in hidden], state.out]
    like = _likeness(state)
    pools: dict[str, list[str]] = {}
    for card in [card for zone in zones for card in zone]:
        pools.setdefault(like(card), []).append(card)

    def other(card: str) -> str:
        pool = pools[like(card)]
        return pool.pop(below(len(pool)))

    dealt = iter([tuple([other(card) for card in zone]) for zone in zones])
    hands, piles = list(state.hands), list(state.piles)
    for seat in hidden:
        hands[seat] = next(dealt)
    for seat in hidden:
        piles[seat] = next(dealt)
    return state.but(hands=tuple(hands), piles=tuple(piles), out=next(dealt))


def _likeness(state: State) -> Callable[[str], str]:
    """Cards that are alike may stand for each other."""
    begun = bool(state.table or any(state.piles) or any(state.scores) or state.ended)

    def like(card: str) -> str:
        if card in state.swapped:
            return card
        if begun:
            return "any"
        return "ghost" if is_ghost(card) else "candy" if is_candy(card) else "friend"

    return like

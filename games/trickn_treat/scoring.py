"""Which candy of a trick may be scored, and who has won in the end."""

from __future__ import annotations

from itertools import combinations

from games.sight import Seat
from games.trickn_treat.events import Scored
from games.trickn_treat.options import Score
from games.trickn_treat.state import DUMMY, Place, State, is_candy, number, suit
from games.trickn_treat.tables import TOKENS

WHY = {
    "all_have_four": "everybody has candy of four colours",
    "colours_missing": "not everybody has candy of four colours",
    "all_ghosts": "the other team holds every ghost",
    "points": "their candy counts more",
    "highest_ghost": "equal candy, and they hold the highest ghost",
}
"""How a game may end, told of its winners."""


def scorable(state: State, place: Place) -> tuple[Score, ...]:
    """T30: what the winner of the trick may score, each a whole choice."""
    candies = tuple([p.card for p in state.table if is_candy(p.card)])
    if state.mode == "competitive":
        return lowest(candies, 2 if state.extra else 1)
    return () if place == DUMMY else of_colours(candies, state.extra)


def of_colours(candies: tuple[str, ...], extra: bool) -> tuple[Score, ...]:
    """T31, T58: one candy; after a 7 perhaps two of different colours."""
    pairs = combinations(candies, 2) if extra else ()
    two = [Score(pair) for pair in pairs if suit(pair[0]) != suit(pair[1])]
    return (*[Score((candy,)) for candy in candies], *two)


def lowest(candies: tuple[str, ...], count: int) -> tuple[Score, ...]:
    """T32, T59, TR42: the lowest; where the last of them ties with others, one choice each."""
    ordered = sorted(candies, key=number)
    if not ordered:
        return ()
    last = number(ordered[:count][-1])
    fixed = [candy for candy in ordered if number(candy) < last]
    tied = [candy for candy in ordered if number(candy) == last]
    ways = combinations(tied, min(count, len(ordered)) - len(fixed))
    return tuple([Score((*fixed, *way)) for way in ways])


def counted(state: State) -> Scored:
    return coop(state) if state.mode == "coop" else competitive(state)


def coop(state: State) -> Scored:
    """T49, T18: the token counts as a colour; scores are colours."""
    colours = []
    for score, token in zip(state.scores, state.tokens, strict=True):
        own = {TOKENS[token].candy_side} if token else set()
        colours.append(len(own | set(map(suit, score))))
    won = min(colours) >= 4
    winners = tuple(range(state.seats)) if won else ()
    return Scored(winners, tuple(colours), "all_have_four" if won else "colours_missing")


def competitive(state: State) -> Scored:
    """T50 to T52, TR51: all ghosts, then sums, then the highest ghost."""
    dark_ghosts, light_ghosts = [*state.row], list[str]()
    dark_sum = sum(map(number, state.dummy.score)) if state.dummy else 0
    light_sum = 0
    for seat, (ghosts, score) in enumerate(zip(state.ghosts, state.scores, strict=True)):
        if seat in state.dark:
            dark_ghosts += ghosts
            dark_sum += sum(map(number, score))
        else:
            light_ghosts += ghosts
            light_sum += sum(map(number, score))
    if not dark_ghosts or not light_ghosts:
        dark_wins, why = not dark_ghosts, "all_ghosts"
    elif dark_sum != light_sum:
        dark_wins, why = dark_sum > light_sum, "points"
    else:
        dark_wins = max(map(number, dark_ghosts)) > max(map(number, light_ghosts))
        why = "highest_ghost"
    return Scored(
        _team(state, dark_wins),
        tuple([dark_sum if seat in state.dark else light_sum for seat in range(state.seats)]),
        why,
    )


def _team(state: State, dark: bool) -> tuple[Seat, ...]:
    return tuple([seat for seat in range(state.seats) if (seat in state.dark) == dark])

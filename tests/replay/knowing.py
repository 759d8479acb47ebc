"""What a seat cannot but know of hidden places: an account of its own, by what is counted there.

Only what is certain: a face that was seen going to a place counts as long as nothing has left that
place unseen; and so does one that was seen leaving it before that was taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from games.history import led_here, reverted_to
from games.match import MatchEvent
from games.sight import cut
from tests.play import Match

Zones = Mapping[Any, tuple[str, ...]]


def _by_seat(name: str, zones: tuple[tuple[str, ...], ...]) -> dict[Any, tuple[str, ...]]:
    return {(name, seat): cards for seat, cards in enumerate(zones)}


def _masked(state: Any) -> dict[Any, tuple[str, ...]]:
    hands = tuple([tuple([held.code for held in hand]) for hand in state.hands])
    spaces = {("space", tile.by, space): (tile.code,) for space, tile in state.tiles.items()}
    return {**_by_seat("hand", hands), **spaces}


ZONES: dict[str, Callable[[Any], Zones]] = {
    "tricks-and-treats": lambda s: _by_seat("hand", s.hands),
    "trick-or-treat": lambda s: _by_seat("hand", s.hands),
    "trickn-treat": lambda s: {**_by_seat("hand", s.hands), **_by_seat("pile", s.piles)},
    "ghosts-love-candy-too": lambda s: _by_seat("secret", tuple([(x.card,) for x in s.secrets])),
    "masked-mischief": _masked,
}
DECKS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "tricks-and-treats": lambda s: s.deck,
    "trick-or-treat": lambda s: s.deck[::-1],
    "ghosts-love-candy-too": lambda s: s.bag,
}
"""From the top on; those whose order is fixed before they are drawn from."""


class Left(NamedTuple):
    zone: Any
    face: str
    gains: int


class Account:
    """What the seat knows after one commit."""

    def __init__(self) -> None:
        self.must: dict[Any, Counter[str]] = {}
        self.gains: Counter[Any] = Counter()
        self.left: tuple[Left, ...] = ()
        self.drawn: tuple[Any, ...] = ()
        self.mixed = 0
        self.top: Any = None

    def copy(self) -> Account:
        made = Account()
        made.must = {zone: Counter(faces) for zone, faces in self.must.items()}
        made.gains, made.left = Counter(self.gains), self.left
        made.drawn, made.mixed, made.top = self.drawn, self.mixed, self.top
        return made

    def back(self, then: Account) -> Account:
        made = then.copy()
        for left in self.left[len(then.left) :]:
            if left.gains == then.gains[left.zone]:
                made.must.setdefault(left.zone, Counter())[left.face] += 1
                made.left += (left,)
        if len(self.drawn) > len(then.drawn) and self.mixed == then.mixed:
            first = self.drawn[len(then.drawn)]
            made.top = then.top if first is None else first
        return made

    def event(self, zones: tuple[Zones, Zones], decks: Any, seen: set[Any]) -> None:
        before, after = zones
        for zone in {*before, *after}:
            was, now = (Counter(side.get(zone, ())) for side in (before, after))
            must = self.must.setdefault(zone, Counter())
            for face in (was - now).elements():
                if face not in seen:
                    must.clear()
                elif must[face]:
                    must[face] -= 1
                else:
                    self.left += (Left(zone, face, self.gains[zone]),)
            for face in (now - was).elements():
                self.gains[zone] += 1
                must[face] += face in seen
        self._deck(*decks, seen)

    def _deck(self, before: tuple[Any, ...], after: tuple[Any, ...], seen: set[Any]) -> None:
        count = len(before) - len(after)
        if count > 0 and before[count:] == after:
            faces = before[:count]
            self.drawn += tuple([face if face in seen else None for face in faces])
            self.top = None
        elif before != after:
            self.mixed += 1
            self.top = None


def account(match: Match, viewer: int) -> Account:
    """What the seat knows of the match as it stands."""
    zones, deck = ZONES[match.game.id], DECKS.get(match.game.id, lambda s: ())
    after = [Account()]
    for commit in match.commits:
        to = reverted_to(commit)
        if to is None:
            now = after[-1].copy()
        else:
            led = {each.version for each in led_here(match.commits, commit.version - 1)}
            now = after[-1].back(after[to]) if to in led else after[to].copy()
        state = match.past[commit.version - 1].state
        for event in commit.events:
            if isinstance(event, MatchEvent) or state is None:
                continue
            next_state = event.apply(state)
            seen = set(_values(cut(event, viewer)))
            now.event((zones(state), zones(next_state)), (deck(state), deck(next_state)), seen)
            state = next_state
        after.append(now)
    return after[-1]


def _values(shown: Any) -> Iterator[Any]:
    if isinstance(shown, dict):
        shown = list(shown.values())
    if isinstance(shown, list | tuple):
        for item in shown:
            yield from _values(item)
    else:
        yield shown


def contradictions(match: Match, viewer: int, state: Any) -> list[Any]:
    """What the state says otherwise than the seat knows."""
    known = account(match, viewer)
    zones = ZONES[match.game.id](state)
    found: list[Any] = [
        (zone, faces - Counter(zones.get(zone, ())))
        for zone, faces in known.must.items()
        if faces - Counter(zones.get(zone, ()))
    ]
    if known.top is not None:
        deck = DECKS[match.game.id](state)
        found += [("top", known.top, deck[:1])] if deck[:1] != (known.top,) else []
    return found

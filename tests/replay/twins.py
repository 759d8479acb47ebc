"""Another state that looks the same to a viewer: all that may lie elsewhere for all it sees does.

Whether it could have come about is no matter: who makes a fork is not to look.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from games.masked_mischief.printed import TREATS
from games.masked_mischief.state import Held
from games.sight import Fact, Viewer, covered
from games.trickn_treat.state import is_candy, is_ghost
from games.tricks_and_treats.cards import TIMES_UP

Zones = Sequence[tuple[Any, ...]]


def _mixed(zones: Zones, rng: random.Random, spare: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
    """The same things in zones of the same sizes; those to be spared stay where they are."""
    pool = [thing for zone in zones for thing in zone if thing not in spare]
    rng.shuffle(pool)
    return [tuple([t if t in spare else pool.pop() for t in zone]) for zone in zones]


def _others(zones: Zones, viewer: Viewer, made: Zones) -> tuple[tuple[Any, ...], ...]:
    """What was made for all seats but the viewer's."""
    left = iter(made)
    return tuple([zone if seat == viewer else next(left) for seat, zone in enumerate(zones)])


def _hidden(zones: Zones, viewer: Viewer) -> list[tuple[Any, ...]]:
    return [zone for seat, zone in enumerate(zones) if seat != viewer]


def _sweet(state: Any, viewer: Viewer, rng: random.Random) -> Any:
    deck, *hands = _mixed([state.deck, *_hidden(state.hands, viewer)], rng, (TIMES_UP,))
    told = {owned.seat for shown in state.shown for owned in shown} | {viewer}
    told |= {owned.seat for owned in state.known[viewer]} if isinstance(viewer, int) else set()
    seats = [seat for seat in state.seats if seat not in told]
    letters = [(state.letters[seat],) for seat in seats]
    undealt, *dealt = _mixed([state.undealt, *letters], rng) if seats else [state.undealt]
    said = {owned.seat: owned.letter for owned in state.ruled_out}
    if all(letter != said.get(seat) for seat, (letter,) in zip(seats, dealt, strict=True)):
        made = dict(zip(seats, dealt, strict=True))
        whole = [made.get(seat, (letter,))[0] for seat, letter in enumerate(state.letters)]
        state = state.but(letters=tuple(whole), undealt=undealt)
    return state.but(deck=deck, hands=_others(state.hands, viewer, hands))


def _streets(state: Any, viewer: Viewer, rng: random.Random) -> Any:
    deck, *hands = _mixed([state.deck, *_hidden(state.hands, viewer)], rng)
    sets, removed = _mixed([state.set_deck, state.removed], rng)
    given = _others(state.hands, viewer, hands)
    return state.but(deck=deck, hands=given, set_deck=sets, removed=removed)


def _tricky(state: Any, viewer: Viewer, rng: random.Random) -> Any:
    hands, piles = _hidden(state.hands, viewer), _hidden(state.piles, viewer)
    zones = [*hands, *piles, state.out]
    cards = [card for zone in zones for card in zone]
    for kind in _counted(cards):
        zones = _mixed(zones, rng, set(cards) - kind)
    if state.table or any(state.piles) or any(state.scores):
        zones = [*_mixed(zones[:-1], rng), zones[-1]]
    zones = [tuple(rng.sample(zone, len(zone))) for zone in zones]
    count = len(hands)
    return state.but(
        hands=_others(state.hands, viewer, zones[:count]),
        piles=_others(state.piles, viewer, zones[count:-1]),
        out=zones[-1],
    )


def _counted(cards: list[str]) -> list[set[str]]:
    """Ghosts, candy and friends: before the first card all know how many of each a hand has."""
    ghosts = {card for card in cards if is_ghost(card)}
    candy = {card for card in cards if is_candy(card)} - ghosts
    return [ghosts, candy, set(cards) - ghosts - candy]


def _haunted(state: Any, viewer: Viewer, rng: random.Random) -> Any:
    seen = [viewer in each.knowers for each in state.secrets]
    unseen = tuple(
        [each.card for each, known in zip(state.secrets, seen, strict=True) if not known]
    )
    cards, boxed = _mixed([unseen, state.boxed], rng)
    left = iter(cards)
    secrets = [
        each if known else replace(each, card=next(left))
        for each, known in zip(state.secrets, seen, strict=True)
    ]
    (deck,), (bag,) = _mixed([state.deck], rng), _mixed([state.bag], rng)
    return state.but(secrets=tuple(secrets), boxed=boxed, deck=deck, bag=bag)


def _masked(state: Any, viewer: Viewer, rng: random.Random) -> Any:
    tiles, bags, placing = dict(state.tiles), list(state.bags), list(state.placing)
    others = [seat for seat in range(state.seats) if seat != viewer]
    for owner in others:
        down = [s for s, tile in tiles.items() if tile.kind == "trick" and tile.by == owner]
        zones = [bags[owner], placing[owner], tuple([tiles[space].code for space in down])]
        bags[owner], placing[owner], codes = _mixed(zones, rng, TREATS)
        tiles |= {s: replace(tiles[s], code=code) for s, code in zip(down, codes, strict=True)}
        bags[owner] = tuple(sorted(bags[owner]))
    down = [s for s, tile in tiles.items() if tile.kind == "treat" and tile.by != viewer]
    held = tuple([t.code for hand in state.hands for t in hand if viewer not in t.known])
    zones = [state.treats, held, tuple([tiles[space].code for space in down])]
    zones += [placing[seat] for seat in others]
    tricks = {code for zone in zones for code in zone if code not in TREATS}
    treats, held, codes, *laid = _mixed(zones, rng, tricks)
    tiles |= {s: replace(tiles[s], code=code) for s, code in zip(down, codes, strict=True)}
    left = iter(held)
    hands = [
        tuple([t if viewer in t.known else Held(t.known, next(left)) for t in hand])
        for hand in state.hands
    ]
    return state.but(
        tiles=tiles,
        bags=tuple(bags),
        placing=_others(placing, viewer, laid),
        treats=tuple(sorted(treats)),
        hands=tuple(hands),
    )


TWINS: dict[str, Callable[[Any, Viewer, random.Random], Any]] = {
    "tricks-and-treats": _sweet,
    "trick-or-treat": _streets,
    "trickn-treat": _tricky,
    "ghosts-love-candy-too": _haunted,
    "masked-mischief": _masked,
}


def veiled(value: Any, viewer: Viewer) -> Any:
    """The fact with something else wherever the viewer may not look, of the same size."""
    return covered(value, lambda audience, part: part if audience.has(viewer) else _other(part))


def _other(part: Any) -> Any:
    if isinstance(part, tuple):
        return tuple(map(_other, part))
    return NOTHING if isinstance(part, str | int | Fact) and not isinstance(part, bool) else part


NOTHING = "not to be seen"

"""Another table that a viewer can't tell from this one: every tile it doesn't know is another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from games import rules
from games.dealing import dealt, taken
from games.forms import Below
from games.masked_mischief import printed
from games.masked_mischief.state import Held, State, Tile
from games.masked_mischief.tiles import (
    HandLifted,
    HandsRearranged,
    HandsShown,
    TilesLaid,
    TreatPlayed,
    TreatsKept,
    TreatsPutBack,
    TreatStolen,
    TreatTaken,
    TrickCleared,
    TrickFlipped,
    TricksMoved,
)
from games.memory import Memory
from games.recall import NO_PAST, Past, recalled
from games.sight import Viewer

BAG = "bag"


def redealt(state: State, viewer: Viewer, below: Below, past: Past = NO_PAST) -> State:
    """Every tile whose face the viewer doesn't know changes places with others of its bag."""
    memory = recalled(past, viewer, below, watch)
    for owner in range(state.seats):
        if owner != viewer:
            state = _tricks_redealt(state, owner, below, memory)
    other = _treats_redealt(state, viewer, below, memory)
    return rules.rechosen(other, viewer, below, memory.disclosed)


def _tricks_redealt(state: State, owner: int, below: Below, memory: Memory) -> State:
    """All Tricks of one owner: those in the bag, in hand to be laid, and face down."""
    down = [s for s, tile in state.tiles.items() if tile.kind == "trick" and tile.by == owner]
    placing = state.placing[owner]
    lifted = [code for code in placing if code in printed.TRICKS]
    pool = Counter([*state.bags[owner], *lifted, *[state.tiles[space].code for space in down]])
    kept = {space: taken(pool, memory.kept(space), 1) for space in down}
    tiles = dict(state.tiles)
    for space in down:
        tiles[space] = Tile("trick", owner, (kept[space] or dealt(pool, 1, below))[0])
    drawn = _dealt_again(placing, printed.TRICKS, pool, below)
    return state.but(
        tiles=tiles,
        placing=(*state.placing[:owner], drawn, *state.placing[owner + 1 :]),
        bags=(*state.bags[:owner], tuple(sorted(pool.elements())), *state.bags[owner + 1 :]),
    )


def _treats_redealt(state: State, viewer: Viewer, below: Below, memory: Memory) -> State:
    """The Treats in the bag, in others' hands unless the viewer knows them, and face down."""
    down = [s for s, tile in state.tiles.items() if tile.kind == "treat" and tile.by != viewer]
    others = [seat for seat in range(state.seats) if seat != viewer]
    held = [tile.code for hand in state.hands for tile in hand if viewer not in tile.known]
    lifted = [c for seat in others for c in state.placing[seat] if c in printed.TREATS]
    pool = Counter([*state.treats, *held, *lifted, *[state.tiles[s].code for s in down]])
    kept = {space: taken(pool, memory.kept(space), 1) for space in down}
    hands = [_hand(hand, memory.kept(seat), viewer, pool) for seat, hand in enumerate(state.hands)]
    tiles = dict(state.tiles)
    for space in down:
        by = state.tiles[space].by
        tiles[space] = Tile("treat", by, (kept[space] or dealt(pool, 1, below))[0])
    placing = list(state.placing)
    for seat in others:
        known = taken(pool, memory.kept(_placing(seat)), len(placing[seat]))
        placing[seat] = _dealt_again(placing[seat], printed.TREATS, pool, below, known)
    whole = [
        tuple([t if t.code else Held(t.known, dealt(pool, 1, below)[0]) for t in hand])
        for hand in hands
    ]
    return state.but(
        tiles=tiles,
        hands=tuple(whole),
        placing=tuple(placing),
        treats=tuple(sorted(pool.elements())),
    )


def _dealt_again(
    codes: Sequence[str],
    kind: Any,
    pool: Counter[str],
    below: Below,
    known: Sequence[str] = (),
) -> tuple[str, ...]:
    """Those of the kind are others, but for the known ones."""
    first = iter(known)
    return tuple([next(first, None) or dealt(pool, 1, below)[0] if c in kind else c for c in codes])


def _hand(
    hand: Sequence[Held], remembered: Sequence[str], viewer: Viewer, pool: Counter[str]
) -> list[Held]:
    """What the viewer knows of a hand; a Treat that it does not know has no face yet."""
    unknown = sum(viewer not in tile.known for tile in hand)
    first = iter(taken(pool, remembered, unknown))
    return [t if viewer in t.known else Held(t.known, next(first, "")) for t in hand]


def _placing(seat: int) -> tuple[str, int]:
    return "placing", seat


def watch(memory: Memory, state: State | None, event: Any) -> None:
    """Face down tiles are known by their space, hands by their seat, as far as `Held.known` does
    not tell: what somebody has seen and cannot say any more which of several it is."""
    if state is None:
        return
    match event:
        case TrickFlipped(space=space, code=code):
            memory.went(space, code)
        case TrickCleared(space=space):
            memory.shuffled(space)
        case TricksMoved(moves=moves):
            known = [(to, memory.known(left)) for left, to in moves]
            memory.shuffled(*[left for left, _ in moves])
            for to, codes in known:
                memory.came(to, *codes)
        case HandLifted(seat=seat) if seat != memory.viewer:
            memory.came(_placing(seat), *_known(memory, state, seat))
            memory.shuffled(seat)
        case TilesLaid(seat=seat, kind="treat", spaces=spaces) if seat != memory.viewer:
            for n, space in enumerate(spaces):
                memory.shuffled(space)
                memory.slipped(_placing(seat), space, len(state.placing[seat]) - n)
        case TilesLaid(spaces=spaces):
            memory.shuffled(*spaces)
        case TreatsPutBack(seat=seat, codes=codes) if seat != memory.viewer:
            _slip(memory, state, seat, BAG, len(codes))
            memory.shuffled(BAG)
        case TreatsKept(seat=seat, codes=codes) if seat != memory.viewer:
            _slip(memory, state, seat, seat, len(codes))
        case TreatTaken(seat=seat, space=space, layer=layer, code=code):
            if memory.viewer in (seat, layer):
                memory.went(space, code)
            else:
                memory.came(seat, *(memory.known(space) or (None,)))
                memory.shuffled(space)
        case TreatStolen(thief=thief, victim=victim, known=knowers, code=code):
            if memory.viewer in knowers:
                _leaves(memory, state, victim, event.slot, code)
            elif memory.viewer not in state.hands[victim][event.slot].known:
                memory.slipped(victim, thief, _unknown(memory, state, victim))
        case TreatPlayed(seat=seat, slot=slot, code=code):
            _leaves(memory, state, seat, slot, code)
        case HandsShown(to=to, hands=hands) if to == memory.viewer:
            for seat, codes in enumerate(hands):
                for slot, code in enumerate(codes):
                    _leaves(memory, state, seat, slot, code)
        case HandsRearranged(by=by, hands=hands) if by != memory.viewer:
            _rearranged(memory, state, hands)


def _leaves(memory: Memory, state: State, seat: int, slot: int, code: str) -> None:
    """A Treat is seen leaving a hand, or its place in it from then on."""
    if memory.viewer not in state.hands[seat][slot].known:
        memory.went(seat, code)


def _slip(memory: Memory, state: State, seat: int, to: Any, count: int) -> None:
    for n in range(count):
        memory.slipped(_placing(seat), to, len(state.placing[seat]) - n)


def _unknown(memory: Memory, state: State, seat: int) -> int:
    return sum(memory.viewer not in held.known for held in state.hands[seat])


def _known(memory: Memory, state: State, seat: int) -> list[str]:
    """What the viewer knows of a hand, in which place or not."""
    seen = [held.code for held in state.hands[seat] if memory.viewer in held.known]
    return [*seen, *memory.known(seat)]


def _rearranged(memory: Memory, state: State, hands: Sequence[Sequence[str]]) -> None:
    """All hands are dealt anew by somebody else: what was known is in one of them, and not in the
    viewer's own if it does not see it there."""
    known = Counter([code for seat in range(state.seats) for code in _known(memory, state, seat)])
    memory.shuffled(*range(state.seats))
    others = [seat for seat in range(state.seats) if seat != memory.viewer]
    if isinstance(memory.viewer, int):
        known -= Counter(hands[memory.viewer])
    room = [seat for seat in others for _ in hands[seat]]
    for code in sorted(known.elements()):
        if room:
            memory.guessed(room, code)

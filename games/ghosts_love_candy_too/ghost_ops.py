"""Steps of the effect vocabulary that move ghosts."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal

from msgspec import field

from games.forms import Arrangement
from games.ghosts_love_candy_too import ability_events as events
from games.ghosts_love_candy_too.frames import Ask, Script, ask
from games.ghosts_love_candy_too.options import HandGhost, PileGhost, Place
from games.ghosts_love_candy_too.scene import Scene, placed_here
from games.ghosts_love_candy_too.sheet import Op
from games.ghosts_love_candy_too.standing import marks, may_enter
from games.ghosts_love_candy_too.state import Ghost
from games.ghosts_love_candy_too.treat_ops import OneKid

Pile = list[tuple[int, Ghost]]


class GhostMove(Op, frozen=True, tag="ghostMove"):
    """One ghost to the top of another kid's pile (GR30); bans hold (GR57)."""

    from_: OneKid | Literal["SELF"] = field(name="from")
    which: Literal["top", "any", "notJust"]
    to: Literal["NEXT_TO_SOURCE", "ELSEWHERE", "ADJ1"]

    def act(self, scene: Scene, on: int) -> Script:
        source = yield from scene.kid(self.from_, lambda at: bool(self._movable(scene, at)))
        if source is None:
            return None
        ghost = yield from choose(scene, source, self._movable(scene, source))
        to = yield from scene.one_kid(self._goals(scene, source, ghost))
        return lambda draft: draft.emit(events.GhostMoved(source, to, ghost))

    def _movable(self, scene: Scene, at: int) -> Pile:
        pile = list(enumerate(scene.state.row[at].pile))
        if self.which == "top":
            pile = pile[-1:]
        if self.which == "notJust":
            pile = [(i, ghost) for i, ghost in pile if not ghost.same(scene.state.just)]
        return [(i, ghost) for i, ghost in pile if self._goals(scene, at, ghost)]

    def _goals(self, scene: Scene, source: int, ghost: Ghost) -> list[int]:
        goals = scene.candidates(self.to, source)
        return [at for at in goals if at != source and may_enter(scene.state, at, ghost)]


class GhostDiscard(Op, frozen=True, tag="ghostDiscard"):
    """One ghost of a kid, or of each of several, to the discard."""

    of: OneKid | Literal["SELF", "ADJ", "EVERY_KID"]
    which: Literal["top", "own", "lowest", "highest"]

    def targets(self, scene: Scene) -> tuple[int, ...]:
        return scene.spots(self.of)

    def act(self, scene: Scene, on: int) -> Script:
        at = yield from scene.kid(self.of, lambda at: bool(self._fit(scene, at)), on)
        if at is None:
            return None
        ghost = yield from choose(scene, at, self._fit(scene, at))
        return lambda draft: draft.emit(events.GhostDiscarded(at, ghost))

    def _fit(self, scene: Scene, at: int) -> Pile:
        pile = list(enumerate(scene.state.row[at].pile))
        if self.which == "own":
            return [(i, ghost) for i, ghost in pile if ghost.seat == scene.you]
        if self.which == "top":
            return pile[-1:]
        sign = 1 if self.which == "lowest" else -1
        nearest_top_first = sorted(pile, key=lambda place: (sign * place[1].value, -place[0]))
        return nearest_top_first[:1]


class GhostSink(Op, frozen=True, tag="ghostSink"):
    """The ghost just placed goes under all others here."""

    def act(self, scene: Scene, on: int) -> Script:
        yield from ()
        ghost, at = placed_here(scene), scene.slot
        if ghost is None or len(scene.state.row[at].pile) < 2:
            return None
        order = (ghost, *[g for g in scene.state.row[at].pile if g != ghost])
        return lambda draft: draft.emit(events.PileReordered(at, order))


class GhostOrder(Op, frozen=True, tag="ghostOrder"):
    """A pile of two or more in any order."""

    of: OneKid | Literal["SELF"]

    def act(self, scene: Scene, on: int) -> Script:
        row = scene.state.row
        at = yield from scene.kid(self.of, lambda at: len(row[at].pile) > 1)
        if at is None:
            return None
        pile = row[at].pile
        items = tuple([pile_ghost(at, i, ghost) for i, ghost in enumerate(pile)])
        places = tuple([Place(i) for i in range(len(pile))])
        chosen = yield Ask("order", (scene.you,), Arrangement(items, places))
        order = dict(zip([place.position for place in chosen], pile, strict=True))
        piled = tuple([order[i] for i in range(len(pile))])
        return lambda draft: draft.emit(events.PileReordered(at, piled))


class GhostExchange(Op, frozen=True, tag="ghostExchange"):
    """The ghost just placed for one of the hand, out of the same set (GR58)."""

    def act(self, scene: Scene, on: int) -> Script:
        out = placed_here(scene)
        if out is None:
            return None
        hand = scene.state.hands[out.seat][out.of]
        if not hand:
            return None
        chosen = yield ask("hand", scene.you, [HandGhost(value) for value in hand])
        into = Ghost(out.seat, chosen.value, out.of, marks(scene.state, out.seat))
        at = scene.slot
        return lambda draft: draft.emit(events.GhostExchanged(out.seat, at, out, into))


def pile_ghost(at: int, position: int, ghost: Ghost) -> PileGhost:
    return PileGhost(at, position, ghost.seat, ghost.value)


def choose(scene: Scene, at: int, pile: Pile) -> Generator[Ask, Any, Ghost]:
    """One of these ghosts of a kid."""
    chosen = yield ask("ghost", scene.you, [pile_ghost(at, i, ghost) for i, ghost in pile])
    ghost: Ghost = scene.state.row[at].pile[chosen.position]
    return ghost

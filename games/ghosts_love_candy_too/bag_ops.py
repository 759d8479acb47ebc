"""Steps of the effect vocabulary that draw from the bag."""

from __future__ import annotations

from typing import Literal

from games.ghosts_love_candy_too.ability_events import HeldSettled, HeldTossed
from games.ghosts_love_candy_too.events import Drawn, PlacementStopped
from games.ghosts_love_candy_too.events import Placed as PlacedOn
from games.ghosts_love_candy_too.frames import Act, Script, ask
from games.ghosts_love_candy_too.options import Treat
from games.ghosts_love_candy_too.scene import Scene
from games.ghosts_love_candy_too.sheet import Op
from games.ghosts_love_candy_too.standing import extra_draws
from games.ghosts_love_candy_too.state import CANDY, TYPES, State, kinds, without
from games.ghosts_love_candy_too.supply import draw, draw_until, mix, serve, supplied
from games.ghosts_love_candy_too.treat_ops import Many, Some
from games.rules import Draft
from games.sight import Seat

Rest = Literal["discard", "bag", "kid"]


def settle(scene: Scene, seat: Seat, kept: tuple[str, ...], rest: Rest, at: int = -1) -> Act:
    """The held treats that are not kept go to the discard, the bag or a kid."""
    left = without(scene.state.held[seat], *kept)

    def act(draft: Draft[State]) -> None:
        draft.emit(HeldSettled(seat, kept, left, rest, at))
        if rest == "bag" and left:
            mix(draft)

    return act


class Draw(Op, frozen=True, tag="draw"):
    """Each of the players draws; with `keep` the others of those drawn go to `rest`."""

    n: Some | Literal["RETURNED"]
    who: Many = "YOU"
    keep: Some | None = None
    rest: Rest = "discard"

    def targets(self, scene: Scene) -> tuple[int, ...]:
        return scene.crowd(self.who)

    def asker(self, scene: Scene, on: int) -> int:
        return on

    def act(self, scene: Scene, on: int) -> Script:
        n = scene.returned if self.n == "RETURNED" else self.n
        if not n or not supplied(scene.state):
            return None
        yield from ()

        def take(draft: Draft[State]) -> None:
            treats = draw(draft, n + extra_draws(scene.state, on))
            extra = max(0, len(treats) - n)
            held = self.keep is not None or extra > 0
            draft.emit(Drawn(on, treats, held))
            if held:
                scene.then("spare", *[on] * extra)
                scene.then("keep_some", on)

        return take

    def spare(self, scene: Scene, on: int) -> Script:
        """GR60: one of those drawn is discarded before anything else."""
        held = scene.state.held[on]
        chosen = yield ask("spare", on, [Treat(token) for token in kinds(held)])
        return lambda draft: draft.emit(HeldTossed(on, chosen.token))

    def keep_some(self, scene: Scene, on: int) -> Script:
        held = scene.state.held[on]
        n = len(held) if self.keep is None else self.keep
        kept = yield from scene.treats(on, held, n, "keep")
        rest, at = self.rest, None
        if rest == "kid" and len(kept) < len(held):
            at = yield from scene.kid("ANY_KID", by=on, kind="target")
        if rest == "kid" and at is None:
            rest = "discard"
        return settle(scene, on, kept, rest, -1 if at is None else at)


class Search(Op, frozen=True, tag="search"):
    """YOU draw one by one until a token matches; the match is kept, the others go to `rest`."""

    stop: Literal["named", "candy"]
    rest: Literal["discard", "bag"]
    max: Some | None = None

    def act(self, scene: Scene, on: int) -> Script:
        if not supplied(scene.state):
            return None
        wanted = CANDY
        if self.stop == "named":
            chosen = yield ask("name", scene.you, [Treat(token) for token in TYPES])
            wanted = frozenset((chosen.token,))

        def look(draft: Draft[State]) -> None:
            treats = draw_until(draft, self.max, lambda token: token in wanted)
            draft.emit(Drawn(scene.you, treats, True))
            scene.then("found" if treats[-1] in wanted else "missed", scene.you)

        return look

    def found(self, scene: Scene, on: int) -> Script:
        yield from ()
        return settle(scene, on, scene.state.held[on][-1:], self.rest)

    def missed(self, scene: Scene, on: int) -> Script:
        yield from ()
        return settle(scene, on, (), self.rest)


class Put(Op, frozen=True, tag="put"):
    """The next tokens of the bag onto each of the kids, Junk like any other."""

    on: Literal["SELF", "ADJ", "EVERY_KID", "EMPTY_KIDS", "MY_TOPS"]
    n: Some

    def targets(self, scene: Scene) -> tuple[int, ...]:
        return scene.spots(self.on)

    def act(self, scene: Scene, on: int) -> Script:
        if not supplied(scene.state):
            return None
        yield from ()
        return lambda draft: draft.emit(PlacedOn(on, draw(draft, self.n), on))


class Serve(Op, frozen=True, tag="serve"):
    """One helping on each of the kids, Junk and all (GR54)."""

    on: Literal["SELF", "ADJ", "EVERY_KID", "EMPTY_KIDS", "MY_TOPS", "NEW"]

    def targets(self, scene: Scene) -> tuple[int, ...]:
        return scene.spots(self.on)

    def act(self, scene: Scene, on: int) -> Script:
        yield from ()

        def helping(draft: Draft[State]) -> None:
            if not serve(draft, on, on):
                draft.emit(PlacementStopped(on))

        return helping

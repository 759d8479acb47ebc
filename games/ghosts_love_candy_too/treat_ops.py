"""Steps of the effect vocabulary that move treats between kids, stashes and the discard."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from games.forms import Subset
from games.ghosts_love_candy_too import ability_events as events
from games.ghosts_love_candy_too.events import TreatsTaken
from games.ghosts_love_candy_too.frames import Ask, Script, What, ask
from games.ghosts_love_candy_too.options import Treat
from games.ghosts_love_candy_too.scene import Scene, matching
from games.ghosts_love_candy_too.sheet import Op
from games.ghosts_love_candy_too.state import RANK, State, kinds
from games.ghosts_love_candy_too.supply import mix
from games.rules import Draft

Some = Annotated[int, msgspec.Meta(ge=1)]
All = Literal["all"]
Many = Literal["YOU", "EACH", "EACH_OTHER", "EACH_RICHER", "RECEIVER", "TOP", "BOTTOM", "PRESENT"]
OneKid = Literal["ADJ1", "OTHER_KID", "ANY_KID", "END_KID"]
Owner = Literal["YOU", "TOP", "BOTTOM", "MOST", "RECEIVER"]
"""Words for one player at most."""


class Take(Op, frozen=True, tag="take"):
    """Treats of one kid or of each of several, or of the discard, into a stash."""

    from_: OneKid | Literal["SELF", "ADJ", "EVERY_KID", "MY_TOPS", "DISCARD"] = msgspec.field(
        name="from"
    )
    n: Some | All
    who: Owner = "YOU"
    min: Some = 1

    def targets(self, scene: Scene) -> tuple[int, ...]:
        return scene.spots(self.from_)

    def asker(self, scene: Scene, on: int) -> int:
        return next(iter(scene.crowd(self.who)), scene.you)

    def act(self, scene: Scene, on: int) -> Script:
        seat = next(iter(scene.crowd(self.who)), None)
        if seat is None:
            return None
        if self.from_ == "DISCARD":
            at, pool = -1, scene.state.treat_discard
        else:
            least = self.min
            slot = yield from scene.kid(
                self.from_, lambda at: scene.open(at, least=least), on, by=seat
            )
            if slot is None:
                return None
            at, pool = slot, scene.state.row[slot].treats
        treats = yield from scene.treats(seat, pool, self.n)
        return (lambda draft: draft.emit(TreatsTaken(seat, at, treats))) if treats else None


class Transfer(Op, frozen=True, tag="transfer"):
    """Treats from one stash to another, picked by the giver, by YOU or by chance."""

    from_: Literal["YOU", "OTHER", "LEFT", "RIGHT", "RICHEST", "RICHEST_OTHER"] = msgspec.field(
        name="from"
    )
    to: Literal["YOU", "LEFT", "RIGHT", "POOREST"]
    n: Some
    pick: Literal["giver", "you", "random"]

    def act(self, scene: Scene, on: int) -> Script:
        giver = yield from scene.player(
            self.from_, lambda seat: bool(scene.stash(seat)) and not scene.safe(seat)
        )
        if giver is None:
            return None
        to = yield from scene.player(self.to, lambda seat: seat != giver, giver, "receiver")
        if to is None:
            return None
        stash, n = scene.stash(giver), self.n
        if self.pick == "random":
            return lambda draft: draft.emit(
                events.TreatsMoved(giver, to, draft.dice.take(stash, n), True)
            )
        picker = giver if self.pick == "giver" else scene.you
        kind = "give" if picker == giver else "treat"
        treats = yield from scene.treats(picker, stash, n, kind)
        return lambda draft: draft.emit(events.TreatsMoved(giver, to, treats, False))


class Trade(Op, frozen=True, tag="trade"):
    """One own treat for one of a kid or of another player, both picked by YOU, own first."""

    with_: OneKid | Literal["OTHER"] = msgspec.field(name="with")
    what: What = "any"

    def act(self, scene: Scene, on: int) -> Script:
        you, what = scene.you, self.what
        mine = matching(scene.stash(you), what)
        if not mine:
            return None
        if self.with_ != "OTHER":
            at = yield from scene.kid(self.with_, lambda at: scene.open(at, what))
            if at is None:
                return None
            (gave,) = yield from scene.treats(you, kinds(mine), 1, "give")
            theirs = matching(scene.state.row[at].treats, what)
            (got,) = yield from scene.treats(you, kinds(theirs), 1)
            return lambda draft: draft.emit(events.TradedWithKid(you, at, gave, got))
        other = yield from scene.player(
            "OTHER", lambda s: bool(matching(scene.stash(s), what)) and not scene.safe(s)
        )
        if other is None:
            return None
        (gave,) = yield from scene.treats(you, kinds(mine), 1, "give")
        (got,) = yield from scene.treats(you, kinds(matching(scene.stash(other), what)), 1)
        return lambda draft: draft.emit(events.TradedWithSeat(you, other, gave, got))


class Toss(Op, frozen=True, tag="toss"):
    """Each of the players discards treats of their choice."""

    n: Some
    who: Many | Literal["OTHER"] = "YOU"
    what: What = "any"
    full: bool = False
    need: Literal["ownScaredKid"] | None = None

    def targets(self, scene: Scene) -> tuple[int, ...]:
        return scene.crowd(self.who)

    def asker(self, scene: Scene, on: int) -> int:
        return on if on >= 0 else scene.you

    def act(self, scene: Scene, on: int) -> Script:
        if self.need and not scene.state.scared[scene.you]:
            return None
        seat: int | None = on if on >= 0 and self._can(scene, on) else None
        if on < 0:
            seat = yield from scene.player(self.who, lambda seat: self._can(scene, seat))
        if seat is None:
            return None
        loser = seat
        treats = yield from scene.treats(
            loser, matching(scene.stash(loser), self.what), self.n, "toss"
        )
        return lambda draft: draft.emit(events.TreatsTossed(loser, treats))

    def _can(self, scene: Scene, seat: int) -> bool:
        pool = matching(scene.stash(seat), self.what)
        enough = len(pool) >= (self.n if self.full else 1)
        return enough and (self.may or not scene.safe(seat))


class Lay(Op, frozen=True, tag="lay"):
    """Own treats onto a kid."""

    on: OneKid | Literal["SELF"]
    n: Some
    what: What = "any"

    def act(self, scene: Scene, on: int) -> Script:
        you = scene.you
        mine = matching(scene.stash(you), self.what)
        at = (yield from scene.kid(self.on, kind="target")) if mine else None
        if at is None:
            return None
        treats = yield from scene.treats(you, mine, self.n, "give")
        return lambda draft: draft.emit(events.TreatsLaid(you, at, treats))


class Shift(Op, frozen=True, tag="shift"):
    """One treat from kid to kid, or (EVERY_KID, all) every matching one onto one kid."""

    from_: OneKid | Literal["SELF", "EVERY_KID"] = msgspec.field(name="from")
    to: OneKid | Literal["SELF", "ELSEWHERE", "NEXT_TO_SOURCE"]
    n: Literal[1] | All
    what: What = "any"

    def __post_init__(self) -> None:
        if (self.n == "all") != (self.from_ == "EVERY_KID"):
            raise ValueError("`shift` takes n=all with from=EVERY_KID, and n=1 from one kid")

    def act(self, scene: Scene, on: int) -> Script:
        return (yield from self._all(scene) if self.n == "all" else self._one(scene))

    def _one(self, scene: Scene) -> Script:
        def goals(source: int) -> list[int]:
            return [at for at in scene.candidates(self.to, source) if at != source]

        def ok(at: int) -> bool:
            return scene.open(at, self.what) and bool(goals(at))

        source = yield from scene.kid(self.from_, ok)
        if source is None:
            return None
        pool = kinds(matching(scene.state.row[source].treats, self.what))
        treats = yield from scene.treats(scene.you, pool, 1)
        to = yield from scene.one_kid(goals(source))
        return lambda draft: draft.emit(events.TreatsShifted(source, to, treats))

    def _all(self, scene: Scene) -> Script:
        state = scene.state
        full = [at for at in state.kids() if scene.open(at, self.what)]
        goal = (yield from scene.kid(self.to, kind="target")) if full else None
        if goal is None:
            return None
        to = goal

        def gather(draft: Draft[State]) -> None:
            for at in full:
                if at != to:
                    treats = matching(state.row[at].treats, self.what)
                    draft.emit(events.TreatsShifted(at, to, treats))

        return gather


class Return(Op, frozen=True, tag="return"):
    """YOU put up to so many own treats into the bag."""

    max: Some

    def act(self, scene: Scene, on: int) -> Script:
        scene.returned = 0
        stash = sorted(scene.stash(scene.you), key=RANK.__getitem__)
        if not stash:
            return None
        form = Subset(tuple([Treat(token) for token in stash]), 0, min(self.max, len(stash)))
        chosen = yield Ask("return", (scene.you,), form)
        if not chosen:
            return None
        treats = tuple([option.token for option in chosen])
        scene.returned = len(treats)

        def put_back(draft: Draft[State]) -> None:
            draft.emit(events.TreatsReturned(scene.you, treats))
            mix(draft)

        return put_back


class Pass(Op, frozen=True, tag="pass"):
    """All who have treats pass one to the next seat at once, each picking in secret."""

    dir: Literal["left", "right"]

    def act(self, scene: Scene, on: int) -> Script:
        state = scene.state
        givers = [s for s in state.clockwise(scene.you) if scene.stash(s)]
        if not givers:
            return None
        choosers = tuple(sorted(s for s in givers if len(kinds(scene.stash(s))) > 1))
        chosen = {}
        if choosers:
            chosen = yield Ask("pass", choosers, ask("pass", choosers[0], ()).form)
        step = 1 if self.dir == "left" else -1

        def pass_on(draft: Draft[State]) -> None:
            for seat in givers:
                treat = chosen[seat].token if seat in chosen else scene.stash(seat)[0]
                draft.emit(events.TreatPassed(seat, (seat + step) % state.seats, treat))

        return pass_on

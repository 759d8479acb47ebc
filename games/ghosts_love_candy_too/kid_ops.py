"""Steps of the effect vocabulary that move kids, and those for the end of the game."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from games.ghosts_love_candy_too import ability_events as events
from games.ghosts_love_candy_too.end_events import JunkValued, Scored
from games.ghosts_love_candy_too.frames import Script, Unit, ask
from games.ghosts_love_candy_too.options import End, StashKid
from games.ghosts_love_candy_too.scene import Scene
from games.ghosts_love_candy_too.sheet import Kid, Op, kid_id, named
from games.ghosts_love_candy_too.state import State
from games.ghosts_love_candy_too.supply import replace_kid
from games.ghosts_love_candy_too.treat_ops import Many, OneKid
from games.rules import Draft


class KidSwap(Op, frozen=True, tag="kidSwap"):
    """Two kids change places, with treats and piles."""

    a: OneKid | Literal["SELF"]
    b: OneKid | Literal["ELSEWHERE"]

    def act(self, scene: Scene, on: int) -> Script:
        def partners(at: int) -> list[int]:
            return [other for other in scene.candidates(self.b, at) if other != at]

        a = yield from scene.kid(self.a, lambda at: bool(partners(at)))
        if a is None:
            return None
        b = yield from scene.one_kid(partners(a))
        return lambda draft: draft.emit(events.KidsExchanged(a, b))


class KidToEnd(Op, frozen=True, tag="kidToEnd"):
    """This kid to an end of the row where it does not lie (GR65)."""

    def act(self, scene: Scene, on: int) -> Script:
        at, last = scene.slot, len(scene.state.row) - 1
        if at < 0:
            return None
        chosen = yield ask("end", scene.you, [End(end) for end in (0, last) if end != at])
        return lambda draft: draft.emit(events.KidSlid(at, chosen.slot))


class KidReplace(Op, frozen=True, tag="kidReplace"):
    """A kid without ghosts is discarded with its treats; the next of the deck comes (GR68)."""

    of: OneKid

    def act(self, scene: Scene, on: int) -> Script:
        row = scene.state.row
        at = yield from scene.kid(self.of, lambda at: not row[at].pile)
        if at is None:
            return None
        scene.new = at

        def swap(draft: Draft[State]) -> None:
            draft.emit(events.RowKidDiscarded(at, row[at].kid))
            replace_kid(draft, at)

        return swap


class ScaredMove(Op, frozen=True, tag="scaredMove"):
    """One scared kid from any stash to another player's (GR77)."""

    def act(self, scene: Scene, on: int) -> Script:
        state = scene.state
        kids = [
            StashKid(seat, kid_id(state, kid))
            for seat, stash in enumerate(state.scared)
            for kid in stash
        ]
        if not kids:
            return None
        chosen = yield ask("stash_kid", scene.you, kids)
        giver, kid = chosen.seat, named(chosen.kid).number
        to = yield from scene.one_player(set(range(state.seats)) - {giver}, "receiver")
        return lambda draft: draft.emit(events.StashKidMoved(giver, to, kid))


class ScaredDrop(Op, frozen=True, tag="scaredDrop"):
    """One own scared kid to the discard, or under the deck."""

    to: Literal["discard", "deckBottom"]

    def act(self, scene: Scene, on: int) -> Script:
        you, state = scene.you, scene.state
        kids = [StashKid(you, kid_id(state, kid)) for kid in state.scared[you]]
        if not kids:
            return None
        chosen = yield ask("stash_kid", you, kids)
        kid = named(chosen.kid).number
        return lambda draft: draft.emit(events.StashKidDropped(you, kid, self.to))


class Peek(Op, frozen=True, tag="peek"):
    """YOU see another player's craving, from now on (GR78)."""

    whom: Literal["OTHER"]

    def act(self, scene: Scene, on: int) -> Script:
        seat = yield from scene.one_player(set(range(scene.state.seats)) - {scene.you}, "player")

        def look(draft: Draft[State]) -> None:
            card = draft.state.secrets[seat].card
            draft.emit(events.CravingPeeked(scene.you, seat, card))

        return look


class Copy(Op, frozen=True, tag="copy"):
    """The steps of an adjacent kid without reminder icon, as if printed here (GR63)."""

    of: Literal["ADJ1"]

    def act(self, scene: Scene, on: int) -> Script:
        kids, row = scene.sheet.kids, scene.state.row
        at = yield from scene.kid(self.of, lambda at: copiable(kids[row[at].kid]))
        if at is None:
            return None
        kid = kids[row[at].kid]

        def copy(draft: Draft[State]) -> None:
            scene.more += [Unit(kid.number, i) for i in range(len(kid.effect.now))]

        return copy


def copiable(kid: Kid) -> bool:
    """No icon, an ability, and not itself one that copies: two of those would never end."""
    steps = kid.effect.now
    return bool(steps) and not kid.icons and not any(isinstance(step, Copy) for step in steps)


class WinTies(Op, frozen=True, tag="winTies"):
    """YOU win ties of turn order in the next round (GR67)."""

    round: Literal["next"]

    def act(self, scene: Scene, on: int) -> Script:
        yield from ()
        coming = scene.state.round + 1
        return lambda draft: draft.emit(events.TiesGranted(scene.you, coming))


class Score(Op, frozen=True, tag="score"):
    """Points at the end; KIDS_HAUNTED: one for each kid of the row with a ghost of theirs."""

    who: Many | Literal["MOST"]
    n: int | Literal["KIDS_HAUNTED"]

    def targets(self, scene: Scene) -> tuple[int, ...]:
        return scene.crowd(self.who)

    def act(self, scene: Scene, on: int) -> Script:
        yield from ()
        points = self.n
        if points == "KIDS_HAUNTED":
            row = scene.state.row
            points = sum(any(ghost.seat == on for ghost in slot.pile) for slot in row)
        scored = points
        return lambda draft: draft.emit(Scored(on, scored))


class JunkWorth(Op, frozen=True, tag="junkWorth"):
    """What Junk of these players counts at the end."""

    who: Many | Literal["MOST"]
    is_: int = field(name="is")

    def targets(self, scene: Scene) -> tuple[int, ...]:
        return scene.crowd(self.who)

    def act(self, scene: Scene, on: int) -> Script:
        yield from ()
        return lambda draft: draft.emit(JunkValued(on, self.is_))

"""What a step of an effect sees while it acts: who and which kids its words stand for."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from games.ghosts_love_candy_too.frames import Ask, Frame, Unit, What, ask
from games.ghosts_love_candy_too.options import Kid, Player, Treat
from games.ghosts_love_candy_too.sheet import Op, Sheet, kid_id, sheet
from games.ghosts_love_candy_too.standing import locked, protected
from games.ghosts_love_candy_too.state import CANDY, JUNK, Ghost, State, kinds
from games.sight import Seat


class Scene:
    """One unit of an ability, and the words of its step looked up in the state as it is."""

    def __init__(self, state: State, frame: Frame) -> None:
        self.state = state
        self.frame = frame
        self.you = frame.you
        self.more: list[Unit] = []
        self.returned = frame.returned
        self.new = frame.new

    @property
    def sheet(self) -> Sheet:
        return sheet(self.state)

    @property
    def op(self) -> Op:
        unit = self.frame.todo[0]
        op: Op = getattr(self.sheet.kids[unit.of].effect, self.frame.when)[unit.at]
        return op

    @property
    def slot(self) -> int:
        """Where this kid lies, or lay before it was scared (GR64)."""
        scare = self.frame.scare
        return scare.slot if scare else self.state.where(self.frame.kid)

    def then(self, do: str, *on: int) -> None:
        """Units of this step that come next."""
        unit = self.frame.todo[0]
        self.more += [Unit(unit.of, unit.at, do, one) for one in on]

    def stash(self, seat: Seat) -> tuple[str, ...]:
        return self.state.stashes[seat]

    def shown(self, at: int) -> Kid:
        """The kid of a slot as an option."""
        return Kid(at, kid_id(self.state, self.state.row[at].kid))

    def owners(self) -> tuple[Seat, ...]:
        """Whose ghosts lie here, bottom to top; in a scare as it began."""
        if self.frame.scare:
            return self.frame.scare.owners
        at = self.slot
        return tuple([ghost.seat for ghost in self.state.row[at].pile]) if at >= 0 else ()

    def spots(self, which: str) -> tuple[int, ...]:
        """The slots that a word for several kids means, left to right; -1 for one to choose."""
        state, at = self.state, self.slot
        kids = state.kids()
        if which == "SELF":
            return (at,) if at in kids else ()
        if which == "ADJ":
            return state.beside(at)
        if which == "EVERY_KID":
            return kids
        if which == "EMPTY_KIDS":
            return tuple([i for i in kids if not state.row[i].treats])
        if which == "MY_TOPS":
            return tuple([i for i in kids if i != at and self._mine_on_top(i)])
        if which == "NEW":
            return (self.new,) if self.new >= 0 else ()
        return (-1,)

    def _mine_on_top(self, at: int) -> bool:
        pile = self.state.row[at].pile
        return bool(pile) and pile[-1].seat == self.you

    def candidates(self, which: str, source: int = -1) -> tuple[int, ...]:
        """The slots that a word for one kid to choose may mean."""
        state, at = self.state, self.slot
        kids = state.kids()
        if which == "ADJ1":
            return state.beside(at)
        if which == "OTHER_KID":
            return tuple([i for i in kids if i != at])
        if which == "END_KID":
            return tuple(sorted({*kids[:1], *kids[-1:]} - {at}))
        if which == "NEXT_TO_SOURCE":
            return state.beside(source)
        if which == "ELSEWHERE":
            return tuple([i for i in kids if i != source])
        return self.spots("SELF") if which == "SELF" else kids

    def kid(
        self,
        which: str,
        ok: Callable[[int], bool] = lambda at: True,
        on: int = -1,
        source: int = -1,
        by: Seat | None = None,
        kind: str = "kid",
    ) -> Generator[Ask, Any, int | None]:
        """A kid with which it can be done: the one at `on`, or one that is chosen."""
        if on >= 0:
            return on if ok(on) else None
        fit = [at for at in self.candidates(which, source) if ok(at)]
        return (yield from self.one_kid(fit, by, kind)) if fit else None

    def one_kid(
        self, slots: Iterable[int], by: Seat | None = None, kind: str = "target"
    ) -> Generator[Ask, Any, int]:
        """One of these, as chosen by YOU or by another player."""
        fit = [self.shown(at) for at in slots]
        chosen = yield ask(kind, self.you if by is None else by, fit)
        return int(chosen.slot)

    def open(self, at: int, what: What = "any", least: int = 1) -> bool:
        """Whether abilities can get so many of these treats off a kid (GR62)."""
        treats = matching(self.state.row[at].treats, what)
        return len(treats) >= least and not locked(self.state, at)

    def crowd(self, who: str) -> tuple[Seat, ...]:
        """The players that a word means, clockwise (GR71); -1 for one to choose."""
        round_table = self.state.clockwise(self.you)
        owners = self.owners()
        if who == "YOU" or who == "HOLDER":
            return (self.you,)
        if who == "EACH":
            return round_table
        if who == "EACH_OTHER":
            return round_table[1:]
        if who == "EACH_RICHER":
            mine = len(self.stash(self.you))
            return tuple([s for s in round_table if len(self.stash(s)) > mine])
        if who == "LEFT":
            return (round_table[1],)
        if who == "RIGHT":
            return (round_table[-1],)
        if who == "RECEIVER":
            got = self.frame.scare.receiver if self.frame.scare else None
            return () if got is None else (got,)
        if who == "PRESENT":
            return tuple([s for s in round_table if s in owners])
        if who in ("TOP", "BOTTOM", "MOST"):
            return (self._owner(who, owners),) if owners else ()
        return (-1,)

    def _owner(self, who: str, owners: tuple[Seat, ...]) -> Seat:
        if who == "MOST":
            from_top = owners[::-1]
            return max(from_top, key=owners.count)
        return owners[-1] if who == "TOP" else owners[0]

    def player(
        self, who: str, ok: Callable[[Seat], bool], but: Seat = -1, kind: str = "player"
    ) -> Generator[Ask, Any, Seat | None]:
        """A player with whom it can be done; of several one is chosen (GR70)."""
        fit = [seat for seat in self._meant(who, but) if ok(seat)]
        return (yield from self.one_player(fit, kind)) if fit else None

    def one_player(self, seats: Iterable[Seat], kind: str) -> Generator[Ask, Any, Seat]:
        """One of these, as chosen by YOU."""
        chosen = yield ask(kind, self.you, [Player(seat) for seat in sorted(seats)])
        return int(chosen.seat)

    def _meant(self, who: str, but: Seat) -> Iterable[Seat]:
        others = self.state.clockwise(self.you)[1:]
        if who == "OTHER":
            return others
        if who == "RICHEST":
            return self._most(self.state.clockwise(self.you), 1)
        if who == "RICHEST_OTHER":
            return self._most(others, 1)
        if who == "POOREST":
            return self._most([s for s in self.state.clockwise(self.you) if s != but], -1)
        return self.crowd(who)

    def _most(self, seats: Sequence[Seat], sign: int) -> list[Seat]:
        best = max(sign * len(self.stash(seat)) for seat in seats)
        return [seat for seat in seats if sign * len(self.stash(seat)) == best]

    def safe(self, seat: Seat) -> bool:
        """GR61: whether this ability must leave the seat's treats alone."""
        used = self.frame.when in ("now", "afterPlace")
        return used and seat != self.you and protected(self.state, seat)

    def treats(
        self, seat: Seat, pool: tuple[str, ...], n: int | str, kind: str = "treat"
    ) -> Generator[Ask, Any, tuple[str, ...]]:
        """So many treats of the pool, picked one at a time by the seat (V6), or all there are."""
        if isinstance(n, str) or n >= len(pool):
            return pool
        left, taken = list(pool), []
        for _ in range(n):
            chosen = yield ask(kind, seat, [Treat(token) for token in kinds(tuple(left))])
            left.remove(chosen.token)
            taken.append(chosen.token)
        return tuple(taken)

    def after(self, acted: bool) -> Frame:
        """The ability with this unit done."""
        return replace(
            self.frame,
            todo=(*self.more, *self.frame.todo[1:]),
            picks=(),
            moved=self.frame.moved + acted,
            returned=self.returned,
            new=self.new,
        )


def matching(treats: tuple[str, ...], what: What) -> tuple[str, ...]:
    """V6: the treats that a word means."""
    if what == "any":
        return treats
    wanted = frozenset((JUNK,)) if what == "junk" else CANDY
    return tuple([token for token in treats if token in wanted])


def placed_here(scene: Scene) -> Ghost | None:
    """The ghost just placed, as long as it lies under this kid."""
    at = scene.slot
    for ghost in scene.state.row[at].pile if at >= 0 else ():
        if ghost.same(scene.state.just):
            return ghost
    return None

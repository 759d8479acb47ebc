"""Runs the effect of a kid step by step, from one choice to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from games.forms import Form, OneOf
from games.ghosts_love_candy_too.events import AbilityUsed
from games.ghosts_love_candy_too.frames import Act, Ask, Frame, Scare, Script, Unit, When, ask
from games.ghosts_love_candy_too.options import Treat, Use
from games.ghosts_love_candy_too.scene import Scene
from games.ghosts_love_candy_too.sheet import kid_of
from games.ghosts_love_candy_too.state import State, kinds
from games.rules import Draft, Item, Question, Step, Together
from games.sight import Seat


def frame_of(state: State, kid: int, when: When, you: Seat, scare: Scare | None = None) -> Frame:
    """An ability that is about to act."""
    steps = getattr(kid_of(state, kid).effect, when)
    todo = tuple([Unit(kid, at) for at in range(len(steps))])
    return Frame(kid, when, you, todo, scare=scare)


def run(draft: Draft[State], frame: Frame, *given: Any) -> None:
    """Goes on with the ability, the latest choice given, until the next choice or its end."""
    while frame.todo:
        scene = Scene(draft.state, frame)
        if frame.todo[0].do == "begin":
            frame = begun(scene)
            continue
        wanted, act = consult(scene, (*frame.picks, *given))
        if wanted is not None:
            frame = replace(frame, picks=(*frame.picks, *given))
            draft.ask(question(wanted, frame))
            return
        given = ()
        if act is not None:
            if frame.used != frame.todo[0].of:
                scene.frame = replace(frame, used=frame.todo[0].of)
                draft.emit(AbilityUsed(frame.kid, frame.todo[0].of, frame.when))
            act(draft)
        frame = scene.after(act is not None)


def begun(scene: Scene) -> Frame:
    """V1, V5: the next step finds its targets, or falls away with the step it hangs on."""
    frame, op = scene.frame, scene.op
    unit, rest = frame.todo[0], frame.todo[1:]
    skip = op.ifDone and not frame.moved
    targets = () if skip else op.targets(scene)
    units = [Unit(unit.of, unit.at, "act", on) for on in targets]
    return replace(frame, todo=(*units, *rest), last=frame.moved, moved=0)


def consult(scene: Scene, picks: Sequence[Any]) -> tuple[Ask | None, Act | None]:
    """What the unit asks next after these choices, or what it then does."""
    unit, op = scene.frame.todo[0], scene.op
    script: Script = getattr(op, unit.do)(scene, unit.on)
    left = list(picks)
    if op.may and unit.do == "act":
        if not possible(script):
            return None, None
        if not left:
            return ask("use", op.asker(scene, unit.on), (Use(False), Use(True))), None
        if not left.pop(0).yes:
            return None, None
        script = op.act(scene, unit.on)
    return advance(script, left)


def possible(script: Script) -> bool:
    """V3, V4: whether the step can be done at all."""
    try:
        next(script)
    except StopIteration as end:
        return end.value is not None
    return True


def advance(script: Script, picks: list[Any]) -> tuple[Ask | None, Act | None]:
    reply: Any = None
    try:
        while True:
            wanted = script.send(reply)
            if wanted.only is not None:
                reply = wanted.only
            elif picks:
                reply = picks.pop(0)
            else:
                return wanted, None
    except StopIteration as end:
        return None, end.value


class Pick(Question[State, Any], frozen=True):
    """A choice that an ability waits for."""

    what: ClassVar[str]

    ability: Frame

    def prompt(self, state: State) -> str:
        return prompt(state, self.ability, self.what)

    def form(self, state: State, seat: Seat) -> Form[Any]:
        wanted, _ = consult(Scene(state, self.ability), self.ability.picks)
        assert wanted is not None
        return wanted.form

    def answer(self, draft: Draft[State], option: Any) -> None:
        run(draft, self.ability, option)


def prompt(state: State, frame: Frame, what: str) -> str:
    kid = kid_of(state, frame.todo[0].of)
    return f"{kid.name}: {kid.text} {what}"


class UseAbility(Pick, frozen=True):
    what = "Use it?"


class PickKid(Pick, frozen=True):
    what = "Choose a kid."


class PickTarget(Pick, frozen=True):
    what = "Choose where it goes."


class PickTreat(Pick, frozen=True):
    what = "Choose a treat."


class PickOwnTreat(Pick, frozen=True):
    what = "Choose a treat of yours to give."


class TossTreat(Pick, frozen=True):
    what = "Choose a treat of yours to discard."


class PickPlayer(Pick, frozen=True):
    what = "Choose a player."


class PickReceiver(Pick, frozen=True):
    what = "Choose who gets it."


class PickGhost(Pick, frozen=True):
    what = "Choose a ghost."


class OrderPile(Pick, frozen=True):
    what = "Give each ghost its place, counted from the bottom."


class KeepDrawn(Pick, frozen=True):
    what = "Choose a treat to keep."


class DiscardDrawn(Pick, frozen=True):
    """GR60."""

    what = "Discard one of the drawn treats first."


class NameCandy(Pick, frozen=True):
    what = "Name a candy type."


class PickStashKid(Pick, frozen=True):
    what = "Choose a scared kid."


class PickHandGhost(Pick, frozen=True):
    what = "Choose a ghost of your hand."


class ReturnTreats(Pick, frozen=True):
    what = "Choose treats of yours to put into the bag."


class PickEnd(Pick, frozen=True):
    what = "Choose an end of the row."


class PassTreat(Together[State, Treat], frozen=True, kw_only=True):
    """Everybody with treats picks one; all are passed at once."""

    ability: Frame

    def prompt(self, state: State) -> str:
        return prompt(state, self.ability, "Choose a treat of yours to pass.")

    def form(self, state: State, seat: Seat) -> Form[Treat]:
        return OneOf(tuple([Treat(token) for token in kinds(state.stashes[seat])]))

    def reveal(self, draft: Draft[State], chosen: dict[Seat, Treat]) -> None:
        run(draft, self.ability, chosen)


PICKS: dict[str, type[Pick]] = {
    "use": UseAbility,
    "kid": PickKid,
    "target": PickTarget,
    "treat": PickTreat,
    "give": PickOwnTreat,
    "toss": TossTreat,
    "player": PickPlayer,
    "receiver": PickReceiver,
    "ghost": PickGhost,
    "order": OrderPile,
    "keep": KeepDrawn,
    "spare": DiscardDrawn,
    "name": NameCandy,
    "stash_kid": PickStashKid,
    "hand": PickHandGhost,
    "return": ReturnTreats,
    "end": PickEnd,
}
"""By the word with which a step asks."""

Picks = (
    UseAbility
    | PickKid
    | PickTarget
    | PickTreat
    | PickOwnTreat
    | TossTreat
    | PickPlayer
    | PickReceiver
    | PickGhost
    | OrderPile
    | KeepDrawn
    | DiscardDrawn
    | NameCandy
    | PickStashKid
    | PickHandGhost
    | ReturnTreats
    | PickEnd
    | PassTreat
)


def question(wanted: Ask, frame: Frame) -> Item[State]:
    """The pending question for what a step asks."""
    if wanted.kind == "pass":
        return PassTreat(seats=wanted.seats, ability=frame)
    (seat,) = wanted.seats
    return PICKS[wanted.kind](seat, frame)


class UseKid(Step[State], frozen=True):
    """The ability of a kid, when its time comes."""

    kid: int
    when: When
    you: Seat

    def run(self, draft: Draft[State]) -> None:
        run(draft, frame_of(draft.state, self.kid, self.when, self.you))

"""What every game shares: what is pending, answers to it, and the draft that collects events."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Container, Iterable
from functools import partial
from typing import Annotated, Any, ClassVar, Generic, NoReturn, Self, TypeVar

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from games.dice import Dice
from games.forms import Below, Form, quoted
from games.pieces import Kept, form_piece, pieces
from games.sight import Fact, Seat, Viewer, cut, each_own, everyone, seen_by

S = TypeVar("S", bound="State")
O = TypeVar("O")
P = TypeVar("P")


class Refused(Exception):
    """A command that is not allowed now. `code` is stable and snake_case, `why` says what to do.

    Codes: `not_asked`, `stale_question`, `not_an_option`, `match_over`, `bad_option`, and those of
    `games.match`.
    """

    def __init__(self, code: str, why: str, **detail: Any) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.detail = detail


class Open(Fact, Generic[P], frozen=True, tag=False):
    """Something pending, under an id that no other thing in its match ever has."""

    id: str
    item: P


class State(Fact, frozen=True, kw_only=True):
    """What is true in a game, and what is still to be done, last first."""

    pending: tuple[Open[Any], ...] = ()

    def but(self, **changes: Any) -> Self:
        return replace(self, **changes)


class Event(Fact, Generic[S], frozen=True):
    """Something that happened; `apply` never fails and never decides."""

    chance: ClassVar[bool] = False
    """Whether words of chance may have been drawn for it."""

    @abstractmethod
    def apply(self, state: S) -> S: ...

    def redrawn(self, dice: Dice, opening: S) -> Self | None:
        """The same fact as these dice give it, where it tells all that was drawn from; else None.

        So a log that hides the table still proves the draw. `opening` is the state before the
        set-up, for what never changes in a match.
        """
        return None


class Item(Fact, Generic[S], frozen=True):
    """Something that waits for its turn."""


class Question(Item[S], Generic[S, O], frozen=True):
    """A choice that one seat must make; a `secret` answer stays that seat's own."""

    secret: ClassVar[bool] = False

    seat: Seat

    @property
    def seats(self) -> tuple[Seat, ...]:
        return (self.seat,)

    @abstractmethod
    def prompt(self, state: S) -> str:
        """What is asked, in a sentence for everybody: it may tell only what all can see."""

    @abstractmethod
    def form(self, state: S, seat: Seat) -> Form[O]: ...

    @abstractmethod
    def answer(self, draft: Draft[S], option: O) -> None: ...

    def without(self, seat: Seat, option: O) -> Self | None:
        return None

    def answered(self, draft: Draft[S], seat: Seat, option: O) -> None:
        self.answer(draft, option)


class Together(Item[S], Generic[S, O], frozen=True):
    """A choice that several seats make at once, each in secret until all have."""

    secret: ClassVar[bool] = True

    seats: tuple[Seat, ...]
    chosen: Annotated[dict[Seat, O], each_own()] = {}

    @abstractmethod
    def prompt(self, state: S) -> str: ...

    @abstractmethod
    def form(self, state: S, seat: Seat) -> Form[O]: ...

    @abstractmethod
    def reveal(self, draft: Draft[S], chosen: dict[Seat, O]) -> None: ...

    def shown_to(self, viewer: Viewer) -> bool:
        """Whether the viewer learns what was chosen once all have."""
        return True

    def without(self, seat: Seat, option: O) -> Self | None:
        rest = tuple(s for s in self.seats if s != seat)
        return replace(self, seats=rest, chosen=self._with(seat, option)) if rest else None

    def answered(self, draft: Draft[S], seat: Seat, option: O) -> None:
        if self.seats == (seat,):
            self.reveal(draft, self._with(seat, option))

    def _with(self, seat: Seat, option: O) -> dict[Seat, O]:
        return dict(sorted({**self.chosen, seat: option}.items()))


class Step(Item[S], Generic[S], frozen=True):
    """Something the game does by itself when its time comes."""

    @abstractmethod
    def run(self, draft: Draft[S]) -> None: ...


class Asked(Event[S], Generic[S, P], frozen=True):
    """Something is pending from now on: a question is open, or a step will run."""

    id: str
    item: P

    def apply(self, state: S) -> S:
        return replace(state, pending=(*state.pending, Open(self.id, self.item)))


class Answered(Event[S], Generic[S, O], frozen=True):
    """The answer as given, for all to see."""

    question: str
    seat: Seat
    option: Annotated[O, everyone(of="seat")]

    def apply(self, state: S) -> S:
        top, rest = state.pending[-1], state.pending[:-1]
        left = top.item.without(self.seat, self.option)
        return replace(state, pending=rest if left is None else (*rest, Open(top.id, left)))


class Chosen(Answered[S, O], Generic[S, O], frozen=True):
    """The answer to a secret question: that it was given is public, what it was is not."""

    option: Annotated[O, seen_by("seat", of="seat")]


class AnsweredMany(Answered[S, tuple[O, ...]], Generic[S, O], frozen=True):
    """`Answered` where the form takes several things: apart, since both are stored as lists."""

    option: Annotated[tuple[O, ...], everyone(of="seat")]


class ChosenMany(Chosen[S, tuple[O, ...]], Generic[S, O], frozen=True):
    """`Chosen` where the form takes several things."""

    option: Annotated[tuple[O, ...], seen_by("seat", of="seat")]


class Stepped(Event[S], Generic[S], frozen=True):
    """The step on top of the stack runs; what it does follows."""

    def apply(self, state: S) -> S:
        return replace(state, pending=state.pending[:-1])


class Dropped(Event[S], Generic[S], frozen=True):
    """Effects cut short: what was pending under these ids will not happen."""

    why: str
    ids: tuple[str, ...]

    def apply(self, state: S) -> S:
        return state.but(pending=tuple(p for p in state.pending if p.id not in self.ids))


class CutShort(Exception):
    """Leaves the effect under way; only `Draft.settle` catches it."""


ENOUGH = 10_000
"""Events of one commit: more means steps that ask each other for ever."""


class Draft(Generic[S]):
    """Collects the events of one commit and keeps the state they lead to."""

    def __init__(self, state: S, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event[S]] = []
        self._next: list[Item[S]] = []
        self._asked = 0

    def emit(self, event: Event[S]) -> None:
        """A fact, at once: `self.state` is the state after it."""
        self.state = event.apply(self.state)
        self.events.append(event)

    def ask(self, *items: Item[S]) -> None:
        """After this effect, in the order asked, ahead of all that was pending before it."""
        self._next += items

    def cut(
        self,
        why: str,
        *then: Item[S],
        spare: Callable[[Item[S]], bool] = lambda _: False,
    ) -> NoReturn:
        """Drop all that is pending but the spared, go on with `then`; the caller stops here."""
        ids = tuple(p.id for p in self.state.pending if not spare(p.item))
        self.emit(Dropped(why, ids))
        self._next = [*then, *filter(spare, self._next)]
        raise CutShort

    def settle(self, act: Callable[[], None]) -> list[Event[S]]:
        """Act, then run the steps that come up, until a question does."""
        while len(self.events) < ENOUGH:
            # `suppress` would cost as much as a small step.
            try:  # noqa: SIM105
                act()
            except CutShort:
                pass
            if self._next:
                self._push()
            pending = self.state.pending
            step = pending[-1].item if pending else None
            if not isinstance(step, Step):
                return self.events
            self.emit(Stepped())
            act = partial(step.run, self)
        raise RuntimeError(f"no question after {ENOUGH} events")

    def _push(self) -> None:
        for item in reversed(self._next):
            self._asked += 1
            self.emit(Asked(f"{self.dice.version}.{self._asked}", item))
        self._next = []


def begin(state: S, setup: Step[S], dice: Dice) -> list[Event[S]]:
    """The events of the setup, up to the first question."""
    draft = Draft(state, dice)
    return draft.settle(lambda: draft.ask(setup))


def decide(state: S, seat: Seat, answer: Answer, dice: Dice) -> list[Event[S]]:
    """The events that the answer leads to, up to the next question.

    Pure: the same state, seat, answer and dice always give the same events.
    Raises Refused: `match_over`, `stale_question`, `not_asked`, `not_an_option`.
    """
    asked = question(state, seat, answer.question)
    if not form_of(state, seat).contains(answer.option):
        raise Refused("not_an_option", "the question does not offer that; pick one of its options")
    return act(state, seat, asked, answer.option, dice).events


def act(state: S, seat: Seat, asked: Open[Any], option: Any, dice: Dice) -> Draft[S]:
    """The events of an option that this open question offers this seat, and where they lead."""
    draft = Draft(state, dice)
    draft.emit(_given(asked.item.secret, option)(asked.id, seat, option))
    draft.settle(lambda: asked.item.answered(draft, seat, option))
    return draft


def _given(secret: bool, option: Any) -> type[Answered[Any, Any]]:
    if isinstance(option, tuple):
        return ChosenMany if secret else AnsweredMany
    return Chosen if secret else Answered


def question(state: State, seat: Seat, id: str) -> Open[Any]:
    """The open question of that id, if it is the seat's to answer. Raises Refused."""
    if not state.pending:
        raise Refused("match_over", "the game is over; nothing is asked any more")
    asked = state.pending[-1]
    if id != asked.id:
        raise Refused(
            "stale_question",
            f"question {quoted(id)} is not open; look at the view for what is asked now",
            open=asked.id,
        )
    if seat not in asked.item.seats:
        raise Refused("not_asked", f"question {id} is not yours to answer", seats=asked.item.seats)
    return asked


_forms = Kept(2048)
_young = _forms.young


def form_of(state: State, seat: Seat) -> Form[Any]:
    """What the seat, which is asked, may answer; made once, to be shown and to be checked."""
    key = (id(state), seat)
    found = _young.get(key)
    made: Form[Any]
    if found is not None:
        made = found[1]
    else:
        item = state.pending[-1].item
        made = _forms.get(state, key, lambda: item.form(state, seat))
    return made


def fold(state: S, events: Iterable[Event[S]]) -> S:
    for event in events:
        state = event.apply(state)
    return state


class Answer(Fact, frozen=True):
    question: str
    option: Any


class Result(msgspec.Struct, frozen=True):
    """How a game ended; `scores` by seat, None where a seat has none."""

    winners: tuple[Seat, ...]
    scores: tuple[int | None, ...]
    why: str


def asked(
    state: State, viewer: Viewer, page: Callable[[Form[Any]], Any] = lambda f: to_builtins(f.page())
) -> dict[str, Any] | None:
    """What is asked now, as the viewer may see it; who is asked also gets the form's page.

    `{id, kind, seats, prompt, about, form}`: `about` holds the question's own fields.
    Inside a commit, where a step is still to run, nobody is asked.
    """
    if not state.pending or isinstance(state.pending[-1].item, Step):
        return None
    top = state.pending[-1]
    about = cut(top.item, viewer)
    kind, seats = about.pop("type"), list(top.item.seats)
    for name in ("seat", "seats"):
        about.pop(name, None)
    shown = {"id": top.id, "kind": kind, "seats": seats, "about": about}
    shown["prompt"] = top.item.prompt(state)
    if isinstance(viewer, int) and viewer in top.item.seats:
        shown["form"] = page(form_of(state, viewer))
    return shown


def rechosen(state: S, viewer: Viewer, below: Below, kept: Container[Seat] = ()) -> S:
    """The state with the secret choices already made, where the viewer can't see them, made anew.

    For a game's `redealt`, after it has dealt the hidden cards otherwise; those of `kept` stay.
    """
    if not state.pending or not isinstance(state.pending[-1].item, Together):
        return state
    *rest, top = state.pending
    chosen = {
        seat: option if viewer == seat or seat in kept else top.item.form(state, seat).sample(below)
        for seat, option in top.item.chosen.items()
    }
    return state.but(pending=(*rest, Open(top.id, replace(top.item, chosen=chosen))))


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """The state as the viewer may see it, and what is asked, as JSON-ready data."""
    seen = cut(state, viewer)
    del seen["pending"]
    del seen["type"]
    seen["question"] = asked(state, viewer)
    return dict(seen)


def view_pieces(state: State, viewer: Viewer) -> dict[str, Any]:
    """`view` for msgspec's JSON encoder alone."""
    seen = pieces(state, viewer, _UNSEEN)
    seen["question"] = asked(state, viewer, form_piece)
    return seen


_UNSEEN = frozenset({"pending", "type"})

"""The pending stack: reading order, cutting short, and answers that come at the wrong time."""

from __future__ import annotations

from typing import Any

import pytest

from games import rules
from games.dice import Dice
from games.forms import Form, OneOf, Option, Subset
from games.rules import (
    Answer,
    Answered,
    AnsweredMany,
    Asked,
    Chosen,
    ChosenMany,
    Draft,
    Dropped,
    Open,
    Question,
    Refused,
    Step,
    Stepped,
    asked,
    begin,
    decide,
    fold,
    view,
)
from games.sight import Seat


class State(rules.State, frozen=True, kw_only=True):
    log: tuple[str, ...] = ()


class Noted(rules.Event[State], frozen=True):
    word: str

    def apply(self, state: State) -> State:
        return state.but(log=(*state.log, self.word))


class Say(Option, frozen=True):
    word: str

    def label(self) -> str:
        return self.word


class Note(Step[State], frozen=True):
    word: str
    then: tuple[Any, ...] = ()

    def run(self, draft: Draft[State]) -> None:
        draft.emit(Noted(self.word))
        draft.ask(*self.then)


class Cut(Step[State], frozen=True):
    def run(self, draft: Draft[State]) -> None:
        draft.ask(Note("spared 2"), Note("dropped 2"))
        draft.cut("race", Note("then"), spare=lambda item: "spared" in getattr(item, "word", ""))


class Ask(Question[State, Say], frozen=True):
    def prompt(self, state: State) -> str:
        return "Say something."

    def form(self, state: State, seat: Seat) -> Form[Say]:
        return OneOf((Say("a"), Say("b")))

    def answer(self, draft: Draft[State], option: Say) -> None:
        draft.emit(Noted(option.word))


class Whisper(Ask, frozen=True):
    secret = True


class AskMany(Question[State, tuple[Say, ...]], frozen=True):
    def prompt(self, state: State) -> str:
        return "Say some things."

    def form(self, state: State, seat: Seat) -> Form[tuple[Say, ...]]:
        return Subset((Say("a"), Say("b")), 0, 2)

    def answer(self, draft: Draft[State], option: tuple[Say, ...]) -> None:
        draft.emit(Noted("+".join(say.word for say in option)))


class WhisperMany(AskMany, frozen=True):
    secret = True


class Forever(Step[State], frozen=True):
    def run(self, draft: Draft[State]) -> None:
        draft.ask(Forever())


def dice() -> Dice:
    return Dice(b"seed", "01J", 1, 7)


def begun(*items: Any) -> State:
    return fold(State(), begin(State(), Note("begun", items), dice()))


def refused(state: State, seat: Seat, answer: Answer) -> str:
    with pytest.raises(Refused) as refusal:
        decide(state, seat, answer, dice())
    return refusal.value.code


def test_what_an_effect_asks_comes_in_reading_order_ahead_of_what_was_pending() -> None:
    state = begun(Note("1", (Note("1.1"), Note("1.2"))), Note("2"), Ask(0))
    assert state.log == ("begun", "1", "1.1", "1.2", "2")
    assert state.pending == (Open("7.3", Ask(0)),) or state.pending[-1].item == Ask(0)


def test_cutting_short_drops_all_but_the_spared_and_goes_on() -> None:
    events = begin(State(), Note("begun", (Cut(), Note("dropped"), Note("spared"), Ask(1))), dice())
    state = fold(State(), events)
    assert state.log == ("begun", "then", "spared 2", "spared")
    dropped = next(e for e in events if isinstance(e, Dropped))
    assert dropped.why == "race"
    assert len(dropped.ids) == 2
    assert state.pending == ()


def test_steps_that_never_come_to_a_question_are_a_mistake_of_the_game() -> None:
    with pytest.raises(RuntimeError, match="no question after"):
        begin(State(), Forever(), dice())


@pytest.mark.parametrize(
    ("item", "option", "kind"),
    [
        (Ask(0), Say("a"), Answered),
        (Whisper(0), Say("a"), Chosen),
        (AskMany(0), (Say("a"), Say("b")), AnsweredMany),
        (WhisperMany(0), (), ChosenMany),
    ],
)
def test_the_answer_is_the_first_event(item: Any, option: Any, kind: type) -> None:
    state = begun(item)
    id = state.pending[-1].id
    events = decide(state, 0, Answer(id, option), dice())
    assert events[0] == kind(id, 0, option)
    assert isinstance(events[1], Noted)


def test_an_answer_at_the_wrong_time_is_refused() -> None:
    state = begun(Ask(0))
    id = state.pending[-1].id
    assert refused(state, 0, Answer("1.1", Say("a"))) == "stale_question"
    assert refused(state, 1, Answer(id, Say("a"))) == "not_asked"
    assert refused(state, 0, Answer(id, Say("c"))) == "not_an_option"
    assert refused(State(), 0, Answer(id, Say("a"))) == "match_over"


def test_a_question_in_a_view() -> None:
    state = begun(Ask(1))
    shown = view(state, 1)
    assert shown["log"] == ("begun",)
    question = shown["question"]
    assert (question["kind"], question["seats"], question["prompt"]) == (
        "ask",
        [1],
        "Say something.",
    )
    assert [o["id"] for o in question["form"]["options"]] == ["say:a", "say:b"]
    others = asked(state, 0)
    assert others is not None
    assert "form" not in others
    assert asked(State(), 0) is None


def test_the_stack_is_in_the_log() -> None:
    events = begin(State(), Note("begun", (Ask(0),)), dice())
    assert [type(e) for e in events] == [Asked, Stepped, Noted, Asked]

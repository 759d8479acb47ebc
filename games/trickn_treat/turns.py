"""Tricks: lead, follow, resolve, score, until a leader can't lead."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.rules import Draft, Question, Step
from games.sight import Seat
from games.trickn_treat.events import (
    CandyScored,
    CardPlayed,
    DummyPlayed,
    DummyTook,
    GameEnded,
    HandsShown,
    LeadShown,
    Skipped,
    TrickStarted,
    TrickTaken,
    TrickWon,
)
from games.trickn_treat.ghosts import GHOSTS, haunt
from games.trickn_treat.options import Play, Score
from games.trickn_treat.scoring import counted, scorable
from games.trickn_treat.state import DUMMY, Place, State, parted
from games.trickn_treat.tables import COLOURS


def trick(draft: Draft[State], leader: Place) -> None:
    """T34, T46: the winner leads; who can't, ends the game."""
    able = draft.state.can_lead(leader)
    if isinstance(leader, int):
        draft.emit(LeadShown(leader, able))
    if able:
        draft.emit(TrickStarted(order(draft.state, leader)))
        onward(draft)
    else:
        end(draft, leader)


def order(state: State, leader: Place) -> tuple[Place, ...]:
    """T24, T39: clockwise; a cooperative Dummy plays last, or leads before its last leader."""
    if state.dummy and state.mode == "coop":
        before = next((place for place in state.order if place != DUMMY), leader)
        humans = _from(before if leader == DUMMY else leader, tuple(range(state.seats)))
        return (DUMMY, *humans) if leader == DUMMY else (*humans, DUMMY)
    return _from(leader, state.seating())


def _from(first: Place, places: tuple[Place, ...]) -> tuple[Place, ...]:
    at = places.index(first)
    return (*places[at:], *places[:at])


def onward(draft: Draft[State]) -> None:
    """T28, T48: the next who holds a card plays, who holds none is skipped; then resolve."""
    state = draft.state
    begin = state.order.index(state.table[-1].place) + 1 if state.table else 0
    for place in state.order[begin:]:
        if state.cards(place):
            ask_to_play(draft, place)
            return
        draft.emit(Skipped(place))
    resolve(draft)


def ask_to_play(draft: Draft[State], place: Place) -> None:
    """T38, TR55: what is forced in the open is not asked, nor is a cooperative Dummy."""
    state = draft.state
    if place == DUMMY and state.mode == "coop":
        play(draft, place, state.dummys_card())
    elif place == DUMMY and len(state.legal(place)) == 1:
        play(draft, place, state.legal(place)[0])
    else:
        draft.ask(PlayCard(state.player(place), place))


class PlayCard(Question[State, Play], frozen=True):
    """T23 to T26; asked with a single legal card in a hand too, which is nobody's business."""

    place: Place

    def prompt(self, state: State) -> str:
        whose = "Play a card of the Dummy" if self.place == DUMMY else "Play a card"
        if not state.table:
            return f"{whose}: lead a friend or a candy."
        led = COLOURS[state.led]
        return f"{whose}: {led} or a ghost; without {led}, any card."

    def form(self, state: State, seat: Seat) -> Form[Play]:
        return OneOf(tuple([Play(card) for card in state.legal(self.place)]))

    def answer(self, draft: Draft[State], option: Play) -> None:
        play(draft, self.place, option.card)


class Next(Step[State], frozen=True):
    """After what a ghost did."""

    def run(self, draft: Draft[State]) -> None:
        onward(draft)


def play(draft: Draft[State], place: Place, card: str) -> None:
    """T25: a ghost acts before the next one plays."""
    draft.emit(CardPlayed(place, card) if isinstance(place, int) else DummyPlayed(card))
    if card in GHOSTS:
        haunt(draft, place, card)
        draft.ask(Next())
    else:
        onward(draft)


def resolve(draft: Draft[State]) -> None:
    """T28, T30: who won, and what candy is scored, asked only if there is a choice."""
    won = draft.state.winner()
    draft.emit(TrickWon(won.place, won.card))
    options = scorable(draft.state, won.place)
    if len(options) > 1:
        draft.ask(ScoreCandy(draft.state.player(won.place), won.place))
        return
    for option in options:
        draft.emit(CandyScored(won.place, option.cards))
    take(draft, won.place)


class ScoreCandy(Question[State, Score], frozen=True):
    """T31, T42, T58, T59"""

    place: Place

    def prompt(self, state: State) -> str:
        whose = "the Dummy scores" if self.place == DUMMY else "to score"
        return f"Choose the candy of this trick {whose}."

    def form(self, state: State, seat: Seat) -> Form[Score]:
        return OneOf(scorable(state, self.place))

    def answer(self, draft: Draft[State], option: Score) -> None:
        draft.emit(CandyScored(self.place, option.cards))
        take(draft, self.place)


def take(draft: Draft[State], place: Place) -> None:
    """T33, T34, T42: the trick is cleared and its winner leads."""
    ghosts, rest = parted(tuple([p.card for p in draft.state.table]))
    if isinstance(place, int):
        draft.emit(TrickTaken(place, ghosts, rest))
    elif draft.state.mode == "coop":
        draft.emit(DummyTook((), ghosts, rest))
    else:
        draft.emit(DummyTook(ghosts, (), rest))
    trick(draft, place)


def end(draft: Draft[State], leader: Place) -> None:
    """T46, T47"""
    draft.emit(GameEnded(leader, "only_ghosts" if draft.state.cards(leader) else "no_cards"))
    hands = [parted(hand) for hand in draft.state.hands]
    draft.emit(
        HandsShown(
            tuple([hand.ghosts for hand in hands]),
            tuple([hand.others for hand in hands]),
            parted(draft.state.row).others,
        )
    )
    draft.emit(counted(draft.state))

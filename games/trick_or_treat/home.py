"""Home: turn in Treats for a Set. R31 to R36, R40."""

from __future__ import annotations

from msgspec.structs import replace

from games.forms import Form, OneOf
from games.rules import Draft, Question
from games.sight import Seat
from games.trick_or_treat import claims, scoring
from games.trick_or_treat.events import CardsDiscarded, GameEnded, SetClaimed, SetRevealed
from games.trick_or_treat.locations import location
from games.trick_or_treat.options import Claim, Give, Pass
from games.trick_or_treat.own_turn import OwnTurn
from games.trick_or_treat.state import State
from games.trick_or_treat.tables import EGGING_HOUSES, SETS, TERMS


@location("home")
class Home(OwnTurn, frozen=True):
    """R31, Q21: one of the Sets that can be met, or nothing."""

    def prompt(self, state: State) -> str:
        return "At Home: claim one of the face-up Sets, or do nothing."

    def choices(self, state: State) -> tuple[Claim | Pass, ...]:
        have = claims.means(state, self.seat)
        return (*[Claim(set) for set in state.sets if claims.can_claim(have, set)], Pass())

    def chosen(self, draft: Draft[State], option: Claim | Pass) -> None:
        if isinstance(option, Claim):
            draft.ask(TurnIn(self.seat, option.set))


class TurnIn(Question[State, Give], frozen=True):
    """R32, R34: the Set's parts are filled one after the other; `given` are those that are."""

    set: str
    given: tuple[Give, ...] = ()

    def prompt(self, state: State) -> str:
        part = TERMS[self.set][len(self.given)]
        return f"Claiming {SETS[self.set].name}: turn in {part.in_words}."

    def form(self, state: State, seat: Seat) -> Form[Give]:
        return OneOf(claims.ways(self.left(state), TERMS[self.set][len(self.given) :]))

    def left(self, state: State) -> claims.Means:
        """What there is beside the parts already filled."""
        have = claims.means(state, self.seat)
        for term, give in zip(TERMS[self.set], self.given, strict=False):
            have = claims.after(have, term, give)
        return have

    def answer(self, draft: Draft[State], option: Give) -> None:
        given = (*self.given, option)
        if len(given) < len(TERMS[self.set]):
            draft.ask(replace(self, given=given))
        else:
            claim(draft, self.seat, self.set, given)


def claim(draft: Draft[State], seat: Seat, set: str, given: tuple[Give, ...]) -> None:
    """R33, R36, Q1, Q2: the cards go, the Set is replaced; if it can't be, the game is over."""
    eggs = tuple([card for give in given for card in give.eggs])
    draft.emit(SetClaimed(seat, set, SETS[set].points, eggs))
    draft.emit(CardsDiscarded(seat, turned_in(given), "claim"))
    if draft.state.set_deck:
        draft.emit(SetRevealed(draft.state.set_deck[-1]))
        return
    scores = scoring.scores(draft.state)
    draft.emit(GameEnded(scores, scoring.winners(scores)))
    draft.cut("game_over")


def turned_in(given: tuple[Give, ...]) -> tuple[str, ...]:
    """The cards that go, Egging Houses as what they are."""
    cards = [card for give in given for card in (*give.cards, *[EGGING_HOUSES for _ in give.eggs])]
    return tuple(sorted(cards))

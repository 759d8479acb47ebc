"""How it ends: the last player, or Time's Up, the Special Baskets and the count."""

from __future__ import annotations

from collections import Counter

from games.rules import Draft, Result
from games.sight import Seat
from games.tricks_and_treats.baskets import AT_END, Here
from games.tricks_and_treats.cards import GUESS_POINTS, LETTER_POINTS, SPECIALS
from games.tricks_and_treats.events import (
    GameEnded,
    GuessesRevealed,
    PlayerEliminated,
    Scored,
    SecretLettersRevealed,
    TiesStruckOut,
)
from games.tricks_and_treats.line_events import ResolutionOrdered, SpecialResolved
from games.tricks_and_treats.state import Score, State, Verdict


def last_player(draft: Draft[State]) -> None:
    """R17, Q16: she wins outright; nothing is resolved or scored."""
    (winner,) = draft.state.playing
    draft.emit(SecretLettersRevealed(draft.state.letters))
    draft.emit(GameEnded("last_player", winner))


def times_up(draft: Draft[State]) -> None:
    """R18 to R22, Q34: specials, letters, guesses, eliminations, scores."""
    resolve_specials(draft)
    draft.emit(SecretLettersRevealed(draft.state.letters))
    if draft.state.written:
        judge_guesses(draft)
    draft.emit(Scored({seat: score(draft.state, seat) for seat in draft.state.playing}))
    draft.emit(GameEnded("times_up", find_winner(draft)))


def resolve_specials(draft: Draft[State]) -> None:
    """R19, Q20: left to right as they lie now, each once, at the slot it then holds."""
    if not any(basket in SPECIALS for basket in draft.state.line):
        return
    order = tuple([basket for basket in draft.state.line if basket in AT_END])
    draft.emit(ResolutionOrdered(order))
    for code in order:
        state, special = draft.state, AT_END[code]
        slot = state.slot(code)
        here = Here(slot, state.beside(slot, -1), state.beside(slot, 1), len(state.piles[slot]))
        draft.emit(SpecialResolved(code, slot, here.cards, special.outcome(here.cards)))
        special.end(draft, here)


def judge_guesses(draft: Draft[State]) -> None:
    """R30, Q31: who was guessed right by every other player is out."""
    state = draft.state
    verdicts = tuple(
        [
            Verdict(g.guesser, g.target, g.letter, g.letter == state.letters[g.target])
            for g in state.guesses
        ]
    )
    draft.emit(GuessesRevealed(verdicts))
    right = Counter(verdict.target for verdict in verdicts if verdict.correct)
    for seat in state.seats:
        if right[seat] == len(state.seats) - 1:
            draft.emit(PlayerEliminated(seat, "guessed_by_all"))


def score(state: State, seat: Seat) -> Score:
    """R21, R30, Q32"""
    candy = state.candy(seat)
    letters = LETTER_POINTS * len(state.shown[seat])
    right = [verdict for verdict in state.judged if verdict.guesser == seat and verdict.correct]
    guesses = GUESS_POINTS * len(right)
    return Score(candy, letters, guesses, candy + letters + guesses)


def find_winner(draft: Draft[State]) -> Seat | None:
    """R22, Q17, Q33: the highest score that one player has alone; ties above it are out."""
    totals = {seat: row.total for seat, row in draft.state.scores.items()}
    for best in sorted(set(totals.values()), reverse=True):
        seats = tuple([seat for seat, total in totals.items() if total == best])
        if len(seats) == 1:
            return seats[0]
        draft.emit(TiesStruckOut(best, seats))
    return None


def result(state: State) -> Result | None:
    if not state.cause:
        return None
    winners = () if state.winner is None else (state.winner,)
    totals = [state.scores[seat].total if seat in state.scores else None for seat in state.seats]
    return Result(winners, tuple(totals), state.cause)

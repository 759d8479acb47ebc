"""Trick tiles: the user is the owner, the victim is who flipped it."""

from __future__ import annotations

from games.forms import Form, OneOf
from games.masked_mischief.board import BACK
from games.masked_mischief.effects import Ask, Flip, Return, Work, pose, trick, use_power
from games.masked_mischief.events import Faced, MasksChanged, StatusSet
from games.masked_mischief.houses import give
from games.masked_mischief.laying import LayAll, lay_tricks
from games.masked_mischief.moves import SwapMasks, move_to, swap_masks, swap_places, walk
from games.masked_mischief.options import Pick
from games.masked_mischief.shop import BuyFor
from games.masked_mischief.state import State
from games.masked_mischief.tiles import HandLifted
from games.rules import Draft
from games.sight import Seat


def _walks(draft: Draft[State], flip: Flip, steps: int, back: bool) -> None:
    done = Return(flip.user, flip.space)
    walk(draft, flip.user, flip.victim, steps, "other", done, back=back)


@trick("K01", walks=True)
def the_slight_spook(draft: Draft[State], flip: Flip) -> None:
    """R65: the victim walks 2 back."""
    _walks(draft, flip, 2, back=True)


@trick("K02", walks=True)
def a_hop_and_a_skip(draft: Draft[State], flip: Flip) -> None:
    """R66: the victim walks 2 forward."""
    _walks(draft, flip, 2, back=False)


@trick("K03")
def witchcraft(draft: Draft[State], flip: Flip) -> None:
    """R67, Q97: the owner picks with whom the victim changes places, if anybody can be moved."""
    question = SwapVictim(flip.user, flip.user, flip.victim)
    if question.targets(draft.state):
        pose(draft, question)


class SwapVictim(Ask[Pick], frozen=True):
    """Anyone but the victim; of those in a House the owner alone."""

    victim: Seat

    def prompt(self, state: State) -> str:
        return f"With whom does seat {self.victim} change places?"

    def targets(self, state: State) -> tuple[Pick, ...]:
        others = state.others(self.victim)
        return tuple([Pick(s) for s in others if s == self.user or not state.in_house(s)])

    def form(self, state: State, seat: Seat) -> Form[Pick]:
        return OneOf(self.targets(state))

    def answer(self, draft: Draft[State], option: Pick) -> None:
        swap_places(draft, self.user, self.victim, option.seat)


@trick("K04")
def wardrobe_malfunction(draft: Draft[State], flip: Flip) -> None:
    """R68, Q93: the owner picks with whom the victim swaps masks; worn ones only."""
    pose(draft, SwapVictimsMask(flip.user, flip.user, flip.victim))


class SwapVictimsMask(Ask[Pick], frozen=True):
    """R68: any player but the victim."""

    victim: Seat

    def prompt(self, state: State) -> str:
        return f"With whom does seat {self.victim} swap masks?"

    def form(self, state: State, seat: Seat) -> Form[Pick]:
        return OneOf(tuple([Pick(other) for other in state.others(self.victim)]))

    def answer(self, draft: Draft[State], option: Pick) -> None:
        swap_masks(draft, self.victim, option.seat)


@trick("K05")
def doppelgangers(draft: Draft[State], flip: Flip) -> None:
    """R69, Q51: spaces, then masks."""
    swap_places(draft, flip.user, flip.user, flip.victim)
    draft.ask(SwapWithVictim(flip.user, flip.victim))


class SwapWithVictim(Work, frozen=True):
    """R69: the masks, once both have moved."""

    victim: Seat

    def run(self, draft: Draft[State]) -> None:
        swap_masks(draft, self.user, self.victim)


@trick("K06")
def charity_case(draft: Draft[State], flip: Flip) -> None:
    """R70, Q98: 2 candy from everybody to the owner."""
    for other in draft.state.others(flip.user):
        give(draft, other, flip.user, 2)


@trick("K07")
def sugar_rush(draft: Draft[State], flip: Flip) -> None:
    """R71: 5 candy from the victim to the owner."""
    give(draft, flip.victim, flip.user, 5)


@trick("K08")
def muddy_puddle(draft: Draft[State], flip: Flip) -> None:
    """R72, Q99: the victim sits out one more turn."""
    draft.emit(StatusSet(flip.victim, "skips", draft.state.skips[flip.victim] + 1))


@trick("K09")
def hi_buddy(draft: Draft[State], flip: Flip) -> None:
    """R73, Q100: moved first, then the owner's choice."""
    move_to(draft, flip.user, flip.victim, draft.state.at[flip.user])
    draft.ask(SwapMasks(flip.user, flip.user, flip.victim))


@trick("K10")
def mask_hysteria(draft: Draft[State], flip: Flip) -> None:
    """R74: every mask goes to the left."""
    masks = draft.state.masks
    draft.emit(MasksChanged((*masks[-1:], *masks[:-1]), draft.state.spares))


@trick("K11")
def spooky_scarecrow(draft: Draft[State], flip: Flip) -> None:
    """R75, Q101: about turn; by the option the victim runs to the next House at once."""
    state, victim = draft.state, flip.victim
    if state.facing[victim] != "free":
        draft.emit(Faced({victim: BACK[state.facing[victim]]}))
    if state.plays("scarecrow", "run_to_house"):
        walk(draft, flip.user, victim, len(state.map.loop) + len(state.map.plain), "other")


@trick("K12", walks=True)
def boo(draft: Draft[State], flip: Flip) -> None:
    """R76: the victim walks 1 back."""
    _walks(draft, flip, 1, back=True)


@trick("K13", walks=True)
def pushed(draft: Draft[State], flip: Flip) -> None:
    """R77: the victim walks 1 forward."""
    _walks(draft, flip, 1, back=False)


@trick("K14")
def forgetful_charity(draft: Draft[State], flip: Flip) -> None:
    """R78, Q102: the victim lays the whole hand where it likes."""
    if draft.state.hands[flip.victim] and draft.state.blanks():
        draft.emit(HandLifted(flip.victim))
        draft.ask(LayAll(flip.victim, flip.user, "treat"))


@trick("K15")
def angelic_charity(draft: Draft[State], flip: Flip) -> None:
    """R79, Q98: 2 candy from the victim to everybody, until there is none left."""
    for other in draft.state.others(flip.victim):
        give(draft, flip.victim, other, 2)


@trick("K16")
def trip_wire(draft: Draft[State], flip: Flip) -> None:
    """R80: the owner lays 3 Tricks, free of charge."""
    lay_tricks(draft, flip.user, 3)


@trick("K17")
def mask_mysteria(draft: Draft[State], flip: Flip) -> None:
    """R81: every mask goes to the right."""
    masks = draft.state.masks
    draft.emit(MasksChanged((*masks[1:], *masks[:1]), draft.state.spares))


@trick("K18")
def its_my_treat(draft: Draft[State], flip: Flip) -> None:
    """R82: the owner buys Treats with the victim's candy."""
    pose(draft, BuyFor(flip.user, flip.user, flip.victim))


@trick("K19")
def horrific_visage(draft: Draft[State], flip: Flip) -> None:
    """R83: the owner uses the power of the mask worn."""
    use_power(draft, flip.user)

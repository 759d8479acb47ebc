"""Mask powers, used when a tile says so, in anybody's turn."""

from __future__ import annotations

from games.forms import Arrangement, Form, OneOf
from games.masked_mischief.effects import Ask, Posed, Work, pose, power, use, use_power
from games.masked_mischief.houses import give
from games.masked_mischief.laying import lay_tricks
from games.masked_mischief.moves import put, suffer, swap_masks
from games.masked_mischief.options import Go, HandTile, Mask, Pick, Play, Stop
from games.masked_mischief.shop import take_spare
from games.masked_mischief.state import State
from games.masked_mischief.tiles import HandsRearranged, HandsShown
from games.masked_mischief.treats import double_next_roll, steal
from games.masked_mischief.words import Space
from games.rules import Draft
from games.sight import Seat

OFF_TURN_BARRED = ("T04", "T05", "T06", "T07", "T08", "T12", "T15")


@power("chuckles")
def juggling(draft: Draft[State], user: Seat) -> None:
    """R56: see all hands, share the Treats out anew, then play up to two."""
    hands = draft.state.hands
    if sum(map(bool, hands)) > 1:
        draft.emit(HandsShown(user, tuple([tuple([h.code for h in hand]) for hand in hands])))
        draft.ask(Juggle(user, user))
    draft.ask(Window(user, 2))


class Juggle(Ask[tuple[Pick, ...]], frozen=True):
    """Q92: every Treat to a player, hand sizes unchanged."""

    secret = True

    def prompt(self, state: State) -> str:
        return "Share out all Treats in hands; every hand keeps its size."

    def form(self, state: State, seat: Seat) -> Form[tuple[Pick, ...]]:
        tiles = [
            HandTile(holder, slot, held.code)
            for holder, hand in enumerate(state.hands)
            for slot, held in enumerate(hand)
        ]
        return Arrangement(tuple(tiles), tuple([Pick(tile.seat) for tile in tiles]))

    def answer(self, draft: Draft[State], option: tuple[Pick, ...]) -> None:
        codes = [held.code for hand in draft.state.hands for held in hand]
        given = list(zip(codes, option, strict=True))
        # Mixed, so that the place in a hand tells nobody where a tile came from.
        hands = tuple(
            [
                draft.dice.shuffle([code for code, to in given if to.seat == seat])
                for seat in range(draft.state.seats)
            ]
        )
        draft.emit(HandsRearranged(self.seat, hands))


class Window(Work, frozen=True):
    """Q82, Q114: asked in any turn, while the user holds a tile."""

    left: int

    def run(self, draft: Draft[State]) -> None:
        if self.left and draft.state.hands[self.user]:
            draft.ask(ExtraTreat(self.user, self.user, self.left))


class ExtraTreat(Ask[Play | Stop], frozen=True):
    """R56, R57, Q83: one more Treat, Evil Cackle barred."""

    left: int

    def prompt(self, state: State) -> str:
        return f"Play one more Treat? You may play {self.left}."

    def form(self, state: State, seat: Seat) -> Form[Play | Stop]:
        barred = {"T22"}
        if self.user != state.active and state.plays("off_turn_window", "no_roll_tiles"):
            barred.update(OFF_TURN_BARRED)
        hand = enumerate(state.hands[self.user])
        plays = [Play(slot, held.code) for slot, held in hand if held.code not in barred]
        return OneOf((*plays, Stop()))

    def answer(self, draft: Draft[State], option: Play | Stop) -> None:
        if isinstance(option, Play):
            use(draft, self.user, option.slot)
            draft.ask(Window(self.user, self.left - 1))


@power("esmerelda")
def hex_(draft: Draft[State], user: Seat) -> None:
    """R57: lay 2 Tricks, take a Treat from every other hand, then play one."""
    lay_tricks(draft, user, 2)
    draft.ask(*[Steal(user, other) for other in draft.state.others(user)], Window(user, 1))


class Steal(Work, frozen=True):
    """R57: from one hand."""

    victim: Seat

    def run(self, draft: Draft[State]) -> None:
        steal(draft, self.user, self.victim)


@power("clyde")
def sweet_tooth(draft: Draft[State], user: Seat) -> None:
    """R58, Q87: 1 candy from everybody for every 2 Treats on the board."""
    candy = draft.state.treats_on_board() // 2
    for other in draft.state.others(user):
        give(draft, other, user, candy)
    double_next_roll(draft, user)


@power("moonmoon")
def howl(draft: Draft[State], user: Seat) -> None:
    """R59: lay 3 Tricks; every other player goes to the nearest one and suffers it."""
    state = draft.state
    lay_tricks(draft, user, 3)
    victims = tuple([seat for seat in state.round_from(state.active) if seat != user])
    if state.plays("howl_order", "move_all_then_resolve"):
        draft.ask(HowlAtAll(user, victims, ()))
    else:
        draft.ask(*[HowlAt(user, victim) for victim in victims])
    draft.ask(HowlEnds(user))


def prey(state: State, victim: Seat) -> tuple[Space, ...]:
    """Q88, Q89: the nearest Tricks not his own; none for who is in a House."""
    if state.in_house(victim):
        return ()
    return state.map.nearest(state.at[victim], state.foreign_tricks(victim))


class HowlAt(Posed, frozen=True):
    """Q88: moved and done with before the next one is moved."""

    victim: Seat

    def question(self, state: State) -> NearestTrick | None:
        if not prey(state, self.victim):
            return None
        tie = state.plays("nearest_tie", "effect_user")
        return NearestTrick(self.user if tie else self.victim, self.user, self.victim)


class NearestTrick(Ask[Go], frozen=True):
    """Q59: of Tricks equally near, one is picked for the victim."""

    victim: Seat

    def prompt(self, state: State) -> str:
        return f"To which Trick does seat {self.victim} go?"

    def form(self, state: State, seat: Seat) -> Form[Go]:
        return OneOf(tuple([Go(space) for space in prey(state, self.victim)]))

    def answer(self, draft: Draft[State], option: Go) -> None:
        put(draft, self.victim, option.space)
        suffer(draft, self.victim, option.space)


class HowlAtAll(Work, frozen=True):
    """By the option: all aims are taken, then all are moved, then the Tricks are flipped."""

    victims: tuple[Seat, ...]
    aims: tuple[tuple[Seat, Space], ...]

    def run(self, draft: Draft[State]) -> None:
        if self.victims:
            victim, *rest = self.victims
            if prey(draft.state, victim):
                tie = draft.state.plays("nearest_tie", "effect_user")
                asked = self.user if tie else victim
                pose(draft, AimAt(asked, self.user, victim, tuple(rest), self.aims))
            else:
                draft.ask(HowlAtAll(self.user, tuple(rest), self.aims))
            return
        for victim, space in self.aims:
            put(draft, victim, space)
        draft.ask(*[HowlFlip(self.user, victim, space) for victim, space in self.aims])


class AimAt(NearestTrick, frozen=True):
    """The same, while nobody has been moved yet."""

    victims: tuple[Seat, ...]
    aims: tuple[tuple[Seat, Space], ...]

    def answer(self, draft: Draft[State], option: Go) -> None:
        aims = (*self.aims, (self.victim, option.space))
        draft.ask(HowlAtAll(self.user, self.victims, aims))


class HowlFlip(Work, frozen=True):
    """A tile flips once, for the first to stand there."""

    victim: Seat
    space: Space

    def run(self, draft: Draft[State]) -> None:
        state = draft.state
        if self.space in state.foreign_tricks(self.victim) and state.at[self.victim] == self.space:
            suffer(draft, self.victim, self.space)


class HowlEnds(Work, frozen=True):
    """The doubling comes when all have suffered."""

    def run(self, draft: Draft[State]) -> None:
        double_next_roll(draft, self.user)


@power("dullahan")
def headless_perks(draft: Draft[State], user: Seat) -> None:
    """R60, Q91: another mask must be taken; its power follows."""
    pose(draft, TakeMask(user, user))


class TakeMask(Ask[Mask], frozen=True):
    """Worn by another player, or unworn."""

    def prompt(self, state: State) -> str:
        return "Which mask do you take in exchange?"

    def form(self, state: State, seat: Seat) -> Form[Mask]:
        worn = [state.masks[other] for other in state.others(self.user)]
        return OneOf(tuple([Mask(mask) for mask in (*worn, *state.spares)]))

    def answer(self, draft: Draft[State], option: Mask) -> None:
        if option.mask in draft.state.masks:
            swap_masks(draft, self.user, draft.state.masks.index(option.mask))
        else:
            take_spare(draft, self.user, option.mask)
        use_power(draft, self.user)

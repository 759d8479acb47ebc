"""The game's public face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from games import rules
from games.bots import random_bot
from games.dealing import dealt, taken
from games.forms import Below
from games.game import Card, Game, Options
from games.memory import Memory
from games.recall import NO_PAST, Past, recalled
from games.rules import Result
from games.sight import Viewer
from tests.toy.pumpkin_patch import events, turns
from tests.toy.pumpkin_patch.state import State

Option = turns.Show | turns.Draw | turns.Pass
Pending = turns.Setup | turns.Round | turns.ShowTogether | turns.MayDraw
Event = (
    rules.Asked[State, Pending]
    | rules.Answered[State, Option]
    | rules.Chosen[State, Option]
    | rules.Stepped[State]
    | rules.Dropped[State]
    | events.Dealt
    | events.RoundBegun
    | events.Shown
    | events.Drawn
    | events.Over
)


class Table(State, frozen=True, kw_only=True):
    """The state as it is stored: what is pending has its types."""

    pending: tuple[rules.Open[Pending], ...] = ()


def start(seats: int, options: Options) -> tuple[State, turns.Setup]:
    return Table(), turns.Setup(seats)


def census(state: State) -> Mapping[str, int]:
    zones = [*state.hands, *state.shown, state.bag]
    return {f"size {n}": count for n, count in Counter(n for z in zones for n in z).items()}


def redealt(state: State, viewer: Viewer, below: Below, past: Past = NO_PAST) -> State:
    memory = recalled(past, viewer, below, watch)
    hands, bag = list(state.hands), Counter(state.bag)
    hidden = [seat for seat in range(len(hands)) if seat != viewer]
    for seat in hidden:
        bag.update(hands[seat])
    kept = {seat: taken(bag, memory.known(seat), len(hands[seat])) for seat in hidden}
    for seat in hidden:
        more = dealt(bag, len(hands[seat]) - len(kept[seat]), below)
        hands[seat] = (*kept[seat], *more)
    other = state.but(hands=tuple(hands), bag=tuple(dealt(bag, len(state.bag), below)))
    return rules.rechosen(other, viewer, below, memory.disclosed)


def watch(memory: Memory, state: State | None, event: Any) -> None:
    """What was shown and taken back again is known to be in that hand."""
    if isinstance(event, events.Shown):
        memory.went(event.seat, event.pumpkin)
    elif isinstance(event, events.Drawn):
        memory.came(event.seat, None)


def result(state: State) -> Result | None:
    if not state.over:
        return None
    scores = tuple(sum(shown) for shown in state.shown)
    best = max(scores)
    winners = tuple(seat for seat, score in enumerate(scores) if score == best)
    return Result(winners, scores, "most pumpkin shown")


SENTENCES: dict[str, Callable[[dict[str, Any]], str]] = {
    "dealt": lambda e: "Everybody has two pumpkins in hand.",
    "round_begun": lambda e: f"Round {e['round']} begins.",
    "shown": lambda e: f"Seat {e['seat']} shows a pumpkin of size {e['pumpkin']}.",
    "drawn": lambda e: f"Seat {e['seat']} draws a pumpkin.",
    "over": lambda e: "The patch is empty: the game is over.",
}


def tell(event: dict[str, Any]) -> str:
    sentence = SENTENCES.get(event["type"])
    return sentence(event) if sentence else ""


GAME = Game(
    id="pumpkin-patch",
    title="Pumpkin Patch",
    least=2,
    most=4,
    rules=1,
    data=b"pumpkins 1 1 2 2 3 3 4 4 5 5 5 5",
    options=Options,
    state=Table,
    pending=Pending,
    event=Event,
    start=start,
    census=census,
    redealt=redealt,
    result=result,
    tell=tell,
    bot=random_bot,
    cards=tuple(Card(str(n), "pumpkin", f"Pumpkin of size {n}") for n in range(1, 6)),
    begins={"round": events.RoundBegun},
    by_seat=("shown",),
)

"""Over random matches every kid's ability has had its effect: a test counts.

`HALLOWSTREAM_MATCHES` sets how many matches are played at most; the suite stops as soon as all
kids have acted.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from games.dice import Dice
from games.ghosts_love_candy_too import bag_ops, order, scares, scene, turns
from games.ghosts_love_candy_too.end_events import Tallied
from games.ghosts_love_candy_too.events import AbilityUsed, KidScared
from games.ghosts_love_candy_too.game import GAME
from games.ghosts_love_candy_too.kids import OURS
from games.ghosts_love_candy_too.sheet import SHEETS, Sheet
from games.rules import Answer, begin, decide
from tests.play import random_options

MATCHES = max(800, int(os.environ.get("HALLOWSTREAM_MATCHES", "0")))
FIRST = int(os.environ.get("HALLOWSTREAM_SEED", "1"))

NO_ABILITY = {23, 24}
STANDING = {n for n, kid in OURS.kids.items() if kid.effect.on or kid.effect.stash}
AT_THE_COUNT = {n for n, kid in OURS.kids.items() if kid.effect.worth}
ONE_BLANK = {
    number: Sheet("", {**OURS.kids, number: OURS.kids[number].plain()}) for number in STANDING
}

ASKED_OF_KIDS: list[tuple[Any, str]] = [
    (scares, "is_scared"),
    (turns, "helpings"),
    (turns, "served_at"),
    (turns, "must_leave_one"),
    (turns, "may_enter"),
    (order, "ascending"),
    (order, "wins_ties"),
    (scene, "locked"),
    (scene, "protected"),
    (bag_ops, "extra_draws"),
]
"""Where the rules ask what standing kids make of them."""


def watched(ask: Callable[..., Any], fired: Counter[int]) -> Callable[..., Any]:
    """The same question, counting each kid without whom the answer would be another."""

    def asked(state: Any, *args: Any) -> Any:
        answer = ask(state, *args)
        lying = [slot.kid for slot in state.row] + [k for kids in state.scared for k in kids]
        for kid in STANDING.intersection(lying):
            SHEETS[""] = ONE_BLANK[kid]
            fired[kid] += ask(state, *args) != answer
            SHEETS[""] = OURS
        return answer

    return asked


def play(number: int, fired: Counter[int]) -> None:
    rng = random.Random(number)
    seats = rng.randint(2, 6)
    options = {**random_options(GAME, seats, rng), "easier": False, "super_kid": False}
    state, setup = GAME.start(seats, GAME.checked_options(options))
    events = begin(state, setup, Dice(b"seed", str(number), 0, 1))
    for place in range(1, 5000):
        for event in events:
            count(state, event, fired)
            state = event.apply(state)
        if not state.pending:
            return
        top = state.pending[-1]
        seat = rng.choice(top.item.seats)
        option = top.item.form(state, seat).sample(rng.randrange)
        dice = Dice(b"seed", str(number), place, place + 1)
        events = decide(state, seat, Answer(top.id, option), dice)
    raise AssertionError("the match did not end")


def count(state: Any, event: Any, fired: Counter[int]) -> None:
    if isinstance(event, AbilityUsed):
        fired[event.of] += 1
    elif isinstance(event, KidScared):
        owners = {ghost.seat for ghost in state.row[event.slot].pile}
        if event.kid == 97:
            fired[97] += bool(state.row[event.slot].treats)
        if event.kid == 98:
            fired[98] += len(owners) > 1
    elif isinstance(event, Tallied):
        fired.update(AT_THE_COUNT.intersection(*[[k for kids in state.scared for k in kids]]))


def test_every_kid_has_its_effect_in_some_random_match(monkeypatch: pytest.MonkeyPatch) -> None:
    fired: Counter[int] = Counter()
    for module, name in ASKED_OF_KIDS:
        monkeypatch.setattr(module, name, watched(getattr(module, name), fired))
    everybody = set(OURS.kids) - NO_ABILITY
    for number in range(FIRST, FIRST + MATCHES):
        play(number, fired)
        if everybody <= set(+fired):
            break
    print(f"{number - FIRST + 1} matches: {sorted(fired.items())}")
    assert not everybody - set(+fired), "these kids never had an effect"

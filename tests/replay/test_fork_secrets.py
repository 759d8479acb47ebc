"""A fork depends on nothing that its seat may not know: not even together with the seed that the
fork reveals when it is closed, by which all that was dealt in it can be reckoned back."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

from games.catalog import GAMES
from games.game import Game
from games.memory import Memory
from games.recall import Past
from games.rules import view
from games.sight import Viewer
from tests.play import random_match
from tests.replay.test_every_game import every_game, every_match, lightly, there_and_back
from tests.replay.twins import TWINS, veiled


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@every_match
@lightly
def test_whatever_is_hidden_the_fork_is_the_same(game: Game, number: int) -> None:
    """All that the viewer does not see in a state lies elsewhere in its twin."""
    rng = random.Random(number)
    match = random_match(game, number, limit=rng.choice((0, 10, 100)))
    states = [table.state for table in match.past if table.state is not None]
    states = [state for state in states if state.pending]
    for state in (states[0], *rng.sample(states, min(8, len(states)))):
        for viewer in match.viewers:
            twin = TWINS[game.id](state, viewer, rng)
            assert view(twin, viewer) == view(state, viewer)
            assert game.census(twin) == game.census(state)
            one, other = (
                game.redealt(each, viewer, random.Random(number).randrange)
                for each in (state, twin)
            )
            assert one == other, (viewer, state.pending)
            assert can_go_on(one)


@every_game
@every_match
@lightly
def test_what_is_remembered_is_what_was_shown(
    game: Game, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a past that is told with something else wherever the viewer may not look, the fork is the
    same; also where all it was shown of places that it can't see now must lie there again."""
    rng = random.Random(number)
    match = random_match(game, number, limit=rng.choice((0, 10, 60)))
    there_and_back(match, rng, rng.randint(2, 40))
    states = [table.state for table in match.past]
    steps = [n for n, state in enumerate(states) if state is not None and state.pending]
    module = sys.modules[game.redealt.__module__]
    recalled = module.__dict__["recalled"]

    def blindly(past: Past, viewer: Viewer, below: Any, watch: Any, *fits: Any) -> Memory:
        def shown(memory: Memory, state: Any, event: Any) -> None:
            watch(memory, veiled(state, viewer), veiled(event, viewer))

        found: Memory = recalled(past, viewer, below, shown, *fits)
        return found

    for viewer in match.viewers:
        for step in {steps[-1], rng.choice(steps)}:
            past = Past(match.commits, states, step)
            twin = game.redealt(states[step], viewer, rng.randrange, past)
            whole = game.redealt(states[step], viewer, random.Random(number).randrange, past)
            with monkeypatch.context() as patch:
                patch.setattr(module, "recalled", blindly)
                blind = game.redealt(twin, viewer, random.Random(number).randrange, past)
            assert blind == whole, (viewer, step)
            assert can_go_on(whole)


def can_go_on(state: Any) -> bool:
    """Whether all that are asked have something to answer."""
    item = state.pending[-1].item
    return all(item.form(state, seat).count() for seat in item.seats)

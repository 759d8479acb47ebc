"""Properties of replay and undo that hold in every game; `make properties` tries many matches."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games import undo
from games.catalog import GAMES
from games.game import Game
from games.recall import Past
from games.rules import Answer, Refused, view
from games.sight import Viewer, cut
from games.table import Table, committed
from replay.fold import Fold, fold
from replay.steps import Positions, Scene, Step, positions, previous, shown, viewed, within
from tests.play import Match, random_match, random_options
from tests.replay.going_on import impossible
from tests.replay.knowing import Watched, contradictions
from tests.replay.patching import applied
from tests.replay.recordings import story
from tests.toy.pumpkin_patch.game import GAME as TOY

ALL = [*GAMES.values(), TOY]
MATCHES = int(os.environ.get("HALLOWSTREAM_REPLAYS", "3"))
FIRST = int(os.environ.get("HALLOWSTREAM_SEED", "1"))
NUMBERS = range(FIRST, FIRST + MATCHES)
"""These look at every step of every match for every viewer, so that fewer of them are enough."""

LIMIT = int(os.environ.get("HALLOWSTREAM_STEPS", "60"))
"""Answers of a match; 5000 for whole ones."""

every_game = pytest.mark.parametrize("game", ALL, ids=[game.id for game in ALL])
every_match = pytest.mark.parametrize("number", NUMBERS)
lightly = pytest.mark.usefixtures("light_matches")


def digest(value: Any) -> str:
    return sha256(msgspec.json.encode(value)).hexdigest()


def everyone(match: Match) -> tuple[Viewer, ...]:
    return (*match.viewers, "auditor")


@every_game
@every_match
@lightly
def test_every_step_shows_every_viewer_what_was_live_then(game: Game, number: int) -> None:
    """The views were made when the match stood there, by the table that then was."""
    match = random_match(game, number, limit=LIMIT, undo=0.05)
    live = [{viewer: digest(t.view(viewer)) for viewer in everyone(match)} for t in match.past[1:]]
    read = story(match)
    folded = fold(read)
    assert folded.version == len(match.commits)
    for version, then in enumerate(live, 1):
        table = within(folded.tables, folded.commits, Step(version))
        for viewer, wanted in then.items():
            assert digest(viewed(table, viewer)) == wanted, (version, viewer)


@every_game
@every_match
@lightly
def test_forward_and_back_lead_to_the_same(game: Game, number: int) -> None:
    """Event by event, into commits and out of them; and each patch leads from step to step."""
    match = random_match(game, number, limit=min(LIMIT, 25), undo=0.05)
    read = story(match)
    folded = fold(read)
    at = positions(read)
    rng = random.Random(number)
    viewer = rng.choice(everyone(match))
    there = {step: view_at(folded, step, viewer) for step in walked(at)}
    forward = {step: digest(view) for step, view in there.items()}
    step = Step(at.last)
    back = {step: digest(view_at(folded, step, viewer))}
    while at.before(step) != step:
        step = at.before(step)
        back[step] = digest(view_at(folded, step, viewer))
    assert back == forward
    for step in rng.sample(list(there), min(40, len(there))):
        seen = shown(read, folded, step, viewer)
        if (base := previous(step)) is not None:
            base = at.check(base)
            assert applied(seen["changed"]["patch"], there[base]) == there[step]
        if seen["answer"] is not None:
            assert seen["asked"]["question"]["prompt"]


def walked(at: Positions) -> Iterator[Step]:
    step = at.check(Step(1, 1))
    yield step
    while (following := at.after(step)) != step:
        step = following
        yield step


def view_at(folded: Fold, step: Step, viewer: Viewer) -> Any:
    table = within(folded.tables, folded.commits, step)
    return msgspec.json.decode(msgspec.json.encode(viewed(table, viewer)))


@every_game
@every_match
@lightly
def test_what_is_free_to_take_back_has_told_nobody_anything(game: Game, number: int) -> None:
    """Deal otherwise all that the asker can't see, and give the same answers: where the ledger says
    free, whoever saw no difference before sees none after, so that nothing hidden has come out."""
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    match = Match.started(game, seats, **random_options(game, seats, rng))
    start = len(match.commits)
    while match.state.pending and len(match.commits) < start + LIMIT:
        seat = rng.choice(match.asked.seats)
        match.answer(seat, match.any_answer(seat, rng.randrange))
        now = len(match.commits)
        for to in range(max(start, now - 3), now):
            for asker in range(match.seats):
                price = undo.cost(match.commits, to, asker, match.seats)
                assert asker not in price.seats
                if price.kind == "free":
                    told_nothing(match, to, asker, rng)


def told_nothing(match: Match, to: int, asker: int, rng: random.Random) -> None:
    gone = match.commits[to:]
    assert all(commit.by == asker and not commit.private.draws for commit in gone)
    before = match.past[to]
    assert before.state is not None
    other = replace(before, state=match.game.redealt(before.state, asker, rng.randrange))
    after = other
    for commit in gone:
        given = commit.events[0]
        answer = Answer(given.question, given.option)
        events, draws = after.answer(asker, answer, match.seed)
        assert not draws
        after = after.after(committed(after, commit.at, asker, bytes(16), 0, events))
    for viewer in match.viewers:
        if seen(before, viewer) == seen(other, viewer):
            assert seen(match.table, viewer) == seen(after, viewer), (viewer, to)


def seen(table: Table, viewer: Viewer) -> Any:
    """The view without the form, which shows its own seat what it holds."""
    view = msgspec.json.decode(msgspec.json.encode(table.view(viewer)))
    if view["game"]["question"]:
        view["game"]["question"].pop("form", None)
    return view


@every_game
@every_match
@lightly
def test_the_same_answers_after_an_undo_meet_the_same_chance(game: Game, number: int) -> None:
    """Through ask, agree and `Reverted`; those of a `Together` in any order."""
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    match = Match.started(game, seats, **random_options(game, seats, rng))
    start = len(match.commits)
    match.play(rng.randrange, limit=rng.randint(1, 15))
    to = rng.randint(start, len(match.commits) - 1)
    then, was = match.past[to], match.table
    asker = rng.randrange(match.seats)
    taken_back(match, asker, to)
    assert msgspec.msgpack.encode(match.state) == msgspec.msgpack.encode(then.state)
    assert match.table.answers == then.answers
    given = [c.events[0] for c in match.commits[to : was.version]]
    ids: dict[str, str] = {}
    while given:
        group = [each for each in given if each.question == given[0].question]
        del given[: len(group)]
        rng.shuffle(group)
        for each in group:
            now = ids.setdefault(each.question, match.state.pending[-1].id)
            match.answer(each.seat, each.option, now)
    again, first = (msgspec.structs.replace(t.state, pending=()) for t in (match.table, was))
    assert again == first


def taken_back(match: Match, asker: int, to: int) -> None:
    """By leave of all others or, where that is not enough, by a referee."""
    try:
        match.commit(asker, *undo.ask(match.table, match.commits, asker, to))
    except Refused:
        match.commit("admin", *undo.revert(match.table, match.commits, to))
        return
    while (request := match.table.match.request) is not None:
        seat = next(s for s in request.needs if s not in request.agreed)
        match.commit(seat, *undo.agree(match.table, seat))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@every_match
@lightly
def test_a_fork_contradicts_nothing_that_its_seat_has_seen(game: Game, number: int) -> None:
    """Of the present or of any step before it, also of one that was taken back: a card that went to
    a hand before its eyes is there, as long as none has left it unseen; and what came out later, or
    before that was taken back, is where it was."""
    rng = random.Random(number)
    match = random_match(game, number, limit=rng.choice((3, 30, 200)))
    there_and_back(match, rng, rng.randint(2, 120))
    states = [table.state for table in match.past]
    steps = [n for n, state in enumerate(states) if state is not None and state.pending]
    for viewer in match.viewers:
        seen = Watched(match, viewer)
        for step in {steps[-1], *rng.sample(steps, min(3, len(steps)))}:
            state = states[step]
            assert contradictions(seen, step, state) == []
            other = game.redealt(state, viewer, rng.randrange, Past(match.commits, states, step))
            assert contradictions(seen, step, other) == [], (viewer, step)
            mine, theirs = (msgspec.json.encode(view(s, viewer)) for s in (state, other))
            assert mine == theirs
            assert game.census(other) == game.census(state)


@pytest.mark.parametrize(("id", "most"), [("tricks-and-treats", 200), ("trick-or-treat", 60)])
@every_match
@lightly
def test_a_fork_could_have_gone_on_as_its_seat_has_seen(id: str, most: int, number: int) -> None:
    """Where hands are drawn from a deck: whoever played a card since held it by then, or drew it
    in between, be that certain or one of several things that it may have been."""
    rng = random.Random(number)
    match = random_match(GAMES[id], number, limit=rng.choice((10, 30, most)))
    states = [table.state for table in match.past]
    steps = [n for n, state in enumerate(states) if state is not None and state.pending]
    for viewer in match.viewers:
        seen = Watched(match, viewer)
        for step in rng.sample(steps, min(5, len(steps))):
            assert impossible(seen, step, states[step]) == []
            past = Past(match.commits, states, step)
            other = GAMES[id].redealt(states[step], viewer, rng.randrange, past)
            assert impossible(seen, step, other) == [], (viewer, step)


def there_and_back(match: Match, rng: random.Random, limit: int) -> None:
    """Random play that is often taken back: to what stands, and to what was itself taken back."""
    start = next(n for n, table in enumerate(match.past) if table.state is not None)
    while len(match.commits) < start + limit:
        now = len(match.commits)
        if not match.state.pending or rng.random() < 0.2:
            match.undo(max(start, now - rng.randrange(1, rng.choice((4, 30)))))
        else:
            match.play(rng.randrange, limit=1)


@every_game
@every_match
@lightly
def test_a_step_tells_nothing_hidden(game: Game, number: int) -> None:
    """Deal otherwise what a viewer can't see: where it is told the same commit, the step is the
    same bytes, with question, answer and changes."""
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    match = Match.started(game, seats, **random_options(game, seats, rng))
    compared = 0
    while match.state.pending and match.table.answers < LIMIT:
        viewer = rng.choice(match.viewers)
        before = match.table
        twin = replace(before, state=game.redealt(before.state, viewer, rng.randrange))
        seat = rng.choice(match.asked.seats)
        option = match.any_answer(seat, rng.randrange)
        other = option
        if match.asked.secret and seat != viewer:
            other = twin.state.pending[-1].item.form(twin.state, seat).sample(rng.randrange)
        scenes = [
            scene(table, seat, o, match, viewer) for table, o in ((before, option), (twin, other))
        ]
        if None not in scenes and scenes[0].told == scenes[1].told:
            here, there = (msgspec.json.encode(each.seen(viewer)) for each in scenes)
            assert here == there
            compared += 1
        match.answer(seat, option)
    assert compared or match.table.answers < 12, "nothing was compared"


def scene(before: Table, seat: int, option: Any, match: Match, viewer: Viewer) -> Any:
    """The step that the answer would lead to; None where it is not on offer."""
    try:
        answer = Answer(before.state.pending[-1].id, option)  # type: ignore[union-attr]
        events, draws = before.answer(seat, answer, match.seed)
    except Refused:
        return None
    commit = committed(before, 0, seat, bytes(16), draws, events)
    step, since = Step(commit.version), Step(before.version)
    told, after = cut(commit, viewer), before.after(commit)
    return Scene(match.game, step, told, commit, before, after, since, before)

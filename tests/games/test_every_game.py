"""What every game gets for nothing: random matches, and what must hold in all of them.

A game in the catalogue is picked up by itself. `make test` plays a seeded sample;
`make properties` sets HALLOWSTREAM_MATCHES to the large count.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from events import log
from games import declared, sight
from games.bots import random_bot
from games.catalog import GAMES
from games.dice import Dice
from games.forms import wire
from games.game import Game
from games.history import Commit, Private, standing
from games.rules import Answer, Answered, Asked, Draft, Refused, decide, view
from games.table import Table, tables
from tests.play import Match, random_match, random_options
from tests.secrecy import kept_back, same
from tests.toy.pumpkin_patch.game import GAME as TOY

ALL = [*GAMES.values(), TOY]
MATCHES = int(os.environ.get("HALLOWSTREAM_MATCHES", "12"))
FIRST = int(os.environ.get("HALLOWSTREAM_SEED", "1"))
NUMBERS = range(FIRST, FIRST + MATCHES)

every_game = pytest.mark.parametrize("game", ALL, ids=[game.id for game in ALL])
every_match = pytest.mark.parametrize("number", NUMBERS)
lightly = pytest.mark.usefixtures("light_matches")


def hashed(state: Any) -> str:
    return sha256(msgspec.msgpack.encode(state)).hexdigest()


@every_game
@every_match
def test_a_random_match_is_whole_at_every_answer(game: Game, number: int) -> None:
    """Answerable, round trips, census, termination, unique question ids, decided again the same."""
    match = random_match(game, number, undo=0.02)
    assert not match.state.pending, "the match did not end"
    result = match.table.result
    assert result is not None and len(result.scores) == match.seats
    assert set(result.winners) <= set(range(match.seats))
    ids = [e.id for c in match.commits for e in c.events if isinstance(e, Asked)]
    assert len(ids) == len(set(ids)), "a question id was used twice"
    begun = [t.state for t in match.past if t.state is not None]
    counts = {tuple(sorted(game.census(state).items())) for state in begun}
    assert len(counts) == 1, "something was created or lost"
    past = tables(game, match.commits)
    assert past[-1].state == match.state, "the fold is not the live state"
    for before, commit in zip(past, match.commits, strict=False):
        events, draws = before.again(commit, match.seed)
        assert (tuple(events), draws) == (commit.events, commit.private.draws)


@every_game
@pytest.mark.parametrize("number", NUMBERS[::4])
@lightly
def test_the_state_an_answer_was_decided_in_is_the_fold(game: Game, number: int) -> None:
    match = random_match(game, number)
    for before, after, commit in zip(match.past, match.past[1:], match.commits, strict=False):
        given = commit.events[0]
        if not isinstance(given, Answered):
            continue
        sent = wire(given.option)
        made = before.answer_sent(given.seat, given.question, sent, match.seed)
        events, draws, state = made
        assert (tuple(events), draws) == (commit.events, commit.private.draws)
        assert before.at_state(commit, state) == after
        if commit.version % 8 == 0:
            for viewer in match.viewers:
                assert view(state, viewer) == view(after.state, viewer)


@every_game
@pytest.mark.parametrize("number", NUMBERS[::2])
@lightly
def test_what_chance_has_made_says_so_and_can_be_drawn_again(
    game: Game, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word that no event owns up to would shift all that verify draws again after it."""
    emit, drawn = Draft.emit, list[tuple[Any, Dice, int]]()

    def watched(draft: Draft[Any], event: Any) -> None:
        before = getattr(draft, "_before", 0)
        if draft.dice.drawn > before:
            at = draft.dice
            again = Dice(at.seed, at.match, at.place, at.version)
            again.drawn = before
            drawn.append((event, again, at.drawn))
        draft._before = draft.dice.drawn  # type: ignore[attr-defined]
        emit(draft, event)

    monkeypatch.setattr(Draft, "emit", watched)
    match = random_match(game, number)
    opening = game.start(match.seats, match.options)[0]
    assert drawn
    for event, dice, after in drawn:
        assert event.chance, type(event)
        made = event.redrawn(dice, opening)
        assert made is None or (made, dice.drawn) == (event, after)


@every_game
@every_match
@lightly
def test_somebody_is_asked_and_can_answer(game: Game, number: int) -> None:
    """Every asked seat has an answer, its sample is one, and ids are one to one with options."""
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    match = Match.started(game, seats, **random_options(game, seats, rng))
    while match.state.pending:
        assert match.asked.seats
        assert match.asked.prompt(match.state)
        for seat in match.asked.seats:
            form = match.form(seat)
            assert form.count() > 0
            sampled = form.sample(rng.randrange)
            assert form.contains(sampled)
            if hasattr(form, "options"):
                ids = [o.id for o in form.page().options]
                assert len(set(ids)) == len(set(form.options)), "two options share an id"
                assert all(o.label for o in form.page().options)
        seat = rng.choice(match.asked.seats)
        match.answer(seat, match.any_answer(seat, rng.randrange))


@every_game
@every_match
@lightly
def test_bots_see_a_view_and_are_never_refused(game: Game, number: int) -> None:
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    match = Match.started(game, seats, **random_options(game, seats, rng))
    while match.state.pending:
        seat = rng.choice(match.asked.seats)
        seen = match.view(seat)
        bot = game.bot if rng.random() < 0.8 else random_bot
        sent = bot(seen, seen["question"], rng.randrange)
        match.answer(seat, match.table.picked(seat, seen["question"]["id"], sent))


@every_game
def test_all_logs_of_a_match_prove_the_same_head(game: Game) -> None:
    match = random_match(game, FIRST)
    heads = {log.verify(match.pages(v), match.genesis) for v in (*match.viewers, "auditor")}
    assert heads == {match.entries[-1].head}
    for entry, page in zip(match.entries, match.pages("auditor"), strict=True):
        assert log.opened(page) == entry.facts


@every_game
@every_match
@lightly
def test_a_page_reads_like_the_cut_events_but_for_the_seals(game: Game, number: int) -> None:
    """And every opening that is due to the viewer is there, and no other."""
    match = random_match(game, number, limit=40)
    for viewer in (*match.viewers, "auditor"):

        def check(audience: sight.Audience, hidden: bool, viewer: Any = viewer) -> None:
            assert hidden is not audience.has(viewer)

        for commit, page in zip(match.commits, match.pages(viewer), strict=True):
            got = sight.named(game.codec.commit, sight.read(log.opened(page)), check)
            cut = sight.cut(commit, viewer)
            plain = msgspec.json.decode(msgspec.json.encode(cut))
            assert msgspec.json.decode(msgspec.json.encode(got)) == plain


@every_game
@every_match
@lightly
def test_an_undo_gives_back_the_very_state_and_the_same_chance(game: Game, number: int) -> None:
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    match = Match.started(game, seats, **random_options(game, seats, rng))
    begun = len(match.commits)
    match.play(rng.randrange, limit=25)
    to = rng.randint(begun, len(match.commits))
    then = match.past[to]
    given = [c.events[0] for c in match.commits[to:]]
    was = match.table
    match.undo(to)
    assert hashed(match.state) == hashed(then.state)
    assert match.table.answers == then.answers
    ids: dict[str, str] = {}
    for answered in given:
        now = match.state.pending[-1].id
        ids.setdefault(answered.question, now)
        match.answer(answered.seat, answered.option, ids[answered.question])
    assert len(standing(match.commits)) == to + len(given) + 1
    states: list[Any] = [match.state, was.state]
    plain = [msgspec.structs.replace(state, pending=()) for state in states]
    assert plain[0] == plain[1], "the same answers met another chance"


@every_game
@every_match
@lightly
def test_a_view_and_a_log_tell_nothing_hidden(game: Game, number: int) -> None:
    """Deal otherwise what a viewer can't see: view, question, refusals and commits stay the same
    bytes, and so do the view and the result of a match that is over.
    """
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    match = Match.started(game, seats, **random_options(game, seats, rng))
    compared = 0
    while match.state.pending:
        viewer = rng.choice(match.viewers)
        other = game.redealt(match.state, viewer, rng.randrange)
        twins = twin_tables(match, other)
        assert msgspec.json.encode(view(match.state, viewer)) == msgspec.json.encode(
            view(other, viewer)
        )
        refusals = [refused(table, viewer) for table in twins]
        assert refusals[0] == refusals[1]
        seat = rng.choice(match.asked.seats)
        option = match.any_answer(seat, rng.randrange)
        twin = option
        if match.asked.secret and seat != viewer:
            twin = other.pending[-1].item.form(other, seat).sample(rng.randrange)
        here = decided(match, match.state, seat, option)
        there = decided(match, other, seat, twin)
        assert here is not None
        assert there is not None or seat != viewer, "a refusal tells what is hidden"
        if there is not None:
            compared += same(here, there, viewer)
        match.answer(seat, option)
    for viewer in match.viewers:
        other = game.redealt(match.state, viewer, rng.randrange)
        over = [msgspec.json.encode(table.view(viewer)) for table in twin_tables(match, other)]
        assert over[0] == over[1]
    assert compared or match.table.answers < 12, "nothing was compared"


@every_game
@every_match
@lightly
def test_the_start_goes_the_same_way_whatever_is_dealt(game: Game, number: int) -> None:
    """Other seeds, the same kinds of events and questions: else the first hands choose them."""
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    options = random_options(game, seats, rng)
    ways = set()
    for seed in range(8):
        match = Match(game, seats, seed=f"{number}.{seed}".encode(), **options)
        events, _ = match.table.start(match.seed)
        ways.add(tuple([(type(e), type(e.item) if isinstance(e, Asked) else None) for e in events]))
    assert len(ways) == 1


def twin_tables(match: Match, other: Any) -> list[Table]:
    """The table, and the same with what is hidden dealt otherwise."""
    return [match.table, msgspec.structs.replace(match.table, state=other)]


def refused(table: Table, viewer: Any) -> list[Any]:
    """All that a seat is told where it answers wrongly."""
    if viewer == "spectator" or table.state is None:
        return []
    told: list[Any] = []
    id = table.state.pending[-1].id
    for question, sent in ((id, "nothing"), (id, []), (id, ["nothing"]), (id, -1), ("0.0", "")):
        try:
            told.append(wire(table.picked(viewer, question, sent)))
        except Refused as refusal:
            told.append((refusal.code, refusal.why, refusal.detail))
    return told


@every_game
def test_no_hidden_place_is_forgotten_where_others_are_dealt_otherwise(game: Game) -> None:
    """Else nothing here would find a leak from it, and a fork for one seat would hold the truth."""
    met: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    for number in NUMBERS:
        rng = random.Random(number)
        seats = rng.randint(game.least, game.most)
        match = Match.started(game, seats, **random_options(game, seats, rng))
        while match.state.pending and len(match.commits) < 100:
            viewer = rng.choice(match.viewers)
            hidden = list(kept_back(match.state, viewer))
            other = list(kept_back(game.redealt(match.state, viewer, rng.randrange), viewer))
            met.update(where for where, part in hidden if part)
            pairs = zip(hidden, other, strict=False)
            changed.update(a[0] for a, b in pairs if a != b)
            seat = rng.choice(match.asked.seats)
            match.answer(seat, match.any_answer(seat, rng.randrange))
    assert not [where for where, times in met.items() if times > 2 and not changed[where]]


def decided(match: Match, state: Any, seat: int, option: Any) -> Commit[Any] | None:
    """The commit this answer would make, or None where it is not on offer."""
    dice = match.dice()
    try:
        events = decide(state, seat, Answer(state.pending[-1].id, option), dice)
    except Refused:
        return None
    version = len(match.commits) + 1
    private = Private(bytes(16), dice.drawn)
    return Commit(version, 0, seat, match.game.version, private, tuple(events))


@every_game
def test_every_field_says_who_sees_it(game: Game) -> None:
    for facts in (game.codec.commit, game.pending, game.state):
        declared.check(facts)


@every_game
@every_match
@lightly
def test_whether_a_question_is_asked_is_plain_to_all(game: Game, number: int) -> None:
    """The same public facts, other secrets: the same seats are asked the same kind of question."""
    rng = random.Random(number)
    seats = rng.randint(game.least, game.most)
    match = Match.started(game, seats, **random_options(game, seats, rng))
    while match.state.pending:
        other = game.redealt(match.state, "spectator", rng.randrange)
        shown = [view(state, "spectator")["question"] for state in (match.state, other)]
        assert shown[0] == shown[1]
        seat = rng.choice(match.asked.seats)
        match.answer(seat, match.any_answer(seat, rng.randrange))


@every_game
def test_every_event_has_a_sentence_or_none_for_every_viewer(game: Game) -> None:
    match = random_match(game, FIRST)
    told = [
        game.narrate(event, viewer)
        for commit in match.commits
        for event in commit.events
        for viewer in (*match.viewers, "auditor")
    ]
    assert any(told)
    assert all("\n" not in t and (not t or t[-1] in ".!?") for t in told)

"""Steps found by round or turn, as each game's rulebook goes; what else has such a number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from games import catalog
from games.sight import Viewer
from replay import files, load, seeking
from replay.export import export
from replay.fold import fold
from replay.load import Story
from replay.steps import NoStep, Step
from services import looking
from services.pasts import Past
from tests.play import Match
from tests.replay.recordings import begun, story
from tests.toy.pumpkin_patch.game import GAME
from tests.toy.pumpkin_patch.turns import Draw

GOLDEN = Path(__file__).parents[1] / "golden"
SHIPPED = {id: game for id, game in catalog.GAMES.items() if id != GAME.id}
GOES_BY = {
    "tricks-and-treats": "turn",
    "trick-or-treat": "turn",
    "masked-mischief": "turn",
    "ghosts-love-candy-too": "round",
    "trickn-treat": "round",
}
LOGS = [
    ("tricks-and-treats", "three"),
    ("trick-or-treat", "three"),
    ("masked-mischief", "three"),
    ("ghosts-love-candy-too", "everything"),
    ("ghosts-love-candy-too", "three"),
    ("trickn-treat", "three-competitive"),
    ("trickn-treat", "three"),
    ("trickn-treat", "five"),
]


def recorded(game: str, name: str) -> Story:
    return load.read(files.read((GOLDEN / game / f"{name}.jsonl").read_bytes()))


def past_of(given: Story) -> Past:
    folded = fold(given)
    return Past(given.game, (), tuple(folded.commits), tuple(folded.tables))


def every(given: Story, what: Any) -> list[Step]:
    """Where each began, from number 1 on."""
    found: list[Step] = []
    try:
        while True:
            found.append(seeking.begun(given, what, len(found) + 1))
    except NoStep:
        return found


def test_every_game_goes_by_what_its_rulebook_has() -> None:
    assert {id: next(iter(game.begins)) for id, game in SHIPPED.items()} == GOES_BY
    assert all(len(game.begins) == 1 for game in SHIPPED.values())


@pytest.mark.parametrize(("game", "name"), LOGS)
def test_every_round_or_turn_is_found_where_it_began(game: str, name: str) -> None:
    given, what = recorded(game, name), GOES_BY[game]
    folded, found = fold(given), every(given, what)
    assert len(found) > 2 and found == sorted(found)
    past = past_of(given)
    for number, step in enumerate(found, 1):
        assert looking.found(past, None, {what: number}) == str(step)  # type: ignore[dict-item]
        state = folded.tables[step.version].state
        if hasattr(state, what):
            assert getattr(state, what) == number
            assert getattr(folded.tables[step.version - 1].state, what, 0) == number - 1
    for viewer in (0, "spectator"):
        eyes: Any = viewer
        assert every(export(given, eyes), what) == found


@pytest.mark.parametrize(("game", "name"), LOGS)
def test_what_a_game_does_not_go_by_is_told(game: str, name: str) -> None:
    given, what = recorded(game, name), GOES_BY[game]
    other: Any = "turn" if what == "round" else "round"
    past = past_of(given)
    for number in (0, 1, 2):
        with pytest.raises(NoStep, match=f"there is no {other} {number}: .* goes by {what}s"):
            seeking.begun(given, other, number)
        with pytest.raises(NoStep, match=f"goes by {what}s"):
            looking.found(past, None, {other: number})
    for number in (0, 999):
        with pytest.raises(NoStep, match=f"no {what} {number} has begun"):
            looking.found(past, None, {what: number})  # type: ignore[dict-item]


def test_a_round_of_tricks_is_a_trick() -> None:
    """Its rulebook calls a trick a round; each of them is won by somebody."""
    given = recorded("trickn-treat", "five")
    kinds = [e["type"] for told in given.told for e in told["events"]]
    found = every(given, "round")
    assert len(found) == kinds.count("trick_started") == kinds.count("trick_won")
    for step in found:
        events = [e["type"] for e in given.told[step.version - 1]["events"]]
        assert "trick_started" in events


def test_an_event_that_only_speaks_of_a_round_begins_none() -> None:
    """A kid that wins the ties of the next round says so in the round before it."""
    name = next(
        path.stem
        for path in sorted((GOLDEN / "ghosts-love-candy-too").glob("*.jsonl"))
        if b"ties_granted" in path.read_bytes()
    )
    given = recorded("ghosts-love-candy-too", name)
    granted = [
        (version, event["round"])
        for version, told in enumerate(given.told, 1)
        for event in told["events"]
        if event["type"] == "ties_granted"
    ]
    assert granted
    for version, number in granted:
        try:
            step = seeking.begun(given, "round", number)
        except NoStep:
            continue  # granted in the last round
        assert step.version > version


@pytest.mark.parametrize("viewer", ["auditor", 0, "spectator"])
def test_what_was_taken_back_does_not_count(viewer: Viewer) -> None:
    match = begun()
    for seat in (0, 1):
        match.answer(seat, match.form(seat).options[0])
    for seat in (0, 1):
        match.answer(seat, Draw())
    assert seeking.begun(story(match, viewer), "round", 2) == Step(len(match.commits))
    match.undo(len(match.commits) - 1)
    with pytest.raises(NoStep, match="no round 2 has begun"):
        seeking.begun(story(match, viewer), "round", 2)
    match.answer(1, Draw())
    assert seeking.begun(story(match, viewer), "round", 2) == Step(len(match.commits))


def test_tricks_that_were_taken_back_do_not_count() -> None:
    """They have no number of their own, so they are counted as the match stands now."""
    match = Match.started(catalog.GAMES["trickn-treat"], 5)
    began: list[int] = []
    while len(began) < 3:
        seat = match.asked.seats[0]
        events = match.answer(seat, match.form(seat).options[0])
        began += [len(match.commits)] * sum(type(e).__name__ == "TrickStarted" for e in events)
    third = began[2]
    match.undo(third - 1)
    given = story(match)
    assert every(given, "round") == [Step(version) for version in began[:2]]
    seat = match.asked.seats[0]
    match.answer(seat, match.form(seat).options[0])
    given = story(match)
    assert every(given, "round")[2] == Step(third + 2)
    assert looking.found(past_of(given), None, {"round": 3}) == str(third + 2)


def test_a_game_that_goes_by_neither() -> None:
    bare = replace(catalog.GAMES["trickn-treat"], begins={})
    with pytest.raises(NoStep, match="Trick'n Treat goes by neither rounds nor turns"):
        seeking.numbered(bare, "round", 1, [])

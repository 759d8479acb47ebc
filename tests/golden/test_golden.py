"""Recorded matches: they replay to the same end, and the rules still decide the same."""

from __future__ import annotations

import random

import pytest

from games import catalog
from replay import files, load
from replay.fold import fold
from replay.verify import verify_file
from tests.golden.make import HERE, Golden, matches, path, standings

ALL = [(game, golden) for game, each in matches().items() for golden in each]

every_golden = pytest.mark.parametrize(
    ("game", "golden"), ALL, ids=[f"{game}/{golden.name}" for game, golden in ALL]
)


@every_golden
def test_a_recorded_match_verifies(game: str, golden: Golden) -> None:
    """Bytes, chain and seals; and decisions, as long as the rules version is still the same."""
    report = verify_file(path(game, golden).read_bytes())
    assert report.ok, report.bad
    story = load.read(files.read(path(game, golden).read_bytes()))
    if story.created["rules"] == catalog.find(game).version:
        assert {check.state for check in report.checks} == {"ok"}


@every_golden
def test_a_recorded_match_ends_as_it_did(game: str, golden: Golden) -> None:
    story = load.read(files.read(path(game, golden).read_bytes()))
    assert fold(story).tables[-1].result == standings()[game][golden.name]


@every_golden
def test_no_byte_of_a_recorded_match_can_be_changed(game: str, golden: Golden) -> None:
    """By sampling: `tests/replay/test_files.py` tries every byte of a short one (FC22)."""
    data = path(game, golden).read_bytes()
    rng = random.Random(golden.name)
    for _ in range(min(25, 2_000_000 // len(data))):
        at = rng.randrange(len(data))
        changed = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        bad = verify_file(changed).bad
        assert bad is not None and (bad.line or bad.version), f"byte {at}"


def test_every_recorded_match_is_on_the_list_and_the_other_way_round() -> None:
    listed = {path(game, golden) for game, golden in ALL}
    assert set(HERE.glob("*/*.jsonl")) == listed


def test_the_list_has_every_player_count_of_its_games() -> None:
    for game, each in matches().items():
        face = catalog.find(game)
        assert {golden.seats for golden in each} == set(range(face.least, face.most + 1))

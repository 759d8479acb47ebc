"""The same log for somebody else."""

from __future__ import annotations

import msgspec
import pytest

from events import log
from games import catalog, sight
from games.history import Unknown
from games.match import Aborted
from games.rules import Event
from games.sight import Viewer
from replay.export import NotTheirs, export
from replay.fold import Unequal, alike, fold
from replay.load import Recording, Unreadable, read
from replay.verify import verify
from tests.play import MATCH, SEED, Match
from tests.replay.recordings import begun, closed, recording, short, story, whole
from tests.toy.pumpkin_patch.game import GAME
from tests.toy.pumpkin_patch.state import State


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator", "auditor"])
def test_what_the_auditor_exports_is_what_the_viewer_was_given(viewer: Viewer) -> None:
    match = whole(3)
    made = export(story(match), viewer)
    assert Recording(made.match, made.viewer, made.pages) == recording(match, viewer)
    assert made.told == story(match, viewer).told


def test_a_spectators_log_comes_from_anybodys() -> None:
    assert export(story(short(), 1), "spectator").pages == recording(short(), "spectator").pages
    with pytest.raises(NotTheirs):
        export(story(short(), "spectator"), 0)


def test_a_commit_of_a_newer_writer_is_not_cut_by_guessing() -> None:
    match = begun()
    later = ["later", 1, b"secret"]
    facts = msgspec.msgpack.encode([5, 5, 0, match.game.version, [bytes(16), 0], [later]])
    secret = facts.index(b"\xc4\x06secret")
    private = facts.index(b"\x92\xc4\x10")
    hidden = [(private, private + 20, ()), (secret, secret + 8, (1,))]
    match.entries.append(log.append(match.entries[-1].head, 5, facts, hidden, match.seal))
    whole_log = story(match)
    assert isinstance(fold(whole_log).commits[-1].events[0], Unknown)
    with pytest.raises(Unreadable, match="version 5: a newer version"):
        export(whole_log, 0)
    assert export(whole_log, "spectator").told[-1]["events"][0][0] == "later"
    assert verify(recording(match, "spectator")).ok


def test_a_telling_of_another_commit_is_not_alike() -> None:
    match = whole()
    folded = fold(story(match))
    for version, telling in enumerate(story(match, 0).tellings, 1):
        assert alike(folded.commits[version - 1], telling, 0)
        assert not alike(folded.commits[version - 1], telling, "auditor")
        longer = telling._replace(raw=[*telling.raw, None])
        assert not alike(folded.commits[version - 1], longer, 0)
        if version > 1:
            assert not alike(folded.commits[version - 2], telling, 0)


def test_a_log_from_before_a_field_was_added_is_exported_and_verified() -> None:
    """The first event lacks its last fields, as if it had been stored without them."""
    match = Match(GAME, 2)
    entries, match.entries = match.entries, []
    for entry in entries:
        facts, start = sight.read(entry.facts), entry.hidden[0].start
        if entry.version == 1:
            facts[5][0] = facts[5][0][:11]
        stored = msgspec.msgpack.encode(facts)
        assert stored[:start] == entry.facts[:start]
        head = match.entries[-1].head if match.entries else match.genesis
        match.entries.append(log.append(head, entry.version, stored, entry.hidden, match.seal))
    events, draws = match.table.start(SEED)
    match.commit("host", *events, draws=draws)
    match.commit("host", Aborted("aborted"))
    closed(match)
    for viewer in (0, 1, "spectator", "auditor"):
        made = export(story(match), viewer)
        given = Recording(made.match, made.viewer, made.pages)
        assert given == recording(match, viewer)
        states = [c.state for c in verify(given).checks if c.name != "sealed"]
        assert states == ["ok"] * 7


class Whispered(Event[State], frozen=True):
    """A fact whose very kind is for one seat."""

    veil = sight.seen_by("seat")
    seat: int

    def apply(self, state: State) -> State:
        return state


def test_an_event_that_is_sealed_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    game = msgspec.structs.replace(GAME, event=GAME.event | Whispered)
    monkeypatch.setitem(catalog.GAMES, GAME.id, game)
    match = Match.started(game, 2)
    match.commit("host", Whispered(1))
    for viewer in (0, 1, "spectator"):
        made = export(story(match), viewer)
        assert made.pages == recording(match, viewer).pages
        told = made.told[-1]["events"][0]
        assert told == ({"type": "whispered", "seat": 1} if viewer == 1 else {"hidden": True})


def test_the_log_of_a_viewer_that_the_rules_contradict_is_not_folded() -> None:
    match = whole()
    mine = read(recording(match, 0))
    other = begun()
    with pytest.raises(Unequal):
        fold(mine, b"another seed")
    assert other.table.match.id == MATCH

"""The same log for somebody else."""

from __future__ import annotations

import pytest

from events import log
from games.history import Unknown
from games.sight import Viewer
from replay.export import NotTheirs, export
from replay.fold import Unequal, alike, fold
from replay.load import Recording, Unreadable, read
from replay.verify import verify
from tests.play import MATCH
from tests.replay.recordings import begun, recording, short, story, whole


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
    facts = log.msgspec.msgpack.encode([5, 5, 0, match.game.version, [bytes(16), 0], [later]])
    secret = facts.index(b"\xc4\x06secret")
    private = facts.index(b"\x92\xc4\x10")
    hidden = [(private, private + 20, ()), (secret, secret + 8, (1,))]
    match.entries.append(log.append(match.entries[-1].head, 5, facts, hidden, match.seal))
    whole_log = story(match)
    assert isinstance(fold(whole_log).commits[-1].events[0], Unknown)
    with pytest.raises(Unreadable, match="version 5: a newer writer"):
        export(whole_log, 0)
    assert export(whole_log, "spectator").told[-1]["events"][0][0] == "later"
    assert verify(recording(match, "spectator")).ok


def test_a_page_of_another_commit_is_not_alike() -> None:
    match = whole()
    folded = fold(story(match))
    for version, page in enumerate(recording(match, 0).pages, 1):
        assert alike(folded.commits[version - 1], page, 0)
        assert not alike(folded.commits[version - 1], page._replace(public=page.public + b"\0"), 0)
        if version > 1:
            assert not alike(folded.commits[version - 2], page, 0)


def test_the_log_of_a_viewer_that_the_rules_contradict_is_not_folded() -> None:
    match = whole()
    mine = read(recording(match, 0))
    other = begun()
    with pytest.raises(Unequal):
        fold(mine, b"another seed")
    assert other.table.match.id == MATCH

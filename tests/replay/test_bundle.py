"""Bundles: what is in them, for whom, and that a stranger can check them."""

from __future__ import annotations

import json
import random
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from games import catalog, dispute
from games.match import Aborted, Correction
from games.sight import Viewer
from replay import standalone
from replay.board import board
from replay.bundle import NoDispute, NotTheirs, Request, bundle, reached, request
from replay.checkpoint import BadCheckpoint, Checkpoint, checked, signed, verifier
from replay.fold import fold
from replay.load import Story
from replay.steps import Step, shown
from replay.verify import verify_file
from tests.play import MATCH, Match
from tests.replay import mutations
from tests.replay.recordings import begun, closed, data, story, verified, whole
from tests.toy.pumpkin_patch.events import Dealt
from tests.toy.pumpkin_patch.game import GAME

KEY = ("hallowstream/test", bytes(range(32)))
TEXTS = {f"{n}": (b"salt", f"text {n}") for n in ("claim", "note", "reason", "appeal")}
MARKS = {name: sha256(salt + text.encode()).hexdigest() for name, (salt, text) in TEXTS.items()}
BY_MARK = {MARKS[name]: pair for name, pair in TEXTS.items()}


def disputed() -> Match:
    """A closed match with a case that went the whole way, and another claim."""
    match = whole()
    last = str(len(match.commits) - 2)
    for by, events in (
        (0, lambda: dispute.open_dispute(match.table, 0, ("4", "5.1"), MARKS["claim"])),
        ("admin", lambda: dispute.note(match.table, 1, "ref_1", MARKS["note"])),
        (
            "admin",
            lambda: dispute.rule(
                match.table, 1, "ref_1", True, MARKS["reason"], Correction((0,), (9, 1))
            ),
        ),
        (1, lambda: dispute.appeal(match.table, 1, 1, MARKS["appeal"])),
        (1, lambda: dispute.open_dispute(match.table, 1, (last, "5.99"), "0" * 64)),
    ):
        match.commit(by, *events())
    return match


def note(given: Story) -> str:
    last = given.pages[-1]
    return signed(Checkpoint(given.match, last.version, last.head), *KEY)


def files(given: Story, wanted: Request) -> dict[str, bytes]:
    """The files of a bundle below its one folder."""
    name, made = bundle(given, wanted)
    with zipfile.ZipFile(BytesIO(made)) as packed:
        assert packed.testzip() is None
        found = {entry.filename: packed.read(entry) for entry in packed.infolist()}
    assert all(path.startswith(f"{name}/") for path in found)
    return {path.removeprefix(f"{name}/"): content for path, content in found.items()}


def full(**more: Any) -> Request:
    return request("full", None, texts=BY_MARK, **more)


def test_the_layout_and_every_hash() -> None:
    given = story(disputed())
    found = files(given, full(checkpoint=note(given), key=verifier(*KEY)))
    assert set(found) == {
        "bag-info.txt",
        "bagit.txt",
        "manifest-sha256.txt",
        "tagmanifest-sha256.txt",
        "verify/verify.py",
        *(
            f"data/{name}"
            for name in (
                "match.json",
                "events.ndjson",
                "randomness.json",
                "admin.ndjson",
                "claim.json",
                "board.txt",
                "README.md",
                "checkpoint.txt",
                "views/auditor.ndjson",
                "views/0.ndjson",
                "views/1.ndjson",
                "views/spectator.ndjson",
            )
        ),
    }
    for manifest, covered in (("manifest", "data/"), ("tagmanifest", "")):
        lines = found[f"{manifest}-sha256.txt"].decode().splitlines()
        listed = dict(reversed(line.split("  ")) for line in lines)
        assert listed == {path: sha256(found[path]).hexdigest() for path in listed}
        kept = {p for p in found if p.startswith(covered) and "tagmanifest" not in p}
        assert set(listed) == (kept if covered else {p for p in kept if "data/" not in p})
    size, count = found["bag-info.txt"].decode().split("Payload-Oxum: ")[1].strip().split(".")
    payload = [content for path, content in found.items() if path.startswith("data/")]
    assert (int(size), int(count)) == (sum(map(len, payload)), len(payload))


def test_the_same_input_gives_the_same_bytes() -> None:
    given = story(disputed())
    one, other = (bundle(given, full(checkpoint=note(given)))[1] for _ in range(2))
    assert one == other
    with zipfile.ZipFile(BytesIO(one)) as packed:
        assert {entry.date_time for entry in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {entry.external_attr >> 16 for entry in packed.infolist()} == {0o100644}
        assert packed.namelist() == sorted(packed.namelist())


@pytest.mark.parametrize(("mode", "seat"), [("public", None), ("seat", 1), ("full", None)])
def test_a_stranger_checks_it(mode: Any, seat: int | None, tmp_path: Path) -> None:
    given = story(disputed())
    wanted = request(mode, seat, checkpoint=note(given), key=verifier(*KEY))
    name, made = bundle(given, wanted)
    with zipfile.ZipFile(BytesIO(made)) as packed:
        packed.extractall(tmp_path)
    folder = tmp_path / name
    readme = (folder / "data" / "README.md").read_text()
    sums, alone, _ = readme.split("```sh\n")[1].split("\n```")[0].replace("\\\n", "").splitlines()
    if shutil.which("sha256sum"):
        done = subprocess.run(sums.split(), cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
    words = [sys.executable, "-I", "-S", *shlex.split(alone)[1:]]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "the one committed to before play" in done.stdout, done.stdout
    assert "has signed version" in done.stdout
    point = checked((folder / "data" / "checkpoint.txt").read_text(), verifier(*KEY))
    log = (folder / "data" / "events.ndjson").read_bytes()
    report = verify_file(log, point.known, point)
    assert report.ok and [c.state for c in report.checks if c.name == "checkpoint"] == ["ok"]
    assert report.viewer == wanted.viewer


def test_what_it_tells() -> None:
    found = files(story(disputed()), full())
    match = json.loads(found["data/match.json"])
    assert match["status"] == "over" and match["closed"] and match["disputes"] == 2
    assert match["result"]["winners"] == [0] and match["result"]["scores"] == [9, 1]
    chance = json.loads(found["data/randomness.json"])
    assert chance["server_seed"] and chance["match_seed"] and chance["draws"][0]["place"] == 0
    admin = [json.loads(line) for line in found["data/admin.ndjson"].splitlines()]
    kinds = [event["type"] for line in admin for event in line["events"]]
    assert kinds == ["dispute_opened", "dispute_noted", "ruled", "appealed", "dispute_opened"]
    first, second = json.loads(found["data/claim.json"])["disputes"]
    assert [word["text"] for word in first["words"]] == [text for _, text in TEXTS.values()]
    assert second["words"][0]["words"] == "not_included" and first["state"] == "appealed"
    boards = found["data/board.txt"].decode()
    assert "as the auditor could see it" in boards and "as seat 0 could see it" in boards
    assert "no event 99" in boards
    views = [json.loads(line) for line in found["data/views/1.ndjson"].splitlines()]
    assert [view["version"] for view in views] == list(range(1, match["versions"] + 1))


@pytest.mark.parametrize("game", sorted(set(catalog.GAMES) - {GAME.id}))
def test_every_game_is_told(game: str) -> None:
    given = mutations.story(game, 0)
    found = files(given, full())
    text = found["data/board.txt"].decode()
    assert "Won by " in text and "{" not in text and len(text.splitlines()) > 10
    last = json.loads(found["data/views/auditor.ndjson"].splitlines()[-1])
    match = json.loads(found["data/match.json"])
    assert last["view"]["result"] == match["result"] and match["status"] == "over"


def test_one_dispute_alone() -> None:
    given = story(disputed())
    name, _ = bundle(given, full(dispute=2))
    assert name == f"match-{MATCH}-dispute-2"
    (case,) = json.loads(files(given, full(dispute=2))["data/claim.json"])["disputes"]
    assert case["number"] == 2
    with pytest.raises(NoDispute, match="has 2 disputes"):
        bundle(given, full(dispute=3))


def test_words_are_for_those_who_may_read_them() -> None:
    given = story(disputed())
    removed = {**BY_MARK, MARKS["claim"]: None}
    for wanted, expected in (
        (request("public", None, texts=BY_MARK), "withheld withheld kept withheld"),
        (request("seat", 1, texts=BY_MARK), "withheld withheld kept kept"),
        (request("seat", 0, texts=removed), "removed withheld kept withheld"),
    ):
        case = json.loads(files(given, wanted)["data/claim.json"])["disputes"][0]
        assert " ".join(word["words"] for word in case["words"]) == expected
        assert all(("text" in w) == (w["words"] == "kept") for w in case["words"])


def test_what_the_log_says_is_removed_is_in_no_bundle() -> None:
    """Were it still in the vault."""
    match = begun(3)
    match.commit(0, *dispute.open_dispute(match.table, 0, ("4",), MARKS["claim"]))
    said = len(match.commits)
    match.commit("admin", *dispute.rule(match.table, 1, "r", True, MARKS["reason"], vacate=2))
    match.commit("admin", *dispute.remove(match.table, match.commits, 1, said, "ref_1"))
    found = files(story(match), full())
    (case,) = json.loads(found["data/claim.json"])["disputes"]
    claim, reason = case["words"]
    assert (claim["words"], claim["removed"], "text" in claim) == ("removed", said + 2, False)
    assert (reason["words"], reason["removed"]) == ("kept", None)
    admin = [json.loads(line) for line in found["data/admin.ndjson"].splitlines()]
    assert [line["says"] for line in admin[1:]] == [
        ["Dispute 1 is upheld.", "Seat 2 is emptied by a referee."],
        [f"The words said on dispute 1 in version {said} are removed."],
    ]
    assert admin[2]["by"] == "admin" and admin[2]["events"][0]["author"] == "ref_1"


@pytest.mark.parametrize("seat", [None, 1])
def test_nothing_in_it_depends_on_what_its_reader_may_not_know(seat: int | None) -> None:
    """The same words and views, however the pumpkins lie that it cannot see."""
    viewer: Viewer = "spectator" if seat is None else seat
    wanted = request("public" if seat is None else "seat", seat)
    rng = random.Random(7)
    match = begun(3)
    told = _told(files(story(match), wanted))
    assert len(told) > 2000
    for _ in range(4):
        other = begun(3)
        dealt = next(e for e in other.commits[-1].events if isinstance(e, Dealt))
        laid = GAME.redealt(other.state, viewer, rng.randrange)
        changed = replace(dealt, hands=laid.hands, bag=laid.bag)
        events = [changed if e is dealt else e for e in other.commits[-1].events]
        again = Match(GAME, 3)
        again.commit("host", *events, draws=other.commits[-1].private.draws)
        assert again.state == laid and laid != match.state
        assert _told(files(story(again), wanted)) == told


def _told(found: dict[str, bytes]) -> str:
    """All of it but seals and heads, and what is hashed of them."""
    names = ("views/", "board", "claim", "admin", "randomness", "match.json")
    kept = [found[path] for path in sorted(found) if any(name in path for name in names)]
    return re.sub(r'"head": "[0-9a-f]{64}"', "", b"".join(kept).decode())


def test_what_is_not_in_a_log_cannot_be_bundled() -> None:
    match = disputed()
    with pytest.raises(NotTheirs):
        bundle(story_of(match, 0), full())
    with pytest.raises(NotTheirs):
        bundle(story_of(match, 0), request("seat", 1))
    with pytest.raises(NotTheirs):
        bundle(story(match), request("seat", 9))
    for mode, seat in (("public", 1), ("full", 1), ("seat", None)):
        with pytest.raises(NotTheirs):
            request(mode, seat)  # type: ignore[arg-type]


def story_of(match: Match, viewer: Viewer) -> Story:
    from replay import files as logs
    from replay import load

    return load.read(logs.read(data(match, viewer)))


def test_from_a_seats_own_log() -> None:
    found = files(story_of(disputed(), 0), request("seat", 0))
    match = json.loads(found["data/match.json"])
    assert match["status"] == "unknown" and match["result"] is None and match["closed"]
    assert json.loads(found["data/randomness.json"])["draws"] is None
    last = json.loads(found["data/views/0.ndjson"].splitlines()[-1])
    assert last["view"] is None and last["unknown"]


def test_before_the_start_and_before_the_close() -> None:
    lobby = files(story(Match(begun().game, 2)), full())
    assert json.loads(lobby["data/randomness.json"])["entropies"] is None
    playing = files(story(begun()), full())
    chance = json.loads(playing["data/randomness.json"])
    assert chance["server_seed"] is None and chance["match_seed"] is None
    assert b"--checkpoint" not in playing["data/README.md"]
    assert "data/checkpoint.txt" not in playing
    assert b"Asked: seat 0, seat 1" in playing["data/board.txt"]
    match = begun()
    match.commit("host", Aborted("aborted"))
    ended = files(story(closed(match)), full())
    assert "aborted" in json.loads(ended["data/match.json"])["result"].values()
    assert b"Won by nobody" in ended["data/board.txt"]


def test_the_public_bundle_of_a_match_with_a_delay_lags_behind() -> None:
    match = begun()
    created: Any = match.commits[0].events[0]
    given = story(match)
    assert reached(given, "public") is given
    late = Match(GAME, 2)
    for kept in (late.commits, late.entries):
        kept.clear()
    del late.past[1:]
    late.commit("host", replace(created, delay=3))
    for commit in match.commits[1:]:
        late.commit(commit.by, *commit.events, draws=commit.private.draws)
    lobby = len(late.commits) - 1
    assert len(reached(story(late), "public").pages) == lobby
    assert len(reached(story(late), "full").pages) == lobby + 1
    for _ in range(4):
        seat = late.asked.seats[0]
        late.answer(seat, late.form(seat).options[0])
    assert len(reached(story(late), "public").pages) == len(late.commits) - 3
    late.commit("host", Aborted("aborted"))
    assert len(reached(story(late), "public").pages) == len(late.commits)


def test_a_board_that_cannot_be_known() -> None:
    given = story_of(disputed(), 0)
    folded = fold(given)
    text = board(given.game, shown(given, folded, Step(len(given.pages)), 0))
    assert "The table cannot be shown: " in text


class TestCheckpoints:
    def point(self) -> Checkpoint:
        return Checkpoint(MATCH, 41, bytes(range(32)))

    def test_a_note_is_as_the_specification_has_it(self) -> None:
        lines = signed(self.point(), *KEY).split("\n")
        assert lines[:2] == [f"hallowstream/match/{MATCH}", "41"]
        assert lines[3] == "" and lines[4].startswith("— hallowstream/test ") and not lines[5]
        name, mark, _ = verifier(*KEY).split("+", 2)
        assert (name, len(mark)) == (KEY[0], 8)
        assert checked("\n".join(lines), verifier(*KEY)) == self.point()

    def test_another_signature_beside_it_is_nobodys_business(self) -> None:
        text = signed(self.point(), *KEY) + "— witness AAAAAAAA\n"
        assert checked(text, verifier(*KEY)) == self.point()

    def test_the_verifier_for_outsiders_agrees(self) -> None:
        rng = random.Random(4)
        for number in range(12):
            key = (f"k/{number}", rng.randbytes(32))
            point = Checkpoint(MATCH, number, rng.randbytes(32))
            text = signed(point, *key)
            assert standalone.checkpoint(text, verifier(*key)) == tuple(point)
            assert checked(text, verifier(*key)) == point
            at = rng.randrange(len(text) - 1)
            changed = text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :]
            with pytest.raises(standalone.UNREADABLE):
                standalone.checkpoint(changed, verifier(*key))

    def test_and_says_what_is_wrong(self) -> None:
        log = data(disputed())
        last = story(disputed()).pages[-1]
        good = Checkpoint(MATCH, last.version, last.head)
        key = verifier(*KEY)
        said = list(standalone.verify(log, "", signed(good, *KEY), key))
        assert f"signed version {last.version}" in said[-1]
        for point, used in (
            (good._replace(match="other"), key),
            (good._replace(version=99), key),
            (good._replace(head=bytes(32)), key),
            (good, "x"),
            (good, verifier("other", bytes(32))),
        ):
            with pytest.raises(standalone.Wrong):
                list(standalone.verify(log, "", signed(point, *KEY), used))

    def test_every_changed_byte_is_found(self) -> None:
        text = signed(self.point(), *KEY)
        rng = random.Random(3)
        for at in rng.sample(range(len(text) - 1), 120):
            changed = text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :]
            with pytest.raises(BadCheckpoint):
                checked(changed, verifier(*KEY))

    @pytest.mark.parametrize("key", ["", "x", "a+b+c", "a+00000000+" + "A" * 44])
    def test_keys_that_are_none(self, key: str) -> None:
        with pytest.raises(BadCheckpoint):
            checked(signed(self.point(), *KEY), key)

    def test_another_key(self) -> None:
        for name, secret in ((KEY[0], bytes(32)), ("other", KEY[1])):
            with pytest.raises(BadCheckpoint, match="not signed by"):
                checked(signed(self.point(), *KEY), verifier(name, secret))

    def test_notes_that_are_no_checkpoints(self) -> None:
        for origin, size, head in (("x/y", "1", "AA=="), ("", "one", "AA=="), ("", "1", "AA==")):
            point = _Said(MATCH, 1, b"")
            point.lines = f"{origin or 'hallowstream/match/M'}\n{size}\n{head}\n"
            with pytest.raises(BadCheckpoint):
                checked(signed(point, *KEY), verifier(*KEY))

    def test_what_verify_makes_of_them(self) -> None:
        match = disputed()
        given = story(match)
        last = given.pages[-1]
        good = Checkpoint(MATCH, last.version, last.head)
        assert verify_file(data(match), checkpoint=good).ok
        for point, version in (
            (good._replace(match="other"), 1),
            (good._replace(version=last.version + 1), last.version),
            (good._replace(head=bytes(32)), last.version),
            (good._replace(version=2), 2),
        ):
            report = verify_file(data(match), checkpoint=point)
            assert not report.ok and report.bad is not None and report.bad.version == version
            assert report.checks[-1].name == "checkpoint"

    def test_a_head_with_its_version(self) -> None:
        match = disputed()
        heads = [entry.head.hex() for entry in match.entries]
        assert verified(match, head=f"6:{heads[5]}").ok
        for head in (f"7:{heads[5]}", f"x:{heads[5]}", "6:", f"6:{heads[5][:10]}"):
            assert not verified(match, head=head).ok


class _Said(Checkpoint):
    """A note that says anything."""

    lines = ""

    @property
    def text(self) -> str:
        return self.lines


class Asked:
    """Somebody with the whole log; counts what was asked for."""

    def __init__(self, match: Match, refuses: str = "") -> None:
        self.story = story(match)
        self.folded = fold(self.story)
        self.refuses = refuses
        self.asked: list[str] = []

    def after(self, viewer: Viewer, version: int, last: int) -> list[Any]:
        self._ask(f"{viewer} {version}-{last}")
        return [self.folded.tables[v].view(viewer) for v in range(version + 1, last + 1)]

    def at(self, viewer: Viewer, step: Step) -> Any:
        self._ask(f"{viewer} {step}")
        return shown(self.story, self.folded, step, viewer)["view"]

    def _ask(self, what: str) -> None:
        if self.refuses:
            raise NotTheirs(self.refuses)
        self.asked.append(what)


@pytest.mark.parametrize(("mode", "seat"), [("public", None), ("seat", 0), ("seat", 1)])
@pytest.mark.parametrize("made", [disputed, begun])
def test_it_is_the_same_whoever_makes_it(made: Any, mode: Any, seat: int | None) -> None:
    """From a part of the log, with what the server shows beside it, and from the whole."""
    match = made()
    viewer: Viewer = "spectator" if seat is None else seat
    asked = Asked(match)
    of_part = bundle(story_of(match, viewer), request(mode, seat, texts=BY_MARK, views=asked))
    assert of_part == bundle(story(match), request(mode, seat, texts=BY_MARK))
    assert asked.asked
    # Who has the whole log asks nobody.
    whole_log = Asked(match)
    bundle(story(match), request(mode, seat, views=whole_log))
    assert not whole_log.asked


def test_only_what_the_log_cannot_tell_is_asked_for() -> None:
    match = disputed()
    given = story_of(match, 0)
    known, last = fold(given).version, len(given.pages)
    asked = Asked(match)
    files(given, request("seat", 0, views=asked))
    assert known > 4 and asked.asked[:2] == [f"0 {known}-{last}", f"spectator {known}-{last}"]
    steps = [word.split()[1] for word in asked.asked[2:]]
    assert steps and all(int(step.split(".")[0]) > known for step in steps)


def test_a_view_that_is_not_shown_says_why() -> None:
    match = disputed()
    given = story_of(match, 0)
    asked = Asked(match, "this token does not see through the eyes of seat 0")
    found = files(given, request("seat", 0, views=asked))
    why = f"{fold(given).stop}, and this token does not see through the eyes of seat 0"
    last = json.loads(found["data/views/0.ndjson"].splitlines()[-1])
    assert last["view"] is None and last["unknown"] == why
    assert f"The table cannot be shown: {why}.".encode() in found["data/board.txt"]
    match_told = json.loads(found["data/match.json"])
    assert match_told["status"] == "unknown" and match_told["result"] is None

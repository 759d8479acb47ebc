"""Files: written in one way only, so that every byte of them is checked (FC22)."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from games.sight import Viewer
from replay import files
from replay.files import BadLine
from replay.verify import Report, verify_file
from tests.replay.recordings import begun, data, recording, short, state, story, whole


def named(report: Report) -> bool:
    """It failed, and says at which line or version."""
    bad = report.bad
    return not report.ok and bad is not None and bool(bad.line or bad.version)


@pytest.mark.parametrize("viewer", ["auditor", "spectator", 0])
def test_a_file_reads_back_as_it_was_written(viewer: Viewer, tmp_path: Path) -> None:
    match = whole()
    path = tmp_path / "m.jsonl"
    files.write(path, story(match, viewer))
    assert files.read(path.read_bytes()) == recording(match, viewer)
    assert verify_file(path.read_bytes()).ok
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_file_stays_what_it_is(tmp_path: Path) -> None:
    """A device is written into, a link stays one, and a folder is refused."""
    kept, link = tmp_path / "kept", tmp_path / "link"
    link.symlink_to(kept)
    files.put(link, b"one")
    assert link.is_symlink() and kept.read_bytes() == b"one"
    device = tmp_path / "device"
    device.symlink_to("/dev/null")
    files.put(device, b"two")
    assert device.is_char_device()
    with pytest.raises(IsADirectoryError):
        files.put(tmp_path, b"three")
    with pytest.raises(IsADirectoryError):
        files.put(Path("."), b"three")
    assert sorted(tmp_path.iterdir()) == [device, kept, link]


def test_a_write_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        files.put(tmp_path / "m.jsonl", b"four")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("viewer", ["auditor", "spectator", 0])
def test_no_byte_of_a_file_can_be_changed(viewer: Viewer) -> None:
    """Each byte of it, one after the other: to its neighbour, and to its other case."""
    whole_file = data(short(), viewer)
    for at, byte in enumerate(whole_file):
        for flip in (1, 32):
            changed = whole_file[:at] + bytes([byte ^ flip]) + whole_file[at + 1 :]
            assert named(verify_file(changed)), f"byte {at} may be changed"


def test_no_byte_can_be_changed_to_any_other_added_or_taken_away() -> None:
    """By sampling, on a longer file; blanks and newlines among them."""
    rng = random.Random(22)
    whole_file = data(whole(3))
    for _ in range(1500):
        at = rng.randrange(len(whole_file))
        new = rng.choice([rng.randbytes(1), b" ", b"\n", b"\r", b"\t", b"0", b"="])
        kept = rng.choice([at, at + 1])
        changed = whole_file[:at] + rng.choice([new, new, b""]) + whole_file[kept:]
        assert changed == whole_file or named(verify_file(changed)), f"byte {at}"


def test_lines_can_not_be_swapped_dropped_or_doubled() -> None:
    lines = data(whole()).splitlines(keepends=True)
    for at in range(len(lines)):
        without = lines[:at] + lines[at + 1 :]
        assert named(verify_file(b"".join(without)))
        assert named(verify_file(b"".join(lines[: at + 1] + lines[at:])))
        if at:
            swapped = [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]
            assert named(verify_file(b"".join(swapped)))


def test_a_file_cut_short_is_seen_without_the_rest() -> None:
    lines = data(whole()).splitlines(keepends=True)
    report = verify_file(b"".join(lines[:-2]))
    assert report.bad is not None and report.bad.line == len(lines) - 1
    assert "missing" in report.bad.why


def test_what_is_no_line_is_a_failed_check_with_its_number() -> None:
    lines = data(short()).splitlines(keepends=True)
    for bad in (b"{}\n", b"\n", b"\xff\n", b"[" * 5000 + b"\n", b'{"hallowstream":2}\n'):
        report = verify_file(b"".join([*lines[:2], bad, *lines[3:]]))
        assert report.bad is not None and report.bad.line == 3
        assert state(report, "lines") == "failed"


@pytest.mark.parametrize("nothing", [b"", b"\n", b"x", b"null\n"])
def test_nothing_is_no_file(nothing: bytes) -> None:
    assert named(verify_file(nothing))


def test_lines_of_two_files_do_not_mix() -> None:
    lines = [data(short(), viewer).splitlines(keepends=True) for viewer in ("auditor", 0)]
    with pytest.raises(BadLine, match="line 2: it is of another file"):
        files.read(b"".join([lines[0][0], *lines[1][1:]]))


def test_a_head_that_is_no_hex_is_a_bad_line() -> None:
    first, *rest = data(short()).splitlines(keepends=True)
    line = msgspec.json.decode(first)
    line["head"] = "no hex"
    with pytest.raises(BadLine, match="line 1: its head"):
        files.read(b"".join([msgspec.json.encode(line) + b"\n", *rest]))


def test_the_same_commit_written_otherwise_is_a_bad_line() -> None:
    """Good JSON of the same content, but not the bytes."""
    lines = data(short()).splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"version":', b'"version": ', 1)
    report = verify_file(b"".join(lines))
    assert report.bad is not None and report.bad.line == 2


def test_what_is_beside_the_hashed_bytes_is_checked_too() -> None:
    lines = data(short()).splitlines(keepends=True)
    assert b'"kind"' not in lines[1]
    lines[1] = lines[1].replace(b'"player":"p0"', b'"player":"p9"')
    report = verify_file(b"".join(lines))
    assert state(report, "chain") == "ok"
    assert report.bad is not None and report.bad.line == 2


def test_no_line_of_a_seat_holds_what_others_hold() -> None:
    match = begun()
    hand = match.state.hands[1]
    line = msgspec.json.decode(data(match, 0).splitlines()[-1])
    dealt = next(e for e in line["not_hashed"]["events"] if e["type"] == "dealt")
    assert dealt["hands"][1] == {"hidden": True} and dealt["bag"] == {"hidden": True}
    assert [value for _, _, value in line["openings"]] != [hand]
    assert len(line["openings"]) == 1


def test_a_seal_in_an_event_of_unknown_kind_is_written_as_hidden() -> None:
    from games.sight import HIDDEN

    page = recording(short()).pages[0]
    assert b'["later",{"hidden":true}]' in files.line("m", 0, 1, page, ["later", HIDDEN])
    with pytest.raises(NotImplementedError):
        files.line("m", 0, 1, page, object())

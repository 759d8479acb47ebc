"""play, replay, verify, export and games, on files."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games import catalog
from tests.replay.test_seeking import GOES_BY
from tests.services.cli.conftest import Run
from tests.toy.pumpkin_patch.game import GAME

ROOT = Path(__file__).parents[3]
Said = Callable[..., Any]


def hallowstream(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The console script in a process of its own."""
    command = [sys.executable, "-c", "from services.cli import main; main()", *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_a_match_is_played_kept_and_verified(run: Run, said: Said, log: Path) -> None:
    report = said("verify", str(log))
    assert report["ok"] and {c["state"] for c in report["checks"]} == {"ok"}
    told = run("verify", str(log))
    assert told.exit_code == 0 and f"verified, head {report['head']}" in told.stdout


def test_the_same_seed_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    game = next(iter(catalog.GAMES))
    for hash_seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo")):
        words = ("play", game, "--seed", "x", "--out", str(tmp_path / hash_seed))
        assert hallowstream(*words, PYTHONHASHSEED=hash_seed, TZ=zone).returncode == 0
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_other_seeds_seats_and_bots_give_other_matches(said: Said) -> None:
    words = [("--seed", "1"), ("--seed", "2"), ("--seed", "1", "--seats", "3")]
    heads = {said("play", GAME.id, *more)["head"] for more in words}
    assert len(heads) == 3
    assert said("play", GAME.id, "--seed", "1", "--bots", "heuristic")["head"] in heads


def test_a_seed_that_was_not_given_is_told(run: Run, said: Said) -> None:
    told = said("play", GAME.id)
    assert said("play", GAME.id, "--seed", told["seed"])["head"] == told["head"]
    assert "nothing is kept" in run("play", GAME.id).stdout


def test_play_shows_who_won_and_how_to_go_on(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    told = run("play", GAME.id, "--out", str(path))
    assert "wins" in told.stdout and f"hallowstream replay {path}" in told.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("play", "chess"), "no game 'chess'"),
        (("play", GAME.id, "--seats", "9"), "is for 2 to 4 seats"),
        (("play", GAME.id, "--option", "x=1"), "has no option 'x'"),
        (("play", GAME.id, "--option", "x"), "is not NAME=VALUE"),
        (("play", GAME.id, "--edition", "x"), "no edition 'x'"),
        (("play", GAME.id, "--out", "/nowhere/m.jsonl"), "cannot write /nowhere/m.jsonl"),
        (("play", GAME.id, "--data", "nowhere"), "nowhere is no folder"),
        (("games", "chess"), "no game 'chess'"),
        (("verify", "nothing.jsonl"), "cannot read nothing.jsonl"),
        (("replay", "{log}", "--step", "x"), "'x' is no step"),
        (("replay", "{log}", "--step", "999"), "there is no version 999"),
        (("replay", "{log}", "--as", "me"), "'me' is neither a seat"),
        (("replay", "{log}", "--as", "7", "--step", "2"), "there is no seat 7"),
        (("export", "{log}", "--as", "7", "--out", "x"), "there is no seat 7"),
        (("export", "{log}", "--out", "/nowhere/x"), "cannot write /nowhere/x"),
    ],
)
def test_a_wrong_use_ends_with_two_and_says_what_is_wrong(
    run: Run, log: Path, words: tuple[str, ...], why: str
) -> None:
    given = [word.replace("{log}", str(log)) for word in words]
    told = run(*given)
    assert told.exit_code == 2 and why in told.stderr and not told.stdout
    told = run(*given, "--json")
    assert told.exit_code == 2 and why in msgspec.json.decode(told.stdout)["error"]


@pytest.mark.parametrize("words", [(), ("play",), ("nothing",), ("play", GAME.id, "--bots", "x")])
def test_what_the_parser_refuses_ends_with_two_as_well(run: Run, words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2


def test_a_changed_byte_ends_with_one_and_names_its_place(run: Run, log: Path) -> None:
    data = log.read_bytes()
    log.write_bytes(data.replace(b'"version":5', b'"version":6', 1))
    told = run("verify", str(log))
    assert told.exit_code == 1 and "not verified: line 5" in told.stdout
    assert run("verify", str(log), "--json").exit_code == 1
    for command in (("replay", str(log), "--step", "2"), ("export", str(log), "--out", "x")):
        told = run(*command)
        assert told.exit_code == 1 and "line 5" in told.stderr and "verify" in told.stderr
    assert not Path("x").exists()


def test_a_broken_chain_is_named_by_its_version(run: Run, log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    line = msgspec.json.decode(lines[6])
    line["head"] = "0" * 64
    lines[6] = msgspec.json.encode(line) + b"\n"
    log.write_bytes(b"".join(lines))
    told = run("verify", str(log))
    assert told.exit_code == 1 and "not verified: version 7" in told.stdout


def test_a_head_from_elsewhere(run: Run, said: Said, log: Path) -> None:
    head = said("verify", str(log))["head"]
    assert run("verify", str(log), "--head", head).exit_code == 0
    assert run("verify", str(log), "--head", "00" * 32).exit_code == 1


@pytest.mark.parametrize("viewer", ["0", "spectator", "auditor"])
def test_an_exported_log_verifies_and_replays(
    said: Said, run: Run, log: Path, viewer: str, tmp_path: Path
) -> None:
    path = tmp_path / "cut.jsonl"
    said("export", str(log), "--as", viewer, "--out", str(path))
    assert str(said("verify", str(path))["viewer"]) == viewer
    here = said("replay", str(log), "--as", viewer, "--step", "5")
    assert said("replay", str(path), "--step", "5") == here
    assert (path.read_bytes() == log.read_bytes()) is (viewer == "auditor")
    assert run("export", str(path), "--as", "auditor", "--out", "x").exit_code == (
        0 if viewer == "auditor" else 2
    )
    assert "versions as seen by" in run("export", str(path), "--out", "again.jsonl").stdout


def test_a_step_shows_what_happened_and_the_view_of_one_seat(
    run: Run, said: Said, log: Path
) -> None:
    shown = said("replay", str(log), "--step", "5", "--as", "1")
    assert (shown["step"], shown["viewer"]) == ("5", 1)
    hands = shown["view"]["game"]["hands"]
    assert [isinstance(hand, list) for hand in hands] == [False, True, False]
    told = run("replay", str(log), "--step", "5", "--as", "1").stdout
    assert "Everybody has two pumpkins in hand." in told and "2 hidden" in told
    assert "Asked: seat 0, seat 1, seat 2." in told
    inside = said("replay", str(log), "--step", "5.1")
    assert inside["step"] == "5.1" and len(inside["events"]) == 1
    assert "in the lobby" in run("replay", str(log), "--step", "2").stdout


def test_a_step_beyond_what_a_seat_can_know_is_told_without_the_view(run: Run, log: Path) -> None:
    run("export", str(log), "--as", "0", "--out", "zero.jsonl")
    told = run("replay", "zero.jsonl", "--step", "12")
    assert told.exit_code == 0 and "The table cannot be shown" in told.stdout


def test_where_nobody_types_the_whole_match_is_told(run: Run, said: Said, log: Path) -> None:
    told = run("replay", str(log)).stdout
    assert "The match starts." in told and "Play is final." in told and "Won by" in told
    every = said("replay", str(log))["steps"]
    assert [step["step"] for step in every] == [str(n) for n in range(1, len(every) + 1)]
    assert all(step["says"] for step in every)


def test_the_games_and_their_options(run: Run, said: Said) -> None:
    listed = said("games")["games"]
    assert [game["id"] for game in listed] == list(catalog.GAMES)
    for game in listed:
        shown = said("games", game["id"])
        assert shown["digest"] == catalog.GAMES[game["id"]].digest and shown["editions"] == []
        told = run("games", game["id"]).stdout
        assert shown["digest"] in told
        for name, schema in shown["options"].items():
            assert name in told and "default" in schema
    table = run("games").stdout
    assert GAME.title in table and all(f"{id}  " in table for id in catalog.GAMES)
    assert '"" | mm-4x14' in run("games", "masked-mischief").stdout
    assert "It has no options." in run("games", GAME.id).stdout


def test_help_comes_at_once() -> None:
    """Under 300 ms of work at best; on a machine that is busy, no more than 2.5 times of what a
    command that does nothing takes there."""
    for words in ((), ("play",), ("verify",)):
        assert any(_worked(*words) < max(0.3, 2.5 * _least()) for _ in range(5))


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from services.cli.app import app; app(['play', '--help'], "
        "standalone_mode=False); print(*sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", script]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    heavy = {"games", "events", "replay", "fastapi", "redis", "uvicorn", "websockets", "asyncio"}
    assert not loaded & heavy


def _worked(*words: str) -> float:
    """Seconds of processor time that a command's help takes, from the start of Python."""
    before = _of_children()
    told = hallowstream(*words, "--help")
    assert told.returncode == 0 and "Exit codes: 0 done, 1 a check failed" in told.stdout
    return _of_children() - before


def _least() -> float:
    """The same of a command that does nothing, made with the same package."""
    script = "import typer; app = typer.Typer(); app.command()(lambda: None); app()"
    before = _of_children()
    subprocess.run([sys.executable, "-c", script, "--help"], check=True, capture_output=True)
    return _of_children() - before


def _of_children() -> float:
    """Seconds of processor time that all child processes have had that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_version(run: Run) -> None:
    assert "hallowstream 0." in run("--version").stdout


def test_no_colour_where_nobody_wants_it(log: Path) -> None:
    told = hallowstream("games", NO_COLOR="1", FORCE_COLOR="1")
    assert "\x1b[3" not in told.stdout


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    script = "from services.cli import main; main()"
    command = f"'{sys.executable}' -c '{script}' games --json | true; exit ${{PIPESTATUS[0]}}"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", command], env=env, capture_output=True, check=False)
    assert done.returncode == 0 and not done.stderr


def test_a_step_by_time_round_or_turn_and_compared(said: Callable[..., Any], run: Run) -> None:
    run("play", "trick-or-treat", "--seats", "3", "--seed", "2", "--out", "t.jsonl")
    turn = said("replay", "t.jsonl", "--turn", "5", "--since", "6", "--compare", "1")
    assert turn["view"]["game"]["turn"] == 5 and turn["changed"]["since"] == "6"
    assert turn["compared"]["viewer"] == 1
    assert turn["compared"]["patch"] and len(turn["head"]) == 64
    assert turn["passed"]["commits"][0]["version"] == 7
    assert turn["head"] == turn["view"].get("head", turn["head"])
    for when in ("2025-10-31 19:00:09", "2025-10-31T20:00:09+01:00", "1761937209000"):
        assert said("replay", "t.jsonl", "--at", when)["step"] == "3"
    assert said("replay", "t.jsonl", "--since", "6")["step"] == str(turn["steps"])
    told = run("replay", "t.jsonl", "--turn", "5", "--since", "6", "--compare", "1").stdout
    for title in ("What happened since step 6", "What seat 1 sees otherwise", "What was asked"):
        assert f"\n{title}\n" in told
    for words, why in [
        (["--turn", "5", "--step", "5"], "not several of them"),
        (["--turn", "999"], "no turn 999 has begun"),
        (["--round", "5"], "Trick or Treat goes by turns"),
        (["--at", "noon"], "'noon' is no time"),
        (["--step", "5", "--since", "6"], "step 6 is not before step 5"),
        (["--step", "5", "--compare", "7"], "there is no seat 7"),
    ]:
        result = run("replay", "t.jsonl", *words)
        assert result.exit_code == 2 and why in result.stderr


@pytest.mark.parametrize("game", GOES_BY)
def test_every_game_by_round_or_turn(said: Callable[..., Any], run: Run, game: str) -> None:
    run("play", game, "--seats", "3", "--seed", "2", "--out", "g.jsonl")
    run("export", "g.jsonl", "--as", "1", "--out", "one.jsonl")
    what, other = GOES_BY[game], "turn" if GOES_BY[game] == "round" else "round"
    steps = []
    for log in ("g.jsonl", "one.jsonl"):
        steps.append([said("replay", log, f"--{what}", str(n))["step"] for n in (1, 2)])
        wrong = run("replay", log, f"--{other}", "1")
        assert wrong.exit_code == 2 and f"goes by {what}s" in wrong.stderr
    assert steps[0] == steps[1] and len(set(steps[0])) == 2

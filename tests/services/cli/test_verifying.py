"""`verify --url` where the API cannot read the log: its report is shown as any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from replay.report import Bad, Check, Report
from services.cli import http, output
from tests.services.cli.conftest import Run

MATCH = "01J0000000000000000000TEST"
HEAD = "0a" * 32
WHY = "the entry is not whole"
BROKEN = Report(
    ok=False,
    match=MATCH,
    viewer="auditor",
    versions=4,
    checks=[Check("read", "failed", WHY)],
    bad=Bad(WHY, 5),
)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """An API that refuses the log, and answers `verify` so."""

    def answers(code: str, report: Any) -> None:
        def request(method: str, url: str, token: str = "") -> bytes:
            assert (method, token) == ("GET", "t")
            if url.partition("?")[0] == f"http://h/v1/matches/{MATCH}/verify":
                assert url.partition("?")[2] in ("", f"head={HEAD}")
                return msgspec.json.encode(report)
            problem = {"detail": "it cannot be read", "code": code}
            raise http._problem(500, msgspec.json.encode(problem))

        monkeypatch.setattr(http, "request", request)

    return answers


def test_the_report_of_the_server_is_shown(run: Run, answers: Callable[..., None]) -> None:
    answers("corrupt_log", BROKEN)
    words = ("verify", MATCH, "--url", "http://h/", "--token", "t")
    told = run(*words)
    assert told.exit_code == 1 and f"not verified: version 5: {WHY}" in told.stdout
    told = run(*words, "--json")
    assert told.exit_code == 1 and msgspec.json.decode(told.stdout, type=Report) == BROKEN


@pytest.mark.parametrize("head", [HEAD, f"7:{HEAD.upper()}"])
def test_what_a_server_says_of_a_game_that_it_has_not(
    run: Run, answers: Callable[..., None], head: str
) -> None:
    checks = [Check("rules", "unknown", "not here")]
    answers("unknown_edition", Report(ok=True, match=MATCH, head=HEAD, checks=checks))
    words = ("verify", MATCH, "--url", "http://h/", "--token", "t")
    for more in ((), ("--head", head)):
        told = run(*words, *more)
        assert told.exit_code == 0 and "not here" in told.stdout


@pytest.mark.parametrize(
    ("code", "report"),
    [("unavailable", BROKEN), ("corrupt_log", Report(ok=True, checks=[]))],
)
def test_a_log_that_is_only_not_given_is_no_failed_one(
    run: Run, answers: Callable[..., None], code: str, report: Report
) -> None:
    """Nor is the server's word, that all is well, taken for it."""
    answers(code, report)
    told = run("verify", MATCH, "--url", "http://h", "--token", "t")
    assert told.exit_code == output.NO_CONNECTION and code in told.stderr

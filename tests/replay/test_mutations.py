"""Whatever is done to the log of a closed match, `verify` finds it and says where."""

from __future__ import annotations

import os
import re

import pytest

from replay import standalone
from replay.verify import verify_file
from tests.replay.mutations import ANYBODY, AUDITOR, Mutation, mutation

COUNT = int(os.environ.get("HALLOWSTREAM_MUTATIONS", "60"))
SEED = int(os.environ.get("HALLOWSTREAM_SEED", "1"))
NUMBERS = range(SEED * 100_000, SEED * 100_000 + COUNT)


@pytest.mark.parametrize("number", NUMBERS)
def test_no_mutation_passes(number: int) -> None:
    made = mutation(number)
    report = verify_file(made.data, made.head)
    assert not report.ok and report.bad is not None, made.kind
    place = report.bad.line or report.bad.version
    assert place, "it names a line or a version"
    assert not made.lines or place in made.lines, (made.kind, place, report.bad, made.lines)
    if made.alone:
        assert re.match(r"(line|version) \d+: ", _alone(made)), made.kind


def _alone(made: Mutation) -> str:
    """What the verifier without rules says is wrong."""
    try:
        list(standalone.verify(made.data.decode(), made.head))
    except standalone.Wrong as wrong:
        return str(wrong)
    except UnicodeDecodeError:
        return "line 1: it is no text"
    return ""


def test_every_kind_is_met() -> None:
    """By the first hundred of the large count; workers of a parallel run meet but some."""
    kinds = {mutation(number).kind for number in range(100_000, 100_100)}
    assert kinds == {kind.__name__ for kind in (*ANYBODY, *AUDITOR)}

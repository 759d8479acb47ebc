"""Whatever is done to the log of a closed match, both verifiers find it, at the same place."""

from __future__ import annotations

import os

import pytest

from replay import standalone
from replay.verify import verify_file
from tests.replay.mutations import KINDS, Mutation, mutation

COUNT = int(os.environ.get("HALLOWSTREAM_MUTATIONS", "60"))
SEED = int(os.environ.get("HALLOWSTREAM_SEED", "1"))
NUMBERS = range(SEED * 100_000, SEED * 100_000 + COUNT)


@pytest.mark.parametrize("number", NUMBERS)
def test_no_mutation_passes(number: int) -> None:
    """With the head that was given out, where one is needed; the rules need none."""
    made = mutation(number)
    found = ours(made, made.head)
    assert found, "nothing is wrong with it"
    assert int(found.split()[1]) in made.places or not made.places, (found, made.places)
    assert alone(made, made.head) == found, "the verifiers disagree"
    if made.rules:
        by_rules = ours(made, "")
        assert by_rules, "the rules do not find it"
        assert made.kind != "other_result" or by_rules == found, "they find it later"
    if made.head:
        assert alone(made, "") == ("" if made.rules or made.untold else found)


def ours(made: Mutation, head: str) -> str:
    """The place that `verify` names, empty where it finds nothing."""
    bad = verify_file(made.data, head).bad
    if bad is None:
        return ""
    return f"line {bad.line}" if bad.line else f"version {bad.version}"


def alone(made: Mutation, head: str) -> str:
    """The place that the verifier for outsiders names."""
    try:
        list(standalone.verify(made.data, head))
    except standalone.Wrong as wrong:
        return str(wrong).partition(": ")[0]
    return ""


def test_every_kind_is_met() -> None:
    """By the first hundred of the large count; workers of a parallel run meet but some."""
    kinds = {mutation(number).kind for number in range(100_000, 100_100)}
    assert kinds == {kind.__name__ for kind in KINDS}

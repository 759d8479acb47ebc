"""What differs between two views, as a patch and in words."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.catalog import GAMES
from replay.changes import words
from replay.patch import diff
from tests.replay.patching import applied


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1}, {"a": 1}, []),
        (1, 2, [{"op": "replace", "path": "", "value": 2}]),
        (1, True, [{"op": "replace", "path": "", "value": True}]),
        ({"a": 1}, {"b": 1}, [("remove", "/a"), ("add", "/b", 1)]),
        ({"a/b~": 1}, {"a/b~": 2}, [("replace", "/a~1b~0", 2)]),
        ([1, 2, 3], [1, 3], [("remove", "/1")]),
        ([1, 3], [1, 2, 3], [("add", "/1", 2)]),
        ([1, 2, 3], [1, 9, 3], [("replace", "/1", 9)]),
        ([], [1, 2], [("add", "/0", 1), ("add", "/1", 2)]),
        ([1, 2], [], [("remove", "/1"), ("remove", "/0")]),
        ({"a": [1]}, {"a": {"hidden": 1}}, [("replace", "/a", {"hidden": 1})]),
        ([{"a": None}], [{"a": 0}], [("replace", "/0/a", 0)]),
    ],
)
def test_the_shortest_way(before: Any, after: Any, patch: list[Any]) -> None:
    wanted = [
        dict(zip(("op", "path", "value"), op, strict=False)) if isinstance(op, tuple) else op
        for op in patch
    ]
    assert diff(before, after) == wanted
    assert applied(wanted, before) == after


def some(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(3 if depth < 3 else 1)
    if kind == 0:
        return rng.choice([0, 1, True, False, None, "x", "y"])
    if kind == 1:
        return [some(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {rng.choice("ab/~"): some(rng, depth + 1) for _ in range(rng.randrange(4))}


@pytest.mark.parametrize("number", range(300))
def test_a_patch_leads_from_one_to_the_other(number: int) -> None:
    rng = random.Random(number)
    before, after = some(rng), some(rng)
    made = applied(diff(before, after), before)
    assert repr(made) == repr(after) or _sorted(made) == _sorted(after)


def _sorted(value: Any) -> Any:
    """With the types of its leaves; the order of members means nothing."""
    if isinstance(value, dict):
        return sorted((key, _sorted(part)) for key, part in value.items())
    if isinstance(value, list):
        return [_sorted(part) for part in value]
    return type(value).__name__, str(value)


def test_in_words() -> None:
    game = next(iter(GAMES.values()))
    seats = {"seats": [{}, {}]}

    def view(**places: Any) -> dict[str, Any]:
        return {"match": seats, "game": {"question": None, **places}}

    before = view(hands=[["a", "b"], {"hidden": 2}], turn=1, pile=["a", "b", "c"], same=3)
    after = view(hands=[["b"], {"hidden": 3}], turn=2, pile=["c", "b", "a"], same=3, new="x" * 200)
    assert list(words(game, before, after)) == [
        "hands of seat 0: - a",
        "hands of seat 1: 2 hidden → 3 hidden",
        "turn: 1 → 2",
        "pile: in another order",
        f"new: – → {'x' * 150}…",
    ]
    more = view(hands=[["a", "b", "d", "d"], {"hidden": 2}])
    assert list(words(game, view(hands=[["a", "e"], {"hidden": 2}]), more)) == [
        "hands of seat 0: + b, 2 × d; - e"
    ]
    lobby = {"match": seats, "game": None}
    assert list(words(game, lobby, after)) == ["The game is set up."]
    assert list(words(game, after, lobby)) == ["The game is not set up yet."]
    assert list(words(game, lobby, lobby)) == []

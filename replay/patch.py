"""What differs between two JSON values, as a JSON Patch (RFC 6902)."""

from __future__ import annotations

from typing import Any

import msgspec

Op = dict[str, Any]
"""`{op, path, value}`: `add`, `remove` (without a value) or `replace`."""


def diff(before: Any, after: Any, path: str = "") -> list[Op]:
    """Operations that make `before` into `after`, in the order in which they are to be applied."""
    if _alike(before, after):
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        return _dicts(before, after, path)
    if isinstance(before, list) and isinstance(after, list):
        return _lists(before, after, path)
    return [{"op": "replace", "path": path, "value": after}]


def _alike(before: Any, after: Any) -> bool:
    """Whether they are the same JSON, where a truth value is no number."""
    return bool(before == after) and _encoded(before) == _encoded(after)


_encoded = msgspec.json.Encoder(order="sorted").encode


def _dicts(before: dict[str, Any], after: dict[str, Any], path: str) -> list[Op]:
    ops: list[Op] = []
    for key, value in before.items():
        where = f"{path}/{_escaped(key)}"
        if key in after:
            ops += diff(value, after[key], where)
        else:
            ops.append({"op": "remove", "path": where})
    for key, value in after.items():
        if key not in before:
            ops.append({"op": "add", "path": f"{path}/{_escaped(key)}", "value": value})
    return ops


def _lists(before: list[Any], after: list[Any], path: str) -> list[Op]:
    """What both begin and end with stays; between, things change place by place."""
    most = min(len(before), len(after))
    head = 0
    while head < most and _alike(before[head], after[head]):
        head += 1
    tail = 0
    while tail < most - head and _alike(before[-1 - tail], after[-1 - tail]):
        tail += 1
    both = most - tail
    ops: list[Op] = []
    for at in range(head, both):
        ops += diff(before[at], after[at], f"{path}/{at}")
    for at in reversed(range(both, len(before) - tail)):
        ops.append({"op": "remove", "path": f"{path}/{at}"})
    for at in range(both, len(after) - tail):
        ops.append({"op": "add", "path": f"{path}/{at}", "value": after[at]})
    return ops


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")

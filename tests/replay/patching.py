"""Applies JSON Patches (RFC 6902), as far as ours go."""

from __future__ import annotations

import copy
from typing import Any


def applied(patch: list[dict[str, Any]], document: Any) -> Any:
    made = copy.deepcopy(document)
    for each in patch:
        made = _one(each, made)
    return made


def _one(each: dict[str, Any], document: Any) -> Any:
    if each["path"] == "":
        return each["value"]
    *way, last = [p.replace("~1", "/").replace("~0", "~") for p in each["path"].split("/")[1:]]
    place = document
    for step in way:
        place = place[int(step) if isinstance(place, list) else step]
    key: Any = int(last) if isinstance(place, list) else last
    if each["op"] == "remove":
        del place[key]
    elif each["op"] == "add" and isinstance(place, list):
        place.insert(key, each["value"])
    else:
        assert each["op"] == "add" or isinstance(place, list) or key in place
        place[key] = each["value"]
    return document

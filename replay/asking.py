"""What was asked before a commit, and what was answered, as a viewer may know it.

Forms are not stored: the rules of today make them again, which may fail for what older rules
asked. They are then left out.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from games import rules
from games.forms import choice, wire
from games.history import Commit
from games.sight import Viewer
from games.table import Table
from replay.words import ANSWERS

Told = dict[str, Any]


def asked(before: Table | None, told: Told, viewer: Viewer) -> dict[str, Any] | None:
    """`{question, made_by, same_rules}` that the commit answers; None where it answers none, or
    where this log can't tell.

    The question has the form that the viewer was shown, for the auditor that of who answered.
    """
    first = _answer(told)
    if first is None or before is None or before.state is None:
        return None
    today = before.game.version
    question = _question(before.state, viewer, first["seat"])
    if question is None:
        return None
    return {"question": question, "made_by": today, "same_rules": told["rules"] == today}


def _question(state: rules.State, viewer: Viewer, seat: int) -> Any:
    with suppress(Exception):  # today's rules may not know what older ones asked
        shown = rules.asked(state, viewer)
        if shown is not None and viewer == "auditor":
            shown["form"] = (rules.asked(state, seat) or {})["form"]
        return shown
    with suppress(Exception):
        return rules.asked(state, "auditor" if viewer == "auditor" else "spectator")
    return None


def answered(commit: Commit[Any] | None, told: Told) -> dict[str, Any] | None:
    """`{seat, question, sent, labels, hidden}`: the answer as a client sends it, and in words.

    `sent` is None where it is hidden, or where this log can't tell.
    """
    first = _answer(told)
    if first is None:
        return None
    made = {"seat": first["seat"], "question": first["question"]}
    hidden = _hides(first["option"])
    if hidden or commit is None:
        return {**made, "sent": None, "labels": [], "hidden": hidden}
    option = getattr(commit.events[0], "option", None)
    parts = option if isinstance(option, tuple) else (option,)
    sent = msgspec.to_builtins(wire(option))
    return {**made, "sent": sent, "labels": [choice(p).label for p in parts], "hidden": False}


def _hides(part: Any) -> bool:
    """Whether anything in it is hidden."""
    if isinstance(part, dict):
        return "hidden" in part or any(map(_hides, part.values()))
    return isinstance(part, list) and any(map(_hides, part))


def _answer(told: Told) -> Told | None:
    """The answer that the commit is about, by name."""
    first = told["events"][0]
    if isinstance(first, dict) and first.get("type") in ANSWERS:
        return first
    return None

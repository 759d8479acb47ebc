"""The shape of the tests of single kids that act when haunted."""

from __future__ import annotations

from typing import Any

import msgspec

from games import sight
from tests.games.ghosts_love_candy_too.street import Street, slot, street

HIDDEN = {"BagMixed", "BagRefilled", "DeckShuffled", "Chosen", "CravingPeeked"}
"""Events with a part that is not for everybody; each has tests of its own."""

NEXT = ("Haunt", "D")


class Case(msgspec.Struct):
    """A haunts the kid in s2 with `ghost` and answers `say`; `then` names what is true after.

    `cant`: other givens, under which the ability is skipped without a question.
    """

    kid: int
    given: dict[str, Any]
    say: list[str]
    then: dict[str, Any]
    cant: list[dict[str, Any]] = []
    ghost: str = "A3"
    here: tuple[str, str] = ("", "")


def laid(case: Case, given: dict[str, Any]) -> Street:
    given = {**given}
    ghosts, above = given.pop("here", case.here)
    row = {2: slot(case.kid, ghosts, above), **given.pop("row", {})}
    hands = given.pop("hands", None)
    match = street(row, given.pop("turns", case.ghost), **given)
    if hands is not None:
        match.lay(hands=hands)
    return match


def truth(match: Street, name: str) -> Any:
    """`A`: a stash; `A_kids`: its kids; `s3`, `g3`: treats, ghosts there; or a state field."""
    if name in tuple("ABCD"):
        return " ".join(match.stash(name))
    if name.endswith("_kids"):
        return match.kids(name[0])
    if name[0] in "sg" and name[1:].isdigit():
        at = int(name[1:])
        return " ".join(match.above(at)) if name[0] == "s" else match.under(at)
    if name == "row":
        return match.row()
    if name == "discard":
        return " ".join(sorted(match.state.treat_discard))
    if name == "bag":
        return " ".join(sorted(match.state.bag))
    return getattr(match.state, name)


def does(case: Case) -> None:
    match = laid(case, case.given)
    told = match.say("s2")
    for answer in case.say:
        all_see_the_question(match)
        told += match.say(answer)
    assert {name: truth(match, name) for name in case.then} == case.then
    used = [event.of for event in told if type(event).__name__ == "AbilityUsed"]
    assert used[:1] == [case.kid], "its ability did not act"
    assert match.asks == NEXT
    all_see(match, told)


def cannot(case: Case, given: dict[str, Any]) -> None:
    """Nothing happens, nothing is asked, and the turn goes on."""
    match = laid(case, given)
    told = match.say("s2")
    assert "AbilityUsed" not in [type(event).__name__ for event in told]
    assert match.asks == NEXT


def all_see(match: Street, told: list[Any]) -> None:
    """Every viewer sees all of what happened, as the auditor does."""
    for event in told:
        if type(event).__name__ not in HIDDEN:
            full = sight.cut(event, "auditor")
            assert all(sight.cut(event, viewer) == full for viewer in match.viewers), event


def all_see_the_question(match: Street) -> None:
    """What is asked and of whom is the same for all; the form is for the asked alone."""
    shown = [match.view(viewer)["question"] for viewer in match.viewers]
    forms = [question.pop("form", None) for question in shown]
    assert all(question == shown[0] for question in shown)
    assert [bool(form) for form in forms[:-1]] == [s in match.asked.seats for s in range(4)]
    assert forms[-1] is None

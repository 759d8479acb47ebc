"""`disputes`: listed, shown, opened, noted, ruled on, appealed against, through an API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import msgspec

from replay import words as wording
from replay.steps import NoStep, Step
from replay.words import moment
from services import ids
from services.cli import http, output

Told = dict[str, Any]


class Api:
    """One API and the token it is shown."""

    def __init__(self, url: str, token: str) -> None:
        if not url:
            hint = "give --url, or HALLOWSTREAM_URL"
            raise output.usage("this goes through an API", hint)
        self.base = url.rstrip("/")
        self.token = token

    def get(self, path: str, **query: Any) -> Any:
        asked = {name: value for name, value in query.items() if value not in ("", None)}
        full = f"{self.base}/v1/{path}{'?' + urlencode(asked) if asked else ''}"
        return msgspec.json.decode(http.request("GET", full, self.token))

    def send(self, method: str, path: str, content: Any = None) -> Any:
        full = f"{self.base}/v1/{path}"
        return msgspec.json.decode(http.command(method, full, self.token, content))


def path_of(match: str) -> str:
    """Where an API has a match. Raises Stop where that can't be the id of one."""
    if not ids.is_match_id(match):
        raise output.usage(f"{match!r} is not the id of a match")
    return f"matches/{match}"


def queue(url: str, token: str, state: str, json: bool) -> None:
    api = Api(url, token)
    items, after = [], ""
    while True:
        page = api.get("disputes", state=state, after=after)
        items += page["items"]
        after = page["next"]
        if not after:
            break
    if json:
        output.as_json({"ok": True, "items": items})
        return
    for item in items:
        where = f"{item['match']} {item['number']:>2}"
        about = f"{item['state']:<8}  {moment(item['opened'])} UTC  {item['game']}"
        said = f"{about}, seat {item['seat']}, {steps_of(item['steps'])}"
        output.console().print(f"{where}  {said}")
    if not items:
        output.console().print("no dispute")


def show(match: str, number: int | None, url: str, token: str, json: bool) -> None:
    path = f"{path_of(match)}/disputes"
    told = Api(url, token).get(path if number is None else f"{path}/{number}")
    cases = told["items"] if number is None else [told]
    if json:
        output.as_json({"ok": True, "items": cases})
        return
    for case in cases:
        _print(case)
    if not cases:
        output.console().print("the match has no dispute")


def send(
    method: str, match: str, path: str, content: Told | None, url: str, token: str, json: bool
) -> None:
    """One command; what the dispute is after it."""
    told = Api(url, token).send(method, f"{path_of(match)}/{path}", content)
    if json:
        output.as_json({"ok": True, **told})
        return
    _print(told["dispute"])
    if method == "DELETE":
        output.console().print("the words are forgotten; the log says so, and holds their hash")


def steps(words: list[str]) -> list[str]:
    """Raises Stop."""
    try:
        return [str(Step.parse(word)) for word in words]
    except NoStep as error:
        raise output.usage(str(error)) from None


def text(words: str, option: str = "--text") -> str:
    """Raises Stop where nothing is said."""
    if not words.strip():
        raise output.usage(f"{option} is empty")
    return words


def winners(words: list[str]) -> list[int]:
    """Seats, or `none` alone. Raises Stop."""
    try:
        return [] if words == ["none"] else [int(word) for word in words]
    except ValueError:
        raise output.usage("a winner is a seat's number, or `none` alone") from None


def scores(words: list[str]) -> list[int | None]:
    """Numbers, `none` for a seat without one. Raises Stop."""
    try:
        return [None if word == "none" else int(word) for word in words]
    except ValueError:
        raise output.usage("a score is a number, or `none`") from None


def _print(case: Told) -> None:
    for line in _lines(case):
        output.console().print(line, markup=False)


def _lines(case: Told) -> Iterator[str]:
    """What somebody said stands behind a bar, so that it passes for nothing but that."""
    yield f"dispute {case['number']} of {case['match']}: {_state(case)}"
    yield f"  seat {case['seat']} disputes {steps_of(case['steps'])}"
    for word in case["said"]:
        who = word["author"] or f"seat {word['seat']}"
        when = f"{moment(word['at'])} UTC"
        yield f"  version {word['version']}, {when}: {word['kind']} by {who}"
        if word["words"] == "kept":
            yield from (f"    │ {line}" for line in word["text"].splitlines())
        else:
            when = f" in version {word['removed']}" if word.get("removed") else ""
            yield f"    (the words are {word['words']}{when})"
        yield from (f"    {line}" for line in _follows(word["ruling"] or {}))


def _state(case: Told) -> str:
    verdict = "upheld" if case["upheld"] else "rejected"
    if case["state"] == "appealed":
        return f"appealed, after it was {verdict}"
    return f"ruled, {verdict}" if case["state"] == "ruled" else str(case["state"])


def steps_of(steps: list[str]) -> str:
    return f"step{'s' * (len(steps) > 1)} {', '.join(steps)}"


def _follows(ruling: Told) -> Iterator[str]:
    """What a ruling has led to."""
    correction = ruling.get("correction")
    if correction is not None:
        points = correction["scores"]
        told = f"; scores {wording.scores(points)}" if wording.counted(points) else ""
        yield f"the result is corrected: won by {_seats(correction['winners'])}{told}"
    if ruling.get("vacate") is not None:
        yield f"seat {ruling['vacate']} is emptied"
    if ruling.get("end") is not None:
        yield f"the match ends, won by {_seats(ruling['end'])}"


def _seats(seats: list[int]) -> str:
    return ", ".join(f"seat {seat}" for seat in seats) or "nobody"

"""What follows from the code: `python -m services.docs` writes the pages of documentation, and the
table of names in the stand-alone verifier."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from replay import naming
from services import problems, settings

FOLDER = Path("docs")

_PROBLEMS = """# Problems

Every reply of 400 and above is a problem as RFC 9457 has it, `application/problem+json`, whoever
refused: a rule of a game, the API, or the framework below it. `code` is stable and meant for
programs, `detail` for people. What a client needs to act comes along: `current_version`, `open`
(the question that is open now), `seats`, `retry_after`, `violated-policies`, and `errors`, each
with a JSON pointer.

```json
{
  "type": "/docs/problems#stale_question",
  "title": "The question is not open any more",
  "status": 409,
  "code": "stale_question",
  "detail": "question 12.2 is not open; look at the view for what is asked now",
  "instance": "/v1/matches/01J8ZQ4V6M3T7N9X2C5B8D1F0G/answers",
  "open": "14.1",
  "current_version": 14
}
```

A refused command has changed nothing. Of those with status 503, `busy` and `unavailable` have
changed nothing either; after `unconfirmed` the command may be in the log or not, and sending it
again under the same `Idempotency-Key` finds out.

"""

_CLOSES = """
## Close codes of streams

| code | what it says |
|---|---|
"""

_SETTINGS = """# Settings

Every process reads them from its environment. Secrets are never logged.

"""


def problems_page() -> str:
    closes = "".join(f"| {code} | {text} |\n" for code, text in problems.CLOSES.items())
    return _PROBLEMS + problems.table() + _CLOSES + closes


def settings_page() -> str:
    return _SETTINGS + settings.table()


def openapi_page() -> str:
    from services.api import create_app

    return json.dumps(create_app(settings.Settings()).openapi(), indent=1) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    "problems.md": problems_page,
    "settings.md": settings_page,
    "openapi.json": openapi_page,
}


def write(folder: Path = FOLDER) -> None:
    for name, made in PAGES.items():
        (folder / name).write_text(made())


if __name__ == "__main__":
    write()
    naming.write()

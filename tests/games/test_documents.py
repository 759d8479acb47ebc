"""The pages on games are true: their code is the toy game's, their answers fit their forms."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from games.bots import page_of
from games.forms import Choice

ROOT = Path(__file__).parents[2]
TOY = ROOT / "tests" / "toy" / "pumpkin_patch"


def blocks(page: str) -> dict[str, str]:
    text = (ROOT / "docs" / page).read_text()
    return dict(re.findall(r'```python title="([^"]+)"\n(.*?)```', text, re.DOTALL))


def test_the_page_on_adding_a_game_holds_the_toy_game() -> None:
    shown = blocks("add-a-game.md")
    for path in sorted(TOY.glob("*.py")):
        assert shown[f"games/pumpkin_patch/{path.name}"] == _as_a_game(path.read_text())
    assert len(shown) == len(list(TOY.glob("*.py"))) + 1


FORMS = re.findall(
    r"```json\n(\{\"type\".*?)```\n\nAnswer: `(.*?)`",
    (ROOT / "docs" / "forms.md").read_text(),
    re.DOTALL,
)


def _as_a_game(text: str) -> str:
    """The file in a folder of `games/`; imports of ours are sorted by where they lead."""
    lines = text.replace("tests.toy.pumpkin_patch", "games.pumpkin_patch").splitlines(True)
    ours = [at for at, line in enumerate(lines) if line.startswith("from games")]
    if ours:
        found = slice(ours[0], ours[-1] + 1)
        lines[found] = sorted(lines[found], key=lambda line: line.split()[1])
    return "".join(lines)


@pytest.mark.parametrize(("form", "answer"), FORMS, ids=[json.loads(f)["type"] for f, _ in FORMS])
def test_the_page_on_forms_shows_real_forms_and_answers(form: str, answer: str) -> None:
    shown = json.loads(form)
    page = page_of({"form": shown})
    by_id = {c["id"]: msgspec.convert(c, Choice) for c in _choices(shown)}
    sent = json.loads(answer)
    meant = (
        tuple(by_id.get(s, s) for s in sent) if isinstance(sent, list) else by_id.get(sent, sent)
    )
    assert page.contains(meant)


def test_the_page_on_forms_shows_all_five() -> None:
    assert [json.loads(form)["type"] for form, _ in FORMS] == [
        "one_of",
        "subset",
        "arrangement",
        "split",
        "number",
    ]


def _choices(form: dict[str, list[dict[str, str]]]) -> list[dict[str, str]]:
    return [c for name in ("options", "places", "parts") for c in form.get(name, [])]

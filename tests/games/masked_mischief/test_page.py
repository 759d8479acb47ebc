"""The page on this game is true: its boards load, its questions and options are ours."""

from __future__ import annotations

import json
import re
from pathlib import Path

from games.bots import page_of
from games.masked_mischief.edition import Options
from games.masked_mischief.effects import Ask
from games.masked_mischief.game import Pending, from_data

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "masked-mischief.md").read_text()
BLOCKS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def test_every_question_is_shown_once() -> None:
    shown = [block["kind"] for block in BLOCKS if "kind" in block]
    asked = {m.__struct_config__.tag for m in Pending.__args__ if issubclass(m, Ask)}
    assert len(shown) == len(set(shown)) and set(shown) == asked
    assert all(page_of(block).page for block in BLOCKS if "kind" in block)


def test_the_boards_can_be_loaded() -> None:
    boards = [block for block in BLOCKS if "kind" not in block]
    assert [from_data(json.dumps(board).encode()).edition for board in boards] == [
        "three-skulls",
        "ring",
    ]


def test_every_option_is_listed() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## The board")[0], re.MULTILINE)
    assert rows == list(Options.__struct_fields__)

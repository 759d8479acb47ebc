"""What a bundle tells of a match beside its log: the match itself, its chance, who intervened."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version as installed
from typing import Any

import msgspec

from games.dice import match_seed
from games.match import Match, MatchEvent, Started
from games.referee import AnyTableEvent
from replay import words
from replay.cases import of_story
from replay.fold import Fold
from replay.load import Story

ALGORITHM = "hallowstream.1"

VECTOR = {
    "match": "01J0TEST",
    "server_seed": "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    "commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    "entropies": ["pumpkin", "", "ghost"],
    "match_seed": "2bb5ac6dffe60c35dd5bd6678eb289e74b67cb5273fc1c88d4395e889156c0f2",
    "word_0_at_place_0": "fdf1b4507178ecb4d68e3c6579ee650358d69ca818fce5b0a931566c88770f67",
}
"""As the page on fair play has it."""

INTERVENTIONS = {
    *("kicked", "replaced", "aborted", "forfeited", "reverted"),
    *("undo_asked", "undo_agreed", "undo_declined", "undo_expired"),
    *("dispute_opened", "dispute_noted", "ruled", "appealed", "words_removed"),
}
"""Kinds of events by which somebody changes a match other than by playing."""


def match(theirs: Story, view: dict[str, Any] | None, mode: str) -> dict[str, Any]:
    """What was played, by which rules, by whom, and how it ended. `theirs` is what is bundled, and
    `view` what its viewer saw last, if that is known."""
    made = theirs.created
    seen = view or {}
    ids = [sitting.player for sitting in _match(theirs).seats]
    return {
        "match": theirs.match,
        "game": theirs.game.id,
        "title": theirs.game.title,
        "edition": made["edition"],
        "rules": made["rules"],
        "rules_used": sorted({telling.raw[3] for telling in theirs.tellings}),
        "rules_here": theirs.game.version,
        "data_sha256": theirs.game.digest,
        "software": f"hallowstream {installed('hallowstream')}",
        "options": made["options"],
        "seats": made["seats"],
        "players": ids,
        "reveal": made["reveal"],
        "created": theirs.tellings[0].raw[1],
        "moved": theirs.tellings[-1].raw[1],
        "versions": len(theirs.pages),
        "head": theirs.pages[-1].head.hex(),
        "closed": theirs.closed,
        "status": seen.get("status", "unknown"),
        "result": seen.get("result"),
        "disputes": len(of_story(theirs)),
        "mode": mode,
        "log_of": theirs.viewer,
    }


def _match(story: Story) -> Match:
    """The table that the game is played at, from what everybody sees of it."""
    found = Match()
    for _, event in _public(story):
        found = event.apply(found)
    return found


def _public(story: Story) -> Iterator[tuple[int, MatchEvent]]:
    """Events on the match that are open in this log, with their versions."""
    for page, telling in zip(story.pages, story.tellings, strict=True):
        for raw in telling.raw[5]:
            try:
                yield page.version, msgspec.convert(raw, AnyTableEvent)
            except msgspec.ValidationError:
                continue


def randomness(story: Story, folded: Fold) -> dict[str, Any]:
    """What was committed to, what the seats added, and, once revealed, what it all led to."""
    entropies = [sitting.entropy for sitting in _match(story).seats]
    started = any(isinstance(event, Started) for _, event in _public(story))
    seed = story.seed
    return {
        "algorithm": ALGORITHM,
        "commitment": story.created["commitment"],
        "committed_in_version": 1,
        "entropies": entropies if started else None,
        "server_seed": seed.hex() if seed else None,
        "revealed_in_version": story.revealed or None,
        "match_seed": match_seed(seed, entropies).hex() if seed and started else None,
        "draws": _draws(folded) if story.viewer == "auditor" else None,
        "test_vector": VECTOR,
    }


def _draws(folded: Fold) -> list[dict[str, int]]:
    """Which versions drew how many words, at which place."""
    return [
        {
            "version": commit.version,
            "place": folded.tables[commit.version].answers,
            "words": commit.private.draws,
        }
        for commit in folded.commits
        if commit.private.draws
    ]


def interventions(story: Story) -> Iterator[dict[str, Any]]:
    """The commits of referees, admins and undo, in words and by name."""
    for telling in story.tellings:
        kinds = {raw[0] for raw in telling.raw[5] if isinstance(raw, list) and raw}
        if telling.raw[2] == "admin" or kinds & INTERVENTIONS:
            told = telling.named
            yield {
                "version": told["version"],
                "at": told["at"],
                "by": told["by"],
                "says": words.sentences(story.game, told["events"], told["by"]),
                "events": told["events"],
            }


_README = """# {name}

Match `{match}` of {title}: the log of {eyes}, {versions} versions.

Three commands check it, in this folder:

```sh
sha256sum -c manifest-sha256.txt tagmanifest-sha256.txt
python3 verify/verify.py data/events.ndjson {known}
hallowstream verify data/events.ndjson {known}
```

1. Every file is as it was when this was packed.
2. The log is whole: each version follows from the one before, secrets fit their seals, the seed is
   the one that was committed to before play{signed}. This needs Python alone.
3. The rules were kept: every command is decided again and gives the same, as far as this log tells.
   This needs Hallowstream, with the rules that the match was played by.

Version {versions} has the head `{head}`.
Who played holds heads of its own, from every reply of the server: give one, as `--head V:HASH`.

| file | holds |
|---|---|
| `match.json` | what was played, by which rules, by whom (opaque ids), and how it ended |
| `events.ndjson` | the log: the hashed bytes and, beside them, the same decoded |
| `randomness.json` | the commitment, what seats added, the seed once revealed, and a test vector |
| `views/` | what each viewer could see after each version |
| `admin.ndjson` | what referees, admins, the host and undo changed, each a commit of the log |
| `claim.json` | the disputes; each text with its salt: SHA-256(salt ‖ text) stands in the log |
| `board.txt` | the contested steps in plain words |
{checkpoint}
Refused commands, deliveries, clocks and chat are not kept, so they are not here.
"""


_SIGNED = """. The server has signed this head. Take its key from itself
   (`GET /v1/keys`), not from here"""


def readme(story: Story, name: str, checkpoint: str, key: str) -> str:
    head = story.pages[-1].head.hex()
    row = "| `checkpoint.txt` | version and head, signed by the server (a C2SP note) |\n"
    return _README.format(
        name=name,
        match=story.match,
        title=story.game.title,
        eyes=words.name(story.viewer),
        versions=len(story.pages),
        head=head,
        known=f"--checkpoint data/checkpoint.txt --key '{key}'"
        if checkpoint
        else f"--head {len(story.pages)}:{head}",
        signed=_SIGNED if checkpoint else "",
        checkpoint=row if checkpoint else "",
    )

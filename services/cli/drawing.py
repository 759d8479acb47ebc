"""A step of a match as people see it on a terminal, whatever the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from games.game import Game
from replay.words import (
    MANY,
    actor,
    brief,
    counted,
    moment,
    name,
    names,
    parted,
    scores,
    seat_by_seat,
    status,
)
from services.cli.output import sentence

Shown = dict[str, Any]
"""What `replay.steps.shown` gives."""


THE_TABLE = "the table"


def heading(game: Game, shown: Shown) -> Text:
    """Game, step, eyes and match, in one line, which is cut where it is too long."""
    line = Text.assemble(
        (game.title, "bold"),
        "  step ",
        (shown["step"], "bold"),
        f" of {shown['steps']}, seen by ",
        (name(shown["viewer"]), "bold cyan"),
        (f"  {shown['match']}", "dim"),
    )
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


def parts(game: Game, shown: Shown) -> dict[str, Group]:
    """All there is to see at a step, each part under its title; what is empty is left out."""
    since = f" since step {shown['changed']['since']}" if shown["passed"] else ""
    found = {
        "what was asked": asked(shown),
        "what happened": happening(shown),
        f"what happened{since or ' since'}": passed(shown),
        f"what changed{since}": changed(shown),
        THE_TABLE: table(game, shown),
        **beside(game, shown),
    }
    return {title: part for title, part in found.items() if part.renderables}


def happening(shown: Shown) -> Group:
    """Who acted, when, and what happened."""
    head = Text.assemble((actor(shown["by"]), "bold"), (f"  {moment(shown['at'])} UTC", "dim"))
    return Group(head, *[sentence(f"  {said}") for said in shown["says"]])


def asked(shown: Shown) -> Group:
    """The question that the step answers, what could be answered, and what was."""
    was = shown["asked"]
    if was is None:
        return Group()
    parts = list(_asked(was["question"]))
    if not was["same_rules"]:
        parts.append(
            Text(f"  Made again by rules {was['made_by']}; it was others that asked.", "dim")
        )
    answer = shown["answer"]
    labels = ", ".join(answer["labels"]) or ("hidden" if answer["hidden"] else "–")
    parts.append(Text.assemble(("Answered: ", "bold green"), f"seat {answer['seat']}, {labels}"))
    return Group(*parts)


def passed(shown: Shown) -> Group:
    """Every commit since the step that this one is compared with."""
    was = shown["passed"]
    if not was:
        return Group()
    lines = [Text(f"{was['omitted']} earlier ones are left out", "dim")] if was["omitted"] else []
    for commit in was["commits"]:
        said = sentence(" ".join(commit["says"]))
        lines.append(Text.assemble((f"{commit['version']:>4}  ", "bold"), said))
    return Group(*lines)


def beside(game: Game, shown: Shown) -> dict[str, Group]:
    """The table as other eyes could see it at the same step, and how that differs."""
    other = shown["compared"]
    if not other:
        return {}
    eyes = name(other["viewer"])
    seen = {**shown, "viewer": other["viewer"], "view": other["view"]}
    return {
        f"{THE_TABLE} as {eyes} sees it": table(game, seen),
        f"what {eyes} sees otherwise": Group(*[sentence(line) for line in other["says"]]),
    }


def changed(shown: Shown) -> Group:
    """What looks otherwise than at the step it is compared with."""
    was = shown["changed"]
    return Group(*[sentence(line) for line in was["says"]] if was else [])


def table(game: Game, shown: Shown) -> Group:
    """The view: what is asked, the seats side by side, and what else lies on the table."""
    view = shown["view"]
    if view is None:
        return Group(Text(f"The table cannot be shown: {shown['unknown']}.", "yellow"))
    parts: list[RenderableType] = [Text.assemble("The match is ", (status(view), "bold"), ".")]
    seats = view["match"]["seats"]
    known = names(game)
    if view["game"] is None:
        parts += [Text(f"  seat {n}: {sitting['kind']}") for n, sitting in enumerate(seats)]
        return Group(*parts)
    parts += _asked(view["game"].get("question"))
    parts += _result(view["result"])
    by_seat, rest = _parted(game, view["game"], len(seats))
    parts += [Text(""), _seats(by_seat, len(seats), known), Text("")]
    parts += _rest(rest, known)
    return Group(*parts)


def _asked(question: Shown | None) -> Iterator[Text]:
    if not question:
        return
    who = ", ".join(f"seat {seat}" for seat in question["seats"])
    yield Text.assemble(("Asked: ", "bold yellow"), f"{who}. {question['prompt']}")
    form = question.get("form", {})
    choices = form.get("options") or form.get("places") or []
    for choice in choices[:12]:
        yield Text.assemble("  ", (choice["id"], "cyan"), f"  {choice['label']}")
    if len(choices) > 12:
        yield Text(f"  and {len(choices) - 12} more", "dim")


def _result(result: Shown | None) -> Iterator[Text]:
    if result:
        winners = ", ".join(f"seat {seat}" for seat in result["winners"]) or "nobody"
        told = f" (scores {scores(result['scores'])})" if counted(result["scores"]) else ""
        yield Text.assemble(("Won by ", "bold green"), winners, told)


def _parted(game: Game, view: Shown, seats: int) -> tuple[Shown, Shown]:
    """What there is once a seat, and the rest; what is empty is left out."""
    by_seat, rest = {}, {}
    for key, value in view.items():
        if key == "question" or _empty(value):
            continue
        if seat_by_seat(game, key, value, seats):
            by_seat[key] = value
        else:
            rest[key] = value
    return by_seat, rest


def _empty(value: Any) -> bool:
    """Whether nothing is there, all the way down; a zero is something."""
    if isinstance(value, list | tuple):
        return all(map(_empty, value))
    return value is None or value is False or value == "" or value == {}


def _seats(by_seat: Shown, seats: int, known: dict[str, str]) -> Table:
    grid = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    grid.add_column("")
    for seat in range(seats):
        grid.add_column(f"seat {seat}", overflow="fold")
    for key, value in by_seat.items():
        grid.add_row(Text(_label(key), "bold"), *[Text(_cell(part, known)) for part in value])
    return grid


def _cell(value: Any, known: dict[str, str]) -> str:
    """Of a longer list what is there more than once is counted."""
    if isinstance(value, list | tuple) and len(value) > 4:
        counts = Counter(brief(part, known) for part in value)
        return ", ".join(f"{n} × {thing}" if n > 1 else thing for thing, n in counts.items())
    return brief(value, known)


def _rest(rest: Shown, known: dict[str, str]) -> Iterator[RenderableType]:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for key, value in rest.items():
        grid.add_row(Text(_label(key), "bold"), Text(_lines(value, known)))
    yield grid


def _lines(value: Any, known: dict[str, str]) -> str:
    """Piles and things with parts are given a line each."""
    parts = parted(value)
    if len(parts) > MANY:
        return f"{len(parts)}, told with --json"
    if parts:
        return "\n".join(f"{label}: {brief(part, known)}" for label, part in parts)
    return brief(value, known)


def _label(key: str) -> str:
    return key.replace("_", " ")

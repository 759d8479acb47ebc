"""`undo`, `fork`, `access`: what is done with the past of a match, through an API."""

from __future__ import annotations

from typing import Any

from replay.words import moment, name
from services.cli import output
from services.cli.disputing import Api, path_of

Told = dict[str, Any]


def fork(match: str, step: str, eyes: str, url: str, token: str, json: bool) -> None:
    body = {"step": step, "as": eyes}
    made = Api(url, token).send("POST", f"{path_of(match)}/fork", body)
    if json:
        output.as_json({"ok": True, **made})
        return
    console = output.console()
    console.print(f"match {made['match']} goes on from {match} at step {step}; every seat is free")
    console.print(f"host token  {made['host_token']}")
    console.print(f"to watch    {made['watch_token']}")


WHAT = ("cost", "ask", "agree", "decline", "revert")


def undo(
    match: str, do: str, to: int | None, reason: str, url: str, token: str, json: bool
) -> None:
    if do not in WHAT:
        raise output.usage(f"WHAT is one of {', '.join(WHAT)}, not {do!r}")
    if reason and do != "revert":
        raise output.usage("--reason goes with `revert` alone")
    api = Api(url, token)
    path = path_of(match)
    if do in ("agree", "decline"):
        seen = api.get(path)["version"]
        _say(api.send("POST", f"{path}/undo/{do}", {"seen": seen}), json)
        return
    if not to or to < 0:
        raise output.usage("say which version to go back to", "--to V, a number from 1 on")
    if do == "cost":
        _cost(api.get(f"{path}/undo", to=to), json)
    elif do == "ask":
        seen = api.get(path)["version"]
        _say(api.send("POST", f"{path}/undo", {"to": to, "seen": seen}), json)
    else:
        _say(api.send("POST", f"{path}/revert", {"to": to, "reason": reason}), json)


def _cost(told: Told, json: bool) -> None:
    if json:
        output.as_json({"ok": True, **told})
        return
    seats = ", ".join(f"seat {seat}" for seat in told["needs"])
    says = {
        "referee": "only a referee may do that: chance has told somebody a secret since",
        "free": "nobody has learned anything since",
        "consent": "somebody has acted or learned something since",
    }
    output.console().print(f"back to version {told['to']}: {says[told['kind']]}")
    if told["kind"] != "referee":
        output.console().print(f"must agree: {seats or 'nobody'}")


def _say(told: Told, json: bool) -> None:
    if json:
        output.as_json({"ok": True, **told})
        return
    kinds = {event["type"]: event for event in told["commit"]["events"]}
    if "reverted" in kinds:
        says = f"the game stands where it stood after version {kinds['reverted']['to']}"
    elif "undo_declined" in kinds:
        says = "no undo is asked for any more"
    else:
        request = told["view"]["match"]["request"] or {"needs": [], "agreed": []}
        left = [seat for seat in request["needs"] if seat not in request["agreed"]]
        says = f"still to agree: {', '.join(f'seat {seat}' for seat in left) or 'nobody'}"
    output.console().print(f"version {told['version']}: {says}")


def access(match: str, url: str, token: str, json: bool) -> None:
    api = Api(url, token)
    items: list[Told] = []
    after: int | None = 0
    while after is not None:
        page = api.get(f"{path_of(match)}/access", after=after)
        items, after = items + page["items"], page["next"]
    if json:
        output.as_json({"ok": True, "items": items})
        return
    for item in items:
        step = f" {item['step']}" if item["step"] else ""
        what = f"{item['what']}{step}, through the eyes of {name(item['eyes'])}"
        output.console().print(f"{moment(item['at'])} UTC  {item['who'][:16]}  {what}")
    if not items:
        output.console().print("nobody has used an auditor's eyes on this match")

"""A heuristic player: treats by their worth, kids by what they cost, ghosts by what is at stake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.bots import random_bot
from games.forms import Below
from games.ghosts_love_candy_too.mods import Courage
from games.ghosts_love_candy_too.sheet import SHEETS, Kid
from games.ghosts_love_candy_too.tables import CRAVINGS, FIXED

SEAT_FREE = ("keep_treats", "choose_ghosts", "pass_treat")
GIVES_AWAY = ("toss_treat", "pick_own_treat", "discard_drawn", "pass_treat", "give_back")
ABILITY_WORTH, GIVEN_BACK = 1.0, 3.0


class Look:
    """What the bot makes of its view."""

    def __init__(self, view: dict[str, Any], question: dict[str, Any]) -> None:
        self.view = view
        self.me = _me(view, question)
        self.kids = SHEETS[view["edition"]].kids
        self.craving = CRAVINGS[view["secrets"][self.me]["card"]]

    def worth(self, token: str) -> float:
        return float(FIXED[token] if token in FIXED else self.craving[token])

    def kid(self, at: int) -> Kid:
        return self.kids[self.view["row"][at]["kid"]]

    def courage(self, at: int) -> int:
        row, total = self.view["row"], self.kid(at).courage
        for near in (at - 1, at + 1):
            if 0 <= near < len(row) and row[near]["kid"]:
                for mod in self.kid(near).effect.on:
                    if isinstance(mod, Courage) and isinstance(mod.add, int):
                        total += mod.add
        return total

    def stake(self, at: int) -> float:
        """What lies on a kid, and about what its ability brings."""
        treats = sum(map(self.worth, self.view["row"][at]["treats"]))
        acts = not self.view["super_kid"] and bool(self.kid(at).effect.now)
        return treats + ABILITY_WORTH * acts

    def haunting(self, at: int, value: int) -> float:
        """The stake, less what a scare costs."""
        pile = sum(ghost["value"] for ghost in self.view["row"][at]["pile"])
        if pile + value < self.courage(at):
            return self.stake(at)
        if self.view["super_kid"]:
            return self.stake(at) - GIVEN_BACK
        return self.stake(at) + self.kid(at).points

    def stakes(self) -> list[float]:
        row = self.view["row"]
        return sorted((self.stake(at) for at, slot in enumerate(row) if slot["kid"]), reverse=True)


def _me(view: dict[str, Any], question: dict[str, Any]) -> int:
    """The seat asked; of several the one that knows every craving shown here."""
    if question["kind"] not in SEAT_FREE and len(question["seats"]) == 1:
        return int(question["seats"][0])
    shown = {i: s["knowers"] for i, s in enumerate(view["secrets"]) if isinstance(s["card"], str)}
    mine = [seat for seat in shown if all(seat in knowers for knowers in shown.values())]
    return next((seat for seat in mine if seat in question["seats"]), question["seats"][0])


def _last(id: str) -> str:
    return id.rsplit(":", 1)[-1]


def haunt(look: Look, options: list[str]) -> str:
    value = look.view["played"][0]["value"]
    return max(options, key=lambda id: look.haunting(int(id.split(":")[1]), value))


def play(look: Look, options: list[str]) -> str:
    """High ghosts where one kid is worth much more than the others."""
    stakes = look.stakes()
    turns = len(look.view["hands"])
    spread = stakes[0] - stakes[min(turns, len(stakes) - 1)] if stakes else 0.0
    ranked = sorted(options, key=lambda id: sum(map(int, _last(id).split("+"))))
    return ranked[max(0, min(len(ranked) - 1, round(spread / 10 * (len(ranked) - 1))))]


def best_treat(look: Look, options: list[str]) -> str:
    return max(options, key=lambda id: look.worth(_last(id)))


def worst_treat(look: Look, options: list[str]) -> str:
    return min(options, key=lambda id: look.worth(_last(id)))


def richest_kid(look: Look, options: list[str]) -> str:
    return max(options, key=lambda id: look.stake(int(id.split(":")[1])))


def worst_kid(look: Look, options: list[str]) -> str:
    """The scared kid that costs its holder most, of the own ones if there are any."""
    mine = [id for id in options if id.split(":")[1] == str(look.me)] or options
    return min(mine, key=lambda id: look.kids[int(_last(id).rpartition("/")[2])].points)


def use(look: Look, options: list[str]) -> str:
    return "use:yes"


CHOICES: dict[str, Callable[[Look, list[str]], str]] = {
    "haunt": haunt,
    "choose_ghosts": play,
    "pick_treat": best_treat,
    "keep_drawn": best_treat,
    "name_candy": best_treat,
    "leave_treat": worst_treat,
    "pick_kid": richest_kid,
    "pick_stash_kid": worst_kid,
    "use_ability": use,
    **dict.fromkeys(GIVES_AWAY, worst_treat),
}


def bot(view: dict[str, Any], question: dict[str, Any], below: Below) -> Any:
    """The answer as a client sends it."""
    kind = question["kind"]
    form = question["form"]
    if kind == "keep_treats":
        look = Look(view, question)
        ids = [option["id"] for option in form["options"]]
        ids.sort(key=lambda id: look.worth(_last(id)), reverse=True)
        return ids[: form["most"]]
    if kind == "return_treats":
        look = Look(view, question)
        ids = [option["id"] for option in form["options"]]
        return [id for id in ids if look.worth(_last(id)) <= 1][: form["most"]]
    if kind not in CHOICES or not isinstance(view["secrets"], list) or not view["secrets"]:
        return random_bot(view, question, below)
    return CHOICES[kind](Look(view, question), [option["id"] for option in form["options"]])

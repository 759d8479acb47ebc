"""A heuristic player: sees its seat's view and the open question, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.bots import random_bot
from games.forms import Below
from games.masked_mischief.sizing import Sizing

Chooser = Callable[[Sizing, dict[str, Any]], Any]


def bot(view: dict[str, Any], question: dict[str, Any], below: Below) -> Any:
    """The answer its rule for this kind of question prefers, or any where it has none."""
    chooser = CHOOSERS.get(question["kind"])
    if chooser:
        return chooser(Sizing(view, question["seats"][0]), question)
    return random_bot(view, question, below)


def ids(question: dict[str, Any]) -> list[str]:
    return [option["id"] for option in question["form"]["options"]]


def _best(question: dict[str, Any], worth: Callable[[list[str]], float]) -> str:
    """The option of most worth, where `worth` is given the parts of its id."""
    return max(ids(question), key=lambda id: worth(id.split(":")))


def _treat(seen: Sizing, question: dict[str, Any]) -> str:
    """The Treat that promises most, if it beats keeping it."""
    return _best(question, lambda id: seen.treat(id[2]) if id[0] == "play" else 0.0)


def _shop(seen: Sizing, question: dict[str, Any]) -> str:
    """Treats while the hand is small; a mask where the one worn earns little."""

    def worth(id: list[str]) -> float:
        if id[0] == "buy_treats":
            return float(id[1]) if len(seen.hand) + int(id[1]) < 4 else 0.0
        if id[0] == "buy_mask":
            return seen.mask(id[1]) - seen.mask(seen.my_mask) - 3
        return 0.5 if id[0] == "done" else 0.0

    return _best(question, worth)


def _direction(seen: Sizing, question: dict[str, Any]) -> str:
    about = question["about"]
    steps, back = about["steps"], about["back"]
    return _best(question, lambda id: seen.walk(seen.me, steps, id[1], back))


def _swap(seen: Sizing, question: dict[str, Any]) -> str:
    theirs = seen.view["masks"][question["about"]["other"]]
    better = seen.mask(theirs) > seen.mask(seen.my_mask)
    return "swap:yes" if better else "swap:no"


def _split(seen: Sizing, question: dict[str, Any]) -> list[int]:
    """Spread, so that no winner of a race gets it all."""
    total, parts = question["form"]["total"], len(question["form"]["parts"])
    return [total // parts + (i < total % parts) for i in range(parts)]


def _ltgb_pay(seen: Sizing, question: dict[str, Any]) -> list[int]:
    """All is kept: the others pay down to it."""
    return [0] * (len(question["form"]["parts"]) - 1) + [question["form"]["total"]]


def _cauldron(seen: Sizing, question: dict[str, Any]) -> str:
    return _best(question, lambda id: seen.view["cauldrons"][int(id[1])])


def _take_candy(seen: Sizing, question: dict[str, Any]) -> str:
    return _best(question, lambda id: seen.candy[int(id[1])])


def _lay_one(seen: Sizing, question: dict[str, Any]) -> str:
    """A Trick near the others; the Treat worth least, some steps ahead of oneself."""
    offers = [id.split(":") for id in ids(question)]
    spaces = dict.fromkeys(space for _, _, space in offers)
    codes = dict.fromkeys(code for _, code, _ in offers)
    if question["about"]["kind"] == "trick":
        return f"lay:{next(iter(codes))}:{min(spaces, key=seen.crowd)}"
    return f"lay:{min(codes, key=seen.treat)}:{min(spaces, key=seen.off)}"


def _target(seen: Sizing, question: dict[str, Any]) -> str:
    """Oneself where the walk pays, else whoever is led on the worst."""
    steps = question["about"]["steps"]
    facing = seen.view["facing"]

    def worth(id: list[str]) -> float:
        seat = int(id[1])
        sign = 1.0 if seat == seen.me else -0.5
        return sign * seen.walk(seat, steps, facing[seat], paid=seat == seen.me)

    return _best(question, worth)


def _juggle(seen: Sizing, question: dict[str, Any]) -> list[str]:
    """The best for oneself, the rest as it comes."""
    items = [item["id"].split(":") for item in question["form"]["items"]]
    order = sorted(range(len(items)), key=lambda i: -seen.treat(items[i][3]))
    mine = f"pick:{seen.me}"
    places = [place["id"] for place in question["form"]["places"]]
    left = sorted(places, key=lambda place: place != mine)
    given = dict(zip(order, left, strict=True))
    return [given[i] for i in range(len(items))]


def _assign_masks(seen: Sizing, question: dict[str, Any]) -> list[str]:
    """The best mask for oneself; who wore it gets the old one."""
    pool = [place["id"].split(":")[1] for place in question["form"]["places"]]
    best = max(pool, key=seen.mask)
    masks = [seen.my_mask if mask == best else mask for mask in seen.view["masks"]]
    masks[seen.me] = best
    return [f"mask:{mask}" for mask in masks]


def _stay(seen: Sizing, question: dict[str, Any]) -> list[str]:
    return [item["id"] for item in question["form"]["items"]]


def _buy_for(seen: Sizing, question: dict[str, Any]) -> str:
    return ids(question)[-1]


def _take_mask(seen: Sizing, question: dict[str, Any]) -> str:
    return _best(question, lambda id: seen.power(id[1]) + seen.mask(id[1]))


CHOOSERS: dict[str, Chooser] = {
    "treat_or_roll": _treat,
    "extra_treat": _treat,
    "shop": _shop,
    "direction": _direction,
    "swap_masks": _swap,
    "pay_split": _split,
    "ltgb_pay": _ltgb_pay,
    "pick_cauldron": _cauldron,
    "take_candy": _take_candy,
    "lay_one": _lay_one,
    "move_figure": _target,
    "jump_figure": _target,
    "juggle": _juggle,
    "assign_masks": _assign_masks,
    "move_tricks": _stay,
    "buy_for": _buy_for,
    "take_mask": _take_mask,
}

"""What things are worth to a player who sees a view: candy, as far as one can guess."""

from __future__ import annotations

from functools import cached_property
from typing import Any

END, PAY, DIE = 3, (4.0, 2.0, 0.0), 8
"""What the bot expects of the printed game; an edition may differ."""

WIN, LOSS = 30.0, -30.0
TRICK, TREAT = -1.5, 1.5

PLAIN_WORTH = {
    "T01": 0.8,
    "T08": 4.0,
    "T09": 0.4,
    "T10": 5.0,
    "T12": 1.0,
    "T14": 0.3,
    "T15": -1.0,
    "T16": 0.1,
    "T17": 0.3,
    "T18": 0.4,
    "T19": -0.2,
}


class Sizing:
    """A view, sized up for one seat."""

    def __init__(self, view: dict[str, Any], me: int) -> None:
        self.view = view
        self.me = me
        self.candy: list[int] = view["candy"]
        self.loop = [row[0] for row in view["spaces"] if row[1][:4] in ("plai", "skul", "hous")]
        self.kinds = {row[0]: row[1] for row in view["spaces"]}

    @cached_property
    def others(self) -> list[int]:
        return [seat for seat in range(len(self.candy)) if seat != self.me]

    @property
    def hand(self) -> list[dict[str, Any]]:
        held: list[dict[str, Any]] = self.view["hands"][self.me]
        return held

    @property
    def my_mask(self) -> str:
        mask: str = self.view["masks"][self.me]
        return mask

    @cached_property
    def leads(self) -> bool:
        return all(self.candy[self.me] > self.candy[other] for other in self.others)

    @cached_property
    def index(self) -> dict[str, int]:
        return {space: i for i, space in enumerate(self.loop)}

    def off(self, space: str) -> float:
        """How far a space is from where the next roll or two may lead the seat."""
        here = self.view["at"][self.me]
        if space not in self.index or here not in self.index:
            return float(len(self.loop))
        steps = (self.index[space] - self.index[here]) % len(self.loop)
        if self.view["facing"][self.me] == "ccw":
            steps = len(self.loop) - steps
        return abs(steps - 5.0)

    def crowd(self, space: str) -> float:
        """How far, on the average, a space of the loop is from the others; arms are farther."""
        if space not in self.index:
            return float(len(self.loop))
        n, far = len(self.loop), 0
        for other in self.others:
            at = self.view["at"][other]
            steps = (self.index[space] - self.index.get(at, 0)) % n
            far += min(steps, n - steps)
        return far / len(self.others)

    def mask(self, mask: str) -> float:
        """The candy a mask may still earn in the Houses."""
        houses = [kind[6:] for kind in self.kinds.values() if kind.startswith("house:")]
        return sum(PAY[self._visits(mask, house)] for house in houses) / len(houses)

    def _visits(self, mask: str, house: str) -> int:
        return min(int(self.view["visits"].get(f"{mask}@{house}", 0)), END - 1)

    def power(self, mask: str) -> float:
        hands = sum(bool(self.view["hands"][other]) for other in self.others)
        tiles = self.view["tiles"].values()
        laid = sum(tile["kind"] == "treat" for tile in tiles)
        taken = sum(min(laid // 2, self.candy[other]) for other in self.others)
        worth: dict[str, float] = {
            "chuckles": 3.0 if hands else 1.0,
            "esmerelda": 1.5 + 2.0 * hands,
            "clyde": 1.0 + taken,
            "moonmoon": 3.0,
            "dullahan": 3.0,
        }
        return worth.get(mask, 0.0)

    def treat(self, code: str) -> float:
        """What playing a Treat now is worth, less what it keeps for later."""
        if code in PLAIN_WORTH:
            return PLAIN_WORTH[code]
        if code == "T11":
            return float(sum(self.candy[other] > 0 for other in self.others))
        if code == "T13":
            return float(min(4, max(self.candy[other] for other in self.others)))
        if code == "T21":
            return 1.5 * sum(bool(self.view["hands"][other]) for other in self.others)
        if code == "T22":
            return self.power(self.my_mask)
        if code == "T20":
            return float(max(self.view["cauldrons"])) / 4 - 0.5
        return self._walking(code)

    def _walking(self, code: str) -> float:
        """T02 to T07: against what the roll promises, where they stand in for it."""
        steps = {"T02": 1, "T03": 2, "T04": 3, "T05": 4, "T06": 5, "T07": 6}[code]
        facing = self.view["facing"][self.me]
        if code in ("T02", "T03"):
            return self.walk(self.me, steps, facing, paid=False) / 2
        return self.walk(self.me, steps, facing) - self._roll(facing) - 0.5

    def _roll(self, facing: str) -> float:
        return sum(self.walk(self.me, die, facing) for die in range(1, DIE + 1)) / DIE

    def walk(
        self, seat: int, steps: int, facing: str, back: bool = False, paid: bool = True
    ) -> float:
        """What lies at the end of a walk round the loop; the better way where it is free."""
        if facing == "free":
            return max(self.walk(seat, steps, way, back, paid) for way in ("cw", "ccw"))
        here = self.view["at"][seat]
        if here not in self.index or facing not in ("cw", "ccw"):
            return 0.0
        step = 1 if (facing == "cw") is not back else -1
        i = self.index[here]
        for _ in range(min(steps, len(self.loop))):
            i = (i + step) % len(self.loop)
            if self.kinds[self.loop[i]].startswith("house:"):
                break
        return self._space(seat, self.loop[i], paid)

    def _space(self, seat: int, space: str, paid: bool) -> float:
        kind = self.kinds[space]
        if kind.startswith("house:"):
            return self._house(seat, kind[6:], paid)
        tile = self.view["tiles"].get(space)
        if tile is None:
            return 0.0
        if tile["kind"] == "treat":
            return TREAT
        return 0.0 if tile["by"] == seat else TRICK

    def _house(self, seat: int, house: str, paid: bool) -> float:
        visits = self._visits(self.view["masks"][seat], house)
        if visits + 1 == END and (paid or seat != self.me):
            return WIN if self.leads == (seat == self.me) else LOSS
        return PAY[visits] if paid else 0.0

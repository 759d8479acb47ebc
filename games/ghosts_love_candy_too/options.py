"""What players can answer. Names and fields are stored with the answers."""

from __future__ import annotations

from games.forms import Option
from games.ghosts_love_candy_too.sheet import named
from games.ghosts_love_candy_too.state import BAR, JUNK
from games.sight import Seat

TREATS = {
    "CORN": "Candy Corn",
    "CHOC": "Chocolate",
    "GUMMY": "Gummies",
    "LICO": "Licorice",
    "LOLLY": "Lollipops",
    "MINT": "Peppermint",
    BAR: "Full-Size Bar",
    JUNK: "Junk",
}


class Treat(Option, frozen=True):
    """One treat of this kind."""

    token: str

    def label(self) -> str:
        return TREATS[self.token]

    def refs(self) -> tuple[str, ...]:
        return (f"treat:{self.token}",)


class Play(Option, frozen=True):
    """The ghost of each own set to play this round (one set, or two with two players)."""

    values: tuple[int, ...]

    def label(self) -> str:
        return "Ghost " + " and ghost ".join(map(str, self.values))

    def refs(self) -> tuple[str, ...]:
        return tuple([f"ghost:{value}" for value in self.values])


class First(Option, frozen=True):
    """The own ghost of this set goes first: 0 the first set, 1 the second."""

    set: int

    def label(self) -> str:
        return f"The ghost of the {('first', 'second')[self.set]} set"


class Kid(Option, frozen=True):
    """The kid in this slot of the row."""

    slot: int
    kid: str

    def label(self) -> str:
        return f"{named(self.kid).name} (place {self.slot + 1})"

    def refs(self) -> tuple[str, ...]:
        return (f"kid:{named(self.kid).number}", f"slot:{self.slot}")


class StashKid(Option, frozen=True):
    """The scared kid in this seat's stash."""

    seat: Seat
    kid: str

    def label(self) -> str:
        return f"{named(self.kid).name} (stash of seat {self.seat})"

    def refs(self) -> tuple[str, ...]:
        return (f"kid:{named(self.kid).number}", f"seat:{self.seat}")


class Player(Option, frozen=True):
    seat: Seat

    def label(self) -> str:
        return f"Seat {self.seat}"

    def refs(self) -> tuple[str, ...]:
        return (f"seat:{self.seat}",)


class PileGhost(Option, frozen=True):
    """The ghost at this position of the pile in this slot, 0 at the bottom."""

    slot: int
    position: int
    seat: Seat
    value: int

    def label(self) -> str:
        return f"Ghost {self.value} of seat {self.seat}, {self.position + 1} from the bottom"

    def refs(self) -> tuple[str, ...]:
        return (f"ghost:{self.value}", f"seat:{self.seat}", f"slot:{self.slot}")


class HandGhost(Option, frozen=True):
    """A ghost of the own hand."""

    value: int

    def label(self) -> str:
        return f"Ghost {self.value}"

    def refs(self) -> tuple[str, ...]:
        return (f"ghost:{self.value}",)


class Place(Option, frozen=True):
    """A place in a pile, 0 at the bottom."""

    position: int

    def label(self) -> str:
        return f"{self.position + 1} from the bottom"


class End(Option, frozen=True):
    """An end of the row."""

    slot: int

    def label(self) -> str:
        return "The right end" if self.slot else "The left end"

    def refs(self) -> tuple[str, ...]:
        return (f"slot:{self.slot}",)


class Use(Option, frozen=True):
    """Whether to use an ability that may be used."""

    yes: bool

    def label(self) -> str:
        return "Yes" if self.yes else "No"


Options = Treat | Play | First | Kid | StashKid | Player | PileGhost | HandGhost | Place | End | Use

"""What a player can answer, beside numbers and lists of these."""

from __future__ import annotations

from games.forms import Option
from games.masked_mischief.printed import MASKS, TILES, TREATS, TRICKS
from games.masked_mischief.words import Facing, Space
from games.sight import Seat


def tile_ref(code: str) -> str:
    """What a client looks a tile up by in the catalogue."""
    return f"{'trick' if code in TRICKS else 'treat'}:{code}"


WAYS = {"cw": "Clockwise", "ccw": "Counter-clockwise"}


class Character(Option, frozen=True):
    """Who to be, and where that one lives."""

    name: str
    home: Space

    def label(self) -> str:
        return f"{self.name}, who lives at {self.home}"

    def refs(self) -> tuple[str, ...]:
        return (f"space:{self.home}",)


class Mask(Option, frozen=True):
    """A mask to choose or to exchange for."""

    mask: str

    def label(self) -> str:
        return MASKS[self.mask].name

    def refs(self) -> tuple[str, ...]:
        return (f"mask:{self.mask}",)


class Lay(Option, frozen=True):
    """One of the tiles drawn, on one of the blank spaces."""

    code: str
    space: Space

    def label(self) -> str:
        return f"{TILES[self.code].name} on {self.space}"

    def refs(self) -> tuple[str, ...]:
        return (tile_ref(self.code), f"space:{self.space}")


class TileFace(Option, frozen=True):
    """A tile to draw or to lay, by its face."""

    code: str

    def label(self) -> str:
        return TILES[self.code].name

    def refs(self) -> tuple[str, ...]:
        return (tile_ref(self.code),)


class HandTile(Option, frozen=True):
    """A Treat in somebody's hand."""

    seat: Seat
    slot: int
    code: str

    def label(self) -> str:
        return f"{TREATS[self.code].name}, from seat {self.seat}"

    def refs(self) -> tuple[str, ...]:
        return (tile_ref(self.code), f"seat:{self.seat}")


class Go(Option, frozen=True):
    """A space."""

    space: Space

    def label(self) -> str:
        return f"Space {self.space}"

    def refs(self) -> tuple[str, ...]:
        return (f"space:{self.space}",)


class Back(Option, frozen=True):
    """Not on the board: back into the bag, or into the hand."""

    def label(self) -> str:
        return "Not laid"


class Pick(Option, frozen=True):
    """A player."""

    seat: Seat

    def label(self) -> str:
        return f"Seat {self.seat}"

    def refs(self) -> tuple[str, ...]:
        return (f"seat:{self.seat}",)


class Play(Option, frozen=True):
    """A Treat from the hand, by its place there."""

    slot: int
    code: str

    def label(self) -> str:
        return f"Play {TREATS[self.code].name}"

    def refs(self) -> tuple[str, ...]:
        return (tile_ref(self.code),)


class Roll(Option, frozen=True):
    """The die."""

    def label(self) -> str:
        return "Roll the die"


class End(Option, frozen=True):
    """In place of a roll that a tile stood in for."""

    def label(self) -> str:
        return "End the turn: a tile stood in for this roll"


class Stop(Option, frozen=True):
    """Of the Treats that a power allows."""

    def label(self) -> str:
        return "Play no more Treats"


class Face(Option, frozen=True):
    """A way round the loop."""

    way: Facing

    def label(self) -> str:
        return WAYS[self.way]


class Swap(Option, frozen=True):
    """Masks, or not."""

    yes: bool

    def label(self) -> str:
        return "Swap masks" if self.yes else "Leave the masks as they are"


class BuyTricks(Option, frozen=True):
    """So many Tricks."""

    count: int

    def label(self) -> str:
        return f"Buy {self.count} Trick{'s' * (self.count > 1)}"


class BuyTreats(Option, frozen=True):
    """So many Treats, perhaps none."""

    count: int

    def label(self) -> str:
        return f"Buy {self.count} Treat{'s' * (self.count != 1)}"


class BuyMask(Option, frozen=True):
    """An unworn mask for the one worn."""

    mask: str

    def label(self) -> str:
        return f"Exchange the mask for {MASKS[self.mask].name}"

    def refs(self) -> tuple[str, ...]:
        return (f"mask:{self.mask}",)


class Done(Option, frozen=True):
    """With buying."""

    def label(self) -> str:
        return "Buy nothing more"


class Cauldron(Option, frozen=True):
    """One of those round the Haunted House."""

    number: int

    def label(self) -> str:
        return f"Cauldron {self.number}"

    def refs(self) -> tuple[str, ...]:
        return (f"cauldron:{self.number}",)


class Keep(Option, frozen=True):
    """What is not paid."""

    def label(self) -> str:
        return "Keep in the bowl"

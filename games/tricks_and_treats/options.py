"""What a player can answer."""

from __future__ import annotations

from typing import Literal

from games.forms import Option
from games.sight import Seat
from games.tricks_and_treats.cards import NAME

Side = Literal["left", "right"]


class Give(Option, frozen=True):
    card: str

    def label(self) -> str:
        return f"Give {NAME[self.card]}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.card}",)


class Draw(Option, frozen=True):
    def label(self) -> str:
        return "Draw a Candy card"


class Put(Option, frozen=True):
    card: str
    basket: str

    def label(self) -> str:
        return f"Put {NAME[self.card]} under {NAME[self.basket]}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.card}", f"basket:{self.basket}")


class End(Option, frozen=True):
    def label(self) -> str:
        return "End the turn"


class Tattle(Option, frozen=True):
    target: Seat
    letter: str

    def label(self) -> str:
        return f"Accuse seat {self.target} of owning Basket {self.letter}"

    def refs(self) -> tuple[str, ...]:
        return (f"seat:{self.target}", f"basket:{self.letter}")


class Guess(Option, frozen=True):
    target: Seat

    def label(self) -> str:
        return f"Write a guess at seat {self.target}"

    def refs(self) -> tuple[str, ...]:
        return (f"seat:{self.target}",)


class Write(Option, frozen=True):
    letter: str

    def label(self) -> str:
        return f"Write {self.letter}"

    def refs(self) -> tuple[str, ...]:
        return (f"basket:{self.letter}",)


class Swap(Option, frozen=True):
    side: Side

    def label(self) -> str:
        return f"Swap with the Basket to the {self.side}"


class Jump(Option, frozen=True):
    side: Side

    def label(self) -> str:
        return f"Jump two places to the {self.side}"


class Move(Option, frozen=True):
    source: str
    to: str

    def label(self) -> str:
        return f"Move the last card from {NAME[self.source]} to {NAME[self.to]}"

    def refs(self) -> tuple[str, ...]:
        return (f"basket:{self.source}", f"basket:{self.to}")


class Trade(Option, frozen=True):
    card: str
    basket: str

    def label(self) -> str:
        return f"Trade {NAME[self.card]} for the last card under {NAME[self.basket]}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.card}", f"basket:{self.basket}")


class Decline(Option, frozen=True):
    def label(self) -> str:
        return "Leave things as they are"

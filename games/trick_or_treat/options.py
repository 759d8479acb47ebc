"""What a player can answer."""

from __future__ import annotations

from games import forms
from games.sight import Seat
from games.trick_or_treat.tables import (
    BRAVE,
    CARD_NAMES,
    CHANGE_COSTUME,
    EGGING_HOUSES,
    FACE_NAMES,
    MOVE_BULLY,
    PLACE_NAMES,
    SETS,
    SNEAK,
    cards_in_words,
    in_words,
)


class Pick(forms.Option, frozen=True):
    face: str

    def label(self) -> str:
        return f"Play the {FACE_NAMES[self.face]}"

    def refs(self) -> tuple[str, ...]:
        return (f"kid:{self.face}",)


class Go(forms.Option, frozen=True):
    to: str

    def label(self) -> str:
        return f"Go to {PLACE_NAMES[self.to]}"

    def refs(self) -> tuple[str, ...]:
        return (f"place:{self.to}",)


class Sneak(forms.Option, frozen=True):
    to: str

    def label(self) -> str:
        return f"Sneak to {PLACE_NAMES[self.to]}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{SNEAK}", f"place:{self.to}")


class Stay(forms.Option, frozen=True):
    def label(self) -> str:
        return "Stay here: play Change Costume"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{CHANGE_COSTUME}",)


class Send(forms.Option, frozen=True):
    """The Bully goes there by the Alley; `spare`: victims that lose no card (Q15)."""

    to: str
    spare: tuple[Seat, ...] = ()

    def label(self) -> str:
        return f"Send the Bully to {PLACE_NAMES[self.to]}{_sparing(self.spare)}"

    def refs(self) -> tuple[str, ...]:
        return (f"place:{self.to}", *(f"seat:{seat}" for seat in self.spare))


class Bully(forms.Option, frozen=True):
    """The Bully goes there by the Trick; `spare` as in `Send`."""

    to: str
    spare: tuple[Seat, ...] = ()

    def label(self) -> str:
        return f"Play Move Bully: to {PLACE_NAMES[self.to]}{_sparing(self.spare)}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{MOVE_BULLY}", f"place:{self.to}", *(f"seat:{s}" for s in self.spare))


class Proceed(forms.Option, frozen=True):
    def label(self) -> str:
        return "Do what the Location says"


class Take(forms.Option, frozen=True):
    slot: int
    card: str

    def label(self) -> str:
        return f"Take {CARD_NAMES[self.card]}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.card}", f"slot:{self.slot}")


class Swap(forms.Option, frozen=True):
    discard: str
    slot: int
    card: str

    def label(self) -> str:
        return f"Discard {CARD_NAMES[self.discard]} and take {CARD_NAMES[self.card]}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.discard}", f"card:{self.card}", f"slot:{self.slot}")


class Stop(forms.Option, frozen=True):
    def label(self) -> str:
        return "Take no second card"


class Scare(forms.Option, frozen=True):
    def label(self) -> str:
        return "Scare the others: discard Tricks"


class Calm(forms.Option, frozen=True):
    def label(self) -> str:
        return "Calm down: discard Treats"


class Brave(forms.Option, frozen=True):
    def label(self) -> str:
        return "Be brave: discard Brave"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{BRAVE}",)


class Discard(forms.Option, frozen=True):
    """One card of several."""

    card: str

    def label(self) -> str:
        return CARD_NAMES[self.card]

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.card}",)


class Claim(forms.Option, frozen=True):
    set: str

    def label(self) -> str:
        return f"Claim {SETS[self.set].name} for {SETS[self.set].points} points"

    def refs(self) -> tuple[str, ...]:
        return (f"set:{self.set}",)


class Give(forms.Option, frozen=True):
    """What goes into one part of a Set: Treats, and Egging Houses by the Treats they stand for."""

    cards: tuple[str, ...]
    eggs: tuple[str, ...] = ()

    def label(self) -> str:
        eggs = [f"{CARD_NAMES[EGGING_HOUSES]} as {CARD_NAMES[card]}" for card in self.eggs]
        return f"Turn in {in_words([*filter(None, [cards_in_words(self.cards)]), *eggs])}"

    def refs(self) -> tuple[str, ...]:
        cards = (*self.cards, *((EGGING_HOUSES,) if self.eggs else ()), *self.eggs)
        return tuple([f"card:{card}" for card in dict.fromkeys(cards)])


class Pass(forms.Option, frozen=True):
    def label(self) -> str:
        return "Do nothing here"


class End(forms.Option, frozen=True):
    def label(self) -> str:
        return "End the turn"


def _sparing(seats: tuple[Seat, ...]) -> str:
    names = in_words([f"seat {seat}" for seat in seats])
    return f", sparing {names}" if names else ""

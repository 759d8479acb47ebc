"""What a player can answer."""

from __future__ import annotations

from games.forms import Option
from games.trickn_treat.state import Place
from games.trickn_treat.tables import card_name, card_names, token_name


class TakeToken(Option, frozen=True):
    token: str

    def label(self) -> str:
        return f"Take {token_name(self.token)}"

    def refs(self) -> tuple[str, ...]:
        return (f"token:{self.token}",)


class Play(Option, frozen=True):
    card: str

    def label(self) -> str:
        return f"Play {card_name(self.card)}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.card}",)


class Swap(Option, frozen=True):
    put: str
    take: str

    def label(self) -> str:
        return f"Put {card_name(self.put)} on the table and take {card_name(self.take)}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.put}", f"card:{self.take}")


class Stop(Option, frozen=True):
    def label(self) -> str:
        return "Swap no more"


class Take(Option, frozen=True):
    card: str

    def label(self) -> str:
        return f"Take {card_name(self.card)} from the pile"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.card}",)


class Leave(Option, frozen=True):
    def label(self) -> str:
        return "Take no card"


class Target(Option, frozen=True):
    place: Place

    def label(self) -> str:
        whom = f"seat {self.place}" if isinstance(self.place, int) else "the Dummy"
        return f"Exchange a card with {whom}"

    def refs(self) -> tuple[str, ...]:
        return (f"seat:{self.place}",)


class Give(Option, frozen=True):
    card: str

    def label(self) -> str:
        return f"Give {card_name(self.card)}"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.card}",)


class Trade(Option, frozen=True):
    give: str
    take: str

    def label(self) -> str:
        return f"Give {card_name(self.give)} for {card_name(self.take)} of the Dummy"

    def refs(self) -> tuple[str, ...]:
        return (f"card:{self.give}", f"card:{self.take}")


class Score(Option, frozen=True):
    cards: tuple[str, ...]

    def label(self) -> str:
        return f"Score {card_names(self.cards)}"

    def refs(self) -> tuple[str, ...]:
        return tuple([f"card:{card}" for card in self.cards])

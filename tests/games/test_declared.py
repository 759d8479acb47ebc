"""What a field may not declare: what a page of the log could not keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

import msgspec
import pytest

from games.catalog import GAMES
from games.declared import check
from games.history import Codec, Commit
from games.rules import Asked, Chosen, Event, Question, State, Together
from games.sight import Fact, Seat, Seen, each_own, everyone, field_types, nobody, secret, seen_by

Card = Annotated[str, secret]
T = TypeVar("T")


class Drawn(Fact, frozen=True):
    seat: Seat
    card: Annotated[Card, seen_by("seat")]


class Hidden(Fact, frozen=True):
    veil = seen_by("seat")
    seat: Seat


class Shown(Fact, frozen=True):
    seat: Seat
    card: Annotated[Card, everyone(of="seat")]


class Around(Fact, frozen=True):
    """Nothing of its own is hidden, but what it holds keeps something back."""

    drawn: tuple[Drawn, ...]


class ForOne(Fact, frozen=True):
    seat: Seat
    drawn: Annotated[Drawn, seen_by("seat")]


class Deep(Fact, frozen=True):
    seat: Seat
    drawn: Annotated[dict[str, Around | None], seen_by("seat")]


class EachOwn(Fact, frozen=True):
    drawn: Annotated[tuple[Drawn, ...], each_own()]


class ForNobody(Fact, frozen=True):
    kept: Annotated[tuple[Hidden, ...], nobody()]


class Veiled(Fact, frozen=True):
    veil = seen_by("seat")
    seat: Seat
    card: Annotated[Card, nobody()]


class VeiledAround(Fact, frozen=True):
    veil = seen_by("seat")
    seat: Seat
    drawn: Drawn


class Loose(Fact, frozen=True):
    seat: Seat
    what: Annotated[Any, seen_by("seat")]


class Generously(Fact, Generic[T], frozen=True):
    seat: Seat
    what: Annotated[tuple[T, ...], seen_by("seat")]


class Nameless(Fact, frozen=True):
    card: Annotated[Card, seen_by("seat")]


class Whose(Fact, frozen=True):
    card: Annotated[Card, everyone(of="holder")]


class Blind(Fact, frozen=True):
    seat: Annotated[Seat, nobody()]
    card: Annotated[Card, seen_by("seat")]


class BlindVeil(Fact, frozen=True):
    veil: ClassVar[Seen] = seen_by("who")
    seat: Seat


class Undeclared(Fact, frozen=True):
    cards: tuple[Card, ...]


class Holding(Fact, frozen=True):
    """The field that says nothing lies in a fact inside a fact."""

    inside: tuple[dict[str, Undeclared], ...]


class Row(NamedTuple):
    card: Card


class Struct(msgspec.Struct, frozen=True):
    card: Card


@dataclass(frozen=True)
class Data:
    card: Card


class InRow(Fact, frozen=True):
    rows: tuple[Row, ...]


class InStruct(Fact, frozen=True):
    struct: Struct | None


class InData(Fact, frozen=True):
    data: dict[str, Data]


class InList(Fact, frozen=True):
    cards: list[Drawn]


class Pick(Together[State, Drawn], frozen=True):
    """Each seat's own choice holds what another seat may see of it alone."""


MISTAKES: list[tuple[Any, str]] = [
    (ForOne, r"ForOne\.drawn: .* Drawn\.card too"),
    (Deep, r"Deep\.drawn: .* Drawn\.card too"),
    (EachOwn, r"EachOwn\.drawn: .* Drawn\.card too"),
    (ForNobody, r"ForNobody\.kept: .* Hidden too"),
    (Veiled, r"Veiled\.card: who sees the fact"),
    (VeiledAround, r"VeiledAround\.drawn: .* Drawn\.card too"),
    (Loose, r"Loose\.what: say what it holds"),
    (Generously, r"Generously\.what: say what it holds"),
    (Generously[Drawn], r"Generously\.what: .* Drawn\.card too"),
    (Asked[State, Generously[Around]], r"Generously\.what: .* Drawn\.card too"),
    (Chosen[State, Drawn], r"Chosen\.option: .* Drawn\.card too"),
    (Pick, r"Pick\.chosen: .* Drawn\.card too"),
    (Nameless, r"Nameless\.card: there is no field seat"),
    (Whose, r"Whose\.card: there is no field holder"),
    (Blind, r"Blind\.card: not everybody sees seat"),
    (BlindVeil, r"BlindVeil\.veil: there is no field who"),
    (Holding, r"Undeclared\.cards: say who sees it"),
    (InRow, "facts hold"),
    (InStruct, "facts hold"),
    (InData, "facts hold"),
    (InList, "facts hold"),
]


@pytest.mark.parametrize(("fact", "why"), MISTAKES, ids=lambda x: getattr(x, "__name__", ""))
def test_what_a_page_could_not_keep_makes_no_codec(fact: Any, why: str) -> None:
    for union in (fact | Shown, Shown | Asked[State, fact]):
        with pytest.raises(TypeError, match=why):
            Codec(union)


class Twice(Fact, frozen=True):
    """The same seats see the veiled fact and the card in it."""

    veil = seen_by("seat")
    seat: Seat
    card: Annotated[Card, seen_by("seat", "other")]
    other: Seat


class Inside(Fact, frozen=True):
    seat: Seat
    shown: Annotated[tuple[Shown, ...], seen_by("seat")]
    around: Annotated[Around, everyone()]
    side: Annotated[Literal["left", "right"], seen_by("seat")]


class PickShown(Together[State, Shown], frozen=True):
    """What is chosen keeps nothing back."""


@pytest.mark.parametrize("fact", [Drawn, Hidden, Shown, Around, Twice, Inside, PickShown])
def test_what_can_be_kept(fact: Any) -> None:
    check(Commit[fact])
    check(Asked[State, fact] | Shown)


class Guess(Question[State, Shown], frozen=True):
    """A question of one seat."""


class Told(Event[State], Generic[T], frozen=True):
    what: dict[str, T]


class ToldMore(Told[tuple[T, ...]], Generic[T], frozen=True):
    more: T


def test_the_types_of_fields_are_filled_in_from_the_bases() -> None:
    assert field_types(PickShown) == {"seats": tuple[Seat, ...], "chosen": dict[Seat, Shown]}
    assert field_types(ToldMore[Shown]) == {"what": dict[str, tuple[Shown, ...]], "more": Shown}
    assert field_types(Guess) == {"seat": Seat}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_games_declare_what_can_be_kept(game: Any) -> None:
    check(game.codec.commit)
    check(game.state)
    check(game.pending)

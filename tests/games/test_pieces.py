"""Views in pieces: the same bytes as the view, and of what is kept only so much."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest

from games.forms import Number, OneOf, Option, Subset
from games.pieces import Kept, fact_piece, form_piece, new_pieces, pieces
from games.sight import Fact, Seat, cut, each_own, everyone, nobody, secret, seen_by
from tests.games.test_every_game import FIRST, every_game
from tests.play import Match, random_match

Card = Annotated[str, secret]
encode = msgspec.json.encode


class Shown(Fact, frozen=True):
    name: str


class Held(Fact, frozen=True, tag=False):
    owner: Seat
    card: Annotated[Card, seen_by("owner")]


class Board(Fact, frozen=True, kw_only=True):
    owner: Seat = 0
    open: tuple[Shown, ...] = ()
    held: tuple[Held, ...] = ()
    deck: Annotated[tuple[Card, ...], nobody(counted=True)] = ()
    hands: Annotated[tuple[tuple[Card, ...], ...], each_own(counted=True)] = ()
    letters: Annotated[dict[Seat, Card], each_own("owner")] = {}
    safe: Annotated[tuple[Card, ...], seen_by("owner")] = ()
    out: Annotated[tuple[Card, ...], everyone()] = ()


BOARD = Board(
    open=(Shown("a"), Shown("b")),
    held=(Held(0, "G1"), Held(1, "G2")),
    deck=("B1", "B2"),
    hands=(("B3",), ("B4", "B5")),
    letters={0: "x", 1: "y"},
    safe=("S1",),
    out=("O1",),
)
"""A fact of everything that can be declared."""


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator", "auditor"])
def test_pieces_are_what_cut_gives(viewer: Any) -> None:
    boards = [
        Board(),
        BOARD,
        msgspec.structs.replace(BOARD, owner=1),
        msgspec.structs.replace(BOARD, hands=BOARD.hands[::-1]),
    ]
    for board in boards * 2:
        assert encode(pieces(board, viewer)) == encode(cut(board, viewer))
        assert encode(fact_piece(board, viewer, frozenset())) == encode(cut(board, viewer))


def test_what_stands_apart_is_left_out() -> None:
    without = frozenset({"type", "hands", "open"})
    seen = cut(BOARD, 1)
    assert encode(pieces(BOARD, 1, without)) == encode(
        {name: value for name, value in seen.items() if name not in without}
    )


@every_game
def test_a_view_in_pieces_is_the_view(game: Any) -> None:
    """To the byte, for all eyes, after every commit of a match and at its end."""
    match: Match = random_match(game, FIRST, limit=60)
    for table in (*match.past, match.table):
        for viewer in (*match.viewers, "auditor"):
            assert encode(table.pieces(viewer)) == encode(table.view(viewer))


class Gone(Fact, frozen=True):
    """Hidden as a whole from all but its owner."""

    veil = seen_by("owner")

    owner: Seat


class Wrapped(Fact, frozen=True):
    what: Shown | Counted | None = None


class Counted(Fact, frozen=True):
    """No cache can look it up."""

    by: dict[str, int]


@pytest.mark.parametrize("viewer", [0, 1, "spectator", "auditor"])
def test_new_pieces_are_what_cut_gives(viewer: Any) -> None:
    facts = (BOARD, BOARD.held[0], Gone(0), Wrapped(), Wrapped(Shown("a")), Wrapped(Counted({})))
    for _ in range(2):
        assert encode(new_pieces(facts, viewer)) == encode([cut(fact, viewer) for fact in facts])


@every_game
def test_events_in_pieces_are_the_events(game: Any) -> None:
    """To the byte, for all eyes, of every commit of a match."""
    match: Match = random_match(game, FIRST)
    for commit in match.commits:
        for viewer in (*match.viewers, "auditor"):
            seen = encode([cut(event, viewer) for event in commit.events])
            assert encode(new_pieces(commit.events, viewer)) == seen


class Pick(Option, frozen=True):
    card: str

    def label(self) -> str:
        return self.card


def test_a_form_in_pieces_is_its_page() -> None:
    picks = (Pick("a"), Pick("b"))
    forms: list[Any] = [
        OneOf(picks),
        Subset(picks, 0, 2),
        Subset((1, 2), 1, 1),
        OneOf((1, 0)),
        OneOf((True, False)),
        Number(1, 3),
    ]
    for form in forms * 2:
        assert encode(form_piece(form)) == encode(form.page())


def test_what_was_made_is_kept_for_a_while() -> None:
    """Two generations: what is asked for stays, the rest goes."""
    kept, made = Kept(2), []
    things = [object() for _ in range(9)]

    def get(number: int) -> int:
        thing = things[number]

        def make() -> int:
            made.append(number)
            return number

        return int(kept.get(thing, id(thing), make))

    for number in range(1, 9):
        assert (get(0), get(number)) == (0, number)
        assert len(kept) <= 4
    assert made == list(range(9)), "what was asked for all the time was made again"
    assert (get(1), made[-1]) == (1, 1), "what was forgotten was not made again"

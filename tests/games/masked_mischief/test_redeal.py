"""What a viewer knows of tiles that it can't see any more, and a fork for its eyes keeps."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from games.masked_mischief import tiles
from games.masked_mischief.redeal import BAG, watch
from games.masked_mischief.state import Held
from games.memory import Memory

ME, A, B = 0, 1, 2


class Table:
    """Memory of seat 0 and as much of a state as is looked at."""

    def __init__(self, pick: int = 0) -> None:
        self.memory = Memory(ME, lambda count: pick % count)
        mine = (Held((ME,), "T01"), Held((ME,), "T05"))
        seen = (Held((ME, A), "T02"), Held((A,), "T03"))
        self.state: Any = SimpleNamespace(
            seats=3, hands=(mine, seen, ()), placing=((), ("T02", "T03"), ())
        )

    def see(self, event: Any) -> tuple[str, ...]:
        watch(self.memory, self.state, event)
        return self.known("S1")

    def known(self, place: Any) -> tuple[str, ...]:
        return self.memory.known(place)


def test_a_trick_that_was_flipped_and_taken_back_lies_where_it_lay() -> None:
    table = Table()
    then = table.memory.copy()
    table.see(tiles.TrickFlipped("S1", A, ME, "K01"))
    back = table.memory.back(then)
    assert back.known("S1") == ("K01",)
    table.memory = back
    assert table.see(tiles.TricksMoved(A, (("S1", "S2"),))) == ()
    assert table.known("S2") == ("K01",)
    table.see(tiles.TrickCleared("S2", A, "cleared", "K01"))
    assert table.known("S2") == ()


def test_in_the_set_up_nothing_is_seen() -> None:
    table = Table()
    watch(table.memory, None, tiles.TrickFlipped("S1", A, ME, "K01"))
    assert table.memory.back(Memory(ME, lambda n: 0)).known("S1") == ()


@pytest.mark.parametrize(("pick", "known"), [(0, ("T02",)), (1, ())])
def test_a_known_treat_that_is_laid_lies_on_one_of_the_spaces(
    pick: int, known: tuple[str, ...]
) -> None:
    table = Table(pick)
    table.see(tiles.HandLifted(A))
    assert table.known(("placing", A)) == ("T02",)
    assert table.see(tiles.TilesLaid(A, "treat", ("S1",), ("T02",))) == known
    other = tiles.TilesLaid(B, "trick", ("S1",), ("K02",))
    assert table.see(other) == (), "what lies there now is another"


def test_a_known_treat_is_kept_or_put_back() -> None:
    table = Table()
    table.see(tiles.HandLifted(A))
    table.see(tiles.TreatsKept(A, ("T02",)))
    assert (table.known(A), table.known(("placing", A))) == (("T02",), ())
    table = Table()
    table.see(tiles.HandLifted(A))
    table.see(tiles.TreatsPutBack(A, ("T02", "T03")))
    assert (table.known(BAG), table.known(("placing", A))) == ((), ())


def test_a_known_treat_is_taken_from_the_board() -> None:
    table = Table()
    table.memory.came("S1", "T02")
    assert table.see(tiles.TreatTaken(B, "S1", A, "T02")) == ()
    assert table.known(B) == ("T02",)
    table.memory.came("S1", "T04")
    assert table.see(tiles.TreatTaken(ME, "S1", A, "T04")) == ()
    assert table.known(ME) == (), "it is known by its place in the hand"


def test_a_treat_is_stolen_or_played() -> None:
    table = Table()
    table.memory.came(A, "T03")
    table.see(tiles.TreatStolen(B, A, 1, (A, B), "T03"))
    assert (table.known(A), table.known(B)) == ((), ("T03",))
    table.memory.came(A, "T03")
    table.see(tiles.TreatStolen(ME, A, 1, (ME, A), "T03"))
    assert table.known(A) == ()
    table.memory.came(A, "T03")
    table.see(tiles.TreatPlayed(A, 1, "T03"))
    table.see(tiles.TreatPlayed(A, 0, "T02"))
    assert table.known(A) == ()
    table.see(tiles.TreatStolen(B, A, 0, (A, B), "T02"))
    assert table.known(B) == ("T03",), "its place was known"


def test_hands_that_are_shown_held_it_before() -> None:
    table = Table()
    then = table.memory.copy()
    table.see(tiles.HandsShown(B, (("T01", "T05"), ("T02", "T03"), ())))
    assert table.memory.back(then).known(A) == (), "another has seen it"
    table.see(tiles.HandsShown(ME, (("T01", "T05"), ("T02", "T03"), ())))
    assert table.known(A) == (), "it is known by its place in the hand"
    assert table.memory.back(then).known(A) == ("T03",)


def test_rearranged_hands_hold_what_they_held() -> None:
    """Mine are T01 and T05; of A's I know T02. One of mine has gone to A, T02 has come to me."""
    table = Table()
    table.see(tiles.HandsRearranged(A, (("T01", "T02"), ("T05",), ("T03",))))
    assert [*table.known(A), *table.known(B)] == ["T05"]
    table = Table()
    table.memory.viewer = "spectator"
    table.memory.came(A, "T02")
    table.see(tiles.HandsRearranged(A, ((), (), ())))
    assert table.known(A) == ()

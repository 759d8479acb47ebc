"""What every store promises of read models: gated cells, listings, dead letters."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from events.store import MARK, Cell, Mark, Marks, Row
from tests.events.entries import entry, filled


async def shown(store: Any, listing: str = "all", **how: Any) -> list[str]:
    return [row.member for row in await store.rows("p", listing, **how)]


async def test_a_cell_moves_on_from_where_its_writer_began(store: Any) -> None:
    assert await store.get("p", "m") is None
    assert await store.put("p", "m", 0, Cell(3, b"three words here"))
    assert await store.get("p", "m") == Cell(3, b"three words here")
    assert not await store.put("p", "m", 0, Cell(5, b"five"))
    assert not await store.put("p", "m", 2, Cell(5, b"five"))
    assert not await store.put("p", "m", 4, Cell(5, b"five"))
    assert await store.get("p", "m") == Cell(3, b"three words here")
    assert await store.put("p", "m", 3, Cell(5, b""))
    assert await store.get("p", "m") == Cell(5, b"")
    assert await store.cursors("p", ["x", "m"]) == [0, 5]
    assert await store.get("q", "m") is None


async def test_of_many_writers_one_passes(store: Any) -> None:
    tries = [store.put("p", "m", 0, Cell(n, b"%d" % n)) for n in range(1, 21)]
    told = await asyncio.gather(*tries)
    assert sum(told) == 1
    assert await store.get("p", "m") == Cell(told.index(True) + 1, b"%d" % (told.index(True) + 1))


async def test_rows_stand_in_order(store: Any) -> None:
    for match, score in (("c", 5), ("a", 2**52), ("b", 5), ("d", 0)):
        rows = [Row("all", match, score, match.encode()), Row("one", match, 1, b"x")]
        assert await store.put("p", match, 0, Cell(1, b""), rows)
    assert await store.rows("p", "all", limit=2) == [
        Row("all", "d", 0, b"d"),
        Row("all", "b", 5, b"b"),
    ]
    assert await shown(store) == ["d", "b", "c", "a"]
    assert await shown(store, newest=True) == ["a", "c", "b", "d"]
    assert await shown(store, "one") == ["a", "b", "c", "d"]
    assert await shown(store, "other") == await shown(store, "al") == []


@pytest.mark.parametrize("newest", [False, True])
async def test_pages_join_without_gap(store: Any, newest: bool) -> None:
    for n in range(9):
        match = f"m{n}"
        await store.put("p", match, 0, Cell(1, b""), [Row("all", match, n // 2, b"")])
    seen: list[str] = []
    after = ""
    while page := await store.rows("p", "all", after=after, limit=2, newest=newest):
        seen += [row.member for row in page]
        after = page[-1].position
    assert seen == sorted((f"m{n}" for n in range(9)), reverse=newest)


async def test_a_match_shows_its_newest_rows_alone(store: Any) -> None:
    await store.put("p", "m", 0, Cell(1, b""), [Row("open", "m", 1, b"1"), Row("all", "m", 1, b"")])
    await store.put("p", "m", 1, Cell(2, b""), [Row("over", "m", 2, b"2"), Row("all", "m", 3, b"")])
    assert await shown(store, "open") == []
    assert await store.rows("p", "over") == [Row("over", "m", 2, b"2")]
    assert await store.rows("p", "all") == [Row("all", "m", 3, b"")]
    await store.put("p", "m", 2, Cell(3, b""), [])
    assert await shown(store, "over") == await shown(store, "all") == []


async def test_a_late_writer_changes_no_rows(store: Any) -> None:
    """09: it was stopped, its work was claimed, now it goes on."""
    await store.put("p", "m", 0, Cell(5, b"new"), [Row("all", "m", 5, b"new")])
    assert not await store.put("p", "m", 0, Cell(4, b"old"), [Row("all", "m", 4, b"old")])
    assert await store.rows("p", "all") == [Row("all", "m", 5, b"new")]
    assert await store.put("p", "m", 5, Cell(5, b"again"), [Row("all", "m", 6, b"again")])
    assert await store.rows("p", "all") == [Row("all", "m", 6, b"again")]


async def test_a_cell_without_rows_leaves_them(store: Any) -> None:
    await store.put("p", "m", 0, Cell(1, b""), [Row("all", "m", 1, b"")])
    await store.put("p", "m", 1, Cell(2, b""))
    assert await shown(store) == ["m"]


async def test_a_projection_is_dropped_whole(store: Any) -> None:
    for projection in ("p", "q"):
        await store.put(projection, "m", 0, Cell(1, b"x"), [Row("all", "m", 1, b"")])
    await store.drop("p")
    assert await store.get("p", "m") is None
    assert await store.cursors("p", ["m"]) == [0]
    assert await shown(store) == []
    assert await store.get("q", "m") == Cell(1, b"x")
    assert len(await store.rows("q", "all")) == 1
    assert await store.put("p", "m", 0, Cell(1, b"y"), [Row("all", "m", 1, b"")])


async def test_dead_letters(store: Any) -> None:
    await store.park("p", "m", 3, "it cannot be read")
    await store.park("p", "n", 1, "nor this")
    await store.park("q", "m", 9, "elsewhere")
    assert await store.parked("p") == {"m": (3, "it cannot be read"), "n": (1, "nor this")}
    assert await store.is_parked("p", ["n", "x"]) == [True, False]
    assert len(await store.parked("p", 1)) == 1
    assert (await store.count_parked("p"), await store.count_parked("x")) == (2, 0)
    await store.release("p", "m")
    assert await store.parked("p") == {"n": (1, "nor this")}
    assert await store.is_parked("q", ["m"]) == [True]
    letters = await store.letters()
    assert {(x.projection, x.match, x.version, x.why) for x in letters} == {
        ("p", "m", 3, "it cannot be read"),
        ("p", "n", 1, "nor this"),
        ("q", "m", 9, "elsewhere"),
    }
    assert len(await store.letters(2)) == 2 and letters[0].at > 1_700_000_000_000


async def test_many_that_are_parked(store: Any) -> None:
    """All of them are found where that is asked for, a few where it is not."""
    await asyncio.gather(*[store.park("p", f"m{n}", n, "a b") for n in range(1200)])
    assert await store.parked("p") == {f"m{n}": (n, "a b") for n in range(1200)}
    assert len(await store.parked("p", 20)) == 20
    assert await store.count_parked("p") == 1200


def _marked(made: list[Any], version: int, value: bytes = b"") -> Cell:
    return Cell(version, value, made[version - 1].head)


async def test_a_cell_is_made_from_what_the_log_has(store: Any) -> None:
    """Not from a commit that it has not, nor from another of that version."""
    made = await filled(store, "m", 4)
    assert not await store.put("p", "m", 0, Cell(5, b"", entry(5).head))
    assert not await store.put("p", "m", 0, Cell(4, b"", made[2].head))
    assert not await store.put("p", "m", 0, Cell(3, b"", made[3].head))
    assert not await store.put("p", "n", 0, Cell(1, b"", made[0].head))
    assert await store.put("p", "m", 0, _marked(made, 3, b"three"))
    assert await store.put("p", "m", 3, _marked(made, 4, b"four"))
    assert await store.get("p", "m") == Cell(4, b"four")
    assert await store.marks("p", ["m", "n"]) == [
        Marks(Mark(4, made[3].head[:MARK])),
        Marks(),
    ]
    assert await store.marks("p", []) == []


async def test_a_cell_goes_back_only_from_what_the_log_lost(store: Any) -> None:
    made = await filled(store, "m", 4)
    assert await store.put("p", "m", 0, _marked(made, 4))
    assert not await store.put("p", "m", 4, _marked(made, 3))
    assert await store.put("p", "m", 4, _marked(made, 4, b"again"))
    assert await store.put("q", "m", 0, Cell(9, b"of no known history"))
    assert await store.put("q", "m", 9, _marked(made, 3))
    assert await store.put("r", "m", 0, Cell(9, b""))


async def test_rows_of_a_later_version_stay_while_the_log_has_it(store: Any) -> None:
    """Also where the cell is not written, which its writer has to make good."""
    made = await filled(store, "m", 4)
    assert await store.put("p", "m", 0, _marked(made, 4), [Row("all", "m", 1, b"four")])
    assert not await store.put("p", "m", 4, _marked(made, 3), [Row("all", "m", 1, b"three")])
    assert await store.rows("p", "all") == [Row("all", "m", 1, b"four")]
    assert not await store.put("p", "m", 9, _marked(made, 4), [Row("all", "m", 1, b"again")])
    assert await store.rows("p", "all") == [Row("all", "m", 1, b"again")]


@pytest.mark.parametrize("lost", [(9, b"\x09"), (4, b"\x04"), (5, b"\x05")])
async def test_rows_of_what_the_log_has_lost_give_way(store: Any, lost: tuple[int, bytes]) -> None:
    """They lie in a slot of their own, so a failover may leave them where it takes the log back."""
    made = await filled(store, "m", 4)
    version, head = lost
    await store.put("p", "m", 7, Cell(version, b"", head * 32), [Row("all", "m", 1, b"lost")])
    assert (await store.marks("p", ["m"]))[0].rows == Mark(version, head * MARK)
    assert await store.put("p", "m", 0, _marked(made, 3), [Row("all", "m", 1, b"three")])
    assert await store.rows("p", "all") == [Row("all", "m", 1, b"three")]
    assert (await store.marks("p", ["m"]))[0].rows == Mark(3, made[2].head[:MARK])


async def test_rows_that_say_not_what_they_were_made_from_stay(store: Any) -> None:
    made = await filled(store, "m", 4)
    await store.put("p", "m", 7, Cell(9, b""), [Row("all", "m", 1, b"later")])
    assert await store.put("p", "m", 0, _marked(made, 3), [Row("all", "m", 1, b"three")])
    assert await store.rows("p", "all") == [Row("all", "m", 1, b"later")]


async def test_who_shows_rows_is_known(store: Any) -> None:
    assert [match async for match in store.showing("p")] == []
    for n in range(40):
        await store.put("p", f"m{n}", 0, Cell(1, b""), [])
    assert {match async for match in store.showing("p")} == {f"m{n}" for n in range(40)}
    assert [match async for match in store.showing("q")] == []

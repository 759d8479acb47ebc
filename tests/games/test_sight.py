"""What a declaration on a field does: cut, sealed, named again, and missed when it is not there."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest

from events import log
from games import sight
from games.history import Codec, Commit, Private, Unknown, Upcast
from games.rules import Event, State
from games.sight import (
    HIDDEN,
    Fact,
    Seat,
    audiences,
    covered,
    cut,
    each_own,
    encode,
    everyone,
    named,
    nobody,
    read,
    secret,
    seen_by,
    sights,
    snake,
)
from tests.secrecy import blind, received

Card = Annotated[str, secret]


class Drawn(Fact, frozen=True):
    seat: Seat
    card: Annotated[Card, seen_by("seat")]
    left: int


class Dealt(Fact, frozen=True):
    hands: Annotated[dict[Seat, tuple[Card, ...]], each_own(counted=True)]
    deck: Annotated[tuple[Card, ...], nobody()]


class Kept(Fact, frozen=True):
    veil = seen_by("seat")
    seat: Seat


class Switched(Fact, frozen=True):
    veil = seen_by("seat")
    seat: Seat
    card: Annotated[Card, seen_by("seat")]


class Laid(Fact, frozen=True):
    """A public fact with facts inside it."""

    seat: Seat
    card: Annotated[Card, everyone(of="seat")]
    beside: tuple[Drawn | Kept, ...] = ()
    marks: dict[str, Drawn] = {}
    pair: tuple[str, Drawn] | None = None


class Told(Fact, frozen=True):
    """Shown to all, but for what the fact inside keeps back."""

    seat: Seat
    option: Annotated[Drawn, everyone(of="seat")]


class Pair(Fact, frozen=True):
    left: int


class Row(Fact, frozen=True):
    pairs: tuple[Pair, ...]
    card: Annotated[Card, seen_by("seat")]
    seat: Seat


class Careless(Fact, frozen=True):
    cards: tuple[Card, ...]


class Listed(Fact, frozen=True):
    parts: Any


Any_event = Drawn | Dealt | Kept | Switched | Laid | Told


def commit(*events: Any) -> Commit[Any]:
    return Commit(1, 0, 0, "1.0", Private(bytes(16), 0), events)


def page_as(viewer: int | str, *events: Any) -> Any:
    facts, hidden = encode(commit(*events))
    page = log.page(log.append(bytes(32), 1, facts, hidden, blind), viewer, blind)
    return named(Commit[Any_event], read(log.opened(page)))["events"]


def test_a_field_is_seen_by_the_seat_it_names() -> None:
    assert cut(Drawn(1, "B3", 7), 1)["card"] == "B3"
    hidden = {"type": "drawn", "seat": 1, "card": {"hidden": True}, "left": 7}
    assert cut(Drawn(1, "B3", 7), 0) == hidden


def test_each_seat_sees_its_own_entry_and_nobody_the_deck() -> None:
    dealt = Dealt({0: ("B3",), 1: ("G1", "R2")}, ("Y5",))
    assert cut(dealt, 1)["hands"] == {"0": {"hidden": 1}, "1": ["G1", "R2"]}
    assert cut(dealt, "spectator")["hands"] == {"0": {"hidden": 1}, "1": {"hidden": 2}}
    assert cut(dealt, 1)["deck"] == {"hidden": True}
    assert cut(dealt, "auditor")["deck"] == ["Y5"]


def test_a_card_without_a_declaration_is_a_mistake() -> None:
    with pytest.raises(TypeError, match=r"Careless\.cards: say who sees it"):
        sights(Careless)


def test_facts_hold_tuples_and_dicts_only() -> None:
    with pytest.raises(TypeError, match="tuples and dicts"):
        covered(Listed([Drawn(0, "B3", 1)]), lambda audience, part: part)


def test_hidden_parts_are_spans_of_the_stored_bytes() -> None:
    fact = commit(Drawn(1, "B3", 7), Dealt({0: ("B3",), 1: ("G1",)}, ()))
    facts, hidden = encode(fact)
    assert facts == msgspec.msgpack.encode(fact)
    shown = [(msgspec.msgpack.decode(facts[a:b]), seats) for a, b, seats in hidden]
    private = [bytes(16), 0]
    assert shown == [(private, ()), ("B3", (1,)), (["B3"], (0,)), (["G1"], (1,)), ([], ())]


def test_no_content_can_pass_for_a_mark() -> None:
    """What a player sends stands in events: an entropy, say. Marks depend on all content."""
    planted = "\u00c7" * 40
    fact = commit(Laid(0, planted), Drawn(1, planted, 0))
    facts, hidden = encode(fact)
    assert [facts[a:b] for a, b, _ in hidden][1:] == [msgspec.msgpack.encode(planted)]


def test_neither_the_value_nor_its_length_shows() -> None:
    one, other = commit(Drawn(1, "B3", 7)), commit(Drawn(1, "*10", 7))
    assert received([one], 0) == received([other], 0)
    assert received([one], 1) != received([other], 1)


def test_where_the_kind_would_tell_the_whole_event_is_hidden() -> None:
    one, other = commit(Kept(1)), commit(Switched(1, "B3"))
    assert received([one], 0) == received([other], 0)
    assert received([one], "spectator") == received([other], "spectator")
    assert cut(one, 0)["events"] == [{"hidden": True}]
    assert cut(other, 1)["events"][0]["type"] == "switched"
    assert cut(one, 1)["events"] == [{"type": "kept", "seat": 1}]


@pytest.mark.parametrize("viewer", [0, 1, "spectator", "auditor"])
def test_a_page_has_the_names_of_the_cut(viewer: Any) -> None:
    laid = Laid(
        0, "B3", (Drawn(1, "G1", 2), Kept(0)), {"x": Drawn(1, "R2", 0)}, ("y", Drawn(0, "G4", 1))
    )
    told = Told(0, Drawn(0, "B5", 2))
    events = (laid, Kept(1), Switched(0, "B3"), Drawn(1, "Y5", 3), told)
    cuts = [cut(event, viewer) for event in events]
    assert page_as(viewer, *events) == cuts


def test_a_page_tells_of_every_declared_part_whether_it_is_hidden() -> None:
    told: list[tuple[bool, bool]] = []
    facts, hidden = encode(commit(Drawn(1, "B3", 7), Kept(1), Dealt({0: ("B3",), 1: ()}, ())))
    page = log.page(log.append(bytes(32), 1, facts, hidden, blind), 1, blind)
    data = read(log.opened(page))
    named(Commit[Any_event], data, lambda audience, gone: told.append((audience.has(1), gone)))
    assert all(sees is not gone for sees, gone in told)
    assert len(told) == 6


def test_an_event_of_unknown_kind_is_left_as_it_is() -> None:
    data = [1, 0, 0, "1.0", HIDDEN, [["conjured", 3]]]
    assert named(Commit[Any_event], data)["events"] == [["conjured", 3]]
    assert repr(data[4]) == "HIDDEN"


def test_a_veiled_fact_has_one_audience() -> None:
    assert [a.seats for a in audiences((Kept(1), Switched(0, "B3")))] == [{1}, {0}]


def test_no_list_is_measured() -> None:
    with pytest.raises(TypeError, match="tuples and dicts"):
        encode(Listed([Drawn(0, "B3", 1)]))


def test_cuts_that_look_the_same_are_kept_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sight, "_MOST_SEEN", 2)
    monkeypatch.setattr(sight, "_seen", {})
    rows = [Row((Pair(n),), "B3", 0) for n in range(4)]
    for row in rows * 2:
        assert cut(row, 1)["pairs"] == [{"type": "pair", "left": row.pairs[0].left}]
        assert len(sight._seen) <= 2


def test_audiences_come_in_order_with_whose_secret_it_was() -> None:
    found = audiences(Laid(2, "B3", (Drawn(1, "G1", 2),)))
    assert [(a.seats, a.of) for a in found] == [(None, {2}), ({1}, set())]
    assert found[0].news(frozenset(range(3))) == {0, 1}
    assert found[1].news(frozenset(range(3))) == {1}


def test_names_of_kinds() -> None:
    assert [snake(n) for n in ("CandyPlayed", "Dealt", "CandyPlayed_2")] == [
        "candy_played",
        "dealt",
        "candy_played.2",
    ]


class Rolled(Event[State], frozen=True):
    value: int

    def apply(self, state: State) -> State:
        return state


class Rolled_2(Event[State], frozen=True):
    value: int
    sides: int

    def apply(self, state: State) -> State:
        return state


class OldRolled(Upcast, frozen=True, tag="rolled"):
    value: int

    def upcast(self) -> Event[Any]:
        return Rolled_2(self.value, 6)


def stored(*events: Any) -> bytes:
    return msgspec.msgpack.encode(commit(*events))


def test_an_event_of_a_newer_writer_is_kept_and_folds_to_nothing() -> None:
    codec = Codec(Rolled | Rolled_2)
    read_back = codec.decode(stored(Rolled(3), Drawn(1, "B3", 7)))
    assert read_back.events[0] == Rolled(3)
    unknown = read_back.events[1]
    assert isinstance(unknown, Unknown)
    assert unknown.apply(State()) == State()
    assert msgspec.msgpack.decode(unknown.raw) == ["drawn", 1, "B3", 7]


def test_a_field_added_at_the_end_does_not_disturb_an_old_reader() -> None:
    longer = msgspec.msgpack.encode([1, 0, 0, "1.0", [bytes(16), 0], [["rolled", 3, "new"]]])
    assert Codec(Rolled | Rolled_2).decode(longer).events == (Rolled(3),)


def test_an_old_form_is_turned_into_todays_when_read() -> None:
    codec = Codec(OldRolled | Rolled_2)
    assert codec.decode(stored(Rolled(3))).events == (Rolled_2(3, 6),)


def test_an_upcast_must_say_into_what() -> None:
    class Forgotten(Upcast, frozen=True):
        def apply(self, state: Any) -> Any:
            return state

    with pytest.raises(NotImplementedError):
        Forgotten().upcast()


def test_bytes_that_are_no_commit_are_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
        Codec(Rolled | Rolled_2).decode(b"\xc1")
    with pytest.raises(msgspec.DecodeError):
        Codec(Rolled | Rolled_2).decode(msgspec.msgpack.encode(["no commit"]))

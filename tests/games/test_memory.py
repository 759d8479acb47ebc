"""What a viewer knows of hidden places, and how a fork keeps it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from games.dealing import dealt, fits, laid, stacked, taken
from games.history import Commit, Private
from games.match import Reverted
from games.memory import Memory
from games.recall import Past, recalled
from games.rules import Event


class Said(Event[Any], frozen=True):
    word: str

    def apply(self, state: Any) -> Any:
        return state


def fresh(pick: int = 0) -> Memory:
    return Memory(0, lambda count: pick % count)


def test_what_is_seen_coming_is_known_until_it_goes() -> None:
    memory = fresh()
    memory.came("hand", "GUM1", None, "PEP2", "GUM1")
    memory.went("hand", "GUM1")
    assert memory.known("hand") == ("PEP2", "GUM1")
    memory.shuffled("hand")
    assert memory.known("hand") == ()


def test_what_slips_away_unseen_is_guessed() -> None:
    for pick, left, to in ((0, (), ("GUM1",)), (1, ("GUM1",), ())):
        memory = fresh(pick)
        memory.came("hand", "GUM1", None)
        memory.slipped("hand", "other", 2)
        assert (memory.known("hand"), memory.known("other")) == (left, to)


def test_a_guess_is_given_up_where_it_was_wrong() -> None:
    for pick, where in ((0, "hand"), (1, "other")):
        memory = fresh(pick)
        memory.came("hand", "GUM1", None)
        memory.slipped("hand", "other", 2)
        memory.came("third", "PEP2")
        memory.went(where, "GUM1")
        assert (memory.known("hand"), memory.known("other")) == ((), ())
        memory.went("hand", "PEP2")
        assert memory.known("third") == ("PEP2",), "nothing has slipped from there"


def test_an_exchange_gives_back_nothing_that_it_took() -> None:
    memory = fresh()
    memory.came("hand", "GUM1")
    memory.came("other", "PEP2")
    memory.exchanged("hand", "other", (1, 1))
    assert (memory.known("hand"), memory.known("other")) == (("PEP2",), ("GUM1",))


def test_one_of_several_places_is_guessed() -> None:
    memory, places = fresh(1), ["hand", "other"]
    memory.guessed(places, "GUM1")
    assert (memory.known("other"), places) == (("GUM1",), ["hand"])


def test_what_came_out_before_it_was_taken_back_lies_there_again() -> None:
    then = fresh()
    memory = then.copy()
    memory.went("hand", "GUM1")
    memory.came("hand", "PEP2")
    memory.went("hand", "PEP2", "COR3")
    memory.saw("letter", "B")
    memory.saw("letter", "B")
    assert memory.drawn("deck", "CHO1") == "CHO1"
    assert memory.drawn("deck", None) is None
    assert memory.drawn("deck", 3) == 3
    back = memory.back(then)
    assert back.known("hand") == ("GUM1", "COR3"), "the other has come after that"
    assert back.known("letter") == ("B",)
    assert back.top("deck") == ("CHO1", None, 3)
    again = back.copy()
    assert again.drawn("deck", None) == "CHO1"
    assert again.back(back).top("deck") == back.top("deck")
    assert again.back(then).known("hand") == ("GUM1", "COR3")
    again.shuffled("deck")
    assert again.drawn("deck", "GUM2") == "GUM2"
    assert again.back(back).top("deck") == back.top("deck")


def test_as_many_lie_there_again_as_came_out() -> None:
    then = fresh()
    then.came("hand", "GUM1")
    memory = then.copy()
    memory.went("hand", "GUM1", "GUM1")
    back = memory.back(then)
    assert back.known("hand") == ("GUM1", "GUM1")
    back.went("hand", "GUM1")
    assert back.back(then).known("hand") == ("GUM1", "GUM1"), "what was sure is no news"


def test_of_two_alike_one_guessed_the_sure_one_is_seen_first() -> None:
    then = fresh()
    then.came("other", "GUM1")
    then.came("hand", "GUM1")
    then.slipped("hand", "other", 1)
    assert then.known("other") == ("GUM1", "GUM1")
    memory = then.copy()
    memory.went("other", "GUM1")
    assert memory.back(then).known("other") == ("GUM1", "GUM1")
    memory.saw("other", "GUM1")
    memory.went("hand", "GUM1")
    assert memory.known("other") == ("GUM1",), "seen there, it is no guess that can be given up"


def test_what_is_sure_is_kept_before_what_is_guessed() -> None:
    memory = fresh()
    memory.came("hand", "GUM1")
    memory.slipped("hand", "other", 1)
    memory.came("other", "PEP2", "GUM1")
    assert memory.known("other") == ("GUM1", "PEP2", "GUM1")
    assert memory.sure("other") == ("PEP2", "GUM1")
    assert memory.kept("other") == ("PEP2", "GUM1", "GUM1")
    assert memory.sure("hand") == memory.kept("hand") == ()


def test_dealing_out_of_a_pool() -> None:
    pool = Counter({"GUM1": 2, "PEP2": 1, "COR3": 1})
    assert taken(pool, ("GUM1", "CHO1", "GUM1", "GUM1"), 2) == ["GUM1", "GUM1"]
    assert dealt(pool, 1, lambda count: 1) == ["PEP2"]
    assert pool == Counter({"COR3": 1})
    pool = Counter({"GUM1": 1, "PEP2": 1, "COR3": 1})
    memory = fresh()
    for card in ("CHO1", None, "PEP2", "GUM1"):
        memory.drawn("deck", card)
    deck = stacked(pool, memory.back(fresh()), "deck", 3, random.Random(1).randrange)
    assert deck[2] == "PEP2" and sorted(deck) == ["COR3", "GUM1", "PEP2"]
    assert not +pool


def test_what_is_known_of_a_deck_comes_before_what_is_guessed() -> None:
    then, memory = drawn_and_gone(2)
    memory.drawn("deck", "GUM1")
    memory = memory.back(then)
    assert memory.top("deck") == ("GUM1", "GUM1")
    assert laid(Counter({"GUM1": 1, "PEP2": 1}), memory, "deck", 2) == [None, "GUM1"]


def test_whether_all_that_is_known_fits() -> None:
    memory = fresh()
    memory.came("hand", "GUM1")
    memory.saw("other", "PEP2")
    then = memory.copy()
    memory.drawn("deck", "COR3")
    memory = memory.back(then)
    sizes = {"hand": 1, "other": 1}
    for pool, more, fit in [
        (("GUM1", "PEP2", "COR3"), {}, True),
        (("GUM1", "PEP2", "COR3"), {"hand": 0}, False),
        (("GUM1", "PEP2"), {}, False),
        (("GUM1", "COR3"), {}, False),
    ]:
        assert fits(memory, Counter(pool), sizes | more, "deck", 1) == fit


def test_what_was_guessed_is_sure_once_it_is_seen() -> None:
    """One that has come true is given up for nothing."""
    then = fresh()
    then.came("hand", "GUM1", "PEP2")
    then.slipped("hand", "other", 2)
    memory = then.copy()
    memory.went("other", "GUM1")
    back = memory.back(then)
    assert (back.known("hand"), back.known("other")) == (("PEP2",), ("GUM1",))
    for memory, left in ((back, ("GUM1",)), (then, ())):
        memory.went("hand", "GUM1")
        assert memory.known("other") == left


def told(*said: str | int, step: int | None = None) -> tuple[str, ...]:
    """What is known of a hand out of which all this came; a number is a version gone back to."""
    events = [Said(each) if isinstance(each, str) else Reverted(each) for each in said]
    commits = [Commit(n, n, 0, "1", Private(b"", 0), (e,)) for n, e in enumerate(events, 1)]
    past = Past(commits, [None] * (len(said) + 1), step)
    return recalled(past, 0, lambda n: 0, lambda memory, _, e: memory.went("hand", e.word)).known(
        "hand"
    )


def test_an_undo_that_was_itself_undone_took_back_nothing_that_was_seen() -> None:
    said = ("GUM1", "PEP2", 1, "COR3", 2)
    known = [told(*said[:n]) for n in range(6)]
    assert known == [(), (), (), ("PEP2",), ("PEP2",), ("COR3",)]
    assert told(*said, "COR3") == ()
    assert told(*said, 4) == ("PEP2",), "and back again"


def test_what_came_out_in_branches_of_branches() -> None:
    said = ("GUM1", "PEP2", "COR3", 2, "CHO4", 1, "GUM5")
    assert told(*said, 1) == ("PEP2", "COR3", "CHO4", "GUM5")
    assert told(*said) == ("PEP2", "COR3", "CHO4")
    assert told(*said, 5) == ("GUM5", "COR3")


def test_what_came_out_after_a_step_was_there_then() -> None:
    said = ("GUM1", "PEP2", "COR3", 2, "CHO4")
    assert [told(*said, step=n) for n in range(6)] == [
        ("GUM1", "PEP2", "COR3", "CHO4"),
        ("PEP2", "COR3", "CHO4"),
        ("COR3", "CHO4"),
        ("CHO4",),
        ("COR3", "CHO4"),
        ("COR3",),
    ]


@pytest.mark.parametrize(("lay", "known"), [(2, ("CHO1", "PEP2")), (1, ("CHO1",)), (0, ())])
def test_what_lay_above_cards_laid_beneath_is_what_it_was(lay: int, known: tuple[str, ...]) -> None:
    """Those come out of another mix: nothing of them was there before."""
    then = fresh(1)
    memory = then.copy()
    memory.laid_beneath("deck", lay)
    copied = memory.copy()
    for face in ("CHO1", "PEP2", "GUM3"):
        memory.drawn("deck", face)
    assert memory.back(then).top("deck") == known
    copied.shuffled("deck")
    copied.drawn("deck", "CHO1")
    assert copied.back(then).top("deck") == ()


def test_what_may_have_slipped_away_is_counted_once() -> None:
    """It is seen where it was known to lie before one went unseen; and two where two come out."""
    then = fresh(1)
    then.came("hand", "GUM1")
    memory = then.copy()
    memory.slipped("hand", "other", 3)
    memory.went("hand", "GUM1")
    assert memory.back(then).known("hand") == ("GUM1",)
    memory.went("hand", "GUM1")
    assert memory.back(then).known("hand") == ("GUM1", "GUM1")


def test_what_is_guessed_too_is_given_up_alone() -> None:
    memory = fresh()
    memory.came("hand", "GUM1")
    memory.came("other", "GUM1")
    memory.slipped("hand", "other", 1)
    memory.came("other", "GUM1")
    assert (memory.known("other"), memory.sure("other")) == (("GUM1",) * 3, ("GUM1",) * 2)
    memory.saw("hand", "GUM1")
    assert memory.known("other") == memory.sure("other") == ("GUM1",) * 2


def test_a_deck_is_known_deeper_than_it_was_drawn_before_it_is_mixed() -> None:
    """A branch of a branch has shown the second card; then all were mixed."""
    then = fresh()
    memory = then.copy()
    assert memory.drawn("deck", "GUM1") == "GUM1"
    deeper = memory.copy()
    assert deeper.drawn("deck", "PEP2") == "PEP2"
    memory = deeper.back(memory)
    assert memory.top("deck") == ("PEP2",)
    memory.shuffled("deck")
    assert memory.top("deck") == ()
    assert memory.drawn("deck", "COR3") == "COR3"
    assert memory.back(then).top("deck") == ("GUM1", "PEP2")


def drawn_and_gone(pick: int, size: int | None = 3) -> tuple[Memory, Memory]:
    """Two lie in a hand; one is drawn to it, then one is seen leaving it."""
    then = fresh(pick)
    memory = then.copy()
    memory.drew("hand", "deck", None)
    memory.went("hand", "GUM1", size=size)
    return then, memory


@pytest.mark.parametrize(("pick", "hand", "top"), [(0, ("GUM1",), ()), (2, (), ("GUM1",))])
def test_what_left_a_hand_had_been_drawn_or_was_there_before(
    pick: int, hand: tuple[str, ...], top: tuple[str, ...]
) -> None:
    then, memory = drawn_and_gone(pick)
    back = memory.back(then)
    assert (back.sure("hand"), back.unsure("hand"), back.top("deck")) == ((), hand, top)
    back.drew("hand", "deck", None)
    assert (back.sure("hand"), back.unsure("hand")) == ((), ("GUM1",))
    back.went("hand", "GUM1", "PEP2", "COR3", size=3)
    assert not back.strain
    now = back.back(then)
    assert len((*now.kept("hand"), *now.top("deck"))) == 3
    drawn = then.copy()
    drawn.drew("hand", "deck", None)
    memory = drawn.copy()
    memory.went("hand", "GUM1", size=3)
    assert memory.back(drawn).sure("hand") == ("GUM1",), "drawn or not, it is there now"


def test_a_deck_mixed_anew_brings_what_had_left_before() -> None:
    """Else more would be thought to lie in hands than there is."""
    then = fresh()
    memory = then.copy()
    memory.shuffled("deck")
    memory.drew("hand", "deck", None)
    memory.shuffled("deck")
    mixed = memory.copy()
    memory.drew("hand", "deck", None)
    memory.went("hand", "GUM1", size=4)
    assert memory.back(mixed).top("deck") == ("GUM1",)
    assert memory.back(then).known("hand") == ()


def test_of_how_many_it_was_one_is_not_known() -> None:
    then, memory = drawn_and_gone(0, size=None)
    back = memory.back(then)
    assert (back.known("hand"), back.top("deck")) == ((), ())


def test_what_was_drawn_may_have_slipped_away() -> None:
    then = fresh()
    memory = then.copy()
    memory.drew("hand", "deck", None)
    memory.slipped("hand", "other", 1)
    memory.went("other", "GUM1", size=1)
    assert memory.back(then).top("deck") == ("GUM1",)
    memory.came("hand", "PEP2")
    memory.went("hand", "PEP2", size=1)
    assert not memory.strain, "the one that was drawn is not there any more"


def test_guesses_that_turn_out_wrong_are_counted() -> None:
    then, memory = drawn_and_gone(2)
    back = memory.back(then)
    assert back.drawn("deck", "PEP2") == "PEP2"
    assert back.strain == back.copy().strain == 1
    assert back.back(then).strain
    assert back.back(then).top("deck") == ("PEP2",)
    full = fresh()
    full.came("hand", "GUM1", "PEP2")
    full.went("hand", "COR3", size=2)
    assert full.strain == 1
    full.drew("hand", "deck", None)
    full.went("hand", "CHO4", size=2)
    assert full.strain == 2


def test_a_long_past_is_no_trouble() -> None:
    """Neither a long branch nor many, one out of another."""
    turns = [f"GUM{n}" for n in range(3000)]
    assert told(*turns, step=1) == tuple(turns[1:])
    said: list[str | int] = ["PEP0"]
    for n in range(1, 1500):
        said += [f"PEP{n}", len(said)]
    assert told(*said, 1) == tuple([f"PEP{n}" for n in range(1, 1500)])

"""What a viewer knows of hidden places, and how a fork keeps it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from games.history import Commit, Private
from games.match import Reverted
from games.memory import Memory, dealt, stacked, taken
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
    assert back.known("hand") == ("GUM1",), "the others have come after that"
    assert back.known("letter") == ("B",)
    assert back.top("deck") == ("CHO1", None, 3)
    again = back.copy()
    assert again.drawn("deck", None) == "CHO1"
    assert again.back(back).top("deck") == back.top("deck")
    assert again.back(then).known("hand") == ("GUM1",)
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
    deck = stacked(pool, ("CHO1", None, "PEP2", "GUM1"), 3, random.Random(1).randrange)
    assert deck[2] == "PEP2" and sorted(deck) == ["COR3", "GUM1", "PEP2"]
    assert not +pool


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


def test_a_long_past_is_no_trouble() -> None:
    """Neither a long branch nor many, one out of another."""
    turns = [f"GUM{n}" for n in range(3000)]
    assert told(*turns, step=1) == tuple(turns[1:])
    said: list[str | int] = ["PEP0"]
    for n in range(1, 1500):
        said += [f"PEP{n}", len(said)]
    assert told(*said, 1) == tuple([f"PEP{n}" for n in range(1, 1500)])

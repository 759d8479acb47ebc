"""The five shapes of a choice. A form is data: a client draws it, the server checks against it.

The rules speak of options as facts; a client speaks of their ids. `page` turns a form into what
a client is shown, `pick` turns what it sends back into options, `wire` is the way back.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import Any, Generic, TypeVar

import msgspec

from games.sight import Fact

T = TypeVar("T", bound=Hashable)
O = TypeVar("O")

Below = Callable[[int], int]
"""A source of chance: below(n) is 0 .. n-1."""


class Option(Fact, frozen=True):
    """Something that can be picked; `label` is for people, `refs` for drawing."""

    @abstractmethod
    def label(self) -> str: ...

    def refs(self) -> tuple[str, ...]:
        """The cards and spaces it is about, as `kind:id`: `card:GUM2`, `basket:A`, `seat:1`."""
        return ()


class Choice(msgspec.Struct, frozen=True):
    """An option as a client is shown it."""

    id: str
    label: str
    refs: tuple[str, ...] = ()


LONGEST = 60
"""Letters of what a client sent that a refusal repeats."""


class NotOffered(Exception):
    """What was sent is not an answer to the form; the text says what would be."""


def option_id(item: Any) -> str:
    """`Put("GUM2", "A")` is `put:GUM2:A`; unique within one form."""
    if isinstance(item, Fact):
        tag = type(item).__struct_config__.tag
        parts = [option_id(getattr(item, name)) for name in item.__struct_fields__]
        return ":".join([str(tag), *parts] if tag else parts)
    if isinstance(item, tuple):
        return "+".join(map(option_id, item))
    if isinstance(item, bool) or item is None:
        return {True: "yes", False: "no", None: "-"}[item]
    return str(item)


def wire(option: Any) -> Any:
    """The answer as a client sends it: ids, lists of ids, or numbers."""
    if isinstance(option, tuple):
        return [wire(part) for part in option]
    return option if isinstance(option, int) else option_id(option)


def choice(item: Any) -> Choice:
    """What a client is shown of one option, item, place or part."""
    return _shown(item) if isinstance(item, Option) else Choice(option_id(item), str(item))


@lru_cache(maxsize=16_384)
def _shown(option: Option) -> Choice:
    """Options are few and values, and every view of an open question shows them."""
    return Choice(option_id(option), option.label(), option.refs())


def quoted(sent: object) -> str:
    """What a client sent, as a refusal may repeat it: short and printable whatever it was."""
    if not isinstance(sent, str):
        return f"({type(sent).__name__})"
    return repr(sent if len(sent) <= LONGEST else f"{sent[:LONGEST]}...")


def _by_id(items: Sequence[T], sent: object) -> T:
    if isinstance(sent, str):
        for item in items:
            if choice(item).id == sent:
                return item
    raise NotOffered(f"{quoted(sent)} is not the id of one of the options")


def _list(sent: object, what: str, most: int) -> list[Any]:
    if not isinstance(sent, list | tuple):
        raise NotOffered(f"the option must be a list: {what}")
    if len(sent) > most:
        raise NotOffered(f"the list is too long: {what}, at most {most}")
    return list(sent)


def _text(sent: object) -> str:
    """The id in a list of ids; where options are numbers, `wire` makes it one."""
    if isinstance(sent, str):
        return sent
    if type(sent) is int and sent.bit_length() < 64:
        return str(sent)
    raise NotOffered(f"{quoted(sent)} is not the id of one of the options")


class Form(msgspec.Struct, Generic[O], frozen=True, tag_field="type", tag=str.lower):
    """What may be answered."""

    @abstractmethod
    def contains(self, option: object) -> bool: ...

    @abstractmethod
    def count(self) -> int:
        """How many answers there are."""

    @abstractmethod
    def sample(self, below: Below) -> O:
        """One of them, each equally likely."""

    @abstractmethod
    def page(self) -> Form[Any]:
        """The same form with a Choice in the place of every option."""

    @abstractmethod
    def pick(self, sent: object) -> O:
        """The answer that a client's ids stand for. Raises NotOffered."""


class OneOf(Form[T], Generic[T], frozen=True, tag="one_of"):
    """One of the options. Sent as its id."""

    options: tuple[T, ...]

    def contains(self, option: object) -> bool:
        return option in self.options

    def count(self) -> int:
        return len(self.options)

    def sample(self, below: Below) -> T:
        return self.options[below(len(self.options))]

    def page(self) -> OneOf[Choice]:
        return OneOf(tuple([choice(option) for option in self.options]))

    def pick(self, sent: object) -> T:
        return _by_id(self.options, sent)


class Subset(Form[tuple[T, ...]], Generic[T], frozen=True, tag="subset"):
    """At least `least` and at most `most` of the options. Sent as a list of ids, in any order."""

    options: tuple[T, ...]
    least: int
    most: int

    def contains(self, option: object) -> bool:
        rest = iter(self.options)
        return (
            isinstance(option, tuple)
            and self.least <= len(option) <= self.most
            and all(item in rest for item in option)
        )

    def count(self) -> int:
        return sum(comb(len(self.options), k) for k in self._sizes())

    def sample(self, below: Below) -> tuple[T, ...]:
        at = below(self.count())
        size = self.least
        for size in self._sizes():
            if at < comb(len(self.options), size):
                break
            at -= comb(len(self.options), size)
        chosen, left = [], size
        for i, item in enumerate(self.options):
            if below(len(self.options) - i) < left:
                chosen.append(item)
                left -= 1
        return tuple(chosen)

    def page(self) -> Subset[Choice]:
        return Subset(tuple([choice(o) for o in self.options]), self.least, self.most)

    def pick(self, sent: object) -> tuple[T, ...]:
        wanted = Counter(map(_text, _list(sent, "ids of options", len(self.options))))
        picked = []
        for option in self.options:
            if wanted[option_id(option)]:
                wanted[option_id(option)] -= 1
                picked.append(option)
        unknown = +wanted
        if unknown:
            raise NotOffered(f"{quoted(next(iter(unknown)))} is not on offer (so often)")
        if not self.least <= len(picked) <= self.most:
            raise NotOffered(f"pick {self.least} to {self.most} of the options")
        return tuple(picked)

    def _sizes(self) -> range:
        return range(self.least, min(self.most, len(self.options)) + 1)


class Arrangement(Form[tuple[T, ...]], Generic[T], frozen=True, tag="arrangement"):
    """A place for every item; a place takes as many items as it is listed times.

    Sent as a list of place ids: the place of the first item, of the second, and so on.
    """

    items: tuple[Any, ...]
    places: tuple[T, ...]

    def contains(self, option: object) -> bool:
        return (
            isinstance(option, tuple)
            and len(option) == len(self.items)
            and all(option.count(place) <= self.places.count(place) for place in option)
        )

    def count(self) -> int:
        ways = [1] + [0] * len(self.items)
        for room in Counter(self.places).values():
            ways = [
                sum(comb(k, j) * ways[k - j] for j in range(min(room, k) + 1))
                for k in range(len(ways))
            ]
        return ways[-1]

    def sample(self, below: Below) -> tuple[T, ...]:
        left = list(self.places)
        return tuple([left.pop(below(len(left))) for _ in self.items])

    def page(self) -> Arrangement[Choice]:
        items = tuple([choice(item) for item in self.items])
        return Arrangement(items, tuple([choice(place) for place in self.places]))

    def pick(self, sent: object) -> tuple[T, ...]:
        ids = _list(sent, "a place for each item", len(self.items))
        places = tuple([_by_id(self.places, one) for one in ids])
        if not self.contains(places):
            raise NotOffered(f"give each of the {len(self.items)} items a place that has room")
        return places


class Split(Form[tuple[int, ...]], frozen=True, tag="split"):
    """A total divided over the parts. Sent as a list of numbers, one a part."""

    total: int
    parts: tuple[Any, ...]

    def contains(self, option: object) -> bool:
        return (
            isinstance(option, tuple)
            and len(option) == len(self.parts)
            and all(type(part) is int and part >= 0 for part in option)
            and sum(option) == self.total
        )

    def count(self) -> int:
        return comb(self.total + len(self.parts) - 1, len(self.parts) - 1)

    def sample(self, below: Below) -> tuple[int, ...]:
        slots = self.total + len(self.parts) - 1
        bars = Subset(tuple(range(slots)), len(self.parts) - 1, len(self.parts) - 1).sample(below)
        return tuple([b - a - 1 for a, b in pairwise((-1, *bars, slots))])

    def page(self) -> Split:
        return Split(self.total, tuple([choice(part) for part in self.parts]))

    def pick(self, sent: object) -> tuple[int, ...]:
        numbers = tuple(_list(sent, "a number for each part", len(self.parts)))
        if not self.contains(numbers):
            raise NotOffered(f"give {len(self.parts)} numbers that sum to {self.total}")
        return numbers


class Number(Form[int], frozen=True, tag="number"):
    """A number from least to most. Sent as it is."""

    least: int
    most: int

    def contains(self, option: object) -> bool:
        return type(option) is int and self.least <= option <= self.most

    def count(self) -> int:
        return self.most - self.least + 1

    def sample(self, below: Below) -> int:
        return self.least + below(self.count())

    def page(self) -> Number:
        return self

    def pick(self, sent: object) -> int:
        if not isinstance(sent, int) or not self.contains(sent):
            raise NotOffered(f"give a number from {self.least} to {self.most}")
        return sent


Page = OneOf[Choice] | Subset[Choice] | Arrangement[Choice] | Split | Number
"""A form as a client is shown it: what a bot samples from."""

"""The standing modifiers of the effect vocabulary, as data; what they do is in `standing`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Near = Literal["SELF", "ADJ"]
Count = Annotated[int, msgspec.Meta(ge=0)]
Some = Annotated[int, msgspec.Meta(ge=1)]


class Mod(msgspec.Struct, frozen=True, tag_field="mod", forbid_unknown_fields=True):
    """A modifier; its fields are named as in a data file."""


class NoScare(Mod, frozen=True, tag="noScare"):
    """These kids are not scared."""

    kids: Near


class Courage(Mod, frozen=True, tag="courage"):
    """Adds to their courage; GHOSTS_ON_ADJ: the ghosts lying beside this kid."""

    kids: Near
    add: int | Literal["GHOSTS_ON_ADJ"]


class Value(Mod, frozen=True, tag="value"):
    """Ghosts here with a printed value from `lo` to `hi` count as `counts`."""

    lo: Some
    hi: Some
    counts: Count


class Helpings(Mod, frozen=True, tag="helpings"):
    """So many more helpings in Place Treats."""

    kids: Near
    add: Some


class Redirect(Mod, frozen=True, tag="redirect"):
    """What the adjacent kids would be served in Place Treats is put on this one."""

    from_: Literal["ADJ"] = msgspec.field(name="from")
    to: Literal["SELF"]


class LeaveOne(Mod, frozen=True, tag="leaveOne"):
    """Who takes two or more treats by haunting these kids leaves one (GR76)."""

    kids: Near


class Order(Mod, frozen=True, tag="order"):
    """Turn order runs from the lowest ghost to the highest."""

    dir: Literal["ascending"]


class Allow(Mod, frozen=True, tag="allow"):
    """Only these ghosts may be placed on or moved to this kid (GR57)."""

    ghosts: Literal["odd", "even", "newOwner"]


class LockTreats(Mod, frozen=True, tag="lockTreats"):
    """Abilities leave the treats here alone (GR62)."""


OnMod = NoScare | Courage | Value | Helpings | Redirect | LeaveOne | Order | Allow | LockTreats


class WinTies(Mod, frozen=True, tag="winTies"):
    """The holder wins ties of turn order without drawing (GR67)."""


class WeakGhosts(Mod, frozen=True, tag="weakGhosts"):
    """Ghosts placed by the holder are marked and count so much more or less (GR59)."""

    add: int


class DrawPlus(Mod, frozen=True, tag="drawPlus"):
    """Each drawing ability gives the holder so many more tokens to discard from (GR60)."""

    n: Some


class Protect(Mod, frozen=True, tag="protect"):
    """Others' abilities leave the holder's treats alone (GR61)."""


StashMod = WinTies | WeakGhosts | DrawPlus | Protect


class TreatsStay(Mod, frozen=True, tag="treatsStay"):
    """Treats here are not discarded in a scare (GR73)."""


class Receiver(Mod, frozen=True, tag="receiver"):
    """The owner of this ghost receives the scared kid."""

    who: Literal["TOP", "BOTTOM"]


class ToDiscard(Mod, frozen=True, tag="toDiscard"):
    """The scared kid goes to the discard pile (GR74)."""


ScareMod = TreatsStay | Receiver | ToDiscard


class Worth(Mod, frozen=True, tag="worth"):
    """Points of the kid: `is`, or 1 for every so many of `per`, or by a condition."""

    is_: int | None = msgspec.field(name="is", default=None)
    per: Literal["treats", "otherScaredKids"] | None = None
    every: Some = 1
    max: Count | None = None
    if_: Literal["allSixTypes"] | None = msgspec.field(name="if", default=None)
    then: int = 0
    else_: int = msgspec.field(name="else", default=0)

    def __post_init__(self) -> None:
        if sum(part is not None for part in (self.is_, self.per, self.if_)) != 1:
            raise ValueError("`worth` needs one of `is`, `per` and `if`")


class WorthJunk(Mod, frozen=True, tag="junkWorth"):
    """Each Junk of the holder counts so much."""

    who: Literal["HOLDER"]
    is_: int = msgspec.field(name="is")


class WorthZero(Mod, frozen=True, tag="zeroTypeWorth"):
    """Each candy of the holder's own 0-point type counts so much."""

    is_: int = msgspec.field(name="is")


WorthMod = Worth | WorthJunk | WorthZero

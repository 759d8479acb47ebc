"""Boards as files: the compact and the explicit form, and every check on loading one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from games.game import BadData
from games.masked_mischief.board import Arm, Board, House
from games.masked_mischief.drawing import coordinates
from games.masked_mischief.words import Space

Some = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]
Id = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9_.-]+$")]
SpaceKind = Literal["plain", "skull", "house"]

MOST_PLAYERS = 6
"""As many as there are masks."""

SETUP_TILES = 8


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class CompactHouse(_Strict, frozen=True):
    id: Id
    at: Count
    cauldron: Count
    character: str = ""


class Compact(_Strict, frozen=True):
    """Numbers instead of lists: the loop is `o0`, `o1` ..., the arms `a`, `b` ... by skull."""

    loop: Annotated[int, Meta(ge=3, le=1000)]
    skulls: tuple[Count, ...]
    arm: Some | tuple[Some, ...]
    houses: tuple[CompactHouse, ...]


class HouseData(_Strict, frozen=True):
    id: Id
    space: Id
    cauldron: Count
    character: str = ""


class ArmData(_Strict, frozen=True):
    id: Id
    skull: Id
    spaces: tuple[Id, ...]


class BoardData(_Strict, frozen=True):
    """A board file. `constants` replaces numbers of the rules, for this board only."""

    id: Id
    players: tuple[Some, Some]
    cauldrons: Some
    compact: Compact | None = None
    centre: Id = "hh"
    loop: tuple[Id, ...] = ()
    kinds: dict[Id, SpaceKind] = {}
    houses: tuple[HouseData, ...] = ()
    arms: tuple[ArmData, ...] = ()
    xy: dict[Id, tuple[float, float]] = {}
    constants: dict[str, Any] = {}
    source: str = ""


def read(data: bytes) -> BoardData:
    """The file in its explicit form, whichever it was written in. Raises BadData."""
    try:
        given = msgspec.json.decode(data, type=BoardData)
    except msgspec.MsgspecError as error:
        raise BadData(str(error)) from None
    return expanded(given)


def expanded(data: BoardData) -> BoardData:
    """The explicit form of a compact board. Raises BadData."""
    compact = data.compact
    if compact is None:
        return data
    errors = list(_compact_errors(data, compact))
    if errors:
        raise BadData(*errors)
    arms = compact.arm if isinstance(compact.arm, tuple) else (compact.arm,) * len(compact.skulls)
    names = [chr(ord("a") + i % 26) * (i // 26 + 1) for i in range(len(arms))]
    return msgspec.structs.replace(
        data,
        compact=None,
        loop=tuple(f"o{i}" for i in range(compact.loop)),
        kinds={
            **{f"o{at}": "skull" for at in compact.skulls},
            **{f"o{house.at}": "house" for house in compact.houses},
        },
        houses=tuple(
            HouseData(id=h.id, space=f"o{h.at}", cauldron=h.cauldron, character=h.character)
            for h in compact.houses
        ),
        arms=tuple(
            ArmData(id=name, skull=f"o{at}", spaces=tuple(f"{name}{i + 1}" for i in range(length)))
            for name, at, length in zip(names, compact.skulls, arms, strict=True)
        ),
    )


def _compact_errors(data: BoardData, compact: Compact) -> Iterator[str]:
    if data.loop or data.kinds or data.houses or data.arms:
        yield "compact: a board is written in one form, so leave out loop, kinds, houses and arms"
    for at in compact.skulls:
        if at >= compact.loop:
            yield f"compact.skulls: {at} is not on a loop of {compact.loop} spaces"
    for house in compact.houses:
        if house.at >= compact.loop:
            yield f"house {house.id}: {house.at} is not on a loop of {compact.loop} spaces"
        if house.at in compact.skulls:
            yield f"house {house.id}: o{house.at} is a skull"
    yield from _twice("compact.skulls", compact.skulls)
    if isinstance(compact.arm, tuple) and len(compact.arm) != len(compact.skulls):
        yield f"compact.arm: {len(compact.arm)} lengths for {len(compact.skulls)} skulls"


def _twice(what: str, ids: Iterable[Any]) -> Iterator[str]:
    for id, count in Counter(ids).items():
        if count > 1:
            yield f"{what}: {id} stands there {count} times"


def errors_of(data: BoardData) -> list[str]:
    """Everything that is wrong with an explicit board."""
    return [
        *_player_errors(data),
        *_space_errors(data),
        *_house_errors(data),
        *_arm_errors(data),
        *_drawing_errors(data),
    ]


def _player_errors(data: BoardData) -> Iterator[str]:
    least, most = data.players
    if not 2 <= least <= most <= MOST_PLAYERS:
        yield f"players: {least} to {most} is not a range within 2 to {MOST_PLAYERS}"
    if len(data.houses) < most:
        yield f"houses: {len(data.houses)} are too few for {most} players"


def _space_errors(data: BoardData) -> Iterator[str]:
    if len(data.loop) < 3:
        yield f"loop: {len(data.loop)} spaces make no loop"
    spaces = [*data.loop, *(s for arm in data.arms for s in arm.spaces), data.centre]
    yield from _twice("spaces", spaces)
    for space in data.kinds:
        if space not in data.loop:
            yield f"kinds: {space} is not on the loop"


def _house_errors(data: BoardData) -> Iterator[str]:
    yield from _twice("houses", [house.id for house in data.houses])
    yield from _twice("house spaces", [house.space for house in data.houses])
    yield from _twice("characters", [house.character for house in data.houses if house.character])
    for house in data.houses:
        if house.space not in data.loop:
            yield f"house {house.id}: {house.space} is not on the loop"
        elif data.kinds.get(house.space, "plain") != "house":
            kind = data.kinds.get(house.space, "plain")
            yield f"house {house.id}: kinds says that {house.space} is {kind}"
        if house.cauldron >= data.cauldrons:
            yield f"house {house.id}: cauldron {house.cauldron} of {data.cauldrons}, from 0 on"
    homes = {house.space for house in data.houses}
    for space, kind in data.kinds.items():
        if kind == "house" and space not in homes:
            yield f"kinds: {space} is a house, but no house names it"


def _arm_errors(data: BoardData) -> Iterator[str]:
    yield from _twice("arms", [arm.id for arm in data.arms])
    yield from _twice("arm skulls", [arm.skull for arm in data.arms])
    skulls = [space for space, kind in data.kinds.items() if kind == "skull"]
    if not skulls:
        yield "kinds: there is no skull"
    for arm in data.arms:
        if arm.skull not in skulls:
            yield f"arm {arm.id}: {arm.skull} is not a skull"
        if not arm.spaces:
            yield f"arm {arm.id}: it has no spaces"
    for skull in skulls:
        if skull not in [arm.skull for arm in data.arms]:
            yield f"skull {skull}: no arm begins there"


def _drawing_errors(data: BoardData) -> Iterator[str]:
    if not data.xy:
        return
    spaces = [*data.loop, *(s for arm in data.arms for s in arm.spaces), data.centre]
    missing = [space for space in spaces if space not in data.xy]
    if missing:
        yield f"xy: none for {', '.join(missing)}; place every space or none"
    for space in data.xy:
        if space not in spaces:
            yield f"xy: there is no space {space}"
    if not missing and _turning([data.xy[space] for space in data.loop]) < 0:
        yield "loop: drawn counter-clockwise; list it clockwise (y grows downwards)"


def _turning(points: list[tuple[float, float]]) -> float:
    """Twice the area within the points, positive where they run clockwise."""
    pairs = zip(points, (*points[1:], *points[:1]), strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)


def board(data: BoardData, names: tuple[str, ...]) -> Board:
    """The board of checked data; `names` are for houses without a character. Raises BadData."""
    errors = errors_of(data)
    if errors:
        raise BadData(*errors)
    arms = tuple(Arm(arm.id, arm.skull, arm.spaces) for arm in data.arms)
    free = iter([name for name in names if name not in {h.character for h in data.houses}])
    houses = tuple(
        House(h.id, h.space, h.cauldron, h.character or next(free, h.id)) for h in data.houses
    )
    xy: dict[Space, tuple[int, int]] = {
        space: (round(x), round(y)) for space, (x, y) in data.xy.items()
    } or coordinates(data.loop, data.centre, [(arm.skull, arm.spaces) for arm in arms])
    made = Board(data.id, data.players, data.cauldrons, data.centre, data.loop, houses, arms, xy)
    wanted = SETUP_TILES * data.players[1]
    if len(made.plain) < wanted:
        made.notes = (
            f"{len(made.plain)} plain spaces: not all {wanted} tiles of the setup will fit",
        )
    return made

"""`projections`: listed, released, rebuilt; and the dead letters."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from replay.words import moment
from services.cli import output, stores

if TYPE_CHECKING:
    from events.store import Store
    from services.condition import Condition
    from services.settings import Settings

Found = TypeVar("Found")


def overview(json: bool) -> None:
    from services.condition import conditions
    from services.worker import GROUPS

    found = _asked(stores.settings(), lambda store: conditions(store, list(GROUPS)))
    if json:
        output.as_json({"ok": True, "groups": found})
        return
    console = output.console()
    for one in found:
        console.print(_line(one))
        if one.deferred:
            console.print(f"  deferred in {one.deferred} partitions: {one.deferred_why}")
        for parked in one.parked:
            console.print(f"  parked   {parked.match} at version {parked.version}: {parked.why}")
        if one.parked_count > len(one.parked):
            console.print(f"  parked   {one.parked_count - len(one.parked)} more")


def _line(one: Condition) -> str:
    says = [f"{one.group:<10}version {one.version}"]
    if one.building:
        says.append(f"{one.building} is being built" + ("" if one.rebuilding else " by nobody"))
    if one.waiting:
        says.append(f"{one.waiting} wait, the oldest for {one.oldest_ms / 1000:.0f} s")
    else:
        says.append("nothing waits")
    each = [f"{worker} {count}" for worker, count in one.workers.items()]
    says.append(f"partitions: {', '.join(each)}" if each else "nobody works")
    if each and one.free:
        says.append(f"{one.free} partitions free")
    return "; ".join(says)


def release(name: str | None, match: str | None, every: bool, json: bool) -> None:
    from services.condition import release as released
    from services.worker import GROUPS

    if every == (match is not None) or (match is not None and name is None):
        raise output.usage("say which: NAME MATCH, or --all, or NAME --all")
    groups = list(GROUPS) if name is None else [_known(name, list(GROUPS))]
    count = _asked(stores.settings(), lambda store: released(store, groups, match))
    if not count and match is not None:
        hint = "`hallowstream projections` lists what is"
        raise output.usage(f"{match} is not parked for {name}", hint)
    if json:
        output.as_json({"ok": True, "released": count})
    else:
        output.console().print(f"{count} parked matches are tried again by the workers")


def rebuild(name: str, at_once: int, give_up: bool, data: Path | None, json: bool) -> None:
    from games import catalog
    from projections.rebuild import NotSwapped, Rebuild, Rebuilding
    from services.worker import PROJECTIONS

    projection = PROJECTIONS[_known(name, list(PROJECTIONS))]()
    settings = stores.settings(editions=data)
    if settings.editions is not None:
        catalog.load(settings.editions)
    if give_up:
        _give_up(settings, name, json)
        return
    seconds = settings.lease_seconds
    try:
        with output.logged_aside():
            report = _asked(settings, lambda s: Rebuild(s, projection, at_once, seconds).run())
    except (Rebuilding, NotSwapped) as error:
        hint = "the old version is read on; `hallowstream projections` shows how it stands"
        raise output.failed(f"{name} is not swapped: {error}", hint) from None
    if json:
        output.as_json({"ok": True, **report._asdict()})
        return
    says = f"version {report.version} of {name} is read now: "
    says += output.counted(report.matches, "match", "matches")
    console = output.console()
    console.print(f"{says}, {report.parked} of them parked")
    console.print(f"{report.compared} compared with the old version, {report.differ} differ")


def _give_up(settings: Settings, name: str, json: bool) -> None:
    version = _asked(settings, lambda store: store.give_up(name))
    if json:
        output.as_json({"ok": True, "given_up": version})
    elif version:
        output.console().print(f"version {version} of {name} is given up; the workers drop it")
    else:
        output.console().print(f"no version of {name} was being built")


def letters(limit: int, json: bool) -> None:
    found = _asked(stores.settings(), lambda store: store.letters(limit))
    if json:
        output.as_json({"ok": True, "letters": [letter._asdict() for letter in found]})
        return
    console = output.console()
    for one in found:
        said = f"{moment(one.at)}  {one.projection:<10}{one.match} at version {one.version}"
        console.print(f"{said}: {one.why}")
    if not found:
        console.print("no dead letters")


def _known(name: str, names: list[str]) -> str:
    """Raises Stop."""
    if name not in names:
        raise output.usage(f"no {name!r}; there are: {', '.join(names)}")
    return name


def _asked(settings: Settings, ask: Callable[[Store], Awaitable[Found]]) -> Found:
    """Raises Stop where the store cannot be reached."""

    async def asking() -> Found:
        async with stores.opened(settings) as store:
            return await ask(store)

    return asyncio.run(asking())

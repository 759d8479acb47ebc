"""What the servers of a store must be for nothing acknowledged to be lost."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from redis import Redis
from redis.exceptions import RedisError, ResponseError

from events.redis_address import Address, Place, parse, shown
from events.redis_slots import SLOTS
from events.server import FLOORS
from services.finding import Finding, found

SKEW = 1.0
"""Seconds by which the clocks may differ."""

ENOUGH = 3
"""Sentinels, of which a majority must be left to agree on a failover."""


def durability(url: str, replicas: int = 0) -> Iterator[Finding]:
    """How the servers keep what they are given, `replicas` being waited for.

    What is the same on all of them is said once. Raises RedisError, OSError, ValueError.
    """
    address = parse(url)
    urls = [url]
    if address.kind == "sentinel":
        finding, primary = _sentinels(address)
        yield finding
        urls = [address.at(primary)]
    elif member := _clustered(address, url):
        finding, places = _cluster(address, member)
        yield finding
        urls = [address.at(place) for place in places]
    looked = [(shown(url), list(_server(url, replicas))) for url in urls]
    names = dict.fromkeys(finding.name for _, findings in looked for finding in findings)
    for name in names:
        yield _worst([(place, f) for place, findings in looked for f in findings if f.name == name])


def _client(url: str) -> Any:
    return Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5, protocol=2)


def _worst(found: Sequence[tuple[str, Finding]]) -> Finding:
    """One for all servers; where one of them is worse than the others, it is named."""
    order = ("failed", "unknown", "ok")
    place, worst = min(found, key=lambda one: order.index(one[1].state))
    if len(found) == 1 or worst.state == "ok":
        return worst
    return Finding(worst.name, worst.state, f"{place}: {worst.says}", worst.fix)


def _sentinels(address: Address) -> tuple[Finding, Place]:
    """All of them, and the primary that those name who know of the latest failover."""
    named: list[tuple[int, Place]] = []
    troubles = []
    for place in address.places:
        name = f"{place[0]}:{place[1]}"
        try:
            with _client(address.watcher(place)) as client:
                told = client.execute_command("SENTINEL", "MASTER", address.service)
                about = dict(zip(told[::2], told[1::2], strict=True))
                primary = about[b"ip"].decode(), int(about[b"port"])
                named.append((int(about[b"config-epoch"]), primary))
                client.execute_command("SENTINEL", "CKQUORUM", address.service)
        except ResponseError as error:
            troubles.append(f"{name} says {error}")
        except (RedisError, OSError):
            troubles.append(f"{name} does not answer")
    if not named:
        raise RedisError(f"no sentinel names a primary: {'; '.join(troubles)}")
    if len(address.places) < ENOUGH:
        troubles.append(f"{len(address.places)} sentinels are too few")
    host, port = max(named)[1]
    says = f"{len(named)} sentinels watch over {address.service}, primary {host}:{port}"
    fix = f"run {ENOUGH} or more sentinels on machines of their own, and name them all"
    said = f"{says}; {'; '.join(troubles)}" if troubles else says
    return found("sentinels", not troubles, said, fix), (host, port)


def _clustered(address: Address, url: str) -> Place | None:
    """A server of the cluster, where it is one and answers."""
    if address.kind == "server":
        with _client(url) as client:
            clustered = client.info("cluster").get("cluster_enabled") == 1
        return address.places[0] if clustered and address.places else None
    for place in address.places:
        try:
            with _client(address.at(place)) as client:
                client.ping()
                return place
        except (RedisError, OSError):
            continue
    raise RedisError("no server of the cluster answers")


def _cluster(address: Address, place: Place) -> tuple[Finding, list[Place]]:
    """Whether all slots are served, each by a server with a replica; and the servers."""
    with _client(address.at(place)) as client:
        info = client.execute_command("CLUSTER INFO")
        slots = client.execute_command("CLUSTER", "SLOTS")
    places: dict[Place, int] = {}
    covered = 0
    for first, last, primary, *others in slots:
        at = (primary[0] or b"").decode() or place[0], primary[1]
        places[at] = min(places.get(at, len(others)), len(others))
        covered += last - first + 1
    alone = [f"{host}:{port}" for (host, port), count in places.items() if not count]
    well = info["cluster_state"] == "ok" and covered == SLOTS and not alone
    says = f"cluster of {len(places)} masters, state {info['cluster_state']}, {covered} slots"
    if alone:
        says += f"; without a replica: {', '.join(alone)}"
    return found("cluster", well, says, "give every master a replica, and every slot a master"), [
        *places
    ]


def _server(url: str, replicas: int) -> Iterator[Finding]:
    with _client(url) as client:
        info = client.info()
        yield _version(info)
        yield _clock(client)
        yield _setting(client, "appendonly", "yes", "AOF", "what is acknowledged may be lost")
        yield _setting(client, "appendfsync", "always", "fsync", "a crash may lose a second")
        yield _setting(client, "maxmemory-policy", "noeviction", "eviction", "matches may vanish")
        yield from _replicas(client, int(info.get("connected_slaves", 0)), replicas)


def _version(info: dict[str, Any]) -> Finding:
    kind = "valkey" if "valkey_version" in info else "redis"
    text = str(info[f"{kind}_version"])
    version = tuple(int(part) for part in text.split(".")[:2])
    floor = ".".join(map(str, FLOORS[kind]))
    says = f"{kind} {text}"
    return found("version", version >= FLOORS[kind], says, f"update it to {kind} {floor} or newer")


def _clock(client: Any) -> Finding:
    before = time.time()
    seconds, micros = client.time()
    skew = abs(seconds + micros / 1e6 - (before + time.time()) / 2)
    says = f"the store's clock and ours differ by {skew:.3f} s"
    return found("clock", skew <= SKEW, says, "let both machines keep time by NTP")


def _setting(client: Any, name: str, wanted: str, title: str, danger: str) -> Finding:
    try:
        value = client.config_get(name)[name]
    except (RedisError, KeyError):
        says = f"{name} cannot be read here; it must be `{wanted}`, or {danger}"
        return Finding(title, "unknown", says, "ask whoever runs this store")
    if value == wanted:
        return Finding(title, "ok", f"{name} is {value}")
    fix = f"CONFIG SET {name} {wanted}, and the same in the server's own configuration"
    return Finding(title, "failed", f"{name} is {value}, not {wanted}: {danger}", fix)


def _replicas(client: Any, connected: int, waited: int) -> Iterator[Finding]:
    """A failover keeps what has reached the replica that takes over, and nothing else."""
    if connected < waited:
        says = f"HALLOWSTREAM_REPLICAS is {waited}, but {connected} follow: nothing is confirmed"
        yield Finding("WAIT", "failed", says, "start the replicas, or wait for fewer")
    if not connected:
        return
    try:
        wanted = int(client.config_get("min-replicas-to-write")["min-replicas-to-write"])
    except (RedisError, KeyError):
        wanted = 0
    says = f"{connected} replica{'' if connected == 1 else 's'}, min-replicas-to-write is {wanted}"
    fix = "CONFIG SET min-replicas-to-write 1, or a primary that is cut off goes on alone"
    yield found("replicas", wanted >= 1, says, fix)
    if waited <= connected:
        yield _waited(connected, waited)


def _waited(connected: int, waited: int) -> Finding:
    says = f"{waited} of {connected} replicas have an answer before it is acknowledged"
    if not waited:
        fix = f"set HALLOWSTREAM_REPLICAS to {connected}, or a failover loses the newest answers"
        return Finding("WAIT", "failed", says, fix)
    if waited < connected:
        says += "; a failover to one of the others can lose the newest"
    return Finding("WAIT", "ok", says)

"""Where a store is: a server, a cluster, or a primary that sentinels watch over."""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from redis.asyncio import ConnectionPool

Kind = Literal["server", "cluster", "sentinel"]
Place = tuple[str, int]

FORMS = (
    "redis://host:6379, rediss://host:6379, unix:///path/to/socket, "
    "redis+cluster://host:6379,host:6379 or redis+sentinel://host:26379,host:26379/service"
)
_PORTS: dict[Kind, int] = {"server": 6379, "cluster": 6379, "sentinel": 26379}
_KINDS: dict[str, tuple[str, Kind]] = {
    "redis": ("redis", "server"),
    "rediss": ("rediss", "server"),
    "redis+cluster": ("redis", "cluster"),
    "rediss+cluster": ("rediss", "cluster"),
    "redis+sentinel": ("redis", "sentinel"),
    "rediss+sentinel": ("rediss", "sentinel"),
}
_PLACE = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:/?#@\s]+))(?::(?P<port>\d+))?")
_OURS = ("sentinel_username", "sentinel_password", "sentinel_tls")


class BadAddress(ValueError):
    """The address of the store cannot be read; says what is wrong with it and what one looks like.

    Never shows user, password or query.
    """

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; an address is like {FORMS}")


class Address(NamedTuple):
    """`places` are servers of a cluster, or sentinels. `server` and `sentinel` are what comes
    before and after a place in the address of one that is found by them."""

    kind: Kind
    places: tuple[Place, ...]
    service: str
    server: tuple[str, str]
    sentinel: tuple[str, str]

    def at(self, place: Place) -> str:
        """The address of one server, with user, password and all."""
        return _joined(self.server, place)

    def watcher(self, place: Place) -> str:
        """The address of one sentinel."""
        return _joined(self.sentinel, place)


def parse(url: str) -> Address:
    """Raises BadAddress."""
    scheme, found, rest = url.partition("://")
    if scheme == "unix" and found:
        _checked(url)
        return Address("server", (), "", (url, ""), ("", ""))
    if not found or scheme not in _KINDS:
        raise BadAddress("REDIS_URL has no such form" if found else "REDIS_URL is no address")
    plain, kind = _KINDS[scheme]
    netloc, path, query = _split(rest)
    user, at, hosts = netloc.rpartition("@")
    places = tuple(_place(host, _PORTS[kind]) for host in hosts.split(","))
    service, db = _service_and_db(kind, path)
    options = dict(parse_qsl(query, keep_blank_values=True))
    own = {name: options.pop(name) for name in _OURS if name in options}
    if kind == "server" and len(places) > 1:
        raise BadAddress("several hosts belong to a cluster or to sentinels")
    if own and kind != "sentinel":
        raise BadAddress(f"{next(iter(own))} is for sentinels")
    tail = f"/{db}" if db else ""
    tail += f"?{urlencode(options)}" if options else ""
    address = Address(
        kind, places, service, (f"{plain}://{user}{at}", tail), _watch(plain, own, options)
    )
    _checked(address.at(places[0]))
    return address


def shown(url: str) -> str:
    """The address without user, password and query, to be read by anybody."""
    try:
        parse(url)
    except BadAddress:
        return "an address that cannot be read"
    scheme, _, rest = url.partition("://")
    netloc, path, _ = _split(rest)
    return f"{scheme}://{netloc.rpartition('@')[2]}{path}"


def _split(rest: str) -> tuple[str, str, str]:
    """Host, path and query of what stands behind the scheme."""
    parts = urlsplit(f"//{rest.partition('?')[0].partition('#')[0]}", allow_fragments=False)
    return parts.netloc, parts.path, rest.partition("?")[2]


def _place(text: str, port: int) -> Place:
    found = _PLACE.fullmatch(text)
    if found is None:
        raise BadAddress("a host is missing or is none" if text else "a host is missing")
    number = int(found["port"] or port)
    if not 0 < number < 65536:
        raise BadAddress(f"{number} is no port")
    return unquote(found["six"] or found["name"]), number


def _service_and_db(kind: Kind, path: str) -> tuple[str, str]:
    parts = [unquote(part) for part in path.split("/")[1:] if part]
    service = ""
    if kind == "sentinel":
        if not parts:
            raise BadAddress("the name of the service that the sentinels watch is missing")
        service, *parts = parts
    if len(parts) > 1 or not all(part.isdecimal() for part in parts):
        raise BadAddress("what follows the hosts is no number of a database")
    if kind == "cluster" and parts not in ([], ["0"]):
        raise BadAddress("a cluster has no numbered databases")
    return service, "".join(parts)


def _watch(plain: str, own: dict[str, str], options: dict[str, str]) -> tuple[str, str]:
    """How sentinels are spoken to: over TLS like the servers, unless that is said otherwise."""
    tls = own.get("sentinel_tls", "yes" if plain == "rediss" else "no")
    if tls not in ("yes", "no"):
        raise BadAddress("sentinel_tls is `yes` or `no`")
    user = quote(own.get("sentinel_username", ""), safe="")
    password = quote(own.get("sentinel_password", ""), safe="")
    credentials = f"{user}:{password}@" if user or password else ""
    if tls == "no":
        return f"redis://{credentials}", ""
    ssl = {name: value for name, value in options.items() if name.startswith("ssl_")}
    return f"rediss://{credentials}", f"?{urlencode(ssl)}" if ssl else ""


def _joined(around: tuple[str, str], place: Place) -> str:
    host, port = place
    return f"{around[0]}{f'[{host}]' if ':' in host else quote(host, safe='')}:{port}{around[1]}"


def _checked(url: str) -> None:
    """Whether redis-py can make a connection of it. Raises BadAddress."""
    try:
        pool: Any = ConnectionPool.from_url(url)
        pool.make_connection()
    except (ValueError, TypeError) as error:
        unknown = re.search(r"unexpected keyword argument '(\w+)'", str(error))
        why = f"{unknown[1]} is no setting of a connection" if unknown else "a setting is wrong"
        raise BadAddress(why) from None

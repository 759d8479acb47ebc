"""Addresses of a store: what they lead to, and what is said of those that lead nowhere."""

from __future__ import annotations

import pytest

from events.redis_address import FORMS, BadAddress, parse, shown


def test_a_server() -> None:
    found = parse("redis://me:p%40ss@host:1/2?socket_keepalive=yes")
    assert (found.kind, found.places) == ("server", (("host", 1),))
    assert found.at(("other", 3)) == "redis://me:p%40ss@other:3/2?socket_keepalive=yes"
    assert parse("rediss://host").places == (("host", 6379),)


def test_a_socket() -> None:
    assert parse("unix:///run/redis.sock?db=1").kind == "server"
    assert shown("unix:///run/redis.sock?password=secret") == "unix:///run/redis.sock"


def test_a_cluster() -> None:
    found = parse("redis+cluster://me:word@a,b:7001,[::1]:7002")
    assert found.kind == "cluster"
    assert found.places == (("a", 6379), ("b", 7001), ("::1", 7002))
    assert found.at(("::1", 7002)) == "redis://me:word@[::1]:7002"
    assert parse("rediss+cluster://a/0").at(("a", 1)) == "rediss://a:1/0"


def test_sentinels() -> None:
    found = parse("redis+sentinel://me:word@a,b:7/the%20games/3?sentinel_password=p%2Fq")
    assert (found.kind, found.service) == ("sentinel", "the games")
    assert found.places == (("a", 26379), ("b", 7))
    assert found.at(("c", 6379)) == "redis://me:word@c:6379/3"
    assert found.watcher(("a", 26379)) == "redis://:p%2Fq@a:26379"


@pytest.mark.parametrize(
    ("more", "watcher"),
    [
        ("", "rediss://a:1"),
        ("?ssl_cert_reqs=none", "rediss://a:1?ssl_cert_reqs=none"),
        ("?ssl_cert_reqs=none&sentinel_tls=no", "redis://a:1"),
        ("?sentinel_tls=no&sentinel_username=u&sentinel_password=p", "redis://u:p@a:1"),
    ],
)
def test_sentinels_are_spoken_to_over_tls_too(more: str, watcher: str) -> None:
    found = parse(f"rediss+sentinel://a:1/games{more}")
    assert found.watcher(("a", 1)) == watcher
    assert found.at(("b", 2)).startswith("rediss://b:2")


BAD = {
    "redis+sentinel://a": "service",
    "redis+sentinel://a/games/one": "number of a database",
    "redis+sentinel://a/games/1/2": "number of a database",
    "redis+sentinel://a/games?sentinel_tls=maybe": "yes",
    "redis+cluster://a/1": "no numbered databases",
    "redis+cluster://a,,b": "a host is missing",
    "redis+cluster://": "a host is missing",
    "redis+cluster://a:b:c": "a host is missing or is none",
    "redis://a,b": "several hosts",
    "redis://a:0": "0 is no port",
    "redis://a:65536": "65536 is no port",
    "redis://a/x": "number of a database",
    "redis://a?color=red": "color is no setting",
    "redis://a?socket_timeout=soon": "a setting is wrong",
    "redis://a?sentinel_password=x": "for sentinels",
    "unix:///a?color=red": "color is no setting",
    "http://a": "no such form",
    "redis+other://a": "no such form",
    "somewhere": "no address",
    "": "no address",
}


@pytest.mark.parametrize(("url", "why"), BAD.items())
def test_what_is_no_address(url: str, why: str) -> None:
    with pytest.raises(BadAddress, match=why) as caught:
        parse(url)
    assert FORMS in str(caught.value)
    assert shown(url) == "an address that cannot be read"


@pytest.mark.parametrize(
    "url",
    [
        "redis://me:secret@host:1/2?password=secret",
        "redis+cluster://me:secret@a,b",
        "redis+sentinel://:secret@a/games?sentinel_password=secret",
        "redis://me:secret/word@host",
        "redis://me:sec?ret@host",
        "redis://me:secret#x@host?secret=secret",
    ],
)
def test_no_secret_is_shown(url: str) -> None:
    assert "sec" not in shown(url) and "ret" not in shown(url)
    with pytest.raises(BadAddress) as caught:
        parse(f"{url}&color=red" if "?" in url else f"{url}?color=red")
    assert "secret" not in str(caught.value)

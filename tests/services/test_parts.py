"""Small parts: ids, settings, logs, limits, metrics, cursors."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path
from typing import Any

import pytest
import structlog
from pydantic import ValidationError

from events.store import Unavailable
from services import ids, logs
from services.commands import Command, command_id
from services.inputs import checked_key
from services.keys import Keys, UnknownKey, load, parse
from services.limits import Limit
from services.settings import Settings, rate
from services.wiring import Parts
from tests.services.api import ADMIN, Client, answer, in_memory, running, settings, told


class TestIds:
    def test_of_matches_sort_by_time(self) -> None:
        made = [ids.match_id(ms) for ms in (1, 2, 1000, 2**47)]
        assert made == sorted(made) and len(set(map(len, made))) == 1
        assert all(map(ids.is_match_id, made))
        assert ids.match_id(5, bytes(10)) == ids.match_id(5, bytes(10))

    @pytest.mark.parametrize("text", ["", "x", "0" * 25, "0" * 27, "I" * 26, "0" * 25 + "\n"])
    def test_that_are_none(self, text: str) -> None:
        assert not ids.is_match_id(text)

    def test_base62_has_a_fixed_width(self) -> None:
        assert {len(ids.base62(data)) for data in (bytes(32), b"\xff" * 32)} == {43}
        assert ids.base62(bytes(31) + b"\x3e") == "0" * 41 + "10"

    def test_a_key_is_sixteen_bytes(self) -> None:
        uuid = "8e03978e-40d5-43dd-bc93-6894a57f9324"
        assert command_id(uuid).hex() == uuid.replace("-", "")
        assert len(command_id("any other key of a client")) == 16
        assert checked_key(f'"{uuid}"') == uuid


class TestSettings:
    def test_from_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REDIS_URL", "redis://here")
        monkeypatch.setenv("HALLOWSTREAM_CORS_ORIGINS", "https://a.example, https://b.example")
        monkeypatch.setenv("HALLOWSTREAM_ADMIN_KEY", ADMIN)
        made = Settings()
        assert made.redis_url == "redis://here"
        assert made.cors_origins == ("https://a.example", "https://b.example")
        assert ADMIN not in repr(made) and ADMIN not in str(made)

    @pytest.mark.parametrize(
        "given",
        [
            {"admin_key": "short"},
            {"rate_token": "fast"},
            {"rate_address": "1/0"},
            {"log_level": "loud"},
            {"port": 70_000},
        ],
    )
    def test_what_is_not_allowed(self, given: dict[str, Any]) -> None:
        with pytest.raises(ValidationError):
            Settings(**given)

    def test_rates(self) -> None:
        assert rate("0") is None and rate("60/10") == (60, 10)

    def test_keys_from_the_environment_or_a_file(self, tmp_path: Path) -> None:
        given = Settings(server_keys="ab" * 32, data=tmp_path)  # type: ignore[arg-type]
        assert given.keys().current == parse("ab" * 32).current
        assert not list(tmp_path.iterdir())
        own = Settings(server_keys="", data=tmp_path)  # type: ignore[arg-type]
        assert own.keys().current == own.keys().current
        assert (tmp_path / "keys").stat().st_mode & 0o077 == 0

    async def test_without_a_store_nothing_is_wired(self) -> None:
        with pytest.raises(ValueError, match="REDIS_URL"):
            await Parts.open(settings(redis_url=""))


class TestKeys:
    def test_too_short(self) -> None:
        with pytest.raises(ValueError, match="32 bytes"):
            Keys([b"short"])

    def test_old_ones_are_kept(self) -> None:
        old, new = b"o" * 32, b"n" * 32
        before, after = Keys([old]), Keys([new, old])
        assert after.seed(before.current, "m") == before.seed(before.current, "m")
        assert after.current != before.current
        with pytest.raises(UnknownKey, match=after.current):
            before.seed(after.current, "m")

    def test_purposes_and_matches_differ(self) -> None:
        keys = Keys([b"k" * 32])
        made = [
            keys.seed(keys.current, "m"),
            keys.seal_secret(keys.current, "m"),
            keys.token(keys.current, "m"),
            keys.seed(keys.current, "n"),
        ]
        assert len(set(made)) == 4

    def test_two_processes_make_one_file(self, tmp_path: Path) -> None:
        assert load(tmp_path / "keys").current == load(tmp_path / "keys").current


class TestLimit:
    def test_lets_through_and_recovers(self) -> None:
        limit = Limit("seat", (2, 10))
        first, second, third = (limit.take("anna", now=100.0) for _ in range(3))
        assert first and second and third
        assert (first.left, second.left, third.left) == (1, 0, 0)
        assert first.wait == second.wait == 0 and third.wait == pytest.approx(5)
        later = limit.take("anna", now=105.0)
        assert later and later.wait == 0
        other = limit.take("berta", now=100.0)
        assert other and other.left == 1

    def test_says_so_in_headers(self) -> None:
        limit = Limit("seat", (60, 60))
        standing = limit.take("anna", now=0.0)
        assert standing is not None
        assert dict(limit.headers(standing)) == {
            b"ratelimit-policy": b'"seat";q=60;w=60',
            b"ratelimit": b'"seat";r=59;t=1',
        }

    def test_none(self) -> None:
        assert Limit("seat", None).take("anna") is None

    def test_remembers_so_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("services.limits.REMEMBERED", 3)
        limit = Limit("seat", (1, 10))
        for number in range(10):
            limit.take(str(number), now=0.0)
        assert len(limit._due) == 3


class TestLogs:
    @pytest.fixture(autouse=True)
    def as_before(self) -> Any:
        before, root = structlog.get_config(), logging.getLogger()
        handlers, level = root.handlers[:], root.level
        yield
        structlog.configure(**before)
        root.handlers[:], root.level = handlers, level

    def lines(self, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> io.StringIO:
        text = io.StringIO()
        monkeypatch.setattr("sys.stderr", text)
        logs.configure(settings(log_level="info", **changes))
        return text

    def test_json_in_production(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = self.lines(monkeypatch)
        with structlog.contextvars.bound_contextvars(match="M", seat=1, command="c"):
            structlog.get_logger().info("accepted", version=4)
        line = json.loads(text.getvalue())
        assert line["event"] == "accepted" and line["level"] == "info" and line["timestamp"]
        assert (line["match"], line["seat"], line["command"], line["version"]) == ("M", 1, "c", 4)

    def test_readable_on_a_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = self.lines(monkeypatch, log_format="console")
        structlog.get_logger().info("accepted", version=4)
        assert "accepted" in text.getvalue() and not text.getvalue().startswith("{")

    @pytest.mark.parametrize("log_format", ["json", "console"])
    def test_never_a_secret(self, monkeypatch: pytest.MonkeyPatch, log_format: str) -> None:
        text = self.lines(monkeypatch, log_format=log_format)
        token = "hs_seat_" + "a1" * 21
        logger = structlog.get_logger()
        logger.info(f"a line with {token}", path=f"/x?{token}", token="plain secret")
        try:
            secret_value = f"local value {token}"
            raise RuntimeError(f"failed with {token}", len(secret_value))
        except RuntimeError:
            logger.exception("oops")
        logging.getLogger("uvicorn.error").warning("foreign line with %s", token)
        assert token not in text.getvalue() and "plain secret" not in text.getvalue()
        assert text.getvalue().count("[hidden]") >= 4 and "local value" not in text.getvalue()

    async def test_of_requests(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = self.lines(monkeypatch)
        monkeypatch.setattr("services.desk.logger", structlog.get_logger())
        async with in_memory() as api:
            match = await api.playing()
            await match.move()
        found = [json.loads(line) for line in text.getvalue().splitlines()]
        accepted = [line for line in found if line["event"] == "accepted"]
        assert [line["version"] for line in accepted] == [1, 2, 3, 4, 5]
        assert all(line["match"] == match.id and line["command"] for line in accepted)
        assert accepted[-1]["seat"] == 0
        assert "hs_" not in text.getvalue()

    async def test_of_streams(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async with running() as api:
            text = self.lines(monkeypatch)
            monkeypatch.setattr("services.desk.logger", structlog.get_logger())
            match, store = await api.playing(), api.desk.store

            async def away(*words: Any) -> None:
                raise Unavailable("down")

            async with api.stream(match.id, match.seats[0]) as socket:
                question = (await told(socket))["question"]
                with monkeypatch.context() as patch:
                    patch.setattr(store, "append", away)
                    await socket.send(answer(question))
                    assert (await told(socket))["type"] == "refused"
                await socket.send(answer(question))
                assert [(await told(socket))["type"] for _ in range(2)] == ["commit", "accepted"]
        found = [json.loads(line) for line in text.getvalue().splitlines()]
        seen = [line for line in found if line.get("seat") == 0][-2:]
        assert [line["event"] for line in seen] == ["store_unavailable", "accepted"]
        assert [line["match"] for line in seen] == [match.id] * 2
        assert seen[1]["version"] == 5 and len(seen[1]["command"]) == 32


def test_a_command_that_gives_a_token_does_not_show_its_id() -> None:
    async def prepare(events: Any) -> None: ...

    plain = Command(b"0123456789abcdef", 0, lambda table, seed: ([], 0), lambda c, b: True)
    assert plain.shown == plain.id.hex()
    giving = plain._replace(prepare=prepare)
    assert giving.shown.startswith("sha256:") and plain.id.hex() not in giving.shown


class TestRunning:
    async def test_alive_and_ready(self, api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        assert (await api.get("/livez")).json() == {"ok": True}
        assert (await api.get("/readyz")).json()["ready"] is True

        async def away(*_: Any) -> None:
            raise Unavailable("gone")

        monkeypatch.setattr(api.desk.store, "metas", away)
        reply = await api.get("/readyz")
        assert (reply.status_code, reply.json()["code"]) == (503, "unavailable")
        assert (await api.get("/livez")).status_code == 200

    async def test_metrics_name_no_match(self, api: Client) -> None:
        match = await api.playing()
        await match.finished()
        await match.answer(0, "x", "1.1")
        text = (await api.get("/metrics")).text
        assert 'hallowstream_commands_accepted_total{game="pumpkin-patch"}' in text
        assert 'route="/v1/matches/{match}/answers",status="200"' in text
        assert 'hallowstream_refused_total{code="match_over"} 1.0' in text
        assert match.id not in text and "hs_" not in text

    async def test_metrics_behind_a_token(self) -> None:
        async with in_memory(chosen=settings(metrics_token="let me read them")) as api:
            assert (await api.get("/metrics")).status_code == 401
            assert (await api.get("/metrics", "wrong")).json()["code"] == "unknown_token"
            assert (await api.get("/metrics", "let me read them")).status_code == 200

    async def test_browsers_of_known_origins(self) -> None:
        async with in_memory(chosen=settings(cors_origins="https://app.example")) as api:
            ours = {"origin": "https://app.example"}
            reply = await api.get("/v1/games", headers=ours)
            assert reply.headers["access-control-allow-origin"] == "https://app.example"
            exposed = reply.headers["access-control-expose-headers"]
            assert "ETag" in exposed and "Idempotent-Replayed" in exposed
            asked = await api.http.options(
                "/v1/matches",
                headers={
                    **ours,
                    "access-control-request-method": "POST",
                    "access-control-request-headers": "authorization,idempotency-key",
                },
            )
            assert asked.status_code == 200
            other = await api.get("/v1/games", headers={"origin": "https://evil.example"})
            assert "access-control-allow-origin" not in other.headers

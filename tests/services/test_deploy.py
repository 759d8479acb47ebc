"""What is deployed beside the code speaks of what there is: metrics, settings, alerts, pages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest

from services.exporter import Figures
from services.settings import Settings, variable
from tests.services.api import in_memory

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
ALERTS = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
RULES: list[dict[str, Any]] = [rule for group in ALERTS["groups"] for rule in group["rules"]]
BOARD = json.loads((DEPLOY / "grafana" / "dashboards" / "hallowstream.json").read_text())
COMPOSE = (ROOT / "docker-compose.yml").read_text()

THEIRS = {"up"}
"""Series that Prometheus makes of its own."""


def names(expression: str) -> set[str]:
    """The series an expression speaks of."""
    bare = re.sub(r'"[^"]*"|\{[^{}]*\}|\[[^\]]*\]', " ", re.sub(r'"[^"]*"', '""', expression))
    bare = re.sub(r"\b(by|without)\s*\([^)]*\)", " ", bare)
    words = re.findall(r"\b[a-z][a-z_]+\b(?!\s*\()", bare)
    return {word for word in words if word not in ("and", "or", "unless", "bool")}


def expressions() -> Iterator[tuple[str, str]]:
    for rule in RULES:
        yield rule["alert"], rule["expr"]
    for panel in BOARD["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


@pytest.fixture
async def series() -> set[str]:
    """Every name that an API and a worker show, once each of them has happened."""
    registry = CollectorRegistry()
    registry.register(Figures(lambda: []))
    text = generate_latest(registry).decode()
    async with in_memory() as api:
        await api.playing()
        text += (await api.get("/metrics")).text
    families = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    made = set()
    for name, kind in families.items():
        ends = ("_bucket", "_sum", "_count") if kind == "histogram" else ("",)
        made |= {name + end for end in ends}
    return made


async def test_every_series_is_shown_by_a_process(series: set[str]) -> None:
    asked = {name: where for where, text in expressions() for name in names(text)}
    assert len(asked) > 20
    unknown = {name: where for name, where in asked.items() if name not in series | THEIRS}
    assert not unknown


def test_series_are_found_in_expressions() -> None:
    assert names('sum by (le) (rate(a_total{b="c_d"}[5m])) > 0.1 * max(e_f)') == {"a_total", "e_f"}


async def test_labels_are_those_of_the_series() -> None:
    async with in_memory() as api:
        match = await api.playing()
        await match.move()
        reply = await api.get("/metrics")
    assert reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    text = reply.text
    assert (
        'hallowstream_request_seconds_bucket{le="0.25",route="/v1/matches/{match}/answers"}' in text
    )
    assert (
        'hallowstream_requests_total{method="GET",route="/v1/matches/{match}",status="200"}' in text
    )
    for name in ("lag_seconds", "parked_matches", "partitions_free", "projection_building"):
        assert f'hallowstream_{name}{{group="views"}}' in text


async def test_what_alerts_count_is_shown_from_0_on() -> None:
    """Of a series that begins with its first count no growth can be told."""
    counted = {
        f'{name}{{{label}="{value}"}} 0.0'
        for rule in RULES
        for name, label, values in re.findall(
            r'(?:increase|rate|delta)\((\w+)\{(code|what)=~?"([^"]+)"\}', rule["expr"]
        )
        for value in values.split("|")
    }
    assert len(counted) >= 9
    async with in_memory() as api:
        lines = set((await api.get("/metrics")).text.splitlines())
    assert not counted - lines


async def test_our_own_mistakes_are_counted_wherever_they_happen(monkeypatch: Any) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("a mistake")

    async with in_memory() as api:
        match = await api.playing()
        monkeypatch.setattr(api.desk.store, "append", broken)
        with pytest.raises(AssertionError, match="this is our mistake"):
            await match.move()
        monkeypatch.setattr(api.desk.matches, "refresh", broken)
        assert (await api.get(match.path)).status_code == 500
        text = (await api.get("/metrics")).text
    assert 'hallowstream_refused_total{code="internal"} 2.0' in text


@pytest.mark.parametrize(
    "words",
    [("check", "config", "prometheus.yml"), ("test", "rules", "alerts_test.yml")],
    ids=["config", "alerts"],
)
def test_prometheus_takes_them(words: tuple[str, ...]) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("no promtool, which comes with Prometheus: its own tests need it")
    where = DEPLOY / "prometheus"
    done = subprocess.run(
        [promtool, *words], cwd=where, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_a_case_in_which_it_comes() -> None:
    cases = yaml.safe_load((DEPLOY / "prometheus" / "alerts_test.yml").read_text())["tests"]
    asked = [case for test in cases for case in test["alert_rule_test"]]
    alerts = {rule["alert"] for rule in RULES}
    assert {case["alertname"] for case in asked if case.get("exp_alerts")} == alerts
    assert {case["alertname"] for case in cases[0]["alert_rule_test"]} == alerts


def test_every_alert_is_explained() -> None:
    page = (ROOT / "docs" / "operators.md").read_text()
    for rule in RULES:
        assert f"| `{rule['alert']}` |" in page, rule["alert"]
        assert rule["annotations"]["summary"] and rule["labels"]["severity"] in ("page", "ticket")
    told = set(re.findall(r"^\| `([A-Z]\w+)` \|", page, re.MULTILINE))
    assert told == {rule["alert"] for rule in RULES}


def test_every_setting_that_is_named_is_one() -> None:
    known = {variable(name) for name in Settings.model_fields}
    places = [ROOT / "docker-compose.yml", ROOT / ".env.example", ROOT / "docs" / "operators.md"]
    for path in [*places, *(path for path in DEPLOY.rglob("*") if path.is_file())]:
        named = set(re.findall(r"\bHALLOWSTREAM_[A-Z_]+\b", path.read_text()))
        of_compose = {"HALLOWSTREAM_PORT", "HALLOWSTREAM_CLUSTER_PORT", "HALLOWSTREAM_URL"}
        assert named <= known | of_compose, path


def test_what_compose_mounts_is_there() -> None:
    mounted = re.findall(r"- (\./[^:]+):", COMPOSE)
    assert mounted and all((ROOT / path).exists() for path in mounted)
    profiles = {
        name: service.get("profiles", [])
        for name, service in yaml.safe_load(COMPOSE)["services"].items()
    }
    assert [name for name, only in profiles.items() if not only] == ["redis", "api", "worker"]
    assert sum(only == ["cluster"] for only in profiles.values()) == 9
    assert {name for name, only in profiles.items() if only == ["metrics"]} == {
        "prometheus",
        "grafana",
    }


def test_what_the_image_is_made_of_is_handed_to_it() -> None:
    copies = re.findall(r"^COPY (?!--)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    given = set((ROOT / ".dockerignore").read_text().splitlines())
    sources = [source for copied in copies for source in copied.split()]
    assert {f"!{source}" for source in sources} == {line for line in given if line[0] == "!"}
    assert all((ROOT / source).exists() for source in sources)


def test_what_is_tested_is_what_runs() -> None:
    """Each package that runs, or builds what runs, is locked at the version that is tested."""
    locked = {
        name: set(re.findall(r"^(\S+==[^ ;]+)", (ROOT / "requirements" / name).read_text(), re.M))
        for name in ("run.txt", "build.txt", "dev.txt")
    }
    assert locked["build.txt"] and locked["run.txt"]
    assert locked["build.txt"] | locked["run.txt"] <= locked["dev.txt"]


def test_redis_is_run_as_doctor_wants_it() -> None:
    conf = (DEPLOY / "redis" / "hallowstream.conf").read_text()
    lines = (line.split(" ", 1) for line in conf.splitlines() if line and line[0] != "#")
    kept = {f"--{name}": value.strip('"') for name, value in lines}
    services = yaml.safe_load(COMPOSE)["services"]
    for name in ("redis", "node-1"):
        words = services[name]["command"]
        given = dict(zip(words[1::2], words[2::2], strict=False))
        assert given["--appendonly"] == "yes" and given["--appendfsync"] == "always"
        assert given["--maxmemory-policy"] == "noeviction"
        assert given["--stream-node-max-bytes"] == "1024"
        assert {option: given[option] for option in kept if option in given}.items() <= kept.items()


def test_a_worker_is_well_while_its_own_work_goes_on() -> None:
    """Not while all is well with the store: one parked match must not have workers restarted."""
    services = yaml.safe_load(COMPOSE)["services"]
    for name in ("worker", "cluster-worker"):
        port = services[name]["environment"]["HALLOWSTREAM_WORKER_METRICS_PORT"]
        assert f"http://127.0.0.1:{port}/livez" in services[name]["healthcheck"]["test"][-1]


def test_each_store_of_compose_has_an_archive_of_its_own() -> None:
    services = yaml.safe_load(COMPOSE)["services"]
    volumes = {}
    for name in ("api", "worker", "cluster-api", "cluster-worker"):
        assert "HALLOWSTREAM_ARCHIVE" in services[name]["environment"]
        (volume,) = services[name]["volumes"]
        volumes[name], _, where = volume.partition(":")
        assert where == "/archive"
    assert where in (ROOT / "Dockerfile").read_text()
    assert volumes["api"] == volumes["worker"] != volumes["cluster-api"]
    assert volumes["cluster-api"] == volumes["cluster-worker"]
    assert set(volumes.values()) <= yaml.safe_load(COMPOSE)["volumes"].keys()

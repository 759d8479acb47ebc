"""What is documented is what is done: the pages, the OpenAPI document, and replies against it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import validate

from games.bots import page_of, sent
from projections.disputes import Disputes
from projections.runner import Runner
from services import docs, problems
from services.api import create_app
from services.settings import Settings, variable
from services.shapes import Answering
from tests.services.api import ADMIN, TOY, Client, Running, any_option, told


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    made: dict[str, Any] = create_app(Settings()).openapi()
    return made


class Schemas:
    """Checks data against a named schema of the document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.components = {"components": document["components"]}

    def check(self, data: Any, name: str) -> None:
        schema = {"$ref": f"#/components/schemas/{name}", **self.components}
        jsonschema.Draft202012Validator(schema).validate(data)


@pytest.fixture
def schemas(document: dict[str, Any]) -> Schemas:
    return Schemas(document)


@pytest.mark.parametrize("name", docs.PAGES)
def test_pages_are_up_to_date(name: str) -> None:
    """`python -m services.docs` writes them."""
    assert (docs.FOLDER / name).read_text() == docs.PAGES[name]()


def test_pages_are_written(tmp_path: Path) -> None:
    docs.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(docs.PAGES)


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    validate(document)
    assert document["openapi"].startswith("3.1")


def test_every_union_of_objects_has_a_name(document: dict[str, Any]) -> None:
    def nameless(part: Any, path: str) -> list[str]:
        if isinstance(part, list):
            return [p for i, each in enumerate(part) for p in nameless(each, f"{path}/{i}")]
        if not isinstance(part, dict):
            return []
        found = [p for key, each in part.items() for p in nameless(each, f"{path}/{key}")]
        members = [m for m in part.get("anyOf", ()) if "$ref" in m]
        return [*found, path] if len(members) > 1 and path.count("/") > 1 else found

    assert nameless(document["components"]["schemas"], "") == []
    assert nameless(document["paths"], "/") == []


def test_every_route_says_what_can_go_wrong(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert "422" in operation["responses"], (method, path)
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    (media,) = response["content"]
                    assert media == "application/problem+json", (path, status)


def test_environment_names() -> None:
    assert variable("redis_url") == "REDIS_URL"
    assert variable("log_level") == "HALLOWSTREAM_LOG_LEVEL"


async def test_what_comes_back_is_as_documented(live: Running, schemas: Schemas) -> None:
    match = await live.made(2)
    schemas.check((await live.get("/v1/games")).json(), "Catalogue")
    for game in (TOY, "tricks-and-treats"):
        schemas.check((await live.get(f"/v1/games/{game}")).json(), "GameDetail")
    schemas.check(await match.view(), "View")
    for _ in range(2):
        schemas.check(await match.join(), "Accepted")
    started = await live.post(f"{match.path}/start", match.host)
    schemas.check(started.json(), "Accepted")
    async with live.stream(match.id, match.seats[0], after=0) as socket:
        await match.finished()
        version = (await match.view())["version"]
        for _ in range(version + 1):
            message = await told(socket)
            schemas.check(message, "StreamMessage")
            kind = {"hello": "Hello", "commit": "CommitMessage"}[message["type"]]
            schemas.check(message, kind)
    for token in (match.seats[0], ""):
        schemas.check(await match.view(token), "View")
        for step in ("1", "4.2", str(version)):
            shown = await live.get(f"{match.path}/steps/{step}", token)
            schemas.check(shown.json(), "SeenStep")
    schemas.check((await live.get(f"{match.path}/verify")).json(), "Report")
    schemas.check((await live.get("/v1/matches")).json(), "Listing")
    player = (await live.post("/v1/tokens", ADMIN, json={"scope": "player"})).json()
    schemas.check(player, "Token")
    schemas.check((await live.get("/v1/inbox", player["token"])).json(), "Inbox")
    schemas.check((await match.answer(0, "x", "1.1")).json(), "Problem")
    claim = {"steps": ["4"], "text": "x"}
    made = await live.post(f"{match.path}/disputes", match.seats[0], json=claim)
    schemas.check(made.json(), "Disputed")
    verdict = {"upheld": True, "reason": "x", "winners": [1]}
    path = f"{match.path}/disputes/1"
    schemas.check((await live.post(f"{path}/ruling", ADMIN, json=verdict)).json(), "Disputed")
    schemas.check((await live.get(path)).json(), "DisputeCase")
    schemas.check((await live.get(f"{match.path}/disputes")).json(), "MatchDisputes")
    await Runner(live.desk.store, Disputes(), "w").drain()
    queue = (await live.get("/v1/disputes", ADMIN)).json()
    assert queue["items"]
    schemas.check(queue, "DisputeQueue")
    schemas.check((await live.get("/v1/keys")).json(), "PublicKeys")


async def test_pages_to_read_need_nothing_from_elsewhere(api: Client) -> None:
    for path in ("/docs", "/docs/problems"):
        page = await api.get(path)
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "<script" not in page.text and "http" not in page.text.replace("HTTP", "")
        assert "<code>Retry-After</code>" in page.text
    assert (await api.get("/")).headers["location"] == "/docs"
    served = (await api.get("/openapi.json")).json()
    assert served == json.loads((docs.FOLDER / "openapi.json").read_text())


async def test_every_link_of_a_page_leads_somewhere(api: Client) -> None:
    """A schema's id lies inside what is folded: without a script, going there unfolds it."""
    pages = {path: (await api.get(path)).text for path in ("/docs", "/docs/problems")}
    for path, page in pages.items():
        for where, name in re.findall(r'href="([^"#]*)#([^"]+)"', page):
            assert f'id="{name}"' in pages[where or path], name
    assert '<pre id="DisputeCase"' in pages["/docs"]
    assert not re.search(r"<details [^>]*id=", pages["/docs"])
    assert "/v1<wbr>/matches<wbr>/{match}<wbr>/steps<wbr>/{step}" in pages["/docs"]


def test_an_answer_in_the_document_is_one_of_ours(document: dict[str, Any]) -> None:
    operation = document["paths"]["/v1/matches/{match}/answers"]["post"]
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": f"#/components/schemas/{Answering.__name__}"}
    names = {parameter["name"] for parameter in operation["parameters"]}
    assert names == {"match", "Idempotency-Key", "Prefer"}
    assert any_option({"form": {"type": "number", "least": 2, "most": 2}}) == 2


class TestGuide:
    """`docs/api.md` says what is so."""

    text = (docs.FOLDER / "api.md").read_text()

    def test_every_form_has_an_example_that_takes_its_answer(self) -> None:
        rows = re.findall(r"^\| [a-z ]+ \| `({.*})` \| `(.*)` \|$", self.text, re.M)
        kinds = set()
        for form, option in rows:
            page = json.loads(form)
            kinds.add(page["type"])
            assert _takes(page, json.loads(option)), form
        assert kinds == {"one_of", "subset", "arrangement", "split", "number"}

    def test_every_close_code_is_told(self) -> None:
        told = set(map(int, re.findall(r"\b(1\d{3}|4[0-5]\d{2})\b(?=[^|]*\|)", self.text)))
        assert set(problems.CLOSES) <= told

    def test_every_path_in_it_is_there(self, document: dict[str, Any]) -> None:
        paths = {re.sub(r"{\w+}", "{}", path) for path in document["paths"]}
        for path in re.findall(r"/v1/[a-z/{}]+", self.text):
            plain = re.sub(r"{\w+}", "{}", path.rstrip("/")).replace("/1/", "/{}/")
            assert plain in paths or plain.endswith("/stream") or "/1/" in path, path


def _takes(page: dict[str, Any], option: Any) -> bool:
    """Whether the example's option is among what its form can be answered with."""
    form = page_of({"form": page})
    found = [sent(form.sample(random.Random(n).randrange)) for n in range(200)]
    return option in found

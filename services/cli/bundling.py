"""`bundle`: a match or a dispute in a zip, for a referee or a stranger to check."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from games.sight import Viewer
from replay import bundle, cases, files
from replay.bundle import Mode, NoDispute, NotTheirs, Texts
from replay.checkpoint import Checkpoint, signed, verifier
from replay.fold import Unequal
from replay.load import Story, Unreadable
from replay.steps import Step
from services.cli import catalogue, http, output, source, stores
from services.cli.book import Api
from services.cli.source import Source


def run(
    where: str,
    out: Path,
    dispute: int,
    mode: Mode,
    seat: int | None,
    url: str,
    token: str,
    data: Path | None,
    json: bool,
) -> None:
    catalogue.load(data)
    if mode == "public" and not source.is_file(where):
        token = ""  # what anybody is shown by now is what is public, whoever asks
    found = source.find(where, url, token)
    try:
        story = bundle.reached(source.story(found), mode)
        wanted = bundle.request(mode, seat, dispute=dispute, **_beside(story, found, url, token))
        name, made = bundle.bundle(story, wanted)
    except (NotTheirs, NoDispute) as error:
        raise output.usage(str(error)) from None
    except (Unreadable, Unequal) as error:
        raise output.failed(str(error), "`hallowstream verify` tells what is wrong") from None
    try:
        files.put(out, made)
    except OSError as error:
        raise output.usage(f"cannot write {out}: {error.strerror}") from None
    signed_here = bool(wanted.checkpoint)
    if json:
        about = {"file": str(out), "folder": name, "viewer": wanted.viewer, "signed": signed_here}
        output.as_json({"ok": True, **about, "bytes": len(made)})
        return
    seal = "with a signed checkpoint" if signed_here else "without a checkpoint: no key was at hand"
    output.console().print(f"{out}: {name}, {len(made):,} bytes, {seal}")


def _beside(story: Story, found: Source, url: str, token: str) -> dict[str, Any]:
    """What no log file holds: the words of disputes, and the server's signature."""
    if found.data is None:
        return _of_store(story)
    return _of_api(story, url.rstrip("/"), token) if url else {}


def _of_api(story: Story, base: str, token: str) -> dict[str, Any]:
    path = f"{base}/v1/matches/{story.match}"
    told = msgspec.json.decode(http.request("GET", f"{path}/disputes", token))
    texts: dict[str, tuple[bytes, str] | None] = {}
    for case in told["items"]:
        for word in case["said"]:
            if word["words"] == "kept":
                texts[word["sha256"]] = (b64decode(word["salt"]), word["text"])
            elif word["words"] == "removed":
                texts[word["sha256"]] = None
    version = len(story.pages)
    note = http.request("GET", f"{path}/checkpoint?version={version}", token).decode()
    keys = msgspec.json.decode(http.request("GET", f"{base}/v1/keys"))["keys"]
    (key,) = [key["key"] for key in keys if key["id"] == story.created["key"]]
    views = Served(story, base, token)
    return {"texts": texts, "checkpoint": note, "key": key, "views": views}


class Served:
    """Views as the API shows them to who has the token, checked to be of the log in hand. Raises
    Stop."""

    def __init__(self, story: Story, url: str, token: str) -> None:
        self._story = story
        self._url = url
        self._token = token

    @cached_property
    def _api(self) -> Api:
        """Asked for nothing where the log itself can tell all."""
        return Api(self._story.match, self._url, self._token, None)

    def after(self, viewer: Viewer, version: int, last: int) -> list[Any]:
        """Page by page."""
        views: list[Any] = []
        while version + len(views) < last:
            page = self._api.views(viewer, version + len(views))
            if not page:
                raise output.failed(f"the API shows no view after version {version + len(views)}")
            views += [self._of_this_log(shown)["view"] for shown in page]
        return views[: last - version]

    def at(self, viewer: Viewer, step: Step) -> Any:
        return self._of_this_log(self._api.shown(step, viewer))["view"]

    def _of_this_log(self, shown: dict[str, Any]) -> dict[str, Any]:
        version = int(shown["version"])
        pages = self._story.pages
        if version <= len(pages) and shown["head"] != pages[version - 1].head.hex():
            why = f"the API shows another version {version} than this log has"
            raise output.failed(why, "the server may have lost history: take the log anew")
        return shown


def _of_store(story: Story) -> dict[str, Any]:
    from services.cli.remote import keys_of

    settings = stores.settings()
    name, secret = keys_of(settings).signing(story.created["key"])
    last = story.pages[-1]
    note = signed(Checkpoint(story.match, last.version, last.head), name, secret)
    with stores.found(settings) as url:
        texts = asyncio.run(_texts(story, url))
    return {"texts": texts, "checkpoint": note, "key": verifier(name, secret)}


async def _texts(story: Story, url: str) -> Texts:
    from services.vault import RedisVault

    marks = [word.sha256 for case in cases.of_story(story) for word in case.words]
    vault = RedisVault(url)
    try:
        found = await vault.texts(story.match, marks)
    finally:
        await vault.aclose()
    kept = zip(marks, found, strict=True)
    return {mark: (text.salt, text.text) if text else None for mark, text in kept}

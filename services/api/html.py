"""The API's reference as plain HTML, made from its OpenAPI document."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any

from services.problems import PROBLEMS, WHAT_TO_DO

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
       color: #222; background: #fff }
code, pre { font: 14px/1.45 ui-monospace, monospace; background: #f4f1ec; border-radius: 4px }
code { padding: 0 .25em } summary code, p code, td:last-child { overflow-wrap: anywhere }
pre { padding: .75rem; overflow-x: auto }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ddd } td, th { padding: .2rem .8rem .2rem 0;
     text-align: left; vertical-align: top } summary { cursor: pointer; padding: .3rem 0 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1917 }
     code, pre { background: #2a2724 } a { color: #f5a04c } h2 { border-color: #444 } }
"""


MESSAGES = ("Hello", "CommitMessage", "AcceptedMessage", "RefusedMessage", "PingMessage")
_CODE = re.compile("`([^`]+)`")


def _page(title: str, parts: Iterable[str]) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>'
        f"<h1>{escape(title)}</h1>{''.join(parts)}</body></html>"
    )


def _text(words: str) -> str:
    """Words as HTML, with what stands between backticks as code; problems' codes lead to them."""
    return _CODE.sub(_coded, escape(words))


def _coded(found: re.Match[str]) -> str:
    code = f"<code>{found[1]}</code>"
    return f'<a href="/docs/problems#{found[1]}">{code}</a>' if found[1] in PROBLEMS else code


def problems_page() -> str:
    rows = [
        f'<tr id="{code}"><td>{kind.status}</td><td><code>{code}</code></td>'
        f"<td>{escape(kind.title)}. {_text(WHAT_TO_DO.get(kind.status, ''))}</td></tr>"
        for code, kind in sorted(PROBLEMS.items(), key=lambda item: (item[1].status, item[0]))
    ]
    head = "<tr><th>status</th><th>code</th><th>what it says</th></tr>"
    return _page("Problems", ["<table>", head, *rows, "</table>"])


def _stream() -> str:
    """What OpenAPI has no place for."""
    told = ", ".join(f'<a href="#{name}">{name}</a>' for name in MESSAGES)
    return (
        "<p>Live, as a WebSocket: <code>GET /v1/matches/{match}/stream?after=VERSION</code> tells "
        f"{told}, and takes answers.</p>"
    )


def reference_page(document: dict[str, Any]) -> str:
    parts = [
        f"<p>{_text(document['info']['description'])}</p>",
        '<p><a href="/openapi.json">openapi.json</a> · <a href="/docs/problems">problems</a></p>',
        _stream(),
    ]
    tag = ""
    operations = [
        (operation.get("tags", ["other"])[0], method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    for group, method, path, operation in sorted(operations, key=lambda o: (o[0], o[2], o[1])):
        if group != tag:
            parts.append(f"<h2>{escape(group)}</h2>")
            tag = group
        parts.append(_operation(method, path, operation))
    parts.append("<h2>schemas</h2>")
    for name, schema in document["components"]["schemas"].items():
        shown = escape(json.dumps(schema, indent=2))
        parts.append(
            f'<details id="{escape(name)}"><summary><code>{escape(name)}</code> '
            f"{_text(schema.get('description', ''))}</summary><pre>{shown}</pre></details>"
        )
    return _page(document["info"]["title"], parts)


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    summary = _text(operation.get("summary", ""))
    rows = [
        f"<tr><td><code>{escape(parameter['name'])}</code></td><td>{parameter['in']}</td>"
        f"<td>{_text(parameter.get('description', ''))}</td></tr>"
        for parameter in operation.get("parameters", ())
    ]
    body = operation.get("requestBody", {}).get("content", {})
    rows += [f"<tr><td>body</td><td></td><td>{_named(kind)}</td></tr>" for kind in body.values()]
    for status, response in operation["responses"].items():
        shown = " ".join(_named(kind) for kind in response.get("content", {}).values())
        told = _text(response["description"]).removeprefix("Problem: ")
        rows.append(f"<tr><td>{status}</td><td></td><td>{shown} {told}</td></tr>")
    return (
        f"<details><summary><code>{method.upper()} {escape(path)}</code> {summary}</summary>"
        f"<table>{''.join(rows)}</table></details>"
    )


def _named(content: dict[str, Any]) -> str:
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    return f'<a href="#{escape(name)}">{escape(name)}</a>' if name else ""

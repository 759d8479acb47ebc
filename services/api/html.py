"""The API's reference as plain HTML, made from its OpenAPI document."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any

from services.problems import PROBLEMS, WHAT_TO_DO

_STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --quiet: #f4f1ec; --line: #ddd;
        --link: #8a3d00; --weak: #595450 }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --paper: #1b1917; --quiet: #2a2724;
        --line: #444; --link: #f5a04c; --weak: #aaa49c } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
       color: var(--ink); background: var(--paper) }
a { color: var(--link) } td > a { overflow-wrap: anywhere }
nav { display: flex; flex-wrap: wrap; gap: .3rem .9rem }
code, pre { font: 14px/1.45 ui-monospace, monospace; background: var(--quiet); border-radius: 4px }
code { padding: 0 .25em; overflow-wrap: break-word }
pre { padding: .75rem; overflow-x: auto }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) }
td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top }
details { border-bottom: 1px solid var(--line) } details[open] { padding-bottom: 1rem }
summary { cursor: pointer; padding: .45rem 0 } summary span { color: var(--weak) }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
pre:target, tr:target { outline: 2px solid var(--link); scroll-margin-top: 4rem }
@media (max-width: 40rem) { body { margin: 1rem auto } summary span { display: block }
     thead { display: none } tbody tr { display: block; padding: .5rem 0;
     border-bottom: 1px solid var(--line) } tbody td { display: inline }
     tbody td:last-child { display: block } }
"""


MESSAGES = ("Hello", "CommitMessage", "AcceptedMessage", "RefusedMessage", "PingMessage")
_REFERS = re.compile(r"#/components/schemas/(\w+)")
_CODE = re.compile("`([^`]+)`")


def _page(title: str, parts: Iterable[str]) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body>"
        f"<main><h1>{escape(title)}</h1>{''.join(parts)}</main></body></html>"
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
    back = '<p><a href="/docs">All of the API</a></p>'
    table = ["<table><thead>", head, "</thead><tbody>", *rows, "</tbody></table>"]
    return _page("Problems", [back, *table])


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
    groups = dict.fromkeys([*sorted(group for group, *_ in operations), "schemas"])
    links = [f'<a href="#{escape(group)}">{escape(group)}</a>' for group in groups]
    parts.append(f"<nav>{''.join(links)}</nav>")
    for group, method, path, operation in sorted(operations, key=lambda o: (o[0], o[2], o[1])):
        if group != tag:
            parts.append(f'<h2 id="{escape(group)}">{escape(group)}</h2>')
            tag = group
        parts.append(_operation(method, path, operation))
    parts.append('<h2 id="schemas">schemas</h2>')
    for name, schema in document["components"]["schemas"].items():
        shown = _linked(escape(json.dumps(schema, indent=2), quote=False))
        told = _text(schema.get("description", ""))
        # The id lies inside what is folded: going to it unfolds it, without a script.
        parts.append(
            f"<details><summary><code>{escape(name)}</code> <span>{told}</span></summary>"
            f'<pre id="{escape(name)}" tabindex="0">{shown}</pre></details>'
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
        f"<details><summary><code>{method.upper()} {_broken(path)}</code> "
        f"<span>{summary}</span></summary>"
        f"<table><tbody>{''.join(rows)}</tbody></table></details>"
    )


def _broken(path: str) -> str:
    """A path that may be broken where a part of it begins."""
    return escape(path).replace("/", "<wbr>/")


def _linked(schema: str) -> str:
    """A schema as text, what it refers to being links."""
    return _REFERS.sub(r'<a href="#\1">#/components/schemas/\1</a>', schema)


def _named(content: dict[str, Any]) -> str:
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    return f'<a href="#{escape(name)}">{escape(name)}</a>' if name else ""

"""`keys`: the public keys that checkpoints are checked by."""

from __future__ import annotations

import msgspec

from services.cli import http, output, stores


def run(url: str, json: bool) -> None:
    found = _of_api(url) if url else _ours()
    if json:
        output.as_json({"ok": True, "keys": found})
        return
    for key in found:
        output.console().print(key["key"])


def _of_api(url: str) -> list[dict[str, str]]:
    told = msgspec.json.decode(http.request("GET", f"{url.rstrip('/')}/v1/keys"))
    return list(told["keys"])


def _ours() -> list[dict[str, str]]:
    from replay.checkpoint import verifier
    from services.cli.remote import keys_of
    from services.keys import UnknownKey

    try:
        keys = keys_of(stores.settings())
    except UnknownKey as error:
        hint = "they are made by the first `hallowstream serve`; --url asks an API"
        raise output.usage(str(error), hint) from None
    made = [(id, verifier(*keys.signing(id))) for id in keys.ids]
    return [{"id": id, "algorithm": "ed25519", "key": key} for id, key in made]

"""`tokens`: made and revoked with the admin key."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec

from services.cli import http, output, stores

KEY_HINT = (
    "it is HALLOWSTREAM_ADMIN_KEY where the API runs; `hallowstream serve` without REDIS_URL keeps "
    "one in its data folder"
)


def run(
    scope: str,
    player: str,
    match: str,
    hours: float | None,
    revoke: str,
    url: str,
    json: bool,
) -> None:
    key = _admin_key()
    base = (url or f"http://127.0.0.1:{stores.settings().port}").rstrip("/")
    if revoke:
        http.request("DELETE", f"{base}/v1/tokens/{revoke}", key)
        _print({"ok": True, "revoked": revoke}, f"revoked {revoke}", json)
        return
    if not scope:
        raise output.usage("say what for: audit, player, view or admin", "or --revoke ID")
    if scope == "view" and not match:
        raise output.usage("say which match is to be watched", "--match ID")
    wanted = {"scope": scope, "player": player, "match": match, "hours": hours}
    given = {name: value for name, value in wanted.items() if value not in ("", None)}
    made = msgspec.json.decode(http.request("POST", f"{base}/v1/tokens", key, given))
    _print({"ok": True, **made}, _shown(made), json)


def _shown(made: dict[str, Any]) -> str:
    lines = [made["token"], f"  scope   {made['scope']}"]
    lines += [f"  {name:<7} {made[name]}" for name in ("player", "match") if made.get(name)]
    if made.get("expires"):
        until = datetime.fromtimestamp(made["expires"] / 1000, UTC)
        lines.append(f"  until   {until:%Y-%m-%d %H:%M} UTC")
    lines.append(f"  id      {made['id']}  (for --revoke)")
    return "\n".join([*lines, "It is shown only now."])


def _admin_key() -> str:
    settings = stores.settings()
    key = settings.admin_key.get_secret_value()
    kept = settings.data / "admin-key"
    if not key and kept.is_file():
        key = kept.read_text().strip()
    if not key:
        raise output.usage("there is no admin key", KEY_HINT)
    return key


def _print(data: dict[str, Any], text: str, json: bool) -> None:
    if json:
        output.as_json(data)
    else:
        output.console().print(text)

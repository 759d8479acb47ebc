"""Settings of every process, from the environment; `docs/settings.md` lists them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from services import keys

PREFIX = "HALLOWSTREAM_"


class Settings(BaseSettings):
    """Each field is the environment variable of its name in capitals after `HALLOWSTREAM_`."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", populate_by_name=True)

    redis_url: str = Field(
        default="",
        validation_alias=AliasChoices("REDIS_URL", "HALLOWSTREAM_REDIS_URL"),
        description="Redis or Valkey: `redis://`, `rediss://` for TLS, `unix://`; of a cluster any "
        "server, or `redis+cluster://host:port,...`; behind sentinels "
        "`redis+sentinel://host:port,.../service`.",
    )
    partitions: int = Field(
        default=64, ge=1, le=4096, description="Feeds of a new store; fixed when the store is made."
    )
    replicas: int = Field(
        default=0,
        ge=0,
        le=9,
        description="Replicas that must have a commit before it is acknowledged; "
        "without enough of them an answer is `unconfirmed`.",
    )
    data: Path = Field(
        default=Path(".hallowstream"),
        description="Folder of this machine's own data and server keys.",
    )
    editions: Path | None = Field(
        default=None, description="Folder of `<game>/<edition>.json` data files."
    )
    server_keys: SecretStr = Field(
        default=SecretStr(""),
        description="Server keys in hex, the current one first, parted by commas; "
        "empty: the file `keys` in the data folder, made on first use.",
    )
    admin_key: SecretStr = Field(
        default=SecretStr(""),
        description="The bearer that makes and revokes tokens; 20 characters or more, "
        "empty: there is none.",
    )
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(
        default=8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one."
    )
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Origins of browser apps, parted by commas; `*` for all."
    )
    proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Addresses of proxies whose `X-Forwarded-For` is believed."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least of what is logged."
    )
    log_format: Literal["auto", "json", "console"] = Field(
        default="auto", description="`auto` is for people on a terminal and JSON elsewhere."
    )
    body_limit: int = Field(
        default=65_536, ge=1024, description="Bytes of a request body or message."
    )
    rate_token: str = Field(
        default="1200/60",
        description="Requests a token may make, as `count/seconds`; `0` for no limit.",
    )
    rate_address: str = Field(
        default="600/60", description="The same for an address that shows no valid token."
    )
    rate_create: str = Field(
        default="60/60", description="Matches an address or player may create."
    )
    rate_bad_token: str = Field(
        default="60/60", description="Tokens that are none of ours an address may show."
    )
    rate_verify: str = Field(
        default="30/60", description="Verifications a token or address may ask for."
    )
    connections_address: int = Field(
        default=1000,
        ge=0,
        description="Connections an address may hold open; 0 for no limit. Those in `PROXIES` "
        "have none.",
    )
    sockets_address: int = Field(
        default=1000, ge=0, description="Streams an address may hold open, behind proxies too."
    )
    sockets_token: int = Field(default=20, ge=0, description="Streams a token may hold open.")
    request_seconds: float = Field(
        default=15.0, gt=0, description="Seconds in which a request must have come in whole."
    )
    match_commits: int = Field(
        default=10_000,
        ge=100,
        description="Commits after which a match takes only what ends it, and disputes.",
    )
    player_matches: int = Field(
        default=100, ge=1, le=1000, description="Matches a player may sit in that are not over."
    )
    socket_heartbeat: float = Field(
        default=25.0, gt=0, description="Seconds between the pings of a socket."
    )
    socket_patience: float = Field(
        default=30.0,
        gt=0,
        description="Seconds a stream or reply may be unread, until it is closed.",
    )
    watch_seconds: float = Field(
        default=1.0, gt=0, description="Seconds between looks at the versions of watched matches."
    )
    wait_limit: float = Field(default=25.0, gt=0, description="Longest `?wait=` in seconds.")
    token_cache_seconds: float = Field(
        default=30.0,
        ge=0,
        description="How long a process believes a token it has looked up; a "
        "revocation is told to all processes at once, this is for when that message is lost.",
    )
    matches_in_memory: int = Field(
        default=10_000, ge=1, description="Matches a process keeps folded between requests."
    )
    lobby_hours: float = Field(
        default=24.0, gt=0, description="Hours after its last change at which a lobby is abandoned."
    )
    match_days: float = Field(
        default=14.0,
        gt=0,
        description="Days after its last change at which a running match is abandoned.",
    )
    undo_hours: float = Field(
        default=24.0,
        gt=0,
        description="Hours after which an undo that not all have agreed to is off.",
    )
    lease_seconds: float = Field(
        default=10.0,
        ge=1,
        description="Seconds after which what a silent worker held is taken over by others.",
    )
    keeper_seconds: float = Field(
        default=60.0, gt=0, description="Seconds between looks for abandoned matches."
    )
    archive: str = Field(
        default="",
        description="Where finished matches go: `file:///folder`, or `s3://bucket/prefix` with "
        "the `AWS_*` variables; empty: they stay in Redis.",
    )
    archive_grace_hours: float = Field(
        default=72.0, ge=0, description="Hours after its last change at which a match may go there."
    )
    archive_wait_hours: float = Field(
        default=24.0,
        ge=0,
        description="Hours that matches wait at most for others to fill a segment with.",
    )
    archive_segment_mb: float = Field(
        default=4.0, gt=0, le=64, description="Size of a segment, in MB, many matches in each."
    )
    archive_keep_days: float = Field(
        default=0.0,
        ge=0,
        description="Days after its last change at which an archived match is deleted; "
        "0: it is kept for ever.",
    )
    archive_seconds: float = Field(
        default=600.0, gt=0, description="Seconds between looks for matches to archive."
    )
    appeal_days: float = Field(
        default=14.0,
        ge=0,
        description="Days after the last word of a dispute at which its match may be archived.",
    )
    metrics_token: SecretStr = Field(
        default=SecretStr(""),
        description="Bearer that `/metrics` asks for; empty: anyone may read it.",
    )
    worker_metrics_port: int | None = Field(
        default=None,
        ge=0,
        le=65535,
        description="Port on which a worker shows its own metrics; 0 takes a free one, "
        "none: it shows them nowhere. Workers of one `serve` take this port and those after it.",
    )
    shutdown_seconds: int = Field(
        default=10,
        ge=1,
        description="Seconds that open requests get to finish in when the API stops.",
    )

    @field_validator("cors_origins", "proxies", mode="before")
    @classmethod
    def _parted(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("admin_key")
    @classmethod
    def _long_enough(cls, value: SecretStr) -> SecretStr:
        if value and len(value.get_secret_value()) < 20:
            raise ValueError("an admin key has 20 characters or more")
        return value

    @field_validator("rate_token", "rate_address", "rate_create", "rate_bad_token", "rate_verify")
    @classmethod
    def _rate(cls, value: str) -> str:
        rate(value)
        return value

    def keys(self) -> keys.Keys:
        """The server keys. Raises ValueError where they are no keys."""
        given = self.server_keys.get_secret_value()
        return keys.parse(given) if given else keys.load(self.data / "keys")


def rate(text: str) -> tuple[int, int] | None:
    """`count/seconds`, or None for no limit. Raises ValueError."""
    if text == "0":
        return None
    count, _, seconds = text.partition("/")
    if not (count.isdecimal() and seconds.isdecimal() and int(count) and int(seconds)):
        raise ValueError("a rate is `count/seconds`, or 0 for no limit")
    return int(count), int(seconds)


def variable(name: str) -> str:
    """The environment variable of a field."""
    return "REDIS_URL" if name == "redis_url" else PREFIX + name.upper()


def table() -> str:
    """The settings as Markdown."""
    rows = ["| variable | default | what it is |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        rows.append(f"| `{variable(name)}` | {_shown(field.default)} | {field.description} |")
    return "\n".join(rows) + "\n"


def _shown(default: Any) -> str:
    if default in (None, "", ()) or isinstance(default, SecretStr):
        return "none"
    return f"`{default}`"

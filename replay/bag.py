"""Bags: files in BagIt's layout (RFC 8493) in a zip, the same bytes for the same files."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can tell: that of every file in a bag."""

_BAGIT = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"


def bag(payload: Mapping[str, bytes], beside: Mapping[str, bytes], name: str) -> dict[str, bytes]:
    """All files of a bag: `payload` below `data/`, `beside` beside it, and the manifests."""
    data = {f"data/{path}": content for path, content in sorted(payload.items())}
    size = sum(map(len, data.values()))
    info = f"External-Identifier: {name}\nPayload-Oxum: {size}.{len(data)}\n".encode()
    tags = {
        "bag-info.txt": info,
        "bagit.txt": _BAGIT,
        "manifest-sha256.txt": _manifest(data),
        **beside,
    }
    return {**data, **tags, "tagmanifest-sha256.txt": _manifest(tags)}


def _manifest(files: Mapping[str, bytes]) -> bytes:
    """As `sha256sum` writes it and checks it."""
    lines = [f"{sha256(files[path]).hexdigest()}  {path}\n" for path in sorted(files)]
    return "".join(lines).encode()


def zipped(files: Mapping[str, bytes], folder: str) -> bytes:
    """The files in one folder of a zip; time, order and permissions never differ."""
    out = BytesIO()
    with ZipFile(out, "w") as made:
        for path in sorted(files):
            entry = ZipInfo(f"{folder}/{path}", EPOCH)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            made.writestr(entry, files[path], compresslevel=9)
    return out.getvalue()

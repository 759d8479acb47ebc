"""Single keys from a terminal, with nothing but the standard library."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

ARROWS = {
    b"[A": "up",
    b"[B": "down",
    b"[C": "right",
    b"[D": "left",
    b"[H": "home",
    b"[F": "end",
    b"[1~": "home",
    b"[4~": "end",
    b"[5~": "pageup",
    b"[6~": "pagedown",
    b"OA": "up",
    b"OB": "down",
    b"OC": "right",
    b"OD": "left",
    b"OH": "home",
    b"OF": "end",
}
PLAIN = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x03": "q"}


def interactive() -> bool:
    """Whether somebody sits at a terminal that gives single keys."""
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def keys() -> Iterator[Iterator[str]]:
    """Keys as they are struck: a character, or a name like `left`; ends when the input does."""
    import termios
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        yield iter(lambda: _key(fd), "")
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _key(fd: int) -> str:
    first = os.read(fd, 1)
    if first == b"\x1b":
        rest = b""
        while select.select([fd], [], [], 0.05)[0] and len(rest) < 4:
            rest += os.read(fd, 1)
            if (rest[-1:].isalpha() and rest not in (b"O",)) or rest[-1:] == b"~":
                break
        return ARROWS.get(rest, "escape")
    text = first.decode("ascii", "ignore")
    return PLAIN.get(text, text or ("other" if first else ""))

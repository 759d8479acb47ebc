"""Child processes that do not outlive the one that started them, even where that one crashed."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence

MARK = "HALLOWSTREAM_TIED"


def start(
    command: Sequence[str], env: Mapping[str, str], pass_fds: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    """A child in our process group; its standard input is the tie."""
    return subprocess.Popen(
        command, env={**env, MARK: "1"}, stdin=subprocess.PIPE, pass_fds=tuple(pass_fds)
    )


def hold() -> None:
    """In the child: end as by SIGTERM when the parent is gone. Does nothing in any other."""
    if os.environ.pop(MARK, ""):
        threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    # Not through sys.stdin, whose lock a waiting thread would hold at the interpreter's end.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)

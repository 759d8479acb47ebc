"""What an error of Redis means: load the script, wait and try again, or give up."""

from __future__ import annotations

from typing import Literal

from redis import exceptions

Verdict = Literal["load", "wait", "fail", "corrupt"]

_CLASSES: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.NoScriptError, "NOSCRIPT"),
    (exceptions.BusyLoadingError, "LOADING"),
    (exceptions.ReadOnlyError, "READONLY"),
    (exceptions.OutOfMemoryError, "OOM"),
    (exceptions.ClusterDownError, "CLUSTERDOWN"),
    (exceptions.MasterDownError, "MASTERDOWN"),
    (exceptions.TryAgainError, "TRYAGAIN"),
    (exceptions.MovedError, "MOVED"),
    (exceptions.AuthenticationError, "NOAUTH"),
    (exceptions.NoPermissionError, "NOPERM"),
)
_VERDICTS: dict[str, Verdict] = {
    "NOSCRIPT": "load",
    "LOADING": "wait",
    "READONLY": "wait",
    "CLUSTERDOWN": "wait",
    "MASTERDOWN": "wait",
    "TRYAGAIN": "wait",
    "NOREPLICAS": "wait",
    "BUSY": "wait",
    "CORRUPT": "corrupt",
    "WRONGTYPE": "corrupt",
}


def code(error: Exception) -> str:
    """The code word of an error; texts differ between servers and are never compared."""
    for kind, word in _CLASSES:
        if isinstance(error, kind):
            return word
    return str(error).split(" ", 1)[0]


def verdict(error: Exception) -> Verdict:
    """What to do about it. A lost or refused connection may come back: wait.

    Out of memory, no disk (MISCONF), no rights and all that is not known here do not mend by
    themselves: fail. None of these errors leaves anything written.
    """
    word = code(error)
    if word in ("NOAUTH", "NOPERM"):
        return "fail"
    if word not in _VERDICTS and not isinstance(error, exceptions.ResponseError):
        return "wait"
    return _VERDICTS.get(word, "fail")

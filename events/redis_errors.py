"""What an error of Redis means: load the script, wait and try again, or give up."""

from __future__ import annotations

from typing import Literal

from redis import exceptions

Verdict = Literal["load", "wait", "fail", "corrupt"]


class NotSent(Exception):
    """No connection could be had: nothing has left. The cause says why."""


_CLASSES: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.NoScriptError, "NOSCRIPT"),
    (exceptions.BusyLoadingError, "LOADING"),
    (exceptions.ReadOnlyError, "READONLY"),
    (exceptions.OutOfMemoryError, "OOM"),
    (exceptions.MasterDownError, "MASTERDOWN"),
    (exceptions.ClusterDownError, "CLUSTERDOWN"),
    (exceptions.TryAgainError, "TRYAGAIN"),
    (exceptions.MovedError, "MOVED"),
    (exceptions.AuthenticationError, "NOAUTH"),
    (exceptions.NoPermissionError, "NOPERM"),
)
LINE_DOWN = "LINEDOWN"
"""Our own word for a connection that could not be had or broke: it may come back."""

_VERDICTS: dict[str, Verdict] = {
    LINE_DOWN: "wait",
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


def code(error: BaseException) -> str:
    """The code word of an error; texts differ between servers and are never compared."""
    if isinstance(error, NotSent) and error.__cause__ is not None:
        return code(error.__cause__)
    for kind, word in _CLASSES:
        if isinstance(error, kind):
            return word
    if isinstance(error, exceptions.ResponseError):
        return str(error).split(" ", 1)[0]
    return LINE_DOWN


def told(error: BaseException) -> str:
    """The error in words, Redis' code word in front where redis-py has cut it off."""
    words, word = str(error), code(error)
    if word == LINE_DOWN or not word.isupper() or words.startswith(word):
        return words or type(error).__name__
    return f"{word}: {words}"


def verdict(error: BaseException) -> Verdict:
    """What to do about it. None of the errors that Redis answers leaves anything written.

    Out of memory, no disk (MISCONF), no rights and all that is not known here do not mend by
    themselves: fail.
    """
    return _VERDICTS.get(code(error), "fail")


def in_doubt(error: BaseException) -> bool:
    """Whether what was sent may have been done all the same."""
    return code(error) == LINE_DOWN and not isinstance(error, NotSent)

"""Why a store does not do what it is asked: it is away, or it answers and says why not."""

from __future__ import annotations

from redis.exceptions import RedisError

from events.redis_address import FORMS
from events.redis_errors import LINE_DOWN, code, told
from services.finding import Finding

_FIXES = {
    "NOREPLICAS": "start its replicas, or lower min-replicas-to-write on it; until then it refuses "
    "every write",
    "OOM": "raise its maxmemory, or make room: `hallowstream archive run`; until then it refuses "
    "every write",
    "MISCONF": "make room on its disk and look at its log: it refuses writes that it cannot save",
    "READONLY": "it is a replica: REDIS_URL must lead to the primary, or to the sentinels",
    "LOADING": "wait: it reads its data, and answers when it is through",
    "MASTERDOWN": "it is a replica that has lost its primary: look at that one",
    "CLUSTERDOWN": "some slots have no master: `redis-cli --cluster check` names them",
    "TRYAGAIN": "a slot is being moved: look again when that is done",
    "BUSY": "a script runs for too long: look at its log, and end it by SCRIPT KILL",
    "NOAUTH": "put the right user and password into REDIS_URL: redis://user:password@host",
    "NOPERM": "give this user the rights it needs: ACL SETUSER",
}
"""What to do, by the code word of what it answers."""

_OTHER = "look at its log; `redis-cli -u` with the same address shows what it answers"


def finding(error: Exception) -> Finding:
    """What is amiss with the store that this came from."""
    word = code(error.__cause__ or error)
    if word == LINE_DOWN:
        says = f"the store cannot be reached: {error}"
        return Finding("store", "failed", says, f"start it, or correct REDIS_URL: {FORMS}")
    says = told(error) if isinstance(error, RedisError) else str(error)
    fix = _FIXES.get(word, _OTHER)
    return Finding("store", "failed", f"the store answers, but refuses: {says}", fix)

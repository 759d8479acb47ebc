"""What the tests themselves listen with leaves nothing behind, whenever it is stopped."""

import gc
import socket
import time
import warnings

from tests.partition import HOST, Network
from tests.redis_servers import free_ports

MOMENTS = [0, 0.0005, 0.001, 0.002, 0.004, 0.01]
"""Seconds after which a network ends that is being called."""


def test_a_network_that_ends_while_it_is_called_leaves_no_line() -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", ResourceWarning)
        called = [_called_and_ended(moment) for moment in MOMENTS]
        gc.collect()
    assert called == [16] * len(MOMENTS)
    assert [str(one.message) for one in warned] == []


def _called_and_ended(moment: float) -> int:
    (port,) = free_ports(1)
    calls: list[socket.socket] = []

    def call() -> None:
        calls.extend(socket.create_connection((HOST, port)) for _ in range(16))

    with socket.create_server((HOST, 0), backlog=64) as real:
        with Network() as network:
            network.door(port, real.getsockname()[1], HOST)
            # On the network's own thread, so that all of them wait when it is asked to end.
            network._loop.call_soon_threadsafe(call)
            time.sleep(moment)
        for one in calls:
            one.close()
    return len(calls)

"""Real servers for tests: one alone, watched by sentinels, or a cluster; each can be hurt.

    with standalone(tmp) as servers: ...
    with sentinels(tmp, replicas=2) as servers: ...
    with cluster(tmp, masters=3, replicas=1) as servers: ...

`servers.address` is what a client is given, `servers.nodes` are the processes (`kill`, `stop`,
`go_on`, `start`; with `parted=True` also `cut` and `heal`). They are configured as if they had
known each other for long, so they need not find one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from events.server import SETTINGS
from tests.partition import HOST, Network
from tests.redis_nodes import Node, free_ports, wait_for
from tests.servers import binary

SERVICE = "hallowstream"
SLOTS = 16384

Config = Mapping[str, str | int]


class Standalone:
    """One server, and what all settings have in common."""

    def __init__(self, address: str, nodes: list[Node]) -> None:
        self.address = address
        self.nodes = nodes

    @property
    def processes(self) -> list[Node]:
        return self.nodes

    @property
    def masters(self) -> list[Node]:
        """Those that say so of themselves; after a partition more than there should be."""
        return [node for node in self.nodes if node.info().get("role") == "master"]

    @property
    def replicas(self) -> list[Node]:
        return [node for node in self.nodes if node.info().get("role") == "slave"]

    def healed(self) -> None:
        """Everything runs and nothing is parted, whatever was done before."""
        for node in self.processes:
            node.heal()
            node.go_on()
            if not node.alive:
                node.start()
        for node in self.processes:
            node.ready()
        wait_for(self.is_whole, "everybody follows whom they should")

    def is_whole(self) -> bool:
        return True

    def emptied(self) -> None:
        for node in self.masters:
            node.ask("FLUSHALL", "SYNC")


class Sentinels(Standalone):
    """A primary with replicas, and three sentinels that watch them."""

    def __init__(self, address: str, nodes: list[Node], watchers: list[Node]) -> None:
        super().__init__(address, nodes)
        self.watchers = watchers

    @property
    def processes(self) -> list[Node]:
        return [*self.nodes, *self.watchers]

    @property
    def master(self) -> Node | None:
        """The one that a sentinel names."""
        for watcher in self.watchers:
            found = watcher.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
            for node in self.nodes:
                if found is not None and node.port == int(found[1]):
                    return node
        return None

    def failover(self) -> None:
        """As an operator asks for it; ends when the sentinels name another master."""
        before = self.master

        def done() -> bool:
            self.watchers[0].ask("SENTINEL", "FAILOVER", SERVICE)
            return self.master not in (None, before)

        wait_for(done, "another master")

    def is_whole(self) -> bool:
        if [self.master] != self.masters or not _following(self):
            return False
        quorum = [watcher.ask("SENTINEL", "CKQUORUM", SERVICE) for watcher in self.watchers]
        return all(quorum)


class Cluster(Standalone):
    """Masters that share the slots, each with its replicas."""

    def owner(self, slot: int) -> Node:
        """Who serves the slot, by what most servers believe."""
        votes: dict[int, int] = {}
        for node in self.nodes:
            for first, last, primary, *_ in _slots(node):
                if first <= slot <= last:
                    votes[primary[1]] = votes.get(primary[1], 0) + 1
        port = max(votes, key=lambda port: votes[port])
        return next(node for node in self.nodes if node.port == port)

    def followers(self, master: Node) -> list[Node]:
        """Its replicas, by what they say themselves."""
        replicas = [node for node in self.nodes if node.info().get("role") == "slave"]
        return [node for node in replicas if node.info()["master_port"] == master.port]

    def failover(self, replica: Node, *how: str) -> None:
        """`CLUSTER FAILOVER [FORCE|TAKEOVER]`; ends when the replica is master."""

        def done() -> bool:
            return replica.info().get("role") == "master"

        for _ in range(10):
            replica.ask("CLUSTER", "FAILOVER", *how)
            with suppress(AssertionError):
                wait_for(done, f"{replica!r} is master", 6)
                return
        raise AssertionError(f"{replica!r} does not become master")

    def move(
        self, slot: int, to: Node, batch: int = 100, between: Callable[[], None] | None = None
    ) -> None:
        """One slot and all its keys to another master; `between` is called while it is in both."""
        source = self.owner(slot)
        pause = between or (lambda: None)
        to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id)
        pause()
        while names := source.ask("CLUSTER", "GETKEYSINSLOT", slot, batch):
            source.ask("MIGRATE", HOST, to.port, "", 0, 5000, "KEYS", *names)
            pause()
        for node in (to, source, *self.masters):
            node.ask("CLUSTER", "SETSLOT", slot, "NODE", to.id)

    def is_whole(self) -> bool:
        maps = [[(s[0], s[1], s[2][1]) for s in sorted(_slots(node))] for node in self.nodes]
        if sum(last - first + 1 for first, last, _ in maps[0]) != SLOTS:
            return False
        return (
            all(one == maps[0] for one in maps)
            and all(b"cluster_state:ok" in (n.ask("CLUSTER", "INFO") or b"") for n in self.nodes)
            and _following(self)
        )


def _following(setting: Standalone) -> bool:
    """Whether all that are no masters have what their master has, and get what comes."""
    infos = [node.info() for node in setting.nodes]
    replicas = [info for info in infos if info.get("role") != "master"]
    return all(info.get("master_link_status") == "up" for info in replicas)


def _slots(node: Node) -> list[Any]:
    return node.ask("CLUSTER", "SLOTS") or []


class _Maker:
    """What the servers of one setting have in common."""

    def __init__(self, tmp: Path, kind: str, network: Network | None, config: Config) -> None:
        self._tmp = tmp
        self._path = binary(kind).path
        self._network = network
        self._config = config
        self._made = 0

    def node(self, name: str) -> tuple[Node, int]:
        """A server that is still to be configured, and the port it must listen on itself."""
        self._made += 1
        directory = self._tmp / name
        directory.mkdir(parents=True)
        port, inner = free_ports(2)
        node = Node(self._path, directory, port, ["server.conf"])
        if self._network is None:
            return node, port
        node.network, node.home = self._network, f"127.0.1.{self._made}"
        self._network.door(port, inner, node.home)
        return node, inner

    def configure(self, node: Node, inner: int, lines: list[str]) -> None:
        home = [f"bind-source-addr {node.home}"] if node.network else []
        common = [f"port {inner}", f"bind {HOST}", "protected-mode no", *home]
        text = "\n".join([*common, *lines]) + "\n"
        (node.directory / "server.conf").write_text(text)

    def data(self) -> list[str]:
        """The lines of a server that keeps data: as we start our own, and what the test wants."""
        pairs = dict(zip(SETTINGS[::2], SETTINGS[1::2], strict=True))
        lines = [f'{name[2:]} "{value}"' for name, value in pairs.items() if name != "--port"]
        return [
            *lines,
            "repl-diskless-sync-delay 0",
            "repl-ping-replica-period 1",
            *[f"{name} {value}" for name, value in self._config.items()],
        ]


@contextmanager
def _running(setting: Standalone) -> Iterator[Any]:
    """Nothing is left behind, stopped or not."""
    try:
        setting.healed()
        yield setting
    finally:
        for node in setting.processes:
            node.kill()


@contextmanager
def standalone(tmp: Path, kind: str = "redis", **config: str | int) -> Iterator[Standalone]:
    """Names in `config` have `_` for `-`."""
    maker = _Maker(tmp, kind, None, _named(config))
    node, inner = maker.node("alone")
    maker.configure(node, inner, maker.data())
    with _running(Standalone(node.url, [node])) as setting:
        yield setting


@contextmanager
def sentinels(
    tmp: Path,
    replicas: int = 2,
    kind: str = "redis",
    parted: bool = False,
    down_after: int = 1000,
    **config: str | int,
) -> Iterator[Sentinels]:
    """The first of the nodes is the primary. `down_after` ms of silence it is taken for dead."""
    with ExitStack() as stack:
        network = stack.enter_context(Network()) if parted else None
        maker = _Maker(tmp, kind, network, _named(config))
        made = [maker.node(f"data{n}") for n in range(replicas + 1)]
        first, *others = nodes = [node for node, _ in made]
        for node, inner in made:
            follow = [] if node is first else [f"replicaof {HOST} {first.port}"]
            known_as = [f"replica-announce-ip {HOST}", f"replica-announce-port {node.port}"]
            maker.configure(node, inner, [*maker.data(), *known_as, *follow])
        watching = [maker.node(f"sentinel{n}") for n in range(3)]
        watchers = [node for node, _ in watching]
        for node, inner in watching:
            node.words.append("--sentinel")
            peers = [peer for peer in watchers if peer is not node]
            maker.configure(node, inner, _watching(node, first, others, peers, down_after))
        places = ",".join(f"{HOST}:{node.port}" for node in watchers)
        address = f"redis+sentinel://{places}/{SERVICE}"
        setting = stack.enter_context(_running(Sentinels(address, nodes, watchers)))
        for node in watchers:
            node.ask("SENTINEL", "DEBUG", "info-period", 500, "publish-period", 200)
        yield setting


def _watching(
    node: Node, primary: Node, replicas: list[Node], peers: list[Node], down_after: int
) -> list[str]:
    """A sentinel's configuration, with all that it would find out in time."""
    return [
        f"sentinel myid {node.id}",
        f"sentinel announce-ip {HOST}",
        f"sentinel announce-port {node.port}",
        f"sentinel monitor {SERVICE} {HOST} {primary.port} 2",
        f"sentinel down-after-milliseconds {SERVICE} {down_after}",
        f"sentinel failover-timeout {SERVICE} 5000",
        *[f"sentinel known-replica {SERVICE} {HOST} {other.port}" for other in replicas],
        *[f"sentinel known-sentinel {SERVICE} {HOST} {peer.port} {peer.id}" for peer in peers],
    ]


@contextmanager
def cluster(
    tmp: Path,
    masters: int = 3,
    replicas: int = 1,
    kind: str = "redis",
    parted: bool = False,
    timeout: int = 2000,
    **config: str | int,
) -> Iterator[Cluster]:
    """The masters come first among the nodes. `timeout` ms of silence a server is dead."""
    with ExitStack() as stack:
        network = stack.enter_context(Network()) if parted else None
        maker = _Maker(tmp, kind, network, _named(config))
        made = [maker.node(f"node{n}") for n in range(masters * (1 + replicas))]
        nodes = [node for node, _ in made]
        buses = dict(zip(nodes, free_ports(len(nodes)), strict=True))
        for node, inner in made:
            bus = buses[node] if network is None else free_ports(1)[0]
            if network is not None:
                network.door(buses[node], bus, node.home)
            known_as = [
                f"replica-announce-port {node.port}",
                f"cluster-announce-ip {HOST}",
                f"cluster-announce-port {node.port}",
                f"cluster-announce-bus-port {buses[node]}",
            ]
            clustered = [
                "cluster-enabled yes",
                f"cluster-port {bus}",
                f"cluster-node-timeout {timeout}",
                "cluster-replica-validity-factor 0",
            ]
            maker.configure(node, inner, [*maker.data(), *known_as, *clustered])
            (node.directory / "nodes.conf").write_text(_known(node, nodes, buses, masters))
        places = ",".join(f"{HOST}:{node.port}" for node in nodes)
        address = f"redis+cluster://{places}"
        yield stack.enter_context(_running(Cluster(address, nodes)))


def _known(me: Node, nodes: list[Node], buses: dict[Node, int], masters: int) -> str:
    """What a server of a cluster keeps of the others, as it would stand after they have met."""
    lines = []
    for n, node in enumerate(nodes):
        role = "master" if n < masters else "slave"
        flags = f"myself,{role}" if node is me else role
        of = "-" if n < masters else nodes[n % masters].id
        share = [n * SLOTS // masters, (n + 1) * SLOTS // masters - 1]
        slots = f" {share[0]}-{share[1]}" if n < masters else ""
        epoch = n % masters + 1
        place = f"{HOST}:{node.port}@{buses[node]}"
        lines.append(f"{node.id} {place} {flags} {of} 0 0 {epoch} connected{slots}")
    return "\n".join([*lines, f"vars currentEpoch {masters} lastVoteEpoch 0", ""])


def _named(config: Config) -> Config:
    return {name.replace("_", "-"): value for name, value in config.items()}

package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.LeaseId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;

/**
 * The connection for records, candidates and watches. Its session holds nothing, and ends with its connection: the next one, to whichever server, begins with a
 * committed write, so that what is read over it is never older than what was read before.
 *
 * <p>It watches all records and leases, and so knows which leases live: ZooKeeper tells an answer only after every change that the answer could show.
 */
final class Line implements Connection.Owner {
    private static final Duration SHORTEST_SESSION = Duration.ofSeconds(4);
    private static final Duration CONNECTING_TO_ONE_SERVER = Duration.ofMillis(600);

    private final Surroundings around;
    private final Nodes nodes;
    private final Listener listener;
    private final Connection connection;
    private final Set<String> liveLeases = new HashSet<>();

    /** Who watches; called on the coordinator's thread. */
    interface Listener {
        /** What is watched may be read. */
        void ready(Link link);

        /** Something may be missed from now on. */
        void broken();

        /** A record was written. */
        void recordChanged(String name);

        void leaseDied(String name);
    }

    Line(Surroundings around, Listener listener) {
        this.around = around;
        this.nodes = around.nodes();
        this.listener = listener;
        this.connection = new Connection(around, this);
    }

    Connection connection() {
        return connection;
    }

    /** As of the answer that is being handled, or later: is its node there? */
    boolean isAlive(LeaseId lease) {
        return liveLeases.contains(Nodes.escaped(lease.value()));
    }

    /** A write that changes nothing and is committed: what is read behind it over the same link is no older than its sending. */
    void commit(ZooKeeperCall<?> call, Link link) {
        link.client()
                .multi(
                        List.of(Op.check(nodes.root(), -1)),
                        (rc, path, context, results) -> link.then(() -> {
                            Code code = Failures.code(rc);
                            if (code != Code.OK && code != Code.NONODE) {
                                call.fail(code, "reading " + nodes.root());
                            }
                        }),
                        null);
    }

    /** Its session may be short, since it holds nothing; but the client divides its length by the number of servers, and must connect to each within that. */
    @Override
    public Link open(Link.Listener links) {
        long servers = around.address().servers().chars().filter(c -> c == ',').count() + 1;
        Duration enough = CONNECTING_TO_ONE_SERVER.multipliedBy(servers);
        return Link.open(around, enough.compareTo(SHORTEST_SESSION) < 0 ? SHORTEST_SESSION : enough, links);
    }

    @Override
    public void connected(Link link) {
        if (around.mode() == Mode.READ_ONLY) {
            watch(link);
            return;
        }
        exists(link, nodes.markers(), () -> check(link, nodes.kinds()), () -> make(link, nodes.skeleton(), 0));
    }

    /** What is there is left alone, so that nobody needs the right to create it. */
    private void make(Link link, List<String> skeleton, int next) {
        if (next == skeleton.size()) {
            check(link, nodes.kinds());
            return;
        }
        exists(link, skeleton.get(next), () -> make(link, skeleton, next + 1), () -> create(link, skeleton, next));
    }

    private void exists(Link link, String path, Runnable ifSo, Runnable ifNot) {
        link.client()
                .exists(
                        path,
                        false,
                        (rc, asked, context, stat) -> link.then(() -> {
                            switch (Failures.code(rc)) {
                                case OK -> ifSo.run();
                                case NONODE -> ifNot.run();
                                default -> refused(link, Failures.code(rc), "reading " + path);
                            }
                        }),
                        null);
    }

    private void create(Link link, List<String> skeleton, int next) {
        String path = skeleton.get(next);
        link.client()
                .create(
                        path,
                        new byte[0],
                        around.acl(),
                        CreateMode.PERSISTENT,
                        (rc, asked, context, name) -> link.then(() -> {
                            switch (Failures.code(rc)) {
                                case OK, NODEEXISTS -> make(link, skeleton, next + 1);
                                default -> refused(link, Failures.code(rc), "creating " + path);
                            }
                        }),
                        null);
    }

    /** Whoever may change one of these may change what is beneath it: a stranger must not. */
    private void check(Link link, List<String> kinds) {
        if (!around.owner().isKnown() || kinds.isEmpty()) {
            watch(link);
            return;
        }
        String path = kinds.get(0);
        link.client()
                .getACL(
                        path,
                        new Stat(),
                        (rc, asked, context, rights, stat) -> link.then(() -> {
                            if (Failures.code(rc) != Code.OK) {
                                refused(link, Failures.code(rc), "reading the rights of " + path);
                                return;
                            }
                            around.owner()
                                    .complaint(path, rights)
                                    .ifPresentOrElse(
                                            why -> connection.refused(
                                                    link,
                                                    new CoordinatorUnusableException(around.address() + ": " + why)),
                                            () -> check(link, kinds.subList(1, kinds.size())));
                        }),
                        null);
    }

    private void watch(Link link) {
        for (String path : List.of(nodes.records(), nodes.leases())) {
            link.client()
                    .addWatch(
                            path,
                            AddWatchMode.PERSISTENT_RECURSIVE,
                            (rc, asked, context) -> link.then(() -> {
                                if (Failures.code(rc) != Code.OK) {
                                    refused(link, Failures.code(rc), "watching all beneath " + path);
                                }
                            }),
                            null);
        }
        link.client()
                .multi(
                        List.of(Op.check(nodes.root(), -1)),
                        (rc, asked, context, results) -> link.then(() -> {
                            if (Failures.code(rc) != Code.OK && Failures.code(rc) != Code.NONODE) {
                                refused(link, Failures.code(rc), "reading " + nodes.root());
                            }
                        }),
                        null);
        link.client()
                .getChildren(
                        nodes.leases(),
                        false,
                        (rc, asked, context, names) -> link.then(() -> {
                            switch (Failures.code(rc)) {
                                case OK -> ready(link, names);
                                case NONODE -> ready(link, List.of());
                                default -> refused(link, Failures.code(rc), "reading " + nodes.leases());
                            }
                        }),
                        null);
    }

    private void ready(Link link, List<String> leases) {
        if (connection.isCurrent(link)) {
            liveLeases.clear();
            liveLeases.addAll(leases);
            connection.ready(link);
            listener.ready(link);
        }
    }

    /** A link that ended tells so itself. */
    private void refused(Link link, Code code, String doing) {
        if (!Failures.isUnanswered(code)) {
            var why = Failures.of(around.address(), code, doing, false);
            connection.refused(
                    link,
                    why instanceof CoordinatorUnusableException unusable
                            ? unusable
                            : new CoordinatorUnusableException(String.valueOf(why.getMessage()), why));
        }
    }

    @Override
    public void broken(Link.Why why) {
        liveLeases.clear();
        listener.broken();
    }

    @Override
    public void changed(WatchedEvent event) {
        String path = String.valueOf(event.getPath());
        Optional<String> lease = Nodes.childOf(nodes.leases(), path);
        if (lease.isPresent()) {
            if (event.getType() == EventType.NodeCreated) {
                liveLeases.add(lease.get());
            } else if (event.getType() == EventType.NodeDeleted && liveLeases.remove(lease.get())) {
                listener.leaseDied(lease.get());
            }
            return;
        }
        Nodes.childOf(nodes.records(), path).ifPresent(listener::recordChanged);
    }
}

package dev.incumbent.servers;

import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Several etcd members, which elect a leader among themselves. Not thread-safe. */
public final class EtcdCluster implements AutoCloseable {
    private static final Duration LONGEST_ELECTION = Duration.ofSeconds(60);
    private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();

    private final List<EtcdServer> members;

    private EtcdCluster(List<EtcdServer> members) {
        this.members = members;
    }

    /** Starts that many members on loopback, and waits until they have a leader. */
    public static EtcdCluster start(int count) {
        return start(Place.loopback(count));
    }

    /** Starts a member at each place, and waits until they have a leader. */
    public static EtcdCluster start(List<Place> places) {
        List<Integer> ports = FreePorts.some(2 * places.size());
        List<EtcdServer.Member> all = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            all.add(new EtcdServer.Member("m" + (i + 1), places.get(i), ports.get(2 * i), ports.get(2 * i + 1)));
        }
        EtcdCluster cluster = new EtcdCluster(
                all.stream().map(member -> EtcdServer.startMember(member, all)).toList());
        cluster.awaitLeader();
        return cluster;
    }

    public List<EtcdServer> members() {
        return members;
    }

    /** What {@code --at} takes. */
    public String uri(String prefix) {
        return members.stream().map(EtcdServer::hostPort).collect(Collectors.joining(",", "etcd://", "/")) + prefix;
    }

    /** Waits until every member that runs answers, and so has a leader. */
    public void awaitLeader() {
        try (SystemTimeline time = new SystemTimeline()) {
            long end = time.nanos() + LONGEST_ELECTION.toNanos();
            while (!members.stream().allMatch(EtcdCluster::isHealthy)) {
                if (time.nanos() > end) {
                    throw new IllegalStateException("no leader within " + LONGEST_ELECTION);
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static boolean isHealthy(EtcdServer member) {
        try {
            return member.isHealthy();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The member that leads now, as the members themselves say. */
    public EtcdServer leader() {
        return members.stream().filter(EtcdCluster::leads).findFirst().orElseThrow();
    }

    /** {@code endpoint status} prints endpoint, id, version, size and whether it leads. */
    private static boolean leads(EtcdServer member) {
        return member.etcdctl("endpoint", "status").split(", *", -1)[4].equals("true");
    }

    @Override
    public void close() {
        members.forEach(EtcdServer::close);
    }
}

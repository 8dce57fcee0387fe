package dev.incumbent.servers;

import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Several etcd members, which elect a leader among themselves. Not thread-safe. */
public final class EtcdCluster implements AutoCloseable {
    private static final Duration LONGEST_ELECTION = Duration.ofSeconds(60);
    private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();

    private final List<EtcdServer> members;

    private EtcdCluster(List<EtcdServer> members) {
        this.members = new ArrayList<>(members);
    }

    /** Starts that many members on loopback, and waits until they have a leader. */
    public static EtcdCluster start(int count, String... more) {
        return start(Place.loopback(count), more);
    }

    /** Starts a member at each place, with those options besides, and waits until they have a leader. */
    public static EtcdCluster start(List<Place> places, String... more) {
        List<Integer> ports = FreePorts.some(2 * places.size());
        List<EtcdServer.Member> all = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            all.add(new EtcdServer.Member("m" + (i + 1), places.get(i), ports.get(2 * i), ports.get(2 * i + 1)));
        }
        EtcdCluster cluster = new EtcdCluster(all.stream()
                .map(member -> EtcdServer.startMember(member, all, List.of(more)))
                .toList());
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

    /** Kills that member and empties its disk. */
    public void lose(int member) {
        members.get(member).lose();
    }

    /** As an operator replaces a lost member: it is removed, one of the same name and addresses is added, and started with an empty disk. */
    public void replace(int lost) {
        EtcdServer.Member member = members.get(lost).member();
        EtcdServer other = members.get((lost + 1) % members.size());
        String id = other.etcdctl("member", "list")
                .lines()
                .filter(line -> line.contains(", " + member.name() + ", "))
                .map(line -> line.substring(0, line.indexOf(',')))
                .findFirst()
                .orElseThrow();
        String removed = other.etcdctl("member", "remove", id);
        String added = other.etcdctl("member", "add", member.name(), "--peer-urls=" + member.peerUrl());
        if (removed.isEmpty() || added.isEmpty()) {
            throw new IllegalStateException(removed + added);
        }
        members.set(lost, members.get(lost).anew(all(), List.of("--initial-cluster-state", "existing")));
    }

    /** Kills that member and starts it again on its data, with those options, until all members answer. */
    public void startAgainWith(EtcdServer member, String... options) {
        int index = members.indexOf(member);
        member.kill();
        members.set(index, member.anew(all(), List.of(options)));
        awaitLeader();
    }

    private List<EtcdServer.Member> all() {
        return members.stream().map(EtcdServer::member).toList();
    }

    /** As an operator restores a snapshot: every member gets an empty disk and what etcdctl makes of it, for a new cluster of the same names and addresses. */
    public void restore(Path snapshot, String token) {
        List<EtcdServer.Member> all = all();
        String cluster =
                all.stream().map(one -> one.name() + "=" + one.peerUrl()).collect(Collectors.joining(","));
        for (int i = 0; i < members.size(); i++) {
            EtcdServer member = members.get(i);
            if (member.process().isRunning()) {
                member.kill();
            }
            member.lose();
            String unused = Command.run(
                    List.of(
                            "etcdctl",
                            "snapshot",
                            "restore",
                            snapshot.toString(),
                            "--data-dir",
                            member.folder().resolve("data").toString(),
                            "--name",
                            member.member().name(),
                            "--initial-cluster",
                            cluster,
                            "--initial-cluster-token",
                            token,
                            "--initial-advertise-peer-urls",
                            member.member().peerUrl()),
                    Map.of("ETCDCTL_API", "3"));
        }
        members.replaceAll(member -> member.anew(all, List.of()));
        awaitLeader();
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

package dev.incumbent.acceptance;

import dev.incumbent.servers.EtcdCluster;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** etcd; its operators use {@code etcdctl}. */
final class EtcdFleet implements Fleet {
    private static final String[] SMALL_QUOTA = {"--quota-backend-bytes", "8388608"};
    private static final int FILLERS = 400;
    private static final String FILLER = "x".repeat(100_000);

    private final EtcdCluster cluster = EtcdCluster.start(SIZE, SMALL_QUOTA);

    private EtcdServer member(int number) {
        return cluster.members().get(number);
    }

    @Override
    public String uri() {
        return cluster.uri("disasters");
    }

    @Override
    public int leader() {
        Waiting.until("a leader of etcd", () -> leaderIfAny() >= 0);
        return leaderIfAny();
    }

    private int leaderIfAny() {
        try {
            return cluster.members().indexOf(cluster.leader());
        } catch (IllegalStateException | NoSuchElementException nobodySaysSo) {
            return -1;
        }
    }

    @Override
    public boolean isWhole() {
        return cluster.members().stream().allMatch(EtcdFleet::serves);
    }

    private static boolean serves(EtcdServer member) {
        try {
            return member.process().isRunning() && member.isHealthy();
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void freeze(int member) {
        member(member).freeze();
    }

    @Override
    public void thaw(int member) {
        member(member).thaw();
    }

    @Override
    public void lose(int member) {
        cluster.lose(member);
    }

    /** etcd's is not tried: started so, a member may vote although it forgot what it acknowledged. */
    @Override
    public Optional<String> refusalOfAnEmptyDisk(int member) {
        return Optional.empty();
    }

    @Override
    public void replace(int member) {
        cluster.replace(member);
        Waiting.until("three members that serve", this::isWhole);
    }

    @Override
    public void save(Path file) {
        String unused = member(leader()).etcdctl("snapshot", "save", file.toString());
    }

    @Override
    public void restore(Path file) {
        cluster.restore(file, "restored-" + file.getFileName());
    }

    @Override
    public long lift() {
        return 0;
    }

    /** All members refuse to write then. */
    @Override
    public boolean servesWhenFull() {
        return false;
    }

    /** The quota of all members. */
    @Override
    public String fill() {
        for (int i = 0; i < FILLERS; i++) {
            try {
                String unused = member(0).etcdctl("put", "/filler/" + i, FILLER);
            } catch (IllegalStateException full) {
                return String.valueOf(full.getMessage());
            }
        }
        throw new IllegalStateException("etcd took all: its quota is too large");
    }

    @Override
    public void makeRoom() {
        String unusedRemoval = member(0).etcdctl("del", "--prefix", "/filler/");
        String status = member(0).etcdctl("endpoint", "status", "-w", "json");
        String revision = status.replaceAll("(?s).*\"revision\":([0-9]+).*", "$1");
        String unusedCompaction = member(0).etcdctl("compact", revision);
        for (EtcdServer member : cluster.members()) {
            String unused = member.etcdctl("defrag");
        }
        String unusedEnd = member(0).etcdctl("alarm", "disarm");
    }

    /** The sum of all keys with all their revisions. */
    @Override
    public List<String> states() {
        return cluster.members().stream()
                .map(member -> member.etcdctl("endpoint", "hashkv"))
                .map(line -> line.substring(line.indexOf(',') + 1).strip())
                .toList();
    }

    @Override
    public void close() {
        cluster.close();
    }
}

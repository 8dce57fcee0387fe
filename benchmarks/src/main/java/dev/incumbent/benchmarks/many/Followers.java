package dev.incumbent.benchmarks.many;

import static dev.incumbent.benchmarks.Output.load;
import static dev.incumbent.benchmarks.Output.print;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What processes that follow one leader ask of etcd, by the server's own counters. Each has a client and a session of its own, as if it were alone in its JVM.
 * {@code [--lease SECONDS] [--leases N] FOLLOWERS…}.
 */
public final class Followers {
    private static final List<String> METHODS = List.of("Txn", "Range", "LeaseKeepAlive", "LeaseGrant", "Watch");
    private static final Duration BETWEEN = Duration.ofMillis(20);

    private final Duration lease;
    private final int leases;
    private final SystemTimeline timeline = new SystemTimeline();
    private final List<Coordinator> clients = new ArrayList<>();
    private final List<Elections> processes = new ArrayList<>();
    private final List<Candidacy> candidacies = new ArrayList<>();

    private Followers(Duration lease, int leases) {
        this.lease = lease;
        this.leases = leases;
    }

    public static void main(String[] args) {
        Duration lease = Duration.ofSeconds(15);
        int leases = 4;
        List<Integer> counts = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--lease" -> lease = Duration.ofSeconds(Integer.parseInt(args[++i]));
                case "--leases" -> leases = Integer.parseInt(args[++i]);
                default -> counts.add(Integer.parseInt(args[i]));
            }
        }
        print("lease %d s, counted for %d leases; load %s", lease.toSeconds(), leases, load());
        for (int count : counts.isEmpty() ? List.of(100, 300) : counts) {
            new Followers(lease, leases).measure(count);
        }
        print("load at the end %s", load());
    }

    private void measure(int count) {
        try (EtcdServer server = EtcdServer.startOnDisk()) {
            String uri = server.uri("incumbent");
            for (int i = 0; i <= count; i++) {
                join(uri, i);
                pass(BETWEEN);
            }
            pass(lease.multipliedBy(2));
            Optional<Candidacy> leading = leading();
            Map<String, Long> before = counters(server);
            long from = timeline.nanos();
            pass(lease.multipliedBy(leases));
            double seconds = (timeline.nanos() - from) / (double) TimeUnit.SECONDS.toNanos(1);
            Map<String, Long> after = counters(server);
            report(count, seconds, before, after, leading.isPresent() && leading.equals(leading()));
            processes.forEach(Elections::closeAsync);
            clients.forEach(Coordinator::close);
        }
        timeline.close();
    }

    private void join(String uri, int number) {
        Timing timing = Timing.ofLease(lease);
        Coordinator client = CoordinatorProvider.of(uri).open(uri, timeline, timing.requestTimeout(), Mode.CREATE);
        Elections process = Elections.over(client)
                .name("process-" + number)
                .timing(timing)
                .timeline(timeline)
                .quiet()
                .open();
        clients.add(client);
        processes.add(process);
        candidacies.add(process.election("job").campaign());
    }

    private Optional<Candidacy> leading() {
        return candidacies.stream().filter(one -> one.leadership().isPresent()).findFirst();
    }

    private static Map<String, Long> counters(EtcdServer server) {
        Map<String, Long> counters = new TreeMap<>();
        METHODS.forEach(method -> counters.put(method, Store.received(server.clientUrl(), method)));
        return counters;
    }

    /** A keep-alive is followed by a transaction of its own, which proves it. */
    private static void report(
            int count, double seconds, Map<String, Long> before, Map<String, Long> after, boolean isSettled) {
        Map<String, Long> asked = new TreeMap<>();
        METHODS.forEach(method -> asked.put(method, after.getOrDefault(method, 0L) - before.getOrDefault(method, 0L)));
        long keepAlives = asked.getOrDefault("LeaseKeepAlive", 0L);
        double reads = (asked.getOrDefault("Txn", 0L) + asked.getOrDefault("Range", 0L) - keepAlives) / seconds;
        print(
                "%d followers: %.1f reads a second, %.3f each; %.1f keep-alives a second, each with a proof; one leader throughout: %s; in %.0f s %s",
                count, reads, reads / count, keepAlives / seconds, isSettled ? "yes" : "NO", seconds, asked);
    }

    private void pass(Duration length) {
        long end = timeline.nanos() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - timeline.nanos()) {
            LockSupport.parkNanos(left);
        }
    }
}

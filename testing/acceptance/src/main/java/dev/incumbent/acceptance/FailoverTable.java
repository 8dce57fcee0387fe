package dev.incumbent.acceptance;

import dev.incumbent.Elections;
import dev.incumbent.acceptance.Store.Running;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/**
 * Measures every coordinator named, or all: what it promises, how long after a {@code kill -9} of the leader's process the next one's task begins (the lease being 6 s, or
 * the floor where that is longer; median of {@value #KILLS}), and the keep-alives that a process with {@value #ELECTIONS} elections sends in a lease. Prints rows of the table in
 * docs/coordinators/README.md.
 */
public final class FailoverTable {
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final int KILLS = 3;
    private static final int ELECTIONS = 20;
    private static final double NANOS_PER_SECOND = 1e9;

    private final SystemTimeline clocks = new SystemTimeline();
    private final TemporaryFolder folder;

    private FailoverTable(TemporaryFolder folder) {
        this.folder = folder;
    }

    public static void main(String[] names) throws Exception {
        System.out.println(
                "| coordinator | consistency | expiry judged by | changes | floor | lease | failover: median (max) of "
                        + KILLS + " | keep-alives a lease, " + ELECTIONS + " elections |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        try (TemporaryFolder folder = TemporaryFolder.create("failover")) {
            FailoverTable table = new FailoverTable(folder);
            for (Store store : Stores.named(List.of(names))) {
                try (Running running = store.begin().call()) {
                    System.out.println(table.row(store.name(), running.uri()));
                }
            }
        }
        System.exit(0);
    }

    private String row(String name, String uri) throws Exception {
        Capabilities can;
        try (Coordinator probe = Coordinators.open(uri, clocks, Duration.ofSeconds(2))) {
            can = probe.capabilities();
        }
        Duration lease = can.leaseFloor().compareTo(LEASE) > 0 ? can.leaseFloor() : LEASE;
        List<Long> gaps = new ArrayList<>();
        for (int i = 0; i < KILLS; i++) {
            gaps.add(failover(uri, "failover/" + name + "-" + i, lease));
        }
        Collections.sort(gaps);
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %d s | %.2f s (%.2f) | %.1f |",
                name,
                can.consistency(),
                can.expiryJudgedBy(),
                can.pushesChanges() ? "pushed" : "polled",
                can.leaseFloor().toString().substring(2).toLowerCase(Locale.ROOT),
                lease.toSeconds(),
                gaps.get(KILLS / 2) / NANOS_PER_SECOND,
                gaps.get(KILLS - 1) / NANOS_PER_SECOND,
                keepAlivesALease(uri, lease));
    }

    private long failover(String uri, String election, Duration lease) throws Exception {
        try (HolderProcess first = start("first", uri, election, lease)) {
            first.await("leads");
            try (HolderProcess second = start("second", uri, election, lease)) {
                second.await("stands");
                SystemTimeline.sleep(lease.dividedBy(2));
                long killed = clocks.nanos();
                first.kill();
                second.await("leads");
                return clocks.nanos() - killed;
            }
        }
    }

    private HolderProcess start(String name, String uri, String election, Duration lease) throws Exception {
        return HolderProcess.start(
                folder.resolve("holder.err"), uri, List.of(name, election, Long.toString(lease.toMillis())));
    }

    private double keepAlivesALease(String uri, Duration lease) throws Exception {
        Timing timing = Timing.ofLease(lease);
        int leases = 2;
        try (Coordinator coordinator = Coordinators.open(uri, clocks, timing.requestTimeout())) {
            CountedKeepAlives counted = new CountedKeepAlives(coordinator);
            try (Elections elections = Elections.over(counted.coordinator())
                    .name("many")
                    .timing(timing)
                    .timeline(clocks)
                    .open()) {
                CountDownLatch led = new CountDownLatch(ELECTIONS);
                for (int i = 0; i < ELECTIONS; i++) {
                    elections.election("many/" + i).campaign(leadership -> {
                        led.countDown();
                        new CountDownLatch(1).await();
                    });
                }
                led.await();
                long before = counted.count();
                SystemTimeline.sleep(lease.multipliedBy(leases));
                return (counted.count() - before) / (double) leases;
            }
        }
    }
}

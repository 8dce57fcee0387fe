package dev.incumbent.cli.doctor;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.OperatorName;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** May this process take a lease, how long a one does it get, and do answers come fast enough to keep it? */
final class LeaseCheck {
    private static final int KEEP_ALIVES = 5;
    private static final long UNEVEN = 10;
    private static final Duration NOTABLE = Duration.ofMillis(100);
    private static final Duration KILL_RESERVE = Duration.ofMillis(150);
    private static final Duration STOP_BUDGET = Duration.ofSeconds(5);

    private final Surroundings around;
    private final Duration length;

    LeaseCheck(Surroundings around, Duration length) {
        this.around = around;
        this.length = length;
    }

    /** Takes a lease, keeps it a few times, and gives it back. Writes nothing else. */
    List<Finding> findings(Coordinator coordinator) {
        Timing timing;
        try {
            Duration third = length.dividedBy(3);
            timing = Timing.ofLease(length, STOP_BUDGET.compareTo(third) < 0 ? STOP_BUDGET : third, KILL_RESERVE);
        } catch (IllegalArgumentException unsafe) {
            return List.of(Finding.wrong("lease", String.valueOf(unsafe.getMessage())));
        }
        try {
            return tried(coordinator, timing);
        } catch (CoordinatorException refused) {
            return List.of(Finding.wrong("permissions", "no lease can be taken: " + refused.getMessage()));
        }
    }

    private List<Finding> tried(Coordinator coordinator, Timing timing) {
        List<Finding> findings = new ArrayList<>();
        String random = UUID.randomUUID().toString().substring(0, 8);
        CandidateId owner = CandidateId.of(
                "doctor", OperatorName.host(around), ProcessHandle.current().pid(), random);
        GrantedLease lease = Answers.await(coordinator.grant(owner, length));
        try {
            findings.add(granted(lease, timing));
            findings.addAll(roundTrips(coordinator, lease, timing));
        } finally {
            Answers.await(coordinator.revoke(lease.id()));
        }
        return findings;
    }

    private Finding granted(GrantedLease lease, Timing timing) {
        String told = "a lease of " + length.toMillis() + " ms was asked for, and one of "
                + lease.timeToLive().toMillis() + " ms is granted";
        String unsafe = timing.unsafeOn(lease.timeToLive());
        return unsafe.isEmpty() ? Finding.well("lease", told) : Finding.wrong("lease", told + "; " + unsafe);
    }

    private List<Finding> roundTrips(Coordinator coordinator, GrantedLease lease, Timing timing) {
        long[] took = new long[KEEP_ALIVES];
        for (int i = 0; i < KEEP_ALIVES; i++) {
            long sent = around.timeline().nanos();
            Answers.await(coordinator.keepAlive(lease.id()));
            took[i] = around.timeline().nanos() - sent;
        }
        Arrays.sort(took);
        long slowest = took[KEEP_ALIVES - 1];
        List<Finding> findings = new ArrayList<>(List.of(slowest(slowest, timing)));
        if (slowest > UNEVEN * took[KEEP_ALIVES / 2] && slowest > NOTABLE.toNanos()) {
            findings.add(Finding.wrong(
                    "load",
                    "of " + KEEP_ALIVES + " keep-alives most took " + took[KEEP_ALIVES / 2] / 1_000_000
                            + " ms and one " + slowest / 1_000_000
                            + " ms: the coordinator's host, this one, or the network between them is loaded"));
        }
        return findings;
    }

    private Finding slowest(long slowest, Timing timing) {
        String told = "the slowest of " + KEEP_ALIVES + " keep-alives took " + slowest / 1_000_000
                + " ms, and a lease of " + length.toMillis() + " ms allows "
                + timing.requestTimeout().toMillis() + " ms for each";
        return slowest * 2 <= timing.requestTimeout().toNanos()
                ? Finding.well("round trip", told)
                : Finding.wrong("round trip", told + ": less than twice as much");
    }
}

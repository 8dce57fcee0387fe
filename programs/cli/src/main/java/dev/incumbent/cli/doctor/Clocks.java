package dev.incumbent.cli.doctor;

import dev.incumbent.cli.clock.ClockError;
import dev.incumbent.cli.frame.Answers;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.Timing;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Do this machine's clocks run at one rate, and does the store's wall clock agree? */
final class Clocks {
    /** What the coarsest of the clocks, {@code /proc/uptime}, and a preempted read of it may err by. */
    private static final Duration COARSENESS = Duration.ofMillis(60);

    private static final Duration TOLERABLE_SKEW = Duration.ofSeconds(1);
    private static final String CHECK = "clocks";

    private final Timeline timeline;
    private final Sample begun;

    /** Begins a measurement. */
    Clocks(Timeline timeline) {
        this.timeline = timeline;
        this.begun = Sample.of(timeline);
    }

    /** What the clocks did since it began. */
    List<Finding> findings(Coordinator coordinator) {
        List<Finding> findings = new ArrayList<>();
        Sample now = Sample.of(timeline);
        Duration nanos = Duration.ofNanos(now.nanos - begun.nanos);
        rate(findings, "wall", nanos, Duration.ofMillis(now.wallMillis - begun.wallMillis));
        if (begun.bootNanos.isPresent() && now.bootNanos.isPresent()) {
            long boot = now.bootNanos.getAsLong() - begun.bootNanos.getAsLong();
            rate(findings, "boot-time", nanos, Duration.ofNanos(boot));
        } else {
            findings.add(Finding.note(CHECK, "this system tells no boot-time clock: a suspend ends leases early"));
        }
        skew(findings, coordinator);
        return findings;
    }

    private static void rate(List<Finding> findings, String name, Duration nanos, Duration other) {
        Duration apart = other.minus(nanos).abs();
        Duration bound = COARSENESS.plusNanos((long) (nanos.toNanos() * Timing.DRIFT_BOUND));
        String measured = "in " + nanos.toMillis() + " ms of the monotonic clock the " + name + " clock ran "
                + other.toMillis() + " ms";
        findings.add(
                apart.compareTo(bound) <= 0
                        ? Finding.well(CHECK, measured)
                        : Finding.wrong(
                                CHECK,
                                measured + ", which is " + apart.toMillis() + " ms apart and more than "
                                        + bound.toMillis() + " ms"));
    }

    /** What vouches for this machine's clock. That nobody does is no fault of a coordinator on this very machine, but is worth a warning. */
    static Finding error(Optional<ClockError> clock, Duration lease) {
        if (clock.isEmpty()) {
            return Finding.note(
                    "clock error",
                    "neither chrony nor the kernel tells anything of it, so the standard drift bound stays");
        }
        String told = clock.get().sentence(lease);
        boolean isWithin = clock.get().isSynchronised() && clock.get().rateOver(lease) <= Timing.DRIFT_BOUND;
        return isWithin ? Finding.well("clock error", told) : Finding.note("clock error", told);
    }

    private void skew(List<Finding> findings, Coordinator coordinator) {
        Optional<Instant> store = Answers.await(coordinator.clock());
        if (store.isEmpty()) {
            return;
        }
        Duration apart = Duration.between(Instant.ofEpochMilli(timeline.wallMillis()), store.get());
        String measured = "the store's wall clock is " + apart.toMillis() + " ms from this machine's";
        findings.add(
                apart.abs().compareTo(TOLERABLE_SKEW) <= 0
                        ? Finding.well(CHECK, measured)
                        : Finding.wrong(
                                CHECK,
                                measured + ", more than " + TOLERABLE_SKEW.toMillis()
                                        + " ms; no lease is judged by that, but times in records mislead"));
    }

    private record Sample(long nanos, long wallMillis, OptionalLong bootNanos) {
        static Sample of(Timeline timeline) {
            return new Sample(timeline.nanos(), timeline.wallMillis(), timeline.bootNanos());
        }
    }
}

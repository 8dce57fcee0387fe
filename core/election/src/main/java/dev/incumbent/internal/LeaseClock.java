package dev.incumbent.internal;

import dev.incumbent.protocol.Moment;
import dev.incumbent.time.Timeline;
import java.util.OptionalLong;

/**
 * The clock that leases are counted on: monotonic, and running through a suspend, which stops the machine's own.
 *
 * <p>Each reading compares the wall clock. Where the two disagree the boot-time clock decides, so that a wall clock set forward ends nobody; where there is
 * none, whichever says "later" wins. Thread-safe; a reading allocates nothing while the clocks agree.
 */
public final class LeaseClock {
    /** Clocks that differ by less agree: above a wall clock's granularity, below the margin of every timing. */
    static final long TOLERANCE_NANOS = 20_000_000;

    /** The boot-time clock is coarse, and a thread may lose the processor between two readings. Below the margin of every timing, too. */
    static final long BOOT_TOLERANCE_NANOS = 30_000_000;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int SAMPLES = 3;

    private final Timeline timeline;
    private volatile Anchor anchor;

    /**
     * What was so when the clocks were last compared: how far wall and boot clocks were ahead of the monotonic one, what was slept through, how much of that the boot clock told for sure, and when the
     * last of it was noticed.
     */
    private record Anchor(long wallAhead, OptionalLong bootAhead, long slept, long surelySlept, long sleptSince) {}

    public LeaseClock(Timeline timeline) {
        this.timeline = timeline;
        long now = timeline.nanos();
        this.anchor = new Anchor(wallAhead(now), bootAhead(), 0, 0, now);
    }

    /** Now, on the clock of leases. */
    public long nanos() {
        long monotonic = timeline.nanos();
        Anchor seen = anchor;
        long ahead = wallAhead(monotonic) - seen.wallAhead();
        if (ahead > TOLERANCE_NANOS || ahead < -TOLERANCE_NANOS) {
            seen = compare();
        }
        return monotonic + seen.slept();
    }

    /**
     * The time that has surely passed, by which one counts what must not end early, such as a promise: no wall clock moves it. It counts a suspend that the boot-time clock tells of, short by
     * that clock's coarseness, and stands still in one where there is no such clock.
     */
    public long passedNanos() {
        nanos();
        Anchor seen = anchor;
        return timeline.nanos() + seen.surelySlept();
    }

    /** Asks the boot-time clock although the others agree: a suspend may hide behind a wall clock that was set back. */
    public void tick() {
        Anchor seen = anchor;
        if (seen.bootAhead().isPresent() && sleptBeyond(seen, bootAhead()) > BOOT_TOLERANCE_NANOS) {
            compare();
        }
    }

    /** How long it has run while the timeline's clock stood still. */
    public long slept() {
        return anchor.slept();
    }

    public Moment moment() {
        return new Moment(nanos(), timeline.wallMillis());
    }

    /**
     * A reading of the timeline's own clock, on the clock of leases. Never later than it was: what was read before the last suspend was noticed is taken for as
     * old as if this clock had never run through one.
     */
    long ofTimeline(long nanos) {
        Anchor seen = anchor;
        return nanos - seen.sleptSince() >= 0 ? nanos + seen.slept() : nanos;
    }

    /** That time on the timeline's own clock; earlier than it was for times before a suspend. */
    public long onTimeline(long nanos) {
        return nanos - anchor.slept();
    }

    private synchronized Anchor compare() {
        Anchor seen = anchor;
        OptionalLong boot = bootAhead();
        long wall = wallAhead(timeline.nanos());
        long slept = seen.slept();
        long surely = seen.surelySlept();
        if (boot.isPresent() && seen.bootAhead().isPresent()) {
            long more = sleptBeyond(seen, boot);
            slept += more > BOOT_TOLERANCE_NANOS ? more : 0;
            surely += Math.max(0, more - BOOT_TOLERANCE_NANOS);
            boot = more > BOOT_TOLERANCE_NANOS ? boot : seen.bootAhead();
        } else {
            slept += Math.max(0, wall - seen.wallAhead());
        }
        long since = slept > seen.slept() ? timeline.nanos() : seen.sleptSince();
        anchor = new Anchor(wall, boot, slept, surely, since);
        return anchor;
    }

    private static long sleptBeyond(Anchor seen, OptionalLong boot) {
        return boot.isPresent() ? boot.getAsLong() - seen.bootAhead().orElseThrow() : 0;
    }

    private long wallAhead(long monotonic) {
        return timeline.wallMillis() * NANOS_PER_MILLI - monotonic;
    }

    private OptionalLong bootAhead() {
        OptionalLong most = OptionalLong.empty();
        for (int i = 0; i < SAMPLES; i++) {
            OptionalLong boot = timeline.bootNanos();
            if (boot.isEmpty()) {
                return boot;
            }
            long ahead = boot.getAsLong() - timeline.nanos();
            most = OptionalLong.of(most.isPresent() ? Math.max(most.getAsLong(), ahead) : ahead);
        }
        return most;
    }
}

package dev.incumbent.coordinator.kubernetes;

import java.util.concurrent.TimeUnit;

/**
 * When the next question and the next stream may leave. Lists and probes have one rhythm, streams another: a server may refuse the one and grant
 * the other. Each is put off after failures in a row, from {@link #SHORTEST} doubling up to the request timeout, and for as long as the server asks.
 * Belongs to its {@link LeaseCache}.
 */
final class Rhythm {
    static final long NEVER = Long.MAX_VALUE;

    /** Long ago. */
    private static final long ALWAYS = Long.MIN_VALUE;

    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(100);

    /** For so long and no longer a server is left alone because it asked for it. */
    private static final long LONGEST_RETRY = TimeUnit.MINUTES.toNanos(1);

    private static final int LARGEST_DOUBLING = 20;

    private final long periodNanos;

    private int failedQuestions;
    private int failedStreams;
    private long listAt = NEVER;
    private long lookAt = NEVER;
    private long askNotBefore = ALWAYS;
    private long openNotBefore = ALWAYS;

    /** With a fresh look once a period. */
    Rhythm(long periodNanos) {
        this.periodNanos = periodNanos;
    }

    /** A list is wanted, as soon as one may be asked for. */
    void wantList(long nowNanos) {
        listAt = Math.min(listAt, nowNanos);
    }

    /** When a list is to be asked for. */
    long listAt() {
        return listAt == NEVER ? NEVER : Math.max(listAt, askNotBefore);
    }

    /** When a fresh look is due, if nobody looked before. */
    long lookAt() {
        return lookAt;
    }

    /** When a stream may be opened. */
    long openAt() {
        return openNotBefore;
    }

    void listIsAsked(long nowNanos) {
        listAt = NEVER;
        looked(nowNanos);
    }

    void looked(long nowNanos) {
        lookAt = nowNanos + periodNanos;
    }

    void answered() {
        failedQuestions = 0;
    }

    /** Neither a list nor a probe may leave for a while. */
    void unanswered(CacheStep step, long retryAfterNanos) {
        failedQuestions++;
        askNotBefore = step.now() + atLeast(retryAfterNanos, pause(failedQuestions, step));
    }

    /** Have streams come to nothing since the last that lasted? */
    boolean streamsFail() {
        return failedStreams > 0;
    }

    void streamLasts() {
        failedStreams = 0;
    }

    /** The next stream continues this one, after a pause. */
    void pauseStreams(CacheStep step, boolean lasted, long retryAfterNanos) {
        failedStreams = lasted ? 0 : failedStreams + 1;
        openNotBefore = step.now() + atLeast(retryAfterNanos, pause(Math.max(1, failedStreams), step));
    }

    /** The next stream follows a list, which is asked for at once after the first failure, and then after a pause. */
    void listBeforeTheNextStream(CacheStep step, boolean lasted, long retryAfterNanos) {
        failedStreams = lasted ? 0 : failedStreams + 1;
        long pause = pause(failedStreams - 1, step);
        openNotBefore = step.now() + atLeast(retryAfterNanos, pause);
        listAt = Math.min(listAt, step.now() + pause);
    }

    /** Nobody waits for anything. */
    void rest() {
        listAt = NEVER;
        lookAt = NEVER;
    }

    private long pause(int failures, CacheStep step) {
        if (failures <= 0) {
            return 0;
        }
        long whole = Math.min(periodNanos, SHORTEST << Math.min(failures - 1, LARGEST_DOUBLING));
        return whole - (long) (step.jitter() * whole / 2);
    }

    private static long atLeast(long retryAfterNanos, long pause) {
        return Math.max(pause, Math.min(retryAfterNanos, LONGEST_RETRY));
    }
}

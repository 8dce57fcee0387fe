package dev.incumbent.spring;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;

/** Waits in real time, and fails where it waits for longer than a busy machine takes. No lease of these tests ends before. */
final class Await {
    static final Duration LEASE = Duration.ofSeconds(90);
    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final Duration SOON = Duration.ofMillis(500);
    private static final long A_MOMENT_NANOS = 5_000_000;

    private Await() {}

    /** Is it so within half a second? For what must not happen, and happens at once where it does. */
    static boolean happensSoon(BooleanSupplier isSo) {
        long began = System.nanoTime();
        while (!isSo.getAsBoolean() && System.nanoTime() - began < SOON.toNanos()) {
            LockSupport.parkNanos(A_MOMENT_NANOS);
        }
        return isSo.getAsBoolean();
    }

    static void until(String what, BooleanSupplier isSo) {
        long began = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            if (System.nanoTime() - began > LONGEST.toNanos()) {
                Assertions.fail(what + " was not so within " + LONGEST.toMillis() + " ms");
            }
            LockSupport.parkNanos(A_MOMENT_NANOS);
        }
    }
}

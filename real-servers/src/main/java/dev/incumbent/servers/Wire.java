package dev.incumbent.servers;

import dev.incumbent.servers.TcpProxy.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What happens now to a piece of data on its way. Thread-safe. */
final class Wire {
    private Optional<Fault> fault = Optional.empty();
    private long delayNanos;
    private boolean losesNextAnswer;

    synchronized void fault(Fault how) {
        fault = Optional.of(how);
    }

    synchronized void heal() {
        fault = Optional.empty();
        losesNextAnswer = false;
        notifyAll();
    }

    synchronized void slow(Duration by) {
        delayNanos = by.toNanos();
    }

    synchronized void loseNextAnswer() {
        losesNextAnswer = true;
    }

    /** What becomes of a piece of a request, after whatever wait. */
    Fate request() throws InterruptedException {
        delay();
        synchronized (this) {
            if (isNow(Fault.SILENT) || isNow(Fault.REFUSED)) {
                return Fate.LOST;
            }
            boolean waited = false;
            while (isNow(Fault.DELAYED)) {
                waited = true;
                wait(TimeUnit.SECONDS.toMillis(1));
            }
            return waited ? Fate.ARRIVES_LATE : Fate.ARRIVES;
        }
    }

    /** What becomes of a piece of an answer. */
    Fate answer() {
        delay();
        synchronized (this) {
            if (losesNextAnswer) {
                losesNextAnswer = false;
                return Fate.LOST_WITH_ITS_CONNECTION;
            }
            return fault.isPresent() ? Fate.LOST : Fate.ARRIVES;
        }
    }

    synchronized boolean isCut() {
        return fault.isPresent();
    }

    private boolean isNow(Fault which) {
        return fault.equals(Optional.of(which));
    }

    private void delay() {
        long nanos;
        synchronized (this) {
            nanos = delayNanos;
        }
        if (nanos > 0) {
            LockSupport.parkNanos(nanos);
        }
    }

    enum Fate {
        ARRIVES,
        /** It waited for a healing: its connection, over which answers were lost, ends once it has arrived. */
        ARRIVES_LATE,
        LOST,
        LOST_WITH_ITS_CONNECTION
    }
}

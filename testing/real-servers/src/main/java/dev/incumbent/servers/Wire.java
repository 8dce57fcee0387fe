package dev.incumbent.servers;

import dev.incumbent.servers.TcpProxy.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What happens now to a piece of data on its way. Thread-safe. */
final class Wire {
    private Optional<Fault> fault = Optional.empty();
    private long requestDelayNanos;
    private long answerDelayNanos;
    private boolean losesNextAnswer;
    private boolean holds;
    private int held;
    private int delayed;
    private long requests;

    synchronized void fault(Fault how) {
        fault = Optional.of(how);
    }

    synchronized void heal() {
        fault = Optional.empty();
        losesNextAnswer = false;
        holds = false;
        notifyAll();
    }

    synchronized void slow(Duration by) {
        requestDelayNanos = by.toNanos();
        answerDelayNanos = by.toNanos();
    }

    synchronized void slowAnswers(Duration by) {
        answerDelayNanos = by.toNanos();
    }

    synchronized void hold() {
        holds = true;
    }

    synchronized void letGo() {
        holds = false;
        notifyAll();
    }

    /** Does a request wait, since it is held? */
    synchronized boolean isHolding() {
        return held > 0;
    }

    synchronized void loseNextAnswer() {
        losesNextAnswer = true;
    }

    /** Does a request wait for the healing? */
    synchronized boolean isDelaying() {
        return delayed > 0;
    }

    /** How many pieces of requests have come so far. */
    synchronized long requests() {
        return requests;
    }

    /** What becomes of a piece of a request, after whatever wait. */
    Fate request() throws InterruptedException {
        synchronized (this) {
            requests++;
        }
        delay(true);
        synchronized (this) {
            waitWhileHeld();
            if (isNow(Fault.SILENT) || isNow(Fault.REFUSED)) {
                return Fate.LOST;
            }
            boolean waited = isNow(Fault.DELAYED);
            delayed += waited ? 1 : 0;
            while (isNow(Fault.DELAYED)) {
                wait(TimeUnit.SECONDS.toMillis(1));
            }
            delayed -= waited ? 1 : 0;
            return waited ? Fate.ARRIVES_LATE : Fate.ARRIVES;
        }
    }

    /** What becomes of a piece of an answer. */
    Fate answer() {
        delay(false);
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

    /** Is no connection to be made? */
    synchronized boolean refuses() {
        return isNow(Fault.REFUSED);
    }

    private boolean isNow(Fault which) {
        return fault.equals(Optional.of(which));
    }

    private synchronized void waitWhileHeld() throws InterruptedException {
        held++;
        while (holds) {
            wait(TimeUnit.SECONDS.toMillis(1));
        }
        held--;
    }

    private void delay(boolean request) {
        long nanos;
        synchronized (this) {
            nanos = request ? requestDelayNanos : answerDelayNanos;
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

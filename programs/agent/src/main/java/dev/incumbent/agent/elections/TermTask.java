package dev.incumbent.agent.elections;

import dev.incumbent.Leadership;
import dev.incumbent.Validity;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** The task of one term of the agent. It does no work: it lasts until the term is given up, so that nobody else leads before. Thread-safe. */
final class TermTask {
    private final Leadership leadership;
    private final CountDownLatch givenUp = new CountDownLatch(1);
    private volatile boolean isToldToStop;

    TermTask(Leadership leadership) {
        this.leadership = leadership;
    }

    long token() {
        return leadership.token().value();
    }

    Term term() {
        return leadership.term();
    }

    /** Does the agent's leadership hold now? */
    boolean holds() {
        return leadership.holds();
    }

    /** For how long the agent's leadership holds now; zero after its end. */
    long remainingNanos() {
        return leadership.holds() ? leadership.remaining().toNanos() : 0;
    }

    /** Were the last keep-alives of the agent's lease not answered in time? */
    boolean inJeopardy() {
        return leadership.inJeopardy();
    }

    /** Why the term ended, once it has. */
    Optional<EndReason> reason() {
        return Optional.ofNullable(leadership.ended().toCompletableFuture().getNow(null));
    }

    /** Does the library end this term already, such as for a transfer? */
    boolean isToldToStop() {
        return isToldToStop;
    }

    /** Hears how long the agent's leadership is valid: soon, and after each renewal. */
    void onRenewed(Consumer<Validity> hears) {
        leadership.onRenewed(hears);
    }

    /** Lets the task return. */
    void giveUp() {
        givenUp.countDown();
    }

    /** Waits until the term is given up, also when it is told to stop: an owner may still believe that it leads. */
    void await(Runnable toldToStop) {
        while (true) {
            try {
                givenUp.await();
                return;
            } catch (InterruptedException stop) {
                isToldToStop = true;
                toldToStop.run();
            }
        }
    }
}

package dev.incumbent.health;

import java.util.concurrent.Callable;

/**
 * A question with a name, which is asked again and again: can this process do its work?
 *
 * <p>A {@link HealthMonitor} asks each check on a daemon thread of its own, one question at a time, and interrupts it when its time is up. A question that has no
 * answer in time counts as a bad one, and so does one that throws.
 */
public interface HealthCheck {
    /** What is asked, in a few words, such as <em>disk /var/lib/ledger</em>: the subject of every sentence about it. Shows no secret. */
    String name();

    /**
     * Answers. May block, and must end when its thread is interrupted.
     *
     * @param nanos the time on a monotonic clock, always the same one
     */
    Answer ask(long nanos) throws Exception;

    /** A check that has no need of the time. */
    static HealthCheck of(String name, Callable<Answer> question) {
        return new HealthCheck() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Answer ask(long nanos) throws Exception {
                return question.call();
            }
        };
    }
}

package dev.incumbent.coordinator.quorum;

import dev.incumbent.calls.Call;
import dev.incumbent.coordinator.CoordinatorException;
import java.util.List;

/** One call, as a line that is sent, and what the answer to it means. */
final class Request<T> extends Call<T> {
    private final String line;
    private final Meaning<T> meaning;
    private volatile long sentAtNanos;

    Request(String line, boolean writes, Meaning<T> meaning, long deadlineNanos) {
        super(writes, deadlineNanos);
        this.line = line;
        this.meaning = meaning;
    }

    /** What an answer's fields mean to the caller; may throw what is the call's own outcome. */
    @FunctionalInterface
    interface Meaning<T> {
        T of(List<String> answer, long sentAtNanos);
    }

    String line() {
        return line;
    }

    /** As {@link #send}; remembers the instant. */
    boolean sendAt(long nanos) {
        sentAtNanos = nanos;
        return send();
    }

    /** Ends it by the fields of an answer. */
    void settle(List<String> answer) {
        boolean unused = answer(() -> understood(answer));
    }

    private T understood(List<String> answer) {
        try {
            return meaning.of(answer, sentAtNanos);
        } catch (CoordinatorException outcome) {
            throw outcome;
        } catch (RuntimeException notUnderstood) {
            throw new CoordinatorException(
                    "a quorum node's answer is not understood: " + notUnderstood, writes(), notUnderstood);
        }
    }
}

package dev.incumbent.coordinator.sqlite;

import dev.incumbent.calls.Call;
import dev.incumbent.coordinator.CoordinatorException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;

/** One call to a store in a file. It counts as sent while it is in a transaction that holds the write lock. */
final class SqliteCall<T> extends Call<T> {
    private final Work<T> work;
    private final Kind kind;
    private final Optional<Supplier<CoordinatorException>> ifReplaced;
    /** What it came to when it ran last; its lane's thread alone knows it. */
    private Optional<Supplier<T>> outcome = Optional.empty();

    /**
     * A call that waits.
     *
     * @param ifReplaced what answers it, whatever its work may tell, where the store's files prove to be replaced
     */
    SqliteCall(Work<T> work, Kind kind, long deadlineNanos, Optional<Supplier<CoordinatorException>> ifReplaced) {
        super(kind != Kind.READ, deadlineNanos);
        this.work = work;
        this.kind = kind;
        this.ifReplaced = ifReplaced;
    }

    /** What becomes of a call whose session proves to be gone after it ran. */
    enum Kind {
        /** Runs again on the store that is there now. */
        READ,
        /** Writes what may be written again, and is answered by the store that is there now. */
        REPEATABLE_WRITE,
        /** Writes; whether that counts is uncertain. */
        WRITE
    }

    boolean isRepeatable() {
        return kind != Kind.WRITE;
    }

    void failAsReplaced() {
        ifReplaced.ifPresent(answer -> fail(answer.get()));
    }

    /** Does its work, and keeps the outcome until {@link #answerAsItRan()}. */
    void run(Tx tx) throws SQLException, NeedsWrite {
        try {
            T value = work.in(tx);
            outcome = Optional.of(() -> value);
        } catch (CoordinatorException refusal) {
            outcome = Optional.of(() -> {
                throw refusal;
            });
        }
    }

    void answerAsItRan() {
        answer(outcome.orElseThrow());
    }
}

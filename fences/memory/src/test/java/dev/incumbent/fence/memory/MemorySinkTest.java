package dev.incumbent.fence.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class MemorySinkTest {
    private static final ElectionName BILLING = new ElectionName("billing");

    private final MemoryStore store = new MemoryStore(new SinkId("s-1"));
    private final OneAlarm timeline = new OneAlarm();
    private final MemorySink sink = new MemorySink(store, timeline, Duration.ofSeconds(5));

    @Test
    void aRaiseWaitsForTheAdmittedAndNewcomersDoNotOvertakeIt() throws Exception {
        raised(7);
        MemoryTransaction old = store.begin();
        old.admit(BILLING, new FencingToken(7));
        old.write("last of term 7");

        CompletableFuture<Raise> raise = sink.raise(BILLING, mark(8)).toCompletableFuture();

        assertThat(raise).isNotDone();
        assertThatThrownBy(() -> store.begin().admit(BILLING, new FencingToken(7)))
                .isInstanceOf(NotAdmittedException.class);
        old.commit();
        assertThat(raise).isCompletedWithValue(new Raise.Raised(mark(8)));
        assertThat(store.written()).extracting(MemoryStore.Written::text).containsExactly("last of term 7");
    }

    @Test
    void aRaiseThatGivesUpNamesItsBlockerAndLeavesTheMark() throws Exception {
        raised(7);
        MemoryTransaction paused = store.begin();
        paused.admit(BILLING, new FencingToken(7));

        CompletableFuture<Raise> raise = sink.raise(BILLING, mark(8)).toCompletableFuture();
        timeline.ring();

        assertThatThrownBy(raise::join)
                .hasMessageContaining("gave up after 5000 ms")
                .hasMessageContaining("transaction 1, admitted with token 7 of billing");
        assertThat(store.marks()).containsEntry(BILLING, mark(7));
        store.write(BILLING, new FencingToken(7), "still admitted");
    }

    @Test
    void aStaleAdmissionDoomsItsTransaction() {
        raised(8);
        MemoryTransaction stale = store.begin();

        assertThatThrownBy(() -> stale.admit(BILLING, new FencingToken(7))).isInstanceOf(StaleTokenException.class);

        assertThatThrownBy(stale::commit).hasMessageContaining("cannot commit");
        assertThat(store.written()).isEmpty();
    }

    @Test
    void aStoreSetBackForgetsLaterMarksAndWritesButNotItsId() throws Exception {
        raised(7);
        MemoryStore.Copy yesterday = store.copy();
        raised(8);
        store.write(BILLING, new FencingToken(8), "lost");

        store.setBackTo(yesterday);

        assertThat(store.marks()).containsEntry(BILLING, mark(7));
        assertThat(store.written()).isEmpty();
        assertThat(sink.id().toCompletableFuture()).isCompletedWithValue(new SinkId("s-1"));
    }

    @Test
    void aTransactionOpenWhileItsStoreIsSetBackCannotCommit() throws Exception {
        raised(7);
        MemoryTransaction open = store.begin();
        open.admit(BILLING, new FencingToken(7));

        store.setBackTo(store.copy());

        assertThatThrownBy(open::commit).hasMessageContaining("cannot commit");
    }

    private void raised(long token) {
        CompletionStage<Raise> raise = sink.raise(BILLING, mark(token));
        assertThat(raise.toCompletableFuture()).isCompletedWithValue(new Raise.Raised(mark(token)));
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(new CandidateId("c" + token)));
    }

    /** Time that stands still; the last alarm rings by hand. */
    private static final class OneAlarm implements Timeline {
        private Runnable last = () -> {};

        void ring() {
            last.run();
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public OptionalLong bootNanos() {
            return OptionalLong.empty();
        }

        @Override
        public Alarm at(long nanos, Runnable task) {
            last = task;
            return () -> last = () -> {};
        }
    }
}

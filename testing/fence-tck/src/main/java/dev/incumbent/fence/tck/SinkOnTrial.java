package dev.incumbent.fence.tck;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** One sink under the contract: opened over its rig, asked in whole sentences, and waited for at most as long as the rig's patience. */
final class SinkOnTrial implements AutoCloseable {
    /** The election of whatever does not say another. */
    static final ElectionName BILLING = new ElectionName("billing/closer");

    /** How long something is watched that must not happen. */
    static final long A_WHILE_MILLIS = 100;

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final FenceRig rig;
    private Sink sink;

    SinkOnTrial(FenceRig rig) {
        this.rig = rig;
        this.sink = openAgain();
    }

    FenceRig rig() {
        return rig;
    }

    Sink openAgain() {
        return rig.open(BOUND);
    }

    void needs(Capability capability) {
        assumeTrue(rig.capabilities().contains(capability), () -> "this sink does not declare " + capability);
    }

    void needsHeldAdmissions() {
        assumeTrue(
                !rig.capabilities().contains(Capability.ADMITS_AT_COMMIT),
                () -> "this sink holds nothing between an admission and its commit");
    }

    void restart() {
        sink.close();
        rig.restart();
        sink = openAgain();
    }

    void closeTheSink() {
        sink.close();
    }

    @Override
    public void close() {
        sink.close();
        rig.close();
    }

    SinkId id() throws Exception {
        return answer(sink.id());
    }

    /** All marks, each of which can be read. */
    Map<ElectionName, Mark> marks() throws Exception {
        return readable(read());
    }

    Map<ElectionName, Mark> marks(Set<ElectionName> elections) throws Exception {
        return readable(read(elections));
    }

    MarksRead read() throws Exception {
        return answer(sink.marks());
    }

    MarksRead read(Set<ElectionName> elections) throws Exception {
        return answer(sink.marks(elections));
    }

    private static Map<ElectionName, Mark> readable(MarksRead read) {
        assertThat(read.unreadable()).isEmpty();
        return read.marks();
    }

    CompletionStage<Raise> raising(ElectionName election, Mark mark) {
        return sink.raise(election, mark);
    }

    CompletionStage<Raise> raising(Mark mark) {
        return sink.raise(BILLING, mark);
    }

    Raise raise(Mark mark) throws Exception {
        return answer(raising(mark));
    }

    Raise raise(ElectionName election, Mark mark) throws Exception {
        return answer(sink.raise(election, mark));
    }

    void raised(Mark mark) throws Exception {
        assertThat(raise(mark)).isEqualTo(new Raise.Raised(mark));
    }

    void assertRefused(Mark asked, Mark inForce) throws Exception {
        assertThat(raise(asked)).isEqualTo(new Raise.Refused(inForce));
    }

    /** Admits, writes and commits one line. */
    void write(long token, String line) throws Exception {
        Writer writer = admitted(token);
        try {
            writer.write(line);
            writer.commit();
        } finally {
            writer.rollBack();
        }
    }

    /** A transaction that is admitted and open. */
    Writer admitted(long token) throws FenceException {
        Writer writer = rig.begin();
        boolean admitted = false;
        try {
            writer.admit(BILLING, new FencingToken(token));
            admitted = true;
            return writer;
        } finally {
            if (!admitted) {
                writer.rollBack();
            }
        }
    }

    void assertWaiting(CompletionStage<?> stage) {
        assertThatThrownBy(() -> stage.toCompletableFuture().get(A_WHILE_MILLIS, MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
    }

    <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(rig.patience().toMillis(), MILLISECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    static CompletableFuture<Integer> inItsOwnThread(Callable<Integer> work) {
        var result = new CompletableFuture<Integer>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Exception failure) {
                result.completeExceptionally(failure);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}

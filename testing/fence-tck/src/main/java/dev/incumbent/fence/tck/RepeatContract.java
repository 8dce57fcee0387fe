package dev.incumbent.fence.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The part of {@link FenceContract} on what is done twice, and on what is left of what failed. */
abstract class RepeatContract extends MarkContract {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int GAVE_UP = 5;
    private static final int TRIES = 10;
    private static final int INSTALLS = 2;

    /** They may have raised the mark all the same. Neither the next raise waits for them, also of the sink that gave up, nor the admissions of its term. */
    @Test
    final void raisesThatGaveUpHoldUpNobody() throws Exception {
        sink.needsHeldAdmissions();
        sink.raised(mark(7, ANNA));
        Writer paused = sink.admitted(7);
        try (Sink impatient = sink.rig().open(SHORT)) {
            for (int i = 1; i <= GAVE_UP; i++) {
                CompletionStage<Raise> raise = impatient.raise(BILLING, mark(7 + i, BERT));
                sink.rig().pass(SHORT.plusMillis(1));
                assertThatThrownBy(() -> sink.answer(raise)).isInstanceOf(SinkException.class);
            }
            paused.write("of term 7");
            paused.commit();

            sink.raised(mark(20, ANNA));
            writtenAtLast(20, "of term 20");

            assertThat(raisedAtLast(impatient, mark(21, BERT))).isEqualTo(new Raise.Raised(mark(21, BERT)));
        }
        writtenAtLast(21, "of term 21");
        assertThat(sink.rig().written()).containsExactly("of term 7", "of term 20", "of term 21");
    }

    /** Its bound is short: on a busy machine it may give up although nothing is in its way. */
    private Raise raisedAtLast(Sink impatient, Mark mark) throws Exception {
        for (int tried = 1; tried < TRIES; tried++) {
            try {
                return sink.answer(impatient.raise(BILLING, mark));
            } catch (SinkException gaveUp) {
                Thread.onSpinWait();
            }
        }
        return sink.answer(impatient.raise(BILLING, mark));
    }

    /** A sink may want a transaction made anew that met a raise which is just giving up. */
    private void writtenAtLast(long token, String line) throws Exception {
        for (int tried = 1; tried < TRIES; tried++) {
            try {
                sink.write(token, line);
                return;
            } catch (NotAdmittedException again) {
                Thread.onSpinWait();
            }
        }
        sink.write(token, line);
    }

    @Test
    final void aRaiseMadeTwiceAtOnceByItsOwnerIsRaisedBothTimes() throws Exception {
        sink.needsHeldAdmissions();
        sink.raised(mark(7, ANNA));
        Writer admitted = sink.admitted(7);
        try (Sink another = sink.openAgain()) {
            CompletionStage<Raise> one = sink.raising(mark(8, BERT));
            CompletionStage<Raise> other = another.raise(BILLING, mark(8, BERT));
            sink.assertWaiting(one);
            sink.assertWaiting(other);

            admitted.commit();

            assertThat(sink.answer(one)).isEqualTo(new Raise.Raised(mark(8, BERT)));
            assertThat(sink.answer(other)).isEqualTo(new Raise.Raised(mark(8, BERT)));
        }
        sink.write(8, "admitted");
    }

    /** As a framework may make it that opens a transaction within another. Where it is refused, too, nothing stays admitted. */
    @Test
    final void anAdmissionMadeTwiceInATransactionEndsWithIt() throws Exception {
        boolean isRefused = sink.rig().capabilities().contains(Capability.ONE_ADMISSION);
        sink.raised(mark(7, ANNA));
        Writer committed = sink.admitted(7);
        if (isRefused) {
            assertThatThrownBy(() -> committed.admit(BILLING, new FencingToken(7)))
                    .isInstanceOf(NoTransactionException.class);
            committed.rollBack();
        } else {
            committed.admit(BILLING, new FencingToken(7));
            committed.write("admitted twice");
            committed.commit();
            Writer rolledBack = sink.admitted(7);
            rolledBack.admit(BILLING, new FencingToken(7));
            rolledBack.write("never");
            rolledBack.rollBack();
            rolledBack.rollBack();
        }

        sink.raised(mark(8, BERT));

        assertThat(sink.rig().written()).isEqualTo(isRefused ? List.of() : List.of("admitted twice"));
    }

    @Test
    final void installsAtOnceChangeNeitherTheIdNorAMark() throws Exception {
        SinkId born = sink.id();
        Mark seven = mark(7, ANNA);
        sink.raised(seven);

        List<CompletableFuture<Integer>> installs = IntStream.range(0, INSTALLS)
                .mapToObj(number -> SinkOnTrial.inItsOwnThread(() -> {
                    sink.rig().install();
                    return number;
                }))
                .toList();
        for (CompletableFuture<Integer> install : installs) {
            assertThat(sink.answer(install)).isNotNegative();
        }

        assertThat(sink.id()).isEqualTo(born);
        assertThat(sink.marks()).containsEntry(BILLING, seven);
        sink.write(7, "admitted");
    }
}

package dev.incumbent.fence.tck;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every fence keeps, one sentence a test. A provider's test extends this by one method, {@link #rig()}.
 *
 * <p>Marks are raised through {@link Sink}s, and writes admitted through {@link Writer}s, each on wires of its own.
 */
public abstract class FenceContract {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final long A_WHILE_MILLIS = 100;
    private static final int BUSY_WRITERS = 3;

    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final ElectionName REPORTS = new ElectionName("reports");
    private static final MarkOwner ANNA = candidate("anna@host-1-a");
    private static final MarkOwner BERT = candidate("bert@host-2-b");
    private static final MarkOwner FREEZE = MarkOwner.ofFreeze("ops@host");
    private static final MarkOwner OPERATOR = MarkOwner.ofOperator("ops@host");

    private FenceRig rig;
    private Sink sink;

    protected FenceContract() {}

    /** A fresh sink, installed, with no marks and nothing written. */
    protected abstract FenceRig rig();

    @BeforeEach
    final void open() {
        rig = rig();
        sink = rig.open(BOUND);
    }

    @AfterEach
    final void close() {
        sink.close();
        rig.close();
    }

    // What is admitted.

    @Test
    final void aTokenEqualToTheMarkIsAdmitted() throws Exception {
        raised(mark(7, ANNA));

        write(7, "first");
        write(7, "second");

        assertThat(rig.written()).containsExactly("first", "second");
    }

    @Test
    final void aSmallerTokenIsStale() throws Exception {
        raised(mark(7, ANNA));
        write(7, "of term 7");
        raised(mark(8, BERT));

        assertThatThrownBy(() -> write(7, "late")).isInstanceOf(StaleTokenException.class);

        assertThat(rig.written()).containsExactly("of term 7");
    }

    @Test
    final void aGreaterTokenIsNotRaisedHereAndLiftsNothing() throws Exception {
        raised(mark(7, ANNA));

        assertThatThrownBy(() -> write(8, "mistyped")).isInstanceOf(NotRaisedException.class);

        assertThat(answer(sink.marks())).containsEntry(BILLING, mark(7, ANNA));
        write(7, "still admitted");
    }

    @Test
    final void whereThereIsNoMarkNothingIsAdmitted() throws Exception {
        assertThatThrownBy(() -> write(1, "unraised")).isInstanceOf(NotRaisedException.class);

        assertThat(rig.written()).isEmpty();
        assertThat(answer(sink.marks())).isEmpty();
    }

    @Test
    final void anUnreadableTokenIsRefused() throws Exception {
        needs(Capability.UNTYPED_TOKENS);
        raised(mark(7, ANNA));

        for (String unreadable : List.of("", "seven", "7.0", "7 ", "0x7", "-7", "9223372036854775815")) {
            Writer writer = rig.begin();
            assertThatThrownBy(() -> writer.admitText(BILLING, unreadable), "'%s'", unreadable)
                    .isInstanceOf(FenceException.class);
            writer.rollBack();
        }
    }

    @Test
    final void nothingIsAdmittedOutsideATransaction() throws Exception {
        raised(mark(7, ANNA));

        assertThatThrownBy(() -> rig.admitOutsideATransaction(BILLING, new FencingToken(7)))
                .isInstanceOf(NoTransactionException.class);
    }

    @Test
    final void anOldSnapshotAdmitsNothingStale() throws Exception {
        needs(Capability.SNAPSHOTS);
        raised(mark(7, ANNA));
        Writer old = rig.begin();
        old.read();
        raised(mark(8, BERT));

        assertThatThrownBy(() -> old.admit(BILLING, new FencingToken(7)))
                .isInstanceOfAny(StaleTokenException.class, NotAdmittedException.class);
        old.rollBack();
        assertThatThrownBy(() -> write(7, "late")).isInstanceOf(StaleTokenException.class);
    }

    // A raise and the admitted.

    @Test
    final void aRaiseWaitsForTheAdmitted() throws Exception {
        raised(mark(7, ANNA));
        Writer admitted = admitted(7);
        admitted.write("last of term 7");

        CompletionStage<Raise> raise = sink.raise(BILLING, mark(8, BERT));

        assertWaiting(raise);
        admitted.commit();
        assertThat(answer(raise)).isEqualTo(new Raise.Raised(mark(8, BERT)));
        assertThat(rig.written()).containsExactly("last of term 7");
    }

    @Test
    final void aTransactionRolledBackLetsTheRaiseThrough() throws Exception {
        raised(mark(7, ANNA));
        Writer admitted = admitted(7);
        admitted.write("never");
        CompletionStage<Raise> raise = sink.raise(BILLING, mark(8, BERT));

        admitted.rollBack();

        assertThat(answer(raise)).isEqualTo(new Raise.Raised(mark(8, BERT)));
        assertThat(rig.written()).isEmpty();
    }

    @Test
    final void aRaiseThatWaitsInVainGivesUpAndSaysSo() throws Exception {
        raised(mark(7, ANNA));
        Writer paused = admitted(7);
        try (Sink impatient = rig.open(SHORT)) {
            CompletionStage<Raise> raise = impatient.raise(BILLING, mark(8, BERT));
            rig.pass(SHORT.plusMillis(1));

            assertThatThrownBy(() -> answer(raise))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining(impatient.label())
                    .hasMessageContaining("gave up");
        }
        paused.commit();
        raised(mark(8, BERT));
    }

    @Test
    final void newcomersDoNotOvertakeARaise() throws Exception {
        needs(Capability.PARALLEL_ADMISSIONS);
        raised(mark(7, ANNA));
        Writer first = admitted(7);
        admitted(7).rollBack();
        CompletionStage<Raise> raise = sink.raise(BILLING, mark(8, BERT));
        assertWaiting(raise);

        CompletableFuture<Integer> newcomer = inItsOwnThread(() -> {
            admitted(7).rollBack();
            return 1;
        });
        assertThatThrownBy(() -> newcomer.get(A_WHILE_MILLIS, MILLISECONDS))
                .isInstanceOfAny(TimeoutException.class, ExecutionException.class);
        first.commit();

        assertThat(answer(raise)).isEqualTo(new Raise.Raised(mark(8, BERT)));
        assertThatThrownBy(() -> answer(newcomer)).isInstanceOf(FenceException.class);
    }

    @Test
    final void aRaiseGetsThroughBesideBusyWritersAndNothingOlderLandsAfterIt() throws Exception {
        raised(mark(7, ANNA));
        var underWay = new CountDownLatch(2 * BUSY_WRITERS);
        List<CompletableFuture<Integer>> writers = IntStream.range(0, BUSY_WRITERS)
                .mapToObj(number -> inItsOwnThread(() -> writeUntilStale("writer " + number, underWay)))
                .toList();
        assertThat(underWay.await(rig.patience().toMillis(), MILLISECONDS)).isTrue();

        Raise raise = answer(sink.raise(BILLING, mark(8, BERT)));
        List<String> whenRaised = rig.written();

        assertThat(raise).isEqualTo(new Raise.Raised(mark(8, BERT)));
        int written = 0;
        for (CompletableFuture<Integer> writer : writers) {
            written += answer(writer);
        }
        assertThat(rig.written()).isEqualTo(whenRaised).hasSize(written);
    }

    private int writeUntilStale(String name, CountDownLatch underWay) throws Exception {
        for (int count = 0; ; ) {
            try {
                write(7, name + " line " + count);
                count++;
                underWay.countDown();
            } catch (StaleTokenException superseded) {
                return count;
            } catch (NotAdmittedException again) {
                Thread.onSpinWait();
            }
        }
    }

    // What a raise may pass.

    @Test
    final void aRaiseIsRepeatableByItsOwner() throws Exception {
        raised(mark(7, ANNA));

        raised(mark(7, ANNA));

        assertThat(answer(sink.marks())).containsExactly(Map.entry(BILLING, mark(7, ANNA)));
        write(7, "admitted");
    }

    @Test
    final void anEqualMarkOfAnotherIsRefusedHoweverOftenItIsAsked() throws Exception {
        raised(mark(7, ANNA));

        assertRefused(mark(7, BERT), mark(7, ANNA));
        assertRefused(mark(7, BERT), mark(7, ANNA));
        assertRefused(mark(7, OPERATOR), mark(7, ANNA));

        assertThat(answer(sink.marks())).containsEntry(BILLING, mark(7, ANNA));
    }

    @Test
    final void aLowerRaiseIsRefusedWithTheMarkInForce() throws Exception {
        raised(mark(7, ANNA));
        raised(mark(8, BERT));

        assertRefused(mark(7, ANNA), mark(8, BERT));
        assertRefused(mark(1, FREEZE), mark(8, BERT));

        write(8, "admitted");
    }

    @Test
    final void aRaiseByMoreThanTwoToTheThirtyTwoIsRefused() throws Exception {
        assertThat(raise(mark(Raise.FURTHEST + 1, ANNA))).isEqualTo(new Raise.TooFar(0));
        raised(mark(7, ANNA));

        assertThat(raise(mark(Long.MAX_VALUE, OPERATOR))).isEqualTo(new Raise.TooFar(7));
        assertThat(raise(mark(8 + Raise.FURTHEST, FREEZE))).isEqualTo(new Raise.TooFar(7));

        write(7, "still admitted");
        raised(mark(7 + Raise.FURTHEST, BERT));
    }

    @Test
    final void aFreezeRefusesEveryoneElseWhateverTheNumber() throws Exception {
        raised(mark(7, ANNA));
        raised(mark(8, FREEZE));

        assertRefused(mark(9, ANNA), mark(8, FREEZE));
        assertRefused(mark(1_000_000, BERT), mark(8, FREEZE));
        assertRefused(mark(9, OPERATOR), mark(8, FREEZE));
        assertRefused(mark(8, ANNA), mark(8, FREEZE));

        assertThatThrownBy(() -> write(7, "late")).isInstanceOf(StaleTokenException.class);
    }

    @Test
    final void aNewerFreezePassesAFreeze() throws Exception {
        MarkOwner another = MarkOwner.ofFreeze("second@host");
        raised(mark(8, FREEZE));
        raised(mark(8, FREEZE));
        assertRefused(mark(8, another), mark(8, FREEZE));

        raised(mark(9, another));

        assertRefused(mark(8, FREEZE), mark(9, another));
    }

    @Test
    final void onlyAThawThatNamesItsMarkPassesAFreeze() throws Exception {
        raised(mark(8, FREEZE));
        assertRefused(mark(20, MarkOwner.ofThaw("ops@host", 7)), mark(8, FREEZE));
        assertRefused(mark(20, MarkOwner.ofThaw("ops@host", 0)), mark(8, FREEZE));
        assertRefused(mark(20, MarkOwner.ofThaw("ops@host", 80)), mark(8, FREEZE));
        assertRefused(mark(8, MarkOwner.ofThaw("ops@host", 8)), mark(8, FREEZE));

        Mark thawed = mark(20, MarkOwner.ofThaw("ops@host", 8));
        raised(thawed);
        raised(thawed);

        assertRefused(mark(20, MarkOwner.ofThaw("another@host", 8)), thawed);
    }

    @Test
    final void aThawsMarkMayBePassed() throws Exception {
        raised(mark(8, FREEZE));
        raised(mark(9, MarkOwner.ofThaw("ops@host", 8)));

        raised(mark(10, BERT));

        write(10, "thawed");
    }

    // What a sink remembers.

    @Test
    final void theMarkAndItsOwnerOutliveARestart() throws Exception {
        raised(mark(7, ANNA));
        write(7, "of term 7");
        raised(mark(8, BERT));

        restart();

        assertThat(answer(sink.marks())).containsExactly(Map.entry(BILLING, mark(8, BERT)));
        assertThat(rig.written()).containsExactly("of term 7");
        assertThatThrownBy(() -> write(7, "late")).isInstanceOf(StaleTokenException.class);
        assertRefused(mark(8, ANNA), mark(8, BERT));
        raised(mark(8, BERT));
    }

    @Test
    final void aFreezeOutlivesARestart() throws Exception {
        raised(mark(8, FREEZE));

        restart();

        assertRefused(mark(9, ANNA), mark(8, FREEZE));
    }

    @Test
    final void whoRestartsUnderAnAdmissionWritesNothing() throws Exception {
        raised(mark(7, ANNA));
        Writer open = admitted(7);
        open.write("never committed");

        restart();

        try {
            open.commit();
        } catch (Exception itWasCutOff) {
            open.rollBack();
        }
        assertThat(rig.written()).isEmpty();
        raised(mark(8, BERT));
    }

    @Test
    final void electionsDoNotTouchEachOther() throws Exception {
        raised(mark(7, ANNA));

        assertThat(answer(sink.raise(REPORTS, mark(3, BERT)))).isEqualTo(new Raise.Raised(mark(3, BERT)));

        write(7, "billing");
        Writer reports = rig.begin();
        reports.admit(REPORTS, new FencingToken(3));
        reports.rollBack();
        assertThatThrownBy(() -> write(3, "wrong one")).isInstanceOf(StaleTokenException.class);
    }

    @Test
    final void anAdmissionOfOneElectionDoesNotHoldUpTheRaiseOfAnother() throws Exception {
        needs(Capability.PARALLEL_ADMISSIONS);
        raised(mark(7, ANNA));
        Writer admitted = admitted(7);

        Raise raise = answer(sink.raise(REPORTS, mark(3, BERT)));

        assertThat(raise).isEqualTo(new Raise.Raised(mark(3, BERT)));
        admitted.commit();
    }

    @Test
    final void marksAreToldForThoseAskedAndForAll() throws Exception {
        raised(mark(7, ANNA));
        answer(sink.raise(REPORTS, mark(3, BERT)));

        assertThat(answer(sink.marks(Set.of(REPORTS, new ElectionName("unknown")))))
                .isEqualTo(Map.of(REPORTS, mark(3, BERT)));
        assertThat(answer(sink.marks(Set.of()))).isEmpty();
        assertThat(answer(sink.marks())).isEqualTo(Map.of(BILLING, mark(7, ANNA), REPORTS, mark(3, BERT)));
    }

    @Test
    final void whoeverOpensTheSinkSeesTheSame() throws Exception {
        try (Sink another = rig.open(BOUND)) {
            raised(mark(7, ANNA));
            assertThat(answer(another.marks())).containsEntry(BILLING, mark(7, ANNA));
            assertThat(answer(another.raise(BILLING, mark(8, BERT)))).isEqualTo(new Raise.Raised(mark(8, BERT)));

            assertThat(answer(sink.marks())).containsEntry(BILLING, mark(8, BERT));
            assertThat(answer(another.id())).isEqualTo(answer(sink.id()));
        }
    }

    @Test
    final void theIdIsBornOnceAndTheMarksSurviveAnotherInstall() throws Exception {
        SinkId born = answer(sink.id());
        raised(mark(7, ANNA));

        rig.install();
        assertThat(answer(sink.id())).isEqualTo(born);
        restart();

        assertThat(answer(sink.id())).isEqualTo(born);
        assertThat(answer(sink.marks())).containsEntry(BILLING, mark(7, ANNA));
    }

    @Test
    final void twoSinksHaveTwoIds() throws Exception {
        try (FenceRig another = rig();
                Sink other = another.open(BOUND)) {
            assertThat(answer(other.id())).isNotEqualTo(answer(sink.id()));
        }
    }

    @Test
    final void aSinkPutBackShowsItsOlderMarkToWhoHasItOpen() throws Exception {
        needs(Capability.PUT_BACK);
        raised(mark(7, ANNA));
        Runnable putBack = rig.backUp();
        raised(mark(8, BERT));
        SinkId id = answer(sink.id());

        putBack.run();

        assertThat(answer(sink.marks())).containsEntry(BILLING, mark(7, ANNA));
        raised(mark(8, BERT));
        assertThatThrownBy(() -> write(7, "late")).isInstanceOf(StaleTokenException.class);
        assertThat(answer(sink.id())).isEqualTo(id);
    }

    @Test
    final void aClosedSinkSaysSoAndIsClosedAgainWithoutHarm() {
        sink.close();
        sink.close();

        assertThatThrownBy(() -> answer(sink.marks())).isInstanceOf(SinkException.class);
        assertThatThrownBy(() -> raise(mark(7, ANNA))).isInstanceOf(SinkException.class);
    }

    // How it is asked.

    private void needs(Capability capability) {
        assumeTrue(rig.capabilities().contains(capability), () -> "this sink does not declare " + capability);
    }

    private void restart() {
        sink.close();
        rig.restart();
        sink = rig.open(BOUND);
    }

    private void raised(Mark mark) throws Exception {
        assertThat(raise(mark)).isEqualTo(new Raise.Raised(mark));
    }

    private void assertRefused(Mark asked, Mark inForce) throws Exception {
        assertThat(raise(asked)).isEqualTo(new Raise.Refused(inForce));
    }

    private Raise raise(Mark mark) throws Exception {
        return answer(sink.raise(BILLING, mark));
    }

    private void write(long token, String line) throws Exception {
        Writer writer = rig.begin();
        try {
            writer.admit(BILLING, new FencingToken(token));
            writer.write(line);
            writer.commit();
        } finally {
            writer.rollBack();
        }
    }

    private Writer admitted(long token) throws FenceException {
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

    private void assertWaiting(CompletionStage<?> stage) {
        assertThatThrownBy(() -> stage.toCompletableFuture().get(A_WHILE_MILLIS, MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
    }

    private <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(rig.patience().toMillis(), MILLISECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private static CompletableFuture<Integer> inItsOwnThread(Callable<Integer> work) {
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

    private static MarkOwner candidate(String id) {
        return MarkOwner.ofCandidate(new CandidateId(id));
    }

    private static Mark mark(long token, MarkOwner owner) {
        return new Mark(new FencingToken(token), owner);
    }
}

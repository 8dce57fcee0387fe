package dev.incumbent.fence.tck;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What every fence keeps, one sentence a test. A provider's test extends this by one method, {@link #rig()}.
 *
 * <p>Marks are raised through {@link Sink}s, and writes admitted through {@link Writer}s, each on wires of its own.
 */
public abstract class FenceContract extends RepeatContract {
    private static final int AT_ONCE = 10;
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int BUSY_WRITERS = 3;
    /** The elections {@code many/1} to {@code many/150} are raised together. */
    public static final int MANY = 150;

    private static final int BEFORE_A_RAISE_ARRIVES = 10;
    private static final long BETWEEN_ADMISSION_AND_WRITE_NANOS = 2_000_000;

    protected FenceContract() {}

    // What is admitted.

    @Test
    final void aTokenEqualToTheMarkIsAdmitted() throws Exception {
        sink.raised(mark(7, ANNA));

        sink.write(7, "first");
        sink.write(7, "second");

        assertThat(sink.rig().written()).containsExactly("first", "second");
    }

    @Test
    final void aSmallerTokenIsStale() throws Exception {
        sink.raised(mark(7, ANNA));
        sink.write(7, "of term 7");
        sink.raised(mark(8, BERT));

        assertThatThrownBy(() -> sink.write(7, "late")).isInstanceOf(StaleTokenException.class);

        assertThat(sink.rig().written()).containsExactly("of term 7");
    }

    @Test
    final void aGreaterTokenIsNotRaisedHereAndLiftsNothing() throws Exception {
        sink.raised(mark(7, ANNA));

        assertThatThrownBy(() -> sink.write(8, "mistyped")).isInstanceOf(NotRaisedException.class);

        assertThat(sink.marks()).containsEntry(BILLING, mark(7, ANNA));
        sink.write(7, "still admitted");
    }

    /** Compared as numbers: as texts, 9 would be above 10. */
    @Test
    final void aTokenOfFewerDigitsIsStale() throws Exception {
        sink.raised(mark(9, ANNA));
        assertThatThrownBy(() -> sink.write(10, "mistyped")).isInstanceOf(NotRaisedException.class);
        sink.raised(mark(10, BERT));

        assertThatThrownBy(() -> sink.write(9, "late")).isInstanceOf(StaleTokenException.class);

        sink.write(10, "of term 10");
        assertThat(sink.rig().written()).containsExactly("of term 10");
    }

    @Test
    final void whereThereIsNoMarkNothingIsAdmitted() throws Exception {
        assertThatThrownBy(() -> sink.write(1, "unraised")).isInstanceOf(NotRaisedException.class);

        assertThat(sink.rig().written()).isEmpty();
        assertThat(sink.marks()).isEmpty();
    }

    @Test
    final void anUnreadableTokenIsRefused() throws Exception {
        sink.needs(Capability.UNTYPED_TOKENS);
        sink.raised(mark(7, ANNA));

        for (String unreadable : List.of("", "seven", "7.0", "7 ", "0x7", "-7", "9223372036854775815")) {
            Writer writer = sink.rig().begin();
            assertThatThrownBy(() -> writer.admitText(BILLING, unreadable), "'%s'", unreadable)
                    .isInstanceOf(FenceException.class);
            writer.rollBack();
        }
    }

    @Test
    final void nothingIsAdmittedOutsideATransaction() throws Exception {
        sink.raised(mark(7, ANNA));

        assertThatThrownBy(() -> sink.rig().admitOutsideATransaction(BILLING, new FencingToken(7)))
                .isInstanceOf(NoTransactionException.class);
    }

    @Test
    final void anOldSnapshotAdmitsNothingStale() throws Exception {
        sink.needs(Capability.SNAPSHOTS);
        sink.raised(mark(7, ANNA));
        Writer old = sink.rig().begin();
        old.read();
        sink.raised(mark(8, BERT));

        assertThatThrownBy(() -> old.admit(BILLING, new FencingToken(7)))
                .isInstanceOfAny(StaleTokenException.class, NotAdmittedException.class);
        old.rollBack();
        assertThatThrownBy(() -> sink.write(7, "late")).isInstanceOf(StaleTokenException.class);
    }

    // A raise and the admitted.

    @Test
    final void aRaiseWaitsForTheAdmitted() throws Exception {
        sink.needsHeldAdmissions();
        sink.raised(mark(7, ANNA));
        Writer admitted = sink.admitted(7);
        admitted.write("last of term 7");

        CompletionStage<Raise> raise = sink.raising(mark(8, BERT));

        sink.assertWaiting(raise);
        admitted.commit();
        assertThat(sink.answer(raise)).isEqualTo(new Raise.Raised(mark(8, BERT)));
        assertThat(sink.rig().written()).containsExactly("last of term 7");
    }

    @Test
    final void aTransactionRolledBackLetsTheRaiseThrough() throws Exception {
        sink.needsHeldAdmissions();
        sink.raised(mark(7, ANNA));
        Writer admitted = sink.admitted(7);
        admitted.write("never");
        CompletionStage<Raise> raise = sink.raising(mark(8, BERT));

        admitted.rollBack();

        assertThat(sink.answer(raise)).isEqualTo(new Raise.Raised(mark(8, BERT)));
        assertThat(sink.rig().written()).isEmpty();
    }

    @Test
    final void aRaiseThatWaitsInVainGivesUpAndSaysSo() throws Exception {
        sink.needsHeldAdmissions();
        sink.raised(mark(7, ANNA));
        Writer paused = sink.admitted(7);
        try (Sink impatient = sink.rig().open(SHORT)) {
            CompletionStage<Raise> raise = impatient.raise(BILLING, mark(8, BERT));
            sink.rig().pass(SHORT.plusMillis(1));

            assertThatThrownBy(() -> sink.answer(raise))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining(impatient.label())
                    .hasMessageContaining("gave up");
        }
        paused.commit();
        sink.raised(mark(8, BERT));
    }

    @Test
    final void newcomersDoNotOvertakeARaise() throws Exception {
        sink.needs(Capability.PARALLEL_ADMISSIONS);
        sink.raised(mark(7, ANNA));
        Writer first = sink.admitted(7);
        sink.admitted(7).rollBack();
        CompletionStage<Raise> raise = sink.raising(mark(8, BERT));
        sink.assertWaiting(raise);

        Newcomer held = aNewcomerIsHeldUp();
        first.commit();

        assertThat(sink.answer(raise)).isEqualTo(new Raise.Raised(mark(8, BERT)));
        assertThatThrownBy(() -> sink.answer(held.admission())).isInstanceOf(FenceException.class);
        held.writer().rollBack();
    }

    private record Newcomer(Writer writer, CompletableFuture<Integer> admission) {}

    /** On a busy machine the raise may not have arrived although it was sent a while ago: who comes before it is admitted, as it should be. */
    private Newcomer aNewcomerIsHeldUp() throws Exception {
        for (int admitted = 0; admitted < BEFORE_A_RAISE_ARRIVES; admitted++) {
            Writer writer = sink.rig().begin();
            CompletableFuture<Integer> admission = SinkOnTrial.inItsOwnThread(() -> {
                writer.admit(BILLING, new FencingToken(7));
                return 1;
            });
            try {
                admission.get(SinkOnTrial.A_WHILE_MILLIS, MILLISECONDS);
            } catch (TimeoutException | ExecutionException heldUp) {
                return new Newcomer(writer, admission);
            }
            writer.rollBack();
        }
        throw new AssertionError(BEFORE_A_RAISE_ARRIVES + " newcomers were admitted beside a raise that waits");
    }

    @Test
    final void aRaiseGetsThroughBesideBusyWritersAndNothingOlderLandsAfterIt() throws Exception {
        sink.raised(mark(7, ANNA));
        var underWay = new CountDownLatch(2 * BUSY_WRITERS);
        List<CompletableFuture<Integer>> writers = IntStream.range(0, BUSY_WRITERS)
                .mapToObj(number -> SinkOnTrial.inItsOwnThread(() -> writeUntilStale("writer " + number, underWay)))
                .toList();
        assertThat(underWay.await(sink.rig().patience().toMillis(), MILLISECONDS))
                .isTrue();

        Raise raise = sink.raise(mark(8, BERT));
        List<String> whenRaised = sink.rig().written();

        assertThat(raise).isEqualTo(new Raise.Raised(mark(8, BERT)));
        int written = 0;
        for (CompletableFuture<Integer> writer : writers) {
            written += sink.answer(writer);
        }
        assertThat(sink.rig().written()).isEqualTo(whenRaised).hasSize(written);
    }

    private int writeUntilStale(String name, CountDownLatch underWay) throws Exception {
        for (int count = 0; ; ) {
            try {
                Writer writer = sink.admitted(7);
                LockSupport.parkNanos(BETWEEN_ADMISSION_AND_WRITE_NANOS);
                writer.write(name + " line " + count);
                writer.commit();
                count++;
                underWay.countDown();
            } catch (StaleTokenException superseded) {
                return count;
            } catch (NotAdmittedException again) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    final void raisesThatWaitTogetherAreDecidedOneAfterTheOther() throws Exception {
        sink.needsHeldAdmissions();
        sink.raised(mark(7, ANNA));
        Writer admitted = sink.admitted(7);
        try (Sink another = sink.openAgain()) {
            CompletionStage<Raise> one = sink.raising(mark(8, ANNA));
            CompletionStage<Raise> other = another.raise(BILLING, mark(8, BERT));
            sink.assertWaiting(one);
            sink.assertWaiting(other);

            admitted.commit();

            List<Raise> answers = List.of(sink.answer(one), sink.answer(other));
            Mark inForce = sink.marks().getOrDefault(BILLING, mark(7, ANNA));
            assertThat(inForce).isIn(mark(8, ANNA), mark(8, BERT));
            assertThat(answers).containsExactlyInAnyOrder(new Raise.Raised(inForce), new Raise.Refused(inForce));
        }
    }

    // What a sink remembers.

    @Test
    final void theMarkAndItsOwnerOutliveARestart() throws Exception {
        sink.raised(mark(7, ANNA));
        sink.write(7, "of term 7");
        sink.raised(mark(8, BERT));

        sink.restart();

        assertThat(sink.marks()).containsExactly(Map.entry(BILLING, mark(8, BERT)));
        assertThat(sink.rig().written()).containsExactly("of term 7");
        assertThatThrownBy(() -> sink.write(7, "late")).isInstanceOf(StaleTokenException.class);
        sink.assertRefused(mark(8, ANNA), mark(8, BERT));
        sink.raised(mark(8, BERT));
    }

    @Test
    final void aFreezeOutlivesARestart() throws Exception {
        sink.raised(mark(8, FREEZE));

        sink.restart();

        sink.assertRefused(mark(9, ANNA), mark(8, FREEZE));
    }

    @Test
    final void whoRestartsUnderAnAdmissionWritesNothing() throws Exception {
        sink.raised(mark(7, ANNA));
        Writer open = sink.admitted(7);
        open.write("never committed");

        sink.restart();

        try {
            open.commit();
        } catch (Exception itWasCutOff) {
            open.rollBack();
        }
        assertThat(sink.rig().written()).isEmpty();
        sink.raised(mark(8, BERT));
    }

    @Test
    final void electionsDoNotTouchEachOther() throws Exception {
        sink.raised(mark(7, ANNA));

        assertThat(sink.raise(REPORTS, mark(3, BERT))).isEqualTo(new Raise.Raised(mark(3, BERT)));

        sink.write(7, "billing");
        Writer reports = sink.rig().begin();
        reports.admit(REPORTS, new FencingToken(3));
        reports.rollBack();
        assertThatThrownBy(() -> sink.write(3, "wrong one")).isInstanceOf(StaleTokenException.class);
        Writer wrong = sink.rig().begin();
        assertThatThrownBy(() -> {
                    wrong.admit(REPORTS, new FencingToken(7));
                    wrong.write("with the other election's token");
                    wrong.commit();
                })
                .isInstanceOf(NotRaisedException.class);
        wrong.rollBack();
        assertThat(sink.rig().written()).containsExactly("billing");
    }

    @Test
    final void anAdmissionOfOneElectionDoesNotHoldUpTheRaiseOfAnother() throws Exception {
        sink.needs(Capability.PARALLEL_ADMISSIONS);
        sink.raised(mark(7, ANNA));
        Writer admitted = sink.admitted(7);

        Raise raise = sink.raise(REPORTS, mark(3, BERT));

        assertThat(raise).isEqualTo(new Raise.Raised(mark(3, BERT)));
        admitted.commit();
    }

    @Test
    final void marksAreToldForThoseAskedAndForAll() throws Exception {
        sink.raised(mark(7, ANNA));
        sink.raise(REPORTS, mark(3, BERT));

        assertThat(sink.marks(Set.of(REPORTS, new ElectionName("unknown")))).isEqualTo(Map.of(REPORTS, mark(3, BERT)));
        assertThat(sink.marks(Set.of())).isEmpty();
        assertThat(sink.marks()).isEqualTo(Map.of(BILLING, mark(7, ANNA), REPORTS, mark(3, BERT)));
    }

    @Test
    final void oneUnreadableMarkHidesNoOtherAndIsNotAbsent() throws Exception {
        sink.needs(Capability.PLANTED_MARKS);
        sink.raised(mark(7, ANNA));
        sink.raise(REPORTS, mark(3, BERT));
        sink.rig().plantUnreadable(REPORTS);

        MarksRead both = sink.read(Set.of(BILLING, REPORTS));
        MarksRead all = sink.read();

        assertThat(both.marks()).isEqualTo(Map.of(BILLING, mark(7, ANNA)));
        assertThat(both.unreadable()).containsOnlyKeys(REPORTS);
        assertThat(both.unreadable().get(REPORTS)).isNotBlank();
        assertThat(all).isEqualTo(both);
        assertThat(sink.marks(Set.of(BILLING))).isEqualTo(Map.of(BILLING, mark(7, ANNA)));
        sink.raised(mark(8, BERT));
    }

    @Test
    final void aForeignNameAmongTheMarksSpoilsNothing() throws Exception {
        sink.needs(Capability.PLANTED_MARKS);
        sink.raised(mark(7, ANNA));
        sink.rig().plantForeign("no*election");

        assertThat(sink.marks()).isEqualTo(Map.of(BILLING, mark(7, ANNA)));
        assertThat(sink.marks(Set.of(BILLING))).isEqualTo(Map.of(BILLING, mark(7, ANNA)));
    }

    /** More than fit into one question of some stores, of which some are not asked for and some are not there. */
    @Test
    final void theMarksOfManyElectionsAreToldTogether() throws Exception {
        Map<ElectionName, Mark> raised = new HashMap<>();
        List<CompletionStage<Raise>> raises = new ArrayList<>();
        for (int i = 1; i <= MANY; i++) {
            ElectionName election = new ElectionName("many/" + i);
            raised.put(election, mark(i, ANNA));
            raises.add(sink.raising(election, mark(i, ANNA)));
            // Each raise has a bound, and a busy server does not do all of them within it.
            if (raises.size() == AT_ONCE || i == MANY) {
                for (CompletionStage<Raise> raise : raises) {
                    assertThat(sink.answer(raise)).isInstanceOf(Raise.Raised.class);
                }
                raises.clear();
            }
        }
        assertThat(sink.marks()).isEqualTo(raised);
        raised.keySet().removeIf(election -> election.value().endsWith("7"));
        Set<ElectionName> asked = new HashSet<>(raised.keySet());
        asked.add(REPORTS);

        assertThat(sink.marks(asked)).isEqualTo(raised);
    }

    @Test
    final void whoeverOpensTheSinkSeesTheSame() throws Exception {
        try (Sink another = sink.openAgain()) {
            sink.raised(mark(7, ANNA));
            assertThat(sink.answer(another.marks()).marks()).containsEntry(BILLING, mark(7, ANNA));
            assertThat(sink.answer(another.raise(BILLING, mark(8, BERT)))).isEqualTo(new Raise.Raised(mark(8, BERT)));

            assertThat(sink.marks()).containsEntry(BILLING, mark(8, BERT));
            assertThat(sink.answer(another.id())).isEqualTo(sink.id());
        }
    }

    @Test
    final void theIdIsBornOnceAndTheMarksSurviveAnotherInstall() throws Exception {
        SinkId born = sink.id();
        sink.raised(mark(7, ANNA));

        sink.rig().install();
        assertThat(sink.id()).isEqualTo(born);
        sink.restart();

        assertThat(sink.id()).isEqualTo(born);
        assertThat(sink.marks()).containsEntry(BILLING, mark(7, ANNA));
    }

    @Test
    final void twoSinksHaveTwoIds() throws Exception {
        try (SinkOnTrial another = new SinkOnTrial(rig())) {
            assertThat(another.id()).isNotEqualTo(sink.id());
        }
    }

    @Test
    final void aSinkPutBackShowsItsOlderMarkToWhoHasItOpen() throws Exception {
        sink.needs(Capability.PUT_BACK);
        sink.raised(mark(7, ANNA));
        Runnable putBack = sink.rig().backUp();
        sink.raised(mark(8, BERT));
        SinkId id = sink.id();

        putBack.run();

        assertThat(sink.marks()).containsEntry(BILLING, mark(7, ANNA));
        assertThatThrownBy(() -> sink.write(8, "early")).isInstanceOf(NotRaisedException.class);
        sink.raised(mark(8, BERT));
        assertThatThrownBy(() -> sink.write(7, "late")).isInstanceOf(StaleTokenException.class);
        assertThat(sink.id()).isEqualTo(id);
    }

    @Test
    final void aClosedSinkSaysSoAndIsClosedAgainWithoutHarm() {
        sink.closeTheSink();
        sink.closeTheSink();

        assertThatThrownBy(() -> sink.marks()).isInstanceOf(SinkException.class);
        assertThatThrownBy(() -> sink.raise(mark(7, ANNA))).isInstanceOf(SinkException.class);
    }
}

package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.Cordoning;
import dev.incumbent.outcome.Resignation;
import dev.incumbent.outcome.TransferPlan;
import dev.incumbent.time.Timeline;
import dev.incumbent.time.VirtualTimeline;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an operator is told of an election: its record, its history, and how far an operation is. */
class ElectionAdminStatusTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Candidate ANN = new Candidate(new CandidateId("ann"), "ann", "");
    private static final SinkId LEDGER = new SinkId("ledger");

    private final VirtualTimeline time = new VirtualTimeline();
    private final MemoryStore store = new MemoryStore(time);
    private final Coordinator wired = MemoryCoordinator.connect(store, time, Duration.ofSeconds(2));
    private final ElectionAdmin operator = ElectionAdmin.over(wired, time, JOB, "ops@host");

    @Test
    void theHistoryNamesTheTermsThatAreOver() {
        PastTerm past = new PastTerm(1, ANN, Instant.EPOCH, Instant.EPOCH, EndReason.RESIGNED, Duration.ofSeconds(15));
        writes(LeaderRecord.EMPTY.remembering(past));

        assertThat(done(operator.history())).containsExactly(past);
    }

    @Test
    void anElectionThatWasNeverWrittenHasAnEmptyStatus() {
        assertThat(done(operator.status()).observed()).isEqualTo(ObservedRecord.ABSENT);
    }

    @Test
    void aRecordThatCannotBeUnderstoodFailsTheStatus() {
        store.plantUnreadable(JOB, "of version 9");

        assertThatThrownBy(() -> done(operator.status()))
                .hasRootCauseInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("the record of job cannot be understood: of version 9");
    }

    @Test
    void aRecordThatCannotBeReadFailsTheStatusAndSurelyNothingWasApplied() {
        Reading unread = new Reading.Unread("locked");
        Coordinator locked = answering("read", CompletableFuture.completedStage(Map.of(JOB, unread)));

        assertThatThrownBy(() ->
                        done(ElectionAdmin.over(locked, time, JOB, "ops@host").status()))
                .hasMessageContaining("the record of job could not be read: locked");
    }

    @Test
    void anOperationOnARecordThatCannotBeUnderstoodFailsAsUnusable() {
        store.plantUnreadable(JOB, "of version 9");

        CompletableFuture<Resignation> asked =
                operator.resign(Duration.ofSeconds(5)).toCompletableFuture();
        time.advance(Duration.ofSeconds(60));

        assertThatThrownBy(() -> done(asked)).hasRootCauseInstanceOf(CoordinatorUnusableException.class);
    }

    @Test
    void aCoordinatorThatThrowsInsteadOfAnsweringFailsTheOperationWithItsWords() {
        Coordinator throwing = throwing("read", "it is closed");

        CompletableFuture<Resignation> asked = ElectionAdmin.over(throwing, time, JOB, "ops@host")
                .resign(Duration.ofSeconds(5))
                .toCompletableFuture();
        time.advance(Duration.ofSeconds(60));

        assertThatThrownBy(() -> done(asked)).hasMessageContaining("it is closed");
    }

    @Test
    void anOperationThatCannotGoOnLeavesNoAlarm() {
        Set<Timeline.Alarm> alarms = new HashSet<>();
        LeaseId lease = done(wired.grant(ANN.id(), Duration.ofSeconds(15))).id();
        writes(LeaderRecord.EMPTY.claimedBy(1, ANN, lease, Duration.ofSeconds(15), Instant.EPOCH));

        CompletionStage<Resignation> asked = ElectionAdmin.over(
                        throwing("read", "no reads now"), counting(alarms), JOB, "ops@host")
                .resign(Duration.ofSeconds(5));
        time.advance(Duration.ofSeconds(60));

        assertThatThrownBy(() -> done(asked)).hasMessageContaining("no reads now");
        assertThat(alarms).isEmpty();
    }

    @Test
    void whoeverAsksForReportsHearsThemBeforeTheEnd() {
        BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
        MemorySink ledger =
                new MemorySink(new dev.incumbent.fence.memory.MemoryStore(LEDGER), time, Duration.ofSeconds(1));

        done(operator.reporting(heard::add).freeze("test", List.of(ledger), ElectionAdmin.Until.VACANT));

        assertThat(heard).isNotEmpty();
    }

    @Test
    void aSinkThatIsUnforgottenIsRetiredNoMore() {
        writes(LeaderRecord.EMPTY.withSinks(Map.of(LEDGER, "the ledger")));
        done(operator.retireSink(LEDGER));
        assertThat(record().retiredSinks()).containsExactly(LEDGER);

        done(operator.reinstateSink(LEDGER));

        assertThat(record().retiredSinks()).isEmpty();
    }

    @Test
    void aCordonStandsInTheRecordUntilItIsTakenBack() {
        writes(LeaderRecord.EMPTY);

        Cordoning set = done(operator.cordon("h1", "new disk"));
        Cordoning again = done(operator.cordon("h1", "another"));

        Cordon cordon = record().cordons().of("h1").orElseThrow();
        assertThat(cordon.by()).matches("ops@host-[0-9a-f]{16}");
        assertThat(cordon.why()).isEqualTo("new disk");
        assertThat(cordon.at()).isEqualTo(Instant.ofEpochMilli(time.wallMillis()));
        assertThat(set).isEqualTo(new Cordoning.Cordoned(cordon, true));
        assertThat(again).isEqualTo(new Cordoning.Cordoned(cordon, false));
        assertThat(done(operator.uncordon("h1"))).isEqualTo(new Cordoning.Uncordoned("h1", true));
        assertThat(done(operator.uncordon("h1"))).isEqualTo(new Cordoning.Uncordoned("h1", false));
        assertThat(record().cordons().isEmpty()).isTrue();
        assertThatThrownBy(() -> operator.cordon("h 1", "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPlannedTransferStandsInTheRecordUntilItIsTakenBack() {
        writes(LeaderRecord.EMPTY);
        Instant then = Instant.ofEpochMilli(time.wallMillis()).plusSeconds(60);

        TransferPlan set = done(operator.planTransfer("bob", then));
        TransferPlan again = done(operator.planTransfer("bob", then));
        TransferPlan other = done(operator.planTransfer("carl", then));

        PlannedTransfer plan = record().planned().orElseThrow();
        assertThat(plan.by()).matches("ops@host-[0-9a-f]{16}");
        assertThat(plan.notBefore()).isEqualTo(then);
        assertThat(set).isEqualTo(new TransferPlan.Planned(plan, true, false));
        assertThat(again).isEqualTo(new TransferPlan.Planned(plan, false, true));
        assertThat(other).isInstanceOf(TransferPlan.Refused.class);
        assertThat(done(operator.cancelTransfer())).isEqualTo(new TransferPlan.Cancelled(Optional.of(plan)));
        assertThat(done(operator.cancelTransfer())).isEqualTo(new TransferPlan.Cancelled(Optional.empty()));
        assertThat(record().planned()).isEmpty();
    }

    @Test
    void anOperationThatHasEndedLeavesNoAlarmAndNoWatch() {
        Set<Timeline.Alarm> alarms = new HashSet<>();
        Set<Object> watches = new HashSet<>();
        ElectionAdmin watched = ElectionAdmin.over(watching(watches), counting(alarms), JOB, "ops@host");
        LeaseId lease = done(wired.grant(ANN.id(), Duration.ofSeconds(15))).id();
        writes(LeaderRecord.EMPTY.claimedBy(1, ANN, lease, Duration.ofSeconds(15), Instant.EPOCH));

        CompletionStage<Resignation> asked = watched.resign(Duration.ofSeconds(5));
        assertThat(watches).hasSize(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(alarms).as("one at a time").hasSize(1);
        time.advance(Duration.ofSeconds(30));
        done(asked);

        assertThat(alarms).isEmpty();
        assertThat(watches).isEmpty();
    }

    private Coordinator throwing(String call, String why) {
        return (Coordinator) Proxy.newProxyInstance(
                Coordinator.class.getClassLoader(), new Class<?>[] {Coordinator.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(call)) {
                        throw new CoordinatorException(why, false);
                    }
                    return method.invoke(wired, arguments);
                });
    }

    private Coordinator answering(String call, Object answer) {
        return (Coordinator) Proxy.newProxyInstance(
                Coordinator.class.getClassLoader(),
                new Class<?>[] {Coordinator.class},
                (proxy, method, arguments) -> method.getName().equals(call) ? answer : method.invoke(wired, arguments));
    }

    private Coordinator watching(Set<Object> open) {
        return (Coordinator) Proxy.newProxyInstance(
                Coordinator.class.getClassLoader(), new Class<?>[] {Coordinator.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(wired, arguments);
                    if (!(answer instanceof Watch watch)) {
                        return answer;
                    }
                    open.add(watch);
                    return (Watch) () -> {
                        open.remove(watch);
                        watch.close();
                    };
                });
    }

    private Timeline counting(Set<Timeline.Alarm> set) {
        return new Timeline() {
            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public long wallMillis() {
                return time.wallMillis();
            }

            @Override
            public OptionalLong bootNanos() {
                return time.bootNanos();
            }

            @Override
            public Alarm at(long nanos, Runnable task) {
                return new Counted(set, nanos, task);
            }
        };
    }

    /** An alarm that is among those set until it rings or is cancelled. */
    private final class Counted implements Timeline.Alarm {
        private final Set<Timeline.Alarm> set;
        private final Timeline.Alarm whole;

        Counted(Set<Timeline.Alarm> set, long nanos, Runnable task) {
            this.set = set;
            this.whole = time.at(nanos, () -> {
                set.remove(this);
                task.run();
            });
            set.add(this);
        }

        @Override
        public void cancel() {
            set.remove(this);
            whole.cancel();
        }
    }

    private void writes(LeaderRecord record) {
        done(wired.swap(JOB, Revision.ABSENT, record.written("test-1")));
    }

    private LeaderRecord record() {
        Reading reading = done(wired.read(Set.of(JOB))).get(JOB);
        assertThat(reading).isInstanceOf(Reading.Found.class);
        return ((Reading.Found) reading).record().record();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
    }
}

package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.LeaderChange;
import dev.incumbent.Observation;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who leads, as a process hears it that observes; in virtual time, some by a watch of the test's. */
class ObservingTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Duration LEASE = OneProcess.TIMING.lease();

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final OneProcess a = new OneProcess(platform, store, "a", Trace.NONE);
    private final List<String> failures = new ArrayList<>();
    private final Trace trace = new Trace() {
        @Override
        public void failed(String what, Throwable failure) {
            failures.add(what + ": " + failure.getMessage());
        }
    };
    private final OneProcess observer = new OneProcess(platform, store, "observer", trace);
    private final List<String> heard = new ArrayList<>();
    private int closed;

    @Test
    void whoObservesHearsHowThingsStandAndEachChange() {
        Observation observation = observe();
        platform.run();
        assertThat(heard).containsExactly("0 nobody");

        Candidacy first = a.election("job").campaign();
        platform.pass(LEASE);
        assertThat(heard).as("a renewal is no change").containsExactly("0 nobody", "1 a");
        first.closeAsync();
        platform.pass(LEASE);
        new OneProcess(platform, store, "b", Trace.NONE).election("job").campaign();
        platform.pass(LEASE);

        assertThat(heard).containsExactly("0 nobody", "1 a", "1 nobody after a CLOSED", "2 b after a CLOSED");
        assertThat(observation.last().map(LeaderChange::term)).contains(2L);
        assertThat(observer.callsOf("grant")).as("who observes stands nowhere").isZero();
    }

    @Test
    void afterItIsClosedNothingIsHeardThoughTheWatchMayGoOn() {
        observer.watch = Optional.of(() -> closed++);
        Observation observation = observe();
        watcher().changed(led(1, "a"));
        platform.run();

        watcher().changed(led(2, "b"));
        observation.close();
        platform.run();
        watcher().changed(led(3, "c"));
        platform.run();

        assertThat(heard).containsExactly("1 a");
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void closedElectionsObserveNothing() {
        observer.watch = Optional.of(() -> closed++);
        observe();

        observer.runtime.closeAsync();
        platform.pass(LEASE);

        assertThat(closed).isEqualTo(1);
        assertThatThrownBy(this::observe)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot observe: these elections are closed");
    }

    @Test
    void closedElectionsCloseEachObservationThatIsOpenAndNoneTwice() {
        observer.watch = Optional.of(() -> closed++);
        observe().close();
        observe();
        observe();
        assertThat(closed).isEqualTo(1);

        observer.runtime.closeAsync();
        platform.pass(LEASE);

        assertThat(closed).isEqualTo(3);
    }

    @Test
    void whoBlocksHearsTheTermsBetweenFromTheHistory() {
        observer.watch = Optional.of(() -> closed++);
        observe();
        watcher().changed(led(1, "a"));
        platform.run();

        watcher().changed(led(2, "b"));
        watcher().changed(led(3, "c"));
        watcher().changed(led(4, "d", past(2, "b"), past(3, "c")));
        platform.run();

        assertThat(heard).containsExactly("1 a", "2 b", "3 c after b RESIGNED", "4 d after c RESIGNED");
    }

    @Test
    void afterAGapTheRecordIsReadUntilItIsAnswered() {
        observer.watch = Optional.of(() -> closed++);
        observe();
        observer.answers.put("read", OneProcess.failing("cut off", false));
        watcher().gap();
        platform.pass(OneProcess.CALL.minusMillis(2));
        assertThat(observer.callsOf("read")).isEqualTo(1);
        platform.pass(Duration.ofMillis(5));
        assertThat(observer.callsOf("read")).isEqualTo(2);

        observer.answers.put("read", () -> reading(new Reading.Unread("slow")));
        platform.pass(OneProcess.CALL);
        assertThat(observer.callsOf("read")).isEqualTo(3);
        observer.answers.put("read", () -> reading(new Reading.Foreign(new Revision("r"), "of a later version")));
        platform.pass(OneProcess.CALL);
        assertThat(heard).isEmpty();
        observer.answers.put("read", () -> reading(new Reading.Found(led(3, "c"))));
        platform.pass(OneProcess.CALL);

        assertThat(heard).containsExactly("3 c");
        assertThat(failures)
                .containsExactly(
                        "reading job: cut off",
                        "reading job: cut off",
                        "reading job: slow",
                        "reading job: of a later version");
        long reads = observer.callsOf("read");
        platform.pass(LEASE);
        assertThat(observer.callsOf("read")).as("it is answered").isEqualTo(reads);
    }

    @Test
    void gapsWhileNothingAnswersAreOneQuestionAtATime() {
        observer.watch = Optional.of(() -> closed++);
        observe();
        observer.answers.put("read", OneProcess.failing("cut off", false));

        for (int i = 0; i < 100; i++) {
            watcher().gap();
            platform.pass(Duration.ofMillis(10));
        }

        assertThat(observer.callsOf("read"))
                .as("in a second, with a pause of " + OneProcess.CALL)
                .isEqualTo(1 + 1_000 / OneProcess.CALL.toMillis());
    }

    @Test
    void aGapThatIsToldWhileAQuestionIsUnderWayIsAskedForOnceMore() {
        observer.watch = Optional.of(() -> closed++);
        observe();
        CompletableFuture<Object> late = new CompletableFuture<>();
        observer.answers.put("read", () -> late);
        watcher().gap();
        watcher().gap();
        assertThat(observer.callsOf("read")).isEqualTo(1);

        CompletableFuture<Object> later = new CompletableFuture<>();
        observer.answers.put("read", () -> later);
        late.complete(Map.of(JOB, new Reading.Found(led(3, "c"))));
        platform.run();

        watcher().gap();
        assertThat(observer.callsOf("read")).as("the second is under way").isEqualTo(2);
        observer.answers.put("read", () -> reading(new Reading.Found(led(4, "d"))));
        later.complete(Map.of(JOB, new Reading.Found(led(3, "c"))));
        platform.run();

        assertThat(observer.callsOf("read")).isEqualTo(3);
        assertThat(heard).containsExactly("3 c", "4 d");
        watcher().gap();
        platform.run();
        assertThat(observer.callsOf("read")).as("a later gap is asked for, too").isEqualTo(4);
    }

    @Test
    void anElectionThatIsAbsentAfterAGapIsOneThatNobodyLeads() {
        observer.watch = Optional.of(() -> closed++);
        observe();
        observer.answers.put("read", () -> reading(new Reading.Absent()));

        watcher().gap();
        platform.run();

        assertThat(heard).containsExactly("0 nobody");
    }

    @Test
    void anAnswerThatTheWatchHasOvertakenIsNotHeard() {
        observer.watch = Optional.of(() -> closed++);
        observe();
        CompletableFuture<Object> late = new CompletableFuture<>();
        observer.answers.put("read", () -> late);
        watcher().gap();
        watcher().changed(led(4, "d"));

        late.complete(Map.of(JOB, new Reading.Found(led(3, "c"))));
        platform.run();

        assertThat(heard).containsExactly("4 d");
    }

    @Test
    void whoIsNotWatchedOverYetIsLater() {
        observer.answers.put("watch", () -> {
            throw new CoordinatorException("no watches now", false);
        });
        observe();
        platform.pass(OneProcess.CALL.dividedBy(2));
        observer.answers.clear();
        observer.watch = Optional.of(() -> closed++);
        platform.pass(OneProcess.CALL);

        watcher().changed(led(1, "a"));
        platform.run();

        assertThat(heard).containsExactly("1 a");
    }

    @Test
    void whoIsClosedWhileTheWatchIsAskedForKeepsNone() {
        observer.answers.put("watch", () -> {
            throw new CoordinatorException("no watches now", false);
        });
        Observation observation = observe();
        observer.answers.clear();
        observer.watch = Optional.of(() -> closed++);
        observer.whileAskedToWatch = observation::close;

        platform.pass(OneProcess.CALL.plusMillis(2));

        assertThat(observer.watchers).hasSize(1);
        assertThat(closed).isEqualTo(1);
    }

    @Test
    void whatAListenerThrowsKeepsNothingFromTheNextCall() {
        observer.watch = Optional.of(() -> closed++);
        observer.election("job").observe(change -> {
            heard.add(text(change));
            throw new IllegalStateException("broken");
        });
        watcher().changed(led(1, "a"));
        platform.run();
        watcher().changed(led(3, "c", past(2, "b")));
        platform.run();

        assertThat(heard).containsExactly("1 a", "2 b", "3 c after b RESIGNED");
    }

    private Observation observe() {
        return observer.election("job").observe(change -> heard.add(text(change)));
    }

    private static String text(LeaderChange change) {
        return change.term()
                + change.leader().map(leader -> " " + leader.name()).orElse(" nobody")
                + change.previous()
                        .map(past -> " after " + past.leader().name() + " " + past.reason())
                        .orElse("");
    }

    private static CompletableFuture<?> reading(Reading reading) {
        return CompletableFuture.completedFuture(Map.of(JOB, reading));
    }

    private static ObservedRecord led(long term, String leader, PastTerm... history) {
        LeaderRecord record = LeaderRecord.EMPTY;
        for (PastTerm past : history) {
            record = record.remembering(past);
        }
        record = record.claimedBy(term, candidate(leader), new LeaseId("lease-" + leader), LEASE, Instant.EPOCH);
        return new ObservedRecord(record, new Revision("r"), true, Optional.empty());
    }

    private static PastTerm past(long number, String leader) {
        return new PastTerm(number, candidate(leader), Instant.EPOCH, Instant.EPOCH, EndReason.RESIGNED, LEASE);
    }

    private static Candidate candidate(String name) {
        return new Candidate(new CandidateId(name), name, "");
    }

    private Watcher watcher() {
        return observer.watchers.get(0);
    }
}

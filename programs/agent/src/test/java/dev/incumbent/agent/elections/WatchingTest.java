package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Election;
import dev.incumbent.LeaderChange;
import dev.incumbent.LeaderListener;
import dev.incumbent.Observation;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for a change of leader, how many may, and for how long an election is observed. */
@Timeout(60)
class WatchingTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Strand strand = new Strand();
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final List<LeaderListener> observers = new ArrayList<>();
    private final Watching watching = new Watching(
            name -> election(),
            name -> {
                throw new AssertionError("nothing is asked here");
            },
            strand,
            2);

    /** Of which only observers are of interest. */
    private Election election() {
        return (Election) Proxy.newProxyInstance(
                Election.class.getClassLoader(), new Class<?>[] {Election.class}, (proxy, method, arguments) -> {
                    observers.add((LeaderListener) arguments[0]);
                    return observation();
                });
    }

    private Observation observation() {
        return (Observation) Proxy.newProxyInstance(
                Observation.class.getClassLoader(), new Class<?>[] {Observation.class}, (proxy, method, arguments) -> {
                    done.add("observed no more");
                    return null;
                });
    }

    @AfterEach
    void end() {
        strand.close();
    }

    @Test
    void whoKnowsWhatHoldsWaitsForTheNextChange() {
        await("a", 14);
        tell(led(7));
        assertThat(done).isEmpty();
        tell(led(8));

        assertThat(done).containsExactly("observed no more", "a");
    }

    @Test
    void whoKnowsAnotherIndexIsToldAtOnce() {
        await("waits", 14);
        tell(led(7));
        await("is behind", 13);
        assertThat(done).containsExactly("is behind");
        await("is of another store", 99);

        assertThat(done).containsExactly("is behind", "is of another store");
        assertThat(observers).as("one for all").hasSize(1);
    }

    @Test
    void whoComesTooManyIsToldAtOnce() {
        await("a", 14);
        await("b", 14);
        assertThat(done).isEmpty();
        await("c", 14);
        assertThat(done).containsExactly("c");
        tell(led(8));
        assertThat(done).containsExactly("c", "a", "observed no more", "b");

        await("d", 16);
        assertThat(done).as("there is room again").hasSize(4);
    }

    @Test
    void whoseTimeIsUpIsTold() {
        strand.execute(() -> watching.await(JOB, 14, Duration.ZERO, () -> done.add("a")));
        while (done.size() < 2) {
            settle();
        }

        assertThat(done).containsExactly("observed no more", "a");
    }

    @Test
    void anElectionIsObservedWhileSomebodyWaitsOrHears() {
        Consumer<LeaderChange> hearer = change -> done.add("heard");
        await("a", 14);
        run(() -> watching.hear(JOB, hearer));
        run(() -> watching.unhear(JOB, hearer));
        assertThat(done).as("a still waits").isEmpty();
        run(() -> watching.hear(JOB, hearer));
        tell(led(8));
        assertThat(done).as("one hears still").containsExactly("heard", "a");
        run(() -> watching.unhear(JOB, hearer));

        assertThat(done).containsExactly("heard", "a", "observed no more");
    }

    private void await(String who, long index) {
        run(() -> watching.await(JOB, index, LONG, () -> done.add(who)));
    }

    private void tell(LeaderChange change) {
        observers.get(observers.size() - 1).onChange(change);
        settle();
    }

    private static LeaderChange led(long term) {
        Candidate leader = new Candidate(new CandidateId("c-" + term), "c", "");
        LeaderRecord record =
                LeaderRecord.EMPTY.claimedBy(term, leader, new LeaseId("lease"), Duration.ofSeconds(6), NOON);
        return LeaderChange.to(JOB, new ObservedRecord(record, new Revision("r"), true, Optional.empty()));
    }

    private void run(Runnable work) {
        strand.execute(work);
        settle();
    }

    private void settle() {
        CountDownLatch ran = new CountDownLatch(1);
        strand.execute(ran::countDown);
        awaitLatch(ran);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.EtcdServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever watches what another process holds asks etcd rarely whether that is current, and learns of a change although its stream is silently dead. */
@Tag("realtime")
class RareLooksTest {
    private static final EtcdServer SERVER = EtcdServer.start();
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** In which whoever only observes learns of a change, and what a busy machine takes besides. */
    private static final int TIMEOUTS = 10;

    private static final Duration SLACK = Duration.ofSeconds(5);

    private final ElectionName election = new ElectionName(UUID.randomUUID().toString());
    private final Clients clients = new Clients();
    private final Coordinator leader = clients.open(SERVER.uri(getClass().getSimpleName()));
    private final DeafWire wire = new DeafWire(SERVER.port());
    private final Heard heard = new Heard();

    @AfterEach
    void close() {
        clients.close();
        wire.close();
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void whatAnotherHoldsIsProvedOnceInEightRequestTimeouts() {
        Duration timeout = Duration.ofSeconds(1);
        held(1);

        follower(timeout).watch(election, heard);

        long rarely = timeout.multipliedBy(Watches.RARELY).toNanos();
        assertThat(clients.within(PATIENCE, () -> heard.longestPause() >= rarely))
                .as("a pause between two proofs of %d ms", rarely / 1_000_000)
                .isTrue();
    }

    /** The leader is proved as before: once in a request timeout, give or take what a busy machine takes. */
    @Test
    void whatThisClientHoldsIsProvedInEachRequestTimeout() {
        held(1);

        leader.watch(election, heard);

        assertThat(clients.within(
                        PATIENCE, () -> heard.provedThriceWithin(Clients.TIMEOUT.multipliedBy(Watches.RARELY - 1))))
                .as("three proofs in a row, within %d request timeouts", Watches.RARELY - 1)
                .isTrue();
    }

    @Test
    void whatIsReadProvesTheWatch() {
        Coordinator follower = follower(Duration.ofSeconds(15));
        held(1);
        follower.watch(election, heard);
        assertThat(clients.within(PATIENCE, () -> heard.proofs().size() > 1)).isTrue();
        long before = clients.timeline().nanos();

        Clients.get(follower.read(Set.of(election)));

        assertThat(clients.within(
                        Duration.ofSeconds(15), () -> heard.proofs().stream().anyMatch(proof -> proof - before >= 0)))
                .isTrue();
    }

    @Test
    void aVacancyIsToldAlthoughTheStreamIsSilentlyDeadAndTheNextChangeByANewStream() {
        Revision current = held(1);
        Duration timeout = Duration.ofSeconds(1);
        follower(timeout).watch(election, heard);
        assertThat(clients.within(PATIENCE, () -> heard.term() == 1)).isTrue();
        assertThat(clients.within(PATIENCE, () -> heard.proofs().size() > 1)).isTrue();

        wire.silenceStreams();
        current = held(current, 2);
        assertThat(clients.within(timeout.multipliedBy(TIMEOUTS).plus(SLACK), () -> heard.term() == 2))
                .as("told within %d request timeouts", TIMEOUTS)
                .isTrue();
        held(current, 3);

        assertThat(clients.within(PATIENCE, () -> heard.term() == 3)).isTrue();
    }

    /** Its own reads tell it: the watch would not look again before eight request timeouts have passed. */
    @Test
    void aCandidateLeadsWithinALeaseAndARequestTimeoutOfAVacancyThatItsStreamDoesNotTell() {
        Duration lease = Duration.ofSeconds(8);
        Duration timeout = Duration.ofSeconds(2);
        Coordinator follower = follower(timeout);
        try (Elections ada = stand(leader, "ada", lease, timeout);
                Elections bob = stand(follower, "bob", lease, timeout)) {
            Candidacy first = ada.election(election.value()).campaign();
            assertThat(clients.within(PATIENCE, () -> first.leadership().isPresent()))
                    .isTrue();
            Candidacy second = bob.election(election.value()).campaign();
            follower.watch(election, heard);
            assertThat(clients.within(
                            PATIENCE,
                            () -> Optional.ofNullable(Clients.get(leader.candidates(Set.of(election)))
                                            .get(election))
                                    .map(List::size)
                                    .equals(Optional.of(2))))
                    .isTrue();
            int proofs = heard.proofs().size();
            assertThat(clients.within(PATIENCE, () -> heard.proofs().size() > proofs + 1))
                    .isTrue();

            wire.silenceStreams();
            first.close();

            assertThat(clients.within(
                            lease.plus(timeout).plus(Duration.ofSeconds(3)),
                            () -> second.leadership().isPresent()))
                    .isTrue();
        }
    }

    private static Elections stand(Coordinator over, String name, Duration lease, Duration timeout) {
        return Elections.over(over)
                .name(name)
                .timing(new Timing(
                        lease,
                        lease.dividedBy(3),
                        timeout,
                        Duration.ofMillis(200),
                        Duration.ZERO,
                        Timing.DRIFT_BOUND,
                        Timing.MARGIN))
                .open();
    }

    private Revision held(int term) {
        return held(Revision.ABSENT, term);
    }

    private Revision held(Revision expected, int term) {
        LeaseId lease = Clients.grant(leader, LONG).id();
        return Clients.swapped(leader, election, expected, Clients.claim(term, lease));
    }

    private Coordinator follower(Duration requestTimeout) {
        String at = "etcd://127.0.0.1:" + wire.port() + "/" + getClass().getSimpleName();
        return clients.owned(new EtcdCoordinatorProvider().open(at, clients.timeline(), requestTimeout, Mode.CREATE));
    }

    /** Keeps the last term and when it was proved. */
    private static final class Heard implements Watcher {
        private final List<Long> proofs = new CopyOnWriteArrayList<>();
        private volatile long term;

        @Override
        public void changed(ObservedRecord record) {
            term = record.record().term();
        }

        @Override
        public void gap() {
            // what was missed is told next
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            proofs.add(sentAtNanos);
        }

        long term() {
            return term;
        }

        List<Long> proofs() {
            return proofs;
        }

        /** Not counting the two looks at the beginning. */
        boolean provedThriceWithin(Duration length) {
            for (int i = 5; i < proofs.size(); i++) {
                if (proofs.get(i) - proofs.get(i - 2) < length.toNanos()) {
                    return true;
                }
            }
            return false;
        }

        long longestPause() {
            long longest = 0;
            for (int i = 1; i < proofs.size(); i++) {
                longest = Math.max(longest, proofs.get(i) - proofs.get(i - 1));
            }
            return longest;
        }
    }
}

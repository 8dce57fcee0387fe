package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.claim;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * PostgreSQL acknowledges a commit whose wait for the synchronous standby is cancelled, with a warning. It stands on the primary alone then, and is forgotten if that is lost: it is
 * uncertain, and what shows it proves nothing, until the standby has it.
 */
@Tag("field")
@Tag("realtime")
final class SynchronousStandbyTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(9);

    private final SystemTimeline timeline = new SystemTimeline();

    @AfterEach
    void close() {
        timeline.close();
    }

    @Test
    void aSwapThatTheStandbyMayNotHaveIsUncertainAndIsReadOnceItHasIt() throws Exception {
        try (PostgresServer primary = PostgresServer.start();
                Coordinator client = open(primary);
                PostgresServer standby = primary.startStandby()) {
            primary.waitForAStandby();
            Revision first = swapped(client, Revision.ABSENT, vacant(1));
            standby.freeze();
            LeaderRecord next = vacant(2);

            CompletionStage<Swap> swap = client.swap(ELECTION, first, next);
            cancelTheWait(primary);

            CoordinatorException uncertain = failure(swap);
            assertThat(uncertain.mayHaveApplied()).isTrue();
            assertThat(uncertain).hasMessageContaining("has done it, and its synchronous standby may not have it");
            assertThat(termOn(primary)).isEqualTo("2");
            assertThat(failure(client.read(Set.of(ELECTION)))).hasMessageNotContaining("it was answered");

            standby.thaw();
            Waiting.until("an answer", () -> isAnswered(client));
            assertThat(found(client).revision()).isEqualTo(new Revision(next.nonce()));
            Waiting.until("the standby's reading of it", () -> termOn(standby).equals("2"));
        }
    }

    /** Also for a renewal, and for one that gets no other answer. */
    @Test
    void aKeepAliveThatTheStandbyMayNotHaveIsUncertain() throws Exception {
        try (PostgresServer primary = PostgresServer.start();
                Coordinator client = open(primary);
                PostgresServer standby = primary.startStandby()) {
            LeaseId lease = granted(client, LEASE).id();
            primary.waitForAStandby();
            get(client.keepAlive(lease));
            standby.freeze();

            CompletionStage<Void> keepAlive = client.keepAlive(lease);
            Waiting.until("its wait", () -> primary.cancelsAWaitForTheStandby("incumbent_lease"));

            assertThat(failure(keepAlive).mayHaveApplied()).isTrue();
        }
    }

    @Test
    void nobodyLeadsByAClaimThatThePrimaryAloneHas() throws Exception {
        try (PostgresServer primary = PostgresServer.start();
                Coordinator client = open(primary);
                Coordinator adas = open(primary);
                PostgresServer standby = primary.startStandby();
                Elections elections =
                        Elections.over(client).name("bob").timing(timing()).open()) {
            LeaderRecord led = claim(granted(adas, Duration.ofMinutes(5)).id());
            swapped(adas, Revision.ABSENT, led);
            primary.waitForAStandby();
            try (Candidacy bob = elections.election(ELECTION.value()).campaign()) {
                Waiting.until(
                        "a candidate",
                        () -> primary.psql("select count(*) from incumbent_candidate")
                                .equals("1"));
                standby.freeze();
                vacateOnThePrimaryAlone(primary, led);

                cancelTheWait(primary);

                assertThat(Waiting.within(LEASE, () -> bob.leadership().isPresent()))
                        .as("it leads")
                        .isFalse();
                standby.thaw();
                Waiting.until("a leader", () -> bob.leadership().isPresent());
            }
        }
    }

    private static void cancelTheWait(PostgresServer primary) {
        Waiting.until("a swap's wait", () -> primary.cancelsAWaitForTheStandby("incumbent_election"));
    }

    /** As a process would, whose commit's wait is cancelled: here it does not wait at all. */
    private static void vacateOnThePrimaryAlone(PostgresServer primary, LeaderRecord led) {
        LeaderRecord vacated = led.vacated(1, led.since()).written("vacated");
        primary.psql("set synchronous_commit=local; update incumbent_election set revision=revision+1,"
                + " nonce='vacated', lease=null, record='" + RecordJson.write(vacated) + "'");
    }

    private static String termOn(PostgresServer server) {
        return server.psql("select record::json->>'term' from incumbent_election");
    }

    private static boolean isAnswered(Coordinator client) {
        try {
            return found(client).leaseRemaining().isEmpty();
        } catch (Exception unanswered) {
            return false;
        }
    }

    private static Timing timing() {
        return new Timing(
                LEASE,
                LEASE.dividedBy(3),
                TIMEOUT,
                Duration.ofMillis(200),
                Duration.ZERO,
                Timing.DRIFT_BOUND,
                Timing.MARGIN);
    }

    private Coordinator open(PostgresServer server) {
        return new SqlCoordinatorProvider().open(server.jdbcUrl(), timeline, TIMEOUT, Mode.CREATE);
    }
}

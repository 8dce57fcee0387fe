package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A commit that waits for a replica goes on waiting when its client has gone. So whoever gives up and connects again takes one of the server's places each time: a process leaves a few
 * such sessions, and one that starts later none.
 */
@Tag("field")
@Tag("realtime")
final class UnfinishedWritesTest {
    private static final Duration TIMEOUT = Duration.ofMillis(1_500);
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final CandidateId OWNER = new CandidateId("bob@host-2-y");
    private static final int PROCESSES = 3;
    private static final int ROUNDS = 8;

    /** Those for leases, for calls and for the watch, each with another that came before the first had waited for long. */
    private static final int MOST = 6;

    private final SystemTimeline timeline = new SystemTimeline();
    private final AtomicInteger names = new AtomicInteger();
    private final List<Coordinator> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Coordinator::close);
        timeline.close();
    }

    @Test
    void aLostStandbyOfPostgresIsWaitedForByAFewSessionsOfAProcess() throws Exception {
        try (PostgresServer primary =
                PostgresServer.start(List.of("client_connection_check_interval=500ms"), Map.of())) {
            List<Coordinator> processes = processes(primary.jdbcUrl());
            try (PostgresServer standby = primary.startStandby()) {
                primary.waitForAStandby();
                standby.freeze();
                IntSupplier waiting = () -> Integer.parseInt(
                        primary.psql("select count(*) from pg_stat_activity where wait_event='SyncRep'"));

                CoordinatorException refused = assertFewWait(processes, waiting);
                assertThat(refused).hasMessageContaining(", SyncRep)");
                assertThat(Asking.reading(open(primary.jdbcUrl(), Mode.READ_ONLY)))
                        .as("what only reads is answered")
                        .isNotNull();
                assertNoneCome(primary.jdbcUrl(), processes, waiting);

                standby.thaw();
                Waiting.until("the end of the wait", () -> waiting.getAsInt() == 0);
                granted(open(primary.jdbcUrl(), Mode.CREATE), LEASE);
            }
        }
    }

    /** With a long timeout, as those set it who want no acknowledgement without a replica. */
    @Test
    void aLostReplicaOfMariaDbIsWaitedForByAFewSessionsOfAProcess() throws Exception {
        try (MariaDbServer server = MariaDbServer.start(List.of("log-bin=log", "server-id=1"), Map.of())) {
            List<Coordinator> processes = processes(server.jdbcUrl());
            String ignored = server.client("set global rpl_semi_sync_master_timeout=3600000;"
                    + " set global rpl_semi_sync_master_wait_no_slave=ON; set global rpl_semi_sync_master_enabled=ON");
            IntSupplier waiting = () -> Integer.parseInt(
                    server.client("select count(*) from information_schema.processlist where info like '%incumbent\\_%'"
                                    + " and id<>connection_id()")
                            .strip());

            CoordinatorException refused = assertFewWait(processes, waiting);
            assertThat(refused).hasMessageContaining(" s, ");
            assertNoneCome(server.jdbcUrl(), processes, waiting);

            String off = server.client("set global rpl_semi_sync_master_enabled=OFF");
            assertThat(ignored + off).isEmpty();
            Waiting.until("the end of the wait", () -> waiting.getAsInt() == 0);
            granted(open(server.jdbcUrl(), Mode.CREATE), LEASE);
        }
    }

    /** Processes that have written, and watch. */
    private List<Coordinator> processes(String at) throws Exception {
        List<Coordinator> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            Coordinator process = open(at, Mode.CREATE);
            granted(process, LEASE);
            get(process.swap(election(), Revision.ABSENT, vacant(1)));
            process.watch(Asking.ELECTION, new Deaf());
            processes.add(process);
        }
        return processes;
    }

    /** How the last call is refused. */
    private CoordinatorException assertFewWait(List<Coordinator> processes, IntSupplier waiting) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            List<CompletionStage<?>> calls = new ArrayList<>();
            for (Coordinator process : processes) {
                calls.add(process.grant(OWNER, LEASE));
                calls.add(process.swap(election(), Revision.ABSENT, vacant(1)));
            }
            for (CompletionStage<?> call : calls) {
                Asking.await(call);
            }
        }
        assertThat(waiting.getAsInt()).as("sessions that wait").isPositive().isLessThanOrEqualTo(PROCESSES * MOST);
        CoordinatorException refused = failure(processes.get(0).grant(OWNER, LEASE));
        assertThat(refused).hasMessageContaining("has not done earlier writes of ours (");
        assertThat(refused.mayHaveApplied()).isFalse();
        return refused;
    }

    /** Nor do any go when their clients have gone. */
    private void assertNoneCome(String at, List<Coordinator> gone, IntSupplier waiting) throws Exception {
        gone.forEach(Coordinator::close);
        SystemTimeline.sleep(TIMEOUT);
        int before = waiting.getAsInt();
        for (int i = 0; i < PROCESSES; i++) {
            try (Coordinator late = open(at, Mode.CREATE)) {
                assertThat(failure(late.grant(OWNER, LEASE))).hasMessageContaining("earlier writes of ours");
            }
        }
        assertThat(waiting.getAsInt()).as("sessions that wait").isPositive().isEqualTo(before);
    }

    /** Another one each time, so that none waits for the lock of a former. */
    private ElectionName election() {
        return new ElectionName("job/" + names.incrementAndGet());
    }

    private Coordinator open(String at, Mode mode) {
        Coordinator client = new SqlCoordinatorProvider().open(at, timeline, TIMEOUT, mode);
        opened.add(client);
        return client;
    }

    private static final class Deaf implements Watcher {
        @Override
        public void changed(ObservedRecord record) {}

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}

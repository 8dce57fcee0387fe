package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.claim;
import static dev.incumbent.coordinator.tck.Asking.enlisted;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The server's clock steps between the moment when somebody finds a lease over and the moment when it is buried. What is found over counts for nothing: a lease
 * is dead once the burial, which looks at the clock itself, has found it over too.
 *
 * <p>A transaction that holds the lease's row is what the burial waits for, and what brings the step: every end of a lease is compared with the server's clock
 * alone, so to move all ends is to move the clock.
 */
@Tag("patient")
@Tag("trial")
@Execution(ExecutionMode.CONCURRENT)
final class StepWhileBuryingTest {
    @Nested
    class OnPostgres extends Sentences {
        OnPostgres() {
            super(
                    Servers.postgres(),
                    "select count(*) from pg_stat_activity where wait_event_type='Lock' and query like '%%incumbent_lease%%'"
                            + " and pg_blocking_pids(pid) @> array[%s]",
                    "select pg_backend_pid()");
        }
    }

    @Nested
    class OnMariaDb extends Sentences {
        OnMariaDb() {
            super(
                    Servers.mariaDb(),
                    "select count(*) from information_schema.processlist where db=database() and id<>%s and time_ms>100"
                            + " and info like 'update incumbent_lease%%'",
                    "select connection_id()");
        }
    }

    @Nested
    class OnMySql extends Sentences {
        OnMySql() {
            super(
                    Servers.mySql(),
                    "select count(*) from information_schema.processlist where db=database() and id<>%s and time>=1"
                            + " and info like 'update incumbent_lease%%'",
                    "select connection_id()");
        }
    }

    @Nested
    class OnH2 extends Sentences {
        OnH2() {
            super(
                    Servers.h2(),
                    "select count(*) from information_schema.sessions where blocker_id=%s",
                    "select session_id()");
        }
    }

    /** The same on each server. */
    abstract static class Sentences {
        private static final Duration HOUR = Duration.ofHours(1);
        private static final Duration PATIENT = Duration.ofSeconds(15);

        private final ServerRig rig;
        private final String waitingForIt;
        private final String ownId;

        /** @param waitingForIt how many sessions wait for one, whose id {@code ownId} asks for */
        Sentences(ServerRig.Place place, String waitingForIt, String ownId) {
            this.rig = new ServerRig(place, PATIENT);
            this.waitingForIt = waitingForIt;
            this.ownId = ownId;
        }

        @AfterEach
        void close() {
            rig.close();
        }

        @Test
        void aLeaseThatAReadFindsOverIsAliveIfTheClockStepsBackBeforeItIsBuried() throws Exception {
            Coordinator holder = rig.connect();
            Coordinator observer = rig.connect();
            LeaseId lease = led(holder);

            steppedBackMeanwhile(() -> observer.read(Set.of(ELECTION)));

            assertThat(found(observer).leaseAlive()).isTrue();
            get(holder.keepAlive(lease));
        }

        @Test
        void aLeaseThatAListOfCandidatesFindsOverIsAliveIfTheClockStepsBackBeforeItIsBuried() throws Exception {
            Coordinator holder = rig.connect();
            Coordinator observer = rig.connect();
            LeaseId lease = led(holder);
            get(holder.enlist(ELECTION, enlisted(lease)));

            steppedBackMeanwhile(() -> observer.candidates(Set.of(ELECTION)));

            assertThat(get(observer.candidates(Set.of(ELECTION))).get(ELECTION)).hasSize(1);
            get(holder.keepAlive(lease));
        }

        @Test
        void aKeepAliveThatFindsItsLeaseOverIsAnsweredIfTheClockStepsBackBeforeItIsBuried() throws Exception {
            Coordinator holder = rig.connect();
            LeaseId lease = led(holder);

            Throwable told = steppedBackMeanwhile(() -> holder.keepAlive(lease));

            assertThat(told).isNull();
            get(holder.keepAlive(lease));
        }

        @Test
        void anEnlistingThatFindsItsLeaseOverIsAnsweredIfTheClockStepsBackBeforeItIsBuried() throws Exception {
            Coordinator holder = rig.connect();
            LeaseId lease = led(holder);

            Throwable told = steppedBackMeanwhile(() -> holder.enlist(ELECTION, enlisted(lease)));

            assertThat(told).isNull();
            get(holder.enlist(ELECTION, enlisted(lease)));
            get(holder.keepAlive(lease));
        }

        @Test
        void aLeaseThatIsBuriedStaysDeadIfTheClockStepsBackRightAfterIt() throws Exception {
            Coordinator holder = rig.connect();
            Coordinator observer = rig.connect();
            LeaseId lease = led(holder);
            rig.stepStoreClock(HOUR);
            assertThat(found(observer).leaseAlive()).isFalse();

            rig.stepStoreClock(HOUR.negated());

            assertThat(found(observer).leaseAlive()).isFalse();
            assertThat(failure(holder.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
            assertThat(failure(holder.enlist(ELECTION, enlisted(lease)))).isInstanceOf(LeaseLostException.class);
        }

        @Test
        void aLeaseThatEndsByAStepWhileAKeepAliveWaitsIsNotKept() throws Exception {
            Coordinator holder = rig.connect();
            LeaseId lease = led(holder);

            Throwable told = meanwhile("-", () -> holder.keepAlive(lease));

            assertThat(told).isNotNull();
            assertThat(failure(holder.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
            assertThat(found(holder).leaseAlive()).isFalse();
        }

        private LeaseId led(Coordinator holder) throws Exception {
            LeaseId lease = granted(holder, Duration.ofMinutes(1)).id();
            swapped(holder, Revision.ABSENT, claim(lease));
            return lease;
        }

        private Throwable steppedBackMeanwhile(Supplier<CompletionStage<?>> call) throws Exception {
            rig.stepStoreClock(HOUR);
            return meanwhile("+", call);
        }

        /** While the call waits for the lease's row, the clock steps back ("+" on the ends of leases) or forward. Answers how the call failed. */
        private Throwable meanwhile(String sign, Supplier<CompletionStage<?>> call) throws Exception {
            try (Connection stepping = rig.connection();
                    Connection looking = rig.connection();
                    Statement step = stepping.createStatement();
                    Statement look = looking.createStatement()) {
                stepping.setAutoCommit(false);
                String waiting = waitingForIt.formatted(number(step, ownId));
                step.executeUpdate(
                        "update incumbent_lease set expires_us=expires_us" + sign + TimeUnit.HOURS.toMicros(1));
                CompletableFuture<?> called = call.get().toCompletableFuture();
                while (number(look, waiting).equals("0")) {
                    assertThat(called).isNotDone();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
                }
                stepping.commit();
                return get(called.handle((answer, failed) -> failed));
            }
        }

        private static String number(Statement statement, String query) throws SQLException {
            try (ResultSet row = statement.executeQuery(query)) {
                assertThat(row.next()).isTrue();
                return row.getString(1);
            }
        }
    }
}

package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.reading;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever may connect to a PostgreSQL database may notify our channel of whatever he likes; and what a watch asks when nobody does. */
@Tag("patient")
final class ForeignNotificationTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(8);

    /** A query for all that takes so long is not repeated for a request timeout: whatever is told before was heard by a notification. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    private final ServerRig.Place place = Servers.postgres();
    private final String at = place.url().apply(place.port());

    @Test
    @Timeout(60)
    void aNotificationOfSomebodyElseDisturbsNobody() throws Exception {
        try (SystemTimeline timeline = new SystemTimeline();
                Coordinator client = open(at + "&ApplicationName=disturbed", timeline);
                Coordinator other = open(at, timeline);
                Connection eye = DriverManager.getConnection(at);
                Connection stranger = DriverManager.getConnection(asStranger(eye))) {
            LeaseId lease = granted(client, Duration.ofMinutes(1)).id();
            Revision first = swapped(client, Revision.ABSENT, vacant(1));
            reading(client);
            Hears hears = new Hears();
            client.watch(ELECTION, hears);
            Waiting.until("the watch tells", () -> hears.term.get() == 1);
            slowDown(eye);
            String sessions = sessions(eye);

            for (String payload : new String[] {"", "no name", "../..", "x".repeat(256)}) {
                execute(stranger, "notify incumbent, '" + payload + "'");
            }
            swapped(other, first, vacant(2));
            boolean woken = Waiting.within(SLOW.multipliedBy(5), () -> hears.term.get() == 2);

            assertThat(woken).as("a true notification wakes").isTrue();
            assertThat(hears.gaps).hasValue(0);
            assertThat(sessions(eye)).as("leases, calls, and the watch").isEqualTo(sessions);
            assertThat(sessions.split(",")).hasSize(3);
            get(client.keepAlive(lease));
        }
    }

    @Test
    @Tag("trial")
    @Timeout(60)
    void aQueryForAllThatWasSlowIsNotRepeatedAtOnce() throws Exception {
        try (SystemTimeline timeline = new SystemTimeline();
                Coordinator client = open(at + "&ApplicationName=disturbed", timeline);
                Connection eye = DriverManager.getConnection(at)) {
            swapped(client, Revision.ABSENT, vacant(1));
            Hears hears = new Hears();
            client.watch(ELECTION, hears);
            Waiting.until("the watch tells", () -> hears.term.get() == 1);
            slowDown(eye);

            String asked = lastQuestion(eye);
            SystemTimeline.sleep(SLOW.multipliedBy(3));

            assertThat(lastQuestion(eye)).isEqualTo(asked);
        }
    }

    private static String lastQuestion(Connection eye) {
        return ask(eye, "max(query_start)::text", "query like '%incumbent_election%' and ");
    }

    private static Coordinator open(String at, SystemTimeline timeline) {
        return new SqlCoordinatorProvider().open(at, timeline, REQUEST_TIMEOUT, Mode.CREATE);
    }

    /** A user without any right. */
    private String asStranger(Connection eye) throws SQLException {
        String stranger = "stranger" + at.substring(at.indexOf("currentSchema=") + 14);
        execute(eye, "create role " + stranger + " login password 'hunter4'");
        return at.replace("user=" + PostgresServer.USER, "user=" + stranger)
                .replace(PostgresServer.PASSWORD, "hunter4");
    }

    /** Lets the next query for all wait for a lock. */
    private void slowDown(Connection eye) throws Exception {
        try (Connection holder = DriverManager.getConnection(at)) {
            holder.setAutoCommit(false);
            execute(holder, "lock table incumbent_election in access exclusive mode");
            Waiting.until("the watch waits", () -> isWaiting(eye));
            SystemTimeline.sleep(SLOW);
            holder.rollback();
        }
        Waiting.until("the watch is answered", () -> !isWaiting(eye));
    }

    private static boolean isWaiting(Connection eye) {
        return !ask(eye, "wait_event_type='Lock' and ").equals("none");
    }

    private static String sessions(Connection eye) {
        return ask(eye, "");
    }

    private static String ask(Connection eye, String such) {
        return ask(eye, "coalesce(string_agg(pid::text, ',' order by pid), 'none')", such);
    }

    private static String ask(Connection eye, String what, String such) {
        try (Statement statement = eye.createStatement();
                ResultSet row = statement.executeQuery(
                        "select " + what + " from pg_stat_activity where " + such + "application_name='disturbed'")) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static final class Hears implements Watcher {
        private final AtomicInteger term = new AtomicInteger();
        private final AtomicInteger gaps = new AtomicInteger();

        @Override
        public void changed(ObservedRecord record) {
            term.set((int) record.record().term());
        }

        @Override
        public void gap() {
            gaps.incrementAndGet();
        }

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}

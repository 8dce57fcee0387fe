package dev.incumbent.coordinator.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.jdbc.Sql;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.sql.DatabaseFiles;
import dev.incumbent.sql.FileSystems;
import dev.incumbent.time.VirtualTimeline;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No wire can slow a database of this process; so its statements take time on the clients' clock, and what they tell is dated before they began. */
final class SqliteDatesTest {
    private static final Duration STATEMENT = Duration.ofMillis(200);
    private static final Duration DELAY = Duration.ofMillis(50);
    private static final ElectionName LED = new ElectionName("dates/led");

    @TempDir
    private Path folder;

    private final VirtualTimeline timeline = new VirtualTimeline();
    private final List<Long> heard = new ArrayList<>();
    private final List<Runnable> polls = new ArrayList<>();
    private StoreSession session;
    private StoreSession slow;

    @BeforeEach
    void open() throws Exception {
        SqliteStore store =
                new SqliteStore(folder.resolve("c.db"), Mode.CREATE, Duration.ofSeconds(1), FileSystems::typeOf);
        session = store.open(SqliteStore.Durability.BOOT, new BusyParking(timeline, Duration.ofSeconds(1)));
        slow = StoreSession.open(
                DatabaseFiles.at(store.path()), session.identity(), new Sql(slowed()), StoreSession.Access.FULL);
        Records.swap(tx(session), LED, Revision.ABSENT, Asking.claim(new LeaseId("never")));
    }

    @AfterEach
    void close() {
        slow.close();
        session.close();
    }

    @Test
    void aProofIsDatedBeforeTheStatementsOfItsPollBegan() {
        try (Poller poller = new Poller(this::runLater, timeline, DELAY.toNanos())) {
            assertThat(poller.watch(LED, new Proofs())).isNotNull();
            long asked = timeline.nanos();
            polls.remove(0).run();
            assertThat(timeline.nanos() - asked)
                    .isEqualTo(STATEMENT.multipliedBy(2).toNanos());
            assertThat(heard).containsExactly(asked);

            List<Long> begun = new ArrayList<>();
            while (heard.size() < 2) {
                timeline.advance(DELAY);
                begun.add(timeline.nanos());
                polls.remove(0).run();
            }

            assertThat(begun).contains(heard.get(1));
            assertThat(heard.get(1)).isEqualTo(begun.get(begun.size() - 1));
        }
    }

    private Tx tx(StoreSession on) {
        return new Tx(on, timeline, new Boot("this"), true);
    }

    private void runLater(Work<Poller.Poll> work, BiConsumer<? super Poller.Poll, ? super Throwable> then) {
        polls.add(() -> {
            try {
                then.accept(work.in(tx(slow)), new IllegalStateException("it has answered"));
            } catch (SQLException | NeedsWrite e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** A connection each of whose statements takes a while. */
    private Connection slowed() throws SQLException {
        Connection real = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("c.db"));
        return (Connection) around(Connection.class, real, false);
    }

    private Object around(Class<?> type, Object real, boolean isStatement) {
        return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            try {
                Object result = method.invoke(real, arguments);
                if (isStatement && method.getName().startsWith("execute")) {
                    timeline.advance(STATEMENT);
                }
                return method.getName().equals("prepareStatement")
                        ? around(PreparedStatement.class, result, true)
                        : result;
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        });
    }

    /** Remembers the proofs. */
    private final class Proofs implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            assertThat(record.record().term()).isPositive();
        }

        @Override
        public void gap() {
            throw new AssertionError("a gap");
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            heard.add(sentAtNanos);
        }
    }
}

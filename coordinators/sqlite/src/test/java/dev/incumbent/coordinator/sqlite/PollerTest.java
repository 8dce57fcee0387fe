package dev.incumbent.coordinator.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.jdbc.Sql;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.sql.DatabaseFiles;
import dev.incumbent.sql.FileSystems;
import dev.incumbent.time.VirtualTimeline;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the number of elections watched, a poll asks whether anything moved, and one query if it has. */
final class PollerTest {
    private static final int MANY = 1_000;
    private static final Duration DELAY = Duration.ofMillis(50);
    private static final Duration LEASE = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private final VirtualTimeline timeline = new VirtualTimeline();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger queries = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicInteger dead = new AtomicInteger();
    private final AtomicInteger proofs = new AtomicInteger();
    private StoreSession polling;
    private StoreSession writing;
    private Poller poller;

    @BeforeEach
    void open() throws Exception {
        SqliteStore store =
                new SqliteStore(folder.resolve("c.db"), Mode.CREATE, Duration.ofSeconds(1), FileSystems::typeOf);
        writing = store.open(SqliteStore.Durability.BOOT, new BusyParking(timeline, Duration.ofSeconds(1)));
        polling = StoreSession.open(
                DatabaseFiles.at(store.path()), writing.identity(), counted(), StoreSession.Access.FULL);
        poller = new Poller(this::runCounted, timeline, DELAY.toNanos());
        LeaseId lease = new LeaseId("L1");
        Leases.grant(tx(writing), lease, new CandidateId("ada@h-1-x"), LEASE);
        writing.sql().orElseThrow().execute("begin");
        for (int i = 0; i < MANY; i++) {
            Records.swap(tx(writing), election(i), Revision.ABSENT, Asking.claim(lease));
        }
        writing.sql().orElseThrow().execute("commit");
        for (int i = 0; i < MANY; i++) {
            poller.watch(election(i), new Counting());
        }
    }

    @AfterEach
    void close() throws IOException {
        poller.close();
        polling.close();
        writing.close();
        assertThat(Files.exists(folder.resolve("c.db-wal"))).isFalse();
    }

    @Test
    void aPollAsksOneQuestionWhereNothingMoved() {
        timeline.advance(DELAY);
        reset();

        timeline.advance(DELAY.multipliedBy(20));

        assertThat(questions.get()).isEqualTo(20);
        assertThat(queries.get()).isZero();
        assertThat(proofs.get()).isEqualTo(MANY * 20 / 4);
        assertThat(told.get()).isZero();
    }

    @Test
    void aPollAsksOneQueryForAllWhereSomethingMoved() throws Exception {
        timeline.advance(DELAY);
        assertThat(told.get()).isEqualTo(MANY);
        reset();

        Leases.grant(tx(writing), new LeaseId("L2"), new CandidateId("bob@h-1-x"), LEASE);
        timeline.advance(DELAY);

        assertThat(queries.get()).isEqualTo(1);
        assertThat(told.get()).isZero();
    }

    @Test
    void theEndOfOneLeaseIsToldToAllItsElectionsWhenItComes() {
        timeline.advance(DELAY);
        timeline.advance(LEASE.minus(DELAY.multipliedBy(3)));
        assertThat(dead.get()).isZero();
        reset();

        timeline.advance(DELAY.multipliedBy(3));

        assertThat(dead.get()).isEqualTo(MANY);
        assertThat(queries.get())
                .as("one that finds the end, and one after the burial")
                .isEqualTo(3);
    }

    private void reset() {
        questions.set(0);
        queries.set(0);
        told.set(0);
        dead.set(0);
        proofs.set(0);
    }

    private static ElectionName election(int i) {
        return new ElectionName("many/" + i);
    }

    private Tx tx(StoreSession session) {
        return new Tx(session, timeline, new Boot("this"), true);
    }

    private void runCounted(Work<Poller.Poll> work, BiConsumer<? super Poller.Poll, ? super Throwable> then) {
        timeline.at(timeline.nanos(), () -> {
            try {
                then.accept(work.in(tx(polling)), new IllegalStateException("it has answered"));
            } catch (SQLException | NeedsWrite e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** A connection whose statements are counted as they are bound to run. */
    private Sql counted() throws SQLException {
        Connection real = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("c.db"));
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        return method.getName().equals("prepareStatement")
                                ? counted(result, String.valueOf(arguments[0]))
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
        return new Sql((Connection) proxy);
    }

    private Object counted(Object statement, String sql) {
        AtomicInteger counter = sql.startsWith("pragma data_version") ? questions : queries;
        return Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {java.sql.PreparedStatement.class},
                (self, method, arguments) -> {
                    if (method.getName().startsWith("execute")) {
                        counter.incrementAndGet();
                    }
                    try {
                        return method.invoke(statement, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    /** Counts what it hears. */
    private final class Counting implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            (record.leaseAlive() ? told : dead).incrementAndGet();
        }

        @Override
        public void gap() {
            throw new AssertionError("a gap");
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            proofs.incrementAndGet();
        }
    }
}

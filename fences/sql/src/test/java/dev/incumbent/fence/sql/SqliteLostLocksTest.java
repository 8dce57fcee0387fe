package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.FencingToken;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process loses its locks on a file once it has opened and closed it, as a checksum does or a copy. The writer is this process, and all others are {@code sqlite3}. */
@Tag("field")
class SqliteLostLocksTest {
    private Ledger ledger = Ledger.inMode("WAL");

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void nothingIsCommittedIntoALogThatAnOldSqliteHasDeleted() throws Exception {
        raiseTo(7);
        try (Connection writer = Leader.ofTerm7(ledger.connect())) {
            Leader.insert(writer, "late");
            loseTheLog();
            raiseTo(8);

            assertLost(writer::commit);
            assertLost(() -> writer.setAutoCommit(true));
            assertLost(() -> Installation.execute(writer, "COMMIT"));
            writer.rollback();
        }
        assertThat(ledger.lines()).isEmpty();
        assertThat(mark()).isEqualTo("8");
    }

    /** The connection's first database is the application's own, and holds nothing of the fence. */
    @ParameterizedTest
    @ValueSource(strings = {":memory:", "own.db"})
    void nothingIsCommittedIntoTheDeletedLogOfADatabaseThatWasAttached(String first) throws Exception {
        raiseTo(7);
        String own = first.startsWith(":")
                ? first
                : ledger.file().resolveSibling(first).toString();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + own)) {
            Installation.execute(connection, "CREATE TABLE mine(line TEXT)");
            Installation.execute(connection, "ATTACH '" + ledger.file() + "' AS \"the books\"");
            Connection writer = Leader.ofTerm7(connection);
            Leader.insert(writer, "in time");
            writer.commit();
            Leader.insert(writer, "late");
            loseTheLog();
            raiseTo(8);

            assertLost(writer::commit);
            writer.rollback();
        }
        assertThat(ledger.lines()).containsExactly("in time");
    }

    @Test
    void noLaterTransactionIsAdmittedThere() throws Exception {
        raiseTo(7);
        try (Connection writer = Leader.ofTerm7(ledger.connect())) {
            Leader.insert(writer, "in time");
            writer.commit();
            loseTheLog();
            raiseTo(8);

            assertLost(() -> Leader.insert(writer, "late"));
            writer.rollback();
            writer.setAutoCommit(true);
            assertLost(() -> Leader.insert(writer, "late"));
        }
        assertThat(ledger.lines()).containsExactly("in time");
    }

    @Test
    void aFenceThatIsMadeAfterwardsAdmitsNothing() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "this system does not list what a process has open");
        raiseTo(7);
        try (Connection writer = ledger.connect()) {
            Installation.execute(writer, "SELECT count(*) FROM ledger");
            loseTheLog();
            raiseTo(8);
            Files.createFile(beside("-wal"));
            Files.createFile(beside("-shm"));
            writer.setAutoCommit(false);

            assertThatThrownBy(() -> JdbcFence.over(writer).admit(Leader.BILLING, new FencingToken(8)))
                    .isInstanceOf(NotAdmittedException.class)
                    .hasCauseInstanceOf(LostFilesException.class);
            writer.rollback();
        }
    }

    /** Here all that bears the names is open in this process, too. */
    @Test
    void aFenceThatIsMadeAfterwardsKnowsWhatAnEarlierOneSaw() throws Exception {
        raiseTo(7);
        try (Connection writer = ledger.connect()) {
            writer.setAutoCommit(false);
            JdbcFence.over(writer).admit(Leader.BILLING, new FencingToken(7));
            writer.commit();
            JdbcFence.over(writer).admit(Leader.BILLING, new FencingToken(7));
            writer.commit();
            loseTheLog();
            Set<StandardOpenOption> creating = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            try (FileChannel log = FileChannel.open(beside("-wal"), creating);
                    FileChannel index = FileChannel.open(beside("-shm"), creating)) {
                assertThat(log.isOpen() && index.isOpen()).isTrue();

                assertThatThrownBy(() -> JdbcFence.over(writer).admit(Leader.BILLING, new FencingToken(7)))
                        .hasCauseInstanceOf(LostFilesException.class);
            }
            writer.rollback();
        }
    }

    @Test
    void aCommitDuringWhichTheLogWasDeletedIsUncertain() throws Exception {
        raiseTo(7);
        try (Connection writer = ledger.connect()) {
            writer.setAutoCommit(false);
            SqliteFence fence = new SqliteFence(writer);
            fence.admit(Leader.BILLING, new FencingToken(7));
            Leader.insert(writer, "lost perhaps");
            fence.beforeCommit();
            loseTheLog();
            writer.commit();

            assertThatThrownBy(fence::afterCommit)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            uncertain -> assertThat(uncertain.getSQLState()).isEqualTo("08007"));
        }
    }

    /** Without a log no old SQLite is needed: whoever raises meets no lock. With one it is enough to copy all files. */
    @ParameterizedTest
    @CsvSource({"DELETE, ''", "WAL, -shm"})
    void nothingIsCommittedOverWhatOthersWroteOnceTheLockIsGone(String journal, String closed) throws Exception {
        use(journal);
        raiseTo(7);
        try (Connection writer = Leader.ofTerm7(ledger.connect())) {
            Leader.insert(writer, "late");
            openAndClose(beside(closed));
            raiseTo(8);

            assertOthersWrote(writer::commit);
            assertThatThrownBy(() -> Installation.execute(writer, "INSERT INTO absent VALUES (1)"))
                    .hasMessageContaining("no such table");
            assertOthersWrote(writer::commit);
            assertOthersWrote(() -> writer.setAutoCommit(true));
            writer.rollback();
        }
        assertThat(ledger.lines()).isEmpty();
        assertThat(mark()).isEqualTo("8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE", "WAL"})
    void aTransactionThatIsTooBigForTheCacheIsCommitted(String journal) throws Exception {
        use(journal);
        raiseTo(7);
        Path written = beside(journal.equals("WAL") ? "-wal" : "");
        Connection within = ledger.connect();
        SqliteFile.run(within, "PRAGMA cache_size = 10");
        try (Connection writer = Leader.ofTerm7(within)) {
            Leader.insert(writer, "first");
            long before = Files.size(written);
            for (int i = 0; i < 200; i++) {
                Leader.insert(writer, "long ".repeat(500));
            }
            assertThat(Files.size(written)).isGreaterThan(before);

            writer.commit();
        }
        assertThat(ledger.lines()).hasSize(201);
    }

    @Test
    void whoMayLookLeavesTheLogWhereItIs() throws Exception {
        raiseTo(7);
        RemoteWriters ofTheDriver = new RemoteWriters(ledger);
        try (Connection writer = Leader.ofTerm7(ledger.connect())) {
            Leader.insert(writer, "in time");
            openAndClose(ledger.file());

            assertThat(Sqlite3.readOnly(ledger.file(), "SELECT token FROM incumbent_fence"))
                    .isEqualTo(new Sqlite3.Ended(0, "7\n"));
            String reader = ofTheDriver.begin();
            assertThat(ofTheDriver.act(reader, "read")).containsExactly("ok");
            assertThat(ofTheDriver.act(reader, "rollBack")).containsExactly("ok");

            assertThat(beside("-wal")).exists();
            writer.commit();
        } finally {
            ofTheDriver.kill();
        }
        assertThat(ledger.lines()).containsExactly("in time");
    }

    @Test
    void aSinkBesideAConnectionWithADeletedLogSaysSoUntilThatIsClosed() throws Exception {
        raiseTo(7);
        try (Sink sink = new SqlSinkProvider().open(ledger.url(), Duration.ofSeconds(10))) {
            try (Connection other = ledger.connect()) {
                Installation.execute(other, "SELECT count(*) FROM ledger");
                sink.marks().toCompletableFuture().join();
                loseTheLog();

                assertThatThrownBy(() -> sink.marks().toCompletableFuture().join())
                        .isInstanceOf(CompletionException.class)
                        .cause()
                        .isInstanceOf(SinkException.class)
                        .hasMessageContaining("close all connections of this process to it");
            }
            raiseTo(8);
            assertThat(sink.marks().toCompletableFuture().join().marks().get(Leader.BILLING))
                    .hasToString("8 of operator:me");
        }
    }

    private void use(String journal) {
        ledger.close();
        ledger = Ledger.inMode(journal);
    }

    private void raiseTo(long token) {
        Sqlite3.Ended raise = Sqlite3.statement(
                ledger.file(),
                "INSERT INTO incumbent_raise(election, token, owner) VALUES ('billing', " + token + ", 'operator:me')");
        assertThat(raise).isEqualTo(new Sqlite3.Ended(0, ""));
    }

    /** By an SQLite that looks, once this process has lost its lock. */
    private void loseTheLog() throws IOException {
        assumeTrue(isOld(), "sqlite3 is of version 3.51 or later, which deletes no log that another process has open");
        openAndClose(ledger.file());
        Sqlite3.statement(ledger.file(), "SELECT count(*) FROM ledger");
        assertThat(beside("-wal")).doesNotExist();
    }

    private static boolean isOld() {
        String[] version = Sqlite3.version().split("\\.", -1);
        return Integer.parseInt(version[0]) == 3 && Integer.parseInt(version[1]) < 51;
    }

    private static void openAndClose(Path file) throws IOException {
        assertThat(Files.readAllBytes(file)).isNotEmpty();
    }

    private String mark() {
        return ledger.column("SELECT token FROM incumbent_fence").get(0);
    }

    private Path beside(String suffix) {
        return Path.of(ledger.file() + suffix);
    }

    private static void assertOthersWrote(ThrowingCallable call) {
        assertRefused(call, "others may have written beside this transaction");
    }

    private static void assertLost(ThrowingCallable call) {
        assertRefused(call, "is not the file that this process has open");
    }

    private static void assertRefused(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        refused -> assertThat(refused.getSQLState()).isEqualTo("08006"));
    }
}

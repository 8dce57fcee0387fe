package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a SQLite file does as a sink when it is missing, broken, locked or replaced. */
class SqliteSinkTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final Duration BOUND = Duration.ofSeconds(2);

    private final Ledger ledger = Ledger.inMode("WAL");
    private final SqlSinkProvider provider = new SqlSinkProvider();

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void theProviderIsFoundOnTheClassPath() {
        assertThat(ServiceLoader.load(SinkProvider.class))
                .anyMatch(found ->
                        found.opens("jdbc:sqlite:/tmp/x") && found.opens("sqlite:x") && !found.opens("redis://x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite:", "sqlite::memory:", "jdbc:sqlite:x?cache=shared", "sqlite:file:x"})
    void aUrlThatNamesNoFileIsRefused(String url) {
        assertThatThrownBy(() -> provider.open(url, BOUND))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names no file");
    }

    @Test
    void aMissingFileIsToldAndNotCreated() {
        Path missing = ledger.folder().resolve("missing.db");

        assertFails("sqlite:" + missing, "there is no such file");

        assertThat(missing).doesNotExist();
    }

    @Test
    void anInstallInAMissingFolderNamesIt() {
        assertThatThrownBy(() -> provider.install("sqlite:" + ledger.folder().resolve("absent/ledger.db")))
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("there is no folder " + ledger.folder().resolve("absent"));
    }

    @Test
    void aDatabaseWithoutAFenceIsToldAsNotInstalled() throws Exception {
        Path plain = ledger.folder().resolve("plain.db");
        Files.createFile(plain);

        assertFails("sqlite:" + plain, "it is not installed as a sink");
    }

    @Test
    void aFileThatIsNoDatabaseIsToldAndLeftAlone() throws Exception {
        Path letter = ledger.folder().resolve("letter.db");
        Files.writeString(letter, "Dear reader, this is no database. ".repeat(40));

        assertFails("sqlite:" + letter, "the file is no SQLite database");
        assertThatThrownBy(() -> provider.install("sqlite:" + letter)).hasMessageContaining("no SQLite database");

        assertThat(Files.readString(letter)).startsWith("Dear reader");
    }

    @Test
    void aDamagedFileIsTold() throws Exception {
        ledger.run("PRAGMA journal_mode=DELETE");
        byte[] noise = "noise".repeat(2000).getBytes(StandardCharsets.US_ASCII);
        try (FileChannel file = FileChannel.open(ledger.file(), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(noise), 100);
        }

        assertFails(ledger.url(), "the file is damaged");
    }

    @Test
    void aFolderInItsPlaceIsTold() throws Exception {
        Path folder = Files.createDirectory(ledger.folder().resolve("folder.db"));

        assertFails("sqlite:" + folder, "cannot be opened");
    }

    @Test
    void aRaiseThatGivesUpNamesTheHolderOfTheLock() throws Exception {
        try (Connection holder = ledger.connect();
                Sink sink = provider.open(ledger.url(), Duration.ofMillis(300))) {
            SqliteFile.run(holder, "BEGIN IMMEDIATE");

            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(1))))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("gave up after 300 ms")
                    .hasMessageContaining("this process holds its write lock");
            assertThat(answer(sink.marks()).marks()).isEmpty();

            SqliteFile.run(holder, "ROLLBACK");
            assertThat(answer(sink.raise(BILLING, mark(1)))).isEqualTo(new Raise.Raised(mark(1)));
        }
    }

    @Test
    void whatWaitsBehindAQuestionThatGaveUpEndsInTimeToo() throws Exception {
        try (Connection holder = ledger.connect();
                Sink sink = provider.open(ledger.url(), Duration.ofMillis(300))) {
            SqliteFile.run(holder, "BEGIN IMMEDIATE");

            CompletionStage<Raise> first = sink.raise(BILLING, mark(1));
            CompletionStage<Raise> second = sink.raise(BILLING, mark(2));

            assertThatThrownBy(() -> answer(first)).hasMessageContaining("gave up");
            assertThatThrownBy(() -> answer(second)).hasMessageContaining("gave up");
            SqliteFile.run(holder, "ROLLBACK");
        }
    }

    @Test
    void aSinkClosedWhileItWaitsForALockEndsAtOnce() throws Exception {
        try (Connection holder = ledger.connect()) {
            SqliteFile.run(holder, "BEGIN IMMEDIATE");
            Sink sink = provider.open(ledger.url(), Duration.ofHours(1));
            CompletionStage<Raise> raise = sink.raise(BILLING, mark(1));

            sink.close();

            assertThatThrownBy(() -> answer(raise)).isInstanceOf(SinkException.class);
            SqliteFile.run(holder, "ROLLBACK");
        }
    }

    @Test
    void aSinkThatWasDeletedAnswersNothing() throws Exception {
        try (Sink sink = provider.open(ledger.url(), BOUND)) {
            answer(sink.raise(BILLING, mark(1)));

            Files.delete(ledger.file());

            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(2))))
                    .hasMessageContaining("there is no such file");
            assertThatThrownBy(() -> answer(sink.marks())).hasMessageContaining("there is no such file");
        }
    }

    @Test
    void anotherSinkRenamedIntoItsPlaceIsToldByItsId() throws Exception {
        try (Sink sink = provider.open(ledger.url(), BOUND);
                Ledger another = Ledger.inMode("DELETE")) {
            var born = answer(sink.id());
            answer(sink.raise(BILLING, mark(1)));

            Files.move(another.file(), ledger.file(), StandardCopyOption.ATOMIC_MOVE);
            deleteLogs();

            assertThat(answer(sink.id())).isNotEqualTo(born);
            assertThat(answer(sink.marks()).marks()).isEmpty();
            assertThat(answer(sink.raise(BILLING, mark(2)))).isEqualTo(new Raise.Raised(mark(2)));
            assertThat(ledger.column("SELECT token FROM incumbent_fence")).containsExactly("2");
        }
    }

    @Test
    void aSinkRestoredByTheClientShowsItsOlderMarkToWhoHasItOpen() throws Exception {
        Path copy = ledger.folder().resolve("copy.db");
        try (Sink sink = provider.open(ledger.url(), BOUND)) {
            answer(sink.raise(BILLING, mark(1)));
            ledger.run("VACUUM INTO '" + copy + "'");
            answer(sink.raise(BILLING, mark(2)));

            Sqlite3.Ended restored = Sqlite3.statement(ledger.file(), ".restore " + copy);

            assertThat(restored).isEqualTo(new Sqlite3.Ended(0, ""));
            assertThat(answer(sink.marks()).marks()).containsEntry(BILLING, mark(1));
            assertThat(answer(sink.raise(BILLING, mark(2)))).isEqualTo(new Raise.Raised(mark(2)));
        }
    }

    @Test
    void aTableOfTheUsersIsLeftAsItIsByTheInstall() {
        ledger.run("INSERT INTO ledger(line) VALUES ('mine')");

        provider.install(ledger.url());

        assertThat(ledger.lines()).containsExactly("mine");
        assertThat(ledger.column("PRAGMA journal_mode")).containsExactly("wal");
    }

    @Test
    void anUnreadableMarkIsNamedAndHidesNoOther() throws Exception {
        ledger.run(
                "INSERT INTO incumbent_fence VALUES ('billing', 7, 'nobody', 'then'), ('reports', 3, 'operator:me', 'then')");

        try (Sink sink = provider.open(ledger.url(), BOUND)) {
            ElectionName billing = new ElectionName("billing");
            ElectionName reports = new ElectionName("reports");
            Map<ElectionName, Mark> readable =
                    Map.of(reports, new Mark(new FencingToken(3), MarkOwner.ofOperator("me")));
            assertThat(answer(sink.marks()))
                    .isEqualTo(new MarksRead(readable, Map.of(billing, "its row holds no mark: '7' of 'nobody'")));
            assertThat(answer(sink.marks(java.util.Set.of(reports)))).isEqualTo(MarksRead.of(readable));
            assertThatThrownBy(() -> answer(sink.marks()).of(billing))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("the mark of billing cannot be read");
        }
    }

    private void deleteLogs() throws IOException {
        Files.deleteIfExists(Path.of(ledger.file() + "-wal"));
        Files.deleteIfExists(Path.of(ledger.file() + "-shm"));
    }

    private void assertFails(String url, String sentence) {
        try (Sink sink = provider.open(url, BOUND)) {
            assertThatThrownBy(() -> answer(sink.id()))
                    .isInstanceOf(SinkException.class)
                    .hasMessageStartingWith("sqlite:")
                    .hasMessageContaining(sentence);
        }
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(20, SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(new CandidateId("c" + token)));
    }
}

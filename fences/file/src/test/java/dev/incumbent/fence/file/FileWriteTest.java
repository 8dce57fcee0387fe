package dev.incumbent.fence.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.SmallDisk;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one write does to a file, whatever was there; and that it waits for its turn. */
final class FileWriteTest {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final ElectionName REPORTS = new ElectionName("reports");

    @TempDir
    private Path folder;

    private Path ledger;
    private Path lockFile;
    private Sink sink;

    @BeforeEach
    void raise() throws Exception {
        ledger = folder.resolve("ledger.txt");
        lockFile = folder.resolve("ledger.txt.fence-lock");
        sink = installed(ledger);
        raised(BILLING, 7);
    }

    @AfterEach
    void close() {
        sink.close();
    }

    @Test
    void aWriteWaitsForTheTurnOfAnotherProcess() throws Exception {
        for (long at : new long[] {0, 1}) {
            try (LockHolder other = LockHolder.of(lockFile, at)) {
                assertThatThrownBy(() -> write(SHORT, "too early"))
                        .isInstanceOf(NotAdmittedException.class)
                        .hasMessageContaining("another process works on it");
                assertThat(other).isNotNull();
            }
        }
        assertThat(ledger).doesNotExist();
        write(BOUND, "in turn");
        assertThat(ledger).hasContent("in turn");
    }

    /** Whoever waited at a lock file that was deleted meanwhile waits again, at the one in its place. */
    @Test
    void aTurnAtALockFileThatWasReplacedIsNone() throws Exception {
        LockHolder atTheOld = LockHolder.of(lockFile, 0);
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try {
                write(Duration.ofSeconds(3), "too early");
            } catch (IOException | FenceException e) {
                throw new AssertionError(e);
            }
        });
        assertThatThrownBy(() -> writing.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        Files.delete(lockFile);
        try (LockHolder atTheNew = LockHolder.of(lockFile, 0)) {
            atTheOld.close();

            assertThatThrownBy(writing::join).hasRootCauseMessage("another process works on it");
            assertThat(atTheNew).isNotNull();
        }
        assertThat(ledger).doesNotExist();
    }

    @Test
    void aWriteOfTwoElectionsIsAdmittedByBoth() throws Exception {
        raised(REPORTS, 3);
        raised(REPORTS, 4);
        FileWrite stale = begun(BOUND);
        stale.admit(BILLING, new FencingToken(7));
        stale.admit(REPORTS, new FencingToken(3));

        assertThatThrownBy(stale.append(bytes("late"))::commit).isInstanceOf(StaleTokenException.class);

        assertThat(ledger).doesNotExist();
    }

    @Test
    void aWriteIsCommittedOnce() throws Exception {
        FileWrite write = admitted(BOUND).append(bytes("once"));
        write.commit();

        assertThatThrownBy(write::commit).isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() -> write.admit(BILLING, new FencingToken(7))).isInstanceOf(NoTransactionException.class);

        assertThat(ledger).hasContent("once");
    }

    @Test
    void whoReplacesForgetsWhatWasToBeAppended() throws Exception {
        admitted(BOUND)
                .append(bytes("a"))
                .replace(bytes("b"))
                .append(bytes("c"))
                .commit();

        assertThat(ledger).hasContent("bc");
    }

    @Test
    void whatIsReplacedKeepsItsRights() throws Exception {
        Files.writeString(ledger, "before");
        Files.setPosixFilePermissions(ledger, PosixFilePermissions.fromString("rw-r-----"));

        admitted(BOUND).replace(bytes("after")).commit();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ledger)))
                .isEqualTo("rw-r-----");
        assertThat(ledger).hasContent("after");
    }

    @Test
    void whatACrashLeftHalfWrittenIsNotMixedIn() throws Exception {
        Files.writeString(folder.resolve("ledger.txt.next"), "left by a process that died while it wrote");

        admitted(BOUND).replace(bytes("new")).commit();

        assertThat(ledger).hasContent("new");
        assertThat(folder.resolve("ledger.txt.next")).doesNotExist();
    }

    /** Root may give files away; whoever is not root belongs to their owner already. */
    @Test
    void whatIsReplacedKeepsItsOwner() throws Exception {
        assumeThat(Files.getAttribute(folder, "unix:uid")).isEqualTo(0);
        Files.writeString(ledger, "before");
        Path marks = folder.resolve("ledger.txt.fence");
        for (Path file : List.of(ledger, marks)) {
            Files.setAttribute(file, "unix:uid", 12_345);
            Files.setAttribute(file, "unix:gid", 23_456);
        }

        admitted(BOUND).replace(bytes("after")).commit();
        raised(BILLING, 8);

        assertThat(ledger).hasContent("after");
        for (Path file : List.of(ledger, marks)) {
            assertThat(Files.readAttributes(file, "unix:uid,gid"))
                    .as(file.toString())
                    .isEqualTo(Map.of("uid", 12_345, "gid", 23_456));
        }
    }

    @Test
    void whoMayNotKeepTheOwnerOfWhatItReplacesIsRefused() throws Exception {
        assumeThat(Files.getAttribute(folder, "unix:uid")).isEqualTo(0);
        Files.writeString(ledger, "before");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        for (Path file : List.of(ledger, lockFile)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        }

        Process another =
                OneWrite.start(ledger, "replace", "setpriv", "--reuid=12345", "--regid=12345", "--clear-groups");

        assertThat(new String(another.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(
                        ledger.toRealPath() + " belongs to group 0, and this process may not give its next version to"
                                + " group 0: Operation not permitted\n");
        assertThat(ledger).hasContent("before");
        assertThat(folder.resolve("ledger.txt.next")).doesNotExist();
    }

    @Test
    void aCommitThatIsInterruptedIsWholeOrNothing() throws Exception {
        byte[] line = "x".repeat(8 << 20).getBytes(StandardCharsets.UTF_8);
        Files.writeString(ledger, "");
        for (int round = 1; round <= 10; round++) {
            long before = Files.size(ledger);
            CountDownLatch interrupted = new CountDownLatch(1);
            CompletableFuture<Boolean> interruptIsKept = new CompletableFuture<>();
            Thread writer = new Thread(() -> {
                try {
                    admitted(BOUND).append(line).commit();
                    while (interrupted.getCount() > 0) {
                        Thread.onSpinWait(); // whoever waits would take the interrupt
                    }
                    interruptIsKept.complete(Thread.currentThread().isInterrupted());
                } catch (IOException | FenceException e) {
                    interruptIsKept.completeExceptionally(e);
                }
            });
            writer.start();
            while (Files.size(ledger) == before) {
                Thread.onSpinWait();
            }
            writer.interrupt();
            interrupted.countDown();

            assertThat(interruptIsKept.get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.size(ledger)).isEqualTo(before + line.length);
        }
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> write(BOUND, "late"))
                .isInstanceOf(NotAdmittedException.class)
                .hasMessageStartingWith("interrupted while waiting for filefence:");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Files.size(ledger)).isEqualTo(10L * line.length);
    }

    /** As the kernel sees it: what is written, what is flushed, and only then the word that it is done. */
    @ParameterizedTest
    @CsvSource({"append, ledger.txt", "replace, ledger.txt.next"})
    void aCommitReturnsAfterTheBytesAndTheNameWereFlushed(String how, String written) throws Exception {
        assumeThat(mayTrace()).isTrue();
        Path calls = folder.resolve("calls");

        Process writer = OneWrite.start(
                ledger, how, "strace", "-f", "-y", "-e", "trace=write,pwrite64,fsync", "-o", calls.toString());

        assertThat(new String(writer.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("committed\n");
        String file = Pattern.quote("<" + folder.toRealPath().resolve(written) + ">");
        String there = Pattern.quote("<" + folder.toRealPath() + ">");
        assertThat(Files.readString(calls))
                .containsPattern(Pattern.compile(
                        file + ", \"written\".*fsync\\(\\d+" + file + ".*fsync\\(\\d+" + there + ".*\"committed",
                        Pattern.DOTALL));
    }

    @Test
    void whatHasNoRoomLeavesTheFileAsItWas() throws Exception {
        assumeThat(SmallDisk.isPossible()).isTrue();
        try (SmallDisk disk = SmallDisk.ofMegabytes(1);
                TemporaryFolder there = disk.folder("there");
                Sink onIt = installed(there.resolve("ledger.txt"))) {
            Path small = there.resolve("ledger.txt");
            onIt.raise(BILLING, mark(7)).toCompletableFuture().get();
            FileWrite first = FencedFile.at(small, BOUND).begin();
            first.admit(BILLING, new FencingToken(7));
            first.append(bytes("before\n")).commit();
            FileWrite large = FencedFile.at(small, BOUND).begin();
            large.admit(BILLING, new FencingToken(7));

            assertThatThrownBy(large.append(new byte[2 << 20])::commit).isInstanceOf(IOException.class);

            assertThat(small).hasContent("before\n");
            FileWrite all = FencedFile.at(small, BOUND).begin();
            all.admit(BILLING, new FencingToken(7));
            assertThatThrownBy(all.replace(new byte[2 << 20])::commit).isInstanceOf(IOException.class);
            assertThat(small).hasContent("before\n");
            assertThat(there.resolve("ledger.txt.next")).doesNotExist();
            disk.fill();
            assertThatThrownBy(() ->
                            onIt.raise(BILLING, mark(8)).toCompletableFuture().get())
                    .hasCauseInstanceOf(SinkException.class)
                    .hasMessageContaining("No space left on device");
            disk.makeRoom();
            assertThat(onIt.marks().toCompletableFuture().get().marks()).isEqualTo(Map.of(BILLING, mark(7)));
        }
    }

    @Test
    void aRaiseThatIsRepeatedWritesNothing() throws Exception {
        Object before = inode();

        raised(BILLING, 7);
        assertThat(inode()).isEqualTo(before);
        raised(BILLING, 8);
        assertThat(inode()).isNotEqualTo(before);
    }

    @Test
    void aFenceWithoutAnIdIsNone() throws Exception {
        Files.writeString(folder.resolve("ledger.txt.fence"), "mark billing 7 candidate:ada@host-1-x\n");

        assertThatThrownBy(() -> sink.marks().toCompletableFuture().get())
                .hasRootCauseInstanceOf(IOException.class)
                .hasCauseInstanceOf(SinkException.class)
                .hasMessageContaining("has no line with the sink's id");
        assertThatThrownBy(() -> write(BOUND, "x")).isInstanceOf(NotAdmittedException.class);
    }

    private static boolean mayTrace() throws InterruptedException {
        try {
            return new ProcessBuilder("strace", "-o", "/dev/null", "true")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException none) {
            return false;
        }
    }

    private Object inode() throws IOException {
        return Files.readAttributes(folder.resolve("ledger.txt.fence"), BasicFileAttributes.class)
                .fileKey();
    }

    private static Sink installed(Path path) {
        String url = "filefence:" + path;
        new FileSinkProvider().install(url);
        return new FileSinkProvider().open(url, BOUND);
    }

    private void raised(ElectionName election, long token) throws Exception {
        sink.raise(election, mark(token)).toCompletableFuture().get();
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.parse("candidate:ada@host-1-x"));
    }

    private FileWrite begun(Duration bound) {
        return FencedFile.at(ledger, bound).begin();
    }

    private FileWrite admitted(Duration bound) throws NoTransactionException {
        FileWrite write = begun(bound);
        write.admit(BILLING, new FencingToken(7));
        return write;
    }

    private void write(Duration bound, String text) throws IOException, FenceException {
        admitted(bound).append(bytes(text)).commit();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package dev.incumbent.fence.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer of {@code docs/sinks/file.md}, as it stands there, in a process of Python. */
final class PythonWriterTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing/closer");

    /** What the page leaves to its reader; and it stops between its check and its line until its standard input ends. */
    private static final String BEFORE_IT = """
            import builtins, fcntl, os, sys
            path, election, token, line = sys.argv[1:]
            def open(name, mode="r"):
                if mode == "a":
                    print("admitted", flush=True)
                    sys.stdin.read()
                return builtins.open(name, mode)
            """;

    @TempDir
    private Path folder;

    private Path script;
    private Path ledger;
    private Path lockFile;
    private Sink sink;

    @BeforeEach
    void raise() throws Exception {
        assumeThat(hasPython()).isTrue();
        script = Files.writeString(folder.resolve("writer.py"), BEFORE_IT + fromThePage());
        ledger = folder.resolve("ledger.txt");
        lockFile = folder.resolve("ledger.txt.fence-lock");
        new FileSinkProvider().install("filefence:" + ledger);
        sink = new FileSinkProvider().open("filefence:" + ledger, BOUND);
        sink.raise(BILLING, mark(7)).toCompletableFuture().get();
    }

    @AfterEach
    void close() {
        if (sink != null) {
            sink.close();
        }
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "-c", "import fcntl").start().waitFor() == 0;
        } catch (IOException none) {
            return false;
        }
    }

    private static String fromThePage() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "sinks", "file.md"));
        Matcher block = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    @Test
    void itAppendsWhileItsTokenIsInForce() throws Exception {
        assertThat(ended(writer(7, "first\n"))).isEqualTo("admitted\n");
        assertThat(ended(writer(7, "second\n"))).isEqualTo("admitted\n");

        assertThat(ledger).hasContent("first\nsecond\n");
    }

    @Test
    void aStaleTokenAndOneThatIsNotRaisedWriteNothing() throws Exception {
        for (long token : new long[] {6, 8}) {
            assertThat(ended(writer(token, "late\n"))).isEqualTo("stale, or not raised here\n");
        }

        assertThat(ledger).doesNotExist();
    }

    /** At either byte: the turn, and the queue for it. */
    @Test
    @Tag("realtime")
    void itWaitsForWhoeverHoldsTheLock() throws Exception {
        for (long at : new long[] {0, 1}) {
            Process writer;
            try (LockHolder other = LockHolder.of(lockFile, at)) {
                writer = writer(7, "in turn\n");
                assertThat(writer.waitFor(1, TimeUnit.SECONDS)).isFalse();
                assertThat(other).isNotNull();
            }
            assertThat(ended(writer)).isEqualTo("admitted\n");
        }

        assertThat(ledger).hasContent("in turn\nin turn\n");
    }

    @Test
    void aLockFileThatWasReplacedMeanwhileIsNone() throws Exception {
        Process writer;
        try (LockHolder atTheOld = LockHolder.of(lockFile, 0)) {
            writer = writer(7, "late\n");
            awaitOpened(writer, lockFile);
            Files.delete(lockFile);
            Files.createFile(lockFile);
            assertThat(atTheOld).isNotNull();
        }

        assertThat(ended(writer)).isEqualTo("the lock was replaced: begin again\n");
        assertThat(ledger).doesNotExist();
    }

    @Test
    void aRaiseWaitsForAWriterThatWasAdmitted() throws Exception {
        Process writer = started(7, "in time\n");
        assertThat(writer.inputReader().readLine()).isEqualTo("admitted");

        try (Sink hasty = new FileSinkProvider().open("filefence:" + ledger, Duration.ofMillis(300))) {
            assertThatThrownBy(() ->
                            hasty.raise(BILLING, mark(8)).toCompletableFuture().get())
                    .hasCauseInstanceOf(SinkException.class)
                    .hasMessageContaining("gave up after 300 ms");
        }
        writer.getOutputStream().close();

        sink.raise(BILLING, mark(8)).toCompletableFuture().get();
        assertThat(ledger).hasContent("in time\n");
        assertThat(writer.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }

    private Process writer(long token, String line) throws IOException {
        Process writer = started(token, line);
        writer.getOutputStream().close();
        return writer;
    }

    private static void awaitOpened(Process writer, Path file) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!hasOpen(writer, file)) {
            assertThat(writer.isAlive()).isTrue();
            assertThat(System.nanoTime()).as("not within 60 s").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static boolean hasOpen(Process writer, Path file) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(writer.pid()), "fd"))) {
            return open.anyMatch(one -> leadsTo(one, file));
        } catch (UncheckedIOException closedMeanwhile) {
            return false;
        }
    }

    private static boolean leadsTo(Path link, Path file) {
        try {
            return Files.isSameFile(link, file);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    private Process started(long token, String line) throws IOException {
        return new ProcessBuilder(List.of(
                        "python3",
                        script.toString(),
                        ledger.toString(),
                        BILLING.toString(),
                        Long.toString(token),
                        line))
                .redirectErrorStream(true)
                .start();
    }

    /** What it said. */
    private static String ended(Process writer) throws Exception {
        String said = new String(writer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(writer.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.parse("candidate:ada@host-1-x"));
    }
}

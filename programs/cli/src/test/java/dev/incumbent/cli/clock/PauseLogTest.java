package dev.incumbent.cli.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.clock.PauseLog.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PauseLogTest {
    private static final Duration POLL = Duration.ofMillis(5);
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    @TempDir
    Path folder;

    private PauseLog log() {
        return log("h1");
    }

    private PauseLog log(String host) {
        return new PauseLog(folder.resolve("state/pauses"), host);
    }

    @Test
    void theLongestIsToldWhoeverWroteItDown() throws IOException {
        assertThat(log().longest(NOON)).isEmpty();
        Pause long20 = new Pause(NOON, Duration.ofSeconds(20), "suspended");
        log().add(new Pause(NOON, Duration.ofSeconds(3), "paused"));
        log().add(long20);
        log().add(new Pause(NOON, Duration.ofSeconds(4), "paused"));

        assertThat(log().longest(NOON)).contains(long20);
    }

    @Test
    void whatIsThirtyDaysOldIsForgotten() throws IOException {
        log().add(new Pause(NOON, Duration.ofSeconds(20), "paused"));
        Pause later = new Pause(NOON.plus(Duration.ofDays(30)), Duration.ofSeconds(1), "paused");
        log().add(later);

        assertThat(log().longest(later.at())).contains(later);
        assertThat(Files.readString(folder.resolve("state/pauses"))).isEqualTo("2026-12-20T12:00:00Z 1000 paused h1\n");
    }

    @Test
    void onlyTheHundredLongestAreKept() throws IOException {
        for (int i = 1; i <= 105; i++) {
            log().add(new Pause(NOON, Duration.ofSeconds(i), "paused"));
        }

        List<String> kept = Files.readAllLines(folder.resolve("state/pauses"));
        assertThat(kept).hasSize(100).startsWith(NOON + " 105000 paused h1").endsWith(NOON + " 6000 paused h1");

        log("h2").add(new Pause(NOON, Duration.ofSeconds(1), "paused"));
        assertThat(log("h2").longest(NOON))
                .as("of each host")
                .contains(new Pause(NOON, Duration.ofSeconds(1), "paused"));
    }

    /** Home folders may lie on a server. */
    @Test
    void whatAnotherHostMetIsNotOfThisOne() throws IOException {
        log("h2").add(new Pause(NOON, Duration.ofSeconds(20), "suspended"));
        assertThat(log("h1").longest(NOON)).isEmpty();

        log("h1").add(new Pause(NOON, Duration.ofSeconds(3), "paused"));

        assertThat(log("h1").longest(NOON)).contains(new Pause(NOON, Duration.ofSeconds(3), "paused"));
        assertThat(log("h2").longest(NOON)).contains(new Pause(NOON, Duration.ofSeconds(20), "suspended"));
    }

    @Test
    void aLineOfAnEarlierVersionIsOfEveryHostAndStays() throws IOException {
        log().add(new Pause(NOON, Duration.ofSeconds(2), "paused"));
        Files.writeString(folder.resolve("state/pauses"), NOON + " 5000 paused\n");
        log().add(new Pause(NOON, Duration.ofSeconds(3), "paused"));

        assertThat(log("h2").longest(NOON)).contains(new Pause(NOON, Duration.ofSeconds(5), "paused"));
        assertThat(folder.resolve("state/pauses"))
                .content()
                .isEqualTo(NOON + " 5000 paused\n" + NOON + " 3000 paused h1\n");
    }

    @Test
    void aLineThatIsNoPauseIsPassedOver() throws IOException {
        log().add(new Pause(NOON, Duration.ofSeconds(2), "paused"));
        Files.writeString(
                folder.resolve("state/pauses"), "nonsense\n" + NOON + " 5000 paused\n" + NOON + " x paused\n");

        assertThat(log().longest(NOON)).contains(new Pause(NOON, Duration.ofSeconds(5), "paused"));
    }

    @Test
    void nobodyElseReadsIt() throws IOException {
        log().add(new Pause(NOON, Duration.ofSeconds(2), "paused"));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("state/pauses"))))
                .isEqualTo("rw-------");
    }

    /** A pause of the host is one of all its runs. */
    @Test
    void manyThatWriteAtOnceLoseNone() {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            Pause pause = new Pause(NOON, Duration.ofSeconds(i), "paused");
            writers.add(CompletableFuture.runAsync(() -> {
                try {
                    log().add(pause);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        writers.forEach(CompletableFuture::join);

        assertThat(folder.resolve("state/pauses")).content().hasLineCount(40);
    }

    /** Several runs of a host are several processes, and all meet its pause at once. */
    @Test
    @Timeout(120)
    void aProcessThatWritesMakesTheOthersWait() throws Exception {
        Path file = folder.resolve("state/pauses");
        log().add(new Pause(NOON, Duration.ofSeconds(1), "paused"));
        Process other = HeldPauseLog.start(file, NOON + " 2000 paused");

        CompletableFuture<Void> added = CompletableFuture.runAsync(() -> {
            try {
                log().add(new Pause(NOON, Duration.ofSeconds(3), "paused"));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        while (!added.isDone() && !waitsForALock()) {
            LockSupport.parkNanos(POLL.toNanos());
        }
        HeldPauseLog.order(other);

        assertThat(other.waitFor()).isZero();
        added.join();
        assertThat(file)
                .content()
                .isEqualTo(NOON + " 3000 paused h1\n" + NOON + " 2000 paused\n" + NOON + " 1000 paused h1\n");
    }

    /** The kernel lists who waits for a lock with an arrow. */
    private static boolean waitsForALock() throws IOException {
        String waiting = "-> .* " + ProcessHandle.current().pid() + " .*";
        return Files.readAllLines(Path.of("/proc/locks")).stream().anyMatch(line -> line.matches("\\d+: *" + waiting));
    }
}

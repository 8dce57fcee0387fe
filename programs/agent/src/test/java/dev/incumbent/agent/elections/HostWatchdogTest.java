package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Validity;
import dev.incumbent.agent.watchdog.WatchKey;
import dev.incumbent.servers.PretendedWatchdog;
import dev.incumbent.servers.Waiting;
import dev.incumbent.supervisor.SupervisorBinary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the watchdog of the host asks of its device, a pretended one. Owners are in {@code WatchdogTest}. */
class HostWatchdogTest {
    private static final long SECOND = 1_000_000_000;
    private static final WatchKey A = new WatchKey("a", 7);
    private static final WatchKey B = new WatchKey("b", 3);

    @TempDir
    private Path folder;

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private PretendedWatchdog dog;
    private HostWatchdog watchdog;

    @BeforeEach
    void open() throws Exception {
        Path program = SupervisorBinary.findOrBuild(Path.of("target/supervisor").toAbsolutePath());
        dog = PretendedWatchdog.in(Files.createDirectory(folder.resolve("dog")), program);
        watchdog = HostWatchdog.open(dog.program(), dog.device(), folder);
    }

    @AfterEach
    void end() {
        watchdog.stopped(A);
        watchdog.stopped(B);
        watchdog.close();
    }

    @Test
    void workWhoseLeadershipIsAboutToEndWaitsForTheNextRenewal() throws Exception {
        watch(A);
        valid(A, 50 * SECOND);
        assertThat(next()).isEqualTo("a is guarded");
        List<String> before = dog.calls();

        watch(B);
        valid(B, 3 * SECOND - 1);
        valid(B, 40 * SECOND);
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("a is guarded", "b is guarded");
        String since =
                String.join(" ", dog.calls()).substring(String.join(" ", before).length());
        assertThat(since).matches(" set (39|40) feed \\1");
    }

    /** The device was asked to count when the work stopped, and had not answered yet. */
    @Test
    void itsEndWaitsUntilADeviceThatGuardsNobodyIsStopped() throws Exception {
        watch(A);
        valid(A, 50 * SECOND);
        watchdog.stopped(A);
        watchdog.close();

        assertThat(dog.calls()).contains("open 60");
        assertThat(dog.firesAtBoot()).isZero();
        watchdog = HostWatchdog.open(dog.program(), dog.device(), folder);
    }

    /** The holder hangs up at a line that it cannot read, and the next connection finds whom it guards. */
    @Test
    void workThatStoppedWhileTheHolderWasNotConnectedIsNotWaitedFor() throws Exception {
        watch(A);
        valid(A, 50 * SECOND);
        assertThat(next()).isEqualTo("a is guarded");

        WatchKey unreadable = new WatchKey("x:1 z\nthe holder hangs up at this", 1);
        watch(unreadable);
        valid(unreadable, 50 * SECOND);
        Waiting.until("work of before is found", () -> watchdog.view().fires());
        assertThat(watchdog.view().works()).extracting(GuardedWork::name).containsExactly("?");
        watchdog.stopped(new WatchKey("x", 1));
        Waiting.until(
                "the device is stopped", () -> watchdog.view().firesAtNanos().isEmpty());
        assertThat(dog.firesAtBoot()).isZero();
    }

    private void watch(WatchKey key) {
        watchdog.watch(key, new GuardedWork("batch", key.owner(), Optional.empty()), new HostWatchdog.Hearing() {
            @Override
            public void guards(long firesAtNanos) {
                heard.add(key.owner() + " is guarded");
            }

            @Override
            public void unguarded() {
                heard.add(key.owner() + " is not guarded");
                watchdog.stopped(key);
            }

            @Override
            public void gone() {
                heard.add(key.owner() + " has ended");
            }
        });
    }

    private void valid(WatchKey key, long left) {
        long now = System.nanoTime();
        watchdog.validity(key, new Validity(now, now + left - SECOND, now + left));
    }

    private String next() throws InterruptedException {
        return Optional.ofNullable(heard.poll(20, TimeUnit.SECONDS)).orElse("nothing");
    }
}

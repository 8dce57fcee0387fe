package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.servers.PretendedWatchdog;
import dev.incumbent.supervisor.WatchdogHolder.Kind;
import dev.incumbent.supervisor.WatchdogHolder.Told;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process that holds the device, over one that is pretended. A real one is in {@code scripts/accept-watchdog}. */
class WatchdogHolderTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path folder;

    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private PretendedWatchdog dog;
    private boolean isOpen;

    @SuppressWarnings("NullAway.Init") // each test opens it
    private WatchdogHolder holder;

    @BeforeEach
    void pretend() throws Exception {
        dog = PretendedWatchdog.in(folder, TestFolder.binary());
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (isOpen) {
            told.clear();
            holder.stop();
            answer(Kind.STOPPED);
            holder.close();
        }
    }

    @Test
    void theDeviceCountsOnlyOnceItIsToldTo() throws Exception {
        open();

        assertThat(holder.found().kind()).isEqualTo(Kind.HOLDS);
        assertThat(holder.found().firesAtNanos()).isEmpty();
        assertThat(dog.calls()).isEmpty();
    }

    @Test
    void itFiresWithinTheSecondBeforeTheTimeThatItIsTold() throws Exception {
        open();
        long until = count(100 * SECOND);

        long fires = answer(Kind.COUNTS).firesAtNanos().orElseThrow();
        assertThat(fires).isBetween(until - SECOND, until);
        assertThat(String.join(" ", dog.calls())).matches("open 60 set (\\d+) feed \\1");
    }

    @Test
    void itIsFedWithoutSettingItAgainWhereTheTimeIsTheSame() throws Exception {
        open();
        count(100 * SECOND - 1);
        answer(Kind.COUNTS);

        count(100 * SECOND - 1);
        answer(Kind.COUNTS);
        assertThat(String.join(" ", dog.calls()))
                .as("it is set again only if this took a second")
                .matches("open 60 set (\\d+) feed \\1 (feed \\1|set (?!\\1 )(\\d+) feed \\3)");
    }

    @Test
    void aTimeoutThatTheDriverRoundsUpIsMadeShorter() throws Exception {
        open("STEP=4");
        count(119 * SECOND - 1);

        answer(Kind.COUNTS);
        assertThat(dog.calls()).contains("set 120").endsWith("set 116", "feed 116");
    }

    @Test
    void aDeviceThatCannotBeSetShortEnoughIsStoppedAgain() throws Exception {
        open("STEP=20");
        count(11 * SECOND + SECOND / 2);

        assertThat(answer(Kind.FAILED).why())
                .isEqualTo("no timeout can be set that is short enough, 20 s is the one it has");
        assertThat(dog.firesAtBoot()).isZero();
    }

    @Test
    void aTimeoutThatTheDriverRefusesIsMadeShorter() throws Exception {
        open("MOST=70");
        count(100 * SECOND);

        answer(Kind.COUNTS);
        assertThat(dog.calls()).containsExactly("open 60", "set 70", "feed 70");
    }

    @Test
    void aDeviceThatCountsOnAfterItsStopIsNeverSaidToBeStopped() throws Exception {
        open("STICKS=1");
        count(10 * SECOND);
        answer(Kind.COUNTS);

        holder.stop();
        Told first = answer(Kind.FAILED);
        assertThat(first.why()).isEqualTo("it was told to stop, and its state is active");
        assertThat(first.firesAtNanos()).isPresent();
        holder.stop();
        assertThat(answer(Kind.FAILED).why()).isEqualTo(first.why());
        dog.tells("state", "inactive");
    }

    @Test
    void anOwnerThatTheHolderCannotNameIsCounted() throws Exception {
        open();
        holder.remember("a:7", "first");
        holder.remember("b:3", "x".repeat(5_000));
        count(60 * SECOND);
        answer(Kind.COUNTS);
        assertThat(holder.unnamed()).isZero();
        holder.close();

        open();
        assertThat(holder.owners()).isEqualTo(Map.of("a:7", "first"));
        assertThat(holder.unnamed()).isOne();
    }

    @Test
    void anOwnerForWhomThereIsNoRoomIsCountedUntilTheDeviceIsStopped() throws Exception {
        open();
        for (int i = 0; i < 65; i++) {
            holder.remember("o" + i + ":1", "x");
        }
        count(60 * SECOND);
        answer(Kind.COUNTS);
        letGo();

        open();
        assertThat(holder.owners()).hasSize(64);
        assertThat(holder.unnamed()).isOne();
        holder.stop();
        answer(Kind.STOPPED);
        count(60 * SECOND);
        answer(Kind.COUNTS);
        letGo();

        open();
        assertThat(holder.unnamed()).isZero();
    }

    @Test
    void allThatWasSaidBeforeTheEndIsHeard() throws Exception {
        open();
        count(60 * SECOND);
        answer(Kind.COUNTS);
        for (int i = 0; i < 64; i++) {
            holder.remember("o" + i + ":1", "x".repeat(4_000));
        }
        holder.close();

        open();
        assertThat(holder.owners()).hasSize(64);
    }

    @Test
    void withLessThanASecondLeftNothingIsDone() throws Exception {
        open();
        count(SECOND / 2);

        assertThat(answer(Kind.SHORT).firesAtNanos()).isEmpty();
        assertThat(dog.calls()).isEmpty();
    }

    @Test
    void itIsStopped() throws Exception {
        open();
        count(10 * SECOND);
        answer(Kind.COUNTS);

        holder.stop();
        assertThat(answer(Kind.STOPPED).firesAtNanos()).isEmpty();
        assertThat(dog.firesAtBoot()).isZero();
    }

    @Test
    void anAgentThatEndsLeavesItCountingAndTheNextOneFindsIt() throws Exception {
        open();
        holder.remember("a:7", "first");
        holder.remember("b:3", "second");
        holder.forget("b:3");
        holder.remember("a:7", "again");
        long until = count(60 * SECOND);
        answer(Kind.COUNTS);
        letGo();

        open();
        assertThat(holder.found().firesAtNanos().orElseThrow()).isBetween(until - SECOND, until);
        assertThat(holder.owners()).isEqualTo(Map.of("a:7", "again"));
        assertThat(dog.calls()).as("it was not fed").hasSize(3);
        assertThat(dog.firesAtBoot()).isPositive();
    }

    @Test
    void withoutAnAgentTheHolderOfAStoppedDeviceEnds() throws Exception {
        open();
        holder.close();

        Await.until("the socket is gone", () -> !Files.exists(socket()));
        isOpen = false;
    }

    @Test
    void anotherAgentDoesNotShareIt() throws Exception {
        open();

        assertThatThrownBy(() -> WatchdogHolder.open(
                        dog.program(), dog.device(), socket(), System::nanoTime, Duration.ofSeconds(1)))
                .isInstanceOf(IOException.class)
                .hasMessage(dog.device() + " is held for another agent, which is still connected");
    }

    /** It takes connections all the same: the kernel does so for it. */
    @Test
    @Tag("realtime")
    void aHolderThatWasStoppedIsSaidToBe() throws Exception {
        open();
        long pid = ProcessHandle.allProcesses()
                .filter(one -> one.info()
                        .arguments()
                        .filter(words -> String.join(" ", words).endsWith(dog.device() + " " + socket()))
                        .isPresent())
                .findFirst()
                .orElseThrow()
                .pid();
        signal("STOP", pid);
        try {
            assertThatThrownBy(() -> WatchdogHolder.open(
                            dog.program(), dog.device(), socket(), System::nanoTime, Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessage(dog.device() + " is held by process " + pid
                            + ", which was stopped and feeds nothing: let it go on, by kill -CONT " + pid);
        } finally {
            signal("CONT", pid);
        }
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void agentsThatBeginAndEndAtOnceHaveItOneAfterAnother() throws Exception {
        ExecutorService agents = Executors.newFixedThreadPool(3);
        Callable<Kind> agent = () -> {
            try (WatchdogHolder one = WatchdogHolder.open(dog.program(), dog.device(), socket(), System::nanoTime)) {
                return one.found().kind();
            }
        };
        try {
            for (Future<Kind> one : agents.invokeAll(Collections.nCopies(30, agent))) {
                assertThat(one.get()).isEqualTo(Kind.HOLDS);
            }
        } finally {
            agents.shutdown();
        }
    }

    @Test
    void aHolderThatNeitherListensNorEndsIsNamed() throws Exception {
        Process deaf =
                new ProcessBuilder("flock", socket() + ".lock", "sh", "-c", "echo locked; exec sleep 60").start();
        try {
            assertThat(deaf.inputReader().readLine()).isEqualTo("locked");
            assertThatThrownBy(() -> WatchdogHolder.open(
                            dog.program(), dog.device(), socket(), System::nanoTime, Duration.ofSeconds(1)))
                    .hasMessage(dog.device() + " has a holder that neither listens nor ends: see who has locked "
                            + socket() + ".lock");
        } finally {
            deaf.descendants().forEach(ProcessHandle::destroyForcibly);
            deaf.destroyForcibly();
        }
    }

    @Test
    void aDeviceThatCannotBeStoppedIsRefused() throws Exception {
        dog.tells("nowayout", "1");

        assertThatThrownBy(this::open)
                .hasMessage(dog.device()
                        + ": it cannot be stopped once it counts (nowayout is 1): load its driver with nowayout=0");
    }

    @Test
    void aDeviceThatCountsAlreadyIsRefused() throws Exception {
        dog.tells("state", "active");

        assertThatThrownBy(this::open)
                .hasMessage(dog.device() + ": it counts already: another process holds it, or one held it that died");
    }

    @Test
    void whatIsNoWatchdogIsRefused() throws Exception {
        Files.delete(folder.resolve("nowayout"));

        assertThatThrownBy(this::open)
                .hasMessage(dog.device() + ": it is no watchdog of which this kernel tells under /sys/class/watchdog");
    }

    @Test
    void aDriverWithoutTheMagicCharacterIsRefused() throws Exception {
        open("OPTIONS=" + 0x8080);
        count(10 * SECOND);

        assertThat(answer(Kind.FAILED).why())
                .isEqualTo(
                        "its driver lacks one of these: a timeout that can be set, feeding, a stop by the magic character (options 0x8080)");
        assertThat(dog.firesAtBoot()).isZero();
    }

    private Path socket() {
        return folder.resolve("s");
    }

    private void open(String... variables) throws IOException {
        holder = WatchdogHolder.open(dog.program(variables), dog.device(), socket(), System::nanoTime);
        isOpen = true;
        holder.hear(told::add);
    }

    private void letGo() throws InterruptedException {
        holder.close();
        answer(Kind.GONE);
    }

    private long count(long left) {
        long now = System.nanoTime();
        holder.count(now + left, now);
        return now + left;
    }

    private Told answer(Kind kind) throws InterruptedException {
        Told one = told.poll(20, TimeUnit.SECONDS);
        assertThat(one).isNotNull();
        assertThat(one.kind()).as(one.toString()).isEqualTo(kind);
        return one;
    }
}

package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a supervisor takes of its machine: descriptors, processor time, room to speak. */
@Tag("realtime")
@Timeout(90)
final class FrugalityTest {
    private static final int LONG = 60_000;
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path folder;

    private static Path proc(BareSupervisor supervisor, String file) {
        return Path.of("/proc", "" + supervisor.entry().pid(), file);
    }

    private static String statField(BareSupervisor supervisor, int number) throws IOException {
        String stat = Files.readString(proc(supervisor, "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[number - 3];
    }

    /** How long it has run or wanted to, so that a busy machine hides nothing. */
    private static long busyNanos(BareSupervisor supervisor) throws IOException {
        Path schedule = proc(supervisor, "schedstat");
        assumeTrue(Files.exists(schedule), "a kernel that does not tell how long a process has run");
        String[] words = Files.readString(schedule).split(" ", -1);
        return Long.parseLong(words[0]) + Long.parseLong(words[1]);
    }

    private void awaitFile(String name) {
        Await.until("file " + name, () -> Files.exists(folder.resolve(name)));
    }

    private static void expect(BareSupervisor supervisor, String word) throws IOException {
        assertThat(supervisor.nextWord()).isEqualTo(word);
    }

    private static void started(BareSupervisor supervisor) throws IOException {
        expect(supervisor, "ack");
        expect(supervisor, "forked");
        expect(supervisor, "started");
    }

    /** A folder and a file in it are open at once, whenever it looks at the tree. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void twoDescriptorsBesidesItsOwnAreEnoughForEver(boolean withLists) throws Exception {
        String deaf = "trap \"echo term >> heard\" TERM; touch late; while :; do sleep 0.02; done";
        Files.writeString(folder.resolve("deaf"), deaf);
        String bearsLate = "trap \"sleep 0.5; setsid sh deaf & while [ ! -e late ]; do sleep 0.02; done; exit\" TERM; "
                + "touch early; while :; do sleep 0.02; done";
        String script = "while [ ! -e limited ]; do sleep 0.02; done; setsid sh -c '" + bearsLate
                + "' & while [ ! -e early ]; do sleep 0.02; done; exit 3";
        String[] kernel = {"env"};
        if (!withLists) {
            kernel = PretendedKernel.in(folder, PretendedKernel.WITHOUT_LISTS_OF_CHILDREN);
        }
        try (BareSupervisor supervisor = BareSupervisor.by(folder, kernel)) {
            long enough;
            try (Stream<Path> own = Files.list(proc(supervisor, "fd"))) {
                enough = own.count() + 2;
            }
            supervisor.start(LONG, "sh", "-c", script);
            started(supervisor);
            String limit = "--nofile=" + enough + ":" + enough;
            assertThat(new ProcessBuilder(
                                    "prlimit", "--pid", "" + supervisor.entry().pid(), limit)
                            .start()
                            .waitFor())
                    .isZero();
            Files.createFile(folder.resolve("limited"));

            assertThat(supervisor.toTheEnd()).containsExactly("exited 3", "gone self");
            assertThat(supervisor.started()).isEmpty();
            assertThat(Files.readAllLines(folder.resolve("heard"))).containsExactly("term");
        }
    }

    @Test
    void itSleepsWhileNothingHappens() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            supervisor.start(LONG, "sleep", "1000");
            started(supervisor);
            supervisor.say("sig 19");
            assertThat(supervisor.next()).isEqualTo("stopped 19");
            supervisor.say("sig 18");
            long before = busyNanos(supervisor);

            assertThat(Await.holdsFor(Duration.ofMillis(500), supervisor::isAlive))
                    .isTrue();

            assertThat(busyNanos(supervisor) - before).isLessThan(SECOND / 4);
        }
    }

    /** In the middle of whole seconds, too. */
    @Test
    void itSleepsUntilADeadlineComes() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            supervisor.start(LONG, "sh", "-c", "trap 'touch asked' TERM; touch up; while :; do sleep 0.02; done");
            started(supervisor);
            awaitFile("up");
            supervisor.say("awake");
            long now = Long.parseLong(supervisor.next().substring("awake ".length()));
            long lateInASecond = (now / SECOND + 1) * SECOND + SECOND * 9 / 10;
            long before = busyNanos(supervisor);

            supervisor.say("lease " + lateInASecond + " " + supervisor.bootTime(LONG));

            Duration due = Duration.ofNanos(lateInASecond - now);
            Await.within(due.plusMillis(900), "file asked", () -> Files.exists(folder.resolve("asked")));
            assertThat(busyNanos(supervisor) - before).isLessThan(SECOND / 4);
        }
    }

    @Test
    void aWrapperThatReadsNothingHoldsNoDeadlineUp() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            supervisor.start(LONG, "sleep", "1000");
            started(supervisor);

            supervisor.write("awake\n".repeat(10_000));
            supervisor.say(supervisor.lease(1, 2));

            Await.until("the command's end", () -> supervisor.started().isEmpty());
        }
    }

    @Test
    void orphansThatEndTogetherLeaveNoZombies() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            String script = "for i in $(seq 60); do (setsid sh -c 'while [ ! -e go ]; do sleep 0.02; done' &); done; "
                    + "touch up; exec sleep 1000";
            supervisor.start(LONG, "sh", "-c", script);
            awaitFile("up");
            Files.createFile(folder.resolve("go"));

            Await.until(
                    "the command as the only child",
                    () -> supervisor.entry().children().size() == 1);
        }
    }

    /** Where nothing is left behind, nobody waits for the time that leftovers have. The least of some, since a machine may be busy. */
    @Test
    void aCommandThatLeavesNothingBehindIsGoneAtOnce() throws Exception {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
                long began = System.nanoTime();
                supervisor.start(LONG, "true");
                assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
                least = Math.min(least, System.nanoTime() - began);
            }
        }
        assertThat(least).isLessThan(SECOND * 3 / 4);
    }

    @Test
    void itIsUrgentWhereItMayBeAndTheCommandIsAsOneStartedWithoutIt() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may be more urgent");
        int own = Integer.parseInt(new String(
                        new ProcessBuilder("nice", "-n", "3", "nice")
                                .start()
                                .getInputStream()
                                .readAllBytes(),
                        java.nio.charset.StandardCharsets.US_ASCII)
                .strip());
        try (BareSupervisor supervisor = BareSupervisor.by(folder, "nice", "-n", "3")) {
            assertThat(statField(supervisor, 19)).isEqualTo("-20");

            supervisor.start(LONG, "sh", "-c", "nice > seen");

            assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
            assertThat(Files.readString(folder.resolve("seen")).strip()).isEqualTo("" + own);
        }
    }
}

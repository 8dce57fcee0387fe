package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that becomes another user, as {@code sudo} does, may not be killed by us: told, and not passed over. */
@Timeout(90)
final class DeniedTest {
    static final String BECOMES_ROOT = """
            #include <unistd.h>
            int main(void) { return setgid(0) || setuid(0) || execl("/bin/sleep", "sleep", "1001", (char *)0); }
            """;

    /** Its first thread ends, which shows it as a zombie, and the other one goes on. */
    private static final String BECOMES_ROOT_AND_HEADLESS = """
            #define _GNU_SOURCE
            #include <pthread.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            static void *go_on(void *nothing) { for (;;) pause(); return nothing; }
            int main(void) {
                pthread_t other;
                return setgid(0) || setuid(0) || pthread_create(&other, 0, go_on, 0) || syscall(SYS_exit, 0);
            }
            """;

    private Path folder = Path.of("");

    @BeforeEach
    void make() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can make such a command");
        folder = Files.createTempDirectory(Path.of("/tmp"), "denied-");
    }

    @AfterEach
    void remove() throws IOException {
        for (String file : List.of("supervisor", "becomes-root", "source.c", "")) {
            Files.deleteIfExists(folder.resolve(file));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {BECOMES_ROOT, BECOMES_ROOT_AND_HEADLESS})
    void whoBecameAnotherUserIsToldOnceAndWaitedFor(String source) throws Exception {
        boolean isHeadless = source.contains("pthread");
        Path program = build(folder, source);
        try (BareSupervisor supervisor = BareSupervisor.asNobody(folder)) {
            long pid = started(supervisor, program.toString());
            Await.until(
                    "another user",
                    () -> ownerOf(pid) == 0
                            && (isHeadless
                                    ? isHeadless(pid)
                                    : status(pid, "Name:").equals("sleep")));
            supervisor.say("sig 10");
            assertThat(supervisor.next()).isEqualTo("denied " + pid + " 0 " + (isHeadless ? "becomes-root" : "sleep"));

            supervisor.say("kill", "awake");

            assertThat(supervisor.nextWord()).isEqualTo("awake");
            assertThat(Await.holdsFor(Duration.ofMillis(200), () -> new ProcessEntry(pid).isAlive()))
                    .isTrue();
            new ProcessEntry(pid).kill();
            assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone killed");
        }
    }

    @Test
    void eachOfSeveralIsToldOnce() throws Exception {
        Path program = build(folder, BECOMES_ROOT);
        try (BareSupervisor supervisor = BareSupervisor.asNobody(folder)) {
            started(supervisor, "sh", "-c", program + " & " + program + " & wait");
            Await.until("two of root's", () -> ofRoot(supervisor).size() == 2);
            List<ProcessEntry> those = ofRoot(supervisor);

            supervisor.say("kill");

            assertThat(List.of(supervisor.next(), supervisor.next(), supervisor.next()))
                    .containsExactlyInAnyOrder(
                            "denied " + those.get(0).pid() + " 0 sleep",
                            "denied " + those.get(1).pid() + " 0 sleep",
                            "signaled 9");
            those.get(0).kill();
            Await.until("the end of one", () -> ofRoot(supervisor).size() == 1);
            those.get(1).kill();
            assertThat(supervisor.toTheEnd()).containsExactly("gone killed");
        }
    }

    /** The wait for it costs next to nothing; its end is noticed at once nevertheless. */
    @Test
    @Tag("realtime")
    void whoMayNotBeKilledIsRarelyLookedAt() throws Exception {
        Path program = build(folder, BECOMES_ROOT);
        try (BareSupervisor supervisor = BareSupervisor.asNobody(folder)) {
            long pid = started(supervisor, program.toString());
            Await.until("another user", () -> ownerOf(pid) == 0);
            supervisor.say("kill");
            assertThat(supervisor.nextWord()).startsWith("denied");
            Await.pass(Duration.ofSeconds(1));
            String switches = "voluntary_ctxt_switches:";
            long before = Long.parseLong(status(supervisor.entry().pid(), switches));

            Await.pass(Duration.ofSeconds(1));

            assertThat(Long.parseLong(status(supervisor.entry().pid(), switches)) - before)
                    .isLessThan(10);
            new ProcessEntry(pid).kill();
            assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone killed");
        }
    }

    /** Where /proc shows nobody the processes of others. */
    @Test
    void whoIsHiddenFromUsIsNotTakenForDead() throws Exception {
        Path program = build(folder, BECOMES_ROOT);
        String hide = "mount -t proc -o hidepid=2 proc /proc && exec \"$@\"";
        try (BareSupervisor supervisor = BareSupervisor.asNobody(folder, "unshare", "-m", "sh", "-c", hide, "sh")) {
            long pid = started(supervisor, program.toString());
            Await.until("another user", () -> ownerOf(pid) == 0);

            supervisor.say("kill");

            assertThat(supervisor.next()).isEqualTo("denied " + pid);
            assertThat(Await.holdsFor(Duration.ofMillis(200), supervisor::isAlive))
                    .isTrue();
            new ProcessEntry(pid).kill();
            assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone killed");
        }
    }

    /** Without its supervisor, the wrapper does the killing, and waits in the same way. */
    @Test
    void theWrapperOfAKilledSupervisorTellsItAndWaits() throws Exception {
        String withoutKill = "exec setpriv --bounding-set=-kill --inh-caps=-kill \"$@\"";
        try (var run = WrapperProcess.startAfter(
                withoutKill, List.of(), "setpriv", "--reuid", "65534", "--clear-groups", "sleep", "1001")) {
            run.awaitStarted("sleep", 1);
            ProcessEntry sleeper = run.startedAs("sleep").get(0);

            run.supervisor().kill();

            assertThat(run.nextLine())
                    .isEqualTo("Denied[pid=" + sleeper.pid() + ", user=OptionalLong[65534], name=sleep]");
            assertThat(Await.holdsFor(Duration.ofMillis(200), () -> run.isAlive() && sleeper.isAlive()))
                    .isTrue();
            sleeper.kill();
            assertThat(run.exitCode()).isEqualTo(70);
            assertThat(run.output()).isEmpty();
        }
    }

    /** One that is outside the command's group would be lost with the supervisor, which is well and no reason to end it. */
    @Test
    @Tag("realtime")
    void aSupervisorThatWaitsIsNotTakenOver() throws Exception {
        String withoutKill = "exec setpriv --bounding-set=-kill --inh-caps=-kill \"$@\"";
        String outside = "setsid setpriv --reuid 65534 --clear-groups env -i sleep 1001 & wait";
        try (var run =
                WrapperProcess.startAfter(withoutKill, List.of("-Dlease=1000", "-Dbudget=200"), "sh", "-c", outside)) {
            ProcessEntry sleeper = sleeperOf(run);
            run.signal("TERM");
            run.signal("TERM");
            assertThat(run.nextLine()).startsWith("Denied[pid=" + sleeper.pid() + ",");

            assertThat(Await.holdsFor(Duration.ofSeconds(4), () -> run.isAlive() && sleeper.isAlive()))
                    .isTrue();

            sleeper.kill();
            assertThat(run.exitCodeWithin(Duration.ofSeconds(1))).isNotEqualTo(70);
            assertThat(run.output()).isEmpty();
        }
    }

    private static ProcessEntry sleeperOf(WrapperProcess run) {
        List<ProcessEntry> found = new ArrayList<>();
        Await.until("a sleeper without a mark", () -> {
            for (ProcessEntry process : run.wrapper().descendants()) {
                if (process.name().equals("sleep") && process.user().equals(OptionalLong.of(65534))) {
                    found.add(process);
                }
            }
            return !found.isEmpty();
        });
        return found.get(0);
    }

    /** Starts that command, and gives its process. */
    private static long started(BareSupervisor supervisor, String... command) throws IOException {
        supervisor.start(60_000, command);
        supervisor.nextWord(); // of the lease
        long pid = Long.parseLong(supervisor.next().substring("forked ".length()));
        assertThat(supervisor.next()).isEqualTo("started");
        return pid;
    }

    private static List<ProcessEntry> ofRoot(BareSupervisor supervisor) {
        return supervisor.started().stream()
                .filter(process -> process.user().equals(OptionalLong.of(0)))
                .filter(process -> process.name().equals("sleep"))
                .toList();
    }

    /** A program that runs as root, whoever starts it. */
    static Path build(Path folder, String source) throws Exception {
        Files.writeString(folder.resolve("source.c"), source);
        Process setUp = new ProcessBuilder(
                        "sh", "-c", "cc -pthread -o becomes-root source.c && chmod 4755 becomes-root && chmod 755 .")
                .directory(folder.toFile())
                .start();
        assertThat(setUp.waitFor()).isZero();
        return folder.resolve("becomes-root");
    }

    static long ownerOf(long pid) {
        return Long.parseLong(status(pid, "Uid:"));
    }

    private static boolean isHeadless(long pid) {
        return status(pid, "State:").equals("Z");
    }

    /** The first word behind that name in what the kernel tells of a process. */
    private static String status(long pid, String name) {
        try {
            String status = Files.readString(Path.of("/proc", "" + pid, "status"));
            String line = status.lines()
                    .filter(each -> each.startsWith(name))
                    .findFirst()
                    .orElseThrow();
            return line.split("\\s+", -1)[1];
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

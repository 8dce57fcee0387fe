package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @ParameterizedTest
    @ValueSource(strings = {BECOMES_ROOT, BECOMES_ROOT_AND_HEADLESS})
    void whoBecameAnotherUserIsToldOnceAndWaitedFor(String source) throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can make such a command");
        Path folder = Files.createTempDirectory(Path.of("/tmp"), "denied-");
        Path program = build(folder, source);
        try (BareSupervisor supervisor = BareSupervisor.asNobody(folder)) {
            supervisor.start(60_000, program.toString());
            supervisor.nextWord(); // of the lease
            long pid = Long.parseLong(supervisor.next().substring("forked ".length()));
            assertThat(supervisor.next()).isEqualTo("started");
            Await.until("another user", () -> ownerOf(pid) == 0 && isHeadless(pid) == source.contains("pthread"));
            supervisor.say("sig 10");
            assertThat(supervisor.next()).isEqualTo("denied " + pid);

            supervisor.say("kill");

            assertThat(supervisor.next()).isEqualTo("denied " + pid);
            Await.pass(java.time.Duration.ofMillis(200));
            assertThat(new ProcessEntry(pid).isAlive()).isTrue();
            new ProcessEntry(pid).kill();
            assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone killed");
        } finally {
            for (Path file : List.of(folder.resolve("supervisor"), program, folder.resolve("source.c"), folder)) {
                Files.deleteIfExists(file);
            }
        }
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
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

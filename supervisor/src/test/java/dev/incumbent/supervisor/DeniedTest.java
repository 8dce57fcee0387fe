package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A command that becomes another user, as {@code sudo} does, may not be killed by us: told, and not passed over. */
@Timeout(90)
final class DeniedTest {
    private static final String BECOMES_ROOT = """
            #include <unistd.h>
            int main(void) { return setgid(0) || setuid(0) || execl("/bin/sleep", "sleep", "1001", (char *)0); }
            """;

    @Test
    void whoBecameAnotherUserIsToldOnceAndWaitedFor() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can make such a command");
        Path folder = Files.createTempDirectory(Path.of("/tmp"), "denied-");
        Path program = folder.resolve("becomes-root");
        Files.writeString(folder.resolve("source.c"), BECOMES_ROOT);
        Process setUp = new ProcessBuilder(
                        "sh", "-c", "cc -o becomes-root source.c && chmod 4755 becomes-root && chmod 755 .")
                .directory(folder.toFile())
                .start();
        assertThat(setUp.waitFor()).isZero();
        try (BareSupervisor supervisor = BareSupervisor.asNobody(folder)) {
            supervisor.start(60_000, program.toString());
            supervisor.nextWord(); // of the lease
            long pid = Long.parseLong(supervisor.next().substring("forked ".length()));
            assertThat(supervisor.next()).isEqualTo("started");
            Await.until("another user", () -> ownerOf(pid) == 0);

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

    private static long ownerOf(long pid) {
        try {
            String status = Files.readString(Path.of("/proc", "" + pid, "status"));
            String users = status.lines()
                    .filter(line -> line.startsWith("Uid:"))
                    .findFirst()
                    .orElseThrow();
            return Long.parseLong(users.split("\\s+", -1)[1]);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

package dev.incumbent.adverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is copied from a server that stands still is of one instant, however busy it and the machine are. */
@Tag("realtime")
class FrozenServerTest {
    private static final int WRITERS = 32;
    private static final int TIMES = 25;
    private static final long A_WHILE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @Test
    void nothingIsWrittenOnceItStandsStill() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String here = Restless.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        standsStill(TIMES, java, "-cp", here, Restless.class.getName());
    }

    /** As databases do that serve each connection by a process of its own. */
    @Test
    void aChildThatItMadeMeanwhileStandsStillToo() throws IOException {
        standsStill(TIMES, "sh", "-c", "while :; do i=$((i + 1)); : > child-$i; sleep 60 & sleep 0.01; done");
    }

    /** It waits in the kernel for a child that has not begun yet, and cannot be stopped meanwhile: both must go on for a moment. */
    @Test
    void oneThatMakesItsChildrenByVforkStandsStillToo(@TempDir Path folder) throws Exception {
        Path source = Files.writeString(folder.resolve("vforks.c"), """
                #define _DEFAULT_SOURCE
                #include <fcntl.h>
                #include <unistd.h>
                int main(void) {
                    for (creat("up", 0600);; usleep(50000)) {
                        if (vfork() == 0) {
                            usleep(50000);
                            _exit(0);
                        }
                    }
                }
                """);
        Path program = folder.resolve("vforks");
        assertThat(new ProcessBuilder("cc", "-o", program.toString(), source.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        standsStill(5, program.toString());
    }

    private static void standsStill(int times, String... command) throws IOException {
        try (TemporaryFolder folder = TemporaryFolder.create("restless");
                ServerProcess server = ServerProcess.start(
                        "restless",
                        List.of(command),
                        Map.of(),
                        folder.path(),
                        () -> files(folder).size() > 1)) {
            for (int time = 0; time < times; time++) {
                server.freeze();
                Set<String> seen = files(folder);
                LockSupport.parkNanos(A_WHILE_NANOS);
                assertThat(files(folder)).as("after a while").isEqualTo(seen);
                server.thaw();
            }
        }
    }

    private static Set<String> files(TemporaryFolder folder) throws IOException {
        try (var all = Files.list(folder.path())) {
            return all.map(Path::getFileName).map(Path::toString).collect(Collectors.toSet());
        }
    }

    /** Makes files where it runs, and removes them, in many threads. */
    static final class Restless {
        private Restless() {}

        public static void main(String[] none) {
            for (int writer = 0; writer < WRITERS; writer++) {
                String name = "writer-" + writer + "-";
                new Thread(() -> makeAndRemove(name)).start();
            }
        }

        private static void makeAndRemove(String name) {
            for (int turn = 0; ; turn++) {
                try {
                    Files.delete(Files.writeString(Path.of(name + turn), name));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}

package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that are asked about their health by an address and by a disk; the health command is in other tests. */
final class HealthRunTest {
    @TempDir
    private Path folder;

    private final AtomicInteger asked = new AtomicInteger();
    private volatile IntUnaryOperator codes = number -> 200;
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/health";

    HealthRunTest() throws IOException {
        server.createContext("/health", exchange -> {
            exchange.sendResponseHeaders(codes.applyAsInt(asked.incrementAndGet()), -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    @Tag("realtime")
    void aRunWhoseProbeFailsDoesNotStandAndALeaderWhoseProbeFailsLosesItsCommandAndSaysWhy() {
        codes = number -> 503;
        Path file = folder.resolve("f");
        try (RunProcess run = RunProcess.start(
                folder,
                "job",
                "--health-every",
                "1s",
                "--health-http",
                url,
                "--",
                "sh",
                "-c",
                "echo >> " + file + "; sleep 600")) {
            RunProcess.await("why", () -> run.err().contains("job: does not stand: " + url + " answers 503\n"));
            assertThat(file).doesNotExist();
            codes = number -> 200;
            RunProcess.awaitLines(file, 1);
            codes = number -> 500;

            assertThat(run.exitCode()).isEqualTo(79);
            assertThat(run.err())
                    .contains("job: neither leads nor stands: " + url + " answers 500\n")
                    .contains("job: the leadership ended before the command did: unhealthy\n");
        }
    }

    @Test
    @Tag("realtime")
    void fewerBadAnswersInARowThanAskedForAreNone() throws IOException {
        codes = number -> number == 2 ? 503 : 200;
        Path goOn = folder.resolve("go-on");
        try (RunProcess run = RunProcess.start(
                folder,
                "job",
                "--health-http",
                url,
                "--health-every",
                "5s",
                "--health-after",
                "2",
                "--",
                "sh",
                "-c",
                "while [ ! -e " + goOn + " ]; do sleep 0.05; done; exit 4")) {
            RunProcess.await("three questions", () -> asked.get() >= 3);
            Files.createFile(goOn);

            assertThat(run.exitCode()).as(run.err()).isEqualTo(4);
        }
    }

    @Test
    void aDiskWithoutRoomKeepsARunFromStanding() {
        try (RunProcess run =
                RunProcess.start(folder, "job", "-n", "--health-disk", folder + "=1000000TB", "--", "true")) {
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err())
                    .contains("job: does not stand: disk " + folder + " has ")
                    .contains(" free")
                    .contains("less than 1 EB\n");
        }
    }

    @Test
    void whatCannotBeMeantIsRefusedBeforeAnythingRuns() {
        try (RunProcess run = RunProcess.start(folder, "job", "--health-disk", "/var", "--", "true")) {
            assertThat(run.exitCode()).isEqualTo(64);
            assertThat(run.err()).contains("--health-disk has the form PATH=MIN");
        }
    }
}

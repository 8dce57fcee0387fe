package dev.incumbent.agent;

import dev.incumbent.agent.elections.HostSetup;
import dev.incumbent.agent.http.Listen;
import dev.incumbent.agent.http.Rights;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.ClassPath;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** An agent over a coordinator in memory, as a process of its own: {@code FOLDER}. It reads {@code tokens} there, makes {@code agent.sock}, and writes to {@code port} which port it took. */
final class AgentMain {
    /** So long that a machine that is busy with other tests ends none. */
    private static final Duration LEASE = Duration.ofSeconds(12);

    private AgentMain() {}

    /**
     * What starts it, logging what Jetty and the elections have to say; save two of Jetty's classes, which repeat a malformed Host, in which anything may stand. The
     * command line's agent lets Jetty log nothing.
     */
    static List<String> command(Path folder) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-Dorg.slf4j.simpleLogger.log.org.eclipse.jetty.util.HostPort=off",
                "-Dorg.slf4j.simpleLogger.log.org.eclipse.jetty.http.HttpParser=off",
                "-cp",
                ClassPath.text(),
                AgentMain.class.getName(),
                folder.toString());
    }

    public static void main(String[] given) throws IOException, InterruptedException {
        Path folder = Path.of(given[0]);
        Timing timing = Timing.ofLease(LEASE);
        SystemTimeline clocks = new SystemTimeline();
        MemoryCoordinator coordinator =
                MemoryCoordinator.connect(new MemoryStore(clocks), new FaultyWire(), clocks, timing.requestTimeout());
        try (HostAgent agent = HostAgent.start(
                new HostSetup(coordinator, timing, Optional.of("host-1"), "", List.of()), access(folder))) {
            Path next = Files.writeString(
                    folder.resolve("next"), agent.listens().get(0).toString());
            Files.move(next, folder.resolve("port"));
            new CountDownLatch(1).await();
        }
    }

    private static HostAgent.Access access(Path folder) throws IOException {
        return new HostAgent.Access(
                List.of(new Listen.Tcp("127.0.0.1", 0), new Listen.Unix(folder.resolve("agent.sock"))),
                Optional.of(Rights.of(folder.resolve("tokens"), System.err::println)),
                HostAgent.ownUser());
    }
}
